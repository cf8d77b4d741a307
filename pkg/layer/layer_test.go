package layer_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/seed-4419f9ca/forge/pkg/layer"
	"github.com/seed-4419f9ca/forge/pkg/manifest"
	"github.com/seed-4419f9ca/forge/pkg/memory"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

func load(t interface{ Fatal(...any) }, tree snapshot.Tree) *layer.Index {
	found, err := layer.ReadManifest(context.Background(), tree, 0)
	if err != nil || found.Manifest == nil {
		t.Fatal(err, found.Unreadable)
	}
	x, err := layer.Load(context.Background(), tree, found.Manifest, 0)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// index writes an index file with one block.
func index(kind string, paths ...string) string {
	return "```leji-index " + kind + "\n- path: " + strings.Join(paths, "\n- path: ") + "\n```\n"
}

const leji = `{"rootPath": "docs", "bootProfilePath": "docs/boot.md", "agents": {"core": "docs/kb/core.md"},
 "categories": {"domain": {"indexes": ["i/domain.md", "i/more.md"]}, "system": {"indexes": ["i/system.md"]}, "decisions": {"indexes": ["i/decisions.md"]}}}`

func TestDocuments(t *testing.T) {
	files := map[string]memory.File{}
	add := func(path, data string) { files[path] = memory.File{Mode: snapshot.Regular, Data: data} }
	add("leji.json", leji)
	add("i/domain.md", index("", "docs/", "docs/kb/deep/", "docs/kb/README.md", "docs/kb/tie", "gone.md", "gone/", "docs/pic.svg", "docs/kb/readmes", "docs/link.md"))
	add("i/system.md", index("intent", "docs/kb", "docs/kb/deep/x.md", "docs/kb/tie"))
	add("i/decisions.md", index("intent", "docs/decisions", "docs/decisions")+index("record", "docs/decisions"))
	for _, p := range []string{
		"docs/boot.md", "docs/agents/a.md", "docs/kb/core.md", "docs/top.md", "docs/kb/a.md", "docs/kb/deep/x.md", "docs/kb/deep/y.md", "docs/kb/deep/z.MD", "docs/kb/README.md",
		"docs/kb/deep/ReadMe.md", "docs/kb/tie/t.md", "docs/kb/readmes/README.md", "docs/.hidden/h.md", "docs/kb/.h.md", "docs/node_modules/n.md", "docs/decisions/1.md", "docs/pic.svg",
		"docs/target.txt", "elsewhere.md",
	} {
		add(p, "x")
	}
	files["docs/link.md"] = memory.File{Mode: snapshot.Symlink, Data: "top.md"}
	files["docs/kb/sub.md"] = memory.File{Mode: snapshot.Gitlink, Data: strings.Repeat("1", 40)}
	tree := memory.TreeOf(files)
	x := load(t, tree)
	docs, faults, err := x.Documents(context.Background(), tree)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range docs {
		got = append(got, fmt.Sprintf("%s %s %s %s", d.Path, d.Category, d.Kind, d.By.Index))
	}
	want := []string{
		"docs/decisions/1.md decisions record i/decisions.md",
		"docs/kb/README.md domain intent i/domain.md",
		"docs/kb/a.md system intent i/system.md",
		"docs/kb/deep/x.md system intent i/system.md",
		"docs/kb/deep/y.md domain intent i/domain.md",
		"docs/top.md domain intent i/domain.md",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("documents (-want +got):\n%s", diff)
	}
	wantFaults := []string{
		`docs/kb/tie/t.md category-conflict: the document "docs/kb/tie/t.md" is claimed with equal right as intent of domain by "i/domain.md" and as intent of system by "i/system.md"`,
		`i/domain.md:6:9-16 index-entry-missing: the entry "gone.md" is not there`,
		`i/domain.md:7:9-14 index-entry-missing: the entry "gone" is not there`,
		`i/domain.md:8:9-21 index-entry-not-markdown: the entry "docs/pic.svg" is no Markdown file and no folder`,
		`i/domain.md:9:9-24 index-entry-empty: the folder "docs/kb/readmes" holds no Markdown document but READMEs`,
		`i/domain.md:10:9-21 index-entry-not-markdown: the entry "docs/link.md" is no Markdown file and no folder`,
	}
	if diff := cmp.Diff(wantFaults, told(faults)); diff != "" {
		t.Errorf("faults (-want +got):\n%s", diff)
	}
	loading := []string{
		`leji.json:2:55-66 index-file-missing: the index file "i/more.md" of the category "domain" is not there`,
		`i/decisions.md:3:9-23 index-file-parse: the path "docs/decisions" stands on line 2 already`,
		`i/decisions.md:6:9-23 index-file-parse: the path "docs/decisions" stands on line 2 already`,
	}
	if diff := cmp.Diff(loading, told(x.Faults)); diff != "" {
		t.Errorf("faults of loading (-want +got):\n%s", diff)
	}
}

func TestConflictsInTheSameCategory(t *testing.T) {
	tree := memory.Tree(map[string]string{
		"leji.json": `{"rootPath": "", "categories": {"domain": {"indexes": ["a.md", "b.md"]}, "decisions": {"indexes": ["c.md", "d.md"]}}}`,
		"a.md":      index("intent", "x.md", "same.md"), "b.md": index("record", "x.md") + index("", "same.md"),
		"c.md": index("intent", "d/"), "d.md": index("record", "d/"),
		"x.md": "", "same.md": "", "d/1.md": "",
	})
	x := load(t, tree)
	if _, conflict, ok := x.Assign("x.md"); ok || conflict == nil {
		t.Error("two kinds for one document are no conflict")
	}
	for _, p := range []string{"same.md", "d/1.md"} {
		if a, _, ok := x.Assign(p); !ok {
			t.Errorf("%q is not governed: %+v", p, a)
		}
	}
}

func TestTheRootHoldsEverything(t *testing.T) {
	for _, entry := range []string{".", "./"} {
		x := load(t, memory.Tree(map[string]string{"leji.json": `{"rootPath": "", "categories": {"domain": {"indexes": ["i.md"]}}}`, "i.md": index("", entry)}))
		for path, want := range map[string]bool{"a.md": true, "b/c.md": true, ".github/x.md": false, "README.md": false, "a.txt": false, "b/agents/x.md": true, "agents/x.md": false} {
			if _, _, ok := x.Assign(path); ok != want {
				t.Errorf("%q: Assign(%q) is not %v", entry, path, want)
			}
		}
	}
}

// What Assign says of a path by itself is what a walk over all files finds.
func TestAssignAgreesWithTheWalk(t *testing.T) {
	names := []string{"a", "b", ".c", "node_modules", "README.md", "readme.MD", "d.md", "e.md", "f.txt"}
	path := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(names), 1, 4).Draw(t, "path"), "/")
	})
	rapid.Check(t, func(t *rapid.T) {
		files := map[string]string{"leji.json": `{"rootPath": "a/b", "bootProfilePath": "a/d.md", "categories": {"domain": {"indexes": ["i1"]}, "system": {"indexes": ["i2", "i3"]}}}`}
		paths := rapid.SliceOfN(path, 1, 25).Draw(t, "files")
		for _, p := range paths {
			if !slices.ContainsFunc(paths, func(o string) bool { return strings.HasPrefix(o, p+"/") }) {
				files[p] = "x"
			}
		}
		for i, kind := range []string{"", "intent", "record"} {
			files[fmt.Sprintf("i%d", i+1)] = index(kind, rapid.SliceOfN(path, 1, 5).Draw(t, "entries")...)
		}
		tree := memory.Tree(files)
		x := load(t, tree)
		docs, faults, err := x.Documents(context.Background(), tree)
		if err != nil {
			t.Fatal(err)
		}
		listed := map[string]layer.Assignment{}
		for _, d := range docs {
			listed[d.Path] = d.Assignment
		}
		for p := range files {
			a, conflict, ok := x.Assign(p)
			if found, there := listed[p]; there != ok || a != found {
				t.Fatalf("%q: Assign says %v %+v, the walk %v %+v", p, ok, a, there, found)
			}
			told := slices.ContainsFunc(faults, func(f layer.Fault) bool { return f.Slug == layer.CategoryConflict && f.Path == p })
			if (conflict != nil) != told {
				t.Fatalf("%q: conflict %+v, told %v", p, conflict, told)
			}
			naive(t, x, files, p, ok)
		}
	})
}

