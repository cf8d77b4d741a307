package record

import (
	"context"
	"fmt"

	"github.com/seed-4419f9ca/forge/pkg/changelog"
	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/facts"
	"github.com/seed-4419f9ca/forge/pkg/glob"
	"github.com/seed-4419f9ca/forge/pkg/layer"
	"github.com/seed-4419f9ca/forge/pkg/manifest"
	"github.com/seed-4419f9ca/forge/pkg/published"
	"github.com/seed-4419f9ca/forge/pkg/record"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// changelogs judges the changelogs of one pass.
type changelogs struct {
	ctx  context.Context
	pass *check.Pass
	set  *glob.Set // paths of configured records of the shape entries
	docs *docCache
}

func newChangelogs(ctx context.Context, p *check.Pass) (*changelogs, error) {
	var patterns []string
	for i := range p.Config.Records {
		if row := &p.Config.Records[i]; row.Shape == string(record.Entries) {
			patterns = append(patterns, row.Paths...)
		}
	}
	set, err := glob.CompileSet(patterns)
	if err != nil {
		return nil, fmt.Errorf("could not read the paths of records: %w", err)
	}
	docs, err := facts.Memo(p.Facts, docCacheKey{}, func() (*docCache, error) { return &docCache{}, nil })
	return &changelogs{ctx: ctx, pass: p, set: set, docs: docs}, err
}

func (l *changelogs) limit() int64 { return l.pass.Config.Limits.File }

// configured reports whether path is a record of the shape entries by the configuration.
func (l *changelogs) configured(path string) bool { return len(l.set.Find(path)) > 0 }

// A changelogTarget is one changelog in all versions of a change.
type changelogTarget struct {
	path   string // in the version after
	after  snapshot.Entry
	before []placed // by parent
	to     string   // where it went, when it is gone under its path
	// at finds the changelog in any tree.
	at func(snapshot.Tree) (placed, error)
}

// A placed changelog is that of one tree.
type placed struct {
	entry snapshot.Entry
	// hidden says why nobody knows where the changelog of the tree lies; nil when that is known.
	hidden *manifest.Unreadable
}

// differs reports whether the version after differs from that of any parent, and whether from that of every one.
func (t *changelogTarget) differs() (any, all bool) {
	all = true
	for _, b := range t.before {
		same := b.entry.Mode.IsFile() && b.entry.OID == t.after.OID
		any = any || !same
		all = all && !same
	}
	return any || len(t.before) == 0, all
}

// find returns the changelogs that the change may concern: that of the layer, and configured ones among the files.
func (l *changelogs) find() ([]changelogTarget, error) {
	var out []changelogTarget
	t, err := l.ofLayer(l.pass.Change)
	if err != nil {
		return nil, err
	}
	taken, left := "", map[string]bool{}
	if t != nil {
		taken = t.path
		for _, b := range t.before {
			left[b.entry.Path] = true
		}
		if !l.pass.Ignored(t.path) {
			out = append(out, *t)
		}
	}
	for i := range l.pass.Files {
		f := &l.pass.Files[i]
		if !l.configured(f.Path) || f.Path == taken {
			continue
		}
		if f.Removed() && (left[f.Path] || l.followed(f.To, taken)) {
			continue
		}
		t := changelogTarget{path: f.Path, after: f.After, to: f.To, at: func(tree snapshot.Tree) (placed, error) { return lookUp(l.ctx, tree, f.Path) }}
		for k, b := range f.Before {
			if k == 0 && !b.Exists() && f.From != "" && l.configured(f.From) {
				p, err := lookUp(l.ctx, l.pass.Change.Before[0], f.From)
				if err != nil {
					return nil, err
				}
				b = p.entry
			}
			t.before = append(t.before, placed{entry: b})
		}
		out = append(out, t)
	}
	return out, nil
}

// followed reports whether a changelog that went to another path is still kept there.
func (l *changelogs) followed(to, layers string) bool {
	return to != "" && !l.pass.Ignored(to) && (to == layers || l.configured(to) || published.InArchive(to))
}

func lookUp(ctx context.Context, tree snapshot.Tree, path string) (placed, error) {
	e, err := tree.Lookup(ctx, path)
	if err != nil {
		return placed{}, fmt.Errorf("could not look for %q: %w", path, err)
	}
	return placed{entry: e}, nil
}

// ofLayer returns the changelog of the layer in all versions of c; nil when no version has a layer with a changelog. Each
// version has its own manifest, so that moving the changelog loses nothing of it; one without a manifest takes the path
// of the others.
func (l *changelogs) ofLayer(c *snapshot.Change) (*changelogTarget, error) {
	now, err := l.manifest(c.After)
	if err != nil {
		return nil, err
	}
	path := pathIn(now)
	olds := make([]layer.Found, len(c.Before))
	for i, tree := range c.Before {
		if olds[i], err = l.manifest(tree); err != nil {
			return nil, err
		}
		if path == "" {
			path = pathIn(olds[i])
		}
	}
	if path == "" {
		return nil, nil
	}
	t := &changelogTarget{path: path}
	p, err := lookUp(l.ctx, c.After, path)
	if err != nil {
		return nil, err
	}
	t.after = p.entry
	t.at = func(tree snapshot.Tree) (placed, error) {
		m, err := l.manifest(tree)
		if err != nil {
			return placed{}, err
		}
		return l.under(tree, m, path)
	}
	there := t.after.Exists()
	for i, tree := range c.Before {
		b, err := l.under(tree, olds[i], path)
		if err != nil {
			return nil, err
		}
		t.before = append(t.before, b)
		there = there || b.entry.Exists()
	}
	if f, ok := c.File(path); ok && !t.after.Exists() {
		t.to = f.To
	}
	if !there {
		return nil, nil
	}
	return t, nil
}

// under finds the changelog of a tree with the manifest m; other is the path that holds when m cannot be read. A tree that
// has no manifest has no changelog either, unless the configuration makes it one.
func (l *changelogs) under(tree snapshot.Tree, m layer.Found, other string) (placed, error) {
	path := pathIn(m)
	switch {
	case m.Unreadable != nil:
		p, err := lookUp(l.ctx, tree, other)
		if !p.entry.Exists() {
			p.hidden = m.Unreadable
		}
		return p, err
	case path != "":
		return lookUp(l.ctx, tree, path)
	case l.configured(other):
		return lookUp(l.ctx, tree, other)
	}
	return placed{}, nil
}

// manifestFault says when the manifest of the version after cannot be read: as a finding where the change made it so, else
// as the reason why not everything was judged.
func (l *changelogs) manifestFault() error {
	c := l.pass.Change
	now, err := l.manifest(c.After)
	if err != nil || now.Unreadable == nil {
		return err
	}
	message := fmt.Sprintf("%q cannot be read, so nobody knows where the changelog lies: %s", manifest.Path, now.Unreadable.Reason)
	f, changed := c.File(manifest.Path)
	if l.pass.Step != nil || !l.pass.All && (!changed || !f.DiffersFromAll()) {
		l.pass.Skip(message)
		return nil
	}
	r := l.pass.Reportf(changelog.BadJSON, manifest.Path, "%s", message)
	r.Anchor = now.Unreadable.Reason
	if d := now.Unreadable.Doc; d != nil {
		r.Span = d.Lines().Span(now.Unreadable.Start, now.Unreadable.End)
	}
	return nil
}

// pathIn is where the changelog lies by a manifest, "" when none says that.
func pathIn(f layer.Found) string {
	if f.Manifest == nil {
		return ""
	}
	return f.Manifest.Changelog
}

type manifestKey struct{ oid snapshot.OID }

// manifest reads the manifest of a tree, each content once in a run.
func (l *changelogs) manifest(tree snapshot.Tree) (layer.Found, error) {
	e, err := tree.Lookup(l.ctx, manifest.Path)
	if err != nil {
		return layer.Found{}, fmt.Errorf("could not look for %q: %w", manifest.Path, err)
	}
	if !e.Exists() {
		return layer.Found{}, nil
	}
	return facts.Memo(l.pass.Facts, manifestKey{e.OID}, func() (layer.Found, error) {
		return layer.ReadManifest(l.ctx, tree, l.limit())
	})
}

// docCache keeps the changelogs that were parsed last: the versions of a long range do not fit into memory together.
type docCache struct {
	docs  map[snapshot.OID]*changelog.Doc
	order []snapshot.OID
}

type docCacheKey struct{}

// maxDocs is how many versions are kept.
const maxDocs = 8

// doc reads and parses one version.
func (l *changelogs) doc(tree snapshot.Tree, e snapshot.Entry) (*changelog.Doc, error) {
	if d := l.docs.docs[e.OID]; d != nil {
		return d, nil
	}
	src, err := tree.Read(l.ctx, e, l.limit())
	if err != nil {
		return nil, fmt.Errorf("could not read the changelog %q: %w", e.Path, err)
	}
	d := changelog.Parse(src)
	c := l.docs
	if len(c.order) >= maxDocs || c.docs == nil {
		if c.docs == nil {
			c.docs = map[snapshot.OID]*changelog.Doc{}
		} else {
			delete(c.docs, c.order[0])
			c.order = c.order[1:]
		}
	}
	c.docs[e.OID] = d
	c.order = append(c.order, e.OID)
	return d, nil
}
