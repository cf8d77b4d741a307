package demo

import "strings"

// notesPath and notes are what somebody thought when the shop was planned.
const (
	notesPath = ".claude/sessions/session-1/_mind-s-1.md"
	notes     = `### MIND-0

#### A — what this turn did
Compared three bakeries.
#### B — where it goes next, and which branches were rejected
Order from the mill. The frozen dough was rejected: it needs a second freezer.
#### C — the plan
(empty — declared)
#### D — under discussion
- [raised] whether to open on Sundays
#### E — helpers
(empty — declared)
`
)

// notesScene makes a rejected branch look better than it was.
func notesScene(commit func(string) []string) scene {
	return scene{
		title:   "Yesterday's thoughts are polished",
		explain: "Session notes tell the next session what was rejected, and why; a block that was committed stays as it was thought.",
		write:   map[string]string{notesPath: strings.Replace(notes, "rejected: it needs a second freezer", "postponed", 1)},
		show:    commit("Tidy up the notes"),
		refused: "mind/block-edited",
	}
}
