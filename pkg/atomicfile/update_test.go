package atomicfile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

func TestUpdate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notes")
	add := func(s string) func([]byte) ([]byte, error) {
		return func(old []byte) ([]byte, error) { return append([]byte(s), old...), nil }
	}
	for _, s := range []string{"one\n", "two\n"} {
		if err := Update(t.Context(), path, 0o600, add(s)); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "two\none\n" {
		t.Errorf("got %q, %v", got, err)
	}
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := Update(t.Context(), path, 0o600, func([]byte) ([]byte, error) { return nil, nil }); err != nil {
		t.Error(err)
	}
	if after, err := os.Stat(path); err != nil || !os.SameFile(before, after) {
		t.Errorf("nothing was to be written, and the file is another one: %v", err)
	}
}

// Whatever fails, the file keeps its old content and nothing else is left in the folder.
func TestUpdateFails(t *testing.T) {
	broken := errors.New("the disk is full")
	for name, do := range map[string]func(*steps){
		"write": func(s *steps) {
			s.write = func(f *os.File, b []byte) (int, error) { n, _ := f.Write(b[:1]); return n, broken }
		},
		"sync":   func(s *steps) { s.sync = func(*os.File) error { return broken } },
		"rename": func(s *steps) { s.rename = func(string, string) error { return broken } },
		"change": nil,
	} {
		for _, exists := range []bool{true, false} {
			t.Run(fmt.Sprint(name, exists), func(t *testing.T) {
				dir := t.TempDir()
				path := filepath.Join(dir, "notes")
				if exists {
					if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				ops := disk()
				if do != nil {
					do(&ops)
				}
				err := update(t.Context(), path, 0o600, func(old []byte) ([]byte, error) {
					if do == nil {
						return nil, broken
					}
					return []byte("new"), nil
				}, ops)
				if !errors.Is(err, broken) {
					t.Errorf("got %v", err)
				}
				left, err := os.ReadDir(dir)
				if err != nil || len(left) > 1 || !exists && len(left) > 0 {
					t.Errorf("left: %v, %v", left, err)
				}
				if got, err := os.ReadFile(path); exists && (err != nil || string(got) != "old") {
					t.Errorf("got %q, %v", got, err)
				}
			})
		}
	}
}

func TestUpdatesTakeTurns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notes")
	var group sync.WaitGroup
	for i := range 20 {
		group.Go(func() {
			if err := Update(context.Background(), path, 0o600, func(old []byte) ([]byte, error) { return fmt.Appendf(old, "%d\n", i), nil }); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if got, err := os.ReadFile(path); err != nil || bytes.Count(got, []byte{'\n'}) != 20 {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestUpdateWaitsNoLongerThanItsContext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notes")
	holder, _, err := openLocked(t.Context(), path, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := holder.Close(); err != nil {
			t.Error(err)
		}
	})
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	if err := Update(ctx, path, 0o600, func([]byte) ([]byte, error) { return []byte("x"), nil }); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}
