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

// Rules are the guard rows of one change. They are safe for concurrent use; what they work out is kept.
type Rules struct {
	change  *snapshot.Change
	cfg     *config.Config
	ignored func(string) bool
	rows    *guardheader.Rows
	custom  map[string]bool

	mu    sync.Mutex
	armed map[*guardheader.Row]bool
	scans map[scanKey]*guardheader.Scan
	bare  map[scanKey]bool // entries without a known header
	used  *bool            // the repository uses the default rows
}

type scanKey struct {
	path string
	oid  snapshot.OID
}

// New prepares the rules of a change under a configuration. It reads nothing yet. Files that ignored names arm no row; nil
// stands for none.
func New(change *snapshot.Change, cfg *config.Config, ignored func(path string) bool) (*Rules, error) {
	rows, custom := Rows(cfg.Guards)
	compiled, err := guardheader.Compile(rows)
	if err != nil {
		return nil, err
	}
	return &Rules{
		change: change, cfg: cfg, ignored: ignored, rows: compiled, custom: custom,
		armed: map[*guardheader.Row]bool{}, scans: map[scanKey]*guardheader.Scan{}, bare: map[scanKey]bool{},
	}, nil
}

// Rows returns the rows, armed or not.
func (r *Rules) Rows() *guardheader.Rows { return r.rows }

// Scan returns what guards the entry e of tree t has, nil when it is no regular file. It fails with *snapshot.TooLarge for
// a file over limits.file.
func (r *Rules) Scan(ctx context.Context, t snapshot.Tree, e snapshot.Entry) (*guardheader.Scan, error) {
	if !e.Mode.IsFile() {
		return nil, nil
	}
	r.mu.Lock()
	s := r.scans[scanKey{e.Path, e.OID}]
	r.mu.Unlock()
	if s != nil {
		return s, nil
	}
	src, err := t.Read(ctx, e, r.cfg.Limits.File)
	if err != nil {
		return nil, fmt.Errorf("could not read %q: %w", e.Path, err)
	}
	return r.keep(e, src), nil
}

func (r *Rules) keep(e snapshot.Entry, src []byte) *guardheader.Scan {
	s := r.rows.Find(e.Path, src)
	r.mu.Lock()
	r.scans[scanKey{e.Path, e.OID}] = s
	r.mu.Unlock()
	return s
}

// Header returns the scan of the entry e when it has a known header, else nil. Files without the warning sign are not
// parsed, and of a file over limits.file only the head is read.
func (r *Rules) Header(ctx context.Context, t snapshot.Tree, e snapshot.Entry) (*guardheader.Scan, error) {
	key := scanKey{e.Path, e.OID}
	r.mu.Lock()
	s, bare := r.scans[key], r.bare[key]
	r.mu.Unlock()
	if s == nil && !bare && e.Mode.IsFile() {
		src, err := t.Read(ctx, e, r.cfg.Limits.File)
		var large *snapshot.TooLarge
		cut := errors.As(err, &large)
		if cut {
			src, err = head(ctx, t, e)
		}
		switch {
		case err != nil:
			return nil, fmt.Errorf("could not read %q: %w", e.Path, err)
		case !r.rows.Candidate(src):
		case cut:
			s = r.rows.Find(e.Path, src)
		default:
			s = r.keep(e, src)
		}
	}
	if s != nil && len(s.Guards) > 0 {
		return s, nil
	}
	r.mu.Lock()
	r.bare[key] = true
	r.mu.Unlock()
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
