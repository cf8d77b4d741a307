// Package fix plans the safe fixes of findings: which files get which bytes, and which files must not be touched. It writes
// nothing itself (chapter 4.2).
package fix

import (
	"bytes"
	"context"
	"fmt"
	"sort"

	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

// A Write is one file to write: its path, its entry as it was judged, and its new content.
type Write struct {
	Path  string
	Entry snapshot.Entry
	Data  []byte
	Fixed []finding.Finding
}

// A Refusal is a file that stays as it is, and why.
type Refusal struct {
	Path, Reason string
}

// A Plan is what to write and what was refused, both sorted by path bytes, and the findings that have no safe fix: those
// that block, and those of a code that is fixed in other files.
type Plan struct {
	Writes  []Write
	Refused []Refusal
	Left    []finding.Finding
}

// Make plans the safe fixes of findings, which were made on the working tree disk. A file is refused when its content in
// the index differs from that on disk in more than line ends: a fix must not end up in a commit together with work that
// nobody staged, nor be missing from one. fixable says which codes carry a fix unless their file must not be touched. An error says that a file could not be read.
func Make(ctx context.Context, findings []finding.Finding, fixable func(code string) bool, index, disk snapshot.Tree) (*Plan, error) {
	byPath := map[string][]finding.Finding{}
	plan := &Plan{}
	for _, f := range findings {
		switch {
		case f.Fix != nil && f.Fix.Safe:
			byPath[f.Path] = append(byPath[f.Path], f)
		case f.Level == finding.Fail || fixable(f.Code):
			plan.Left = append(plan.Left, f)
		}
	}
	var paths []string
	for p := range byPath {
		paths = append(paths, p)
	}
	sort.Strings(paths)
	for _, p := range paths {
		w, reason, err := one(ctx, p, byPath[p], index, disk)
		switch {
		case err != nil:
			return nil, err
		case reason != "":
			plan.Refused = append(plan.Refused, Refusal{p, reason})
		default:
			plan.Writes = append(plan.Writes, *w)
		}
	}
	return plan, nil
}

func one(ctx context.Context, path string, findings []finding.Finding, index, disk snapshot.Tree) (*Write, string, error) {
	staged, err := index.Lookup(ctx, path)
	if err != nil {
		return nil, "", fmt.Errorf("could not look for %q in the index: %w", path, err)
	}
	entry, err := disk.Lookup(ctx, path)
	if err != nil {
		return nil, "", fmt.Errorf("could not look for %q on disk: %w", path, err)
	}
	switch {
	case !staged.Exists():
		return nil, fmt.Sprintf("it is not in the index; run `git add -- %s` first", path), nil
	case !staged.Mode.IsFile() || !entry.Mode.IsFile():
		return nil, "it is no regular file", nil
	}
	data, err := disk.Read(ctx, entry, 0)
	if err != nil {
		return nil, "", fmt.Errorf("could not read %q: %w", path, err)
	}
	if staged.OID != entry.OID {
		old, err := index.Read(ctx, staged, 0)
		if err != nil {
			return nil, "", fmt.Errorf("could not read %q from the index: %w", path, err)
		}
		if !bytes.Equal(lines(old), lines(data)) {
			return nil, "what is staged differs from what is on disk; stage or restore the rest first", nil
		}
	}
	edits, reason := merge(findings)
	if reason != "" {
		return nil, reason, nil
	}
	fixed, err := text.Apply(data, edits)
	if err != nil {
		return nil, "", fmt.Errorf("could not fix %q: %w", path, err)
	}
	return &Write{Path: path, Entry: entry, Data: fixed, Fixed: findings}, "", nil
}

// lines is data with every CRLF as LF.
func lines(data []byte) []byte { return bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")) }

// merge joins the edits of several findings of one file; the same edit may belong to more than one of them.
func merge(findings []finding.Finding) ([]text.Edit, string) {
	var out []text.Edit
	for _, f := range findings {
		if same(out, f.Fix.Edits) {
			continue
		}
		for _, e := range f.Fix.Edits {
			for _, o := range out {
				if e.Start < o.End && o.Start < e.End || e.Start == o.Start {
					return nil, "two fixes meet in one place; run fix again after one of them"
				}
			}
		}
		out = append(out, f.Fix.Edits...)
	}
	return out, ""
}

// same reports whether every edit of b is in a already.
func same(a, b []text.Edit) bool {
	for _, e := range b {
		found := false
		for _, o := range a {
			found = found || o.Start == e.Start && o.End == e.End && bytes.Equal(o.New, e.New)
		}
		if !found {
			return false
		}
	}
	return true
}
