package syntax

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-4419f9ca/forge/pkg/fingerprint"
)

// goldenSymbols is how many symbols of a sample have a line in the list of golden digests.
const goldenSymbols = 8

// goldenLines returns a line for a sample and one for each of some symbols of it, spread over the file: digest, signature,
// body, documentation, kind and what they are of.
func goldenLines(f *fingerprint.File, file string) string {
	var b strings.Builder
	line := func(d fingerprint.Digest, name string) {
		parts := []string{d.Whole, d.Signature, d.Body, d.Doc, string(d.Kind), name}
		for i, p := range parts {
			if p == "" {
				parts[i] = "-"
			}
		}
		b.WriteString(strings.Join(parts, " ") + "\n")
	}
	line(f.Digest, file)
	step := max(1, len(f.Definitions)/goldenSymbols)
	for i := 0; i < len(f.Definitions) && i/step < goldenSymbols; i += step {
		line(f.Definitions[i].Digest, file+"#"+f.Definitions[i].Name)
	}
	return b.String()
}

// TestGolden holds that the digests of scheme a stay what they are. Whoever has an anchor with a digest has the digest of the
// release that wrote it: from the first release on, a line that changes here needs a new letter for fingerprint.Scheme, and
// the cache another rulesVersion. Until then, and for samples that themselves changed, the list is written anew by
//
//	go test ./pkg/syntax -run TestGolden -update
func TestGolden(t *testing.T) {
	a := analyzerFor(t)
	var b strings.Builder
	for _, s := range samples() {
		b.WriteString(goldenLines(see(t, a, s.language, s.text(t)), s.file))
	}
	list := filepath.Join("testdata", "golden.txt")
	if *update {
		if err := os.WriteFile(list, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	data, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for line := range strings.Lines(string(data)) {
		want[goldenName(line)] = line
	}
	changed := 0
	for line := range strings.Lines(b.String()) {
		name := goldenName(line)
		if want[name] != line {
			changed++
			t.Errorf("got  %s     want %s", line, fmt.Sprintln(strings.TrimSpace(want[name])))
		}
		delete(want, name)
	}
	for name := range want {
		changed++
		t.Errorf("%q is gone", name)
	}
	if changed > 0 {
		t.Errorf("%d digests of scheme %q differ. Once it is released that takes a new scheme letter (pkg/fingerprint/file.go). Before, or when the samples changed, "+
			"run: go test ./pkg/syntax -run TestGolden -update, and change rulesVersion in pkg/fingerprint/cache.go", changed, fingerprint.Scheme)
	}
}

// goldenName returns what a line of the list is of.
func goldenName(line string) string {
	fields := strings.SplitN(strings.TrimSpace(line), " ", 6)
	return fields[len(fields)-1]
}
