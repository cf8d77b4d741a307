package mutate

import (
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/config"
)

// The session of the good sample: a pause puts block 2 on top of two published ones.
const (
	mindFolder  = ".claude/sessions/session-4"
	mindNotes   = mindFolder + "/_mind-s-4.md"
	mindContext = mindFolder + "/_context-s-4.md"
	mindLog     = mindFolder + "/_wal-s-4.md"
	mindReport  = mindFolder + "/reports/read-2.md"
	mindClosed  = mindFolder + "/closed.md"
	mindBudget  = "memory-budget.json"
)

const mindBlock2 = `### MIND-2

#### A — what this turn did
Weighed the last nine hives and put the figures beside those of spring; one row is weighed on the first and the third Sunday of the year.
#### B — where it goes next, and which branches were rejected
Feed only the three light ones; feeding all of them was tried last year and drew robbers. We do not open the hives by the fence.

> ### MIND-9 is what a quoted heading looks like

` + "```\n### MIND-8\n#### D\n```" + `

<!--
### MIND-7
-->
#### C — the plan, as a change of thought
The count of brood frames comes before the sugar, because it decides how much is needed. See PAUSE-2.
#### D — under discussion
- [contested] whether hive six gets a new queen
- {treo-chờ-anh} giá mua thêm đường
#### E — one line per helper run
- scale-reader: pass → reports/read-2.md#result
- ctx-curator: flag → reports/read-2.md
`

const mindBlock1 = `### MIND-1

#### A — vừa làm
Dọn ba thùng đã mất chúa và ghi lại từng khung.
#### B — hướng tiếp
(trống — khai)
#### C — kế hoạch
Ghép đàn yếu trước khi trời lạnh.
#### D — đang bàn
- **mới-nêu** có nên dời hai thùng sát bờ rào
#### E — vai phụ
(trống — khai)
`

const mindBlock0 = `### MIND-0

#### A — what this turn did
Listed the hives by row.
#### B — where it goes next, and which branches were rejected
Row by row from the gate. From the pond upwards was rejected: the path floods.
#### C — the plan
(empty — declared)
#### D — under discussion
(empty — declared)
#### E — helpers
- ctx-audit: đạt → reports/read-2.md
`

const mindContextText = `# Session 4: apiary

## PAUSE-1

> do not open the hives by the pond before the frost is over this year

## PAUSE-2

The scale was lent out. "Keep the old labels until every row has been counted twice."
`

const mindLogText = `- SETTLED: every hive is weighed on the first and the third Sunday of the month before noon
`

const mindReportText = `# Reading 2

## Result

All nine figures are plausible.
`

// Mind is the suite of the check mind.
func Mind() *Suite {
	before := map[string]string{
		"README.md":  "# Apiary\n",
		mindNotes:    mindBlock1 + "\n" + mindBlock0,
		mindContext:  mindContextText[:strings.Index(mindContextText, "\n## PAUSE-2")],
		mindLog:      mindLogText,
		mindReport:   mindReportText,
		mindBudget:   "{\n  \"session_ctx_kb\": 64,\n  \"mind_ctx_kb\": 3\n}\n",
		"notes.json": "{}\n",
	}
	after := map[string]string{}
	for path, data := range before {
		after[path] = data
	}
	after[mindNotes] = mindBlock2 + "\n" + mindBlock1 + "\n" + mindBlock0
	after[mindContext] = mindContextText
	cfg := config.Default()
	cfg.Mind = &config.Mind{Reviewers: []string{"ctx-curator", "ctx-audit"}, Writer: "lead"}
	return &Suite{Good: &Sample{Before: Files(before), After: Files(after), Config: cfg, Stage: check.PreCommit}, Faults: mindFaults()}
}
