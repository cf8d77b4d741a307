package claim

import (
	"fmt"
	"slices"
	"strings"
)

// across notes what shows only over several claims (chapter 7.2).
func (s *Store) across() {
	for _, c := range s.Claims {
		if first := s.byID[c.ID]; first != c {
			f := s.fault("duplicate-id", c, c.Heading, c.ID, "the id %q stands a second time; it is that of %q in %q", c.ID, first.Title, first.File.Path)
			f.Related = first
		}
		s.decision(c)
		s.governed(c)
		s.superseded(c)
	}
	s.cycles()
}

func (s *Store) fault(slug string, c *Claim, at Place, key, format string, args ...any) *Fault {
	s.Faults = append(s.Faults, Fault{
		Slug: slug, Path: c.File.Path, Place: at, Message: fmt.Sprintf(format, args...), Anchor: key, Claim: c,
	})
	return &s.Faults[len(s.Faults)-1]
}

// decision looks for the decision behind c.
func (s *Store) decision(c *Claim) {
	if id := c.Since.Text; id != "" && s.ADRs[id] == "" {
		s.fault("adr-not-found", c, c.Since.Place, c.ID+" "+id, "claim %q names the decision %q, and %s/%s has no file of it", c.ID, id, s.Root, decisions).Help =
			fmt.Sprintf("Write the decision to %s/%s/%s-<slug>.md, or name the right one.", s.Root, decisions, id)
	}
}

// governed looks for the claims that c governs.
func (s *Store) governed(c *Claim) {
	for i, ref := range c.Governs {
		target := s.byID[ref.Text]
		switch {
		case slices.ContainsFunc(c.Governs[:i], func(r Ref) bool { return r.Text == ref.Text }): // said once
		case ref.Text == c.ID:
			s.fault("governs-cycle", c, ref.Place, c.ID+" "+c.ID, "claim %q governs itself", c.ID)
		case target == nil && !s.slips[ref.Text]:
			s.fault("governs-unknown", c, ref.Place, c.ID+" "+ref.Text, "claim %q governs %q, which is no claim of the store", c.ID, ref.Text)
		case target != nil && target.Candidate() && !c.Candidate() && (c.Status == Enforced || c.Status == Asserted):
			s.fault("not-ratified", c, ref.Place, c.ID+" "+ref.Text, "claim %q is %s and governs %q, which is only a candidate", c.ID, c.Status, ref.Text).Related = target
		}
	}
}

// superseded looks for the claim that c replaces.
func (s *Store) superseded(c *Claim) {
	ref := c.Supersedes
	target := s.byID[ref.Text]
	switch {
	case ref.Text == "" || s.slips[ref.Text] && target == nil:
	case ref.Text == c.ID:
		s.fault("supersedes-not-retired", c, ref.Place, c.ID+" "+ref.Text, "claim %q supersedes itself", c.ID)
	case target == nil:
		s.fault("supersedes-not-retired", c, ref.Place, c.ID+" "+ref.Text, "claim %q supersedes %q, which is no claim of the store", c.ID, ref.Text)
	case target.Status != Retired && target.Status != "":
		s.fault("supersedes-not-retired", c, ref.Place, c.ID+" "+ref.Text, "claim %q supersedes %q, which is %s and not retired", c.ID, ref.Text, target.Status).Related = target
	}
}

// cycles reports the cycles of governs, each once: at the reference that closes it when the claims are followed in the order
// of the store.
func (s *Store) cycles() {
	w := &walk{store: s, state: map[*Claim]int{}}
	for _, c := range s.Claims {
		if s.byID[c.ID] == c && w.state[c] == 0 {
			w.from(c)
		}
	}
}

// A walk follows governs depth first.
type walk struct {
	store *Store
	state map[*Claim]int // 0 unseen, 1 on the path, 2 done
	path  []*Claim
}

func (w *walk) from(c *Claim) {
	w.state[c] = 1
	w.path = append(w.path, c)
	for i, ref := range c.Governs {
		next := w.store.byID[ref.Text]
		if next == nil || next == c || slices.ContainsFunc(c.Governs[:i], func(r Ref) bool { return r.Text == ref.Text }) {
			continue
		}
		switch w.state[next] {
		case 0:
			w.from(next)
		case 1:
			w.report(c, next, ref)
		}
	}
	w.path = w.path[:len(w.path)-1]
	w.state[c] = 2
}

// report reports the cycle from next along the path to c and by ref back to next.
func (w *walk) report(c, next *Claim, ref Ref) {
	var ids []string
	for _, step := range w.path[slices.Index(w.path, next):] {
		ids = append(ids, step.ID)
	}
	f := w.store.fault("governs-cycle", c, ref.Place, c.ID+" "+ref.Text, "claim %q governs %q, which closes a cycle: %s", c.ID, ref.Text, strings.Join(append(ids, next.ID), " → "))
	f.Related = next
}
