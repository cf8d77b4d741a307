package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/seed-4419f9ca/forge/pkg/gitobject"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// A tree is a snapshot: the tree object root, with the entries of over laid on top of it. It implements snapshot.Tree.
type tree struct {
	repo *Repo
	id   string
	root string           // id of the tree object; "" for a tree without entries
	over []snapshot.Entry // sorted by path; an entry without a mode takes the path away
	disk *disk            // where entries of over have their content in a working tree, else nil
}

// treeOf returns the tree of c.
func (r *Repo) treeOf(c *gitobject.Commit) *tree { return &tree{repo: r, id: c.ID, root: c.Tree} }

// empty returns the empty tree in the format h.
func (r *Repo) empty(h gitobject.Format) *tree { return &tree{repo: r, id: h.EmptyTree()} }

// object returns the id of the tree object of a tree that nothing is laid on, that of the empty tree included.
func (t *tree) object() string {
	if t.root == "" {
		return t.id
	}
	return t.root
}

func (t *tree) ID() string { return t.id }

func comparePath(e snapshot.Entry, path string) int { return strings.Compare(e.Path, path) }

func (t *tree) Lookup(ctx context.Context, path string) (snapshot.Entry, error) {
	if i, ok := slices.BinarySearchFunc(t.over, path, comparePath); ok {
		if t.over[i].Exists() {
			return t.over[i], nil
		}
		return snapshot.Entry{}, nil
	}
	if t.root == "" || path == "" {
		return snapshot.Entry{}, nil
	}
	at := t.root
	for rest := path; ; {
		name, below, deeper := strings.Cut(rest, "/")
		entries, err := t.repo.trees.get(ctx, t.repo, at)
		if err != nil {
			return snapshot.Entry{}, fmt.Errorf("could not find %q: %w", path, err)
		}
		e := find(entries, name)
		switch {
		case deeper && e.Mode == gitobject.Folder:
			at, rest = e.ID, below
		case deeper || e.Mode == 0 || e.Mode == gitobject.Folder:
			return snapshot.Entry{}, nil
		default:
			return entryAt(path, e), nil
		}
	}
}

// find finds an entry of one tree object by its name; the zero Entry when there is none. Git sorts folders as if their
// names ended in a slash, so that searching by halves would need two tries; the lists are short.
func find(entries []gitobject.Entry, name string) gitobject.Entry {
	for _, e := range entries {
		if e.Name == name {
			return e
		}
	}
	return gitobject.Entry{}
}

// entryAt returns the entry e of a tree object as one of the snapshot.
func entryAt(path string, e gitobject.Entry) snapshot.Entry {
	return snapshot.Entry{Path: path, Mode: snapshot.Mode(e.Mode), OID: snapshot.OID(e.ID)}
}

func (t *tree) Under(ctx context.Context, dir string) ([]snapshot.Entry, error) {
	base, err := t.baseUnder(ctx, dir)
	if err != nil {
		return nil, err
	}
	lo, hi := 0, len(t.over)
	if dir != "" {
		lo, _ = slices.BinarySearchFunc(t.over, dir+"/", comparePath)
		hi, _ = slices.BinarySearchFunc(t.over, dir+"0", comparePath) // the byte after the slash
	}
	return overlay(base, t.over[lo:hi]), nil
}

// overlay lays over on base; both are sorted by path.
func overlay(base, over []snapshot.Entry) []snapshot.Entry {
	if len(over) == 0 {
		return base
	}
	out := make([]snapshot.Entry, 0, len(base)+len(over))
	for len(base) > 0 || len(over) > 0 {
		if len(over) == 0 || (len(base) > 0 && base[0].Path < over[0].Path) {
			out, base = append(out, base[0]), base[1:]
			continue
		}
		if len(base) > 0 && base[0].Path == over[0].Path {
			base = base[1:]
		}
		if over[0].Exists() {
			out = append(out, over[0])
		}
		over = over[1:]
	}
	return out
}

