package git_test

import (
	"bytes"
	"compress/zlib"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-4419f9ca/forge/testdata/shapes"
)

// account is what the staged change of r is like, as far as files tell, or why there is none.
func account(t *testing.T, r *shapes.Repo) []string {
	t.Helper()
	ctx := context.Background()
	c, err := open(t, r).Staged(ctx)
	if err != nil {
		return []string{"error: " + err.Error()}
	}
	lines := []string{"note: " + c.Note}
	for _, b := range c.Before {
		lines = append(lines, "before: "+b.ID())
	}
	files, err := summary(ctx, c)
	if err != nil {
		return append(lines, "error: "+err.Error())
	}
	for _, dir := range []string{"", "sub"} {
		entries, err := c.After.Under(ctx, dir)
		if err != nil {
			return append(lines, "error: "+err.Error())
		}
		for _, e := range entries {
			files = append(files, e.Path+" "+string(e.OID))
		}
	}
	return append(lines, files...)
}

// TestNear reads staged changes in all kinds of surroundings without git's help for objects, or with it where anything is
// unusual, and compares with what git says when it is asked for everything.
func TestNear(t *testing.T) {
	worktree := func(r *shapes.Repo) *shapes.Repo {
		w := r.In(filepath.Join(r.T.TempDir(), "linked"))
		r.Git("worktree", "add", "-q", w.Dir, "-b", "linked")
		w.Stage("log", "3\n")
		return w
	}
	gitDir := func(r *shapes.Repo) string { return r.Path(".git") }
	cases := []struct {
		name  string
		asks  bool // git is asked for objects
		args  []string
		shape func(r *shapes.Repo) *shapes.Repo // returns what to read
	}{
		{name: "plain", shape: func(r *shapes.Repo) *shapes.Repo { return r }},
		{name: "SHA-256", args: []string{"--object-format=sha256"}, shape: func(r *shapes.Repo) *shapes.Repo { return r }},
		{name: "SHA-256, packed", args: []string{"--object-format=sha256"}, shape: func(r *shapes.Repo) *shapes.Repo { r.Git("gc", "-q"); return r }},
		{name: "packed, refs too", shape: func(r *shapes.Repo) *shapes.Repo { r.Git("gc", "-q"); return r }},
		{name: "packed refs of which one has moved on", shape: func(r *shapes.Repo) *shapes.Repo {
			r.Git("pack-refs", "--all")
			r.Commit("two")
			r.Stage("log", "3\n")
			return r
		}},
		{name: "packed refs with a tag", shape: func(r *shapes.Repo) *shapes.Repo {
			r.Git("tag", "-m", "v1", "v1")
			r.Git("pack-refs", "--all")
			return r
		}},
		{name: "two packs and loose objects", shape: func(r *shapes.Repo) *shapes.Repo {
			r.Git("repack", "-dq")
			r.Commit("two")
			r.Git("repack", "-dq")
			r.Stage("log", "3\n")
			return r
		}},
		{name: "differences in a pack", shape: func(r *shapes.Repo) *shapes.Repo {
			for i := range 30 {
				r.Stage("sub/other", strings.Repeat("some line of a file that grows\n", 50+i)+r.Git("rev-parse", "HEAD")+"\n")
				r.Commit("more")
			}
			r.Git("repack", "-adqf", "--depth=40", "--window=40")
			if out := r.Git("cat-file", "--batch-check=%(deltabase)", "--batch-all-objects"); strings.Count(out, strings.Repeat("0", 40)) == strings.Count(out, "\n")+1 {
				r.T.Fatal("the pack holds no difference")
			}
			return r
		}},
		{name: "differences by id", shape: func(r *shapes.Repo) *shapes.Repo {
			for range 5 {
				r.Stage("sub/other", strings.Repeat("some line of a file that grows\n", 50)+r.Git("rev-parse", "HEAD")+"\n")
				r.Commit("more")
			}
			r.Git("-c", "repack.useDeltaBaseOffset=false", "repack", "-adqf")
			return r
		}},
		{name: "detached", shape: func(r *shapes.Repo) *shapes.Repo { r.Git("checkout", "-q", "--detach"); return r }},
		{name: "a folder below", shape: func(r *shapes.Repo) *shapes.Repo { return r.In("sub") }},
		{name: "a link to a folder below", shape: func(r *shapes.Repo) *shapes.Repo {
			link := filepath.Join(r.T.TempDir(), "link")
			if err := os.Symlink(r.Path("sub"), link); err != nil {
				r.T.Fatal(err)
			}
			return r.In(link)
		}},
		{name: "a linked working tree", shape: worktree},
		{name: "a linked working tree in its hook", shape: func(r *shapes.Repo) *shapes.Repo {
			w := worktree(r)
			return w.With("GIT_DIR=" + w.Git("rev-parse", "--absolute-git-dir"))
		}},
		{name: "a linked working tree that moved", asks: true, shape: func(r *shapes.Repo) *shapes.Repo {
			w := worktree(r)
			w.Write(".git", "gitdir: /nowhere\n")
			return w
		}},
		{name: "a repository elsewhere", shape: func(r *shapes.Repo) *shapes.Repo {
			r.Git("init", "-q", "--separate-git-dir", filepath.Join(r.T.TempDir(), "elsewhere"))
			return r
		}},
		{name: "GIT_DIR", shape: func(r *shapes.Repo) *shapes.Repo { return r.With("GIT_DIR=.git") }},
		{name: "GIT_DIR, absolute", shape: func(r *shapes.Repo) *shapes.Repo {
			return r.In(r.T.TempDir()).With("GIT_DIR="+gitDir(r), "GIT_WORK_TREE="+r.Dir)
		}},
		{name: "GIT_DIR that is a file", asks: true, shape: func(r *shapes.Repo) *shapes.Repo { return worktree(r).With("GIT_DIR=.git") }},
		{name: "GIT_DIR without a name", asks: true, shape: func(r *shapes.Repo) *shapes.Repo { return r.With("GIT_DIR=") }},
		{name: "GIT_COMMON_DIR", asks: true, shape: func(r *shapes.Repo) *shapes.Repo { return r.With("GIT_DIR=.git", "GIT_COMMON_DIR=.git") }},
		{name: "objects elsewhere", asks: true, shape: func(r *shapes.Repo) *shapes.Repo {
			moved := filepath.Join(r.T.TempDir(), "objects")
			if err := os.Rename(r.Path(".git/objects"), moved); err != nil {
				r.T.Fatal(err)
			}
			if err := os.Mkdir(r.Path(".git/objects"), 0o777); err != nil {
				r.T.Fatal(err)
			}
			return r.With("GIT_OBJECT_DIRECTORY=" + moved)
		}},
		{name: "objects elsewhere, where none are", asks: true, shape: func(r *shapes.Repo) *shapes.Repo {
			return r.With("GIT_OBJECT_DIRECTORY=" + r.T.TempDir())
		}},
		{name: "borrowed objects", asks: true, shape: func(r *shapes.Repo) *shapes.Repo {
			c := r.In(filepath.Join(r.T.TempDir(), "clone"))
			r.Git("clone", "-q", "--shared", ".", c.Dir)
			c.Stage("log", "3\n")
			return c
		}},
		{name: "replaced objects", shape: func(r *shapes.Repo) *shapes.Repo {
			r.Git("replace", "HEAD", r.Git("commit-tree", "-m", "other", r.Git("mktree")))
			r.Git("replace", ":log", r.Git("rev-parse", ":sub/other"))
			return r
		}},
		{name: "grafts", shape: func(r *shapes.Repo) *shapes.Repo {
			r.Commit("two")
			r.Write(".git/info/grafts", r.Git("rev-parse", "HEAD")+"\n")
			r.Stage("log", "3\n")
			return r
		}},
		{name: "refs in another format", asks: true, shape: func(r *shapes.Repo) *shapes.Repo { r.Git("config", "extensions.refStorage", "files"); return r }},
		{name: "unborn", asks: true, shape: func(r *shapes.Repo) *shapes.Repo { r.Git("checkout", "-q", "--orphan", "new"); return r }},
		{name: "unborn, with packed refs", asks: true, shape: func(r *shapes.Repo) *shapes.Repo {
			r.Git("branch", "new/er")
			r.Git("gc", "-q")
			r.Git("symbolic-ref", "HEAD", "refs/heads/er")
			return r
		}},
		{name: "a branch in folders", shape: func(r *shapes.Repo) *shapes.Repo { r.Git("checkout", "-qb", "a/@b/c.d-é(1)"); return r }},
		{name: "a branch that is another", asks: true, shape: func(r *shapes.Repo) *shapes.Repo {
			r.Git("symbolic-ref", "refs/heads/alias", "refs/heads/main")
			r.Git("symbolic-ref", "HEAD", "refs/heads/alias")
			return r
		}},
		{name: "HEAD that is a link", asks: true, shape: func(r *shapes.Repo) *shapes.Repo {
			if err := os.Remove(r.Path(".git/HEAD")); err != nil {
				r.T.Fatal(err)
			}
			if err := os.Symlink("refs/heads/main", r.Path(".git/HEAD")); err != nil {
				r.T.Fatal(err)
			}
			return r
		}},
		{name: "a ref that is a link", asks: true, shape: func(r *shapes.Repo) *shapes.Repo {
			r.Git("branch", "real")
			r.Commit("two")
			r.Git("pack-refs", "--all")
			if err := os.Symlink("refs/heads/real", r.Path(".git/refs/heads/main")); err != nil {
				r.T.Fatal(err)
			}
			return r
		}},
		{name: "HEAD without the end of its line", asks: true, shape: func(r *shapes.Repo) *shapes.Repo { r.Write(".git/HEAD", "ref: refs/heads/main"); return r }},
		{name: "HEAD that leads out", asks: true, shape: func(r *shapes.Repo) *shapes.Repo { r.Write(".git/HEAD", "ref: refs/heads/../heads/main\n"); return r }},
		{name: "HEAD that names a tag", asks: true, shape: func(r *shapes.Repo) *shapes.Repo {
			r.Git("tag", "v1")
			r.Write(".git/HEAD", "ref: refs/tags/v1\n")
			return r
		}},
		{name: "HEAD that is garbage", asks: true, shape: func(r *shapes.Repo) *shapes.Repo { r.Write(".git/HEAD", "garbage\n"); return r }},
		{name: "HEAD that is no commit", asks: true, shape: func(r *shapes.Repo) *shapes.Repo {
			r.Write(".git/HEAD", r.Git("rev-parse", "HEAD^{tree}")+"\n")
			return r
		}},
		{name: "a branch that is not there any more", asks: true, shape: func(r *shapes.Repo) *shapes.Repo {
			r.Write(".git/refs/heads/main", strings.Repeat("ab", 20)+"\n")
			return r
		}},
		{name: "names that refs have too", shape: func(r *shapes.Repo) *shapes.Repo {
			tree := r.Git("commit-tree", "-m", "other", r.Git("mktree"))
			for _, name := range []string{"refs/heads/HEAD", "refs/tags/HEAD", "refs/heads/MERGE_HEAD", "refs/tags/MERGE_HEAD"} {
				r.Git("update-ref", name, tree)
			}
			return r
		}},
		{name: "a merge", asks: true, shape: func(r *shapes.Repo) *shapes.Repo {
			r.Git("update-ref", "MERGE_HEAD", r.Git("commit-tree", "-m", "other", "-p", "HEAD", r.Git("mktree")))
			return r
		}},
		{name: "a merge that git only tells of", shape: func(r *shapes.Repo) *shapes.Repo {
			return r.With("GITHEAD_" + r.Git("commit-tree", "-m", "other", "-p", "HEAD", r.Git("rev-parse", "HEAD^{tree}")) + "=other")
		}},
		{name: "a merge that is garbage", asks: true, shape: func(r *shapes.Repo) *shapes.Repo { r.Write(".git/MERGE_HEAD", "garbage\n"); return r }},
		{name: "a bare repository on the way", asks: true, shape: func(r *shapes.Repo) *shapes.Repo {
			r.Git("init", "-q", "--bare", "bare")
			return r.In("bare/hooks")
		}},
		{name: "an empty .git on the way", asks: true, shape: func(r *shapes.Repo) *shapes.Repo {
			if err := os.Mkdir(r.Path("sub/.git"), 0o777); err != nil {
				r.T.Fatal(err)
			}
			return r.In("sub")
		}},
		{name: "a .git without refs on the way", asks: true, shape: func(r *shapes.Repo) *shapes.Repo {
			inner := r.In("sub")
			inner.Git("init", "-q")
			inner.Stage("inner", "1\n")
			inner.Write(".git/HEAD", inner.Git("commit-tree", "-m", "inner", inner.Git("write-tree"))+"\n")
			if err := os.RemoveAll(inner.Path(".git/refs")); err != nil {
				r.T.Fatal(err)
			}
			return inner
		}},
		{name: "below .git", asks: true, shape: func(r *shapes.Repo) *shapes.Repo { return r.In(".git/refs") }},
		{name: "more packs than are looked through", asks: true, shape: func(r *shapes.Repo) *shapes.Repo {
			for i := range 17 {
				r.Write("file", strings.Repeat("x", i))
				r.Git("add", "file")
				r.Commit("more")
				r.Git("repack", "-dq")
			}
			return r
		}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := logged(t, c.args...)
			r.Stage("log", "2\n")
			r.Stage("sub/new", "")
			r = c.shape(r)
			want := account(t, asking(r))
			counting, calls := counted(t, r)
			if diff := cmp.Diff(want, account(t, counting)); diff != "" {
				t.Errorf("(-asked for everything +not):\n%s", diff)
			}
			if asks := slices.ContainsFunc(calls(), func(s string) bool { return strings.Contains(s, "cat-file") }); asks != c.asks {
				t.Errorf("git is asked for objects: %v", asks)
			}
		})
	}
}

