package syntax

import (
	"bytes"
	"strings"
	"testing"

	"github.com/seed-4419f9ca/forge/pkg/fingerprint"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

// fixed returns the lines of src, 1-based, whose beginnings or ends lie within one token: layout is content there.
func fixed(t *testing.T, a *analyzer, language, src string) map[int]bool {
	t.Helper()
	r, reason, err := a.read(language, []byte(src))
	if err != nil || r == nil {
		t.Fatalf("%s: %s, %v", language, reason, err)
	}
	lines := text.NewLines([]byte(src))
	inside := map[int]bool{}
	for _, k := range r.toks[:r.size] {
		first := lines.Pos(int(k.start)).Line
		for n := range strings.Count(k.text, "\n") + 1 {
			if n > 0 {
				inside[first+n], inside[first+n-1] = true, true
			}
		}
	}
	if language == "yaml" || language == "toml" { // the texts of their tokens are values, which have fewer lines
		written := strings.Split(src, "\n")
		for n, k := range r.toks[:r.size] {
			first, next := lines.Pos(int(k.start)).Line, len(written)
			if n+1 < int(r.size) {
				next = lines.Pos(int(r.toks[n+1].start)).Line
			}
			if k.kind == "key" || next == first {
				continue
			}
			for at := first; at < next; at++ {
				if at > first && strings.TrimSpace(written[at-1]) != "" && !strings.HasPrefix(strings.TrimSpace(written[at-1]), "#") && !strings.HasPrefix(written[at-1], "[") {
					for line := first; line <= at; line++ {
						inside[line] = true
					}
				}
			}
		}
	}
	return inside
}

// layouts are edits of lines that mean nothing in a language; inside says where they must not be made.
func layouts(language, src string, inside map[int]bool) map[string]string {
	comment := map[string]string{
		"python": "#", "ruby": "#", "bash": "#", "elixir": "#", "hcl": "#", "yaml": "#", "toml": "#", "sql": "--", "lua": "--", "php": "//",
		"ocaml": "(* note *)", "css": "/* note */", "html": "<!-- note -->", "tsx": "", "javascript": "", "markdown": "", // markup has other comments
	}
	sign, special := comment[language]
	if !special {
		sign = "//"
	}
	edit := func(f func(b *strings.Builder, n int, line string)) string {
		var b strings.Builder
		n := 0
		for line := range strings.Lines(src) {
			n++
			f(&b, n, strings.TrimSuffix(line, "\n"))
		}
		return b.String()
	}
	out := map[string]string{
		"trailing blanks": edit(func(b *strings.Builder, n int, line string) {
			b.WriteString(line)
			if !inside[n] && !strings.HasSuffix(line, `\`) {
				b.WriteString(" \t ")
			}
			b.WriteString("\n")
		}),
		"blank lines": edit(func(b *strings.Builder, n int, line string) {
			b.WriteString(line + "\n")
			if !(inside[n] && inside[n+1]) && !strings.HasSuffix(line, `\`) {
				b.WriteString("\n")
			}
		}),
		"no final line end": strings.TrimRight(src, "\n"),
	}
	if language != "yaml" && language != "markdown" {
		out["indentation"] = edit(func(b *strings.Builder, n int, line string) {
			indent := len(line) - len(strings.TrimLeft(line, " \t"))
			if inside[n] {
				indent = 0
			}
			b.WriteString(strings.Repeat(line[:indent], 2) + line[indent:] + "\n")
		})
	}
	if sign != "" {
		out["comments"] = edit(func(b *strings.Builder, n int, line string) {
			if !(inside[n-1] && inside[n]) && line != "" && n > 1 && !followsContinuation(src, n) {
				indent := len(line) - len(strings.TrimLeft(line, " \t"))
				b.WriteString(line[:indent] + sign + " a note\n")
			}
			b.WriteString(line + "\n")
		})
		if language == "ocaml" || language == "css" || language == "html" {
			out["comments"] = strings.ReplaceAll(out["comments"], sign+" a note", sign)
		}
	}
	return out
}

// followsContinuation reports whether the line before the n-th ends with a sign that joins it to the next.
func followsContinuation(src string, n int) bool {
	lines := strings.Split(src, "\n")
	return n >= 2 && strings.HasSuffix(strings.TrimSpace(lines[n-2]), `\`)
}

// TestLayoutMeansNothing edits the layout of the samples: neither the file nor any of its definitions may change.
func TestLayoutMeansNothing(t *testing.T) {
	a := analyzerFor(t)
	for _, s := range samples() {
		language := s.language
		src := s.text(t)
		before := see(t, a, language, src)
		for name, edited := range layouts(language, src, fixed(t, a, language, src)) {
			if language == "markdown" && name != "no final line end" {
				continue // blanks at the end of a line are a break, and blank lines end paragraphs
			}
			after := see(t, a, language, edited)
			if after.Note != "" {
				t.Errorf("%s, %s: %s", s.file, name, after.Note)
				continue
			}
			if before.Digest.Whole != after.Digest.Whole {
				t.Errorf("%s: %s change the file", s.file, name)
			}
			compare(t, s.file+": "+name, before, after)
		}
	}
}

func compare(t *testing.T, what string, before, after *fingerprint.File) {
	t.Helper()
	if len(before.Definitions) != len(after.Definitions) {
		t.Errorf("%s: %d definitions became %d", what, len(before.Definitions), len(after.Definitions))
		return
	}
	for i, d := range before.Definitions {
		if e := after.Definitions[i]; d.Name != e.Name || d.Digest.Whole != e.Digest.Whole || d.Digest.Signature != e.Digest.Signature || d.Digest.Body != e.Digest.Body {
			t.Errorf("%s change %q", what, d.Name)
		}
	}
}

// TestEveryTokenCounts changes names and numbers in the samples one at a time: the file has to change, and every definition
// on whose lines the token alone stands.
func TestEveryTokenCounts(t *testing.T) {
	a := analyzerFor(t)
	for _, s := range samples() {
		language := s.language
		src := []byte(s.text(t))
		before := see(t, a, language, string(src))
		r, _, err := a.read(language, src)
		if err != nil {
			t.Fatal(err)
		}
		tried, step := 0, 1+int(r.size)/150
		for n, k := range r.toks[:r.size] {
			word := leadingWord(src[k.start:])
			if !k.leaf || k.doc || word == "" || n%step != 0 {
				continue
			}
			edited := bytes.Clone(src)
			if c := &edited[k.start]; *c >= '0' && *c <= '8' {
				*c++
			} else {
				edited = append(append(append([]byte{}, src[:k.start]...), 'q'), src[k.start:]...)
			}
			after, err := a.File(language, edited)
			if err != nil {
				t.Fatal(err)
			}
			tried++
			if after.Digest.Whole == before.Digest.Whole {
				t.Errorf("%s: %q at byte %d does not count", s.file, word, k.start)
			}
		}
		if tried < 5 {
			t.Errorf("%s: only %d tokens were tried", s.file, tried)
		}
	}
}

func leadingWord(s []byte) string {
	n := 0
	for n < len(s) && (s[n] >= '0' && s[n] <= '9' || s[n] >= 'a' && s[n] <= 'z' || s[n] >= 'A' && s[n] <= 'Z' || s[n] == '_') {
		n++
	}
	return string(s[:n])
}

// TestDroppedLinesCount takes single lines out of the samples: unless nothing but punctuation or a comment goes, the file
// has to change.
func TestDroppedLinesCount(t *testing.T) {
	a := analyzerFor(t)
	for _, s := range samples() {
		language := s.language
		src := s.text(t)
		before := see(t, a, language, src)
		r, _, err := a.read(language, []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		index := text.NewLines([]byte(src))
		words := map[int]bool{} // lines on which a token begins that is more than punctuation
		for _, k := range r.toks[:r.size] {
			if k.leaf && !k.doc && strings.ContainsFunc(k.text, func(r rune) bool { return r > ' ' && !strings.ContainsRune("()[]{},;|", r) }) {
				words[index.Pos(int(k.start)).Line] = true
			}
		}
		lines := strings.SplitAfter(src, "\n")
		for n := range lines {
			if !words[n+1] {
				continue
			}
			edited := strings.Join(lines[:n], "") + strings.Join(lines[n+1:], "")
			if after := see(t, a, language, edited); after.Digest.Whole == before.Digest.Whole {
				t.Errorf("%s: line %d does not count: %s", s.file, n+1, lines[n])
			}
		}
	}
}
