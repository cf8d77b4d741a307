package drift_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/seed-4419f9ca/forge/pkg/claim"
	"github.com/seed-4419f9ca/forge/pkg/drift"
	"github.com/seed-4419f9ca/forge/pkg/fingerprint"
	"github.com/seed-4419f9ca/forge/pkg/memory"
	"github.com/seed-4419f9ca/forge/pkg/parsertest"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// A shop writes source files of functions, each with one number in its body.
type shop struct {
	names   []string // of the functions, in order
	numbers []int
}

func (s shop) python() string {
	var b strings.Builder
	for i, name := range s.names {
		fmt.Fprintf(&b, "def %s(a):\n    # about %d\n    if a > %d:\n        return a\n    return -a\n\n\n", name, i, s.numbers[i])
	}
	return b.String()
}

func (s shop) golang() string {
	var b strings.Builder
	b.WriteString("package p\n\n")
	for i, name := range s.names {
		fmt.Fprintf(&b, "func (t *T) %s(a int) int {\n\tif a > %d {\n\t\treturn a\n\t}\n\treturn -a\n}\n\n", name, s.numbers[i])
	}
	return b.String()
}

func (s shop) typescript() string {
	var b strings.Builder
	for i, name := range s.names {
		fmt.Fprintf(&b, "export const %s = (a: number) => (a > %d ? a : -a);\n", name, s.numbers[i])
	}
	return b.String()
}

func (s shop) toml() string {
	var b strings.Builder
	for i, name := range s.names {
		fmt.Fprintf(&b, "[%s]\na = %d\n\n", name, s.numbers[i])
	}
	return b.String()
}

// TestDigitsLaw changes one number in one of some functions: its anchor is stale, and no other one of a symbol is.
func TestDigitsLaw(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(r, "functions")
		s := shop{}
		for i := range n {
			s.names = append(s.names, fmt.Sprintf("F%d", i))
			s.numbers = append(s.numbers, rapid.IntRange(0, 99).Draw(r, "number"))
		}
		k := rapid.IntRange(0, n-1).Draw(r, "changed")
		changed := shop{s.names, slices.Clone(s.numbers)}
		changed.numbers[k] = rapid.IntRange(0, 99).Filter(func(x int) bool { return x != s.numbers[k] }).Draw(r, "new number")
		kinds := map[string]func(shop) string{"a.py": shop.python, "a.go": shop.golang, "a.ts": shop.typescript, "a.toml": shop.toml}
		name := rapid.SampledFrom([]string{"a.py", "a.go", "a.ts", "a.toml"}).Draw(r, "file")
		write := kinds[name]
		var anchors []string
		for _, f := range s.names {
			if name == "a.go" {
				f = "T." + f
			}
			anchors = append(anchors, name+"#"+f)
		}
		anchors = append(anchors, name)
		base := files{name: write(s), store: claims(anchors)}
		_, results := judge(t, parsertest.Engine(), history(plain(base)...).staged(plain(base.with(files{name: write(changed)}))[0]))
		for i, res := range results {
			want := drift.Fresh
			if i == k || i == n {
				want = drift.Stale
			}
			if res.Status != want {
				r.Fatalf("%s: %s is %s and not %s", name, res.Anchor.Text, line(res), want)
			}
			if wants := fmt.Sprintf("%d became %d", s.numbers[k], changed.numbers[k]); want == drift.Stale && res.Words != wants {
				r.Fatalf("%s: got %q, want %q", res.Anchor.Text, res.Words, wants)
			}
		}
	})
}

