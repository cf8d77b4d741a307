package markdown

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// likeGoldmark holds that a document that is read without goldmark is the one that goldmark reads. It reports whether the
// document is one of those.
func likeGoldmark(t interface{ Fatalf(string, ...any) }, src []byte) bool {
	plain, full := newDoc(src), newDoc(src)
	if len(src) == 0 || !plain.readPlain(0) {
		return false
	}
	plain.finish()
	full.read(0)
	full.finish()
	if !reflect.DeepEqual(plain, full) {
		t.Fatalf("source %q: %s", src, cmp.Diff(shape(full.Blocks), shape(plain.Blocks)))
	}
	return true
}

func shape(list []*Block) []string {
	var out []string
	walk(list, func(b *Block) bool {
		out = append(out, fmt.Sprintf("%v %d-%d line %d level %d %q task %q html %d closed %v content %v children %d",
			b.Kind, b.Start, b.End, b.Line, b.Level, b.Text, b.Task, b.html, b.Closed, b.Content, len(b.Children)))
		return true
	})
	return out
}

// plainLines are lines of which plain documents are made, and some that make a document another one.
var plainLines = []string{
	"", "", "", "# Title", "## Part `a` & *b*", "####### seven", "#no", "# a #", "#", "- a", "- [x] done: b #tag", "- [ ] open", "- [X] c", "-", "- ", "- [x]",
	"- [a](b)", "- [a]: b", "- **B-1** b", "* s", "+ p", "* * *", "***", "- - -", "- 1. n", "- 2026-01-01: y", "- # h", "- > q", "- `c`", "- ```", "- é", "text", "more text",
	"1. one", "2026 was", "a|b", "-|-", "---", "===", "| a |", "|---|", "**bold** text", "**", "_a_", "``c``", "```", "<!-- c -->", "<!-- ⚠️ c -->", "<!-- c", "<!-- 00", "<!-- --", "<!-- a --> b", "<!-- a --> <!-- b -->",
	"<!-->", "<!-- -->", "<!---->", "<b>", "[a]: /b", "[a]", "> q", "  - nested", "  more", "    code", "(a)", "\"q\"", "@a", "/end", "⚠️ w", "é", "a  ", "\ta", "a\\", "@", "9", "9 a", "1) a", "- 1) a", "-a", "+", "+ +", "- *", "- **", "- [", "- ]", "- [x] - a", "- [ ] # a", "\u00a0", "- \u00a0", "# \u00a0", "# `", "\ufeff", "\x01", "\x1b a", "a\x01", "- \x01a", "\v", "a\f", "- a\x7f", "\x00",
}

func TestPlainLikeGoldmark(t *testing.T) {
	var plain, all int
	for _, a := range plainLines {
		for _, b := range plainLines {
			for _, sep := range []string{"\n", "\n\n"} {
				for _, end := range []string{"", "\n"} {
					all++
					if likeGoldmark(t, []byte(a+sep+b+end)) {
						plain++
					}
				}
			}
		}
	}
	if plain < all/8 {
		t.Errorf("%d of %d documents were read without goldmark", plain, all)
	}
	var kept []string
	for _, l := range plainLines {
		if likeGoldmark(t, []byte(l+"\n")) {
			kept = append(kept, l)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		from := kept
		if rapid.Bool().Draw(t, "any line") {
			from = plainLines
		}
		lines := rapid.SliceOfN(rapid.SampledFrom(from), 1, 30).Draw(t, "lines")
		likeGoldmark(t, []byte(strings.Join(lines, "\n")))
	})
}

func TestPlainDocuments(t *testing.T) {
	for src, want := range map[string]bool{
		"# Done\n\n<!-- ⚠️ APPEND-ONLY — via /end only -->\n\n- [x] A-1: a #backlog\n- [x] A-2: b\n\n## Later\n\nText of\ntwo lines.\n": true,
		"- a\nlazy\n":         false,
		"- a\n  - b\n":        false,
		"a\n---\n":            false,
		"| a |\n|---|\n":      false,
		"# a\r\n":             false,
		"- a\n\ttab\n":        false,
		"<!-- a\nb -->\n":     false,
		"[a]: /b\n":           false,
		"- [a]: /b\n":         false,
		"<div>\n":             false,
		"a  \nb\n":            false,
		"```\n# no\n```\n":    false,
		"1. one\n":            false,
		"text\n\n- a\n\nmore": true,
	} {
		if got := likeGoldmark(t, []byte(src)); got != want {
			t.Errorf("%q: read without goldmark: %v", src, got)
		}
	}
}

func FuzzPlain(f *testing.F) {
	for _, l := range plainLines {
		f.Add([]byte("# T\n\n" + l + "\n- [x] a\n"))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) < MaxText {
			likeGoldmark(t, bytes.Clone(src))
		}
	})
}
