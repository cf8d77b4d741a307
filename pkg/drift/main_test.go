package drift_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/seed-4419f9ca/forge/pkg/claim"
	"github.com/seed-4419f9ca/forge/pkg/drift"
	"github.com/seed-4419f9ca/forge/pkg/fingerprint"
	"github.com/seed-4419f9ca/forge/pkg/memory"
	"github.com/seed-4419f9ca/forge/pkg/parsertest"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

func TestMain(m *testing.M) { parsertest.Main(m) }

// files are the contents of regular files by path.
type files map[string]string

// with returns f and the files of others, of which "" takes one away.
func (f files) with(others files) files {
	out := files{}
	for _, m := range []files{f, others} {
		for path, data := range m {
			if out[path] = data; data == "" {
				delete(out, path)
			}
		}
	}
	return out
}

// and returns both lists of differences.
func (f files) and(others files) files {
	out := maps.Clone(f)
	maps.Copy(out, others)
	return out
}

const (
	root  = "docs/system"
	store = root + "/domain.md"
)

// claims writes a store of one claim for each list of anchors: INV-1 and so on.
func claims(lists ...[]string) string {
	var b strings.Builder
	for i, anchors := range lists {
		fmt.Fprintf(&b, "### INV-%d — A title\n\n```claim\nkind: invariant\nstatus: asserted\ntruth-source: code\nanchors:\n", i+1)
		for _, a := range anchors {
			fmt.Fprintf(&b, "  - '%s'\n", strings.ReplaceAll(a, "'", "''"))
		}
		b.WriteString("reviewed: 2026-01-02\n```\n\nIt is so.\n\n")
	}
	return b.String()
}

// A past is a line of commits, oldest first.
type past struct {
	commits []snapshot.Tree
	blobs   map[snapshot.OID]string
	cut     bool // the first commit is where a shallow clone ends
	renames map[string]string
}

// history makes commits of trees.
func history(list ...map[string]memory.File) *past {
	p := &past{blobs: map[snapshot.OID]string{}}
	for _, files := range list {
		p.commits = append(p.commits, p.tree(files))
	}
	return p
}

// plain makes trees of regular files.
func plain(list ...files) []map[string]memory.File {
	var out []map[string]memory.File
	for _, f := range list {
		all := map[string]memory.File{}
		for path, data := range f {
			all[path] = memory.File{Mode: snapshot.Regular, Data: data}
		}
		out = append(out, all)
	}
	return out
}

// A sharing tree reads the contents of all trees of its past, as those of git do.
type sharing struct {
	snapshot.Tree
	past *past
}

func (p *past) tree(files map[string]memory.File) *sharing {
	t := &sharing{memory.TreeOf(files), p}
	entries, err := t.Under(context.Background(), "")
	if err != nil {
		panic(err)
	}
	for _, e := range entries {
		p.blobs[e.OID] = files[e.Path].Data
	}
	return t
}

func (t *sharing) Read(_ context.Context, e snapshot.Entry, limit int64) ([]byte, error) {
	data, ok := t.past.blobs[e.OID]
	switch {
	case !ok || e.Mode == snapshot.Gitlink:
		return nil, snapshot.ErrNoObject
	case limit > 0 && int64(len(data)) > limit:
		return nil, &snapshot.TooLarge{Path: e.Path, Size: int64(len(data)), Limit: limit}
	}
	return []byte(data), nil
}

// id returns the id of a commit, counted from 0.
func (p *past) id(n int) string { return p.commits[n].ID() }

// staged returns the change from the newest commit to an index.
func (p *past) staged(files map[string]memory.File) *snapshot.Change {
	index := &sharing{memory.Named(p.tree(files).Tree, "index"), p}
	c := memory.Change(snapshot.Staged, []snapshot.Tree{p.commits[len(p.commits)-1]}, index)
	c.At, c.Trail = p.at, p.trail
	renamed := c.Renamed
	c.Renamed = func(ctx context.Context, base snapshot.Tree) (map[string]string, error) {
		if p.renames != nil {
			return p.renames, nil
		}
		return renamed(ctx, base)
	}
	return c
}

func (p *past) at(_ context.Context, ids []string) ([]snapshot.Tree, error) {
	out := make([]snapshot.Tree, len(ids))
	for i, id := range ids {
		for _, t := range p.commits {
			if strings.HasPrefix(t.ID(), id) {
				out[i] = t
			}
		}
	}
	return out, nil
}

func (p *past) trail(ctx context.Context, dirs []string) ([]snapshot.Mark, error) {
	var marks []snapshot.Mark
	var before []snapshot.Entry
	for i, t := range p.commits {
		after, err := t.Under(ctx, dirs[0])
		if err != nil {
			return nil, err
		}
		if deltas := snapshot.Diff(before, after); len(deltas) > 0 {
			marks = append(marks, snapshot.Mark{OID: t.ID(), Deltas: [][]snapshot.Delta{deltas}, Cut: i == 0 && p.cut})
		}
		before = after
	}
	slices.Reverse(marks)
	return marks, nil
}

// judge runs over all anchors of the store in c's after tree.
func judge(t testing.TB, e *fingerprint.Engine, c *snapshot.Change) (*drift.Judge, []*drift.Result) {
	t.Helper()
	layout := claim.Layout{Root: root, Limit: limit}
	s, err := claim.Load(context.Background(), c.After, layout)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range s.Claims {
		for _, a := range c.Anchors {
			if a.Err != nil {
				t.Fatalf("%q is no anchor: %v", a.Text, a.Err)
			}
		}
	}
	j := &drift.Judge{Change: c, Store: s, Layout: layout, Engine: e, Limit: limit}
	results, err := j.Run(context.Background(), func(*claim.Claim, *claim.Anchor) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	return j, results
}

// limit is the size over which a file is not read.
const limit = 100_000

// line writes a result down.
func line(r *drift.Result) string {
	s := string(r.Status)
	if r.Detail != "" {
		s += " " + r.Detail
	}
	if r.Words != "" {
		s += ": " + r.Words
	}
	if r.Moved != nil {
		s += " -> " + r.Moved.Base().String()
	}
	if len(r.Homes) > 0 {
		s += " in " + strings.Join(r.Homes, " or ")
	}
	if r.DocChanged {
		s += ", doc changed"
	}
	if r.Coarse != "" {
		s += ", coarse"
	}
	return s
}

// lines writes results down, one a line.
func lines(results []*drift.Result) string {
	var out []string
	for _, r := range results {
		out = append(out, line(r))
	}
	return strings.Join(out, "\n")
}
