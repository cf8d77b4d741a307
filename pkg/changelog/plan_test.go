package changelog_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-4419f9ca/forge/pkg/changelog"
)

func idsOf(list []*changelog.Entry) string {
	var ids []string
	for _, e := range list {
		ids = append(ids, e.ID)
	}
	return strings.Join(ids, " ")
}

func TestPlans(t *testing.T) {
	a, b, c, d := entry("a", "2026-01-01"), entry("b", "2026-01-02"), entry("c", "2026-01-02T08:00:00Z"), entry("d", "2026-02-01")
	published := changelog.Join(one(doc(c, a, d, b)))
	for _, tt := range []struct {
		name string
		disk *changelog.Doc
		plan func(*changelog.Baseline, *changelog.Doc) ([]*changelog.Entry, error)
		want string // ids, or "!" and a part of the error
	}{
		{"keep two", doc(c, a, d, b), keep(2), "a b"},
		{"keep none", doc(c, a, d, b), keep(0), "a b c d"},
		{"keep more than there are", doc(c, a, d, b), keep(9), ""},
		{"what is new counts and stays", doc(c, a, d, b, entry("new", "1999-01-01")), keep(2), "a b c"},
		{"what is new stays even so", doc(c, a, d, b, entry("new", "1999-01-01")), keep(0), "a b c d"},
		{"before a day", doc(c, a, d, b), before("2026-01-02"), "a"},
		{"before a time", doc(c, a, d, b), before("2026-01-02T09:00:00Z"), "a b c"},
		{"before everything", doc(c, a, d, b), before("2020-01-01"), ""},
		{"edited first", doc(c, strings.Replace(a, "S of a", "T", 1), d, b), keep(1), "!put right first"},
		{"compacted already", doc(c, d, compaction("k", "2026-03-01", 2, "a", "b")), keep(1), `!commit first what "k" has compacted`},
	} {
		got, err := tt.plan(published, tt.disk)
		if fail, ok := strings.CutPrefix(tt.want, "!"); ok {
			if err == nil || !strings.Contains(err.Error(), fail) {
				t.Errorf("%s: %q, %v", tt.name, idsOf(got), err)
			}
		} else if err != nil || idsOf(got) != tt.want {
			t.Errorf("%s: %q, %v, want %q", tt.name, idsOf(got), err, tt.want)
		}
	}
	if _, err := changelog.Oldest(changelog.Join(nil), doc(a), 0); err == nil {
		t.Error("nothing is published, and yet it can be compacted")
	}
}

func keep(n int) func(*changelog.Baseline, *changelog.Doc) ([]*changelog.Entry, error) {
	return func(b *changelog.Baseline, d *changelog.Doc) ([]*changelog.Entry, error) {
		return changelog.Oldest(b, d, n)
	}
}

func before(date string) func(*changelog.Baseline, *changelog.Doc) ([]*changelog.Entry, error) {
	return func(b *changelog.Baseline, d *changelog.Doc) ([]*changelog.Entry, error) {
		return changelog.OlderThan(b, d, date)
	}
}

func TestNewEntries(t *testing.T) {
	d := doc(`{"id": "raise-the-limit", "paths": ["b", "../x", "a"]}`, `{"id": "compaction-2026-05-04", "paths": ["a", 1]}`, `{"id": "raise-the-limit-2"}`)
	if got := changelog.NewID("Raise the limit!", d, doc(`{"id": "raise-the-limit-3"}`)); got != "raise-the-limit-4" {
		t.Errorf("id %q", got)
	}
	e := changelog.NewCompaction(d, d.Canonical()[:2], "2026-05-04", "docs/log.json")
	if e.ID != "compaction-2026-05-04-2" || fmt.Sprint(e.Paths) != "[a b]" || *e.Compacted != (changelog.Counts{Entries: 2, FirstID: "compaction-2026-05-04", LastID: "raise-the-limit"}) {
		t.Errorf("%+v %+v", e, e.Compacted)
	}
	if problem := e.Problem(); problem != "" {
		t.Error(problem)
	}
	if e = changelog.NewCompaction(d, d.Canonical()[2:], "2026-05-04", "docs/log.json"); fmt.Sprint(e.Paths) != "[docs/log.json]" {
		t.Errorf("%+v", e)
	}
	if problem := (&changelog.Draft{ID: "a", Date: "2026-01-01", Type: "added", Summary: "S", Paths: []string{"a\xff"}}).Problem(); !strings.Contains(problem, "UTF-8") {
		t.Errorf("%q", problem)
	}
}

func TestListIsCanonical(t *testing.T) {
	d := doc(entry("b", "2026-01-02"), entry("a", "2026-01-01"))
	got, err := d.List()
	if err != nil {
		t.Fatal(err)
	}
	if s := string(got); !strings.HasPrefix(s, "[\n  {\n    \"id\": \"a\",") || strings.Index(s, `"b"`) < strings.Index(s, `"a"`) || !strings.HasSuffix(s, "]\n") {
		t.Errorf("%s", got)
	}
	if got, err := doc().List(); err != nil || string(got) != "[]\n" {
		t.Errorf("%q, %v", got, err)
	}
}

// What is planned, written and compared passes, however much has not been published yet.
func TestLawPlannedCompactionsPass(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := begin(t)
		published := h.doc()
		h.grow(t, 3)
		d := h.doc()
		baseline := changelog.Join(one(published))
		gone, err := changelog.Oldest(baseline, d, rapid.IntRange(0, 12).Draw(t, "keep"))
		if err != nil {
			t.Fatal(err)
		}
		if len(gone) == 0 {
			return
		}
		drop := map[string]bool{}
		for _, e := range gone {
			drop[e.ID] = true
		}
		src, err := d.Compact(func(id string) bool { return drop[id] }, changelog.NewCompaction(d, gone, "2027-01-01", "docs/log.json"))
		if err != nil {
			t.Fatal(err)
		}
		mustFollow(t, published, changelog.Parse(src))
	})
}
