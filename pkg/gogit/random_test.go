package gogit_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/format/index"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"pgregory.net/rapid"

	"github.com/seed-4419f9ca/forge/pkg/git"
	"github.com/seed-4419f9ca/forge/pkg/gogit"
	"github.com/seed-4419f9ca/forge/pkg/memory"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
	"github.com/seed-4419f9ca/forge/testdata/shapes"
)

// TestRandomHistories writes random histories with go-git and reads them with git and with go-git: both must say what was
// written. Few names and contents make renames, type changes and folders in the place of files frequent.
func TestRandomHistories(t *testing.T) {
	base := shapes.At(t, t.TempDir())
	rapid.Check(t, func(rt *rapid.T) {
		story := drawStory(rt)
		dir, err := os.MkdirTemp(base.Dir, "") //nolint:usetesting // one folder for each round of a property
		if err != nil {
			rt.Fatal(err)
		}
		defer os.RemoveAll(dir)
		if err := write(story, dir); err != nil {
			rt.Fatal(err)
		}
		ctx := context.Background()
		byGit, err := git.Open(ctx, git.Options{Dir: dir, Env: base.Env})
		if err != nil {
			rt.Fatal(err)
		}
		defer byGit.Close()
		shapes.Check(rt, story, byGit)
		byGoGit, err := gogit.Open(ctx, gogit.Options{Dir: dir, Env: base.Env})
		if err != nil {
			rt.Fatal(err)
		}
		defer byGoGit.Close()
		shapes.Check(rt, story, byGoGit)
		sameBases(rt, story, byGit, byGoGit)
	})
}

// sameBases compares what both readers say about merge bases.
func sameBases(t *rapid.T, s shapes.Story, a, b shapes.Source) {
	ctx := context.Background()
	for i := range s.Commits {
		spec := fmt.Sprintf("c%d...c%d", i, len(s.Commits)-1)
		var found [2][]string
		for k, source := range []shapes.Source{a, b} {
			c, err := source.RangeChange(ctx, spec)
			if err != nil {
				t.Fatal(err)
			}
			found[k] = []string{c.Before[0].ID()}
			for _, alt := range c.Alternatives {
				found[k] = append(found[k], alt.ID())
			}
			slices.Sort(found[k])
		}
		if !slices.Equal(found[0], found[1]) {
			t.Errorf("%s: merge bases %q and %q", spec, found[0], found[1])
		}
	}
}

func drawStory(t *rapid.T) shapes.Story {
	n := rapid.IntRange(0, 5).Draw(t, "commits")
	s := shapes.Story{Name: "random"}
	for i := range n {
		c := shapes.Commit{Files: drawFiles(t), Message: fmt.Sprintf("commit %d", i)}
		for p := range i {
			if len(c.Parents) < 3 && rapid.IntRange(0, 2).Draw(t, "parent") > 0 {
				c.Parents = append(c.Parents, p)
			}
		}
		s.Commits = append(s.Commits, c)
	}
	s.Staged = drawFiles(t)
	return s
}

func drawFiles(t *rapid.T) shapes.Files {
	f := shapes.Files{}
	paths := rapid.SliceOfDistinct(rapid.SampledFrom([]string{
		"a", "a/b", "a/b/c", "a.b", "a-", "A", "é", "e\u0301", "x y/z", "x y", "d/e/f/g", "d/e/f/h", "\xff", "new\nline", "d/e0",
	}), func(s string) string { return s }).Draw(t, "paths")
	for _, path := range paths {
		if slices.ContainsFunc(slices.Collect(maps.Keys(f)), func(o string) bool { return below(o, path) || below(path, o) }) {
			continue
		}
		mode := rapid.SampledFrom([]snapshot.Mode{
			snapshot.Regular, snapshot.Regular, snapshot.Regular, snapshot.Executable, snapshot.Symlink, snapshot.Gitlink,
		}).Draw(t, "mode")
		data := rapid.SampledFrom([]string{"", "1\n", "2\r\n", "no newline", "\x00"}).Draw(t, "data")
		switch mode {
		case snapshot.Gitlink:
			data = strings.Repeat(rapid.SampledFrom([]string{"1", "2"}).Draw(t, "module"), 40)
		case snapshot.Symlink:
			data = "target" + strings.Trim(data, "\x00")
		}
		f[path] = memory.File{Mode: mode, Data: data}
	}
	return f
}

