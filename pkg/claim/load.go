package claim

import (
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/markdown"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// Load reads the store of one snapshot: every *.md below the root but the decisions, what is derived and the ledger. A store
// that is not there has no files. What is wrong with the store, in one file or over several, is among its faults. A file that
// cannot be read is an error, one over the limit a *snapshot.TooLarge, one beyond the parser a *markdown.LimitError.
func Load(ctx context.Context, tree snapshot.Tree, layout Layout) (*Store, error) {
	s := &Store{Root: layout.Root, ADRs: map[string]string{}, byID: map[string]*Claim{}, slips: map[string]bool{}}
	if err := s.folder(ctx, tree); err != nil {
		return nil, err
	}
	entries, err := tree.Under(ctx, layout.Root)
	if err != nil {
		return nil, fmt.Errorf("could not list the claim store: %w", err)
	}
	var read []snapshot.Entry
	for _, e := range entries {
		if s.sort(e) {
			read = append(read, e)
		}
	}
	tree.Prefetch(ctx, read, layout.Limit)
	for _, e := range read {
		src, err := tree.Read(ctx, e, layout.Limit)
		if err != nil {
			return nil, fmt.Errorf("could not read %q of the claim store: %w", e.Path, err)
		}
		f, err := parse(e.Path, src, layout)
		if err != nil {
			return nil, err
		}
		s.add(f)
	}
	s.across()
	sortFaults(s.Faults)
	return s, nil
}

// parse is Parse with an error in the place of the panic.
func parse(path string, src []byte, layout Layout) (f *File, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			limit, ok := cause.(*markdown.LimitError)
			if !ok {
				panic(cause)
			}
			err = limit
		}
	}()
	return Parse(path, src, layout), nil
}

// Holds reports whether a file at path may hold claims of the store at root, by its name.
func Holds(root, path string) bool {
	below, ok := strings.CutPrefix(path, root+"/")
	return ok && holds(below)
}

// holds is Holds for a path below the root.
func holds(below string) bool {
	top, _, nested := strings.Cut(below, "/")
	if nested && (top == decisions || top == derived) || below == ledger {
		return false
	}
	return path.Ext(below) == ".md"
}

// sort files an entry and reports whether claims are to be read from it.
func (s *Store) sort(e snapshot.Entry) bool {
	below := strings.TrimPrefix(e.Path, s.Root+"/")
	if rest, ok := strings.CutPrefix(below, decisions+"/"); ok {
		if id, ok := adrOf(rest); ok && e.Mode.IsFile() && s.ADRs[id] == "" {
			s.ADRs[id] = e.Path
		}
		return false
	}
	if e.Mode.IsFile() {
		return holds(below)
	}
	if holds(below) || path.Ext(below) == "" && !strings.HasPrefix(below, derived+"/") {
		s.foreign(e)
	}
	return false
}

// adrOf returns the id of the decision in a file by its name.
func adrOf(name string) (id string, ok bool) {
	stem, ok := strings.CutSuffix(name, ".md")
	if !ok || strings.Contains(stem, "/") {
		return "", false
	}
	number, _, _ := strings.Cut(strings.TrimPrefix(stem, "ADR-"), "-")
	id = "ADR-" + number
	return id, IsADR(id) && strings.HasPrefix(stem, id)
}

// folder says when the root, or a folder above it, is a link or a submodule: then nothing of the store is in the snapshot.
func (s *Store) folder(ctx context.Context, tree snapshot.Tree) error {
	for dir := s.Root; dir != "." && dir != "/" && dir != ""; dir = path.Dir(dir) {
		e, err := tree.Lookup(ctx, dir)
		if err != nil {
			return fmt.Errorf("could not find the claim store %q: %w", s.Root, err)
		}
		if e.Exists() {
			s.foreign(e)
		}
	}
	return nil
}

// foreign reports something in the place of a file of the store that is none.
func (s *Store) foreign(e snapshot.Entry) {
	what := "a file in the place of a folder"
	switch e.Mode {
	case snapshot.Symlink:
		what = "a symbolic link"
	case snapshot.Gitlink:
		what = "a submodule"
	}
	s.Faults = append(s.Faults, Fault{
		Slug: "bad-value", Path: e.Path, Anchor: e.Path,
		Message: fmt.Sprintf("%q is %s, and claims are read from files of this repository only", e.Path, what),
		Help:    "Put the files themselves there.",
	})
}

// add takes a file into the store.
func (s *Store) add(f *File) {
	s.Files = append(s.Files, f)
	s.Claims = append(s.Claims, f.Claims...)
	s.Faults = append(s.Faults, f.Faults...)
	for _, c := range f.Claims {
		if s.byID[c.ID] == nil {
			s.byID[c.ID] = c
		}
	}
	for _, id := range f.Slips {
		s.slips[id] = true
	}
}

// Paths returns the paths of the files of the store, sorted.
func (s *Store) Paths() []string {
	out := make([]string, len(s.Files))
	for i, f := range s.Files {
		out[i] = f.Path
	}
	return out
}

// File finds a file of the store by its path; nil when there is none.
func (s *Store) File(path string) *File {
	for _, f := range s.Files {
		if f.Path == path {
			return f
		}
	}
	return nil
}

// Meant reports whether a heading that is not read as one of a claim was probably meant to carry the id.
func (s *Store) Meant(id string) bool { return s.slips[id] }
