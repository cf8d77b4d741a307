package guardheader_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-4419f9ca/forge/pkg/guardheader"
)

func TestFix(t *testing.T) {
	rows := defaults(t)
	for _, test := range []struct{ name, src, want string }{
		{"under the title", "# T\n\ntext\n", "# T\n\n" + done + "\n\ntext\n"},
		{"no blank line under the title", "# T\ntext\n", "# T\n\n" + done + "\n\ntext\n"},
		{"many blank lines", "# T\n\n\n\ntext\n", "# T\n\n" + done + "\n\n\ntext\n"},
		{"title alone", "# T\n", "# T\n\n" + done + "\n"},
		{"title and blank lines", "# T\n\n\n", "# T\n\n" + done + "\n\n"},
		{"title without a line end", "# T", "# T\n\n" + done},
		{"setext title, CRLF", "T\r\n=\r\ntext", "T\r\n=\r\n\r\n" + done + "\r\n\r\ntext"},
		{"byte-order mark and CRLF", "\ufeff# T\r\n\r\n- a\r\n- b", "\ufeff# T\r\n\r\n" + done + "\r\n\r\n- a\r\n- b"},
		{"mixed line ends", "# T\r\n\na\nb\n", "# T\r\n\r\n" + done + "\r\n\na\nb\n"},
		{"frontmatter", "---\na: 1\n---\n\n# T\n", "---\na: 1\n---\n\n" + done + "\n\n# T\n"},
		{"frontmatter without a blank line", "---\na: 1\n---\n# T\n", "---\na: 1\n---\n\n" + done + "\n\n# T\n"},
		{"frontmatter at the end of the file", "---\na: 1\n---", "---\na: 1\n---\n\n" + done},
		{"no title", "text\n", done + "\n\ntext\n"},
		{"no title, blank lines", "\n\ntext\n", done + "\n\n\ntext\n"},
		{"byte-order mark, no title", "\ufefftext", "\ufeff" + done + "\n\ntext"},
		{"empty", "", done + "\n"},
		{"white space", "  ", done + "\n  "},
		{"before a comment", "# T\n<!-- a -->\n", "# T\n\n" + done + "\n\n<!-- a -->\n"},
		{"HTML title", "<h1>T</h1>\n\ntext\n", "<h1>T</h1>\n\n" + done + "\n\ntext\n"},
		{"beside an unknown guard", "# T\n\n<!-- ⚠️ mine -->\n\ntext\n", "# T\n\n" + done + "\n\n<!-- ⚠️ mine -->\n\ntext\n"},

		{"from the end", "# T\n\ntext\n\n" + done + "\n", "# T\n\n" + done + "\n\ntext\n"},
		{"from the end without a line end", "# T\n\ntext\n\n" + done, "# T\n\n" + done + "\n\ntext"},
		{"from above", done + "\n\n# T\n\ntext\n", "# T\n\n" + done + "\n\ntext\n"},
		{"from between", "# T\n\na\n" + done + "\nb\n", "# T\n\n" + done + "\n\na\n\nb\n"},
		{"from below the title with a frontmatter", "---\na: 1\n---\n# T\n" + done + "\n\ntext\n", "---\na: 1\n---\n\n" + done + "\n\n# T\n\ntext\n"},
		{"misplaced and misspelt, CRLF", "# T\r\n\r\ntext\r\n<!-- ⚠ append-only: /end or /backlog clean only (C2) -->\r\nmore\r\n", "# T\r\n\r\n" + done + "\r\n\r\ntext\r\n\r\nmore\r\n"},

		{"spelling", "# T\n\n  <!-- ⚠ APPEND-ONLY - /end or /backlog clean only (C2) --> \ntext", "# T\n\n" + done + "\ntext"},
		{"older wording", "# T\n<!-- ⚠️ APPEND-ONLY: Write via /end or /backlog clean only (C2) -->\n", "# T\n" + done + "\n"},
		{"right", "# T\n" + done + "\n", "# T\n" + done + "\n"},
		{"twice", "# T\n" + done + "\n\n" + strings.ToLower(done) + "\n", "# T\n" + done + "\n\n" + done + "\n"},
		{"right, and something unclosed", "# T\n" + done + "\n\n<!--", "# T\n" + done + "\n\n<!--"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := rows.Find(path, []byte(test.src))
			edits, err := s.Fix(rows.Key("done"))
			if err != nil {
				t.Fatal(err)
			}
			if got := apply(t, test.src, edits); got != test.want {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}

func TestFixOfOtherLanguages(t *testing.T) {
	rows := defaults(t, guardheader.Row{Key: "ops", Header: "<!-- ⚠️ G -->", Paths: []string{"**"}})
	for _, test := range []struct{ path, src, want string }{
		{"a.sh", "#!/bin/sh\necho\n", "#!/bin/sh\n\n# ⚠️ G\n\necho\n"},
		{"a.sh", "echo\n", "# ⚠️ G\n\necho\n"},
		{"a.sh", "# ⚠️ G\n#!/bin/sh\necho\n", "#!/bin/sh\n\n# ⚠️ G\n\necho\n"},
		{"a.sh", "# ⚠️ G\n\n#!/bin/sh\r\necho", "#!/bin/sh\r\n\r\n# ⚠️ G\r\n\r\necho"},
		{"a.py", "#!/usr/bin/python\n# coding=utf8\n\"\"\"x\"\"\"\n", "#!/usr/bin/python\n# coding=utf8\n\n# ⚠️ G\n\n\"\"\"x\"\"\"\n"},
		{"a.yaml", "%YAML 1.2\n---\na: 1\n", "%YAML 1.2\n\n# ⚠️ G\n\n---\na: 1\n"},
		{"a.go", "package a\n", "// ⚠️ G\n\npackage a\n"},
		{"a.css", "a {}\n", "/* ⚠️ G */\n\na {}\n"},
		{"a.css", "/* ⚠ G*/\na {}\n", "/* ⚠️ G */\na {}\n"},
		{"a.go", "/* ⚠ G */\npackage a\n", "/* ⚠️ G */\npackage a\n"},
		{"a.xml", "<?xml version=\"1.0\"?><a/>\n", "<?xml version=\"1.0\"?>\n\n<!-- ⚠️ G -->\n\n<a/>\n"},
		{"a.xml", "<?xml version=\"1.0\"?><!-- ⚠️ G -->\n<a/>\n", "<?xml version=\"1.0\"?><!-- ⚠️ G -->\n<a/>\n"},
		{"a.xml", "<?xml version=\"1.0\"?> <!-- ⚠ G-->\n<a/>\n", "<?xml version=\"1.0\"?><!-- ⚠️ G -->\n<a/>\n"},
		{"a.html", "<!doctype html>\n<html>", "<!doctype html>\n\n<!-- ⚠️ G -->\n\n<html>"},
		{"Dockerfile", "# syntax=a\nFROM b\n", "# syntax=a\n\n# ⚠️ G\n\nFROM b\n"},
		{"a.bat", "@echo off\r\ndir\r\n", "@echo off\r\n\r\nREM ⚠️ G\r\n\r\ndir\r\n"},
		{"a.mdx", "---\na: 1\n---\n# T\n", "---\na: 1\n---\n\n{/* ⚠️ G */}\n\n# T\n"},
	} {
		s := rows.Find(test.path, []byte(test.src))
		edits, err := s.Fix(rows.Key("ops"))
		if err != nil {
			t.Errorf("%s %q: %v", test.path, test.src, err)
			continue
		}
		if got := apply(t, test.src, edits); got != test.want {
			t.Errorf("%s\ngot  %q\nwant %q", test.path, got, test.want)
		}
	}
}

func TestFixRefuses(t *testing.T) {
	rows := defaults(t)
	for _, test := range []struct {
		path, src string
		want      error
	}{
		{path, "---\na: 1\n\n# T\n", guardheader.ErrUnclosedFront},
		{path, "# T\n\n<!-- a\n", guardheader.ErrUnclosedComment},
		{path, "# T\n\ntext\n\n" + done + "\n\n<!-- a\n", guardheader.ErrUnclosedComment},
		{path, "# T\r\rtext", guardheader.ErrUnreadable},
		{path, "# T\n" + hot + "\n", guardheader.ErrOther},
		{path, done + "\n---\na: b\n---\n", guardheader.ErrAbove},
		{path, done + "\n---\n# T\n---\n", guardheader.ErrMeaning},
		{path, done + "\n---\ntext\n---\n", guardheader.ErrMeaning},
		{"a.json", "{}", guardheader.ErrNoComments},
		{"a.sh", "a\x00", guardheader.ErrNoComments},
	} {
		edits, err := rows.Find(test.path, []byte(test.src)).Fix(rows.Key("done"))
		if !errors.Is(err, test.want) || edits != nil {
			t.Errorf("%q: %v and %v, want %v", test.src, edits, err, test.want)
		}
	}
}

func TestLower(t *testing.T) {
	rows := defaults(t)
	for _, test := range []struct{ src, want string }{
		{"\ufeff" + done + "\r\n\r\n---\r\na: b\r\n---\r\n# T", "\ufeff---\r\na: b\r\n---\r\n\r\n" + done + "\r\n\r\n# T"},
		{done + "\n---\na: b\n---\n" + done + "\n", "---\na: b\n---\n" + done + "\n"},
		{"<!-- a -->\n" + done + "\n---\na: b\n---\n", ""},
		{"\n---\na: b\n---\n", ""},
		{"# T\n" + done + "\n", ""},
	} {
		edits := rows.Find(path, []byte(test.src)).Lower(rows.Key("done"))
		want := test.want
		if want == "" {
			want = test.src
		}
		if got := apply(t, test.src, edits); got != want || test.want == "" && edits != nil {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
}

// fixed holds what is true of every fix: it loses and adds nothing but the header and blank lines, leaves nothing to say
// of the header, and is done after one time.
func fixed(t interface{ Fatalf(string, ...any) }, rows *guardheader.Rows, path string, src []byte) {
	row := rows.Key("done")
	s := rows.Find(path, src)
	edits, err := s.Fix(row)
	if err != nil || edits == nil {
		return
	}
	out := src
	slices.SortFunc(edits, func(a, b edit) int { return b.Start - a.Start })
	for i, e := range edits {
		if e.Start < 0 || e.End < e.Start || e.End > len(src) || i > 0 && e.End > edits[i-1].Start {
			t.Fatalf("edit %d to %d of %q overlaps another or leaves the file", e.Start, e.End, src)
		}
		out = slices.Concat(out[:e.Start], e.New, out[e.End:])
	}
	again := rows.Find(path, out)
	placed := 0
	for _, g := range again.Right(row) {
		if !g.Exact {
			t.Fatalf("%q became %q, where the spelling is wrong: %s", src, out, g.Spelling)
		}
		if g.Placed {
			placed++
		}
	}
	if placed == 0 {
		t.Fatalf("%q became %q, where no header stands in its place", src, out)
	}
	if more, err := again.Fix(row); err != nil || len(more) > 0 {
		t.Fatalf("%q became %q, and a second fix still has %v (%v)", src, out, more, err)
	}
	if a, b := bare(rows, path, src), bare(rows, path, out); a != b {
		t.Fatalf("%q became %q: what is not header has changed", src, out)
	}
	if bytes.HasPrefix(src, []byte("\ufeff")) && !bytes.HasPrefix(out, []byte("\ufeff")) {
		t.Fatalf("%q became %q: the byte-order mark is gone", src, out)
	}
	if n := len(src); n > 0 && len(bytes.TrimSpace(bytes.TrimPrefix(src, []byte("\ufeff")))) > 0 && (src[n-1] == '\n') != (out[len(out)-1] == '\n') {
		t.Fatalf("%q became %q: the end of the file has changed", src, out)
	}
}

// bare returns src without the header, white space and line ends.
func bare(rows *guardheader.Rows, path string, src []byte) string {
	s := rows.Find(path, src)
	right := s.Right(rows.Key("done"))
	for i := len(right) - 1; i >= 0; i-- {
		src = slices.Concat(src[:right[i].Start], src[right[i].End:])
	}
	return strings.NewReplacer(" ", "", "\t", "", "\r", "", "\n", "", "\ufeff", "").Replace(string(src))
}

var pieces = []string{
	"\n", "\n", "\n", "\n\n", "\r\n", "# T\n", "## U\n", "T\n=\n", "text\n", "text", "- a\n", "  b\n", "    code\n", "---\n", "a: b\n", "+++\n", "a = 1\n", "<!-- c -->\n", "<!--", "-->\n",
	done + "\n", done, "<!-- ⚠ append-only: /end or /backlog clean only (C2) -->\n", "  " + done + " \n", session + "\n", "```\n", "> ", "<h1>T</h1>\n", "<div>\n", "===\n", "\ufeff", "#!/bin/sh\n",
	"# ⚠️ APPEND-ONLY — /end or /backlog clean only (C2)\n", "#⚠ append-only — /end or /backlog clean only (c2)\n", "# coding: utf8\n", "%YAML 1.2\n", "<?xml?>", "<!DOCTYPE a>\n", "<!-- ⚠️ x -->\n", "|a|\n|-|\n",
}

func TestFixIsSafe(t *testing.T) {
	rows := defaults(t)
	rapid.Check(t, func(t *rapid.T) {
		src := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 12).Draw(t, "pieces"), "")
		for _, p := range []string{path, "a.sh", "a.xml", "a.yaml"} {
			fixed(t, rows, p, []byte(src))
		}
	})
}

func FuzzFix(f *testing.F) {
	for _, p := range pieces {
		f.Add([]byte(p), "a.md")
		f.Add([]byte("# T\n"+p+"text"), "a.py")
	}
	rows := defaults(f)
	f.Fuzz(func(t *testing.T, src []byte, name string) { fixed(t, rows, name, src) })
}
