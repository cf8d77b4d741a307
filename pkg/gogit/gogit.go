// Package gogit reads plain repositories with go-git, for machines without git and as the second implementation that the
// conformance suite compares with git. It is no authority (chapter 9.2 of the specification): every shape of repository on
// which go-git is known to err is refused with an error that names it.
package gogit

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/format/index"
	"github.com/go-git/go-git/v5/storage/filesystem"

	"github.com/seed-4419f9ca/forge/pkg/gitobject"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// An Unsupported error refuses a shape of repository, or a question, that only git answers truthfully.
type Unsupported struct {
	Shape string // what it is, as a noun: "a sparse checkout"
}

func (e *Unsupported) Error() string {
	return fmt.Sprintf("could not read the repository without git: this is %s; install git and run again", e.Shape)
}

// Options say which repository to open.
type Options struct {
	// Dir is the folder to start from; "" for the current one.
	Dir string
	// Env is looked through for variables of git, all of which are refused; nil for the environment of the process.
	Env []string
}

// A Repo reads one repository. It is safe for concurrent use.
type Repo struct {
	dir   string // the folder .git, or that of a bare repository
	bare  bool
	mu    sync.Mutex // go-git's storage is not safe for concurrent use
	store *filesystem.Storage
}

// Open finds the repository that contains opts.Dir and makes sure that it has no shape that go-git reads wrongly.
func Open(_ context.Context, opts Options) (*Repo, error) {
	env := opts.Env
	if env == nil {
		env = os.Environ()
	}
	if err := refuseEnv(env); err != nil {
		return nil, err
	}
	dir, bare, err := find(opts.Dir)
	if err != nil {
		return nil, err
	}
	if err := refuseShape(dir); err != nil {
		return nil, err
	}
	return &Repo{dir: dir, bare: bare, store: filesystem.NewStorage(osfs.New(dir), cache.NewObjectLRUDefault())}, nil
}

// Close releases what go-git holds open.
func (r *Repo) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.store.ObjectStorage.Close()
}

// find looks for the repository in dir and the folders above it.
func find(dir string) (gitDir string, bare bool, err error) {
	start, err := filepath.Abs(dir)
	if err != nil {
		return "", false, fmt.Errorf("could not find a repository from %q: %w", dir, err)
	}
	for at := start; ; at = filepath.Dir(at) {
		name := filepath.Join(at, ".git")
		info, err := os.Stat(name)
		switch {
		case err == nil && info.IsDir():
			return name, false, nil
		case err == nil:
			return "", false, &Unsupported{"a linked worktree or a submodule"}
		case !errors.Is(err, os.ErrNotExist):
			return "", false, fmt.Errorf("could not find a repository from %q: %w", dir, err)
		}
		if isBare(at) {
			return at, true, nil
		}
		if filepath.Dir(at) == at {
			return "", false, fmt.Errorf("could not find a repository: %q is in none", start)
		}
	}
}

func isBare(dir string) bool {
	for _, name := range []string{"HEAD", "objects", "refs"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			return false
		}
	}
	return true
}

// Staged returns the change from HEAD, and in a merge from each further parent, to the index. See the same method of
// package git.
func (r *Repo) Staged(ctx context.Context) (*snapshot.Change, error) {
	if r.bare {
		return nil, &Unsupported{"a bare repository, which has no index of its own"}
	}
	entries, err := r.index()
	if err != nil {
		return nil, err
	}
	parents, err := r.stagedParents(ctx)
	if err != nil {
		return nil, err
	}
	after := &tree{repo: r, id: "index", entries: entries}
	before := []snapshot.Tree{r.empty()}
	for i, p := range parents {
		before = append(before[:i], r.treeOf(p))
	}
	c, err := r.change(ctx, snapshot.Staged, before, after)
	if err == nil && len(parents) > 0 {
		c.Unpublished = r.unpublished(parents[0])
	}
	return c, err
}

// index returns the entries that a commit made now would have, sorted by path bytes.
func (r *Repo) index() ([]snapshot.Entry, error) {
	r.mu.Lock()
	idx, err := r.store.Index()
	r.mu.Unlock()
	switch {
	case errors.Is(err, index.ErrUnknownExtension):
		return nil, &Unsupported{"a split or sparse index"}
	case err != nil:
		return nil, fmt.Errorf("could not read the index: %w", err)
	}
	out := make([]snapshot.Entry, 0, len(idx.Entries))
	var conflicts []string
	for _, e := range idx.Entries {
		mode, ok := gitobject.ParseMode(fmt.Appendf(nil, "%o", uint32(e.Mode)))
		switch {
		case e.IntentToAdd:
			return nil, &Unsupported{"an index with paths that are announced only (git add -N)"}
		case e.SkipWorktree, mode == gitobject.Folder:
			return nil, &Unsupported{"a sparse checkout"}
		case e.Stage != 0: // go-git's constant for this, index.Merged, is 1
			if n := len(conflicts); n == 0 || conflicts[n-1] != e.Name {
				conflicts = append(conflicts, e.Name)
			}
		case !ok || !gitobject.ValidPath(e.Name):
			return nil, fmt.Errorf("could not read the index: entry %q is malformed", e.Name)
		}
		out = append(out, snapshot.Entry{Path: e.Name, Mode: snapshot.Mode(mode), OID: snapshot.OID(e.Hash.String())})
	}
	if len(conflicts) > 0 {
		return nil, fmt.Errorf("could not list the staged changes: %d paths are in conflict, among them %q; stage the result with git add -- PATH",
			len(conflicts), conflicts[:min(len(conflicts), 20)])
	}
	slices.SortFunc(out, func(a, b snapshot.Entry) int { return strings.Compare(a.Path, b.Path) })
	return out, nil
}

// stagedParents returns the parents of a commit made now; none when HEAD is unborn.
func (r *Repo) stagedParents(ctx context.Context) ([]*gitobject.Commit, error) {
	head, err := r.ref("HEAD")
	if errors.Is(err, plumbing.ErrReferenceNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("could not read HEAD: %w", err)
	}
	names := []string{head}
	data, err := os.ReadFile(filepath.Join(r.dir, "MERGE_HEAD"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("could not read what is merged: %w", err)
	}
	for _, name := range strings.Fields(string(data)) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	parents := make([]*gitobject.Commit, len(names))
	for i, name := range names {
		if parents[i], err = r.commit(ctx, name); err != nil {
			return nil, err
		}
	}
	return parents, nil
}

// ref returns the id that a reference leads to.
func (r *Repo) ref(name plumbing.ReferenceName) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	const deepest = 10
	for range deepest {
		ref, err := r.store.Reference(name)
		if err != nil {
			return "", err
		}
		if ref.Type() == plumbing.HashReference {
			return ref.Hash().String(), nil
		}
		name = ref.Target()
	}
	return "", fmt.Errorf("could not follow %q: it leads in a circle", name)
}

// Worktree is refused: which files on disk have changed is only git's to say.
func (r *Repo) Worktree(context.Context) (*snapshot.Change, error) {
	return nil, &Unsupported{"a question about the working tree"}
}
