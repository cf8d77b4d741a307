package snapshot

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// entries reads "path=id path=id": regular files, or links when the id begins with @, scripts with x.
func entries(s string) []Entry {
	var out []Entry
	for f := range strings.FieldsSeq(s) {
		path, id, _ := strings.Cut(f, "=")
		mode := Regular
		switch id[0] {
		case '@':
			mode = Symlink
		case 'x':
			mode = Executable
		}
		out = append(out, Entry{Path: path, Mode: mode, OID: OID(strings.TrimLeft(id, "@x"))})
	}
	slices.SortFunc(out, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// show writes files back in that form.
func show(files []File) []string {
	var out []string
	for _, f := range files {
		s := f.Path + ":"
		for _, b := range f.Before {
			s += " " + string(b.OID) + "-"
		}
		s += "> " + string(f.After.OID)
		if f.From != "" {
			s += " from " + f.From
		}
		if f.To != "" {
			s += " to " + f.To
		}
		out = append(out, s)
	}
	return out
}

func TestJoin(t *testing.T) {
	cases := []struct {
		name   string
		before []string
		after  string
		want   []string
	}{
		{"nothing", []string{"a=1"}, "a=1", nil},
		{"edit, add, remove", []string{"a=1 b=2"}, "a=3 c=4", []string{"a: 1-> 3", "b: 2-> ", "c: -> 4"}},
		{"mode only", []string{"a=1"}, "a=x1", []string{"a: 1-> 1"}},
		{"type only", []string{"a=1"}, "a=@1", []string{"a: 1-> 1"}},
		{"rename", []string{"a=1"}, "b=1", []string{"a: 1->  to b", "b: -> 1 from a"}},
		{"rename with a new mode", []string{"a=1"}, "b=x1", []string{"a: 1->  to b", "b: -> 1 from a"}},
		{"a link is no file under another name", []string{"a=1"}, "b=@1", []string{"a: 1-> ", "b: -> 1"}},
		{"a copy is no rename", []string{"a=1"}, "a=1 b=1", []string{"b: -> 1"}},
		{"the same base name wins", []string{"x/f=1 y/g=1"}, "p/g=1 q/f=1",
			[]string{"p/g: -> 1 from y/g", "q/f: -> 1 from x/f", "x/f: 1->  to q/f", "y/g: 1->  to p/g"}},
		{"then the order of bytes", []string{"a=1 b=1 c=1"}, "x=1 y=1",
			[]string{"a: 1->  to x", "b: 1->  to y", "c: 1-> ", "x: -> 1 from a", "y: -> 1 from b"}},
		{"a path is used once", []string{"a=1"}, "x=1 y=1", []string{"a: 1->  to x", "x: -> 1 from a", "y: -> 1"}},
		{"a base name wins over an earlier path", []string{"d/f=1"}, "a=1 z/f=1", []string{"a: -> 1", "d/f: 1->  to z/f", "z/f: -> 1 from d/f"}},
		{"merge", []string{"a=1 b=2", "a=3 c=4"}, "a=3 b=2 c=4", []string{"a: 1- 3-> 3", "b: 2- -> 2", "c: - 4-> 4"}},
		{"merge, all the same", []string{"a=1", "a=1"}, "a=1", nil},
		{"renamed on our side", []string{"new=1", "old=1"}, "new=1", []string{"new: 1- -> 1", "old: - 1->  to new"}},
		{"renamed on their side", []string{"old=1", "new=1"}, "new=1", []string{"new: - 1-> 1 from old", "old: 1- ->  to new"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var lists [][]Delta
			for _, b := range c.before {
				lists = append(lists, Diff(entries(b), entries(c.after)))
			}
			files, err := Join(lists...)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, show(files)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestJoinRefuses(t *testing.T) {
	a, b := Entry{"a", Regular, "1"}, Entry{"a", Regular, "2"}
	for name, lists := range map[string][][]Delta{
		"a path listed twice":      {{{Path: "a", After: a}, {Path: "a", After: a}}},
		"two trees after":          {{{Path: "a", After: a}}, {{Path: "a", After: b}}},
		"twice in the second list": {{{Path: "a", After: a}}, {{Path: "a", After: a}, {Path: "a", After: a}}},
	} {
		if files, err := Join(lists...); err == nil || !strings.Contains(err.Error(), `"a"`) {
			t.Errorf("%s: %v, %v", name, files, err)
		}
	}
}

func TestAdded(t *testing.T) {
	e := Entry{"a", Regular, "1"}
	for _, c := range []struct {
		f                    File
		added, removed, from bool
	}{
		{File{After: e, Before: []Entry{{}}}, true, false, true},
		{File{After: e, Before: []Entry{{}, e}}, false, false, false},
		{File{Before: []Entry{e}}, false, true, true},
		{File{After: e}, false, false, true}, // nothing is known about before
	} {
		if c.f.Added() != c.added || c.f.Removed() != c.removed || c.f.DiffersFromAll() != c.from {
			t.Errorf("%+v: added %v, removed %v, differs from all %v", c.f, c.f.Added(), c.f.Removed(), c.f.DiffersFromAll())
		}
	}
}

// TestDiffLaws compares Diff and Join with what they mean, on random trees.
func TestDiffLaws(t *testing.T) {
	tree := rapid.Custom(func(t *rapid.T) map[string]Entry {
		out := map[string]Entry{}
		for _, path := range rapid.SliceOfDistinct(rapid.SampledFrom(strings.Fields("a b c d/a d/b e/a \xff z")), rapid.ID[string]).Draw(t, "paths") {
			out[path] = Entry{path, rapid.SampledFrom([]Mode{Regular, Executable, Symlink}).Draw(t, "mode"),
				OID(rapid.SampledFrom([]string{"1", "2", "3"}).Draw(t, "id"))}
		}
		return out
	})
	rapid.Check(t, func(t *rapid.T) {
		before := rapid.SliceOfN(tree, 1, 3).Draw(t, "before")
		after := tree.Draw(t, "after")
		var lists [][]Delta
		for _, b := range before {
			list := Diff(sorted(b), sorted(after))
			slices.Reverse(list) // the order must not matter
			lists = append(lists, list)
		}
		files, err := Join(lists...)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]*File{}
		for i, f := range files {
			if i > 0 && files[i-1].Path >= f.Path {
				t.Errorf("%q comes after %q", f.Path, files[i-1].Path)
			}
			got[f.Path] = &files[i]
		}
		all := maps.Clone(after)
		for _, b := range before {
			maps.Copy(all, b)
		}
		for path := range all {
			differs := false
			for i, b := range before {
				differs = differs || b[path] != after[path]
				if f, ok := got[path]; ok && (f.Before[i] != b[path] || f.After != after[path]) {
					t.Errorf("%q is %+v", path, f)
				}
			}
			if _, ok := got[path]; ok != differs {
				t.Errorf("%q is listed: %v, differs: %v", path, ok, differs)
			}
		}
		pairsHold(t, got)
	})
}

// pairsHold checks the law of renames: both ends name each other, were free, and hold the same.
func pairsHold(t *rapid.T, files map[string]*File) {
	for path, f := range files {
		if f.From != "" && (files[f.From].To != path || !files[f.From].Removed() || f.Before[0].Exists() || files[f.From].Before[0].OID != f.After.OID) {
			t.Errorf("%q does not come from %q", path, f.From)
		}
		if f.To != "" && (!f.Removed() || !files[f.To].After.Exists()) {
			t.Errorf("%q does not go to %q", path, f.To)
		}
	}
	for path, f := range files {
		for other, g := range files {
			if f.Before[0].Exists() && f.Removed() && f.To == "" && g.From == "" && !g.Before[0].Exists() && g.After.Exists() &&
				contentOf(f.Before[0]) == contentOf(g.After) {
				t.Errorf("%q and %q could be a pair", path, other)
			}
		}
	}
}

func sorted(m map[string]Entry) []Entry {
	var out []Entry
	for _, path := range slices.Sorted(maps.Keys(m)) {
		out = append(out, m[path])
	}
	return out
}

func TestTooLargeText(t *testing.T) {
	if s := fmt.Sprint(&TooLarge{Path: "a\n", Size: 2, Limit: 1}); !strings.Contains(s, `"a\n"`) {
		t.Errorf("%q", s)
	}
}
