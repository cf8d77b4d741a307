package changelog_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"github.com/seed-4419f9ca/forge/pkg/changelog"
)

// lines writes problems as "line:column slug: message".
func lines(d *changelog.Doc, problems []changelog.Problem) []string {
	var out []string
	l := d.JSON.Lines()
	for _, p := range problems {
		at := "-"
		if p.End > 0 {
			pos := l.Pos(p.Start)
			at = fmt.Sprintf("%d:%d", pos.Line, pos.Column)
		}
		out = append(out, fmt.Sprintf("%s %s: %s", at, p.Slug, p.Message))
	}
	return out
}

// doc wraps entries into a changelog, each on a line of its own from line 2 on.
func doc(entries ...string) *changelog.Doc {
	return changelog.Parse([]byte("{\"schemaVersion\": \"1.0\", \"entries\": [\n" + strings.Join(entries, ",\n") + "\n]}\n"))
}

// entry writes an entry with the usual fields; more, if any, comes behind.
func entry(id, date string, more ...string) string {
	fields := append([]string{fmt.Sprintf(`"id": %q, "date": %q, "type": "changed", "summary": "S of %s", "paths": ["docs/%s.md"]`, id, date, id, id)}, more...)
	return "{" + strings.Join(fields, ", ") + "}"
}

// compaction writes a compaction entry.
func compaction(id, date string, n int, first, last string) string {
	return fmt.Sprintf(`{"id": %q, "date": %q, "type": "compaction", "summary": "Old entries", "paths": ["docs"], "compacted": {"entries": %d, "firstId": %q, "lastId": %q}}`, id, date, n, first, last)
}

