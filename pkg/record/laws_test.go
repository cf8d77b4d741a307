package record

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// words are lines for generated logs: few, so that lines repeat.
func words() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{"a", "b", "", "ab", "đo", "a\rb", strings.Repeat("x", 70000)})
}

func ends() *rapid.Generator[string] { return rapid.SampledFrom([]string{"\n", "\n", "\n", "\r\n"}) }

// drawLog draws a log and, as a second one, the same with more lines behind it.
func drawLog(t *rapid.T) (before, after string) {
	end := ends().Draw(t, "line end")
	lines := rapid.SliceOfN(words(), 0, 6).Draw(t, "lines")
	for _, l := range lines {
		before += l + end
	}
	after = before
	if len(lines) > 0 && rapid.Bool().Draw(t, "unfinished") {
		before = strings.TrimSuffix(before, end)
		if strings.HasSuffix(before, "\r") {
			before += "x"
			after = before + end
		}
	}
	for _, l := range rapid.SliceOfN(words(), 0, 6).Draw(t, "more lines") {
		after += l + end
	}
	return before, after
}

func compare(t rapid.TB, spec Spec, before, after string) []Problem {
	problems, err := Compare(Comparison{Spec: spec, Parents: versions(before), After: Content([]byte(after))})
	if err != nil {
		t.Fatal(err)
	}
	return problems
}

func TestLawAppendIsGood(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, after := drawLog(t)
		for _, direction := range []Direction{End, Any} {
			if p := compare(t, Spec{Shape: Bytes, Direction: direction}, before, after); len(p) > 0 {
				t.Fatalf("%q grew to %q: %+v", before, after, p)
			}
		}
	})
}

// TestLawEditIsFound: whatever byte of the published lines changes, is lost or is added, something is said.
func TestLawEditIsFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, after := drawLog(t)
		if before == "" {
			return
		}
		at := rapid.IntRange(0, len(before)-1).Draw(t, "at")
		b := rapid.SampledFrom([]byte("ab\n\r\x00\xff")).Draw(t, "byte")
		var edited string
		switch rapid.IntRange(0, 2).Draw(t, "edit") {
		case 0:
			edited = after[:at] + string(b) + after[at+1:]
		case 1:
			edited = after[:at] + after[at+1:]
		default:
			edited = after[:at] + string(b) + after[at:]
		}
		// The law of the shape, said another way.
		good := strings.HasPrefix(edited, before) && (len(edited) == len(before) || strings.HasSuffix(before, "\n") || strings.HasSuffix(before, "\r") && !strings.Contains(before, "\n") ||
			strings.HasPrefix(edited[len(before):], "\n") || strings.HasPrefix(edited[len(before):], "\r\n"))
		if p := compare(t, Spec{Shape: Bytes}, before, edited); (len(p) == 0) != good {
			t.Fatalf("%q became %q, good is %v: %+v", before, edited, good, p)
		}
	})
}

func TestLawReorderIsFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(words(), 2, 6).Draw(t, "lines")
		mixed := rapid.Permutation(lines).Draw(t, "mixed")
		p := compare(t, Spec{Shape: Bytes}, strings.Join(lines, "\n")+"\n", strings.Join(mixed, "\n")+"\n")
		if slices.Equal(lines, mixed) != (len(p) == 0) {
			t.Fatalf("%q became %q: %+v", lines, mixed, p)
		}
	})
}

// drawMerge draws a base, what two sides add to it, and a union of both in which each side's lines keep their order.
func drawMerge(t *rapid.T) (base, ours, theirs, union []string) {
	base = rapid.SliceOfN(words(), 0, 4).Draw(t, "base")
	ours = rapid.SliceOfN(words(), 0, 4).Draw(t, "ours")
	theirs = rapid.SliceOfN(words(), 0, 4).Draw(t, "theirs")
	union = slices.Clone(base)
	a, b := ours, theirs
	for len(a)+len(b) > 0 {
		if len(b) == 0 || len(a) > 0 && rapid.Bool().Draw(t, "take ours") {
			union, a = append(union, a[0]), a[1:]
		} else {
			union, b = append(union, b[0]), b[1:]
		}
	}
	return base, ours, theirs, union
}

func logOf(lines ...[]string) Version {
	var b bytes.Buffer
	for _, l := range slices.Concat(lines...) {
		b.WriteString(l + "\n")
	}
	return Content(b.Bytes())
}

func TestLawUnionIsGood(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base, ours, theirs, union := drawMerge(t)
		c := Comparison{
			Spec: Spec{Shape: Bytes}, After: logOf(union),
			Parents: []Parent{{Version: logOf(base, ours)}, {Version: logOf(base, theirs), Bases: []Version{logOf(base)}}},
		}
		problems, err := Compare(c)
		if err != nil || len(problems) > 0 {
			t.Fatalf("base %q, ours %q, theirs %q, union %q: %v, %+v", base, ours, theirs, union, err, problems)
		}
	})
}

