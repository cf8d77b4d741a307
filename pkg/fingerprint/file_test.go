package fingerprint

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestResolve(t *testing.T) {
	f := &File{}
	for i, name := range []string{"run", "A.run", "A.stop", "B.stop", "ns.C.go", "Box.#open", "deep.run.x", "Pic.$w"} {
		f.Definitions = append(f.Definitions, Definition{Name: name, Spans: []Span{{i, i}}})
	}
	for name, want := range map[string]string{
		"run": "run", "A.run": "A.run", "A::run": "A.run", "C.go": "ns.C.go", "go": "ns.C.go", "ns::C::go": "ns.C.go", "Box.#open": "Box.#open",
		"Box.open": "Box.#open", "open": "Box.#open", "x": "deep.run.x", "w": "Pic.$w", "Pic.w": "Pic.$w",
	} {
		d, err := f.Resolve(name)
		if err != nil || d.Name != want {
			t.Errorf("%q is %v, %v; want %q", name, d, err, want)
		}
	}
	var ambiguous *Ambiguous
	if _, err := f.Resolve("stop"); !errors.As(err, &ambiguous) || !slices.Equal(ambiguous.Homes, []string{"A.stop", "B.stop"}) {
		t.Errorf("got %v", err)
	}
	var missing *NotFound
	for _, name := range []string{"", "ru", "un", "A", "A.go", "run.A"} {
		if d, err := f.Resolve(name); !errors.As(err, &missing) {
			t.Errorf("%q is %v, %v", name, d, err)
		}
	}
}

func TestLanguageOf(t *testing.T) {
	for _, c := range []struct{ path, src, want string }{
		{"a/b.go", "", "go"}, {"B.PY", "", "python"}, {"x.h", "", "c header"}, {"Rakefile", "", "ruby"}, {".go", "", ""}, {"go", "", ""},
		{"bin/run", "#!/usr/bin/env -S python3.12 -u\n", "python"}, {"bin/run", "#!/bin/sh -e\n", "bash"}, {"bin/run", "#!/usr/bin/env X=1 node\n", "javascript"},
		{"bin/run", "#!", ""}, {"bin/run", "#! /usr/bin/perl", ""}, {"a.txt", "#!/bin/sh", "bash"}, {"a.d.ts", "", "typescript"},
	} {
		if got := languageOf(c.path, []byte(c.src)); got != c.want {
			t.Errorf("%s %q is %q, want %q", c.path, c.src, got, c.want)
		}
	}
}

// TestGrammarVersion holds the constant against go.mod.
func TestGrammarVersion(t *testing.T) {
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(mod), "github.com/smacker/go-tree-sitter "+grammarVersion) {
		t.Errorf("go.mod does not pin the grammars at %s", grammarVersion)
	}
}

func TestDirectory(t *testing.T) {
	a := Digest{Whole: "a1", Lines: "a2", Kind: AST}
	b := Digest{Whole: "b1", Lines: "b2", Kind: Coarse}
	one := Directory(map[string]Digest{"x": a, "y": a})
	for _, other := range []map[string]Digest{{"x": a}, {"x": a, "z": a}, {"x": a, "y": b}, {"y": a, "x": a, "z": a}} {
		if Directory(other).Whole == one.Whole {
			t.Errorf("%v has the digest of another folder", other)
		}
	}
	if one.Kind != AST || Directory(map[string]Digest{"x": a, "y": b}).Kind != Coarse || one.Signature != "" {
		t.Error("the kind of a folder is wrong")
	}
}

// FuzzUnseal holds that no damaged entry is taken for a file, and that reading one never fails in another way.
func FuzzUnseal(f *testing.F) {
	f.Add(sealFile(&File{Language: "go", Definitions: []Definition{{Name: "A", Spans: []Span{{1, 2}}}}})[32:])
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, body []byte) {
		r := &reader[[]byte]{buf: body}
		file := r.file()
		if r.end() == nil {
			again := &reader[[]byte]{buf: appendFile(nil, file)}
			if second := again.file(); again.end() != nil || len(second.Definitions) != len(file.Definitions) {
				t.Fatalf("%+v does not survive", file)
			}
		}
		(&reader[[]byte]{buf: body}).tokens()
		if _, err := unsealFile(body); err == nil && len(body) > 0 && body[0] != 0 {
			t.Log("a checksum was guessed")
		}
	})
}

// TestClone holds that a clone says the same.
func TestClone(t *testing.T) {
	for _, d := range []Digest{{}, {Whole: "a1", Kind: AST}, {Whole: "a1", Signature: "a2", Body: "a3", Doc: "a4", Lines: "a5", Kind: Coarse}, {Doc: "a4", Kind: "other"}} {
		if got := d.Clone(); got != d {
			t.Errorf("got %+v for %+v", got, d)
		}
	}
}
