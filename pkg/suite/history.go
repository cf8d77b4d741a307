package suite

import (
	"context"
	"fmt"
	"slices"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// history judges the commits of a range one by one. What a commit did and the range as a whole still shows is said
// already; what a later commit took back is a flag that names the commit (chapter 2.2).
func (r *run) history(ctx context.Context, res *result) error {
	if r.Change.Commits == nil {
		return nil
	}
	steps, err := r.Change.Commits(ctx)
	if err != nil {
		return err
	}
	shown := map[string]bool{}
	for i := range res.findings {
		shown[res.findings[i].Fingerprint()] = true
	}
	for i := range steps {
		s := &steps[i]
		files := make([]snapshot.File, 0, len(s.Change.Files))
		for _, f := range s.Change.Files {
			if !r.Ignored(f.Path) {
				files = append(files, f)
			}
		}
		p := &check.Pass{
			Check: res.check, Change: s.Change, Config: r.Config, Facts: &r.facts, Stage: r.Stage,
			Files: files, Ignored: r.Ignored, Step: s, Today: r.Today,
		}
		if err := call(ctx, res.check, p); err != nil {
			return fmt.Errorf("%s, commit %s: %w", res.id, s.OID, err)
		}
		if reason := p.Skipped(); reason != "" && reason != check.NotUsed {
			res.skip, res.ran = reason, false
		}
		published := r.mergesPublished(s, steps)
		for _, f := range p.Findings() {
			if shown[f.Fingerprint()] {
				continue
			}
			if restored, err := r.restores(ctx, s, f.Path); err != nil {
				return err
			} else if restored {
				continue
			}
			f.Commit = s.OID
			if !published {
				f.Level = finding.Flag
			}
			f.Message += fmt.Sprintf(" (commit %s made it; the range as a whole does not show it)", short(s.OID))
			res.findings = append(res.findings, *f)
		}
	}
	if res.skip == check.NotUsed && len(res.findings) > 0 {
		res.skip = ""
	}
	return nil
}

// mergesPublished reports whether a commit merges something that is neither before the range nor in it. What such a merge
// loses was published elsewhere, and no later commit of the range takes that back.
func (r *run) mergesPublished(s *snapshot.Step, steps []snapshot.Step) bool {
	if len(s.Change.Before) < 2 {
		return false
	}
	return slices.ContainsFunc(s.Change.Before, func(parent snapshot.Tree) bool {
		id := parent.ID()
		return !slices.ContainsFunc(r.Change.Before, func(t snapshot.Tree) bool { return t.ID() == id }) &&
			!slices.ContainsFunc(steps, func(o snapshot.Step) bool { return o.OID == id })
	})
}

// restores reports whether a commit gives path back what it had before the range: that repairs what an earlier commit did.
// A merge repairs nothing: it chooses.
func (r *run) restores(ctx context.Context, s *snapshot.Step, path string) (bool, error) {
	f, ok := s.Change.File(path)
	if !ok || !f.After.Exists() || len(s.Change.Before) > 1 {
		return false, nil
	}
	for _, tree := range r.Change.Before {
		e, err := tree.Lookup(ctx, path)
		if err != nil {
			return false, fmt.Errorf("could not look for %q before the range: %w", path, err)
		}
		if e.Same(f.After) {
			return true, nil
		}
	}
	return false, nil
}

func short(oid string) string { return oid[:min(len(oid), 12)] }
