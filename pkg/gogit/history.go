package gogit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/seed-4419f9ca/forge/pkg/gitobject"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// commit reads the commit that id leads to; tags are followed.
func (r *Repo) commit(ctx context.Context, id string) (*gitobject.Commit, error) {
	for {
		o, err := r.object(ctx, plumbing.AnyObject, id)
		if err != nil {
			return nil, err
		}
		data, err := r.read(ctx, o.Type(), id, 0)
		if err != nil {
			return nil, err
		}
		switch o.Type() {
		case plumbing.CommitObject:
			return gitobject.ParseCommit(id, data)
		case plumbing.TagObject:
			if id, err = gitobject.ParseTag(id, data); err != nil {
				return nil, err
			}
		default:
			return nil, fmt.Errorf("could not find commit %s: it is a %s", id, o.Type())
		}
	}
}

// resolve finds the commit that rev names: a full id, HEAD, a branch or a tag, followed by any number of ~N and ^N. Other
// spellings are git's to read.
func (r *Repo) resolve(ctx context.Context, rev string) (*gitobject.Commit, error) {
	name, path := rev, ""
	if i := strings.IndexAny(rev, "~^"); i >= 0 {
		name, path = rev[:i], rev[i:]
	}
	if strings.ContainsAny(name, "@{}: \n") || strings.ContainsAny(path, "{}@:/") {
		return nil, &Unsupported{fmt.Sprintf("the revision %q", rev)}
	}
	id, err := r.name(name)
	if err != nil {
		return nil, fmt.Errorf("could not find commit %q: %w", rev, err)
	}
	c, err := r.commit(ctx, id)
	for err == nil && path != "" {
		digits := 1
		for digits < len(path) && path[digits] >= '0' && path[digits] <= '9' {
			digits++
		}
		n := 1
		if digits > 1 {
			if n, err = strconv.Atoi(path[1:digits]); err != nil {
				break
			}
		}
		c, err = r.relative(ctx, c, path[0], n)
		path = path[digits:]
	}
	if err != nil {
		return nil, fmt.Errorf("could not find commit %q: %w", rev, err)
	}
	return c, nil
}

