package gogit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/seed-4419f9ca/forge/pkg/gitobject"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// A tree is a snapshot. It implements snapshot.Tree.
type tree struct {
	repo    *Repo
	id      string
	root    string           // id of the tree object, "" when entries hold everything
	entries []snapshot.Entry // sorted by path
}

func (r *Repo) treeOf(c *gitobject.Commit) *tree { return &tree{repo: r, id: c.ID, root: c.Tree} }

func (r *Repo) empty() *tree { return &tree{repo: r, id: gitobject.SHA1.EmptyTree()} }

func (t *tree) ID() string { return t.id }

func (t *tree) Lookup(ctx context.Context, path string) (snapshot.Entry, error) {
	if t.root == "" {
		i, ok := slices.BinarySearchFunc(t.entries, path, comparePath)
		if !ok {
			return snapshot.Entry{}, nil
		}
		return t.entries[i], nil
	}
	id, e, err := t.descend(ctx, path)
	if err != nil || id != "" || e.Mode == 0 {
		return snapshot.Entry{}, err
	}
	return snapshot.Entry{Path: path, Mode: snapshot.Mode(e.Mode), OID: snapshot.OID(e.ID)}, nil
}

func comparePath(e snapshot.Entry, path string) int { return strings.Compare(e.Path, path) }

// descend follows path through the tree objects: to the id of a folder, or to the entry of anything else.
func (t *tree) descend(ctx context.Context, path string) (folder string, e gitobject.Entry, err error) {
	folder = t.root
	for name := range strings.SplitSeq(path, "/") {
		if folder == "" {
			return "", gitobject.Entry{}, nil
		}
		entries, err := t.repo.readTree(ctx, folder)
		if err != nil {
			return "", e, fmt.Errorf("could not find %q: %w", path, err)
		}
		folder, e = "", gitobject.Entry{}
		if i := slices.IndexFunc(entries, func(e gitobject.Entry) bool { return e.Name == name }); i >= 0 {
			e = entries[i]
		}
		if e.Mode == gitobject.Folder {
			folder = e.ID
		}
	}
	return folder, e, nil
}

func (t *tree) Under(ctx context.Context, dir string) ([]snapshot.Entry, error) {
	if t.root == "" {
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
	at, prefix := t.root, ""
	if dir != "" {
		var err error
		if at, _, err = t.descend(ctx, dir); err != nil || at == "" {
			return nil, err
		}
		prefix = dir + "/"
	}
	out, err := t.repo.walk(ctx, at, prefix, nil)
	slices.SortFunc(out, func(a, b snapshot.Entry) int { return strings.Compare(a.Path, b.Path) })
	return out, err
}

// maxPath bounds how deep folders are followed, in bytes of the path.
const maxPath = 64 << 10

// walk adds all entries below the tree object id to out.
func (r *Repo) walk(ctx context.Context, id, prefix string, out []snapshot.Entry) ([]snapshot.Entry, error) {
	entries, err := r.readTree(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("could not list %q: %w", prefix, err)
	}
	for _, e := range entries {
		path := prefix + e.Name
		if e.Mode != gitobject.Folder {
			out = append(out, snapshot.Entry{Path: path, Mode: snapshot.Mode(e.Mode), OID: snapshot.OID(e.ID)})
			continue
		}
		if len(path) > maxPath {
			return nil, fmt.Errorf("could not list %.100q: the path is too long", path)
		}
		if out, err = r.walk(ctx, e.ID, path+"/", out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (r *Repo) readTree(ctx context.Context, id string) ([]gitobject.Entry, error) {
	data, err := r.read(ctx, plumbing.TreeObject, id, 0)
	if err != nil {
		return nil, err
	}
	return gitobject.ParseTree(id, data)
}

// object finds an object of the given type.
func (r *Repo) object(ctx context.Context, kind plumbing.ObjectType, id string) (plumbing.EncodedObject, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r.mu.Lock()
	o, err := r.store.EncodedObject(kind, plumbing.NewHash(id))
	r.mu.Unlock()
	if errors.Is(err, plumbing.ErrObjectNotFound) {
		err = snapshot.ErrNoObject
	}
	if err != nil {
		return nil, fmt.Errorf("could not read object %s: %w", id, err)
	}
	return o, nil
}

// read returns the content of an object. Over a limit above 0 it fails with *snapshot.TooLarge.
func (r *Repo) read(ctx context.Context, kind plumbing.ObjectType, id string, limit int64) ([]byte, error) {
	o, err := r.object(ctx, kind, id)
	if err != nil {
		return nil, err
	}
	if limit > 0 && o.Size() > limit {
		return nil, &snapshot.TooLarge{Path: id, Size: o.Size(), Limit: limit}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	rc, err := o.Reader()
	if err != nil {
		return nil, fmt.Errorf("could not read object %s: %w", id, err)
	}
	data, err := io.ReadAll(rc)
	if err == nil && int64(len(data)) != o.Size() {
		err = io.ErrUnexpectedEOF
	}
	if err := errors.Join(err, rc.Close()); err != nil {
		return nil, fmt.Errorf("could not read object %s: %w", id, err)
	}
	return data, nil
}

func (t *tree) Read(ctx context.Context, e snapshot.Entry, limit int64) ([]byte, error) {
	if !e.Mode.IsFile() && e.Mode != snapshot.Symlink {
		return nil, fmt.Errorf("could not read %q: %w", e.Path, snapshot.ErrNoContent)
	}
	data, err := t.repo.read(ctx, plumbing.BlobObject, string(e.OID), limit)
	var large *snapshot.TooLarge
	if errors.As(err, &large) {
		large.Path = e.Path
		return nil, large
	}
	if err != nil {
		return nil, fmt.Errorf("could not read %q: %w", e.Path, err)
	}
	return data, nil
}

// Open holds the content in memory: go-git's streams are not safe beside other reads.
func (t *tree) Open(ctx context.Context, e snapshot.Entry) (io.ReadCloser, int64, error) {
	data, err := t.Read(ctx, e, 0)
	if err != nil {
		return nil, 0, err
	}
	return io.NopCloser(bytes.NewReader(data)), int64(len(data)), nil
}

func (t *tree) Prefetch(context.Context, []snapshot.Entry, int64) {}
