// Package changelog is the model of a context layer's machine-readable changelog (chapter 5.3 of the specification): it
// reads one with the place of every entry, says what is wrong with its form, compares versions of it, and writes entries
// without touching what stands there. It opens nothing itself.
package changelog

import (
	"bytes"
	"slices"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/jsondoc"
)

// The slugs of problems. The check that reports them puts its id before the slash.
const (
	BadJSON           = "parse"
	BadForm           = "schema"
	OtherVersion      = "schema-version"
	DuplicateKey      = "duplicate-key"
	DuplicateID       = "duplicate-id"
	BadDate           = "bad-date"
	EntryEdited       = "entry-edited"
	EntryRestored     = "entry-restored"
	CompactionMissing = "compaction-missing"
	CompactionWrong   = "compaction-wrong"
	CompactionExtra   = "compaction-extra"
	NotOldest         = "not-oldest"
	Emptied           = "emptied"
)

// Version is the schema version that is supported.
const Version = "1.0"

// Compaction is the type of entry that stands for older ones.
const Compaction = "compaction"

// Types returns the types that an entry can have, compaction last.
func Types() []string {
	return []string{"added", "changed", "deprecated", "removed", "fixed", "decision", "governance", Compaction}
}

// A Doc is one version of a changelog, as far as it could be read.
type Doc struct {
	JSON    *jsondoc.Document
	Entries []Entry // the objects in "entries", in the order of the file
	list    *jsondoc.Value
}

// An Entry is one entry. A field that is not there, or no string, is "".
type Entry struct {
	ID, Date, Type string
	Value          *jsondoc.Value
	raw            []byte
}

// Parse reads src, which must not change afterwards. What is wrong with it is for Faults to say.
func Parse(src []byte) *Doc {
	d := &Doc{JSON: jsondoc.Parse(src)}
	if d.JSON.Root == nil {
		return d
	}
	for i := range d.JSON.Root.Members {
		m := &d.JSON.Root.Members[i]
		if m.Name != "entries" || m.Value.Kind != jsondoc.Array {
			continue
		}
		if d.list == nil {
			d.list = &m.Value
		}
		d.Entries = slices.Grow(d.Entries, len(m.Value.Items))
		for k := range m.Value.Items {
			if v := &m.Value.Items[k]; v.Kind == jsondoc.Object {
				d.Entries = append(d.Entries, Entry{ID: str(v, "id"), Date: str(v, "date"), Type: str(v, "type"), Value: v, raw: d.JSON.Raw(v)})
			}
		}
	}
	return d
}

// str returns a string member of v, "" when there is none.
func str(v *jsondoc.Value, name string) string {
	if m := v.Get(name); m != nil && m.Value.Kind == jsondoc.String {
		return m.Value.Text
	}
	return ""
}

// Readable reports whether the syntax of the file is whole enough to see its entries.
func (d *Doc) Readable() bool { return d.JSON.Root != nil }

// Find returns the first entry with the id; nil when there is none.
func (d *Doc) Find(id string) *Entry {
	i := slices.IndexFunc(d.Entries, func(e Entry) bool { return e.ID == id })
	if i < 0 {
		return nil
	}
	return &d.Entries[i]
}

// Has reports whether there is an entry with the id.
func (d *Doc) Has(id string) bool { return d.Find(id) != nil }

// IDs returns the ids of all entries that have one.
func (d *Doc) IDs() map[string]bool {
	ids := make(map[string]bool, len(d.Entries))
	for i := range d.Entries {
		if id := d.Entries[i].ID; id != "" {
			ids[id] = true
		}
	}
	return ids
}

// Canonical returns the entries in canonical order: by date and then by id, as bytes, so that a bare date comes before
// every time of its day.
func (d *Doc) Canonical() []*Entry {
	list := make([]*Entry, len(d.Entries))
	for i := range d.Entries {
		list[i] = &d.Entries[i]
	}
	slices.SortStableFunc(list, order)
	return list
}

func order(a, b *Entry) int {
	if c := strings.Compare(a.Date, b.Date); c != 0 {
		return c
	}
	return strings.Compare(a.ID, b.ID)
}

// Paths returns the strings in "paths".
func (e *Entry) Paths() []string {
	m := e.Value.Get("paths")
	if m == nil {
		return nil
	}
	var paths []string
	for i := range m.Value.Items {
		if v := &m.Value.Items[i]; v.Kind == jsondoc.String {
			paths = append(paths, v.Text)
		}
	}
	return paths
}

// Summary returns the summary of e, "" when it has none.
func (e *Entry) Summary() string { return str(e.Value, "summary") }

// Same reports whether two entries are equal as JSON.
func (e *Entry) Same(o *Entry) bool {
	return bytes.Equal(e.raw, o.raw) || jsondoc.Equal(e.Value, o.Value)
}

// A Problem is one thing that is wrong with a changelog, or with how it follows on another.
type Problem struct {
	Slug       string
	Flag       bool // worth a look, and no more, whatever the slug's own level is
	Start, End int  // place in the version after; both 0 for the whole file
	Message    string
	Anchor     string   // identifies it when lines move
	IDs        []string // of the entries that are concerned
	Entry      string   // id of the entry in which it stands, "" for none
	Field      string   // the field of that entry, "" for the whole entry
	First      int      // for what stands twice: where it stands first
}
