package git_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/seed-4419f9ca/forge/pkg/git"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
	"github.com/seed-4419f9ca/forge/testdata/shapes"
)

// at returns the ids of the commits that asked lead to, "-" for none.
func at(t testing.TB, c *snapshot.Change, asked ...string) []string {
	t.Helper()
	trees, err := c.At(context.Background(), asked)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, tree := range trees {
		if tree == nil {
			out = append(out, "-")
		} else {
			out = append(out, tree.ID())
		}
	}
	return out
}

func TestAt(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			r := shapes.New(t, "--object-format="+format)
			one := put(r, "a", "one")
			two := put(r, "a", "two")
			r.Git("tag", "-a", "-m", "t", "noted")
			tag := r.Git("rev-parse", "noted")
			blob, tree := r.Git("rev-parse", "HEAD:a"), r.Git("rev-parse", "HEAD^{tree}")
			none := strings.Repeat("0123456789abcdef", 4)
			c := staged(t, r)
			wantLines(t, at(t, c, one, two[:7], one[:12], strings.ToUpper(two), two[:len(two)-1], one), one, two, one, two, two, one)
			wantLines(t, at(t, c, tag, tag[:9]), two, two)
			wantLines(t, at(t, c, blob, blob[:9], tree, tree[:9], none, none[:40], none[:8], strings.Repeat("0", len(one))), "-", "-", "-", "-", "-", "-", "-", "-")
			// A third of them is no id at all, though git would know most.
			wantLines(t, at(t, c, "", "HEAD", "main", "noted", one[:3], one+"0", two[:7]+"^", "@", two[:6]+"\n", two[:6]+" ", "x-1-g"+two[:8], "--all", none+"0"),
				"-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-")
			wantLines(t, at(t, c))
			wantLines(t, at(t, commitChange(t, r, "HEAD"), one[:8]), one)
			wantLines(t, at(t, rangeChange(t, r, "HEAD~1..HEAD"), one[:8]), one)
			wantLines(t, at(t, worktree(t, r), one[:8]), one)
			steps, err := rangeChange(t, r, "HEAD~1..HEAD").Commits(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			wantLines(t, at(t, steps[0].Change, one[:8]), one)

			trees, err := c.At(context.Background(), []string{one})
			if err != nil {
				t.Fatal(err)
			}
			e, err := trees[0].Lookup(context.Background(), "a")
			if data, readErr := trees[0].Read(context.Background(), e, 0); err != nil || readErr != nil || string(data) != "one\n" {
				t.Errorf("the tree holds %q: %v, %v", data, err, readErr)
			}
		})
	}
}

// TestAtNamedLikeIDs makes branches and tags whose names are abbreviations, and even full ids, of other commits.
func TestAtNamedLikeIDs(t *testing.T) {
	r := shapes.New(t)
	one := put(r, "a", "one")
	two := put(r, "a", "two")
	for _, name := range []string{one[:4], one[:7], one, "forge-0-g" + one[:9], strings.Repeat("ab", 32), "dead", "face12"} {
		r.Git("update-ref", "refs/heads/"+name, two)
		r.Git("update-ref", "refs/tags/"+name, two)
	}
	if seen := r.Git("rev-parse", "-q", "--verify", one[:7]+"^{commit}"); seen != two {
		t.Fatalf("git takes the abbreviation for %s, and the test shows nothing", seen)
	}
	wantLines(t, at(t, staged(t, r), one[:4], one[:7], one, one[:9], strings.Repeat("ab", 32), "dead", "face12"), one, one, one, one, "-", "-", "-")
}

// TestAtAmbiguous makes commits until two of them, and a commit and a blob, begin alike.
func TestAtAmbiguous(t *testing.T) {
	r := shapes.New(t)
	put(r, "a", "one")
	tree := r.Git("rev-parse", "HEAD^{tree}")
	var in strings.Builder
	for i := range 600 {
		fmt.Fprintf(&in, "blob\nmark :%d\ndata 3\n%03d\ncommit refs/tags/t%d\nmark :%d\ncommitter T <t@e> %d +0000\ndata 1\nm\nget-mark :%d\nget-mark :%d\n",
			2*i+1, i, i, 2*i+2, 1_700_000_000+i, 2*i+1, 2*i+2)
	}
	r.Feed(in.String(), "fast-import", "--quiet")
	kinds := map[string]string{}
	for line := range strings.Lines(r.Git("cat-file", "--batch-all-objects", "--batch-check")) {
		f := strings.Fields(line)
		kinds[f[0][:4]] += f[1][:1] + " " + f[0] + ","
	}
	var both, several string
	for prefix, list := range kinds {
		switch n := strings.Count(list, "c "); {
		case n == 1 && strings.Contains(list, "b "):
			both = prefix
		case n == 2:
			several = prefix
		}
	}
	if both == "" || several == "" {
		t.Fatalf("%d objects, and none begin alike", len(kinds))
	}
	_, commit, _ := strings.Cut(kinds[both], "c ")
	commit, _, _ = strings.Cut(commit, ",")
	_, first, _ := strings.Cut(kinds[several], "c ")
	first, _, _ = strings.Cut(first, ",")
	c := staged(t, r)
	wantLines(t, at(t, c, both, several, first, first[:12], tree[:4]), commit, "-", first, first, "-")
	// A branch of that name does not decide between the two.
	r.Git("update-ref", "refs/heads/"+several, first)
	wantLines(t, at(t, staged(t, r), several), "-")
}