// naive works out by the letter of chapter 8.3 whether p is governed.
func naive(t *rapid.T, x *layer.Index, files map[string]string, p string, want bool) {
	best, winners := -1, map[string]bool{}
	for _, s := range x.Selectors {
		rank := -1
		switch {
		case s.Path == p && strings.HasSuffix(p, ".md"):
			rank = 1000
		case strings.HasPrefix(p, s.Path+"/"):
			rest := "/" + p[len(s.Path)+1:]
			if strings.HasSuffix(p, ".md") && !strings.Contains(rest, "/.") && !strings.Contains(rest+"/", "/node_modules/") && !strings.HasSuffix(strings.ToLower(rest), "/readme.md") {
				rank = strings.Count(s.Path, "/")
			}
		}
		if rank > best {
			best, winners = rank, map[string]bool{}
		}
		if rank == best && rank >= 0 {
			winners[s.Category+" "+string(s.Kind)] = true
		}
	}
	governed := len(winners) == 1 && p != "a/d.md" && !strings.HasPrefix(p, "a/b/agents/")
	if governed != want {
		t.Fatalf("%q: by the letter %v (%v), said %v", p, governed, winners, want)
	}
}

func TestUnreadableFilesAreErrors(t *testing.T) {
	broken := errors.New("broken")
	tree := memory.Tree(map[string]string{"leji.json": `{"rootPath": "", "categories": {"domain": {"indexes": ["i.md"]}}}`, "i.md": index("", "a.md")})
	if _, err := layer.ReadManifest(context.Background(), memory.Broken(tree, "leji.json", broken), 0); !errors.Is(err, broken) || !strings.Contains(err.Error(), "leji.json") {
		t.Errorf("%v", err)
	}
	found, err := layer.ReadManifest(context.Background(), tree, 0)
	if err != nil {
		t.Fatal(err)
	}
	m := found.Manifest
	if _, err := layer.Load(context.Background(), memory.Broken(tree, "i.md", broken), m, 0); !errors.Is(err, broken) || !strings.Contains(err.Error(), "i.md") {
		t.Errorf("%v", err)
	}
	var large *snapshot.TooLarge
	if _, err := layer.Load(context.Background(), tree, m, 5); !errors.As(err, &large) {
		t.Errorf("%v", err)
	}
	if found, err := layer.ReadManifest(context.Background(), memory.Tree(nil), 0); found != (layer.Found{}) || err != nil {
		t.Errorf("%v %v", found, err)
	}
	if found, err := layer.ReadManifest(context.Background(), tree, 5); found.Unreadable == nil || err != nil {
		t.Errorf("%v %v", found, err)
	}
	link := memory.TreeOf(map[string]memory.File{manifest.Path: {Mode: snapshot.Symlink, Data: "x"}})
	if found, err := layer.ReadManifest(context.Background(), link, 0); found.Unreadable == nil || err != nil {
		t.Errorf("%v %v", found, err)
	}
}
