// Package text holds places in a file and small edits of it: positions, spans, line tables, byte edits, and the one rule
// for showing untrusted text on a terminal.
package text

import (
	"bytes"
	"fmt"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Pos is a place in a file. Line and Column count from 1; Column counts bytes. The zero Pos means "no place".
type Pos struct {
	Line   int `json:"line"`
	Column int `json:"column"`
}

// A Span runs from Start to End, End exclusive. The zero Span stands for the whole file.
type Span struct {
	Start, End Pos
}

// IsZero reports whether s stands for the whole file.
func (s Span) IsZero() bool { return s.Start.Line == 0 }

// Lines finds lines and positions in one file. A line ends with LF; the CR of a CRLF belongs to the line's end.
type Lines struct {
	src    []byte
	starts []int
}

// NewLines indexes src, which must not change afterwards.
func NewLines(src []byte) *Lines {
	l := &Lines{src: src, starts: make([]int, 1, 1+bytes.Count(src, []byte{'\n'}))}
	for i := 0; ; {
		n := bytes.IndexByte(src[i:], '\n')
		if n < 0 {
			break
		}
		i += n + 1
		if i < len(src) {
			l.starts = append(l.starts, i)
		}
	}
	return l
}

// Count returns the number of lines; an empty file has one.
func (l *Lines) Count() int { return len(l.starts) }

// Start returns the byte offset at which the 1-based line begins; a line past the end begins at the end of the file.
func (l *Lines) Start(line int) int {
	if line < 1 {
		return 0
	}
	if line > len(l.starts) {
		return len(l.src)
	}
	return l.starts[line-1]
}

// Text returns the 1-based line without its line end, or nil when there is no such line.
func (l *Lines) Text(line int) []byte {
	if line < 1 || line > len(l.starts) {
		return nil
	}
	end := len(l.src)
	if line < len(l.starts) {
		end = l.starts[line]
	}
	t := l.src[l.starts[line-1]:end]
	t = bytes.TrimSuffix(t, []byte{'\n'})
	return bytes.TrimSuffix(t, []byte{'\r'})
}

// Pos turns a byte offset into a position; offsets outside the file are moved to its nearest end.
func (l *Lines) Pos(offset int) Pos {
	offset = min(max(offset, 0), len(l.src))
	i := sort.SearchInts(l.starts, offset+1) - 1
	return Pos{Line: i + 1, Column: offset - l.starts[i] + 1}
}

// Span turns the byte range from start to end into a span.
func (l *Lines) Span(start, end int) Span {
	return Span{Start: l.Pos(start), End: l.Pos(end)}
}

// LineSpan returns the span of a 1-based line without its line end.
func (l *Lines) LineSpan(line int) Span {
	return Span{Start: Pos{line, 1}, End: Pos{line, len(l.Text(line)) + 1}}
}

// An Edit replaces the bytes from Start to End of a file by New.
type Edit struct {
	Start, End int
	New        []byte
}

// Apply returns src with edits applied. Edits may come in any order but must lie inside src and must not overlap; two
// insertions at one place are applied in the order given.
func Apply(src []byte, edits []Edit) ([]byte, error) {
	sorted := append([]Edit(nil), edits...)
	sort.SliceStable(sorted, func(i, j int) bool { return sorted[i].Start < sorted[j].Start })
	var out bytes.Buffer
	at := 0
	for _, e := range sorted {
		if e.Start < at || e.End < e.Start || e.End > len(src) {
			return nil, fmt.Errorf("could not apply edit: bytes %d to %d overlap another edit or leave the file of %d bytes", e.Start, e.End, len(src))
		}
		out.Write(src[at:e.Start])
		out.Write(e.New)
		at = e.End
	}
	out.Write(src[at:])
	return out.Bytes(), nil
}

// Escape makes s safe to print on one line of a terminal: control and format characters, line separators and bytes that
// are no UTF-8 become \xNN, \uNNNN or the short escapes \n, \r and \t. Everything else stays.
func Escape(s string) string {
	clean := true
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < 0x20 || c >= 0x7f {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size <= 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x20 || r == 0x7f:
			fmt.Fprintf(&b, `\x%02x`, r)
		case invisible(r):
			if r > 0xffff {
				fmt.Fprintf(&b, `\U%08x`, r)
			} else {
				fmt.Fprintf(&b, `\u%04x`, r)
			}
		default:
			b.WriteString(s[i : i+size])
		}
		i += size
	}
	return b.String()
}

// invisible reports whether a terminal would act on r, or hide it, instead of showing it. The zero width joiner and the
// variation selectors are part of ordinary words and signs and stay.
func invisible(r rune) bool {
	switch r {
	case '\u200d', '\ufe0e', '\ufe0f':
		return false
	case '\u2028', '\u2029':
		return true
	}
	return unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Cf, r)
}
