package claims_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/checks/claims"
	"github.com/seed-4419f9ca/forge/pkg/checktest"
	"github.com/seed-4419f9ca/forge/pkg/parsertest"
)

func TestExamples(t *testing.T) {
	for _, c := range []*check.Check{claims.Claims, claims.Budget} {
		for i := range c.Codes {
			t.Run(c.ID+"/"+c.Codes[i].Slug, func(t *testing.T) { example(t, c, &c.Codes[i]) })
		}
	}
}

// example runs both halves of the example of a code.
func example(t *testing.T, c *check.Check, code *check.Code) {
	data, err := os.ReadFile(filepath.Join("../../../testdata", checktest.Name(c, code)))
	if err != nil {
		t.Fatal(err)
	}
	ex, err := checktest.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	for half, s := range map[string]*checktest.Sample{"bad": ex.Bad, "good": ex.Good} {
		s.Engine = parsertest.Engine()
		got, err := s.Run(t.Context(), c, []*check.Check{c}, s.Change(nil))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(s.Want, checktest.Lines(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", half, diff)
			for _, f := range got {
				t.Log(f.Message)
			}
		}
	}
}
