package git_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-4419f9ca/forge/pkg/git"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
	"github.com/seed-4419f9ca/forge/testdata/shapes"
)

// trail returns the trail of c as lines: the subject of each commit and, per parent, the paths with what happened to them.
func trail(t testing.TB, r *shapes.Repo, c *snapshot.Change, dirs ...string) []string {
	t.Helper()
	marks, err := c.Trail(context.Background(), dirs)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, m := range marks {
		var lists []string
		for _, list := range m.Deltas {
			var paths []string
			for _, d := range list {
				sign := "~"
				if !d.Before.Exists() {
					sign = "+"
				} else if !d.After.Exists() {
					sign = "-"
				}
				paths = append(paths, sign+strings.Trim(fmt.Sprintf("%q", d.Path), `"`))
			}
			lists = append(lists, "["+strings.Join(paths, " ")+"]")
		}
		line := r.Git("log", "-1", "--format=%s", m.OID) + " " + strings.Join(lists, "")
		if m.Cut {
			line += " cut"
		}
		out = append(out, line)
	}
	return out
}

// put commits one file under its text as the subject.
func put(r *shapes.Repo, path, text string) string {
	r.Stage(path, text+"\n")
	return r.Commit(text)
}

func TestTrailLine(t *testing.T) {
	r := shapes.New(t)
	put(r, "docs/a", "one")
	put(r, "other", "two")
	put(r, "docs/b", "three")
	put(r, "docs2/a", "four")
	r.Git("mv", "docs/a", "docs/c")
	r.Commit("five")
	r.Git("rm", "-q", "docs/b")
	r.Commit("six")
	all := []string{"six [-docs/b]", "five [-docs/a +docs/c]", "three [+docs/b]", "one [+docs/a]"}
	c := commitChange(t, r, "HEAD")
	wantLines(t, trail(t, r, c, "docs"), all...)
	wantLines(t, trail(t, r, c, "docs/", "docs/a"), all...)
	wantLines(t, trail(t, r, c, "docs/b", "docs2"), "six [-docs/b]", "four [+docs2/a]", "three [+docs/b]")
	wantLines(t, trail(t, r, c, "nowhere"))
	wantLines(t, trail(t, r, c))
	wantLines(t, trail(t, r, c, "DOCS", "doc", "docs/*", ":/", ":(icase)docs", "!docs"))
	if got := trail(t, r, c, ""); len(got) != 6 {
		t.Errorf("of everything: %q", got)
	}
	wantLines(t, trail(t, r, rangeChange(t, r, "HEAD~2..HEAD~1"), "docs"), all[1:]...)
	steps, err := rangeChange(t, r, "HEAD~2..HEAD").Commits(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	wantLines(t, trail(t, r, steps[0].Change, "docs"), all[1:]...)
	wantLines(t, trail(t, r, steps[1].Change, "docs"), all...)
	r.Stage("docs/new", "staged\n")
	wantLines(t, trail(t, r, staged(t, r), "docs"), all...)
	wantLines(t, trail(t, r, worktree(t, r), "docs"), all...)
	// From a folder, and under settings that turn git's listing over.
	for key, value := range map[string]string{
		"diff.renames": "copies", "diff.relative": "true", "diff.orderFile": "/dev/null", "log.follow": "true", "log.showRoot": "false",
		"diff.noprefix": "true", "core.abbrev": "4", "diff.external": "false", "log.showSignature": "true",
	} {
		r.Git("config", key, value)
	}
	wantLines(t, trail(t, r, commitChange(t, r.In("docs2"), "HEAD"), "docs"), all...)
	r.Git("rm", "-rfq", "docs")
	put(r, "docs", "seven") // a file in the folder's place
	wantLines(t, trail(t, r, commitChange(t, r, "HEAD"), "docs"), append([]string{"seven [+docs -docs/c]"}, all...)...)
}

func TestTrailOddPaths(t *testing.T) {
	r := shapes.New(t)
	names := []string{"d\xff/new\nline", "d\xff/[a]*", "d\xff/:(top)x", "d\xff/ \t\""}
	for i, name := range names {
		put(r, name, fmt.Sprintf("commit %d", i))
	}
	c := commitChange(t, r, "HEAD")
	marks, err := c.Trail(context.Background(), []string{"d\xff"})
	if err != nil || len(marks) != len(names) {
		t.Fatalf("%v, %v", marks, err)
	}
	for i, name := range names {
		if d := marks[len(names)-1-i].Deltas[0]; len(d) != 1 || d[0].Path != name || d[0].After.Path != name {
			t.Errorf("%q is %+v", name, d)
		}
		if got := trail(t, r, c, name); len(got) != 1 || !strings.HasPrefix(got[0], fmt.Sprintf("commit %d", i)) {
			t.Errorf("%q alone: %q", name, got)
		}
	}
}

func TestTrailMerges(t *testing.T) {
	r := shapes.New(t)
	put(r, "docs/a", "base")
	put(r, "docs/b", "base b")
	r.Git("checkout", "-q", "-b", "side")
	put(r, "docs/b", "side")
	r.Git("checkout", "-q", "main")
	put(r, "docs/a", "main")
	r.Git("merge", "-q", "-m", "clean", "side")
	wantLines(t, trail(t, r, commitChange(t, r, "HEAD"), "docs/a"), "clean [][~docs/a]", "main [~docs/a]", "base [+docs/a]")
	got := trail(t, r, commitChange(t, r, "HEAD"), "docs")
	if got[0] != "clean [~docs/b][~docs/a]" || len(got) != 5 || !slices.Contains(got, "side [~docs/b]") || !slices.Contains(got, "main [~docs/a]") {
		t.Errorf("%q", got)
	}

	t.Run("evil", func(t *testing.T) {
		r.Git("checkout", "-q", "-b", "evil", "main~1")
		r.Git("merge", "-q", "--no-commit", "side")
		r.Stage("docs/a", "evil\n")
		r.Git("commit", "-q", "-m", "evil")
		wantLines(t, trail(t, r, commitChange(t, r, "HEAD"), "docs/a"), "evil [~docs/a][~docs/a]", "main [~docs/a]", "base [+docs/a]")
	})
	t.Run("one side", func(t *testing.T) {
		r.Git("checkout", "-q", "-b", "ours", "main~1")
		r.Git("merge", "-q", "-s", "ours", "-m", "ours", "side")
		// The other side's commit stays to be found, and the merge says that it did not take it.
		got := trail(t, r, commitChange(t, r, "HEAD"), "docs/b")
		wantLines(t, got, "ours [][~docs/b]", "side [~docs/b]", "base b [+docs/b]")
	})
	t.Run("criss-cross", func(t *testing.T) {
		a, b := r.Git("rev-parse", "main~1"), r.Git("rev-parse", "side")
		r.Git("checkout", "-q", "-b", "x", a)
		r.Git("merge", "-q", "-m", "x", b)
		r.Git("checkout", "-q", "-b", "y", b)
		r.Git("merge", "-q", "-m", "y", a)
		put(r, "docs/a", "y two")
		r.Git("checkout", "-q", "x")
		r.Git("merge", "-q", "-m", "xy", "y")
		got := trail(t, r, commitChange(t, r, "HEAD"), "docs/a")
		if len(got) != 6 || got[0] != "xy [~docs/a][]" || got[5] != "base [+docs/a]" {
			t.Errorf("%q", got)
		}
		for _, line := range []string{"y two [~docs/a]", "y [~docs/a][]", "x [][~docs/a]", "main [~docs/a]"} {
			if !slices.Contains(got, line) {
				t.Errorf("%q is not in %q", line, got)
			}
		}
	})
	t.Run("unrelated", func(t *testing.T) {
		r.Git("checkout", "-q", "--orphan", "other")
		r.Git("rm", "-rfq", ".")
		put(r, "docs/z", "root two")
		r.Git("merge", "-q", "--allow-unrelated-histories", "-m", "both", "main")
		got := trail(t, r, commitChange(t, r, "HEAD"), "docs")
		if got[0] != "both [+docs/a +docs/b][+docs/z]" || !slices.Contains(got, "root two [+docs/z]") || !slices.Contains(got, "base [+docs/a]") {
			t.Errorf("%q", got)
		}
	})
}

// TestTrailMergeInProgress follows the parents that a merge will have.
func TestTrailMergeInProgress(t *testing.T) {
	r := shapes.New(t)
	put(r, "a", "base")
	r.Git("checkout", "-q", "-b", "side")
	put(r, "a", "side")
	r.Git("checkout", "-q", "main")
	put(r, "b", "main")
	r.Git("merge", "-q", "--no-commit", "side")
	for _, c := range []*snapshot.Change{staged(t, r), worktree(t, r)} {
		wantLines(t, trail(t, r, c, "a"), "side [~a]", "base [+a]")
	}
}

func TestTrailUnborn(t *testing.T) {
	r := shapes.New(t)
	put(r, "a", "elsewhere")
	elsewhere := r.Git("rev-parse", "HEAD")
	r.Git("checkout", "-q", "--orphan", "new")
	for _, c := range []*snapshot.Change{staged(t, r), worktree(t, r)} {
		wantLines(t, trail(t, r, c, "a", ""))
		trees, err := c.At(context.Background(), []string{elsewhere})
		if err != nil || trees[0] == nil {
			t.Fatalf("At = %v, %v", trees, err)
		}
		r.Git("mv", "-k", "a", "b")
	}
}

func TestTrailShallow(t *testing.T) {
	up := shapes.New(t)
	put(up, "a", "one")
	put(up, "b", "two")
	put(up, "a", "three")
	put(up, "a", "four")
	r := up.In(t.TempDir() + "/clone")
	up.Git("clone", "-q", "--depth=2", "file://"+up.Dir, r.Dir)
	wantLines(t, trail(t, r, commitChange(t, r, "HEAD"), "a"), "four [~a]", "three [+a] cut")
	wantLines(t, trail(t, r, commitChange(t, r, "HEAD"), "b"), "three [+b] cut")
	wantLines(t, trail(t, r, commitChange(t, r, "HEAD~1"), "a"), "three [+a] cut")
	wantLines(t, trail(t, r, staged(t, r), "a", "b"), "four [~a]", "three [+a +b] cut")
	r.Git("fetch", "-q", "--unshallow")
	wantLines(t, trail(t, r, staged(t, r), "a"), "four [~a]", "three [~a]", "one [+a]")
}

func TestTrailSHA256(t *testing.T) {
	r := shapes.New(t, "--object-format=sha256")
	put(r, "a", "one")
	put(r, "a", "two")
	wantLines(t, trail(t, r, staged(t, r), "a"), "two [~a]", "one [+a]")
}

// TestTrailWithoutObjects makes sure that a history that cannot be read is never a short one.
func TestTrailWithoutObjects(t *testing.T) {
	ctx := context.Background()
	up := shapes.New(t)
	put(up, "docs/a", "one")
	put(up, "docs/a", "two")
	put(up, "docs/a", "three")
	t.Run("partial clone", func(t *testing.T) {
		up.Git("config", "uploadpack.allowFilter", "true")
		r := up.In(t.TempDir() + "/clone")
		up.Git("clone", "-q", "--no-checkout", "--filter=tree:0", "file://"+up.Dir, r.Dir)
		repo := open(t, r)
		_, err := repo.CommitChange(ctx, "HEAD")
		wantError(t, err, "partial clone")
		r.Git("cat-file", "-p", "HEAD:docs") // fetches two of three
		r.Git("cat-file", "-p", "HEAD~1:docs")
		c, err := open(t, r).CommitChange(ctx, "HEAD")
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Trail(ctx, []string{"docs"})
		wantError(t, err, "list the commits", "partial clone")
		if !errors.Is(err, snapshot.ErrNoObject) {
			t.Errorf("%v is not ErrNoObject", err)
		}
	})
	t.Run("partial clone without contents", func(t *testing.T) {
		r := up.In(t.TempDir() + "/clone")
		up.Git("clone", "-q", "--no-checkout", "--filter=blob:none", "file://"+up.Dir, r.Dir)
		wantLines(t, trail(t, r, commitChange(t, r, "HEAD"), "docs"), "three [~docs/a]", "two [~docs/a]", "one [+docs/a]")
	})
	for name, object := range map[string]string{"tree": "HEAD~2:docs", "commit": "HEAD~2"} {
		t.Run("without a "+name, func(t *testing.T) {
			r := up.In(t.TempDir() + "/clone")
			up.Git("clone", "-q", "--no-hardlinks", ".", r.Dir)
			if err := os.Remove(r.Loose(r.Git("rev-parse", object))); err != nil {
				t.Fatal(err)
			}
			c := commitChange(t, r, "HEAD")
			for range 2 { // an error is not kept as an answer
				_, err := c.Trail(ctx, []string{"docs"})
				var e *git.Error
				if !errors.As(err, &e) || e.Op == "" || e.Help == "" || !errors.Is(err, snapshot.ErrNoObject) {
					t.Errorf("%v", err)
				}
			}
		})
	}
}

// TestTrailFailingGit breaks the two processes of a trail.
func TestTrailFailingGit(t *testing.T) {
	cases := []struct{ name, when, body, says string }{
		{"rev-list fails", "rev-list", "echo 'fatal: no luck' >&2; exit 1", "no luck"},
		{"rev-list fails late", "rev-list", `"$real" "$@"; exit 2`, "exited with 2"},
		{"rev-list prints something else", "rev-list", "echo hello; exit 0", "hello"},
		{"diff-tree fails", "diff-tree", "cat >/dev/null; exit 3", "exited with 3"},
		{"diff-tree says nothing", "diff-tree", "cat >/dev/null; exit 0", "does not answer"},
		{"diff-tree stops early", "diff-tree", `"$real" "$@" | head -c 130; exit 0`, "not understood"},
		{"diff-tree says too much", "diff-tree", `"$real" "$@"; echo more; exit 0`, "not understood"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := shapes.New(t)
			put(r, "a", "one")
			put(r, "a", "two")
			_, err := staged(t, failing(t, r, c.when, c.body)).Trail(context.Background(), []string{"a"})
			wantError(t, err, c.says)
		})
	}
}

