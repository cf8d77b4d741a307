package jsondoc

import (
	"math/big"
	"slices"
	"strings"
)

// Equal reports whether a and b mean the same JSON value: white space, escapes and the order of members do not count, and
// numbers are compared by their value, so that 1, 1.0 and 10e-1 are equal. Names that stand twice count as they stand.
func Equal(a, b *Value) bool {
	if a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case String:
		return a.Text == b.Text
	case Number:
		return a.Text == b.Text || sameNumber(a.Text, b.Text)
	case Array:
		if len(a.Items) != len(b.Items) {
			return false
		}
		for i := range a.Items {
			if !Equal(&a.Items[i], &b.Items[i]) {
				return false
			}
		}
		return true
	case Object:
		return sameMembers(a.Members, b.Members)
	}
	return true
}

func sameMembers(a, b []Member) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Name != b[i].Name {
			byName := func(x, y Member) int { return strings.Compare(x.Name, y.Name) }
			a, b = slices.Clone(a), slices.Clone(b)
			slices.SortStableFunc(a, byName)
			slices.SortStableFunc(b, byName)
			break
		}
	}
	for i := range a {
		if a[i].Name != b[i].Name || !Equal(&a[i].Value, &b[i].Value) {
			return false
		}
	}
	return true
}

// sameNumber compares two number literals by value and exactly, however long they are.
func sameNumber(a, b string) bool {
	x, y := decimalOf(a), decimalOf(b)
	return x.negative == y.negative && x.digits == y.digits && x.exponent.Cmp(y.exponent) == 0
}

// A decimal is ±0.digits × 10^exponent, with a first and a last digit other than zero; zero has no digits.
type decimal struct {
	negative bool
	digits   string
	exponent *big.Int
}

func decimalOf(s string) decimal {
	d := decimal{exponent: new(big.Int)}
	s, d.negative = strings.CutPrefix(s, "-")
	mantissa, exponent := s, "0"
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		mantissa, exponent = s[:i], strings.TrimPrefix(s[i+1:], "+")
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	all := whole + fraction
	d.digits = strings.TrimLeft(all, "0")
	if d.digits == "" {
		return decimal{exponent: new(big.Int)}
	}
	if len(exponent) > longestExponent {
		return decimal{digits: s, exponent: new(big.Int)} // such a number equals only itself as it is written
	}
	d.exponent.SetString(exponent, 10)
	d.exponent.Add(d.exponent, big.NewInt(int64(len(whole)-(len(all)-len(d.digits)))))
	d.digits = strings.TrimRight(d.digits, "0")
	return d
}

// longestExponent bounds the digits of an exponent, so that a hostile one costs no more than a moment.
const longestExponent = 1000

// IsWhole reports whether the number v is a whole number, and returns it when it fits.
func (v *Value) IsWhole() (n int64, ok bool) {
	if v.Kind != Number {
		return 0, false
	}
	d := decimalOf(v.Text)
	if d.digits == "" {
		return 0, true
	}
	if !d.exponent.IsInt64() || d.exponent.Int64() < int64(len(d.digits)) || d.exponent.Int64() > 18 {
		return 0, false
	}
	for i := int64(0); i < d.exponent.Int64(); i++ {
		n *= 10
		if i < int64(len(d.digits)) {
			n += int64(d.digits[i] - '0')
		}
	}
	if d.negative {
		n = -n
	}
	return n, true
}
