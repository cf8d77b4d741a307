package git_test

import (
	"context"
	"testing"

	"github.com/seed-4419f9ca/forge/pkg/git"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
	"github.com/seed-4419f9ca/forge/testdata/shapes"
)

// open reads r with git until the test ends.
func open(t testing.TB, r *shapes.Repo) *git.Repo {
	t.Helper()
	repo, err := git.Open(context.Background(), git.Options{Dir: r.Dir, Env: r.Env})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := repo.Close(); err != nil {
			t.Error(err)
		}
	})
	return repo
}

func TestConformance(t *testing.T) {
	shapes.Conformance(t, func(t testing.TB, s shapes.Story) shapes.Source { return open(t, shapes.Build(t, s)) })
}

// TestConformancePacked reads the same stories from packs and with small limits, so that contents are streamed.
func TestConformancePacked(t *testing.T) {
	shapes.Conformance(t, func(t testing.TB, s shapes.Story) shapes.Source {
		r := shapes.Build(t, s)
		r.Git("repack", "-adq")
		repo, err := git.Open(context.Background(), git.Options{Dir: r.Dir, Env: r.Env, LimitFile: 8})
		if err != nil {
			t.Fatal(err)
		}
		return repo
	})
}

var _ snapshot.Tree
