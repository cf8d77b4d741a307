package syntax

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-4419f9ca/forge/pkg/fingerprint"
)

// A source is a sample under testdata. Beside it stands the list of what it defines and, for the longer one of each language,
// a table of names with what they have to resolve to.
type source struct{ language, file string }

// samples returns two sources for each language: a short one with odd constructs and a longer one that is written like a file
// of a real project.
func samples() []source {
	return []source{
		{"bash", "sample.sh"}, {"bash", "harvest.sh"}, {"c", "sample.c"}, {"c", "depot.c"}, {"cpp", "sample.cpp"}, {"cpp", "orchard.cpp"},
		{"csharp", "sample.cs"}, {"csharp", "bakery.cs"}, {"css", "sample.css"}, {"css", "storefront.css"}, {"elixir", "sample.ex"}, {"elixir", "tram.ex"},
		{"go", "sample.go"}, {"go", "ferry.go"}, {"hcl", "sample.tf"}, {"hcl", "network.tf"}, {"html", "sample.html"}, {"html", "menu.html"},
		{"java", "sample.java"}, {"java", "brewery.java"}, {"javascript", "sample.js"}, {"javascript", "shop.js"}, {"kotlin", "sample.kt"}, {"kotlin", "campsite.kt"},
		{"lua", "sample.lua"}, {"lua", "arcade.lua"}, {"markdown", "sample.md"}, {"markdown", "handbook.md"}, {"ocaml", "sample.ml"}, {"ocaml", "parcel.ml"},
		{"php", "sample.php"}, {"php", "museum.php"}, {"protobuf", "sample.proto"}, {"protobuf", "freight.proto"}, {"python", "sample.py"}, {"python", "clinic.py"},
		{"ruby", "sample.rb"}, {"ruby", "theatre.rb"}, {"rust", "sample.rs"}, {"rust", "warehouse.rs"}, {"scala", "sample.scala"}, {"scala", "vineyard.scala"},
		{"sql", "sample.sql"}, {"sql", "hospital.sql"}, {"swift", "sample.swift"}, {"swift", "marina.swift"}, {"toml", "sample.toml"}, {"toml", "nursery.toml"},
		{"tsx", "sample.tsx"}, {"tsx", "booking.tsx"}, {"typescript", "sample.ts"}, {"typescript", "library.ts"}, {"yaml", "sample.yaml"}, {"yaml", "kennel.yaml"},
	}
}

// longSamples returns the longer source of each language.
func longSamples() []source {
	return slices.DeleteFunc(samples(), func(s source) bool { return strings.HasPrefix(s.file, "sample.") })
}

func (s source) text(t testing.TB) string {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("testdata", s.file))
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
// (signature, body, documentation), and the qualified name. -update writes the lists, which have to be read then.
func TestSamples(t *testing.T) {
	a := analyzerFor(t)
	for _, s := range samples() {
		f := see(t, a, s.language, s.text(t))
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
		list := filepath.Join("testdata", s.file+".symbols")
		if *update {
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
			t.Errorf("%s: got\n%s\nwant\n%s", s.file, b.String(), want)
		}
	}
}

// TestSamplesResolve holds that every name in a sample is found by itself and, where only one definition ends like it, by its
// last part.
func TestSamplesResolve(t *testing.T) {
	a := analyzerFor(t)
	for _, s := range samples() {
		f := see(t, a, s.language, s.text(t))
		for _, d := range f.Definitions {
			got, err := f.Resolve(d.Name)
			if err != nil || got.Name != d.Name {
				t.Errorf("%s: %q is %v, %v", s.file, d.Name, got, err)
			}
			if d.Digest.Whole == "" || d.Digest.Lines == "" {
				t.Errorf("%s: %q has no digest", s.file, d.Name)
			}
		}
		if f.Note != "" {
			t.Errorf("%s: %s", s.file, f.Note)
		}
	}
}
