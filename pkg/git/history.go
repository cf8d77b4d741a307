package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/gitobject"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// A pair is two tree objects to be compared.
type pair struct{ from, to string }

// diffTrees compares pairs of tree objects in one process.
func (r *Repo) diffTrees(ctx context.Context, pairs []pair) ([][]snapshot.Delta, error) {
	const op = "compare trees"
	lists := make([][]snapshot.Delta, len(pairs))
	var in bytes.Buffer
	for _, p := range pairs {
		if p.from != p.to {
			fmt.Fprintf(&in, "%s %s\n", p.from, p.to)
		}
	}
	if in.Len() == 0 {
		return lists, nil
	}
	out, err := r.run(ctx, op, in.Bytes(), "diff-tree", "--stdin", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", "--ignore-submodules=none")
	if err != nil {
		return nil, err
	}
	for i, p := range pairs {
		if p.from == p.to {
			continue
		}
		rest, ok := bytes.CutPrefix(out, []byte(p.from+" "+p.to+"\n"))
		if !ok {
			return nil, fmt.Errorf("could not %s: git does not answer for %s and %s", op, p.from, p.to)
		}
		list, rest, err := parseRaw(rest, gitobject.FormatOf(p.to))
		if err != nil {
			return nil, err
		}
		lists[i], out = list.deltas, rest
	}
	if len(out) > 0 {
		return nil, rawError(out)
	}
	return lists, nil
}

// between makes a change of the trees before and after, with the files that differ.
func (r *Repo) between(ctx context.Context, kind snapshot.Kind, before []snapshot.Tree, after *tree) (*snapshot.Change, error) {
	pairs := make([]pair, len(before))
	for i, b := range before {
		pairs[i] = pair{b.(*tree).object(), after.object()}
	}
	lists, err := r.diffTrees(ctx, pairs)
	if err != nil {
		return nil, err
	}
	return r.assemble(ctx, kind, before, after, lists)
}

// assemble makes a change of trees that have been compared.
func (r *Repo) assemble(ctx context.Context, kind snapshot.Kind, before []snapshot.Tree, after *tree, lists [][]snapshot.Delta) (*snapshot.Change, error) {
	c := &snapshot.Change{Kind: kind, Before: before, After: after, Earlier: r.earlier(before)}
	r.follow(c, after.id)
	if len(before) == 0 {
		entries, err := after.Under(ctx, "")
		if err != nil {
			return nil, err
		}
		c.Files = snapshot.Unbased(entries)
		return c, nil
	}
	var err error
	c.Files, err = snapshot.Join(lists...)
	return c, err
}

// parents returns the trees of c's parents: the empty tree for a root commit. Parents that a shallow boundary hides are
// left out and named in missing; a parent that is not there for any other reason is an error.
func (r *Repo) parents(ctx context.Context, c *gitobject.Commit) (trees []snapshot.Tree, missing string, err error) {
	if len(c.Parents) == 0 {
		return []snapshot.Tree{r.empty(gitobject.FormatOf(c.ID))}, "", nil
	}
	var hidden []string
	for _, p := range c.Parents {
		parent, err := r.commitAt(ctx, p)
		switch {
		case err == nil:
			trees = append(trees, r.treeOf(parent))
		case !errors.Is(err, snapshot.ErrNoObject):
			return nil, "", err
		default:
			if shallow, shallowErr := r.shallow(ctx); shallowErr != nil || !shallow {
				return nil, "", errors.Join(err, shallowErr)
			}
			hidden = append(hidden, p[:12])
		}
	}
	if len(hidden) > 0 {
		missing = fmt.Sprintf("the parent %s of commit %s is not in this shallow clone; fetch it with: %s",
			strings.Join(hidden, ", "), c.ID[:12], deepen)
	}
	return trees, missing, nil
}

// CommitChange returns the change that one commit made: from its parents to it (chapter 2.2).
func (r *Repo) CommitChange(ctx context.Context, rev string) (*snapshot.Change, error) {
	c, err := r.resolve(ctx, rev)
	if err != nil {
		return nil, err
	}
	before, missing, err := r.parents(ctx, c)
	if err != nil {
		return nil, err
	}
	change, err := r.between(ctx, snapshot.Commit, before, r.treeOf(c))
	if err != nil {
		return nil, err
	}
	r.describe(change, missing)
	change.Own = &snapshot.Step{OID: c.ID, Message: c.Message, Change: change}
	return change, nil
}

// describe fills in what follows from the before trees of a change between commits.
func (r *Repo) describe(c *snapshot.Change, missing string) {
	c.Missing = missing
	c.Earlier = r.earlier(c.Before)
	if len(c.Before) > 1 {
		names := make([]string, len(c.Before))
		for i, b := range c.Before {
			names[i] = b.ID()
		}
		c.MergeBases = r.basesOf(names)
	}
}

// mergeBases makes Change.MergeBases for parents.
func (r *Repo) mergeBases(parents []*gitobject.Commit) func(context.Context, int) ([]snapshot.Tree, error) {
	return r.basesOf(idsOf(parents))
}

// idsOf returns the ids of commits.
func idsOf(list []*gitobject.Commit) []string {
	out := make([]string, len(list))
	for i, c := range list {
		out[i] = c.ID
	}
	return out
}

// basesOf is mergeBases for ids of commits. Each answer is worked out once.
func (r *Repo) basesOf(oids []string) func(context.Context, int) ([]snapshot.Tree, error) {
	answers := make([]once[[]snapshot.Tree], len(oids))
	return func(ctx context.Context, i int) ([]snapshot.Tree, error) {
		if i < 1 || i >= len(oids) {
			return nil, fmt.Errorf("could not find merge bases: there is no parent %d", i)
		}
		return answers[i].get(func() ([]snapshot.Tree, error) {
			bases, err := r.bases(ctx, oids[0], oids[i])
			if err != nil {
				return nil, err
			}
			trees := make([]snapshot.Tree, len(bases))
			for k, c := range bases {
				trees[k] = r.treeOf(c)
			}
			return trees, nil
		})
	}
}

// bases returns the best common ancestors of two commits. That there are none is an answer in a full clone and an error in
// a shallow one, which cannot know.
func (r *Repo) bases(ctx context.Context, a, b string) ([]*gitobject.Commit, error) {
	op := fmt.Sprintf("find the merge base of %s and %s", a[:12], b[:12])
	out, exit, err := r.answer(ctx, op, nil, append(plain(), "merge-base", "--all", a, b), 1)
	if err != nil {
		return nil, err
	}
	names := strings.Fields(string(out))
	if exit == 1 && len(names) > 0 {
		return nil, &Error{Op: op, Args: []string{"merge-base"}, ExitCode: exit, Err: fmt.Errorf("it prints %d ids all the same", len(names))}
	}
	if exit == 1 {
		shallow, err := r.shallow(ctx)
		if err != nil {
			return nil, err
		}
		if shallow {
			return nil, &Error{Op: op, Help: "this clone is shallow; fetch what it lacks with: " + deepen, Err: snapshot.ErrNoObject}
		}
		return nil, nil
	}
	list := make([]*gitobject.Commit, len(names))
	for i, name := range names {
		if list[i], err = r.commitAt(ctx, name); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// RangeChange returns the change of a range: "A..B" from A to B, "A...B" from their merge base to B; an empty side is HEAD
// (chapter 2.2). Unrelated histories are compared tree with tree, and Note says so. Several merge bases stand in
// Alternatives but for the first.
func (r *Repo) RangeChange(ctx context.Context, spec string) (*snapshot.Change, error) {
	from, to, symmetric, err := parseRange(spec)
	if err != nil {
		return nil, err
	}
	a, err := r.resolve(ctx, from)
	if err != nil {
		return nil, err
	}
	b, err := r.resolve(ctx, to)
	if err != nil {
		return nil, err
	}
	bases := []*gitobject.Commit{a}
	note := ""
	if symmetric {
		if bases, err = r.bases(ctx, a.ID, b.ID); err != nil {
			return nil, err
		}
		switch len(bases) {
		case 0:
			bases, note = []*gitobject.Commit{a}, fmt.Sprintf("%s and %s have no common history; compared tree with tree", from, to)
		case 1:
			note = fmt.Sprintf("merge base with %s", from)
		default:
			note = fmt.Sprintf("one of %d merge bases with %s", len(bases), from)
		}
	}
	c, err := r.between(ctx, snapshot.Range, []snapshot.Tree{r.treeOf(bases[0])}, r.treeOf(b))
	if err != nil {
		return nil, err
	}
	for _, base := range bases[1:] {
		c.Alternatives = append(c.Alternatives, r.treeOf(base))
	}
	c.Note = note
	c.Commits = r.commits(func(ctx context.Context) ([]string, error) {
		return r.revList(ctx, "", b.ID, "^"+a.ID)
	})
	return c, nil
}

// parseRange takes "A..B" or "A...B" apart.
func parseRange(spec string) (from, to string, symmetric bool, err error) {
	from, to, ok := strings.Cut(spec, "..")
	if !ok {
		return "", "", false, &Error{Op: fmt.Sprintf("read the range %q", spec), Help: "write it as A..B or A...B"}
	}
	to, symmetric = strings.CutPrefix(to, ".")
	if strings.Contains(to, "..") {
		return "", "", false, &Error{Op: fmt.Sprintf("read the range %q", spec), Help: "write it as A..B or A...B"}
	}
	if from == "" {
		from = "HEAD"
	}
	if to == "" {
		to = "HEAD"
	}
	return from, to, symmetric, nil
}

// revList lists commits, parents before children. stdin holds further revisions, one a line.
func (r *Repo) revList(ctx context.Context, stdin string, args ...string) ([]string, error) {
	cmd := append([]string{"rev-list", "--topo-order", "--reverse"}, args...)
	out, err := r.run(ctx, "list commits", []byte(stdin), cmd...)
	if err != nil {
		return nil, err
	}
	names := strings.Fields(string(out))
	if i := slices.IndexFunc(names, func(n string) bool { return !gitobject.IsID(n) }); i >= 0 {
		return nil, fmt.Errorf("could not list commits: git prints %q", names[i])
	}
	return names, nil
}

// commits makes Change.Commits from a list of ids, oldest first. The list and the steps are made when first asked for.
func (r *Repo) commits(list func(context.Context) ([]string, error)) func(context.Context) ([]snapshot.Step, error) {
	var answer once[[]snapshot.Step]
	return func(ctx context.Context) ([]snapshot.Step, error) {
		return answer.get(func() ([]snapshot.Step, error) {
			names, err := list(ctx)
			if err != nil {
				return nil, err
			}
			return r.steps(ctx, names)
		})
	}
}

// steps makes a step of each commit. All trees are compared in one process.
func (r *Repo) steps(ctx context.Context, names []string) ([]snapshot.Step, error) {
	r.objects.prefetch(names, maxObject)
	steps := make([]snapshot.Step, len(names))
	var pairs []pair
	for i, name := range names {
		c, err := r.commitAt(ctx, name)
		if err != nil {
			return nil, err
		}
		before, missing, err := r.parents(ctx, c)
		if err != nil {
			return nil, err
		}
		after := r.treeOf(c)
		for _, b := range before {
			pairs = append(pairs, pair{b.(*tree).object(), after.object()})
		}
		change := &snapshot.Change{Kind: snapshot.Commit, Before: before, After: after}
		r.describe(change, missing)
		r.follow(change, c.ID)
		steps[i] = snapshot.Step{OID: c.ID, Message: c.Message, Change: change}
	}
	lists, err := r.diffTrees(ctx, pairs)
	if err != nil {
		return nil, err
	}
	for i := range steps {
		c := steps[i].Change
		n := len(c.Before)
		whole, err := r.assemble(ctx, c.Kind, c.Before, c.After.(*tree), lists[:n])
		if err != nil {
			return nil, err
		}
		c.Files, lists = whole.Files, lists[n:]
	}
	return steps, nil
}
