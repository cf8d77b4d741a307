package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/seed-4419f9ca/forge/pkg/git"
	"github.com/seed-4419f9ca/forge/pkg/mindblock"
)

const (
	mindDir   = ".claude/sessions/session-4/"
	mindNotes = mindDir + "_mind-s-4.md"
)

// mindBlock returns a whole block.
func mindBlock(k int, text string) string {
	return fmt.Sprintf("### MIND-%d\n\n#### A\n%s\n#### B\n(empty — declared)\n#### C\n(empty — declared)\n#### D\n(empty — declared)\n#### E\n(empty — declared)\n", k, text)
}

// mindRepo makes a repository with a session of n pauses and these blocks, newest first, all of it committed.
func mindRepo(t *testing.T, pauses int, blocks ...string) string {
	t.Helper()
	dir := t.TempDir()
	gitIn(t, dir, nil, "init", "-q", "-b", "main")
	context := "# Session 4\n"
	for k := range pauses {
		context += fmt.Sprintf("\n## PAUSE-%d\n", k+1)
	}
	putFile(t, dir, mindDir+"_context-s-4.md", context)
	if len(blocks) > 0 {
		putFile(t, dir, mindNotes, strings.Join(blocks, "\n"))
	}
	gitIn(t, dir, nil, "add", "--all")
	gitIn(t, dir, nil, "-c", "user.name=T", "-c", "user.email=t@example.com", "commit", "-q", "-m", "base")
	return dir
}

