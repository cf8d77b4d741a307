package guardtable_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/seed-4419f9ca/forge/pkg/glob"
	"github.com/seed-4419f9ca/forge/pkg/guardtable"
	"github.com/seed-4419f9ca/forge/pkg/memory"
)

func matcher(t *testing.T, base, pattern string) *guardtable.Matcher {
	t.Helper()
	m, err := guardtable.NewMatcher(base, pattern)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestMatch(t *testing.T) {
	tests := []struct {
		base, pattern, path string
		want                bool
	}{
		{"", "done.md", "done.md", true},
		{"", "done.md", "Projects/x/artifacts/tasks/done.md", true},
		{"", "done.md", "undone.md", false},
		{"", "artifacts/tasks/*.md", "artifacts/tasks/done.md", true},
		{"", "artifacts/tasks/*.md", "Projects/x/artifacts/tasks/done.md", true},
		{"", "artifacts/tasks/*.md", "artifacts/tasks/old/done.md", false},
		{"", "artifacts/tasks/*.md", "artifacts/tasks/done.txt", false},
		{"", "deploy/", "deploy/up.sh", true},
		{"", "deploy/", "deploy/a/b/up.sh", true},
		{"", "deploy/", "deploy", true},
		{"", "deploy/", "deployment/up.sh", false},
		{"", "deploy", "deploy/up.sh", true},
		{"", "/deploy/", "deploy/up.sh", true},
		{"", "/deploy/", "a/deploy/up.sh", false},
		{"", "./deploy/", "deploy/up.sh", true},
		{"", ".agent/rules/*.md", ".agent/rules.md", false},
		{"", ".agent/rules/*.md", ".agent/rules/a.md", true},
		{"", "**/*.md", "a/b/c.md", true},
		{"", ".env*", "app/.env.local", true},
		{"Projects/x", "CHANGELOG.md", "Projects/x/CHANGELOG.md", true},
		{"Projects/x", "CHANGELOG.md", "Projects/x/repo/CHANGELOG.md", true},
		{"Projects/x", "CHANGELOG.md", "Projects/y/CHANGELOG.md", false},
		{"Projects/x", "CHANGELOG.md", "CHANGELOG.md", true},
		{"Projects/x", "Projects/x/docs/", "Projects/x/docs/a.md", true},
		{"Projects/x", "/docs/", "Projects/x/docs/a.md", true},
		{"Projects/x", "/docs/", "Projects/x/a/docs/a.md", false},
	}
	for _, tt := range tests {
		if got := matcher(t, tt.base, tt.pattern).Match(tt.path); got != tt.want {
			t.Errorf("%q of %q matches %q: %v", tt.pattern, tt.base, tt.path, got)
		}
	}
	for _, bad := range []string{"", "/", "a[", "{a", "\xff"} {
		if _, err := guardtable.NewMatcher("", bad); err == nil {
			t.Errorf("%q is no error", bad)
		}
	}
}

func TestUnder(t *testing.T) {
	tests := []struct {
		base, pattern, path string
		want                bool
	}{
		{"", "deploy/*.sh", "deploy/readme", true},
		{"", "deploy/*.sh", "x/deploy/readme", true},
		{"", "/deploy/*.sh", "x/deploy/readme", false},
		{"", "deploy/*.sh", "deployment/readme", false},
		{"", "*.sh", "a", false},
		{"", "deploy/up.sh", "deploy/down.sh", false},
		{"Projects/x", "deploy/*.sh", "Projects/x/deploy/readme", true},
		{"Projects/x", "deploy/*.sh", "Projects/y/deploy/readme", false},
	}
	for _, tt := range tests {
		if got := matcher(t, tt.base, tt.pattern).Under(tt.path); got != tt.want {
			t.Errorf("the folder of %q of %q holds %q: %v", tt.pattern, tt.base, tt.path, got)
		}
	}
}

func TestMeets(t *testing.T) {
	tests := []struct {
		base, pattern, rule string
		want                bool
	}{
		{"", "artifacts/tasks/*.md", "**/artifacts/tasks/done.md", true},
		{"", "artifacts/tasks/done.md", "**/artifacts/tasks/done.md", true},
		{"", "Projects/*/artifacts/tasks/*.md", "**/artifacts/tasks/done.md", true},
		{"", "artifacts/tasks/", "**/artifacts/tasks/done.md", true},
		{"", "done.md", "**/artifacts/tasks/done.md", true},
		{"", "backlog.md", "**/artifacts/tasks/done.md", false},
		{"", "deploy/", "**/artifacts/tasks/done.md", false},
		{"", "kernel/", "kernel/**/*.md", true},
		{"", "kernel/*.md", "kernel/**/*.md", true},
		{"", "kernel/{a,b}.md", "kernel/**/*.md", true},
		{"", "kernel/[ab].md", "kernel/**/*.md", true},
		{"", ".agent/rules/*.md", ".agents/rules/*.md", false},
		{"", "Areas/", "Areas/Workspace/**/*.md", true},
		{"Projects/x", "artifacts/tasks/", "**/artifacts/tasks/done.md", true},
		{"", "x.md", "a[", false},
	}
	for _, tt := range tests {
		if got := matcher(t, tt.base, tt.pattern).Meets(tt.rule); got != tt.want {
			t.Errorf("%q of %q meets %q: %v", tt.pattern, tt.base, tt.rule, got)
		}
	}
}

// A pattern meets each glob that is itself, and what it meets by its own text it also matches in any depth.
func TestAPatternMeetsItself(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.StringMatching(`([a-c]{1,2}|\*|\*\*|[a-c]\*|\{a,b\}|\[ab\])(/([a-c]{1,2}|\*|\*\*|\{a,b\})){0,3}`).Draw(t, "pattern")
		if _, err := glob.Compile(p); err != nil {
			t.Skip()
		}
		m, err := guardtable.NewMatcher("", p)
		if err != nil {
			t.Fatal(err)
		}
		if !m.Meets(p) || !m.Meets("**/"+p) {
			t.Fatalf("%q does not meet itself", p)
		}
	})
}

