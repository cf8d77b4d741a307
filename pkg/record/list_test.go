package record

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-4419f9ca/forge/pkg/markdown"
)

const doneList = `# Done

<!-- guard -->

## Plan: billing

- [x] BILL-01: Round to cents #backlog
  for every currency
- [x] BILL-02: Print the invoice #backlog
- [ ] Find the tuning fork

## Plan: refunds

Nothing was refunded twice.

| ID | Story |
|---|---|
| REF-01 | Reject above the balance |
| REF-02 | Ask the owner |
`

func TestCompareLists(t *testing.T) {
	edit := func(pairs ...string) string {
		s := doneList
		for i := 0; i < len(pairs); i += 2 {
			if !strings.Contains(s, pairs[i]) {
				t.Fatalf("the list has no %q", pairs[i])
			}
			s = strings.Replace(s, pairs[i], pairs[i+1], 1)
		}
		return s
	}
	cases := []struct{ title, after, want string }{
		{"same", doneList, ""},
		{"new heading on top", edit("## Plan: billing", "## Plan: new\n\n- [x] NEW-01: A #backlog\n\n## Plan: billing"), ""},
		{"new entry between", edit("- [x] BILL-02", "- [x] BILL-03: x\n- [x] BILL-02"), ""},
		{"new entry at the end", doneList + "| REF-03 | More |\n", ""},
		{"new nested item", edit("- [x] BILL-02", "  - a remark\n- [x] BILL-02"), ""},
		{"other bullets and deeper indentation", edit("- [x] BILL-01", "* [X] BILL-01", "  for every", "      for every", "- [x] BILL-02", "* [x] BILL-02", "- [ ] Find", "* [ ] Find"), ""},
		{"wider table", edit("| REF-01 | Reject above the balance |", "|   REF-01   |   Reject above the balance   |"), ""},
		{"title renamed", edit("# Done", "# Finished"), ""},
		{"comment added", edit("- [x] BILL-01", "<!-- forge:allow x reason=\"y\" -->\n- [x] BILL-01"), ""},
		{"guard removed", edit("<!-- guard -->\n", ""), ""},
		{"edited by id", edit("cents", "whole units"), "entry-edited 7:1"},
		{"continuation edited", edit("every currency", "each currency"), "entry-edited 7:1"},
		{"continuation lost", edit("  for every currency\n", ""), "entry-edited 7:1"},
		{"check mark lost", edit("[x] BILL-02", "[ ] BILL-02"), "entry-edited 9:1"},
		{"check mark set", edit("[ ] Find", "[x] Find"), "entry-edited 10:1"},
		{"check mark gone", edit("[x] BILL-02", "BILL-02"), "entry-edited 9:1"},
		{"edited without id", edit("Find the tuning fork", "Find the lost tuning fork"), "entry-edited 10:1"},
		{"prose edited", edit("refunded twice", "refunded"), "entry-edited 14:1"},
		{"row edited", edit("Ask the owner", "Ask nobody"), "entry-edited 19:1"},
		{"row rewritten under another id", edit("REF-02 | Ask the owner", "REF-09 | Ask the owner"), "entry-edited 19:1"},
		{"header row edited", edit("| ID | Story |", "| ID | Epic |"), "entry-edited 16:1"},
		{"removed", edit("- [x] BILL-02: Print the invoice #backlog\n", ""), "entry-removed 9:1 before"},
		{"replaced by another", edit("- [x] BILL-02: Print the invoice #backlog\n", "- [x] Something else entirely\n"), "entry-removed 9:1 before"},
		{"swapped", edit("- [x] BILL-02: Print the invoice #backlog\n- [ ] Find the tuning fork", "- [ ] Find the tuning fork\n- [x] BILL-02: Print the invoice #backlog"), "entry-moved 9:1"},
		{"moved to another heading", edit("- [ ] Find the tuning fork\n", "", "## Plan: refunds\n\n", "## Plan: refunds\n\n- [ ] Find the tuning fork\n\n"), "entry-moved 13:1"},
		{"heading renamed", edit("## Plan: billing", "## Plan: bills"), "entry-moved 5:1"},
		{"heading removed", edit("## Plan: refunds\n", ""), "entry-moved 5:1"},
		{"heading slipped in", edit("- [x] BILL-02", "\n## Plan: print\n\n- [x] BILL-02"), "entry-moved 12:1, entry-moved 13:1"},
		{"hidden in a comment", edit("- [x] BILL-02: Print the invoice #backlog\n", "\n<!--\n- [x] BILL-02: Print the invoice #backlog\n-->\n\n"), "entry-hidden 10:1"},
		{"hidden in a fence", edit("- [x] BILL-02: Print the invoice #backlog\n", "\n~~~\n- [x] BILL-02: Print the invoice #backlog\n~~~\n"), "entry-hidden 10:1"},
		{"hidden inside an item", edit("- [x] BILL-02: Print the invoice #backlog\n", "- <!-- [x] BILL-02: Print the invoice #backlog -->\n"), "entry-hidden 9:3"},
		{"row hidden", edit("| REF-02 | Ask the owner |\n", "\n<!-- | REF-02 | Ask the owner | -->\n"), "entry-hidden 20:1"},
		{"hidden by an open comment", edit("- [ ] Find the tuning fork\n", "- [ ] Find the tuning fork\n\n<!-- open\n"), "entry-hidden 12:1, entry-hidden 12:1, entry-hidden 12:1, entry-hidden 12:1"},
		{"edited, the old text kept in a comment", edit("- [x] BILL-01: Round to cents #backlog\n", "<!-- - [x] BILL-01: Round to cents #backlog -->\n- [x] BILL-01: Round #backlog\n"), "entry-edited 8:1"},
		{"quoted", edit("- [x] BILL-02: Print the invoice #backlog", "\n> - [x] BILL-02: Print the invoice #backlog\n"), "entry-moved 10:3"},
		{"CRLF", strings.ReplaceAll(doneList, "\n", "\r\n"), "eol-changed 1:1"},
		{"CRLF and an edit", strings.ReplaceAll(edit("cents", "units"), "\n", "\r\n"), "entry-edited 7:1, eol-changed 1:1"},
		{"emptied", "", "entry-removed 7:1 before, entry-removed 9:1 before, entry-removed 10:1 before, entry-removed 14:1 before, entry-removed 16:1 before, entry-removed 18:1 before, entry-removed 19:1 before"},
	}
	for _, c := range cases {
		t.Run(c.title, func(t *testing.T) {
			ch := CompareLists(ParseList([]byte(doneList), nil), ParseList([]byte(c.after), nil))
			if got := say(ch.Problems); got != c.want {
				t.Errorf("got %q, want %q\n%+v", got, c.want, ch.Problems)
			}
		})
	}
}

