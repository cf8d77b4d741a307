// Package layer is the model of a context layer: which documents its category index files govern (chapter 8.3 of the
// specification). What is wrong on the way comes out as data with its place.
package layer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/manifest"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// A Selector is one entry of an index file with the category that the file belongs to.
type Selector struct {
	IndexEntry
	Category string
	Index    string // path of the index file
}

// An Index is what the index files of one snapshot say, before it is held against the files that are there.
type Index struct {
	Manifest  *manifest.Manifest
	Selectors []Selector // categories in canonical order, then as they are written
	Faults    []Fault
	byPath    map[string][]int
}

// Load reads the index files that m maps, from the snapshot tree that m is of. limit bounds the bytes of each file; a
// larger one is an error that wraps *snapshot.TooLarge.
func Load(ctx context.Context, tree snapshot.Tree, m *manifest.Manifest, limit int64) (*Index, error) {
	x := &Index{Manifest: m, byPath: map[string][]int{}}
	type file struct {
		category string
		ref      manifest.Reference
		entry    snapshot.Entry
	}
	var files []file
	var found []snapshot.Entry
	for _, c := range m.Categories {
		for _, ref := range c.Indexes {
			e, err := tree.Lookup(ctx, ref.Path)
			if err != nil {
				return nil, fmt.Errorf("could not look for the index file %q: %w", ref.Path, err)
			}
			if !e.Mode.IsFile() {
				x.missing(c.ID, ref)
				continue
			}
			files = append(files, file{c.ID, ref, e})
			found = append(found, e)
		}
	}
	tree.Prefetch(ctx, found, limit)
	for _, f := range files {
		src, err := tree.Read(ctx, f.entry, limit)
		if err != nil {
			return nil, fmt.Errorf("could not read the index file %q: %w", f.ref.Path, err)
		}
		entries, faults := ParseIndex(f.ref.Path, src)
		x.Faults = append(x.Faults, faults...)
		for _, e := range entries {
			x.byPath[e.Path] = append(x.byPath[e.Path], len(x.Selectors))
			x.Selectors = append(x.Selectors, Selector{e, f.category, f.ref.Path})
		}
	}
	return x, nil
}

func (x *Index) missing(category string, ref manifest.Reference) {
	x.Faults = append(x.Faults, Fault{
		Slug: IndexFileMissing, Path: manifest.Path, Span: x.Manifest.Doc.Lines().Span(ref.Start, ref.End), Anchor: category + " " + ref.Path,
		Message: fmt.Sprintf("the index file %q of the category %q is not there", ref.Path, category),
	})
}

// An Assignment is the place of one document in the layer.
type Assignment struct {
	Category string
	Kind     Kind // before the document's own frontmatter is asked
	By       Selector
}

// A Conflict is two selectors that claim one document with equal right.
type Conflict struct{ First, Second Selector }

// Assign decides which category governs the regular file at path, by its path alone: a file named beats a folder, a deeper
// folder a shallower one. It is not ok when nothing governs it; then conflict says when that is because two selectors
// disagree.
func (x *Index) Assign(path string) (a Assignment, conflict *Conflict, ok bool) {
	if !strings.HasSuffix(path, ".md") || x.excluded(path) {
		return a, nil, false
	}
	for base := path; ; base = parent(base) {
		if list := x.byPath[base]; len(list) > 0 && (base == path || walks(path, base)) {
			first := x.Selectors[list[0]]
			for _, i := range list[1:] {
				if s := x.Selectors[i]; s.Category != first.Category || kindOf(s) != kindOf(first) {
					return a, &Conflict{first, s}, false
				}
			}
			return Assignment{first.Category, kindOf(first), first}, nil, true
		}
		if base == "" {
			return a, nil, false
		}
	}
}

// kindOf is the kind that a selector gives. Decisions are records, whatever their block says.
func kindOf(s Selector) Kind {
	if s.Category == "decisions" {
		return Record
	}
	return s.Kind
}

func parent(path string) string {
	i := strings.LastIndexByte(path, '/')
	return path[:max(i, 0)]
}

// excluded reports whether path is never governed: the boot profile and the agent profiles.
func (x *Index) excluded(path string) bool {
	m := x.Manifest
	return path == m.Boot || slices.Contains(m.Agents, path) || m.Profiles != "" && strings.HasPrefix(path, m.Profiles+"/")
}

// walks reports whether a walk through the folder base comes to path and takes it (chapter 8.1): it skips hidden entries,
// node_modules and READMEs.
func walks(path, base string) bool {
	rest := path
	if base != "" {
		rest = path[len(base)+1:]
	}
	name := ""
	for name = range strings.SplitSeq(rest, "/") {
		if strings.HasPrefix(name, ".") || name == "node_modules" {
			return false
		}
	}
	return !strings.EqualFold(name, "README.md") && strings.HasSuffix(name, ".md")
}

