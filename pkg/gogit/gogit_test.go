package gogit_test

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-4419f9ca/forge/pkg/gogit"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
	"github.com/seed-4419f9ca/forge/testdata/shapes"
)

func open(t testing.TB, r *shapes.Repo) *gogit.Repo {
	t.Helper()
	repo, err := gogit.Open(context.Background(), gogit.Options{Dir: r.Dir, Env: r.Env})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := repo.Close(); err != nil {
			t.Error(err)
		}
	})
	return repo
}

func TestConformance(t *testing.T) {
	shapes.Conformance(t, func(t testing.TB, s shapes.Story) shapes.Source { return open(t, shapes.Build(t, s)) })
}

func TestConformancePacked(t *testing.T) {
	shapes.Conformance(t, func(t testing.TB, s shapes.Story) shapes.Source {
		r := shapes.Build(t, s)
		r.Git("repack", "-adq")
		r.Git("pack-refs", "--all")
		r.Git("update-index", "--index-version", "4")
		return open(t, r)
	})
}

func logged(t testing.TB, args ...string) *shapes.Repo {
	r := shapes.New(t, args...)
	r.Stage("log", "1\n")
	r.Stage("sub/other", "o\n")
	r.Commit("base")
	r.Stage("log", "2\n")
	return r
}

