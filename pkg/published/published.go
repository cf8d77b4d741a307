// Package published answers what the checks of append-only files ask about a change: what the versions before it hold,
// whether a removal takes something away, and what of it somebody else has already seen (chapters 3.2 and 5.1 of the
// specification).
package published

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/record"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// Unchanged reports whether every parent has the content of f, apart from permission bits. Without a parent nobody knows.
func Unchanged(f *snapshot.File) bool {
	for _, b := range f.Before {
		if b.OID != f.After.OID || !b.Mode.IsFile() {
			return false
		}
	}
	return len(f.Before) > 0
}

// InArchive reports whether path lies below a folder that is called Archive.
func InArchive(path string) bool {
	return strings.HasPrefix(path, "Archive/") || strings.Contains(path, "/Archive/")
}

// Lost returns the first parent from which the removal of f takes something away; ok is false when there is none. A later
// parent that has the file as it was in a merge base has added nothing to it: that it is gone was judged where it was
// removed.
func Lost(ctx context.Context, c *snapshot.Change, f *snapshot.File) (parent int, ok bool, err error) {
	for i, b := range f.Before {
		if !b.Mode.IsFile() {
			continue
		}
		bases, err := Bases(ctx, c, i)
		if err != nil {
			return 0, false, err
		}
		same := false
		for _, tree := range bases {
			e, err := tree.Lookup(ctx, f.Path)
			if err != nil {
				return 0, false, err
			}
			same = same || e.OID == b.OID
		}
		if !same {
			return i, true, nil
		}
	}
	return 0, false, nil
}

// Bases returns the merge bases of the first parent and parent i; none for the first.
func Bases(ctx context.Context, c *snapshot.Change, i int) ([]snapshot.Tree, error) {
	if i == 0 {
		return nil, nil
	}
	return c.MergeBases(ctx, i)
}

// A Reader reads the entry e of a tree as a list.
type Reader func(tree snapshot.Tree, e snapshot.Entry) (*record.Listing, error)

// Lists reads all versions of f as lists, to be compared.
func Lists(ctx context.Context, c *snapshot.Change, f *snapshot.File, read Reader) (*record.ListComparison, error) {
	cmp := &record.ListComparison{}
	var err error
	if cmp.After, err = read(c.After, f.After); err != nil {
		return nil, err
	}
	for i, tree := range c.Before {
		p := record.ListParent{}
		if f.Before[i].Mode.IsFile() {
			if p.Listing, err = read(tree, f.Before[i]); err != nil {
				return nil, err
			}
			bases, err := Bases(ctx, c, i)
			if err != nil {
				return nil, err
			}
			if p.Bases, err = In(ctx, bases, f.Path, read); err != nil {
				return nil, err
			}
		}
		cmp.Parents = append(cmp.Parents, p)
	}
	cmp.Alternatives, err = In(ctx, c.Alternatives, f.Path, read)
	return cmp, err
}

// In reads the file at path in each of the trees that has it.
func In[T any](ctx context.Context, trees []snapshot.Tree, path string, read func(snapshot.Tree, snapshot.Entry) (T, error)) ([]T, error) {
	var out []T
	for _, tree := range trees {
		e, err := tree.Lookup(ctx, path)
		if err != nil {
			return nil, err
		}
		if !e.Mode.IsFile() {
			continue
		}
		v, err := read(tree, e)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// Moves returns, for the files that a range takes away without saying where to, the paths at which its commits, one after
// the other, have put them and where they still are. It is empty for other changes.
func Moves(ctx context.Context, c *snapshot.Change, files []snapshot.File) (map[string]string, error) {
	lost := func(f snapshot.File) bool { return f.Removed() && f.To == "" }
	if c.Commits == nil || !slices.ContainsFunc(files, lost) {
		return nil, nil
	}
	steps, err := c.Commits(ctx)
	if err != nil {
		return nil, err
	}
	moves := map[string]string{}
	for i := range files {
		if !lost(files[i]) {
			continue
		}
		at := files[i].Path
		for k := range steps {
			if f, ok := steps[k].Change.File(at); ok && f.Removed() && f.To != "" {
				at = f.To
			}
		}
		if at == files[i].Path {
			continue
		}
		e, err := c.After.Lookup(ctx, at)
		if err != nil {
			return nil, fmt.Errorf("could not look for %q: %w", at, err)
		}
		if e.Mode.IsFile() {
			moves[files[i].Path] = at
		}
	}
	return moves, nil
}

// A Since is a change of one file, told from an older commit.
type Since struct {
	Change *snapshot.Change
	File   *snapshot.File
}

// Unpublished reports whether the commit before a staged change is one that nobody else has seen. Then what only this
// commit holds can still be corrected by amending it, and since tells the change of f from each of its parents that has
// the file: what is wrong there as well is published.
func Unpublished(ctx context.Context, c *snapshot.Change, f *snapshot.File) (since []Since, ok bool, err error) {
	if c.Unpublished == nil || len(c.Before) != 1 {
		return nil, false, nil
	}
	ok, parents, err := c.Unpublished(ctx)
	if err != nil || !ok {
		return nil, false, err
	}
	for _, tree := range parents {
		e, err := tree.Lookup(ctx, f.Path)
		if err != nil {
			return nil, false, err
		}
		if !e.Exists() {
			continue
		}
		older := *c
		older.Before, older.Alternatives = []snapshot.Tree{tree}, nil
		since = append(since, Since{&older, &snapshot.File{Path: f.Path, After: f.After, Before: []snapshot.Entry{e}, To: f.To}})
	}
	return since, true, nil
}

// TakeBack returns the command that takes f back to what it was before the change. A file that was not there is taken out
// of the index; its content stays on disk.
func TakeBack(c *snapshot.Change, f *snapshot.File) string {
	if f.Added() {
		return "git rm --cached -- " + pathspec(f.Path)
	}
	return Restore(c, f.Path)
}

// Restore returns the command that takes the file at path back to what it was before the change.
func Restore(c *snapshot.Change, path string) string {
	rev := "HEAD"
	if c.Kind != snapshot.Staged && c.Kind != snapshot.Worktree && len(c.Before) > 0 {
		id := c.Before[0].ID()
		rev = id[:min(len(id), 12)]
	}
	return "git checkout " + rev + " -- " + pathspec(path)
}

// pathspec writes path for git on a command line of the shell, so that it means this one file.
func pathspec(path string) string {
	if strings.ContainsAny(path, `*?[\`) || strings.HasPrefix(path, ":") {
		path = ":(literal)" + path
	}
	if path == "" || strings.Trim(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+,@") != "" {
		path = "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	}
	return path
}
