package markdown

import (
	"bytes"
	"sort"
)

// A source is what goldmark reads of a document: the text behind the frontmatter, every line ended by one LF. goldmark
// knows no other line end, and has trouble with a last line that has none.
type source struct {
	doc  []byte // the document
	text []byte
	from int   // offset in the document of the first byte of text
	cut  []int // offsets in text of line ends before which a CR was left out, in order
}

// normalize returns what goldmark reads of src from offset from on.
func normalize(src []byte, from int) source {
	s := source{doc: src, text: src[from:], from: from}
	if n := len(src); src[n-1] != '\n' {
		s.text = append(s.text[:n-from:n-from], '\n')
	}
	if bytes.IndexByte(s.text, '\r') < 0 {
		return s
	}
	out := make([]byte, 0, len(s.text))
	for i, c := range s.text {
		switch {
		case c != '\r':
			out = append(out, c)
		case s.text[i+1] == '\n' && from+i+1 < len(src):
			s.cut = append(s.cut, len(out))
		case from+i+1 < len(src):
			out = append(out, '\n')
		}
	}
	s.text = out
	return s
}

// offset turns an offset in the text into one of the document.
func (s *source) offset(at int) int { return s.from + at + sort.SearchInts(s.cut, at) }

// eol returns the offset of the line end at or after offset at.
func (s *source) eol(at int) int { return at + bytes.IndexByte(s.text[at:], '\n') }

// line returns the line of the document that begins at offset start of the text, pad columns of a tab before it.
func (s *source) line(start, end, pad int) Line {
	return Line{Start: s.offset(start), End: s.offset(end), Pad: pad}
}
