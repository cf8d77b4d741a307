package suite

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/suppress"
)

// All returns checks with the meta check of suppressions, sorted by id. It panics when a card is not complete or an id
// stands twice: that is a mistake in the program.
func All(checks []*check.Check) []*check.Check {
	out := append(slices.Clone(checks), suppress.Check())
	slices.SortFunc(out, func(a, b *check.Check) int { return strings.Compare(a.ID, b.ID) })
	for i, c := range out {
		if c.ID == "" || i > 0 && out[i-1].ID == c.ID {
			panic(fmt.Sprintf("the check %q stands twice", c.ID))
		}
	}
	return out
}

// Of returns those of checks that the program owns.
func Of(program string, checks []*check.Check) []*check.Check {
	return slices.DeleteFunc(slices.Clone(checks), func(c *check.Check) bool { return c.Program != program })
}

// Complete reports what is missing on the card of c.
func Complete(c *check.Check) error {
	var errs []error
	need := func(ok bool, what string) {
		if !ok {
			errs = append(errs, fmt.Errorf("check %q: %s", c.ID, what))
		}
	}
	need(name(c.ID), "its id is no name of lower-case letters, digits and hyphens")
	need(c.Title != "" && c.Why != "" && c.Since != "", "title, why and since are needed")
	need(c.Program == check.PreCommitProgram || c.Program == check.GuardProgram || c.Program == check.GateProgram, "its program is none of the three")
	for _, l := range []finding.Level{c.Levels.PreCommit, c.Levels.PrePush, c.Levels.CI} {
		need(l == finding.Fail || l == finding.Flag || l == finding.Off, "a level is none of fail, flag and off")
	}
	need(len(c.Codes) > 0, "it has no code")
	need(c.Run != nil || c.ID == suppress.ID, "it has no function")
	seen := map[string]bool{}
	for _, code := range c.Codes {
		need(name(code.Slug) && !seen[code.Slug], fmt.Sprintf("the slug %q is no name, or stands twice", code.Slug))
		need(code.Title != "" && code.Help != "", fmt.Sprintf("%q needs title and help", code.Slug))
		need(code.Level == finding.Fail || code.Level == finding.Flag, fmt.Sprintf("the level of %q is neither fail nor flag", code.Slug))
		seen[code.Slug] = true
	}
	return errors.Join(errs...)
}

func name(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-") == "" && s[0] != '-' && s[len(s)-1] != '-'
}
