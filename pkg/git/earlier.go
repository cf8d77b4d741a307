package git

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// earlier makes Change.Earlier for a change with these trees before; nil when the first of them has no history.
func (r *Repo) earlier(before []snapshot.Tree) func(context.Context, string, int) ([]snapshot.Entry, error) {
	if len(before) == 0 {
		return nil
	}
	base, ok := before[0].(*tree)
	if !ok || base.root == "" {
		return nil
	}
	return func(ctx context.Context, path string, limit int) ([]snapshot.Entry, error) {
		op := fmt.Sprintf("list the earlier versions of %q", path)
		out, err := r.run(ctx, op, nil, "rev-list", "--full-history", "--max-count="+strconv.Itoa(limit), base.id, "--", path)
		if err != nil {
			return nil, err
		}
		names := strings.Fields(string(out))
		r.objects.prefetch(names, maxObject)
		var versions []snapshot.Entry
		for _, name := range names {
			c, err := r.commitAt(ctx, name)
			if err != nil {
				return nil, err
			}
			e, err := r.treeOf(c).Lookup(ctx, path)
			if err != nil {
				return nil, fmt.Errorf("could not %s: %w", op, err)
			}
			if n := len(versions); e.Exists() && (n == 0 || !versions[n-1].Same(e)) {
				versions = append(versions, e)
			}
		}
		return versions, nil
	}
}
