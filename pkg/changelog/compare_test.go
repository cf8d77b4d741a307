package changelog_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-4419f9ca/forge/pkg/changelog"
)

func one(d *changelog.Doc) []changelog.Parent { return []changelog.Parent{{Doc: d}} }

func TestCompare(t *testing.T) {
	a, b, c, d := entry("a", "2026-01-01"), entry("b", "2026-01-02"), entry("c", "2026-01-02T08:00:00Z"), entry("d", "2026-02-01")
	base := doc(c, a, d, b)
	for _, tt := range []struct {
		name   string
		before *changelog.Doc
		after  *changelog.Doc
		want   []string
	}{
		{"same", base, doc(a, b, c, d), nil},
		{"added with an old date", base, doc(d, entry("old", "1999-01-01"), c, b, a), nil},
		{"keys in another order and numbers by value", doc(a, compaction("k", "2026-01-01", 2, "x", "y")),
			doc(`{"type": "compaction", "paths": ["docs"], "compacted": {"lastId": "y", "firstId": "\u0078", "entries": 20e-1}, "summary": "Old entries", "date": "2026-01-01", "id": "k"}`, a), nil},
		{"order inside paths", doc(`{"id": "a", "paths": ["x", "y"]}`), doc(`{"id": "a", "paths": ["y", "x"]}`),
			[]string{`2:13 entry-edited: the "paths" of the published entry "a" changes from ["x", "y"] to ["y", "x"]`}},
		{"edited", base, doc(a, strings.Replace(b, "S of b", "T of b", 1), c, d),
			[]string{`3:54 entry-edited: the "summary" of the published entry "b" changes from "S of b" to "T of b"`}},
		{"several fields", doc(a), doc(`{"id": "a", "date": "2026-01-03", "breaking": true}`), []string{
			`2:13 entry-edited: the "date" of the published entry "a" changes from "2026-01-01" to "2026-01-03"`,
			`2:35 entry-edited: the published entry "a" gets the field "breaking", true`,
			`2:1 entry-edited: the published entry "a" loses its field "type", "changed"`,
			`2:1 entry-edited: the published entry "a" loses its field "summary", "S of a"`,
			`2:1 entry-edited: the published entry "a" loses its field "paths", ["docs/a.md"]`}},
		{"a key that stands twice now", doc(`{"id": "a", "summary": "S"}`), doc(`{"id": "a", "summary": "S", "summary": "T"}`),
			[]string{`2:13 entry-edited: the "summary" of the published entry "a" changes from "S" to "S" and "T"`}},
		{"an id twice, one unchanged", doc(a), doc(a, strings.Replace(a, "S of a", "T", 1)), nil},
		{"an id that stood twice is sorted out", doc(a, strings.Replace(a, "S of a", "T", 1)), doc(a), nil},
		{"renamed", base, doc(strings.Replace(a, `"a"`, `"z"`, 1), b, c, d),
			[]string{`- compaction-missing: the entry "a" is gone, and no new compaction entry says so`}},
		{"oldest dropped", base, doc(c, d), []string{`- compaction-missing: the entries "a" and "b" are gone, and no new compaction entry says so`}},
		{"others dropped", base, doc(a, b), []string{`- not-oldest: the entries "c" and "d" are gone, but the older entry "a" is still there; only the oldest can be compacted`}},
		{"oldest and another dropped", base, doc(b, c, compaction("k", "2026-03-01", 2, "a", "d")),
			[]string{`4:2 not-oldest: the entry "d" is gone, but the older entry "b" is still there; only the oldest can be compacted`}},
		{"by the book", base, doc(d, compaction("k", "2026-03-01", 3, "a", "c")), nil},
		{"everything but the compaction", base, doc(compaction("k", "2026-03-01", 4, "a", "d")), nil},
		{"compaction in the middle of time", base, doc(d, compaction("k", "1990-01-01", 3, "a", "c")), nil},
		{"wrong in every way", base, doc(c, d, compaction("k", "2026-03-01", 3, "b", "a")), []string{
			`4:116 compaction-wrong: the compaction entry "k" says "entries": 3, but it is 2: the entries "a" and "b" are gone`,
			`4:130 compaction-wrong: the compaction entry "k" says "firstId": "b", but it is "a": the entries "a" and "b" are gone`,
			`4:146 compaction-wrong: the compaction entry "k" says "lastId": "a", but it is "b": the entries "a" and "b" are gone`}},
		{"two of them, both right", base, doc(c, d, compaction("k", "2026-03-01", 2, "a", "b"), compaction("l", "2026-03-01", 2, "a", "b")),
			[]string{`5:2 compaction-extra: the new compaction entry "l" is one too many: "k" accounts for what is gone`}},
		{"two of them, the later is right", base, doc(c, d, compaction("k", "2026-03-01", 1, "a", "a"), compaction("l", "2026-03-01", 2, "a", "b")),
			[]string{`4:2 compaction-extra: the new compaction entry "k" is one too many: "l" accounts for what is gone`}},
		{"nothing gone", base, doc(a, b, c, d, compaction("k", "2026-03-01", 2, "a", "b")),
			[]string{`6:2 compaction-extra: the new compaction entry "k" accounts for entries, but none is gone`}},
		{"compaction under the id of what it drops", base, doc(b, c, d, compaction("a", "2026-03-01", 1, "a", "a")), []string{
			`5:13 entry-edited: the "date" of the published entry "a" changes from "2026-01-01" to "2026-03-01"`,
			`5:35 entry-edited: the "type" of the published entry "a" changes from "changed" to "compaction"`,
			`5:57 entry-edited: the "summary" of the published entry "a" changes from "S of a" to "Old entries"`,
			`5:83 entry-edited: the "paths" of the published entry "a" changes from ["docs/a.md"] to ["docs"]`,
			`5:102 entry-edited: the published entry "a" gets the field "compacted", {"entries": 1, "firstId": "a", "lastId": "a"}`}},
		{"a compaction is compacted too", doc(compaction("k", "2026-03-01", 9, "x", "y"), entry("e", "2026-03-02")), doc(entry("e", "2026-03-02"), compaction("l", "2026-04-01", 1, "k", "k")), nil},
		{"a compaction is dropped", doc(compaction("k", "2026-03-01", 9, "x", "y"), entry("e", "2026-03-02")), doc(entry("e", "2026-03-02")),
			[]string{`- compaction-missing: the entry "k" is gone, and no new compaction entry says so`}},
		{"emptied", base, doc(), []string{"1:37 emptied: the changelog is emptied of its 4 published entries"}},
		{"no list any more", base, changelog.Parse([]byte("{}")), []string{"- emptied: the changelog is emptied of its 4 published entries"}},
		{"nothing published", doc(), doc(a, compaction("k", "2026-03-01", 9, "x", "y")), nil},
		{"entries without ids do not count", doc(`{"summary": "x"}`, a), doc(a), nil},
		{"many gone", base, doc(compaction("k", "2026-03-01", 3, "a", "d")),
			[]string{`2:116 compaction-wrong: the compaction entry "k" says "entries": 3, but it is 4: 4 entries, from "a" to "d", are gone`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := changelog.Compare(changelog.Join(one(tt.before)), tt.after)
			if diff := cmp.Diff(tt.want, lines(tt.after, got)); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
			for _, p := range got {
				if len(p.IDs) == 0 || p.Anchor == "" {
					t.Errorf("a problem names no entry or has no anchor: %+v", p)
				}
			}
		})
	}
}

