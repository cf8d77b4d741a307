package baseline

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

func fault(path, anchor string, line int) finding.Finding {
	return finding.Finding{
		Code: "guard-header/wrong", Level: finding.Fail, Path: path, Anchor: anchor, Message: "m",
		Span: text.Span{Start: text.Pos{Line: line, Column: 1}, End: text.Pos{Line: line, Column: 2}},
	}
}

func parse(t interface{ Fatalf(string, ...any) }, data []byte) *Baseline {
	b, err := Parse("b.json", data)
	if err != nil {
		t.Fatalf("could not read what was written: %v\n%s", err, data)
	}
	return b
}

func TestMarshal(t *testing.T) {
	got := string(Of([]finding.Finding{fault("kho/b.md", "x", 3), fault("kho/\xe9\n<a>.md", "x", 1), fault("kho/b.md", "x", 9)}).Marshal())
	want := `{
  "schema": "forge.baseline/1",
  "findings": [
    {"fingerprint":"` + print(fault("kho/\xe9\n<a>.md", "x", 1)) + `","count":1,"code":"guard-header/wrong","path":"kho/\\xe9\\n<a>.md"},
    {"fingerprint":"` + print(fault("kho/b.md", "x", 1)) + `","count":2,"code":"guard-header/wrong","path":"kho/b.md"}
  ]
}
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := string((*Baseline)(nil).Marshal()); got != "{\n  \"schema\": \"forge.baseline/1\",\n  \"findings\": []\n}\n" {
		t.Errorf("an empty baseline is %q", got)
	}
}

func print(f finding.Finding) string { return f.Fingerprint() }

func TestApply(t *testing.T) {
	b := parse(t, Of([]finding.Finding{fault("a", "x", 1), fault("a", "x", 2), fault("b", "y", 1)}).Marshal())
	if b.Count() != 3 {
		t.Errorf("Count = %d, want 3", b.Count())
	}
	// Two equal ones rest wherever their lines are now; the third is new, and so is the other file.
	fresh, rested := b.Apply([]finding.Finding{fault("a", "x", 7), fault("c", "x", 1), fault("a", "x", 8), fault("a", "x", 9)})
	if diff := cmp.Diff([]finding.Finding{fault("c", "x", 1), fault("a", "x", 9)}, fresh); diff != "" || rested != 2 {
		t.Errorf("%d rest, the others (-want +got):\n%s", rested, diff)
	}
	if again, n := b.Apply([]finding.Finding{fault("a", "x", 7)}); len(again) != 0 || n != 1 {
		t.Error("a second call does not count anew")
	}
	for _, none := range []*Baseline{nil, {}} {
		if all, n := none.Apply([]finding.Finding{fault("a", "x", 7)}); len(all) != 1 || n != 0 {
			t.Error("no baseline lets a finding rest")
		}
	}
}

// What is written lets exactly what was there rest, in any order and on any line, and nothing beside.
func TestWriteThenApply(t *testing.T) {
	one := rapid.Custom(func(t *rapid.T) finding.Finding {
		return fault(rapid.OneOf(rapid.SampledFrom([]string{"a", "a\xff", "a\xfe", `a\xff`, "é", "<b>"}), rapid.String()).Draw(t, "path"),
			rapid.SampledFrom([]string{"", "x", "y"}).Draw(t, "anchor"), rapid.IntRange(1, 5).Draw(t, "line"))
	})
	rapid.Check(t, func(t *rapid.T) {
		old, more := rapid.SliceOf(one).Draw(t, "old"), rapid.SliceOf(one).Draw(t, "more")
		data := Of(old).Marshal()
		if string(Of(rapid.Permutation(old).Draw(t, "other order")).Marshal()) != string(data) {
			t.Fatal("the order of the findings shows")
		}
		b := parse(t, data)
		if string(b.Marshal()) != string(data) {
			t.Fatal("reading and writing changes the file")
		}
		now := rapid.Permutation(old).Draw(t, "now")
		for i := range now {
			now[i].Span.Start.Line += 10
		}
		if fresh, rested := b.Apply(now); len(fresh) != 0 || rested != len(old) {
			t.Fatalf("%d of %d rest, %d are new", rested, len(old), len(fresh))
		}
		fresh, rested := b.Apply(append(now, more...))
		if rested != len(old) || len(fresh) != len(more) {
			t.Fatalf("%d of %d rest, %d of %d are new", rested, len(old), len(fresh), len(more))
		}
	})
}

func TestParseErrors(t *testing.T) {
	entry := func(members string) string {
		return "{\"schema\": \"forge.baseline/1\", \"findings\": [\n" + members + "\n]}"
	}
	const print = `"fingerprint": "00112233445566778899aabbccddeeff"`
	for _, test := range []struct{ name, data, want string }{
		{"nothing", "", "1:1: could not read the baseline: it is no JSON: it ends too early"},
		{"a list", "[]", "1:1: could not read the baseline: expected \"{\", found \"[\""},
		{"cut off", "{\n  \"schema\": \"forge.baseline/1\",\n", "2:33: could not read the baseline: it is no JSON: it ends too early"},
		{"a slip", "{\n  \"schema\" \"forge.baseline/1\"}", "2:12: could not read the baseline: it is no JSON"},
		{"a conflict", "{\n<<<<<<< ours\n", "2:1: could not read the baseline: it is no JSON"},
		{"another schema", "{\n  \"schema\": \"forge.baseline/2\"}", `2:13: could not read the baseline: it has the schema "forge.baseline/2"`},
		{"no schema", `{"findings": []}`, `1:16: could not read the baseline: the member "schema" is missing`},
		{"no findings", `{"schema": "forge.baseline/1"}`, `1:30: could not read the baseline: the member "findings" is missing`},
		{"another member", `{"schema": "forge.baseline/1", "entries": []}`, `1:32: could not read the baseline: there is no member "entries"`},
		{"a member twice", `{"schema": "forge.baseline/1", "schema": 1}`, `1:32: could not read the baseline: the member "schema" stands twice`},
		{"something behind", `{"schema": "forge.baseline/1", "findings": []} {}`, `1:48: could not read the baseline: something follows`},
		{"a bad fingerprint", entry(`{"count": 1, "fingerprint": "xyz"}`), `2:29: could not read the baseline: "xyz" is no fingerprint`},
		{"upper case", entry(`{"count": 1, "fingerprint": "00112233445566778899AABBCCDDEEFF"}`), "2:29: "},
		{"no count", entry("{" + print + "}"), `2:51: could not read the baseline: the member "count" is missing`},
		{"no fingerprint", entry(`{"count": 1}`), `2:12: could not read the baseline: the member "fingerprint" is missing`},
		{"a count of none", entry("{" + print + `, "count": 0}`), "2:62: could not read the baseline: 0 is no count"},
		{"a broken count", entry("{" + print + `, "count": 1.5}`), "2:62: could not read the baseline: 1.5 is no count"},
		{"a huge count", entry("{" + print + `, "count": 99999999999999999999}`), "2:62: "},
		{"a count in words", entry("{" + print + `, "count": "one"}`), "2:62: could not read the baseline: expected a number, found a string"},
		{"a path that is none", entry("{" + print + `, "count": 1, "path": null}`), "expected a string, found null"},
		{"a member of an entry", entry("{" + print + `, "count": 1, "line": 3}`), `there is no member "line" here`},
		{"an entry twice", entry("{" + print + `, "count": 1},` + "\n{" + print + `, "count": 1}`), "3:63: could not read the baseline: the fingerprint"},
		{"deep nesting", strings.Repeat("[", 100000), "1:1: "},
	} {
		t.Run(test.name, func(t *testing.T) {
			b, err := Parse("src/b.json", []byte(test.data))
			var e *Error
			if !errors.As(err, &e) || b != nil {
				t.Fatalf("got the error %v", err)
			}
			if !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), "src/b.json:") {
				t.Errorf("got  %s\nwant %s", err, test.want)
			}
		})
	}
}

func TestParseAcceptsAnyLayout(t *testing.T) {
	b := parse(t, []byte("{\"findings\":[{\"count\":2,\n\"fingerprint\" : \"00112233445566778899aabbccddeeff\"}],\r\n\t\"schema\":\"forge.baseline/1\"}\n\n"))
	if b.Count() != 2 {
		t.Errorf("Count = %d, want 2", b.Count())
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"schema": "forge.baseline/1", "findings": [{"fingerprint": "00112233445566778899aabbccddeeff", "count": 1}]}`))
	f.Add(Of([]finding.Finding{fault("a\xff", "x", 1)}).Marshal())
	f.Add([]byte("{\"schema\": \"forge.baseline/1\",\n\"findings\": [[[{"))
	f.Add([]byte("\ufeff{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := Parse("f", data)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Pos.Line < 1 || e.Pos.Column < 1 || !utf8.ValidString(e.Error()) || strings.ContainsAny(e.Error(), "\n\x1b") {
				t.Fatalf("the error %q has no place, or is no line", fmt.Sprint(err))
			}
			return
		}
		if !json.Valid(data) {
			t.Fatal("what is no JSON was read")
		}
		out := b.Marshal()
		again := parse(t, out)
		if string(again.Marshal()) != string(out) || again.Count() != b.Count() {
			t.Fatalf("writing is not stable: %s", out)
		}
	})
}
