package demo_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/seed-4419f9ca/forge/pkg/demo"
)

// stage is a demo without hooks: git answers what the test says, so that a scene which goes wrong is seen to be told.
func stage(out *strings.Builder, exit int, answer string) demo.Stage {
	return demo.Stage{
		Dir: "demo", Out: out,
		Write:   func(string, []byte) error { return nil },
		Install: func(context.Context, string) error { return nil },
		Git: func(_ context.Context, _ string, args ...string) (string, int, error) {
			if (args[0] == "commit" && args[1] == "--all") || args[0] == "merge" {
				return answer, exit, nil
			}
			return "", 0, nil
		},
	}
}

func TestSceneThatGoesWrongIsCounted(t *testing.T) {
	var out strings.Builder
	failures, err := demo.Run(t.Context(), stage(&out, 0, ""))
	if err != nil || failures == 0 || !strings.Contains(out.String(), "accepted, and that is WRONG") {
		t.Errorf("without hooks %d scenes fail: %v\n%s", failures, err, out.String())
	}
	out.Reset()
	failures, err = demo.Run(t.Context(), stage(&out, 1, "refused for a reason of its own"))
	if err != nil || failures == 0 || strings.Contains(out.String(), "=> refused, as it should be") {
		t.Errorf("a refusal for another reason counts as the right one: %v\n%s", err, out.String())
	}
}

func TestGitThatCannotRunIsAnError(t *testing.T) {
	var out strings.Builder
	s := stage(&out, 0, "")
	broken := errors.New("no git")
	s.Git = func(context.Context, string, ...string) (string, int, error) { return "", -1, broken }
	if _, err := demo.Run(t.Context(), s); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}
