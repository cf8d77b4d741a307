package record

import (
	"fmt"
	"slices"

	"github.com/seed-4419f9ca/forge/pkg/changelog"
	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/manifest"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// compare says what of the versions before the version after does not keep.
func (l *changelogs) compare(t *changelogTarget, after *changelog.Doc) ([]changelog.Problem, error) {
	c := l.pass.Change
	parents, err := l.parents(c, t)
	if err != nil {
		return nil, err
	}
	baseline := changelog.Join(parents)
	problems := changelog.Compare(baseline, after)
	if len(problems) == 0 {
		return nil, nil
	}
	for _, tree := range c.Alternatives {
		other, err := l.versionIn(tree, t)
		if err != nil {
			return nil, err
		}
		if other != nil && len(changelog.Compare(changelog.Join([]changelog.Parent{{Doc: other}}), after)) == 0 {
			return nil, nil
		}
	}
	if problems, err = l.byCommit(t, baseline, after, problems); err != nil {
		return nil, err
	}
	if problems, err = l.restored(t, parents, after, problems); err != nil {
		return nil, err
	}
	return l.unpublished(t, baseline, after, problems)
}

// parents reads the versions before, with those of the merge bases. A version that cannot be read as a changelog is said
// and left out.
func (l *changelogs) parents(c *snapshot.Change, t *changelogTarget) ([]changelog.Parent, error) {
	parents := make([]changelog.Parent, len(c.Before))
	for i, tree := range c.Before {
		var err error
		if parents[i].Doc, err = l.baseline(tree, t.before[i], t.path); err != nil {
			return nil, err
		}
		if i == 0 || parents[i].Doc == nil || c.MergeBases == nil {
			continue
		}
		bases, err := c.MergeBases(l.ctx, i)
		if err != nil {
			return nil, err
		}
		for _, base := range bases {
			d, err := l.versionIn(base, t)
			if err != nil {
				return nil, err
			}
			if d != nil {
				parents[i].Bases = append(parents[i].Bases, d)
			}
		}
	}
	return parents, nil
}

// baseline reads the version of one parent; nil when it has none or none that can be read.
func (l *changelogs) baseline(tree snapshot.Tree, b placed, path string) (*changelog.Doc, error) {
	if b.hidden != nil {
		l.noBaseline(path, fmt.Sprintf("%q of the version before cannot be read: %s", manifest.Path, b.hidden.Reason))
		return nil, nil
	}
	if !b.entry.Mode.IsFile() {
		return nil, nil
	}
	d, err := l.doc(tree, b.entry)
	if err != nil {
		return nil, err
	}
	if !d.Readable() {
		l.noBaseline(path, fmt.Sprintf("the version before is no JSON: %s", d.JSON.Faults[len(d.JSON.Faults)-1].Reason))
		return nil, nil
	}
	return d, nil
}

// noBaseline flags that a version before could not be compared with. Within a range the commit that broke it has been
// reported, and the range as a whole has a version before of its own.
func (l *changelogs) noBaseline(path, reason string) {
	if l.pass.Step != nil {
		return
	}
	f := l.pass.Reportf(slugNoBaseline, path, "nothing could be compared with the version before of the changelog %q: %s", path, reason)
	f.Anchor = reason
}

// versionIn reads the changelog of any tree; nil when it has none that can be read.
func (l *changelogs) versionIn(tree snapshot.Tree, t *changelogTarget) (*changelog.Doc, error) {
	b, err := t.at(tree)
	if err != nil || !b.entry.Mode.IsFile() {
		return nil, err
	}
	d, err := l.doc(tree, b.entry)
	if err != nil || !d.Readable() {
		return nil, err
	}
	return d, nil
}

// aboutCompaction reports whether p is judged commit by commit in a range (chapter 5.3).
func aboutCompaction(p changelog.Problem) bool {
	switch p.Slug {
	case changelog.CompactionMissing, changelog.CompactionWrong, changelog.CompactionExtra, changelog.NotOldest:
		return true
	}
	return false
}

// byCommit replaces what a range as a whole says about compaction by what its commits say: several of them may have
// compacted, each by the book. What a commit did against the book still counts as long as the range shows its effect.
func (l *changelogs) byCommit(t *changelogTarget, baseline *changelog.Baseline, after *changelog.Doc, problems []changelog.Problem) ([]changelog.Problem, error) {
	c := l.pass.Change
	if c.Commits == nil || !slices.ContainsFunc(problems, aboutCompaction) {
		return problems, nil
	}
	steps, err := c.Commits(l.ctx)
	if err != nil {
		return nil, err
	}
	out := slices.DeleteFunc(slices.Clone(problems), aboutCompaction)
	for i := range steps {
		found, judged, err := l.inStep(steps[i].Change, t)
		if err != nil {
			return nil, err
		}
		if !judged {
			return problems, nil // a commit in between cannot be judged, so nothing can be forgiven
		}
		for _, p := range found {
			shows := func(id string) bool { return baseline.Has(id) != after.Has(id) }
			if aboutCompaction(p) && slices.ContainsFunc(p.IDs, shows) {
				out = append(out, p.Moved(after))
			}
		}
	}
	return out, nil
}

// inStep judges what one commit of a range did to the changelog. It is not judged when a version of it cannot be read.
func (l *changelogs) inStep(c *snapshot.Change, whole *changelogTarget) (problems []changelog.Problem, judged bool, err error) {
	t := changelogTarget{path: whole.path, at: whole.at}
	now, err := t.at(c.After)
	if err != nil {
		return nil, false, err
	}
	t.after = now.entry
	for _, tree := range c.Before {
		b, err := t.at(tree)
		if err != nil {
			return nil, false, err
		}
		t.before = append(t.before, b)
	}
	if differs, _ := t.differs(); !differs || !t.after.Exists() && !slices.ContainsFunc(t.before, func(b placed) bool { return b.entry.Exists() }) {
		return nil, true, nil
	}
	after, err := l.versionIn(c.After, &t)
	if err != nil || after == nil || c.Missing != "" {
		return nil, false, err
	}
	inner := *l
	quiet := *l.pass
	quiet.Change, quiet.Step = c, &snapshot.Step{} // nothing is reported from here
	inner.pass = &quiet
	parents, err := inner.parents(c, &t)
	if err != nil {
		return nil, false, err
	}
	for i, b := range t.before {
		if b.entry.Mode.IsFile() && parents[i].Doc == nil {
			return nil, false, nil
		}
	}
	return changelog.Compare(changelog.Join(parents), after), true, nil
}

// maxEarlier bounds how many earlier versions are looked at for one that an entry returns to.
const maxEarlier = 200

// restored lowers edits that take an earlier one back.
func (l *changelogs) restored(t *changelogTarget, parents []changelog.Parent, after *changelog.Doc, problems []changelog.Problem) ([]changelog.Problem, error) {
	edited := func(p changelog.Problem) bool { return p.Slug == changelog.EntryEdited }
	if !slices.ContainsFunc(problems, edited) {
		return problems, nil
	}
	for i := range parents {
		problems = changelog.Restored(problems, after, parents[i].Bases)
	}
	c := l.pass.Change
	if c.Earlier == nil || len(c.Before) == 0 {
		return problems, nil
	}
	paths := []string{t.path}
	if old := t.before[0].entry.Path; old != "" && old != t.path {
		paths = append(paths, old)
	}
	for _, path := range paths {
		versions, err := c.Earlier(l.ctx, path, maxEarlier)
		if err != nil {
			return nil, err
		}
		for _, e := range versions {
			if !e.Mode.IsFile() || !slices.ContainsFunc(problems, edited) {
				continue
			}
			d, err := l.doc(c.Before[0], e)
			if err != nil {
				return nil, err
			}
			problems = changelog.Restored(problems, after, []*changelog.Doc{d})
		}
	}
	return problems, nil
}

// unpublished lowers problems about entries that only the last commit holds and that nobody else has seen, so that it can
// still be amended (chapter 3.2). What the parents of that commit hold is judged as ever.
func (l *changelogs) unpublished(t *changelogTarget, baseline *changelog.Baseline, after *changelog.Doc, problems []changelog.Problem) ([]changelog.Problem, error) {
	c := l.pass.Change
	if l.pass.Stage != check.PreCommit || c.Unpublished == nil || len(c.Before) != 1 || len(problems) == 0 {
		return problems, nil
	}
	unpublished, trees, err := c.Unpublished(l.ctx)
	if err != nil || !unpublished {
		return problems, err
	}
	var out []changelog.Problem
	for _, tree := range trees {
		d, err := l.versionIn(tree, t)
		if err != nil {
			return nil, err
		}
		if d == nil {
			continue
		}
		out = append(out, changelog.Compare(changelog.Join([]changelog.Parent{{Doc: d}}), after)...)
	}
	for _, p := range problems {
		if !slices.ContainsFunc(out, func(o changelog.Problem) bool { return o.Slug == p.Slug && o.Anchor == p.Anchor }) {
			p.Flag = true
			out = append(out, p)
		}
	}
	return out, nil
}

// onlyInHead reports whether a version that is gone was only in the last commit, which nobody else has seen.
func (l *changelogs) onlyInHead(b placed) (bool, error) {
	c := l.pass.Change
	if l.pass.Stage != check.PreCommit || c.Unpublished == nil || len(c.Before) != 1 {
		return false, nil
	}
	unpublished, trees, err := c.Unpublished(l.ctx)
	if err != nil || !unpublished {
		return false, err
	}
	for _, tree := range trees {
		e, err := tree.Lookup(l.ctx, b.entry.Path)
		if err != nil || e.Exists() {
			return false, err
		}
	}
	return true, nil
}
