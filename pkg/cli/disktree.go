package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// A diskTree is every file below a folder, known to git or not, for commands that write files and have to know what is
// there. It follows no link and leaves the folder by none. Its entries have no object ids: they say what is there, not
// whether something else is the same.
type diskTree struct{ root *os.Root }

func openDisk(top string) (*diskTree, error) {
	root, err := os.OpenRoot(top)
	if err != nil {
		return nil, fmt.Errorf("could not open the working tree: %w", err)
	}
	return &diskTree{root}, nil
}

// Close ends the use of the folder.
func (t *diskTree) Close() error { return t.root.Close() }

// ID implements snapshot.Tree.
func (t *diskTree) ID() string { return "worktree" }

// Lookup implements snapshot.Tree.
func (t *diskTree) Lookup(ctx context.Context, name string) (snapshot.Entry, error) {
	if err := ctx.Err(); err != nil {
		return snapshot.Entry{}, err
	}
	if !fs.ValidPath(name) || name == "." || name == ".git" || strings.HasPrefix(name, ".git/") {
		return snapshot.Entry{}, nil
	}
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		info, err := t.root.Lstat(dir)
		if missing(err) || err == nil && !info.IsDir() {
			return snapshot.Entry{}, nil
		}
		if err != nil {
			return snapshot.Entry{}, fmt.Errorf("could not look up %q: %w", name, err)
		}
	}
	info, err := t.root.Lstat(name)
	if missing(err) {
		return snapshot.Entry{}, nil
	}
	if err != nil {
		return snapshot.Entry{}, fmt.Errorf("could not look up %q: %w", name, err)
	}
	return entryOf(name, info.Mode()), nil
}

func missing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, errNoFolder)
}

// errNoFolder is what a system says of a path through a file.
var errNoFolder = fs.ErrInvalid

func entryOf(name string, mode fs.FileMode) snapshot.Entry {
	switch {
	case mode&fs.ModeSymlink != 0:
		return snapshot.Entry{Path: name, Mode: snapshot.Symlink}
	case mode.IsRegular() && mode&0o111 != 0:
		return snapshot.Entry{Path: name, Mode: snapshot.Executable}
	case mode.IsRegular():
		return snapshot.Entry{Path: name, Mode: snapshot.Regular}
	}
	return snapshot.Entry{}
}

// Under implements snapshot.Tree.
func (t *diskTree) Under(ctx context.Context, dir string) ([]snapshot.Entry, error) {
	if dir == "" {
		dir = "."
	}
	if !fs.ValidPath(dir) {
		return nil, nil
	}
	var out []snapshot.Entry
	err := fs.WalkDir(t.root.FS(), dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case missing(err) && name == dir:
			return fs.SkipAll
		case err != nil:
			return err
		case d.IsDir():
			if d.Name() == ".git" {
				return fs.SkipDir
			}
			return nil
		case name == dir:
			return nil // a file in the folder's place
		}
		if e := entryOf(name, d.Type()); e.Exists() {
			out = append(out, e)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("could not list %q: %w", dir, err)
	}
	return out, nil
}

// Read implements snapshot.Tree.
func (t *diskTree) Read(_ context.Context, e snapshot.Entry, limit int64) (_ []byte, err error) {
	f, size, err := t.open(e)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if limit > 0 && size > limit {
		return nil, &snapshot.TooLarge{Path: e.Path, Size: size, Limit: limit}
	}
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, fmt.Errorf("could not read %q: %w", e.Path, err)
	}
	return data, nil
}

func (t *diskTree) open(e snapshot.Entry) (io.ReadCloser, int64, error) {
	if e.Mode == snapshot.Symlink {
		target, err := t.root.Readlink(e.Path)
		if err != nil {
			return nil, 0, fmt.Errorf("could not read %q: %w", e.Path, err)
		}
		return io.NopCloser(bytes.NewReader([]byte(target))), int64(len(target)), nil
	}
	f, err := t.root.Open(e.Path)
	if err != nil {
		return nil, 0, fmt.Errorf("could not read %q: %w", e.Path, err)
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is no regular file")
	}
	if err != nil {
		return nil, 0, errors.Join(fmt.Errorf("could not read %q: %w", e.Path, err), f.Close())
	}
	return f, info.Size(), nil
}

// Open implements snapshot.Tree.
func (t *diskTree) Open(_ context.Context, e snapshot.Entry) (io.ReadCloser, int64, error) {
	return t.open(e)
}

// Prefetch implements snapshot.Tree.
func (t *diskTree) Prefetch(context.Context, []snapshot.Entry, int64) {}
