package git_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/seed-4419f9ca/forge/pkg/snapshot"
	"github.com/seed-4419f9ca/forge/testdata/shapes"
)

const zeros = "0000000000000000000000000000000000000000"

// cloned returns a repository that has pushed its one commit to the remote origin.
func cloned(t testing.TB) *shapes.Repo {
	r := logged(t)
	origin := t.TempDir()
	r.Git("init", "-q", "--bare", origin)
	r.Git("remote", "add", "origin", origin)
	r.Git("push", "-q", "origin", "main")
	return r
}

func grow(r *shapes.Repo, data string) string {
	r.Stage("log", data)
	return r.Commit(strings.TrimSpace(data))
}

func prePush(t testing.TB, r *shapes.Repo, remote string, lines ...string) []*snapshot.Change {
	t.Helper()
	changes, err := open(t, r).PrePush(context.Background(), remote, strings.NewReader(strings.Join(lines, "\n")+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	return changes
}

func pushLine(r *shapes.Repo, rev, old string) string {
	return fmt.Sprintf("refs/heads/%s %s refs/heads/%s %s", rev, r.Git("rev-parse", rev), rev, old)
}

func TestPrePush(t *testing.T) {
	r := cloned(t)
	base := r.Git("rev-parse", "HEAD")
	r.Git("switch", "-q", "-c", "side")
	grow(r, "bad\n")
	grow(r, "1\n2\n")

	t.Run("a new branch", func(t *testing.T) {
		c := prePush(t, r, "origin", pushLine(r, "side", zeros))
		if len(c) != 1 {
			t.Fatalf("%d changes", len(c))
		}
		wantFiles(t, c[0], `log: "1\n" => "1\n2\n"`)
		wantLines(t, subjects(t, c[0]), "bad", "1\n2")
		wantLines(t, ids(c[0].Before), base)
		if !strings.Contains(c[0].Note, base[:12]) {
			t.Errorf("note %q", c[0].Note)
		}
	})
	t.Run("the remote's commit is not known here", func(t *testing.T) {
		c := prePush(t, r, "", pushLine(r, "side", strings.Repeat("ab", 20)))
		wantLines(t, ids(c[0].Before), base)
		wantLines(t, subjects(t, c[0]), "bad", "1\n2")
	})
	t.Run("the remote has the first of them", func(t *testing.T) {
		c := prePush(t, r, "origin", pushLine(r, "side", r.Git("rev-parse", "side~1")))
		wantFiles(t, c[0], `log: "bad\n" => "1\n2\n"`)
		wantLines(t, subjects(t, c[0]), "1\n2")
	})
	t.Run("deletions and what is there", func(t *testing.T) {
		for _, lines := range [][]string{
			nil, {"(delete) " + zeros + " refs/heads/old " + base}, {pushLine(r, "main", zeros)}, {pushLine(r, "main", base)},
		} {
			if c := prePush(t, r, "origin", lines...); len(c) != 0 {
				t.Errorf("%q gives %d changes", lines, len(c))
			}
		}
	})
	t.Run("several lines", func(t *testing.T) {
		c := prePush(t, r, "origin", "(delete) "+zeros+" refs/heads/old "+base, pushLine(r, "side", zeros), pushLine(r, "main", base),
			strings.Replace(pushLine(r, "side", zeros), "refs/heads/side "+zeros, "refs/heads/twin "+zeros, 1),
			pushLine(r, "side~1", zeros))
		if len(c) != 2 {
			t.Fatalf("%d changes", len(c))
		}
		wantLines(t, append(subjects(t, c[0]), subjects(t, c[1])...), "bad", "1\n2", "bad")
	})
	t.Run("an annotated tag", func(t *testing.T) {
		r.Git("tag", "-a", "-m", "v1", "v1", "side")
		c := prePush(t, r, "origin", "refs/tags/v1 "+r.Git("rev-parse", "v1")+" refs/tags/v1 "+zeros)
		wantLines(t, ids([]snapshot.Tree{c[0].After}), r.Git("rev-parse", "side"))
	})
	t.Run("a tag of a blob", func(t *testing.T) {
		r.Git("tag", "key", "HEAD:log")
		if c := prePush(t, r, "origin", "refs/tags/key "+r.Git("rev-parse", "key")+" refs/tags/key "+zeros); len(c) != 0 {
			t.Errorf("%d changes", len(c))
		}
	})
	t.Run("an address without a name", func(t *testing.T) {
		for _, remote := range []string{"https://example.com/x.git", "../other", "/srv/x", "elsewhere"} {
			c := prePush(t, r, remote, pushLine(r, "side", zeros))
			wantLines(t, ids(c[0].Before), base)
		}
	})
	t.Run("a remote that has nothing", func(t *testing.T) {
		r.Git("remote", "add", "backup", "/nowhere")
		c := prePush(t, r, "backup", pushLine(r, "side", zeros))
		wantLines(t, subjects(t, c[0]), "base", "bad", "1\n2")
		wantLines(t, ids(c[0].Before), r.Feed("", "hash-object", "-t", "tree", "--stdin"))
		if len(c[0].Files) != 2 {
			t.Errorf("files %v", c[0].Files)
		}
	})
	t.Run("lines that are none", func(t *testing.T) {
		for _, lines := range []string{"x", "a b c d", "refs/heads/a " + base + " refs/heads/a", "a " + base + " b " + zeros[:39] + "\n", "a " + base + "  " + zeros} {
			_, err := open(t, r).PrePush(context.Background(), "", strings.NewReader(lines))
			wantError(t, err, "not understood")
		}
		_, err := open(t, r).PrePush(context.Background(), "", strings.NewReader("a "+strings.Repeat("cd", 20)+" refs/heads/a "+zeros+"\n"))
		wantError(t, err, "refs/heads/a", "cdcdcd")
	})
}

// TestPrePushForced pushes a branch that leaves a published commit behind.
func TestPrePushForced(t *testing.T) {
	r := cloned(t)
	base := r.Git("rev-parse", "HEAD")
	old := grow(r, "old\n")
	r.Git("push", "-q", "origin", "main")
	r.Git("reset", "-q", "--hard", base)
	grow(r, "new\n")
	c := prePush(t, r, "origin", pushLine(r, "main", old))
	wantFiles(t, c[0], `log: "1\n" => "new\n"`)
	wantLines(t, subjects(t, c[0]), "new")
	r.Git("reset", "-q", "--hard", base)
	if c := prePush(t, r, "origin", pushLine(r, "main", old)); len(c) != 0 {
		t.Errorf("going back gives %d changes", len(c))
	}
}

// TestPrePushEdges pushes branches whose new commits begin at several published ones.
func TestPrePushEdges(t *testing.T) {
	r := cloned(t)
	base := r.Git("rev-parse", "HEAD")
	r.Git("switch", "-q", "-c", "side")
	r.Stage("side", "s\n")
	r.Commit("side")
	r.Git("switch", "-q", "main")
	first := grow(r, "1\n2\n")
	r.Git("push", "-q", "origin", "main")
	r.Git("switch", "-q", "side")
	r.Git("merge", "-q", "--no-edit", "main")

	// Both base and first are published; the second contains the first.
	c := prePush(t, r, "origin", pushLine(r, "side", zeros))
	wantLines(t, ids(c[0].Before), first)
	wantFiles(t, c[0], `side: - => "s\n"`)

	// Two published branches that do not contain one another.
	r.Git("push", "-q", "origin", base+":refs/heads/other")
	r.Git("switch", "-q", "-c", "other", base)
	r.Stage("other", "o\n")
	other := r.Commit("other")
	r.Git("push", "-q", "origin", "other")
	r.Git("switch", "-q", "-c", "join", "main")
	r.Git("merge", "-q", "--no-edit", "other")
	c = prePush(t, r, "origin", pushLine(r, "join", zeros))
	wantLines(t, ids(c[0].Before), first, other)
	wantFiles(t, c[0], `log: "1\n2\n" & "1\n" => "1\n2\n"`, `other: - & "o\n" => "o\n"`)
	bases, err := c[0].MergeBases(context.Background(), 1)
	if err != nil {
		t.Fatal(err)
	}
	wantLines(t, ids(bases), base)

	// The remote's own commit wins when the push only adds to it, even if the new commits begin elsewhere.
	c = prePush(t, r, "origin", pushLine(r, "join", base))
	wantLines(t, ids(c[0].Before), base)
}

// TestPushHooks pushes through real hooks on both sides; the receiving one sees the objects through the quarantine only.
func TestPushHooks(t *testing.T) {
	r := cloned(t)
	sent := installHook(t, r, "pre-push", "pre-push")
	origin := r.In(r.Git("remote", "get-url", "origin"))
	received := installHook(t, origin, "pre-receive", "pre-receive")

	grow(r, "bad\n")
	grow(r, "1\n2\n")
	r.Git("push", "-q", "origin", "main")
	want := []string{`log: "1\n" => "1\n2\n"`, `commit "bad\n"`, `commit "1\n2\n"`}
	wantLines(t, sent(), want...)
	wantLines(t, received(), want...)

	r.Git("push", "-q", "origin", "main:refs/heads/copy")
	wantLines(t, sent())
	wantLines(t, received())

	r.Git("switch", "-q", "-c", "side", "main~1")
	grow(r, "side\n")
	r.Git("push", "-q", "origin", "side", ":copy")
	want = []string{`log: "bad\n" => "side\n"`, `commit "side\n"`}
	wantLines(t, sent(), want...)
	wantLines(t, received(), want...)

	r.Git("push", "-q", "--force", "origin", "side:main")
	wantLines(t, sent())
	wantLines(t, received(), `log: "bad\n" => "side\n"`, `commit "side\n"`)
}

func TestPreReceive(t *testing.T) {
	r := logged(t)
	base := r.Git("rev-parse", "HEAD")
	two := grow(r, "2\n")
	receive := func(lines ...string) []*snapshot.Change {
		t.Helper()
		changes, err := open(t, r).PreReceive(context.Background(), strings.NewReader(strings.Join(lines, "\n")+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		return changes
	}
	c := receive(base + " " + two + " refs/heads/main")
	wantFiles(t, c[0], `log: "1\n" => "2\n"`)
	wantLines(t, subjects(t, c[0]), "2")
	if c := receive(two+" "+zeros+" refs/heads/main", two+" "+two+" refs/heads/x"); len(c) != 0 {
		t.Errorf("%d changes", len(c))
	}
	r.Git("checkout", "-q", "--orphan", "alone")
	alone := r.Commit("alone")
	r.Git("switch", "-q", "main")
	r.Git("branch", "-q", "-D", "alone")
	c = receive(zeros + " " + alone + " refs/heads/alone")
	wantLines(t, ids(c[0].Before), r.Feed("", "hash-object", "-t", "tree", "--stdin"))
	c = receive(two + " " + alone + " refs/heads/main")
	wantLines(t, ids(c[0].Before), two)
	if !strings.Contains(c[0].Note, "no common history") {
		t.Errorf("note %q", c[0].Note)
	}
	_, err := open(t, r).PreReceive(context.Background(), strings.NewReader(strings.Repeat("ab", 20)+" "+two+" refs/heads/main\n"))
	wantError(t, err, "refs/heads/main", "abab")
	_, err = open(t, r).PreReceive(context.Background(), strings.NewReader(base+" "+two+"\n"))
	wantError(t, err, "not understood")
}
