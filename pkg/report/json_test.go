package report

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

func compiledSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("report.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("report.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestJSONKeepsItsSchema(t *testing.T) {
	s := compiledSchema(t)
	for name, r := range samples() {
		for _, verbose := range []bool{false, true} {
			out, err := Render(t.Context(), r, FormatJSON, Options{Verbose: verbose})
			if err != nil {
				t.Fatal(err)
			}
			doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(out))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if err := s.Validate(doc); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	for _, bad := range []string{
		`{}`,
		`{"schema": "forge.report/2", "tool": {"name": "", "version": ""}, "change": {"kind": "", "before": [], "after": "", "files": 0}, "verdict": "pass", "checks": [], "findings": []}`,
		`{"schema": "forge.report/1", "tool": {"name": "", "version": ""}, "change": {"kind": "", "before": [], "after": "", "files": 0}, "verdict": "fine", "checks": [], "findings": []}`,
	} {
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(bad))
		if err != nil {
			t.Fatal(err)
		}
		if s.Validate(doc) == nil {
			t.Errorf("the schema accepts %s", bad)
		}
	}
}

// The order of members is part of the contract, which a map cannot show.
func TestJSONOrderOfMembers(t *testing.T) {
	r := samples()["findings"]
	r.Findings = r.Findings[4:6]
	r.Findings[0].Fix, r.Findings[0].Commit, r.Findings[0].Path = r.Findings[1].Fix, oidAfter, "kho/\xff"
	r.Findings = r.Findings[:1]
	r.Checks = r.Checks[:1]
	r.Change.Note = "x"
	out, err := Render(t.Context(), r, FormatJSON, Options{Verbose: true})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for line := range strings.Lines(string(out)) {
		if name, _, ok := strings.Cut(strings.TrimSpace(line), `": `); ok {
			names = append(names, strings.TrimPrefix(name, `"`))
		}
	}
	want := "schema tool name version change kind before after files note verdict checks id verdict level reason findings ms " +
		"findings code level path path_base64 start line column end line column side message help " +
		"related path start line column end line column side message path side message " +
		"fix safety message edits offset length new offset length new_base64 fingerprint commit"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// decoded is the shape of a report for tests.
type decoded struct {
	Schema   string
	Verdict  string
	Findings []struct {
		Code, Level, Path, Side, Message, Help, Fingerprint, Commit string
		PathBase64                                                  *string `json:"path_base64"`
		Start, End                                                  *text.Pos
	}
}

// exactPath is the path that a reader of the report works out.
func exactPath(t interface{ Fatal(...any) }, path string, encoded *string) string {
	if encoded == nil {
		return path
	}
	exact, err := base64.StdEncoding.DecodeString(*encoded)
	if err != nil {
		t.Fatal(err)
	}
	return string(exact)
}

func decode(t interface{ Fatal(...any) }, out []byte) decoded {
	var d decoded
	dec := json.NewDecoder(bytes.NewReader(out))
	if err := dec.Decode(&d); err != nil {
		t.Fatal(err)
	}
	if _, err := dec.Token(); err != io.EOF {
		t.Fatal("something follows the report")
	}
	return d
}

// hostile draws text with everything that a medium may choke on.
func hostile() *rapid.Generator[string] {
	unit := rapid.OneOf(
		rapid.SampledFrom([]string{"a", "/", "\n", "\r", "\t", "\x00", "\x1b[0m", `"`, `\`, "%", "%E9", "%25", "\xe9", "\xff", "\xed\xa0\x80",
			"é", "e\u0301", "数", "\u2028", "\u202e", "\ufeff", "\ufffd", "\u0085", "\x7f", "<b>&", "]]>", "::", "\U000e0001", "👩‍🚀"}),
		rapid.String(),
	)
	return rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOfN(unit, 0, 6).Draw(t, "text"), "") })
}

func anyReport() *rapid.Generator[*Report] {
	pos := rapid.Custom(func(t *rapid.T) text.Pos {
		return text.Pos{Line: rapid.IntRange(0, 4).Draw(t, "line"), Column: rapid.IntRange(0, 12).Draw(t, "column")}
	})
	side := rapid.SampledFrom([]finding.Side{finding.After, finding.Before, ""})
	one := rapid.Custom(func(t *rapid.T) finding.Finding {
		f := finding.Finding{
			Code: "wal/" + hostile().Draw(t, "slug"), Level: rapid.SampledFrom([]finding.Level{finding.Fail, finding.Flag, ""}).Draw(t, "level"),
			Path: hostile().Draw(t, "path"), Span: text.Span{Start: pos.Draw(t, "start"), End: pos.Draw(t, "end")},
			Side: side.Draw(t, "side"), Message: hostile().Draw(t, "message"), Help: hostile().Draw(t, "help"), Anchor: hostile().Draw(t, "anchor"),
			Commit: rapid.SampledFrom([]string{"", oidAfter}).Draw(t, "commit"),
		}
		if rapid.Bool().Draw(t, "related") {
			f.Related = []finding.Related{{Path: hostile().Draw(t, "other"), Message: hostile().Draw(t, "note"), Span: text.Span{Start: pos.Draw(t, "at")}}}
		}
		if rapid.Bool().Draw(t, "fix") {
			f.Fix = &finding.Fix{Message: hostile().Draw(t, "fix"), Edits: []text.Edit{{Start: 1, End: 2, New: []byte(hostile().Draw(t, "new"))}}}
		}
		return f
	})
	return rapid.Custom(func(t *rapid.T) *Report {
		src := hostile().Draw(t, "source")
		return &Report{
			Tool:     Tool{Name: "forge-guard", Version: hostile().Draw(t, "version")},
			Change:   Change{Kind: "staged", Before: []string{oidBefore}, After: "index", Note: hostile().Draw(t, "note")},
			Verdict:  finding.Failed,
			Checks:   []CheckResult{{ID: "wal", Verdict: finding.Failed, Level: finding.Fail, Reason: hostile().Draw(t, "reason")}},
			Findings: rapid.SliceOfN(one, 0, 4).Draw(t, "findings"),
			Source:   sources(map[string]string{"after a": src, "before a": src, "after ": src}),
		}
	})
}

// Every report is JSON of the schema, gives back what went in, holds nothing that a terminal acts on, and keeps apart what
// are two files.
func TestJSONLaws(t *testing.T) {
	s := compiledSchema(t)
	rapid.Check(t, func(t *rapid.T) {
		r := anyReport().Draw(t, "report")
		out, err := Render(t.Context(), r, FormatJSON, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := text.Escape(strings.ReplaceAll(string(out), "\n", "")); got != strings.ReplaceAll(string(out), "\n", "") {
			t.Fatalf("a terminal acts on %q", out)
		}
		var indented bytes.Buffer
		if err := json.Indent(&indented, out, "", "  "); err != nil || indented.String() != string(out) {
			t.Fatalf("the indentation is another one (error %v)", err)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(out))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(doc); err != nil {
			t.Fatal(err)
		}
		d := decode(t, out)
		if len(d.Findings) != len(r.Findings) {
			t.Fatalf("%d findings of %d", len(d.Findings), len(r.Findings))
		}
		for i := range r.Findings {
			got, want := &d.Findings[i], &r.Findings[i]
			if exactPath(t, got.Path, got.PathBase64) != want.Path {
				t.Fatalf("path %q became %q", want.Path, got.Path)
			}
			if utf8.ValidString(want.Message) && got.Message != want.Message {
				t.Fatalf("message %q became %q", want.Message, got.Message)
			}
			if got.Fingerprint != want.Fingerprint() || (got.Start == nil) != want.Span.IsZero() || (got.End == nil) != (got.Start == nil) {
				t.Fatalf("%+v became %+v", want, got)
			}
		}
	})
}

// Two paths never look the same to a reader who looks at both members.
func TestJSONPathsAreKeptApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := hostile().Draw(t, "a"), hostile().Draw(t, "b")
		render := func(p string) string {
			w := &jsonWriter{}
			w.open('{')
			w.path(p)
			w.close('}')
			return string(w.buf)
		}
		if (render(a) == render(b)) != (a == b) {
			t.Fatalf("%q and %q become %s", a, b, render(a))
		}
		if !utf8.ValidString(a) && !utf8.ValidString(b) && (percentEncode(a) == percentEncode(b)) != (a == b) {
			t.Fatalf("%q and %q become %q", a, b, percentEncode(a))
		}
	})
}

func FuzzJSONText(f *testing.F) {
	for _, seed := range []string{"", "a", "\xff", "\x00\x1f\x7f", `"\`, "\u2028\u202e\U000e0001", "é数👩‍🚀", "<>&", "\ufffd"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		w := &jsonWriter{}
		w.text(s)
		if !utf8.Valid(w.buf) || text.Escape(string(w.buf)) != string(w.buf) {
			t.Fatalf("%q is not safe to print", w.buf)
		}
		var back string
		if err := json.Unmarshal(w.buf, &back); err != nil {
			t.Fatalf("%q is no JSON: %v", w.buf, err)
		}
		if utf8.ValidString(s) && back != s {
			t.Fatalf("%q became %q", s, back)
		}
	})
}
