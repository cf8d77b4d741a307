package mind

import (
	"slices"

	"github.com/seed-4419f9ca/forge/pkg/check"
)

// RuleNames lists the rules.
func RuleNames() []string {
	var out []string
	for _, r := range allRules() {
		out = append(out, r.name)
	}
	return out
}

// Without returns the check without rule i.
func Without(i int, o Options) *check.Check {
	return with(o, slices.Delete(allRules(), i, i+1))
}
