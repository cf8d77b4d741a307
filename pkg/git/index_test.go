package git_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-4419f9ca/forge/pkg/snapshot"
	"github.com/seed-4419f9ca/forge/testdata/shapes"
)

// logged returns a repository with one commit of two files.
func logged(t testing.TB, args ...string) *shapes.Repo {
	r := shapes.New(t, args...)
	r.Stage("log", "1\n")
	r.Stage("sub/other", "o\n")
	r.Commit("base")
	return r
}

// TestIndex covers the shapes of the index in chapter 3.3: each case prepares a repository whose staged change is known.
func TestIndex(t *testing.T) {
	cases := []struct {
		name  string
		shape func(r *shapes.Repo) *shapes.Repo // returns what to read, nil for r itself
		want  []string
	}{
		{"clean in the tree, faulty in the index", func(r *shapes.Repo) *shapes.Repo {
			r.Stage("log", "faulty\n")
			r.Write("log", "1\n2\n")
			return nil
		}, []string{`log: "1\n" => "faulty\n"`}},
		{"faulty in the tree, clean in the index", func(r *shapes.Repo) *shapes.Repo {
			r.Stage("log", "1\n2\n")
			r.Write("log", "faulty\n")
			r.Write("untracked", "faulty\n")
			return nil
		}, []string{`log: "1\n" => "1\n2\n"`}},
		{"only on disk", func(r *shapes.Repo) *shapes.Repo { r.Write("log", "faulty\n"); return nil }, nil},
		{"only the time stamp", func(r *shapes.Repo) *shapes.Repo { r.Write("log", "1\n"); return nil }, nil},
		{"announced", func(r *shapes.Repo) *shapes.Repo {
			r.Write("new", "n\n")
			r.Git("add", "-N", "new")
			return nil
		}, nil},
		{"taken out and announced", func(r *shapes.Repo) *shapes.Repo {
			r.Git("rm", "-q", "--cached", "log")
			r.Git("add", "-N", "log")
			return nil
		}, []string{`log: "1\n" => -`}},
		{"deleted", func(r *shapes.Repo) *shapes.Repo { r.Git("rm", "-q", "log"); return nil }, []string{`log: "1\n" => -`}},
		{"a link", func(r *shapes.Repo) *shapes.Repo {
			r.Remove("log")
			if err := os.Symlink("../../etc/passwd", r.Path("log")); err != nil {
				r.T.Fatal(err)
			}
			r.Git("add", "log")
			return nil
		}, []string{`log: "1\n" => @"../../etc/passwd"`}},
		{"a mode", func(r *shapes.Repo) *shapes.Repo { r.Git("update-index", "--chmod=+x", "log"); return nil }, []string{`log: "1\n" => x"1\n"`}},
		{"a rename", func(r *shapes.Repo) *shapes.Repo { r.Git("mv", "log", "LOG"); return nil },
			[]string{`LOG: - => "1\n" from log`, `log: "1\n" => -`}},
		{"a rename with an edit", func(r *shapes.Repo) *shapes.Repo {
			r.Git("mv", "log", "journal")
			r.Stage("journal", "1\n2\n")
			return nil
		}, []string{`journal: - => "1\n2\n"`, `log: "1\n" => -`}},
		{"version 4", func(r *shapes.Repo) *shapes.Repo {
			r.Stage("log", "2\n")
			r.Git("update-index", "--index-version", "4")
			return nil
		}, []string{`log: "1\n" => "2\n"`}},
		{"split", func(r *shapes.Repo) *shapes.Repo {
			r.Git("update-index", "--split-index")
			r.Stage("log", "2\n")
			return nil
		}, []string{`log: "1\n" => "2\n"`}},
		{"sparse checkout", func(r *shapes.Repo) *shapes.Repo {
			r.Stage("in/file", "i\n")
			r.Commit("more")
			r.Git("sparse-checkout", "set", "--cone", "in")
			r.Stage("in/file", "I\n")
			return nil
		}, []string{`in/file: "i\n" => "I\n"`}},
		{"sparse index", func(r *shapes.Repo) *shapes.Repo {
			r.Stage("in/file", "i\n")
			r.Commit("more")
			r.Git("config", "index.sparse", "true")
			r.Git("sparse-checkout", "set", "--cone", "--sparse-index", "in")
			r.Stage("in/file", "I\n")
			return nil
		}, []string{`in/file: "i\n" => "I\n"`}},
		{"skip-worktree and assume-unchanged", func(r *shapes.Repo) *shapes.Repo {
			r.Stage("log", "2\n")
			r.Git("update-index", "--skip-worktree", "log")
			r.Git("update-index", "--assume-unchanged", "sub/other")
			r.Write("sub/other", "changed\n")
			return nil
		}, []string{`log: "1\n" => "2\n"`}},
		{"untracked cache", func(r *shapes.Repo) *shapes.Repo {
			r.Git("update-index", "--force-untracked-cache")
			r.Stage("log", "2\n")
			return nil
		}, []string{`log: "1\n" => "2\n"`}},
		{"the index is locked", func(r *shapes.Repo) *shapes.Repo {
			r.Stage("log", "2\n")
			r.Write(".git/index.lock", "")
			return nil
		}, []string{`log: "1\n" => "2\n"`}},
		{"another index, named from the root", func(r *shapes.Repo) *shapes.Repo {
			other := r.With("GIT_INDEX_FILE=.git/other")
			other.Git("read-tree", "HEAD")
			other.Stage("log", "other\n")
			r.Stage("log", "1\n")
			return other
		}, []string{`log: "1\n" => "other\n"`}},
		{"another index, seen from a folder below", func(r *shapes.Repo) *shapes.Repo {
			other := r.With("GIT_INDEX_FILE=.git/other")
			other.Git("read-tree", "HEAD")
			other.Stage("log", "other\n")
			return other.In("sub")
		}, []string{`log: "1\n" => "other\n"`}},
		{"from a folder below", func(r *shapes.Repo) *shapes.Repo {
			r.Git("config", "diff.relative", "true")
			r.Stage("log", "2\n")
			return r.In("sub")
		}, []string{`log: "1\n" => "2\n"`}},
		{"settings and attributes that dress up a diff", func(r *shapes.Repo) *shapes.Repo {
			r.Stage("log", "2\n")
			r.Write(".git/info/attributes", "* -diff -text binary diff=upper\n")
			for _, kv := range [][2]string{
				{"color.ui", "always"}, {"color.diff", "always"}, {"diff.noprefix", "true"}, {"diff.external", "false"}, {"diff.renames", "copies"},
				{"diff.orderFile", "/nowhere"}, {"diff.upper.textconv", "tr a-z A-Z <"}, {"core.quotePath", "false"}, {"core.abbrev", "4"},
				{"diff.wsErrorHighlight", "all"}, {"diff.ignoreSubmodules", "all"}, {"diff.noindex", "true"}, {"diff.statGraphWidth", "x"},
				{"core.pager", "false"}, {"pager.diff-index", "false"}, {"alias.diff-index", "!false"}, {"alias.cat-file", "!false"},
			} {
				r.Git("config", kv[0], kv[1])
			}
			return r.With("GIT_EXTERNAL_DIFF=false", "GIT_PAGER=false", "GIT_DIFF_OPTS=-u0")
		}, []string{`log: "1\n" => "2\n"`}},
		{"options for patterns", func(r *shapes.Repo) *shapes.Repo {
			r.Stage("log", "2\n")
			return r.With("GIT_GLOB_PATHSPECS=1", "GIT_ICASE_PATHSPECS=1")
		}, []string{`log: "1\n" => "2\n"`}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := logged(t)
			if other := c.shape(r); other != nil {
				r = other
			}
			before, err := os.ReadFile(r.Path(".git/index"))
			if err != nil && filepath.Base(r.Dir) != "sub" {
				t.Fatal(err)
			}
			wantFiles(t, staged(t, r), c.want...)
			after, err := os.ReadFile(r.Path(".git/index"))
			if string(before) != string(after) {
				t.Errorf("reading changed the index: %v", err)
			}
		})
	}
}

