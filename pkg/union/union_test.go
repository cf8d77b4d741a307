package union_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-4419f9ca/forge/pkg/record"
	"github.com/seed-4419f9ca/forge/pkg/union"
)

func TestLogs(t *testing.T) {
	for _, tt := range []struct {
		name, base, ours, theirs string
		top                      bool
		want                     string // "" for a refusal
	}{
		{"both added", "1\n", "1\na\n", "1\nb\n", false, "1\na\nb\n"},
		{"one added", "1\n", "1\n", "1\nb\n", false, "1\nb\n"},
		{"nothing", "1\n", "1\n", "1\n", false, "1\n"},
		{"new on both sides", "", "a\n", "b\n", false, "a\nb\n"},
		{"the same first", "1\n", "1\nx\na\n", "1\nx\nb\n", false, "1\nx\na\nb\n"},
		{"no final line end", "1", "1\na", "1\nb", false, "1\na\nb\n"},
		{"CRLF", "1\r\n", "1\r\na\r\n", "1\r\nb", false, "1\r\na\r\nb\r\n"},
		{"on top", "1\n", "a2\na1\n1\n", "b1\n1\n", true, "b1\na2\na1\n1\n"},
		{"on top, the same first", "1\n", "a\nx\n1\n", "b\nx\n1\n", true, "b\na\nx\n1\n"},
		{"on top without a final line end", "1", "a\n1", "b\n1", true, "b\na\n1\n"},
		{"ours rewrote", "1\n2\n", "1\nx\n", "1\n2\n3\n", false, ""},
		{"theirs cut", "1\n2\n", "1\n2\n3\n", "1\n", false, ""},
		{"wrong end", "1\n", "0\n1\n", "1\n2\n", false, ""},
		{"an unfinished line went on", "1", "12\n", "1\n", false, ""},
		{"UTF-16", "1\x00\n\x00", "1\x00\n\x00", "1\x00\n\x00", false, ""},
	} {
		got, err := union.Logs([]byte(tt.base), []byte(tt.ours), []byte(tt.theirs), tt.top)
		var refusal *union.Refusal
		switch {
		case tt.want == "" && !errors.As(err, &refusal):
			t.Errorf("%s: %q, %v", tt.name, got, err)
		case tt.want != "" && (err != nil || string(got) != tt.want):
			t.Errorf("%s: %q, %v, want %q", tt.name, got, err, tt.want)
		}
	}
}

