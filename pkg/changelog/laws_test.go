package changelog_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-4419f9ca/forge/pkg/changelog"
)

// drafts makes a valid draft with an id that is not taken.
func drafts(t *rapid.T, taken func(string) bool) changelog.Draft {
	id := rapid.StringMatching(`[a-z0-9]{1,3}(-[a-z0-9]{1,2})?`).Filter(func(s string) bool { return !taken(s) }).Draw(t, "id")
	date := fmt.Sprintf("2026-%02d-%02d", rapid.IntRange(1, 12).Draw(t, "month"), rapid.IntRange(1, 28).Draw(t, "day"))
	if rapid.Bool().Draw(t, "with a time") {
		date += fmt.Sprintf("T%02d:00:00Z", rapid.IntRange(0, 23).Draw(t, "hour"))
	}
	return changelog.Draft{
		ID: id, Date: date, Type: rapid.SampledFrom([]string{"added", "changed", "decision"}).Draw(t, "type"),
		Summary: rapid.SampledFrom([]string{"S", "Giờ nước lớn", `quotes " and \ slashes`, "tab\there", "<b> & 🛟"}).Draw(t, "summary"),
		Paths:   rapid.SliceOfN(rapid.SampledFrom([]string{"docs", "docs/a.md", "docs/Nghỉ học.md", `a"b.md`}), 1, 3).Draw(t, "paths"),
	}
}

// layouts are ways in which people write the same changelog.
func relaid(t *rapid.T, src []byte) []byte {
	var v struct {
		SchemaVersion string            `json:"schemaVersion"`
		Entries       []json.RawMessage `json:"entries"`
	}
	if err := json.Unmarshal(src, &v); err != nil {
		t.Fatal(err)
	}
	if rapid.Bool().Draw(t, "shuffle") {
		v.Entries = rapid.Permutation(v.Entries).Draw(t, "order")
	}
	var b bytes.Buffer
	switch rapid.IntRange(0, 4).Draw(t, "layout") {
	case 0:
		return []byte(`{"schemaVersion":"1.0","entries":[` + joined(v.Entries, ",") + `]}`)
	case 1:
		list := joined(v.Entries, "\n  ,")
		return []byte("{ \"entries\": [\n  " + strings.Replace(list, "\n  ,", "\n\n\t, ", 1) + "\n], \"schemaVersion\": \"1.0\" }\n")
	case 2:
		out, err := json.MarshalIndent(v, "", "\t")
		if err != nil {
			t.Fatal(err)
		}
		return bytes.ReplaceAll(out, []byte("\n"), []byte("\r\n"))
	case 3:
		enc := json.NewEncoder(&b)
		enc.SetIndent("", "    ")
		if err := enc.Encode(v); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	return src
}

func joined(list []json.RawMessage, sep string) string {
	parts := make([]string, len(list))
	for i, m := range list {
		var b bytes.Buffer
		if err := json.Compact(&b, m); err != nil {
			panic(err)
		}
		parts[i] = b.String()
	}
	return strings.Join(parts, sep)
}

// A history is a changelog that grows by honest steps.
type history struct{ src []byte }

func begin(t *rapid.T) *history {
	h := &history{src: changelog.Create(drafts(t, func(string) bool { return false }))}
	h.grow(t, 6)
	return h
}

func (h *history) doc() *changelog.Doc { return changelog.Parse(h.src) }

func (h *history) append(t *rapid.T, prefix string) {
	d := h.doc()
	ids := d.IDs()
	e := drafts(t, func(id string) bool { return ids[prefix+id] })
	e.ID = prefix + e.ID
	src, err := d.Append(e)
	if err != nil {
		t.Fatal(err)
	}
	h.src = src
}

func (h *history) grow(t *rapid.T, most int) {
	for range rapid.IntRange(0, most).Draw(t, "appends") {
		h.append(t, "")
		h.src = relaid(t, h.src)
	}
}

// compact drops the n oldest entries by the book.
func (h *history) compact(t *rapid.T, n int, id string) {
	d := h.doc()
	oldest := d.Canonical()[:n]
	gone := map[string]bool{}
	for _, e := range oldest {
		gone[e.ID] = true
	}
	src, err := d.Compact(func(id string) bool { return gone[id] }, changelog.Draft{
		ID: id, Date: "2027-01-01", Type: changelog.Compaction, Summary: "Old ones", Paths: []string{"docs"},
		Compacted: &changelog.Counts{Entries: n, FirstID: oldest[0].ID, LastID: oldest[n-1].ID},
	})
	if err != nil {
		t.Fatal(err)
	}
	h.src = src
}

func mustFollow(t *rapid.T, before, after *changelog.Doc) {
	t.Helper()
	if faults := after.Faults(); len(faults) > 0 {
		t.Fatalf("the form is broken: %q\n%s", lines(after, faults), after.JSON.Source)
	}
	if got := changelog.Compare(changelog.Join(one(before)), after); len(got) > 0 {
		t.Fatalf("does not follow: %q\nbefore %s\nafter %s", lines(after, got), before.JSON.Source, after.JSON.Source)
	}
}

func TestLawWhatIsAppendedPasses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := begin(t)
		before := h.doc()
		n := len(before.Entries)
		h.append(t, "")
		after := h.doc()
		mustFollow(t, before, after)
		if len(after.Entries) != n+1 {
			t.Fatalf("%d entries become %d", n, len(after.Entries))
		}
		// What stood there keeps its bytes, and the new entry comes behind the last one.
		end := before.Entries[n-1].Value.End
		if src := after.JSON.Source; !bytes.HasPrefix(src, before.JSON.Source[:end]) || !bytes.HasSuffix(src, before.JSON.Source[end:]) {
			t.Fatalf("%s\nis not kept in\n%s", before.JSON.Source, src)
		}
	})
}

