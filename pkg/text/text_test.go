package text_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/seed-4419f9ca/forge/pkg/text"
)

func TestLines(t *testing.T) {
	src := "one\r\n\nthrée\nlast"
	l := text.NewLines([]byte(src))
	if l.Count() != 4 {
		t.Fatalf("%d lines", l.Count())
	}
	for i, want := range []string{"one", "", "thrée", "last"} {
		if got := string(l.Text(i + 1)); got != want {
			t.Errorf("line %d: %q, want %q", i+1, got, want)
		}
	}
	if p := l.Pos(strings.Index(src, "e\nlast")); p != (text.Pos{Line: 3, Column: 6}) {
		t.Errorf("columns count bytes: %v", p)
	}
	if l.Text(0) != nil || l.Text(5) != nil {
		t.Error("there is a line outside the file")
	}
	if s := l.LineSpan(1); s.End.Column != 4 {
		t.Errorf("a line's end belongs to no span: %v", s)
	}
}

// Each offset has one position, and the position leads back to it.
func TestPosLeadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := rapid.StringMatching(`[ab\r\n]{0,30}`).Draw(t, "src")
		l := text.NewLines([]byte(src))
		offset := rapid.IntRange(0, len(src)).Draw(t, "offset")
		if p := l.Pos(offset); l.Start(p.Line)+p.Column-1 != offset {
			t.Fatalf("offset %d of %q is at %v", offset, src, p)
		}
	})
}

func TestApply(t *testing.T) {
	edits := []text.Edit{{Start: 4, End: 5, New: []byte("X")}, {Start: 0, End: 0, New: []byte("> ")}, {Start: 0, End: 0, New: []byte("+ ")}}
	got, err := text.Apply([]byte("ab cd"), edits)
	if err != nil || string(got) != "> + ab cX" {
		t.Errorf("%q, %v", got, err)
	}
	for _, bad := range [][]text.Edit{
		{{Start: 0, End: 3}, {Start: 2, End: 4}},
		{{Start: 3, End: 2}},
		{{Start: 0, End: 6}},
	} {
		if _, err := text.Apply([]byte("ab cd"), bad); err == nil {
			t.Errorf("%v is applied", bad)
		}
	}
}

func TestEscape(t *testing.T) {
	for in, want := range map[string]string{
		"kho/ca sáng.wal": "kho/ca sáng.wal",
		"a\nb\tc\rd":      `a\nb\tc\rd`,
		"\x1b[31mred":     `\x1b[31mred`,
		"qu\xe9n":         `qu\xe9n`,
		"a\u202eb":        `a\u202eb`,
		"⚠️":              "⚠️",
		"\u009b31m":       `\u009b31m`,
	} {
		if got := text.Escape(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// Nothing that a terminal acts on comes through.
func TestEscapeIsSafe(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		out := text.Escape(string(rapid.SliceOf(rapid.Byte()).Draw(t, "in")))
		if !utf8.ValidString(out) {
			t.Fatalf("%q is no UTF-8", out)
		}
		for _, r := range out {
			if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
				t.Fatalf("%q holds %U", out, r)
			}
		}
	})
}
