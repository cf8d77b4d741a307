package drift

import (
	"context"
	"fmt"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/anchor"
	"github.com/seed-4419f9ca/forge/pkg/fingerprint"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// A place is where something may be now.
type place struct {
	path   string
	symbol string
	lines  fingerprint.Span
	answer answer
}

func (p *place) String() string {
	return anchor.Anchor{Path: p.path, Symbol: p.symbol}.String()
}

// A sighting is what an anchor named when its path was last there.
type sighting struct {
	subject
	answer *answer // nil when the path was there and the symbol was not
}

// follow looks for what a missing anchor named: by git's renames, then the same definition elsewhere, then one whose name
// alone is new (chapter 7.6).
func (j *Judge) follow(ctx context.Context, r *Result) error {
	if r.Anchor.Kind == anchor.Glob {
		return nil
	}
	seen, err := j.lastSeen(ctx, r)
	if err != nil {
		return err
	}
	if r.Anchor.Kind == anchor.Directory {
		return j.followFolder(ctx, r, seen)
	}
	if seen.exists() && !r.post.exists() {
		done, err := j.followRename(ctx, r, seen)
		if err != nil || done {
			return err
		}
	}
	if seen.answer == nil && !r.stamped() {
		return nil // nobody knows what to look for
	}
	return j.search(ctx, r, seen)
}

// lastSeen returns what the anchor named at its baseline, or else before the change. The second shows what to look for; it is
// no baseline.
func (j *Judge) lastSeen(ctx context.Context, r *Result) (*sighting, error) {
	seen := &sighting{}
	if r.pre.exists() && !r.isAfter {
		seen.subject = r.pre
	}
	for _, tree := range j.Change.Before {
		if seen.exists() {
			break
		}
		var err error
		if seen.subject, err = subjectOf(ctx, tree, r.Anchor); err != nil {
			return nil, err
		}
	}
	if !seen.exists() {
		return &sighting{}, nil
	}
	if err := j.fingerprint(ctx, []*Result{{Anchor: r.Anchor, pre: seen.subject, undecide: true}}); err != nil {
		return nil, err
	}
	if got := j.of(seen.subject, r.Anchor); got.err == nil {
		seen.answer = &got
	}
	return seen, nil
}

// renames asks git what became of the files of base.
func (j *Judge) renames(ctx context.Context, base snapshot.Tree) (map[string]string, error) {
	if j.Change.Renamed == nil {
		return nil, nil
	}
	if m, ok := j.renamed[base.ID()]; ok {
		return m, nil
	}
	m, err := j.Change.Renamed(ctx, base)
	if err != nil {
		return nil, fmt.Errorf("could not look for renamed files: %w", err)
	}
	if j.renamed == nil {
		j.renamed = map[string]map[string]string{}
	}
	j.renamed[base.ID()] = m
	return m, nil
}

// followRename follows git's rename of the anchored file. It is done when the symbol, if any, is in the file's new place.
func (j *Judge) followRename(ctx context.Context, r *Result, seen *sighting) (done bool, err error) {
	names, err := j.renames(ctx, seen.tree)
	if err != nil || names[r.Anchor.Path] == "" {
		return false, err
	}
	e, err := j.Change.After.Lookup(ctx, names[r.Anchor.Path])
	if err != nil || !e.Exists() {
		return false, err
	}
	f, err := j.file(ctx, j.Change.After, e)
	if err != nil {
		return false, err
	}
	now := answerOf(f, r.Anchor.Name())
	if !now.found() {
		return false, nil
	}
	j.movedTo(r, seen, &place{path: e.Path, symbol: r.Anchor.Symbol, lines: now.lines, answer: now}, false)
	r.post = subject{tree: j.Change.After, entries: []snapshot.Entry{e}}
	return true, nil
}

// movedTo settles r as one whose code is at p now, perhaps under another name.
func (j *Judge) movedTo(r *Result, seen *sighting, p *place, renamed bool) {
	to := *r.Anchor
	to.Path, to.Symbol, to.Baseline, to.Digest = p.path, p.symbol, "", ""
	r.Moved, r.Path, r.Lines, r.Detail = &to, p.path, p.lines, ""
	r.After, r.Coarse = p.answer.digest.Whole, p.answer.note
	then := j.baseline(r, seen)
	if renamed && then != nil && then.digest.Body == p.answer.digest.Body {
		// The body is what it was; that the name is another one is the move itself.
		same := *then
		same.digest = p.answer.digest
		j.against(r, &same, p.answer)
		r.Before = then.digest.Whole
		return
	}
	j.against(r, then, p.answer)
}

// baseline returns the fingerprint that r is to be compared with, nil when there is only the digest or nothing. What the
// anchor named before the change stands in for it when the claim is as new as the change, or when it has the digest.
func (j *Judge) baseline(r *Result, seen *sighting) *answer {
	if then := j.past(r); then != nil {
		return then
	}
	if seen.answer != nil && (r.isAfter || r.stamped() && seen.answer.is(r.Anchor.Digest)) {
		r.pre = seen.subject
		return seen.answer
	}
	return nil
}

// followFolder follows a folder all of whose files have moved to one other folder.
func (j *Judge) followFolder(ctx context.Context, r *Result, seen *sighting) error {
	if !seen.exists() {
		return nil
	}
	names, err := j.renames(ctx, seen.tree)
	if err != nil {
		return err
	}
	folder := ""
	for _, e := range seen.entries {
		to, ok := strings.CutSuffix(names[e.Path], "/"+relative(r.Anchor, e.Path))
		if !ok || folder != "" && to != folder {
			return nil
		}
		folder = to
	}
	to := *r.Anchor
	to.Path, to.Baseline, to.Digest = folder, "", ""
	if r.post, err = subjectOf(ctx, j.Change.After, &to); err != nil {
		return err
	}
	if err := j.fingerprint(ctx, []*Result{{Anchor: &to, post: r.post, undecide: true}}); err != nil {
		return err
	}
	now := j.of(r.post, &to)
	r.Moved, r.Path, r.Detail, r.After, r.Coarse = &to, folder, "", now.digest.Whole, now.note
	j.against(r, j.baseline(r, seen), now)
	return nil
}