// worlds draws a commit, an index, and anchors of every kind into both.
func worlds(r *rapid.T) (before, now map[string]memory.File, anchors []string) {
	paths := []string{"a.py", "d/b.py", "d/e/c.go", "d/n.txt", "x/y.md", "z"}
	file := func(path, label string) (memory.File, bool) {
		switch rapid.IntRange(0, 9).Draw(r, label) {
		case 0:
			return memory.File{}, false
		case 1:
			return memory.File{Mode: snapshot.Symlink, Data: "a.py"}, true
		case 2:
			return memory.File{Mode: snapshot.Gitlink, Data: strings.Repeat(rapid.SampledFrom([]string{"1", "2"}).Draw(r, "module"), 40)}, true
		case 3:
			return memory.File{Mode: snapshot.Executable, Data: "broken = (\n"}, true
		}
		s := shop{}
		for i := range rapid.IntRange(0, 3).Draw(r, "functions") {
			s.names = append(s.names, fmt.Sprintf("F%d", i))
			s.numbers = append(s.numbers, rapid.IntRange(0, 2).Draw(r, "number"))
		}
		if strings.HasSuffix(path, ".go") {
			return memory.File{Mode: snapshot.Regular, Data: s.golang()}, true
		}
		return memory.File{Mode: snapshot.Regular, Data: s.python()}, true
	}
	before, now = map[string]memory.File{}, map[string]memory.File{}
	for _, path := range paths {
		if f, ok := file(path, "before"); ok {
			before[path] = f
		}
		if rapid.Bool().Draw(r, "the same") {
			if f, ok := before[path]; ok {
				now[path] = f
			}
		} else if f, ok := file(path, "now"); ok {
			now[path] = f
		}
	}
	all := []string{"d/", "d/e/", "**/*.py", "d/*", "*", "nope", "nope/", "nope*"}
	for _, path := range paths {
		all = append(all, path, path+"#F0", path+"#F1", path+"#T.F2", path+"@dead", path+"#F0@dead:a0123456789ab", path+"#F0@dead:b0123456789ab")
	}
	anchors = rapid.SliceOfNDistinct(rapid.SampledFrom(all), 1, 8, rapid.ID[string]).Draw(r, "anchors")
	text := memory.File{Mode: snapshot.Regular, Data: claims(anchors)}
	before[store], now[store] = text, text
	return before, now, anchors
}

// told writes down all that a caller sees of a result.
func told(r *drift.Result) string {
	return fmt.Sprintf("%s: %s [%s %s %s] %s:%d %s %s", r.Anchor.Text, line(r), r.Baseline, r.Before, r.After, r.Path, r.Lines.First, r.Reason, r.Coarse)
}

// TestOrderLaw holds that the answer for an anchor does not depend on what else is asked, in which order, with or without a
// cache, full or empty, and is the same twice.
func TestOrderLaw(t *testing.T) {
	cache := &shelf{}
	cached := parsertest.New(cache)
	defer func() {
		if err := cached.Close(); err != nil {
			t.Error(err)
		}
	}()
	rapid.Check(t, func(r *rapid.T) {
		before, now, anchors := worlds(r)
		p := history(before)
		_, results := judge(t, parsertest.Engine(), p.staged(now))
		want := map[string]string{}
		for _, res := range results {
			want[res.Anchor.Text] = told(res)
		}
		shuffled := rapid.Permutation(anchors).Draw(r, "order")
		text := memory.File{Mode: snapshot.Regular, Data: claims(shuffled)}
		before[store], now[store] = text, text
		p = history(before)
		for _, e := range []*fingerprint.Engine{parsertest.Engine(), cached, cached} {
			_, results := judge(t, e, p.staged(now))
			for _, res := range results {
				// The commit's id differs with the order in the store.
				got, want := strings.ReplaceAll(told(res), p.id(0), "C"), want[res.Anchor.Text]
				if i := strings.Index(want, "["); i >= 0 && len(want) > i+41 && strings.Trim(want[i+1:i+41], "0123456789abcdef") == "" {
					want = strings.ReplaceAll(want, want[i+1:i+41], "C")
				}
				if diff := cmp.Diff(clipped(want), clipped(got)); diff != "" {
					r.Fatalf("in another order (-want +got):\n%s", diff)
				}
			}
		}
	})
}

// clipped takes shortened ids out of a text.
func clipped(s string) string {
	if i := strings.Index(s, "baseline "); i >= 0 && len(s) >= i+21 {
		return s[:i] + s[i+21:]
	}
	return s
}

// TestSameTreeLaw holds that nothing drifts where nothing changes.
func TestSameTreeLaw(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		before, _, _ := worlds(r)
		_, results := judge(t, parsertest.Engine(), history(before).staged(before))
		for _, res := range results {
			switch {
			case res.Status == drift.Fresh, res.Status == drift.Missing && res.Moved == nil:
			case res.Status == drift.Unverifiable && (res.Detail == drift.Ambiguous || res.Anchor.Baseline != ""):
			case res.Anchor.Baseline == "dead" && res.Status == drift.Stale: // against a made-up digest
			default:
				r.Fatalf("%s is %s", res.Anchor.Text, line(res))
			}
		}
	})
}

