package workflow_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-4419f9ca/forge/pkg/workflow"
)

const block = "🛡️ SAFETY (keep):\n- Git: do not tag.\n- Governance: leave kernel/ alone.\n- Recovery: re-read .agent/rules.md\n"

func report(lines ...string) string {
	return "# /open\n\n### 1. Status\n\n```bash\ngit status\n```\n\n### 8. Display the report\n\n```\n" + strings.Join(lines, "\n") + "\n```\n"
}

const six = "📋 Status\n- name: ...\n- beds: ...\n- weather: ...\n📊 Backlog summary\n- active: ..."

// state describes a safety block as "points | backlog | third".
func state(src string) string {
	s := workflow.FindReport(parse(src)).Safety()
	if s == nil {
		return "none"
	}
	out := "all"
	if m := s.Missing(); len(m) > 0 {
		out = "without " + strings.Join(m, ",")
	}
	if !s.AfterBacklog {
		out += ", before the backlog"
	}
	if !s.InLastThird {
		out += ", too early"
	}
	return out
}

func TestSafety(t *testing.T) {
	vietnamese := "🛡️ AN TOÀN:\n- Git: không gộp nhánh.\n- Quản trị: không sửa kernel/.\n- Phục hồi: đọc lại .agent/rules.md\n"
	filler := strings.Repeat("- more\n", 12)
	tests := []struct{ name, src, want string }{
		{"at the end", report(six, block), "all"},
		{"Vietnamese", report(six, vietnamese), "all"},
		{"text selector left out", report(six, strings.Replace(block, "\ufe0f", "", 1)), "all"},
		{"heading marks", report(six, strings.Replace(block, "🛡️", "### 🛡️", 1)), "all"},
		{"blank line before the points", report(six, strings.Replace(block, "\n", "\n\n", 1)), "all"},
		{"without the word", report(six, strings.Replace(block, " SAFETY (keep):", "", 1)), "all"},
		{"short report", report("📊 Backlog", block), "all"},
		{"rule and actions below", report(six+strings.Repeat("\n- x", 13), block, "━━━━━\n\n💡 Actions:\n- go"), "all"},
		{"joined points", report(six, "🛡️ SAFETY\n- Git & governance: ask.\n- Recovery: read.\n"), "all"},
		{"text on the next line", report(six, strings.Replace(block, "- Git: do not tag.", "- Git:\n  do not tag.", 1)), "all"},
		{"no git", report(six, strings.Replace(block, "- Git: do not tag.\n", "", 1)), "without Git"},
		{"empty point", report(six, strings.Replace(block, " do not tag.", "", 1)), "without Git"},
		{"only a heading", report(six, "🛡️ SAFETY"), "without Git,Governance,Recovery"},
		{"words elsewhere", report(six, "🛡️ SAFETY\n- Be careful with git, governance and recovery"), "without Git,Governance,Recovery"},
		{"points behind the block", report(six, "🛡️ SAFETY\n- Git: x\n\nGovernance: y\n\n💡 Recovery plan"), "without Recovery, too early"},
		{"dashes", report(six, "🛡️ AN TOÀN\n- **Git** — hỏi trước\n- **Quản trị** — hỏi trước\n- **Khôi phục** — đọc lại"), "all"},
		{"first", report(block, six), "all, before the backlog, too early"},
		{"too early", report(six, block, filler), "all, too early"},
		{"one long list", report(six, strings.TrimSuffix(block, "\n"), filler), "all, too early"},
		{"no shield", report(six, strings.Replace(block, "🛡️ ", "", 1)), "none"},
		{"another shield", report(six, "🛡️ Coverage: 80%"), "none"},
		{"outside the template", report(six) + "\n" + block, "none"},
		{"in a command", report(six) + "\n```bash\n" + block + "```\n", "none"},
		{"in another section", report(six) + "\n### 9. Later\n\n```\n" + block + "```\n", "none"},
		{"in a comment", report(six) + "\n<!--\n" + block + "-->\n", "none"},
		{"two fences of one section", report(six) + "\n```\n" + block + "```\n", "all"},
		{"no fence", "# /open\n\n## Report\n\n📊 Backlog summary\n\n- a\n\n" + block, "all"},
		{"nothing", "", "none"},
		{"CRLF", strings.ReplaceAll(report(six, block), "\n", "\r\n"), "all"},
		{"no backlog", report("📋 Status", "- a", "- b", block), "all"},
		{"a command is no summary", report("- /backlog clean", "- a", "- b", "- c", "- d", "- e", "- f", "- g", block), "all"},
		{"the better of two", report(block, six, block), "all"},
	}
	for _, tt := range tests {
		if got := state(tt.src); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// The last third begins where two thirds of the lines are over: of fifteen lines with the eleventh.
func TestLastThird(t *testing.T) {
	for above, want := range map[int]string{8: "all, too early", 9: "all, too early", 10: "all"} {
		lines := strings.Repeat("- x\n", above) + block + strings.Repeat("💡 y\n", 15-above-4)
		src := strings.Replace(report(strings.TrimSuffix(lines, "\n")), "Display", "Show", 1)
		if got := state(src); got != want {
			t.Errorf("%d lines above: %q, want %q", above, got, want)
		}
	}
}

func TestPathsOfTheBlock(t *testing.T) {
	src := report(six, "🛡️ SAFETY\n- Git: read rules/vcs.md first, no merge/branch/tag.\n- Governance: leave `kernel/` alone.\n- Recovery: → re-read .agent/rules.md + .agent/skills.md.\n")
	var got []string
	for _, n := range workflow.FindReport(parse(src)).Safety().Paths() {
		if src[n.Start:n.End] != n.Path {
			t.Errorf("%q is placed at %q", n.Path, src[n.Start:n.End])
		}
		got = append(got, n.Path)
	}
	if diff := cmp.Diff([]string{"rules/vcs.md", "kernel/", ".agent/rules.md", ".agent/skills.md"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func FuzzSafety(f *testing.F) {
	f.Add(report(six, block))
	f.Add("## Report\n\n📊\n- a\n" + block)
	f.Add("- ```\n  🛡 SAFETY\n  Git: x.md\n")
	f.Fuzz(func(t *testing.T, src string) {
		r := workflow.FindReport(parse(src))
		last := -1
		for _, l := range r.Lines {
			if l.Start < last || l.Start > len(src) {
				t.Fatalf("line at %d is out of order", l.Start)
			}
			last = l.Start
		}
		s := r.Safety()
		if s == nil {
			return
		}
		for _, n := range s.Paths() {
			if n.Start < 0 || n.End > len(src) || !strings.Contains(src[n.Start:n.End], n.Path) && n.Path == "" {
				t.Fatalf("path %q at %d to %d", n.Path, n.Start, n.End)
			}
		}
	})
}
