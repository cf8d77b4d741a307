package claim_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-4419f9ca/forge/pkg/claim"
	"github.com/seed-4419f9ca/forge/pkg/memory"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

func load(t *testing.T, files map[string]string) *claim.Store {
	t.Helper()
	s, err := claim.Load(t.Context(), memory.Tree(files), layout)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// faults returns the faults of a store as `path:line slug: message`.
func faults(s *claim.Store) []string {
	var out []string
	for _, x := range s.Faults {
		line := 0
		if f := s.File(x.Path); f != nil {
			line = f.Span(x.Place).Start.Line
		}
		out = append(out, fmt.Sprintf("%s:%d %s: %s", x.Path, line, x.Slug, x.Message))
	}
	return out
}

const domain = "docs/system/domain.md"

func TestAcross(t *testing.T) {
	for _, tt := range []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{"duplicate in one file", map[string]string{domain: withFields("INV-1") + "\n" + withFields("INV-1")},
			[]string{domain + `:13 duplicate-id: the id "INV-1" stands a second time; it is that of "A title" in "docs/system/domain.md"`}},
		{"duplicate in two files", map[string]string{domain: withFields("INV-1"), "docs/system/candidates/x.md": withFields("INV-1", "status: proposed", "confidence: low")},
			[]string{domain + `:1 duplicate-id: the id "INV-1" stands a second time; it is that of "A title" in "docs/system/candidates/x.md"`}},
		{"decision", map[string]string{domain: withFields("INV-1", "since: ADR-0004"), "docs/system/decisions/ADR-0004-x.md": ""}, nil},
		{"decision by another name", map[string]string{domain: withFields("INV-1", "since: ADR-0004"), "docs/system/decisions/ADR-00045-x.md": "", "docs/system/decisions/old/ADR-0004-x.md": "", "docs/system/decisions/ADR-0004.txt": ""},
			[]string{domain + `:9 adr-not-found: claim "INV-1" names the decision "ADR-0004", and docs/system/decisions has no file of it`}},
		{"governs", map[string]string{domain: withFields("INV-1", "governs: [INV-2, INV-3, INV-3]") + "\n" + withFields("INV-2")},
			[]string{domain + `:9 governs-unknown: claim "INV-1" governs "INV-3", which is no claim of the store`}},
		{"governs itself", map[string]string{domain: withFields("INV-1", "governs: [INV-1]")},
			[]string{domain + `:9 governs-cycle: claim "INV-1" governs itself`}},
		{"governs a slip", map[string]string{domain: withFields("INV-1", "governs: [INV-2]") + "\n### INV_2 — T\n"},
			[]string{domain + `:14 look-alike: the heading "INV_2 — T" looks like a claim and is not read as one: it has "_" where an id has "-"`}},
		{"cycle", map[string]string{domain: withFields("INV-1", "governs: [INV-2]") + withFields("INV-2", "governs: [INV-3]") + withFields("INV-3", "governs: [INV-1, INV-2]")},
			[]string{
				domain + `:33 governs-cycle: claim "INV-3" governs "INV-1", which closes a cycle: INV-1 → INV-2 → INV-3 → INV-1`,
				domain + `:33 governs-cycle: claim "INV-3" governs "INV-2", which closes a cycle: INV-2 → INV-3 → INV-2`,
			}},
		{"two ways down are no cycle", map[string]string{domain: withFields("INV-1", "governs: [INV-2, INV-3]") + withFields("INV-2", "governs: [INV-3]") + withFields("INV-3")}, nil},
		{"supersedes", map[string]string{domain: withFields("INV-1", "status: retired", "retired-ground: 1", "retired-evidence: x") + withFields("INV-2", "supersedes: INV-1")}, nil},
		{"supersedes what holds", map[string]string{domain: withFields("INV-1") + withFields("INV-2", "supersedes: INV-1")},
			[]string{domain + `:20 supersedes-not-retired: claim "INV-2" supersedes "INV-1", which is asserted and not retired`}},
		{"supersedes nothing", map[string]string{domain: withFields("INV-2", "supersedes: INV-1")},
			[]string{domain + `:9 supersedes-not-retired: claim "INV-2" supersedes "INV-1", which is no claim of the store`}},
		{"supersedes itself", map[string]string{domain: withFields("INV-2", "supersedes: INV-2")},
			[]string{domain + `:9 supersedes-not-retired: claim "INV-2" supersedes itself`}},
		{"supersedes a claim with a bad status", map[string]string{domain: withFields("INV-1", "status: gone") + withFields("INV-2", "supersedes: INV-1")},
			[]string{domain + `:5 bad-value: the status of claim "INV-1" is "gone", which is none of enforced, asserted, proposed, retired`}},
		{"governs a candidate", map[string]string{domain: withFields("INV-1", "governs: [INV-2]"), "docs/system/candidates/x.md": withFields("INV-2", "status: proposed", "confidence: low", "governs: [INV-1]")},
			[]string{
				domain + `:9 governs-cycle: claim "INV-1" governs "INV-2", which closes a cycle: INV-2 → INV-1 → INV-2`,
				domain + `:9 not-ratified: claim "INV-1" is asserted and governs "INV-2", which is only a candidate`,
			}},
		{"a candidate that is none governs a candidate", map[string]string{"docs/system/candidates/x.md": withFields("INV-1", "confidence: low", "governs: [INV-2]") + withFields("INV-2", "status: proposed", "confidence: low")},
			[]string{`docs/system/candidates/x.md:5 not-ratified: claim "INV-1" stands among the candidates and is asserted`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, faults(load(t, tt.files))); diff != "" {
				t.Errorf("faults (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWhatIsRead(t *testing.T) {
	c := withFields("INV-1")
	s := load(t, map[string]string{
		domain: c, "docs/system/deep/er/x.md": "Text.\n", "docs/system/notes.txt": c, "docs/system/DRIFT.md": c, "docs/system/derived/x.md": c,
		"docs/system/decisions/ADR-0001-a.md": c, "docs/system/decisions/README.md": c, "docs/systems/domain.md": c, "docs/system.md": c, "docs/system/sub/DRIFT.md": "Text.\n",
	})
	if diff := cmp.Diff([]string{"docs/system/deep/er/x.md", domain, "docs/system/sub/DRIFT.md"}, s.Paths()); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if len(s.Claims) != 1 || s.Claim("INV-1") != s.Claims[0] || s.Claim("INV-2") != nil || len(s.Faults) > 0 {
		t.Errorf("claims %v, faults %q", s.Claims, faults(s))
	}
	if diff := cmp.Diff(map[string]string{"ADR-0001": "docs/system/decisions/ADR-0001-a.md"}, s.ADRs); diff != "" {
		t.Errorf("decisions (-want +got):\n%s", diff)
	}
	for _, p := range []string{domain, "docs/system/DRIFT.md", "docs/system/decisions/ADR-0001-a.md", "docs/other/domain.md", "docs/system/notes.txt"} {
		if got := claim.Holds("docs/system", p); got != (p == domain) {
			t.Errorf("%q may hold claims: %v", p, got)
		}
	}
}

func TestOwners(t *testing.T) {
	s := load(t, map[string]string{domain: withFields("INV-1") + withFields("INV-2", "anchors: [b/, 'c/*.go', ../a.go]") + withFields("INV-3", "status: retired", "retired-ground: 1", "retired-evidence: x")})
	for path, want := range map[string]string{"a.go": "INV-1", "b/x.go": "INV-2", "c/x.go": "INV-2", "d.go": ""} {
		got := ""
		for _, c := range s.Owners(path) {
			got += c.ID
		}
		if got != want {
			t.Errorf("%q belongs to %q, want %q", path, got, want)
		}
	}
}

// What is no file is never passed over in silence.
func TestForeignEntries(t *testing.T) {
	for name, files := range map[string]map[string]memory.File{
		"a link in the place of a file":   {domain: {Mode: snapshot.Symlink, Data: "../x.md"}},
		"a link in the place of a folder": {"docs/system/candidates": {Mode: snapshot.Symlink, Data: "../x"}},
		"a submodule":                     {"docs/system/shared": {Mode: snapshot.Gitlink, Data: "0123456789012345678901234567890123456789"}},
		"the store is a link":             {"docs/system": {Mode: snapshot.Symlink, Data: "../x"}},
		"its parent is a submodule":       {"docs": {Mode: snapshot.Gitlink, Data: "0123456789012345678901234567890123456789"}},
	} {
		s, err := claim.Load(t.Context(), memory.TreeOf(files), layout)
		if err != nil || len(s.Faults) != 1 || s.Faults[0].Slug != "bad-value" {
			t.Errorf("%s: %q, %v", name, faults(s), err)
		}
	}
	s, err := claim.Load(t.Context(), memory.TreeOf(map[string]memory.File{"docs/system/plan.png": {Mode: snapshot.Symlink, Data: "x.png"}}), layout)
	if err != nil || len(s.Faults) > 0 {
		t.Errorf("a link to a picture: %q, %v", faults(s), err)
	}
}

func TestUnreadable(t *testing.T) {
	tree := memory.Tree(map[string]string{domain: withFields("INV-1")})
	cause := errors.New("disk on fire")
	if _, err := claim.Load(t.Context(), memory.Broken(tree, domain, cause), layout); !errors.Is(err, cause) {
		t.Errorf("an unreadable file gives %v", err)
	}
	small := layout
	small.Limit = 10
	var large *snapshot.TooLarge
	if _, err := claim.Load(t.Context(), tree, small); !errors.As(err, &large) {
		t.Errorf("a file over the limit gives %v", err)
	}
}
