package mutate_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/memory"
	"github.com/seed-4419f9ca/forge/pkg/mutate"
	"github.com/seed-4419f9ca/forge/pkg/registry"
)

var today = time.Date(2026, 9, 30, 0, 0, 0, 0, time.UTC)

func checkOf(t *testing.T, id string) *check.Check {
	t.Helper()
	all := registry.Checks()
	i := slices.IndexFunc(all, func(c *check.Check) bool { return c.ID == id })
	if i < 0 {
		t.Fatalf("there is no check %q", id)
	}
	return all[i]
}

// TestWal shows that the harness is not made for one check.
func TestWal(t *testing.T) {
	c := checkOf(t, "wal")
	outcomes, err := mutate.Wal().Prove(t.Context(), today, func(*mutate.Sample) *check.Check { return c })
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range outcomes {
		if !o.OK() {
			t.Errorf("%s: wants %s, got %s", o.Fault, o.Code, o.Say())
		}
	}
}

// The harness itself must notice what proves nothing: a check that says nothing or too much, a good sample that is not
// good, a fault that changes nothing or names no code.
func TestProveNotices(t *testing.T) {
	says := func(slugs ...string) *check.Check {
		c := &check.Check{ID: "c", Codes: []check.Code{{Slug: "a", Level: "fail"}, {Slug: "b", Level: "fail"}}}
		c.Run = func(_ context.Context, p *check.Pass) error {
			if p.Files[0].Path == "good" {
				return nil
			}
			for _, s := range slugs {
				if s == "skip" {
					p.Skip("because")
					continue
				}
				f := p.Reportf(strings.TrimSuffix(s, "?"), "bad", "x")
				if strings.HasSuffix(s, "?") {
					f.Level = "flag"
				}
			}
			return nil
		}
		return c
	}
	good := func() *mutate.Sample {
		return &mutate.Sample{Before: mutate.Files(nil), After: mutate.Files(map[string]string{"good": "x"})}
	}
	turn := mutate.Move(mutate.After, "good", "bad")
	prove := func(c *check.Check, s *mutate.Sample, f mutate.Fault) ([]mutate.Outcome, error) {
		return (&mutate.Suite{Good: s, Faults: []mutate.Fault{f}}).Prove(t.Context(), today, func(*mutate.Sample) *check.Check { return c })
	}
	fault := mutate.Fault{Name: "turn", Code: "c/a", Break: turn}
	for name, tt := range map[string]struct {
		slugs []string
		ok    bool
	}{"its code": {[]string{"a"}, true}, "twice": {[]string{"a", "a"}, true}, "nothing": {nil, false}, "another": {[]string{"b"}, false}, "one more": {[]string{"a", "b"}, false}, "another level": {[]string{"a?"}, false}, "a skip": {[]string{"a", "skip"}, false}} {
		out, err := prove(says(tt.slugs...), good(), fault)
		if err != nil || len(out) != 1 || out[0].OK() != tt.ok {
			t.Errorf("%s: got %+v, %v", name, out, err)
		}
	}
	if _, err := prove(says("a"), &mutate.Sample{Before: mutate.Files(nil), After: mutate.Files(map[string]string{"bad": "x"})}, fault); err == nil {
		t.Error("a good sample that is not good is no error")
	}
	if _, err := prove(says("a"), good(), mutate.Fault{Name: "none", Code: "c/z", Break: turn}); err == nil {
		t.Error("a fault without a code is no error")
	}
	for name, edit := range map[string]mutate.Edit{
		"replace": mutate.Replace(mutate.After, "good", "y", "z"), "no file": mutate.Append(mutate.After, "none", "x"), "remove": mutate.Remove(mutate.Before, "good"), "move": mutate.Move(mutate.After, "none", "x"),
		"write": mutate.Write(mutate.After, "good", "x"), "cut": mutate.Cut(mutate.After, "good", "y", "z"), "append": mutate.Append(mutate.After, "good", ""), "replace all": mutate.ReplaceAll(mutate.After, "good", "y", ""),
	} {
		if _, err := prove(says("a"), good(), mutate.Fault{Name: name, Code: "c/a", Break: edit}); err == nil {
			t.Errorf("%s: an edit that changes nothing is no error", name)
		}
	}
}

// A fault is injected into a copy: the good sample stays as it is.
func TestCloneIsApart(t *testing.T) {
	suite := mutate.Mind()
	before := suite.Good.Clone()
	for _, f := range suite.Faults {
		c := suite.Good.Clone()
		if err := f.Break(c); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
	for side, trees := range map[string][2]map[string]string{"before": {data(before.Before), data(suite.Good.Before)}, "after": {data(before.After), data(suite.Good.After)}} {
		for p, want := range trees[0] {
			if trees[1][p] != want {
				t.Errorf("%s: %q has changed", side, p)
			}
		}
		if len(trees[0]) != len(trees[1]) {
			t.Errorf("%s has other files", side)
		}
	}
}

func data(files map[string]memory.File) map[string]string {
	out := map[string]string{}
	for p, f := range files {
		out[p] = f.Data
	}
	return out
}
