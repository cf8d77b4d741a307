package guard

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/checktest"
	"github.com/seed-4419f9ca/forge/pkg/config"
	"github.com/seed-4419f9ca/forge/pkg/facts"
	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/memory"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// files are the contents of a tree by path.
type files map[string]string

// with returns f with some files changed; "" takes a file out.
func (f files) with(changes files) files {
	out := files{}
	for p, s := range f {
		out[p] = s
	}
	for p, s := range changes {
		if out[p] = s; s == "" {
			delete(out, p)
		}
	}
	return out
}

// policyPass returns a pass of guard-policy over a change.
func policyPass(t *testing.T, c *snapshot.Change, cfg string) *check.Pass {
	t.Helper()
	conf, err := config.Parse(config.Path, []byte("version: 1\n"+cfg), nil)
	if err != nil {
		t.Fatal(err)
	}
	return &check.Pass{
		Check: GuardPolicy, Change: c, Config: conf, Facts: &facts.Store{}, Stage: check.PreCommit, Files: c.Files,
		Ignored: func(string) bool { return false }, Today: time.Date(2026, 9, 30, 0, 0, 0, 0, time.UTC),
	}
}

// says runs the pass and renders its findings as "path:line code level".
func says(t *testing.T, p *check.Pass) []string {
	t.Helper()
	if err := GuardPolicy.Run(context.Background(), p); err != nil {
		t.Fatal(err)
	}
	var list []finding.Finding
	for _, f := range p.Findings() {
		list = append(list, *f)
	}
	out := checktest.Lines(finding.Sort(list))
	for i, f := range list {
		out[i] = strings.Replace(out[i], "guard-policy/", "", 1)
		if f.Level == finding.Flag {
			out[i] += " flag"
		}
	}
	return out
}

func staged(before, after files) *snapshot.Change {
	return memory.Change(snapshot.Staged, []snapshot.Tree{memory.Tree(before)}, memory.Tree(after))
}

const (
	donePath    = "artifacts/tasks/done.md"
	lanePath    = "artifacts/tasks/sprint-current.md"
	backlogPath = "artifacts/tasks/backlog.md"
	kernelPath  = "kernel/rules.md"
	rulePath    = ".agent/rules/vcs.md"
	doneHead    = "# Done\n\n<!-- ⚠️ APPEND-ONLY — /end or /backlog clean only (C2) -->\n\n"
	laneHead    = "# Sprint\n\n<!-- ⚠️ HOT LANE ONLY — No backlog tasks here (C1) -->\n\n"
	backlogHead = "# Backlog\n\n<!-- ⚠️ OPERATIONAL AUTHORITY — Mutations via /backlog only (C3) -->\n\n| ID | Story |\n|---|---|\n"
	kernelText  = "# Rules\n\n<!-- ⚠️ READ-ONLY SNAPSHOT — Do NOT modify (I9) -->\n\nOne.\n"
	ruleText    = "# VCS\n\n<!-- ⚠️ GOVERNED — /para-rule only. Overwritten by para update -->\n\nOne.\n"
)

