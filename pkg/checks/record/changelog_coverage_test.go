package record

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/memory"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

const lejiGoverned = `{"rootPath": "docs/", "bootProfilePath": "docs/domain/boot.md", "categories": {"domain": {"indexes": ["docs/domain.md"]}, "decisions": {"indexes": ["docs/decisions.md"]}}}`

func blockOf(paths ...string) string {
	return "```leji-index\n- path: " + strings.Join(paths, "\n- path: ") + "\n```\n"
}

// covers is a changelog entry with these paths.
func covers(id string, paths ...string) string {
	return fmt.Sprintf(`{"id": %q, "date": "2026-01-01", "type": "changed", "summary": "S", "paths": ["%s"]}`, id, strings.Join(paths, `", "`))
}

// with is a layer with these files in addition or instead; an empty content takes the file away.
func with(more files) files {
	out := files{
		"leji.json": lejiGoverned, "docs/domain.md": blockOf("docs/domain/", "docs/notes/one.md"), "docs/decisions.md": blockOf("docs/decisions"),
		"docs/domain/a.md": "a", "docs/domain/b.md": "b", "docs/domain/README.md": "r", "docs/domain/boot.md": "boot", "docs/decisions/1.md": "d",
		"docs/notes/one.md": "1", "docs/notes/two.md": "2", "main.go": "go", clogPath: clog(covers("first", "docs")),
	}
	for path, data := range more {
		if out[path] = data; data == "" {
			delete(out, path)
		}
	}
	return out
}

