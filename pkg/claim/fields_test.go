package claim_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-4419f9ca/forge/pkg/claim"
)

// lines returns the faults of f as `line:column slug [text at the place]`.
func lines(f *claim.File) []string {
	var out []string
	for _, x := range f.Faults {
		at := f.Span(x.Place).Start
		out = append(out, fmt.Sprintf("%d:%d %s [%s]", at.Line, at.Column, x.Slug, f.Src[x.Place.Start:x.Place.End]))
	}
	return out
}

// withFields is a claim whose block holds the fields of a good one, changed: `name: value` replaces or adds a field, `-name`
// takes it out. The first field stands in line 4.
func withFields(id string, changes ...string) string {
	kinds := map[string]string{"CON": "concept", "ARC": "architecture", "CST": "constraint", "BUG": "pitfall", "DAT": "data", "API": "api"}
	kind := kinds[id[:3]]
	if kind == "" {
		kind = "invariant"
	}
	fields := []string{"kind: " + kind, "status: asserted", "truth-source: code", "anchors: [a.go#F]", "reviewed: 2025-03-04"}
	for _, c := range changes {
		name, _, _ := strings.Cut(strings.TrimPrefix(c, "-"), ":")
		at := -1
		for i, f := range fields {
			if strings.HasPrefix(f, name+":") {
				at = i
			}
		}
		switch {
		case strings.HasPrefix(c, "-"):
			fields = append(fields[:at], fields[at+1:]...)
		case at >= 0:
			fields[at] = c
		default:
			fields = append(fields, c)
		}
	}
	return "### " + id + " — A title\n\n```claim\n" + strings.Join(fields, "\n") + "\n```\n\nIt holds.\n"
}

