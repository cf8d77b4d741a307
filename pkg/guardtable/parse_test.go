package guardtable_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-4419f9ca/forge/pkg/guardtable"
	"github.com/seed-4419f9ca/forge/pkg/markdown"
)

// rows writes what a parse found as "pattern,pattern -> rule,rule (reason)".
func rows(src string) []string {
	var out []string
	for _, t := range guardtable.Parse(".agent/rules.md", markdown.Parse([]byte(src))) {
		for _, r := range t.Rows {
			var patterns, rules []string
			for _, p := range r.Patterns {
				patterns = append(patterns, p.Text)
			}
			for _, u := range r.Rules {
				rules = append(rules, u.Name)
			}
			line := strings.Join(patterns, " + ") + " -> " + strings.Join(rules, " + ")
			if r.Reason != "" {
				line += " (" + r.Reason + ")"
			}
			out = append(out, line)
		}
	}
	return out
}

const head = "| File pattern | MUST re-read | Reason |\n|---|---|---|\n"

func TestCells(t *testing.T) {
	tests := []struct{ row, want string }{
		{"| `artifacts/tasks/*.md` | `three-task-files.md` C2 | nothing may get lost |", "artifacts/tasks/*.md -> three-task-files.md (nothing may get lost)"},
		{"| `kernel/`, `.para/` | governance.md | |", "kernel/ + .para/ -> governance.md"},
		{"| `kernel/, .para/` | governance.md | |", "kernel/ + .para/ -> governance.md"},
		{"| `kernel/`<br>`.para/` | `a.md`<br/>`b.md` | |", "kernel/ + .para/ -> a.md + b.md"},
		{"| `kernel/` and `.para/` | `a.md` and `b.md` | |", "kernel/ + .para/ -> a.md + b.md"},
		{"| `artifacts/plans/*.md` (Status field) | `a.md` C7 | |", "artifacts/plans/*.md -> a.md"},
		{"| artifacts/plans/*.md (Status field) | rules/a.md#c7 | |", "artifacts/plans/*.md -> rules/a.md"},
		{"| **deploy/** | a.md | |", "deploy/ -> a.md"},
		{"| deploy/\\*.sh | a.md | |", "deploy/*.sh -> a.md"},
		{"| `src/{a,b}/*.go` | a.md | |", "src/{a,b}/*.go -> a.md"},
		{"| src/{a,b}/*.go, x.md | a.md | |", "src/{a,b}/*.go + x.md -> a.md"},
		{"| [deploy/](../deploy/) | [the rule](rules/deploy.md#never) C1 | |", "deploy/ -> rules/deploy.md"},
		{"| `d/` | [`x`](<rules/with space.md>) | |", "d/ -> rules/with space.md"},
		{"| `d/` | [x](rules/gi%C3%A1.md \"title\"), [y](https://example.com/b.md), [z](#c2) | |", "d/ -> rules/giá.md"},
		{"| `d/` | the section above | |", "d/ -> "},
		{"| `a\\|b.md` | a.md | x \\| y |", "a|b.md -> a.md (x | y)"},
		{"| `d/` |", "d/ -> "},
		{"|  | `a.md` | |", " -> a.md"},
		{"| `d/` | `[name].md` `<name>.md` | |", "d/ -> "},
		{"| `.env*` | `deploy-safety.md` | **Do** not `print` |", ".env* -> deploy-safety.md (Do not print)"},
	}
	for _, tt := range tests {
		got := rows("## File Guards\n\n" + head + tt.row + "\n")
		if diff := cmp.Diff([]string{tt.want}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.row, diff)
		}
	}
	if got := rows("## File Guards\n\n" + head + "| — | - | |\n|  |  | |\n"); got != nil {
		t.Errorf("an empty row gives %q", got)
	}
}

func TestHeadings(t *testing.T) {
	for text, want := range map[string]bool{
		"File Guards": true, "File-Level Guards": true, "file guards": true, "FILE-LEVEL GUARDS": true, "File Level Guards": true,
		"3. 🛡️ File Guards": true, "3.2 File Guards": true, "§4 File‑Level Guards": true, "🛡️ File-Level Guards 🛡️": true,
		"File Guards (v1.5.4)": true, "File Guards: direct edits": true, "File Guards — direct edits": true, "**File Guards**": true,
		"File Guards & Invariants": false, "Guards": false, "File": false, "Profile Guards": false, "File Guardsmen": false,
		"About File Guards": false, "No File Guards": false, "": false,
	} {
		if got := guardtable.IsHeading(text); got != want {
			t.Errorf("IsHeading(%q) is %v", text, got)
		}
	}
}

