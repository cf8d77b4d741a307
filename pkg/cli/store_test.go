package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
)

func TestStore(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "not", "there", "yet")
	one, two := &store{dir}, &store{dir}
	if _, ok := one.Load("a-entry"); ok {
		t.Error("an empty store has an entry")
	}
	var group sync.WaitGroup
	for i := range 40 {
		s := []*store{one, two}[i%2]
		group.Go(func() {
			name := "entry-" + strconv.Itoa(i/4)
			if err := s.Store(name, bytes.Repeat([]byte(name), 1000)); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	for i := range 10 {
		name := "entry-" + strconv.Itoa(i)
		if data, ok := two.Load(name); !ok || !bytes.Equal(data, bytes.Repeat([]byte(name), 1000)) {
			t.Errorf("%s: got %d bytes, %v", name, len(data), ok)
		}
	}
	left, err := filepath.Glob(filepath.Join(dir, "fingerprints", "*", ".entry*"))
	if err != nil || len(left) > 0 {
		t.Errorf("temporary files are left: %q, %v", left, err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := one.Store("x", nil); err != nil {
		t.Errorf("a deleted store is not made again: %v", err)
	}
}

func TestStoreCannotWrite(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := (&store{file}).Store("a", nil); err == nil {
		t.Error("a store in a file is no error")
	}
}
