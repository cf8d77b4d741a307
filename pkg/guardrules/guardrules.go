// Package guardrules decides which guards hold in a change: the rows of the configuration, which of them are armed, and
// which one binds a path (chapters 2.6, 4.1 and 5.1 of the specification).
package guardrules

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/seed-4419f9ca/forge/pkg/config"
	"github.com/seed-4419f9ca/forge/pkg/guardheader"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// keptSources bounds the documents that a run keeps, by the bytes of their sources; those of other files are parsed again
// when somebody asks for them.
const keptSources = 640 << 10

// headSize is how much of a file over the limit is read for its header, in bytes.
const headSize = 64 << 10

// Rows returns the rows that a configuration asks for: the default ones with the fields that guards.rules changes, without
// those that it removes, and after them its own, so that of two rows that are equally specific the one of the
// configuration wins. Custom holds the keys of all rows that the configuration names; these are always armed.
func Rows(cfg *config.Guards) (rows []guardheader.Row, custom map[string]bool) {
	custom = map[string]bool{}
	rows = guardheader.Defaults()
	if cfg == nil {
		return rows, custom
	}
	for _, rule := range cfg.Rules {
		row := guardheader.Row{Key: rule.Key}
		if i := slices.IndexFunc(rows, func(r guardheader.Row) bool { return r.Key == rule.Key }); i >= 0 {
			row = rows[i]
			rows = slices.Delete(rows, i, i+1)
		}
		if rule.Remove {
			continue
		}
		custom[rule.Key] = true
		rows = append(rows, override(row, rule))
	}
	return rows, custom
}

// override returns row with the fields that rule gives.
func override(row guardheader.Row, rule config.GuardRule) guardheader.Row {
	for _, f := range []struct {
		to   *string
		from string
	}{{&row.Kind, rule.Kind}, {&row.Header, rule.Header}, {&row.Policy, rule.Policy}} {
		if f.from != "" {
			*f.to = f.from
		}
	}
	if rule.Paths != nil {
		row.Paths = rule.Paths
	}
	if rule.Via != nil {
		row.Via = rule.Via
	}
	return row
}

// A Key is the key under which the checks of one run share Rules in their facts.Store.
type Key struct {
	Change *snapshot.Change
	Config *config.Config
}

// A SetKey is the key under which the checks of one run share a Set in their facts.Store.
type SetKey struct{ Config *config.Config }

// A Set is the guard rows of a configuration, with the guards of the files that were scanned for them: all changes of a run
// share them. It is safe for concurrent use.
type Set struct {
	cfg    *config.Config
	rows   *guardheader.Rows
	custom map[string]bool

	mu    sync.Mutex
	bytes int // of the sources whose documents are kept
	scans map[scanKey]*guardheader.Scan
	bare  map[scanKey]bool // entries without a known header
}

// NewSet prepares the rows of a configuration.
func NewSet(cfg *config.Config) (*Set, error) {
	rows, custom := Rows(cfg.Guards)
	compiled, err := guardheader.Compile(rows)
	if err != nil {
		return nil, err
	}
	return &Set{cfg: cfg, rows: compiled, custom: custom, scans: map[scanKey]*guardheader.Scan{}, bare: map[scanKey]bool{}}, nil
}

// In returns the rules of a change. Files that ignored names arm no row; nil stands for none.
func (s *Set) In(change *snapshot.Change, ignored func(path string) bool) *Rules {
	return &Rules{Set: s, change: change, ignored: ignored, armed: map[*guardheader.Row]bool{}}
}

// Rules are the guard rows of one change. They are safe for concurrent use; what they work out is kept.
type Rules struct {
	*Set
	change  *snapshot.Change
	ignored func(string) bool

	mu    sync.Mutex
	armed map[*guardheader.Row]bool
	used  *bool // the repository uses the default rows
}

type scanKey struct {
	path string
	oid  snapshot.OID
}

// New prepares the rules of a change under a configuration that no other change shares. It reads nothing yet. Files that
// ignored names arm no row; nil stands for none.
func New(change *snapshot.Change, cfg *config.Config, ignored func(path string) bool) (*Rules, error) {
	s, err := NewSet(cfg)
	if err != nil {
		return nil, err
	}
	return s.In(change, ignored), nil
}

// Rows returns the rows, armed or not.
func (s *Set) Rows() *guardheader.Rows { return s.rows }

// Scan returns what guards the entry e of tree t has, nil when it is no regular file. It fails with *snapshot.TooLarge for
// a file over limits.file.
func (s *Set) Scan(ctx context.Context, t snapshot.Tree, e snapshot.Entry) (*guardheader.Scan, error) {
	if !e.Mode.IsFile() {
		return nil, nil
	}
	s.mu.Lock()
	found := s.scans[scanKey{e.Path, e.OID}]
	s.mu.Unlock()
	if found != nil {
		return found, nil
	}
	src, err := t.Read(ctx, e, s.cfg.Limits.File)
	if err != nil {
		return nil, fmt.Errorf("could not read %q: %w", e.Path, err)
	}
	return s.keep(e, src), nil
}

func (s *Set) keep(e snapshot.Entry, src []byte) *guardheader.Scan {
	found := s.rows.Find(e.Path, src)
	s.mu.Lock()
	if s.bytes += len(src); s.bytes > keptSources {
		s.bytes -= len(src)
		found.Forget()
	}
	s.scans[scanKey{e.Path, e.OID}] = found
	s.mu.Unlock()
	return found
}

// Header returns the scan of the entry e when it has a known header, else nil. Files without the warning sign are not
// parsed, and of a file over limits.file only the head is read.
func (s *Set) Header(ctx context.Context, t snapshot.Tree, e snapshot.Entry) (*guardheader.Scan, error) {
	if !e.Mode.IsFile() {
		return nil, nil
	}
	key := scanKey{e.Path, e.OID}
	s.mu.Lock()
	found, bare := s.scans[key], s.bare[key]
	s.mu.Unlock()
	if found == nil && !bare {
		src, err := t.Read(ctx, e, s.cfg.Limits.File)
		var large *snapshot.TooLarge
		cut := errors.As(err, &large)
		if cut {
			src, err = head(ctx, t, e)
		}
		switch {
		case err != nil:
			return nil, fmt.Errorf("could not read %q: %w", e.Path, err)
		case !s.rows.Candidate(src):
		case cut:
			found = s.rows.Find(e.Path, src)
		default:
			found = s.keep(e, src)
		}
	}
	if found != nil && len(found.Guards) > 0 {
		return found, nil
	}
	s.mu.Lock()
	s.bare[key] = true
	s.mu.Unlock()
	return nil, nil
}

// head returns the whole lines at the start of a file.
func head(ctx context.Context, t snapshot.Tree, e snapshot.Entry) (src []byte, err error) {
	in, _, err := t.Open(ctx, e)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	if src, err = io.ReadAll(io.LimitReader(in, headSize)); err != nil {
		return nil, err
	}
	for i := len(src); i > 0; i-- {
		if src[i-1] == '\n' {
			return src[:i], nil
		}
	}
	return nil, nil
}
