package mindblock

import (
	"bytes"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/seed-4419f9ca/forge/pkg/markdown"
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

// Anchors returns the anchors of the headings of a Markdown file, in NFC. The error is that of Parse.
func Anchors(src []byte) (map[string]bool, error) {
	slugs := map[string]bool{}
	err := withinLimits(func() {
		for slug := range markdown.Parse(src).Anchors() {
			slugs[norm.NFC.String(slug)] = true
		}
	})
	return slugs, err
}

// Frontmatter returns what stands between the fences of the frontmatter of a file, and the line on which that begins; nil
// without one.
func Frontmatter(src []byte) ([]byte, int) {
	const longest = 64 << 10
	begin := strings.TrimPrefix(string(src[:min(len(src), 8)]), "\ufeff")
	if !strings.HasPrefix(begin, "---") && !strings.HasPrefix(begin, "+++") {
		return nil, 0
	}
	var front markdown.Front
	if withinLimits(func() { front = markdown.Parse(src[:min(len(src), longest)]).Front }) != nil {
		return nil, 0
	}
	return front.Body, front.BodyLine
}
