// Package snapshot holds immutable views of whole trees and the changes between them (chapter 3 of the specification).
// It defines the views; package git reads them from a repository, package memory builds them for tests.
package snapshot

import (
	"context"
	"errors"
	"fmt"
	"io"
)

// A Mode is the type of an entry as git writes it.
type Mode uint32

// The modes that a tree can hold. None is the mode of an entry that is not there.
const (
	None       Mode = 0
	Regular    Mode = 0o100644
	Executable Mode = 0o100755
	Symlink    Mode = 0o120000
	Gitlink    Mode = 0o160000
)

// IsFile reports whether m is a regular file, executable or not.
func (m Mode) IsFile() bool { return m == Regular || m == Executable }

// An OID is an object id in lower-case hex. Entries of the working tree carry the id that git would give their bytes.
type OID string

// An Entry is one file of a tree. The zero Entry stands for a file that is not there.
type Entry struct {
	Path string // bytes, relative to the root, with slashes
	Mode Mode
	OID  OID
}

// Exists reports whether e is there.
func (e Entry) Exists() bool { return e.Mode != None }

// Same reports whether e and o have the same type and content. Permission bits count, paths do not.
func (e Entry) Same(o Entry) bool { return e.Mode == o.Mode && e.OID == o.OID }

// A Tree is an immutable view of all files: a commit, the index or the working tree.
type Tree interface {
	// ID is the object id of the commit, that of the empty tree, "index" or "worktree".
	ID() string
	// Lookup finds path. A path that is not there is the zero Entry and no error.
	Lookup(ctx context.Context, path string) (Entry, error)
	// Under lists the entries below the folder dir ("" for all of them), sorted by path bytes. The cost grows with
	// what it lists; checks ask only when their files are part of the change.
	Under(ctx context.Context, dir string) ([]Entry, error)
	// Read returns the content of e. It fails with *TooLarge when the content has more than limit bytes; a limit of
	// 0 or less means none. For a symlink the content is its target. Callers must not change the bytes.
	Read(ctx context.Context, e Entry, limit int64) ([]byte, error)
	// Open streams the content of e without holding it in memory, and says its size in bytes.
	Open(ctx context.Context, e Entry) (io.ReadCloser, int64, error)
	// Prefetch says that these entries will be read soon, so that a reader can ask for them together. It changes no
	// result and reports no error: those come from Read.
	Prefetch(ctx context.Context, entries []Entry, limit int64)
}

// TooLarge is the error of Read for a content over the limit (chapter 3.5).
type TooLarge struct {
	Path        string
	Size, Limit int64
}

func (e *TooLarge) Error() string {
	return fmt.Sprintf("%q has %d bytes, more than the limit of %d", e.Path, e.Size, e.Limit)
}

// ErrNoObject marks an object that is not in the repository: a partial or shallow clone, or a broken one. It is never an
// empty file.
var ErrNoObject = errors.New("object is not in this repository")

// ErrNoContent marks the attempt to read an entry that has no content here: a submodule, or a path that is not there.
var ErrNoContent = errors.New("entry has no content")

// A Kind says how a change was chosen (chapter 2.2).
type Kind string

// The kinds of changes.
const (
	Staged     Kind = "staged"
	Commit     Kind = "commit"
	Range      Kind = "range"
	Worktree   Kind = "worktree"
	PrePush    Kind = "pre-push"
	PreReceive Kind = "pre-receive"
)

