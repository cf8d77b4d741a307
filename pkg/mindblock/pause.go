package mindblock

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-4419f9ca/forge/pkg/markdown"
)

// A Pause is one PAUSE-<k> heading of a context file.
type Pause struct {
	Start, End int // bytes of the heading
	Number     Number
}

// pauseWord begins the text of a pause's heading, and a pointer to one.
const pauseWord = "PAUSE-"

// Pauses lists the PAUSE-<k> headings of a context file, of any level: those that stand for themselves, not in a fence, a
// quote, a list or a comment. Most files are answered without parsing them. The error is that of Parse.
func Pauses(src []byte) (list []Pause, err error) {
	if !bytes.Contains(src, []byte(pauseWord)) {
		return nil, nil
	}
	if list, ok := scanPauses(src); ok {
		return list, nil
	}
	err = withinLimits(func() { list = parsedPauses(markdown.Parse(src)) })
	return list, err
}

func parsedPauses(doc *markdown.Doc) []Pause {
	var out []Pause
	for _, b := range doc.Blocks {
		if n, ok := pauseNumber(doc, b); ok {
			out = append(out, Pause{b.Start, b.End, n})
		}
	}
	return out
}

// pauseNumber returns the number of the pause that a block of a document heads.
func pauseNumber(doc *markdown.Doc, b *markdown.Block) (Number, bool) {
	s := b.Text
	if b.Kind != markdown.Heading {
		var ok bool
		if _, s, ok = doc.HTMLHeading(b); !ok {
			return "", false
		}
	}
	s = strings.TrimLeftFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	rest, ok := strings.CutPrefix(s, pauseWord)
	if !ok {
		return "", false
	}
	return leadingNumber(rest)
}

// scanPauses answers by looking at single lines, where that is certain to agree with the parser: every line that could be a
// fence, a heading with the word, or HTML begins in the first column, where no list and no quote can hold it. It is not ok
// for any other file.
func scanPauses(src []byte) (list []Pause, ok bool) {
	at := 0
	if bytes.HasPrefix(src, []byte("\ufeff")) {
		at = 3
	}
	if bytes.IndexByte(src, '\r') >= 0 {
		return nil, false
	}
	var fence byte // sign of the fence that is open
	width, first := 0, true
	for at < len(src) {
		end := bytes.IndexByte(src[at:], '\n')
		if end < 0 {
			end = len(src)
		} else {
			end += at
		}
		line := src[at:end]
		if first && len(line) > 2 && (string(line[:3]) == "---" || string(line[:3]) == "+++") {
			return nil, false // frontmatter
		}
		first = false
		indent := 0
		for indent < len(line) && (line[indent] == ' ' || line[indent] == '\t') {
			indent++
		}
		switch text := line[indent:]; {
		case len(text) == 0:
		case fence != 0:
			if n := run(text, fence); n >= width && len(bytes.TrimLeft(text[n:], " \t")) == 0 {
				if indent > 0 {
					return nil, false
				}
				fence = 0
			}
		case text[0] == '`' || text[0] == '~':
			n := run(text, text[0])
			if n < 3 || text[0] == '`' && bytes.IndexByte(text[n:], '`') >= 0 {
				break
			}
			if indent > 0 {
				return nil, false
			}
			fence, width = text[0], n
		case text[0] == '<':
			return nil, false
		case bytes.Contains(text, []byte(pauseWord)):
			p, sure := scanHeading(src, at, end)
			switch {
			case !sure || indent > 0 && text[0] == '#' || underlined(src, end):
				return nil, false
			case p.Number != "":
				list = append(list, p)
			}
		}
		at = end + 1
	}
	return list, true
}

// run returns how many times c stands at the start of s.
func run(s []byte, c byte) int {
	n := 0
	for n < len(s) && s[n] == c {
		n++
	}
	return n
}

// scanHeading reads a line as an ATX heading in the first column; it is sure when the parser must agree. A line that is no
// heading has no number.
func scanHeading(src []byte, start, end int) (p Pause, sure bool) {
	level := run(src[start:end], '#')
	if level == 0 || level > 6 {
		return Pause{}, true
	}
	text := src[start+level : end]
	if len(text) > 0 && text[0] != ' ' && text[0] != '\t' {
		return Pause{}, true
	}
	rest, ok := bytes.CutPrefix(bytes.Trim(text, " \t"), []byte(pauseWord))
	if !ok {
		return Pause{}, false // the word stands further back, or behind marks that only the parser reads
	}
	n := 0
	for n < len(rest) && rest[n] >= '0' && rest[n] <= '9' {
		n++
	}
	// What follows the number may be markup; white space and nothing are certain.
	if n == 0 || n < len(rest) && rest[n] != ' ' && rest[n] != '\t' {
		return Pause{}, false
	}
	return Pause{start, end, Number(rest[:n])}, true
}

// underlined reports whether the line behind the one that ends at end could make a setext heading of the lines above it.
func underlined(src []byte, end int) bool {
	for at := end + 1; at < len(src); {
		next := bytes.IndexByte(src[at:], '\n')
		if next < 0 {
			next = len(src)
		} else {
			next += at
		}
		line := bytes.Trim(src[at:next], " \t>")
		if len(line) == 0 {
			return false
		}
		if run(line, '=') == len(line) || run(line, '-') == len(line) {
			return true
		}
		at = next + 1
	}
	return false
}

// A Pointer is a PAUSE-<k> that stands in the notes.
type Pointer struct {
	Start, End int
	Number     Number
}

// PausePointers lists the pointers to pauses in src, wherever they stand.
func PausePointers(src []byte) []Pointer {
	var out []Pointer
	for at := 0; ; {
		i := bytes.Index(src[at:], []byte(pauseWord))
		if i < 0 {
			return out
		}
		start := at + i
		at = start + len(pauseWord)
		before, _ := utf8.DecodeLastRune(src[:start])
		n, ok := leadingNumber(string(src[at:min(at+maxDigits, len(src))]))
		if !ok || start > 0 && (before == '_' || before == '-' || unicode.IsLetter(before) || unicode.IsDigit(before)) {
			continue
		}
		at += len(n)
		out = append(out, Pointer{start, at, n})
	}
}

// maxDigits is how far a number is looked at when a pointer is read, in bytes.
const maxDigits = 64
