package mind_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/checks/mind"
	"github.com/seed-4419f9ca/forge/pkg/config"
	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/memory"
	"github.com/seed-4419f9ca/forge/pkg/mindblock"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
	"github.com/seed-4419f9ca/forge/pkg/suite"
)

const (
	dir      = ".claude/sessions/session-1/"
	notes    = dir + "_mind-s-1.md"
	context_ = dir + "_context-s-1.md"
)

// block returns a whole block; text stands in its section A.
func block(k int, text string) string {
	return fmt.Sprintf("### MIND-%d\n\n#### A\n%s\n#### B\n(empty — declared)\n#### C\n(empty — declared)\n#### D\n(empty — declared)\n#### E\n(empty — declared)\n", k, text)
}

func pauses(n int) string {
	s := "# Session 1\n"
	for k := 1; k <= n; k++ {
		s += fmt.Sprintf("\n## PAUSE-%d\n", k)
	}
	return s
}

type files = map[string]string

// tree is a session with these blocks, newest first, and as many pauses as there are blocks but one.
func tree(blocks ...string) files {
	return files{notes: strings.Join(blocks, "\n"), context_: pauses(len(blocks) - 1)}
}

func with(f files, path, data string) files {
	out := files{}
	for p, d := range f {
		out[p] = d
	}
	out[path] = data
	return out
}

func without(f files, paths ...string) files {
	out := with(f, "x", "x")
	delete(out, "x")
	for _, p := range paths {
		delete(out, p)
	}
	return out
}

func moved(f files, from, to string) files {
	out := files{}
	for p, d := range f {
		if rest, ok := strings.CutPrefix(p, from); ok {
			p = to + rest
		}
		out[p] = d
	}
	return out
}

// judge runs the check as the programs do and writes each finding as "code level place".
func judge(t *testing.T, change *snapshot.Change, stage check.Stage, cfg *config.Config) []string {
	t.Helper()
	if cfg == nil {
		cfg = config.Default()
	}
	rep, err := suite.Run(t.Context(), suite.Input{Checks: []*check.Check{mind.Mind}, Known: []*check.Check{mind.Mind}, Stage: stage, Today: today},
		[]suite.Subject{{Change: change, Config: cfg, Ignored: func(string) bool { return false }}})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, f := range rep.Findings {
		where := strings.TrimPrefix(f.Path, dir)
		if !f.Span.IsZero() {
			where += fmt.Sprintf(":%d", f.Span.Start.Line)
		}
		s := fmt.Sprintf("%s %s %s", strings.TrimPrefix(f.Code, "mind/"), f.Level, where)
		if f.Commit != "" {
			s += " in " + f.Commit
		}
		if f.Side == finding.Before {
			s += " before"
		}
		out = append(out, s)
	}
	if len(out) == 0 && rep.Checks[0].Verdict == finding.Skipped {
		out = []string{"skip: " + rep.Checks[0].Reason}
	}
	return out
}

func staged(before, after files) *snapshot.Change {
	return memory.Change(snapshot.Staged, []snapshot.Tree{memory.Tree(before)}, memory.Tree(after))
}

func merge(first, second, base, after files) *snapshot.Change {
	c := memory.Change(snapshot.Staged, []snapshot.Tree{memory.Tree(first), memory.Tree(second)}, memory.Tree(after))
	return memory.WithBases(c, nil, []snapshot.Tree{memory.Tree(base)})
}

// history is a range whose commits have these trees, the first of them what was there before.
func history(trees ...files) *snapshot.Change {
	var steps []snapshot.Step
	for i := 1; i < len(trees); i++ {
		steps = append(steps, snapshot.Step{OID: fmt.Sprintf("c%d", i), Change: memory.Change(snapshot.Commit, []snapshot.Tree{memory.Tree(trees[i-1])}, memory.Tree(trees[i]))})
	}
	return memory.Range(memory.Tree(trees[0]), steps...)
}

