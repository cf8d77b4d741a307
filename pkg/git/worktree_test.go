package git_test

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/seed-4419f9ca/forge/pkg/snapshot"
	"github.com/seed-4419f9ca/forge/testdata/shapes"
)

func worktree(t testing.TB, r *shapes.Repo) *snapshot.Change {
	t.Helper()
	c, err := open(t, r).Worktree(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestWorktree(t *testing.T) {
	cases := []struct {
		name  string
		shape func(r *shapes.Repo)
		want  []string
	}{
		{"nothing", func(*shapes.Repo) {}, nil},
		{"only the time stamp", func(r *shapes.Repo) {
			if err := os.Chtimes(r.Path("log"), epoch, epoch); err != nil {
				r.T.Fatal(err)
			}
		}, nil},
		{"on disk", func(r *shapes.Repo) { r.Write("log", "2\n") }, []string{`log: "1\n" => "2\n"`}},
		{"staged", func(r *shapes.Repo) { r.Stage("log", "2\n") }, []string{`log: "1\n" => "2\n"`}},
		{"staged and changed again", func(r *shapes.Repo) { r.Stage("log", "2\n"); r.Write("log", "3\n") }, []string{`log: "1\n" => "3\n"`}},
		{"staged and changed back", func(r *shapes.Repo) { r.Stage("log", "2\n"); r.Write("log", "1\n") }, nil},
		{"gone", func(r *shapes.Repo) { r.Remove("log") }, []string{`log: "1\n" => -`}},
		{"unknown to git", func(r *shapes.Repo) { r.Write("new", "n\n") }, nil},
		{"announced", func(r *shapes.Repo) { r.Write("new", "n\n"); r.Git("add", "-N", "new") }, []string{`new: - => "n\n"`}},
		{"renamed on disk and announced", func(r *shapes.Repo) {
			r.Remove("log")
			r.Write("journal", "1\n")
			r.Git("add", "-N", "journal")
		}, []string{`journal: - => "1\n" from log`, `log: "1\n" => -`}},
		{"executable", func(r *shapes.Repo) {
			if err := os.Chmod(r.Path("log"), 0o755); err != nil {
				r.T.Fatal(err)
			}
		}, []string{`log: "1\n" => x"1\n"`}},
		{"a link", func(r *shapes.Repo) { r.Remove("log"); link(r, "/etc/passwd", "log") }, []string{`log: "1\n" => @"/etc/passwd"`}},
		{"a folder that is a link out of the root", func(r *shapes.Repo) {
			outside := r.T.TempDir()
			if err := os.WriteFile(outside+"/other", []byte("secret\n"), 0o666); err != nil {
				r.T.Fatal(err)
			}
			r.Remove("sub/other")
			r.Remove("sub")
			link(r, outside, "sub")
		}, []string{`sub/other: "o\n" => -`}},
		{"CRLF without a rule", func(r *shapes.Repo) { r.Write("log", "1\r\n") }, []string{`log: "1\n" => "1\r\n"`}},
		{"CRLF with autocrlf", func(r *shapes.Repo) {
			r.Git("config", "core.autocrlf", "true")
			r.Write("log", "1\r\n2\r\n")
			r.Write("sub/other", "o\r\n")
		}, []string{`log: "1\n" => "1\n2\n"`}},
		{"CRLF with attributes", func(r *shapes.Repo) {
			r.Write(".git/info/attributes", "log eol=crlf\nsub/other -text\n")
			r.Git("config", "core.autocrlf", "true")
			r.Write("log", "1\r\n2\r\n")
			r.Write("sub/other", "o\r\n")
		}, []string{`log: "1\n" => "1\n2\n"`, `sub/other: "o\n" => "o\r\n"`}},
		{"a lone CR with autocrlf", func(r *shapes.Repo) {
			r.Git("config", "core.autocrlf", "input")
			r.Write("log", "1\r\n\r")
		}, []string{`log: "1\n" => "1\r\n\r"`}},
		{"CRLF that was stored so, with autocrlf", func(r *shapes.Repo) {
			r.Stage("log", "a\r\n")
			r.Commit("crlf")
			r.Git("config", "core.autocrlf", "true")
			r.Write("log", "a\r\nb\r\n")
		}, []string{`log: "a\r\n" => "a\r\nb\r\n"`}},
		{"from a folder below, with relative lists", func(r *shapes.Repo) {
			r.Git("config", "diff.relative", "true")
			r.Write("log", "2\n")
			r.Dir = r.Path("sub")
		}, []string{`log: "1\n" => "2\n"`}},
		{"a filter of the repository", func(r *shapes.Repo) {
			r.Write(".git/info/attributes", "log filter=x\n")
			r.Git("config", "filter.x.clean", "touch '"+r.Path("ran")+"'; cat")
			r.Git("config", "filter.x.required", "true")
			r.Write("log", "2\n")
		}, []string{`log: "1\n" => "2\n"`}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := logged(t)
			c.shape(r)
			change := worktree(t, r)
			wantFiles(t, change, c.want...)
			for _, f := range change.Files {
				streamMatches(t, change.After, f.After)
			}
			if change.After.ID() != "worktree" {
				t.Errorf("the tree is called %q", change.After.ID())
			}
			if _, err := os.Stat(r.Path("ran")); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("a filter was run: %v", err)
			}
		})
	}
}

