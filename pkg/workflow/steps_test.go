package workflow_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-4419f9ca/forge/pkg/markdown"
	"github.com/seed-4419f9ca/forge/pkg/workflow"
)

func parse(src string) *markdown.Doc { return markdown.Parse([]byte(src)) }

func isRules(p string) bool { return strings.HasSuffix(p, "rules.md") }

func TestSteps(t *testing.T) {
	tests := []struct {
		name, src string
		want      []string // number, "!" for a pre-flight, title
	}{
		{"numbered", "# /push\n\n## Usage\n\n### 0. Rules pre-flight\n\n### 1. Look\n\n### 2.5) More\n", []string{"0! 0. Rules pre-flight", "1 1. Look", "2.5 2.5) More"}},
		{"words", "## Step 0: Setup\n## Bước 1 Kiểm tra\n## STEP 2\n## Step zero\n", []string{"0! Step 0: Setup", "1 Bước 1 Kiểm tra", "2 STEP 2", "0! Step zero"}},
		{"signs", "## 🚦 0️⃣ Gate\n## ➡️ 1 — Go\n## 3 ways to push\n", []string{"0! 🚦 0️⃣ Gate", "1 ➡️ 1 — Go"}},
		{"a name", "## Pre-flight\n## Preflight (all actions)\n## Usage\n", []string{"! Pre-flight", "! Preflight (all actions)"}},
		{"Vietnamese names", "## Tiền kiểm\n", []string{"! Tiền kiểm"}},
		{"decomposed", "## Bu\u031bo\u031b\u0301c 0: Luật\n", []string{"0! Bu\u031bo\u031b\u0301c 0: Luật"}},
		{"zero point", "## 0.5. Late\n## 00. Zero\n", []string{"0.5 0.5. Late", "0! 00. Zero"}},
		{"numbered title", "# 1. Push\n\n## 0. Gate\n", []string{"0! 0. Gate"}},
		{"pre-flight in a title", "# Push after a pre-flight\n\n## 1. Go\n", []string{"1 1. Go"}},
		{"not in fences and quotes", "```\n## 0. Gate\n```\n> ## 0. Gate\n\n## 1. Go\n", []string{"1 1. Go"}},
		{"lists", "# /push\n\n0. Re-read the rules.\n1. Push.\n", []string{"0! Re-read the rules.", "1 Push."}},
		{"bold lines", "**Step 0: Gate**\n\nRead.\n\n**Step 1. Go**\n", []string{"0! **Step 0: Gate**", "1 **Step 1. Go**"}},
		{"lists do not count beside headings", "1. One\n2. Two\n\n## 0. Gate\n", []string{"0! 0. Gate"}},
		{"years and words", "## 2026 plans\n## Stepping 0\n## Usage\n", nil},
		{"empty", "", nil},
	}
	for _, tt := range tests {
		var got []string
		for _, s := range workflow.Steps(parse(tt.src)) {
			mark := ""
			if s.Preflight() {
				mark = "!"
			}
			got = append(got, s.Number+mark+" "+s.Title)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestRereads(t *testing.T) {
	yes := map[string]string{
		"plain":             "Re-read `.agent/rules.md` from disk before anything else.",
		"command in a span": "Run `cat .agent/rules.md` again and follow its triggers.",
		"broken line":       "Re-read\n`.agent/rules.md` from disk.",
		"read":              "Read .agent/rules.md.",
		"reading":           "Start by re-reading `.agent/rules.md`.",
		"Vietnamese":        "Đọc lại `.agent/rules.md` từ đĩa.",
		"decomposed":        "Đo\u0323c la\u0323i `.agent/rules.md`.",
		"list below":        "Re-read from disk:\n\n- the goal\n- `.agent/rules.md`",
		"nested list":       "- Read:\n  - `.agent/rules.md`",
		"command":           "```bash\ncat .agent/rules.md 2>/dev/null | head -n 30\n```",
		"command in a list": "1. Run\n\n   ```sh\n   cd x && cat .agent/rules.md\n   ```",
		"text in a fence":   "```\nRe-read .agent/rules.md\n```",
		"in a quote":        "> Re-read `.agent/rules.md`.",
		"must not forget":   "Do not forget to re-read `.agent/rules.md`.",
		"never without":     "Never go on without re-reading `.agent/rules.md`.",
		"do not skip":       "Do not skip re-reading `.agent/rules.md`.",
		"second sentence":   "Do not read the diff yet. Re-read `.agent/rules.md`.",
		"the index":         "Re-read the rules index from disk.",
		"condition":         "If the context was cut, re-read `.agent/rules.md`.",
		"table":             "Read these files:\n\n| File |\n|---|\n| `.agent/rules.md` |",
		"abbreviated":       "Re-read the rules, e.g. `.agent/rules.md`.",
		"sub-heading":       "#### Rules\n\nRe-read `.agent/rules.md`.",
	}
	for name, body := range yes {
		if !inspect("### 0. Gate", body) {
			t.Errorf("%s: %q does not re-read", name, body)
		}
	}
	no := map[string]string{
		"nothing":           "",
		"other words":       "Check that the sensors answer.",
		"no verb":           "The rules are in `.agent/rules.md`.",
		"no path":           "Re-read everything.",
		"another path":      "Re-read `docs/guide.md`.",
		"refused command":   "Never run `cat .agent/rules.md` here.",
		"command in a word": "The category `catalogue .agent/rules.md` stays.",
		"do not":            "Do not re-read `.agent/rules.md`; you know it.",
		"don't need to":     "You don’t need to re-read `.agent/rules.md`.",
		"no need":           "No need to read `.agent/rules.md` again.",
		"without":           "Go on without re-reading `.agent/rules.md`.",
		"skip":              "Skip reading `.agent/rules.md`.",
		"already":           "You have already read `.agent/rules.md`.",
		"Vietnamese":        "Không cần đọc lại `.agent/rules.md`.",
		"two sentences":     "Read the staged list. `.agent/rules.md` stays as it is.",
		"two clauses":       "Read the staged list; `.agent/rules.md` stays as it is.",
		"in a comment":      "<!-- Re-read `.agent/rules.md` -->",
		"in a half comment": "Go. <!-- Re-read `.agent/rules.md` --> Go on.",
		"echo":              "```bash\necho \"re-read .agent/rules.md\"\n```",
		"shell comment":     "```bash\n# cat .agent/rules.md\n```",
		"rm":                "```bash\nrm .agent/rules.md\n```",
		"list after a stop": "Read the diff.\n\n- `.agent/rules.md` must not change",
		"placeholder":       "Re-read `Projects/[name]/.agent/rules.md`.",
		"read-only":         "`.agent/rules.md` is read-only.",
	}
	for name, body := range no {
		if inspect("### 0. Gate", body) {
			t.Errorf("%s: %q re-reads", name, body)
		}
	}
}

func TestTheTitleAloneDoesNotReread(t *testing.T) {
	if inspect("### 0. Re-read the rules index `.agent/rules.md`", "Check that the sensors answer.") {
		t.Error("the body says nothing")
	}
	for _, body := range []string{"`.agent/rules.md`", "- `.agent/rules.md`", "From `.agent/rules.md`, please."} {
		if !inspect("### 0. Re-read the rules", body) {
			t.Errorf("the title speaks for %q", body)
		}
	}
}

func inspect(title, body string) bool {
	doc := parse(title + "\n\n" + body + "\n\n### 1. Re-read\n\nRead `.agent/rules.md` now.\n")
	steps := workflow.Steps(doc)
	rereads, _ := steps[0].Inspect(doc, isRules)
	return rereads
}

func TestAHigherHeadingEndsAStep(t *testing.T) {
	if inspect("### 0. Gate", "Breathe.\n\n## Notes\n\nRe-read `.agent/rules.md`.") {
		t.Error("the notes are no part of the step")
	}
}

func TestPathsOfAStep(t *testing.T) {
	src := "### 0. Gate\n\nRe-read `.agent/rules.md` and `.agent/skills.md` (if it exists).\nIf asked, read `docs/x.md`.\n\n```bash\ncat .agents/rules.md 2>/dev/null\n```\n"
	doc := parse(src)
	_, got := workflow.Steps(doc)[0].Inspect(doc, isRules)
	want := []workflow.Named{
		{Path: ".agent/rules.md", Rules: true, Read: true, Optional: true, Conditional: true},
		{Path: ".agent/skills.md", Read: true, Optional: true, Conditional: true},
		{Path: "docs/x.md", Read: true, Conditional: true},
		{Path: ".agents/rules.md", Rules: true, Read: true, Optional: true},
	}
	for i := range got {
		if at := src[got[i].Start:got[i].End]; at != got[i].Path {
			t.Errorf("%q is placed at %q", got[i].Path, at)
		}
		got[i].Start, got[i].End = 0, 0
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestGate(t *testing.T) {
	tests := []struct {
		name, src    string
		step, before string
		needs        []string
		first        string
	}{
		{"none", "text\n", "", "", nil, ""},
		{"no gate", "## 1. Go\n", "", "", nil, "1. Go"},
		{"first", "## 0. Gate\n\nRead `.agent/rules.md`.\n\n## 1. Go\n", "0. Gate", "", []string{".agent/rules.md"}, ""},
		{"late", "## 1. Go\n\n## 0. Gate\n", "0. Gate", "1. Go", nil, ""},
		{"what it needs", "## 0. Gate\n\nRead `.agent/rules.md`, `docs/a.md` and `done.md`.\nRead `docs/b.md` (if it exists).\n\nWrite `docs/c.md`.\n\nRead `x/rules.md` if present.\n",
			"0. Gate", "", []string{".agent/rules.md", "docs/a.md"}, ""},
		{"only what may be missing", "## 0. Gate\n\n```sh\ncat .agent/rules.md 2>/dev/null\n```\n", "0. Gate", "", []string{".agent/rules.md"}, ""},
	}
	for _, tt := range tests {
		gate, first := workflow.FindGate(parse(tt.src), isRules)
		var step, before, other string
		var needs []string
		if gate != nil {
			step = gate.Step.Title
			for _, n := range gate.Needs {
				needs = append(needs, n.Path)
			}
			if gate.Before != nil {
				before = gate.Before.Title
			}
		}
		if first != nil {
			other = first.Title
		}
		if step != tt.step || before != tt.before || other != tt.first || !slices.Equal(needs, tt.needs) {
			t.Errorf("%s: step %q behind %q needs %q; first %q", tt.name, step, before, needs, other)
		}
	}
}

func TestNames(t *testing.T) {
	names := []string{"push", "/end", "plan.md"}
	for path, want := range map[string]bool{
		".agent/workflows/push.md": true, "workflows/end.md": true, "a/b/workflows/plan.md": true,
		"push.md": false, ".agent/workflows/x/push.md": false, "myworkflows/push.md": false, "workflows/pushed.md": false, "workflows/Push.md": false,
	} {
		if got := workflow.NamedAs(path, names); got != want {
			t.Errorf("NamedAs(%q) is %v", path, got)
		}
	}
	for path, want := range map[string]string{
		".agent/rules.md": ".agent", "Projects/x/.agents/rules/a.md": "Projects/x/.agents", "rules.md": "", ".agent": "", "a/.agent/b/.agents/c": "a/.agent/b/.agents",
	} {
		if got := workflow.AgentFolder(path); got != want {
			t.Errorf("AgentFolder(%q) is %q", path, got)
		}
	}
}

func FuzzSteps(f *testing.F) {
	f.Add("### 0. Pre-flight\n\nRe-read `.agent/rules.md`:\n\n- a\n\n```sh\ncat .agent/rules.md\n```\n")
	f.Add("0. x\n1. y\n**Step 0**\n| a |\n|---|\n| .agent/rules.md |\n")
	f.Add("> # 0\n<!-- x\n## Bước 0️⃣\r\n\tcat rules.md\r\n")
	f.Fuzz(func(t *testing.T, src string) {
		doc := parse(src)
		last := -1
		steps := workflow.Steps(doc)
		for i := range steps {
			s := &steps[i]
			if s.Start < last || s.End < s.Start || s.End > len(src) {
				t.Fatalf("step %q at %d to %d is out of order", s.Title, s.Start, s.End)
			}
			last = s.Start
			_, paths := s.Inspect(doc, isRules)
			for _, n := range paths {
				if n.Start < s.Start || n.End < n.Start || n.End > len(src) {
					t.Fatalf("path %q at %d to %d lies outside step %q", n.Path, n.Start, n.End, s.Title)
				}
			}
		}
	})
}
