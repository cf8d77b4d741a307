package finding_test

import (
	"math/rand/v2"
	"testing"

	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

func at(path string, line, column int, code string) finding.Finding {
	return finding.Finding{Path: path, Code: code, Span: text.Span{Start: text.Pos{Line: line, Column: column}}}
}

func TestSortIsByPathBytesLineColumnAndCode(t *testing.T) {
	want := []finding.Finding{
		at("B.wal", 9, 9, "z/z"), at("a-b.wal", 1, 1, "a/a"), at("a.wal", 2, 1, "a/b"), at("a.wal", 2, 3, "a/a"), at("a.wal", 2, 3, "a/b"),
		at("a.wal", 10, 1, "a/a"), at("a/b.wal", 1, 1, "a/a"), at("ä.wal", 1, 1, "a/a"),
	}
	for range 50 {
		list := append([]finding.Finding(nil), want...)
		list = append(list, want[3], want[0]) // said twice
		rand.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		got := finding.Sort(list)
		if len(got) != len(want) {
			t.Fatalf("%d findings, want %d", len(got), len(want))
		}
		for i := range want {
			if got[i].Path != want[i].Path || got[i].Span != want[i].Span || got[i].Code != want[i].Code {
				t.Fatalf("place %d: %+v, want %+v", i, got[i], want[i])
			}
		}
	}
}

func TestFingerprintHoldsNoPlace(t *testing.T) {
	f := at("a.md", 3, 1, "a/b")
	f.Anchor, f.Message = "the  text\tof it", "one"
	moved := at("a.md", 30, 7, "a/b")
	moved.Anchor, moved.Message = "the text of it", "other"
	if f.Fingerprint() != moved.Fingerprint() {
		t.Error("the same finding on another line has another fingerprint")
	}
	for _, change := range []func(*finding.Finding){
		func(f *finding.Finding) { f.Code = "a/c" },
		func(f *finding.Finding) { f.Path = "b.md" },
		func(f *finding.Finding) { f.Anchor = "another text" },
	} {
		other := f
		change(&other)
		if other.Fingerprint() == f.Fingerprint() {
			t.Errorf("%+v has the fingerprint of another finding", other)
		}
	}
}
