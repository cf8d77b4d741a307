// Package nearest finds the known name that somebody who mistyped another one most likely meant.
package nearest

import (
	"strings"
	"unicode/utf8"
)

// maxName bounds, in bytes, the names that are compared, so that a hostile one costs nothing.
const maxName = 64

// Name returns the candidate closest to name, or "" when none is close: at most one edit for each three letters begun,
// and fewer edits than the candidate has letters. An edit inserts, removes or replaces a letter or swaps two neighbours;
// case and the difference between '_' and '-' cost nothing. Of equally close candidates the first wins.
func Name(name string, candidates []string) string {
	if name == "" || len(name) > maxName {
		return ""
	}
	folded := fold(name)
	limit := (len(folded) + 2) / 3
	best, found := limit+1, ""
	for _, c := range candidates {
		if len(c) > maxName || len(c) == 0 {
			continue
		}
		letters := utf8.RuneCountInString(c)
		if d := distance(folded, fold(c)); d < best && d < letters {
			best, found = d, c
		}
	}
	return found
}

func fold(s string) []rune { return []rune(strings.ReplaceAll(strings.ToLower(s), "_", "-")) }

// distance is the optimal string alignment distance of a and b.
func distance(a, b []rune) int {
	before := make([]int, len(b)+1)
	prev := make([]int, len(b)+1)
	cur := make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], before[j-2]+1)
			}
		}
		before, prev, cur = prev, cur, before
	}
	return prev[len(b)]
}