// A Change is what is judged: trees before, the tree after, and the files that differ.
type Change struct {
	Kind Kind
	// Before holds one tree per parent; the empty tree stands in for the parent of a root commit. It is empty only when
	// Missing says why.
	Before []Tree
	// After is the tree that is judged.
	After Tree
	// Alternatives are further merge bases of a range with a criss-cross history: a record may extend any of them instead
	// of Before[0].
	Alternatives []Tree
	// MergeBases returns the merge bases of Before[0] and Before[i], for i of 1 and more; what a parent added itself is
	// what it has beyond its merge base. Unrelated histories have none, criss-cross histories several. It is nil when
	// Before has fewer than two trees, and is only asked when needed.
	MergeBases func(ctx context.Context, i int) ([]Tree, error)
	// Files are the files that differ from at least one tree of Before, sorted by path bytes. When Before is empty they
	// are all files of After, since each may have changed.
	Files []File
	// Own is the commit itself when the change is that of one commit, else nil.
	Own *Step
	// Commits returns the commits of a range or push, oldest first, each with its own parents. It is nil for other kinds,
	// is only asked when needed, and works its answer out once.
	Commits func(ctx context.Context) ([]Step, error)
	// Unpublished reports, for a staged change in a repository with remote-tracking refs, whether the commit
	// Before[0] is on no remote; then the trees are its parents (chapter 3.2, amend). It is nil for other kinds, and is
	// only asked when needed.
	Unpublished func(ctx context.Context) (bool, []Tree, error)
	// Earlier returns the versions that path has had in the history of Before[0], newest first and with the one of
	// Before[0] itself: at most limit, each an entry that the trees of the change can read. It is nil when there is no
	// history, and is only asked when needed.
	Earlier func(ctx context.Context, path string, limit int) ([]Entry, error)
	// At returns the trees of commits named by full or abbreviated ids, in their order; nil for an id that leads to no
	// commit here, or to several. It is nil when there is no history, and is only asked when needed.
	At func(ctx context.Context, ids []string) ([]Tree, error)
	// Trail returns the commits in the history of After that changed a file below one of the folders dirs (a folder may
	// be a file's own path), children before parents. The history of an index or a working tree is that of its parents.
	// It is nil when there is no history, and is only asked when needed.
	Trail func(ctx context.Context, dirs []string) ([]Mark, error)
	// Renamed pairs the paths that base has and After lacks with paths that came, by likeness as git measures it. It is
	// nil when there is no history, and is only asked when needed.
	Renamed func(ctx context.Context, base Tree) (map[string]string, error)
	// Missing names, in words, a parent that the shallow boundary hides, and the command that fetches it; then Before
	// lacks that baseline and checks that need one must skip or fail (chapter 5.1). Empty when everything is there.
	Missing string
	// Note says in words how the base was chosen, when that is not obvious ("merge base with origin/main").
	Note string
}

// A Step is one commit of a range, as a change of its own.
type Step struct {
	OID     string
	Message []byte // as it stands in the commit, all bytes after the empty line
	Change  *Change
}

// A Mark is a commit on a trail: what it did to the files that the trail follows.
type Mark struct {
	OID string
	// Deltas holds one list for each parent, and one against the empty tree for a root commit. A list is empty when the
	// commit left these files as that parent had them.
	Deltas [][]Delta
	// Cut says that a shallow boundary hides a parent of the commit: every file looks new in it.
	Cut bool
}

// A File is one path of a change, with its entry on each side.
type File struct {
	Path string
	// After is the zero Entry when the file is gone.
	After Entry
	// Before holds one entry per tree of Change.Before; the zero Entry where the file is not there.
	Before []Entry
	// From is set when the file came, with the same object id, from another path that left in the same change: the
	// path it had in Change.Before[0].
	From string
	// To is the reverse of From for a path that left. A path that only a later parent of a merge had can have one too,
	// when its content lives on under a name that this parent did not have.
	To string
}

// DiffersFromAll reports whether the file differs from every before tree. Content checks judge only such files: what
// equals one of the parents was judged there (chapter 3.2).
func (f *File) DiffersFromAll() bool {
	for _, b := range f.Before {
		if b.Same(f.After) {
			return false
		}
	}
	return true
}

// Added reports whether the file is in no before tree. Without any before tree nobody can know, and it is false.
func (f *File) Added() bool {
	for _, b := range f.Before {
		if b.Exists() {
			return false
		}
	}
	return len(f.Before) > 0 && f.After.Exists()
}

// Removed reports whether the file is gone from the after tree.
func (f *File) Removed() bool { return !f.After.Exists() }

// File finds path among the changed files.
func (c *Change) File(path string) (*File, bool) {
	lo, hi := 0, len(c.Files)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if c.Files[mid].Path < path {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(c.Files) && c.Files[lo].Path == path {
		return &c.Files[lo], true
	}
	return nil, false
}
