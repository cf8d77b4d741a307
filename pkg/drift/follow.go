package drift

import (
	"context"
	"errors"
	"fmt"
	"path"
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

// follow looks for what a missing anchor named: by git's renames, then the same definition elsewhere, then one whose name
// alone is new (chapter 7.6).
func (j *Judge) follow(ctx context.Context, r *Result) error {
	base, pre, err := j.lastSeen(ctx, r)
	if err != nil || r.Anchor.Kind == anchor.Glob {
		return err
	}
	if base != nil {
		r.pre = pre
	}
	if r.Anchor.Kind == anchor.Directory {
		return j.followFolder(ctx, r, base)
	}
	var then *answer
	if base != nil {
		f, err := j.file(ctx, base, pre.entries[0])
		if err != nil {
			return err
		}
		if got := answerOf(f, r.Anchor.Name()); got.err == nil {
			then = &got
		}
		if !r.post.exists() {
			done, err := j.followRename(ctx, r, base, then)
			if err != nil || done {
				return err
			}
		}
	}
	if then == nil && !r.stamped() {
		return nil // nobody knows what to look for
	}
	return j.search(ctx, r, base, then)
}

// lastSeen returns a tree in which the anchor's path is: the baseline, or what is before the change for a claim that is
// as new as the change itself. The tree is nil when there is none.
func (j *Judge) lastSeen(ctx context.Context, r *Result) (snapshot.Tree, subject, error) {
	if r.pre.exists() && !r.isAfter {
		return r.base, r.pre, nil
	}
	for _, tree := range j.Change.Before {
		s, err := subjectOf(ctx, tree, r.Anchor)
		if err != nil {
			return nil, s, err
		}
		if s.exists() {
			return tree, s, nil
		}
	}
	return nil, subject{}, nil
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
func (j *Judge) followRename(ctx context.Context, r *Result, base snapshot.Tree, then *answer) (done bool, err error) {
	names, err := j.renames(ctx, base)
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
	if now.err != nil {
		return false, nil
	}
	r.post = subject{tree: j.Change.After, entries: []snapshot.Entry{e}}
	j.movedTo(r, &place{path: e.Path, symbol: r.Anchor.Symbol, lines: now.lines, answer: now}, then)
	return true, nil
}

// movedTo settles r as one whose code is at p now.
func (j *Judge) movedTo(r *Result, p *place, then *answer) {
	to := *r.Anchor
	to.Path, to.Symbol, to.Baseline, to.Digest = p.path, p.symbol, "", ""
	r.Moved, r.Path, r.Lines, r.Detail = &to, p.path, p.lines, ""
	r.After, r.Coarse = p.answer.digest.Whole, p.answer.note
	if then == nil && !r.stamped() {
		r.unverifiable(r.whyNot())
		return
	}
	j.against(r, then, p.answer)
}

// followFolder follows a folder all of whose files have moved to one other folder.
func (j *Judge) followFolder(ctx context.Context, r *Result, base snapshot.Tree) error {
	if base == nil {
		return nil
	}
	names, err := j.renames(ctx, base)
	if err != nil {
		return err
	}
	folder := ""
	for _, e := range r.pre.entries {
		to, ok := strings.CutSuffix(names[e.Path], "/"+relative(r.Anchor, e.Path))
		if !ok || folder != "" && to != folder {
			return nil
		}
		folder = to
	}
	if folder == "" {
		return nil
	}
	to := *r.Anchor
	to.Path, to.Baseline, to.Digest = folder, "", ""
	if r.post, err = subjectOf(ctx, j.Change.After, &to); err != nil {
		return err
	}
	ask := &Result{Anchor: &to, pre: r.pre, post: r.post, undecide: true}
	if err := j.fingerprint(ctx, []*Result{ask}); err != nil {
		return err
	}
	then, now := j.of(r.pre, r.Anchor), j.of(r.post, &to)
	r.Moved, r.Path, r.Detail, r.After, r.Coarse = &to, folder, "", now.digest.Whole, now.note
	j.against(r, &then, now)
	return nil
}

// search looks through the files that are new or differ since base, or through all of the language when there is no base, for
// definitions that were not there before.
func (j *Judge) search(ctx context.Context, r *Result, base snapshot.Tree, then *answer) error {
	files, err := j.changed(ctx, base, r.Anchor.Path)
	if err != nil {
		return err
	}
	var same, renamed []*place
	for _, e := range files {
		f, err := j.file(ctx, j.Change.After, e)
		if err != nil {
			return err
		}
		if r.Anchor.Symbol == "" {
			if p := (&place{path: e.Path, answer: answerOf(f, "")}); e.Path != r.Anchor.Path && matches(r, then, p.answer.digest) {
				same = append(same, p)
			}
			continue
		}
		known, err := j.definedBefore(ctx, base, e.Path)
		if err != nil {
			return err
		}
		for i := range f.Definitions {
			d := &f.Definitions[i]
			if known[d.Name] {
				continue
			}
			p := &place{e.Path, d.Name, d.Spans[0], answer{digest: d.Digest, file: f.Digest, note: d.Note, lines: d.Spans[0]}}
			switch {
			case matches(r, then, d.Digest):
				same = add(same, p)
			case then != nil && !then.unseen && then.digest.Kind == fingerprint.AST && d.Digest.Kind == fingerprint.AST && then.digest.Body != "" && then.digest.Body == d.Digest.Body:
				renamed = add(renamed, p)
			}
		}
	}
	found := same
	if len(found) == 0 {
		found = renamed
	}
	if len(found) != 1 {
		for _, p := range found {
			r.Homes = append(r.Homes, p.String())
		}
		return nil
	}
	if len(same) == 0 {
		// The body is what it was; that the name is another one is the move itself.
		one := *then
		one.digest = found[0].answer.digest
		then = &one
	}
	before := r.Before
	if before == "" && then != nil {
		before = then.digest.Whole
	}
	j.movedTo(r, found[0], then)
	r.Before = before
	return nil
}

// matches reports whether d is the fingerprint that r had.
func matches(r *Result, then *answer, d fingerprint.Digest) bool {
	if then == nil {
		return r.Anchor.Digest == d.Whole
	}
	return then.digest.Kind == d.Kind && then.digest.Whole == d.Whole
}

// add appends p unless the same piece of code is in list under another name.
func add(list []*place, p *place) []*place {
	for _, o := range list {
		if o.path == p.path && o.lines == p.lines && o.answer.digest == p.answer.digest {
			return list
		}
	}
	return append(list, p)
}

// changed lists the files of the language of name that base does not have as they are now; all of that language without a base.
func (j *Judge) changed(ctx context.Context, base snapshot.Tree, name string) ([]snapshot.Entry, error) {
	after, err := j.Change.After.Under(ctx, "")
	if err != nil {
		return nil, fmt.Errorf("could not list the files of %s: %w", j.Change.After.ID(), err)
	}
	had := map[string]snapshot.OID{}
	if base != nil {
		before, err := base.Under(ctx, "")
		if err != nil {
			return nil, fmt.Errorf("could not list the files of %s: %w", base.ID(), err)
		}
		for _, e := range before {
			had[e.Path] = e.OID
		}
	}
	var out []snapshot.Entry
	for _, e := range after {
		if e.Mode.IsFile() && path.Ext(e.Path) == path.Ext(name) && (base == nil || had[e.Path] != e.OID) {
			out = append(out, e)
		}
	}
	return out, nil
}

// definedBefore returns the names that the file had in base.
func (j *Judge) definedBefore(ctx context.Context, base snapshot.Tree, name string) (map[string]bool, error) {
	out := map[string]bool{}
	if base == nil {
		return out, nil
	}
	e, err := base.Lookup(ctx, name)
	if err != nil || !e.Exists() {
		return out, err
	}
	f, err := j.file(ctx, base, e)
	if errors.Is(err, snapshot.ErrNoContent) {
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	for i := range f.Definitions {
		out[f.Definitions[i].Name] = true
	}
	return out, nil
}