// TestUnreadable holds that what cannot be read is an error and no answer.
func TestUnreadable(t *testing.T) {
	broken := errors.New("the disk is gone")
	base := files{"a.py": kiln, "b.py": "B = 1\n", store: claims([]string{"a.py#vent", "b.py"})}
	p := history(plain(base)...)
	now := base.with(files{"a.py": kiln + "\nX = 1\n"})
	for _, path := range []string{"a.py", store} {
		for _, side := range []string{"before", "after"} {
			c := p.staged(plain(now)[0])
			if side == "after" {
				c.After = memory.Broken(c.After, path, broken)
			} else {
				tree := memory.Broken(p.commits[0], path, broken)
				c.Before = []snapshot.Tree{tree}
				c.At = func(context.Context, []string) ([]snapshot.Tree, error) { return []snapshot.Tree{tree}, nil }
			}
			layout := claim.Layout{Root: root}
			s, err := claim.Load(t.Context(), p.staged(plain(now)[0]).After, layout)
			if err != nil {
				t.Fatal(err)
			}
			j := &drift.Judge{Change: c, Store: s, Layout: layout, Engine: parsertest.Engine()}
			results, err := j.Run(t.Context(), func(*claim.Claim, *claim.Anchor) bool { return true })
			if path == store && side == "after" {
				continue // it is in the store already
			}
			if !errors.Is(err, broken) || results != nil || !strings.Contains(err.Error(), path) {
				t.Errorf("%s of %s: %v and %s", path, side, err, lines(results))
			}
		}
	}
	for _, fail := range []func(*snapshot.Change){
		func(c *snapshot.Change) {
			c.Trail = func(context.Context, []string) ([]snapshot.Mark, error) { return nil, broken }
		},
		func(c *snapshot.Change) {
			c.At = func(context.Context, []string) ([]snapshot.Tree, error) { return nil, broken }
		},
	} {
		c := p.staged(plain(now)[0])
		fail(c)
		s, err := claim.Load(t.Context(), c.After, claim.Layout{Root: root})
		if err != nil {
			t.Fatal(err)
		}
		j := &drift.Judge{Change: c, Store: s, Layout: claim.Layout{Root: root}, Engine: parsertest.Engine()}
		if _, err := j.Run(t.Context(), func(*claim.Claim, *claim.Anchor) bool { return true }); !errors.Is(err, broken) {
			t.Errorf("the error is lost: %v", err)
		}
	}
}

// TestNoParser holds that an engine that does not start is one clear error, whatever the number of files.
func TestNoParser(t *testing.T) {
	e := fingerprint.New(fingerprint.Options{Worker: []string{"/nowhere/forge-gate"}})
	base := files{"a.py": kiln, "b.py": kiln, "c.py": kiln, store: claims([]string{"a.py#vent", "b.py#vent", "c.py#vent"})}
	c := history(plain(base)...).staged(plain(base)[0])
	s, err := claim.Load(t.Context(), c.After, claim.Layout{Root: root})
	if err != nil {
		t.Fatal(err)
	}
	j := &drift.Judge{Change: c, Store: s, Layout: claim.Layout{Root: root}, Engine: e}
	_, err = j.Run(t.Context(), func(*claim.Claim, *claim.Anchor) bool { return true })
	if err == nil || strings.Count(err.Error(), "/nowhere/forge-gate") > 2 || strings.Contains(err.Error(), "\n") {
		t.Errorf("%v", err)
	}
}

// TestComplete fills in what nobody had to work out.
func TestComplete(t *testing.T) {
	base := files{"a.py": kiln, "d/n.txt": "n\n", store: claims([]string{"a.py", "d/", "a.py#vent", "d/x.txt", "a.py#nope"})}
	now := base.with(files{"d/x.txt": ""})
	base["d/x.txt"] = "x\n"
	_, results := judge(t, parsertest.Engine(), history(plain(base)...).staged(plain(now)[0]))
	if err := drift.Complete(t.Context(), results); err != nil {
		t.Fatal(err)
	}
	for i, r := range results {
		switch {
		case i < 3 && (r.Before == "" || r.After == "" || (r.Before == r.After) != (r.Status == drift.Fresh)):
			t.Errorf("%s is %s with %q and %q", r.Anchor.Text, line(r), r.Before, r.After)
		case i == 2 && r.Lines.First != 16:
			t.Errorf("%s is in line %d", r.Anchor.Text, r.Lines.First)
		case i == 3 && (r.Status != drift.Missing || r.Before == "" || r.After != ""):
			t.Errorf("%s is %s with %q and %q", r.Anchor.Text, line(r), r.Before, r.After)
		case i == 4 && (r.Before != "" || r.After != ""):
			t.Errorf("%s is %s with %q and %q", r.Anchor.Text, line(r), r.Before, r.After)
		}
	}
}
