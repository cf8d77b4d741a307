// Package memory builds snapshots and changes from values, for tests and for the harness of the checks. Its object ids
// are those that git gives the same bytes, and its changes are joined by the function that all readers use.
package memory

import (
	"bytes"
	"context"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/gitobject"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// A File is the type and the content of one path. For a symlink the content is its target, for a submodule the id of its
// commit.
type File struct {
	Mode snapshot.Mode
	Data string
}

// Tree returns a snapshot of regular files, given as contents by path.
func Tree(files map[string]string) snapshot.Tree {
	all := make(map[string]File, len(files))
	for path, data := range files {
		all[path] = File{snapshot.Regular, data}
	}
	return TreeOf(all)
}

// TreeOf returns a snapshot of files by path. Its ID is a digest of all entries.
func TreeOf(files map[string]File) snapshot.Tree {
	t := &tree{data: make(map[string]string, len(files))}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		f := files[path]
		t.entries = append(t.entries, snapshot.Entry{Path: path, Mode: f.Mode, OID: oid(f)})
		t.data[path] = f.Data
	}
	h := sha1.New()
	for _, e := range t.entries {
		fmt.Fprintf(h, "%o %s %s\x00", e.Mode, e.OID, e.Path)
	}
	t.id = hex.EncodeToString(h.Sum(nil))
	return t
}

// oid returns the id of f's object as git works it out with SHA-1.
func oid(f File) snapshot.OID {
	if f.Mode == snapshot.Gitlink {
		return snapshot.OID(f.Data)
	}
	return snapshot.OID(gitobject.SHA1.ID("blob", []byte(f.Data)))
}

// tree implements snapshot.Tree.
type tree struct {
	id      string
	entries []snapshot.Entry // sorted by path
	data    map[string]string
}

func (t *tree) ID() string { return t.id }

func (t *tree) Lookup(ctx context.Context, path string) (snapshot.Entry, error) {
	if err := ctx.Err(); err != nil {
		return snapshot.Entry{}, err
	}
	i, ok := slices.BinarySearchFunc(t.entries, path, func(e snapshot.Entry, p string) int { return strings.Compare(e.Path, p) })
	if !ok {
		return snapshot.Entry{}, nil
	}
	return t.entries[i], nil
}

func (t *tree) Under(ctx context.Context, dir string) ([]snapshot.Entry, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if dir == "" {
		return slices.Clone(t.entries), nil
	}
	var out []snapshot.Entry
	for _, e := range t.entries {
		if strings.HasPrefix(e.Path, dir+"/") {
			out = append(out, e)
		}
	}
	return out, nil
}

func (t *tree) Read(ctx context.Context, e snapshot.Entry, limit int64) ([]byte, error) {
	found, err := t.Lookup(ctx, e.Path)
	switch {
	case err != nil:
		return nil, err
	case !e.Exists() || e.Mode == snapshot.Gitlink:
		return nil, fmt.Errorf("could not read %q: %w", e.Path, snapshot.ErrNoContent)
	case found != e:
		return nil, fmt.Errorf("could not read %q: the entry is not of this tree: %w", e.Path, snapshot.ErrNoObject)
	}
	data := t.data[e.Path]
	if limit > 0 && int64(len(data)) > limit {
		return nil, &snapshot.TooLarge{Path: e.Path, Size: int64(len(data)), Limit: limit}
	}
	return []byte(data), nil
}

func (t *tree) Open(ctx context.Context, e snapshot.Entry) (io.ReadCloser, int64, error) {
	data, err := t.Read(ctx, e, 0)
	if err != nil {
		return nil, 0, err
	}
	return io.NopCloser(bytes.NewReader(data)), int64(len(data)), nil
}

func (t *tree) Prefetch(context.Context, []snapshot.Entry, int64) {}

// Named returns t under another ID, such as "index".
func Named(t snapshot.Tree, id string) snapshot.Tree { return named{t, id} }

type named struct {
	snapshot.Tree
	id string
}

func (n named) ID() string { return n.id }

// Broken returns t as it looks when the object behind path cannot be read: Read and Open of it fail with err.
func Broken(t snapshot.Tree, path string, err error) snapshot.Tree { return broken{t, path, err} }

type broken struct {
	snapshot.Tree
	path string
	err  error
}

func (b broken) Read(ctx context.Context, e snapshot.Entry, limit int64) ([]byte, error) {
	if e.Path == b.path {
		return nil, fmt.Errorf("could not read %q: %w", e.Path, b.err)
	}
	return b.Tree.Read(ctx, e, limit)
}

func (b broken) Open(ctx context.Context, e snapshot.Entry) (io.ReadCloser, int64, error) {
	if e.Path == b.path {
		return nil, 0, fmt.Errorf("could not read %q: %w", e.Path, b.err)
	}
	return b.Tree.Open(ctx, e)
}

// Change returns the change from the trees before to the tree after. With several trees before, MergeBases fails until
// WithBases has been called: a test that needs merge bases has to say them. Change panics when a tree cannot be listed.
func Change(kind snapshot.Kind, before []snapshot.Tree, after snapshot.Tree) *snapshot.Change {
	files, err := Files(context.Background(), before, after)
	if err != nil {
		panic(err)
	}
	c := &snapshot.Change{Kind: kind, Before: before, After: after, Files: files}
	follow(c)
	if len(before) > 1 {
		c.MergeBases = func(context.Context, int) ([]snapshot.Tree, error) { return nil, errNoBases }
	}
	return c
}

var errNoBases = errors.New("could not find merge bases: the change was built without them")

// WithBases sets the merge bases of c, by parent: bases[i] belongs to Before[i], and bases[0] is not used.
func WithBases(c *snapshot.Change, bases ...[]snapshot.Tree) *snapshot.Change {
	c.MergeBases = func(_ context.Context, i int) ([]snapshot.Tree, error) {
		if i < 1 || i >= len(bases) {
			return nil, errNoBases
		}
		return bases[i], nil
	}
	return c
}

// Files lists both sides of each comparison in full and joins the differences. It works for trees of any reader and costs
// as much as the trees are large.
func Files(ctx context.Context, before []snapshot.Tree, after snapshot.Tree) ([]snapshot.File, error) {
	to, err := after.Under(ctx, "")
	if err != nil {
		return nil, err
	}
	if len(before) == 0 {
		return snapshot.Unbased(to), nil
	}
	lists := make([][]snapshot.Delta, len(before))
	for i, b := range before {
		from, err := b.Under(ctx, "")
		if err != nil {
			return nil, err
		}
		lists[i] = snapshot.Diff(from, to)
	}
	return snapshot.Join(lists...)
}

// Range returns the change of a range whose commits are steps, oldest first: from the tree before the first of them to the
// tree after the last.
func Range(before snapshot.Tree, steps ...snapshot.Step) *snapshot.Change {
	c := Change(snapshot.Range, []snapshot.Tree{before}, steps[len(steps)-1].Change.After)
	c.Commits = func(context.Context) ([]snapshot.Step, error) { return steps, nil }
	return c
}
