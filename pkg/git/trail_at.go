package git

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/seed-4419f9ca/forge/pkg/gitobject"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// A commitCache keeps the trees of commits by the ids that were asked for; nil for an id that leads to no commit.
type commitCache struct {
	mu    sync.Mutex
	found map[string]*tree
}

// forget lets go of all answers, after more has been fetched.
func (c *commitCache) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.found = nil
}

// at implements Change.At.
func (r *Repo) at(ctx context.Context, ids []string) ([]snapshot.Tree, error) {
	c := &r.trees.commits
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.found == nil {
		c.found = map[string]*tree{}
	}
	var fresh []string
	for _, id := range ids {
		id = strings.ToLower(id)
		if _, known := c.found[id]; !known && isShortID(id) && !slices.Contains(fresh, id) {
			fresh = append(fresh, id)
		}
	}
	if err := r.name(ctx, fresh, c.found); err != nil {
		return nil, err
	}
	out := make([]snapshot.Tree, len(ids))
	for i, id := range ids {
		if t := c.found[strings.ToLower(id)]; t != nil {
			out[i] = t
		}
	}
	return out, nil
}

// isShortID reports whether s is an object id of any format, or as much of one as git takes for an abbreviation.
func isShortID(s string) bool {
	return len(s) >= 4 && len(s) <= 2*int(gitobject.SHA256) && strings.Trim(s, "0123456789abcdef") == ""
}

// name finds the commits of ids and puts their trees into found. Most are answered by the process that reads objects; what
// that does not know, or seems to take for something else, is looked at again.
func (r *Repo) name(ctx context.Context, ids []string, found map[string]*tree) error {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = spell(id)
	}
	r.objects.prefetch(names, maxObject)
	var doubtful []string
	for i, id := range ids {
		o, err := r.objects.get(ctx, names[i], maxObject)
		switch {
		case errors.As(err, &unknownName{}):
			doubtful = append(doubtful, id)
		case err != nil:
			return fmt.Errorf("could not find commit %q: %w", id, err)
		case o.kind != "commit" || !strings.HasPrefix(o.oid, id):
			doubtful = append(doubtful, id)
		default:
			c, err := gitobject.ParseCommit(o.oid, o.data)
			if err != nil {
				return fmt.Errorf("could not find commit %q: %w", id, err)
			}
			found[id] = r.treeOf(c)
		}
	}
	for list := range slices.Chunk(doubtful, maxDoubtful) {
		if err := r.settle(ctx, list, found); err != nil {
			return err
		}
	}
	return nil
}

// spell returns a name for the commit with the id or abbreviation id. An abbreviation alone would be a branch or a tag of
// that name to git, before it is an id; what git describe prints is nearly never one, and stands for the one commit whose
// id begins like that, whatever other objects do.
func spell(id string) string {
	if gitobject.IsID(id) {
		return id + "^{commit}"
	}
	return "forge-0-g" + id + "^{commit}"
}

// maxDoubtful is the number of ids that one process is asked about.
const maxDoubtful = 400

// maxGlance is the size in bytes up to which the content of an object is taken whose kind is asked for.
const maxGlance = 64 << 10

// settle finds the commits of ids without the help of names: git lists all objects whose ids begin like them. Those that
// are neither commits nor tags of one do not count. That an object is listed and cannot be read is an error.
func (r *Repo) settle(ctx context.Context, ids []string, found map[string]*tree) error {
	const op = "list the objects of abbreviated ids"
	args := []string{"rev-parse"}
	for _, id := range ids {
		args = append(args, "--disambiguate="+id)
	}
	out, err := r.run(ctx, op, nil, args...)
	if err != nil {
		return err
	}
	objects := strings.Fields(string(out))
	slices.Sort(objects)
	objects = slices.Compact(objects)
	if i := slices.IndexFunc(objects, func(o string) bool { return !gitobject.IsID(o) }); i >= 0 {
		return fmt.Errorf("could not %s: git prints %q", op, objects[i])
	}
	r.objects.prefetch(objects, maxGlance)
	for _, id := range ids {
		from, _ := slices.BinarySearch(objects, id)
		var commits []*gitobject.Commit
		for _, oid := range objects[from:] {
			if !strings.HasPrefix(oid, id) {
				break
			}
			c, err := r.commitOrNone(ctx, oid)
			if err != nil {
				return fmt.Errorf("could not find commit %q: %w", id, err)
			}
			if c != nil {
				commits = append(commits, c)
			}
		}
		found[id] = nil
		if len(commits) == 1 {
			found[id] = r.treeOf(commits[0])
		}
	}
	return nil
}

// commitOrNone returns the commit that the object oid is or tags; nil for other objects.
func (r *Repo) commitOrNone(ctx context.Context, oid string) (*gitobject.Commit, error) {
	o, err := r.objects.get(ctx, oid, maxGlance)
	if err != nil || (o.kind != "commit" && o.kind != "tag") {
		return nil, err
	}
	return r.pushedCommit(ctx, oid)
}
