package git_test

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-4419f9ca/forge/pkg/snapshot"
	"github.com/seed-4419f9ca/forge/testdata/shapes"
)

func commitChange(t testing.TB, r *shapes.Repo, rev string) *snapshot.Change {
	t.Helper()
	c, err := open(t, r).CommitChange(context.Background(), rev)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func rangeChange(t testing.TB, r *shapes.Repo, spec string) *snapshot.Change {
	t.Helper()
	c, err := open(t, r).RangeChange(context.Background(), spec)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// subjects returns the messages of the commits of a range.
func subjects(t testing.TB, c *snapshot.Change) []string {
	t.Helper()
	steps, err := c.Commits(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, s := range steps {
		out = append(out, strings.TrimSpace(string(s.Message)))
	}
	return out
}

func ids(trees []snapshot.Tree) []string {
	var out []string
	for _, t := range trees {
		out = append(out, t.ID())
	}
	return out
}

// TestFormats reads the first commits of a repository in each object format: the tree before them is the empty one of that
// format.
func TestFormats(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			r := shapes.New(t, "--object-format="+format)
			empty := r.Feed("", "hash-object", "-t", "tree", "--stdin")
			r.Stage("log", "1\n")
			c := staged(t, r)
			wantFiles(t, c, `log: - => "1\n"`)
			wantLines(t, ids(c.Before), empty)
			root := r.Commit("root")
			c = commitChange(t, r, "HEAD")
			wantFiles(t, c, `log: - => "1\n"`)
			wantLines(t, ids(c.Before), empty)
			r.Stage("dir/log", "2\n")
			r.Git("rm", "-q", "log")
			wantFiles(t, staged(t, r), `dir/log: - => "2\n"`, `log: "1\n" => -`)
			r.Commit("second")
			bare := r.In(t.TempDir() + "/bare.git")
			r.Git("clone", "-q", "--bare", ".", bare.Dir)
			c = rangeChange(t, bare, "HEAD~1..HEAD")
			wantFiles(t, c, `dir/log: - => "2\n"`, `log: "1\n" => -`)
			wantLines(t, ids(c.Before), root)
			entries, err := c.After.Under(context.Background(), "dir")
			if err != nil || len(entries) != 1 {
				t.Errorf("Under = %v, %v", entries, err)
			}
			if _, err := open(t, bare).Worktree(context.Background()); err == nil {
				t.Error("a bare repository has a working tree")
			}
		})
	}
}

func TestReftable(t *testing.T) {
	r := shapes.At(t, t.TempDir())
	if _, stderr, code := r.Try("", "init", "-q", "-b", "main", "--ref-format=reftable"); code != 0 {
		if !strings.Contains(stderr, "ref-format") {
			t.Fatal(stderr)
		}
		t.Skip("this git has no reftable")
	}
	r.Stage("log", "1\n")
	wantFiles(t, staged(t, r), `log: - => "1\n"`)
	r.Commit("base")
	r.Stage("log", "2\n")
	wantFiles(t, staged(t, r), `log: "1\n" => "2\n"`)
}

func TestDetachedHead(t *testing.T) {
	r := logged(t)
	r.Git("checkout", "-q", "--detach")
	r.Stage("log", "2\n")
	wantFiles(t, staged(t, r), `log: "1\n" => "2\n"`)
}

// TestBrokenHead makes sure that a HEAD that cannot be read is no unborn branch.
func TestBrokenHead(t *testing.T) {
	t.Run("the commit is gone", func(t *testing.T) {
		r := logged(t)
		r.Git("pack-refs", "--all")
		if err := os.Remove(r.Loose(r.Git("rev-parse", "HEAD"))); err != nil {
			t.Fatal(err)
		}
		_, err := open(t, r).Staged(context.Background())
		wantError(t, err, "HEAD", "fsck")
	})
	t.Run("the branch holds no id", func(t *testing.T) {
		r := logged(t)
		r.Write(".git/refs/heads/main", "garbage\n")
		_, err := open(t, r).Staged(context.Background())
		wantError(t, err, "HEAD")
	})
	t.Run("the branch is an empty file", func(t *testing.T) {
		r := logged(t)
		r.Write(".git/refs/heads/main", "")
		_, err := open(t, r).Staged(context.Background())
		wantError(t, err, "HEAD")
	})
	t.Run("the branch leads to a blob", func(t *testing.T) {
		r := logged(t)
		r.Write(".git/refs/heads/main", r.Git("rev-parse", "HEAD:log")+"\n")
		_, err := open(t, r).Staged(context.Background())
		wantError(t, err, "HEAD", "blob")
	})
}

