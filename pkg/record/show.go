package record

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

// shownText is how many bytes of a text a message shows.
const shownText = 120

// shown returns the text of l for people: decoded, on one line, and not too long.
func (l *line) shown() string { return shorten(decode(l.text, l.enc)) }

// decode turns the bytes of a wide encoding into UTF-8. A byte-order mark is left out.
func decode(b []byte, enc encoding) string {
	var order binary.ByteOrder = binary.BigEndian
	switch enc {
	case narrow:
		return string(b)
	case utf16le:
		order = binary.LittleEndian
	}
	units := make([]uint16, 0, len(b)/2)
	for ; len(b) > 1; b = b[2:] {
		units = append(units, order.Uint16(b))
	}
	return strings.TrimPrefix(string(utf16.Decode(units)), "\ufeff")
}

// shorten folds white space and cuts s behind a whole character.
func shorten(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) <= shownText {
		return s
	}
	cut := shownText
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}

// span covers l without its line end.
func (l *line) span() text.Span {
	return text.Span{Start: text.Pos{Line: l.number, Column: 1}, End: text.Pos{Line: l.number, Column: int(l.size) + 1}}
}

// spanFrom covers l from its first difference to o on.
func (l *line) spanFrom(o *line) text.Span {
	s := l.span()
	n := 0
	for n < len(l.text) && n < len(o.text) && l.text[n] == o.text[n] {
		n++
	}
	for n > 0 && n < len(l.text) && l.enc == narrow && !utf8.RuneStart(l.text[n]) {
		n--
	}
	if n < len(l.text) {
		s.Start.Column += n
	}
	return s
}

// continues reports whether l is o and more.
func (l *line) continues(o *line) bool {
	return l.size > o.size && bytes.HasPrefix(l.text, o.text[:min(len(o.text), len(l.text))])
}

// problem starts a problem about line l of the version side.
func problem(slug string, side finding.Side, l *line, message string) Problem {
	return Problem{Slug: slug, Side: side, Span: l.span(), Message: message, Old: -1}
}
