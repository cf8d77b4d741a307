package syntax

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/seed-4419f9ca/forge/pkg/fingerprint"
)

// killers are inputs that took a process down or made it grow without bounds when they were parsed in it (chapter 9.2), and
// others of their kind.
func killers() map[string]string {
	deep := func(open, middle, closing string, n int) string {
		return strings.Repeat(open, n) + middle + strings.Repeat(closing, n)
	}
	return map[string]string{
		"templates.kt":       "val s = " + deep(`"${`, "1", `}"`, 1000),
		"shallow.kt":         "val s = " + deep(`"${`, "1", `}"`, 490),
		"comment-lines.kt":   strings.Repeat("/*\n", 300_000),
		"comments.css":       "@keyframes " + strings.Repeat("/* ", 300_000),
		"selectors.css":      "a" + strings.Repeat("/**/", 200_000) + " { b: c }",
		"targets.md":         strings.Repeat("[a](<", 200_000),
		"backticks.md":       strings.Repeat("a`b``c```d", 90_000),
		"parens.lua":         "x = " + strings.Repeat("(a)+", 100_000) + "1",
		"gotos.lua":          strings.Repeat("goto a ", 100_000),
		"backslashes.sh":     strings.Repeat("\n\\a", 200_000),
		"open-templates.kt":  "val s = " + strings.Repeat(`"${`, 1000),
		"comments.ml":        deep("(* ", "", " *)", 1000),
		"open-comments.ml":   strings.Repeat("(*", 20000),
		"generics.java":      "class A { " + strings.Repeat("a<", 20000) + " }",
		"bare-generics.java": strings.Repeat("a<", 20000),
		"quotes.md":          strings.Repeat(">", 600) + " a\n",
		"many-quotes.md":     strings.Repeat(strings.Repeat("> ", 400)+"a\n", 200),
		"brackets.yaml":      strings.Repeat("[", 100_000),
		"dashes.yaml":        strings.Repeat("- ", 200_000) + "a",
		"braces.yaml":        strings.Repeat("{a: ", 50_000),
		"arrays.toml":        "a = " + strings.Repeat("[", 100_000),
		"dots.toml":          strings.Repeat("a.", 200_000) + "a = 1",
		"calls.js":           deep("f(", "1", ")", 50_000),
		"arrows.ts":          strings.Repeat("a => ", 50_000) + "1",
		"generics.ts":        strings.Repeat("a<", 20_000),
		"templates.cpp":      strings.Repeat("a<", 20_000),
		"generics.cs":        strings.Repeat("a<", 20_000),
		"tags.html":          strings.Repeat("<div>", 50_000),
		"tags.tsx":           "x = " + strings.Repeat("<a>", 50_000),
		"ifs.c":              strings.Repeat("if (a) ", 50_000) + ";",
		"pointers.c":         strings.Repeat("*", 100_000),
		"minus.py":           "x = " + strings.Repeat("-", 100_000) + "1",
		"indents.py":         indents(700),
		"nots.py":            "x = " + strings.Repeat("not ", 100_000) + "1",
		"heredocs.sh":        strings.Repeat("cat <<A", 20_000),
		"heredocs.rb":        strings.Repeat("<<A ", 5_000),
		"strings.rb":         strings.Repeat(`"#{`, 400),
		"strings.swift":      strings.Repeat(`"\(`, 400),
		"raw.rs":             "r" + strings.Repeat("#", 100_000) + `"`,
		"quotes.sql":         strings.Repeat("$a$", 50_000),
		"long.lua":           "[" + strings.Repeat("=", 100_000) + "[",
		"zeros.php":          "<?php " + strings.Repeat("<<<A\n", 5_000),
		"interpolation.ex":   strings.Repeat(`"#{`, 400),
		"interpolation.tf":   `a = ` + strings.Repeat(`"${`, 400),
		"heredocs.tf":        strings.Repeat("a = <<A\n", 5_000),
		"commas.css":         strings.Repeat("a,", 100_000),
		"stars.scala":        strings.Repeat("/*", 50_000),
		"slashes.proto":      strings.Repeat("message a {", 490),
		"ampersands.go":      "package a\nvar x = " + strings.Repeat("&", 100_000) + "y",
		"bytes.go":           strings.Repeat("\xff\xfe", 10_000),
	}
}

func indents(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%sif a:\n", strings.Repeat(" ", i))
	}
	return b.String() + strings.Repeat(" ", n) + "b\n"
}

// TestKillers holds that no input ends the program or is passed over: each file has an answer, which is coarse with its
// reason where the parser has none, and a healthy file is parsed as ever after it.
func TestKillers(t *testing.T) {
	e := newEngine(t, fingerprint.Options{Timeout: 2 * time.Second}) // what it cuts short is coarse, like what ends by itself
	healthy := newEngine(t, fingerprint.Options{})
	for name, src := range killers() {
		f, err := e.File(context.Background(), name, []byte(src))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if f.Digest.Kind == fingerprint.Coarse && f.Note == "" || f.Digest.Whole == "" {
			t.Errorf("%s: got %+v", name, f)
		}
		t.Logf("%s: %s %s", name, f.Digest.Kind, f.Note)
		after, err := healthy.File(context.Background(), "a.go", []byte("package a\nfunc F() {}\n"))
		if err != nil || after.Digest.Kind != fingerprint.AST || len(after.Definitions) != 1 {
			t.Errorf("after %s: got %+v, %v", name, after, err)
		}
	}
}

// TestKnownKillers holds that the inputs that are known to break a parser end as coarse, those that chapter 9.2 names among
// them: 3 kB of nested templates of Kotlin, nested comments of OCaml, 40 kB of open generics of Java, 600 bytes of quotes of
// Markdown.
func TestKnownKillers(t *testing.T) {
	e := newEngine(t, fingerprint.Options{})
	for _, name := range []string{"templates.kt", "open-templates.kt", "comments.ml", "open-comments.ml", "generics.java", "bare-generics.java", "quotes.md", "brackets.yaml"} {
		f, err := e.File(context.Background(), name, []byte(killers()[name]))
		if err != nil || f.Digest.Kind != fingerprint.Coarse || f.Note == "" {
			t.Errorf("%s: got %+v, %v", name, f, err)
		}
	}
}

// TestConfinedWorkersSayTheSame holds that a file has the fingerprint in a worker, whose parsers have a heap of their own, that
// it has outside of one, whatever files came before it.
func TestConfinedWorkersSayTheSame(t *testing.T) {
	e := newEngine(t, fingerprint.Options{Workers: 1})
	a := analyzerFor(t)
	for round := range 2 {
		for _, s := range samples() {
			src := s.text(t)
			got, err := e.File(context.Background(), s.file, []byte(src))
			if err != nil {
				t.Fatalf("%s: %v", s.file, err)
			}
			if diff := cmp.Diff(see(t, a, s.language, src), got, cmpopts.IgnoreUnexported(fingerprint.File{})); diff != "" {
				t.Errorf("%s, round %d: %s", s.file, round, diff)
			}
		}
	}
}
