package syntax

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-4419f9ca/forge/pkg/fingerprint"
)

// samples maps each language to its sample under testdata; beside each stands the list of what it defines.
func samples() map[string]string {
	return map[string]string{
		"bash": "sample.sh", "c": "sample.c", "cpp": "sample.cpp", "csharp": "sample.cs", "css": "sample.css", "elixir": "sample.ex", "go": "sample.go",
		"hcl": "sample.tf", "html": "sample.html", "java": "sample.java", "javascript": "sample.js", "kotlin": "sample.kt", "lua": "sample.lua",
		"markdown": "sample.md", "ocaml": "sample.ml", "php": "sample.php", "protobuf": "sample.proto", "python": "sample.py", "ruby": "sample.rb",
		"rust": "sample.rs", "scala": "sample.scala", "sql": "sample.sql", "swift": "sample.swift", "toml": "sample.toml", "tsx": "sample.tsx",
		"typescript": "sample.ts", "yaml": "sample.yaml",
	}
}

func sample(t testing.TB, language string) string {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("testdata", samples()[language]))
	if err != nil {
		t.Fatal(err)
	}
	return string(src)
}

// parts says which parts of a digest exist.
func parts(d fingerprint.Digest) string {
	s := ""
	for _, p := range []struct{ name, digest string }{{"s", d.Signature}, {"b", d.Body}, {"d", d.Doc}} {
		if p.digest != "" {
			s += p.name
		}
	}
	return s
}

// TestSamples compares what is found in a realistic file of each language with a list: lines, which parts there are
// (signature, body, documentation), and the qualified name. FORGE_UPDATE=1 writes the lists, which have to be read then.
func TestSamples(t *testing.T) {
	a := analyzerFor(t)
	for _, language := range append(grammars(), "yaml", "toml", "markdown") {
		f := see(t, a, language, sample(t, language))
		var b strings.Builder
		if f.Note != "" {
			fmt.Fprintf(&b, "%s\n", f.Note)
		}
		for _, d := range f.Definitions {
			spans := ""
			for _, s := range d.Spans {
				spans += fmt.Sprintf("%d-%d,", s.First, s.Last)
			}
			fmt.Fprintf(&b, "%-14s %-3s %s", strings.TrimSuffix(spans, ","), parts(d.Digest), d.Name)
			if d.Note != "" {
				fmt.Fprintf(&b, " (%s)", d.Note)
			}
			b.WriteString("\n")
		}
		list := filepath.Join("testdata", samples()[language]+".symbols")
		if os.Getenv("FORGE_UPDATE") != "" {
			if err := os.WriteFile(list, []byte(b.String()), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(list)
		if err != nil {
			t.Fatal(err)
		}
		if string(want) != b.String() {
			t.Errorf("%s: got\n%s\nwant\n%s", language, b.String(), want)
		}
	}
}

// TestSamplesResolve holds that every name in a sample is found by itself and, where only one definition ends like it, by its
// last part.
func TestSamplesResolve(t *testing.T) {
	a := analyzerFor(t)
	for language := range samples() {
		f := see(t, a, language, sample(t, language))
		for _, d := range f.Definitions {
			got, err := f.Resolve(d.Name)
			if err != nil || got.Name != d.Name {
				t.Errorf("%s: %q is %v, %v", language, d.Name, got, err)
			}
			if d.Digest.Whole == "" || d.Digest.Lines == "" {
				t.Errorf("%s: %q has no digest", language, d.Name)
			}
		}
		if f.Note != "" {
			t.Errorf("%s: %s", language, f.Note)
		}
	}
}
