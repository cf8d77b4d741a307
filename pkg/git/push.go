package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/gitobject"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// A refUpdate is one line that git gives to a hook about a push. Ids of zeros stand for a ref that is not there.
type refUpdate struct {
	ref      string // the ref that changes, as the receiving side calls it
	old, new string
}

// parsePush reads pre-push lines: "<local ref> <local id> <remote ref> <remote id>". The local ref may be any expression,
// spaces included.
func parsePush(data []byte) ([]refUpdate, error) {
	return parseUpdates(data, func(f []string) (refUpdate, bool) {
		n := len(f)
		if n < 4 {
			return refUpdate{}, false
		}
		return refUpdate{ref: f[n-2], old: f[n-1], new: f[n-3]}, true
	})
}

// parseReceive reads pre-receive lines: "<old id> <new id> <ref>".
func parseReceive(data []byte) ([]refUpdate, error) {
	return parseUpdates(data, func(f []string) (refUpdate, bool) {
		if len(f) != 3 {
			return refUpdate{}, false
		}
		return refUpdate{ref: f[2], old: f[0], new: f[1]}, true
	})
}

func parseUpdates(data []byte, read func(fields []string) (refUpdate, bool)) ([]refUpdate, error) {
	var out []refUpdate
	for line := range bytes.Lines(data) {
		s := strings.TrimSuffix(strings.TrimSuffix(string(line), "\n"), "\r")
		if s == "" {
			continue
		}
		u, ok := read(strings.Split(s, " "))
		if !ok || u.ref == "" || !gitobject.IsID(u.old) || !gitobject.IsID(u.new) || len(u.old) != len(u.new) {
			return nil, fmt.Errorf("could not read what is pushed: line %q is not understood", s)
		}
		out = append(out, u)
	}
	return out, nil
}

// maxUpdates bounds, in bytes, what is read from a hook's standard input.
const maxUpdates = 256 << 20

// readUpdates reads a hook's standard input to its end: git fails when nobody takes all of it.
func readUpdates(stdin io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(stdin, maxUpdates+1))
	if err == nil && len(data) > maxUpdates {
		err = fmt.Errorf("it has more than %d bytes", maxUpdates)
	}
	if err != nil {
		return nil, fmt.Errorf("could not read what is pushed: %w", err)
	}
	return data, nil
}

// PrePush returns a change for each line of a pre-push hook that brings commits the remote does not have; deletions, and
// refs whose commits are all there already, bring none. remote is the name that git gives to the hook; "" or an address
// stands for all remotes. A change leads from what the remote has to the pushed commit: from the ref's own commit there
// when the push only adds to it, else from where the new commits begin. When those begin at several published commits,
// Before holds each of them, as for a merge. Where nothing is published it holds the empty tree.
func (r *Repo) PrePush(ctx context.Context, remote string, stdin io.Reader) ([]*snapshot.Change, error) {
	data, err := readUpdates(stdin)
	if err != nil {
		return nil, err
	}
	updates, err := parsePush(data)
	if err != nil {
		return nil, err
	}
	tips, err := r.tips(ctx, updates, true)
	if err != nil || len(tips) == 0 {
		return nil, err
	}
	published, err := r.publishedBy(ctx, remote)
	if err != nil {
		return nil, err
	}
	var without []string
	for _, t := range tips {
		if t.old != nil {
			without = append(without, "^"+t.old.ID)
		}
	}
	return r.pushed(ctx, snapshot.PrePush, tips, append(without, published...)) // "--not" turns what comes after it
}

// PreReceive returns a change for each line of a pre-receive hook, read through git's quarantine: for an updated ref from
// its old commit to the new one, or from their merge base when the update leaves the old one behind; for a new ref from
// where it leaves all existing refs. Deletions bring none, nor do new refs without a commit that is new here.
func (r *Repo) PreReceive(ctx context.Context, stdin io.Reader) ([]*snapshot.Change, error) {
	data, err := readUpdates(stdin)
	if err != nil {
		return nil, err
	}
	updates, err := parseReceive(data)
	if err != nil {
		return nil, err
	}
	tips, err := r.tips(ctx, updates, false)
	if err != nil || len(tips) == 0 {
		return nil, err
	}
	var changes []*snapshot.Change
	var fresh []tip
	for _, t := range tips {
		if t.old == nil {
			fresh = append(fresh, t)
			continue
		}
		c, err := r.updated(ctx, t)
		if err != nil {
			return nil, err
		}
		if c != nil {
			changes = append(changes, c)
		}
	}
	added, err := r.pushed(ctx, snapshot.PreReceive, fresh, []string{"--not", "--all"})
	return append(changes, added...), err
}