// TestNearDamaged damages loose objects, the commit, a folder and a file, in ways that git sees and in ways that it does not:
// what is said is what git says.
func TestNearDamaged(t *testing.T) {
	pack := func(data string) string {
		var b bytes.Buffer
		w := zlib.NewWriter(&b)
		if _, err := w.Write([]byte(data)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	damages := map[string]func(head, body string) string{
		"another byte": func(head, body string) string { return pack(head + "Z" + body[1:]) },
		"another kind": func(head, body string) string {
			return pack("tag" + strings.TrimLeft(head, "abcdefghijklmnopqrstuvwxyz") + body)
		},
		"no kind": func(head, body string) string {
			return pack("thing" + strings.TrimLeft(head, "abcdefghijklmnopqrstuvwxyz") + body)
		},
		"a byte more":      func(head, body string) string { return pack(head + body + "x") },
		"a byte less":      func(head, body string) string { return pack(head + body[:len(body)-1]) },
		"something behind": func(head, body string) string { return pack(head+body) + "x" },
		"cut":              func(head, body string) string { s := pack(head + body); return s[:len(s)-1] },
		"a wrong sum":      func(head, body string) string { s := pack(head + body); return s[:len(s)-1] + string(s[len(s)-1]^1) },
		"not packed":       func(head, body string) string { return head + body },
		"empty":            func(_, _ string) string { return "" },
		"a leading zero":   func(head, body string) string { return pack(strings.Replace(head, " ", " 0", 1) + body) },
		"gone":             nil,
	}
	for _, name := range []string{"HEAD", "HEAD^{tree}", "HEAD:sub", ":log"} {
		for how, damage := range damages {
			if name == ":log" && how == "a byte less" {
				continue // git announces a byte that does not come, and waits for the next question
			}
			t.Run(name+" "+how, func(t *testing.T) {
				r := logged(t)
				r.Stage("log", "2\n")
				id := r.Git("rev-parse", name)
				kind := r.Git("cat-file", "-t", id)
				body, _, _ := r.Try("", "cat-file", kind, id)
				head := kind + " " + r.Git("cat-file", "-s", id) + "\x00"
				file := r.Loose(id)
				if err := os.Remove(file); err != nil {
					t.Fatal(err)
				}
				if damage != nil {
					if err := os.WriteFile(file, []byte(damage(head, body)), 0o444); err != nil {
						t.Fatal(err)
					}
				}
				if diff := cmp.Diff(account(t, asking(r)), account(t, r)); diff != "" {
					t.Errorf("(-asked for everything +not):\n%s", diff)
				}
			})
		}
	}
}

// TestNearBetterCopy damages a loose object of which there is a good copy in a pack, and the other way round.
func TestNearBetterCopy(t *testing.T) {
	r := logged(t)
	r.Stage("log", "2\n")
	r.Git("repack", "-aq")
	id := r.Git("rev-parse", "HEAD")
	file := r.Loose(id)
	good, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	replace := func(name string, data []byte) {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, data, 0o444); err != nil {
			t.Fatal(err)
		}
	}
	want := account(t, asking(r))
	replace(file, []byte("damaged"))
	wantLines(t, account(t, r), want...)
	replace(file, good)
	packs, err := filepath.Glob(r.Path(".git/objects/pack/*.pack"))
	if err != nil || len(packs) != 1 {
		t.Fatal(packs, err)
	}
	replace(packs[0], []byte("PACK damaged"))
	wantLines(t, account(t, r), want...)
}
