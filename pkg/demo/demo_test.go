package demo_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-4419f9ca/forge/pkg/demo"
	"github.com/seed-4419f9ca/forge/pkg/git"
)

// stage is the demo on real git with a pre-commit hook that the test writes, or with none.
func stage(t *testing.T, out *strings.Builder, hook string) demo.Stage {
	dir := t.TempDir()
	env := append(os.Environ(), "HOME="+dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_EDITOR=true")
	write := func(path string, data []byte, perm os.FileMode) error {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		return os.WriteFile(path, data, perm)
	}
	return demo.Stage{
		Dir: dir, Out: out,
		Write: func(path string, data []byte) error { return write(path, data, 0o644) },
		Install: func(_ context.Context, repo string) error {
			if hook == "" {
				return nil
			}
			return write(filepath.Join(repo, ".git/hooks/pre-commit"), []byte(hook), 0o755)
		},
		Git: func(ctx context.Context, dir string, args ...string) (string, int, error) {
			return git.Command(ctx, dir, env, args...)
		},
	}
}

func TestScenesNeedTheirHooks(t *testing.T) {
	for name, hook := range map[string]string{
		"without hooks bad commits are accepted": "",
		"a refusal for another reason":           "#!/bin/sh\necho no >&2\nexit 1\n",
	} {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			failures, err := demo.Run(t.Context(), stage(t, &out, hook))
			if err != nil || failures == 0 || !strings.Contains(out.String(), "WRONG") || strings.Contains(out.String(), "refused, as it should be") {
				t.Errorf("%d scenes fail: %v\n%s", failures, err, out.String())
			}
		})
	}
}
