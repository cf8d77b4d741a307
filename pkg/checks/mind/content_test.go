package mind_test

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/checks/mind"
	"github.com/seed-4419f9ca/forge/pkg/config"
	"github.com/seed-4419f9ca/forge/pkg/memory"
	"github.com/seed-4419f9ca/forge/pkg/report"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
	"github.com/seed-4419f9ca/forge/pkg/suite"
)

// fresh judges a session that is new.
func fresh(t *testing.T, f files, c *config.Config) []string {
	t.Helper()
	return judge(t, staged(files{}, f), check.PreCommit, c)
}

// sectioned is a session of one block in which a section holds text.
func sectioned(letter, text string) files {
	b := strings.Replace(b0, "#### "+letter+"\n(empty — declared)\n", "#### "+letter+"\n"+text+"\n", 1)
	if letter == "A" {
		b = block(0, text)
	}
	return tree(b)
}

func TestPointers(t *testing.T) {
	reports := files{dir + "reports/a.md": "# Sum up\n\n## Tóm tắt\n\n# Sum up\n", "docs/b.md": "x\n", dir + "e\u0301.md": "x\n", "docs/sub/c.txt": "# Not Markdown?\n"}
	// By pointer: what a running and what a closed session says.
	for pointer, want := range map[string][2]string{
		"reports/a.md": {}, "reports/a.md#sum-up": {}, "reports/a.md#sum-up-1": {}, "reports/a.md#tóm-tắt": {}, "reports/a.md#" + norm.NFD.String("tóm-tắt"): {}, "docs/b.md": {}, "./reports/a.md": {},
		"../../../docs/b.md": {}, "reports/../reports/a.md": {}, "é.md": {}, "`docs/b.md`": {}, "[b](docs/b.md)": {},
		"reports/z.md": {"flag", "fail"}, "z.md": {"flag", "fail"}, "docs/z.md#x": {"flag", "fail"}, "reports/": {"flag", "fail"}, "docs/sub": {"flag", "fail"},
		"reports/a.md#nope": {"fail", "fail"}, "docs/b.md#x": {"fail", "fail"}, "audits/a.md": {"fail", "fail"}, "reports/a.md/x.md": {"fail", "fail"}, "/docs/b.md": {"fail", "fail"},
		"../../../../b.md": {"fail", "fail"}, `docs\b.md`: {"fail", "fail"}, "https://ci.example/1": {"fail", "fail"}, "~/b.md": {"fail", "fail"}, "reports/a.md#Sum-up": {"fail", "fail"}, "reports/a.md#": {"fail", "fail"},
	} {
		for i, closed := range []bool{false, true} {
			f := sectioned("E", "- r: pass → "+pointer)
			for p, d := range reports {
				f[p] = d
			}
			if closed {
				f[dir+"closed.md"] = ""
			}
			got := fresh(t, f, nil)
			if want[i] == "" {
				expect(t, got)
			} else if len(got) != 1 || got[0] != "pointer "+want[i]+" _mind-s-1.md:12" {
				t.Errorf("%q, closed %v: got %q, want %q", pointer, closed, got, want[i])
			}
		}
	}
}

func TestSymlinksAreNotFollowed(t *testing.T) {
	after := map[string]memory.File{}
	for p, d := range sectioned("E", "- r: pass → reports/a.md") {
		after[p] = memory.File{Mode: snapshot.Regular, Data: d}
	}
	after[dir+"reports/a.md"] = memory.File{Mode: snapshot.Symlink, Data: "../_mind-s-1.md"}
	after[dir+"_wal-x.md"] = memory.File{Mode: snapshot.Symlink, Data: "_mind-s-1.md"}
	after[dir+"_mind-other.md"] = memory.File{Mode: snapshot.Symlink, Data: "_mind-s-1.md"}
	after[".claude/sessions/session-2"] = memory.File{Mode: snapshot.Symlink, Data: "session-1"}
	c := memory.Change(snapshot.Staged, []snapshot.Tree{memory.Tree(nil)}, memory.TreeOf(after))
	expect(t, judge(t, c, check.PreCommit, nil), "bad-name fail _mind-other.md", "pointer fail _mind-s-1.md:12", "bad-name fail .claude/sessions/session-2")
}

