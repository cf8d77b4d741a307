package mindblock

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Number is the number of a block, a pause or a session as it is written in decimal digits. It has no upper bound:
// numbers that no integer holds are compared all the same.
type Number string

// leadingNumber returns the digits at the start of s, unless a letter, a digit of another script or an underscore follows.
func leadingNumber(s string) (Number, bool) {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	if n == 0 {
		return "", false
	}
	if r, _ := utf8.DecodeRuneInString(s[n:]); r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
		return "", false
	}
	return Number(s[:n]), true
}

// Value returns the number without leading zeros.
func (n Number) Value() string {
	if v := strings.TrimLeft(string(n), "0"); v != "" {
		return v
	}
	return "0"
}

// Plain reports whether the number is written without leading zeros.
func (n Number) Plain() bool { return n.Value() == string(n) }

// IsZero reports whether n is 0.
func (n Number) IsZero() bool { return n.Value() == "0" }

// Compare returns -1, 0 or 1 as n is less than, equal to or greater than o.
func (n Number) Compare(o Number) int {
	a, b := n.Value(), o.Value()
	if len(a) != len(b) {
		if len(a) < len(b) {
			return -1
		}
		return 1
	}
	return strings.Compare(a, b)
}