func TestCoverage(t *testing.T) {
	base := with(nil)
	log := func(entries ...string) string { return clog(append([]string{covers("first", "docs")}, entries...)...) }
	un := func(paths ...string) []string {
		out := make([]string, len(paths))
		for i, p := range paths {
			out[i] = p + ": changelog-coverage/uncovered"
		}
		return out
	}
	for _, tt := range []struct {
		title         string
		cfg           string
		before, after files
		want          []string
	}{
		{"no layer", "", files{"a.md": "1"}, files{"a.md": "2"}, []string{"skip: not used"}},
		{"nothing governed", "", base, with(files{"main.go": "x", "docs/domain/README.md": "x", "docs/domain/boot.md": "x", "docs/notes/two.md": "x", "docs/domain.md": blockOf("docs/domain", "docs/notes/one.md") + "x"}), nil},
		{"edited", "", base, with(files{"docs/domain/a.md": "x", "docs/notes/one.md": "x", "docs/decisions/1.md": "x"}), un("docs/decisions/1.md", "docs/domain/a.md", "docs/notes/one.md")},
		{"added and removed", "", base, with(files{"docs/domain/a.md": "", "docs/domain/sub/c.md": "c"}), un("docs/domain/a.md", "docs/domain/sub/c.md")},
		{"covered one by one", "", base, with(files{"docs/domain/a.md": "x", "docs/domain/b.md": "", clogPath: log(covers("k", "docs/domain/a.md", "docs/domain/b.md"))}), nil},
		{"covered by a folder", "", base, with(files{"docs/domain/a.md": "x", "docs/domain/b.md": "x", clogPath: log(covers("k", "docs//domain/"))}), nil},
		{"covered by everything", "", base, with(files{"docs/domain/a.md": "x", clogPath: log(covers("k", "."))}), nil},
		{"covered by two entries", "", base, with(files{"docs/domain/a.md": "x", "docs/domain/b.md": "x", clogPath: log(covers("k", "docs/domain/a.md"), covers("l", "docs/domain/b.md"))}), nil},
		{"a prefix is no folder", "", base, with(files{"docs/domain/a.md": "x", clogPath: log(covers("k", "docs/domain/a", "docs/dom"))}), un("docs/domain/a.md")},
		{"an old entry gets a path", "", base, with(files{"docs/domain/a.md": "x", clogPath: clog(covers("first", "docs", "docs/domain/a.md"))}), un("docs/domain/a.md")},
		{"renamed", "", base, with(files{"docs/domain/a.md": "", "docs/domain/c.md": "a"}), un("docs/domain/a.md", "docs/domain/c.md")},
		{"renamed, half covered", "", base, with(files{"docs/domain/a.md": "", "docs/domain/c.md": "a", clogPath: log(covers("k", "docs/domain/c.md"))}), un("docs/domain/a.md")},
		{"renamed out of the layer", "", base, with(files{"docs/domain/a.md": "", "old/a.md": "a"}), un("docs/domain/a.md")},
		{"renamed into the layer", "", base, with(files{"docs/notes/two.md": "", "docs/domain/two.md": "2"}), un("docs/domain/two.md")},
		{"out of the index and edited", "", base, with(files{"docs/domain.md": blockOf("docs/notes/one.md"), "docs/domain/a.md": "x"}), un("docs/domain/a.md")},
		{"into the index, not edited", "", base, with(files{"docs/domain.md": blockOf("docs/domain/", "docs/notes/")}), nil},
		{"the index is gone, and the document", "", base, with(files{"docs/domain.md": "", "docs/domain/a.md": ""}), un("docs/domain/a.md")},
		{"the layer is gone, and a document edited", "", base, with(files{"leji.json": "", "docs/domain/a.md": "x"}), un("docs/domain/a.md")},
		{"the layer comes with its documents", "", files{"docs/domain/a.md": "a"}, base, nil},
		{"the layer comes without a changelog", "", files{"docs/domain/a.md": "a"}, with(files{clogPath: ""}),
			un("docs/decisions/1.md", "docs/domain/b.md", "docs/notes/one.md")},
		{"the changelog is gone", "", base, with(files{clogPath: "", "docs/domain/a.md": "x"}), un("docs/domain/a.md")},
		{"the changelog cannot be read", "", base, with(files{clogPath: "{", "docs/domain/a.md": "x"}), un("docs/domain/a.md")},
		{"the changelog moves along", "", base, with(files{"leji.json": strings.Replace(lejiGoverned, `"categories"`, `"machine": {"changelogPath": "c.json"}, "categories"`, 1), clogPath: "",
			"c.json": log(covers("k", "docs/domain/a.md")), "docs/domain/a.md": "x"}), nil},
		{"moving the changelog adds no entry", "", base, with(files{"leji.json": strings.Replace(lejiGoverned, `"categories"`, `"machine": {"changelogPath": "c.json"}, "categories"`, 1), clogPath: "",
			"c.json": log(), "docs/domain/a.md": "x"}), un("docs/domain/a.md")},
		{"another changelog counts", entriesA, base, with(files{"docs/domain/a.md": "x", "logs/x.json": clog(covers("k", "docs/domain/a.md"))}), nil},
		{"the manifest cannot be read", "", base, with(files{"leji.json": "{", "docs/domain/a.md": "x", "docs/domain/c.md": "c"}),
			append(un("docs/domain/a.md"), `skip: "leji.json" cannot be read, so nobody knows which documents it governs after the change: the text ends before the JSON value does`)},
		{"the categories cannot be read", "", base, with(files{"leji.json": `{"rootPath": "docs"}`, "docs/domain/c.md": "c"}),
			[]string{`skip: "leji.json" cannot be read, so nobody knows which documents it governs after the change: "categories" is missing`}},
		{"an index is too large", "limits: {file: 1000}\n", base, with(files{"docs/domain.md": blockOf("docs/domain") + strings.Repeat("x", 1000), "docs/domain/a.md": "x"}),
			[]string{`skip: "docs/domain.md" has 1038 bytes, more than the limit of 1000 (limits.file)`}},
		{"ignored", "", with(files{"docs/domain.md": blockOf("ignored/")}), with(files{"docs/domain.md": blockOf("ignored/"), "ignored/a.md": "x"}), nil},
		{"claimed by two", "", with(files{"docs/decisions.md": blockOf("docs/notes/one.md")}), with(files{"docs/decisions.md": blockOf("docs/notes/one.md"), "docs/notes/one.md": "x"}), nil},
		{"globs without a layer", "layer: {governed: [\"kb/**/*.txt\"]}\n" + entriesA, files{"kb/a.txt": "a", "kb/b.md": "b"}, files{"kb/a.txt": "x", "kb/b.md": "x", "kb/c/d.txt": "d", "logs/l.json": clog(covers("k", "kb/c"))},
			un("kb/a.txt")},
		{"globs beside a layer", "layer: {governed: [\"main.go\"]}\n", base, with(files{"main.go": "x"}), nil},
		{"empty globs", "layer: {governed: []}\n", files{"a.md": "a"}, files{"a.md": "b"}, []string{"skip: not used"}},
	} {
		t.Run(tt.title, func(t *testing.T) {
			got := told(t, passOf(t, ChangelogCoverage, staged(tt.before, tt.after), tt.cfg))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCoverageOfTypesAndModes(t *testing.T) {
	entries := func(change func(map[string]memory.File)) snapshot.Tree {
		all := map[string]memory.File{}
		for path, data := range with(nil) {
			all[path] = memory.File{Mode: snapshot.Regular, Data: data}
		}
		change(all)
		return memory.TreeOf(all)
	}
	base := entries(func(map[string]memory.File) {})
	for _, tt := range []struct {
		title string
		file  memory.File
		want  int
	}{
		{"permission bits", memory.File{Mode: snapshot.Executable, Data: "a"}, 0},
		{"a link in its place", memory.File{Mode: snapshot.Symlink, Data: "b.md"}, 1},
		{"a link to the same bytes", memory.File{Mode: snapshot.Symlink, Data: "a"}, 1},
	} {
		c := memory.Change(snapshot.Staged, []snapshot.Tree{base}, entries(func(m map[string]memory.File) { m["docs/domain/a.md"] = tt.file }))
		if got := told(t, passOf(t, ChangelogCoverage, c, "")); len(got) != tt.want {
			t.Errorf("%s: %q", tt.title, got)
		}
	}
}

func TestCoverageOfMerges(t *testing.T) {
	log := func(ids ...string) string {
		entries := []string{covers("first", "docs")}
		for _, id := range ids {
			entries = append(entries, covers(id, "docs/domain/a.md"))
		}
		return clog(entries...)
	}
	un := []string{"docs/domain/a.md: changelog-coverage/uncovered"}
	for _, tt := range []struct {
		title                string
		first, second, after files
		want                 []string
	}{
		{"the branch brings its entry along", with(nil), with(files{"docs/domain/a.md": "x", clogPath: log("k")}), with(files{"docs/domain/a.md": "x", clogPath: log("k")}), nil},
		{"what a branch left uncovered was judged there", with(nil), with(files{"docs/domain/a.md": "x"}), with(files{"docs/domain/a.md": "x"}), nil},
		{"both edited, each with its entry", with(files{"docs/domain/a.md": "x", clogPath: log("k")}), with(files{"docs/domain/a.md": "y", clogPath: log("l")}), with(files{"docs/domain/a.md": "xy", clogPath: log("k", "l")}), nil},
		{"edited by the merge itself", with(files{"docs/domain/a.md": "x", clogPath: log("k")}), with(nil), with(files{"docs/domain/a.md": "evil", clogPath: log("k")}), un},
		{"edited by the merge, which says so", with(files{"docs/domain/a.md": "x", clogPath: log("k")}), with(nil), with(files{"docs/domain/a.md": "evil", clogPath: log("k", "m")}), nil},
	} {
		t.Run(tt.title, func(t *testing.T) {
			got := told(t, passOf(t, ChangelogCoverage, merged(with(nil), tt.first, tt.second, tt.after), ""))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCoverageWithoutABaseline(t *testing.T) {
	c := memory.Change(snapshot.Commit, nil, memory.Tree(with(nil)))
	c.Missing = "fetch it with: git fetch --unshallow"
	if diff := cmp.Diff([]string{"skip: " + c.Missing}, told(t, passOf(t, ChangelogCoverage, c, ""))); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	p := passOf(t, ChangelogCoverage, c, "")
	p.Stage = check.CI
	if err := ChangelogCoverage.Run(context.Background(), p); err == nil || !strings.Contains(err.Error(), "git fetch") {
		t.Errorf("%v", err)
	}
}

func TestCoverageTellsTheCommand(t *testing.T) {
	after := with(files{"docs/domain/a.md": "", "docs/domain/Nghỉ học's.md": "n", "docs/domain/sub/\xff.md": "n"})
	for path, want := range map[string]string{
		"docs/domain/a.md":          "`forge-guard changelog add --type removed --summary \"…\" --path docs/domain/a.md`",
		"docs/domain/Nghỉ học's.md": "`forge-guard changelog add --type added --summary \"…\" --path 'docs/domain/Nghỉ học'\\''s.md'`",
		"docs/domain/sub/\xff.md":   "`forge-guard changelog add --type added --summary \"…\" --path docs/domain/sub`",
	} {
		p := passOf(t, ChangelogCoverage, staged(with(nil), after), "")
		told(t, p)
		found := false
		for _, f := range p.Findings() {
			found = found || f.Path == path && strings.Contains(f.Help, want)
		}
		if !found {
			t.Errorf("%q: no help %s", path, want)
		}
	}
}

// A thousand documents are judged with a few reads: the manifests, the index files and the changelogs.
func TestCoverageReadsLittle(t *testing.T) {
	before, after := with(nil), with(nil)
	for i := range 1000 {
		path := fmt.Sprintf("docs/domain/%04d.md", i)
		before[path], after[path] = "1", "2"
	}
	after[clogPath] = clog(covers("first", "docs"), covers("all", "docs/domain"))
	reads := map[string]int{}
	change := memory.Change(snapshot.Staged, []snapshot.Tree{counted{memory.Tree(before), reads}}, counted{memory.Tree(after), reads})
	clear(reads)
	if got := told(t, passOf(t, ChangelogCoverage, change, "")); got != nil {
		t.Fatalf("%q", got)
	}
	want := map[string]int{"leji.json": 1, "docs/domain.md": 1, "docs/decisions.md": 1, clogPath: 2}
	if !maps.Equal(reads, want) {
		t.Errorf("read %v, want %v", reads, want)
	}
}

// counted counts what is read, and lists nothing.
type counted struct {
	snapshot.Tree
	reads map[string]int
}

func (c counted) Read(ctx context.Context, e snapshot.Entry, limit int64) ([]byte, error) {
	c.reads[e.Path]++
	return c.Tree.Read(ctx, e, limit)
}

func (c counted) Under(ctx context.Context, dir string) ([]snapshot.Entry, error) {
	c.reads["below "+dir]++
	return c.Tree.Under(ctx, dir)
}
