package mindblock

import (
	"bytes"
	"strings"
)

// A Declared count is what a file says of itself: `markers: N` in its frontmatter. Nobody believes it (chapter 6.3).
type Declared struct {
	Text       string // the value as written
	Start, End int    // bytes of the line within the frontmatter
	Line       int    // counted from 1 within the frontmatter
}

// DeclaredCount finds the count that frontmatter declares; body is what stands between its fences.
func DeclaredCount(body []byte) (Declared, bool) {
	at, number := 0, 0
	for line := range bytes.Lines(body) {
		number++
		s := strings.TrimRight(string(line), "\r\n")
		key, value, ok := strings.Cut(s, ":")
		if !ok || strings.Contains(key, "=") {
			key, value, ok = strings.Cut(s, "=")
		}
		if ok && strings.Trim(key, "\"' \t") == "markers" && key == strings.TrimLeft(key, " \t") {
			if before, _, comment := strings.Cut(value, " #"); comment {
				value = before
			}
			return Declared{strings.Trim(value, "\"' \t"), at, at + len(s), number}, true
		}
		at += len(line)
	}
	return Declared{}, false
}
