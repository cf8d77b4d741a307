package snapshot

import (
	"fmt"
	"slices"
	"strings"
)

// A Delta is one path on which a before tree and the after tree differ. The zero Entry stands for the side that lacks it.
type Delta struct {
	Path          string
	Before, After Entry
}

// Diff compares two lists of entries, each sorted by path bytes, and returns where they differ, in the same order.
func Diff(before, after []Entry) []Delta {
	var out []Delta
	for len(before) > 0 || len(after) > 0 {
		switch order(before, after) {
		case -1:
			out = append(out, Delta{Path: before[0].Path, Before: before[0]})
			before = before[1:]
		case 1:
			out = append(out, Delta{Path: after[0].Path, After: after[0]})
			after = after[1:]
		default:
			if !before[0].Same(after[0]) {
				out = append(out, Delta{Path: after[0].Path, Before: before[0], After: after[0]})
			}
			before, after = before[1:], after[1:]
		}
	}
	return out
}

// order says which of two lists has the smaller head: -1 for a, 1 for b, 0 when both have the same. One is not empty.
func order(a, b []Entry) int {
	switch {
	case len(a) == 0:
		return 1
	case len(b) == 0:
		return -1
	}
	return strings.Compare(a[0].Path, b[0].Path)
}

// Join makes the files of a change from the differences between each of its before trees and its one after tree, in the
// order of Change.Before, and pairs renames (chapter 3.1). A path that a parent's list leaves out is the same there as in
// the after tree. The lists may come in any order. Join fails when a list names a path twice or when two lists disagree
// on the after tree: then they were not taken from the same snapshot.
func Join(lists ...[]Delta) ([]File, error) {
	n := 0
	for _, l := range lists {
		n = max(n, len(l))
	}
	files := make([]File, 0, n)
	at := make(map[string]int, n)
	seen := make([]int, 0, n) // the last list that named the file, counted from 1
	for i, l := range lists {
		for _, d := range l {
			k, ok := at[d.Path]
			if !ok {
				k = len(files)
				at[d.Path] = k
				files = append(files, File{Path: d.Path, After: d.After, Before: spread(d.After, len(lists))})
				seen = append(seen, 0)
			}
			f := &files[k]
			if seen[k] == i+1 {
				return nil, fmt.Errorf("could not compare trees: %q is listed twice", d.Path)
			}
			if !f.After.Same(d.After) {
				return nil, fmt.Errorf("could not compare trees: %q is not the same in every comparison", d.Path)
			}
			f.Before[i], seen[k] = d.Before, i+1
		}
	}
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	for i := range lists {
		pair(files, i)
	}
	return files, nil
}

// spread returns n copies of e.
func spread(e Entry, n int) []Entry {
	out := make([]Entry, n)
	for i := range out {
		out[i] = e
	}
	return out
}

// A content is what a path and its new name must share: the object, and the type apart from permission bits.
type content struct {
	oid  OID
	kind Mode
}

func contentOf(e Entry) content {
	if e.Mode.IsFile() {
		return content{e.OID, Regular}
	}
	return content{e.OID, e.Mode}
}

// pair sets To of paths that tree i had and that are gone, and for tree 0 From of the paths they went to. files are
// sorted; each path is used once. Among several candidates the same base name wins, then the order of bytes.
func pair(files []File, i int) {
	gone := map[content][]*File{}
	for k := range files {
		if f := &files[k]; f.Before[i].Exists() && !f.After.Exists() && f.To == "" {
			c := contentOf(f.Before[i])
			gone[c] = append(gone[c], f)
		}
	}
	if len(gone) == 0 {
		return
	}
	var rest []*File
	byName := indexByName(gone)
	for k := range files {
		f := &files[k]
		if !f.After.Exists() || f.Before[i].Exists() || len(gone[contentOf(f.After)]) == 0 {
			continue
		}
		name := named{contentOf(f.After), base(f.Path)}
		if same := byName[name]; len(same) > 0 {
			byName[name] = same[1:]
			link(same[0], f, i)
			continue
		}
		rest = append(rest, f)
	}
	for _, f := range rest {
		c := contentOf(f.After)
		left := gone[c]
		for len(left) > 0 && left[0].To != "" {
			left = left[1:]
		}
		if len(left) > 0 {
			link(left[0], f, i)
			left = left[1:]
		}
		gone[c] = left
	}
}

type named struct {
	content content
	base    string
}

func indexByName(gone map[content][]*File) map[named][]*File {
	out := make(map[named][]*File, len(gone))
	for c, list := range gone {
		for _, f := range list {
			n := named{c, base(f.Path)}
			out[n] = append(out[n], f)
		}
	}
	return out
}

func link(from, to *File, i int) {
	from.To = to.Path
	if i == 0 {
		to.From = from.Path
	}
}

// base returns the part of a path after its last slash.
func base(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// Unbased makes the files of a change that has no before tree at all: each entry of the after tree, with no entry before.
// after must be sorted by path bytes.
func Unbased(after []Entry) []File {
	files := make([]File, len(after))
	for i, e := range after {
		files[i] = File{Path: e.Path, After: e}
	}
	return files
}