// relative returns the n-th parent of c, or with '~' the n-th of its first ancestors.
func (r *Repo) relative(ctx context.Context, c *gitobject.Commit, how byte, n int) (*gitobject.Commit, error) {
	steps, parent := n, 1
	if how == '^' {
		steps, parent = min(n, 1), n
	}
	for range steps {
		if len(c.Parents) < parent {
			return nil, snapshot.ErrNoObject
		}
		var err error
		if c, err = r.commit(ctx, c.Parents[parent-1]); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// name finds the id of a reference by the rules that git has for short names.
func (r *Repo) name(name string) (string, error) {
	if gitobject.IsID(name) {
		return name, nil
	}
	if name == "" {
		return "", snapshot.ErrNoObject
	}
	for _, pattern := range []string{"%s", "refs/%s", "refs/tags/%s", "refs/heads/%s", "refs/remotes/%s", "refs/remotes/%s/HEAD"} {
		full := plumbing.ReferenceName(fmt.Sprintf(pattern, name))
		if pattern == "%s" && name != "HEAD" && !strings.HasPrefix(name, "refs/") {
			continue
		}
		id, err := r.ref(full)
		if err == nil || !errors.Is(err, plumbing.ErrReferenceNotFound) {
			return id, err
		}
	}
	return "", snapshot.ErrNoObject
}

// Tree returns the tree of the commit that rev names.
func (r *Repo) Tree(ctx context.Context, rev string) (snapshot.Tree, error) {
	c, err := r.resolve(ctx, rev)
	if err != nil {
		return nil, err
	}
	return r.treeOf(c), nil
}

// change lists both sides in full and joins the differences.
func (r *Repo) change(ctx context.Context, kind snapshot.Kind, before []snapshot.Tree, after *tree) (*snapshot.Change, error) {
	c := &snapshot.Change{Kind: kind, Before: before, After: after}
	to, err := after.Under(ctx, "")
	if err != nil {
		return nil, err
	}
	if len(before) == 0 {
		c.Files = snapshot.Unbased(to)
		return c, nil
	}
	lists := make([][]snapshot.Delta, len(before))
	for i, b := range before {
		from, err := b.Under(ctx, "")
		if err != nil {
			return nil, err
		}
		lists[i] = snapshot.Diff(from, to)
	}
	if len(before) > 1 {
		c.MergeBases = func(ctx context.Context, i int) ([]snapshot.Tree, error) {
			if i < 1 || i >= len(before) {
				return nil, fmt.Errorf("could not find merge bases: there is no parent %d", i)
			}
			return r.baseTrees(ctx, before[0].ID(), before[i].ID())
		}
	}
	c.Files, err = snapshot.Join(lists...)
	return c, err
}

// parents returns the trees of c's parents; see the same function of package git.
func (r *Repo) parents(ctx context.Context, c *gitobject.Commit) (trees []snapshot.Tree, missing string, err error) {
	if len(c.Parents) == 0 {
		return []snapshot.Tree{r.empty()}, "", nil
	}
	for _, p := range c.Parents {
		parent, err := r.commit(ctx, p)
		switch {
		case err == nil:
			trees = append(trees, r.treeOf(parent))
		case !errors.Is(err, snapshot.ErrNoObject):
			return nil, "", err
		default:
			if shallow, shallowErr := r.shallow(); shallowErr != nil || !shallow {
				return nil, "", errors.Join(err, shallowErr)
			}
			missing = fmt.Sprintf("the parent %s of commit %s is not in this shallow clone; fetch it with: git fetch --unshallow", p[:12], c.ID[:12])
		}
	}
	return trees, missing, nil
}

func (r *Repo) shallow() (bool, error) {
	info, err := os.Stat(filepath.Join(r.dir, "shallow"))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("could not ask whether the clone is shallow: %w", err)
	}
	return info.Size() > 0, nil
}

// CommitChange returns the change that one commit made.
func (r *Repo) CommitChange(ctx context.Context, rev string) (*snapshot.Change, error) {
	c, err := r.resolve(ctx, rev)
	if err != nil {
		return nil, err
	}
	return r.commitChange(ctx, c)
}

func (r *Repo) commitChange(ctx context.Context, c *gitobject.Commit) (*snapshot.Change, error) {
	before, missing, err := r.parents(ctx, c)
	if err != nil {
		return nil, err
	}
	change, err := r.change(ctx, snapshot.Commit, before, r.treeOf(c))
	if err == nil {
		change.Missing = missing
	}
	return change, err
}

// RangeChange returns the change of the range "A..B" or "A...B"; see the same method of package git.
func (r *Repo) RangeChange(ctx context.Context, spec string) (*snapshot.Change, error) {
	from, to, ok := strings.Cut(spec, "..")
	if !ok {
		return nil, fmt.Errorf("could not read the range %q: write it as A..B or A...B", spec)
	}
	to, symmetric := strings.CutPrefix(to, ".")
	if from == "" {
		from = "HEAD"
	}
	if to == "" {
		to = "HEAD"
	}
	a, err := r.resolve(ctx, from)
	if err != nil {
		return nil, err
	}
	b, err := r.resolve(ctx, to)
	if err != nil {
		return nil, err
	}
	before := []snapshot.Tree{r.treeOf(a)}
	note := ""
	if symmetric {
		bases, err := r.baseTrees(ctx, a.ID, b.ID)
		if err != nil {
			return nil, err
		}
		if len(bases) > 0 {
			before, note = bases, "merge base with "+from
		} else {
			note = fmt.Sprintf("%s and %s have no common history; compared tree with tree", from, to)
		}
	}
	c, err := r.change(ctx, snapshot.Range, before[:1], r.treeOf(b))
	if err != nil {
		return nil, err
	}
	c.Alternatives, c.Note = before[1:], note
	c.Commits = func(ctx context.Context) ([]snapshot.Step, error) { return r.steps(ctx, a.ID, b.ID) }
	return c, nil
}

// ancestors returns id and all commits before it, by id, and in an order in which parents come first. A parent beyond the
// boundary of a shallow clone ends the walk.
func (r *Repo) ancestors(ctx context.Context, id string) (map[string]*gitobject.Commit, []string, error) {
	seen := map[string]*gitobject.Commit{}
	var order []string
	type visit struct {
		id   string
		done bool
	}
	for todo := []visit{{id: id}}; len(todo) > 0; {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if v.done {
			order = append(order, v.id)
			continue
		}
		if seen[v.id] != nil {
			continue
		}
		c, err := r.commit(ctx, v.id)
		if errors.Is(err, snapshot.ErrNoObject) && v.id != id {
			if shallow, shallowErr := r.shallow(); shallow && shallowErr == nil {
				continue
			}
		}
		if err != nil {
			return nil, nil, err
		}
		seen[v.id] = c
		todo = append(todo, visit{v.id, true})
		for _, p := range slices.Backward(c.Parents) {
			todo = append(todo, visit{id: p})
		}
	}
	return seen, order, nil
}

// baseTrees returns the trees of the best common ancestors: those that no other common ancestor has as a parent.
func (r *Repo) baseTrees(ctx context.Context, a, b string) ([]snapshot.Tree, error) {
	ofA, order, err := r.ancestors(ctx, a)
	if err != nil {
		return nil, err
	}
	ofB, _, err := r.ancestors(ctx, b)
	if err != nil {
		return nil, err
	}
	behind := map[string]bool{}
	for id, c := range ofA {
		if ofB[id] != nil {
			for _, p := range c.Parents {
				behind[p] = true
			}
		}
	}
	var bases []snapshot.Tree
	for _, id := range slices.Backward(order) {
		if ofB[id] != nil && !behind[id] {
			bases = append(bases, r.treeOf(ofA[id]))
		}
	}
	if len(bases) > 0 {
		return bases, nil
	}
	shallow, err := r.shallow()
	if err == nil && shallow {
		err = fmt.Errorf("could not find the merge base of %s and %s: this clone is shallow; fetch what it lacks with: git fetch --unshallow: %w",
			a[:12], b[:12], snapshot.ErrNoObject)
	}
	return nil, err
}

// steps returns the commits that b has and a has not, parents first.
func (r *Repo) steps(ctx context.Context, a, b string) ([]snapshot.Step, error) {
	old, _, err := r.ancestors(ctx, a)
	if err != nil {
		return nil, err
	}
	all, order, err := r.ancestors(ctx, b)
	if err != nil {
		return nil, err
	}
	var out []snapshot.Step
	for _, id := range order {
		if old[id] != nil {
			continue
		}
		c, err := r.commitChange(ctx, all[id])
		if err != nil {
			return nil, err
		}
		out = append(out, snapshot.Step{OID: id, Message: all[id].Message, Change: c})
	}
	return out, nil
}

// unpublished makes Change.Unpublished for a change on top of head.
func (r *Repo) unpublished(head *gitobject.Commit) func(context.Context) (bool, []snapshot.Tree, error) {
	return func(ctx context.Context) (bool, []snapshot.Tree, error) {
		names, err := r.remoteRefs()
		if err != nil || len(names) == 0 {
			return false, nil, err
		}
		for _, name := range names {
			id, err := r.ref(name)
			if err != nil {
				return false, nil, fmt.Errorf("could not ask whether HEAD is published: %w", err)
			}
			c, err := r.commit(ctx, id)
			if err != nil {
				return false, nil, err
			}
			published, _, err := r.ancestors(ctx, c.ID)
			if err != nil || published[head.ID] != nil {
				return false, nil, err
			}
		}
		parents, missing, err := r.parents(ctx, head)
		if err != nil || missing != "" {
			return false, nil, err // what cannot be seen counts as published
		}
		return true, parents, nil
	}
}

// remoteRefs returns the names of all remote-tracking references.
func (r *Repo) remoteRefs() ([]plumbing.ReferenceName, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	refs, err := r.store.IterReferences()
	if err != nil {
		return nil, fmt.Errorf("could not list references: %w", err)
	}
	var names []plumbing.ReferenceName
	err = refs.ForEach(func(ref *plumbing.Reference) error {
		if ref.Name().IsRemote() {
			names = append(names, ref.Name())
		}
		return nil
	})
	return names, err
}
