package changelog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/jsondoc"
)

// Compare says what of the baseline the version after does not keep: entries that changed, and entries that are gone
// without a compaction that accounts for them truly. Entries may be added anywhere and stand in any order. The problems
// come in canonical order of the entries they are about.
func Compare(b *Baseline, after *Doc) []Problem {
	c := &comparison{after: after, now: map[string][]*Entry{}}
	for i := range after.Entries {
		e := &after.Entries[i]
		if e.ID != "" {
			c.now[e.ID] = append(c.now[e.ID], e)
		}
	}
	for i := range b.entries {
		p := &b.entries[i]
		if found := c.now[p.id]; found != nil {
			c.kept(p, found)
			continue
		}
		c.gone = append(c.gone, i)
	}
	if len(c.gone) == len(b.entries) && len(b.entries) > 0 && len(after.Entries) == 0 {
		c.emptied(b)
		return c.problems
	}
	c.removal(b)
	return c.problems
}

// A comparison collects the problems of one version after.
type comparison struct {
	after    *Doc
	now      map[string][]*Entry
	gone     []int // indices in the baseline
	problems []Problem
}

func (c *comparison) report(p Problem) { c.problems = append(c.problems, p) }

// kept compares what is there under the id of a published entry with its versions.
func (c *comparison) kept(p *published, found []*Entry) {
	for _, v := range p.versions {
		if !slices.ContainsFunc(v.entries, func(old *Entry) bool { return slices.ContainsFunc(found, old.Same) }) {
			c.edited(v, found[0])
			return
		}
	}
}

// edited reports each field in which an entry differs from the version of one parent.
func (c *comparison) edited(v version, now *Entry) {
	old := v.entries[0]
	whose := ""
	if v.parent > 0 {
		whose = fmt.Sprintf("against parent %d: ", v.parent+1)
	}
	for _, d := range differences(old, now) {
		was, is := shown(d.old), shown(d.now)
		p := Problem{Slug: EntryEdited, IDs: []string{now.ID}, Entry: now.ID, Field: d.field, Anchor: now.ID + " " + d.field + ": " + was + " → " + is}
		was, is = clip(was, is)
		switch {
		case len(d.old) == 0:
			p.Message = fmt.Sprintf("%sthe published entry %q gets the field %q, %s", whose, now.ID, d.field, is)
		case len(d.now) == 0:
			p.Message = fmt.Sprintf("%sthe published entry %q loses its field %q, %s", whose, now.ID, d.field, was)
		default:
			p.Message = fmt.Sprintf("%sthe %q of the published entry %q changes from %s to %s", whose, d.field, now.ID, was, is)
		}
		p.Start, p.End = now.Value.Start, now.Value.Start+1
		if len(d.now) > 0 {
			p.Start, p.End = d.now[0].Start, d.now[0].End
		}
		c.report(p)
	}
}

// A difference is a field that two entries do not have in the same way.
type difference struct {
	field    string
	old, now []jsondoc.Member // more than one where the key stands twice
}

// differences lists the fields in which two entries differ, in the order of the new one and then of the old one.
func differences(old, now *Entry) []difference {
	var out []difference
	seen := map[string]bool{}
	for _, e := range []*Entry{now, old} {
		for _, m := range e.Value.Members {
			if seen[m.Name] {
				continue
			}
			seen[m.Name] = true
			d := difference{m.Name, named(old, m.Name), named(now, m.Name)}
			if !slices.EqualFunc(d.old, d.now, func(a, b jsondoc.Member) bool { return jsondoc.Equal(&a.Value, &b.Value) }) {
				out = append(out, d)
			}
		}
	}
	return out
}

func named(e *Entry, name string) []jsondoc.Member {
	var out []jsondoc.Member
	for _, m := range e.Value.Members {
		if m.Name == name {
			out = append(out, m)
		}
	}
	return out
}

// emptied reports that nothing is left.
func (c *comparison) emptied(b *Baseline) {
	p := Problem{Slug: Emptied, IDs: b.Oldest(), Anchor: "emptied"}
	p.Message = fmt.Sprintf("the changelog is emptied of its %s", counted(len(b.entries), "published entry", "published entries"))
	if c.after.list != nil {
		p.Start, p.End = c.after.list.Start, c.after.list.End
	}
	c.report(p)
}

// removal judges what is gone (chapter 5.3): the oldest entries, with exactly one new compaction entry that says so truly.
func (c *comparison) removal(b *Baseline) {
	var fresh []*Entry
	for _, e := range c.after.Canonical() {
		if e.Type == Compaction && e.ID != "" && !b.Has(e.ID) {
			fresh = append(fresh, e)
		}
	}
	n := len(c.gone)
	ids := make([]string, n)
	for i, k := range c.gone {
		ids[i] = b.entries[k].id
	}
	switch {
	case n == 0:
		if len(b.entries) > 0 {
			c.extra(fresh, nil)
		}
	case c.gone[n-1] != n-1:
		c.notOldest(b, ids, fresh)
	case len(fresh) == 0:
		c.report(Problem{Slug: CompactionMissing, IDs: ids, Anchor: strings.Join(ids, " "),
			Message: fmt.Sprintf("%s gone, and no new compaction entry says so", names(ids))})
	default:
		c.accounted(ids, fresh)
	}
}

