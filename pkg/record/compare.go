package record

import (
	"fmt"

	"github.com/seed-4419f9ca/forge/pkg/finding"
)

// Compare judges a record of shape Bytes or JSONL and returns what is wrong with it. The same input gives the same
// problems in the same order. Its error says that a version could not be read.
func Compare(c Comparison) ([]Problem, error) {
	var grown *growth
	var problems []Problem
	if !c.Unknown {
		var err error
		if grown, problems, err = c.baselines(); err != nil {
			return nil, err
		}
	}
	if c.Shape != JSONL {
		return c.withTail(grown, problems)
	}
	if grown == nil {
		// What was rewritten has been said; only the chain can still be proved.
		if !c.Chain {
			return problems, nil
		}
		grown = &growth{number: 1}
	}
	more, err := c.checkLines(*grown)
	return append(problems, more...), err
}

// withTail adds a problem when a log in plain text that is kept ends in the middle of a line.
func (c *Comparison) withTail(grown *growth, problems []Problem) ([]Problem, error) {
	if grown == nil || !c.Tail || c.Grows() != End {
		return problems, nil
	}
	p, err := checkTail(c.After, *grown)
	if p != nil {
		problems = append(problems, *p)
	}
	return problems, err
}

// baselines compares the version after with every version before. The growth is nil when one of them is not kept.
func (c *Comparison) baselines() (*growth, []Problem, error) {
	var grown []growth
	var problems []Problem
	broken := false
	for i := range c.Parents {
		before := c.Parents[i].Version
		if !before.Exists() {
			continue
		}
		g, kept, found, err := c.extendRotated(before, i)
		if err != nil {
			return nil, nil, err
		}
		if !kept && i == 0 {
			if g, kept, found, err = c.alternatives(g, found); err != nil {
				return nil, nil, err
			}
		}
		if !kept && len(c.Parents) > 1 {
			if g, kept, found, err = c.seam(i, g, found); err != nil {
				return nil, nil, err
			}
		}
		if !kept && len(c.Parents) > 1 && c.Archive != nil {
			if g, kept, found, err = c.rotatedSeam(i, g, found); err != nil {
				return nil, nil, err
			}
		}
		broken = broken || !kept
		grown = append(grown, g)
		for _, p := range found {
			if p.Parent = i; i > 0 {
				p = ofLaterParent(p, i)
			}
			problems = append(problems, p)
		}
	}
	if broken {
		return nil, problems, nil
	}
	g := join(grown)
	return &g, problems, nil
}

// ofLaterParent says which parent a problem is about. Lines of later parents have no place that a report could show.
func ofLaterParent(p Problem, i int) Problem {
	p.Message = fmt.Sprintf("against parent %d: %s", i+1, p.Message)
	if p.Side == finding.Before {
		p.Side = finding.After
		p.Span.Start.Line, p.Span.Start.Column, p.Span.End = 0, 0, p.Span.Start
		p.Span.End.Line, p.Span.End.Column = 0, 0
	}
	return p
}

// join returns the growth beyond all old versions: a line is new when it is new against each of them.
func join(grown []growth) growth {
	switch len(grown) {
	case 0:
		return freshFrom(1)
	case 1:
		return grown[0]
	}
	return growth{number: 1, fresh: func(n int) bool {
		for i := range grown {
			if !grown[i].fresh(n) {
				return false
			}
		}
		return true
	}}
}

// alternatives tries the other merge bases of a range with a criss-cross history.
func (c *Comparison) alternatives(g growth, found []Problem) (growth, bool, []Problem, error) {
	for _, v := range c.Alternatives {
		other, kept, problems, err := c.extendRotated(v, 0)
		if err != nil {
			return g, false, nil, err
		}
		if kept {
			return other, true, problems, nil
		}
	}
	return g, false, found, nil
}