func TestBrokenObjects(t *testing.T) {
	break1 := func(r *shapes.Repo, name string, remove bool) string {
		oid := r.Git("rev-parse", name)
		if err := os.Chmod(r.Loose(oid), 0o600); err != nil {
			r.T.Fatal(err)
		}
		if remove {
			if err := os.Remove(r.Loose(oid)); err != nil {
				r.T.Fatal(err)
			}
		} else if err := os.WriteFile(r.Loose(oid), []byte("garbage"), 0o600); err != nil {
			r.T.Fatal(err)
		}
		return oid
	}
	for _, c := range []struct {
		name, object string
		remove       bool
	}{{"blob gone", ":log", true}, {"blob garbled", ":log", false}} {
		t.Run(c.name, func(t *testing.T) {
			r := logged(t)
			r.Stage("log", "2\n")
			oid := break1(r, c.object, c.remove)
			change := staged(t, r)
			change.After.Prefetch(context.Background(), []snapshot.Entry{change.Files[0].After, change.Files[0].Before[0]}, 100)
			if data, err := change.Before[0].Read(context.Background(), change.Files[0].Before[0], 0); err != nil || string(data) != "1\n" {
				t.Errorf("what is whole reads as %q, %v", data, err)
			}
			_, err := change.After.Read(context.Background(), change.Files[0].After, 0)
			wantError(t, err, oid, `"log"`, "fsck")
			if !errors.Is(err, snapshot.ErrNoObject) {
				t.Errorf("%v is not ErrNoObject", err)
			}
			_, _, err = change.After.Open(context.Background(), change.Files[0].After)
			wantError(t, err, oid)
			if !c.remove {
				wantError(t, err, "inflate")
			}
		})
	}
	for _, remove := range []bool{true, false} {
		t.Run("tree", func(t *testing.T) {
			r := logged(t)
			r.Stage("log", "2\n")
			break1(r, "HEAD:sub", remove)
			head := read(t, r, "HEAD")
			_, err := head.Under(context.Background(), "")
			wantError(t, err, "sub")
			_, err = head.Lookup(context.Background(), "sub/other")
			wantError(t, err, "sub/other")
			break1(r, "HEAD^{tree}", remove)
			_, err = open(t, r).Staged(context.Background())
			wantError(t, err, "git diff-index exited with 128")
		})
	}
}

// TestMergeHook merges without conflict, where only the hook pre-merge-commit runs and no MERGE_HEAD is there yet.
func TestMergeHook(t *testing.T) {
	r := logged(t)
	seen := installHook(t, r, "pre-merge-commit", "staged")
	for _, name := range []string{"one", "two"} {
		r.Git("switch", "-q", "-c", name, "main")
		r.Stage(name, name+"\n")
		r.Commit(name)
	}
	r.Git("switch", "-q", "main")
	r.Stage("log", "1\n2\n")
	r.Commit("ours")
	r.Git("merge", "-q", "--no-edit", "one", "two")
	lines := seen()
	slices.Sort(lines)
	if len(lines) != 3 || lines[0] != `log: "1\n2\n" & "1\n" & "1\n" => "1\n2\n"` {
		t.Errorf("the octopus reads as %q", lines)
	}
	r.Git("switch", "-q", "-c", "three", "main~1")
	r.Stage("log", "1\n")
	r.Stage("three", "3\n")
	r.Commit("three")
	r.Git("switch", "-q", "main")
	r.Git("merge", "-q", "--no-ff", "--no-edit", "three")
	if lines := seen(); !slices.Contains(lines, `three: - & "3\n" => "3\n"`) {
		t.Errorf("the merge reads as %q", lines)
	}
}

func TestOctopusInProgress(t *testing.T) {
	r := logged(t)
	for _, name := range []string{"one", "two"} {
		r.Git("switch", "-q", "-c", name, "main")
		r.Stage(name, name+"\n")
		r.Commit(name)
	}
	r.Git("switch", "-q", "-c", "MERGE_HEAD", "main") // a branch of that name is no merge
	r.Stage("log", "1\n2\n")
	wantFiles(t, staged(t, r), `log: "1\n" => "1\n2\n"`)
	r.Commit("ours")
	r.Git("merge", "-q", "--no-commit", "one", "two")
	c := staged(t, r)
	wantFiles(t, c, `log: "1\n2\n" & "1\n" & "1\n" => "1\n2\n"`, `one: - & "one\n" & - => "one\n"`, `two: - & - & "two\n" => "two\n"`)
	for i := range c.Before[1:] {
		bases, err := c.MergeBases(context.Background(), i+1)
		if err != nil {
			t.Fatal(err)
		}
		wantLines(t, ids(bases), r.Git("rev-parse", "main"))
	}
}