func TestLawEveryEditOfAPublishedEntryFails(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := begin(t)
		before := h.doc()
		e := &before.Entries[rapid.IntRange(0, len(before.Entries)-1).Draw(t, "entry")]
		m := e.Value.Members[rapid.IntRange(0, len(e.Value.Members)-1).Draw(t, "field")]
		value := rapid.SampledFrom([]string{`"x-x-x"`, `["other"]`, `1`, `true`, `null`, `{}`}).Draw(t, "value")
		src := slices.Concat(h.src[:m.Value.Start], []byte(value), h.src[m.Value.End:])
		after := changelog.Parse(src)
		got := changelog.Compare(changelog.Join(one(before)), after)
		if len(got) == 0 {
			t.Fatalf("%s of %s becomes %s, and nobody notices", m.Name, e.ID, value)
		}
		if m.Name != "id" && got[0].Slug != changelog.EntryEdited {
			t.Fatalf("%q", lines(after, got))
		}
	})
}

// values is what encoding/json makes of the entries; nil when it makes nothing of them.
func values(src []byte) []map[string]any {
	var v struct{ Entries []map[string]any }
	if json.Unmarshal(src, &v) != nil {
		return nil
	}
	return v.Entries
}

// Of one byte changed, added or taken out within an entry, another reader of JSON says whether it counts.
func TestLawEverySingleByteOfAPublishedEntryCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := begin(t)
		if rapid.Bool().Draw(t, "with a compaction") {
			h.compact(t, 1, "compaction-zz")
		}
		before := h.doc()
		e := before.Entries[rapid.IntRange(0, len(before.Entries)-1).Draw(t, "entry")].Value
		at := rapid.IntRange(e.Start, e.End-1).Draw(t, "at")
		if c := before.Find("compaction-zz"); c != nil && rapid.Bool().Draw(t, "in the number") {
			at = c.Value.Get("compacted").Value.Get("entries").Value.Start
		}
		with := [][]byte{nil, {h.src[at], 0}, {0}}[rapid.IntRange(0, 2).Draw(t, "taken out, added or changed")]
		if len(with) > 0 {
			with[len(with)-1] = rapid.OneOf(rapid.Byte(), rapid.SampledFrom([]byte(" \n\"\\{}[],:0123aez"))).Draw(t, "byte")
		}
		src := slices.Concat(h.src[:at], with, h.src[at+1:])
		after := changelog.Parse(src)
		got := after.Faults()
		if after.Readable() {
			got = append(got, changelog.Compare(changelog.Join(one(before)), after)...)
		}
		now := values(src)
		if same := now != nil && reflect.DeepEqual(values(h.src), now); same != (len(got) == 0) {
			t.Fatalf("the same to another reader: %v; said: %q\n%s\nbecomes\n%s", same, lines(after, got), h.src, src)
		}
	})
}

