package changelog

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/seed-4419f9ca/forge/pkg/jsondoc"
)

// A Merged changelog is what Merge made of three versions.
type Merged struct {
	Content []byte
	// Conflicts are the ids under which the two sides have different entries; Content then holds both between conflict
	// markers.
	Conflicts []string
}

// Unmergeable is the error of Merge for versions that it cannot take apart.
type Unmergeable struct{ Reason string }

func (e *Unmergeable) Error() string { return e.Reason }

// Merge joins two versions of a changelog by the ids of their entries: what stands in ours stays as it is, what only theirs
// has is added. An entry of base that one side compacted is gone; one that a side dropped in any other way stays. base is
// nil for a file that both sides added.
func Merge(base, ours, theirs *Doc) (Merged, error) {
	if base == nil {
		base = &Doc{JSON: &jsondoc.Document{}}
	}
	if err := mergeable(ours, theirs); err != nil {
		return Merged{}, err
	}
	m := merger{theirs: theirs, gone: map[string]bool{}, had: map[string]*Entry{}, other: map[string]*Entry{}}
	for _, side := range []*Doc{ours, theirs} {
		for _, e := range honestlyDropped(base, side) {
			m.gone[e.ID] = true
		}
	}
	for i := range ours.Entries {
		m.had[ours.Entries[i].ID] = &ours.Entries[i]
	}
	for i := range theirs.Entries {
		m.other[theirs.Entries[i].ID] = &theirs.Entries[i]
	}
	content, err := ours.rewrite(m.join)
	return Merged{content, m.conflicts}, err
}

// mergeable refuses versions in which an entry cannot be told from another, and those that differ in more than entries.
func mergeable(ours, theirs *Doc) error {
	for i, d := range []*Doc{ours, theirs} {
		side := []string{"ours", "theirs"}[i]
		switch {
		case !d.Readable():
			return &Unmergeable{fmt.Sprintf("the version of %s is no JSON", side)}
		case d.list == nil:
			return &Unmergeable{fmt.Sprintf("the version of %s has no list of entries", side)}
		case len(d.JSON.Faults) > 0:
			return &Unmergeable{fmt.Sprintf("the version of %s: %s", side, d.JSON.Faults[0].Reason)}
		case len(d.Entries) != len(d.list.Items) || len(d.IDs()) != len(d.Entries):
			return &Unmergeable{fmt.Sprintf("the version of %s has an entry without an id of its own", side)}
		}
	}
	a, b := *ours.JSON.Root, *theirs.JSON.Root
	a.Members, b.Members = besides(a.Members), besides(b.Members)
	if !jsondoc.Equal(&a, &b) {
		return &Unmergeable{"the two sides differ in more than their entries"}
	}
	return nil
}

func besides(members []jsondoc.Member) []jsondoc.Member {
	return slices.DeleteFunc(slices.Clone(members), func(m jsondoc.Member) bool { return m.Name == "entries" })
}

// A merger joins the entries of two versions.
type merger struct {
	theirs     *Doc
	gone       map[string]bool   // compacted by one side
	had, other map[string]*Entry // entries of ours and of theirs
	conflicts  []string
}

// join makes the array of entries: that of ours, and between its entries what theirs adds there. What theirs adds at its
// end comes to the end.
func (m *merger) join(items []item, l layout) []item {
	before := map[string][]item{} // additions of theirs by the entry of ours that they stand before, "" for the end
	var run []item
	for i := range m.theirs.Entries {
		e := &m.theirs.Entries[i]
		switch {
		case m.gone[e.ID]:
		case m.had[e.ID] == nil:
			run = append(run, item{id: e.ID, raw: m.theirs.JSON.Raw(e.Value)})
		default:
			before[e.ID], run = run, nil
		}
	}
	before[""] = run
	var out []item
	for _, it := range items {
		if m.gone[it.id] {
			continue
		}
		out = append(out, before[it.id]...)
		if other := m.other[it.id]; other != nil && !other.Same(m.had[it.id]) {
			m.conflicts = append(m.conflicts, it.id)
			it.raw = marked(it.raw, m.theirs.JSON.Raw(other.Value), l)
		}
		out = append(out, it)
	}
	return append(out, before[""]...)
}

// marked sets two versions of an entry between conflict markers, which make the file no JSON until people chose.
func marked(ours, theirs []byte, l layout) []byte {
	return bytes.Join([][]byte{
		[]byte(l.newline + "<<<<<<< ours" + l.newline + l.indent), ours,
		[]byte(l.newline + "=======" + l.newline + l.indent), theirs,
		[]byte(l.newline + ">>>>>>> theirs" + l.newline + l.indent),
	}, nil)
}