// notOldest reports that others than the oldest are gone. It stands at the new compaction entry, if there is one.
func (c *comparison) notOldest(b *Baseline, ids []string, fresh []*Entry) {
	gap := 0 // the oldest entry that is still there
	for gap < len(c.gone) && c.gone[gap] == gap {
		gap++
	}
	var younger []string
	for _, k := range c.gone[gap:] {
		younger = append(younger, b.entries[k].id)
	}
	p := Problem{Slug: NotOldest, IDs: ids, Anchor: strings.Join(younger, " "),
		Message: fmt.Sprintf("%s gone, but the older entry %q is still there; only the oldest can be compacted", names(younger), b.entries[gap].id)}
	if len(fresh) > 0 {
		p.at(fresh[0], "")
	}
	c.report(p)
}

// accounted judges the new compaction entries of a change in which the oldest entries, ids, are gone.
func (c *comparison) accounted(ids []string, fresh []*Entry) {
	right := claim{int64(len(ids)), ids[0], ids[len(ids)-1]}
	best := 0
	for i, e := range fresh {
		if claimOf(e) == right {
			best = i
			break
		}
	}
	c.wrong(fresh[best], right, ids)
	c.extra(slices.Delete(slices.Clone(fresh), best, best+1), fresh[best])
}

// extra reports compaction entries for which nothing is gone, beside the one that accounts for what is.
func (c *comparison) extra(fresh []*Entry, one *Entry) {
	for _, e := range fresh {
		p := Problem{Slug: CompactionExtra, IDs: []string{e.ID}, Anchor: e.ID,
			Message: fmt.Sprintf("the new compaction entry %q accounts for entries, but none is gone", e.ID)}
		if one != nil {
			p.Message = fmt.Sprintf("the new compaction entry %q is one too many: %q accounts for what is gone", e.ID, one.ID)
		}
		p.at(e, "")
		c.report(p)
	}
}

// wrong reports each number or id of a compaction entry that is not true. What is not there at all is a fault of form.
func (c *comparison) wrong(e *Entry, right claim, ids []string) {
	m := e.Value.Get("compacted")
	if m == nil {
		return
	}
	said := claimOf(e)
	for _, f := range []struct {
		name, is, should string
		lies             bool
	}{
		{"entries", raw(&m.Value, "entries"), fmt.Sprint(right.entries), said.entries != right.entries},
		{"firstId", raw(&m.Value, "firstId"), quote(right.firstID), said.firstID != right.firstID},
		{"lastId", raw(&m.Value, "lastId"), quote(right.lastID), said.lastID != right.lastID},
	} {
		key := m.Value.Get(f.name)
		if key == nil || !f.lies {
			continue
		}
		p := Problem{Slug: CompactionWrong, IDs: append([]string{e.ID}, ids...), Entry: e.ID, Field: "compacted", Anchor: e.ID + " " + f.name + ": " + f.is,
			Start: key.Start, End: key.Value.End,
			Message: fmt.Sprintf("the compaction entry %q says %q: %s, but it is %s: %s gone", e.ID, f.name, f.is, f.should, names(ids))}
		c.report(p)
	}
}

// at places p at an entry, or at one of its fields.
func (p *Problem) at(e *Entry, field string) {
	p.Entry, p.Field = e.ID, field
	p.Start, p.End = e.Value.Start, e.Value.Start+1
	name := field
	if name == "" {
		name = "id"
	}
	if m := e.Value.Get(name); m != nil {
		p.Start, p.End = m.Start, m.Value.End
	}
}

// Moved returns p as it stands in another version of the file: at the same entry and field, or at the whole file.
func (p Problem) Moved(to *Doc) Problem {
	p.Start, p.End = 0, 0
	if e := to.Find(p.Entry); e != nil && p.Entry != "" {
		p.at(e, p.Field)
	}
	return p
}

// Restored replaces the problems of each edited entry that returns to one of the earlier versions by one that only flags
// it. The versions are some that were published before the baseline; nil ones are left out.
func Restored(problems []Problem, after *Doc, earlier []*Doc) []Problem {
	back := map[string]bool{}
	var out []Problem
	for _, p := range problems {
		if p.Slug != EntryEdited {
			out = append(out, p)
			continue
		}
		known, seen := back[p.Entry]
		if !seen {
			known = returns(after, p.Entry, earlier)
			back[p.Entry] = known
			if known {
				r := Problem{Slug: EntryRestored, IDs: p.IDs, Anchor: p.Entry,
					Message: fmt.Sprintf("the entry %q returns to a text that was published earlier", p.Entry)}
				r.at(after.Find(p.Entry), "")
				out = append(out, r)
			}
		}
		if !known {
			out = append(out, p)
		}
	}
	return out
}

func returns(after *Doc, id string, earlier []*Doc) bool {
	now := after.Find(id)
	return slices.ContainsFunc(earlier, func(d *Doc) bool {
		return d != nil && slices.ContainsFunc(d.Entries, func(e Entry) bool { return e.ID == id && e.Same(now) })
	})
}