func TestLongValuesShowTheirDifference(t *testing.T) {
	long := strings.Repeat("ơ", 300)
	before, after := doc(`{"id": "a", "summary": "`+long+`x`+long+`"}`), doc(`{"id": "a", "summary": "`+long+`y`+long+`"}`)
	got := changelog.Compare(changelog.Join(one(before)), after)
	if len(got) != 1 || !strings.Contains(got[0].Message, "x") || !strings.Contains(got[0].Message, "y") || len(got[0].Message) > 600 || strings.Contains(got[0].Message, "\ufffd") {
		t.Errorf("%q", lines(after, got))
	}
}

func TestMergesKeepWhatEachParentAdded(t *testing.T) {
	a, b, c, d := entry("a", "2026-01-01"), entry("b", "2026-01-02"), entry("c", "2026-01-03"), entry("d", "2026-02-01")
	x, y := entry("x", "2025-01-01"), entry("y", "2026-05-01")
	k, l := compaction("k", "2026-03-01", 2, "a", "b"), compaction("l", "2026-03-02", 3, "a", "c")
	base := doc(a, b, c, d)
	edited := strings.Replace(b, "S of b", "T of b", 1)
	for _, tt := range []struct {
		name                 string
		first, second, after *changelog.Doc
		want                 []string
	}{
		{"both appended", doc(a, b, c, d, x), doc(a, b, c, d, y), doc(a, b, c, d, y, x), nil},
		{"theirs lost", doc(a, b, c, d, x), doc(a, b, c, d, y), doc(a, b, c, d, x),
			[]string{`- not-oldest: the entry "y" is gone, but the older entry "x" is still there; only the oldest can be compacted`}},
		{"ours lost", doc(a, b, c, d, x), doc(a, b, c, d, y), doc(a, b, c, d, y),
			[]string{`- compaction-missing: the entry "x" is gone, and no new compaction entry says so`}},
		{"they compacted, we back-dated", doc(a, b, c, d, x), doc(c, d, k), doc(c, d, k, x), nil},
		{"we compacted, they back-dated", doc(c, d, k), doc(a, b, c, d, x), doc(c, d, k, x), nil},
		{"their compaction entry lost", doc(a, b, c, d, x), doc(c, d, k), doc(c, d, x),
			[]string{`- not-oldest: the entry "k" is gone, but the older entry "x" is still there; only the oldest can be compacted`}},
		{"both compacted", doc(c, d, k), doc(d, l), doc(d, k, l), nil},
		{"they dropped without compaction", doc(a, b, c, d, x), doc(c, d, y), doc(c, d, x, y),
			[]string{`- not-oldest: the entries "a" and "b" are gone, but the older entry "x" is still there; only the oldest can be compacted`}},
		{"they lied about it", doc(a, b, c, d), doc(d, k), doc(d, k),
			[]string{`- compaction-missing: 3 entries, from "a" to "c", are gone, and no new compaction entry says so`}},
		{"they account for what still stands", base, doc(c, d, compaction("k", "2026-03-01", 2, "c", "b")), doc(c, d, compaction("k", "2026-03-01", 2, "c", "b")), []string{
			`- compaction-missing: the entries "a" and "b" are gone, and no new compaction entry says so`}},
		{"they account for fewer than lie between", base, doc(d, compaction("k", "2026-03-01", 2, "a", "c")), doc(d, compaction("k", "2026-03-01", 2, "a", "c")), []string{
			`- compaction-missing: 3 entries, from "a" to "c", are gone, and no new compaction entry says so`}},
		{"they account for nothing", base, doc(b, c, d, compaction("k", "2026-03-01", 0, "a", "a")), doc(b, c, d, compaction("k", "2026-03-01", 0, "a", "a")), []string{
			`- compaction-missing: the entry "a" is gone, and no new compaction entry says so`}},
		{"compacted in the merge itself", doc(a, b, c, d, x), doc(a, b, c, d, y), doc(b, c, d, y, compaction("m", "2026-06-01", 2, "x", "a")), nil},
		{"they edited", base, doc(a, edited, c, d), doc(a, edited, c, d),
			[]string{`3:54 entry-edited: the "summary" of the published entry "b" changes from "S of b" to "T of b"`}},
		{"they edited, ours kept", base, doc(a, edited, c, d), base, nil},
		{"one id, two contents", doc(a, b, c, d, x), doc(a, b, c, d, strings.Replace(x, "S of x", "T of x", 1)), doc(a, b, c, d, x),
			[]string{`6:54 entry-edited: against parent 2: the "summary" of the published entry "x" changes from "T of x" to "S of x"`}},
		{"second parent without changelog", doc(a, b), nil, doc(b),
			[]string{`- compaction-missing: the entry "a" is gone, and no new compaction entry says so`}},
		{"first parent without changelog", nil, doc(a, b), doc(b),
			[]string{`- compaction-missing: the entry "a" is gone, and no new compaction entry says so`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			parents := []changelog.Parent{{Doc: tt.first}, {Doc: tt.second, Bases: []*changelog.Doc{base}}}
			got := changelog.Compare(changelog.Join(parents), tt.after)
			if diff := cmp.Diff(tt.want, lines(tt.after, got)); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

func TestUnrelatedHistoriesAndSeveralBases(t *testing.T) {
	a, b, x, y := entry("a", "2026-01-01"), entry("b", "2026-01-02"), entry("x", "2026-05-01"), entry("y", "2026-05-02")
	unrelated := []changelog.Parent{{Doc: doc(a)}, {Doc: doc(b)}}
	if got := changelog.Compare(changelog.Join(unrelated), doc(a)); len(got) != 1 {
		t.Errorf("%q", lines(doc(a), got))
	}
	// Both merge bases of a criss-cross history are in both parents; what one of them has is old to both.
	criss := []changelog.Parent{{Doc: doc(a, b, x)}, {Doc: doc(a, b, y), Bases: []*changelog.Doc{doc(a), doc(a, b)}}}
	if got := changelog.Compare(changelog.Join(criss), doc(a, b, x, y)); len(got) != 0 {
		t.Errorf("%q", lines(doc(a, b, x, y), got))
	}
}

func TestRestored(t *testing.T) {
	a, b := entry("a", "2026-01-01"), entry("b", "2026-01-02")
	edited := doc(strings.Replace(a, "S of a", "T of a", 1), strings.Replace(b, "S of b", "T of b", 1))
	after := doc(a, strings.Replace(b, "S of b", "U of b", 1))
	got := changelog.Restored(changelog.Compare(changelog.Join(one(edited)), after), after, []*changelog.Doc{nil, doc(), doc(a, b)})
	want := []string{
		`2:2 entry-restored: the entry "a" returns to a text that was published earlier`,
		`3:54 entry-edited: the "summary" of the published entry "b" changes from "T of b" to "U of b"`,
	}
	if diff := cmp.Diff(want, lines(after, got)); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func TestMoved(t *testing.T) {
	before, after := doc(entry("a", "2026-01-01")), doc(strings.Replace(entry("a", "2026-01-01"), "S of a", "T", 1))
	p := changelog.Compare(changelog.Join(one(before)), after)[0]
	later := doc(entry("b", "2026-01-01"), strings.Replace(entry("a", "2026-01-01"), "S of a", "U", 1))
	if got := lines(later, []changelog.Problem{p.Moved(later)}); !strings.HasPrefix(got[0], "3:54 ") {
		t.Errorf("%q", got)
	}
	if got := lines(later, []changelog.Problem{p.Moved(doc())}); !strings.HasPrefix(got[0], "- ") {
		t.Errorf("%q", got)
	}
}
