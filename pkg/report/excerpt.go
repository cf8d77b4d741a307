package report

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"

	"github.com/seed-4419f9ca/forge/pkg/text"
)

const (
	excerptColumns = 100 // what is shown of a line, in columns of the terminal
	excerptLead    = 30  // how much of that stands before the range when the line's beginning is cut off
	excerptBefore  = 1 << 10
	excerptAfter   = 4 << 10 // bytes around the range's start that are looked at
	tabStop        = 4
)

// A cell is one character of a line as it is printed.
type cell struct {
	text       string
	width      int // columns
	start, end int // bytes of the line
}

// excerpt renders one line of a file and, for the row below, the column at which carets begin and how many there are. The
// range runs from byte column start to byte column end, end exclusive; it is moved into the line where it leaves it, and
// an empty one gets one caret. Of a long line only what is near the range's start is shown; the cost does not depend on
// its length.
func excerpt(line []byte, start, end int) (shown string, pad, carets int) {
	start = min(max(start, 1), len(line)+1) - 1
	end = min(max(end-1, start), len(line))
	lo, hi := around(line, start)
	cells := split(line[lo:hi], lo)
	first, last := window(cells, start, lo == 0, hi == len(line))

	var b strings.Builder
	if lo > 0 || first > 0 {
		b.WriteString("…")
		pad = 1
	}
	for _, c := range cells[first:last] {
		b.WriteString(c.text)
		switch {
		case c.end <= start:
			pad += c.width
		case c.start < end:
			carets += c.width
		}
	}
	if hi < len(line) || last < len(cells) {
		b.WriteString("…")
	}
	return b.String(), pad, max(carets, 1)
}

// around returns the byte range of line near offset at that is worth looking at, cut between characters.
func around(line []byte, at int) (lo, hi int) {
	if len(line) <= excerptAfter {
		return 0, len(line)
	}
	lo, hi = max(at-excerptBefore, 0), min(at+excerptAfter, len(line))
	for n := 0; n < utf8.UTFMax && lo > 0 && lo < at && !utf8.RuneStart(line[lo]); n++ {
		lo++
	}
	for n := 0; n < utf8.UTFMax && hi < len(line) && hi > at && !utf8.RuneStart(line[hi]); n++ {
		hi--
	}
	return lo, hi
}

// split makes cells of b, which begins at byte offset of its line.
func split(b []byte, offset int) []cell {
	cells := make([]cell, 0, len(b))
	column := 0
	for i := 0; i < len(b); {
		r, size := utf8.DecodeRune(b[i:])
		c := cell{text: string(b[i : i+size]), start: offset + i, end: offset + i + size}
		if r == '\t' {
			c.width = tabStop - column%tabStop
			c.text = strings.Repeat(" ", c.width)
		} else if safe := text.Escape(c.text); safe != c.text {
			c.text, c.width = safe, len(safe)
		} else {
			c.width = columns(r)
		}
		column += c.width
		cells = append(cells, c)
		i += size
	}
	return cells
}

// columns is how many columns a terminal gives to a printable character.
func columns(r rune) int {
	switch {
	case r < utf8.RuneSelf:
		return 1
	case r == '\u200d', unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// window chooses the cells from first to last (exclusive) that are shown, so that the one with byte start is among them.
// fromBegin and toEnd say whether cells hold the line's beginning and end.
func window(cells []cell, start int, fromBegin, toEnd bool) (first, last int) {
	at, before, total := 0, 0, 0
	for _, c := range cells {
		if c.end <= start {
			at++
			before += c.width
		}
		total += c.width
	}
	if fromBegin && toEnd && total <= excerptColumns {
		return 0, len(cells)
	}
	if !fromBegin || before > excerptColumns-excerptLead {
		first = at
		for lead := 0; first > 0 && lead+cells[first-1].width <= excerptLead; first-- {
			lead += cells[first-1].width
		}
	}
	used := 0
	for last = first; last < len(cells) && used+cells[last].width <= excerptColumns; last++ {
		used += cells[last].width
	}
	return first, last
}
