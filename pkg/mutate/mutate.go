// Package mutate is the one place that knows how to break a sample: fault injection for checks (chapters 6.6 and 10.3 of
// the specification). A Suite is a good sample of what a check judges, and the faults that are known. Prove shows that the
// sample is silent and that each fault, injected alone, fires exactly its own code. A check that stays silent on its fault,
// and a fault that changes nothing, are failures.
package mutate

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/config"
	"github.com/seed-4419f9ca/forge/pkg/facts"
	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/memory"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// A Suite is what is known about one check.
type Suite struct {
	Good   *Sample
	Faults []Fault
}

// A Sample is a change in memory.
type Sample struct {
	Before, After map[string]memory.File
	// Parent2 and Base are the second parent of a merge and the merge base; nil for a change with one parent.
	Parent2, Base map[string]memory.File
	Config        *config.Config
	Stage         check.Stage
	// Extra are inputs that stand in no tree, such as a draft, by names that the check and its faults agree on.
	Extra map[string]string
}

// A Fault is one way to break a sample.
type Fault struct {
	Name  string // what is done, in a few words
	Code  string // the whole code that has to fire, and no other
	Break func(*Sample) error
	Level finding.Level // that it fires with; "" for the level on the card
}

// An Outcome is what a check said about one fault.
type Outcome struct {
	Fault string
	Code  string   // that has to fire
	Got   []string // codes that fired, sorted, each once, with their level where it is not the expected one
	Skip  string   // why the check did not judge everything, "" when it did
}

// OK reports whether exactly the expected code fired, with the expected level.
func (o *Outcome) OK() bool { return len(o.Got) == 1 && o.Got[0] == o.Code && o.Skip == "" }

// Say tells what fired.
func (o *Outcome) Say() string {
	said := "nothing"
	if len(o.Got) > 0 {
		said = strings.Join(o.Got, ", ")
	}
	if o.Skip != "" {
		said += " (skipped: " + o.Skip + ")"
	}
	return said
}

// Clone returns a copy of s that can be broken alone.
func (s *Sample) Clone() *Sample {
	c := *s
	c.Before, c.After = maps.Clone(s.Before), maps.Clone(s.After)
	c.Parent2, c.Base = maps.Clone(s.Parent2), maps.Clone(s.Base)
	c.Extra = maps.Clone(s.Extra)
	if s.Config != nil {
		cfg := *s.Config
		c.Config = &cfg
	}
	return &c
}

// Change builds the change of the sample.
func (s *Sample) Change() *snapshot.Change {
	after := memory.Named(memory.TreeOf(s.After), "index")
	before := []snapshot.Tree{memory.TreeOf(s.Before)}
	if s.Parent2 == nil {
		return memory.Change(snapshot.Staged, before, after)
	}
	c := memory.Change(snapshot.Staged, append(before, memory.TreeOf(s.Parent2)), after)
	return memory.WithBases(c, nil, []snapshot.Tree{memory.TreeOf(s.Base)})
}

// Run runs a check over the sample, as a whole and not commit by commit, and returns its findings and why it skipped.
func (s *Sample) Run(ctx context.Context, today time.Time, c *check.Check) ([]finding.Finding, string, error) {
	change := s.Change()
	cfg := s.Config
	if cfg == nil {
		cfg = config.Default()
	}
	p := &check.Pass{
		Check: c, Change: change, Config: cfg, Facts: &facts.Store{}, Stage: s.Stage, Files: change.Files,
		Ignored: func(string) bool { return false }, Today: today,
	}
	if err := c.Run(ctx, p); err != nil {
		return nil, "", err
	}
	var out []finding.Finding
	for _, f := range p.Findings() {
		out = append(out, *f)
	}
	return finding.Sort(out), p.Skipped(), nil
}

// Prove injects every fault alone. make returns the check for a sample, which may depend on its Extra. Its error says that
// the good sample is not silent, or that a fault could not be injected: then nothing is proved.
func (x *Suite) Prove(ctx context.Context, today time.Time, make func(*Sample) *check.Check) ([]Outcome, error) {
	good, skip, err := x.Good.Run(ctx, today, make(x.Good))
	if err != nil {
		return nil, fmt.Errorf("could not judge the good sample: %w", err)
	}
	if len(good) > 0 || skip != "" {
		return nil, fmt.Errorf("could not prove anything: the good sample gives %s", (&Outcome{Got: codes(good, ""), Skip: skip}).Say())
	}
	out := []Outcome{}
	for _, f := range x.Faults {
		broken := x.Good.Clone()
		if err := f.Break(broken); err != nil {
			return nil, fmt.Errorf("could not inject the fault %q: %w", f.Name, err)
		}
		c := make(broken)
		level := f.Level
		if _, slug, _ := strings.Cut(f.Code, "/"); level == "" {
			code := c.Code(slug)
			if code == nil {
				return nil, fmt.Errorf("could not inject the fault %q: there is no code %q", f.Name, f.Code)
			}
			level = code.Level
		}
		got, skip, err := broken.Run(ctx, today, c)
		if err != nil {
			return nil, fmt.Errorf("could not judge the fault %q: %w", f.Name, err)
		}
		out = append(out, Outcome{f.Name, f.Code, codes(got, level), skip})
	}
	return out, nil
}

// codes lists the codes of findings, sorted, each once; those of another level than the expected one say so.
func codes(list []finding.Finding, level finding.Level) []string {
	var out []string
	for i := range list {
		code := list[i].Code
		if level != "" && list[i].Level != level {
			code += " as " + string(list[i].Level)
		}
		out = append(out, code)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
