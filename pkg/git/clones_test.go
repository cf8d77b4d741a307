package git_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// TestShallow reads a clone whose history is cut off at HEAD: the commit there is no root.
func TestShallow(t *testing.T) {
	ctx := context.Background()
	up := logged(t)
	up.Stage("log", "1\n2\n")
	up.Commit("two")
	up.Stage("log", "1\n2\n3\n")
	up.Commit("three")
	r := up.In(t.TempDir() + "/clone")
	up.Git("clone", "-q", "--depth=1", "file://"+up.Dir, r.Dir)
	r.Git("remote", "set-url", "origin", "file:///nowhere")

	c := commitChange(t, r, "HEAD")
	if len(c.Before) != 0 || !strings.Contains(c.Missing, "git fetch") || !strings.Contains(c.Missing, up.Git("rev-parse", "HEAD~1")[:12]) {
		t.Errorf("before %v, missing %q", c.Before, c.Missing)
	}
	wantFiles(t, c, `log:  => "1\n2\n3\n"`, `sub/other:  => "o\n"`)
	if c.Files[0].Added() {
		t.Error("a file whose past is hidden was added")
	}
	_, err := open(t, r).RangeChange(ctx, "HEAD~1..HEAD")
	wantError(t, err, "HEAD~1", "shallow", "git fetch --unshallow")
	if !errors.Is(err, snapshot.ErrNoObject) {
		t.Errorf("%v is not ErrNoObject", err)
	}
	yes, _, err := staged(t, r).Unpublished(ctx)
	if err != nil || yes {
		t.Errorf("the boundary is not published: %v", err)
	}
	r.Stage("log", "edited\n")
	wantFiles(t, staged(t, r), `log: "1\n2\n3\n" => "edited\n"`)
	r.Commit("local")
	c = rangeChange(t, r, "HEAD~1..HEAD")
	wantLines(t, subjects(t, c), "local")

	// Another branch of the same history, likewise cut off: whether they have a merge base cannot be known.
	up.Git("branch", "old", "HEAD~1")
	r.Git("fetch", "-q", "--depth=1", "file://"+up.Dir, "old")
	_, err = open(t, r).RangeChange(ctx, "FETCH_HEAD...HEAD")
	wantError(t, err, "merge base", "shallow")
	c = rangeChange(t, r, "FETCH_HEAD..HEAD")
	steps, err := c.Commits(ctx)
	if err != nil || len(steps) != 2 {
		t.Fatalf("Commits = %v, %v", steps, err)
	}
	// The parent of the boundary happens to be here, so that nothing is missing.
	wantFiles(t, steps[0].Change, `log: "1\n2\n" => "1\n2\n3\n"`)

	r.Git("fetch", "-q", "--unshallow", "file://"+up.Dir)
	if c := commitChange(t, r, "HEAD~1"); c.Missing != "" || len(c.Before) != 1 {
		t.Errorf("after the fetch before %v, missing %q", c.Before, c.Missing)
	}
}

// TestMissingParent makes sure that only a shallow clone excuses a parent that is not there.
func TestMissingParent(t *testing.T) {
	r := logged(t)
	parent := r.Git("rev-parse", "HEAD")
	r.Commit("two")
	if err := os.Remove(r.Loose(parent)); err != nil {
		t.Fatal(err)
	}
	_, err := open(t, r).CommitChange(context.Background(), "HEAD")
	wantError(t, err, parent)
	if !errors.Is(err, snapshot.ErrNoObject) {
		t.Errorf("%v is not ErrNoObject", err)
	}
}

// TestPartialClone reads a clone without blobs, from which nothing may be fetched.
func TestPartialClone(t *testing.T) {
	up := logged(t)
	up.Git("config", "uploadpack.allowFilter", "true")
	up.Stage("log", "2\n")
	up.Commit("two")
	r := up.In(t.TempDir() + "/clone")
	up.Git("clone", "-q", "--filter=blob:none", "--no-checkout", "file://"+up.Dir, r.Dir)
	missing := r.Git("rev-list", "--objects", "--missing=print", "HEAD")
	if !strings.Contains(missing, "?") {
		t.Fatal("the clone has all blobs")
	}
	r.Git("read-tree", "HEAD")
	c := commitChange(t, r, "HEAD")
	if len(c.Files) != 1 {
		t.Fatalf("files %v", c.Files)
	}
	c.After.Prefetch(context.Background(), []snapshot.Entry{c.Files[0].After, c.Files[0].Before[0]}, 0)
	for _, e := range []snapshot.Entry{c.Files[0].After, c.Files[0].Before[0]} {
		_, err := c.After.Read(context.Background(), e, 0)
		wantError(t, err, `"log"`, "partial clone", "git fetch")
		if !errors.Is(err, snapshot.ErrNoObject) {
			t.Errorf("%v is not ErrNoObject", err)
		}
		if _, _, err := c.After.Open(context.Background(), e); !errors.Is(err, snapshot.ErrNoObject) {
			t.Errorf("%v is not ErrNoObject", err)
		}
	}
	if now := r.Git("rev-list", "--objects", "--missing=print", "HEAD"); now != missing {
		t.Errorf("something was fetched: %s", now)
	}
	if _, err := open(t, r).Staged(context.Background()); err != nil {
		t.Errorf("a change that needs no blob: %v", err)
	}
}

func TestAlternates(t *testing.T) {
	up := logged(t)
	r := up.In(t.TempDir() + "/clone")
	up.Git("clone", "-q", "--shared", ".", r.Dir)
	r.Stage("log", "2\n")
	wantFiles(t, staged(t, r), `log: "1\n" => "2\n"`)
}