// TestRefused makes sure that each shape on which go-git errs is refused and never read.
func TestRefused(t *testing.T) {
	cases := []struct {
		name  string
		shape func(r *shapes.Repo) *shapes.Repo
		says  string
	}{
		{"another index", func(r *shapes.Repo) *shapes.Repo { return r.With("GIT_INDEX_FILE=.git/other") }, "GIT_INDEX_FILE"},
		{"another folder", func(r *shapes.Repo) *shapes.Repo { return r.With("GIT_DIR=" + r.Path(".git")) }, "GIT_DIR"},
		{"quarantine", func(r *shapes.Repo) *shapes.Repo { return r.With("GIT_QUARANTINE_PATH=" + r.Path(".git/objects/q")) }, "GIT_QUARANTINE_PATH"},
		{"settings on the command line", func(r *shapes.Repo) *shapes.Repo { return r.With("GIT_CONFIG_PARAMETERS='a.b'='c'") }, "GIT_CONFIG_PARAMETERS"},
		{"included configuration", func(r *shapes.Repo) *shapes.Repo { r.Git("config", "include.path", "x"); return r }, "includes"},
		{"configuration included on a condition", func(r *shapes.Repo) *shapes.Repo {
			r.Git("config", "includeIf.gitdir:/.path", "x")
			return r
		}, "includes"},
		{"replaced objects", func(r *shapes.Repo) *shapes.Repo {
			r.Git("replace", r.Git("rev-parse", "HEAD:log"), r.Git("rev-parse", ":log"))
			return r
		}, "replaced"},
		{"replaced objects, packed", func(r *shapes.Repo) *shapes.Repo {
			r.Git("replace", r.Git("rev-parse", "HEAD:log"), r.Git("rev-parse", ":log"))
			r.Git("pack-refs", "--all")
			if err := os.RemoveAll(r.Path(".git/refs/replace")); err != nil {
				r.T.Fatal(err)
			}
			return r
		}, "replaced"},
		{"grafts", func(r *shapes.Repo) *shapes.Repo { r.Write(".git/info/grafts", ""); return r }, "grafts"},
		{"announced paths", func(r *shapes.Repo) *shapes.Repo { r.Write("new", "n"); r.Git("add", "-N", "new"); return r }, "announced"},
		{"SHA-256", func(r *shapes.Repo) *shapes.Repo { return logged(r.T, "--object-format=sha256") }, "SHA256"},
		{"reftable", func(r *shapes.Repo) *shapes.Repo {
			r.Git("config", "core.repositoryformatversion", "1")
			r.Git("config", "extensions.refStorage", "reftable")
			return r
		}, "refstorage"},
		{"an extension nobody knows", func(r *shapes.Repo) *shapes.Repo { r.Git("config", "extensions.new", "1"); return r }, "extension"},
		{"sparse checkout", func(r *shapes.Repo) *shapes.Repo { r.Git("sparse-checkout", "set", "--cone", "sub"); return r }, ""},
		{"skipped paths", func(r *shapes.Repo) *shapes.Repo { r.Git("update-index", "--skip-worktree", "log"); return r }, "sparse"},
		{"sparse index", func(r *shapes.Repo) *shapes.Repo {
			r.Stage("in/file", "i\n")
			r.Commit("more")
			r.Git("sparse-checkout", "set", "--cone", "--sparse-index", "in")
			r.Git("config", "core.sparseCheckout", "false")
			r.Git("config", "--unset", "extensions.worktreeConfig")
			return r
		}, "index"},
		{"split index", func(r *shapes.Repo) *shapes.Repo { r.Git("update-index", "--split-index"); return r }, "split"},
		{"split index, by configuration", func(r *shapes.Repo) *shapes.Repo { r.Git("config", "core.splitIndex", "true"); return r }, "split"},
		{"borrowed objects", func(r *shapes.Repo) *shapes.Repo {
			clone := r.In(r.T.TempDir() + "/clone")
			r.Git("clone", "-q", "--shared", ".", clone.Dir)
			return clone
		}, "borrows"},
		{"partial clone", func(r *shapes.Repo) *shapes.Repo {
			r.Git("config", "uploadpack.allowFilter", "true")
			clone := r.In(r.T.TempDir() + "/clone")
			r.Git("clone", "-q", "--filter=blob:none", "file://"+r.Dir, clone.Dir)
			return clone
		}, "partial"},
		{"linked worktree", func(r *shapes.Repo) *shapes.Repo {
			linked := r.In(r.T.TempDir() + "/linked")
			r.Git("worktree", "add", "-q", linked.Dir)
			return linked
		}, "linked worktree"},
		{"bare", func(r *shapes.Repo) *shapes.Repo {
			bare := r.In(r.T.TempDir() + "/bare")
			r.Git("clone", "-q", "--bare", ".", bare.Dir)
			return bare
		}, "bare"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := c.shape(logged(t))
			repo, err := gogit.Open(context.Background(), gogit.Options{Dir: r.Dir, Env: r.Env})
			if err == nil {
				defer repo.Close()
				var change *snapshot.Change
				if change, err = repo.Staged(context.Background()); err == nil {
					t.Fatalf("it was read: %v", change.Files)
				}
			}
			var refusal *gogit.Unsupported
			if !errors.As(err, &refusal) || !strings.Contains(strings.ToLower(err.Error()), strings.ToLower(c.says)) || !strings.Contains(err.Error(), "install git") {
				t.Errorf("%v does not refuse %q", err, c.says)
			}
		})
	}
	t.Run("nothing", func(t *testing.T) {
		r := logged(t)
		c, err := open(t, r.In("sub").With("GIT_PREFIX=sub/", "GIT_DIR=")).Staged(context.Background())
		if err != nil || len(c.Files) != 1 {
			t.Errorf("%v, %v", c, err)
		}
		if _, err := open(t, r).Worktree(context.Background()); err == nil {
			t.Error("the working tree is read")
		}
		if _, err := gogit.Open(context.Background(), gogit.Options{Dir: t.TempDir(), Env: r.Env}); err == nil {
			t.Error("a folder without a repository is one")
		}
	})
}

func TestConflict(t *testing.T) {
	r := logged(t)
	r.Git("switch", "-q", "-c", "theirs")
	r.Stage("log", "theirs\n")
	r.Commit("theirs")
	r.Git("switch", "-q", "main")
	r.Stage("log", "ours\n")
	r.Commit("ours")
	r.Try("", "merge", "-q", "theirs")
	if _, err := open(t, r).Staged(context.Background()); err == nil || !strings.Contains(err.Error(), `"log"`) {
		t.Errorf("a conflict gives %v", err)
	}
	r.Stage("log", "both\n")
	c, err := open(t, r).Staged(context.Background())
	if err != nil || len(c.Before) != 2 {
		t.Fatalf("%v, %v", c, err)
	}
	if bases, err := c.MergeBases(context.Background(), 1); err != nil || len(bases) != 1 || bases[0].ID() != r.Git("rev-parse", "main~1") {
		t.Errorf("MergeBases = %v, %v", bases, err)
	}
}