// TestForeignMergeHead makes sure that what a merge in another repository exported is not taken for a parent here.
func TestForeignMergeHead(t *testing.T) {
	r := logged(t)
	r.Stage("log", "2\n")
	foreign := r.With("GITHEAD_"+strings.Repeat("12", 20)+"=other", "GITHEAD_x=y", "GITHEAD_"+r.Git("rev-parse", "HEAD")+"=self")
	wantFiles(t, staged(t, foreign), `log: "1\n" => "2\n"`)
}

func TestCrissCross(t *testing.T) {
	var story shapes.Story
	for _, s := range shapes.Stories() {
		if s.Name == "criss-cross" {
			story = s
		}
	}
	r := shapes.Build(t, story)
	c := commitChange(t, r, "HEAD")
	bases, err := c.MergeBases(context.Background(), 1)
	if err != nil || len(bases) != 2 {
		t.Fatalf("MergeBases = %v, %v", bases, err)
	}
	c = rangeChange(t, r, "c3...c4")
	got := append(ids(c.Alternatives), c.Before[0].ID())
	slices.Sort(got)
	want := strings.Fields(r.Git("merge-base", "--all", "c3", "c4"))
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" || !strings.Contains(c.Note, "2 merge bases") {
		t.Errorf("note %q (-want +got):\n%s", c.Note, diff)
	}
}

func TestRange(t *testing.T) {
	r := logged(t)
	r.Git("switch", "-q", "-c", "side")
	r.Stage("log", "bad\n")
	r.Commit("fault")
	r.Stage("log", "1\n2\n")
	r.Commit("repair")
	r.Git("switch", "-q", "main")
	r.Stage("main", "m\n")
	r.Commit("elsewhere")
	r.Git("tag", "-a", "-m", "annotated", "tagged", "side")

	c := rangeChange(t, r, "main...tagged")
	wantFiles(t, c, `log: "1\n" => "1\n2\n"`)
	wantLines(t, subjects(t, c), "fault", "repair")
	wantLines(t, ids(c.Before), r.Git("rev-parse", "main~1"))
	wantLines(t, []string{c.Note, c.After.ID()}, "merge base with main", r.Git("rev-parse", "side"))

	c = rangeChange(t, r, "main..side")
	wantFiles(t, c, `log: "1\n" => "1\n2\n"`, `main: "m\n" => -`)
	wantLines(t, subjects(t, c), "fault", "repair")

	c = rangeChange(t, r, "side..")
	wantLines(t, []string{c.After.ID()}, r.Git("rev-parse", "HEAD"))

	r.Git("checkout", "-q", "--orphan", "alone")
	r.Git("rm", "-qrf", ".")
	r.Stage("alone", "a\n")
	r.Commit("alone")
	c = rangeChange(t, r, "main...alone")
	if !strings.Contains(c.Note, "no common history") {
		t.Errorf("note %q", c.Note)
	}
	wantLines(t, ids(c.Before), r.Git("rev-parse", "main"))
	wantLines(t, subjects(t, c), "alone")

	for spec, parts := range map[string][]string{
		"main": {"A..B"}, "a..b..c": {"A..B"}, "nowhere..main": {"nowhere"}, "main..nowhere": {"nowhere"}, "main:log..main": {"main:log", "blob"},
		"main\nside..main": {"main"}, "-x..main": {"-x"}, "main^{tree}...main": {"tree"}, "main....side": {".side"},
	} {
		_, err := open(t, r).RangeChange(context.Background(), spec)
		wantError(t, err, parts...)
	}
	if _, err := open(t, r).RangeChange(context.Background(), ":/fault..main"); err != nil {
		t.Errorf("a commit named by its message: %v", err)
	}
}

