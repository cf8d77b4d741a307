package git_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/seed-4419f9ca/forge/pkg/git"
	"github.com/seed-4419f9ca/forge/pkg/memory"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
	"github.com/seed-4419f9ca/forge/testdata/shapes"
)

// A walked history is a story as a walk over all of its commits sees it.
type walked struct {
	commits []shapes.Commit
	oids    []string
	order   []int // children before parents
}

// files returns the entries of commit i below dirs; those of no commit for -1.
func (w walked) files(t *rapid.T, i int, dirs []string) []snapshot.Entry {
	if i < 0 {
		return nil
	}
	all, err := memory.TreeOf(w.commits[i].Files).Under(context.Background(), "")
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(all, func(e snapshot.Entry) bool {
		return !slices.ContainsFunc(dirs, func(dir string) bool { return e.Path == dir || strings.HasPrefix(e.Path, dir+"/") })
	})
}

// parents returns those of commit i, and -1 for a root commit.
func (w walked) parents(i int) []int {
	if p := w.commits[i].Parents; len(p) > 0 {
		return p
	}
	return []int{-1}
}

// trail is what Trail must say.
func (w walked) trail(t *rapid.T, dirs []string) []snapshot.Mark {
	var out []snapshot.Mark
	for _, i := range w.order {
		m := snapshot.Mark{OID: w.oids[i]}
		changed := false
		for _, p := range w.parents(i) {
			deltas := snapshot.Diff(w.files(t, p, dirs), w.files(t, i, dirs))
			changed = changed || len(deltas) > 0
			m.Deltas = append(m.Deltas, deltas)
		}
		if changed {
			out = append(out, m)
		}
	}
	return out
}

// line returns line n of a file; "" when there is none.
func line(data string, n int) string {
	if lines := strings.Split(data, "\n"); n < len(lines) {
		return lines[n]
	}
	return ""
}

// newest is the newest commit whose line n of path is unlike that of each parent.
func (w walked) newest(path string, n int) string {
	for _, i := range w.order {
		here := line(w.commits[i].Files[path].Data, n)
		if !slices.ContainsFunc(w.parents(i), func(p int) bool {
			return p < 0 && here == "" || p >= 0 && line(w.commits[p].Files[path].Data, n) == here
		}) {
			return w.oids[i]
		}
	}
	return ""
}

// newestOn is newest by a trail alone.
func newestOn(t *rapid.T, marks []snapshot.Mark, tree snapshot.Tree, path string, n int) string {
	read := func(e snapshot.Entry) string {
		if !e.Exists() {
			return ""
		}
		data, err := tree.Read(context.Background(), e, 0)
		if err != nil {
			t.Fatal(err)
		}
		return line(string(data), n)
	}
	for _, m := range marks {
		if !slices.ContainsFunc(m.Deltas, func(list []snapshot.Delta) bool {
			i := slices.IndexFunc(list, func(d snapshot.Delta) bool { return d.Path == path })
			return i < 0 || read(list[i].Before) == read(list[i].After)
		}) {
			return m.OID
		}
	}
	return ""
}

// TestTrailLaw compares trails of random histories with a walk over all commits: the marks, their order and lists, and with
// them the commit that changed a line last.
func TestTrailLaw(t *testing.T) {
	ctx := context.Background()
	r := shapes.New(t)
	round := 0
	rapid.Check(t, func(rt *rapid.T) {
		round++
		w := walked{commits: drawHistory(rt)}
		w.build(rt, r, round)
		repo, err := git.Open(ctx, git.Options{Dir: r.Dir, Env: r.Env})
		if err != nil {
			rt.Fatal(err)
		}
		defer repo.Close()
		c, err := repo.CommitChange(ctx, w.oids[len(w.oids)-1])
		if err != nil {
			rt.Fatal(err)
		}
		dirs := rapid.SliceOfN(rapid.SampledFrom([]string{"docs", "docs/a", "b", "doc"}), 1, 3).Draw(rt, "dirs")
		marks, err := c.Trail(ctx, dirs)
		if err != nil {
			rt.Fatal(err)
		}
		if diff := cmp.Diff(w.trail(rt, dirs), marks); diff != "" {
			rt.Fatalf("the trail of %q (-want +got):\n%s", dirs, diff)
		}
		whole, err := c.Trail(ctx, []string{""})
		if err != nil {
			rt.Fatal(err)
		}
		for _, path := range lawPaths() {
			for n := range 3 {
				if want, got := w.newest(path, n), newestOn(rt, whole, c.After, path, n); want != got {
					rt.Fatalf("line %d of %q was last changed by %q, the trail says %q", n, path, want, got)
				}
			}
		}
	})
}

func lawPaths() []string { return []string{"docs/a", "docs/a2", "docs/sub/c", "b"} }

// drawHistory draws commits that change single lines, with merges that take lines and files from their sides or make their
// own.
func drawHistory(t *rapid.T) []shapes.Commit {
	n := rapid.IntRange(1, 9).Draw(t, "commits")
	var out []shapes.Commit
	for i := range n {
		c := shapes.Commit{Message: "m", Files: shapes.Files{}}
		for p := i - 1; p >= 0 && len(c.Parents) < 3; p-- {
			if rapid.IntRange(0, 2).Draw(t, "parent") == 0 {
				c.Parents = append(c.Parents, p)
			}
		}
		for _, path := range lawPaths() {
			var lines []string
			from := i
			if len(c.Parents) > 0 {
				from = rapid.SampledFrom(c.Parents).Draw(t, "side")
			}
			for k := range 3 {
				text := "0"
				if from < i {
					text = line(out[from].Files[path].Data, k)
				}
				if rapid.IntRange(0, 5).Draw(t, "edit") == 0 {
					text = rapid.SampledFrom([]string{"1", "2", "3", ""}).Draw(t, "text")
				}
				lines = append(lines, text)
			}
			if data := strings.Join(lines, "\n"); data != "\n\n" {
				c.Files[path] = shapes.Text(data)
			}
		}
		out = append(out, c)
	}
	return out
}

// build writes the commits into r with few different dates, so that dates do not give the order away.
func (w *walked) build(t *rapid.T, r *shapes.Repo, round int) {
	var in bytes.Buffer
	for i, c := range w.commits {
		message := fmt.Sprintf("%d", i)
		when := 1_700_000_000 + rapid.IntRange(0, 3).Draw(t, "when")
		fmt.Fprintf(&in, "commit refs/tags/r%d-%d\nmark :%d\ncommitter Test <test@example.com> %d +0000\ndata %d\n%s\n", round, i, i+1, when, len(message), message)
		for k, p := range c.Parents {
			verb := "merge"
			if k == 0 {
				verb = "from"
			}
			fmt.Fprintf(&in, "%s :%d\n", verb, p+1)
		}
		in.WriteString("deleteall\n")
		for _, path := range lawPaths() {
			if f, ok := c.Files[path]; ok {
				fmt.Fprintf(&in, "M 100644 inline %s\ndata %d\n%s\n", path, len(f.Data), f.Data)
			}
		}
	}
	for i := range w.commits {
		fmt.Fprintf(&in, "get-mark :%d\n", i+1)
	}
	out, stderr, code := r.Try(in.String(), "fast-import", "--quiet", "--force")
	if code != 0 {
		t.Fatal(stderr)
	}
	w.oids = strings.Fields(out)
	last := w.oids[len(w.oids)-1]
	order, stderr, code := r.Try("", "rev-list", "--topo-order", last)
	if code != 0 {
		t.Fatal(stderr)
	}
	for _, oid := range strings.Fields(order) {
		w.order = append(w.order, slices.Index(w.oids, oid))
	}
}