func TestLists(t *testing.T) {
	base := "# Done\n\n## Plan A\n\n- [x] A-1: one\n  more of it\n\n## Plan B\n\n- [x] B-1: one\n"
	for _, tt := range []struct {
		name, ours, theirs, want string
	}{
		{"both at the end of a plan", strings.Replace(base, "more of it\n", "more of it\n- [x] A-2: two\n  more of it\n", 1), strings.Replace(base, "more of it\n", "more of it\n- [x] A-3: three\n  more of it\n", 1),
			"# Done\n\n## Plan A\n\n- [x] A-1: one\n  more of it\n- [x] A-2: two\n  more of it\n- [x] A-3: three\n  more of it\n\n## Plan B\n\n- [x] B-1: one\n"},
		{"under two plans", strings.Replace(base, "more of it\n", "more of it\n- [x] A-2: two\n", 1), base + "- [x] B-2: two\n",
			"# Done\n\n## Plan A\n\n- [x] A-1: one\n  more of it\n- [x] A-2: two\n\n## Plan B\n\n- [x] B-1: one\n- [x] B-2: two\n"},
		{"a new plan on both sides", base + "\n## Plan C\n\n- [x] C-1: one\n", base + "\n## Plan C\n\n- [x] C-2: two\n",
			base + "\n## Plan C\n\n- [x] C-1: one\n- [x] C-2: two\n"},
		{"two new plans", base + "\n## Plan C\n\n- [x] C-1: one\n", base + "\n## Plan D\n\n- [x] D-1: one\n",
			base + "\n## Plan C\n\n- [x] C-1: one\n\n## Plan D\n\n- [x] D-1: one\n"},
		{"one entry on both sides", base + "- [x] B-2: two\n- [x] B-3: three\n", base + "- [x] B-2: two\n- [x] B-4: four\n", base + "- [x] B-2: two\n- [x] B-3: three\n- [x] B-4: four\n"},
		{"one entry, behind another", base + "- [x] B-3: three\n- [x] B-2: two\n", base + "- [x] B-2: two\n- [x] B-4: four\n", base + "- [x] B-3: three\n- [x] B-2: two\n- [x] B-4: four\n"},
		{"on top", strings.Replace(base, "- [x] A-1", "- [x] A-2: two\n- [x] A-1", 1), strings.Replace(base, "- [x] A-1", "- [x] A-3: three\n- [x] A-1", 1),
			strings.Replace(base, "- [x] A-1", "- [x] A-2: two\n- [x] A-3: three\n- [x] A-1", 1)},
		{"they reworded", base + "- [x] B-2: two\n", strings.Replace(base, "one\n", "won\n", 1), ""},
		{"we dropped", strings.Replace(base, "- [x] B-1: one\n", "", 1), base + "- [x] B-2: two\n", ""},
		{"they reordered plans", base, "# Done\n\n## Plan B\n\n- [x] B-1: one\n\n## Plan A\n\n- [x] A-1: one\n  more of it\n", ""},
	} {
		got, err := union.Lists([]byte(base), []byte(tt.ours), []byte(tt.theirs))
		var refusal *union.Refusal
		switch {
		case tt.want == "" && !errors.As(err, &refusal):
			t.Errorf("%s: %q, %v", tt.name, got, err)
		case tt.want != "" && (err != nil || string(got) != tt.want):
			t.Errorf("%s: %v\n got %q\nwant %q", tt.name, err, got, tt.want)
		}
	}
}

func TestLawsOfLogs(t *testing.T) {
	line := rapid.SampledFrom([]string{"ok", "sáng", "  indented", "", "x: 1"})
	added := rapid.SliceOfN(line, 0, 5)
	rapid.Check(t, func(t *rapid.T) {
		top := rapid.Bool().Draw(t, "top")
		b, x, y := added.Draw(t, "base"), added.Draw(t, "ours"), added.Draw(t, "theirs")
		text := func(parts ...[]string) []byte {
			if top {
				slices.Reverse(parts)
			}
			var out []byte
			for _, l := range slices.Concat(parts...) {
				out = append(out, l+"\n"...)
			}
			return out
		}
		base, ours, theirs := text(b), text(b, x), text(b, y)
		got, err := union.Logs(base, ours, theirs, top)
		if err != nil {
			t.Fatal(err)
		}
		mirrored, err := union.Logs(base, theirs, ours, top)
		if err != nil || fmt.Sprint(sorted(got)) != fmt.Sprint(sorted(mirrored)) {
			t.Fatalf("does not commute: %q %q %v", got, mirrored, err)
		}
		if same, err := union.Logs(base, ours, ours, top); err != nil || !bytes.Equal(same, ours) {
			t.Fatalf("a version joined with itself: %q %v", same, err)
		}
		direction := record.End
		if top {
			direction = record.Top
		}
		for _, order := range [][2][]byte{{ours, theirs}, {theirs, ours}} {
			problems, err := record.Compare(record.Comparison{
				Spec: record.Spec{Shape: record.Bytes, Direction: direction}, After: record.Content(got),
				Parents: []record.Parent{{Version: record.Content(order[0])}, {Version: record.Content(order[1]), Bases: []record.Version{record.Content(base)}}},
			})
			if err != nil || len(problems) > 0 {
				t.Fatalf("the union does not pass: %v %+v\nbase %q\nours %q\ntheirs %q\nunion %q", err, problems, base, ours, theirs, got)
			}
		}
	})
}

func sorted(src []byte) []string {
	l := strings.Split(string(src), "\n")
	sort.Strings(l)
	return l
}

