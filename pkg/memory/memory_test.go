package memory_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-4419f9ca/forge/pkg/memory"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
	"github.com/seed-4419f9ca/forge/testdata/shapes"
)

// source plays the part of a repository for a story.
type source struct{ story shapes.Story }

func (s source) tree(rev string) (snapshot.Tree, int, error) {
	i, err := strconv.Atoi(strings.TrimPrefix(rev, "c"))
	if err != nil || i < 0 || i >= len(s.story.Commits) {
		return nil, 0, fmt.Errorf("could not find %q: %w", rev, snapshot.ErrNoObject)
	}
	return memory.TreeOf(s.story.Commits[i].Files), i, nil
}

func (s source) Tree(_ context.Context, rev string) (snapshot.Tree, error) {
	t, _, err := s.tree(rev)
	return t, err
}

func (s source) Staged(context.Context) (*snapshot.Change, error) {
	before := memory.Tree(nil)
	if n := len(s.story.Commits); n > 0 {
		before = memory.TreeOf(s.story.Commits[n-1].Files)
	}
	return memory.Change(snapshot.Staged, []snapshot.Tree{before}, memory.Named(memory.TreeOf(s.story.Staged), "index")), nil
}

func (s source) CommitChange(_ context.Context, rev string) (*snapshot.Change, error) {
	after, i, err := s.tree(rev)
	if err != nil {
		return nil, err
	}
	before := []snapshot.Tree{memory.Tree(nil)}
	for k, p := range s.story.Commits[i].Parents {
		before = append(before[:k], memory.TreeOf(s.story.Commits[p].Files))
	}
	return memory.Change(snapshot.Commit, before, after), nil
}

func (s source) RangeChange(ctx context.Context, spec string) (*snapshot.Change, error) {
	from, to, _ := strings.Cut(spec, "..")
	before, a, err := s.tree(from)
	if err != nil {
		return nil, err
	}
	_, b, err := s.tree(to)
	if err != nil {
		return nil, err
	}
	var steps []snapshot.Step
	hidden := s.ancestors(a)
	for i := range s.story.Commits {
		if s.ancestors(b)[i] && !hidden[i] {
			name := fmt.Sprintf("c%d", i)
			c, err := s.CommitChange(ctx, name)
			if err != nil {
				return nil, err
			}
			steps = append(steps, snapshot.Step{OID: name, Message: []byte(s.story.Commits[i].Message), Change: c})
		}
	}
	if len(steps) == 0 {
		c := memory.Change(snapshot.Range, []snapshot.Tree{before}, before)
		c.Commits = func(context.Context) ([]snapshot.Step, error) { return nil, nil }
		return c, nil
	}
	return memory.Range(before, steps...), nil
}

func (s source) ancestors(i int) map[int]bool {
	out := map[int]bool{i: true}
	for _, p := range s.story.Commits[i].Parents {
		for a := range s.ancestors(p) {
			out[a] = true
		}
	}
	return out
}

func (s source) Close() error { return nil }

func TestConformance(t *testing.T) {
	shapes.Conformance(t, func(_ testing.TB, s shapes.Story) shapes.Source { return source{s} })
}

func TestBroken(t *testing.T) {
	ctx := context.Background()
	cause := errors.New("disk on fire")
	tree := memory.Broken(memory.Tree(map[string]string{"a": "1", "b": "2"}), "a", cause)
	a, err := tree.Lookup(ctx, "a")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tree.Read(ctx, a, 0); !errors.Is(err, cause) {
		t.Errorf("Read gives %v", err)
	}
	if _, _, err := tree.Open(ctx, a); !errors.Is(err, cause) {
		t.Errorf("Open gives %v", err)
	}
	b, err := tree.Lookup(ctx, "b")
	if err != nil {
		t.Fatal(err)
	}
	if data, err := tree.Read(ctx, b, 0); err != nil || string(data) != "2" {
		t.Errorf("Read of another path gives %q, %v", data, err)
	}
}

func TestForeignEntry(t *testing.T) {
	ctx := context.Background()
	e, err := memory.Tree(map[string]string{"a": "1"}).Lookup(ctx, "a")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := memory.Tree(map[string]string{"a": "2"}).Read(ctx, e, 0); !errors.Is(err, snapshot.ErrNoObject) {
		t.Errorf("reading an entry of another tree gives %v", err)
	}
}

func TestMergeBases(t *testing.T) {
	ctx := context.Background()
	trees := []snapshot.Tree{memory.Tree(map[string]string{"a": "1"}), memory.Tree(map[string]string{"a": "2"})}
	c := memory.Change(snapshot.Commit, trees, trees[0])
	if _, err := c.MergeBases(ctx, 1); err == nil {
		t.Error("merge bases that nobody gave are an answer")
	}
	memory.WithBases(c, nil, trees[:1])
	if bases, err := c.MergeBases(ctx, 1); err != nil || len(bases) != 1 {
		t.Errorf("MergeBases = %v, %v", bases, err)
	}
	if _, err := c.MergeBases(ctx, 2); err == nil {
		t.Error("a parent that is not there has merge bases")
	}
}
