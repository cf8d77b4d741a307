package published

import (
	"context"
	"testing"

	"github.com/seed-4419f9ca/forge/pkg/memory"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

func TestRestore(t *testing.T) {
	staged := memory.Change(snapshot.Staged, []snapshot.Tree{memory.Tree(nil)}, memory.Tree(nil))
	for path, want := range map[string]string{
		"a/b.wal":  "git checkout HEAD -- a/b.wal",
		"a b":      "git checkout HEAD -- 'a b'",
		"it's":     `git checkout HEAD -- 'it'\''s'`,
		"$(x)":     "git checkout HEAD -- '$(x)'",
		"sổ.wal":   "git checkout HEAD -- 'sổ.wal'",
		"-rf.wal":  "git checkout HEAD -- -rf.wal",
		"a\nb.wal": "git checkout HEAD -- 'a\nb.wal'",
		"[a]*.wal": "git checkout HEAD -- ':(literal)[a]*.wal'",
		":(top)":   "git checkout HEAD -- ':(literal):(top)'",
	} {
		if got := Restore(staged, path); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	c := memory.Change(snapshot.Range, []snapshot.Tree{memory.Named(memory.Tree(nil), "0123456789abcdef")}, memory.Tree(nil))
	if got, want := Restore(c, "a"), "git checkout 0123456789ab -- a"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTakeBack(t *testing.T) {
	c := memory.Change(snapshot.Staged, []snapshot.Tree{memory.Tree(map[string]string{"old": "1"})}, memory.Tree(map[string]string{"old": "2", "new": "1"}))
	for i, want := range []string{"git rm --cached -- new", "git checkout HEAD -- old"} {
		if got := TakeBack(c, &c.Files[i]); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestInArchive(t *testing.T) {
	for path, want := range map[string]bool{"Archive/a": true, "x/Archive/a": true, "Archive": false, "archive/a": false, "MyArchive/a": false, "Archived/a": false} {
		if InArchive(path) != want {
			t.Errorf("%q: want %v", path, want)
		}
	}
}

func TestLost(t *testing.T) {
	tree := func(data string) snapshot.Tree {
		if data == "" {
			return memory.Tree(map[string]string{"other": "x"})
		}
		return memory.Tree(map[string]string{"f": data, "other": "x"})
	}
	for _, c := range []struct {
		title, base, ours, theirs string
		parent                    int
		want                      bool
	}{
		{"ours", "a", "a", "a", 0, true},
		{"gone on our side before", "a", "", "a", 0, false},
		{"gone on our side, grown on theirs", "a", "", "ab", 1, true},
		{"only on theirs", "", "", "a", 1, true},
	} {
		change := memory.Change(snapshot.Commit, []snapshot.Tree{tree(c.ours), tree(c.theirs)}, tree(""))
		change = memory.WithBases(change, nil, []snapshot.Tree{tree(c.base)})
		f, ok := change.File("f")
		if !ok {
			t.Fatalf("%s: the file is not in the change", c.title)
		}
		parent, lost, err := Lost(context.Background(), change, f)
		if err != nil || lost != c.want || parent != c.parent {
			t.Errorf("%s: got %d, %v, %v", c.title, parent, lost, err)
		}
	}
}

func TestUnpublished(t *testing.T) {
	before, after := memory.Tree(map[string]string{"f": "ab"}), memory.Tree(map[string]string{"f": "ax"})
	c := memory.Change(snapshot.Staged, []snapshot.Tree{before}, after)
	f, _ := c.File("f")
	if _, ok, err := Unpublished(context.Background(), c, f); ok || err != nil {
		t.Errorf("nothing known: got %v, %v", ok, err)
	}
	parents := []snapshot.Tree{memory.Tree(map[string]string{"f": "a"}), memory.Tree(nil)}
	c.Unpublished = func(context.Context) (bool, []snapshot.Tree, error) { return true, parents, nil }
	since, ok, err := Unpublished(context.Background(), c, f)
	if err != nil || !ok || len(since) != 1 || since[0].Change.Before[0] != parents[0] || since[0].File.Before[0].Path != "f" {
		t.Errorf("got %+v, %v, %v", since, ok, err)
	}
}