func TestCompareListsNested(t *testing.T) {
	before := "- a\n  - one\n    more of one\n  - two\n- b\n"
	cases := []struct{ title, after, want string }{
		{"nested edited", strings.Replace(before, "more of one", "less of one", 1), "entry-edited 2:3"},
		{"holder edited", strings.Replace(before, "- a\n", "- an a\n", 1), "entry-edited 1:1"},
		{"lifted", strings.Replace(before, "  - two", "- two", 1), "entry-moved 4:1"},
		{"moved below another", "- a\n  - one\n    more of one\n- b\n  - two\n", "entry-moved 4:1, entry-moved 5:3"},
		{"a new item slips in above", strings.Replace(before, "  - one", "- c\n  - one", 1), "entry-moved 3:3, entry-moved 5:3"},
		{"a new item slips in above, the last one edited", strings.Replace(before, "  - two\n- b", "- c\n  - two\n- bb", 1), "entry-edited 6:1, entry-moved 5:3"},
		{"holder doubled", "- a\n" + before, ""},
		{"duplicates", "- x\n" + before + "- a\n- b\n", ""},
		{"code in an item", before + "\n      code\n", "entry-edited 5:1"},
	}
	for _, c := range cases {
		t.Run(c.title, func(t *testing.T) {
			ch := CompareLists(ParseList([]byte(before), nil), ParseList([]byte(c.after), nil))
			if got := say(ch.Problems); got != c.want {
				t.Errorf("got %q, want %q\n%+v", got, c.want, ch.Problems)
			}
		})
	}
}

// TestCompareListsOuterHeadings: every heading above an entry is its place, except those of level 1 over others.
func TestCompareListsOuterHeadings(t *testing.T) {
	before := "# Done\n\n## Plan A\n\n### First\n\n- one\n\n### Second\n\n- two\n"
	cases := []struct{ title, after, want string }{
		{"title renamed", strings.Replace(before, "# Done", "# Finished", 1), ""},
		{"plan renamed", strings.Replace(before, "Plan A", "Plan B", 1), "entry-moved 3:1, entry-moved 3:1"},
		{"plan slips in", strings.Replace(before, "### Second", "## Plan B\n\n### Second", 1), "entry-moved 9:1"},
		{"section lifted out of its plan", strings.Replace(before, "### Second", "## Second", 1), "entry-moved 9:1"},
		{"all one level deeper", strings.ReplaceAll(before, "## ", "### "), ""},
		{"new plan on top", strings.Replace(before, "## Plan A", "## Plan B\n\n### First\n\n- three\n\n## Plan A", 1), ""},
		{"new title on top", "# Later\n\n" + before, ""},
	}
	for _, c := range cases {
		t.Run(c.title, func(t *testing.T) {
			ch := CompareLists(ParseList([]byte(before), nil), ParseList([]byte(c.after), nil))
			if got := say(ch.Problems); got != c.want {
				t.Errorf("got %q, want %q\n%+v", got, c.want, ch.Problems)
			}
		})
	}
}

