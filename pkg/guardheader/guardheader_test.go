package guardheader_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-4419f9ca/forge/pkg/guardheader"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

const (
	done    = "<!-- ⚠️ APPEND-ONLY — /end or /backlog clean only (C2) -->"
	session = "<!-- ⚠️ APPEND-ONLY — via /end only -->"
	hot     = "<!-- ⚠️ HOT LANE ONLY — No backlog tasks here (C1) -->"
	path    = "artifacts/tasks/done.md"
)

func defaults(t testing.TB, more ...guardheader.Row) *guardheader.Rows {
	t.Helper()
	rows, err := guardheader.Compile(append(guardheader.Defaults(), more...))
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// show writes a scan in one line a statement.
func show(s *guardheader.Scan) []string {
	var out []string
	lines := s.Lines()
	for _, g := range s.Guards {
		line := fmt.Sprintf("%d:%d %s", lines.Pos(g.Start).Line, lines.Pos(g.Start).Column, g.Row.Key)
		for word, is := range map[string]bool{" misplaced": !g.Placed && !g.Above, " above": g.Above} {
			if is {
				line += word
			}
		}
		if !g.Exact {
			line += ": " + g.Spelling
		}
		out = append(out, line)
	}
	for _, u := range s.Unknown {
		out = append(out, fmt.Sprintf("%d unknown", lines.Pos(u.Start).Line))
	}
	if s.Above != nil {
		out = append(out, fmt.Sprintf("%d above frontmatter", lines.Pos(s.Above.Start).Line))
	}
	if s.Unreadable != "" {
		out = append(out, "unreadable: "+s.Unreadable)
	}
	if s.UnclosedComment >= 0 {
		out = append(out, fmt.Sprintf("%d unclosed comment", lines.Pos(s.UnclosedComment).Line))
	}
	return out
}

func TestMarkdown(t *testing.T) {
	for _, test := range []struct {
		name, src string
		want      []string
	}{
		{"under the title", "# T\n\n" + done + "\n\ntext\n", []string{"3:1 done"}},
		{"right under the title", "# T\n" + done + "\ntext\n", []string{"2:1 done"}},
		{"setext title", "T\n===\n\n" + done + "\n", []string{"4:1 done"}},
		{"HTML title", "<h1>T</h1>\n\n" + done + "\n", []string{"3:1 done"}},
		{"title of level 2 only", "## T\n\n" + done + "\n", []string{"3:1 done"}},
		{"under the second heading", "# T\n\n## U\n\n" + done + "\n", []string{"5:1 done misplaced"}},
		{"before the title", done + "\n\n# T\n", []string{"1:1 done misplaced"}},
		{"at the end", "# T\n\ntext\n\n" + done, []string{"5:1 done misplaced"}},
		{"no title", done + "\n\ntext\n", []string{"1:1 done"}},
		{"no title, text first", "text\n\n" + done + "\n", []string{"3:1 done misplaced"}},
		{"behind comments", "# T\n<!-- a -->\n<!-- b\nc --> <!-- d -->\n\n" + done + "\n", []string{"6:1 done"}},
		{"behind comments alone", "# T\n<!-- a -->\n<!-- b -->\n\n" + done + "\n", []string{"5:1 done"}},
		{"frontmatter", "---\na: 1\n---\n\n" + done + "\n\n# T\n", []string{"5:1 done"}},
		{"frontmatter, under the title", "---\na: 1\n---\n# T\n" + done + "\n", []string{"5:1 done misplaced"}},
		{"frontmatter, no title", "+++\na = 1\n+++\n" + done + "\n", []string{"4:1 done"}},
		{"byte-order mark and CRLF", "\ufeff# T\r\n\r\n" + done + "\r\n", []string{"3:1 done"}},
		{"byte-order mark, no title", "\ufeff" + done + "\n", []string{"1:4 done"}},
		{"twice", "# T\n" + done + "\n" + done + "\n", []string{"2:1 done", "3:1 done"}},
		{"two rows", "# T\n" + done + "\n\ntext\n\n" + hot + "\n", []string{"2:1 done", "6:1 hot-lane misplaced"}},

		{"fence", "# T\n\n```\n" + done + "\n```\n", nil},
		{"indented code", "# T\n\n    " + done + "\n", nil},
		{"inline code", "# T\n\n`" + done + "`\n", nil},
		{"table", "# T\n\n| a |\n|---|\n| " + done + " |\n", nil},
		{"list", "# T\n\n- " + done + "\n", nil},
		{"quote", "# T\n\n> " + done + "\n", nil},
		{"inside a comment", "# T\n\n<!--\n" + done + "\n", []string{"3 unknown"}},
		{"text behind it", "# T\n\n" + done + " text\n", nil},
		{"comment behind it", "# T\n\n" + done + " <!-- a -->\n", []string{"3 unknown"}},
		{"in an element", "# T\n\n<div>\n" + done + "\n</div>\n", nil},
		{"in a paragraph", "# T\n\ntext " + done + "\n", nil},
		{"several lines", "# T\n\n<!--\n⚠️ APPEND-ONLY — via /end only\n-->\n", []string{"3 unknown"}},
		{"label without its text", "# T\n\n<!-- ⚠️ APPEND-ONLY — ask me -->\n", []string{"3 unknown"}},
		{"sign elsewhere", "# T\n\ntext\n\n<!-- ⚠️ look out -->\n", nil},
		{"hidden by an open comment", "# T\n\n<!-- a --> <!-- b\n\n" + done + "\n", []string{"3 unclosed comment"}},

		{"plain sign and hyphen", "# T\n\n<!-- ⚠ APPEND-ONLY - via /end only -->\n", []string{
			`3:1 workspace: U+FE0F emoji variation selector is missing, U+002D "-" stands for U+2014 "—"`}},
		{"case and white space", "# T\n\n<!-- ⚠️ Append-Only —\u00a0via  /end only -->\n", []string{
			`3:1 workspace: "ppend" stands for "PPEND", U+006E "n" stands for U+004E "N", U+006C "l" stands for U+004C "L", 3 more`}},
		{"colon", "# T\n\n<!-- ⚠️ APPEND-ONLY: via /end only -->\n", []string{
			`3:1 workspace: U+003A ":" is too much, U+2014 "—" is missing, U+0020 space is missing`}},
		{"no white space", "# T\n\n<!--⚠️ APPEND-ONLY—via /end only-->\n", []string{
			`3:1 workspace: U+0020 space is missing, U+0020 space is missing, U+0020 space is missing, 1 more`}},
		{"invisible characters", "# T\n\n\ufeff<!-- ⚠️ APPEND\u200b-ONLY — via /end only -->\u2060\n", []string{
			`3:1 workspace: U+FEFF byte-order mark is too much, U+200B zero-width space is too much, U+2060 is too much`}},
		{"white space around", "# T\n\n  " + session + " \n", []string{
			`3:3 workspace: U+0020 space is too much, U+0020 space is too much, U+0020 space is too much`}},
		{"older wording", "# T\n\n<!-- ⚠️ APPEND-ONLY: Write via /end or /backlog clean only (C2) -->\n", []string{"3:1 done: it is an older wording"}},

		{"above the frontmatter", done + "\n---\na: b\n---\n\n# T\n", []string{"1:1 done above", "1 above frontmatter"}},
		{"blank line above the frontmatter", "\n---\na: b\n---\n\n" + done + "\n\n# T\n", []string{"6:1 done", "1 above frontmatter"}},
		{"space before the frontmatter", " ---\na: b\nc:\n- d\n---\n" + done + "\n", []string{"6:1 done", "1 above frontmatter"}},
		{"comment of lines above", "<!-- a\n\nb -->\n+++\na = 1\n[t]\n+++\n" + done + "\n", []string{"8:1 done", "1 above frontmatter"}},
		{"two thematic breaks", done + "\n\n---\n\nText: more\n\n---\n", []string{"1:1 done"}},
		{"breaks around prose", done + "\n---\nA line. And: more\n---\n", []string{"1:1 done misplaced"}},

		{"UTF-16", "\xff\xfe#\x00", []string{"unreadable: it is UTF-16"}},
		{"Latin-1", "# caf\xe9\n\n" + done + "\n", []string{"3:1 done", "unreadable: the byte 0xe9 is no UTF-8"}},
		{"carriage returns", "# T\r\r" + done + "\r", []string{"1:6 done", "unreadable: a line ends with a carriage return alone"}},
		{"NUL", "# T\n\n" + done + "\n\x00", []string{"3:1 done", "unreadable: it holds a NUL byte, as binary files and UTF-16 do"}},
		{"empty", "", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := show(defaults(t).Find(path, []byte(test.src)))
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestOtherLanguages(t *testing.T) {
	rows := defaults(t, guardheader.Row{Key: "ops", Header: "<!-- ⚠️ GOVERNED — /release only -->", Policy: "governed", Paths: []string{"ops/**"}})
	const note = "⚠️ GOVERNED — /release only"
	for _, test := range []struct {
		name, path, src string
		want            []string
	}{
		{"shell", "a.sh", "#!/bin/sh\n# " + note + "\necho\n", []string{"2:1 ops"}},
		{"shell, above the shebang", "a.sh", "# " + note + "\n#!/bin/sh\necho\n", []string{"1:1 ops misplaced"}},
		{"shell, at the end", "a.sh", "#!/bin/sh\necho\n# " + note, []string{"3:1 ops misplaced"}},
		{"shell, in a here document", "a.sh", "#!/bin/sh\ncat <<E\n  # " + note + "\nE\n", nil},
		{"no extension", "run", "#!/usr/bin/env -S bash -e\n# licence\n\n# " + note + "\n", []string{"4:1 ops"}},
		{"python", "a.py", "#!/usr/bin/env python3\n# -*- coding: utf-8 -*-\n# " + note + "\n", []string{"3:1 ops"}},
		{"python, above the encoding", "a.py", "#!/usr/bin/env python3\n# " + note + "\n# vim: fileencoding=utf-8\n", []string{"2:1 ops misplaced"}},
		{"yaml", "a.yaml", "%YAML 1.2\n%TAG ! x\n# " + note + "\n---\n", []string{"3:1 ops"}},
		{"yaml behind ---", "a.yml", "---\n# " + note + "\n", []string{"2:1 ops misplaced"}},
		{"go", "a.go", "// Copyright\n\n// " + note + "\n\npackage a\n", []string{"3:1 ops"}},
		{"go, block comment", "a.go", "/*\nlicence\n*/\n/* " + note + " */\npackage a\n", []string{"4:1 ops"}},
		{"go, inside a block comment", "a.go", "/*\n// " + note + "\n*/\npackage a\n", nil},
		{"css", "a.css", "@charset \"utf-8\";\n/* " + note + " */\n", []string{"2:1 ops"}},
		{"xml", "a.xml", "<?xml version=\"1.0\"?>\n<!DOCTYPE a [\n<!ENTITY b \"]>\">\n]>\n<!-- " + note + " -->\n<a/>\n", []string{"5:1 ops"}},
		{"xml, prolog on a line of its own", "a.xml", "<!-- " + note + " -->\n<?xml version=\"1.0\"?><a/>\n", []string{"1:1 ops misplaced"}},
		{"xml, behind the prolog", "a.xml", "<?xml version=\"1.0\"?><!-- " + note + " -->\n<a/>\n", []string{"1:22 ops"}},
		{"html", "a.html", "<!DOCTYPE html>\n<!-- " + note + " -->\n", []string{"2:1 ops"}},
		{"sql", "a.sql", "-- " + note + "\nselect 1;\n", []string{"1:1 ops"}},
		{"dockerfile", "Dockerfile", "# syntax=docker/dockerfile:1\n# " + note + "\nFROM a\n", []string{"2:1 ops"}},
		{"batch", "a.bat", "@echo off\r\nrem " + note + "\r\n", []string{"2:1 ops"}},
		{"php", "a.php", "<?php\n// " + note + "\n", []string{"2:1 ops"}},
		{"byte-order mark", "a.ini", "\ufeff; " + note + "\n", []string{"1:4 ops"}},
		{"spelling", "a.sh", "# ⚠ governed - /release only\n", []string{`1:1 ops: U+FE0F emoji variation selector is missing, "governed" stands for "GOVERNED", U+002D "-" stands for U+2014 "—"`}},
		{"no space", "a.sh", "#" + note + "\n", []string{`1:1 ops: U+0020 space is missing`}},
		{"unknown", "a.sh", "#!/bin/sh\n# ⚠️ do not touch\n", []string{"2 unknown"}},
		{"text of an unknown kind", "notes.txt", "# " + note + "\n", []string{"1:1 ops"}},
		{"text of an unknown kind, further down", "notes.txt", "text\n# " + note + "\n", nil},
		{"json", "a.json", "{\"a\": \"# " + note + "\"}\n", nil},
		{"binary", "a.sh", "# " + note + "\n\x00", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := show(rows.Find(test.path, []byte(test.src)))
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestCarries(t *testing.T) {
	rows := defaults(t)
	for name, want := range map[string]bool{
		"a.md": true, "A.MD": true, "a.sh": true, "Makefile": true, "a.json": false, "a.png": false, "a": false, "a.txt": false, "a.csv": false, ".gitkeep": false, "x/.env.local": true,
	} {
		if got := rows.Find(name, []byte("x\n")).Carries(); got != want {
			t.Errorf("%s carries a header: %v, want %v", name, got, want)
		}
	}
	if rows.Find("a.sh", []byte("\xff\xfe#\x00")).Carries() {
		t.Error("a binary file carries a header")
	}
}

func TestFor(t *testing.T) {
	rows := defaults(t,
		guardheader.Row{Key: "readme", Kind: "GOVERNED", Header: "<!-- a -->", Paths: []string{"kernel/README.md"}},
		guardheader.Row{Key: "wide", Header: "<!-- b -->", Paths: []string{"wide/**"}},
		guardheader.Row{Key: "deep", Header: "<!-- c -->", Paths: []string{"wide/deep/**"}},
		guardheader.Row{Key: "tie", Header: "<!-- d -->", Paths: []string{"wide/deep/**", "nowhere"}},
	)
	for p, want := range map[string]string{
		"artifacts/tasks/done.md": "done", "x/y/artifacts/tasks/backlog.md": "backlog", "artifacts/tasks/Done.md": "",
		"kernel/a.md": "kernel", "kernel/examples/artifacts/tasks/done.md": "kernel", "Resources/ai-agents/kernel/artifacts/tasks/done.md": "kernel",
		"kernel/README.md": "readme", "kernel/a.txt": "", "src/kernel/a.md": "", ".agent/rules/a.md": "governed", ".agent/rules/a/b.md": "",
		"Areas/Workspace/a/b.md": "workspace", "Areas/Workspace/artifacts/tasks/done.md": "done",
		"wide/a": "wide", "wide/deep/a": "tie", "wide/artifacts/tasks/done.md": "done",
	} {
		got := ""
		if r := rows.For(p, nil); r != nil {
			got = r.Key
		}
		if got != want {
			t.Errorf("%q is guarded by %q, want %q", p, got, want)
		}
	}
	noKernel := rows.For("kernel/examples/artifacts/tasks/done.md", func(r *guardheader.Row) bool { return r.Key != "kernel" })
	if noKernel == nil || noKernel.Key != "done" {
		t.Errorf("without the kernel row the done row guards, got %v", noKernel)
	}
}

func TestFolders(t *testing.T) {
	rows := defaults(t, guardheader.Row{Key: "x", Header: "<!-- x -->", Paths: []string{"a/b/*.md", "a-b/**", "a/**", "a/c.md"}})
	if diff := cmp.Diff([]string{"a", "a-b"}, rows.Folders(rows.Key("x"))); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{""}, rows.Folders(rows.Key("done"))); diff != "" {
		t.Error(diff)
	}
}

func TestCompileRefuses(t *testing.T) {
	for name, row := range map[string]guardheader.Row{
		"no key":       {Header: "<!-- a -->", Paths: []string{"a"}},
		"taken key":    {Key: "done", Header: "<!-- a -->", Paths: []string{"a"}},
		"no comment":   {Key: "a", Header: "a", Paths: []string{"a"}},
		"empty":        {Key: "a", Header: "<!-- -->", Paths: []string{"a"}},
		"two comments": {Key: "a", Header: "<!-- a --> <!-- b -->", Paths: []string{"a"}},
		"two lines":    {Key: "a", Header: "<!-- a\nb -->", Paths: []string{"a"}},
		"no paths":     {Key: "a", Header: "<!-- a -->"},
		"bad glob":     {Key: "a", Header: "<!-- a -->", Paths: []string{"a["}},
	} {
		if _, err := guardheader.Compile(append(guardheader.Defaults(), row)); err == nil || !strings.HasPrefix(err.Error(), "could not use the guard row") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSharedHeader(t *testing.T) {
	rows := defaults(t, guardheader.Row{Key: "log", Policy: "append-only", Header: session, Paths: []string{"log.md"}})
	s := rows.Find("log.md", []byte(session+"\n"))
	if len(s.Right(rows.Key("log"))) != 1 || len(s.Right(rows.Key("workspace"))) != 1 || len(s.Other(rows.Key("log"))) != 0 {
		t.Errorf("a header that two rows share belongs to both: %v", show(s))
	}
}

func apply(t testing.TB, src string, edits []text.Edit) string {
	t.Helper()
	out, err := text.Apply([]byte(src), edits)
	if err != nil {
		t.Fatalf("%q: %v", src, err)
	}
	return string(out)
}

type edit = text.Edit

func TestDoc(t *testing.T) {
	rs := defaults(t)
	s := rs.Find(path, []byte("# T\n\n"+done+"\n\n- [x] a\n"))
	doc := s.Doc()
	if doc == nil || s.Doc() != doc {
		t.Error("the document is parsed once")
	}
	if s.Forget(); s.Doc() == doc || s.Doc() == nil || len(s.Doc().Blocks) != len(doc.Blocks) {
		t.Error("a document that was forgotten is parsed again")
	}
	if rs.Find("a.go", []byte("package a\n")).Doc() != nil {
		t.Error("only Markdown is a document")
	}
}
