package hooks

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
)

// A place is where hooks stand.
type place struct {
	dir   string // where git looks
	use   use
	plain string // where git looks without core.hooksPath
	root  string // top of the work tree, "" in a bare repository
}

// A use says what core.hooksPath makes of the folder in which git looks.
type use int

const (
	own    use = iota // it belongs to this repository
	shared            // it is set for more than this repository
	off               // there is no folder: hooks are switched off
)

const hooksPath = "core.hooksPath"

// place asks git where hooks stand and who else uses that folder.
func (k *Keeper) place(ctx context.Context) (place, error) {
	var p place
	common, err := k.Repo.CommonDir(ctx)
	if err != nil {
		return p, err
	}
	p.plain = filepath.Join(common, "hooks")
	if p.root, err = k.Repo.Root(ctx); err != nil {
		return p, err
	}
	if p.dir, err = k.Repo.HooksDir(ctx); err != nil {
		return p, err
	}
	if !filepath.IsAbs(p.dir) || !filepath.IsAbs(p.plain) {
		return p, fmt.Errorf("could not find the hooks: %q and %q are not both absolute paths", p.dir, p.plain)
	}
	p.dir = filepath.Clean(p.dir)
	p.use, err = k.useOf(ctx)
	return p, err
}

// useOf says who set core.hooksPath. The value that git uses is compared with that of each scope because git before 2.26
// cannot tell where a value comes from.
func (k *Keeper) useOf(ctx context.Context) (use, error) {
	used, set, err := k.Repo.Config(ctx, AnyScope, hooksPath)
	switch {
	case err != nil || !set:
		return own, err
	case used == "" || used == "/dev/null":
		return off, nil
	}
	scopes := []Scope{LocalScope}
	// Without this extension git refuses to be asked about one of several worktrees.
	perWorktree, _, err := k.Repo.Config(ctx, LocalScope, "extensions.worktreeConfig")
	if err != nil {
		return own, err
	}
	if gitTrue(perWorktree) {
		scopes = append(scopes, WorktreeScope)
	}
	for _, scope := range scopes {
		value, set, err := k.Repo.Config(ctx, scope, hooksPath)
		if err != nil {
			return own, err
		}
		if set && value == used {
			return own, nil
		}
	}
	return shared, nil
}

// gitTrue reads a boolean value of git's.
func gitTrue(value string) bool {
	switch strings.ToLower(value) {
	case "", "false", "no", "off", "0":
		return false
	}
	return true
}

// switchedOff says what is wrong when core.hooksPath names no folder.
func switchedOff() Problem {
	return Problem{
		Message: "core.hooksPath is empty or /dev/null, so git runs no hook at all",
		Help:    "find where it is set with `git config --show-origin --get-all core.hooksPath` and remove it",
	}
}
