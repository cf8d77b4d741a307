package guard_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/checks/guard"
	"github.com/seed-4419f9ca/forge/pkg/config"
	"github.com/seed-4419f9ca/forge/pkg/facts"
	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/memory"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// A layerCase is a change as contents by path, and what a check says of it.
type layerCase struct {
	name          string
	before, after map[string]string
	config        *config.Guards
	all           bool
	want          []string
	skip          string // prefix of the reason
}

func (c *layerCase) run(t *testing.T, chk *check.Check) {
	t.Helper()
	change := memory.Change(snapshot.Staged, []snapshot.Tree{memory.Tree(c.before)}, memory.Tree(c.after))
	cfg := config.Default()
	cfg.Guards = c.config
	cfg.Limits.File = 4000
	p := &check.Pass{Check: chk, Change: change, Config: cfg, Facts: &facts.Store{}, Stage: check.PreCommit, All: c.all, Files: change.Files,
		Ignored: func(p string) bool { return strings.HasPrefix(p, "vendor/") }}
	p.Files = slices.DeleteFunc(slices.Clone(p.Files), func(f snapshot.File) bool { return p.Ignored(f.Path) })
	if c.all {
		all, err := change.After.Under(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range all {
			if _, ok := change.File(e.Path); !ok && !p.Ignored(e.Path) {
				p.Files = append(p.Files, snapshot.File{Path: e.Path, After: e, Before: []snapshot.Entry{e}})
			}
		}
	}
	if err := chk.Run(t.Context(), p); err != nil {
		t.Fatalf("%s: %v", c.name, err)
	}
	var list []finding.Finding
	for _, f := range p.Findings() {
		list = append(list, *f)
	}
	var got []string
	for _, f := range finding.Sort(list) {
		_, slug, _ := strings.Cut(f.Code, "/")
		got = append(got, fmt.Sprintf("%s:%d: %s %s", f.Path, f.Span.Start.Line, slug, f.Anchor))
	}
	if diff := cmp.Diff(c.want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", c.name, diff)
	}
	if !strings.HasPrefix(p.Skipped(), c.skip) || c.skip == "" && p.Skipped() != "" {
		t.Errorf("%s: skipped for %q, want %q", c.name, p.Skipped(), c.skip)
	}
}

// tree joins maps of files; an empty content takes a file out.
func tree(parts ...map[string]string) map[string]string {
	out := map[string]string{}
	for _, p := range parts {
		for path, data := range p {
			out[path] = data
			if data == "" {
				delete(out, path)
			}
		}
	}
	return out
}

const tableHead = "# Rules\n\n## File Guards\n\n| File pattern | MUST re-read |\n|---|---|\n"

func files(pairs ...string) map[string]string {
	out := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		out[pairs[i]] = pairs[i+1]
	}
	return out
}