func TestCompareListMerge(t *testing.T) {
	list := func(items ...string) *Listing {
		return ParseList([]byte("# Done\n\n- "+strings.Join(items, "\n- ")+"\n"), nil)
	}
	base := list("A-1: one")
	cases := []struct {
		title       string
		a, b, after *Listing
		want        string
	}{
		{"both", list("A-2: two", "A-1: one"), list("A-3: three", "A-1: one"), list("A-3: three", "A-2: two", "A-1: one"), ""},
		{"ours", list("A-2: two", "A-1: one"), list("A-3: three", "A-1: one"), list("A-2: two", "A-1: one"), "entry-removed"},
		{"theirs", list("A-2: two", "A-1: one"), list("A-3: three", "A-1: one"), list("A-3: three", "A-1: one"), "entry-removed 3:1 before"},
		{"theirs edited", list("A-2: two", "A-1: one"), list("A-3: three", "A-1: one"), list("A-3: four", "A-2: two", "A-1: one"), "entry-edited 3:1"},
		{"their edit of an old one", list("A-2: two", "A-1: one"), list("A-1: eins"), list("A-2: two", "A-1: eins"), "entry-edited 4:1"},
		{"their edit refused", list("A-2: two", "A-1: one"), list("A-1: eins"), list("A-2: two", "A-1: one"), ""},
		{"our old edit stays", list("A-1: eins"), list("A-3: three", "A-1: one"), list("A-3: three", "A-1: eins"), ""},
	}
	for _, c := range cases {
		t.Run(c.title, func(t *testing.T) {
			r := CompareList(ListComparison{After: c.after, Parents: []ListParent{{Listing: c.a}, {Listing: c.b, Bases: []*Listing{base}}}})
			if got := say(r.Problems); got != c.want {
				t.Errorf("got %q, want %q\n%+v", got, c.want, r.Problems)
			}
		})
	}
}

func TestCompareListDirection(t *testing.T) {
	before := "# Journal\n\nNewest first.\n\n- two\n  more\n- one\n"
	cases := []struct {
		title, after string
		direction    Direction
		want         string
	}{
		{"on top", strings.Replace(before, "- two", "- three\n- two", 1), Top, ""},
		{"below", before + "- three\n", Top, "direction 8:1"},
		{"between", strings.Replace(before, "- one", "- three\n- one", 1), Top, "direction 7:1"},
		{"at the end", before + "- three\n", End, ""},
		{"not at the end", strings.Replace(before, "- two", "- three\n- two", 1), End, "direction 5:1"},
		{"anywhere", before + "- three\n", Any, ""},
		{"reworded", strings.Replace(before, "more", "less", 1), Top, "entry-edited 5:1"},
	}
	for _, c := range cases {
		t.Run(c.title, func(t *testing.T) {
			r := CompareList(ListComparison{After: ParseList([]byte(c.after), nil), Parents: []ListParent{{Listing: ParseList([]byte(before), nil)}}, Direction: c.direction})
			if got := say(r.Problems); got != c.want {
				t.Errorf("got %q, want %q\n%+v", got, c.want, r.Problems)
			}
		})
	}
}

func TestParseLines(t *testing.T) {
	before := ParseLines([]byte("one\n\ntwo\n"), nil)
	for after, want := range map[string]string{
		"one\ntwo\nthree\n":     "",
		"zero\none\ntwo\n":      "",
		"one\n two\n":           "entry-edited 2:1",
		"two\none\n":            "entry-moved 1:1",
		"one\n":                 "entry-removed 3:1 before",
		"one\r\n\r\ntwo\r\n":    "eol-changed 1:1",
		"one\nsomething else\n": "entry-removed 3:1 before",
	} {
		if got := say(CompareLists(before, ParseLines([]byte(after), nil)).Problems); got != want {
			t.Errorf("%q: got %q, want %q", after, got, want)
		}
	}
}

