package mindblock

import (
	"unicode"
	"unicode/utf8"

	"github.com/seed-4419f9ca/forge/pkg/markdown"
)

// A Quote is quoted text in a section of a context file: a block quote, or what stands between quotation marks.
type Quote struct {
	Start, End int
	Pause      Number
}

// Quotes lists the quoted text of the PAUSE-<k> sections of a context file. A section runs to the next heading of its own
// level or a higher one. Text in fences and comments is not the owner's. The error is that of Parse.
func Quotes(src []byte) (list []Quote, err error) {
	err = withinLimits(func() { list = quotes(markdown.Parse(src), src) })
	return list, err
}

func quotes(doc *markdown.Doc, src []byte) []Quote {
	var out []Quote
	for _, b := range doc.Blocks {
		pause, ok := sectionPause(doc, b)
		if !ok {
			continue
		}
		list := []*markdown.Block{b}
		for len(list) > 0 {
			b, list = list[0], list[1:]
			switch b.Kind {
			case markdown.Quote:
				out = append(out, Quote{b.Start, b.End, pause})
			case markdown.Paragraph, markdown.Heading, markdown.Row:
				for _, q := range marked(src, b.Start, b.End) {
					out = append(out, Quote{q[0], q[1], pause})
				}
			case markdown.List, markdown.Item, markdown.Table:
				list = append(append([]*markdown.Block{}, b.Children...), list...)
			}
		}
	}
	return out
}

// sectionPause returns the pause in whose section a top-level block stands.
func sectionPause(doc *markdown.Doc, b *markdown.Block) (Number, bool) {
	if n, ok := pauseNumber(doc, b); ok {
		return n, true
	}
	for s := b.Section; s != nil; s = s.Section {
		if n, ok := pauseNumber(doc, s); ok {
			return n, true
		}
	}
	return "", false
}

// marked returns the ranges between quotation marks in the text from start to end. A mark that opens and is never closed
// quotes to the end.
func marked(src []byte, start, end int) [][2]int {
	var out [][2]int
	for at := start; at < end; {
		r, size := utf8.DecodeRune(src[at:end])
		closing := closingMark(r)
		if closing == 0 || !opens(src, start, at, size, end, r) {
			at += size
			continue
		}
		from, to := at+size, closeOf(src, at+size, end, r, closing)
		out = append(out, [2]int{from, to})
		at = to
		if at < end {
			_, size = utf8.DecodeRune(src[at:end])
			at += size
		}
	}
	return out
}

// closingMark returns the quotation mark that closes what r opens, 0 when r is none.
func closingMark(r rune) rune {
	switch r {
	case '"', '\'', '＂':
		return r
	case '“', '„', '‟':
		return '”'
	case '”': // the way some write both
		return '”'
	case '‘', '‚':
		return '’'
	case '«':
		return '»'
	case '»':
		return '«'
	case '‹':
		return '›'
	case '「':
		return '」'
	case '『':
		return '』'
	}
	return 0
}

// opens reports whether the mark r at offset at begins a quotation. A straight mark does unless it stands behind a letter or
// a digit, as an apostrophe and the sign for inches do.
func opens(src []byte, start, at, size, end int, r rune) bool {
	if r != '"' && r != '\'' && r != '»' && r != '”' {
		return true
	}
	before, _ := utf8.DecodeLastRune(src[start:at])
	after, _ := utf8.DecodeRune(src[at+size : end])
	return (at == start || !unicode.IsLetter(before) && !unicode.IsDigit(before)) && at+size < end && !unicode.IsSpace(after)
}

// closeOf returns where the quotation that begins at from ends. A single mark does not close it between letters.
func closeOf(src []byte, from, end int, open, closing rune) int {
	for at := from; at < end; {
		r, size := utf8.DecodeRune(src[at:end])
		if r == closing || open == '„' && r == '“' {
			after, _ := utf8.DecodeRune(src[at+size : end])
			if closing != '\'' && closing != '’' || at+size == end || !unicode.IsLetter(after) {
				return at
			}
		}
		at += size
	}
	return end
}