// A tip is a pushed commit, with the one that the ref had before, nil when there was none or it is not known here.
type tip struct {
	ref      string
	new, old *gitobject.Commit
}

// tips finds the commits of updates. Deletions are left out, and tags of things that are no commits, which hold no history.
// An old commit may be unknown here when elsewhere is set: it is what another repository has.
func (r *Repo) tips(ctx context.Context, updates []refUpdate, elsewhere bool) ([]tip, error) {
	var out []tip
	for _, u := range updates {
		if gitobject.IsZero(u.new) {
			continue
		}
		c, err := r.pushedCommit(ctx, u.new)
		if err != nil {
			return nil, fmt.Errorf("could not read what %q is set to: %w", u.ref, err)
		}
		if c == nil {
			continue
		}
		t := tip{ref: u.ref, new: c}
		if !gitobject.IsZero(u.old) {
			t.old, err = r.pushedCommit(ctx, u.old)
			if err != nil && !(elsewhere && errors.Is(err, snapshot.ErrNoObject)) {
				return nil, fmt.Errorf("could not read what %q was: %w", u.ref, err)
			}
		}
		out = append(out, t)
	}
	return out, nil
}

// pushedCommit returns the commit that an id leads to; nil when it leads to a tree or a blob.
func (r *Repo) pushedCommit(ctx context.Context, oid string) (*gitobject.Commit, error) {
	c, err := r.commitAt(ctx, oid)
	if errors.Is(err, errNoCommit) {
		return nil, nil
	}
	return c, err
}

// publishedBy returns the arguments that take away what a remote has. A name that is no remote's is an address, of which
// nothing is known: then what any remote has counts.
func (r *Repo) publishedBy(ctx context.Context, remote string) ([]string, error) {
	all := []string{"--not", "--remotes"}
	if remote == "" || strings.ContainsAny(remote, ":\\ *?[") || strings.HasPrefix(remote, "/") || strings.HasPrefix(remote, ".") {
		return all, nil
	}
	out, _, err := r.answer(ctx, "find the remote", nil, []string{"config", "--get-regexp", "-z", `^remote\..*\.(url|pushurl)$`}, 1)
	if err != nil {
		return nil, err
	}
	for entry := range strings.SplitSeq(string(out), "\x00") {
		key, _, _ := strings.Cut(entry, "\n")
		if name, ok := strings.CutPrefix(key, "remote."); ok && name[:max(0, strings.LastIndexByte(name, '.'))] == remote {
			return []string{"--not", "--remotes=" + remote}, nil
		}
	}
	return all, nil
}

// updated returns the change of a ref that had a commit before; nil when it keeps that.
func (r *Repo) updated(ctx context.Context, t tip) (*snapshot.Change, error) {
	if t.old.ID == t.new.ID {
		return nil, nil
	}
	before, note := []*gitobject.Commit{t.old}, "what "+t.ref+" was"
	bases, err := r.bases(ctx, t.old.ID, t.new.ID)
	if err != nil {
		return nil, err
	}
	switch {
	case len(bases) == 0:
		note += ", which has no common history with it"
	case bases[0].ID != t.old.ID:
		before, note = bases, "merge base with what "+t.ref+" was; the push leaves commits behind"
	}
	c, err := r.between(ctx, snapshot.PreReceive, []snapshot.Tree{r.treeOf(before[0])}, r.treeOf(t.new))
	if err != nil {
		return nil, err
	}
	for _, b := range before[1:] {
		c.Alternatives = append(c.Alternatives, r.treeOf(b))
	}
	c.Note = note
	c.Commits = r.commits(func(ctx context.Context) ([]string, error) {
		return r.revList(ctx, "", t.new.ID, "^"+t.old.ID)
	})
	return c, nil
}