func TestGuardTable(t *testing.T) {
	const done = "# Done\n\n<!-- ⚠️ APPEND-ONLY — /end or /backlog clean only (C2) -->\n\n- [x] A-1: x #backlog\n"
	whole := files(".agent/rules.md", tableHead+"| `docs/` | `a.md` |\n", ".agent/rules/a.md", "# A\n", "docs/x.md", "x\n")
	armed := files("artifacts/tasks/done.md", done)
	tests := []layerCase{
		{name: "nothing of the kind", after: files("docs/x.md", "x\n"), skip: check.NotUsed},
		{name: "another file changes", before: whole, after: tree(whole, files("docs/x.md", "y\n")), skip: check.NotUsed},
		{name: "another file changes beside a rotten table", before: tree(whole, files(".agent/rules/a.md", "")),
			after: tree(whole, files(".agent/rules/a.md", "", "docs/x.md", "y\n")), skip: check.NotUsed},
		{name: "all sees the rotten table", before: tree(whole, files(".agent/rules/a.md", "")), after: tree(whole, files(".agent/rules/a.md", "")), all: true,
			want: []string{".agent/rules.md:7: no-such-rule a.md"}},
		{name: "the rule goes", before: whole, after: tree(whole, files(".agent/rules/a.md", "")), want: []string{".agent/rules.md:7: no-such-rule a.md"}},
		{name: "the rule is renamed", before: whole, after: tree(whole, files(".agent/rules/a.md", "", ".agent/rules/b.md", "# A\n")),
			want: []string{".agent/rules.md:7: no-such-rule a.md"}},
		{name: "the rule is renamed and the table follows", before: whole,
			after: tree(whole, files(".agent/rules/a.md", "", ".agent/rules/b.md", "# A\n", ".agent/rules.md", tableHead+"| `docs/` | `b.md` |\n"))},
		{name: "another document goes", before: tree(whole, files("docs/y.md", "y\n")), after: whole},
		{name: "a rule goes while another was missing", before: tree(whole, files(".agent/rules.md", tableHead+"| `docs/` | `a.md`, `old.md` |\n")),
			after: tree(whole, files(".agent/rules.md", tableHead+"| `docs/` | `a.md`, `old.md` |\n", ".agent/rules/a.md", "")),
			want:  []string{".agent/rules.md:7: no-such-rule a.md"}},
		{name: "a rule of the root stands in for the one that goes", before: tree(whole, files("a.md", "# A\n")),
			after: tree(whole, files("a.md", "# A\n", ".agent/rules/a.md", ""))},
		{name: "rows without a part", after: files(".agent/rules.md", tableHead+"| `docs/` | |\n| | `a.md` |\n| | |\n", ".agent/rules/a.md", "x", "docs/x.md", "x"),
			want: []string{`.agent/rules.md:7: no-such-rule "docs/"`, ".agent/rules.md:8: matches-nothing a.md"}},
		{name: "a table in a project", after: files("Projects/x/.agent/rules.md", tableHead+"| `repo/` | `a.md` |\n| `docs/` | `b.md` |\n",
			"Projects/x/.agent/rules/a.md", "x", "Projects/x/repo/y.go", "x", ".agents/rules/b.md", "x", "docs/z", "z"),
			want: []string{}},
		{name: "a project does not reach into another", after: files("Projects/x/.agent/rules.md", tableHead+"| `repo/` | `../.agent/rules.md` |\n", "Projects/y/repo/y.go", "x"),
			want: []string{"Projects/x/.agent/rules.md:7: matches-nothing repo/"}},
		{name: "a configured place", config: &config.Guards{Tables: []string{"AGENTS.md"}, Preset: "none"},
			after: files("AGENTS.md", tableHead+"| `docs/` | `a.md` |\n", ".agent/rules.md", tableHead+"| `docs/` | `b.md` |\n"),
			want:  []string{"AGENTS.md:7: matches-nothing docs/", "AGENTS.md:7: no-such-rule a.md"}},
		{name: "ignored tables", after: files("vendor/AGENTS.md", tableHead+"| `docs/` | `a.md` |\n"), config: &config.Guards{Tables: []string{"**/AGENTS.md"}, Preset: "none"}, skip: check.NotUsed},
		{name: "a guard that is armed stands for its files", after: tree(whole, files(".para-workspace.yml", "v\n", ".agent/rules.md",
			tableHead+"| `.agent/rules/*.md` | `a.md` |\n| `artifacts/tasks/backlog.md` | `a.md` |\n| `artifacts/plans/x.md` | `a.md` |\n")),
			want: []string{".agent/rules.md:9: matches-nothing artifacts/plans/x.md"}},
		{name: "a guard that is not armed does not", after: tree(whole, files(".agent/rules.md", tableHead+"| `artifacts/tasks/backlog.md` | `a.md` |\n")),
			want: []string{".agent/rules.md:7: matches-nothing artifacts/tasks/backlog.md"}},
		{name: "a folder waits for its first file", after: tree(whole, files(".agent/rules.md", tableHead+"| `docs/*.draft` | `a.md` |\n"))},
		{name: "a table names the whole project of a guard", before: files("Projects/x/artifacts/tasks/done.md", done),
			after: tree(whole, files("Projects/x/artifacts/tasks/done.md", done, ".agent/rules.md", tableHead+"| `Projects/x/` | `a.md` |\n"))},
		{name: "uncovered, by header", before: armed, after: tree(armed, whole), want: []string{".agent/rules.md:5: uncovered done"}},
		{name: "uncovered, two guards", before: files(".para-workspace.yml", "v\n"), after: tree(armed, whole, files(".para-workspace.yml", "v\n")),
			want: []string{".agent/rules.md:5: uncovered done", ".agent/rules.md:5: uncovered governed"}},
		{name: "a new file brings a guard into use", before: tree(whole), after: tree(whole, armed), want: []string{".agent/rules.md:5: uncovered done"}},
		{name: "a new file of a guard in another folder", before: tree(whole, armed), after: tree(whole, armed, files("Projects/x/artifacts/tasks/done.md", done)),
			want: []string{".agent/rules.md:5: uncovered done"}},
		{name: "a new file that the table names", before: tree(whole, files(".agent/rules.md", tableHead+"| `artifacts/` | `a.md` |\n", "artifacts/x", "x")),
			after: tree(whole, armed, files(".agent/rules.md", tableHead+"| `artifacts/` | `a.md` |\n", "artifacts/x", "x"))},
		{name: "no table, no demand", before: armed, after: tree(armed, files(".agent/rules.md", "# Rules\n")), skip: check.NotUsed},
		{name: "the last table goes", before: tree(armed, whole), after: tree(armed, whole, files(".agent/rules.md", "# Rules\n")),
			want: []string{".agent/rules.md:0: uncovered done"}},
		{name: "the file of the last table goes", before: tree(armed, whole), after: tree(armed, whole, files(".agent/rules.md", "")),
			want: []string{".agent/rules.md:0: uncovered done"}},
		{name: "a file that is no text", after: files(".agent/rules.md", "\xff\xfe#\x00"), skip: `".agent/rules.md" is UTF-16`},
		{name: "a large file", after: files(".agent/rules.md", strings.Repeat("x", 5000)), skip: `".agent/rules.md" has 5000 bytes`},
	}
	for _, tt := range tests {
		if len(tt.want) == 0 {
			tt.want = nil
		}
		tt.run(t, guard.GuardTable)
	}
}

