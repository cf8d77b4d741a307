package atomicfile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// fixed adds the same bytes whatever is there.
func fixed(data string) func(io.ReaderAt, int64) ([]byte, error) {
	return func(io.ReaderAt, int64) ([]byte, error) { return []byte(data), nil }
}

func TestAppend(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "log")
	for i, want := range []string{"one\n", "one\ntwo\n"} {
		err := Append(context.Background(), path, 0o640, func(old io.ReaderAt, size int64) ([]byte, error) {
			before, err := io.ReadAll(io.NewSectionReader(old, 0, size))
			if string(before) != want[:len(want)-4] {
				t.Errorf("next saw %q", before)
			}
			return []byte([]string{"one\n", "two\n"}[i]), err
		})
		if err != nil || read(t, path) != want {
			t.Errorf("got %q, %v", read(t, path), err)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm()&^0o640 != 0 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	refusal := errors.New("no")
	refuse := func(io.ReaderAt, int64) ([]byte, error) { return nil, refusal }
	if err := Append(context.Background(), path, 0o600, refuse); !errors.Is(err, refusal) || read(t, path) != "one\ntwo\n" {
		t.Errorf("a refusal gives %v and %q", err, read(t, path))
	}
	if err := Append(context.Background(), filepath.Join(dir, "new"), 0o600, refuse); !errors.Is(err, refusal) {
		t.Errorf("a refusal gives %v", err)
	}
	if err := alone(dir, "log"); err != nil {
		t.Error(err)
	}
}

func TestAppendRefused(t *testing.T) {
	dir := t.TempDir()
	target := filepath.Join(dir, "target")
	link, loose, folder := filepath.Join(dir, "link"), filepath.Join(dir, "loose"), filepath.Join(dir, "folder")
	for _, err := range []error{os.WriteFile(target, []byte("old"), 0o600), os.Symlink("target", link), os.Symlink("nowhere", loose), os.Mkdir(folder, 0o700)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for path, part := range map[string]string{
		link: "symbolic link", loose: "symbolic link", folder: "not a regular file",
		filepath.Join(dir, "absent", "file"): "no such file", filepath.Join(target, "below"): "not a directory",
	} {
		if err := Append(context.Background(), path, 0o600, fixed("new")); err == nil || !strings.Contains(err.Error(), part) {
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

// TestAppendFailures makes each step fail in each order: the file keeps its old content, has it and the whole addition, or
// the error says that it may be torn, and then the old content is still its beginning.
func TestAppendFailures(t *testing.T) {
	root := t.TempDir()
	broken := errors.New("no space left")
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp(root, "") //nolint:usetesting // one folder for each round of a property
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, "log")
		exists := rapid.Bool().Draw(t, "exists")
		var before []byte
		if exists {
			before = rapid.SliceOf(rapid.Byte()).Draw(t, "before")
			if err := os.WriteFile(path, before, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		added := rapid.SliceOfN(rapid.Byte(), 1, 40).Draw(t, "added")
		do := disk()
		failWrite, failSync := rapid.Bool().Draw(t, "write fails"), rapid.Bool().Draw(t, "sync fails")
		failTruncate, foreign := rapid.Bool().Draw(t, "truncate fails"), rapid.Bool().Draw(t, "somebody else writes")
		part := rapid.IntRange(0, len(added)).Draw(t, "bytes that arrive")
		other := func() {
			f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := f.WriteString("foreign\n"); err != nil {
				t.Fatal(err)
			}
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if failWrite {
			do.write = func(f *os.File, p []byte) (int, error) {
				n, err := f.Write(p[:part])
				if foreign {
					other()
				}
				return n, errors.Join(err, broken)
			}
		}
		if failSync {
			do.sync = func(*os.File) error { return broken }
		}
		if failTruncate {
			do.truncate = func(*os.File, int64) error { return broken }
		}
		err = extend(context.Background(), path, 0o600, func(io.ReaderAt, int64) ([]byte, error) { return added, nil }, do)
		if fails := failWrite || failSync; (err != nil) != fails || fails && !errors.Is(err, broken) {
			t.Fatalf("got %v", err)
		}
		got, readErr := os.ReadFile(path)
		if errors.Is(readErr, fs.ErrNotExist) && !exists && err != nil {
			return
		}
		if readErr != nil || !bytes.HasPrefix(got, before) {
			t.Fatalf("the old content is gone: %q, %v", got, readErr)
		}
		var torn *TornError
		rest := got[len(before):]
		if foreign && failWrite && !bytes.HasSuffix(rest, []byte("foreign\n")) {
			t.Fatalf("what somebody else wrote is gone: %q", rest)
		}
		switch {
		case err == nil:
			if !bytes.Equal(rest, added) {
				t.Fatalf("got %q", rest)
			}
		case errors.As(err, &torn):
			if !foreign && !bytes.HasPrefix(added, rest) {
				t.Fatalf("%v leaves %q", err, rest)
			}
		case len(rest) > 0:
			t.Fatalf("%v leaves %q", err, rest)
		}
	})
}

// writer is what a writing process of TestAppendProcesses is told: where, who it is, and how often.
const writer = "ATOMICFILE_WRITER"

// TestAppendProcesses lets processes write at once. Each line holds the number of lines before it, so that a writer who
// saw an old content shows.
func TestAppendProcesses(t *testing.T) {
	if path := os.Getenv(writer); path != "" {
		for range 50 {
			if err := Append(context.Background(), path, 0o600, numbered); err != nil {
				t.Fatal(err)
			}
		}
		return
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "log")
	var running []*exec.Cmd
	for range 4 {
		cmd := exec.Command(self, "-test.run=^TestAppendProcesses$")
		cmd.Env = append(os.Environ(), writer+"="+path)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		running = append(running, cmd)
	}
	for _, cmd := range running {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	lines := slices.Collect(strings.Lines(read(t, path)))
	if len(lines) != 200 {
		t.Errorf("%d lines", len(lines))
	}
	for i, line := range lines {
		if want := fmt.Sprintf("%d\n", i); line != want {
			t.Fatalf("line %d is %q", i+1, line)
		}
	}
}

func numbered(old io.ReaderAt, size int64) ([]byte, error) {
	before, err := io.ReadAll(io.NewSectionReader(old, 0, size))
	return fmt.Appendf(nil, "%d\n", bytes.Count(before, []byte{'\n'})), err
}

// TestAppendWaits: a lock that nobody gives back is waited for until the context ends, and a file that was replaced while
// waiting is found.
func TestAppendWaits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(path, []byte("old\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	holder, _, err := openLocked(context.Background(), path, 0)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := Append(ctx, path, 0o600, fixed("new\n")); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	done := make(chan error)
	go func() { done <- Append(context.Background(), path, 0o600, fixed("new\n")) }()
	if err := Write(path, []byte("replaced\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := holder.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil || read(t, path) != "replaced\nnew\n" {
		t.Errorf("got %q, %v", read(t, path), err)
	}
}
