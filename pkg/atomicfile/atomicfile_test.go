package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func read(t testing.TB, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// alone makes sure that dir holds only the named files.
func alone(dir string, names ...string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		found := false
		for _, n := range names {
			found = found || n == e.Name()
		}
		if !found {
			return errors.New("left over: " + e.Name())
		}
	}
	return nil
}

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	if err := Write(path, []byte("one"), 0o600); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 || read(t, path) != "one" {
		t.Errorf("new file: %v, %v", info, err)
	}
	for _, mode := range []fs.FileMode{0o755, 0o444, 0o640} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		if err := Write(path, []byte("two"), 0o600); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != mode || read(t, path) != "two" {
			t.Errorf("the mode %v became %v, %v", mode, info.Mode(), err)
		}
	}
	if err := Write(path, nil, 0o600); err != nil || read(t, path) != "" {
		t.Errorf("writing nothing: %v", err)
	}
	if err := alone(dir, "file"); err != nil {
		t.Error(err)
	}
	long := filepath.Join(dir, strings.Repeat("n", 255))
	if err := Write(long, []byte("long"), 0o600); err != nil || read(t, long) != "long" {
		t.Errorf("a name of 255 bytes: %v", err)
	}
	t.Chdir(dir)
	if err := Write("here", []byte("relative"), 0o600); err != nil || read(t, "here") != "relative" {
		t.Errorf("a path without folder: %v", err)
	}
}

func TestRefused(t *testing.T) {
	dir := t.TempDir()
	target := filepath.Join(dir, "target")
	if err := os.WriteFile(target, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	link, loose, folder := filepath.Join(dir, "link"), filepath.Join(dir, "loose"), filepath.Join(dir, "folder")
	for _, err := range []error{os.Symlink("target", link), os.Symlink("nowhere", loose), os.Mkdir(folder, 0o700)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for path, part := range map[string]string{
		link: "symbolic link", loose: "symbolic link", folder: "not a regular file", filepath.Join(dir, "absent", "file"): "no such file", filepath.Join(target, "below"): "not a directory",
	} {
		err := Write(path, []byte("new"), 0o600)
		if err == nil || !strings.Contains(err.Error(), part) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v, want %q", path, err, part)
		}
	}
	if read(t, target) != "old" {
		t.Error("the target of a link was written")
	}
	if err := alone(dir, "target", "link", "loose", "folder"); err != nil {
		t.Error(err)
	}
}

// TestFailures makes each step fail, for files that were there and files that were not: the old content stays, or the new
// one is whole, and nothing else is left.
func TestFailures(t *testing.T) {
	root := t.TempDir()
	broken := errors.New("no space left")
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp(root, "") //nolint:usetesting // one folder for each round of a property
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, "file")
		exists := rapid.Bool().Draw(t, "exists")
		before, after := rapid.SliceOf(rapid.Byte()).Draw(t, "before"), rapid.SliceOf(rapid.Byte()).Draw(t, "after")
		if exists {
			if err := os.WriteFile(path, before, 0o640); err != nil {
				t.Fatal(err)
			}
		}
		failing := rapid.IntRange(0, 4).Draw(t, "step")
		do := disk()
		switch failing {
		case 0:
			do.write = func(f *os.File, p []byte) (int, error) {
				n, err := f.Write(p[:len(p)/2])
				return n, errors.Join(err, broken)
			}
		case 1:
			do.sync = func(*os.File) error { return broken }
		case 2:
			do.rename = func(string, string) error { return broken }
		case 3: // the folder only
			do.sync = func(f *os.File) error {
				if f.Name() == dir {
					return broken
				}
				return f.Sync()
			}
		}
		err = write(path, after, 0o600, do)
		if (err == nil) != (failing == 4) || (err != nil && !errors.Is(err, broken)) {
			t.Fatalf("step %d gives %v", failing, err)
		}
		got, readErr := os.ReadFile(path)
		switch {
		case failing >= 3:
			if readErr != nil || string(got) != string(after) {
				t.Errorf("the new content is %q, %v", got, readErr)
			}
		case exists:
			if readErr != nil || string(got) != string(before) {
				t.Errorf("the old content is %q, %v", got, readErr)
			}
		case !errors.Is(readErr, fs.ErrNotExist):
			t.Errorf("a file came into being: %q, %v", got, readErr)
		}
		if err := alone(dir, "file"); err != nil {
			t.Error(err)
		}
	})
}

// TestTakenNames writes although the first temporary names are taken, and leaves those files alone.
func TestTakenNames(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	first, err := create(path, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	if err := Write(path, []byte("new"), 0o600); err != nil || read(t, path) != "new" {
		t.Errorf("%v", err)
	}
	if err := alone(dir, "file", filepath.Base(first.Name())); err != nil {
		t.Error(err)
	}
	if read(t, first.Name()) != "" {
		t.Error("another writer's file was written")
	}
}
