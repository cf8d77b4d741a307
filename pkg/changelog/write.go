package changelog

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/seed-4419f9ca/forge/pkg/jsondoc"
)

// A Draft is an entry to be written.
type Draft struct {
	ID, Date, Type, Summary string
	Paths                   []string
	Compacted               *Counts // only with the type Compaction
}

// Counts are what a compaction entry says about what it stands for.
type Counts struct {
	Entries         int
	FirstID, LastID string
}

// Create returns a new changelog with one entry: two spaces of indentation, a line end at the end.
func Create(e Draft) []byte {
	return []byte("{\n  \"schemaVersion\": \"" + Version + "\",\n  \"entries\": [\n    " + string(e.render(plainLayout("\n"))) + "\n  ]\n}\n")
}

// ErrNoEntries is the error of writing into a file whose entries cannot be made out.
var ErrNoEntries = errors.New("it has no list of entries that could be written to")

// Append returns the changelog with e behind its last entry. Every other byte stays.
func (d *Doc) Append(e Draft) ([]byte, error) {
	return d.rewrite(func(items []item, l layout) []item {
		return append(items, item{raw: e.render(l)})
	})
}

// Compact returns the changelog without the entries that drop says, and with e, which accounts for them, behind the last
// one. Every other byte of what stays is kept.
func (d *Doc) Compact(drop func(id string) bool, e Draft) ([]byte, error) {
	return d.rewrite(func(items []item, l layout) []item {
		items = slices.DeleteFunc(items, func(it item) bool { return it.id != "" && drop(it.id) })
		return append(items, item{raw: e.render(l)})
	})
}

// An item is one element of the array of entries as text.
type item struct {
	id        string
	raw       []byte
	separator []byte // what stands between it and the one before; nil for what is usual in this file
}

// items takes the array of entries apart.
func (d *Doc) items() []item {
	list := make([]item, len(d.list.Items))
	for i := range d.list.Items {
		v := &d.list.Items[i]
		list[i] = item{id: str(v, "id"), raw: d.JSON.Raw(v)}
		if i > 0 {
			list[i].separator = d.JSON.Source[d.list.Items[i-1].End:v.Start]
		}
	}
	return list
}

// rewrite returns the source with the array of entries as change leaves it.
func (d *Doc) rewrite(change func([]item, layout) []item) ([]byte, error) {
	if d.list == nil {
		return nil, ErrNoEntries
	}
	l := d.layout()
	src := d.JSON.Source
	lead, tail := []byte(l.newline+l.indent), []byte(l.newline+l.outer)
	if n := len(d.list.Items); n > 0 {
		lead = src[d.list.Start+1 : d.list.Items[0].Start]
		tail = src[d.list.Items[n-1].End : d.list.End-1]
	}
	var out bytes.Buffer
	out.Write(src[:d.list.Start+1])
	items := change(d.items(), l)
	for i, it := range items {
		switch {
		case i == 0:
			out.Write(lead)
		case it.separator != nil:
			out.Write(it.separator)
		default:
			out.WriteString(l.separator)
		}
		out.Write(it.raw)
	}
	if len(items) > 0 {
		out.Write(tail)
	}
	out.Write(src[d.list.End-1:])
	return out.Bytes(), nil
}

// A layout is how a file writes its entries.
type layout struct {
	newline   string
	outer     string // indentation of the closing bracket of the array
	indent    string // of an entry
	member    string // of its fields; only when they stand on lines of their own
	inner     string // of the items of an array in a field; "" when they stand on one line
	lines     bool   // fields stand on lines of their own
	colon     string
	comma     string // between fields and items on one line
	separator string // between entries
}

func plainLayout(newline string) layout {
	return layout{newline: newline, outer: "  ", indent: "    ", member: "      ", inner: "        ", lines: true, colon: ": ", comma: ", ", separator: "," + newline + "    "}
}

// layout finds out how the file is laid out from its last entry.
func (d *Doc) layout() layout {
	src := d.JSON.Source
	newline := "\n"
	if bytes.Contains(src, []byte("\r\n")) {
		newline = "\r\n"
	}
	l := plainLayout(newline)
	n := len(d.list.Items)
	if n == 0 {
		if indent, ok := lineIndent(src, d.list.Start); ok {
			unit := indent
			if unit == "" {
				unit = "  "
			}
			l.outer, l.indent, l.member, l.inner = indent, indent+unit, indent+unit+unit, indent+unit+unit+unit
			l.separator = "," + newline + l.indent
		}
		return l
	}
	last := &d.list.Items[n-1]
	l.separator = d.usualSeparator(newline)
	d.fieldLayout(&l, last)
	return l
}

// usualSeparator is what stands between entries: what stands before the last one, as far as that is white space.
func (d *Doc) usualSeparator(newline string) string {
	src, n := d.JSON.Source, len(d.list.Items)
	last := d.list.Items[n-1].Start
	if n > 1 {
		return string(src[d.list.Items[n-2].End:last])
	}
	between := src[d.list.Start+1 : last]
	if i := bytes.LastIndexByte(between, '\n'); i >= 0 {
		return "," + newline + string(between[i+1:])
	}
	return "," + string(between)
}

