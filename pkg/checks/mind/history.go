package mind

import (
	"bytes"
	"slices"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/mindblock"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// A difference is what became of the blocks of one parent.
type difference struct {
	ancestor
	old     *mindblock.Notes
	gone    bool // the notes as a whole
	edited  []pair
	removed []*mindblock.Block
	folded  []pair // into a line that is not theirs
	eol     []pair
	// unpublished holds the numbers of blocks that only the last commit has and that nobody else has seen.
	unpublished func(b *mindblock.Block) (bool, error)
}

// A pair is a block before and after.
type pair struct{ before, after *mindblock.Block }

// clean reports whether nothing was lost.
func (d *difference) clean() bool {
	return !d.gone && len(d.edited)+len(d.removed)+len(d.folded)+len(d.eol) == 0
}

// differences compares the notes with each version they come from, once.
func (s *session) differences() ([]*difference, error) {
	if s.past == nil || s.differs != nil {
		return s.differs, nil
	}
	s.differs = []*difference{}
	for _, a := range s.past.ancestors {
		d, err := s.difference(a)
		if err != nil {
			return nil, err
		}
		if d != nil {
			s.differs = append(s.differs, d)
		}
	}
	return s.differs, nil
}

func (s *session) difference(a ancestor) (*difference, error) {
	c := s.pass.Change
	old, err := s.notesOf(c.Before[a.parent], a.entry)
	if err != nil || old == nil {
		return nil, err
	}
	d := &difference{ancestor: a, old: old}
	if !s.past.after.Mode.IsFile() {
		d.gone = true
		return d, s.publication(d)
	}
	if s.notes == nil {
		if s.problem != "" {
			d.removed = pointersTo(old)
		}
		return d, s.publication(d) // or too large, which was said
	}
	var bases []*mindblock.Notes
	if a.parent > 0 {
		if bases, err = s.baseNotes(a); err != nil {
			return nil, err
		}
	}
	compare(d, s.notes, a.parent > 0, bases)
	if !d.clean() && a.parent == 0 {
		if other, err := s.alternative(a); err != nil || other != nil {
			return other, err
		}
	}
	return d, s.publication(d)
}

// baseNotes reads the notes of the merge bases of the first parent and a later one.
func (s *session) baseNotes(a ancestor) ([]*mindblock.Notes, error) {
	trees, err := s.pass.Change.MergeBases(s.ctx, a.parent)
	if err != nil {
		return nil, err
	}
	return s.notesIn(trees, a.path)
}

func (s *session) notesIn(trees []snapshot.Tree, path string) ([]*mindblock.Notes, error) {
	var out []*mindblock.Notes
	for _, tree := range trees {
		e, err := tree.Lookup(s.ctx, path)
		if err != nil {
			return nil, err
		}
		if !e.Mode.IsFile() {
			continue
		}
		n, err := s.notesOf(tree, e)
		if err != nil {
			return nil, err
		}
		if n != nil {
			out = append(out, n)
		}
	}
	return out, nil
}

// alternative compares with the other merge bases of a range with a criss-cross history, of which any may be extended. It
// is nil when none is.
func (s *session) alternative(a ancestor) (*difference, error) {
	all, err := s.notesIn(s.pass.Change.Alternatives, a.path)
	if err != nil {
		return nil, err
	}
	for _, n := range all {
		d := &difference{ancestor: a, old: n}
		if compare(d, s.notes, false, nil); d.clean() {
			return d, nil
		}
	}
	return nil, nil
}

// publication prepares d to say which blocks nobody else has seen: those that are in HEAD and in no parent of it, while
// HEAD is on no remote (chapter 3.2, amend).
func (s *session) publication(d *difference) error {
	c := s.pass.Change
	d.unpublished = func(*mindblock.Block) (bool, error) { return false, nil }
	if d.clean() || s.pass.Stage != check.PreCommit || c.Unpublished == nil || len(c.Before) != 1 {
		return nil
	}
	alone, parents, err := c.Unpublished(s.ctx)
	if err != nil || !alone {
		return err
	}
	earlier, err := s.notesIn(parents, d.path)
	if err != nil {
		return err
	}
	d.unpublished = func(b *mindblock.Block) (bool, error) {
		for _, n := range earlier {
			if b == nil || len(withNumber(n, b.Number)) > 0 {
				return false, nil
			}
		}
		return true, nil
	}
	return nil
}

func pointersTo(n *mindblock.Notes) []*mindblock.Block {
	out := make([]*mindblock.Block, len(n.Blocks))
	for i := range n.Blocks {
		out[i] = &n.Blocks[i]
	}
	return out
}

// withNumber returns the blocks of this number.
func withNumber(n *mindblock.Notes, number mindblock.Number) []*mindblock.Block {
	var out []*mindblock.Block
	for i := range n.Blocks {
		if n.Blocks[i].Number.Value() == number.Value() {
			out = append(out, &n.Blocks[i])
		}
	}
	return out
}

// compare finds what became of each old block. Every block of the first parent stays under its number. Of a later parent
// stays what it added since the merge bases, under any number, since both sides may have taken the same one; what it holds
// of the merge bases stays as it was there or as it is in that parent.
func compare(d *difference, now *mindblock.Notes, later bool, bases []*mindblock.Notes) {
	byNumber := map[string][]*mindblock.Block{}
	for _, b := range pointersTo(now) {
		byNumber[b.Number.Value()] = append(byNumber[b.Number.Value()], b)
	}
	for _, old := range pointersTo(d.old) {
		same := byNumber[old.Number.Value()]
		if slices.ContainsFunc(same, func(b *mindblock.Block) bool { return keeps(b, old) }) {
			continue
		}
		if later && keptElsewhere(old, same, now, bases) {
			continue
		}
		d.sort(old, same)
	}
}

// keeps reports whether b is old, unchanged or folded.
func keeps(b, old *mindblock.Block) bool {
	return bytes.Equal(b.Content(), old.Content()) || b.Compaction != nil && old.Compaction == nil && b.Compaction.Of(old.Content())
}

func keptElsewhere(old *mindblock.Block, same []*mindblock.Block, now *mindblock.Notes, bases []*mindblock.Notes) bool {
	inBase := false
	for _, base := range bases {
		for _, was := range withNumber(base, old.Number) {
			inBase = true
			if slices.ContainsFunc(same, func(b *mindblock.Block) bool { return keeps(b, was) }) {
				return true
			}
		}
	}
	return !inBase && slices.ContainsFunc(pointersTo(now), func(b *mindblock.Block) bool { return keeps(b, old) })
}

// sort files an old block that is not kept; same are the blocks that have its number now.
func (d *difference) sort(old *mindblock.Block, same []*mindblock.Block) {
	switch {
	case len(same) == 0:
		d.removed = append(d.removed, old)
	case bytes.Equal(withoutCR(same[0].Content()), withoutCR(old.Content())):
		d.eol = append(d.eol, pair{old, same[0]})
	case same[0].Compaction != nil && old.Compaction == nil:
		d.folded = append(d.folded, pair{old, same[0]})
	default:
		d.edited = append(d.edited, pair{old, same[0]})
	}
}

func withoutCR(s []byte) []byte { return bytes.ReplaceAll(s, []byte("\r\n"), []byte("\n")) }

// isNew reports whether no version before has a block of this number.
func (s *session) isNew(b *mindblock.Block) (bool, error) {
	f, changed := s.pass.Change.File(s.path)
	if !changed || slices.ContainsFunc(f.Before, func(e snapshot.Entry) bool { return e.Same(f.After) }) {
		return false, nil
	}
	all, err := s.differences()
	if err != nil {
		return false, err
	}
	return !slices.ContainsFunc(all, func(d *difference) bool { return len(withNumber(d.old, b.Number)) > 0 }), nil
}

// hadBlock0 reports whether a parent had a block 0 of this session.
func (s *session) hadBlock0() (bool, error) {
	c := s.pass.Change
	for _, tree := range c.Before {
		e, err := tree.Lookup(s.ctx, s.path)
		if err != nil {
			return false, err
		}
		if !e.Mode.IsFile() {
			continue
		}
		n, err := s.notesOf(tree, e)
		if err != nil {
			return false, err
		}
		if n != nil && len(withNumber(n, "0")) > 0 {
			return true, nil
		}
	}
	all, err := s.differences()
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(all, func(d *difference) bool { return len(withNumber(d.old, "0")) > 0 }), nil
}