// baseUnder lists the entries below dir in the tree object.
func (t *tree) baseUnder(ctx context.Context, dir string) ([]snapshot.Entry, error) {
	at, prefix := t.root, ""
	if at == "" {
		return nil, nil
	}
	if dir != "" {
		for name := range strings.SplitSeq(dir, "/") {
			entries, err := t.repo.trees.get(ctx, t.repo, at)
			if err != nil {
				return nil, fmt.Errorf("could not list %q: %w", dir, err)
			}
			e := find(entries, name)
			if e.Mode != gitobject.Folder {
				return nil, nil
			}
			at = e.ID
		}
		prefix = dir + "/"
	}
	return t.repo.walk(ctx, at, prefix)
}

// maxEntries bounds what is listed: tree objects that hold one another many times can claim more files than fit anywhere.
const maxEntries = 20_000_000

// maxWalked is the number of folders from which one more process is cheaper than asking for each folder.
const maxWalked = 200

// walk lists all entries below the tree object oid, level by level so that git is asked for many objects at once.
func (r *Repo) walk(ctx context.Context, oid, prefix string) ([]snapshot.Entry, error) {
	type folder struct{ oid, prefix string }
	var out []snapshot.Entry
	walked := 0
	for level := []folder{{oid, prefix}}; len(level) > 0; {
		if walked += len(level); walked > maxWalked {
			return r.list(ctx, oid, prefix)
		}
		names := make([]string, len(level))
		for i, f := range level {
			names[i] = f.oid
		}
		r.objects.prefetch(names, maxObject)
		var next []folder
		for _, f := range level {
			entries, err := r.readTree(ctx, f.oid)
			if err != nil {
				return nil, fmt.Errorf("could not list %q: %w", f.prefix, err)
			}
			for _, e := range entries {
				if path := f.prefix + e.Name; e.Mode == gitobject.Folder {
					next = append(next, folder{e.ID, path + "/"})
				} else {
					out = append(out, entryAt(path, e))
				}
			}
		}
		level = next
	}
	slices.SortFunc(out, func(a, b snapshot.Entry) int { return strings.Compare(a.Path, b.Path) })
	return out, nil
}

// list is walk by a process of its own.
func (r *Repo) list(ctx context.Context, oid, prefix string) ([]snapshot.Entry, error) {
	out, err := r.run(ctx, fmt.Sprintf("list %q", prefix), nil, "ls-tree", "-r", "-z", "--full-tree", oid)
	if err != nil {
		return nil, err
	}
	entries, err := parseList(out, gitobject.FormatOf(oid), prefix)
	if err != nil {
		return nil, fmt.Errorf("could not list %q: %w", prefix, err)
	}
	slices.SortFunc(entries, func(a, b snapshot.Entry) int { return strings.Compare(a.Path, b.Path) })
	return entries, nil
}

// parseList reads "MODE TYPE ID<tab>PATH<nul>" lines and puts prefix before each path.
func parseList(data []byte, h gitobject.Format, prefix string) ([]snapshot.Entry, error) {
	n := bytes.Count(data, []byte{0})
	if n > maxEntries {
		return nil, fmt.Errorf("it has more than %d entries", maxEntries)
	}
	out := make([]snapshot.Entry, 0, n)
	for len(data) > 0 {
		end := bytes.IndexByte(data, 0)
		tab := bytes.IndexByte(data, '\t')
		if tab < 0 || end < tab {
			return nil, fmt.Errorf("git's line %.200q is not understood", data)
		}
		mode, rest, _ := bytes.Cut(data[:tab], []byte{' '})
		_, id, _ := bytes.Cut(rest, []byte{' '})
		e, ok := rawEntry(mode, string(id), h)
		path := prefix + string(data[tab+1:end])
		if !ok || !e.Exists() || e.OID == "" || !gitobject.ValidPath(path) {
			return nil, fmt.Errorf("git's line %q is not understood", data[:end])
		}
		e.Path = path
		out = append(out, e)
		data = data[end+1:]
	}
	return out, nil
}

