package git_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/seed-4419f9ca/forge/pkg/git"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
	"github.com/seed-4419f9ca/forge/testdata/shapes"
)

// failing puts a git into r's PATH that misbehaves in the command named by when, and is the real one otherwise. In body
// "$real" stands for the real git. One that misbehaves in reading objects is asked for all of them.
func failing(t testing.TB, r *shapes.Repo, when, body string) *shapes.Repo {
	t.Helper()
	real, err := findGit()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	script := fmt.Sprintf("#!/bin/sh\nreal='%s'\ncase \" $* \" in *' %s '*)\n%s\n;; esac\nexec \"$real\" \"$@\"\n", real, when, body)
	if err := os.WriteFile(dir+"/git", []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	r = r.With("PATH=" + dir + ":" + os.Getenv("PATH"))
	if when == "cat-file" {
		r = asking(r)
	}
	return r
}

// asking returns r in surroundings in which nothing is read without git.
func asking(r *shapes.Repo) *shapes.Repo { return r.With("GIT_CEILING_DIRECTORIES=/nowhere") }

// cut passes the answers of git through a filter that may end early. The shell lets go of its own end, so that the reader
// sees that.
func cut(filter string) string {
	return `exec 3<&0; "$real" "$@" <&3 | ` + filter + ` & exec 1>&-; wait; exit 0`
}

// TestFailingGit breaks git in every way that a command can break: none may read as an answer.
func TestFailingGit(t *testing.T) {
	ctx := context.Background()
	readAll := func(r *shapes.Repo) error {
		g := open(t, r)
		c, err := g.Staged(ctx)
		if err != nil {
			return err
		}
		if _, err := summary(ctx, c); err != nil {
			return err
		}
		if _, err := c.After.Under(ctx, ""); err != nil {
			return err
		}
		c, err = g.RangeChange(ctx, "HEAD~1...HEAD")
		if err != nil {
			return err
		}
		if _, err := summary(ctx, c); err != nil {
			return err
		}
		_, err = c.Commits(ctx)
		return err
	}
	cases := []struct{ name, when, body, says string }{
		{"cat-file does not start", "cat-file", "echo 'fatal: no luck' >&2; exit 1", "no luck"},
		{"cat-file ends without a word", "cat-file", "exit 0", "cut short"},
		{"cat-file is killed", "cat-file", "kill -9 $$", "killed"},
		{"cat-file stops inside an object", "cat-file", cut("head -c 60"), "cut short"},
		{"cat-file stops inside a line", "cat-file", cut("head -c 10"), "cut short"},
		{"cat-file prints something else", "cat-file", "echo hello; exec cat", "hello"},
		{"cat-file answers for something else", "cat-file", cut("sed -u 's/ blob / thing /'"), "thing"},
		{"diff-index does not start", "diff-index", "echo 'fatal: no luck' >&2; exit 128", "no luck"},
		{"diff-index fails after it printed", "diff-index", `"$real" "$@"; echo 'fatal: too late' >&2; exit 1`, "too late"},
		{"diff-index is killed after it printed", "diff-index", `"$real" "$@"; kill -9 $$`, "killed"},
		{"diff-index stops inside a record", "diff-index", `"$real" "$@" | head -c 70; exit 0`, "not understood"},
		{"diff-index shortens ids", "diff-index", `"$real" "$@" --abbrev=8; exit`, "not understood"},
		{"diff-tree fails", "diff-tree", "cat >/dev/null; exit 3", "exited with 3"},
		{"diff-tree leaves an answer out", "diff-tree", "cat >/dev/null; exit 0", "does not answer"},
		{"diff-tree stops early", "diff-tree", `"$real" "$@" | head -c 100; exit 0`, "not understood"},
		{"rev-list fails", "rev-list", "exit 1", "rev-list exited with 1"},
		{"rev-list prints something else", "rev-list", "echo hello; exit 0", "hello"},
		{"merge-base fails", "merge-base", "exit 128", "merge-base exited with 128"},
		{"merge-base prints nothing and fails", "merge-base", "exit 2", "merge-base exited with 2"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := logged(t)
			grow(r, "2\n")
			r.Stage("log", "3\n")
			if err := readAll(r); err != nil {
				t.Fatalf("the whole git fails: %v", err)
			}
			err := readAll(failing(t, r, c.when, c.body))
			wantError(t, err, c.says)
			var e *git.Error
			if strings.Contains(c.says, "exited") && (!errors.As(err, &e) || e.Op == "" || len(e.Args) == 0) {
				t.Errorf("%#v", err)
			}
		})
	}
}

// TestDiesOverMergeHead makes sure that a git that dies while it looks for a merge in progress does not read as none.
func TestDiesOverMergeHead(t *testing.T) {
	r := logged(t)
	r.Stage("log", "2\n")
	dies := failing(t, r, "cat-file", `exec 3<&0; "$real" "$@" <&3 | sed -u '/^MERGE_HEAD/Q' & exec 1>&-; wait
echo 'fatal: could not fetch x from promisor remote' >&2; exit 128`)
	_, err := open(t, dies).Staged(context.Background())
	wantError(t, err, "MERGE_HEAD", "promisor")
}

// TestDiesOnce goes on reading after a git that died for one object: only that object is lost.
func TestDiesOnce(t *testing.T) {
	ctx := context.Background()
	r := logged(t)
	for i := range 50 {
		r.Write(fmt.Sprintf("f%02d", i), fmt.Sprintf("%d\n", i))
	}
	r.Git("add", ".")
	bad := r.Git("rev-parse", ":f20")
	broken := failing(t, r, "cat-file", cut("sed -u '/^"+bad+"/{s/.*/garbage/;q}'"))
	c := staged(t, broken)
	var all []snapshot.Entry
	for _, f := range c.Files {
		all = append(all, f.After)
	}
	c.After.Prefetch(ctx, all, 100)
	for i, e := range all {
		data, err := c.After.Read(ctx, e, 100)
		switch {
		case e.Path == "f20":
			wantError(t, err, "garbage")
		case err != nil || string(data) != fmt.Sprintf("%d\n", i):
			t.Errorf("%q reads as %q, %v", e.Path, data, err)
		}
	}
}

// TestMemory asks ahead for far more than may be held, and reads it backwards: the memory stays bounded.
func TestMemory(t *testing.T) {
	ctx := context.Background()
	r := logged(t)
	for i := range 120 {
		r.Write(fmt.Sprintf("f%03d", i), strings.Repeat(fmt.Sprintf("%09d\n", i), 100_000))
	}
	r.Git("-c", "core.compression=1", "add", ".")
	c := staged(t, r)
	var all []snapshot.Entry
	for _, f := range c.Files {
		all = append(all, f.After)
	}
	c.After.Prefetch(ctx, all, 0)
	most := uint64(0)
	for i := len(all) - 1; i >= 0; i-- {
		data, err := c.After.Read(ctx, all[i], 0)
		if err != nil || len(data) != 1_000_000 {
			t.Fatalf("%q reads as %d bytes, %v", all[i].Path, len(data), err)
		}
		if i%10 == 0 {
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapAlloc)
		}
	}
	if most > 60<<20 {
		t.Errorf("%d MiB were held", most>>20)
	}
}