const gate = "### 0. Pre-flight\n\nRe-read `.agent/rules.md` from disk.\n\n"

func TestPreflight(t *testing.T) {
	rules := files(".agent/rules.md", "# Rules\n")
	push := ".agent/workflows/push.md"
	good := tree(rules, files(push, gate+"### 1. Go\n"))
	tests := []layerCase{
		{name: "no workflow", after: rules, skip: check.NotUsed},
		{name: "another workflow", after: files(".agent/workflows/build.md", "### 1. Go\n"), skip: check.NotUsed},
		{name: "whole", after: good},
		{name: "an empty workflow", after: files(push, "# /push\n"), want: []string{push + ":0: no-step-0 no step 0"}},
		{name: "all default names", after: tree(rules, files("a/workflows/release.md", "x\n", "workflows/end.md", "x\n", ".agents/workflows/plan.md", "x\n",
			".agent/workflows/docs.md", "x\n", ".agent/workflows/backlog.md", "x\n", ".agent/workflows/retro.md", "x\n")),
			want: []string{".agent/workflows/backlog.md:0: no-step-0 no step 0", ".agent/workflows/docs.md:0: no-step-0 no step 0", ".agent/workflows/retro.md:0: no-step-0 no step 0",
				".agents/workflows/plan.md:0: no-step-0 no step 0", "a/workflows/release.md:0: no-step-0 no step 0", "workflows/end.md:0: no-step-0 no step 0"}},
		{name: "configured names", config: &config.Guards{Preflight: []string{"/build"}}, after: files(push, "x\n", ".agent/workflows/build.md", "x\n"),
			want: []string{".agent/workflows/build.md:0: no-step-0 no step 0"}},
		{name: "no names", config: &config.Guards{Preflight: []string{}}, after: files(push, "x\n"), skip: check.NotUsed},
		{name: "late and empty", after: files(push, "### 1. Go\n\n### 0. Pre-flight\n\nBreathe.\n"),
			want: []string{push + ":3: does-not-reread 0. Pre-flight", push + ":3: not-first 0. Pre-flight"}},
		{name: "unchanged faults", before: files(push, "### 1. Go\n", "x", "x"), after: files(push, "### 1. Go\n", "x", "y"), skip: check.NotUsed},
		{name: "all sees them", before: files(push, "### 1. Go\n"), after: files(push, "### 1. Go\n"), all: true, want: []string{push + ":1: no-step-0 no step 0"}},
		{name: "the rules go", before: good, after: tree(good, files(".agent/rules.md", "")), want: []string{push + ":3: dead-path .agent/rules.md"}},
		{name: "the rules go and the workflow changes", before: good, after: files(push, gate+"### 1. Go on\n"), want: []string{push + ":3: dead-path .agent/rules.md"}},
		{name: "the rules go beside an old fault", before: files(".agent/rules.md", "r", push, "### 0. Gate\n\nThe rules: `.agent/rules.md`.\n"), after: files(push, "### 0. Gate\n\nThe rules: `.agent/rules.md`.\n"),
			want: []string{push + ":3: dead-path .agent/rules.md"}},
		{name: "rules of another place", after: files(push, "### 0. Gate\n\nRead rules.md.\n", "deep/down/rules.md", "r"), want: []string{push + ":3: dead-path rules.md"}},
		{name: "the rules move and the workflow follows", before: good, after: files(".agents/rules.md", "# Rules\n", push, strings.ReplaceAll(gate, ".agent/", ".agents/"))},
		{name: "the rules of a project go", before: files("Projects/x/.agent/rules.md", "r", "Projects/x/.agent/workflows/end.md", gate), after: files("Projects/x/.agent/workflows/end.md", gate),
			want: []string{"Projects/x/.agent/workflows/end.md:3: dead-path .agent/rules.md"}},
		{name: "a document goes that nobody names", before: tree(good, files(".agent/old.md", "x")), after: good},
		{name: "the rules of the configuration", config: &config.Guards{Tables: []string{"AGENTS.md"}}, after: files(push, "### 0. Gate\n\nRead AGENTS.md.\n", "AGENTS.md", "x")},
		{name: "a large workflow", after: files(push, strings.Repeat("x", 5000)), skip: `".agent/workflows/push.md" has 5000 bytes`},
	}
	for _, tt := range tests {
		tt.run(t, guard.Preflight)
	}
}

