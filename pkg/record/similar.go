package record

import (
	"strings"
	"unicode/utf8"
)

// nearlySame is the nearness from which two texts at one place count as an old and a new wording of one entry.
const nearlySame = 0.5

// renumbered is the nearness from which two entries with different ids count as one whose id changed.
const renumbered = 0.8

// near says how near the text of e is to that of o, ids and tags left aside.
func (e *Entry) near(o *Entry) float64 {
	n := nearness(head(e.core()), head(o.core()))
	if n < renumbered && len(e.IDs()) > 0 && len(o.IDs()) > 0 {
		return 0
	}
	return n
}

// comparedText is how much of a text, in bytes, decides whether it is near another.
const comparedText = 2000

func head(s string) string { return s[:min(len(s), comparedText)] }

// core returns the text of e without the ids at its beginning and the tags at its end.
func (e *Entry) core() string {
	s := e.Text
	for _, id := range e.IDs() {
		if _, rest, ok := strings.Cut(s, id); ok {
			s = strings.TrimLeft(rest, " \t\n:;,|*_`])~—–-")
		}
	}
	for {
		i := strings.LastIndexAny(s, " \n")
		if !strings.HasPrefix(s[i+1:], "#") {
			break
		}
		s = strings.TrimRight(s[:max(i, 0)], " \n")
	}
	if s == "" {
		return e.Text
	}
	return s
}

// nearness says how near two texts are to each other, from 0 for nothing in common to 1: by the pairs of neighbouring
// characters that both have, or by what they share at their beginning and end, whichever is more. A text that goes on
// where the other one ends is as near as can be.
func nearness(a, b string) float64 {
	if a == "" || b == "" {
		return 0
	}
	if strings.HasPrefix(a, b) || strings.HasPrefix(b, a) {
		return 1
	}
	return max(dice(a, b), affixes(a, b))
}

// dice is twice the number of common pairs divided by the number of all pairs.
func dice(a, b string) float64 {
	x, y := pairs(a), pairs(b)
	common, total := 0, 0
	for p, n := range x {
		common += min(n, y[p])
		total += n
	}
	for _, n := range y {
		total += n
	}
	return 2 * float64(common) / float64(total)
}

// pairs counts the pairs of neighbouring characters of s, with its ends as characters.
func pairs(s string) map[[2]rune]int {
	m := make(map[[2]rune]int, len(s))
	var last rune
	for _, r := range s {
		m[[2]rune{last, r}]++
		last = r
	}
	m[[2]rune{last, 0}]++
	return m
}

// affixes is the part of the longer text that both texts share at their beginning and at their end.
func affixes(a, b string) float64 {
	x, y := []rune(a), []rune(b)
	n, shorter := 0, min(len(x), len(y))
	for n < shorter && x[n] == y[n] {
		n++
	}
	m := 0
	for m < shorter-n && x[len(x)-1-m] == y[len(y)-1-m] {
		m++
	}
	return float64(n+m) / float64(max(utf8.RuneCountInString(a), utf8.RuneCountInString(b)))
}
