package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/gitobject"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

// mergeHeadPrefix begins the variables in which git merge tells its hooks what is merged.
const mergeHeadPrefix = "GITHEAD_"

// Staged returns the change that a commit made now would record: from HEAD, and in a merge from each further parent, to
// the index that git is about to commit (chapters 2.2 and 3.2). Announced paths (intent to add) are not part of it; paths
// in conflict are an error that names them. An ordinary change takes one git process, and a second one where the files of the
// repository do not say enough about its objects.
func (r *Repo) Staged(ctx context.Context) (*snapshot.Change, error) {
	parents, format, err := r.stagedParents(ctx)
	if err != nil {
		return nil, err
	}
	base := r.empty(format)
	if len(parents) > 0 {
		base = r.treeOf(parents[0])
	}
	deltas, err := r.index(ctx, base)
	if err != nil {
		return nil, err
	}
	if err := r.refuseBare(ctx, "list the staged changes", len(parents) == 0, deltas); err != nil {
		return nil, err
	}
	after := &tree{repo: r, id: "index", root: base.root, over: laid(deltas)}
	c, err := r.onto(ctx, snapshot.Staged, parents, base, after, deltas)
	if err == nil && len(parents) > 0 {
		c.Unpublished = r.unpublished(parents[0])
	}
	return c, err
}

// onto makes the change from base and all parents but the first to after, which differs from base by deltas.
func (r *Repo) onto(ctx context.Context, kind snapshot.Kind, parents []*gitobject.Commit, base, after *tree, deltas []snapshot.Delta) (*snapshot.Change, error) {
	c := &snapshot.Change{Kind: kind, Before: []snapshot.Tree{base}, After: after}
	c.Earlier = r.earlier(c.Before)
	r.follow(c, idsOf(parents)...)
	lists := [][]snapshot.Delta{deltas}
	var err error
	if len(parents) > 1 {
		if lists, err = r.mergeLists(ctx, parents, deltas); err != nil {
			return nil, err
		}
		for _, p := range parents[1:] {
			c.Before = append(c.Before, r.treeOf(p))
		}
		c.MergeBases = r.mergeBases(parents)
		c.Note = "merge of " + short(parents[1:])
	}
	c.Files, err = snapshot.Join(lists...)
	return c, err
}

// short names commits by the first digits of their ids.
func short(list []*gitobject.Commit) string {
	names := make([]string, len(list))
	for i, c := range list {
		names[i] = c.ID[:12]
	}
	return strings.Join(names, ", ")
}

// index lists where the index differs from base.
func (r *Repo) index(ctx context.Context, base *tree) ([]snapshot.Delta, error) {
	const op = "list the staged changes"
	args := []string{"diff-index", "--cached", "--raw", "-z", "--no-renames", "--no-abbrev", "--ignore-submodules=none",
		"--ita-invisible-in-index", base.id}
	out, err := r.run(ctx, op, nil, args...)
	if err != nil {
		return nil, err
	}
	list, err := wholeRaw(out, gitobject.FormatOf(base.id))
	if err != nil {
		return nil, err
	}
	if len(list.unmerged) > 0 {
		return nil, unmergedError(op, list.unmerged)
	}
	for _, d := range list.deltas {
		if (d.Before.Exists() && d.Before.OID == "") || (d.After.Exists() && d.After.OID == "") {
			return nil, fmt.Errorf("could not %s: git gives no object id for %q", op, d.Path)
		}
	}
	return list.deltas, nil
}

// wholeRaw is parseRaw for an output that holds nothing else.
func wholeRaw(out []byte, h gitobject.Format) (rawList, error) {
	list, rest, err := parseRaw(out, h)
	if err == nil && len(rest) > 0 {
		err = rawError(rest)
	}
	return list, err
}

