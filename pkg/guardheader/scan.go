package guardheader

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"github.com/seed-4419f9ca/forge/pkg/markdown"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

// A Guard is one known header in a file.
type Guard struct {
	Row        *Row
	Start, End int  // of the comment, without white space around it
	Placed     bool // it stands where a header belongs
	Above      bool // it stands above a frontmatter and so switches it off
	Exact      bool // its line holds the header and nothing else, byte for byte
	Older      bool // it is an older wording
	Spelling   string

	comment    string // as written
	header     string // folded
	line, stop int    // its line without the line end
}

// Is reports whether g is the header of r, exactly or leniently. Rows can share a header.
func (g *Guard) Is(r *Row) bool {
	if r == nil {
		return false
	}
	if g.comment == r.Header || g.header == fold(r.Header) {
		return true
	}
	for _, o := range r.Older {
		if g.header == fold(o) {
			return true
		}
	}
	return false
}

// A Place is a range of bytes with its text.
type Place struct {
	Start, End int
	Text       string
}

// A Scan tells what guards a file has.
type Scan struct {
	Guards []Guard // in the order of the file
	// Unknown are comments with a warning sign in a header's place that are no known header.
	Unknown []Place
	// Unreadable says in words why a Markdown file cannot be read for certain, "" when it can; UnreadableAt is the offset.
	// What could be recognised all the same is in the other fields.
	Unreadable   string
	UnreadableAt int
	// UnclosedComment is the offset of a comment that never closes and hides what follows, or -1.
	UnclosedComment int
	// UnclosedFront reports whether a frontmatter opens on the first line and never closes.
	UnclosedFront bool
	// Above is the first thing that stands above the opening line of a frontmatter and switches it off; nil when there is
	// none. Fence is the offset of that opening line.
	Above *Place
	Fence int

	carries bool
	place   place
	syntax  *syntax // nil for Markdown
	src     []byte
	doc     *markdown.Doc
	path    string
	rows    *Rows
	front   bool // a frontmatter counts
}

// A place is where a header belongs: at is the offset behind the line after which it stands, or of the first byte that it
// may take when nothing stands before it.
type place struct {
	at    int
	after bool // a line stands before it
}

// Carries reports whether the file can carry a header: Markdown, and text in a language whose comments are known. JSON,
// binary files and text of an unknown kind cannot (chapter 4.3).
func (s *Scan) Carries() bool { return s.carries }

// Find scans the file src, which stands at path. The name says what language it is, for files without a known name the
// shebang. Every input has an answer.
//
// Text of an unknown kind is scanned too, with the comment signs that are common, because a header in it binds like any
// other; it is only never asked to have one.
func (rs *Rows) Find(path string, src []byte) *Scan {
	s := &Scan{UnclosedComment: -1, src: src, path: path, rows: rs}
	if IsMarkdown(path) {
		s.carries = true
		defer markdown.In(path)
		s.markdown(rs)
		return s
	}
	s.syntax, s.carries = syntaxOf(path, src)
	if binary(src) {
		s.carries = false
		return s
	}
	s.source(rs)
	return s
}

// Right returns the guards that are the header of r.
func (s *Scan) Right(r *Row) []*Guard {
	var out []*Guard
	for i := range s.Guards {
		if s.Guards[i].Is(r) {
			out = append(out, &s.Guards[i])
		}
	}
	return out
}

// Other returns the guards that are not the header of r.
func (s *Scan) Other(r *Row) []*Guard {
	var out []*Guard
	for i := range s.Guards {
		if !s.Guards[i].Is(r) {
			out = append(out, &s.Guards[i])
		}
	}
	return out
}

// guard makes a Guard of the comment between two offsets, which belongs to row. Its line begins at offset line; want says
// how the header is written here.
func (s *Scan) guard(row *Row, comment string, line, start, end int, want func(*Row) string) Guard {
	g := Guard{Row: row, Start: start, End: end, comment: comment, header: s.rows.fold(comment), line: line, stop: lineEnd(s.src, end)}
	g.Older = g.header != s.rows.fold(row.Header)
	got, exact := string(s.src[g.line:g.stop]), want(row)
	switch {
	case g.Older:
		g.Spelling = "it is an older wording"
	case got != exact:
		g.Spelling = differences(got, exact)
	default:
		g.Exact = true
	}
	return g
}

// lineStart returns the start of the line that holds offset at, behind a byte-order mark at the start of the file.
func lineStart(src []byte, at int) int {
	from := bytes.LastIndexAny(src[:at], "\r\n") + 1
	if from == 0 && bytes.HasPrefix(src, []byte(bom)) {
		return len(bom)
	}
	return from
}

// lineEnd returns the end of the line that holds offset at, before its line end.
func lineEnd(src []byte, at int) int {
	if n := bytes.IndexAny(src[at:], "\r\n"); n >= 0 {
		return at + n
	}
	return len(src)
}

const bom = "\ufeff"

// unreadable says why src cannot be read as text, and where; "" when it can.
func unreadable(src []byte) (string, int) {
	switch {
	case bytes.HasPrefix(src, []byte("\xff\xfe")), bytes.HasPrefix(src, []byte("\xfe\xff")):
		return "it is UTF-16", 0
	}
	if n := bytes.IndexByte(src, 0); n >= 0 {
		return "it holds a NUL byte, as binary files and UTF-16 do", n
	}
	if utf8.Valid(src) && bytes.IndexByte(src, '\r') < 0 {
		return "", 0
	}
	for i := 0; i < len(src); {
		r, size := utf8.DecodeRune(src[i:])
		if r == utf8.RuneError && size == 1 {
			return fmt.Sprintf("the byte 0x%02x is no UTF-8", src[i]), i
		}
		if r == '\r' && (i+1 == len(src) || src[i+1] != '\n') {
			return "a line ends with a carriage return alone", i
		}
		i += size
	}
	return "", 0
}

// binary reports whether src is no text in which a comment could stand.
func binary(src []byte) bool {
	return bytes.IndexByte(src, 0) >= 0 || bytes.HasPrefix(src, []byte("\xff\xfe")) || bytes.HasPrefix(src, []byte("\xfe\xff"))
}

// Lines indexes the lines of the scanned file, for positions.
func (s *Scan) Lines() *text.Lines { return text.NewLines(s.src) }

// Doc returns the document that a Markdown file is, nil for another file. It must not be changed.
func (s *Scan) Doc() *markdown.Doc {
	if s.doc == nil && IsMarkdown(s.path) {
		defer markdown.In(s.path)
		return markdown.Parse(s.src)
	}
	return s.doc
}

// Forget lets go of the document, which takes several times the memory of its source. Doc parses it again.
func (s *Scan) Forget() { s.doc = nil }

// Source returns the scanned bytes, which must not be changed.
func (s *Scan) Source() []byte { return s.src }