func TestLawOnlyTheBookRemoves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := begin(t)
		before := h.doc()
		n := rapid.IntRange(1, len(before.Entries)).Draw(t, "n")
		honest := &history{src: h.src}
		honest.compact(t, n, "compaction-zz")
		mustFollow(t, before, honest.doc())

		// With one number or id wrong it is refused.
		lie := changelog.Counts{Entries: n, FirstID: before.Canonical()[0].ID, LastID: before.Canonical()[n-1].ID}
		switch rapid.IntRange(0, 2).Draw(t, "lie") {
		case 0:
			lie.Entries += rapid.SampledFrom([]int{-n, -1, 1, 10}).Draw(t, "by")
		case 1:
			lie.FirstID += "x"
		default:
			lie.LastID += "x"
		}
		old := before.Canonical()[:n]
		lied, err := before.Compact(func(id string) bool {
			return slices.ContainsFunc(old, func(e *changelog.Entry) bool { return e.ID == id })
		},
			changelog.Draft{ID: "compaction-zz", Date: "2027-01-01", Type: changelog.Compaction, Summary: "S", Paths: []string{"docs"}, Compacted: &lie})
		if err != nil {
			t.Fatal(err)
		}
		if got := changelog.Compare(changelog.Join(one(before)), changelog.Parse(lied)); len(got) == 0 {
			t.Fatalf("%+v is taken for the truth about %d entries", lie, n)
		}

		// The same with any other set of entries, or other numbers, is refused.
		canonical := before.Canonical()
		drop := map[string]bool{}
		for _, e := range canonical {
			drop[e.ID] = rapid.Bool().Draw(t, "drop "+e.ID)
		}
		claim := changelog.Counts{
			Entries: rapid.IntRange(1, len(canonical)).Draw(t, "entries"),
			FirstID: canonical[rapid.IntRange(0, len(canonical)-1).Draw(t, "first")].ID,
			LastID:  canonical[rapid.IntRange(0, len(canonical)-1).Draw(t, "last")].ID,
		}
		src, err := before.Compact(func(id string) bool { return drop[id] }, changelog.Draft{
			ID: "compaction-zz", Date: "2027-01-01", Type: changelog.Compaction, Summary: "S", Paths: []string{"docs"}, Compacted: &claim,
		})
		if err != nil {
			t.Fatal(err)
		}
		k := 0
		for k < len(canonical) && drop[canonical[k].ID] {
			k++
		}
		prefix := k > 0
		for _, e := range canonical[k:] {
			prefix = prefix && !drop[e.ID]
		}
		right := prefix && claim == changelog.Counts{Entries: k, FirstID: canonical[0].ID, LastID: canonical[k-1].ID}
		after := changelog.Parse(src)
		if got := changelog.Compare(changelog.Join(one(before)), after); (len(got) == 0) != right {
			t.Fatalf("right is %v, said: %q", right, lines(after, got))
		}

		// Without a compaction entry nothing may go.
		k = rapid.IntRange(1, len(canonical)).Draw(t, "just dropped")
		gone := map[string]bool{}
		for _, e := range canonical[:k] {
			gone[e.ID] = true
		}
		src, err = before.Compact(func(id string) bool { return gone[id] }, drafts(t, before.Has))
		if err != nil {
			t.Fatal(err)
		}
		if got := changelog.Compare(changelog.Join(one(before)), changelog.Parse(src)); len(got) == 0 {
			t.Fatal("entries are gone, and nobody notices")
		}
	})
}

// branch grows a history by steps of its own; the prefix keeps the ids of two branches apart.
func branch(t *rapid.T, from []byte, prefix string) *history {
	h := &history{src: from}
	for i := range rapid.IntRange(0, 4).Draw(t, "steps of "+prefix) {
		if n := len(h.doc().Entries); rapid.IntRange(0, 3).Draw(t, "what") == 0 {
			h.compact(t, rapid.IntRange(1, n).Draw(t, "n"), fmt.Sprintf("%scompaction-%d", prefix, i))
		} else {
			h.append(t, prefix)
		}
		h.src = relaid(t, h.src)
	}
	return h
}

// set is the entries of a changelog by id, as compact JSON with sorted keys.
func set(t *rapid.T, src []byte) map[string]string {
	var v struct{ Entries []map[string]any }
	if err := json.Unmarshal(src, &v); err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	out := map[string]string{}
	for _, e := range v.Entries {
		text, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		out[e["id"].(string)] = string(text)
	}
	return out
}

func merge(t *rapid.T, base, ours, theirs []byte) []byte {
	m, err := changelog.Merge(changelog.Parse(base), changelog.Parse(ours), changelog.Parse(theirs))
	if err != nil {
		t.Fatalf("%v\nours %s\ntheirs %s", err, ours, theirs)
	}
	if len(m.Conflicts) > 0 {
		t.Fatalf("conflicts: %q", m.Conflicts)
	}
	return m.Content
}

func same(t *rapid.T, law string, a, b []byte) {
	t.Helper()
	x, y := set(t, a), set(t, b)
	if fmt.Sprint(x) != fmt.Sprint(y) {
		t.Fatalf("%s:\n%s\n%s", law, a, b)
	}
}