// TestHookIndex commits through real hooks, to which git hands an index of its own.
func TestHookIndex(t *testing.T) {
	r := logged(t)
	seen := installHook(t, r, "pre-commit", "staged")
	r.Stage("sub/other", "waiting\n")
	r.Write("log", "1\n2\n")
	r.Git("commit", "-q", "-m", "one path", "log")
	wantLines(t, seen(), `log: "1\n" => "1\n2\n"`)

	r.Write("log", "1\n2\n3\n")
	r.In("sub").Git("commit", "-q", "--only", "-m", "one path from below", "../log")
	wantLines(t, seen(), `log: "1\n2\n" => "1\n2\n3\n"`)

	r.Write("log", "1\n2\n3\n4\n")
	r.Git("commit", "-q", "-a", "-m", "all")
	wantLines(t, seen(), `log: "1\n2\n3\n" => "1\n2\n3\n4\n"`, `sub/other: "o\n" => "waiting\n"`)

	r.Write("log", "include\n")
	r.Stage("sub/other", "staged\n")
	r.Git("commit", "-q", "-i", "-m", "include", "log")
	wantLines(t, seen(), `log: "1\n2\n3\n4\n" => "include\n"`, `sub/other: "waiting\n" => "staged\n"`)

	r.Git("commit", "-q", "--amend", "--allow-empty", "-m", "amended")
	wantLines(t, seen())
}

// TestHookWorktree commits in a linked worktree, which has an index and a HEAD of its own.
func TestHookWorktree(t *testing.T) {
	r := logged(t)
	seen := installHook(t, r, "pre-commit", "staged")
	r.Stage("log", "main\n")
	linked := r.In(t.TempDir() + "/linked")
	r.Git("worktree", "add", "-q", linked.Dir)
	linked.Write("log", "linked\n")
	linked.Git("commit", "-q", "-a", "-m", "there")
	wantLines(t, seen(), `log: "1\n" => "linked\n"`)
	wantFiles(t, staged(t, r), `log: "1\n" => "main\n"`)
}