const rules = "# R\n\n## File Guards\n\n| File pattern | MUST re-read | Reason |\n|---|---|---|\n" +
	"| `artifacts/tasks/done.md` | `three.md` C2 | |\n| `artifacts/tasks/*.md` | `three.md`, `lost.md` | nothing may get lost |\n| `a[` | `three.md` | |\n| `deploy/` | `deploy.md` | open all day |\n| `README.md` | all of `rules/*.md` | |\n"

func TestReread(t *testing.T) {
	tree := memory.Tree(map[string]string{".agent/rules.md": rules, ".agent/rules/three.md": "", ".agent/rules/deploy.md": ""})
	tables, unread, err := guardtable.Load(t.Context(), tree, guardtable.DefaultGlobs(), 1<<20)
	if err != nil || len(unread) > 0 {
		t.Fatal(err, unread)
	}
	got, err := guardtable.Reread(t.Context(), tree, tables, []string{"Projects/x/artifacts/tasks/done.md", "artifacts/tasks/backlog.md", "README.md"})
	if err != nil {
		t.Fatal(err)
	}
	both := []string{"Projects/x/artifacts/tasks/done.md", "artifacts/tasks/backlog.md"}
	want := []guardtable.Answer{
		{Rule: ".agent/rules/three.md", Table: ".agent/rules.md", Line: 7, Pattern: "artifacts/tasks/done.md", Reason: "nothing may get lost", For: both},
		{Rule: "lost.md", Missing: true, Table: ".agent/rules.md", Line: 8, Pattern: "artifacts/tasks/*.md", Reason: "nothing may get lost", For: both},
		{Rule: "all of rules/*.md", Prose: true, Table: ".agent/rules.md", Line: 11, Pattern: "README.md", For: []string{"README.md"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestLoad(t *testing.T) {
	tree := memory.Tree(map[string]string{
		".agent/rules.md": rules, ".agents/rules/b.md": rules, "Projects/x/.agent/rules.md": rules, "Projects/x/.agent/other.md": rules,
		".agent/rules/utf16.md": "\xff\xfe#\x00", ".agent/rules/deep/c.md": rules, ".agent/rules/bad.md": "\xff", ".agent/rules/large.md": rules + rules,
	})
	tables, unread, err := guardtable.Load(t.Context(), tree, guardtable.DefaultGlobs(), int64(len(rules)))
	if err != nil {
		t.Fatal(err)
	}
	var got, bad []string
	for _, table := range tables {
		got = append(got, table.Path+" in "+table.Base())
	}
	for _, u := range unread {
		bad = append(bad, u.Path)
	}
	if diff := cmp.Diff([]string{".agent/rules.md in ", ".agents/rules/b.md in ", "Projects/x/.agent/rules.md in Projects/x"}, got); diff != "" {
		t.Errorf("tables (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{".agent/rules/bad.md", ".agent/rules/large.md", ".agent/rules/utf16.md"}, bad); diff != "" {
		t.Errorf("unread (-want +got):\n%s", diff)
	}
	if _, _, err := guardtable.Load(t.Context(), memory.Broken(tree, ".agent/rules.md", errBroken{}), guardtable.DefaultGlobs(), 0); err == nil {
		t.Error("an unreadable table is no error")
	}
}

type errBroken struct{}

func (errBroken) Error() string { return "broken" }
