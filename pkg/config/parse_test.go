package config

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-4419f9ca/forge/pkg/finding"
)

func ids() []string { return []string{"guard-header", "impact", "preflight", "safety-block", "wal"} }

func TestParse(t *testing.T) {
	all := func(l finding.Level) Levels { return Levels{l, l, l, l, l, l} }
	tests := map[string]struct {
		src  string
		want func(c *Config)
	}{
		"empty":           {"", func(*Config) {}},
		"comment":         {"# nothing\n", func(*Config) {}},
		"null document":   {"---\n", func(*Config) {}},
		"version":         {"version: 1\n", func(*Config) {}},
		"byte-order mark": {"\ufeffversion: 1\r\nignore: [a]\r\n", func(c *Config) { c.Ignore = []string{"a"} }},
		"levels": {"checks: {impact: {pre-commit: off, ci: fail}, preflight: flag}\n", func(c *Config) {
			c.Checks = map[string]Levels{"impact": {PreCommit: "off", CI: "fail"}, "preflight": all("flag")}
		}},
		"every stage":  {"checks: {wal: {pre-commit: off, commit-msg: flag, pre-push: fail, ci: off, pre-receive: flag, manual: fail}}", func(c *Config) { c.Checks = map[string]Levels{"wal": {"off", "flag", "fail", "off", "flag", "fail"}} }},
		"quoted level": {"checks: {wal: \"off\"}", func(c *Config) { c.Checks = map[string]Levels{"wal": all("off")} }},
		"ignore":       {"ignore: [vendor/, \"**/testdata/**\", \"!x\", \"[\", \"/a b\"]", func(c *Config) { c.Ignore = []string{"vendor/", "**/testdata/**", "!x", "[", "/a b"} }},
		"guards alone": {"guards:\n", func(c *Config) { c.Guards = &Guards{} }},
		"guards empty": {"guards: {}\n", func(c *Config) { c.Guards = &Guards{} }},
		"aliases": {"ignore: &x [a]\nrecords: [{paths: *x, shape: bytes}]", func(c *Config) {
			c.Ignore = []string{"a"}
			c.Records = []Record{{Paths: []string{"a"}, Shape: "bytes", Line: 2}}
		}},
		"limit":             {"limits: {file: 1000}", func(c *Config) { c.Limits.File = 1000 }},
		"limit with unit":   {"limits: {file: 3KiB}", func(c *Config) { c.Limits.File = 3072 }},
		"largest limit":     {"limits: {file: 999999999GiB}", func(c *Config) { c.Limits.File = 999999999 << 30 }},
		"nothing in limits": {"limits:\n", func(*Config) {}},
		"layer":             {"layer: {governed: [\"docs/**/*.md\"]}", func(c *Config) { c.Layer = &Layer{Governed: []string{"docs/**/*.md"}} }},
		"layer alone":       {"layer:\n", func(c *Config) { c.Layer = &Layer{} }},
		"guards": {"guards:\n  preset: none\n  require: always\n  provenance: off\n  reference: vendor/para/\n  tables: []\n  open-workflow: a/*.md\n  preflight: [push, đóng]\n  placeholders: [\"x #y\"]\n", func(c *Config) {
			c.Guards = &Guards{Preset: "none", Require: "always", Provenance: "off", Reference: "vendor/para", Tables: []string{}, OpenWorkflow: "a/*.md", Preflight: []string{"push", "đóng"}, Placeholders: []string{"x #y"}}
		}},
		"rules": {"guards:\n  rules:\n    - {key: done, via: []}\n    - key: ops\n      header: \"<!-- x -->\"\n      paths: [\"ops/**\"]\n      policy: governed\n    - {key: kernel, remove: true}\n", func(c *Config) {
			c.Guards = &Guards{Rules: []GuardRule{
				{Key: "done", Via: []string{}, Line: 3}, {Key: "ops", Header: "<!-- x -->", Paths: []string{"ops/**"}, Policy: "governed", Line: 4}, {Key: "kernel", Remove: true, Line: 8},
			}}
		}},
		"records": {"records:\n  - {paths: [a.jsonl, \"b/**\"], shape: jsonl, direction: end, archive: old/a.jsonl, chain: true, time: ts}\n  - {paths: [c], shape: list, chain: false}\n", func(c *Config) {
			c.Records = []Record{
				{Paths: []string{"a.jsonl", "b/**"}, Shape: "jsonl", Direction: "end", Archive: "old/a.jsonl", Chain: true, Time: "ts", Line: 2}, {Paths: []string{"c"}, Shape: "list", Line: 3},
			}
		}},
	}
	for name, tt := range tests {
		want := Default()
		want.Source = "c.yaml"
		tt.want(want)
		got, err := Parse("c.yaml", []byte(tt.src), ids())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestErrors gives each bad configuration with what is said about it.
func TestErrors(t *testing.T) {
	tests := []struct{ src, want string }{
		// keys
		{"version: 1\nrecrods: []\n", `c:2:1: recrods: unknown key; did you mean "records"?`},
		{"foo: 1\n", `c:1:1: foo: unknown key; known here: version, checks, ignore, guards, records, mind, layer, claims, limits`},
		{"records:\n  - paths: [a]\n    shap: bytes\n    shape: bytes\n", `c:3:5: records[0].shap: unknown key; did you mean "shape"?`},
		{"guards: {tabels: [a]}", `c:1:10: guards.tabels: unknown key; did you mean "tables"?`},
		{"limits: {Files: 1}", `c:1:10: limits.Files: unknown key; did you mean "file"?`},
		{"version: 1\nversion: 1\n", `c:2:1: version: duplicate key; it also stands on line 1`},
		{"checks: {wal: off, wal: off}\n", `c:1:20: checks.wal: duplicate key; it also stands on line 1`},
		{"? [a]\n: 1\n", `c:1:3: a key must be a name, found a list`},
		{"~: 1\n", `c:1:1: a key must be a name, found nothing`},
		{"1: 1\n", `c:1:1: 1: unknown key; known here:`},
		{"\"é k\": 1\n", `c:1:1: ["é k"]: unknown key`},
		{"a: &x {version: 1}\n<<: *x\n", `c:2:1: ["<<"]: keys cannot be merged`},
		{"records: [{shape: bytes}]", `c:1:11: records[0]: "paths" is missing`},
		{"records: [{paths: [a]}]", `c:1:11: records[0]: "shape" is missing`},
		// types
		{"version: [one]\n", `c:1:10: version: wrong type: the number 1 expected, found a list`},
		{"version: \"1\"\n", `c:1:10: version: wrong type: the number 1 expected, found the text "1"`},
		{"version: 2\n", `c:1:10: version: unknown version 2; this program knows version 1`},
		{"version: 1.0\n", `c:1:10: version: wrong type: the number 1 expected, found the number 1.0`},
		{"version:\n", `c:1:9: version: wrong type: the number 1 expected, found nothing`},
		{"[a]\n", `c:1:1: wrong type: a mapping expected, found a list`},
		{"hello\n", `c:1:1: wrong type: a mapping expected, found the text "hello"`},
		{"ignore: vendor\n", `c:1:9: ignore: wrong type: a list of gitignore patterns expected, found the text "vendor"`},
		{"ignore: [1]\n", `c:1:10: ignore[0]: wrong type: a gitignore pattern expected, found the number 1`},
		{"ignore: [2020-01-01]\n", `c:1:10: ignore[0]: wrong type: a gitignore pattern expected, found the date 2020-01-01 (put it in quotes)`},
		{"ignore: [~]\n", `c:1:10: ignore[0]: wrong type: a gitignore pattern expected, found nothing`},
		{"ignore: [!x y]\n", `c:1:10: ignore[0]: wrong type: a gitignore pattern expected, found a value with the tag !x`},
		{"ignore: [!!binary YQ==]\n", `c:1:10: ignore[0]: wrong type: a gitignore pattern expected, found a value with the tag`},
		{"guards: {rules: {key: a}}", `c:1:17: guards.rules: wrong type: a list of rules expected, found a mapping`},
		{"guards: {rules: [x]}", `c:1:18: guards.rules[0]: wrong type: a mapping expected, found the text "x"`},
		{"records: [~]", `c:1:11: records[0]: wrong type: a mapping expected, found nothing`},
		{"records: [{paths: a, shape: bytes}]", `c:1:19: records[0].paths: wrong type: a list of globs expected, found the text "a"`},
		{"records: [{paths: [a], shape: jsonl, chain: yes}]", `c:1:45: records[0].chain: wrong type: true or false expected, found the text "yes"`},
		{"checks: {wal: }", `c:1:15: checks.wal: wrong type: a level`},
		{"checks: {wal: [off]}", `c:1:15: checks.wal: wrong type: a level`},
		{"checks: {wal: {ci: }}", `c:1:20: checks.wal.ci: wrong type: `},
		// values
		{"checks: {wol: off}", `c:1:10: checks.wol: unknown check; did you mean "wal"?`},
		{"checks: {zzz: off}", `c:1:10: checks.zzz: unknown check; known here: guard-header, impact`},
		{"checks: {wal: fial}", `c:1:15: checks.wal: unknown value "fial"; did you mean "fail"?`},
		{"checks: {wal: false}", `c:1:15: checks.wal: unknown value "false"; did you mean "off"?`},
		{"checks: {wal: no-idea}", `c:1:15: checks.wal: unknown value "no-idea"; known here: off, flag, fail`},
		{"checks: {wal: {precommit: off}}", `c:1:16: checks.wal.precommit: unknown key; did you mean "pre-commit"?`},
		{"guards: {preset: parra}", `c:1:18: guards.preset: unknown value "parra"; did you mean "para"?`},
		{"guards: {require: never}", `c:1:19: guards.require: unknown value "never"; known here: always`},
		{"guards: {policy: x}", `c:1:10: guards.policy: unknown key; known here: preset`},
		{"mind: {fils: x}", `c:1:8: mind.fils: unknown key; did you mean "files"?`},
		{"mind: {files: notes/mind.md}", `c:1:15: mind.files: "notes/mind.md" needs <N>`},
		{"mind: {files: \"notes/s-<N>.md\"}", `c:1:15: mind.files: "notes/s-<N>.md" needs <N>`},
		{"mind: {files: \"s*-<N>/_mind-<N>.md\"}", `c:1:15: mind.files: "s*-<N>/_mind-<N>.md" has a folder that mixes`},
		{"mind: {files: \"s-<N>/*-<N>.md\"}", `c:1:15: mind.files: "s-<N>/*-<N>.md" has a wildcard in the name`},
		{"mind: {files: \"../s-<N>/<N>.md\"}", `c:1:15: mind.files: "../s-<N>/<N>.md" has the segment ".."`},
		{"mind: {copy-words: 1}", `c:1:20: mind.copy-words: 1 is not from 2 to 1000`},
		{"mind: {copy-words: eight}", `c:1:20: mind.copy-words: wrong type: a number from 2 to 1000 expected`},
		{"mind: {copy-words: 99999999999999999999}", `c:1:20: mind.copy-words: `},
		{"mind: {settled: [\"[\"]}", `c:1:18: mind.settled[0]: bad glob`},
		{"mind: {reviewers: lead}", `c:1:19: mind.reviewers: wrong type: a list of roles expected`},
		{"limits: {file: 0}", `c:1:16: limits.file: 0 is no size`},
		{"limits: {file: -1}", `c:1:16: limits.file: -1 is no size`},
		{"limits: {file: 99999999999999999999}", `c:1:16: limits.file: `},
		{"limits: {file: 10 mb}", `c:1:16: limits.file: "10 mb" is no size; write bytes, or a number with KiB, MiB or GiB; did you mean "10MiB"?`},
		{"limits: {file: big}", `c:1:16: limits.file: "big" is no size`},
		{"limits: {file: 1.5}", `c:1:16: limits.file: wrong type: `},
		// globs and paths
		{"version: 1\nrecords:\n  - paths: [\"logs/[ab*.txt\"]\n    shape: bytes\n", `c:3:13: records[0].paths[0]: bad glob "logs/[ab*.txt": unclosed class '[' at byte 6`},
		{"records: [{paths: [\"{a,b\"], shape: bytes}]", `c:1:20: records[0].paths[0]: bad glob "{a,b": unclosed group '{' at byte 1`},
		{"records: [{paths: [" + strings.Repeat("a,", 40) + "\"" + strings.Repeat("{a,b}", 20) + "\"], shape: bytes}]", `c:1:100: records[0].paths[40]: bad glob`},
		{"records: [{paths: [], shape: bytes}]", `c:1:19: records[0].paths: the list is empty`},
		{"records: [{paths: , shape: bytes}]", `c:1:19: records[0].paths: the list is empty`},
		{"records: [{paths: [/a], shape: bytes}]", `c:1:20: records[0].paths[0]: "/a" is absolute; paths begin at the root of the repository; did you mean "a"?`},
		{"records: [{paths: [../a], shape: bytes}]", `c:1:20: records[0].paths[0]: "../a" has the segment ".."`},
		{"records: [{paths: [./a], shape: bytes}]", `did you mean "a"?`},
		{"records: [{paths: [a//b], shape: bytes}]", `did you mean "a/b"?`},
		{"records: [{paths: [a/], shape: bytes}]", `"a/" matches no file; did you mean "a/**"?`},
		{"records: [{paths: [\"!a\"], shape: bytes}]", `"!a" begins with "!"`},
		{"records: [{paths: ['a\\b'], shape: bytes}]", `did you mean "a/b"?`},
		{"records: [{paths: ['C:/b'], shape: bytes}]", `drive letter`},
		{"records: [{paths: [\"a\\nb\"], shape: bytes}]", `c:1:20: records[0].paths[0]: the text has a line end or a control character`},
		{"records: [{paths: [\"\"], shape: bytes}]", `the text is empty`},
		{"records: [{paths: [a], shape: bytes, archive: ../x}]", `c:1:47: records[0].archive: "../x" has the segment ".."`},
		{"records: [{paths: [a], shape: bytes, archive: x/}]", `"x/" names a folder`},
		{"records: [{paths: [a], shape: bytes, archive: 'a\\b'}]", `did you mean "a/b"?`},
		{"guards: {reference: /etc}", `c:1:21: guards.reference: "/etc" is absolute`},
		{"guards: {open-workflow: \"[\"}", `c:1:25: guards.open-workflow: bad glob "[": unclosed class '[' at byte 1`},
		{"guards: {preflight: [/push]}", `"/push" is no name: it has a space, a slash, a quote, a bracket or a wildcard; did you mean "push"?`},
		{"ignore: [\"#x\"]", `c:1:10: ignore[0]: "#x" is a comment in gitignore syntax; did you mean "\#x"?`},
		{"ignore: [\"a\\nb\"]", `c:1:10: ignore[0]: the text has a line end`},
		// rows
		{"records: [{paths: [a], shape: bytes, chain: true}]", `c:1:45: records[0].chain: only records of the shape "jsonl" have it, and this one is "bytes"`},
		{"records: [{paths: [a], shape: list, time: ts}]", `c:1:43: records[0].time: only records of the shape "jsonl"`},
		{"guards: {rules: [{key: ops}]}", `c:1:18: guards.rules[0]: "header" is missing, which a new row must have ("ops" is no default row)`},
		{"guards: {rules: [{key: kernle, via: [/x]}]}", `did you mean "kernel"?`},
		{"guards: {rules: [{via: [/x]}]}", `c:1:18: guards.rules[0]: "key" is missing`},
		{"guards: {rules: [{key: kernle, remove: true}]}", `c:1:24: guards.rules[0].key: there is no default row "kernle" to remove; did you mean "kernel"?`},
		{"guards: {rules: [{key: zzz, remove: true}]}", `there is no default row "zzz" to remove; there are done, hot-lane`},
		{"guards: {rules: [{key: kernel, remove: true, policy: none}]}", `c:1:54: guards.rules[0].policy: a row that is removed has no other fields`},
		{"guards: {rules: [{key: done, via: []},\n {key: done, via: []}]}", `c:2:2: guards.rules[1].key: a rule with the key "done" also stands on line 1`},
		{"guards: {rules: [{key: done, header: \"x\"}]}", `c:1:38: guards.rules[0].header: "x" is not one whole HTML comment`},
		{"guards: {rules: [{key: done, header: \"<!-- -->\"}]}", `the comment is empty`},
		{"guards: {rules: [{key: done, header: \"<!-->\"}]}", `is not one whole HTML comment`},
		{"guards: {rules: [{key: done, header: \"<!-- a --> <!-- b -->\"}]}", `is more than one comment`},
		{"guards: {rules: [{key: done, policy: readonly}]}", `unknown value "readonly"; did you mean "read-only"?`},
		// syntax
		{"a:\n\tb: 1\n", `c:2:1: no valid YAML: tab in the indentation`},
		{"version: 1\nignore: [a\nlimits: {}\n", `c:2:1: no valid YAML: did not find expected ',' or ']'`},
		{"version: 1\nignore: [a]\n b: 1\n", `c:3:2: no valid YAML: `},
		{"a: 'x\n", `c:1:1: no valid YAML: `},
		{"a: *nope\n", `c:1:4: no valid YAML: unknown anchor`},
		{"version: 1\nignore: [*a]\n", `c:2:10: no valid YAML: unknown anchor`},
		{"version: 1\n---\nversion: 1\n", `c:2:1: a second document begins`},
		{"version: 1\n...\nversion: 1\n", `no valid YAML`},
		{"a: \xff\n", `c:1:4: byte 0xff is not UTF-8`},
		{"\xff\xfea\x00", `c:1:1: byte 0xff is not UTF-8`},
		{"version: 1\n# \x01\n", `c:2:3: control character U+0001`},
		{"version: 1\rx: 1\n", `c:1:11: control character U+000D`},
		{"version: 1 # \u2028\n", `c:1:14: control character U+2028`},
		{strings.Repeat("#\n", maxSize/2) + "#\n", `c:1:1: the file has 262146 bytes, more than the limit of 262144`},
		{"ignore: " + strings.Repeat("[", 20000), `exceeded max depth`},
		{"ignore: " + strings.Repeat("[", 5000) + strings.Repeat("]", 5000), `c:1:10: ignore[0]: wrong type: a gitignore pattern expected, found a list`},
		{"ignore: &x [*x]\n", `c:1:9: ignore[0]: wrong type`},
		{"records: &x [*x]\n", `wrong type: a mapping expected, found a list`},
		// columns count bytes
		{"{é: 1, x: 1}", `c:1:9: x: unknown key`},
	}
	for _, tt := range tests {
		cfg, err := Parse("c", []byte(tt.src), ids())
		if err == nil || cfg != nil {
			t.Errorf("%.80q: no error, want %s", tt.src, tt.want)
			continue
		}
		var one *Error
		if !errors.As(err, &one) || one.Line < 1 || one.Column < 1 || one.File != "c" {
			t.Errorf("%.80q: no place in %#v", tt.src, one)
		}
		if !strings.Contains("\n"+err.Error(), tt.want) {
			t.Errorf("%.80q:\n got %.300s\nwant %s", tt.src, err, tt.want)
		}
	}
}

func TestAllErrorsInOrder(t *testing.T) {
	_, err := Parse("c", []byte("zzz: 1\nrecords:\n  - shape: bits\n    paths: [/a, b/]\n  - shape: bits\nversion: 3\n"), nil)
	var all Errors
	if !errors.As(err, &all) || len(all) != 7 {
		t.Fatalf("%d errors: %v", len(all), err)
	}
	var places []string
	for _, e := range all {
		places = append(places, fmt.Sprintf("%d:%d %s", e.Line, e.Column, e.Key))
	}
	want := []string{"1:1 zzz", "3:12 records[0].shape", "4:13 records[0].paths[0]", "4:17 records[0].paths[1]", "5:5 records[1]", "5:12 records[1].shape", "6:10 version"}
	if diff := cmp.Diff(want, places); diff != "" {
		t.Error(diff)
	}
}

func TestErrorsAreBounded(t *testing.T) {
	var many strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&many, "key%d: 1\n", i)
	}
	_, err := Parse("c", []byte(many.String()), nil)
	var all Errors
	if !errors.As(err, &all) || len(all) != maxErrors {
		t.Errorf("%d errors, want %d", len(all), maxErrors)
	}
	_, err = Parse("c", []byte("x"+strings.Repeat("é", 100000)+": 1\n"), nil)
	if err == nil || len(err.Error()) > 500 {
		t.Errorf("a long key makes a message of %d bytes", len(fmt.Sprint(err)))
	}
}

