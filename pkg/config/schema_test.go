package config

import (
	"bytes"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"
)

func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestSchemaAgreesWithParse holds samples of every rule that the schema can say against both.
func TestSchemaAgreesWithParse(t *testing.T) {
	schema := compiled(t)
	row := func(fields string) string { return "guards: {rules: [{" + fields + "}]}" }
	rec := func(fields string) string { return "records: [{" + fields + "}]" }
	good := []string{
		docsExample, "{}", "version: 1", "checks: {}", "checks:\nignore:\nguards:\nrecords:\nlimits:\n", "checks: {a: {}}",
		"checks: {a: \"off\", b: {manual: flag}}", "ignore: ['!a', '/a/', 'a b', '[']", "guards: {}", "guards: {rules: []}", "guards: {tables: []}",
		"guards: {preset: para, require: always, provenance: \"off\", reference: a/b/, open-workflow: '**/x.md', preflight: [a, b-c], placeholders: ['x y']}",
		row("key: done"), row("key: done, via: []"), row("key: done, paths: [a]"), row("key: done, remove: true"), row("key: x, header: '<!-- a -->', paths: [a], policy: none"),
		row("key: x, header: '<!-- a -->', paths: [a], policy: none, remove: false"), row("key: x, header: '<!-- a -- b -->', paths: [a], policy: none, via: [/a], kind: K"),
		rec("paths: [a], shape: bytes"), rec("paths: ['**/*.x', 'a/{b,c}'], shape: jsonl, chain: true, time: t, direction: top, archive: a/b"), rec("paths: [a], shape: list, chain: false"),
		rec("paths: ['...', 'a..b', '.a', 'a.'], shape: list"), "layer: {governed: []}", "layer: {governed: ['docs/**/*.md']}", "layer:", "claims:", "claims: {store: docs/system/, kinds: {RSK: risk, A1: a-b2}, always-loaded: ['AGENTS.md'], budget-lines: 400}", "claims: {kinds: }", "limits: {file: 1}", "limits: {file: 10MiB}", "limits: {}",
	}
	bad := []string{
		"[]", "x", "1", "zzz: 1", "version: 2", "version: \"1\"", "version:", "checks: []", "checks: {a: x}", "checks: {a: }", "checks: {a: [fail]}", "checks: {a: {ci: x}}", "checks: {a: {x: fail}}", "checks: {a: {ci: }}",
		"ignore: a", "ignore: [1]", "ignore: ['']", "ignore: ['#a']", "ignore: [\"a\\nb\"]", "ignore: [~]", "guards: []", "guards: {x: 1}", "guards: {preset: x}", "guards: {preset: }", "guards: {require: x}", "guards: {provenance: x}",
		"guards: {reference: /a}", "guards: {reference: a/../b}", "guards: {reference: 'a\\b'}", "guards: {open-workflow: ../a}", "guards: {tables: [/a]}", "guards: {tables: [a/]}", "guards: {tables: ['!a']}", "guards: {tables: [c:/a]}",
		"guards: {preflight: [/a]}", "guards: {preflight: [a b]}", "guards: {preflight: ['*']}", "guards: {placeholders: ['']}", "guards: {rules: {}}", "guards: {rules: [~]}",
		row(""), row("key: ''"), row("key: x"), row("key: x, remove: true"), row("key: done, remove: true, policy: none"), row("key: x, header: '<!-- a -->', paths: [a]"), row("key: x, header: '<!-- a -->', policy: none"), row("key: done, remove: x"),
		row("key: done, header: a"), row("key: done, header: '<!-- -->'"), row("key: done, header: '<!-- a --> b'"), row("key: done, header: '<!-- a --> -->'"), row("key: done, header: '<!--> a -->'"), row("key: done, paths: []"), row("key: done, paths: a"), row("key: done, paths: "),
		row("key: done, policy: x"), row("key: done, via: x"), row("key: done, kind: 1"), row("key: a/b, header: '<!-- a -->', paths: [a], policy: none"),
		rec(""), rec("paths: [a]"), rec("shape: bytes"), rec("paths: [], shape: bytes"), rec("paths: [//a], shape: bytes"), rec("paths: [a//b], shape: bytes"), rec("paths: [a], shape: x"), rec("paths: [a], shape: bytes, chain: true"), rec("paths: [a], shape: bytes, time: t"),
		rec("paths: [a], shape: bytes, direction: x"), rec("paths: [a], shape: bytes, archive: a/"), rec("paths: [a], shape: bytes, archive: ./a"), rec("paths: [a], shape: jsonl, chain: x"), rec("paths: [a], shape: jsonl, x: 1"),
		"layer: []", "layer: {governed: docs}", "layer: {governed: [/docs]}", "layer: {governs: []}", "claims: []", "claims: {store: /a}", "claims: {store: ''}", "claims: {kinds: [A]}", "claims: {kinds: {rsk: risk}}", "claims: {kinds: {1A: risk}}", "claims: {kinds: {ABCDEFGHIJKLMNOPQ: a}}", "claims: {kinds: {A: Risk}}", "claims: {kinds: {A: a--b}}", "claims: {kinds: {A: a-}}", "claims: {kinds: {A: -a}}", "claims: {kinds: {A: }}", "claims: {always-loaded: a}", "claims: {budget-lines: 401}", "claims: {budget-lines: 0}", "claims: {budget-lines: x}", "claims: {touch: file}", "limits: []", "limits: {x: 1}", "limits: {file: 0}", "limits: {file: -1}", "limits: {file: 10MB}", "limits: {file: 0KiB}", "limits: {file: ''}", "limits: {file: 1.5}", "limits: {file: }", "limits: {file: 9999999999KiB}",
	}
	check := func(src string, want bool) {
		_, err := Parse("c", []byte(src), nil)
		if (err == nil) != want {
			t.Errorf("Parse(%q): %v", src, err)
		}
		var v any
		if err := yaml.Unmarshal([]byte(src), &v); err != nil {
			t.Fatalf("%q: %v", src, err)
		}
		if err := schema.Validate(v); (err == nil) != want {
			t.Errorf("the schema on %q: %v", src, err)
		}
	}
	for _, src := range good {
		check(src, true)
	}
	for _, src := range bad {
		check(src, false)
	}
}
