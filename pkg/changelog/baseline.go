package changelog

import (
	"slices"
	"strings"
)

// A Baseline is what was published before a change: the entries that the version after has to keep.
type Baseline struct {
	entries []published // in canonical order
}

// A published entry stands under one id. The version after keeps it when it equals one entry of each of its versions.
type published struct {
	id, date string
	versions []version
}

// A version of a published entry is what one parent has. Only a parent that is at fault itself, with an id that stands
// twice, has more than one entry: then each of them will do.
type version struct {
	parent  int
	entries []*Entry
}

// A Parent is one version before a change.
type Parent struct {
	Doc *Doc // nil where the parent has no changelog
	// Bases are the versions in the merge bases of the first parent and this one; none for the first parent and for
	// unrelated histories. A merge base without a changelog is left out.
	Bases []*Doc
}

// Join returns the baseline of a change with these parents. The first is kept as a whole; of each later one what it added
// since the merge base (chapter 3.2), so that two branches that both appended join to the union of both. Entries of the
// merge base that a later parent compacted by the book may go as well: that was judged where it was made.
func Join(parents []Parent) *Baseline {
	b := &Baseline{}
	at := map[string]int{}
	first := -1
	for i := range parents {
		if parents[i].Doc == nil {
			continue
		}
		if first < 0 {
			first = i
		}
		based := map[string]bool{}
		if i > first {
			for _, base := range parents[i].Bases {
				for id := range base.IDs() {
					based[id] = true
				}
				b.release(honestlyDropped(base, parents[i].Doc), at)
			}
		}
		b.add(parents[i].Doc, i, based, at)
	}
	b.entries = slices.DeleteFunc(b.entries, func(p published) bool { return len(p.versions) == 0 })
	b.sort()
	return b
}

// add takes in the entries of a parent whose ids are not based.
func (b *Baseline) add(d *Doc, parent int, based map[string]bool, at map[string]int) {
	for k := range d.Entries {
		e := &d.Entries[k]
		if e.ID == "" || based[e.ID] {
			continue
		}
		i, ok := at[e.ID]
		if !ok {
			i = len(b.entries)
			at[e.ID] = i
			b.entries = append(b.entries, published{id: e.ID, date: e.Date})
		}
		p := &b.entries[i]
		if n := len(p.versions); n > 0 && p.versions[n-1].parent == parent {
			p.versions[n-1].entries = append(p.versions[n-1].entries, e)
			continue
		}
		p.versions = append(p.versions, version{parent, []*Entry{e}})
	}
}

// release gives entries up that an earlier parent still has.
func (b *Baseline) release(dropped []*Entry, at map[string]int) {
	for _, e := range dropped {
		if i, ok := at[e.ID]; ok {
			b.entries[i].versions = nil
		}
	}
}

func (b *Baseline) sort() {
	slices.SortStableFunc(b.entries, func(x, y published) int {
		if c := strings.Compare(x.date, y.date); c != 0 {
			return c
		}
		return strings.Compare(x.id, y.id)
	})
}

// Has reports whether an entry with the id was published.
func (b *Baseline) Has(id string) bool {
	return slices.ContainsFunc(b.entries, func(p published) bool { return p.id == id })
}

// Oldest returns the ids of the baseline in canonical order.
func (b *Baseline) Oldest() []string {
	ids := make([]string, len(b.entries))
	for i, p := range b.entries {
		ids[i] = p.id
	}
	return ids
}

// Only returns the part of b whose ids keep says.
func (b *Baseline) Only(keep func(id string) bool) *Baseline {
	out := &Baseline{}
	for _, p := range b.entries {
		if keep(p.id) {
			out.entries = append(out.entries, p)
		}
	}
	return out
}

// honestlyDropped returns the entries of base that after has compacted; none when it dropped them in any other way. after
// may be many commits away from base, with several compactions between them that may have compacted one another, and with
// older entries added since. So the numbers of what is left need not be exact: they must be able to account for everything
// that is gone.
func honestlyDropped(base, after *Doc) []*Entry {
	ids := after.IDs()
	var gone []*Entry
	place := map[string]int{} // of the entries of base: their order among those that are gone, or stands
	for _, e := range base.Canonical() {
		switch {
		case e.ID == "":
		case ids[e.ID]:
			place[e.ID] = stands
		default:
			place[e.ID] = len(gone)
			gone = append(gone, e)
		}
	}
	from, to := len(gone), 0 // what is accounted for
	for i := range after.Entries {
		e := &after.Entries[i]
		if _, old := place[e.ID]; old || e.Type != Compaction {
			continue
		}
		first, last, ok := claimOf(e).span(place, len(gone))
		if !ok {
			return nil
		}
		from, to = min(from, first), max(to, last)
	}
	if from > 0 || to < len(gone) {
		return nil
	}
	return gone
}

// stands is the place of an entry that is not gone.
const stands = -1

// span returns which of n entries that are gone a compaction can account for, in their order: those from first up to last.
// It is not ok when the compaction speaks of entries that are still there, or of fewer than lie between its two ids.
func (c claim) span(place map[string]int, n int) (first, last int, ok bool) {
	first, knownFirst := place[c.firstID]
	end, knownLast := place[c.lastID]
	if c.entries < 1 || knownFirst && first == stands || knownLast && end == stands {
		return 0, 0, false
	}
	if last = end + 1; !knownLast {
		last = n // it ends at an entry that came later, which may be younger than all of them
	}
	if knownFirst && knownLast && c.entries < int64(last-first) {
		return 0, 0, false
	}
	if !knownFirst || !knownLast || c.entries > int64(last-first) {
		first = 0 // what it stands for includes entries that came later, perhaps a compaction of the older ones
	}
	return first, last, true
}

// A claim is what a compaction entry says about what it stands for.
type claim struct {
	entries         int64 // -1 when it is no number
	firstID, lastID string
}

func claimOf(e *Entry) claim {
	c := claim{entries: -1}
	m := e.Value.Get("compacted")
	if m == nil {
		return c
	}
	if n := m.Value.Get("entries"); n != nil {
		if whole, ok := n.Value.IsWhole(); ok {
			c.entries = whole
		}
	}
	c.firstID, c.lastID = str(&m.Value, "firstId"), str(&m.Value, "lastId")
	return c
}