// TestTrailProcesses counts: two for a trail, however long, none for one that was asked for before, and none when nobody
// asks.
func TestTrailProcesses(t *testing.T) {
	ctx := context.Background()
	r := shapes.New(t)
	for i := range 30 {
		put(r, "a", fmt.Sprint(i))
	}
	head := r.Git("rev-parse", "HEAD")
	counting, calls := counted(t, r)
	c := staged(t, counting)
	before := len(calls())
	if before > 2 {
		t.Errorf("git was started %d times before anybody asked:\n%s", before, strings.Join(calls(), "\n"))
	}
	// No more than most processes have been started since the last look.
	started := func(what string, most int) {
		t.Helper()
		got := calls()
		if n := len(got) - before; n > most {
			t.Errorf("git was started %d times for %s:\n%s", n, what, strings.Join(got[before:], "\n"))
		}
		before = len(got)
	}
	first, err := c.Trail(ctx, []string{"a", "b"})
	if err != nil || len(first) != 30 {
		t.Fatalf("%d marks, %v", len(first), err)
	}
	again, err := c.Trail(ctx, []string{"b/", "a/c", "a"})
	if err != nil || !cmp.Equal(first, again) {
		t.Errorf("the second answer is another one: %v", err)
	}
	started("a trail", 2)
	for range 2 {
		trees, err := c.At(ctx, []string{head, head[:8], head[:12]})
		if err != nil || trees[2] == nil {
			t.Fatal(trees, err)
		}
	}
	started("ids", 1) // unless the process that reads objects is there already
	for range 2 {
		if _, err := c.Renamed(ctx, c.Before[0]); err != nil {
			t.Fatal(err)
		}
	}
	started("renames", 1)
}
