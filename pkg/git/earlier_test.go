package git_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-4419f9ca/forge/pkg/snapshot"
	"github.com/seed-4419f9ca/forge/testdata/shapes"
)

const oddName = ":(top) a [1]*.txt"

// earlier returns what the earlier versions of a path hold.
func earlier(t *testing.T, c *snapshot.Change, path string, limit int) []string {
	t.Helper()
	ctx := context.Background()
	if c.Earlier == nil {
		return []string{"no history"}
	}
	versions, err := c.Earlier(ctx, path, limit)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range versions {
		data, err := c.Before[0].Read(ctx, e, 0)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(data))
	}
	return out
}

func TestEarlierVersions(t *testing.T) {
	r := shapes.New(t)
	put := func(text string) {
		r.Stage(oddName, text)
		r.Commit(text)
	}
	for _, text := range []string{"one", "two", "two", "three"} {
		put(text)
	}
	r.Git("checkout", "-q", "-b", "side", "HEAD~1")
	put("side")
	r.Git("checkout", "-q", "main")
	r.Git("merge", "-q", "-s", "ours", "-m", "merged", "side")
	r.With("GIT_LITERAL_PATHSPECS=1").Git("rm", "-q", "--", oddName)
	r.Commit("gone")
	put("back")
	r.Stage("other", "x")
	r.Commit("other")

	all := []string{"back", "three", "side", "two", "one"}
	for name, got := range map[string][]string{
		"of a commit": earlier(t, commitChange(t, r, "HEAD"), oddName, 100),
		"of a range":  earlier(t, rangeChange(t, r, "HEAD~1..HEAD"), oddName, 100),
	} {
		seen := map[string]bool{}
		for _, text := range got {
			seen[text] = true
		}
		for _, text := range all {
			if !seen[text] {
				t.Errorf("%s: %q is missing in %q", name, text, got)
			}
		}
		if got[0] != "back" || got[len(got)-1] != "one" {
			t.Errorf("%s: not newest first: %q", name, got)
		}
	}
	r.Stage(oddName, "now")
	c, err := open(t, r).Staged(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if got := earlier(t, c, oddName, 1); !cmp.Equal(got, []string{"back"}) {
		t.Errorf("limited to one: %q", got)
	}
	if got := earlier(t, c, "nowhere", 9); got != nil {
		t.Errorf("of a path that never was: %q", got)
	}
	steps, err := rangeChange(t, r, "HEAD~2..HEAD").Commits(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(earlier(t, steps[0].Change, oddName, 9)); !strings.HasPrefix(got, "[three") && !strings.HasPrefix(got, "[side") {
		t.Errorf("of a step: %s", got)
	}
}

func TestEarlierVersionsWithoutHistory(t *testing.T) {
	r := shapes.New(t)
	r.Stage("a", "a")
	c, err := open(t, r).Staged(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if got := earlier(t, c, "a", 9); !cmp.Equal(got, []string{"no history"}) {
		t.Errorf("unborn: %q", got)
	}
	r.Commit("root")
	if got := earlier(t, commitChange(t, r, "HEAD"), "a", 9); !cmp.Equal(got, []string{"no history"}) {
		t.Errorf("root commit: %q", got)
	}
}
