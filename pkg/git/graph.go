package git

import "slices"

// A graph is the new commits of a push with their parents.
type graph struct {
	order   []string // parents first
	parents map[string][]string
}

func (g graph) has(oid string) bool { _, ok := g.parents[oid]; return ok }

// reach returns the new commits that oid has among its ancestors, and itself, parents first.
func (g graph) reach(oid string) []string {
	seen := map[string]bool{oid: true}
	for todo := []string{oid}; len(todo) > 0; {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, p := range g.parents[at] {
			if g.has(p) && !seen[p] {
				seen[p] = true
				todo = append(todo, p)
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(g.order), func(n string) bool { return !seen[n] })
}

// edge returns the commits that steps build on without being new themselves. Those of later steps, and first parents,
// come first: that is the line which the pushed branch continues.
func (g graph) edge(steps []string) []string {
	var out []string
	seen := map[string]bool{}
	add := func(p string) {
		if !g.has(p) && !seen[p] {
			seen[p] = true
			out = append(out, p)
		}
	}
	at := steps[len(steps)-1]
	for g.has(at) && len(g.parents[at]) > 0 {
		at = g.parents[at][0]
	}
	add(at)
	for i := len(steps) - 1; i >= 0; i-- {
		for _, p := range g.parents[steps[i]] {
			add(p)
		}
	}
	return out
}