// A Document is one governed document.
type Document struct {
	snapshot.Entry
	Assignment
}

// Documents holds the index against the files of the snapshot tree, which it was loaded from, and returns the governed
// documents by path, and the faults of entries that resolve to nothing or disagree.
func (x *Index) Documents(ctx context.Context, tree snapshot.Tree) ([]Document, []Fault, error) {
	candidates := map[string]snapshot.Entry{}
	var faults []Fault
	for i := range x.Selectors {
		s := &x.Selectors[i]
		fault, err := x.expand(ctx, tree, s, candidates)
		if err != nil {
			return nil, nil, fmt.Errorf("could not resolve %q of %q: %w", s.Path, s.Index, err)
		}
		if fault != nil {
			faults = append(faults, *fault)
		}
	}
	var docs []Document
	for path, e := range candidates {
		a, conflict, ok := x.Assign(path)
		if ok {
			docs = append(docs, Document{e, a})
		} else if conflict != nil {
			faults = append(faults, conflict.fault(path))
		}
	}
	slices.SortFunc(docs, func(a, b Document) int { return strings.Compare(a.Path, b.Path) })
	slices.SortStableFunc(faults, func(a, b Fault) int {
		if c := strings.Compare(a.Path, b.Path); c != 0 {
			return c
		}
		return a.Span.Start.Line - b.Span.Start.Line
	})
	return docs, faults, nil
}

// expand adds the files that a selector covers to candidates.
func (x *Index) expand(ctx context.Context, tree snapshot.Tree, s *Selector, candidates map[string]snapshot.Entry) (*Fault, error) {
	fault := func(slug, format string, args ...any) *Fault {
		return &Fault{Slug: slug, Path: s.Index, Span: s.Span, Anchor: s.Path, Message: fmt.Sprintf(format, args...)}
	}
	e, err := tree.Lookup(ctx, s.Path)
	switch {
	case err != nil:
		return nil, err
	case e.Mode.IsFile() && strings.HasSuffix(s.Path, ".md"):
		candidates[e.Path] = e
		return nil, nil
	case e.Exists():
		return fault(IndexEntryNotMarkdown, "the entry %q is no Markdown file and no folder", s.Path), nil
	}
	below, err := tree.Under(ctx, s.Path)
	if err != nil {
		return nil, err
	}
	found := false
	for _, e := range below {
		if e.Mode.IsFile() && walks(e.Path, s.Path) {
			candidates[e.Path] = e
			found = true
		}
	}
	switch {
	case len(below) == 0:
		return fault(IndexEntryMissing, "the entry %q is not there", s.Path), nil
	case !found:
		return fault(IndexEntryEmpty, "the folder %q holds no Markdown document but READMEs", s.Path), nil
	}
	return nil, nil
}

func (c *Conflict) fault(path string) Fault {
	claim := func(s Selector) finding.Related {
		return finding.Related{Path: s.Index, Span: s.Span, Side: finding.After, Message: fmt.Sprintf("claimed for %s as %s", s.Category, kindOf(s))}
	}
	return Fault{
		Slug: CategoryConflict, Path: path, Anchor: path, Related: []finding.Related{claim(c.First), claim(c.Second)},
		Message: fmt.Sprintf("the document %q is claimed with equal right as %s of %s by %q and as %s of %s by %q", path,
			kindOf(c.First), c.First.Category, c.First.Index, kindOf(c.Second), c.Second.Category, c.Second.Index),
	}
}

// A Found is what a snapshot has at the manifest's path; both fields are nil when there is nothing.
type Found struct {
	Manifest   *manifest.Manifest
	Unreadable *manifest.Unreadable
}

// ReadManifest reads the manifest of a snapshot. One that is no regular file or has more than limit bytes is unreadable
// like one that says nothing.
func ReadManifest(ctx context.Context, tree snapshot.Tree, limit int64) (Found, error) {
	e, err := tree.Lookup(ctx, manifest.Path)
	switch {
	case err != nil:
		return Found{}, fmt.Errorf("could not look for %q: %w", manifest.Path, err)
	case !e.Exists():
		return Found{}, nil
	case !e.Mode.IsFile():
		return Found{Unreadable: &manifest.Unreadable{Reason: "it is no regular file"}}, nil
	}
	src, err := tree.Read(ctx, e, limit)
	var large *snapshot.TooLarge
	switch {
	case errors.As(err, &large):
		return Found{Unreadable: &manifest.Unreadable{Reason: fmt.Sprintf("it has %d bytes, more than the limit of %d", large.Size, large.Limit)}}, nil
	case err != nil:
		return Found{}, fmt.Errorf("could not read %q: %w", manifest.Path, err)
	}
	m, u := manifest.Parse(src)
	return Found{m, u}, nil
}
