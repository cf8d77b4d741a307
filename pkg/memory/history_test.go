package memory_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-4419f9ca/forge/pkg/memory"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

func TestHistory(t *testing.T) {
	ctx := context.Background()
	before := memory.Tree(map[string]string{"docs/a": "1", "docs/b/c": "2", "docs2": "3", "left": "4"})
	other, base := memory.Tree(map[string]string{"o": "1"}), memory.Tree(map[string]string{"m": "1"})
	c := memory.Change(snapshot.Commit, []snapshot.Tree{before, other}, memory.Tree(map[string]string{"docs/a": "1", "came": "4"}))

	marks, err := c.Trail(ctx, []string{"docs/", "nowhere"})
	if err != nil || len(marks) != 1 || marks[0].OID != before.ID() || marks[0].Cut || len(marks[0].Deltas) != 1 {
		t.Fatalf("Trail = %+v, %v", marks, err)
	}
	var paths []string
	for _, d := range marks[0].Deltas[0] {
		if d.Before.Exists() || !d.After.Exists() {
			t.Errorf("%+v has not come", d)
		}
		paths = append(paths, d.Path)
	}
	if diff := cmp.Diff([]string{"docs/a", "docs/b/c"}, paths); diff != "" {
		t.Error(diff)
	}
	for _, dirs := range [][]string{nil, {"doc"}, {"docs/a/x"}} {
		if marks, err := c.Trail(ctx, dirs); err != nil || len(marks) != 0 {
			t.Errorf("Trail of %q = %v, %v", dirs, marks, err)
		}
	}

	ids := []string{before.ID()[:8], other.ID(), base.ID()[:5], "0000", before.ID()[:3], "left"}
	trees, err := c.At(ctx, ids)
	if err != nil || len(trees) != len(ids) || trees[0] != before || trees[1] != other || trees[2] != nil || trees[3] != nil || trees[4] != nil || trees[5] != nil {
		t.Errorf("At = %v, %v", trees, err)
	}
	memory.WithBases(c, nil, []snapshot.Tree{base})
	if trees, err := c.At(ctx, ids[2:3]); err != nil || trees[0] != base {
		t.Errorf("At of a merge base = %v, %v", trees, err)
	}
	c.Alternatives = []snapshot.Tree{memory.Named(base, before.ID()[:8]+"ffff")}
	if trees, err := c.At(ctx, ids[:1]); err != nil || trees[0] != nil {
		t.Errorf("At of an ambiguous id = %v, %v", trees, err)
	}

	pairs, err := c.Renamed(ctx, before)
	if diff := cmp.Diff(map[string]string{"left": "came"}, pairs); err != nil || diff != "" {
		t.Errorf("Renamed: %v\n%s", err, diff)
	}
}

func TestHistoryOfNothing(t *testing.T) {
	ctx := context.Background()
	c := memory.Change(snapshot.Commit, nil, memory.Tree(map[string]string{"a": "1"}))
	if marks, err := c.Trail(ctx, []string{""}); err != nil || len(marks) != 0 {
		t.Errorf("Trail = %v, %v", marks, err)
	}
	over, stop := context.WithCancel(ctx)
	stop()
	c = memory.Change(snapshot.Commit, []snapshot.Tree{memory.Tree(nil)}, memory.Tree(nil))
	if _, err := c.Trail(over, []string{""}); !errors.Is(err, context.Canceled) {
		t.Errorf("Trail after the end gives %v", err)
	}
	if _, err := c.Renamed(over, c.Before[0]); !errors.Is(err, context.Canceled) {
		t.Errorf("Renamed after the end gives %v", err)
	}
	if _, err := c.At(over, []string{"abcd"}); !errors.Is(err, context.Canceled) {
		t.Errorf("At after the end gives %v", err)
	}
}
