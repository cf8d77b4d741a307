package record

import (
	"context"
	"fmt"
	"slices"

	"github.com/seed-4419f9ca/forge/pkg/changelog"
	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/manifest"
	"github.com/seed-4419f9ca/forge/pkg/published"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

// Changelog checks the changelog of a context layer, and every other record of the shape entries (chapter 5.3).
var Changelog = &check.Check{
	ID:      "changelog",
	Program: check.GuardProgram,
	Title:   "Published entries of a changelog stay as they are.",
	Why: "Whoever works from a context layer relies on its changelog to learn what changed since they last looked. An entry that is reworded " +
		"afterwards, or that disappears, tells each reader another history. So entries are compared one by one, by their ids and as JSON, with " +
		"every version before; where they stand and how they are laid out does not count. A changelog is kept short by compaction, which says " +
		"in an entry of its own what it took out.",
	Since:   "0.1.0",
	Levels:  check.Levels{PreCommit: finding.Fail, PrePush: finding.Fail, CI: finding.Fail},
	History: true,
	Codes:   changelogCodes,
	Run:     runChangelog,
}

// Slugs that this check has beside those of package changelog.
const slugNoBaseline = "no-baseline"

var changelogCodes = []check.Code{
	{Slug: changelog.BadJSON, Level: finding.Fail, Title: "A changelog, or the manifest that says where it lies, is no strict JSON.",
		Help: "Put the JSON right at this place. Comments, trailing commas, a byte order mark and half characters are not part of it."},
	{Slug: changelog.BadForm, Level: finding.Fail, Title: "A changelog does not have the form that it must have.",
		Help: "Correct the field; `forge-guard schema changelog` prints the form, and editors can check it as you type."},
	{Slug: changelog.OtherVersion, Level: finding.Fail, Title: "A changelog is of a version of the format that is not supported.",
		Help: "Write the file in the format 1.0, or use a version of Forge that knows this one."},
	{Slug: changelog.DuplicateKey, Level: finding.Fail, Title: "A key stands twice in one object.",
		Help: "Remove one of the two."},
	{Slug: changelog.DuplicateID, Level: finding.Fail, Title: "Two entries of a changelog have the same id.",
		Help: "Give the newer entry an id of its own; the published one keeps its id."},
	{Slug: changelog.BadDate, Level: finding.Fail, Title: "The date of an entry is no date, or none that sorts by its text.",
		Help: "Write a day that exists as YYYY-MM-DD, or a time in UTC as YYYY-MM-DDThh:mm:ssZ."},
	{Slug: changelog.EntryEdited, Level: finding.Fail, Title: "A published entry of a changelog reads differently.",
		Help: "Put the entry back as it was, and write the correction as a new one: `forge-guard changelog add --type fixed --summary \"…\" --path PATH`."},
	{Slug: changelog.EntryRestored, Level: finding.Flag, Title: "An entry returns to a text that was published earlier.",
		Help: "Nothing is left to do if the change between the two was the mistake."},
	{Slug: changelog.CompactionMissing, Level: finding.Fail, Title: "The oldest entries of a changelog are gone, and no new entry says so.",
		Help: "Put them back, and take them out with `forge-guard changelog compact --keep N`, which writes the entry that accounts for them."},
	{Slug: changelog.CompactionWrong, Level: finding.Fail, Title: "A compaction entry does not tell truly what it took out.",
		Help: "Write the true numbers and ids, or let `forge-guard changelog compact --keep N` write the entry."},
	{Slug: changelog.CompactionExtra, Level: finding.Fail, Title: "A new compaction entry accounts for nothing.",
		Help: "Remove it: a change that takes entries out has exactly one, any other change has none."},
	{Slug: changelog.NotOldest, Level: finding.Fail, Title: "Entries of a changelog are gone that are not its oldest.",
		Help: "Put them back. Only the oldest can be taken out, with `forge-guard changelog compact --keep N`."},
	{Slug: changelog.Emptied, Level: finding.Fail, Title: "A changelog has lost all its entries.",
		Help: "Put them back. `forge-guard changelog compact --keep 0` leaves one entry that accounts for all of them."},
	{Slug: slugDeleted, Level: finding.Fail, Title: "A changelog was deleted.",
		Help: "Put the file back at the path that the manifest names; `git checkout HEAD -- PATH` does that for one that was just removed."},
	{Slug: slugNoBaseline, Level: finding.Flag, Title: "There is no readable version to compare a changelog with.",
		Help: "Nobody could see whether published entries changed. Fetch the history that is missing, or compare with the last readable version by hand."},
}

func runChangelog(ctx context.Context, p *check.Pass) error {
	l, err := newChangelogs(ctx, p)
	if err != nil {
		return err
	}
	if err := l.manifestFault(); err != nil {
		return err
	}
	targets, err := l.find()
	if err != nil {
		return err
	}
	if len(targets) == 0 {
		if len(p.Findings()) == 0 && p.Skipped() == "" {
			p.Skip(check.NotUsed)
		}
		return nil
	}
	if p.Change.Missing != "" {
		if p.Stage.Hosted() {
			return fmt.Errorf("could not compare the changelog with what was published: %s", p.Change.Missing)
		}
		p.Skip(p.Change.Missing)
	}
	l.prefetch(targets)
	for i := range targets {
		if err := l.judge(&targets[i]); err != nil {
			if err := p.SkipTooLarge(err); err != nil {
				return err
			}
		}
	}
	return nil
}

// judge judges one changelog and reports what is wrong with it.
func (l *changelogs) judge(t *changelogTarget) error {
	if l.pass.Change.Missing != "" && l.pass.Step == nil && t.after.Mode.IsFile() {
		f := l.pass.Reportf(slugNoBaseline, t.path, "the version before of the changelog %q is not here: %s", t.path, l.pass.Change.Missing)
		f.Anchor = "missing"
	}
	if !t.after.Mode.IsFile() {
		return l.gone(t)
	}
	differs, fresh := t.differs()
	if l.pass.Step != nil {
		fresh = false // what a commit in the middle looked like counts only for what it did to published entries
	} else if l.pass.All {
		fresh = true
	}
	if !differs && !fresh {
		return nil
	}
	doc, err := l.doc(l.pass.Change.After, t.after)
	if err != nil {
		return err
	}
	var problems []changelog.Problem
	if fresh || !doc.Readable() {
		problems = doc.Faults()
	}
	if differs && doc.Readable() {
		lost, err := l.compare(t, doc)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(lost, func(p changelog.Problem) bool { return p.Slug == changelog.Emptied }) {
			problems = slices.DeleteFunc(problems, func(p changelog.Problem) bool { return p.Anchor == "no entries" })
		}
		problems = append(problems, lost...)
	}
	l.report(t, doc, problems)
	return nil
}

// report turns problems into findings.
func (l *changelogs) report(t *changelogTarget, doc *changelog.Doc, problems []changelog.Problem) {
	lines := text.NewLines(doc.JSON.Source)
	for _, p := range problems {
		f := l.pass.Reportf(p.Slug, t.path, "%s", p.Message)
		f.Anchor = p.Anchor
		if p.Flag {
			f.Level = finding.Flag
		}
		if p.End > 0 {
			f.Span = lines.Span(p.Start, p.End)
		}
		if p.Slug == changelog.DuplicateKey || p.Slug == changelog.DuplicateID {
			at := lines.Pos(p.First)
			f.Related = []finding.Related{{Path: t.path, Span: text.Span{Start: at, End: at}, Side: finding.After, Message: "it stands here first"}}
		}
	}
}

// gone judges a changelog of which the version after has no file.
func (l *changelogs) gone(t *changelogTarget) error {
	for i, b := range t.before {
		if !b.entry.Mode.IsFile() {
			continue
		}
		lost, err := l.loses(t, i)
		if err != nil {
			return err
		}
		if !lost {
			continue
		}
		path, side := b.entry.Path, finding.Before
		what := "is deleted"
		switch {
		case t.after.Exists():
			path, side = t.path, finding.After
			what = "is " + modeName(t.after.Mode) + " now and no file"
		case t.to != "":
			what = fmt.Sprintf("is renamed to %q, which is no changelog", t.to)
		case t.path != b.entry.Path:
			what = fmt.Sprintf("is gone: %q names %q, where there is none", manifest.Path, t.path)
		}
		f := l.pass.Reportf(slugDeleted, path, "the changelog %q %s", b.entry.Path, what)
		f.Side, f.Anchor = side, "deleted"
		f.Help = fmt.Sprintf("Put it back with `%s`, and leave it where the manifest says it lies.", published.Restore(l.pass.Change, b.entry.Path))
		unpublished, err := l.onlyInHead(b)
		if err != nil {
			return err
		}
		if unpublished {
			f.Level = finding.Flag
		}
		return nil
	}
	if t.after.Exists() && l.pass.Step == nil {
		f := l.pass.Reportf(changelog.BadJSON, t.path, "the changelog %q is %s and no file", t.path, modeName(t.after.Mode))
		f.Anchor = "no file"
	}
	return nil
}

// loses reports whether something of parent i is lost when the file is gone. A later parent that still has what a merge
// base had has added nothing: that it is gone was judged where it was removed.
func (l *changelogs) loses(t *changelogTarget, i int) (bool, error) {
	if i == 0 || t.before[0].entry.Mode.IsFile() || l.pass.Change.MergeBases == nil {
		return true, nil
	}
	bases, err := l.pass.Change.MergeBases(l.ctx, i)
	if err != nil {
		return false, err
	}
	for _, tree := range bases {
		b, err := t.at(tree)
		if err != nil {
			return false, err
		}
		if b.entry.OID == t.before[i].entry.OID {
			return false, nil
		}
	}
	return true, nil
}

// prefetch says which versions are going to be read.
func (l *changelogs) prefetch(targets []changelogTarget) {
	c := l.pass.Change
	var after []snapshot.Entry
	before := make([][]snapshot.Entry, len(c.Before))
	for i := range targets {
		t := &targets[i]
		differs, fresh := t.differs()
		if !differs && !fresh && !l.pass.All {
			continue
		}
		if t.after.Mode.IsFile() {
			after = append(after, t.after)
		}
		for k, b := range t.before {
			if b.entry.Mode.IsFile() {
				before[k] = append(before[k], b.entry)
			}
		}
	}
	c.After.Prefetch(l.ctx, after, l.limit())
	for k, tree := range c.Before {
		tree.Prefetch(l.ctx, before[k], l.limit())
	}
}