func TestFields(t *testing.T) {
	for _, tt := range []struct {
		name    string
		id      string
		changes []string
		want    []string
	}{
		{"good", "INV-1", nil, nil},
		{"underscores", "INV-1", []string{"-truth-source", "truth_source: code"}, nil},
		{"single anchor", "INV-1", []string{"anchors: a.go#F"}, nil},
		{"aliases", "DAT-1", []string{"kind: datum"}, []string{"1:1 claim-in-unusual-file [### DAT-1 — A title]"}},
		{"alias of api", "API-1", []string{"kind: interface"}, []string{"1:1 claim-in-unusual-file [### API-1 — A title]"}},
		{"declared prefix", "BUG-1", nil, []string{"1:1 claim-in-unusual-file [### BUG-1 — A title]"}},
		{"declared kind without a home", "A11Y-1", []string{"kind: accessibility"}, nil},
		{"YAML aliases", "INV-1", []string{"anchors: &a [a.go]", "governs: &g [INV-2]", "supersedes: &s INV-3"}, nil},
		{"document marks", "INV-1", []string{"kind: invariant # a comment"}, nil},

		{"unknown field", "INV-1", []string{"owner: me"}, []string{"9:1 unknown-field [owner]"}},
		{"misspelt is not absent", "INV-1", []string{"-reviewed", "reviewd: 2025-03-04"}, []string{"8:1 unknown-field [reviewd]"}},
		{"misspelt anchors", "INV-1", []string{"-anchors", "anchor: [a.go]"}, []string{"8:1 unknown-field [anchor]"}},
		{"missing", "INV-1", []string{"-kind", "-status", "-truth-source"}, []string{
			"1:1 missing-field [### INV-1 — A title]", "1:1 missing-field [### INV-1 — A title]", "1:1 missing-field [### INV-1 — A title]"}},
		{"without a value", "INV-1", []string{"reviewed:"}, []string{"8:1 missing-field [reviewed]"}},
		{"anchors missing", "INV-1", []string{"-anchors"}, []string{"1:1 no-anchor [### INV-1 — A title]"}},
		{"anchors without a value", "INV-1", []string{"anchors:"}, []string{"7:1 no-anchor [anchors]"}},
		{"anchors empty", "INV-1", []string{"anchors: []"}, []string{"7:10 no-anchor [[]]"}},
		{"anchors empty by alias", "INV-1", []string{"governs: &x []", "anchors: [ ]"}, []string{"7:10 no-anchor [[ ]]"}},
		{"concept without anchors", "CON-1", []string{"anchors: []"}, nil},
		{"constraint without anchors", "CST-1", []string{"anchors: []"}, []string{"1:1 claim-in-unusual-file [### CST-1 — A title]"}},
		{"concept needs the field", "CON-1", []string{"-anchors"}, []string{"1:1 missing-field [### CON-1 — A title]"}},
		{"bad anchors", "INV-1", []string{"anchors: [../a.go, /b.go, ./c.go, 'd.go#', \"\"]"}, []string{
			"7:11 bad-anchor [../a.go]", "7:20 bad-anchor [/b.go]", "7:27 bad-anchor [./c.go]", "7:35 bad-anchor ['d.go#']", `7:44 bad-anchor [""]`}},
		{"an anchor that is a mapping", "INV-1", []string{"anchors:\n  - a.go: F"}, []string{"8:5 bad-value [a.go: F]"}},
		{"anchors that are a mapping", "INV-1", []string{"anchors: {a: b}"}, []string{"7:10 bad-value [{a: b}]"}},
		{"an anchor without a value", "INV-1", []string{"anchors: [a.go, ~]"}, []string{"7:17 bad-value [~]"}},

		{"bad status", "INV-1", []string{"status: Asserted"}, []string{"5:9 bad-value [Asserted]"}},
		{"status is a list", "INV-1", []string{"status: [asserted]"}, []string{"5:9 bad-value [[asserted]]"}},
		{"bad truth source", "INV-1", []string{"truth-source: test"}, []string{"6:15 bad-value [test]"}},
		{"unknown kind", "INV-1", []string{"kind: invariants"}, []string{"4:7 bad-value [invariants]"}},
		{"kind of another prefix", "INV-1", []string{"kind: pitfall"}, []string{"4:7 kind-mismatch [pitfall]"}},
		{"kind of another prefix and no anchors", "INV-1", []string{"kind: concept", "anchors: []"}, []string{"4:7 kind-mismatch [concept]"}},

		{"no such day", "INV-1", []string{"reviewed: 2025-02-30"}, []string{"8:11 bad-value [2025-02-30]"}},
		{"leap day", "INV-1", []string{"reviewed: 2024-02-29"}, nil},
		{"no leap day", "INV-1", []string{"reviewed: 1900-02-29"}, []string{"8:11 bad-value [1900-02-29]"}},
		{"a time", "INV-1", []string{"reviewed: 2025-03-04T10:00:00Z"}, []string{"8:11 bad-value [2025-03-04T10:00:00Z]"}},
		{"another order", "INV-1", []string{"reviewed: 04.03.2025"}, []string{"8:11 bad-value [04.03.2025]"}},
		{"quoted day", "INV-1", []string{`reviewed: "2025-03-04"`}, nil},

		{"since", "INV-1", []string{"since: ADR-12"}, []string{"9:8 bad-value [ADR-12]"}},
		{"architecture without since", "ARC-1", nil, []string{"1:1 claim-in-unusual-file [### ARC-1 — A title]", "1:1 no-adr [### ARC-1 — A title]"}},
		{"architecture with since", "ARC-1", []string{"since: ADR-0012"}, []string{"1:1 claim-in-unusual-file [### ARC-1 — A title]"}},
		{"architecture with a bad since", "ARC-1", []string{"since: 12"}, []string{"1:1 claim-in-unusual-file [### ARC-1 — A title]", "9:8 bad-value [12]"}},

		{"governs", "INV-1", []string{"governs: [INV-2, CON-a]"}, nil},
		{"governs one", "INV-1", []string{"governs: INV-2"}, nil},
		{"governs no id", "INV-1", []string{"governs: [INV_2]"}, []string{"9:11 bad-value [INV_2]"}},
		{"governs an unknown prefix", "INV-1", []string{"governs: [XYZ-2]"}, []string{"9:11 bad-value [XYZ-2]"}},
		{"supersedes no id", "INV-1", []string{"supersedes: inv-2"}, []string{"9:13 bad-value [inv-2]"}},
		{"supersedes a list", "INV-1", []string{"supersedes: [INV-2]"}, []string{"9:13 bad-value [[INV-2]]"}},

		{"confidence outside", "INV-1", []string{"confidence: high"}, []string{"9:13 not-ratified [high]"}},
		{"proposed outside", "INV-1", []string{"status: proposed"}, []string{"5:9 not-ratified [proposed]"}},
		{"proposed outside with a confidence", "INV-1", []string{"status: proposed", "confidence: high"}, []string{"5:9 not-ratified [proposed]"}},

		{"retired", "INV-1", []string{"status: retired", "retired-ground: 1", "retired_evidence: It is gone."}, nil},
		{"retired, nothing else holds", "INV-1", []string{"status: retired", "retired-ground: 4", "retired-evidence: Gone.", "anchors: [../x]", "evidence: nonsense"}, nil},
		{"retired without anchors", "INV-1", []string{"status: retired", "retired-ground: 4", "retired-evidence: Gone.", "-anchors"}, nil},
		{"retired without a ground", "INV-1", []string{"status: retired", "retired-evidence: It is gone."}, []string{"5:9 retired-without-ground [retired]"}},
		{"retired without anything", "INV-1", []string{"status: retired"}, []string{"5:9 retired-without-ground [retired]"}},
		{"retired without words", "INV-1", []string{"status: retired", "retired-ground: 2", `retired-evidence: " "`}, []string{"5:9 retired-without-ground [retired]"}},
		{"bad ground", "INV-1", []string{"status: retired", "retired-ground: 5", "retired-evidence: x"}, []string{"9:17 bad-value [5]"}},
		{"retired with a placeholder", "INV-1", []string{"status: retired", "retired-ground: 1", "retired-evidence: TODO"}, []string{"10:19 placeholder [TODO]"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, lines(parse(withFields(tt.id, tt.changes...)))); diff != "" {
				t.Errorf("faults (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCandidates(t *testing.T) {
	for _, tt := range []struct {
		changes []string
		want    []string
	}{
		{[]string{"status: proposed", "confidence: low"}, nil},
		{[]string{"status: proposed"}, []string{"1:1 not-ratified [### INV-1 — A title]"}},
		{[]string{"confidence: low"}, []string{"5:9 not-ratified [asserted]"}},
		{[]string{"status: proposed", "confidence: sure"}, []string{"9:13 bad-value [sure]"}},
	} {
		f := claim.Parse("docs/system/candidates/any.md", []byte(withFields("INV-1", tt.changes...)), layout)
		if diff := cmp.Diff(tt.want, lines(f)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.changes, diff)
		}
	}
}

func TestEvidence(t *testing.T) {
	for _, tt := range []struct {
		yaml string
		want string // kind, path and name, or the fault
	}{
		{"\n  - test: t/a_test.py::TestX::test_y", "test|t/a_test.py|TestX::test_y"},
		{"\n  - test: \"src/a.test.ts::refund > never exceeds: the amount\"", "test|src/a.test.ts|refund > never exceeds: the amount"},
		{"\n  - rule: .semgrep.yml#no-raw-sql", "rule|.semgrep.yml|no-raw-sql"},
		{"\n  - rule: rules.yml#C#-style", "rule|rules.yml|C#-style"},
		{"\n  - contract: api/openapi.yaml", "contract|api/openapi.yaml|"},
		{"\n  - check: ci/lint.sh", "check|ci/lint.sh|"},
		{"\n  - test: app/[id].test.ts::x", "test|app/[id].test.ts|x"},
		{"\n  test: a_test.go::TestX", "test|a_test.go|TestX"},
		{"['test: a_test.go::TestX']", "test|a_test.go|TestX"},
		{"'test: a_test.go::TestX'", "test|a_test.go|TestX"},
		{"[]", "5:9 no-evidence [enforced]"},
		{"", "5:9 no-evidence [enforced]"},
		{"[a_test.go::TestX]", "9:12 bad-value [a_test.go::TestX]"},
		{"\n  - test: a_test.go", "10:11 bad-value [a_test.go]"},
		{"\n  - test: 'a_test.go::'", "10:11 bad-value ['a_test.go::']"},
		{"\n  - test: ::TestX", "10:11 bad-value [::TestX]"},
		{"\n  - test: ../a_test.go::TestX", "10:11 bad-value [../a_test.go::TestX]"},
		{"\n  - test: /a_test.go::TestX", "10:11 bad-value [/a_test.go::TestX]"},
		{"\n  - test: C:/a_test.go::TestX", "10:11 bad-value [C:/a_test.go::TestX]"},
		{"\n  - test: 'a\\b.go::TestX'", `10:11 bad-value ['a\b.go::TestX']`},
		{"\n  - rule: lint.yml", "10:11 bad-value [lint.yml]"},
		{"\n  - check: ./lint.sh", "10:12 bad-value [./lint.sh]"},
		{"\n  - tests: a_test.go::TestX", "10:12 bad-value [a_test.go::TestX]"},
		{"\n  - test: [a::b]", "10:11 bad-value [[a::b]]"},
		{"\n  - test:", "10:10 bad-value []"},
		{"\n  - test: a::b\n    rule: c#d", "10:5 bad-value [test: a::b\n    rule: c#d]"},
		{"\n  - [a]", "10:5 bad-value [[a]]"},
		{"\n  -", "10:4 bad-value []"},
	} {
		f := parse(withFields("INV-1", "status: enforced", "evidence: "+tt.yaml))
		got := strings.Join(lines(f), "; ")
		for _, e := range f.Claims[0].Evidence {
			got += e.Kind + "|" + e.Path + "|" + e.Name
		}
		if got != tt.want {
			t.Errorf("%q: %q, want %q", tt.yaml, got, tt.want)
		}
	}
	if f := parse(withFields("INV-1", "status: enforced", "evidnece: []")); slugs(f) != "unknown-field" {
		t.Errorf("misspelt evidence gives %q", slugs(f))
	}
}

func TestBadYAML(t *testing.T) {
	for _, tt := range []struct{ name, yaml, want string }{
		{"duplicate", "kind: invariant\nstatus: asserted\nkind: invariant\n", "6:1 bad-yaml [kind]"},
		{"duplicate in two spellings", "truth-source: code\ntruth_source: code\n", "5:1 bad-yaml [truth_source]"},
		{"duplicate inside", "evidence:\n  - test: a::b\n    test: a::b\n", "6:5 bad-yaml [test]"},
		{"syntax", "kind: invariant\nanchors: [a.go\nstatus: asserted\n", "5:1 bad-yaml [anchors: [a.go]"},
		{"tab", "kind: invariant\nanchors:\n\t- a.go\n", "6:2 bad-yaml [- a.go]"},
		{"a glob without quotes", "kind: invariant\nanchors: *.go\n", "5:1 bad-yaml [anchors: *.go]"},
		{"a list", "- kind\n- status\n", "4:1 bad-yaml [- kind\n- status]"},
		{"a text", "invariant\n", "4:1 bad-yaml [invariant]"},
		{"empty", "", "3:1 bad-yaml [```claim]"},
		{"only a comment", "# nothing\n", "3:1 bad-yaml [```claim]"},
		{"nothing", "~\n", "3:1 bad-yaml [```claim]"},
		{"two documents", "kind: invariant\n---\nkind: invariant\n", "5:1 bad-yaml [---]"},
		{"merge", "evidence: &x {test: a::b}\n<<: *x\n", "5:1 bad-yaml [<<]"},
		{"key that is a list", "? [a]\n: b\n", "4:3 bad-yaml [[a]]"},
		{"control character", "kind: a\u0085b\n", "4:8 bad-yaml [\u0085]"},
		{"unknown alias", "kind: *nothing\n", "4:7 bad-yaml [*nothing]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := parse("### INV-1 — A title\n\n```claim\n" + tt.yaml + "```\n\nIt holds.\n")
			if diff := cmp.Diff([]string{tt.want}, lines(f)); diff != "" {
				t.Errorf("faults (-want +got):\n%s\n%s", diff, f.Faults[0].Message)
			}
		})
	}
}

// The places are those of the text in the file, also where the fence is indented or columns are not bytes.
func TestPlaces(t *testing.T) {
	src := "# Chữ\r\n\r\n   ### INV-1 — Tiêu đề\r\n\r\n  ~~~~ claim  \r\n  kind: invariant\r\n  status: asserted\r\n  truth-source: code\r\n" +
		"  anchors: [\"ô/â.go#F\", 'b''c.go', d.go@1234abc]\r\n  governs:\r\n    - INV-2\r\n    - &x CON-a\r\n  reviewed: 2025-03-04\r\n  ~~~~\r\n\r\n  It holds.\r\n\r\n  ### INV-2 — B\r\n"
	f := parse(src)
	c := f.Claims[0]
	at := func(p claim.Place) string { return src[p.Start:p.End] }
	got := []string{at(c.Heading), at(c.Fence)[:12], at(c.AnchorsAt), at(c.Anchors[0].Place), at(c.Anchors[1].Place), at(c.Anchors[2].Place), at(c.Governs[0].Place), at(c.Governs[1].Place), at(c.Reviewed.Place)}
	want := []string{"### INV-1 — Tiêu đề", "~~~~ claim  ", `["ô/â.go#F", 'b''c.go', d.go@1234abc]`, `"ô/â.go#F"`, "'b''c.go'", "d.go@1234abc", "INV-2", "&x CON-a", "2025-03-04"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("places (-want +got):\n%s", diff)
	}
	if c.Line != 3 || c.Anchors[1].Text != "b'c.go" || c.Anchors[2].Baseline != "1234abc" {
		t.Errorf("line %d, anchors %+v", c.Line, c.Anchors)
	}
	if !strings.HasSuffix(c.Source(), "It holds.") || strings.Contains(c.Source(), "\r") {
		t.Errorf("source %q", c.Source())
	}
}
