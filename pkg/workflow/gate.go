package workflow

import (
	"slices"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/markdown"
)

// A Gate is the step 0 of a workflow, and what it does.
type Gate struct {
	Step    *Step
	Before  *Step // the first step, where that is another one; else nil
	Rereads bool  // it reads the rules index again
	Needs   []Named
}

// FindGate returns the first step 0 or pre-flight of a workflow, and, where it has none, its first step; both are nil
// where it has no steps. Needs are the paths that must be there: those of the rules, and what else the step reads without
// a condition and without saying that the file may be missing. A bare file name other than a rules index means one file of
// many and is left out.
func FindGate(doc *markdown.Doc, isRules func(string) bool) (gate *Gate, first *Step) {
	steps := Steps(doc)
	if len(steps) == 0 {
		return nil, nil
	}
	at := slices.IndexFunc(steps, func(s Step) bool { return s.Preflight() })
	if at < 0 {
		return nil, &steps[0]
	}
	g := &Gate{Step: &steps[at]}
	if at > 0 {
		g.Before = &steps[0]
	}
	var paths []Named
	g.Rereads, paths = g.Step.Inspect(doc, isRules)
	firm := slices.ContainsFunc(paths, func(n Named) bool { return n.Rules && !n.Optional })
	for _, n := range paths {
		needed := n.Read && !n.Optional && !n.Conditional && strings.Contains(n.Path, "/")
		if n.Rules && !(n.Optional && firm) || !n.Rules && needed {
			g.Needs = append(g.Needs, n)
		}
	}
	return g, nil
}

// Size returns the bytes of the step, from its heading to the end of its last block.
func (s *Step) Size() int {
	if len(s.body) == 0 {
		return s.End - s.Start
	}
	return max(s.End, s.body[len(s.body)-1].End) - s.Start
}
