package suppress

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/markdown"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

// A directive is one suppression in a file.
type directive struct {
	allowance
	span        text.Span
	first, last int    // lines that its comment takes up
	body        string // of the comment, with single spaces
	next        int    // first line below the directives that follow one another
	whole       bool   // stands where it covers findings about the whole file
	used        bool
}

// scan finds the suppressions of one file, in the order in which they stand. In Markdown they are HTML comments, as the
// parser sees them; elsewhere they are lines that hold nothing but a comment. JSON has no comments.
func scan(name string, src []byte) []directive {
	if !commentable(name) || !bytes.Contains(src, []byte(keyword)) {
		return nil
	}
	s := &scanner{src: src, lines: text.NewLines(src), heads: map[int]bool{1: true}}
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".markdown":
		defer markdown.In(name)
		s.markdown()
	default:
		if first := s.lines.Text(1); bytes.HasPrefix(first, []byte("#!")) || bytes.HasPrefix(first, []byte("<?xml")) {
			s.heads[2] = true
		}
		s.each(1, s.lines.Count(), lineSigns[:]...)
	}
	s.connect()
	return s.found
}

// commentable reports whether files of this name can hold comments.
func commentable(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".json", ".jsonl", ".ndjson", ".geojson", ".ipynb":
		return false
	}
	return true
}

type scanner struct {
	src   []byte
	lines *text.Lines
	heads map[int]bool // lines that count as line 1, because line 1 itself cannot hold a comment
	found []directive
}

// markdown looks at the comments of a document, at those of its frontmatter, and at those of the YAML in the blocks of claims,
// where a comment of HTML cannot stand on the line before a field.
func (s *scanner) markdown() {
	doc := markdown.Parse(s.src)
	if f := &doc.Front; f.Kind != "" && f.Closed {
		s.heads[f.BodyLine] = true
		end := s.lines.Pos(f.End)
		s.heads[end.Line] = true
		s.each(f.BodyLine, end.Line-1, frontSigns[:]...)
	}
	for _, c := range doc.Comments() {
		if c.Closed {
			s.add(c.Text, c.Start, c.End)
		}
	}
	for _, b := range doc.Blocks {
		if b.Kind == markdown.Fence && b.Info == "claim" && b.Closed {
			s.each(b.Line+1, s.lines.Pos(b.End).Line-1, frontSigns[:]...)
		}
	}
	slices.SortStableFunc(s.found, func(a, b directive) int { return a.first - b.first })
}

// A sign begins a comment; where it has an end, the comment must end with it.
type sign struct{ begin, end string }

var (
	lineSigns  = [...]sign{{"#", ""}, {"//", ""}, {"--", ""}, {";", ""}, {"<!--", "-->"}, {"/*", "*/"}}
	frontSigns = [...]sign{{"#", ""}}
)

// each adds the suppressions among the lines from first to last that hold a comment and nothing else.
func (s *scanner) each(first, last int, signs ...sign) {
	for n := first; n <= last; n++ {
		line := s.lines.Text(n)
		if !bytes.Contains(line, []byte(keyword)) {
			continue
		}
		start := s.lines.Start(n)
		if n == 1 {
			rest := bytes.TrimPrefix(line, []byte("\ufeff"))
			start += len(line) - len(rest)
			line = rest
		}
		trimmed := bytes.TrimLeft(line, " \t")
		start += len(line) - len(trimmed)
		trimmed = bytes.TrimRight(trimmed, " \t")
		if body, ok := inside(string(trimmed), signs); ok {
			s.add(body, start, start+len(trimmed))
		}
	}
}

// inside returns what stands inside the signs of a comment. The last character of a sign that runs to the end of the line
// may be repeated: ##, ///, ;;.
func inside(line string, signs []sign) (string, bool) {
	for _, g := range signs {
		body, ok := strings.CutPrefix(line, g.begin)
		if !ok {
			continue
		}
		if g.end == "" {
			return strings.TrimLeft(body, g.begin[len(g.begin)-1:]), true
		}
		return strings.CutSuffix(body, g.end)
	}
	return "", false
}

func (s *scanner) add(body string, start, end int) {
	a, ok := parse(body)
	if !ok {
		return
	}
	span := s.lines.Span(start, end)
	s.found = append(s.found, directive{
		allowance: a, span: span, first: span.Start.Line, last: span.End.Line, body: strings.Join(strings.Fields(body), " "),
	})
}

// connect works out what each suppression reaches: those on consecutive lines all reach the line below the last one, and
// from the first line of the file on they all cover the whole file.
func (s *scanner) connect() {
	for i := range s.found {
		d := &s.found[i]
		d.whole = s.heads[d.first] || i > 0 && s.found[i-1].whole && s.found[i-1].meets(d)
	}
	for i := len(s.found) - 1; i >= 0; i-- {
		d := &s.found[i]
		d.next = d.last + 1
		if i+1 < len(s.found) && d.meets(&s.found[i+1]) {
			d.next = s.found[i+1].next
		}
	}
}

// meets reports whether e follows d without a line between them.
func (d *directive) meets(e *directive) bool { return e.first <= d.last+1 }