func TestSafetyBlock(t *testing.T) {
	open := ".agent/workflows/open.md"
	report := func(block string) string {
		return "### 1. Report\n\n```\n📋 Status\n- a\n- b\n📊 Backlog summary\n- c\n- d\n- e\n- f\n" + block + "```\n"
	}
	block := "🛡️ SAFETY\n- Git: ask.\n- Governance: leave kernel/ alone, and secrets.md.\n- Recovery: re-read .agent/rules.md.\n"
	rest := files(".agent/rules.md", "r", "kernel/a.md", "k", "deep/down/secrets.md", "s")
	tests := []layerCase{
		{name: "no workflow", after: rest, skip: check.NotUsed},
		{name: "whole", after: tree(rest, files(open, report(block)))},
		{name: "no block", after: tree(rest, files(open, report(""))), want: []string{open + ":3: missing no safety block"}},
		{name: "no report", after: tree(rest, files(open, "# Open\n")), want: []string{open + ":0: missing no safety block"}},
		{name: "dead paths", after: files(open, report(block), ".agent/other.md", "x"),
			want: []string{open + ":14: dead-path kernel/", open + ":14: dead-path secrets.md", open + ":15: dead-path .agent/rules.md"}},
		{name: "two faults", after: tree(rest, files(open, "```\n🛡️ SAFETY\n- Git: ask.\n\n📊 Backlog\n- a\n- b\n```\n")),
			want: []string{open + ":2: misplaced 🛡️ SAFETY", open + ":2: point-missing Governance Recovery"}},
		{name: "late, and still before the backlog", after: tree(rest, files(open, "```\n- a\n- b\n- c\n- d\n- e\n- f\n- g\n- h\n- i\n- j\n"+block+"📊 Backlog\n```\n")),
			want: []string{open + ":12: misplaced 🛡️ SAFETY"}},
		{name: "the rules go", before: tree(rest, files(open, report(block))), after: tree(rest, files(open, report(block), ".agent/rules.md", "")),
			want: []string{open + ":15: dead-path .agent/rules.md"}},
		{name: "the rules go beside an old fault", before: files(open, report("🛡️ SAFETY\n- Recovery: .agent/rules.md, x/y.md\n"), ".agent/rules.md", "r"),
			after: files(open, report("🛡️ SAFETY\n- Recovery: .agent/rules.md, x/y.md\n")), want: []string{open + ":13: dead-path .agent/rules.md"}},
		{name: "a configured place", config: &config.Guards{OpenWorkflow: "start.md"}, after: files(open, report(""), "start.md", report("")), want: []string{"start.md:3: missing no safety block"}},
		{name: "a configured place loses its rules", config: &config.Guards{OpenWorkflow: "start.md"}, before: tree(rest, files("start.md", report(block))),
			after: tree(rest, files("start.md", report(block), ".agent/rules.md", "")), want: []string{"start.md:15: dead-path .agent/rules.md"}},
	}
	for _, tt := range tests {
		tt.run(t, guard.SafetyBlock)
	}
}
