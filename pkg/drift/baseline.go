package drift

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/claim"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// baselines finds the tree that each anchor is compared with: the one that its baseline names, else that of the newest commit
// that changed the claim's own block, else the snapshot under judgement, when no commit has the block yet (chapter 7.3).
func (j *Judge) baselines(ctx context.Context, list []*Result) error {
	if err := j.named(ctx, list); err != nil {
		return err
	}
	blocks := map[*claim.Claim]*origin{}
	for _, r := range list {
		if r.Anchor.Baseline == "" {
			blocks[r.Claim] = nil
		}
	}
	if len(blocks) > 0 {
		if err := j.origins(ctx, blocks); err != nil {
			return err
		}
	}
	for _, r := range list {
		if r.Anchor.Baseline != "" {
			r.Baseline = r.Anchor.Baseline
			if r.base = j.trees[r.Baseline]; r.base != nil {
				r.Baseline = r.base.ID()
			}
			continue
		}
		o := blocks[r.Claim]
		switch {
		case o == nil:
			r.hidden = "no commit in the history changes the claim's block"
		case o.cut:
			r.hidden = "the history of the claim ends at the boundary of this shallow clone; fetch it with: git fetch --unshallow"
		default:
			r.base, r.isAfter, r.Baseline = o.tree, o.tree == j.Change.After, o.tree.ID()
		}
	}
	return nil
}

// named reads the trees of the commits that anchors name.
func (j *Judge) named(ctx context.Context, list []*Result) error {
	j.trees = map[string]snapshot.Tree{}
	var ids []string
	for _, r := range list {
		if id := r.Anchor.Baseline; id != "" {
			if _, known := j.trees[id]; !known {
				j.trees[id] = nil
				ids = append(ids, id)
			}
		}
	}
	if len(ids) == 0 || j.Change.At == nil {
		return nil
	}
	trees, err := j.Change.At(ctx, ids)
	if err != nil {
		return fmt.Errorf("could not look for the baselines of anchors: %w", err)
	}
	for i, id := range ids {
		j.trees[id] = trees[i]
	}
	return nil
}

// An origin is where a claim's block comes from.
type origin struct {
	tree snapshot.Tree
	cut  bool // a shallow boundary hides it
}

// origins finds the origin of the block of each claim in want.
func (j *Judge) origins(ctx context.Context, want map[*claim.Claim]*origin) error {
	staged, err := j.uncommitted(ctx, want)
	if err != nil {
		return err
	}
	open := map[*claim.Claim]string{}
	for c := range want {
		if staged[c] {
			want[c] = &origin{tree: j.Change.After}
		} else {
			open[c] = block(c)
		}
	}
	if len(open) == 0 || j.Change.Trail == nil {
		return nil
	}
	marks, err := j.Change.Trail(ctx, j.Layout.Roots())
	if err != nil {
		return fmt.Errorf("could not read the history of %q: %w", j.Layout.Root, err)
	}
	v := versions{judge: j, read: map[snapshot.OID]map[string]bool{}}
	for _, m := range marks {
		if len(open) == 0 {
			break
		}
		trees, err := j.Change.At(ctx, []string{m.OID})
		if err != nil || trees[0] == nil {
			return fmt.Errorf("could not read commit %s, which changes the claims: %w", m.OID, cmp.Or(err, snapshot.ErrNoObject))
		}
		for c, text := range open {
			brings, err := v.introduces(ctx, m, trees[0], text)
			if err != nil {
				return err
			}
			if brings {
				want[c] = &origin{tree: trees[0], cut: m.Cut}
				delete(open, c)
			}
		}
	}
	return nil
}

// uncommitted returns the claims whose blocks no parent of an index or a working tree has.
func (j *Judge) uncommitted(ctx context.Context, want map[*claim.Claim]*origin) (map[*claim.Claim]bool, error) {
	out := map[*claim.Claim]bool{}
	if k := j.Change.Kind; k != snapshot.Staged && k != snapshot.Worktree {
		return out, nil
	}
	changed := false
	for i := range j.Change.Files {
		changed = changed || strings.HasPrefix(j.Change.Files[i].Path, j.Layout.Root+"/")
	}
	if !changed {
		return out, nil
	}
	known := map[string]bool{}
	for _, b := range j.Change.Before {
		for _, root := range j.Layout.Roots() {
			layout := j.Layout
			layout.Root = root
			s, err := claim.Load(ctx, b, layout)
			if err != nil {
				return nil, fmt.Errorf("could not read the claims of %s: %w", b.ID(), err)
			}
			for _, c := range s.Claims {
				known[block(c)] = true
			}
		}
	}
	for c := range want {
		out[c] = !known[block(c)]
	}
	return out, nil
}

// block returns the block of c as far as a reading of the code shows in it: with anchors as they are without their stamps.
// Who stamps an anchor has not looked at the code under the others.
func block(c *claim.Claim) string {
	stripped := *c
	file := *c.File
	file.Src = nil
	at := c.Block.Start
	for _, a := range slices.SortedFunc(slices.Values(c.Anchors), func(a, b claim.Anchor) int { return a.Start - b.Start }) {
		if a.Err != nil || a.Start < at || a.End > c.Block.End {
			continue
		}
		file.Src = append(append(file.Src, c.File.Src[at:a.Start]...), a.Base().String()...)
		at = a.End
	}
	file.Src = append(file.Src, c.File.Src[at:c.Block.End]...)
	stripped.File, stripped.Block = &file, claim.Place{End: len(file.Src)}
	return stripped.Source()
}

// versions reads the blocks in earlier versions of files of the store.
type versions struct {
	judge *Judge
	read  map[snapshot.OID]map[string]bool
}

// introduces reports whether the commit m, whose tree is tree, brought the block text: it has it, and none of its parents has
// it so.
func (v *versions) introduces(ctx context.Context, m snapshot.Mark, tree snapshot.Tree, text string) (bool, error) {
	for _, list := range m.Deltas {
		now := false
		for _, d := range list {
			d.Before.Path, d.After.Path = d.Path, d.Path
			before, err := v.blocks(ctx, tree, d.Before)
			if err != nil || before[text] {
				return false, err
			}
			after, err := v.blocks(ctx, tree, d.After)
			if err != nil {
				return false, err
			}
			now = now || after[text]
		}
		if !now {
			return false, nil
		}
	}
	return len(m.Deltas) > 0, nil
}

// blocks returns the blocks in one version of a file.
func (v *versions) blocks(ctx context.Context, tree snapshot.Tree, e snapshot.Entry) (map[string]bool, error) {
	if !e.Mode.IsFile() || !slices.ContainsFunc(v.judge.Layout.Roots(), func(root string) bool { return claim.Holds(root, e.Path) }) {
		return nil, nil
	}
	blocks, ok := v.read[e.OID]
	if !ok {
		src, err := tree.Read(ctx, e, v.judge.Limit)
		if err != nil {
			return nil, fmt.Errorf("could not read an earlier version of %q: %w", e.Path, err)
		}
		blocks = map[string]bool{}
		for _, c := range claim.Parse(e.Path, src, v.judge.Layout).Claims {
			blocks[block(c)] = true
		}
		v.read[e.OID] = blocks
	}
	return blocks, nil
}