func expect(t *testing.T, got []string, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func folded(b string) string {
	head, body, _ := strings.Cut(b, "\n\n")
	return head + "\n\n" + mindblock.CompactionLine([]byte(strings.TrimSpace(body))) + "\n"
}

var b0, b1, b2, b3 = block(0, "zero"), block(1, "one"), block(2, "two"), block(3, "three")

func TestNotUsed(t *testing.T) {
	expect(t, judge(t, staged(files{"a.md": "1"}, files{"a.md": "2"}), check.PreCommit, nil), "skip: not used")
	expect(t, judge(t, staged(files{}, files{".claude/sessions/session-template/_mind-x.md": "1", ".claude/sessions/notes.md": ""}), check.PreCommit, nil), "skip: not used")
}

func TestHistory(t *testing.T) {
	base := tree(b1, b0)
	tests := []struct {
		name   string
		change *snapshot.Change
		want   []string
	}{
		{"a block on top", staged(base, tree(b2, b1, b0)), nil},
		{"a block edited", staged(base, tree(b2, b1, block(0, "nought"))), []string{"block-edited fail _mind-s-1.md:30"}},
		{"white space at the edges is no edit", staged(base, with(base, notes, "# Notes\n\n"+strings.Replace(base[notes], "\n### MIND-0\n", "\n\n \n### MIND-0\n\n", 1)+"\n\n")), nil},
		{"a trailing space is one", staged(base, with(base, notes, strings.Replace(base[notes], "zero", "zero ", 1))), []string{"block-edited fail _mind-s-1.md:17"}},
		{"a byte-order mark belongs to no block", staged(base, with(base, notes, "\ufeff"+base[notes])), nil},
		{"other line ends are said once", staged(base, with(base, notes, strings.ReplaceAll(base[notes], "\n", "\r\n"))), []string{"eol-changed flag _mind-s-1.md:1"}},
		{"a block removed", staged(base, with(base, notes, b0)), []string{"block-removed fail _mind-s-1.md:1 before"}},
		{"a heading renumbered", staged(base, with(base, notes, strings.Replace(base[notes], "MIND-1", "MIND-7", 1))), []string{"block-removed fail _mind-s-1.md:1 before"}},
		{"notes deleted, the session goes on", staged(base, without(base, notes)), []string{"block-0-missing fail _context-s-1.md:3", "block-removed fail _mind-s-1.md before"}},
		{"a session deleted", staged(with(base, "x", "x"), files{"x": "x"}), []string{"block-removed fail _mind-s-1.md before"}},
		{"notes emptied", staged(base, with(base, notes, "")), []string{"block-0-missing fail _mind-s-1.md", "count fail _mind-s-1.md", "block-removed fail _mind-s-1.md:1 before", "block-removed fail _mind-s-1.md:14 before"}},
		{"notes without blocks may go", staged(files{notes: "# Notes\n", context_: "# S\n"}, files{context_: "# S\n"}), nil},
		{"a folder moves away", staged(base, moved(base, dir, "Archive/s1/")), nil},
		{"a folder moves to a place that nobody guards", staged(base, moved(base, dir, "old/s1/")), nil},
		{"a folder moves away, with an edit", staged(base, moved(with(base, notes, strings.Replace(base[notes], "one", "uno", 1)), dir, "old/s1/")), []string{"block-edited fail old/s1/_mind-s-1.md:4"}},
		{"a folder moves away without its notes", staged(base, files{"old/s1/_context-s-1.md": base[context_]}), []string{"block-removed fail _mind-s-1.md before"}},
		{"only the notes move", staged(base, with(without(base, notes), "old/_mind-s-1.md", base[notes])), []string{"block-0-missing fail _context-s-1.md:3", "block-removed fail _mind-s-1.md before"}},
		{"a session gets another number", staged(base, files{".claude/sessions/session-9/_mind-s-9.md": base[notes], ".claude/sessions/session-9/_context-s-9.md": base[context_]}), nil},
		{"and an edit on the way", staged(base, files{".claude/sessions/session-9/_mind-s-9.md": strings.Replace(base[notes], "zero", "nought", 1), ".claude/sessions/session-9/_context-s-9.md": base[context_]}), []string{"block-edited fail .claude/sessions/session-9/_mind-s-9.md:17"}},
		{"a new block below old ones", staged(tree(block(5, "five"), b0), with(tree(block(5, "five"), b3, b0), context_, pauses(2))), []string{"number fail _mind-s-1.md:14"}},
		{"gaps in the numbers pass", staged(tree(block(5, "five"), b0), tree(block(99, "much later"), block(5, "five"), b0)), nil},
		{"numbers beyond any integer", staged(files{}, tree(strings.Replace(b1, "MIND-1", "MIND-"+strings.Repeat("9", 60), 1), b0)), nil},
		{"a range takes an edit back", history(base, tree(b1, block(0, "nought")), base), []string{"block-edited flag _mind-s-1.md:17 in c1"}},
		{"a range takes a removal back, and adds", history(base, with(base, notes, b0), tree(b2, b1, b0)), []string{"block-removed flag _mind-s-1.md:1 in c1 before"}},
		{"a range with an edit that stays", history(base, tree(b1, block(0, "nought")), tree(b2, b1, block(0, "nought"))), []string{"block-edited fail _mind-s-1.md:30"}},
		{"a secret that comes and goes", history(base, tree(block(2, "AKIA3FAKE7NOTREALKEY"), b1, b0), base), []string{"secret flag _mind-s-1.md:4 in c1"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { expect(t, judge(t, tt.change, check.PreCommit, nil), tt.want...) })
	}
}

func TestCompaction(t *testing.T) {
	base := tree(b3, b2, b1, b0)
	tests := []struct {
		name   string
		change *snapshot.Change
		want   []string
	}{
		{"the oldest", staged(base, tree(b3, b2, folded(b1), b0)), nil},
		{"the two oldest at once, and a block on top", staged(tree(b2, b1, b0), tree(b3, folded(b2), folded(b1), b0)), nil},
		{"the digest of something else", staged(base, tree(b3, b2, folded(block(1, "uno")), b0)), []string{"compaction fail _mind-s-1.md:29"}},
		{"not the oldest", staged(base, tree(b3, folded(b2), b1, b0)), []string{"compaction fail _mind-s-1.md:16"}},
		{"block 0", staged(base, tree(b3, folded(b2), folded(b1), folded(b0))), []string{"compaction fail _mind-s-1.md:24"}},
		{"the top block", staged(base, tree(folded(b3), folded(b2), folded(b1), b0)), []string{"compaction fail _mind-s-1.md:3"}},
		{"undone", staged(tree(b3, b2, folded(b1), b0), base), []string{"block-edited fail _mind-s-1.md:29"}},
		{"its line edited later", staged(tree(b3, b2, folded(b1), b0), tree(b3, b2, folded(block(1, "uno")), b0)), []string{"block-edited fail _mind-s-1.md:29"}},
		{"a block that arrives folded", staged(tree(b1, b0), tree(b3, folded(b2), folded(b1), b0)), []string{"compaction fail _mind-s-1.md:16"}},
		{"notes that arrive from elsewhere", staged(files{}, tree(b2, folded(b1), b0)), []string{"compaction flag _mind-s-1.md:16"}},
		{"written and folded within a range", history(tree(b0), tree(b1, b0), tree(b2, b1, b0), tree(b2, folded(b1), b0)), nil},
		{"written and folded wrongly within a range", history(tree(b0), tree(b1, b0), tree(b2, b1, b0), tree(b2, folded(block(1, "uno")), b0)),
			[]string{"compaction fail _mind-s-1.md:16"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { expect(t, judge(t, tt.change, check.Manual, nil), tt.want...) })
	}
}

func TestMerges(t *testing.T) {
	base := tree(b1, b0)
	other := func(k int, s string) string { return block(k, s) }
	tests := []struct {
		name   string
		change *snapshot.Change
		want   []string
	}{
		{"both sides alike", merge(base, base, base, base), []string{"skip: not used"}},
		{"one side added", merge(base, tree(b2, b1, b0), base, tree(b2, b1, b0)), nil},
		{"one side added, the merge drops it", merge(base, tree(b2, b1, b0), base, base), []string{"block-removed fail _mind-s-1.md"}},
		{"one side added, the merge rewords it", merge(base, tree(b2, b1, b0), base, tree(other(2, "zwei"), b1, b0)), []string{"block-edited fail _mind-s-1.md:4"}},
		{"both added, the later one is renumbered", merge(tree(b2, b1, b0), tree(other(2, "zwei"), b1, b0), base, tree(other(3, "zwei"), b2, b1, b0)), nil},
		{"both added, both keep their number", merge(tree(b2, b1, b0), tree(other(2, "zwei"), b1, b0), base, with(tree(other(2, "zwei"), b2, b1, b0), context_, pauses(3))), []string{"number fail _mind-s-1.md:14"}},
		{"one side folded, the other added", merge(tree(b2, b1, b0), tree(b3, b2, b1, b0), tree(b2, b1, b0), tree(b3, b2, folded(b1), b0)), nil},
		{"the side that folded is not followed", merge(tree(b3, b2, b1, b0), tree(b2, folded(b1), b0), tree(b2, b1, b0), tree(b3, b2, b1, b0)), nil},
		{"the other side deleted them", merge(base, files{"x": "x"}, base, base), nil},
		{"the other side added and the merge deletes all", merge(base, tree(b2, b1, b0), base, files{}), []string{"block-removed fail _mind-s-1.md before"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { expect(t, judge(t, tt.change, check.PreCommit, nil), tt.want...) })
	}
	t.Run("what a parent has is its own business", func(t *testing.T) {
		faulty := tree(block(2, "ts: 5"), b1, b0)
		expect(t, judge(t, merge(faulty, with(base, "x", "x"), base, with(faulty, "x", "x")), check.PreCommit, nil))
		// From one parent the notes, from the other the context: nobody has judged that.
		first, second := with(base, notes, tree(b2, b1, b0)[notes]), with(base, context_, pauses(5))
		expect(t, judge(t, merge(first, second, base, with(first, context_, pauses(5))), check.PreCommit, nil), "count fail _mind-s-1.md")
	})
	t.Run("a fault in the merge only", func(t *testing.T) {
		after := with(base, notes, base[notes]+"ts: 5\n")
		expect(t, judge(t, merge(with(base, "y", "y"), with(base, "x", "x"), base, after), check.PreCommit, nil),
			"block-edited fail _mind-s-1.md:25", "e-line fail _mind-s-1.md:25", "timestamp-key fail _mind-s-1.md:26")
	})
}

func TestUnpublished(t *testing.T) {
	base, head := tree(b0), tree(b1, b0)
	c := staged(head, tree(block(1, "uno"), block(0, "nought")))
	c.Unpublished = func(context.Context) (bool, []snapshot.Tree, error) {
		return true, []snapshot.Tree{memory.Tree(base)}, nil
	}
	expect(t, judge(t, c, check.PreCommit, nil), "block-edited flag _mind-s-1.md:4", "block-edited fail _mind-s-1.md:17")
	expect(t, judge(t, c, check.Manual, nil), "block-edited fail _mind-s-1.md:4", "block-edited fail _mind-s-1.md:17")
}

func TestCrissCross(t *testing.T) {
	one, two := tree(b1, b0), tree(block(1, "uno"), b0)
	c := history(one, two)
	expect(t, judge(t, c, check.Manual, nil), "block-edited fail _mind-s-1.md:4")
	c = staged(one, tree(b2, block(1, "uno"), b0))
	c.Alternatives = []snapshot.Tree{memory.Tree(two)}
	expect(t, judge(t, c, check.Manual, nil))
}

func TestShallow(t *testing.T) {
	after := memory.Tree(tree(block(1, "ts: 1"), b0))
	entries, err := after.Under(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	c := &snapshot.Change{Kind: snapshot.Commit, After: after, Files: snapshot.Unbased(entries), Missing: "the parent is not here; run `git fetch --deepen=1`"}
	expect(t, judge(t, c, check.Manual, nil), "timestamp-key fail _mind-s-1.md:4")
	_, err = suite.Run(t.Context(), suite.Input{Checks: []*check.Check{mind.Mind}, Stage: check.CI}, []suite.Subject{{Change: c, Config: config.Default(), Ignored: func(string) bool { return false }}})
	if err == nil || !strings.Contains(err.Error(), "git fetch") {
		t.Errorf("in CI: got %v", err)
	}
}

func parsedNotes(t *testing.T, src string) *mindblock.Notes {
	t.Helper()
	n, err := mindblock.Parse([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return n
}
