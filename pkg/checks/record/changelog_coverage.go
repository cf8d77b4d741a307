package record

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/seed-4419f9ca/forge/pkg/changelog"
	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/facts"
	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/glob"
	"github.com/seed-4419f9ca/forge/pkg/layer"
	"github.com/seed-4419f9ca/forge/pkg/manifest"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// ChangelogCoverage checks that a change of governed documents is told by a new entry of the changelog (chapter 5.3).
var ChangelogCoverage = &check.Check{
	ID:      "changelog-coverage",
	Program: check.GuardProgram,
	Title:   "Every governed document that changes is covered by a new entry of the changelog.",
	Why: "A changelog that lacks a change is worse than none: who reads it believes to be up to date. Which documents count is what the index " +
		"files of the layer say, before the change and after it, so that a document cannot leave the layer unnoticed either.",
	Since:  "0.1.0",
	Levels: check.Levels{PreCommit: finding.Flag, PrePush: finding.Fail, CI: finding.Fail},
	Codes: []check.Code{
		{Slug: slugUncovered, Level: finding.Fail, Title: "A governed document changes, and no new entry of the changelog covers it.",
			Help: "Add an entry that names the document, or the folder that it lies in: `forge-guard changelog add --type changed --summary \"…\" --path PATH`."},
	},
	Run: runCoverage,
}

const slugUncovered = "uncovered"

func runCoverage(ctx context.Context, p *check.Pass) error {
	c, err := newCoverage(ctx, p)
	if err != nil {
		return err
	}
	used, err := c.load()
	if err != nil {
		return p.SkipTooLarge(err)
	}
	if !used {
		p.Skip(check.NotUsed)
		return nil
	}
	if p.Change.Missing != "" {
		if p.Stage.Hosted() {
			return fmt.Errorf("could not find out which documents changed: %s", p.Change.Missing)
		}
		p.Skip(p.Change.Missing)
		if len(p.Change.Before) == 0 {
			return nil
		}
	}
	changed, err := c.changed()
	if err != nil {
		return p.SkipTooLarge(err)
	}
	if len(changed) == 0 {
		return nil
	}
	covers, err := c.added()
	if err != nil {
		return p.SkipTooLarge(err)
	}
	for _, f := range changed {
		if !covers(f) {
			c.report(f)
		}
	}
	return nil
}

// A coverage is one pass of the check.
type coverage struct {
	ctx  context.Context
	pass *check.Pass
	logs *changelogs
	// now and before say which documents are governed in each version.
	now    governed
	before []governed
}

// governed says whether the document at path is governed in one version; it asks the index files when first needed.
type governed func(path string) (bool, error)

func newCoverage(ctx context.Context, p *check.Pass) (*coverage, error) {
	logs, err := newChangelogs(ctx, p)
	return &coverage{ctx: ctx, pass: p, logs: logs}, err
}

// load finds out what governs documents: the layer of each version, or without any the configuration. It reports whether
// anything does.
func (c *coverage) load() (bool, error) {
	trees := append([]snapshot.Tree{c.pass.Change.After}, c.pass.Change.Before...)
	found := make([]layer.Found, len(trees))
	any := false
	for i, tree := range trees {
		var err error
		if found[i], err = c.logs.manifest(tree); err != nil {
			return false, err
		}
		any = any || found[i].Manifest != nil || found[i].Unreadable != nil
	}
	if !any {
		return c.byConfiguration()
	}
	for i, tree := range trees {
		g := c.byLayer(tree, found[i], i == 0)
		if i == 0 {
			c.now = g
		} else {
			c.before = append(c.before, g)
		}
	}
	return true, nil
}

// byConfiguration takes the globs of layer.governed, which hold for every version.
func (c *coverage) byConfiguration() (bool, error) {
	if c.pass.Config.Layer == nil || len(c.pass.Config.Layer.Governed) == 0 {
		return false, nil
	}
	set, err := glob.CompileSet(c.pass.Config.Layer.Governed)
	if err != nil {
		return false, fmt.Errorf("could not read layer.governed: %w", err)
	}
	c.now = func(path string) (bool, error) { return len(set.Find(path)) > 0, nil }
	for range c.pass.Change.Before {
		c.before = append(c.before, c.now)
	}
	return true, nil
}

type indexKey struct{ tree string }

