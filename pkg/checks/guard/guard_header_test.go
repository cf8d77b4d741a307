package guard

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/checktest"
	"github.com/seed-4419f9ca/forge/pkg/config"
	"github.com/seed-4419f9ca/forge/pkg/facts"
	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/memory"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

func TestHeaderExamples(t *testing.T) {
	for _, code := range GuardHeader.Codes {
		t.Run(code.Slug, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join("../../../testdata", checktest.Name(GuardHeader, &code)))
			if err != nil {
				t.Fatal(err)
			}
			ex, err := checktest.Parse(data)
			if err != nil {
				t.Fatal(err)
			}
			known := []*check.Check{GuardHeader}
			got, err := ex.Bad.Run(context.Background(), GuardHeader, known, ex.Bad.Change(nil))
			if err != nil {
				t.Fatal(err)
			}
			if lines := checktest.Lines(got); !slices.Equal(lines, ex.Bad.Want) {
				t.Errorf("bad: got %q, want %q", lines, ex.Bad.Want)
			}
			if got, err = ex.Good.Run(context.Background(), GuardHeader, known, ex.Good.Change(nil)); err != nil || len(got) > 0 {
				t.Errorf("good: got %q, %v", checktest.Lines(got), err)
			}
		})
	}
}

const (
	testDone = "# T\n\n<!-- ⚠️ APPEND-ONLY — /end or /backlog clean only (C2) -->\n\n"
	testHot  = "# T\n\n<!-- ⚠️ HOT LANE ONLY — No backlog tasks here (C1) -->\n\n"
	testBare = "# T\n\n"
	doneFile = "artifacts/tasks/done.md"
)

// A headerCase is a change for guard-header, written as contents by path; a path that ends in @ is a symlink, one that ends
// in # a submodule.
type headerCase struct {
	name    string
	before  []map[string]string
	after   map[string]string
	guards  *config.Guards
	all     bool
	limit   int64
	want    []string // "level path:line:col: code"
	skipped string
}

func headerTree(files map[string]string) snapshot.Tree {
	all := map[string]memory.File{}
	for p, data := range files {
		switch {
		case strings.HasSuffix(p, "@"):
			all[p[:len(p)-1]] = memory.File{Mode: snapshot.Symlink, Data: data}
		case strings.HasSuffix(p, "#"):
			all[p[:len(p)-1]] = memory.File{Mode: snapshot.Gitlink, Data: strings.Repeat("1", 40)}
		default:
			all[p] = memory.File{Mode: snapshot.Regular, Data: data}
		}
	}
	return memory.TreeOf(all)
}

