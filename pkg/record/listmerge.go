package record

import (
	"fmt"

	"github.com/seed-4419f9ca/forge/pkg/finding"
)

// A ListParent is one version of a list before a change.
type ListParent struct {
	Listing *Listing // nil when this parent does not have the file
	// Bases are the versions in the merge bases of the first parent and this one; none for the first parent. A merge base
	// that lacks the file is left out.
	Bases []*Listing
}

// A ListComparison is everything that is needed to judge one record of shape List.
type ListComparison struct {
	After        *Listing
	Parents      []ListParent
	Alternatives []*Listing // may be extended instead of the first parent
	Direction    Direction
}

// A ListResult is the judgement of one list.
type ListResult struct {
	Problems []Problem
	Fresh    []int      // the entries of the version after that are new to every parent
	Changes  []*Changes // by parent; nil where a parent lacks the file
}

// CompareList judges a list against every parent. The first must be kept as a whole; of a later one what it added since
// the merge base must be there, since what the base held is asked of the first (chapter 3.2).
func CompareList(c ListComparison) *ListResult {
	r := &ListResult{Changes: make([]*Changes, len(c.Parents))}
	fresh := make([]bool, len(c.After.Entries))
	for i := range fresh {
		fresh[i] = true
	}
	for i := range c.Parents {
		p := &c.Parents[i]
		if p.Listing == nil {
			continue
		}
		ch := c.against(i)
		r.Changes[i] = ch
		for k := range fresh {
			fresh[k] = fresh[k] && ch.IsNew(k)
		}
		for _, problem := range c.countedProblems(i, ch) {
			problem.Parent = i
			if i > 0 {
				problem = ofLaterParent(problem, i)
			}
			r.Problems = append(r.Problems, problem)
		}
	}
	for k, isFresh := range fresh {
		if isFresh {
			r.Fresh = append(r.Fresh, k)
		}
	}
	r.Problems = append(r.Problems, c.direction(fresh)...)
	return r
}

// against compares with parent i; instead of the first, the alternative that is kept best.
func (c *ListComparison) against(i int) *Changes {
	foreign := c.foreign(i)
	ch := compareLists(c.Parents[i].Listing, c.After, foreign)
	for _, alternative := range c.Alternatives {
		if i > 0 || len(ch.Problems) == 0 {
			break
		}
		if other := compareLists(alternative, c.After, foreign); len(other.Problems) < len(ch.Problems) {
			ch = other
		}
	}
	return ch
}

// foreign returns which entries of the version after stand, word for word, in another parent than i.
func (c *ListComparison) foreign(i int) func(now int) bool {
	known := map[string]bool{}
	for k := range c.Parents {
		if l := c.Parents[k].Listing; k != i && l != nil {
			for e := range l.Entries {
				known[l.Entries[e].key()] = true
			}
		}
	}
	return func(now int) bool { return len(known) > 0 && known[c.After.Entries[now].key()] }
}

// countedProblems returns the problems of ch, of a later parent only those about what it added since a merge base.
func (c *ListComparison) countedProblems(i int, ch *Changes) []Problem {
	if i == 0 {
		return ch.Problems
	}
	best := own(ch.Problems, nil)
	for _, base := range c.Parents[i].Bases {
		if counted := own(ch.Problems, CompareLists(base, ch.Before)); len(counted) < len(best) {
			best = counted
		}
	}
	return best
}

// own returns the problems about entries that are new since a base; without one, all that are about entries.
func own(problems []Problem, since *Changes) []Problem {
	var out []Problem
	for _, p := range problems {
		if p.Old >= 0 && (since == nil || since.IsNew(p.Old)) {
			out = append(out, p)
		}
	}
	return out
}

// direction reports new entries at the wrong end. Entries are compared with those of their own form, so that a preface
// or another table does not count.
func (c *ListComparison) direction(fresh []bool) []Problem {
	if c.Direction != Top && c.Direction != End && c.Direction != Ends {
		return nil
	}
	above, below := c.beside(fresh, false), c.beside(fresh, true)
	var problems []Problem
	for k, isFresh := range fresh {
		if !isFresh {
			continue
		}
		where, allowed := "", string(c.Direction)
		switch {
		case c.Direction == Top && above[k]:
			where = "below published ones"
		case c.Direction == End && below[k]:
			where = "above published ones"
		case c.Direction == Ends && above[k] && below[k]:
			where, allowed = "between published ones", "top or at its end"
		default:
			continue
		}
		e := &c.After.Entries[k]
		problems = append(problems, Problem{
			Slug: WrongEnd, Side: finding.After, Span: e.Span, Anchor: e.mark() + e.Text, Old: -1,
			Message: fmt.Sprintf("the new entry %q stands %s, but this record grows at its %s", quotable(e.Shown()), where, allowed),
		})
	}
	return problems
}

// beside says of each entry whether a published one of its form stands above it, or below it.
func (c *ListComparison) beside(fresh []bool, below bool) []bool {
	out := make([]bool, len(fresh))
	seen := map[EntryKind]bool{}
	for step := range fresh {
		k := step
		if below {
			k = len(fresh) - 1 - step
		}
		e := &c.After.Entries[k]
		if e.Kind == HeaderEntry || c.isPreface(e) {
			continue
		}
		out[k] = seen[e.Kind]
		if !fresh[k] {
			seen[e.Kind] = true
		}
	}
	return out
}

// isPreface reports whether e is prose under the title of a document whose entries have another form or headings of
// their own.
func (c *ListComparison) isPreface(e *Entry) bool {
	if e.Kind != ProseEntry || len(e.Path) > 1 {
		return false
	}
	for i := range c.After.Entries {
		if o := &c.After.Entries[i]; o.Kind != ProseEntry || len(o.Path) > 1 {
			return true
		}
	}
	return false
}

// Old returns the published entry that p is about, nil when it is about none.
func (r *ListResult) Old(p *Problem) *Entry {
	if p.Old < 0 || r.Changes[p.Parent] == nil {
		return nil
	}
	return &r.Changes[p.Parent].Before.Entries[p.Old]
}

// New returns what the published entry that p is about became, nil when it is gone.
func (r *ListResult) New(p *Problem) *Entry {
	if r.Old(p) == nil {
		return nil
	}
	ch := r.Changes[p.Parent]
	if i := ch.To(p.Old); i >= 0 {
		return &ch.After.Entries[i]
	}
	return nil
}
