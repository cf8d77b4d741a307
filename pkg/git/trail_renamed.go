package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/seed-4419f9ca/forge/pkg/gitobject"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// likeness are the options that make git pair what left with what came: half of the content must be alike, whatever the
// configuration says. Beyond a million comparisons (a thousand paths that left and a thousand that came) git pairs equal
// contents only; that bounds the time that a large change takes.
func likeness() []string { return []string{"--find-renames=50%", "-l1000"} }

// renamed makes Change.Renamed for the tree after. Callers share the answer and must not change it.
func (r *Repo) renamed(after *tree) func(context.Context, snapshot.Tree) (map[string]string, error) {
	var answers memo[map[string]string]
	return func(ctx context.Context, base snapshot.Tree) (map[string]string, error) {
		b, ok := base.(*tree)
		if !ok || len(b.over) > 0 || (b.root == "" && !gitobject.IsID(b.id)) {
			return nil, errors.New("could not find renames: they are only known from a commit on")
		}
		return answers.get(b.object(), func() (map[string]string, error) {
			switch {
			case after.disk != nil:
				return r.renamedOnDisk(ctx, b, after)
			case gitobject.IsID(after.id):
				_, pairs, err := r.alike(ctx, b.object(), "diff-tree", "-r", b.object(), after.object())
				return pairs, err
			default:
				return r.renamedInIndex(ctx, b, after)
			}
		})
	}
}

// alike runs a comparison with base that pairs renames and returns the differences, a rename being two, and the pairs.
func (r *Repo) alike(ctx context.Context, base, command string, args ...string) ([]snapshot.Delta, map[string]string, error) {
	const op = "find renames"
	cmd := append([]string{command}, likeness()...)
	cmd = append(append(cmd, "--raw", "-z", "--no-abbrev", "--ignore-submodules=none"), args...)
	out, err := r.run(ctx, op, nil, cmd...)
	if err != nil {
		return nil, nil, err
	}
	list, pairs, err := parsePaired(out, gitobject.FormatOf(base))
	if err != nil {
		return nil, nil, err
	}
	if len(list.unmerged) > 0 {
		return nil, nil, unmergedError(op, list.unmerged)
	}
	return list.deltas, pairs, nil
}

// parsePaired reads "--raw -z" with renames. A copy is a file that came: git calls all of a path's successors so but one.
func parsePaired(data []byte, h gitobject.Format) (rawList, map[string]string, error) {
	var out rawList
	pairs := map[string]string{}
	for len(data) > 0 {
		fields, rest, ok := bytes.Cut(data, []byte{0})
		first, rest, okFirst := bytes.Cut(rest, []byte{0})
		if !ok || !okFirst {
			return out, nil, rawError(data)
		}
		status := bytes.LastIndexByte(fields, ' ') + 1
		if status == len(fields) || (fields[status] != 'R' && fields[status] != 'C') {
			list, left, err := parseRaw(data[:len(data)-len(rest)], h)
			if err == nil && len(left) > 0 {
				err = rawError(left)
			}
			if err != nil {
				return out, nil, err
			}
			out.deltas, out.unmerged = append(out.deltas, list.deltas...), append(out.unmerged, list.unmerged...)
			data = rest
			continue
		}
		second, rest, ok := bytes.Cut(rest, []byte{0})
		if !ok || fields[0] != ':' {
			return out, nil, rawError(data)
		}
		from, to := string(first), string(second)
		d, _, ok := parseRawFields(append(bytes.Clone(fields[1:status]), 'M'), h)
		if !ok || d.Before.OID == "" || d.After.OID == "" || !gitobject.ValidPath(from) || !gitobject.ValidPath(to) {
			return out, nil, rawError(data)
		}
		d.Before.Path, d.After.Path = from, to
		if fields[status] == 'R' {
			if _, twice := pairs[from]; twice {
				return out, nil, rawError(data)
			}
			pairs[from] = to
			out.deltas = append(out.deltas, snapshot.Delta{Path: from, Before: d.Before})
		}
		out.deltas = append(out.deltas, snapshot.Delta{Path: to, After: d.After})
		data = rest
	}
	return out, pairs, nil
}

// renamedInIndex is renamed for the index, which must still be the one that after was made of.
func (r *Repo) renamedInIndex(ctx context.Context, base, after *tree) (map[string]string, error) {
	_, pairs, err := r.alike(ctx, base.object(), "diff-index", "--cached", "--ita-invisible-in-index", base.object())
	if err != nil {
		return nil, err
	}
	for from, to := range pairs {
		old, err := after.Lookup(ctx, from)
		if err != nil {
			return nil, err
		}
		now, err := after.Lookup(ctx, to)
		if err != nil {
			return nil, err
		}
		if old.Exists() || !now.Exists() {
			return nil, fmt.Errorf("could not find renames: the index has changed since it was read, %q went to %q; run again", from, to)
		}
	}
	return pairs, nil
}

// renamedOnDisk is renamed for a working tree. Contents that are on disk only have ids that lead to no object, so that git
// cannot compare them: from the commit that is checked out to the disk equal ids make a pair, and only from base to that
// commit is likeness measured. A path that went both ways is followed through both.
func (r *Repo) renamedOnDisk(ctx context.Context, base, after *tree) (map[string]string, error) {
	head := &tree{repo: r, id: after.id, root: after.root}
	if head.root == "" {
		head.id = after.disk.format.EmptyTree()
	}
	committed, alike, err := r.alike(ctx, base.object(), "diff-tree", "-r", base.object(), head.object())
	if err != nil {
		return nil, err
	}
	edited := make([]snapshot.Delta, len(after.over))
	for i, e := range after.over {
		edited[i] = snapshot.Delta{Path: e.Path}
		if e.Exists() {
			edited[i].After = e
		}
		if edited[i].Before, err = head.Lookup(ctx, e.Path); err != nil {
			return nil, err
		}
	}
	moved, err := equal(edited)
	if err != nil {
		return nil, err
	}
	whole := compose(committed, edited)
	pairs, err := equal(whole)
	if err != nil {
		return nil, err
	}
	came, taken := map[string]bool{}, map[string]bool{}
	for _, d := range whole {
		came[d.Path] = !d.Before.Exists()
	}
	for _, to := range pairs {
		taken[to] = true
	}
	for _, d := range whole {
		if d.After.Exists() || pairs[d.Path] != "" {
			continue
		}
		to, ok := alike[d.Path]
		if !ok {
			to = d.Path
		}
		if onward, ok := moved[to]; ok {
			to = onward
		}
		if came[to] && !taken[to] {
			pairs[d.Path], taken[to] = to, true
		}
	}
	return pairs, nil
}

// equal pairs the paths that left with those that came with the same content.
func equal(deltas []snapshot.Delta) (map[string]string, error) {
	files, err := snapshot.Join(deltas)
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