func link(r *shapes.Repo, target, name string) {
	r.T.Helper()
	if err := os.Symlink(target, r.Path(name)); err != nil {
		r.T.Fatal(err)
	}
}

// streamMatches makes sure that Open and Read agree.
func streamMatches(t testing.TB, tree snapshot.Tree, e snapshot.Entry) {
	t.Helper()
	if !e.Exists() {
		return
	}
	ctx := context.Background()
	want, err := tree.Read(ctx, e, 0)
	if err != nil {
		t.Fatal(err)
	}
	rc, n, err := tree.Open(ctx, e)
	if err != nil {
		t.Fatal(err)
	}
	defer rc.Close()
	if got, err := io.ReadAll(rc); err != nil || string(got) != string(want) || n != int64(len(want)) {
		t.Errorf("Open of %q gives %d bytes %q, %v; Read gives %q", e.Path, n, got, err, want)
	}
}

// TestWorktreeChangesMeanwhile makes sure that a file that is written after the list was taken is not read as if it were
// part of it.
func TestWorktreeChangesMeanwhile(t *testing.T) {
	ctx := context.Background()
	r := logged(t)
	r.Write("log", "2\n")
	c := worktree(t, r)
	e := c.Files[0].After
	r.Write("log", "3\n")
	_, err := c.After.Read(ctx, e, 0)
	wantError(t, err, `"log"`, "changed")
	rc, _, err := c.After.Open(ctx, e)
	if err != nil {
		t.Fatal(err)
	}
	defer rc.Close()
	if _, err := io.ReadAll(rc); err == nil {
		t.Error("the stream ends as if nothing had happened")
	}
	r.Remove("log")
	link(r, "/etc/passwd", "log")
	_, err = c.After.Read(ctx, e, 0)
	wantError(t, err, `"log"`)
	r.Remove("log")
	if _, err := c.After.Read(ctx, e, 0); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is gone gives %v", err)
	}
	var large *snapshot.TooLarge
	if _, err := c.After.Read(ctx, e, 1); !errors.As(err, &large) {
		t.Errorf("over the limit: %v", err)
	}
}

// TestWorktreeLinkedFolder puts a link in the place of a folder after the list was taken; even when the same bytes lie behind
// it they are not the file that was listed.
func TestWorktreeLinkedFolder(t *testing.T) {
	r := logged(t)
	r.Write("sub/other", "edited\n")
	c := worktree(t, r)
	r.Write("twin/other", "edited\n")
	r.Remove("sub/other")
	r.Remove("sub")
	link(r, "twin", "sub")
	_, err := c.After.Read(context.Background(), c.Files[0].After, 0)
	wantError(t, err, "sub/other", "no folder")
}

// TestWorktreeSubmodule checks out another commit of a submodule.
func TestWorktreeSubmodule(t *testing.T) {
	lib := logged(t)
	r := logged(t)
	r.Git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", lib.Dir, "lib")
	r.Commit("lib")
	old := r.Git("rev-parse", "HEAD:lib")
	inside := r.In("lib")
	inside.Write("log", "dirty\n")
	wantFiles(t, worktree(t, r))
	inside.Git("add", "-A")
	new := inside.Commit("moved")
	wantFiles(t, worktree(t, r), "lib: module "+old[:4]+" => module "+new[:4])
}

func TestWorktreeUnborn(t *testing.T) {
	r := shapes.New(t)
	r.Stage("log", "1\n")
	r.Write("log", "2\n")
	r.Write("unknown", "u\n")
	wantFiles(t, worktree(t, r), `log: - => "2\n"`)
}

// TestWorktreeMerge reads the files on disk against both parents.
func TestWorktreeMerge(t *testing.T) {
	r := logged(t)
	r.Git("switch", "-q", "-c", "side")
	r.Stage("side", "s\n")
	r.Commit("side")
	r.Git("switch", "-q", "main")
	r.Stage("log", "1\n2\n")
	r.Commit("ours")
	r.Git("merge", "-q", "--no-commit", "side")
	r.Write("side", "edited\n")
	wantFiles(t, worktree(t, r), `log: "1\n2\n" & "1\n" => "1\n2\n"`, `side: - & "s\n" => "edited\n"`)
}

// TestWorktreeNames reads changed files under every name that a disk can hold.
func TestWorktreeNames(t *testing.T) {
	r := shapes.New(t)
	names := []string{" lead", "-rf", "new\nline", `back\slash`, "*", ":(top)x", "é", "e\u0301", "\xe9", "deep/er/\t"}
	for _, n := range names {
		r.Stage(n, "1\n")
	}
	r.Commit("names")
	for _, n := range names {
		r.Write(n, "2 "+n)
	}
	c := worktree(t, r)
	if len(c.Files) != len(names) {
		t.Fatalf("%d files, want %d", len(c.Files), len(names))
	}
	for _, f := range c.Files {
		if data, err := c.After.Read(context.Background(), f.After, 0); err != nil || string(data) != "2 "+f.Path {
			t.Errorf("%q reads as %q, %v", f.Path, data, err)
		}
	}
	if !strings.Contains(c.Before[0].ID(), r.Git("rev-parse", "HEAD")) {
		t.Error("before is not HEAD")
	}
}
