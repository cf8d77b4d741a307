package drift_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/seed-4419f9ca/forge/pkg/parsertest"
)

// TestWords says in short what changed in a definition.
func TestWords(t *testing.T) {
	long := strings.Repeat("lorem ipsum ", 20)
	cases := []struct{ name, before, after, want string }{
		{"an operator", "a > b", "a >= b", "> became >="},
		{"a call", "a", "load(a, b.c[0])", "load( is new, , b.c[0]) is new"},
		{"a statement", "a", "a\n    go(1)", "go(1) is new"},
		{"nothing left", "a and b", "a", "and b is gone"},
		{"the beginning of a long text", `"` + long + `a"`, `"x` + long + `a"`, `"lorem ipsum lorem ipsum lorem ipsum lorem ipsum… became "xlorem ipsum`},
		{"the end of a long text", `"` + long + `a"`, `"` + long + `b"`, "…lorem ipsum a\" became …lorem ipsum b\""},
		{"a letter of two bytes at the cut", `"` + strings.Repeat("é", 40) + `"`, `"a"`, ""},
		{"many", "f(1, a, 2, b, 3, c, 4, d, 5)", "f(9, a, 8, b, 7, c, 6, d, 0)", "1 became 9, 2 became 8, 3 became 7, and 2 more changes"},
		{"a tab in a text", `"a b"`, "\"a\tb\"", ""},
		{"a line of its own", "\"\"\"a\nb\"\"\"", "\"\"\"a\nc\"\"\"", ""},
		{"bytes", `b"a"`, `b"c"`, `b"a" became b"c"`},
		{"a text becomes bytes", `"a"`, `b"a"`, `"a" became b"a"`},
		{"an escape", "\"a\x1b[31m\"", `"b"`, ""},
		{"no UTF-8", "\"a\xff\xfe\"", "\"a\xff\xfd\"", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := wordsOf(t, "def f(a, b, c, d):\n    return "+c.before+"\n", "def f(a, b, c, d):\n    return "+c.after+"\n")
			t.Logf("%s", got)
			if got == "" || c.want != "" && !strings.Contains(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if !utf8.ValidString(got) || strings.ContainsAny(got, "\n\t\r") || len(got) > 400 {
				t.Errorf("nobody can print %q", got)
			}
			if lost, won, ok := strings.Cut(got, " became "); ok && lost == won {
				t.Errorf("%q says nothing", got)
			}
		})
	}
}

// wordsOf returns what the judge says about one edit.
func wordsOf(t testing.TB, before, after string) string {
	base := files{"a.py": before, store: claims([]string{"a.py#f"})}
	p := history(plain(base)...)
	_, results := judge(t, parsertest.Engine(), p.staged(plain(base.with(files{"a.py": after}))[0]))
	if results[0].Status != "stale" {
		t.Fatalf("%q to %q is %s", before, after, line(results[0]))
	}
	return results[0].Words
}

// TestWordsLaw holds that every edit of a text is said in a line that can be printed.
func TestWordsLaw(t *testing.T) {
	texts := rapid.StringMatching(`[ a-eé漢.,()\x{1b}\x{85}\x{200b}-]{0,90}`)
	rapid.Check(t, func(r *rapid.T) {
		a, b := texts.Draw(r, "before"), texts.Draw(r, "after")
		if a == b {
			return
		}
		got := wordsOf(t, "def f():\n    return \"x"+a+"\"\n", "def f():\n    return \"x"+b+"\"\n")
		if got == "" || !utf8.ValidString(got) || strings.ContainsAny(got, "\n\r\u0085") || len(got) > 400 {
			r.Fatalf("%q to %q: %q", a, b, got)
		}
		if lost, won, ok := strings.Cut(got, " became "); ok && lost == won {
			r.Fatalf("%q to %q: %q says nothing", a, b, got)
		}
	})
}