func TestUnpublished(t *testing.T) {
	ctx := context.Background()
	ask := func(r *shapes.Repo) (bool, []string) {
		t.Helper()
		yes, parents, err := staged(t, r).Unpublished(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return yes, ids(parents)
	}
	r := logged(t)
	if yes, _ := ask(r); yes {
		t.Error("without any remote HEAD is not published")
	}
	origin := t.TempDir()
	r.Git("init", "-q", "--bare", origin)
	r.Git("remote", "add", "origin", origin)
	r.Git("push", "-q", "origin", "main")
	if yes, _ := ask(r); yes {
		t.Error("a pushed HEAD is not published")
	}
	base := r.Git("rev-parse", "HEAD")
	r.Commit("local")
	yes, parents := ask(r)
	if !yes {
		t.Error("a local HEAD is published")
	}
	wantLines(t, parents, base)
	r.Git("push", "-q", "origin", "main:elsewhere")
	if yes, _ := ask(r); yes {
		t.Error("a HEAD that is on another branch of the remote is not published")
	}
	r.Git("checkout", "-q", "--orphan", "new")
	r.Commit("root")
	yes, parents = ask(r)
	if !yes {
		t.Error("a local root is published")
	}
	wantLines(t, parents, r.Feed("", "hash-object", "-t", "tree", "--stdin"))
}

// TestReplacedObjects makes sure that local replacements and grafts, which no other clone has, do not change what is read.
func TestReplacedObjects(t *testing.T) {
	r := logged(t)
	r.Stage("log", "2\n")
	r.Commit("two")
	other := r.Feed("hidden\n", "hash-object", "-w", "--stdin")
	r.Git("replace", r.Git("rev-parse", "HEAD:log"), other)
	r.Git("replace", "--graft", "HEAD")
	r.Write(".git/info/grafts", r.Git("rev-parse", "HEAD")+"\n")
	c := commitChange(t, r, "HEAD")
	wantFiles(t, c, `log: "1\n" => "2\n"`)
	c = rangeChange(t, r, "HEAD~1..HEAD")
	wantLines(t, subjects(t, c), "two")
	c = rangeChange(t, r, "HEAD~1...HEAD")
	wantFiles(t, c, `log: "1\n" => "2\n"`)
}

// TestRewrites covers commits that no hook sees.
func TestRewrites(t *testing.T) {
	r := logged(t)
	r.Git("switch", "-q", "-c", "side")
	r.Stage("log", "bad\n")
	r.Commit("fault")
	r.Git("switch", "-q", "main")
	r.Stage("main", "m\n")
	r.Commit("more")
	r.Git("cherry-pick", "side")
	wantFiles(t, commitChange(t, r, "HEAD"), `log: "1\n" => "bad\n"`)
	r.Git("revert", "--no-edit", "HEAD")
	wantFiles(t, commitChange(t, r, "HEAD"), `log: "bad\n" => "1\n"`)
	r.Git("switch", "-q", "side")
	r.Git("rebase", "-q", "main~2")
	r.Commit("on top")
	c := rangeChange(t, r, "main~2...side")
	wantFiles(t, c, `log: "1\n" => "bad\n"`)
	r.Git("switch", "-q", "main")
	r.Git("merge", "-q", "--no-commit", "--no-ff", "-s", "ours", "side")
	r.Stage("log", "evil\n")
	r.Commit("evil")
	c = commitChange(t, r, "HEAD")
	wantFiles(t, c, `log: "1\n" & "bad\n" => "evil\n"`)
}

// TestStream reads a content that is larger than what is held in memory.
func TestStream(t *testing.T) {
	ctx := context.Background()
	r := logged(t)
	const size = 100 << 20
	f, err := os.Create(r.Path("big"))
	if err != nil {
		t.Fatal(err)
	}
	line := strings.Repeat("x", 1023) + "\n"
	for range size / len(line) {
		if _, err := io.WriteString(f, line); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	r.Git("-c", "core.compression=0", "add", "big")
	c := staged(t, r)
	e := c.Files[0].After
	log, err := c.After.Lookup(ctx, "log")
	if err != nil {
		t.Fatal(err)
	}
	c.After.Prefetch(ctx, []snapshot.Entry{e, log}, 10<<20)
	var large *snapshot.TooLarge
	if _, err := c.After.Read(ctx, e, 10<<20); !errors.As(err, &large) || large.Size != size {
		t.Errorf("Read gives %v", err)
	}
	if data, err := c.After.Read(ctx, log, 10<<20); err != nil || string(data) != "1\n" {
		t.Errorf("after it, another file reads as %q, %v", data, err)
	}
	var streams []io.ReadCloser
	for range 2 {
		rc, n, err := c.After.Open(ctx, e)
		if err != nil || n != size {
			t.Fatalf("Open says %d bytes, %v", n, err)
		}
		streams = append(streams, rc)
	}
	if n, err := io.Copy(io.Discard, streams[0]); err != nil || n != size {
		t.Errorf("the stream has %d bytes, %v", n, err)
	}
	for _, rc := range streams { // the second is closed before its end
		if err := rc.Close(); err != nil {
			t.Error(err)
		}
	}
}
