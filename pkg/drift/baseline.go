package drift

import (
	"context"
	"fmt"
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
			r.Reason = "no commit in the history changes the claim's block"
		case o.cut:
			r.Reason = "the history of the claim ends at the boundary of this shallow clone; fetch it with: git fetch --unshallow"
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
	open := map[string]*claim.Claim{}
	for c := range want {
		if staged[c] {
			want[c] = &origin{tree: j.Change.After}
		} else {
			open[c.ID] = c
		}
	}
	if len(open) == 0 || j.Change.Trail == nil {
		return nil
	}
	marks, err := j.Change.Trail(ctx, []string{j.Layout.Root})
	if err != nil {
		return fmt.Errorf("could not read the history of %q: %w", j.Layout.Root, err)
	}
	v := versions{judge: j, read: map[snapshot.OID]map[string]string{}}
	for _, m := range marks {
		if len(open) == 0 {
			break
		}
		trees, err := j.Change.At(ctx, []string{m.OID})
		if err != nil || trees[0] == nil {
			return fmt.Errorf("could not read commit %s, which changes the claims: %w", m.OID, err)
		}
		for id, c := range open {
			brings, err := v.introduces(ctx, m, trees[0], id, c.Source())
			if err != nil {
				return err
			}
			if brings {
				want[c] = &origin{tree: trees[0], cut: m.Cut}
				delete(open, id)
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
	known := make([]map[string]string, len(j.Change.Before))
	for i, b := range j.Change.Before {
		s, err := claim.Load(ctx, b, j.Layout)
		if err != nil {
			return nil, fmt.Errorf("could not read the claims of %s: %w", b.ID(), err)
		}
		known[i] = map[string]string{}
		for _, c := range s.Claims {
			known[i][c.ID] = c.Source()
		}
	}
	for c := range want {
		out[c] = true
		for _, blocks := range known {
			if blocks[c.ID] == c.Source() {
				out[c] = false
			}
		}
	}
	return out, nil
}

// versions reads the blocks in earlier versions of files of the store.
type versions struct {
	judge *Judge
	read  map[snapshot.OID]map[string]string
}

// introduces reports whether the commit m, whose tree is tree, brought the block of id to the text block: it has it, and none
// of its parents has it so.
func (v *versions) introduces(ctx context.Context, m snapshot.Mark, tree snapshot.Tree, id, block string) (bool, error) {
	for _, list := range m.Deltas {
		now, before := false, false
		for _, d := range list {
			for side, e := range []snapshot.Entry{d.Before, d.After} {
				e.Path = d.Path
				text, err := v.block(ctx, tree, e, id)
				if err != nil {
					return false, err
				}
				if text == block {
					before, now = before || side == 0, now || side == 1
				}
			}
		}
		if !now || before {
			return false, nil
		}
	}
	return len(m.Deltas) > 0, nil
}

// block returns the block of the claim id in one version of a file; "" when it has none.
func (v *versions) block(ctx context.Context, tree snapshot.Tree, e snapshot.Entry, id string) (string, error) {
	if !e.Mode.IsFile() || !claim.Holds(v.judge.Layout.Root, e.Path) {
		return "", nil
	}
	blocks, ok := v.read[e.OID]
	if !ok {
		src, err := tree.Read(ctx, e, v.judge.Limit)
		if err != nil {
			return "", fmt.Errorf("could not read an earlier version of %q: %w", e.Path, err)
		}
		blocks = map[string]string{}
		for _, c := range claim.Parse(e.Path, src, v.judge.Layout).Claims {
			if _, twice := blocks[c.ID]; !twice {
				blocks[c.ID] = c.Source()
			}
		}
		v.read[e.OID] = blocks
	}
	return blocks[id], nil
}
