package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/urfave/cli/v2"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/fingerprint"
	"github.com/seed-4419f9ca/forge/pkg/git"
)

// engine makes the engine that fingerprints for p. Nothing is started and no folder is looked at before a file needs it.
// Workers inherit no environment: they read one pipe and write another.
func (p *Program) engine(cache fingerprint.Cache) *fingerprint.Engine {
	return fingerprint.New(fingerprint.Options{
		Worker:  []string{p.gate(), parseCommand},
		Env:     []string{"GOTRACEBACK=none", "MALLOC_ARENA_MAX=1"},
		Workers: min(2, runtime.NumCPU()),
		Cache:   cache,
	})
}

// gate returns the path of forge-gate: the program itself, the one that is installed beside it, or the one in PATH.
func (p *Program) gate() string {
	if p.Name == check.GateProgram && p.Executable != "" {
		return p.Executable
	}
	if p.Executable != "" {
		beside := filepath.Join(filepath.Dir(p.Executable), check.GateProgram)
		if info, err := os.Stat(beside); err == nil && info.Mode().IsRegular() {
			return beside
		}
	}
	return check.GateProgram
}

// cache returns the cache of fingerprints that holds for a command: in FORGE_CACHE_DIR, or in git's common folder; nil when
// there is to be none.
func (p *Program) cache(c *cli.Context, repo Repository) fingerprint.Cache {
	if boolFlag(c, "no-cache") {
		return nil
	}
	if dir := p.Getenv("FORGE_CACHE_DIR"); dir != "" {
		return &lazyCache{p: p, dir: func() (string, error) { return p.abs(dir), nil }}
	}
	r, ok := repo.(*git.Repo)
	if !ok {
		return nil
	}
	return &lazyCache{p: p, dir: func() (string, error) {
		dir, err := r.CommonDir(context.WithoutCancel(c.Context))
		return filepath.Join(dir, "forge"), err
	}}
}

// A lazyCache is a store whose folder is found when it is first needed. It is a help and no more: one that cannot be written
// says so once and changes no verdict.
type lazyCache struct {
	p    *Program
	dir  func() (string, error)
	once sync.Once
	at   *store // nil when there is none
	mu   sync.Mutex
	full bool // nothing more is written
}

func (l *lazyCache) open() *store {
	l.once.Do(func() {
		dir, err := l.dir()
		if err != nil {
			l.giveUp(err)
			return
		}
		l.at = &store{dir: dir}
	})
	return l.at
}

// giveUp ends the writing, and says why, once.
func (l *lazyCache) giveUp(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.full {
		l.full = true
		fmt.Fprintf(l.p.Stderr, "%s: fingerprints are not kept for the next run: %s\n", l.p.Name, message(err))
	}
}

func (l *lazyCache) givenUp() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.full
}

// Load returns an entry.
func (l *lazyCache) Load(name string) ([]byte, bool) {
	s := l.open()
	if s == nil {
		return nil, false
	}
	return s.Load(name)
}

// Store keeps an entry where it can.
func (l *lazyCache) Store(name string, data []byte) error {
	s := l.open()
	if s == nil || l.givenUp() {
		return nil
	}
	if err := s.Store(name, data); err != nil {
		l.giveUp(err)
	}
	return nil
}