func TestLeadingIDs(t *testing.T) {
	for in, want := range map[string]string{
		"BILL-01: Round":          "BILL-01",
		"**BILL-01**: Round":      "BILL-01",
		"`BILL-01` Round":         "BILL-01",
		"[BILL-01](x.md): Round":  "BILL-01",
		"BILL-01, BILL-02: Round": "BILL-01 BILL-02",
		"ĐƠN-7: Làm tròn":         "ĐƠN-7",
		"A1-7":                    "A1-7",
		"Round BILL-01":           "",
		"bill-01":                 "",
		"BILL-":                   "",
		"BILL-01a":                "",
		"BILL-01-02":              "BILL-01-02",
		"UI-NAV-03: Fold":         "UI-NAV-03",
		"UI-NAV: Fold":            "",
		"UI--3":                   "",
		"UI-nav-3":                "",
		"UI-3-":                   "",
		"2026-09-10: note":        "",
		"-01":                     "",
		"":                        "",
	} {
		if got := strings.Join(LeadingIDs(in), " "); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
	if got := strings.Join(IDs("see XE-02, (XE-03) and not AXE-02x or XE-02; sáu-XE-09"), " "); got != "XE-02 XE-03" {
		t.Errorf("got %q", got)
	}
}

func TestBlocks(t *testing.T) {
	before := "# Notes\n\nNewest first.\n\n## Round 2\n\n- b\n\n### Part 1\n\nx\n\n## Round 1\n\n- a\n"
	cases := []struct {
		title, after string
		direction    Direction
		want         string
	}{
		{"on top", strings.Replace(before, "## Round 2", "## Round 3\n\nc\n\n## Round 2", 1), Ends, ""},
		{"at the end", before + "\n## Round 3\n\nc\n", Ends, ""},
		{"between", strings.Replace(before, "## Round 1", "## Round 3\n\nc\n\n## Round 1", 1), Ends, "direction 13:1"},
		{"at the wrong end", before + "\n## Round 3\n\nc\n", Top, "direction 17:1"},
		{"preface reworded", strings.Replace(before, "Newest first", "The newest is on top", 1), Ends, ""},
		{"blank lines at the edges", strings.Replace(before, "## Round 1\n\n- a", "\n## Round 1\n- a\n", 1), Ends, ""},
		{"indented", strings.Replace(before, "- a", " - a", 1), Ends, "entry-edited 13:1"},
		{"edited below a smaller heading", strings.Replace(before, "\nx\n", "\ny\n", 1), Ends, "entry-edited 5:1"},
		{"removed", strings.Replace(before, "## Round 1\n\n- a\n", "", 1), Ends, "entry-removed 13:1 before"},
		{"renumbered", strings.Replace(before, "Round 1", "Round 0", 1), Ends, "entry-moved 13:1"},
		{"swapped", "# Notes\n\n## Round 1\n\n- a\n\n## Round 2\n\n- b\n\n### Part 1\n\nx\n", Ends, "entry-moved 3:1"},
		{"heading in a fence", strings.Replace(before, "## Round 1\n\n- a\n", "~~~\n## Round 1\n\n- a\n~~~\n", 1), Ends, "entry-edited 5:1, entry-hidden 13:1"},
	}
	for _, c := range cases {
		t.Run(c.title, func(t *testing.T) {
			r := CompareList(ListComparison{After: ParseBlocks([]byte(c.after)), Parents: []ListParent{{Listing: ParseBlocks([]byte(before))}}, Direction: c.direction})
			if got := say(r.Problems); got != c.want {
				t.Errorf("got %q, want %q\n%+v", got, c.want, r.Problems)
			}
		})
	}
}

// TestListOf holds that a document that was parsed before has the entries of its source, in UTF-16 too.
func TestListOf(t *testing.T) {
	narrow := "\ufeff# T\n\n<!-- gone -->\n- [x] A-1: a\n"
	wide := []byte{0xff, 0xfe}
	for _, r := range narrow[len("\ufeff"):] {
		wide = append(wide, byte(r), 0)
	}
	for _, src := range [][]byte{[]byte(narrow), wide} {
		got, want := ListOf(markdown.Parse(src), nil), ParseList(src, nil)
		if len(got.Entries) != 1 || got.Entries[0].Text != "A-1: a" {
			t.Fatalf("%q has the entries %+v", src, got.Entries)
		}
		if diff := cmp.Diff(keysOf(want), keysOf(got)); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(want.hiddenSpans(), got.hiddenSpans()); diff != "" || len(got.hiddenSpans()) != 1 {
			t.Errorf("%v %s", got.hiddenSpans(), diff)
		}
	}
}
