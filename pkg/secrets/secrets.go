// Package secrets finds literal secrets in texts that people write: keys, tokens, passwords, private keys and connection
// strings (chapter 6.3 of the specification, check 3). It joins the rule set of gitleaks (rules_gen.go) with rules of its
// own for what stands in running text, in Vietnamese and in English.
//
// Nothing here prints, keeps or returns a secret as text: a Match is a place, and Mask is how one speaks of it. All tables
// are worked out when the first text is scanned, and an expression is compiled only for a text that holds its keyword.
package secrets

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

// A Match is the place of one secret in a text.
type Match struct {
	Start, End int    // bytes of the text
	Kind       string // what it looks like: "password", "private key", or the id of a rule
}

// Mask returns the only form in which a text may mention a secret: the first 8 hex digits of its SHA-256 in brackets.
func Mask(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return "[masked " + hex.EncodeToString(sum[:4]) + "]"
}

// Find returns the secrets in src, in order and without overlaps. Masked ones are none. Case, Unicode normal form, width
// and characters that nobody sees make no difference.
func Find(src []byte) []Match {
	list, _ := Scan(src)
	return list
}

// Scan is Find, and says whether all of src was looked at: a text that is made to cost as much as possible is not.
func Scan(src []byte) (list []Match, whole bool) {
	t := clean(src)
	f := &finder{text: t}
	f.keyBlocks()
	f.locators()
	f.scanWords()
	f.scanRules()
	return t.back(join(f.found)), !f.partial
}

// Redact returns s with each secret in it masked. A text that was not looked at to its end is masked as a whole.
func Redact(s string) string {
	list, whole := Scan([]byte(s))
	if !whole {
		return Mask(s)
	}
	if len(list) == 0 {
		return s
	}
	var b strings.Builder
	at := 0
	for _, m := range list {
		b.WriteString(s[at:m.Start])
		b.WriteString(Mask(s[m.Start:m.End]))
		at = m.End
	}
	b.WriteString(s[at:])
	return b.String()
}

// A finder collects what is found in one text.
type finder struct {
	*text
	found []Match // in the cleaned text
	// shapedTo is the end of the last stretch of signs that began like a token of a known shape.
	shapedTo int
	partial  bool // not everything was looked at
}

func (f *finder) add(start, end int, kind string) {
	if start < end {
		f.found = append(f.found, Match{start, end, kind})
	}
}

// join sorts matches and joins those that overlap; the kind of a joined one is that of the match that was found first.
func join(list []Match) []Match {
	rank := make(map[Match]int, len(list))
	for i, m := range list {
		if _, ok := rank[m]; !ok {
			rank[m] = i
		}
	}
	best := slices.Clone(list)
	slices.SortStableFunc(best, func(a, b Match) int { return a.Start - b.Start })
	out := best[:0]
	order := 0
	for _, m := range best {
		if n := len(out); n > 0 && m.Start < out[n-1].End {
			if rank[m] < order {
				out[n-1].Kind, order = m.Kind, rank[m]
			}
			out[n-1].End = max(out[n-1].End, m.End)
			continue
		}
		out, order = append(out, m), rank[m]
	}
	return out
}
