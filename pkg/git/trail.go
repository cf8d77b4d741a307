package git

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/seed-4419f9ca/forge/pkg/gitobject"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// follow fills in what can be asked about the history of c's after tree, which begins at the commits tips: that commit
// itself, or the parents of an index or a working tree. Nothing is read before somebody asks.
func (r *Repo) follow(c *snapshot.Change, tips ...string) {
	c.At = r.at
	c.Trail = r.trail(tips)
	c.Renamed = r.renamed(c.After.(*tree))
}

// A memo works out one value for each key, the first time it is asked for; an error is not kept.
type memo[T any] struct {
	mu    sync.Mutex
	known map[string]*once[T]
}

func (m *memo[T]) get(key string, make func() (T, error)) (T, error) {
	m.mu.Lock()
	if m.known == nil {
		m.known = map[string]*once[T]{}
	}
	o := m.known[key]
	if o == nil {
		o = &once[T]{}
		m.known[key] = o
	}
	m.mu.Unlock()
	return o.get(make)
}

// trail makes Change.Trail for the history of tips; without any the trail is empty. Callers share the answer and must not
// change it.
func (r *Repo) trail(tips []string) func(context.Context, []string) ([]snapshot.Mark, error) {
	var answers memo[[]snapshot.Mark]
	return func(ctx context.Context, dirs []string) ([]snapshot.Mark, error) {
		dirs = outermost(dirs)
		if len(tips) == 0 || len(dirs) == 0 {
			return nil, nil
		}
		return answers.get(strings.Join(dirs, "\x00"), func() ([]snapshot.Mark, error) { return r.marks(ctx, tips, dirs) })
	}
}

// outermost sorts dirs and takes away those that lie below another one.
func outermost(dirs []string) []string {
	sorted := make([]string, len(dirs))
	for i, dir := range dirs {
		sorted[i] = strings.Trim(dir, "/")
	}
	slices.Sort(sorted)
	var out []string
	kept := map[string]bool{}
	for _, dir := range slices.Compact(sorted) {
		if !below(dir, kept) {
			kept[dir] = true
			out = append(out, dir)
		}
	}
	return out
}

// below reports whether dir lies below one of the folders kept.
func below(dir string, kept map[string]bool) bool {
	if dir != "" && kept[""] {
		return true
	}
	for i := range len(dir) {
		if dir[i] == '/' && kept[dir[:i]] {
			return true
		}
	}
	return false
}

// A link is a commit with its parents as git's walk sees them: a shallow boundary takes them away.
type link struct {
	oid     string
	parents []string
}

// marks lists the trail in two processes: one walks the history and lets git leave out what does not touch dirs, the other
// compares what is left with its parents, one by one. A merge that took everything below dirs from one side stands in the
// trail too, with an empty list for that side.
func (r *Repo) marks(ctx context.Context, tips, dirs []string) ([]snapshot.Mark, error) {
	links, err := r.walkBack(ctx, tips, dirs)
	if err != nil || len(links) == 0 {
		return nil, err
	}
	marks, err := r.compareLinks(ctx, links, dirs)
	if err != nil {
		return nil, err
	}
	var roots []string
	for _, l := range links {
		if len(l.parents) == 0 {
			roots = append(roots, l.oid)
		}
	}
	r.objects.prefetch(roots, maxObject)
	for i, l := range links {
		if len(l.parents) > 0 {
			continue
		}
		// The commit itself names its parents, whatever the boundary hides.
		c, err := r.commitAt(ctx, l.oid)
		if err != nil {
			return nil, err
		}
		marks[i].Cut = len(c.Parents) > 0
	}
	return marks, nil
}

// walkBack lists the commits before and at tips that differ from a parent below dirs, children before parents.
func (r *Repo) walkBack(ctx context.Context, tips, dirs []string) ([]link, error) {
	const op = "list the commits that changed files"
	args := append([]string{"rev-list", "--topo-order", "--full-history", "--format=%H %P"}, tips...)
	out, err := r.ownPaths().run(ctx, op, nil, append(args, fromTop(dirs)...)...)
	if err != nil {
		return nil, err
	}
	var links []link
	for line := range strings.Lines(string(out)) {
		names := strings.Fields(line)
		if len(names) == 2 && names[0] == "commit" {
			continue // the heading that git puts before each answer
		}
		if len(names) == 0 || slices.ContainsFunc(names, func(n string) bool { return !gitobject.IsID(n) }) {
			return nil, fmt.Errorf("could not %s: git prints %q", op, line)
		}
		links = append(links, link{names[0], names[1:]})
	}
	return links, nil
}

// compareLinks makes the mark of each link, as far as the lists say it. A line "commit parent" makes git compare with that
// parent only; a commit alone here is one without parents.
func (r *Repo) compareLinks(ctx context.Context, links []link, dirs []string) ([]snapshot.Mark, error) {
	const op = "list what commits changed"
	var in bytes.Buffer
	for _, l := range links {
		for _, p := range l.parents {
			in.WriteString(l.oid + " " + p + "\n")
		}
		if len(l.parents) == 0 {
			in.WriteString(l.oid + "\n")
		}
	}
	args := []string{"diff-tree", "--stdin", "--always", "--root", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", "--ignore-submodules=none"}
	out, err := r.ownPaths().run(ctx, op, in.Bytes(), append(args, fromTop(dirs)...)...)
	if err != nil {
		return nil, err
	}
	marks := make([]snapshot.Mark, len(links))
	for i, l := range links {
		marks[i] = snapshot.Mark{OID: l.oid, Deltas: make([][]snapshot.Delta, max(1, len(l.parents)))}
		for k := range marks[i].Deltas {
			rest, ok := bytes.CutPrefix(out, []byte(l.oid+"\x00"))
			if !ok {
				return nil, fmt.Errorf("could not %s: git does not answer for %s", op, l.oid)
			}
			list, rest, err := parseRaw(rest, gitobject.FormatOf(l.oid))
			if err != nil {
				return nil, err
			}
			marks[i].Deltas[k], out = list.deltas, rest
		}
	}
	if len(out) > 0 {
		return nil, rawError(out)
	}
	return marks, nil
}

// ownPaths returns a Repo whose children take paths as fromTop writes them.
func (r *Repo) ownPaths() *Repo {
	return &Repo{ctx: r.ctx, program: r.program, dir: r.dir, env: slices.DeleteFunc(slices.Clone(r.env), func(kv string) bool {
		return strings.HasPrefix(kv, "GIT_LITERAL_PATHSPECS=")
	})}
}

// fromTop returns the arguments that limit a command to dirs, seen from the root wherever git is started, and no patterns.
func fromTop(dirs []string) []string {
	args := []string{"--"}
	for _, dir := range dirs {
		args = append(args, ":(top,literal)"+dir)
	}
	return args
}