func TestWhereTablesCount(t *testing.T) {
	table := head + "| `d/` | `a.md` | |\n"
	none := map[string]string{
		"no heading":          table,
		"another heading":     "## Index\n\n" + table,
		"after the section":   "## File Guards\n\ntext\n\n## Other\n\n" + table,
		"after a higher one":  "## File Guards\n\n# Other\n\n" + table,
		"in a fence":          "## File Guards\n\n```markdown\n" + table + "```\n",
		"in a quote":          "## File Guards\n\n> " + strings.ReplaceAll(strings.TrimSpace(table), "\n", "\n> ") + "\n",
		"heading in a fence":  "```\n## File Guards\n```\n\n" + table,
		"heading in a quote":  "> ## File Guards\n\n" + table,
		"in indented code":    "## File Guards\n\n    " + strings.ReplaceAll(table, "\n", "\n    ") + "\n",
		"in a comment":        "## File Guards\n\n<!--\n" + table + "-->\n",
		"an index of rules":   "## File Guards\n\n| Rule | Trigger | File |\n|---|---|---|\n| Deploy | deploying | deploy.md |\n",
		"without rule column": "## File Guards\n\n| File | Reason |\n|---|---|\n| `d/` | x |\n",
		"before the heading":  table + "\n## File Guards\n",
	}
	for name, src := range none {
		if got := rows(src); got != nil {
			t.Errorf("%s gives %q", name, got)
		}
	}
	want := []string{"d/ -> a.md"}
	some := map[string]string{
		"level 1":              "# File Guards\n\n" + table,
		"level 6":              "###### File-Level Guards\n\n" + table,
		"setext":               "File Guards\n===========\n\n" + table,
		"text between":         "## File Guards\n\nSome words.\n\n" + table,
		"below a sub-heading":  "## File Guards\n\n### Of the shop\n\n" + table,
		"after another table":  "## File Guards\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n" + table,
		"with a BOM and front": "\ufeff---\na: b\n---\n# R\n\n## File Guards\n\n" + table,
		"CRLF":                 strings.ReplaceAll("## File Guards\n\n"+table, "\n", "\r\n"),
		"in a list":            "## File Guards\n\n- these:\n\n  " + strings.ReplaceAll(strings.TrimSpace(table), "\n", "\n  ") + "\n",
		"other columns":        "## File Guards\n\n| # | Must Re-Read before editing | 📁 **Path** |\n|---|---|---|\n| 1 | `a.md` | `d/` |\n",
		"Vietnamese":           "## File Guards\n\n| Mẫu tệp | Phải đọc lại | Lý do |\n|---|---|---|\n| `d/` | `a.md` | |\n",
	}
	for name, src := range some {
		if diff := cmp.Diff(want, rows(src)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestPlaces(t *testing.T) {
	src := "\ufeff# R\n\n## File Guards\n\n" + head + "| `d/`, x.md | see `a.md` and [b](c/b.md) | |\n"
	tables := guardtable.Parse(".agent/rules.md", markdown.Parse([]byte(src)))
	row := tables[0].Rows[0]
	if row.Line != 7 || tables[0].Line != 5 {
		t.Errorf("row on line %d, table on line %d", row.Line, tables[0].Line)
	}
	var got []string
	for _, p := range row.Patterns {
		got = append(got, src[p.Start:p.End])
	}
	for _, r := range row.Rules {
		got = append(got, src[r.Start:r.End])
	}
	if diff := cmp.Diff([]string{"d/", "x.md", "c/b.md", "a.md"}, got); diff != "" {
		t.Errorf("places (-want +got):\n%s", diff)
	}
	if cell := src[row.Reread.Start:row.Reread.End]; cell != "see `a.md` and [b](c/b.md)" {
		t.Errorf("the rule cell is %q", cell)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("## File Guards\n\n" + head + "| `kernel/`, `.para/`<br>x | [a](b.md) `c.md` | why |\n")
	f.Add("# File-Level Guards\n| File | Rule |\n|-|-|\n| ``a`b`` | \\` |\n| {a,[b | ]( |")
	f.Add("## File Guards\r\n\r\n| Path | Re-read |\r\n|--|--|\r\n| <br><br/> | [x](<y z.md> \"t\") |\r\n")
	f.Fuzz(func(t *testing.T, src string) {
		for _, table := range guardtable.Parse("Projects/x/.agent/rules.md", markdown.Parse([]byte(src))) {
			for _, r := range table.Rows {
				inside := func(what string, start, end int) {
					if start < r.Start || end > r.End || start > end {
						t.Fatalf("%s at %d to %d lies outside its row, %d to %d", what, start, end, r.Start, r.End)
					}
				}
				inside("pattern cell", r.Pattern.Start, r.Pattern.End)
				for _, p := range r.Patterns {
					inside("pattern", p.Start, p.End)
					if m, err := guardtable.NewMatcher(table.Base(), p.Text); err == nil {
						m.Match("Projects/x/a")
						m.Meets("**/artifacts/tasks/done.md")
					}
				}
				for _, u := range r.Rules {
					inside("rule", u.Start, u.End)
				}
			}
		}
	})
}