// TestAtWithoutObjects makes sure that only what is not there at all is no commit.
func TestAtWithoutObjects(t *testing.T) {
	ctx := context.Background()
	up := shapes.New(t)
	one := put(up, "a", "one")
	two := put(up, "a", "two")
	t.Run("damaged", func(t *testing.T) {
		r := up.In(t.TempDir() + "/clone")
		up.Git("clone", "-q", "--no-hardlinks", ".", r.Dir)
		if err := os.Chmod(r.Loose(one), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(r.Loose(one), []byte("garbage"), 0o600); err != nil {
			t.Fatal(err)
		}
		c := staged(t, r)
		for _, id := range []string{one, one[:10]} {
			for range 2 {
				_, err := c.At(ctx, []string{two, id})
				wantError(t, err, id)
				var e *git.Error
				if !errors.As(err, &e) {
					t.Errorf("%v", err)
				}
			}
		}
		wantLines(t, at(t, c, two[:10]), two)
	})
	t.Run("gone", func(t *testing.T) {
		r := up.In(t.TempDir() + "/clone")
		up.Git("clone", "-q", "--no-hardlinks", ".", r.Dir)
		if err := os.Remove(r.Loose(one)); err != nil {
			t.Fatal(err)
		}
		wantLines(t, at(t, staged(t, r), one, one[:10]), "-", "-")
	})
	t.Run("shallow", func(t *testing.T) {
		r := up.In(t.TempDir() + "/clone")
		up.Git("clone", "-q", "--depth=1", "file://"+up.Dir, r.Dir)
		repo := open(t, r)
		c, err := repo.Staged(ctx)
		if err != nil {
			t.Fatal(err)
		}
		wantLines(t, at(t, c, one, one[:10], two[:10]), "-", "-", two)
		if err := repo.Deepen(ctx, "origin", 1); err != nil {
			t.Fatal(err)
		}
		wantLines(t, at(t, c, one, one[:10]), one, one)
	})
	t.Run("promised", func(t *testing.T) {
		up.Git("config", "uploadpack.allowFilter", "true")
		r := up.In(t.TempDir() + "/clone")
		up.Git("clone", "-q", "--filter=blob:none", "--no-checkout", "file://"+up.Dir, r.Dir)
		c := staged(t, r)
		promised := up.Git("rev-parse", "HEAD:a") // which could be anything
		_, err := c.At(ctx, []string{one, promised})
		wantError(t, err, promised, "partial clone")
		if !errors.Is(err, snapshot.ErrNoObject) {
			t.Errorf("%v is not ErrNoObject", err)
		}
		wantLines(t, at(t, c, one, two[:9], strings.Repeat("ab", 20), "dead"), one, two, "-", "-")
	})
}

func TestAtFailingGit(t *testing.T) {
	cases := []struct{ name, when, body, says string }{
		{"cat-file dies", "cat-file", cut("sed -u '/deadbeef/Q'"), "cut short"},
		{"cat-file says something else", "cat-file", cut("sed -u 's/^.*deadbeef.* missing/hello/'"), "hello"},
		{"rev-parse fails", "rev-parse", "echo 'fatal: no luck' >&2; exit 1", "no luck"},
		{"rev-parse says something else", "rev-parse", "echo hello; exit 0", "hello"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := shapes.New(t)
			one := put(r, "a", "one")
			_, err := staged(t, failing(t, r, c.when, c.body)).At(context.Background(), []string{one[:9], "deadbeef", one})
			wantError(t, err, c.says)
		})
	}
}

// TestAtMany asks for more ids than fit into one write or one command.
func TestAtMany(t *testing.T) {
	r := shapes.New(t)
	one := put(r, "a", "one")
	var asked, want []string
	for i := range 1500 {
		asked = append(asked, fmt.Sprintf("%08x", i*7919), one[:7+i%30])
		want = append(want, "-", one)
	}
	counting, calls := counted(t, r)
	c := staged(t, counting)
	wantLines(t, at(t, c, asked...), want...)
	wantLines(t, at(t, c, asked...), want...)
	if got := calls(); len(got) > 7 {
		t.Errorf("git was started %d times", len(got))
	}
}
