package tasklist

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seed-4419f9ca/forge/pkg/record"
)

func parse(s string) *record.Listing { return record.ParseList([]byte(s), nil) }

func TestTasks(t *testing.T) {
	const doc = `# Backlog

## §1 Epics

| ID | Story | Depends on |
|---|---|---|
| LOP-01 | one | LOP-09 |
| **LOP-02** | two | |
| ~~LOP-03~~ | three | |
| later | four | |
| T1 | five | LOP-09 |
| [#12](x.md) | six | |
| ui-3: x 4 | seven | |
| UI-NAV-03 | eight | |

## Bugs

| Task | Owner |
|---|---|
| BUG-1: crash | An |
| none | Bình |

## §3 ✅ Completed (Archived)

| Plan | IDs |
|---|---|
| start | SETUP-01, SETUP-02 and SETUP-04..SETUP-06 |
| other | t7, T8; none |
| counted | 5 items |

| ID | Done on |
|---|---|
| OLD-1 | 2026-01-01 |

` + "```\n| ID |\n|---|\n| X-1 |\n```\n"
	var got []string
	for _, task := range Tasks(parse(doc)) {
		got = append(got, fmt.Sprintf("%s %v", task.ID, task.Archived))
	}
	want := []string{"LOP-01 false", "LOP-02 false", "LOP-03 false", "T1 false", "#12 false", "ui-3 false", "UI-NAV-03 false", "BUG-1 false", "SETUP-01 true", "SETUP-02 true", "SETUP-04 true", "SETUP-05 true", "SETUP-06 true", "t7 true", "T8 true", "OLD-1 true"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestItemsAndNotes(t *testing.T) {
	l := parse("# Sprint\n\n- [ ] a\n  - [x] b\n  - remark\n- c\n\n## Notes\n\n- d\n\n### More\n\n- e\n\n## Later\n\n- [ ] f\n\n1. g\n\nProse.\n")
	var got []string
	for _, i := range Items(l) {
		got = append(got, l.Entries[i].Text)
	}
	if want := []string{"a", "b", "c", "f", "g"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestArrived(t *testing.T) {
	done := parse("- [x] S-1: Fix the door #session\n- [x] Oil the hinges of the back door, all six of them, and write it down #session\n- [ ] Sweep\n- [x] Paint (2026-09-01) #session\n")
	for item, want := range map[string]bool{
		"- [x] Fix the door":             true,
		"- [x] S-1: whatever":            true,
		"- [x] S-2: fix the door":        true,
		"- [x] Oil the hinges":           false,
		"- [x] Sweep":                    false,
		"- [x] Paint":                    true,
		"- [x] Paint (2026-09-01)":       true,
		"- [x] Fix the door #hot":        true,
		"- [x] **Fix the door**":         true,
		"- [x] Fix the":                  true,
		"- [x] Something that is not in": false,
	} {
		if got := Arrived(done, &parse(item + "\n").Entries[0]); got != want {
			t.Errorf("%q: got %v, want %v", item, got, want)
		}
	}
}

func TestHolds(t *testing.T) {
	done := parse("- [x] A-1, A-2: both\n\n<!-- A-3 -->\n\nSee also (A-4), A-7–A-9.\n\n- [x] **T1**: first\n- [x] no 12 here\n")
	for id, want := range map[string]bool{"A-1": true, "A-2": true, "A-3": false, "A-4": true, "A-5": false, "A-8": true, "A-10": false, "T1": true, "12": false} {
		if Holds(done, id) != want {
			t.Errorf("%s: want %v", id, want)
		}
	}
}

func TestTagsAndPlaceholders(t *testing.T) {
	for s, want := range map[string]bool{"x #backlog": true, "x #Backlog.": true, "(#session)": true, "x\u00a0#backlog y": true, "#1 of x #session": true, "#backlogs": false, "backlog": false, "x#backlog": false} {
		if got := HasTag(s, "#backlog", "#session"); got != want {
			t.Errorf("%q: got %v", s, got)
		}
	}
	p := NewPlaceholders(nil)
	own := NewPlaceholders([]string{"Write here", "FEAT-01: Ý tưởng #backlog"})
	for s, want := range map[string][2]bool{
		"- [x] FEAT-01: Task description #backlog": {true, false},
		"- [ ] Task description":                   {true, false},
		"- [ ] [Task description]":                 {true, false},
		"- [ ] Task description of the lathe":      {false, false},
		"- write here":                             {false, true},
		"- [x] FEAT-07: ý tưởng":                   {false, true},
		"- real work":                              {false, false},
	} {
		e := &parse(s + "\n").Entries[0]
		if got := [2]bool{p.Match(e), own.Match(e)}; got != want {
			t.Errorf("%q: got %v, want %v", s, got, want)
		}
	}
	row := parse("| ID | Story | Priority |\n|---|---|---|\n| FEAT-01 | Task description | High |\n| FEAT-02 | Real | Task description |\n").Entries
	if !p.Match(&row[1]) || p.Match(&row[2]) {
		t.Error("of a row the first cell that is more than an id counts")
	}
}

func FuzzTasks(f *testing.F) {
	f.Add("| ID | IDs |\n|---|---|\n| A-1 | A-2..A-9 |\n")
	f.Add("- [x] A-1, A-2: b #c\n## Notes\n- d")
	f.Add("| A-1..A-999999999999999999999 |\n|---|\n")
	f.Fuzz(func(t *testing.T, s string) {
		l := parse(s)
		for _, task := range Tasks(l) {
			if task.ID == "" || task.Entry >= len(l.Entries) || strings.ContainsAny(task.ID, " \n|") {
				t.Fatalf("%q: %+v", s, task)
			}
		}
		p := NewPlaceholders(nil)
		for i := range l.Entries {
			e := &l.Entries[i]
			_, _, _ = p.Match(e), Arrived(l, e), Holds(l, "A-1")
		}
	})
}
