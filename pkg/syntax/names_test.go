package syntax

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-4419f9ca/forge/pkg/fingerprint"
)

// update writes what tests expect from what they get: the lists of symbols, the places of names that have a question mark for
// theirs, and the golden digests. What it writes has to be read.
var update = flag.Bool("update", false, "write the expectations under testdata that are derived; read what changes")

// A nameRow is one line of a table of names: what Resolve has to make of a name.
type nameRow struct {
	rule string // the heading that it stands under
	name string
	want string // lines, kind and, where it differs from the name, the qualified name; or the failure
}

func (s source) names(t testing.TB) []nameRow {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", s.file+".names"))
	if err != nil {
		t.Fatal(err)
	}
	var rows []nameRow
	rule := ""
	for line := range strings.Lines(string(data)) {
		line = strings.TrimRight(line, "\n")
		if heading, ok := strings.CutPrefix(line, "# "); ok {
			rule = heading
			continue
		}
		name, want, ok := strings.Cut(line, "\t")
		if !ok && line != "" {
			t.Fatalf("%s.names: no tab in %q", s.file, line)
		}
		if ok {
			rows = append(rows, nameRow{rule, name, want})
		}
	}
	return rows
}

// resolved says what a name means in a file, in the words of the tables.
func resolved(f *fingerprint.File, name string) string {
	d, err := f.Resolve(name)
	var ambiguous *fingerprint.Ambiguous
	var notFound *fingerprint.NotFound
	switch {
	case errors.As(err, &ambiguous):
		return "ambiguous: " + strings.Join(ambiguous.Homes, ", ")
	case errors.As(err, &notFound):
		return "not found"
	case err != nil:
		return err.Error()
	}
	var spans []string
	for _, s := range d.Spans {
		spans = append(spans, fmt.Sprintf("%d-%d", s.First, s.Last))
	}
	s := strings.Join(spans, ",") + " " + string(d.Digest.Kind)
	if d.Name != name {
		s += " " + d.Name
	}
	return s
}

// TestNames resolves the names of the tables and compares lines, kind and qualified name, or the failure.
func TestNames(t *testing.T) {
	a := analyzerFor(t)
	for _, s := range longSamples() {
		t.Run(s.file, func(t *testing.T) {
			f := see(t, a, s.language, s.text(t))
			for _, row := range s.names(t) {
				got := resolved(f, row.name)
				if row.want == "?" && *update && !strings.HasPrefix(got, "not found") && !strings.HasPrefix(got, "ambiguous") {
					s.place(t, row.name, got)
				} else if got != row.want {
					t.Errorf("%s: %q is %q, want %q", row.rule, row.name, got, row.want)
				}
			}
		})
	}
}

// place writes where a name is found into its table.
func (s source) place(t *testing.T, name, got string) {
	list := filepath.Join("testdata", s.file+".names")
	data, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	table := strings.Replace(string(data), "\n"+name+"\t?\n", "\n"+name+"\t"+got+"\n", 1)
	if err := os.WriteFile(list, []byte(table), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestNamesCoverTheRules holds that every language has a row for each rule of chapter 7.4 that it has a construct for, as
// testdata/rules.txt lists them.
func TestNamesCoverTheRules(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "rules.txt"))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for line := range strings.Lines(string(data)) {
		language, rules, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if ok && line[0] != '#' {
			want[language] = rules
		}
	}
	for _, s := range longSamples() {
		have := map[string]bool{}
		for _, row := range s.names(t) {
			have[row.rule] = true
		}
		rules := strings.Split(want[s.language], ", ")
		for _, rule := range append(rules, "not found", "ambiguous") {
			if !have[rule] {
				t.Errorf("%s.names has no row under %q", s.file, rule)
			}
			delete(have, rule)
		}
		for rule := range have {
			t.Errorf("testdata/rules.txt does not say that %s has %q", s.language, rule)
		}
	}
}
