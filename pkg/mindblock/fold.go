package mindblock

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// foldLabel brings a label, a verdict or a declaration to the form in which it is compared: Unicode NFC, any case, white
// space as single spaces (chapter 6.2).
func foldLabel(s string) string {
	if ascii(s) {
		return strings.ToLower(strings.Join(strings.Fields(s), " "))
	}
	return strings.ToLower(strings.Join(strings.Fields(norm.NFC.String(s)), " "))
}

// foldName brings part of a file name, or of a heading that looks like another, to the form in which likeness is judged:
// any case, any Unicode normal form, without characters that nobody sees.
func foldName(s string) string {
	s = norm.NFKC.String(s)
	s = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return foldRune(r)
	}, s)
	return norm.NFKC.String(s)
}

// foldRune returns the one rune that stands for all runes which differ from r in case only.
func foldRune(r rune) rune {
	if r < unicode.MaxASCII {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}
	least := r
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		least = min(least, f)
	}
	if 'A' <= least && least <= 'Z' {
		return least + 'a' - 'A'
	}
	return least
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
