package claims

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/claim"
	"github.com/seed-4419f9ca/forge/pkg/config"
	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// before reads the stores of the snapshots before, when the change can have changed the store.
func (l *linter) before() error {
	root := l.store.Root
	under := func(f snapshot.File) bool {
		return strings.HasPrefix(f.Path, root+"/") || strings.HasPrefix(root+"/", f.Path+"/")
	}
	moved, err := l.formerRoots()
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(l.pass.Change.Files, under) && !slices.ContainsFunc(moved, func(s string) bool { return s != "" }) {
		return nil
	}
	for i, tree := range l.pass.Change.Before {
		at := root
		if moved[i] != "" {
			at = moved[i]
		}
		s, err := storeAt(l.ctx, l.pass, tree, at)
		if err != nil {
			return err
		}
		l.old = append(l.old, s)
	}
	return nil
}

// formerRoots returns, by parent, the root that the store had when the change moves it by its configuration; "" where it does
// not. Otherwise a new root would let every claim go.
func (l *linter) formerRoots() ([]string, error) {
	out := make([]string, len(l.pass.Change.Before))
	f, ok := l.pass.Change.File(config.Path)
	if !ok {
		return out, nil
	}
	after, known, err := l.rootIn(l.pass.Change.After, f.After)
	if err != nil || !known || after != l.store.Root {
		return out, err // another configuration than that of the snapshot is in force
	}
	for i, tree := range l.pass.Change.Before {
		before, known, err := l.rootIn(tree, f.Before[i])
		if err != nil {
			return nil, err
		}
		if known && before != after {
			out[i] = before
		}
	}
	return out, nil
}

// rootIn returns the root of the store by the configuration of a snapshot; known is false when that cannot be read as one.
func (l *linter) rootIn(tree snapshot.Tree, e snapshot.Entry) (root string, known bool, err error) {
	if !e.Mode.IsFile() {
		return config.Default().ClaimStore(), true, nil
	}
	src, err := tree.Read(l.ctx, e, l.pass.Config.Limits.File)
	if err != nil {
		return "", false, fmt.Errorf("could not read the configuration: %w", err)
	}
	if cfg, fault := config.Parse(config.Path, src, nil); fault == nil {
		return cfg.ClaimStore(), true, nil
	}
	return "", false, nil // nothing was judged by a configuration that does not hold
}

// history judges what needs the snapshots before: ids that are gone or come back, and status that moves.
func (l *linter) history() error {
	if missing := l.pass.Change.Missing; missing != "" {
		if l.pass.Stage.Hosted() {
			return fmt.Errorf("could not compare the claims with those before: %s", missing)
		}
		l.pass.Skip(missing)
		return nil
	}
	if err := l.deleted(); err != nil {
		return err
	}
	for _, c := range l.store.Claims {
		if l.store.Claim(c.ID) == c {
			l.reused(c)
			l.promoted(c)
		}
	}
	return nil
}

// deleted reports the claims of the snapshots before that are nowhere any more.
func (l *linter) deleted() error {
	seen := map[string]bool{}
	for i, s := range l.old {
		for _, c := range s.Claims {
			if seen[c.ID] || l.store.Claim(c.ID) != nil || l.store.Meant(c.ID) {
				continue
			}
			seen[c.ID] = true
			if err := l.gone(i, c); err != nil {
				return err
			}
		}
	}
	return nil
}

// gone judges a claim of parent i that the store has no more.
func (l *linter) gone(i int, c *claim.Claim) error {
	elsewhere, err := l.goneElsewhere(c.ID)
	if err != nil || elsewhere || l.pass.Ignored(c.File.Path) {
		return err
	}
	answered, err := l.superseded(c.ID)
	if err != nil || answered {
		return err
	}
	f := l.pass.Reportf("deleted", c.File.Path, "claim %q (%s) is gone from the store", c.ID, c.Title)
	f.Span, f.Side, f.Anchor = c.File.Span(c.Heading), finding.Before, c.ID
	fresh, err := l.unpublished(c.ID)
	if fresh {
		f.Level = finding.Flag
	}
	return err
}

