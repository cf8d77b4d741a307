package guardrules

import (
	"context"
	"fmt"
	"slices"

	"github.com/seed-4419f9ca/forge/pkg/config"
	"github.com/seed-4419f9ca/forge/pkg/guardheader"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// Workspace is the file in the root whose presence arms the default rows.
const Workspace = ".para-workspace.yml"

// disarmed reports whether row can never be armed here.
func (r *Rules) disarmed(row *guardheader.Row) bool {
	return r.cfg.Guards != nil && r.cfg.Guards.Preset == "none" && !r.custom[row.Key]
}

// Armed reports whether row holds in this repository: the configuration names it or has guards at all, the workspace
// file is in the root of a snapshot, or a known header stands in a file under its paths. The preset none disarms the
// rows that the configuration does not name.
func (r *Rules) Armed(ctx context.Context, row *guardheader.Row) (bool, error) {
	if r.disarmed(row) {
		return false, nil
	}
	if r.cfg.Guards != nil {
		return true, nil
	}
	used, err := r.usesWorkspace(ctx)
	if used || err != nil {
		return used, err
	}
	r.mu.Lock()
	armed, ok := r.armed[row]
	r.mu.Unlock()
	if ok {
		return armed, nil
	}
	if armed, err = r.headerUnder(ctx, row); err != nil {
		return false, err
	}
	r.mu.Lock()
	r.armed[row] = armed
	r.mu.Unlock()
	return armed, nil
}

// ArmedBefore reports whether row held before the change, as far as the before trees show: their configuration has guards,
// the workspace file is in their root, or a known header stands in one of their files under the row's paths.
func (r *Rules) ArmedBefore(ctx context.Context, row *guardheader.Row) (bool, error) {
	if r.disarmed(row) {
		return false, nil
	}
	for _, t := range r.change.Before {
		if armed, err := r.configured(ctx, t); armed || err != nil {
			return armed, err
		}
		if used, err := inRoot(ctx, t); used || err != nil {
			return used, err
		}
	}
	for _, t := range r.change.Before {
		if found, err := r.headerIn(ctx, t, row); found || err != nil {
			return found, err
		}
	}
	return false, nil
}

// configured reports whether the configuration of tree t has guards. One that is wrong, or too large to be one, counts.
func (r *Rules) configured(ctx context.Context, t snapshot.Tree) (bool, error) {
	e, err := t.Lookup(ctx, config.Path)
	if err != nil {
		return false, fmt.Errorf("could not look for %q: %w", config.Path, err)
	}
	if !e.Mode.IsFile() {
		return false, nil
	}
	src, err := t.Read(ctx, e, r.cfg.Limits.File)
	if err != nil {
		return false, fmt.Errorf("could not read %q: %w", config.Path, err)
	}
	cfg, err := config.Parse(config.Path, src, nil)
	if err != nil {
		return true, nil //nolint:nilerr // a configuration that cannot be read may have armed the rows: they stay armed
	}
	return cfg.Guards != nil, nil
}

func (r *Rules) usesWorkspace(ctx context.Context) (bool, error) {
	r.mu.Lock()
	used := r.used
	r.mu.Unlock()
	if used != nil {
		return *used, nil
	}
	found := false
	for _, t := range append([]snapshot.Tree{r.change.After}, r.change.Before...) {
		in, err := inRoot(ctx, t)
		if err != nil {
			return false, err
		}
		found = found || in
	}
	r.mu.Lock()
	r.used = &found
	r.mu.Unlock()
	return found, nil
}

func inRoot(ctx context.Context, t snapshot.Tree) (bool, error) {
	e, err := t.Lookup(ctx, Workspace)
	if err != nil {
		return false, fmt.Errorf("could not look for %q: %w", Workspace, err)
	}
	return e.Exists(), nil
}

// headerUnder reports whether a file under the paths of row has a known header, before or after. The changed files are
// read first; the rest of the tree is listed only when these do not answer. What is not in the after tree any more is
// among the changed files.
func (r *Rules) headerUnder(ctx context.Context, row *guardheader.Row) (bool, error) {
	for i := range r.change.Files {
		f := &r.change.Files[i]
		if !r.canArm(row, f.Path) {
			continue
		}
		if found, err := r.known(ctx, r.change.After, f.After); found || err != nil {
			return found, err
		}
		for j, b := range f.Before {
			if found, err := r.known(ctx, r.change.Before[j], b); found || err != nil {
				return found, err
			}
		}
	}
	return r.headerIn(ctx, r.change.After, row)
}

// headerIn reports whether a file of tree t under the paths of row has a known header.
func (r *Rules) headerIn(ctx context.Context, t snapshot.Tree, row *guardheader.Row) (bool, error) {
	for _, folder := range r.rows.Folders(row) {
		entries, err := t.Under(ctx, folder)
		if err != nil {
			return false, fmt.Errorf("could not list %q: %w", folder, err)
		}
		entries = slices.DeleteFunc(slices.Clone(entries), func(e snapshot.Entry) bool { return !e.Mode.IsFile() || !r.canArm(row, e.Path) })
		for chunk := range slices.Chunk(entries, readAhead) {
			t.Prefetch(ctx, chunk, r.cfg.Limits.File)
			for _, e := range chunk {
				if found, err := r.known(ctx, t, e); found || err != nil {
					return found, err
				}
			}
		}
	}
	return false, nil
}

// readAhead is how many files are asked for together while one with a header is looked for.
const readAhead = 64

// canArm reports whether a header in the file at path arms row.
func (r *Rules) canArm(row *guardheader.Row, path string) bool {
	return r.rows.Covers(row, path) && guardheader.MayCarry(path) && (r.ignored == nil || !r.ignored(path))
}

// known reports whether the entry has a known header.
func (r *Rules) known(ctx context.Context, t snapshot.Tree, e snapshot.Entry) (bool, error) {
	s, err := r.Header(ctx, t, e)
	return s != nil, err
}
