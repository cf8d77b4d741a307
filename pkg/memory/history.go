package memory

import (
	"context"
	"errors"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// follow gives c the history that can be told from its trees: those before are commits, and nothing came before them.
func follow(c *snapshot.Change) {
	c.At = func(ctx context.Context, ids []string) ([]snapshot.Tree, error) { return at(ctx, c, ids) }
	c.Trail = func(ctx context.Context, dirs []string) ([]snapshot.Mark, error) { return trail(ctx, c, dirs) }
	c.Renamed = func(ctx context.Context, base snapshot.Tree) (map[string]string, error) {
		return renamed(ctx, base, c.After)
	}
}

// at finds the trees of c whose ids begin like ids: those before, the alternatives and the merge bases that are given.
func at(ctx context.Context, c *snapshot.Change, ids []string) ([]snapshot.Tree, error) {
	known := append(append([]snapshot.Tree(nil), c.Before...), c.Alternatives...)
	for i := 1; i < len(c.Before) && c.MergeBases != nil; i++ {
		bases, err := c.MergeBases(ctx, i)
		if err != nil && !errors.Is(err, errNoBases) {
			return nil, err
		}
		known = append(known, bases...)
	}
	out := make([]snapshot.Tree, len(ids))
	for i, id := range ids {
		id = strings.ToLower(id)
		several := false
		for _, t := range known {
			if len(id) < 4 || !strings.HasPrefix(t.ID(), id) {
				continue
			}
			several = several || (out[i] != nil && out[i].ID() != t.ID())
			out[i] = t
		}
		if several {
			out[i] = nil
		}
	}
	return out, ctx.Err()
}

// trail makes one root commit of the first tree before c; a change without one, or one that has no such files, has an empty
// trail.
func trail(ctx context.Context, c *snapshot.Change, dirs []string) ([]snapshot.Mark, error) {
	if len(c.Before) == 0 {
		return nil, ctx.Err()
	}
	entries, err := c.Before[0].Under(ctx, "")
	if err != nil {
		return nil, err
	}
	var came []snapshot.Delta
	for _, e := range entries {
		if followed(e.Path, dirs) {
			came = append(came, snapshot.Delta{Path: e.Path, After: e})
		}
	}
	if len(came) == 0 {
		return nil, nil
	}
	return []snapshot.Mark{{OID: c.Before[0].ID(), Deltas: [][]snapshot.Delta{came}}}, nil
}

// followed reports whether path is one of dirs or lies below one.
func followed(path string, dirs []string) bool {
	for _, dir := range dirs {
		dir = strings.Trim(dir, "/")
		if dir == "" || path == dir || strings.HasPrefix(path, dir+"/") {
			return true
		}
	}
	return false
}

// renamed pairs the paths that only base has with those of the same content that only after has.
func renamed(ctx context.Context, base, after snapshot.Tree) (map[string]string, error) {
	files, err := Files(ctx, []snapshot.Tree{base}, after)
	if err != nil {
		return nil, err
	}
	pairs := map[string]string{}
	for _, f := range files {
		if f.From != "" {
			pairs[f.From] = f.Path
		}
	}
	return pairs, nil
}
