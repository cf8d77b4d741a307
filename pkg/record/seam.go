package record

import (
	"crypto/sha256"
	"fmt"

	"github.com/seed-4419f9ca/forge/pkg/finding"
	"znkr.io/diff"
)

// seam judges a merge in which parent i is not simply extended, since lines of another parent stand between its own: what
// a merge base held must stay as the shape says, and what the parent added since must survive in order. g and found are
// what comparing with the parent alone gave; they stay when that does not hold either.
func (c *Comparison) seam(i int, g growth, found []Problem) (growth, bool, []Problem, error) {
	parent := &c.Parents[i]
	var firstLost *Problem
	for _, base := range c.basesOf(i) {
		s, ok, err := c.seamOver(parent.Version, base, i == 0)
		if err != nil {
			return g, false, nil, err
		}
		if !ok {
			continue
		}
		in, err := within(s.added, s.room)
		if err != nil {
			return g, false, nil, err
		}
		if in.lost == nil {
			stranger, err := c.stranger(s, in, i)
			return growth{number: 1, fresh: func(n int) bool { return n > s.skipped && in.isStray(n) }}, stranger == nil, append(flips(in.flipped), optional(stranger)...), err
		}
		if firstLost == nil {
			p := problem(Truncated, finding.Before, in.lost, fmt.Sprintf("line %d %q, which it added since the merge base, is gone", in.lost.number, quoted(in.lost)))
			p.Anchor = in.lost.shown()
			firstLost = &p
		}
	}
	if firstLost != nil {
		found = []Problem{*firstLost}
	}
	return g, false, found, nil
}

// rotatedSeam is seam for a merge in which one side has moved old lines into the archive: what stands there now is taken
// from all versions before.
func (c *Comparison) rotatedSeam(i int, g growth, found []Problem) (growth, bool, []Problem, error) {
	plain := *c
	plain.Archive, plain.Parents = nil, make([]Parent, len(c.Parents))
	any := false
	remaining := func(v, archive Version) (Version, error) {
		if !v.Exists() {
			return v, nil
		}
		rest, moved, err := c.rest(v, archive)
		if !moved || err != nil {
			return v, err
		}
		any = true
		return rest, nil
	}
	for k := range c.Parents {
		var err error
		if plain.Parents[k].Version, err = remaining(c.Parents[k].Version, c.Archive.Before[k]); err != nil {
			return g, false, nil, err
		}
		for n, base := range c.Parents[k].Bases {
			rest, err := remaining(base, c.Archive.Bases[k][n])
			if err != nil {
				return g, false, nil, err
			}
			plain.Parents[k].Bases = append(plain.Parents[k].Bases, rest)
		}
	}
	if !any {
		return g, false, found, nil
	}
	own, kept, problems, err := plain.extend(plain.Parents[i].Version, c.After)
	if kept || err != nil {
		return own, kept, problems, err
	}
	own, kept, problems, err = plain.seam(i, own, found)
	return own, kept, problems, err
}

func optional(p *Problem) []Problem {
	if p == nil {
		return nil
	}
	return []Problem{*p}
}

// basesOf returns the versions in the merge bases of parent i and the first. The first parent has those of all others.
// When none has the file, the empty file stands for what they have in common.
func (c *Comparison) basesOf(i int) []Version {
	var out []Version
	for k := range c.Parents {
		if k == i || i == 0 {
			out = append(out, c.Parents[k].Bases...)
		}
	}
	if len(out) == 0 {
		out = append(out, Content(nil))
	}
	return out
}

// A seamed merge is what has to be found where: the lines that a parent added since a base, in the part of the new version
// that lies beyond the base.
type seamed struct {
	added, room window
	skipped     int  // lines at the beginning of the new version that come before room
	kept        bool // the new version keeps the base
}

// seamOver sets out what parent added since base. It is not ok when the new version does not keep the base where strict
// asks for that, or the parent does not.
func (c *Comparison) seamOver(parent, base Version, strict bool) (s seamed, ok bool, err error) {
	plain := Comparison{Spec: c.Spec}
	_, kept, _, err := plain.extend(base, c.After)
	if err != nil || strict && !kept {
		return s, false, err
	}
	_, own, _, err := plain.extend(base, parent)
	if err != nil {
		return s, false, err
	}
	if !own {
		if strict {
			return s, false, nil
		}
		return c.seamOverRewritten(parent, base)
	}
	n, err := countLines(base)
	if err != nil {
		return s, false, err
	}
	s.added, s.room, s.kept = all(parent), all(c.After), kept
	switch c.Grows() {
	case End:
		s.added.skip = n
		if kept {
			s.room.skip, s.skipped = n, n
		}
	case Top:
		if s.added.count, err = countLines(parent); err != nil {
			return s, false, err
		}
		s.added.count -= n
		if kept {
			if s.room.count, err = countLines(c.After); err != nil {
				return s, false, err
			}
			s.room.count -= n
		}
	}
	return s, true, nil
}

// seamOverRewritten sets out what a parent added that did not keep the base itself: only its additions count here, its
// rewriting is judged where it was made. A line that stands in the place of an old one is no addition.
func (c *Comparison) seamOverRewritten(parent, base Version) (s seamed, ok bool, err error) {
	old, err := keys(base)
	if err != nil {
		return s, false, err
	}
	now, err := keys(parent)
	if err != nil {
		return s, false, err
	}
	own := map[int]bool{}
	for _, h := range diff.Hunks(old, now, diff.Context(0)) {
		for i := h.PosY + h.EndX - h.PosX; i < h.EndY; i++ {
			own[i] = true
		}
	}
	s.added, s.room = all(parent), all(c.After)
	s.added.only = func(i int) bool { return own[i] }
	return s, true, nil
}

// keys returns the digests of all lines of v.
func keys(v Version) (sums [][sha256.Size]byte, err error) {
	err = eachLine(all(v), func(l *line) bool { sums = append(sums, l.key()); return true })
	return sums, err
}

// stranger finds a line that no parent has and that stands among those of the parents: a merge commit may add lines of
// its own, but not slip them in. Only the last parent that needs a seam is asked, since then all others are known.
func (c *Comparison) stranger(s seamed, in passage, i int) (*Problem, error) {
	if in.stray == nil || !s.kept || c.Grows() != End {
		return nil, nil
	}
	var strays []*line
	missing := map[[sha256.Size]byte]bool{}
	last := in.taken
	if err := eachLine(s.room, func(l *line) bool {
		if l.number < last && in.isStray(l.number) && !missing[l.key()] {
			missing[l.key()] = true
			strays = append(strays, l.clone())
		}
		return l.number < last
	}); err != nil {
		return nil, err
	}
	for k := range c.Parents {
		if k == i || !c.Parents[k].Version.Exists() || len(missing) == 0 {
			continue
		}
		if err := eachLine(all(c.Parents[k].Version), func(l *line) bool { delete(missing, l.key()); return len(missing) > 0 }); err != nil {
			return nil, err
		}
	}
	for _, l := range strays {
		if missing[l.key()] {
			p := problem(Inserted, finding.After, l, fmt.Sprintf("line %d %q is in no parent and stands among the lines of one", l.number, quoted(l)))
			p.Anchor = l.shown()
			return &p, nil
		}
	}
	return nil, nil
}

// eachLine calls yield with each line of w until it returns false.
func eachLine(w window, yield func(*line) bool) error {
	r, err := openWindow(w)
	if err != nil {
		return err
	}
	defer r.close()
	for {
		l, err := r.next()
		if err != nil || l == nil || !yield(l) {
			return err
		}
	}
}
