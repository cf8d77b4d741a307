package cli

import (
	"context"

	"github.com/seed-4419f9ca/forge/pkg/git"
	"github.com/seed-4419f9ca/forge/pkg/hooks"
)

// hookRepo is the repository as package hooks asks about it.
type hookRepo struct {
	*git.Repo
	env []string
}

// HooksDir asks at the top of the working tree, because a relative core.hooksPath counts from there.
func (r hookRepo) HooksDir(ctx context.Context) (string, error) {
	dir, err := r.Root(ctx)
	if err == nil && dir == "" {
		dir, err = r.CommonDir(ctx)
	}
	if err != nil {
		return "", err
	}
	top, err := git.Open(ctx, git.Options{Dir: dir, Env: r.env})
	if err != nil {
		return "", err
	}
	defer top.Close()
	return top.GitPath(ctx, "hooks")
}

func (r hookRepo) Root(ctx context.Context) (string, error) { return r.Toplevel(ctx) }

func (r hookRepo) Config(ctx context.Context, scope hooks.Scope, key string) (string, bool, error) {
	return r.ConfigIn(ctx, string(scope), key)
}

// Version gives what `git version` prints, whole.
func (r hookRepo) Version(ctx context.Context) (string, error) {
	v, err := r.Repo.Version(ctx)
	return "git version " + v, err
}