func TestBudget(t *testing.T) {
	size := len(tree(b0)[notes])
	for name, tt := range map[string]struct {
		json string
		want []string
	}{
		"none":              {"", nil},
		"no such key":       {`{"session_ctx_kb": 0.001}`, nil},
		"to the byte":       {fmt.Sprintf(`{"mind_ctx_kb": %v}`, float64(size)/1024), nil},
		"one byte less":     {fmt.Sprintf(`{"mind_ctx_kb": %v}`, float64(size-1)/1024), []string{"budget fail _mind-s-1.md"}},
		"twice":             {`{"mind_ctx_kb": 9, "mind_ctx_kb": 9}`, []string{"budget fail memory-budget.json:1"}},
		"twice, elsewhere":  {`{"a": {"b": 1, "b": 2}}`, []string{"budget fail memory-budget.json:1"}},
		"a text":            {"{\n \"mind_ctx_kb\": \"32\"}", []string{"budget fail memory-budget.json:2"}},
		"null":              {`{"mind_ctx_kb": null}`, []string{"budget fail memory-budget.json:1"}},
		"less than none":    {`{"mind_ctx_kb": -1}`, []string{"budget fail memory-budget.json:1"}},
		"nothing":           {`{"mind_ctx_kb": 0}`, []string{"budget fail memory-budget.json:1"}},
		"beyond all":        {`{"mind_ctx_kb": 1e999}`, []string{"budget fail memory-budget.json:1"}},
		"a list":            {`[32]`, []string{"budget fail memory-budget.json"}},
		"no JSON":           {"mind_ctx_kb: 32", []string{"budget fail memory-budget.json:1"}},
		"empty":             {"\n", []string{"budget fail memory-budget.json:2"}},
		"a byte-order mark": {"\ufeff{}", []string{"budget fail memory-budget.json:1"}},
		"a comment":         {"{} // 32", []string{"budget fail memory-budget.json:1"}},
	} {
		f := tree(b0)
		if tt.json != "" {
			f["memory-budget.json"] = tt.json
		}
		got := fresh(t, f, nil)
		if name == "empty" && len(got) == 1 && strings.HasPrefix(got[0], "budget fail memory-budget.json") {
			continue
		}
		if strings.Join(got, "|") != strings.Join(tt.want, "|") {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
	}
	c := config.Default()
	c.Mind = &config.Mind{BudgetFile: "x/y.json", BudgetKey: "kb"}
	expect(t, fresh(t, with(tree(b0), "x/y.json", `{"kb": 0.01}`), c), "budget fail _mind-s-1.md")
	// Nobody knows how many pauses a context over limits.file has.
	c = config.Default()
	c.Limits.File = 4000
	got := fresh(t, with(tree(b2, block(1, "PAUSE-9"), b0), context_, strings.Repeat("x\n", 4000)), c)
	if len(got) != 1 || !strings.HasPrefix(got[0], "skip: ") || !strings.Contains(got[0], "limits.file") {
		t.Errorf("got %q", got)
	}
	// A file over limits.file is skipped for the rest, and over its budget all the same.
	c = config.Default()
	c.Limits.File = 100
	expect(t, fresh(t, with(tree(block(0, strings.Repeat("x", 40<<10))), context_, "# S\n"), c), "budget fail _mind-s-1.md")
}

func TestForms(t *testing.T) {
	tests := []struct {
		name string
		f    files
		want []string
	}{
		{"seven words", with(sectioned("A", "a b c d e f g x"), context_, "# PAUSE-1\n> a b c d e f g h\n"), nil},
		{"eight words", with(sectioned("A", "x A, b\n**C** d e f — g\u00a0«h» x"), context_, "# PAUSE-1\n> a b c d e f g h\n"), []string{"owner-words fail _mind-s-1.md:4"}},
		{"eight words outside of a pause", with(sectioned("A", "a b c d e f g h"), context_, "> a b c d e f g h\n\n# PAUSE-1\n\na b c d e f g h\n\n```\n> a b c d e f g h\n```\n"), nil},
		{"eight words over a block's end", with(tree(block(1, "x")+"a b c d\n", block(0, "x")), context_, "# PAUSE-1\n> a b c d MIND 0 A x\n"), []string{"e-line fail _mind-s-1.md:12"}},
		{"eight words above the blocks", with(with(tree(b0), notes, "a b c d e f g h\n\n"+b0), context_, "# PAUSE-1\n> a b c d e f g h\n"), []string{"owner-words fail _mind-s-1.md:1"}},
		{"twelve words of the WAL", with(sectioned("A", "a b c d e f g h i j k l"), dir+"WAL.md", "> a b c d e f g h i j k l\n"), []string{"settled-copied fail _mind-s-1.md:4"}},
		{"twelve words of a long log", with(sectioned("A", "a b c d e f g h i j k l"), dir+"WAL.md", strings.Repeat("x y z ", 500)+"a b c d e f g h i j k l\n"), []string{"settled-copied fail _mind-s-1.md:4"}},
		{"eleven", with(sectioned("A", "a b c d e f g h i j k x"), dir+"WAL.md", "> a b c d e f g h i j k l\n"), nil},
		{"a log in a folder below", with(sectioned("A", "a b c d e f g h i j k l"), dir+"old/WAL.md", "> a b c d e f g h i j k l\n"), nil},
		{"a pause that is there, with zeros", with(sectioned("A", "PAUSE-01"), context_, "PAUSE-1\n===\n"), nil},
		{"a pause in a fence", with(sectioned("A", "PAUSE-1"), context_, "```\n# PAUSE-1\n```\n"), []string{"pause-unknown fail _mind-s-1.md:4"}},
		{"no context at all", without(tree(b2, b1, b0), context_), []string{"count fail _mind-s-1.md"}},
		{"one more block than pauses, and as many", with(tree(b1, b0), context_, pauses(2)), nil},
		{"one more pause", with(tree(b1, b0), context_, pauses(3)), []string{"count fail _mind-s-1.md"}},
		{"markers that are right", with(with(tree(b1, b0), context_, "---\nmarkers: 1\n---\n# PAUSE-1\n"), notes, "---\nmarkers: 1\n---\n"+b1+b0), nil},
		{"markers that are wrong", with(with(tree(b1, b0), context_, "---\ntitle: x\nmarkers: 01\n---\n# PAUSE-1\n"), notes, "+++\nmarkers = 4\n+++\n"+b1+b0), []string{"declared-count flag _context-s-1.md:3", "declared-count flag _mind-s-1.md:2"}},
		{"numbers that climb", tree(b0, b1), []string{"number fail _mind-s-1.md:14"}},
		{"a number twice, apart", with(tree(b2, b1, block(2, "x"), b0), context_, pauses(3)), []string{"number fail _mind-s-1.md:27", "number fail _mind-s-1.md:27"}},
		{"zeros before a number", with(tree(strings.Replace(b1, "MIND-1", "MIND-01", 1), b0), context_, pauses(1)), []string{"number fail _mind-s-1.md:1"}},
		{"no section at all", tree("### MIND-0\n\nx\n"), []string{"section-missing fail _mind-s-1.md:1"}},
		{"C before B", tree(strings.NewReplacer("#### B", "#### C", "#### C", "#### B").Replace(b0)), []string{"section-order fail _mind-s-1.md:7"}},
		{"B twice", sectioned("A", "x\n#### B\ny"), []string{"section-duplicate fail _mind-s-1.md:7"}},
		{"an empty item", sectioned("D", "- [raised] x\n-"), []string{"label fail _mind-s-1.md:11"}},
		{"a paragraph beside items", sectioned("D", "Three points:\n\n- [raised] x"), nil},
		{"an ordered list", sectioned("D", "1. [raised] x\n2. y"), []string{"label fail _mind-s-1.md:11"}},
		{"details of an item", sectioned("D", "- [raised] x\n  - y\n\n  more"), nil},
		{"two keys, one in a fence", sectioned("A", "```\nts: 1\n```\n> **Thời-gian** = x"), []string{"timestamp-key fail _mind-s-1.md:5", "timestamp-key fail _mind-s-1.md:7"}},
		{"a key in the frontmatter", with(tree(b0), notes, "---\ncreated: today\n---\n"+b0), []string{"timestamp-key fail _mind-s-1.md:2"}},
		{"invalid UTF-8", sectioned("A", "x\xff"), []string{"unreadable fail _mind-s-1.md"}},
		{"binary", sectioned("A", "x\x00"), []string{"unreadable fail _mind-s-1.md"}},
		{"block 0 missing and never there", with(tree(b1), context_, pauses(1)), []string{"block-0-missing flag _mind-s-1.md"}},
		{"a pause and no notes", files{context_: pauses(2)}, []string{"block-0-missing flag _context-s-1.md:3"}},
		{"no pause and no notes", files{context_: "# S\n"}, nil},
		{"a folder of another session's name", files{".claude/sessions/session-01/_mind-s-1.md": b0}, []string{"bad-name fail .claude/sessions/session-01/_mind-s-1.md"}},
		{"leading zeros on both sides", files{".claude/sessions/session-01/_mind-s-01.md": b0}, nil},
		{"a copy beside the notes", with(tree(b0), dir+"_MiNd (copy).md", "x"), []string{"bad-name fail _MiNd (copy).md"}},
		{"below the folder nobody cares", with(tree(b0), dir+"old/_mind.md", "x"), nil},
		{"one that only looks like a session", files{".claude/sessions/session-1b/_mind-s-1b.md": b0, ".claude/sessions/session-1b/x.md": ""}, []string{"bad-name fail .claude/sessions/session-1b/_mind-s-1b.md"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { expect(t, fresh(t, tt.f, nil), tt.want...) })
	}
}

func TestConfiguration(t *testing.T) {
	c := config.Default()
	c.Mind = &config.Mind{Files: "*/log/<N>/thoughts-<N>.md", ClosedMarker: "END", CopyWords: 3, Settled: []string{"hand-over-<N>.md", "docs/*.md"}, Reviewers: []string{"Đọc-lại"}, Writer: "lead"}
	f := files{
		"a/log/5/thoughts-5.md": block(0, "one two three four five six seven eight nine ten eleven twelve"), "a/log/5/_context-s-5.md": "# PAUSE-1\n\n> two three four\n",
		"hand-over-5.md": "nothing", "docs/x.md": "one two three four five six seven eight nine ten eleven twelve", "a/log/5/END": "", "a/log/5/_mind.md": "", "a/log/5/THOUGHTS-5.md": "",
	}
	expect(t, fresh(t, f, c), "bad-name fail a/log/5/THOUGHTS-5.md", "bad-name fail a/log/5/_mind.md", "no-review fail a/log/5/thoughts-5.md:1",
		"settled-copied fail a/log/5/thoughts-5.md:4", "owner-words fail a/log/5/thoughts-5.md:4")
	for role, want := range map[string]int{"đọc-lại": 0, norm.NFD.String("ĐỌC-LẠI"): 0, "lead": 1, "someone": 1, "**đọc-lại**": 0} {
		f := sectioned("E", "- "+role+": pass → x.md")
		f[dir+"x.md"], f[dir+"END"] = "", ""
		c.Mind.Files = ""
		if got := fresh(t, f, c); len(got) != want {
			t.Errorf("%q: got %q", role, got)
		}
	}
	c.Mind.Writer = "ĐỌC-LẠI"
	f = sectioned("E", "- đọc-lại: pass → x.md")
	f[dir+"x.md"], f[dir+"END"] = "", ""
	expect(t, fresh(t, f, c), "no-review fail _mind-s-1.md:1")
}

// Whatever is wrong with a line that holds a secret, nothing that is said about it holds the secret.
func TestSecretsAreNeverSaid(t *testing.T) {
	const s = "ghp_R7cXkq2LmZt9WvB4nYf8HsJd3PaGe6UoTiQx"
	b := "### MIND-0\n\n#### A\nts: " + s + "\n" + s + " one two three four five six seven eight nine ten eleven twelve\n#### B\n#### C " + s + "\n#### D\n- [" + s + "] x\n" +
		"- password: " + s + "\n#### E\n- " + s + ": " + s + " → " + s + "\n- r: pass → " + s + ".md#" + s + "\n- r: pass → ../../../../" + s + "\n\n### Mind-1 \n"
	f := files{notes: b, context_: "# PAUSE-1\n\n> " + s + " one two three four five six seven eight\n", dir + "WAL.md": s + " one two three four five six seven eight nine ten eleven twelve"}
	for _, format := range report.Formats() {
		rep, err := suite.Run(t.Context(), suite.Input{Checks: []*check.Check{mind.Mind}, Known: []*check.Check{mind.Mind}, Stage: check.PreCommit, Today: today},
			[]suite.Subject{{Change: staged(files{}, f), Config: config.Default(), Ignored: func(string) bool { return false }}})
		if err != nil {
			t.Fatal(err)
		}
		codes := map[string]bool{}
		for _, f := range rep.Findings {
			codes[strings.TrimPrefix(f.Code, "mind/")] = true
			if text := fmt.Sprintf("%+v", f); strings.Contains(text, s) {
				t.Errorf("%s holds the secret: %s", f.Code, text)
			}
		}
		for _, want := range []string{"secret", "timestamp-key", "label", "e-line", "pointer", "section-empty", "owner-words", "settled-copied", "number"} {
			if !codes[want] {
				t.Errorf("the sample does not give mind/%s: %v", want, codes)
			}
		}
		out, err := report.Render(t.Context(), rep, format, report.Options{Verbose: true})
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(out), s) {
			t.Errorf("the %s report holds the secret:\n%s", format, out)
		}
	}
	lead := mind.Lead(&parsedNotes(t, b).Blocks[0])
	if strings.Contains(strings.Join(lead, "\n"), s) {
		t.Errorf("the lead holds the secret: %q", lead)
	}
}
