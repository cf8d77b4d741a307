package git

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// Resolve returns the id of the commit that rev names; tags are followed. A name that is not there is
// snapshot.ErrNoObject, with the command that fetches it when the clone is shallow.
func (r *Repo) Resolve(ctx context.Context, rev string) (string, error) {
	c, err := r.resolve(ctx, rev)
	if err != nil {
		return "", err
	}
	return c.ID, nil
}

// Parents returns the ids of the parents that the commit named by rev has, whether or not they are in this clone.
func (r *Repo) Parents(ctx context.Context, rev string) ([]string, error) {
	c, err := r.resolve(ctx, rev)
	if err != nil {
		return nil, err
	}
	return slices.Clone(c.Parents), nil
}

// ResolveBranch finds a branch as a CI job knows it: as a remote-tracking branch, as a local one, and at last as the
// remote's default branch (chapter 3.2). It returns which reference it was and its commit.
func (r *Repo) ResolveBranch(ctx context.Context, remote, name string) (ref, id string, err error) {
	tried := []string{"refs/remotes/" + remote + "/" + name, "refs/heads/" + name, "refs/remotes/" + remote + "/HEAD"}
	for _, ref := range tried {
		c, err := r.commitAt(ctx, ref)
		if err == nil {
			return ref, c.ID, nil
		}
		if !errors.Is(err, snapshot.ErrNoObject) {
			return "", "", err
		}
	}
	return "", "", &Error{Op: fmt.Sprintf("find branch %q", name), Err: fmt.Errorf("none of %s leads to a commit: %w", strings.Join(tried, ", "), snapshot.ErrNoObject),
		Help: fmt.Sprintf("fetch it with: git fetch %s %s", remote, name)}
}

// MergeBases returns the ids of the best common ancestors of two commits. None is an answer in a full clone and an error in
// a shallow one, which cannot know.
func (r *Repo) MergeBases(ctx context.Context, a, b string) ([]string, error) {
	from, err := r.resolve(ctx, a)
	if err != nil {
		return nil, err
	}
	to, err := r.resolve(ctx, b)
	if err != nil {
		return nil, err
	}
	list, err := r.bases(ctx, from.ID, to.ID)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, c := range list {
		out = append(out, c.ID)
	}
	return out, nil
}

// IsAncestor reports whether the commit that a names is an ancestor of the one that b names, or that one itself. In a
// shallow clone a "no" may be wrong: the way can lead through what is not there.
func (r *Repo) IsAncestor(ctx context.Context, a, b string) (bool, error) {
	from, err := r.resolve(ctx, a)
	if err != nil {
		return false, err
	}
	to, err := r.resolve(ctx, b)
	if err != nil {
		return false, err
	}
	return r.isAncestor(ctx, from.ID, to.ID)
}

func (r *Repo) isAncestor(ctx context.Context, a, b string) (bool, error) {
	_, exit, err := r.answer(ctx, fmt.Sprintf("ask whether %s contains %s", b[:12], a[:12]), nil,
		append(plain(), "merge-base", "--is-ancestor", a, b), 1)
	return exit == 0 && err == nil, err
}

// Shallow reports whether the repository's history is cut off.
func (r *Repo) Shallow(ctx context.Context) (bool, error) { return r.shallow(ctx) }

// PreviousTag returns the name of the tag that is nearest to the commit that rev names among its ancestors, leaving out
// that commit's own tags; "" when there is none.
func (r *Repo) PreviousTag(ctx context.Context, rev string) (string, error) {
	c, err := r.resolve(ctx, rev)
	if err != nil || len(c.Parents) == 0 {
		return "", err
	}
	tags, err := r.line(ctx, "list tags", append(plain(), "for-each-ref", "--count=1", "--format=%(refname)", "--merged="+c.Parents[0], "refs/tags")...)
	if err != nil || tags == "" {
		return "", err
	}
	return r.line(ctx, "find the previous tag", append(plain(), "describe", "--tags", "--abbrev=0", c.Parents[0])...)
}

// Deepen fetches depth more commits of a shallow clone's history from remote, and the given refs when there are any. It is
// the one call that uses the network, with the environment and the settings of the caller; no hook of the repository runs.
func (r *Repo) Deepen(ctx context.Context, remote string, depth int, refs ...string) error {
	fetch := &Repo{ctx: r.ctx, program: r.program, dir: r.dir, env: single(append(slices.Clone(r.raw), "LC_ALL=C", "GIT_TERMINAL_PROMPT=0"))}
	args := append([]string{"fetch", "--quiet", "--no-tags", "--no-recurse-submodules", fmt.Sprintf("--deepen=%d", depth), "--", remote}, refs...)
	if _, err := fetch.run(ctx, "fetch more history", nil, args...); err != nil {
		return err
	}
	r.objects.forget()
	r.trees.commits.forget()
	return nil
}
