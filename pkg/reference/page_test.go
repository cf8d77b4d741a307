package reference_test

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/seed-4419f9ca/forge/pkg/reference"
	"github.com/seed-4419f9ca/forge/pkg/registry"
	"github.com/seed-4419f9ca/forge/pkg/suite"
)

const page = "../../docs/checks.md"

// The reference page is what the cards and examples say; -update writes it.
func TestPage(t *testing.T) {
	var b bytes.Buffer
	if err := reference.WritePage(&b, suite.All(registry.Checks())); err != nil {
		t.Fatal(err)
	}
	if update := flag.Lookup("update"); update.Value.String() == "true" {
		if err := os.WriteFile(page, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, b.Bytes()) {
		t.Errorf("%s is not up to date: run `go generate ./pkg/reference`", page)
	}
}

func TestMain(m *testing.M) {
	flag.Bool("update", false, "write the page instead of comparing it")
	os.Exit(m.Run())
}

func TestCodeShowsBothExamples(t *testing.T) {
	for _, c := range suite.All(registry.Checks()) {
		for i := range c.Codes {
			var b bytes.Buffer
			if err := reference.WriteCode(&b, c, &c.Codes[i]); err != nil {
				t.Fatal(err)
			}
			for _, want := range []string{c.ID + "/" + c.Codes[i].Slug, "Bad, ", "To put it right: "} {
				if !strings.Contains(b.String(), want) {
					t.Errorf("%s/%s: no %q", c.ID, c.Codes[i].Slug, want)
				}
			}
		}
	}
}