func (r *Repo) readTree(ctx context.Context, oid string) ([]gitobject.Entry, error) {
	o, err := r.objects.get(ctx, oid, maxObject)
	switch {
	case err != nil:
		return nil, err
	case o.kind != "tree":
		return nil, fmt.Errorf("could not read tree %s: it is a %s", oid, o.kind)
	case over(o.size, maxObject):
		return nil, &snapshot.TooLarge{Path: oid, Size: o.size, Limit: maxObject}
	}
	return gitobject.ParseTree(oid, o.data)
}

func (t *tree) Read(ctx context.Context, e snapshot.Entry, limit int64) ([]byte, error) {
	if f, ok := t.onDisk(e); ok {
		return f.read(limit)
	}
	if err := readable(e); err != nil {
		return nil, err
	}
	o, err := t.repo.objects.get(ctx, string(e.OID), limit)
	switch {
	case err != nil:
		return nil, fmt.Errorf("could not read %q: %w", e.Path, err)
	case o.kind != "blob":
		return nil, fmt.Errorf("could not read %q: object %s is a %s", e.Path, e.OID, o.kind)
	case over(o.size, limit):
		return nil, &snapshot.TooLarge{Path: e.Path, Size: o.size, Limit: limit}
	}
	return o.data, nil
}

// readable refuses entries that have no content in this repository.
func readable(e snapshot.Entry) error {
	if !e.Mode.IsFile() && e.Mode != snapshot.Symlink {
		return fmt.Errorf("could not read %q: %w", e.Path, snapshot.ErrNoContent)
	}
	if !gitobject.IsID(string(e.OID)) {
		return fmt.Errorf("could not read %q: %q is no object id: %w", e.Path, e.OID, gitobject.ErrMalformed)
	}
	return nil
}

func (t *tree) Open(ctx context.Context, e snapshot.Entry) (io.ReadCloser, int64, error) {
	if f, ok := t.onDisk(e); ok {
		return f.open()
	}
	if err := readable(e); err != nil {
		return nil, 0, err
	}
	o, s, err := t.repo.objects.open(ctx, string(e.OID))
	switch {
	case err != nil:
		return nil, 0, fmt.Errorf("could not read %q: %w", e.Path, err)
	case o.kind != "blob":
		err := fmt.Errorf("could not read %q: object %s is a %s", e.Path, e.OID, o.kind)
		if s != nil {
			err = errors.Join(err, s.Close())
		}
		return nil, 0, err
	case s != nil:
		return s, o.size, nil
	}
	return io.NopCloser(bytes.NewReader(o.data)), o.size, nil
}

func (t *tree) Prefetch(_ context.Context, entries []snapshot.Entry, limit int64) {
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		if _, ok := t.onDisk(e); !ok && readable(e) == nil {
			names = append(names, string(e.OID))
		}
	}
	t.repo.objects.prefetch(names, limit)
}

// A treeCache keeps tree objects that lookups went through, and which trees commits were found to have.
type treeCache struct {
	commits commitCache

	mu      sync.Mutex
	entries map[string][]gitobject.Entry
	count   int
}

// maxCached is the number of entries after which a treeCache starts anew.
const maxCached = 200_000

func (c *treeCache) get(ctx context.Context, r *Repo, oid string) ([]gitobject.Entry, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if entries, ok := c.entries[oid]; ok {
		return entries, nil
	}
	entries, err := r.readTree(ctx, oid)
	if err != nil {
		return nil, err
	}
	if c.entries == nil || c.count > maxCached {
		c.entries, c.count = map[string][]gitobject.Entry{}, 0
	}
	c.entries[oid] = entries
	c.count += len(entries)
	return entries, nil
}
