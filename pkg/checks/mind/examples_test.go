package mind_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/checks/mind"
	"github.com/seed-4419f9ca/forge/pkg/checktest"
)

func TestExamples(t *testing.T) {
	known := []*check.Check{mind.Mind}
	for i := range mind.Mind.Codes {
		code := &mind.Mind.Codes[i]
		t.Run(code.Slug, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join("../../../testdata", checktest.Name(mind.Mind, code)))
			if err != nil {
				t.Fatal(err)
			}
			ex, err := checktest.Parse(data)
			if err != nil {
				t.Fatal(err)
			}
			c := mind.Mind
			half := func(s *checktest.Sample) []string {
				if code.Slug == "reload" {
					c = mind.With(mind.Options{Reload: &mind.Report{Path: "report.md", Data: []byte(s.Trees["after"]["report.md"].Data), Session: "5"}})
				}
				list, err := s.Run(t.Context(), c, known, s.Change(nil))
				if err != nil {
					t.Fatal(err)
				}
				for _, f := range list {
					if f.Message == "" || f.Help == "" || f.Anchor == "" || strings.ContainsAny(f.Message, "\n") {
						t.Errorf("a finding lacks something: %+v", f)
					}
				}
				return checktest.Lines(list)
			}
			if diff := cmp.Diff(ex.Bad.Want, half(ex.Bad)); diff != "" {
				t.Errorf("bad (-want +got):\n%s", diff)
			}
			if got := half(ex.Good); len(got) > 0 {
				t.Errorf("good: %q", got)
			}
		})
	}
}