func (c *headerCase) run(t *testing.T) *check.Pass {
	t.Helper()
	var before []snapshot.Tree
	for _, b := range c.before {
		before = append(before, headerTree(b))
	}
	if before == nil {
		before = []snapshot.Tree{headerTree(nil)}
	}
	change := memory.Change(snapshot.Staged, before, headerTree(c.after))
	cfg := config.Default()
	cfg.Guards = c.guards
	if c.limit > 0 {
		cfg.Limits.File = c.limit
	}
	p := &check.Pass{
		Check: GuardHeader, Change: change, Config: cfg, Facts: &facts.Store{}, Stage: check.PreCommit, All: c.all,
		Files: change.Files, Ignored: func(string) bool { return false },
	}
	if c.all {
		entries, err := change.After.Under(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if _, ok := change.File(e.Path); !ok {
				p.Files = append(p.Files, snapshot.File{Path: e.Path, After: e, Before: []snapshot.Entry{e}})
			}
		}
	}
	if err := runGuardHeader(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	return p
}

func levelled(p *check.Pass) []string {
	var list []finding.Finding
	for _, f := range p.Findings() {
		list = append(list, *f)
	}
	var out []string
	for _, f := range finding.Sort(list) {
		out = append(out, string(f.Level)+" "+strings.Replace(checktest.Lines([]finding.Finding{f})[0], "guard-header/", "", 1))
	}
	return out
}

func TestHeaderJudgement(t *testing.T) {
	type files = map[string]string
	para := &config.Guards{}
	always := &config.Guards{Require: "always"}
	for _, c := range []headerCase{
		{name: "nothing is guarded", after: files{"a.md": testBare, doneFile: testBare}, skipped: check.NotUsed},
		{name: "guarded, untouched", before: []map[string]string{{doneFile: testDone}}, after: files{doneFile: testDone, "a.md": testBare}, skipped: check.NotUsed},

		{name: "new without header", guards: para, after: files{doneFile: testBare}, want: []string{"fail artifacts/tasks/done.md: missing"}},
		{name: "old without header", guards: para, before: []map[string]string{{doneFile: testBare}}, after: files{doneFile: testBare + "x\n"}, want: []string{"flag artifacts/tasks/done.md: missing"}},
		{name: "old without header, always", guards: always, before: []map[string]string{{doneFile: testBare}}, after: files{doneFile: testBare + "x\n"}, want: []string{"fail artifacts/tasks/done.md: missing"}},
		{name: "old, untouched, all", guards: para, all: true, before: []map[string]string{{doneFile: testBare}}, after: files{doneFile: testBare}, want: []string{"flag artifacts/tasks/done.md: missing"}},
		{name: "moved into a guarded folder", guards: para, before: []map[string]string{{"a.md": testBare}}, after: files{doneFile: testBare}, want: []string{"fail artifacts/tasks/done.md: missing"}},
		{name: "moved between guarded places", guards: para, before: []map[string]string{{"x/" + doneFile: testBare}}, after: files{doneFile: testBare}, want: []string{"flag artifacts/tasks/done.md: missing"}},
		{name: "moved with its header", guards: para, before: []map[string]string{{"x/" + doneFile: testDone}}, after: files{doneFile: testDone}},
		{name: "was a symlink", guards: para, before: []map[string]string{{doneFile + "@": "x"}}, after: files{doneFile: testBare}, want: []string{"fail artifacts/tasks/done.md: missing"}},
		{name: "wrong before, none now", guards: para, before: []map[string]string{{doneFile: testHot}}, after: files{doneFile: testBare}, want: []string{"fail artifacts/tasks/done.md: missing"}},
		{name: "unknown guard", guards: para, after: files{doneFile: "# T\n\n<!-- ⚠️ mine -->\n"}, want: []string{"fail artifacts/tasks/done.md: missing", "flag artifacts/tasks/done.md:3:1: unknown"}},
		{name: "unknown guard beside the right one", after: files{doneFile: testDone + "<!-- ⚠️ mine -->\n"}},

		{name: "removed", before: []map[string]string{{doneFile: testDone}}, after: files{doneFile: testBare}, want: []string{"fail artifacts/tasks/done.md: removed"}},
		{name: "put into a fence", before: []map[string]string{{doneFile: testDone}}, after: files{doneFile: "```\n" + testDone + "```\n"}, want: []string{"fail artifacts/tasks/done.md: removed"}},
		{name: "replaced by another", before: []map[string]string{{doneFile: testDone}}, after: files{doneFile: testHot}, want: []string{"fail artifacts/tasks/done.md:3:1: removed"}},
		{name: "misspelt now", before: []map[string]string{{doneFile: testDone}}, after: files{doneFile: strings.Replace(testDone, "⚠️", "⚠", 1)}, want: []string{"flag artifacts/tasks/done.md:3:1: spelling"}},
		{name: "misplaced now", before: []map[string]string{{doneFile: testDone}}, after: files{doneFile: "# T\n\nx\n\n" + testDone[5:]}, want: []string{"flag artifacts/tasks/done.md:5:1: misplaced"}},
		{name: "removed by an encoding", before: []map[string]string{{doneFile: testDone}}, after: files{doneFile: "\xff\xfe#\x00"}, want: []string{"fail artifacts/tasks/done.md: removed", "fail artifacts/tasks/done.md: unreadable"}},
		{name: "removed from a record by header", before: []map[string]string{{"log.md": testDone}}, after: files{"log.md": testBare}, want: []string{"fail log.md: removed"}},
		{name: "record by header", before: []map[string]string{{"log.md": testBare}}, after: files{"log.md": "x\n\n" + testDone}},
		{name: "another policy, by header", before: []map[string]string{{"log.md": testHot}}, after: files{"log.md": testBare}, skipped: check.NotUsed},
		{name: "deleted", before: []map[string]string{{doneFile: testDone}}},

		{name: "wrong", after: files{doneFile: testHot}, want: []string{"fail artifacts/tasks/done.md:3:1: wrong"}},
		{name: "two guards", after: files{doneFile: testDone + "x\n\n" + testHot[5:]}, want: []string{"fail artifacts/tasks/done.md:7:1: wrong"}},
		{name: "wrong and nothing else", guards: para, before: []map[string]string{{doneFile: testBare}}, after: files{doneFile: testHot}, want: []string{"fail artifacts/tasks/done.md:3:1: wrong"}},

		{name: "symlink", before: []map[string]string{{doneFile: testDone}}, after: files{doneFile + "@": "x"}, want: []string{"fail artifacts/tasks/done.md: not-regular"}},
		{name: "submodule", guards: para, after: files{doneFile + "#": ""}, want: []string{"fail artifacts/tasks/done.md: not-regular"}},
		{name: "folder becomes a symlink", before: []map[string]string{{doneFile: testDone, "artifacts/tasks/x.md": testBare}}, after: files{"artifacts@": "x"}, want: []string{"fail artifacts/tasks/done.md: not-regular"}},
		{name: "folder was a symlink on one side of a merge", before: []map[string]string{{doneFile: testDone}, {"artifacts@": "x"}}, after: files{"artifacts@": "x"}},
		{name: "symlink elsewhere", before: []map[string]string{{doneFile: testDone}}, after: files{doneFile: testDone, "a.md@": doneFile}, skipped: check.NotUsed},

		{name: "merge, taken from one side", guards: para, before: []map[string]string{{doneFile: testDone}, {doneFile: testBare}}, after: files{doneFile: testBare}},
		{name: "merge drops the header of one side", before: []map[string]string{{doneFile: testDone + "a\n"}, {doneFile: testBare}}, after: files{doneFile: testBare + "a\n"}, want: []string{"fail artifacts/tasks/done.md: removed"}},
		{name: "merge, adopted on both sides", guards: para, before: []map[string]string{{doneFile: testBare + "a\n"}, {}}, after: files{doneFile: testBare + "b\n"}, want: []string{"flag artifacts/tasks/done.md: missing"}},

		{name: "JSON and pictures", guards: &config.Guards{Rules: []config.GuardRule{{Key: "ops", Header: "<!-- ⚠️ G -->", Paths: []string{"ops/**"}, Policy: "governed"}}}, after: files{"ops/a.json": "{}", "ops/a.png": "\x89PNG\x00", "ops/a.txt": "x", "ops/a.sh": "#!/bin/sh\n# ⚠️ G\n"}},
		{name: "script", guards: &config.Guards{Rules: []config.GuardRule{{Key: "ops", Header: "<!-- ⚠️ G -->", Paths: []string{"ops/**"}, Policy: "governed"}}}, after: files{"ops/a.sh": "# ⚠ G\n#!/bin/sh\n", "ops/b.py": "x\n"}, want: []string{"flag ops/a.sh:1:1: misplaced", "flag ops/a.sh:1:1: spelling", "fail ops/b.py: missing"}},
		{name: "over the limit", guards: para, limit: 10, after: files{doneFile: testBare + strings.Repeat("x", 20)}, skipped: `"artifacts/tasks/done.md" has 25 bytes, more than the limit of 10 (limits.file)`},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := c.run(t)
			if got := levelled(p); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if p.Skipped() != c.skipped {
				t.Errorf("skipped %q, want %q", p.Skipped(), c.skipped)
			}
		})
	}
}

