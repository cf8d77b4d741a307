package guardheader

import (
	"fmt"
	"strings"
	"unicode"
)

// maxCompared bounds the characters of a line that are compared one by one.
const maxCompared = 500

// maxDifferences bounds how many differences are named.
const maxDifferences = 3

// differences says in words which code points of got are not those of want, such as `U+002D "-" stands for U+2014 "—"`.
func differences(got, want string) string {
	g, w := []rune(got), []rune(want)
	if len(g) > maxCompared {
		return fmt.Sprintf("it has %d characters instead of %d", len(g), len(w))
	}
	var list []string
	i, j := 0, 0
	table := common(g, w)
	for i < len(g) || j < len(w) {
		if i < len(g) && j < len(w) && g[i] == w[j] {
			i, j = i+1, j+1
			continue
		}
		// A stretch without a common character: its characters stand for one another in their order.
		from, to := i, j
		for (i < len(g) || j < len(w)) && (i == len(g) || j == len(w) || g[i] != w[j]) {
			if j == len(w) || i < len(g) && table[i+1][j] >= table[i][j+1] {
				i++
			} else {
				j++
			}
		}
		list = append(list, stretch(g[from:i], w[to:j])...)
	}
	if n := len(list); n > maxDifferences {
		list = append(list[:maxDifferences], fmt.Sprintf("%d more", n-maxDifferences))
	}
	return strings.Join(list, ", ")
}

// common returns the lengths of the longest common subsequences of the rests of a and b.
func common(a, b []rune) [][]int {
	t := make([][]int, len(a)+1)
	for i := range t {
		t[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				t[i][j] = t[i+1][j+1] + 1
			} else {
				t[i][j] = max(t[i+1][j], t[i][j+1])
			}
		}
	}
	return t
}

// stretch words one stretch of differences.
func stretch(got, want []rune) []string {
	n := min(len(got), len(want))
	if n > 3 {
		return []string{fmt.Sprintf("%q stands for %q", string(got), string(want))}
	}
	var list []string
	for i := range n {
		list = append(list, point(got[i])+" stands for "+point(want[i]))
	}
	for _, r := range got[n:] {
		list = append(list, point(r)+" is too much")
	}
	for _, r := range want[n:] {
		list = append(list, point(r)+" is missing")
	}
	return list
}

// point names a code point, and shows it when it can be seen.
func point(r rune) string {
	name := fmt.Sprintf("U+%04X", r)
	names := map[rune]string{
		' ': "space", '\t': "tab", '\u00a0': "no-break space", '\u202f': "narrow no-break space", '\u200b': "zero-width space",
		'\u200d': "zero-width joiner", '\ufeff': "byte-order mark", '\ufe0e': "text variation selector",
		'\ufe0f': "emoji variation selector", '\u00ad': "soft hyphen",
	}
	switch text, ok := names[r]; {
	case ok:
		return name + " " + text
	case r == unicode.ReplacementChar:
		return "a byte that is no UTF-8"
	case unicode.IsPrint(r) && !unicode.Is(unicode.Mn, r):
		return name + " " + string('"') + string(r) + string('"')
	}
	return name
}