func below(path, dir string) bool { return strings.HasPrefix(path, dir+"/") }

// write makes the repository of s with go-git alone.
func write(s shapes.Story, dir string) error {
	store := filesystem.NewStorage(osfs.New(dir+"/.git"), cache.NewObjectLRUDefault())
	if err := store.Init(); err != nil {
		return err
	}
	if err := os.MkdirAll(dir+"/.git/refs/heads", 0o777); err != nil {
		return err
	}
	main := plumbing.NewBranchReferenceName("main")
	if err := store.SetReference(plumbing.NewSymbolicReference(plumbing.HEAD, main)); err != nil {
		return err
	}
	w := writer{store}
	var ids []plumbing.Hash
	for i, c := range s.Commits {
		root, err := w.tree(c.Files, "")
		if err != nil {
			return err
		}
		who := object.Signature{Name: "Test", Email: "test@example.com", When: time.Unix(1_700_000_000+int64(i), 0)}
		commit := &object.Commit{Author: who, Committer: who, Message: c.Message, TreeHash: root}
		for _, p := range c.Parents {
			commit.ParentHashes = append(commit.ParentHashes, ids[p])
		}
		id, err := w.object(commit)
		if err != nil {
			return err
		}
		ids = append(ids, id)
		for _, name := range []plumbing.ReferenceName{plumbing.NewTagReferenceName(fmt.Sprintf("c%d", i)), main} {
			if err := store.SetReference(plumbing.NewHashReference(name, id)); err != nil {
				return err
			}
		}
	}
	return w.index(s.Staged)
}

type writer struct{ store *filesystem.Storage }

// object stores anything that go-git can encode.
func (w writer) object(o interface {
	Encode(plumbing.EncodedObject) error
}) (plumbing.Hash, error) {
	e := w.store.NewEncodedObject()
	if err := o.Encode(e); err != nil {
		return plumbing.ZeroHash, err
	}
	return w.store.SetEncodedObject(e)
}

func (w writer) file(f memory.File) (plumbing.Hash, error) {
	if f.Mode == snapshot.Gitlink {
		return plumbing.NewHash(f.Data), nil
	}
	e := w.store.NewEncodedObject()
	e.SetType(plumbing.BlobObject)
	out, err := e.Writer()
	if err != nil {
		return plumbing.ZeroHash, err
	}
	if _, err := out.Write([]byte(f.Data)); err != nil {
		return plumbing.ZeroHash, err
	}
	if err := out.Close(); err != nil {
		return plumbing.ZeroHash, err
	}
	return w.store.SetEncodedObject(e)
}

// tree stores the files below prefix as tree objects.
func (w writer) tree(files shapes.Files, prefix string) (plumbing.Hash, error) {
	t := &object.Tree{}
	seen := map[string]bool{}
	for path, f := range files {
		rest, ok := strings.CutPrefix(path, prefix)
		if !ok {
			continue
		}
		name, _, deeper := strings.Cut(rest, "/")
		if seen[name] {
			continue
		}
		seen[name] = true
		mode := filemode.FileMode(f.Mode)
		var id plumbing.Hash
		var err error
		if deeper {
			mode = filemode.Dir
			id, err = w.tree(files, prefix+name+"/")
		} else {
			id, err = w.file(f)
		}
		if err != nil {
			return plumbing.ZeroHash, err
		}
		t.Entries = append(t.Entries, object.TreeEntry{Name: name, Mode: mode, Hash: id})
	}
	slices.SortFunc(t.Entries, func(a, b object.TreeEntry) int { return strings.Compare(sortName(a), sortName(b)) })
	return w.object(t)
}

func sortName(e object.TreeEntry) string {
	if e.Mode == filemode.Dir {
		return e.Name + "/"
	}
	return e.Name
}

func (w writer) index(files shapes.Files) error {
	idx := &index.Index{Version: 2}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		f := files[path]
		id, err := w.file(f)
		if err != nil {
			return err
		}
		idx.Entries = append(idx.Entries, &index.Entry{Name: path, Mode: filemode.FileMode(f.Mode), Hash: id})
	}
	return w.store.SetIndex(idx)
}
