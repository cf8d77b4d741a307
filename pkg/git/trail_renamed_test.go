package git_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-4419f9ca/forge/pkg/memory"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
	"github.com/seed-4419f9ca/forge/testdata/shapes"
)

// text returns n lines that have nothing in common with those of another name, the last of them changed when edited.
func text(name string, n int, edited bool) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s line %d of %s\n", name, i*31, name)
	}
	if edited {
		b.WriteString("one more\n")
	}
	return b.String()
}

func wantRenamed(t testing.TB, r *shapes.Repo, c *snapshot.Change, base string, want map[string]string) {
	t.Helper()
	ctx := context.Background()
	trees, err := c.At(ctx, []string{base})
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.Renamed(ctx, trees[0])
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestRenamed(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			r := shapes.New(t, "--object-format="+format)
			for key, value := range map[string]string{"diff.renames": "false", "diff.renameLimit": "1", "diff.relative": "true", "merge.renames": "false"} {
				r.Git("config", key, value)
			}
			odd := "odd\xff\nname"
			for _, name := range []string{"same", "edited", "gone", "stays", "copied", odd, "two"} {
				r.Stage(name, text(name, 20, false))
			}
			r.Stage("ita", "")
			r.Stage("half", text("half", 20, false)+text("first", 10, false))
			r.Stage("rewritten", text("rewritten", 20, false))
			base := r.Commit("base")
			put(r, "between", "between")
			for _, name := range []string{"same", "edited", "gone", odd, "two", "rewritten", "half"} {
				r.With("GIT_LITERAL_PATHSPECS=1").Git("rm", "-q", "--", name)
			}
			r.Stage("dir/same", text("same", 20, false))
			r.Stage("dir/under another name", text("edited", 20, true))
			r.Stage("other half", text("half", 20, false)+text("second", 10, false))
			r.Stage("dir/"+odd, text(odd, 20, true))
			r.Stage("copy", text("copied", 20, false))
			r.Stage("two/a", text("two", 20, false))
			r.Stage("two/b", text("two", 20, false))
			r.Stage("new", text("of its own", 20, false))
			want := map[string]string{"same": "dir/same", "edited": "dir/under another name", "half": "other half", odd: "dir/" + odd}
			check := func(c *snapshot.Change) {
				t.Helper()
				trees, err := c.At(context.Background(), []string{base})
				if err != nil {
					t.Fatal(err)
				}
				got, err := c.Renamed(context.Background(), trees[0])
				if err != nil {
					t.Fatal(err)
				}
				if got["two"] != "two/a" && got["two"] != "two/b" {
					t.Errorf("two went to %q", got["two"])
				}
				got = map[string]string{}
				all, _ := c.Renamed(context.Background(), trees[0])
				for from, to := range all {
					if from != "two" {
						got[from] = to
					}
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			}
			check(staged(t, r))
			r.Write("ita2", "")
			r.Git("add", "-N", "ita2")
			r.Git("rm", "-q", "--cached", "ita")
			check(staged(t, r)) // an announced file has not come
			r.Git("add", "ita")
			r.Git("rm", "-q", "--cached", "ita2")
			after := r.Commit("after")
			check(commitChange(t, r, "HEAD"))
			check(rangeChange(t, r, "HEAD~1..HEAD"))
			check(worktree(t, r.In("dir")))
			wantRenamed(t, r, staged(t, r), after, map[string]string{})
			steps, err := rangeChange(t, r, "HEAD~1..HEAD").Commits(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			check(steps[0].Change)
		})
	}
}

// TestRenamedOnDisk moves files in commits and then on disk, where only equal contents make a pair.
func TestRenamedOnDisk(t *testing.T) {
	r := shapes.New(t)
	for _, name := range []string{"twice", "disk", "edited", "back", "deleted"} {
		r.Stage(name, text(name, 20, false))
	}
	base := r.Commit("base")
	move := func(from, to string, edited bool) {
		r.Stage(to, text(strings.TrimSuffix(from, "2"), 20, edited))
		r.Git("rm", "-qf", from)
	}
	move("twice", "twice2", true)
	move("back", "back2", true)
	move("deleted", "deleted2", true)
	r.Commit("moved")
	r.Git("mv", "twice2", "twice3")
	r.Git("mv", "disk", "disk2")
	r.Git("rm", "-qf", "deleted2")
	r.Git("mv", "back2", "back")
	move("edited", "edited2", true)
	r.Write("edited2", text("edited", 20, true)+"on disk\n")
	want := map[string]string{"twice": "twice3", "disk": "disk2"}
	wantRenamed(t, r, worktree(t, r), base, want)
	want["edited"] = "edited2"
	wantRenamed(t, r, staged(t, r), base, want)
}