func TestPolicyOnLists(t *testing.T) {
	base := files{
		donePath:    doneHead + "- [x] A-1: one #backlog\n",
		lanePath:    laneHead + "- [x] ticked\n- [ ] open item of the lane\n- [ ] HOT-1: with an id\n\n## Notes\n\n- free\n",
		backlogPath: backlogHead + "| B-1 | first |\n| B-2 | second |\n",
	}
	cases := []struct {
		title  string
		change files
		want   []string
	}{
		{"nothing", nil, nil},
		{"plain bullet is not done", files{donePath: base[donePath] + "- two #session\n"}, []string{donePath + ":6:1: new-entry-open"}},
		{"remarks below a done task", files{donePath: base[donePath] + "- [x] two #session\n  - a remark\n\nProse is free.\n"}, nil},
		{"open part of a done task", files{donePath: base[donePath] + "- [x] two #session\n  - [ ] part\n"}, []string{donePath + ":7:3: new-entry-open"}},
		{"tag in capitals, with a full stop", files{donePath: base[donePath] + "- [x] two (#Session).\n"}, nil},
		{"header respelled", files{donePath: strings.Replace(base[donePath], "—", "-", 1)}, nil},
		{"header removed", files{donePath: strings.Replace(base[donePath], "<!-- ⚠️ APPEND-ONLY — /end or /backlog clean only (C2) -->\n\n", "", 1)}, nil},
		{"header removed along with an entry", files{donePath: "# Done\n"}, []string{donePath + ":5:1: entry-removed"}},
		{"ticked, ticked item moves to done", files{
			lanePath: laneHead + "- [x] open item of the lane\n- [ ] HOT-1: with an id\n", donePath: base[donePath] + "- [x] ticked #session\n"}, nil},
		{"ticked item moves to done under an id of its own", files{
			lanePath: strings.Replace(base[lanePath], "- [x] ticked\n", "", 1), donePath: base[donePath] + "- [x] S-7: Ticked #session\n"}, nil},
		{"ticked item arrives open", files{
			lanePath: strings.Replace(base[lanePath], "- [x] ticked\n", "", 1), donePath: base[donePath] + "- [ ] ticked #session\n"},
			[]string{donePath + ":6:1: new-entry-open", lanePath + ":5:1: done-item-lost"}},
		{"ticked item moves to the notes", files{lanePath: strings.Replace(base[lanePath], "- [x] ticked\n", "", 1) + "- [x] ticked\n"},
			[]string{lanePath + ":5:1: done-item-lost"}},
		{"ticked item goes into a comment", files{lanePath: strings.Replace(base[lanePath], "- [x] ticked\n", "<!-- [x] ticked -->\n", 1)},
			[]string{lanePath + ":5:1: done-item-lost"}},
		{"open item goes", files{lanePath: strings.Replace(base[lanePath], "- [ ] open item of the lane\n", "", 1)}, nil},
		{"items change places", files{lanePath: laneHead + "- [ ] HOT-1: with an id\n- [x] ticked\n- [ ] open item of the lane\n"}, nil},
		{"item below a new heading", files{lanePath: strings.Replace(base[lanePath], "- [ ] HOT-1", "\n## Later\n\n- [ ] HOT-1", 1)}, nil},
		{"item with an id rewritten", files{lanePath: strings.Replace(base[lanePath], "HOT-1: with an id", "HOT-1: something else", 1)}, []string{lanePath + ":7:1: item-rewritten"}},
		{"ticked item opened again", files{lanePath: strings.Replace(base[lanePath], "[x] ticked", "[ ] ticked", 1)}, []string{lanePath + ":5:1: item-rewritten flag"}},
		{"notes rewritten", files{lanePath: strings.Replace(base[lanePath], "- free", "- B-1 is free", 1)}, nil},
		{"backlog task, id in bold", files{lanePath: strings.Replace(base[lanePath], "- [ ] open", "- [ ] **B-2** second\n- [ ] open", 1)}, []string{lanePath + ":6:1: backlog-task-in-hot-lane"}},
		{"backlog task moves into the lane", files{
			lanePath: strings.Replace(base[lanePath], "- [ ] open", "- [ ] do B-2\n- [ ] open", 1), backlogPath: backlogHead + "| B-1 | first |\n"},
			[]string{backlogPath + ":8:1: id-lost", lanePath + ":6:1: backlog-task-in-hot-lane"}},
		{"id that nobody has", files{lanePath: strings.Replace(base[lanePath], "- [ ] open", "- [ ] B-9: ninth\n- [ ] open", 1)}, nil},
		{"lane deleted", files{lanePath: ""}, []string{lanePath + ": deleted"}},
		{"task commented out", files{backlogPath: backlogHead + "| B-1 | first |\n\n<!--\n| B-2 | second |\n-->\n"}, []string{backlogPath + ":8:1: id-lost"}},
		{"task renamed", files{backlogPath: backlogHead + "| B-1 | first |\n| B-3 | second |\n"}, []string{backlogPath + ":8:1: id-lost"}},
		{"task in another table", files{backlogPath: backlogHead + "| B-1 | first |\n\n## Bugs\n\n| Title | ID |\n|---|---|\n| second | `B-2` |\n"}, nil},
		{"task only mentioned", files{backlogPath: backlogHead + "| B-1 | needs B-2 |\n"}, []string{backlogPath + ":8:1: id-lost"}},
		{"tasks archived as a range", files{backlogPath: "# Backlog\n\n## Archived\n\n| Plan | IDs |\n|---|---|\n| all | B-0 – B-3 |\n"}, nil},
		{"active and archived", files{backlogPath: base[backlogPath] + "\n## Archived\n\n| Plan | IDs |\n|---|---|\n| x | B-2 |\n"}, []string{backlogPath + ":14:1: id-duplicate flag"}},
		{"archived twice", files{backlogPath: backlogHead + "\n## Archived\n\n| Plan | IDs |\n|---|---|\n| x | B-1, B-2 |\n| y | B-2 |\n"}, []string{backlogPath + ":13:1: id-duplicate"}},
		{"rewritten but whole", files{backlogPath: "# Backlog\n\n| Story | ID |\n|---|---|\n| second, reworded | B-2 |\n| first | B-1 |\n"}, nil},
	}
	for _, c := range cases {
		t.Run(c.title, func(t *testing.T) {
			if got := says(t, policyPass(t, staged(base, base.with(c.change)), "")); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestPolicyPlaceholders(t *testing.T) {
	base := files{
		donePath:    doneHead + "- [x] FEAT-01: Task description #backlog\n",
		lanePath:    laneHead + "- [x] Task description\n",
		backlogPath: backlogHead + "| FEAT-01 | Task description |\n| FEAT-02 | [Feature description] |\n",
	}
	after := files{donePath: doneHead, lanePath: laneHead, backlogPath: backlogHead}
	if got := says(t, policyPass(t, staged(base, after), "")); got != nil {
		t.Errorf("got %q", got)
	}
	if got := says(t, policyPass(t, staged(base, after), "guards:\n  placeholders: [\"Your task here\"]\n")); len(got) != 4 {
		t.Errorf("with other placeholders: got %q", got)
	}
}

func TestPolicyProvenance(t *testing.T) {
	base := files{kernelPath: kernelText, rulePath: ruleText, "vendor/" + kernelPath: kernelText}
	kernel, rule := kernelText+"Two.\n", ruleText+"Two.\n"
	cases := []struct {
		title  string
		cfg    string
		before files
		after  files
		stage  check.Stage
		via    []string
		msg    string
		want   []string
	}{
		{"kernel", "", base, base.with(files{kernelPath: kernel}), "", []string{"/end"}, "", []string{kernelPath + ": read-only"}},
		{"kernel file appears", "", base, base.with(files{"kernel/new.md": kernel}), "", nil, "", []string{"kernel/new.md: read-only"}},
		{"kernel file goes", "", base, base.with(files{kernelPath: ""}), "", nil, "", []string{kernelPath + ": deleted"}},
		{"kernel file goes into the archive", "", base, base.with(files{kernelPath: "", "Archive/rules.md": kernelText}), "", nil, "", nil},
		{"kernel file moves away", "", base, base.with(files{kernelPath: "", "docs/rules.md": kernelText}), "", nil, "", []string{kernelPath + ": renamed-away"}},
		{"guards come with the files", "", files{"a": "b"}, files{"a": "b", ".para-workspace.yml": "x", kernelPath: kernelText, rulePath: ruleText}, "", nil, "", nil},
		{"reference is read from the version before", "guards: {reference: vendor}\n", base, base.with(files{kernelPath: kernel, "vendor/" + kernelPath: kernel}), "", nil, "", []string{kernelPath + ": read-only"}},
		{"reference", "guards: {reference: vendor}\n", base.with(files{"vendor/" + kernelPath: kernel}), base.with(files{kernelPath: kernel}), "", nil, "", nil},
		{"manifest", "guards: {reference: sums.txt}\n", base.with(files{"sums.txt": "7b4a4d3b5c4a3d4b0f0ea5a9a2f1b0a0b0a0b0a0b0a0b0a0b0a0b0a0b0a0b0a0  other\n" + sumOf(rule) + " *./" + rulePath + "\n"}), base.with(files{rulePath: rule}), check.CI, nil, "", nil},
		{"manifest of another content", "guards: {reference: sums.txt}\n", base.with(files{"sums.txt": sumOf("x") + "  " + rulePath + "\n"}), base.with(files{rulePath: rule}), check.CI, nil, "", []string{rulePath + ": governed"}},
		{"rule at pre-commit", "", base, base.with(files{rulePath: rule}), "", nil, "", []string{rulePath + ": governed flag"}},
		{"rule via its workflow", "", base, base.with(files{rulePath: rule}), "", []string{"para-rule"}, "", nil},
		{"rule via another workflow", "", base, base.with(files{rulePath: rule}), "", []string{"/end"}, "", []string{rulePath + ": governed flag"}},
		{"rule via a workflow that nobody knows", "", base, base.with(files{rulePath: rule}), "", []string{"/rule"}, "", []string{rulePath + ": governed flag", rulePath + ": via-unknown flag"}},
		{"rule at commit-msg", "", base, base.with(files{rulePath: rule}), check.CommitMsg, nil, "Two\n\nBody.\n", []string{rulePath + ": governed"}},
		{"trailer", "", base, base.with(files{rulePath: rule}), check.CommitMsg, nil, "Two\n\nforge-via: /end, /para-rule\nSigned-off-by: x\n", nil},
		{"trailer above the last paragraph", "", base, base.with(files{rulePath: rule}), check.CommitMsg, nil, "Two\n\nForge-Via: /para-rule\n\nBody.\n", []string{rulePath + ": governed"}},
		{"trailer in a comment", "", base, base.with(files{rulePath: rule}), check.CommitMsg, nil, "Two\n\nBody.\n# Forge-Via: /para-rule\n", []string{rulePath + ": governed"}},
		{"trailer below the scissors", "", base, base.with(files{rulePath: rule}), check.CommitMsg, nil, "Two\n\nBody.\n#" + scissors + "\n\nForge-Via: /para-rule\n", []string{rulePath + ": governed"}},
		{"subject that looks like a trailer", "", base, base.with(files{rulePath: rule}), check.CommitMsg, nil, "Forge-Via: /para-rule\n", []string{rulePath + ": governed"}},
		{"trailer above comments with another sign", "", base, base.with(files{rulePath: rule}), check.CommitMsg, nil, "Two\n\nForge-Via: /para-rule\n\n; Please enter the message.\n;\n; On branch main\n;" + scissors + "\n; Do not modify.\ndiff --git a/x b/x\n", nil},
		{"trailer in a comment with another sign", "", base, base.with(files{rulePath: rule}), check.CommitMsg, nil, "Two\n\nBody.\n\n; Forge-Via: /para-rule\n", []string{rulePath + ": governed"}},
		{"variable at commit-msg", "", base, base.with(files{rulePath: rule}), check.CommitMsg, []string{"/para-rule"}, "Two\n", nil},
		{"off", "guards: {provenance: off}\n", base, base.with(files{rulePath: rule, kernelPath: kernel}), check.CI, nil, "", nil},
		{"flag", "guards: {provenance: flag}\n", base, base.with(files{rulePath: rule, kernelPath: kernel}), check.CI, nil, "", []string{rulePath + ": governed flag", kernelPath + ": read-only flag"}},
		{"fail", "guards: {provenance: fail}\n", base, base.with(files{rulePath: rule}), "", nil, "", []string{rulePath + ": governed"}},
		{"rule deleted by its workflow", "guards: {provenance: fail}\n", base, base.with(files{rulePath: ""}), "", []string{"/para-rule"}, "", nil},
		{"rule deleted", "guards: {provenance: fail}\n", base, base.with(files{rulePath: ""}), "", nil, "", []string{rulePath + ": deleted"}},
		{"rule renamed among the rules", "guards: {provenance: fail}\n", base, base.with(files{rulePath: "", ".agent/rules/git.md": ruleText}), "", nil, "", []string{".agent/rules/git.md: governed", rulePath + ": governed"}},
		{"kernel file renamed in the kernel, to its reference copy", "guards: {reference: vendor}\n", base.with(files{"vendor/kernel/new.md": kernelText}), base.with(files{"vendor/kernel/new.md": kernelText, kernelPath: "", "kernel/new.md": kernelText}), "", nil, "", []string{kernelPath + ": read-only"}},
	}
	for _, c := range cases {
		t.Run(c.title, func(t *testing.T) {
			p := policyPass(t, staged(c.before, c.after), c.cfg)
			p.Via = c.via
			if c.stage != "" {
				p.Stage = c.stage
			}
			if c.msg != "" {
				p.Message = []byte(c.msg)
			}
			if got := says(t, p); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestPolicyCommitMsg: only provenance is judged once the message is there.
func TestPolicyCommitMsg(t *testing.T) {
	base := files{donePath: doneHead + "- [x] A-1: one #backlog\n"}
	p := policyPass(t, staged(base, files{donePath: doneHead}), "")
	p.Stage, p.Message = check.CommitMsg, []byte("x\n")
	if got := says(t, p); got != nil {
		t.Errorf("got %q", got)
	}
}

func TestPolicyRange(t *testing.T) {
	tree := func(rule, page string) snapshot.Tree { return memory.Tree(files{rulePath: rule, "page.md": page}) }
	step := func(before, after snapshot.Tree, message string) snapshot.Step {
		return snapshot.Step{OID: after.ID(), Message: []byte(message), Change: memory.Change(snapshot.Commit, []snapshot.Tree{before}, after)}
	}
	one, two, three := ruleText, ruleText+"Two.\n", ruleText+"Two.\nThree.\n"
	a, b, c, d := tree(one, ""), tree(two, ""), tree(two, "page"), tree(three, "page")
	cases := []struct {
		title    string
		messages [3]string
		want     []string
	}{
		{"each by its workflow", [3]string{"x\n\nForge-Via: /para-rule", "y", "z\n\nForge-Via: /para-rule"}, nil},
		{"a trailer counts for its own commit", [3]string{"x\n\nForge-Via: /para-rule", "y\n\nForge-Via: /para-rule", "z"}, []string{rulePath + ": governed"}},
		{"none", [3]string{"x", "y", "z"}, []string{rulePath + ": governed"}},
	}
	for _, tc := range cases {
		t.Run(tc.title, func(t *testing.T) {
			change := memory.Range(a, step(a, b, tc.messages[0]), step(b, c, tc.messages[1]), step(c, d, tc.messages[2]))
			p := policyPass(t, change, "")
			p.Stage, p.Via = check.Manual, []string{"/para-rule"}
			if got := says(t, p); !slices.Equal(got, tc.want) {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
	t.Run("the variable says nothing about a commit", func(t *testing.T) {
		s := step(a, b, "x")
		p := policyPass(t, s.Change, "")
		p.Stage, p.Step, p.Via = check.Manual, &s, []string{"/para-rule"}
		if got := says(t, p); !slices.Equal(got, []string{rulePath + ": governed"}) {
			t.Errorf("got %q", got)
		}
	})
	t.Run("one commit by itself", func(t *testing.T) {
		s := step(a, b, "x\n\nForge-Via: /para-rule")
		p := policyPass(t, s.Change, "")
		p.Stage, p.Step = check.Manual, &s
		if got := says(t, p); got != nil {
			t.Errorf("got %q", got)
		}
	})
}

func TestPolicyMerge(t *testing.T) {
	list := func(items ...string) string {
		return doneHead + "- [x] " + strings.Join(items, " #backlog\n- [x] ") + " #backlog\n"
	}
	base := files{donePath: list("A-1: one"), rulePath: ruleText, backlogPath: backlogHead + "| B-1 | first |\n"}
	ours := base.with(files{donePath: list("A-1: one", "A-2: two"), backlogPath: backlogHead + "| B-1 | first |\n| B-2 | ours |\n"})
	theirs := base.with(files{donePath: list("A-1: one", "A-3: three"), rulePath: ruleText + "Two.\n", backlogPath: backlogHead + "| B-1 | first |\n| B-3 | theirs |\n"})
	cases := []struct {
		title string
		after files
		want  []string
	}{
		{"union", theirs.with(files{donePath: list("A-1: one", "A-3: three", "A-2: two"), backlogPath: backlogHead + "| B-1 | first |\n| B-2 | ours |\n| B-3 | theirs |\n"}), nil},
		{"ours", ours, []string{backlogPath + ": id-lost", donePath + ": entry-removed"}},
		{"a rule of the merge itself", theirs.with(files{donePath: list("A-1: one", "A-3: three", "A-2: two"), backlogPath: "", rulePath: ruleText + "Evil.\n"}), []string{rulePath + ": governed flag", backlogPath + ": deleted"}},
		{"a task that the merge drops", theirs.with(files{donePath: list("A-1: one", "A-3: three", "A-2: two"), backlogPath: backlogHead + "| B-2 | ours |\n| B-3 | theirs |\n"}), []string{backlogPath + ":7:1: id-lost"}},
		{"one id for two tasks", theirs.with(files{donePath: list("A-1: one", "A-3: three", "A-2: two"), backlogPath: backlogHead + "| B-1 | first |\n| B-2 | ours |\n| B-3 | theirs |\n| B-3 | too |\n"}), []string{backlogPath + ":10:1: id-duplicate"}},
	}
	for _, c := range cases {
		t.Run(c.title, func(t *testing.T) {
			change := memory.Change(snapshot.Staged, []snapshot.Tree{memory.Tree(ours), memory.Tree(theirs)}, memory.Tree(c.after))
			change = memory.WithBases(change, nil, []snapshot.Tree{memory.Tree(base)})
			if got := says(t, policyPass(t, change, "")); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestPolicyMergeKeepsOurLoss: what one side had dropped before the merge is not asked of the other side again.
func TestPolicyMergeKeepsOurLoss(t *testing.T) {
	base := files{backlogPath: backlogHead + "| B-1 | first |\n| B-2 | second |\n"}
	ours, theirs := files{backlogPath: backlogHead + "| B-1 | first |\n"}, base.with(files{"page.md": "x"})
	change := memory.Change(snapshot.Staged, []snapshot.Tree{memory.Tree(ours), memory.Tree(theirs)}, memory.Tree(ours.with(files{"page.md": "x"})))
	change = memory.WithBases(change, nil, []snapshot.Tree{memory.Tree(base)})
	if got := says(t, policyPass(t, change, "")); got != nil {
		t.Errorf("got %q", got)
	}
}

func TestPolicyUnpublished(t *testing.T) {
	root := files{donePath: doneHead + "- [x] A-1: one #backlog\n"}
	head := files{donePath: doneHead + "- [x] A-1: one #backlog\n- [x] A-2: tow #backlog\n"}
	amended := func(items string, published bool) []string {
		c := staged(head, files{donePath: doneHead + items})
		c.Unpublished = func(context.Context) (bool, []snapshot.Tree, error) {
			return !published, []snapshot.Tree{memory.Tree(root)}, nil
		}
		return says(t, policyPass(t, c, ""))
	}
	fixed := "- [x] A-1: one #backlog\n- [x] A-2: two #backlog\n"
	if got, want := amended(fixed, false), []string{donePath + ":6:1: entry-edited flag"}; !slices.Equal(got, want) {
		t.Errorf("own entry: got %q, want %q", got, want)
	}
	if got, want := amended(fixed, true), []string{donePath + ":6:1: entry-edited"}; !slices.Equal(got, want) {
		t.Errorf("published: got %q, want %q", got, want)
	}
	both := strings.Replace(fixed, "one", "eins", 1)
	if got, want := amended(both, false), []string{donePath + ":5:1: entry-edited", donePath + ":6:1: entry-edited flag"}; !slices.Equal(got, want) {
		t.Errorf("older entry: got %q, want %q", got, want)
	}
}

func TestPolicyWithoutBaseline(t *testing.T) {
	c := memory.Change(snapshot.Commit, nil, memory.Tree(files{donePath: doneHead}))
	c.Missing = "the parent is not here; run: git fetch --deepen=1"
	p := policyPass(t, c, "")
	if got := says(t, p); got != nil || !strings.Contains(p.Skipped(), "git fetch") {
		t.Errorf("got %q, skipped %q", got, p.Skipped())
	}
	p = policyPass(t, c, "")
	p.Stage = check.CI
	if err := GuardPolicy.Run(context.Background(), p); err == nil {
		t.Error("a missing baseline passes in CI")
	}
}

func TestPolicyUnreadable(t *testing.T) {
	before, after := memory.Tree(files{donePath: doneHead}), memory.Tree(files{donePath: doneHead + "- [x] a #session\n"})
	for _, c := range []*snapshot.Change{
		memory.Change(snapshot.Staged, []snapshot.Tree{memory.Broken(before, donePath, snapshot.ErrNoObject)}, after),
		memory.Change(snapshot.Staged, []snapshot.Tree{before}, memory.Broken(after, donePath, snapshot.ErrNoObject)),
	} {
		if err := GuardPolicy.Run(context.Background(), policyPass(t, c, "guards: {preset: para}\n")); !errors.Is(err, snapshot.ErrNoObject) {
			t.Errorf("got %v", err)
		}
	}
}

func TestPolicyOnOtherFiles(t *testing.T) {
	cfg := "guards:\n  rules:\n    - {key: log, kind: LOG, header: \"<!-- ⚠️ APPEND-ONLY — /ship only -->\", paths: [\"*.log\"], policy: append-only, via: [/ship]}\n"
	before := files{"ship.log": "# ⚠️ APPEND-ONLY — /ship only\none\ntwo\n"}
	for after, want := range map[string][]string{
		before["ship.log"] + "three\n":                 nil,
		"# ⚠️ APPEND-ONLY — /ship only\none\n2\n":      {"ship.log:3:1: entry-removed"},
		"# ⚠️ APPEND-ONLY — /ship only\none\nx\ntwo\n": nil,
		"one\ntwo\n": nil,
		"# ⚠️ APPEND-ONLY - /ship only\r\none\r\ntwo\r\n": {"ship.log:1:1: eol-changed flag"},
		"# ⚠️ APPEND-ONLY — /ship only\ntwo\none\n":       {"ship.log:2:1: entry-moved"},
	} {
		if got := says(t, policyPass(t, staged(before, files{"ship.log": after}), cfg)); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", after, got, want)
		}
	}
}

func sumOf(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}
