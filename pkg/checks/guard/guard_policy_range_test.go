package guard

import (
	"slices"
	"testing"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/memory"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// rangeOf returns a range over versions, each a commit on the one before it.
func rangeOf(versions ...files) *snapshot.Change {
	trees := make([]snapshot.Tree, len(versions))
	for i, v := range versions {
		trees[i] = memory.Tree(v)
	}
	var steps []snapshot.Step
	for i := range trees[1:] {
		steps = append(steps, snapshot.Step{OID: trees[i+1].ID(), Change: memory.Change(snapshot.Commit, trees[i:i+1], trees[i+1])})
	}
	return memory.Range(trees[0], steps...)
}

// TestPolicyFollowsMoves: a file that one commit moves and another changes is judged at its new path.
func TestPolicyFollowsMoves(t *testing.T) {
	const there, archived = "q/artifacts/tasks/done.md", "Archive/p-done.md"
	one, grown, edited := doneHead+"- [ ] one thing\n", doneHead+"- [ ] one thing\n- [x] two #session\n", doneHead+"- [ ] one things\n"
	kernel := files{kernelPath: kernelText}
	for _, c := range []struct {
		title    string
		versions []files
		want     []string
	}{
		{"moves and grows", []files{{donePath: one}, {there: one}, {there: grown}}, nil},
		{"grows and moves", []files{{donePath: one}, {donePath: grown}, {there: grown}}, nil},
		{"moves and is edited", []files{{donePath: one}, {there: one}, {there: edited}}, []string{there + ":5:1: entry-edited"}},
		{"moves twice and grows", []files{{donePath: one}, {"x": one}, {there: one}, {there: grown}}, nil},
		{"archived and grows there", []files{{donePath: one}, {archived: one}, {archived: grown}}, nil},
		{"moves out of reach and grows", []files{{donePath: one}, {"docs/x.md": one}, {"docs/x.md": grown}}, []string{donePath + ": renamed-away"}},
		{"moves and goes", []files{{donePath: one}, {there: one}, {"x": "y"}}, []string{donePath + ": deleted"}},
		{"moves and grows in one commit", []files{{donePath: one}, {there: grown}}, []string{donePath + ": deleted", there + ":5:1: new-entry-open"}},
		{"kernel file archived and changed there", []files{kernel, {"Archive/k.md": kernelText}, {"Archive/k.md": "x"}}, nil},
		{"kernel file moves in the kernel and changes", []files{kernel, {"kernel/k.md": kernelText}, {"kernel/k.md": kernelText + "x"}},
			[]string{"kernel/k.md: read-only", kernelPath + ": read-only"}},
	} {
		t.Run(c.title, func(t *testing.T) {
			p := policyPass(t, rangeOf(c.versions...), "guards: {}\n")
			p.Stage = check.Manual
			if got := says(t, p); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