func TestFaults(t *testing.T) {
	one := func(s string) string { return "{\"schemaVersion\": \"1.0\", \"entries\": [\n" + s + "\n]}" }
	good := `"id": "a", "date": "2026-01-01", "type": "added", "summary": "S", "paths": ["p"]`
	for _, tt := range []struct {
		name, src string
		want      []string
	}{
		{"good", one("{" + good + "}"), nil},
		{"every field", one("{" + good + `, "categories": ["domain", "decisions"], "decisionRefs": ["4"], "proposedBy": "x", "approvedBy": "", "breaking": true}`), nil},
		{"numbers by value", one(`{"id": "c", "date": "2026-01-01T00:00:00Z", "type": "compaction", "summary": "S", "paths": ["."], "compacted": {"entries": 2.0, "firstId": "a", "lastId": "b"}}`), nil},
		{"no JSON", "{,", []string{"1:2 parse: the changelog is no JSON: invalid character ',' at start of value"}},
		{"empty file", "", []string{"- parse: the changelog is no JSON: the file holds no JSON value"}},
		{"array", "[]", []string{"1:1 schema: the changelog is an array and not an object"}},
		{"nothing", "{}", []string{`1:1 schema: the changelog has no "schemaVersion"`, `1:1 schema: the changelog has no "entries"`}},
		{"no entry", one(""), []string{"1:37 schema: the changelog has no entry; there is at least one"}},
		{"entries no array", `{"schemaVersion": "1.0", "entries": {}}`, []string{`1:37 schema: the field "entries" of the changelog holds an object and not an array`}},
		{"unknown top field", `{"schemaversion": "1.0", "schemaVersion": "1.0", "entries": [{` + good + "}]}", []string{`1:2 schema: "schemaversion" is no field of the changelog; did you mean "schemaVersion"?`}},
		{"another version stops", `{"schemaVersion": "2.0", "entries": 1, "x": 1}`, []string{`1:19 schema-version: the changelog has the format version "2.0"; only "1.0" is supported`}},
		{"no version", `{"schemaVersion": "one", "entries": [{` + good + "}]}", []string{`1:19 schema: the field "schemaVersion" of the changelog is "one", which is no version; the one that is supported is "1.0"`}},
		{"version no string", `{"schemaVersion": 1.0, "entries": [{` + good + "}]}", []string{`1:19 schema: the field "schemaVersion" of the changelog holds a number and not a string`}},
		{"entry no object", one("7"), []string{"2:1 schema: entry number 1 is a number and not an object"}},
		{"missing fields", one("{\n}"), []string{
			`2:1 schema: entry number 1 has no "id"`, `2:1 schema: entry number 1 has no "date"`, `2:1 schema: entry number 1 has no "type"`,
			`2:1 schema: entry number 1 has no "summary"`, `2:1 schema: entry number 1 has no "paths"`}},
		{"unknown field", one("{" + good + `, "sumary": ""}`), []string{`2:84 schema: "sumary" is no field of entry "a"; did you mean "summary"?`}},
		{"wrong types", one(`{"id": 1, "date": null, "type": {}, "summary": [], "paths": "p", "categories": {}, "decisionRefs": [1], "proposedBy": ["x"], "approvedBy": true, "breaking": 0}`), []string{
			`2:8 schema: the field "id" of entry number 1 holds a number and not a string`,
			`2:19 schema: the field "date" of entry number 1 holds null and not a string`,
			`2:33 schema: the field "type" of entry number 1 holds an object and not a string`,
			`2:48 schema: the field "summary" of entry number 1 holds an array and not a string`,
			`2:61 schema: the field "paths" of entry number 1 holds a string and not an array`,
			`2:80 schema: the field "categories" of entry number 1 holds an object and not an array`,
			`2:101 schema: the field "decisionRefs" of entry number 1 holds a number and not a string`,
			`2:119 schema: the field "proposedBy" of entry number 1 holds an array and not a string`,
			`2:140 schema: the field "approvedBy" of entry number 1 holds a boolean and not a string`,
			`2:158 schema: the field "breaking" of entry number 1 holds a number and not true or false`}},
		{"bad id", one(strings.Replace("{"+good+"}", `"a"`, `"a--b"`, 1)), []string{`2:8 schema: the field "id" of entry "a--b" is "a--b"; an id is made of a to z and 0 to 9 in groups with single hyphens between them`}},
		{"bad type", one(strings.Replace("{"+good+"}", `"added"`, `"aded"`, 1)), []string{`2:43 schema: the field "type" of entry "a" has "aded", which is none of added, changed, deprecated, removed, fixed, decision, governance, compaction; did you mean "added"?`}},
		{"summary of two lines", one(strings.Replace("{"+good+"}", `"S"`, `"S\nT"`, 1)), []string{`2:63 schema: the field "summary" of entry "a" has more than one line`}},
		{"summary of line separator", one(strings.Replace("{"+good+"}", `"S"`, `"S\u2028T"`, 1)), []string{`2:63 schema: the field "summary" of entry "a" has more than one line`}},
		{"blank summary", one(strings.Replace("{"+good+"}", `"S"`, `" \t"`, 1)), []string{`2:63 schema: the field "summary" of entry "a" is empty`}},
		{"bad paths", one(strings.Replace("{"+good+"}", `["p"]`, `["", "/a", "./a", "a/../b", "..", "a\\b", "a\nb", "..a/b..", "a//b", "a/./b", "a/", "."]`, 1)), []string{
			`2:78 schema: the field "paths" of entry "a" has the path "", which is empty`,
			`2:82 schema: the field "paths" of entry "a" has the path "/a", which is absolute; paths begin at the root of the repository`,
			`2:88 schema: the field "paths" of entry "a" has the path "./a", which begins with "./", which says nothing`,
			`2:95 schema: the field "paths" of entry "a" has the path "a/../b", which has the segment "..", which may leave the repository`,
			`2:105 schema: the field "paths" of entry "a" has the path "..", which has the segment "..", which may leave the repository`,
			`2:111 schema: the field "paths" of entry "a" has the path "a\\b", which has a backslash; folders are separated by a slash`,
			`2:119 schema: the field "paths" of entry "a" has the path "a\nb", which has a line end`}},
		{"bad category", one("{" + good + `, "categories": ["Domain"]}`), []string{`2:99 schema: the field "categories" of entry "a" has "Domain", which is none of domain, system, practice, governance, decisions; did you mean "domain"?`}},
		{"compaction without counts", one(strings.Replace("{"+good+"}", `"added"`, `"compaction"`, 1)), []string{`2:1 schema: entry "a" has no "compacted"`}},
		{"counts without compaction", one("{" + good + `, "compacted": {"entries": 1, "firstId": "a", "lastId": "a"}}`), []string{`2:84 schema: entry "a" has the field "compacted", which only entries of the type "compaction" have`}},
		{"bad counts", one(strings.Replace("{"+good+`, "compacted": {"entries": 0, "firstId": "A", "lastid": "a"}}`, `"added"`, `"compaction"`, 1)), []string{
			`2:102 schema: "compacted" of entry "a" has no "lastId"`,
			`2:114 schema: the field "entries" of entry "a" is 0 and not a whole number from 1 on`,
			`2:128 schema: the field "firstId" of entry "a" is "A"; an id is made of a to z and 0 to 9 in groups with single hyphens between them`,
			`2:133 schema: "lastid" is no field of "compacted" of entry "a"; did you mean "lastId"?`}},
		{"half an entry counted", one(strings.Replace("{"+good+`, "compacted": {"entries": 1.5, "firstId": "a", "lastId": "a"}}`, `"added"`, `"compaction"`, 1)), []string{
			`2:114 schema: the field "entries" of entry "a" is 1.5 and not a whole number from 1 on`}},
		{"duplicate ids", one("{" + good + "},\n{" + good + "},\n{" + good + "}"), []string{
			`3:8 duplicate-id: the id "a" stands twice, which leaves open which of the two entries is meant`,
			`4:8 duplicate-id: the id "a" stands twice, which leaves open which of the two entries is meant`}},
		{"duplicate key", one("{" + good + ",\n" + `"summary": "T"}`), []string{`3:1 duplicate-key: the key "summary" stands twice in one object, which leaves open which of the two holds`}},
		{"byte order mark", "\ufeff" + one("{"+good+"}"), []string{"1:1 parse: the changelog is no JSON: a byte order mark stands before the JSON text"}},
		{"half a character", one(strings.Replace("{"+good+"}", `"S"`, `"\udc00"`, 1)), []string{`2:64 parse: the changelog is no JSON: \udc00 is half of a character`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := changelog.Parse([]byte(tt.src))
			if diff := cmp.Diff(tt.want, lines(d, d.Faults())); diff != "" {
				t.Errorf("faults (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDates(t *testing.T) {
	good := []string{"2026-06-13", "2028-02-29", "2000-02-29", "0001-01-01", "2026-12-31T23:59:59Z", "2026-06-13T00:00:00Z"}
	for _, s := range good {
		if reason := changelog.DateProblem(s); reason != "" {
			t.Errorf("%q: %s", s, reason)
		}
	}
	for _, s := range []string{"", "2026", "2026-6-13", "2026-06-1", "2026-13-01", "2026-00-10", "2026-02-30", "2027-02-29", "1900-02-29", "2026-04-31", "26-06-13", "2026/06/13", "2026-06-13 ", " 2026-06-13",
		"2026-06-13T15:04Z", "2026-06-13T15:04:05", "2026-06-13T15:04:05z", "2026-06-13t15:04:05Z", "2026-06-13 15:04:05Z", "2026-06-13T15:04:05.5Z", "2026-06-13T15:04:05,5Z", "2026-06-13T15:04:05+07:00",
		"2026-06-13T24:00:00Z", "2026-06-13T23:60:00Z", "2026-06-13T23:59:60Z", "+2026-06-13", "２０２６-06-13", "2026-06-13Z", "2026-W24-6", "2026-164", "2026-06-13T5:04:05Z", "2026-06-13T1 :04:05Z"} {
		if changelog.DateProblem(s) == "" {
			t.Errorf("%q is taken for a date", s)
		}
	}
}

func TestCanonicalOrderAndPaths(t *testing.T) {
	d := doc(entry("b", "2026-03-01T12:00:00Z"), entry("a", "2026-03-01T12:00:00Z"), entry("z", "2026-03-01"), entry("y", "2026-02-28T23:59:59Z"), entry("c-1", "2026-03-01"), entry("c", "2026-03-01"))
	var ids []string
	for _, e := range d.Canonical() {
		ids = append(ids, e.ID)
	}
	if got := strings.Join(ids, " "); got != "y c c-1 z a b" {
		t.Errorf("canonical order: %s", got)
	}
	for _, tt := range []struct {
		base, path string
		want       bool
	}{
		{"docs", "docs/a.md", true}, {"docs/", "docs/a.md", true}, {"docs//x", "docs/x/a.md", true}, {"docs/./x", "docs/x", true}, {".", "a.md", true}, {"", "a.md", true},
		{"docs", "docsx/a.md", false}, {"docs/a.md", "docs/a.md", true}, {"docs/a", "docs/a.md", false}, {"docs/a.md", "docs", false}, {"Docs", "docs/a.md", false},
	} {
		var r changelog.Reach
		if r.Covers(tt.path) {
			t.Errorf("nothing covers %q", tt.path)
		}
		r.Add("elsewhere", tt.base)
		if r.Covers(tt.path) != tt.want {
			t.Errorf("%q covers %q is not %v", tt.base, tt.path, tt.want)
		}
	}
}

func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(changelog.Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("changelog.json", v); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("changelog.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The published schema and the rules of this package say yes and no to the same documents.
func TestSchemaAgreesWithFaults(t *testing.T) {
	schema := compiled(t)
	pick := func(t *rapid.T, label string, options ...string) string {
		return rapid.SampledFrom(options).Draw(t, label)
	}
	field := func(t *rapid.T, name string, chance int, good string, bad ...string) []string {
		switch n := rapid.Uint64().Draw(t, name) * 0x9e3779b97f4a7c15 >> 32 % 400; { // spread evenly, which rapid does not
		case n >= 1 && n <= uint64(chance):
			return []string{fmt.Sprintf("%q: %s", name, pick(t, name+" bad", bad...))}
		case n == 399:
			return nil
		}
		return []string{fmt.Sprintf("%q: %s", name, good)}
	}
	text := []string{"1", "null", "[]", "{}", "true"}
	random := rapid.Custom(func(t *rapid.T) string {
		var fields []string
		add := func(name string, chance int, good string, bad ...string) {
			fields = append(fields, field(t, name, chance, good, bad...)...)
		}
		kind := pick(t, "kind", `"added"`, `"changed"`, `"deprecated"`, `"removed"`, `"fixed"`, `"decision"`, `"governance"`, `"compaction"`)
		add("id", 3, fmt.Sprintf("%q", fmt.Sprintf("id-%d", rapid.IntRange(0, 1_000_000_000).Draw(t, "n"))), append(text, `""`, `"-a"`, `"a-"`, `"a--b"`, `"A"`, `"a_b"`, `"é"`, `"a\n"`)...)
		add("date", 3, pick(t, "date good", `"2026-01-31"`, `"2026-04-30T23:59:59Z"`, `"2024-02-29"`), append(text, `""`, `"2026-04-31"`, `"2026-02-30"`, `"2026-13-01"`, `"2026-01-01T24:00:00Z"`, `"2026-01-01T10:00:00.5Z"`, `"2026-01-01T10:00:00+00:00"`, `"2026-01-01\n"`)...)
		add("type", 3, kind, append(text, `"Added"`, `""`)...)
		add("summary", 3, pick(t, "summary good", `"S"`, `" S "`, `"\u00e9"`), append(text, `""`, `"  "`, `"a\nb"`, `"a\rb"`, `"a\u2029b"`)...)
		add("paths", 5, pick(t, "paths good", `["a"]`, `["a/b.md", "c/", "."]`, `["..a", "a..", "a//b", "a/./b"]`), append(text, `[""]`, `["/a"]`, `["./a"]`, `["a/.."]`, `[".."]`, `["a\\b"]`, `["a\nb"]`, `["a", 1]`)...)
		if rapid.Bool().Draw(t, "more") {
			add("categories", 5, `["domain", "governance"]`, `["x"]`, `"domain"`, `[1]`)
			add("decisionRefs", 5, `["a", ""]`, `"a"`, `[1]`)
			add("proposedBy", 5, `"x"`, text...)
			add("approvedBy", 5, `""`, text...)
			add("breaking", 5, `false`, `0`, `"no"`, `null`)
		}
		if kind == `"compaction"` || rapid.IntRange(0, 19).Draw(t, "stray counts") == 0 {
			add("compacted", 20, `{"entries": 3, "firstId": "a", "lastId": "b"}`,
				`{}`, `[]`, `null`, `{"entries": 0, "firstId": "a", "lastId": "b"}`, `{"entries": 1.5, "firstId": "a", "lastId": "b"}`, `{"entries": 2.0, "firstId": "a", "lastId": "b"}`,
				`{"entries": "1", "firstId": "a", "lastId": "b"}`, `{"entries": 1, "firstId": "A", "lastId": "b"}`, `{"entries": 1, "firstId": "a"}`, `{"entries": 1, "firstId": "a", "lastId": "b", "x": 1}`)
		}
		if rapid.IntRange(0, 29).Draw(t, "unknown") == 0 {
			fields = append(fields, `"unknown": 1`)
		}
		return "{" + strings.Join(fields, ", ") + "}"
	})
	said := map[bool]int{}
	rapid.Check(t, func(t *rapid.T) {
		var top []string
		top = append(top, field(t, "schemaVersion", 3, `"1.0"`, `"1.1"`, `"x"`, `1`, `null`)...)
		list := rapid.SliceOfN(random, 1, 3).Draw(t, "entries")
		top = append(top, field(t, "entries", 3, "["+strings.Join(list, ", ")+"]", `[]`, `{}`, `null`, `[1]`)...)
		if rapid.IntRange(0, 9).Draw(t, "more at the top") == 0 {
			top = append(top, rapid.SampledFrom([]string{`"$schema": "x"`, `"$schema": 1`, `"$id": "x"`}).Draw(t, "top"))
		}
		src := []byte("{" + strings.Join(top, ", ") + "}")
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(src))
		if err != nil {
			t.Fatal(err)
		}
		d := changelog.Parse(src)
		faults := slices.DeleteFunc(d.Faults(), func(p changelog.Problem) bool { return p.Slug == changelog.DuplicateID })
		valid := schema.Validate(v)
		said[valid == nil]++
		if (valid == nil) != (len(faults) == 0) {
			t.Fatalf("%s\nschema: %v\nrules: %q", src, valid, lines(d, faults))
		}
	})
	if said[true] == 0 || said[false] == 0 {
		t.Errorf("the generator is lopsided: %v", said)
	}
}

func TestSchemaDescribesItsFields(t *testing.T) {
	var s struct {
		Defs struct {
			Entry struct {
				Properties map[string]struct{ Description string }
			}
		} `json:"$defs"`
	}
	if err := json.Unmarshal(changelog.Schema(), &s); err != nil {
		t.Fatal(err)
	}
	for name, p := range s.Defs.Entry.Properties {
		if p.Description == "" {
			t.Errorf("%q has no description", name)
		}
	}
	if len(s.Defs.Entry.Properties) != 11 {
		t.Errorf("%d fields", len(s.Defs.Entry.Properties))
	}
}