// TestAliasBomb repeats a list of 20,000 globs in 2,000 records.
func TestAliasBomb(t *testing.T) {
	src := "records:\n- {paths: &p [" + strings.Repeat("a,", 20000) + "], shape: bytes}\n" + strings.Repeat("- {paths: *p, shape: bytes}\n", 2000)
	_, err := Parse("c", []byte(src), nil)
	if err == nil || !strings.Contains(err.Error(), "more than 131072 values") {
		t.Errorf("error %v", err)
	}
}

func TestUnknownChecksPassWithoutIds(t *testing.T) {
	c, err := Parse("c", []byte("checks: {whatever: off}"), nil)
	if err != nil || c.Checks["whatever"].CI != finding.Off {
		t.Errorf("%v, %v", c, err)
	}
}

// FuzzParse: whatever comes in, there is an error or a configuration that prints as itself.
func FuzzParse(f *testing.F) {
	for _, s := range []string{docsExample, docsMistake, "", "a: &x [*x]", "\ufeff---\n", "? a\n: b", "<<: {a: 1}", "guards: {rules: [{key: done, remove: true}]}", "checks: {a: {ci: off}, \"b c\": fail}", "%YAML 1.1\n---\nlimits: {file: 1_0}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		c, err := Parse("c", src, nil)
		if err != nil {
			var all Errors
			if !errors.As(err, &all) || len(all) == 0 || len(all) > maxErrors {
				t.Fatalf("error %#v", err)
			}
			for _, e := range all {
				if e.Line < 1 || e.Column < 1 || strings.ContainsAny(e.Error(), "\n\x1b") {
					t.Fatalf("error %q", e.Error())
				}
			}
			return
		}
		sameAfterPrinting(t, c)
	})
}