// superseded reports whether the change accounts for a claim that is gone: the impact file lists it as superseded (7.7).
//
// TODO(impact): ask the impact file of the change.
func (l *linter) superseded(string) (bool, error) { return false, nil }

// goneElsewhere reports whether a merge takes over that another branch took the claim out: a parent lacks it and a merge base
// had it. What that branch did was judged there (chapter 3.2).
func (l *linter) goneElsewhere(id string) (bool, error) {
	if len(l.old) < 2 || !slices.ContainsFunc(l.old, func(s *claim.Store) bool { return s.Claim(id) == nil }) {
		return false, nil
	}
	for i := 1; i < len(l.old); i++ {
		bases, err := l.pass.Change.MergeBases(l.ctx, i)
		if err != nil {
			return false, err
		}
		if (l.old[0].Claim(id) == nil) == (l.old[i].Claim(id) == nil) {
			continue
		}
		had, err := l.holds(bases, id)
		if err != nil || had {
			return had, err
		}
	}
	return false, nil
}

// unpublished reports whether only the last commit has the claim and nobody else has seen it, so that it can still be taken
// out by amending that commit (chapter 3.2).
func (l *linter) unpublished(id string) (bool, error) {
	c := l.pass.Change
	if l.pass.Stage != check.PreCommit || c.Unpublished == nil || len(c.Before) != 1 {
		return false, nil
	}
	alone, parents, err := c.Unpublished(l.ctx)
	if err != nil || !alone {
		return false, err
	}
	had, err := l.holds(parents, id)
	return err == nil && !had, err
}

// holds reports whether the store of one of the trees has the claim.
func (l *linter) holds(trees []snapshot.Tree, id string) (bool, error) {
	for _, tree := range trees {
		s, err := storeOf(l.ctx, l.pass, tree)
		if err != nil {
			return false, err
		}
		if s.Claim(id) != nil {
			return true, nil
		}
	}
	return false, nil
}

// reused reports a claim that has the id of a retired one and is another: its title or its kind differ.
func (l *linter) reused(c *claim.Claim) {
	var retired *claim.Claim
	for _, s := range l.old {
		before := s.Claim(c.ID)
		switch {
		case before == nil:
		case before.Status != claim.Retired || same(before, c):
			return // it was live there, or is what it was
		default:
			retired = before
		}
	}
	if retired == nil || c.Status == claim.Retired {
		return
	}
	f := l.report("reused-id", c.File, c.Heading, c.ID, "the id %q was that of a retired claim, %q, and comes back for another", c.ID, retired.Title)
	if f != nil {
		f.Related = append(f.Related, finding.Related{
			Path: retired.File.Path, Span: retired.File.Span(retired.Heading), Side: finding.Before, Message: "the retired claim",
		})
	}
}

// same reports whether two versions of a claim have one title and one kind. A kind that is not read does not count.
func same(a, b *claim.Claim) bool {
	words := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	return words(a.Title) == words(b.Title) && (a.Kind == b.Kind || a.Kind == "" || b.Kind == "")
}

// promoted reports a claim whose status moves between asserted and enforced, against every parent that has it, without the
// decision for it.
func (l *linter) promoted(c *claim.Claim) {
	if c.Status != claim.Asserted && c.Status != claim.Enforced {
		return
	}
	from := ""
	for _, s := range l.old {
		if before := s.Claim(c.ID); before != nil {
			if before.Status == c.Status {
				return
			}
			if before.Status == claim.Asserted || before.Status == claim.Enforced {
				from = before.Status
			}
		}
	}
	if _, given := c.Field("since"); from == "" || given || l.owesDecision(c) {
		return
	}
	at, _ := c.Field("status")
	l.report("status-change-without-adr", c.File, at, c.ID+" status", "claim %q moves from %s to %s and names no decision in \"since\"", c.ID, from, c.Status)
}

// owesDecision reports whether c lacks its decision for another reason already.
func (l *linter) owesDecision(c *claim.Claim) bool {
	return slices.ContainsFunc(c.File.Faults, func(f claim.Fault) bool { return f.Claim == c && f.Slug == "no-adr" })
}