// pushed returns a change for each tip that brings new commits: those that the revisions without do not reach. All tips
// are looked up in one walk.
func (r *Repo) pushed(ctx context.Context, kind snapshot.Kind, tips []tip, without []string) ([]*snapshot.Change, error) {
	if len(tips) == 0 {
		return nil, nil
	}
	var in strings.Builder
	for _, t := range tips {
		in.WriteString(t.new.ID + "\n")
	}
	names, err := r.revList(ctx, in.String(), append([]string{"--stdin"}, without...)...)
	if err != nil {
		return nil, err
	}
	g := graph{order: names, parents: make(map[string][]string, len(names))}
	r.objects.prefetch(names, maxObject)
	for _, name := range names {
		c, err := r.commitAt(ctx, name)
		if err != nil {
			return nil, err
		}
		g.parents[name] = c.Parents
	}
	var changes []*snapshot.Change
	seen := map[string]bool{}
	for _, t := range tips {
		if !g.has(t.new.ID) || seen[key(t)] {
			continue
		}
		seen[key(t)] = true
		c, err := r.pushedChange(ctx, kind, t, g)
		if err != nil {
			return nil, err
		}
		changes = append(changes, c)
	}
	return changes, nil
}

// key is the same for tips that make the same change.
func key(t tip) string {
	if t.old == nil {
		return t.new.ID
	}
	return t.old.ID + " " + t.new.ID
}

// pushedChange returns the change that t brings.
func (r *Repo) pushedChange(ctx context.Context, kind snapshot.Kind, t tip, g graph) (*snapshot.Change, error) {
	steps := g.reach(t.new.ID)
	before, missing, note, err := r.pushBase(ctx, t, g, steps)
	if err != nil {
		return nil, err
	}
	c, err := r.between(ctx, kind, before, r.treeOf(t.new))
	if err != nil {
		return nil, err
	}
	r.describe(c, missing)
	c.Note = note
	c.Commits = r.commits(func(context.Context) ([]string, error) { return steps, nil })
	return c, nil
}

// pushBase finds the trees that a pushed commit is compared with.
func (r *Repo) pushBase(ctx context.Context, t tip, g graph, steps []string) (before []snapshot.Tree, missing, note string, err error) {
	edge := g.edge(steps)
	if t.old != nil {
		adds, err := r.contains(ctx, t, edge)
		if err != nil {
			return nil, "", "", err
		}
		if adds {
			return []snapshot.Tree{r.treeOf(t.old)}, "", "what the remote has of " + t.ref, nil
		}
	}
	var known []string
	for _, name := range edge {
		switch _, err := r.commitAt(ctx, name); {
		case err == nil:
			known = append(known, name)
		case !errors.Is(err, snapshot.ErrNoObject):
			return nil, "", "", err
		default:
			shallow, shallowErr := r.shallow(ctx)
			if shallowErr != nil || !shallow {
				return nil, "", "", errors.Join(err, shallowErr)
			}
			missing = fmt.Sprintf("commit %s, on which %q builds, is not in this shallow clone; fetch it with: %s", name[:12], t.ref, deepen)
		}
	}
	if len(edge) == 0 {
		return []snapshot.Tree{r.empty(gitobject.FormatOf(t.new.ID))}, "", "nothing of " + t.ref + " is published", nil
	}
	if known, err = r.independent(ctx, known); err != nil {
		return nil, "", "", err
	}
	var names []*gitobject.Commit
	for _, name := range known {
		c, err := r.commitAt(ctx, name)
		if err != nil {
			return nil, "", "", err
		}
		names = append(names, c)
		before = append(before, r.treeOf(c))
	}
	if len(names) > 0 {
		note = "where " + t.ref + " leaves what is published, at " + short(names)
	}
	return before, missing, note, nil
}

// contains reports whether t's new commit has its old one among its ancestors. edge are the published commits that the
// new ones build on.
func (r *Repo) contains(ctx context.Context, t tip, edge []string) (bool, error) {
	if slices.Contains(edge, t.old.ID) {
		return true, nil
	}
	return r.isAncestor(ctx, t.old.ID, t.new.ID)
}

// independent takes away those commits that others among them contain, and keeps the order.
func (r *Repo) independent(ctx context.Context, names []string) ([]string, error) {
	if len(names) < 2 {
		return names, nil
	}
	out, err := r.run(ctx, "compare published commits", nil, append([]string{"merge-base", "--independent"}, names...)...)
	if err != nil {
		return nil, err
	}
	heads := strings.Fields(string(out))
	kept := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return !slices.Contains(heads, n) })
	if len(kept) == 0 {
		return nil, fmt.Errorf("could not compare published commits: git prints %q", out)
	}
	return kept, nil
}
