package record

import (
	"bytes"
	"strings"
	"sync"

	"github.com/seed-4419f9ca/forge/pkg/markdown"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

// An EntryKind is the form in which an entry is written.
type EntryKind string

// The forms of entries.
const (
	ItemEntry   EntryKind = "item"
	RowEntry    EntryKind = "row"
	HeaderEntry EntryKind = "header" // the header row of a table
	ProseEntry  EntryKind = "prose"  // any other block
	LineEntry   EntryKind = "line"   // a line of a file that is not Markdown
)

// An Entry is one entry of a list: an item with its continuation lines, a row of a table, a block of prose. Frontmatter,
// headings, comments and blank lines are no entries, and an item's nested items are entries of their own.
type Entry struct {
	Kind    EntryKind
	Heading string   // the headings it stands under without those of level 1, which head the whole file; "" before the first one
	Path    []string // texts of all headings above it, the outermost first
	Task    byte     // 'x' or ' ' of a task item, 0 for anything else
	Text    string   // without marker, check mark and indentation; line ends are LF; the cells of a row are joined by " | "
	Cells   []string // of a row
	Columns []string // of a row: the cells of the header
	Quoted  bool     // it stands in a quote
	Nested  int      // depth of an item below a top-level item
	Parent  int      // index of the entry whose item holds it, -1 for none
	Line    int
	Span    text.Span // its first line without indentation

	under []heading
}

// IDs returns the ids that e begins with, see LeadingIDs; of a row its first cell counts, of a numbered block the heading is
// the id.
func (e *Entry) IDs() []string {
	switch {
	case e.Kind == BlockEntry:
		return []string{e.Heading}
	case e.Kind == ItemEntry:
		return LeadingIDs(e.Text)
	case e.Kind == RowEntry && len(e.Cells) > 0:
		return LeadingIDs(e.Cells[0])
	}
	return nil
}

// key is what must stay the same: text, check mark, form, and place.
func (e *Entry) key() string { return e.place() + "\x00" + e.body() }

// same reports whether the keys of e and o are equal.
func (e *Entry) same(o *Entry) bool {
	return e.Text == o.Text && e.Heading == o.Heading && e.Task == o.Task && e.Kind == o.Kind && e.Quoted == o.Quoted && e.Nested == o.Nested
}

func (e *Entry) body() string { return string(e.Kind) + "\x00" + string(e.Task) + "\x00" + e.Text }

func (e *Entry) place() string {
	quoted := ""
	if e.Quoted {
		quoted = ">"
	}
	return e.Heading + "\x00" + quoted + strings.Repeat("-", e.Nested)
}

// Shown returns the text of e for people, on one line.
func (e *Entry) Shown() string {
	if e.Kind == BlockEntry {
		return shorten(e.Heading + ": " + e.Text)
	}
	return shorten(e.mark() + e.Text)
}

func (e *Entry) mark() string {
	if e.Task != 0 {
		return "[" + string(e.Task) + "] "
	}
	return ""
}

// A Listing is one version of a list.
type Listing struct {
	Doc     *markdown.Doc // nil for a file that is not Markdown
	Entries []Entry
	lines   *text.Lines
	// headings holds the headings under which entries stand.
	headings map[string]bool
	// hidden holds the lines that a reader of the rendered document does not see, or sees as an example only, without
	// marks and with white space folded, and where each stands first.
	hidden func() map[string]text.Span // worked out when first asked for; nil when there is none
	crlf   int                         // lines that end with CRLF, and all lines that have an end
	ended  int
}

// hasHeading reports whether any entry stands under the heading t.
func (l *Listing) hasHeading(t string) bool { return l.headings[t] }

// ParseList reads the entries of a Markdown document. UTF-16 with a byte-order mark is decoded first. A top-level block of
// one line is left out when skip, which may be nil, says so: that is for headers that are no comments to a parser.
func ParseList(src []byte, skip func(line string) bool) *Listing {
	if enc := encodingOf(src); enc != narrow {
		src = []byte(decode(src, enc))
	}
	return entriesOf(markdown.Parse(src), skip)
}

// ListOf is ParseList for a document that somebody else has parsed already, which must be the whole of its source.
func ListOf(doc *markdown.Doc, skip func(line string) bool) *Listing {
	if encodingOf(doc.Src) != narrow {
		return ParseList(doc.Src, skip)
	}
	return entriesOf(doc, skip)
}

func entriesOf(doc *markdown.Doc, skip func(line string) bool) *Listing {
	l := newListing(doc.Src, doc.Lines())
	l.Doc = doc
	l.reserve()
	w := walker{Listing: l, place: Entry{Parent: -1}}
	for _, b := range l.Doc.Blocks {
		if u := l.Doc.UnclosedComment; u >= 0 && b.Start >= u {
			break // a browser hides what follows
		}
		if skip == nil || b.Kind != markdown.Paragraph || len(b.Content) != 1 || !skip(string(doc.Src[b.Start:b.End])) {
			w.top(b)
		}
	}
	l.hidden = sync.OnceValue(l.hiddenLines)
	return l
}

// ParseLines reads each line of a file as an entry, blank lines and those that skip names left out; skip may be nil.
func ParseLines(src []byte, skip func(number int) bool) *Listing {
	l := newListing(src, text.NewLines(src))
	for n := 1; n <= l.lines.Count(); n++ {
		t := l.lines.Text(n)
		if len(bytes.TrimSpace(t)) > 0 && (skip == nil || !skip(n)) {
			l.Entries = append(l.Entries, Entry{Kind: LineEntry, Text: string(t), Parent: -1, Line: n, Span: l.lines.LineSpan(n)})
		}
	}
	return l
}

func newListing(src []byte, lines *text.Lines) *Listing {
	return &Listing{
		lines: lines, headings: map[string]bool{},
		crlf: bytes.Count(src, []byte("\r\n")), ended: bytes.Count(src, []byte("\n")),
	}
}

// reserve makes room for the entries of l.Doc, so that they are not copied again and again.
func (l *Listing) reserve() {
	n := len(l.Doc.Blocks)
	l.Doc.Walk(func(b *markdown.Block) bool {
		if b.Kind == markdown.Item || b.Kind == markdown.Row {
			n++
		}
		return true
	})
	l.Entries = make([]Entry, 0, n)
}

// usesCRLF reports whether most lines end with CRLF.
func (l *Listing) usesCRLF() bool { return l.crlf*2 > l.ended }

// A walker collects entries. place holds what is common to those it is about to find.
type walker struct {
	*Listing
	place   Entry
	section *markdown.Block
	started bool
}

// top takes in a top-level block.
func (w *walker) top(b *markdown.Block) {
	if !w.started || b.Section != w.section {
		w.started, w.section = true, b.Section
		w.place.Path, w.place.under = nil, nil
		path := w.Doc.Path(b)
		for i, h := range path {
			level, t := w.heading(h)
			w.place.Path = append(w.place.Path, t)
			if level > 1 || i == len(path)-1 {
				w.place.under = append(w.place.under, heading{t, h.Line})
			}
		}
		w.place.Heading = joined(w.place.under)
	}
	w.block(b)
}

// A heading is one of those that an entry stands under, with its line.
type heading struct {
	text string
	line int
}

func joined(path []heading) string {
	texts := make([]string, len(path))
	for i, h := range path {
		texts[i] = h.text
	}
	return strings.Join(texts, " › ")
}

func (w *walker) heading(h *markdown.Block) (level int, text string) {
	if level, t, ok := w.Doc.HTMLHeading(h); ok {
		return level, fold(t)
	}
	return h.Level, fold(h.Text)
}

// block takes in a block that is no part of an item.
func (w *walker) block(b *markdown.Block) {
	switch b.Kind {
	case markdown.Heading, markdown.Comment, markdown.Rule:
	case markdown.List:
		for _, item := range b.Children {
			w.item(item)
		}
	case markdown.Quote:
		was := w.place.Quoted
		w.place.Quoted = true
		for _, c := range b.Children {
			w.block(c)
		}
		w.place.Quoted = was
	case markdown.Table:
		w.table(b)
	default:
		if _, _, heading := w.Doc.HTMLHeading(b); !heading && !w.Doc.OnlyComments(b) {
			w.add(b, ProseEntry, w.leaf(b))
		}
	}
}

// item takes in an item, and then the items nested in it.
func (w *walker) item(b *markdown.Block) {
	var lists []*markdown.Block
	var t string
	if c := b.Children; len(c) == 1 && c[0].Kind == markdown.Paragraph {
		t = w.leaf(c[0])
	} else {
		var parts []string
		w.parts(b, &parts, &lists)
		t = strings.Join(parts, "\n")
	}
	task := b.Task
	if task != 0 {
		t = trimTask(t)
	}
	e := w.add(b, ItemEntry, t)
	e.Task = task
	was := w.place
	w.place.Parent, w.place.Nested = len(w.Entries)-1, w.place.Nested+1
	for _, l := range lists {
		w.block(l)
	}
	w.place = was
}

// parts collects the texts of the blocks of an item, and its nested lists.
func (w *walker) parts(b *markdown.Block, texts *[]string, lists *[]*markdown.Block) {
	for _, c := range b.Children {
		switch c.Kind {
		case markdown.List:
			*lists = append(*lists, c)
		case markdown.Comment:
		case markdown.Quote:
			*texts = append(*texts, ">")
			w.parts(c, texts, lists)
		case markdown.Table:
			for _, r := range c.Children {
				*texts = append(*texts, strings.Join(cellTexts(r), " | "))
			}
		default:
			if !w.Doc.OnlyComments(c) {
				*texts = append(*texts, w.leaf(c))
			}
		}
	}
}

// trimTask takes the check mark from the beginning of an item's text.
func trimTask(t string) string {
	if len(t) >= 3 && t[0] == '[' && t[2] == ']' {
		return strings.TrimLeft(t[3:], " \t")
	}
	return t
}

// leaf returns the text of a block without children: of running text the trimmed lines, of code the lines as they are.
func (w *walker) leaf(b *markdown.Block) string {
	if b.Kind == markdown.Paragraph && len(b.Content) == 1 {
		return strings.Trim(b.Text, " \t\r")
	}
	var lines []string
	for _, l := range b.Content {
		t := strings.Repeat(" ", l.Pad) + string(w.Doc.Src[l.Start:l.End])
		if t = strings.TrimRight(t, " \t\r"); b.Kind != markdown.Fence && b.Kind != markdown.Code {
			t = strings.TrimLeft(t, " \t")
		}
		lines = append(lines, t)
	}
	t := strings.Join(lines, "\n")
	switch b.Kind {
	case markdown.Fence:
		return "```" + b.Info + "\n" + t
	case markdown.Heading:
		return "# " + t
	}
	return t
}

func (w *walker) table(b *markdown.Block) {
	var columns []string
	for i, r := range b.Children {
		cells := cellTexts(r)
		kind := RowEntry
		if i == 0 {
			kind, columns = HeaderEntry, cells
		}
		e := w.add(r, kind, strings.Join(cells, " | "))
		e.Cells, e.Columns = cells, columns
	}
}

func cellTexts(r *markdown.Block) []string {
	out := make([]string, len(r.Cells))
	for i, c := range r.Cells {
		out[i] = fold(c.Text)
	}
	return out
}

// add appends an entry at the place where the walker is. The result is valid until the next call.
func (w *walker) add(b *markdown.Block, kind EntryKind, t string) *Entry {
	if n := len(w.Entries); n == 0 || w.Entries[n-1].Heading != w.place.Heading {
		w.headings[w.place.Heading] = true
	}
	w.Entries = append(w.Entries, w.place)
	e := &w.Entries[len(w.Entries)-1]
	e.Kind, e.Text, e.Line = kind, strings.TrimSpace(t), b.Line
	e.Span = w.lines.LineSpan(b.Line)
	e.Span.Start.Column = b.Start - w.lines.Start(b.Line) + 1
	if kind == ProseEntry && (b.Kind == markdown.Fence || b.Kind == markdown.Code) {
		e.Text = strings.Trim(t, "\n")
	}
	return e
}

// fold makes each run of white space one space.
func fold(s string) string { return strings.Join(strings.Fields(s), " ") }

// Select returns the entries of l that keep wants, without their places: a comparison of such listings finds what was
// edited or lost, and takes entries under any heading and in any nesting for what they were.
func (l *Listing) Select(keep func(*Entry) bool) *Listing {
	out := *l
	out.Entries, out.headings = nil, map[string]bool{"": true}
	for i := range l.Entries {
		if !keep(&l.Entries[i]) {
			continue
		}
		e := l.Entries[i]
		e.Heading, e.Nested, e.Parent, e.Quoted = "", 0, -1, false
		out.Entries = append(out.Entries, e)
	}
	return &out
}