// TestHeaderFixesHeal applies the safe fixes of each finding and judges again.
func TestHeaderFixesHeal(t *testing.T) {
	for _, src := range []string{testBare, "text", "\ufeff# T\r\n- a", "---\na: 1\n---\n# T\n" + testDone[5:], strings.ToLower(testDone), "# T\n\nx\n" + strings.ToLower(testDone[5:])} {
		c := headerCase{guards: &config.Guards{}, after: map[string]string{doneFile: src}}
		p := c.run(t)
		if len(p.Findings()) == 0 {
			t.Fatalf("%q: nothing to fix", src)
		}
		for _, f := range p.Findings() {
			if f.Fix == nil || !f.Fix.Safe {
				t.Fatalf("%q: %s has no safe fix", src, f.Code)
			}
		}
		out, err := text.Apply([]byte(src), p.Findings()[0].Fix.Edits)
		if err != nil {
			t.Fatal(err)
		}
		c.after[doneFile] = string(out)
		if left := levelled(c.run(t)); len(left) > 0 {
			t.Errorf("%q became %q, and still: %q", src, out, left)
		}
	}
}

func TestHeaderFixRefusalIsExplained(t *testing.T) {
	for _, src := range []string{"---\na: 1\n", "# T\n\n<!--\n"} {
		c := headerCase{guards: &config.Guards{}, after: map[string]string{doneFile: src}}
		for _, f := range c.run(t).Findings() {
			if f.Code == "guard-header/missing" && (f.Fix != nil || !strings.Contains(f.Help, "leaves this file alone, because")) {
				t.Errorf("%q: %q", src, f.Help)
			}
		}
	}
}

func TestHeaderAnchorsSurviveMovedLines(t *testing.T) {
	prints := map[string]bool{}
	for _, src := range []string{testHot, "# T\n\n\n\n" + testHot[5:]} {
		c := headerCase{after: map[string]string{doneFile: src}}
		for _, f := range c.run(t).Findings() {
			prints[f.Fingerprint()] = true
		}
	}
	if len(prints) != 1 {
		t.Errorf("one fault has %d fingerprints", len(prints))
	}
}

func TestHeaderUnreadableObjectIsAnError(t *testing.T) {
	broken := errors.New("broken")
	after := memory.Broken(headerTree(map[string]string{doneFile: testBare}), doneFile, broken)
	before := memory.Broken(headerTree(map[string]string{doneFile: testDone}), doneFile, broken)
	good := headerTree(map[string]string{doneFile: testDone + "x\n"})
	for _, change := range []*snapshot.Change{
		memory.Change(snapshot.Staged, []snapshot.Tree{good}, after), memory.Change(snapshot.Staged, []snapshot.Tree{before}, good),
	} {
		p := &check.Pass{Check: GuardHeader, Change: change, Config: config.Default(), Facts: &facts.Store{}, Files: change.Files, Ignored: func(string) bool { return false }}
		if err := runGuardHeader(t.Context(), p); !errors.Is(err, broken) {
			t.Errorf("got %v", err)
		}
	}
}