// TestLawLossInMergeIsFound: a union that lacks a line which only one side has loses it.
func TestLawLossInMergeIsFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base, ours, theirs, union := drawMerge(t)
		mark := "only here"
		if rapid.Bool().Draw(t, "in theirs") {
			theirs = slices.Insert(slices.Clone(theirs), rapid.IntRange(0, len(theirs)).Draw(t, "at"), mark)
		} else {
			ours = slices.Insert(slices.Clone(ours), rapid.IntRange(0, len(ours)).Draw(t, "at"), mark)
		}
		c := Comparison{
			Spec: Spec{Shape: Bytes}, After: logOf(union),
			Parents: []Parent{{Version: logOf(base, ours)}, {Version: logOf(base, theirs), Bases: []Version{logOf(base)}}},
		}
		problems, err := Compare(c)
		if err != nil || len(problems) == 0 {
			t.Fatalf("base %q, ours %q, theirs %q, after %q: nothing is said, %v", base, ours, theirs, union, err)
		}
	})
}

// An item of a generated list: few texts, so that entries repeat.
func drawList(t *rapid.T, name string, low int) []string {
	return rapid.SliceOfN(rapid.SampledFrom([]string{
		"## Plan", "## 2026", "- [x] A-1: one", "- [x] A-2: two\n  more", "- [ ] three", "- plain", "| ID | Story |\n|---|---|\n| B-1 | row |", "Prose.", "1. first",
		"<!-- note -->", "~~~\ncode\n~~~",
	}), low, 8).Draw(t, name)
}

func listOf(blocks []string) *Listing {
	return ParseList([]byte("# Done\n\n"+strings.Join(blocks, "\n\n")+"\n"), nil)
}

func TestLawListGrowsAnywhere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before := drawList(t, "before", 0)
		after := slices.Clone(before)
		for i := rapid.IntRange(0, 4).Draw(t, "more"); i > 0; i-- {
			// Headings go to the end, since what they stand above moves below them.
			b := rapid.SampledFrom([]string{"- [x] A-9: nine", "- plain", "Prose.", "- [ ] three", "<!-- note -->"}).Draw(t, "block")
			after = slices.Insert(after, rapid.IntRange(0, len(after)).Draw(t, "at"), b)
		}
		after = append(after, drawList(t, "behind", 0)...)
		if ch := CompareLists(listOf(before), listOf(after)); len(ch.Problems) > 0 {
			t.Fatalf("%q grew to %q: %+v", before, after, ch.Problems)
		}
	})
}

// TestLawListLoss: a list loses nothing unnoticed. The law is said over entries: those of the version before must be a
// subsequence of those after.
func TestLawListLoss(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, after := listOf(drawList(t, "before", 0)), listOf(drawList(t, "after", 0))
		kept := 0
		for _, e := range after.Entries {
			if kept < len(before.Entries) && before.Entries[kept].key() == e.key() {
				kept++
			}
		}
		ch := CompareLists(before, after)
		if (kept == len(before.Entries)) != (len(ch.Problems) == 0) {
			t.Fatalf("%d of %d entries are kept: %+v", kept, len(before.Entries), ch.Problems)
		}
		if again := CompareLists(before, after); say(again.Problems) != say(ch.Problems) {
			t.Fatalf("two answers: %q and %q", say(ch.Problems), say(again.Problems))
		}
		for old := range before.Entries {
			if now := ch.To(old); now >= 0 && ch.From(now) != old {
				t.Fatalf("entry %d became %d, which was %d", old, now, ch.From(now))
			}
		}
	})
}

// TestLawListEdit: any byte of an entry's text that changes is noticed.
func TestLawListEdit(t *testing.T) {
	src := []byte(doneList)
	before := ParseList(src, nil)
	for i := range src {
		for _, b := range []byte("xQ[ |#") {
			edited := bytes.Clone(src)
			edited[i] = b
			after := ParseList(edited, nil)
			same := len(before.Entries) == len(after.Entries)
			for k := 0; same && k < len(after.Entries); k++ {
				same = before.Entries[k].key() == after.Entries[k].key()
			}
			ch := CompareLists(before, after)
			if same != (len(ch.Problems) == 0) && len(before.Entries) >= len(after.Entries) {
				t.Fatalf("byte %d becomes %q: %+v", i, b, ch.Problems)
			}
		}
	}
}

func TestLawJSONLChain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bodies := rapid.SliceOfN(rapid.SampledFrom([]string{`"a":1`, `"b":"x"`, `"c":[1,{"d":2}]`}), 1, 6).Draw(t, "bodies")
		log := chained("\n", bodies...)
		spec := Spec{Shape: JSONL, Chain: true}
		if p := compare(t, spec, "", log); len(p) > 0 {
			t.Fatalf("%q: %+v", log, p)
		}
		lines := strings.SplitAfter(log, "\n")
		lines = lines[:len(lines)-1]
		if len(lines) < 2 {
			return
		}
		// Any line but the last that changes breaks the chain behind it.
		i := rapid.IntRange(0, len(lines)-2).Draw(t, "line")
		lines[i] = strings.Replace(lines[i], "}", `,"z":0}`, 1)
		if altered := strings.Join(lines, ""); len(compare(t, spec, altered, altered)) == 0 {
			t.Fatalf("%q: nothing is said", altered)
		}
	})
}