func TestUnmerged(t *testing.T) {
	r := logged(t)
	r.Git("switch", "-q", "-c", "theirs")
	r.Stage("log", "theirs\n")
	r.Stage("two\nlines", "theirs\n")
	r.Commit("theirs")
	r.Git("switch", "-q", "main")
	r.Stage("log", "ours\n")
	r.Stage("two\nlines", "ours\n")
	r.Commit("ours")
	if _, _, code := r.Try("", "merge", "-q", "theirs"); code == 0 {
		t.Fatal("the merge has no conflict")
	}
	_, err := open(t, r).Staged(context.Background())
	wantError(t, err, `"log"`, `"two\nlines"`, "conflict", "git add")

	r.Stage("log", "both\n")
	r.Stage("two\nlines", "ours\n")
	c := staged(t, r)
	wantFiles(t, c, `log: "ours\n" & "theirs\n" => "both\n"`, `two\nlines: "ours\n" & "theirs\n" => "ours\n"`)
	if c.Files[1].DiffersFromAll() {
		t.Error("a file that equals a parent differs from all")
	}
	bases, err := c.MergeBases(context.Background(), 1)
	if err != nil || len(bases) != 1 || bases[0].ID() != r.Git("merge-base", "main", "theirs") {
		t.Errorf("MergeBases = %v, %v", bases, err)
	}
}

// TestSubmodule stages another commit of a submodule that the configuration tells git to ignore, and reads from inside it.
func TestSubmodule(t *testing.T) {
	lib := logged(t)
	r := logged(t)
	r.Git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", lib.Dir, "lib")
	r.Git("config", "-f", ".gitmodules", "submodule.lib.ignore", "all")
	r.Git("config", "submodule.lib.ignore", "all")
	r.Git("config", "diff.ignoreSubmodules", "all")
	r.Git("add", ".gitmodules")
	r.Commit("lib")
	inside := r.In("lib")
	inside.Stage("log", "inside\n")
	wantFiles(t, staged(t, inside), `log: "1\n" => "inside\n"`)
	old, new := r.Git("rev-parse", "HEAD:lib"), inside.Commit("inside")
	wantFiles(t, staged(t, r))
	r.Git("update-index", "--cacheinfo", "160000,"+new+",lib")
	want := "lib: module " + old[:4] + " => module " + new[:4]
	wantFiles(t, staged(t, r), want)
	r.Commit("bump")
	c, err := open(t, r).CommitChange(context.Background(), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	wantFiles(t, c, want)
	c, err = open(t, r).RangeChange(context.Background(), "HEAD~1..HEAD")
	if err != nil {
		t.Fatal(err)
	}
	wantFiles(t, c, want)
}

// TestFsmonitor makes sure that a monitor that the repository names is not run.
func TestFsmonitor(t *testing.T) {
	r := logged(t)
	r.Write("monitor", "#!/bin/sh\ntouch '"+r.Path("ran")+"'\nprintf '1\\0/\\0'\n")
	if err := os.Chmod(r.Path("monitor"), 0o755); err != nil {
		t.Fatal(err)
	}
	r.Git("config", "core.fsmonitor", r.Path("monitor"))
	r.Git("config", "core.fsmonitorHookVersion", "2")
	r.Git("update-index", "--fsmonitor")
	r.Stage("log", "2\n")
	if err := os.Remove(r.Path("ran")); err != nil {
		t.Fatal("git itself does not run the monitor:", err)
	}
	wantFiles(t, staged(t, r), `log: "1\n" => "2\n"`)
	c, err := open(t, r).Worktree(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	wantFiles(t, c, `log: "1\n" => "2\n"`)
	if _, err := os.Stat(r.Path("ran")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the monitor was run: %v", err)
	}
}

// TestHostilePaths builds trees that no git would make and that lead out of the root.
func TestHostilePaths(t *testing.T) {
	for _, name := range []string{"..", ".", "a/b"} {
		t.Run(name, func(t *testing.T) {
			r := logged(t)
			blob := r.Feed("x\n", "hash-object", "-w", "--stdin")
			raw := "100644 " + name + "\x00" + unhex(t, blob)
			tree := r.Feed(raw, "hash-object", "-w", "-t", "tree", "--literally", "--stdin")
			commit := r.Feed("", "commit-tree", "-m", "hostile", "-p", "HEAD", tree)
			_, err := open(t, r).CommitChange(context.Background(), commit)
			if name == "a/b" {
				// To git's lists this is the path a/b; the tree object itself is refused.
				c := read(t, r, commit)
				_, err = c.Under(context.Background(), "")
			}
			if err == nil {
				t.Error("the tree was read")
			}
		})
	}
}

func read(t testing.TB, r *shapes.Repo, rev string) snapshot.Tree {
	t.Helper()
	tree, err := open(t, r).Tree(context.Background(), rev)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func unhex(t testing.TB, oid string) string {
	t.Helper()
	var b strings.Builder
	for i := 0; i < len(oid); i += 2 {
		n := strings.IndexByte("0123456789abcdef", oid[i])<<4 | strings.IndexByte("0123456789abcdef", oid[i+1])
		b.WriteByte(byte(n))
	}
	return b.String()
}