// byLayer asks the index files of one version. Where the manifest, or what it says, cannot be read, nothing is known, and
// the pass says so.
func (c *coverage) byLayer(tree snapshot.Tree, m layer.Found, after bool) governed {
	which := "before the change"
	if after {
		which = "after the change"
	}
	unknown := func(u *manifest.Unreadable) governed {
		return func(path string) (bool, error) {
			if !mayBeDocument(path) {
				return false, nil
			}
			c.pass.Skip(fmt.Sprintf("%q cannot be read, so nobody knows which documents it governs %s: %s", manifest.Path, which, u.Reason))
			return false, nil
		}
	}
	switch {
	case m.Unreadable != nil:
		return unknown(m.Unreadable)
	case m.Manifest == nil:
		return func(string) (bool, error) { return false, nil }
	case m.Manifest.Ungoverned != nil:
		return unknown(m.Manifest.Ungoverned)
	}
	return func(path string) (bool, error) {
		if !mayBeDocument(path) {
			return false, nil
		}
		x, err := facts.Memo(c.pass.Facts, indexKey{tree.ID()}, func() (*layer.Index, error) {
			return layer.Load(c.ctx, tree, m.Manifest, c.pass.Config.Limits.File)
		})
		if err != nil {
			return false, err
		}
		_, _, ok := x.Assign(path)
		return ok, nil
	}
}

// mayBeDocument reports whether a layer can govern path at all, so that a change of code alone reads no index file.
func mayBeDocument(path string) bool { return strings.HasSuffix(path, ".md") }

// changed returns the governed documents that the change adds, edits, renames or removes. In a merge those count that
// differ from every parent: the others were judged in the branch that they come from.
func (c *coverage) changed() ([]*snapshot.File, error) {
	var out []*snapshot.File
	for i := range c.pass.Files {
		f := &c.pass.Files[i]
		if !touched(f) {
			continue
		}
		is, err := c.governs(f)
		if err != nil {
			return nil, err
		}
		if is {
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(a, b *snapshot.File) int { return strings.Compare(a.Path, b.Path) })
	return out, nil
}

// touched reports whether f has another content, or another type, than in every parent. Permission bits say nothing about
// a document.
func touched(f *snapshot.File) bool {
	for _, b := range f.Before {
		if b.Exists() == f.After.Exists() && b.OID == f.After.OID && b.Mode.IsFile() == f.After.Mode.IsFile() {
			return false
		}
	}
	return len(f.Before) > 0
}

// governs reports whether f is a governed document after the change, or was one before it.
func (c *coverage) governs(f *snapshot.File) (bool, error) {
	if f.After.Mode.IsFile() {
		if ok, err := c.now(f.Path); ok || err != nil {
			return ok, err
		}
	}
	for i, b := range f.Before {
		if !b.Mode.IsFile() {
			continue
		}
		if ok, err := c.before[i](f.Path); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

// added returns a function that says whether entries that the change adds cover a document. With several parents it does
// when they do against each of them.
func (c *coverage) added() (func(*snapshot.File) bool, error) {
	targets, err := c.logs.find()
	if err != nil {
		return nil, err
	}
	c.logs.prefetch(targets)
	fresh := make([]changelog.Reach, len(c.pass.Change.Before)) // of the new entries, by parent
	for i := range targets {
		t := &targets[i]
		if !t.after.Mode.IsFile() {
			continue
		}
		differs, _ := t.differs()
		if !differs {
			continue
		}
		after, err := c.logs.doc(c.pass.Change.After, t.after)
		if err != nil {
			return nil, err
		}
		for k, tree := range c.pass.Change.Before {
			old, err := c.published(tree, t.before[k])
			if err != nil {
				return nil, err
			}
			for n := range after.Entries {
				if e := &after.Entries[n]; e.ID != "" && !old[e.ID] {
					fresh[k].Add(e.Paths()...)
				}
			}
		}
	}
	return func(f *snapshot.File) bool {
		for i := range fresh {
			if !fresh[i].Covers(f.Path) {
				return false
			}
		}
		return true
	}, nil
}

// published returns the ids that the changelog of one parent has.
func (c *coverage) published(tree snapshot.Tree, b placed) (map[string]bool, error) {
	if !b.entry.Mode.IsFile() {
		return nil, nil
	}
	d, err := c.logs.doc(tree, b.entry)
	if err != nil {
		return nil, err
	}
	return d.IDs(), nil
}

func (c *coverage) report(f *snapshot.File) {
	what, kind, anchor := "changes", "changed", string(f.After.OID)
	switch {
	case f.Removed() && f.To != "":
		what, kind, anchor = fmt.Sprintf("is renamed to %q", f.To), "changed", "renamed"
	case f.Removed():
		what, kind, anchor = "is removed", "removed", "removed"
	case f.From != "":
		what = fmt.Sprintf("comes from %q", f.From)
	case f.Added():
		what, kind = "is new", "added"
	}
	r := c.pass.Reportf(slugUncovered, f.Path, "the governed document %q %s, and no new entry of the changelog covers it", f.Path, what)
	r.Anchor = anchor
	if f.Removed() {
		r.Side = finding.Before
	}
	where := f.Path
	for !utf8.ValidString(where) {
		where = path.Dir(where)
	}
	r.Help = fmt.Sprintf("Add an entry: `forge-guard changelog add --type %s --summary \"…\" --path %s`.", kind, shellWord(where))
}

// shellWord quotes s for a shell where that is needed.
func shellWord(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-") == "" && s[0] != '-' {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
