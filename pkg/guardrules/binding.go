package guardrules

import (
	"context"
	"slices"

	"github.com/seed-4419f9ca/forge/pkg/guardheader"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// How says why a row binds a file.
type How int

// The reasons.
const (
	Free         How = iota // no row binds the file
	ByPath                  // it lies under the paths of an armed row
	ByHeader                // its after version carries the header, outside the row's paths
	ByHeaderGone            // a before version carries the header, and the after version does not
)

// For returns the armed row under whose paths path lies, or nil. Only rows under whose paths it lies are examined.
func (r *Rules) For(ctx context.Context, path string) (*guardheader.Row, error) {
	var failed error
	row := r.rows.For(path, func(row *guardheader.Row) bool {
		armed, err := r.Armed(ctx, row)
		if err != nil && failed == nil {
			failed = err
		}
		return armed
	})
	if failed != nil {
		return nil, failed
	}
	return row, nil
}

// Binding returns the row that binds a changed file and why: the armed row of its path, else, because every file whose
// guard header says APPEND-ONLY is a record (chapter 5.1), the row of such a header in its after version or in one of
// its before versions, so that a header does not bind less because the change deletes it (chapter 4.2).
func (r *Rules) Binding(ctx context.Context, f *snapshot.File) (*guardheader.Row, How, error) {
	row, err := r.For(ctx, f.Path)
	if row != nil || err != nil {
		return row, ByPath, err
	}
	if row, err = r.byHeader(ctx, r.change.After, f.After); row != nil || err != nil {
		return row, ByHeader, err
	}
	for i, b := range f.Before {
		if row, err = r.byHeader(ctx, r.change.Before[i], b); row != nil || err != nil {
			return row, ByHeaderGone, err
		}
	}
	return nil, Free, nil
}

// byHeader returns the append-only row whose header the entry carries, or nil. Outside Markdown,
// where a parser tells comments from other text, the header has to stand in its place.
func (r *Rules) byHeader(ctx context.Context, t snapshot.Tree, e snapshot.Entry) (*guardheader.Row, error) {
	if !e.Mode.IsFile() || !guardheader.MayCarry(e.Path) {
		return nil, nil
	}
	s, err := r.Header(ctx, t, e)
	if s == nil || err != nil {
		return nil, err
	}
	for i := range s.Guards {
		g := &s.Guards[i]
		if g.Row.AppendOnly() && !r.disarmed(g.Row) && (g.Placed || guardheader.IsMarkdown(e.Path)) {
			return g.Row, nil
		}
	}
	return nil, nil
}

// Prefetch says that the guards of these files will be asked for: of those that changed, and of those under the paths of
// a row.
func (r *Rules) Prefetch(ctx context.Context, files []snapshot.File) {
	var after []snapshot.Entry
	before := make([][]snapshot.Entry, len(r.change.Before))
	for i := range files {
		f := &files[i]
		if !guardheader.MayCarry(f.Path) {
			continue
		}
		changed := false
		for j, b := range f.Before {
			if !b.Same(f.After) {
				changed = true
				if b.Mode.IsFile() {
					before[j] = append(before[j], b)
				}
			}
		}
		if f.After.Mode.IsFile() && (changed || r.rows.For(f.Path, nil) != nil) {
			after = append(after, f.After)
		}
	}
	r.change.After.Prefetch(ctx, after, r.cfg.Limits.File)
	for j, list := range before {
		r.change.Before[j].Prefetch(ctx, list, r.cfg.Limits.File)
	}
}

// A Swap says that a folder of path is no folder any more in the after tree.
type Swap struct {
	Folder string
	Mode   snapshot.Mode // Symlink or Gitlink
}

// Swapped reports the symlink or submodule that the change put in the place of a folder of path; ok is false when there
// is none.
func (r *Rules) Swapped(path string) (s Swap, ok bool) {
	for i := len(path) - 1; i > 0; i-- {
		if path[i] != '/' {
			continue
		}
		f, found := r.change.File(path[:i])
		if found && (f.After.Mode == snapshot.Symlink || f.After.Mode == snapshot.Gitlink) {
			return Swap{path[:i], f.After.Mode}, true
		}
	}
	return Swap{}, false
}

// Workflows lists the names of the workflows that any row knows, sorted.
func (r *Rules) Workflows() []string {
	var all []string
	for _, row := range r.rows.List() {
		all = append(all, row.Via...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}
