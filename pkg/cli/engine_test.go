package cli

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// newLazy makes a cache in dir that says what it has to say to the buffer.
func newLazy(dir func() (string, error)) (*lazyCache, *bytes.Buffer) {
	var said bytes.Buffer
	return &lazyCache{p: &Program{Profile: Profile{Name: "forge-gate"}, Env: Env{Stderr: &said}}, dir: dir}, &said
}

func TestLazyCache(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "not", "yet")
	asked := 0
	l, said := newLazy(func() (string, error) { asked++; return dir, nil })
	if _, ok := l.Load("a-entry"); ok {
		t.Error("an empty cache has an entry")
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("reading makes a folder")
	}
	if err := l.Store("a-entry", []byte("x")); err != nil {
		t.Error(err)
	}
	if data, ok := l.Load("a-entry"); !ok || string(data) != "x" || asked != 1 || said.Len() > 0 {
		t.Errorf("%q, %v, asked %d times: %s", data, ok, asked, said)
	}
}

// TestLazyCacheThatCannotBeWritten makes many writers fail at once: it is said once, and what was there is still read.
func TestLazyCacheThatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	if err := (&store{dir}).Store("kept-aa", []byte("x")); err != nil {
		t.Fatal(err)
	}
	// A file where a folder of entries has to be stops everybody, root as well.
	if err := os.WriteFile(filepath.Join(dir, "fingerprints", "zz"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	l, said := newLazy(func() (string, error) { return dir, nil })
	var group sync.WaitGroup
	for i := range 20 {
		group.Go(func() {
			if err := l.Store("entry-"+strconv.Itoa(i)+"zz", nil); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if n := strings.Count(said.String(), "forge-gate: fingerprints are not kept"); n != 1 || strings.Count(said.String(), "\n") != 1 {
		t.Errorf("it is said %d times:\n%s", n, said)
	}
	if data, ok := l.Load("kept-aa"); !ok || string(data) != "x" {
		t.Error("what was there is not read any more")
	}
	if err := l.Store("later-aa", nil); err != nil {
		t.Error(err)
	}
	if _, ok := l.Load("later-aa"); ok {
		t.Error("it is written to all the same")
	}
}

func TestLazyCacheWithoutAFolder(t *testing.T) {
	l, said := newLazy(func() (string, error) { return "", errors.New("no luck") })
	for range 3 {
		if _, ok := l.Load("a-entry"); ok {
			t.Error("an entry out of nowhere")
		}
		if err := l.Store("a-entry", nil); err != nil {
			t.Error(err)
		}
	}
	if got := said.String(); got != "forge-gate: fingerprints are not kept for the next run: no luck\n" {
		t.Errorf("%q", got)
	}
}

func TestGateIsFound(t *testing.T) {
	dir := t.TempDir()
	p := &Program{Profile: Profile{Name: "forge-pre-commit"}, Env: Env{Executable: filepath.Join(dir, "forge-pre-commit")}}
	if got := p.gate(); got != "forge-gate" {
		t.Errorf("without one beside it is looked for at %q", got)
	}
	beside := filepath.Join(dir, "forge-gate")
	if err := os.Mkdir(beside, 0o700); err != nil {
		t.Fatal(err)
	}
	if got := p.gate(); got != "forge-gate" {
		t.Errorf("a folder is taken for it: %q", got)
	}
	if err := os.Remove(beside); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(beside, nil, 0o700); err != nil {
		t.Fatal(err)
	}
	if got := p.gate(); got != beside {
		t.Errorf("the one beside is not taken: %q", got)
	}
	p.Name, p.Executable = "forge-gate", "/x/other-name"
	if got := p.gate(); got != "/x/other-name" {
		t.Errorf("forge-gate starts %q and not itself", got)
	}
}
