package mind_test

import (
	"testing"
	"time"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/checks/mind"
	"github.com/seed-4419f9ca/forge/pkg/mutate"
)

var today = time.Date(2026, 9, 30, 0, 0, 0, 0, time.UTC)

func whole(s *mutate.Sample) *check.Check { return mind.With(mind.OptionsFrom(s.Extra)) }

// TestEveryFaultFiresItsCode injects every known fault into the good sample.
func TestEveryFaultFiresItsCode(t *testing.T) {
	outcomes, err := mutate.Mind().Prove(t.Context(), today, whole)
	if err != nil {
		t.Fatal(err)
	}
	proved := map[string]bool{}
	for _, o := range outcomes {
		if !o.OK() {
			t.Errorf("%s: wants %s, got %s", o.Fault, o.Code, o.Say())
		}
		proved[o.Code] = true
	}
	for _, c := range mind.Mind.Codes {
		if !proved["mind/"+c.Slug] {
			t.Errorf("no fault proves mind/%s", c.Slug)
		}
	}
}

// TestNoRuleCanGo takes each rule out of the list and expects the fault injection to notice.
func TestNoRuleCanGo(t *testing.T) {
	for i, name := range mind.RuleNames() {
		outcomes, err := mutate.Mind().Prove(t.Context(), today, func(s *mutate.Sample) *check.Check {
			return mind.Without(i, mind.OptionsFrom(s.Extra))
		})
		if err != nil {
			t.Fatalf("without %q: %v", name, err)
		}
		noticed := false
		for _, o := range outcomes {
			noticed = noticed || !o.OK()
		}
		if !noticed {
			t.Errorf("nobody notices that the rule %q is gone", name)
		}
	}
}