// growth adds entries and headings to a list.
func growth(t *rapid.T, src []string, who string) []string {
	out := slices.Clone(src)
	for i := range rapid.IntRange(0, 4).Draw(t, "grow "+who) {
		var unit []string
		if rapid.IntRange(0, 3).Draw(t, "heading") == 0 {
			unit = append(unit, "", fmt.Sprintf("## Plan %s%d", rapid.SampledFrom([]string{"", who}).Draw(t, "whose"), i), "")
		}
		unit = append(unit, fmt.Sprintf("- [x] %s-%d: done", strings.ToUpper(who), i))
		if rapid.Bool().Draw(t, "continued") {
			unit = append(unit, "  by Minh")
		}
		places := []int{len(out)}
		for k, l := range out {
			if strings.HasPrefix(l, "- ") {
				places = append(places, k)
			}
		}
		at := rapid.SampledFrom(places).Draw(t, "at")
		if len(unit) > 2 {
			at = len(out)
		}
		out = slices.Insert(out, at, unit...)
	}
	return out
}

func TestLawsOfLists(t *testing.T) {
	joinedUp, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		text := func(l []string) []byte { return []byte(strings.Join(l, "\n") + "\n") }
		b := growth(t, []string{"# Done", "", "- [x] Z-1: begun", "  by Minh"}, "b")
		base, ours, theirs := text(b), text(growth(t, b, "x")), text(growth(t, b, "y"))
		if same, err := union.Lists(base, ours, ours); err != nil || !bytes.Equal(same, ours) {
			t.Fatalf("a version joined with itself: %q %v", same, err)
		}
		got, err := union.Lists(base, ours, theirs)
		mirrored, other := union.Lists(base, theirs, ours)
		if (err == nil) != (other == nil) {
			t.Fatalf("does not commute: %v %v", err, other)
		}
		if err != nil {
			refused++
			return
		}
		joinedUp++
		if fmt.Sprint(sorted(got)) != fmt.Sprint(sorted(mirrored)) {
			t.Fatalf("does not commute: %q %q", got, mirrored)
		}
		for _, side := range [][]byte{ours, theirs} {
			have := string(got)
			for _, line := range strings.Split(string(side), "\n") {
				if strings.HasPrefix(line, "- ") && strings.Count(have, line+"\n") != strings.Count(string(side), line+"\n") {
					t.Fatalf("%q is lost or doubled:\n%s", line, got)
				}
			}
		}
		for _, order := range [][2][]byte{{ours, theirs}, {theirs, ours}} {
			parse := func(src []byte) *record.Listing { return record.ParseList(src, nil) }
			r := record.CompareList(record.ListComparison{After: parse(got), Parents: []record.ListParent{{Listing: parse(order[0])}, {Listing: parse(order[1]), Bases: []*record.Listing{parse(base)}}}})
			if len(r.Problems) > 0 || len(r.Fresh) > 0 {
				t.Fatalf("the union does not pass: %+v\nbase\n%s\nours\n%s\ntheirs\n%s\nunion\n%s", r.Problems, base, order[0], order[1], got)
			}
		}
	})
	if refused*10 > joinedUp {
		t.Errorf("%d joined, %d refused", joinedUp, refused)
	}
}

func FuzzLists(f *testing.F) {
	f.Add("# D\n\n- a\n", "# D\n\n- a\n- b\n", "# D\n\n- a\n- c\n")
	f.Add("", "| a |\n|---|\n| b |\n", "```\n- x\n")
	f.Fuzz(func(t *testing.T, base, ours, theirs string) {
		got, err := union.Lists([]byte(base), []byte(ours), []byte(theirs))
		var refusal *union.Refusal
		if err != nil && !errors.As(err, &refusal) {
			t.Fatal(err)
		}
		if err == nil && len(got) < len(ours) {
			t.Fatalf("%q is shorter than %q", got, ours)
		}
		if _, err := union.Logs([]byte(base), []byte(ours), []byte(theirs), len(base)%2 == 0); err != nil && !errors.As(err, &refusal) {
			t.Fatal(err)
		}
	})
}
