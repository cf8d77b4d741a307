// Package slug makes ids of words (chapter 8.4 of the specification): lower-case ASCII letters and digits in groups that
// hyphens separate.
package slug

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Of returns the slug of s: letters in lower case and without their accents, everything else as single hyphens between
// them. Letters that no Latin letter stands for are dropped. The result is empty when nothing remains.
func Of(s string) string {
	var b strings.Builder
	gap := false
	for _, r := range norm.NFKD.String(s) {
		if unicode.Is(unicode.Mn, r) {
			continue
		}
		letters := latin(unicode.ToLower(r))
		switch {
		case letters == "" && (unicode.IsLetter(r) || unicode.IsNumber(r)):
			continue
		case letters == "":
			gap = true
			continue
		}
		if gap && b.Len() > 0 {
			b.WriteByte('-')
		}
		gap = false
		b.WriteString(letters)
	}
	return b.String()
}

// latin returns the ASCII letters or digits that stand for the lower-case r, "" when there are none. Accents that Unicode
// takes apart are gone already.
func latin(r rune) string {
	if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
		return string(r)
	}
	switch r {
	case 'đ', 'ð', 'ɖ':
		return "d"
	case 'ł', 'ƚ':
		return "l"
	case 'ø':
		return "o"
	case 'æ':
		return "ae"
	case 'œ':
		return "oe"
	case 'ß':
		return "ss"
	case 'þ':
		return "th"
	case 'ħ':
		return "h"
	case 'ı':
		return "i"
	case 'ŧ':
		return "t"
	case 'ŋ':
		return "n"
	case 'ĸ':
		return "k"
	}
	return ""
}

// Or returns the slug of s and, when that is empty, prefix with a hyphen and eight hex digits of a digest of s.
func Or(s, prefix string) string {
	if id := Of(s); id != "" {
		return id
	}
	sum := sha256.Sum256([]byte(s))
	return prefix + "-" + hex.EncodeToString(sum[:4])
}

// Free returns id, or id with the first of -2, -3, … that is not taken.
func Free(id string, taken func(string) bool) string {
	free := id
	for n := 2; taken(free); n++ {
		free = fmt.Sprintf("%s-%d", id, n)
	}
	return free
}

// Valid reports whether s is an id: groups of a to z and 0 to 9 with single hyphens between them (chapter 8.1).
func Valid(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '-' && (i == 0 || i == len(s)-1 || s[i-1] == '-') || c != '-' && (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}