// mindIn runs forge-guard mind with an input.
func mindIn(dir, input string, args ...string) (stdout, stderr string, exit int) {
	var out, errs bytes.Buffer
	env := append(git.CleanEnv(os.Environ()), "HOME="+dir, "XDG_CONFIG_HOME="+dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
	exit = Run(context.Background(), Guard(), Env{Args: append([]string{"mind"}, args...), Stdin: strings.NewReader(input), Stdout: &out, Stderr: &errs, Environ: env, Dir: dir})
	return out.String(), errs.String(), exit
}

// TestMain lets this test binary be forge-guard, for tests that need several processes.
func TestMain(m *testing.M) {
	if os.Getenv(beGuard) != "" {
		os.Exit(Main(Guard()))
	}
	os.Exit(m.Run())
}

const beGuard = "TEST_BE_FORGE_GUARD"

// onlyFiles lists the names in a folder.
func onlyFiles(t *testing.T, dir string) string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

func TestMindNew(t *testing.T) {
	dir := mindRepo(t, 1, mindBlock(0, "zero"))
	old := getFile(t, dir, mindNotes)
	for name, tt := range map[string]struct {
		input string
		want  string
		exit  int
	}{
		"a number that is taken": {mindBlock(0, "x"), "mind/number", 1}, "a number too far": {mindBlock(2, "x"), "mind/number", 1}, "no block": {"hello\n", "mind/number", 1}, "nothing": {"", "mind/number", 1},
		"a section missing": {strings.Replace(mindBlock(1, "x"), "#### B\n(empty — declared)\n", "", 1), "mind/section-missing", 1}, "a secret": {mindBlock(1, "password: Heron-7Qx9zL2m"), "mind/secret", 1},
		"a pause that is not there": {mindBlock(1, "see PAUSE-9"), "mind/pause-unknown", 1}, "no text": {mindBlock(1, "\xff"), "mind/unreadable", 1},
	} {
		out, errs, exit := mindIn(dir, tt.input, "new", "--session", "4")
		if exit != tt.exit || !strings.Contains(out, tt.want) || strings.Contains(out+errs, "Heron-7") {
			t.Errorf("%s: exit %d\n%s%s", name, exit, out, errs)
		}
		if got := getFile(t, dir, mindNotes); got != old {
			t.Errorf("%s: the notes are %q", name, got)
		}
	}
	putFile(t, dir, "draft.md", "\ufeff\n"+strings.ReplaceAll(mindBlock(1, "one, see PAUSE-1"), "\n", "\r\n"))
	out, errs, exit := mindIn(filepath.Join(dir, ".claude"), "", "new", "--session", "4", "--from", "../draft.md")
	if exit != 0 || !strings.Contains(out, mindNotes+": inserted MIND-1") {
		t.Errorf("exit %d\n%s%s", exit, out, errs)
	}
	if got, want := getFile(t, dir, mindNotes), mindBlock(1, "one, see PAUSE-1")+"\n"+old; got != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
	if names := onlyFiles(t, filepath.Join(dir, mindDir)); names != "_context-s-4.md _mind-s-4.md" {
		t.Errorf("left: %s", names)
	}
	if got := gitIn(t, dir, nil, "diff", "--cached", "--name-only"); got != "" {
		t.Errorf("something is staged: %s", got)
	}
}

func TestMindNewMakesTheFile(t *testing.T) {
	dir := mindRepo(t, 0)
	if out, errs, exit := mindIn(dir, mindBlock(0, "zero"), "new", "--session", "4"); exit != 0 {
		t.Fatalf("exit %d\n%s%s", exit, out, errs)
	}
	if got := getFile(t, dir, mindNotes); got != mindBlock(0, "zero") {
		t.Errorf("got %q", got)
	}
	// Files that git does not know yet are there all the same.
	putFile(t, dir, mindDir+"reports/r.md", "# R\n")
	putFile(t, dir, mindDir+"_context-s-4.md", "# S\n\n## PAUSE-1\n\n> keep the old gate shut until the vet has been here\n")
	block := strings.Replace(mindBlock(1, "see PAUSE-1"), "#### E\n(empty — declared)", "#### E\n- vet: pass → reports/r.md#r", 1)
	if out, errs, exit := mindIn(dir, block, "new", "--session", "4"); exit != 0 {
		t.Errorf("exit %d\n%s%s", exit, out, errs)
	}
	if out, _, exit := mindIn(dir, strings.Replace(mindBlock(2, "We keep the old gate shut until the vet has come."), "#### E\n(empty — declared)", "#### E\n- vet: pass → later/r.md", 1), "new", "--session", "4"); exit != 1 || !strings.Contains(out, "mind/owner-words") || !strings.Contains(out, "mind/pointer") {
		t.Errorf("exit %d\n%s", exit, out)
	}
}

func TestMindNewRefuses(t *testing.T) {
	dir := mindRepo(t, 1, mindBlock(0, "zero"))
	for _, args := range [][]string{
		{"new"}, {"new", "--session", ""}, {"new", "--session", "x"}, {"new", "--session", "4", "--from", "none.md"}, {"new", "--session", "4", "extra"},
		{"check", "--draft", "x.md"}, {"check", "--session", "4"}, {"reload"}, {"reload", "--session", "5"}, {"reload", "--session", "4", "--verify", "none.md"}, {"compact", "--session", "5"}, {"keys", "x"}, {"selftest", "x"}, {"frobnicate"},
	} {
		if out, errs, exit := mindIn(dir, mindBlock(1, "x"), args...); exit != 2 || errs == "" {
			t.Errorf("%q: exit %d\n%s%s", args, exit, out, errs)
		}
	}
	// What stands in the place of the notes is not written through.
	if err := os.Remove(filepath.Join(dir, mindNotes)); err != nil {
		t.Fatal(err)
	}
	putFile(t, dir, "elsewhere.md", mindBlock(0, "zero"))
	if err := os.Symlink("../../../elsewhere.md", filepath.Join(dir, mindNotes)); err != nil {
		t.Skip(err)
	}
	if out, errs, exit := mindIn(dir, mindBlock(1, "x"), "new", "--session", "4"); exit == 0 || getFile(t, dir, "elsewhere.md") != mindBlock(0, "zero") {
		t.Errorf("exit %d\n%s%s", exit, out, errs)
	}
}

func TestMindNewAtOnce(t *testing.T) {
	dir := mindRepo(t, 0)
	env := append(git.CleanEnv(os.Environ()), "HOME="+dir, "XDG_CONFIG_HOME="+dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, beGuard+"=1")
	const writers = 4
	results := make(chan error, writers)
	for i := range writers {
		go func() {
			c := exec.Command(os.Args[0], "mind", "new", "--session", "4")
			c.Dir, c.Env, c.Stdin = dir, env, strings.NewReader(mindBlock(0, fmt.Sprint("by ", i)))
			results <- c.Run()
		}()
	}
	inserted := 0
	for range writers {
		if <-results == nil {
			inserted++
		}
	}
	n, err := mindblock.Parse([]byte(getFile(t, dir, mindNotes)))
	if err != nil || inserted != 1 || len(n.Blocks) != 1 {
		t.Errorf("%d were inserted, %d are there: %v", inserted, len(n.Blocks), err)
	}
}

func TestMindCompact(t *testing.T) {
	long := strings.Repeat("the third bell is late ", 40)
	dir := mindRepo(t, 3, mindBlock(3, "three"), mindBlock(2, long), mindBlock(1, long), mindBlock(0, "zero"))
	putFile(t, dir, "memory-budget.json", `{"mind_ctx_kb": 2}`)
	gitIn(t, dir, nil, "add", "--all")
	out, errs, exit := mindIn(dir, "", "compact")
	if exit != 0 || !strings.Contains(out, "folded MIND-1, from") {
		t.Fatalf("exit %d\n%s%s", exit, out, errs)
	}
	n, err := mindblock.Parse([]byte(getFile(t, dir, mindNotes)))
	if err != nil || n.Blocks[2].Compaction == nil || n.Blocks[1].Compaction != nil || len(n.Src) > 2048 {
		t.Fatalf("got %q, %v", n.Src, err)
	}
	gitIn(t, dir, nil, "add", "--all")
	if out, errs, exit := mindIn(dir, "", "check"); exit != 0 || strings.Contains(out, "mind/") {
		t.Errorf("exit %d\n%s%s", exit, out, errs)
	}
	// A second time there is nothing to do, and nothing is touched.
	before := getFile(t, dir, mindNotes)
	if out, _, exit := mindIn(dir, "", "compact", "--session", "4"); exit != 0 || out != "" || getFile(t, dir, mindNotes) != before {
		t.Errorf("exit %d\n%s", exit, out)
	}
	// A budget that nothing can keep is a failure once everything is folded.
	putFile(t, dir, "memory-budget.json", `{"mind_ctx_kb": 0.2}`)
	if out, _, exit := mindIn(dir, "", "compact"); exit != 1 || !strings.Contains(out, "folded MIND-2") || !strings.Contains(out, "mind/budget") {
		t.Errorf("exit %d\n%s", exit, out)
	}
	// A budget that cannot be read is no budget.
	putFile(t, dir, "memory-budget.json", `{"mind_ctx_kb": "2"}`)
	if _, errs, exit := mindIn(dir, "", "compact"); exit != 3 || !strings.Contains(errs, "memory-budget.json") {
		t.Errorf("exit %d\n%s", exit, errs)
	}
}

func TestMindCompactLosesNothing(t *testing.T) {
	long := strings.Repeat("the third bell is late ", 80)
	dir := mindRepo(t, 1, mindBlock(0, "zero"))
	putFile(t, dir, "memory-budget.json", `{"mind_ctx_kb": 1}`)
	notes := mindBlock(2, "two") + "\n" + mindBlock(1, long) + "\n" + mindBlock(0, "zero")
	putFile(t, dir, mindNotes, notes)
	if out, _, exit := mindIn(dir, "", "compact"); exit != 0 || !strings.Contains(out, "[flag]") || getFile(t, dir, mindNotes) != notes {
		t.Errorf("a block that git does not have is folded: exit %d\n%s", exit, out)
	}
	gitIn(t, dir, nil, "add", "--all")
	if out, _, exit := mindIn(dir, "", "compact"); exit != 0 || !strings.Contains(out, "folded MIND-1") {
		t.Errorf("exit %d\n%s", exit, out)
	}
}

func TestMindReload(t *testing.T) {
	dir := mindRepo(t, 1, mindBlock(1, "one with password: Heron-7Qx9zL2m"), mindBlock(0, "zero"))
	putFile(t, dir, mindNotes, mindBlock(2, "only on disk"))
	out, errs, exit := mindIn(dir, "", "reload", "--session", "4")
	if exit != 0 || !strings.Contains(out, "### MIND-1\n") || strings.Contains(out, "only on disk") || strings.Contains(out, "Heron-7") || strings.Count(out, "\n") > mindblock.MaxLead {
		t.Fatalf("exit %d\n%s%s", exit, out, errs)
	}
	putFile(t, dir, "report.md", "# Resumed\n\n> "+strings.ReplaceAll(out, "\n", "\n> "))
	if out, errs, exit := mindIn(dir, "", "reload", "--session", "4", "--verify", "report.md"); exit != 0 {
		t.Errorf("exit %d\n%s%s", exit, out, errs)
	}
	putFile(t, dir, "report.md", strings.Replace(out, "one with", "won with", 1))
	if out, _, exit := mindIn(dir, "", "reload", "--session", "4", "--verify", "report.md"); exit != 1 || !strings.Contains(out, "report.md: mind/reload: ") || strings.Contains(out, "Heron-7") {
		t.Errorf("exit %d\n%s", exit, out)
	}
}

func TestMindKeys(t *testing.T) {
	out, _, exit := mindIn(t.TempDir(), "", "keys")
	re, err := regexp.Compile(strings.TrimSpace(out))
	if exit != 0 || err != nil || !re.MatchString("- **ts**: 1") || re.MatchString("the ts: 1") {
		t.Errorf("exit %d, %v\n%s", exit, err, out)
	}
}

func TestMindSelftest(t *testing.T) {
	dir := t.TempDir()
	out, errs, exit := mindIn(dir, "", "selftest")
	if exit != 0 || !strings.Contains(out, " faults, 0 not found") || onlyFiles(t, dir) != "" {
		t.Errorf("exit %d\n%s%s", exit, out, errs)
	}
}

func TestMindCheckDraft(t *testing.T) {
	dir := mindRepo(t, 1, mindBlock(0, "zero"))
	out, errs, exit := mindIn(dir, mindBlock(1, "x"), "check", "--draft", "-", "--session", "4")
	if exit != 0 || strings.Contains(out, "mind/") {
		t.Errorf("exit %d\n%s%s", exit, out, errs)
	}
	out, _, exit = mindIn(dir, mindBlock(1, "ts: 1"), "check", "--draft", "-", "--session", "4", "--closed", "--format", "json")
	if exit != 1 || !strings.Contains(out, `"mind/timestamp-key"`) {
		t.Errorf("exit %d\n%s", exit, out)
	}
}