// fieldLayout finds out how an entry writes its fields.
func (d *Doc) fieldLayout(l *layout, e *jsondoc.Value) {
	src := d.JSON.Source
	l.indent, _ = lineIndent(src, e.Start)
	l.lines = bytes.IndexByte(d.JSON.Raw(e), '\n') >= 0
	for i := range e.Members {
		m := &e.Members[i]
		if i == 0 {
			l.colon = string(src[m.End:m.Value.Start])
			l.comma = ","
			if len(l.colon) > 1 {
				l.comma = ", "
			}
		} else if !l.lines {
			l.comma = string(src[e.Members[i-1].Value.End:m.Start])
		}
		if indent, own := lineIndent(src, m.Start); own && l.lines {
			l.member = indent
			l.inner = indent + unit(l.indent, indent)
		}
	}
	if m := e.Get("paths"); m != nil && m.Value.Kind == jsondoc.Array && bytes.IndexByte(d.JSON.Raw(&m.Value), '\n') < 0 {
		l.inner = ""
	}
	if l.colon == "" || bytes.ContainsAny([]byte(l.colon+l.comma), "\r\n") {
		l.colon, l.comma = ": ", ", "
	}
}

// unit is what member adds to the indentation of an entry.
func unit(entry, member string) string {
	if len(member) > len(entry) && member[:len(entry)] == entry {
		return member[len(entry):]
	}
	return "  "
}

// lineIndent returns the white space at the beginning of the line of a place, and whether nothing else stands before it.
func lineIndent(src []byte, at int) (string, bool) {
	start := bytes.LastIndexByte(src[:at], '\n') + 1
	end := start
	for end < at && (src[end] == ' ' || src[end] == '\t') {
		end++
	}
	return string(src[start:end]), end == at && start > 0
}

// render writes e as l says, with its fields in the order of the format.
func (e *Draft) render(l layout) []byte {
	var fields [][]byte
	add := func(name string, value []byte) {
		fields = append(fields, slices.Concat(literal(name), []byte(l.colon), value))
	}
	add("id", literal(e.ID))
	add("date", literal(e.Date))
	add("type", literal(e.Type))
	add("summary", literal(e.Summary))
	add("paths", l.array(e.Paths))
	if c := e.Compacted; c != nil {
		flat := l
		flat.lines = false
		add("compacted", flat.object([][]byte{
			slices.Concat(literal("entries"), []byte(l.colon), strconv.AppendInt(nil, int64(c.Entries), 10)),
			slices.Concat(literal("firstId"), []byte(l.colon), literal(c.FirstID)),
			slices.Concat(literal("lastId"), []byte(l.colon), literal(c.LastID)),
		}))
	}
	return l.object(fields)
}

// literal writes s as a JSON string: UTF-8 as it is, nothing escaped that need not be.
func literal(s string) []byte {
	out, err := jsontext.AppendQuote(nil, s)
	if err != nil {
		panic("a draft holds text that is no UTF-8: " + err.Error())
	}
	return out
}

func (l *layout) object(fields [][]byte) []byte {
	if !l.lines {
		return slices.Concat([]byte("{"), bytes.Join(fields, []byte(l.comma)), []byte("}"))
	}
	return slices.Concat([]byte("{"+l.newline+l.member), bytes.Join(fields, []byte(","+l.newline+l.member)), []byte(l.newline+l.indent+"}"))
}

func (l *layout) array(texts []string) []byte {
	items := make([][]byte, len(texts))
	for i, s := range texts {
		items[i] = literal(s)
	}
	if !l.lines || l.inner == "" {
		return slices.Concat([]byte("["), bytes.Join(items, []byte(l.comma)), []byte("]"))
	}
	return slices.Concat([]byte("["+l.newline+l.inner), bytes.Join(items, []byte(","+l.newline+l.inner)), []byte(l.newline+l.member+"]"))
}

// Problem says what keeps e from being an entry, "" when nothing does. Its id may still be taken.
func (e *Draft) Problem() string {
	for _, s := range append([]string{e.ID, e.Date, e.Type, e.Summary}, e.Paths...) {
		if !utf8.ValidString(s) {
			return fmt.Sprintf("%q is no UTF-8, which JSON cannot hold; name the folder that it lies in", s)
		}
	}
	faults := Parse(Create(*e)).Faults()
	if len(faults) == 0 {
		return ""
	}
	return faults[0].Message
}

// List returns the entries in canonical order as a JSON array, each as it stands in the file, on lines of two spaces of
// indentation.
func (d *Doc) List() ([]byte, error) {
	var parts [][]byte
	for _, e := range d.Canonical() {
		parts = append(parts, d.JSON.Raw(e.Value))
	}
	out := jsontext.Value(slices.Concat([]byte("["), bytes.Join(parts, []byte(",")), []byte("]")))
	if err := out.Indent(jsontext.WithIndent("  "), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)); err != nil {
		return nil, fmt.Errorf("could not write the entries: %w", err)
	}
	return append(out, '\n'), nil
}