func TestShallow(t *testing.T) {
	ctx := context.Background()
	up := logged(t)
	up.Commit("two")
	r := up.In(t.TempDir() + "/clone")
	up.Git("clone", "-q", "--depth=1", "file://"+up.Dir, r.Dir)
	repo := open(t, r)
	c, err := repo.CommitChange(ctx, "HEAD")
	if err != nil || len(c.Before) != 0 || !strings.Contains(c.Missing, "git fetch") {
		t.Errorf("%+v, %v", c, err)
	}
	if _, err := repo.RangeChange(ctx, "HEAD~1..HEAD"); !errors.Is(err, snapshot.ErrNoObject) {
		t.Errorf("a range that begins beyond the boundary gives %v", err)
	}
	change, err := repo.Staged(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if yes, _, err := change.Unpublished(ctx); yes || err != nil {
		t.Errorf("the boundary is not published: %v", err)
	}
}

func TestUnpublished(t *testing.T) {
	ctx := context.Background()
	r := logged(t)
	ask := func() (bool, []snapshot.Tree) {
		t.Helper()
		c, err := open(t, r).Staged(ctx)
		if err != nil {
			t.Fatal(err)
		}
		yes, parents, err := c.Unpublished(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return yes, parents
	}
	if yes, _ := ask(); yes {
		t.Error("without remotes HEAD is unpublished")
	}
	r.Git("update-ref", "refs/remotes/origin/main", "HEAD")
	if yes, _ := ask(); yes {
		t.Error("a published HEAD is unpublished")
	}
	r.Commit("local")
	if yes, parents := ask(); !yes || len(parents) != 1 || parents[0].ID() != r.Git("rev-parse", "HEAD~1") {
		t.Errorf("a local HEAD gives %v, %v", yes, parents)
	}
}

// TestRevisions compares the names that are understood with git's reading of them.
func TestRevisions(t *testing.T) {
	ctx := context.Background()
	var story shapes.Story
	for _, s := range shapes.Stories() {
		if s.Name == "merges" {
			story = s
		}
	}
	r := shapes.Build(t, story)
	r.Git("tag", "-a", "-m", "x", "annotated", "c5")
	r.Git("update-ref", "refs/remotes/origin/far", "c3")
	repo := open(t, r)
	for _, rev := range []string{"HEAD", "main", "refs/heads/main", "heads/main", "tags/c1", "annotated", "origin/far", "HEAD~1", "HEAD^2", "HEAD^^3~1", "main^0",
		"c6~2", "annotated^2", r.Git("rev-parse", "c3")} {
		tree, err := repo.Tree(ctx, rev)
		if err != nil || tree.ID() != r.Git("rev-parse", rev+"^{commit}") {
			t.Errorf("%s: %v, %v", rev, tree, err)
		}
	}
	for _, rev := range []string{"", "nowhere", "HEAD~99", "HEAD^9", "HEAD@{1}", ":/x", "HEAD^{/x}", "c1:log", strings.Repeat("ab", 20)} {
		if _, err := repo.Tree(ctx, rev); err == nil {
			t.Errorf("%q is a commit", rev)
		}
	}
	for _, pair := range [][2]string{{"c1", "c2"}, {"c6", "c3"}, {"c4", "c5"}, {"c1", "c1"}} {
		c, err := repo.RangeChange(ctx, pair[0]+"..."+pair[1])
		if err != nil {
			t.Fatal(err)
		}
		got := []string{c.Before[0].ID()}
		for _, a := range c.Alternatives {
			got = append(got, a.ID())
		}
		want := strings.Fields(r.Git("merge-base", "--all", pair[0], pair[1]))
		slices.Sort(got)
		slices.Sort(want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%v (-want +got):\n%s", pair, diff)
		}
	}
}