func TestRenamedUnborn(t *testing.T) {
	r := shapes.New(t)
	r.Stage("a", text("a", 9, false))
	base := r.Commit("base")
	r.Git("checkout", "-q", "--orphan", "new")
	r.Git("mv", "a", "b")
	for _, c := range []*snapshot.Change{staged(t, r), worktree(t, r)} {
		wantRenamed(t, r, c, base, map[string]string{"a": "b"})
		got, err := c.Renamed(context.Background(), c.Before[0]) // the empty tree
		if err != nil || len(got) != 0 {
			t.Errorf("from nothing: %q, %v", got, err)
		}
	}
}

// TestRenamedBeyondLimit has too many paths for all to be compared: equal contents still make pairs, and nothing fails.
func TestRenamedBeyondLimit(t *testing.T) {
	r := shapes.New(t)
	for i := range 1100 {
		r.Write(fmt.Sprintf("old/%d", i), text(fmt.Sprint("f", i), 2, false))
	}
	r.Git("add", ".")
	base := r.Commit("base")
	for i := range 1100 {
		r.Write(fmt.Sprintf("new/x%d", i), text(fmt.Sprint("f", i), 2, i > 0))
	}
	r.Git("rm", "-rq", "old")
	r.Git("add", ".")
	wantRenamed(t, r, staged(t, r), base, map[string]string{"old/0": "new/x0"})
}

func TestRenamedErrors(t *testing.T) {
	ctx := context.Background()
	r := shapes.New(t)
	r.Stage("a", text("a", 20, false))
	r.Commit("base")
	r.Stage("b", text("a", 20, true))
	r.Git("rm", "-qf", "a")
	c := staged(t, r)
	_, err := c.Renamed(ctx, memory.Tree(nil))
	wantError(t, err, "find renames")
	_, err = c.Renamed(ctx, c.After)
	wantError(t, err, "find renames")

	t.Run("the index has changed", func(t *testing.T) {
		c := staged(t, r)
		r.Git("mv", "b", "c")
		_, err := c.Renamed(ctx, c.Before[0])
		wantError(t, err, "index has changed", "run again")
		r.Git("mv", "c", "b")
	})
	r.Commit("moved")
	t.Run("contents are promised", func(t *testing.T) {
		r.Git("config", "uploadpack.allowFilter", "true")
		clone := r.In(t.TempDir() + "/clone")
		r.Git("clone", "-q", "--no-checkout", "--filter=blob:none", "file://"+r.Dir, clone.Dir)
		c := commitChange(t, clone, "HEAD")
		_, err := c.Renamed(ctx, c.Before[0])
		wantError(t, err, "find renames", "partial clone")
		if !errors.Is(err, snapshot.ErrNoObject) {
			t.Errorf("%v is not ErrNoObject", err)
		}
	})
	cases := []struct{ name, when, body, says string }{
		{"fails", "diff-tree", `case "$*" in *--find-renames*) exit 3;; esac`, "exited with 3"},
		{"prints something else", "diff-tree", `case "$*" in *--find-renames*) echo hello; exit 0;; esac`, "hello"},
		{"stops early", "diff-tree", `case "$*" in *--find-renames*) "$real" "$@" | head -c 101; exit 0;; esac`, "not understood"},
	}
	for _, f := range cases {
		t.Run(f.name, func(t *testing.T) {
			c := commitChange(t, failing(t, r, f.when, f.body), "HEAD")
			for range 2 {
				_, err := c.Renamed(ctx, c.Before[0])
				wantError(t, err, f.says)
			}
		})
	}
}
