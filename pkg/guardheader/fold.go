package guardheader

import (
	"bytes"
	"strings"
	"unicode"
)

// sign is the warning sign that headers begin with, without the selector that makes it colourful.
const sign = "\u26a0"

// fold brings a header into the form in which headers are compared (chapter 4.2): without what has no width, with
// white space and case folded, and with dashes, hyphens and colons as one sign that needs no space around it.
func fold(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	space := false
	last := '-' // as behind a dash, white space at the start goes
	for _, r := range s {
		switch {
		case invisible(r):
			continue
		case unicode.IsSpace(r):
			space = true
			continue
		case dash(r):
			r = '-'
			space = false
		default:
			r = unicode.ToLower(r)
		}
		if space && last != '-' {
			b.WriteByte(' ')
		}
		space = false
		b.WriteRune(r)
		last = r
	}
	return b.String()
}

// invisible reports whether r has no width: format characters, variation selectors and joiners.
func invisible(r rune) bool {
	return r > 0x7f && (unicode.In(r, unicode.Cf, unicode.Variation_Selector) || r == '\u034f' || r == '\u115f' || r == '\u1160' || r == '\u3164')
}

// dash reports whether r counts as the dash of a header.
func dash(r rune) bool {
	switch r {
	case '-', ':', '\u2212', '\ufe58', '\ufe63', '\uff0d', '\uff1a':
		return true
	}
	return r >= '\u2010' && r <= '\u2015'
}

// Candidate reports whether src can hold a header at all. It costs one search where every header of the rows has the
// warning sign, and is true for everything else.
func (rs *Rows) Candidate(src []byte) bool {
	return !rs.signed || bytes.Contains(src, []byte(sign))
}
