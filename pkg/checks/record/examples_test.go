package record

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/checktest"
)

func TestExamples(t *testing.T) {
	for _, code := range Wal.Codes {
		t.Run(code.Slug, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join("../../../testdata", checktest.Name(Wal, &code)))
			if err != nil {
				t.Fatal(err)
			}
			ex, err := checktest.Parse(data)
			if err != nil {
				t.Fatal(err)
			}
			known := []*check.Check{Wal}
			got, err := ex.Bad.Run(context.Background(), Wal, known, ex.Bad.Change(nil))
			if err != nil {
				t.Fatal(err)
			}
			if lines := checktest.Lines(got); !slices.Equal(lines, ex.Bad.Want) {
				t.Errorf("bad: got %q, want %q", lines, ex.Bad.Want)
			}
			if got, err = ex.Good.Run(context.Background(), Wal, known, ex.Good.Change(nil)); err != nil || len(got) > 0 {
				t.Errorf("good: got %q, %v", checktest.Lines(got), err)
			}
		})
	}
}
