package demo

import "strings"

const (
	done = `# Done

<!-- ⚠️ APPEND-ONLY — /end or /backlog clean only (C2) -->

## Plan: opening day

- [x] SHOP-01: Paint the front door #backlog
- [x] SHOP-02: Order two hundred paper bags #backlog
`
	kernel = `# Rules of the shop

<!-- ⚠️ READ-ONLY SNAPSHOT — Do NOT modify (I9) -->

1. Cash is counted by two people.
`
	deliveries = `2026-09-01 flour, 12 sacks
2026-09-02 milk, 40 litres
2026-09-03 eggs, 30 trays
`
)

// sample is the repository before the first scene.
func sample() map[string]string {
	return layer(map[string]string{
		"README.md":               "# A small shop\n",
		"artifacts/tasks/done.md": done,
		"kernel/rules.md":         kernel,
		"logs/deliveries.wal":     deliveries,
		notesPath:                 notes,
		claimsPath:                claims,
		"shop/till.py":            till,
	})
}

// branch is where somebody without hooks has rewritten the log.
const branch = "spring-cleaning"

func rewritten() map[string]string {
	return map[string]string{"logs/deliveries.wal": strings.Replace(deliveries, "40 litres", "14 litres", 1)}
}

func scenes() []scene {
	commit := func(message string) []string { return []string{"commit", "--all", "--quiet", "--message", message} }
	return []scene{
		{
			title:   "A finished task is reworded",
			explain: "The done list says APPEND-ONLY: what stands in it was agreed on and may not change.",
			write:   map[string]string{"artifacts/tasks/done.md": strings.Replace(done, "two hundred", "two thousand", 1)},
			show:    commit("Correct the number of bags"),
			refused: "guard-policy/entry-edited",
		},
		{
			title:   "The guard is deleted first",
			explain: "Taking the header away does not take the promise away: the version before still binds.",
			write:   map[string]string{"artifacts/tasks/done.md": strings.Replace(done, "<!-- ⚠️ APPEND-ONLY — /end or /backlog clean only (C2) -->\n\n", "", 1)},
			show:    commit("Tidy up the list"),
			refused: "guard-header/removed",
		},
		{
			title:   "A read-only snapshot is edited",
			explain: "The rules come from somewhere else; a local edit would be lost with the next update.",
			write:   map[string]string{"kernel/rules.md": strings.Replace(kernel, "two people", "one person", 1)},
			show:    commit("Make closing time shorter"),
			refused: "guard-policy/read-only",
		},
		{
			title:   "A log line is rewritten",
			explain: "A write-ahead log only grows at its end.",
			write:   rewritten(),
			show:    commit("Adjust the milk"),
			refused: "wal/rewritten",
		},
		changelogScene(commit),
		notesScene(commit),
		claimsScene(commit),
		{
			title:   "The same files, used as they are meant to be",
			explain: "A new finished task and a new log line are what both files are for.",
			write: map[string]string{
				"artifacts/tasks/done.md": done + "- [x] SHOP-03: Hang the price list #backlog\n",
				"logs/deliveries.wal":     deliveries + "2026-09-04 sugar, 5 sacks\n",
			},
			show: commit("Open the shop"),
		},
		{
			title:   "A branch that rewrote the log is merged",
			explain: "A merge without conflict runs no pre-commit hook; pre-merge-commit judges it against both parents.",
			show:    []string{"merge", "--no-edit", branch},
			refused: "wal/rewritten",
		},
	}
}