func unmergedError(op string, paths []string) error {
	slices.Sort(paths)
	var names []string
	for i, p := range slices.Compact(paths) {
		if i == 20 {
			names = append(names, "…")
			break
		}
		names = append(names, `"`+text.Escape(p)+`"`)
	}
	return &Error{Op: op, Err: fmt.Errorf("these paths are in conflict: %s", strings.Join(names, ", ")),
		Help: "resolve the conflict and stage the result with: git add -- PATH"}
}

// laid makes of deltas the entries that turn the tree they start from into the tree they lead to.
func laid(deltas []snapshot.Delta) []snapshot.Entry {
	out := make([]snapshot.Entry, len(deltas))
	for i, d := range deltas {
		out[i] = d.After
		out[i].Path = d.Path
	}
	slices.SortFunc(out, func(a, b snapshot.Entry) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// stagedParents returns the parents that a commit made now would have, none when HEAD is unborn, and the object format.
func (r *Repo) stagedParents(ctx context.Context) ([]*gitobject.Commit, gitobject.Format, error) {
	var err error
	h, head, near := r.near(ctx)
	if !near {
		r.objects.prefetch([]string{"HEAD", "HEAD^{tree}", "MERGE_HEAD"}, maxObject) // the tree is kept for the first look into it
		head, err = r.commitAt(ctx, "HEAD")
	}
	if errors.Is(err, snapshot.ErrNoObject) {
		format, err := r.unborn(ctx)
		return nil, format, err
	}
	if err != nil {
		return nil, 0, err
	}
	parents := []*gitobject.Commit{head}
	var names []string
	if !near || h.merging() {
		names, err = r.mergeHeads(ctx)
	}
	if err == nil && len(names) == 0 {
		names, err = r.announcedHeads(ctx)
	}
	if err != nil {
		return nil, 0, err
	}
	for _, name := range names {
		if slices.ContainsFunc(parents, func(c *gitobject.Commit) bool { return c.ID == name }) {
			continue
		}
		c, err := r.commitAt(ctx, name)
		if err != nil {
			return nil, 0, err
		}
		parents = append(parents, c)
	}
	return parents, gitobject.FormatOf(head.ID), nil
}

// mergeHeads returns the ids of the commits that are being merged, as they stand in the file MERGE_HEAD between a merge and its
// commit.
func (r *Repo) mergeHeads(ctx context.Context) ([]string, error) {
	_, err := r.commitAt(ctx, "MERGE_HEAD")
	switch {
	case err == nil:
		return r.readMergeHead(ctx)
	case !errors.As(err, &unknownName{}):
		return nil, err
	}
	return nil, r.refuseMergeHead()
}

// announcedHeads returns the ids of the commits that are being merged where the file MERGE_HEAD is not written yet: the hook
// of a merge without conflicts has them in its environment.
func (r *Repo) announcedHeads(ctx context.Context) ([]string, error) {
	var names []string
	for _, kv := range r.raw {
		name, _, _ := strings.Cut(kv, "=")
		oid, ok := strings.CutPrefix(name, mergeHeadPrefix)
		if !ok || !gitobject.IsID(oid) {
			continue
		}
		// An id that is no commit here was exported about another repository.
		switch _, err := r.commitAt(ctx, oid); {
		case err == nil:
			names = append(names, oid)
		case !errors.Is(err, snapshot.ErrNoObject):
			return nil, err
		}
	}
	return names, nil
}

// readMergeHead reads the file MERGE_HEAD, which has a line for each parent but the first. It is not there when a branch
// or a tag has that name.
func (r *Repo) readMergeHead(ctx context.Context) ([]string, error) {
	path, err := r.GitPath(ctx, "MERGE_HEAD")
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("could not read what is merged: %w", err)
	}
	var names []string
	for line := range bytes.Lines(data) {
		name := strings.TrimSpace(string(line))
		if !gitobject.IsID(name) {
			return nil, fmt.Errorf("could not read what is merged: %q in %s is no object id", name, path)
		}
		names = append(names, name)
	}
	return names, nil
}

// unborn makes sure that HEAD cannot be read because it names a branch without commits, and not because it is broken. It
// returns the object format.
func (r *Repo) unborn(ctx context.Context) (gitobject.Format, error) {
	const op = "read HEAD"
	out, err := r.run(ctx, op, nil, "symbolic-ref", "HEAD")
	if err != nil {
		return 0, err
	}
	name := strings.TrimSpace(string(out))
	args := []string{"for-each-ref", "--format=%(refname)", name}
	cmd := append(plain(), args...)
	out, stderr, _, err := r.both(ctx, op, nil, cmd, 0)
	if err != nil {
		return 0, err
	}
	if strings.Contains(stderr, "broken ref") || slices.Contains(strings.Fields(string(out)), name) {
		return 0, &Error{Op: op, Args: args, ExitCode: 0, Stderr: strings.TrimSpace(stderr), Help: "look for damage with: git fsck --full",
			Err: fmt.Errorf("%q does not lead to a commit", name)}
	}
	return r.objectFormat(ctx)
}

// objectFormat asks for the format of the repository's ids.
func (r *Repo) objectFormat(ctx context.Context) (gitobject.Format, error) {
	return r.format.get(func() (gitobject.Format, error) {
		out, err := r.run(ctx, "ask for the object format", nil, "rev-parse", "--show-object-format")
		if err != nil {
			return 0, err
		}
		switch s := strings.TrimSpace(string(out)); s {
		case "sha1":
			return gitobject.SHA1, nil
		case "sha256":
			return gitobject.SHA256, nil
		default:
			return 0, fmt.Errorf("could not ask for the object format: git says %q", s)
		}
	})
}

// mergeLists returns the differences of the index from each of parents; deltas are those from the first. The other
// parents are compared with the first one's tree, not with the index, which may have changed since it was listed.
func (r *Repo) mergeLists(ctx context.Context, parents []*gitobject.Commit, deltas []snapshot.Delta) ([][]snapshot.Delta, error) {
	pairs := make([]pair, 0, len(parents)-1)
	for _, p := range parents[1:] {
		pairs = append(pairs, pair{p.Tree, parents[0].Tree})
	}
	toFirst, err := r.diffTrees(ctx, pairs)
	if err != nil {
		return nil, err
	}
	lists := [][]snapshot.Delta{deltas}
	for _, list := range toFirst {
		lists = append(lists, compose(list, deltas))
	}
	return lists, nil
}

// compose joins the differences from a to b and from b to c to those from a to c.
func compose(first, second []snapshot.Delta) []snapshot.Delta {
	later := make(map[string]snapshot.Delta, len(second))
	for _, d := range second {
		later[d.Path] = d
	}
	var out []snapshot.Delta
	for _, d := range first {
		if l, ok := later[d.Path]; ok {
			d.After = l.After
			delete(later, d.Path)
		}
		if !d.Before.Same(d.After) {
			out = append(out, d)
		}
	}
	for _, d := range second {
		if _, ok := later[d.Path]; ok {
			out = append(out, d)
		}
	}
	return out
}

// unpublished makes Change.Unpublished for a change on top of head.
func (r *Repo) unpublished(head *gitobject.Commit) func(context.Context) (bool, []snapshot.Tree, error) {
	return func(ctx context.Context) (bool, []snapshot.Tree, error) {
		const op = "ask whether HEAD is published"
		out, err := r.run(ctx, op, nil, "for-each-ref", "--count=1", "--format=%(refname)", "refs/remotes")
		if err != nil || len(out) == 0 {
			return false, nil, err
		}
		out, err = r.run(ctx, op, nil, "rev-list", "--max-count=1", head.ID, "--not", "--remotes")
		if err != nil || len(out) == 0 {
			return false, nil, err
		}
		parents, missing, err := r.parents(ctx, head)
		if err != nil || missing != "" {
			return false, nil, err // what cannot be seen counts as published
		}
		return true, parents, nil
	}
}
