package git_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

func TestRevisions(t *testing.T) {
	ctx := context.Background()
	r := cloned(t)
	base := r.Git("rev-parse", "HEAD")
	r.Git("tag", "-a", "-m", "one", "v1")
	r.Git("switch", "-q", "-c", "side")
	side := grow(r, "side\n")
	r.Git("switch", "-q", "main")
	r.Stage("main", "m\n")
	main := r.Commit("main")
	r.Git("merge", "-q", "--no-edit", "side")
	r.Git("tag", "v2")
	r.Git("tag", "v2-again")
	g := open(t, r)

	if id, err := g.Resolve(ctx, "v1"); id != base || err != nil {
		t.Errorf("Resolve = %q, %v", id, err)
	}
	if _, err := g.Resolve(ctx, "nowhere"); !errors.Is(err, snapshot.ErrNoObject) {
		t.Errorf("Resolve of nothing gives %v", err)
	}
	parents, err := g.Parents(ctx, "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	wantLines(t, parents, main, side)
	bases, err := g.MergeBases(ctx, "side", main)
	if err != nil {
		t.Fatal(err)
	}
	wantLines(t, bases, base)
	for _, c := range []struct {
		a, b string
		want bool
	}{{base, "HEAD", true}, {"HEAD", "HEAD", true}, {"side", main, false}} {
		if got, err := g.IsAncestor(ctx, c.a, c.b); got != c.want || err != nil {
			t.Errorf("IsAncestor(%s, %s) = %v, %v", c.a, c.b, got, err)
		}
	}
	for _, c := range [][2]string{{"HEAD", "v1"}, {"side", "v1"}, {base, ""}} {
		if tag, err := g.PreviousTag(ctx, c[0]); tag != c[1] || err != nil {
			t.Errorf("PreviousTag(%s) = %q, %v", c[0], tag, err)
		}
	}
	for _, c := range [][2]string{{"main", "refs/remotes/origin/main"}, {"side", "refs/heads/side"}} {
		if ref, id, err := g.ResolveBranch(ctx, "origin", c[0]); ref != c[1] || id != r.Git("rev-parse", c[1]) || err != nil {
			t.Errorf("ResolveBranch(%s) = %q, %q, %v", c[0], ref, id, err)
		}
	}
	_, _, err = g.ResolveBranch(ctx, "origin", "nowhere")
	wantError(t, err, "refs/heads/nowhere", "git fetch origin nowhere")
	r.Git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
	if ref, id, err := g.ResolveBranch(ctx, "origin", "nowhere"); ref != "refs/remotes/origin/HEAD" || id != base || err != nil {
		t.Errorf("ResolveBranch = %q, %q, %v", ref, id, err)
	}
}

// TestDeepen fetches what a shallow clone lacks, and reads it with the reader that had missed it.
func TestDeepen(t *testing.T) {
	ctx := context.Background()
	up := logged(t)
	grow(up, "2\n")
	grow(up, "3\n")
	r := up.In(t.TempDir() + "/clone")
	up.Git("clone", "-q", "--depth=1", "file://"+up.Dir, r.Dir)
	g := open(t, r)
	parent := up.Git("rev-parse", "HEAD~1")
	if shallow, err := g.Shallow(ctx); !shallow || err != nil {
		t.Errorf("Shallow = %v, %v", shallow, err)
	}
	if _, err := g.Resolve(ctx, parent); !errors.Is(err, snapshot.ErrNoObject) {
		t.Fatalf("the clone is not shallow: %v", err)
	}
	if err := g.Deepen(ctx, "origin", 1); err != nil {
		t.Fatal(err)
	}
	c, err := g.CommitChange(ctx, "HEAD")
	if err != nil || c.Missing != "" {
		t.Fatalf("%v, missing %q", err, c.Missing)
	}
	wantFiles(t, c, `log: "2\n" => "3\n"`)
	if c, err = g.CommitChange(ctx, parent); err != nil || c.Missing == "" {
		t.Errorf("more than one commit was fetched: %v", err)
	}
	r.Git("remote", "set-url", "origin", "file:///nowhere")
	err = g.Deepen(ctx, "origin", 1)
	wantError(t, err, "fetch")
}

// TestPrePushShallow pushes from a clone that lacks what its commits build on.
func TestPrePushShallow(t *testing.T) {
	up := logged(t)
	grow(up, "2\n")
	r := up.In(t.TempDir() + "/clone")
	up.Git("clone", "-q", "--depth=1", "file://"+up.Dir, r.Dir)
	grow(r, "3\n")
	c := prePush(t, r, "origin", pushLine(r, "main", zeros))
	wantFiles(t, c[0], `log: "2\n" => "3\n"`)
	r.Git("update-ref", "-d", "refs/remotes/origin/main")
	r.Git("update-ref", "-d", "refs/remotes/origin/HEAD")
	c = prePush(t, r, "origin", pushLine(r, "main", zeros))
	if len(c) != 1 || len(c[0].Before) != 0 || !strings.Contains(c[0].Missing, "git fetch") {
		t.Errorf("%+v", c)
	}
	wantLines(t, subjects(t, c[0]), "2", "3")
}