func TestLawsOfMerge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := begin(t).src
		a, b, c := branch(t, base, "side-a-").src, branch(t, base, "side-b-").src, branch(t, base, "side-c-").src
		ab, ba := merge(t, base, a, b), merge(t, base, b, a)
		same(t, "merge does not commute", ab, ba)
		same(t, "merge is not associative", merge(t, base, ab, c), merge(t, base, a, merge(t, base, b, c)))
		if twice := merge(t, base, a, a); !bytes.Equal(twice, a) {
			t.Fatalf("merging a version with itself changes it:\n%s\n%s", a, twice)
		}
		same(t, "merging again changes something", merge(t, b, ab, b), ab)
		same(t, "nothing changed on one side", merge(t, base, base, b), b)

		// What either side added is there, as it was; what is gone was compacted by one of them.
		joined, old := set(t, ab), set(t, base)
		for _, side := range []map[string]string{set(t, a), set(t, b)} {
			for id, text := range side {
				if _, published := old[id]; !published && joined[id] != text {
					t.Fatalf("%q is lost:\n%s", id, ab)
				}
			}
		}
		for id := range old {
			if _, inA := set(t, a)[id]; inA {
				if _, inB := set(t, b)[id]; inB && joined[id] == "" {
					t.Fatalf("%q is lost, which both sides have:\n%s", id, ab)
				}
			}
		}

		// The merge passes the check against both parents, whichever comes first.
		for _, order := range [][2][]byte{{a, b}, {b, a}} {
			parents := []changelog.Parent{{Doc: changelog.Parse(order[0])}, {Doc: changelog.Parse(order[1]), Bases: []*changelog.Doc{changelog.Parse(base)}}}
			d := changelog.Parse(ab)
			if got := changelog.Compare(changelog.Join(parents), d); len(got) > 0 {
				t.Fatalf("the merge does not pass: %q\nbase %s\nfirst %s\nsecond %s\nmerged %s", lines(d, got), base, order[0], order[1], ab)
			}
			if faults := d.Faults(); len(faults) > 0 {
				t.Fatalf("the merge is malformed: %q", lines(d, faults))
			}
			// Losing any one addition of either side is noticed.
			for _, e := range d.Entries {
				if _, published := old[e.ID]; published {
					continue
				}
				src, err := d.Compact(func(id string) bool { return id == e.ID }, drafts(t, func(id string) bool { return d.Has(id) }))
				if err != nil {
					t.Fatal(err)
				}
				if got := changelog.Compare(changelog.Join(parents), changelog.Parse(src)); len(got) == 0 {
					t.Fatalf("%q is lost, and nobody notices", e.ID)
				}
			}
		}
	})
}

func TestLawCreatedChangelogsAreGood(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := drafts(t, func(string) bool { return false })
		d := changelog.Parse(changelog.Create(e))
		if faults := d.Faults(); len(faults) > 0 {
			t.Fatalf("%q", lines(d, faults))
		}
		if got := d.Entries[0]; got.ID != e.ID || got.Date != e.Date || got.Type != e.Type || got.Summary() != e.Summary || !slices.Equal(got.Paths(), e.Paths) {
			t.Fatalf("%+v became %s", e, d.JSON.Source)
		}
	})
}

// Whatever the bytes, reading them ends, and a version that was read follows on itself.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		string(changelog.Create(changelog.Draft{ID: "a", Date: "2026-01-01", Type: "added", Summary: "S", Paths: []string{"p"}})),
		`{"schemaVersion": "1.0", "entries": [{"id": "a"}, {"id": "a"}, 1], "entries": []}`,
		`{"entries": [{"id": "k", "type": "compaction", "compacted": {"entries": 1e9, "firstId": "a", "firstId": "b"}}]}`,
		"\ufeff{}", `{"entries": [`, `[]`, `{"schemaVersion": "3.1"}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		d := changelog.Parse(src)
		faults := d.Faults()
		if !d.Readable() && len(faults) == 0 {
			t.Fatal("unreadable, and no fault")
		}
		for _, p := range faults {
			if p.Message == "" || p.Anchor == "" || p.Start < 0 || p.End > len(src) || p.Start > p.End {
				t.Fatalf("%+v", p)
			}
		}
		if got := changelog.Compare(changelog.Join(one(d)), changelog.Parse(src)); len(got) > 0 && len(d.Entries) > 0 {
			t.Fatalf("a version does not follow on itself: %q", lines(d, got))
		}
		draft := changelog.Draft{ID: "zz-fuzz", Date: "2026-01-01", Type: "added", Summary: "S", Paths: []string{"p"}}
		out, err := d.Append(draft)
		if err != nil || len(faults) > 0 {
			return
		}
		after := changelog.Parse(out)
		if got := append(after.Faults(), changelog.Compare(changelog.Join(one(d)), after)...); len(got) > 0 && d.Find("zz-fuzz") == nil {
			t.Fatalf("what was appended does not pass: %q\n%s", lines(after, got), out)
		}
	})
}
