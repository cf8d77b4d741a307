package config

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write schema.json and docs/configuration.md")

const (
	schemaFile = "schema.json"
	docsFile   = "../../docs/configuration.md"
)

// TestGeneratedFiles compares the schema and the documentation with the tables; with -update it writes them.
func TestGeneratedFiles(t *testing.T) {
	for name, want := range map[string][]byte{schemaFile: schemaText(t), docsFile: docsText(t)} {
		if *update {
			if err := os.WriteFile(name, want, 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		got, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%q is not what the tables say; run go generate ./pkg/config", name)
		}
	}
	if !*update && !bytes.Equal(Schema(), schemaText(t)) {
		t.Errorf("Schema() is not the committed file")
	}
}

func schemaText(t *testing.T) []byte {
	t.Helper()
	s := table().describe().schema
	s["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	s["$id"] = "https://github.com/seed-4419f9ca/forge/pkg/config/schema.json"
	s["title"] = "Forge configuration (" + Path + ")"
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(s); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// docsTemplate is the part of the documentation that is written by hand. %s is the example, then the keys.
const docsTemplate = `# Configuration

<!-- Generated from the tables in pkg/config/table.go by go generate ./pkg/config; a test compares. -->

Forge needs no configuration. What differs from its defaults stands in ` + "`.forge/config.yaml`" + `, which is read from the
snapshot that is judged: a commit is held to the configuration that it carries. ` + "`--config FILE`" + ` reads another file,
` + "`--config-from REV`" + ` another commit's.

` + "```yaml\n%s```" + `

A mistake stops the run with exit code 2. Each message has the file, line and column, the path of the key and, where one
is close, the name that was probably meant:

` + "```\n%s\n```" + `

` + "`config --effective`" + ` prints what holds, with defaults as comments; ` + "`config --schema`" + ` prints the JSON Schema
(draft 2020-12) of the file for editors.

## Keys

%s
## Values

- **Glob**: a path from the root of the repository. ` + "`*` and `?`" + ` stay within one folder, ` + "`**`" + ` as a whole segment stands
  for any number of folders, ` + "`[a-z]` and `[!a-z]`" + ` are classes, ` + "`{a,b}`" + ` are alternatives (at most 256 combinations),
  ` + "`\\`" + ` takes the next sign literally. Case counts. A file is matched by its whole path.
- **Gitignore pattern**: as in ` + "`.gitignore`" + `, of which the last that matches decides; nothing below an ignored folder can
  be taken back. The order is ` + "`.forgeignore`" + ` first, then ` + "`ignore`" + `.
- **Level**: ` + "`off`, `flag` or `fail`" + `; the quotes that YAML 1.1 asks for around ` + "`off`" + ` are not needed.
- **Path**: from the root of the repository, with slashes, without ` + "`.` and `..`" + `.
- **Size**: a number of bytes, or with a unit: ` + "`512KiB`, `10MiB`, `2GiB`" + `.
- A mapping or a list with nothing after its colon is empty. Text that looks like a number or a date needs quotes.

The file is one YAML document in UTF-8 of at most %d KiB. Aliases are followed, up to %d values in all; keys are not merged.
`

// docsExample is parsed in a test.
const docsExample = `version: 1
checks:
  impact: {pre-commit: off, ci: fail}   # by stage
  preflight: fail                       # at every stage
ignore: [vendor/, "**/testdata/**", "!vendor/ours/"]
guards:
  provenance: fail
  rules:
    - key: deploy                       # a new row
      kind: GOVERNED
      header: "<!-- ⚠️ GOVERNED — /release only -->"
      paths: ["deploy/*.sh"]
      policy: governed
      via: [/release]
    - key: workspace                    # a default row, for other files
      paths: ["Notes/**/*.md"]
    - {key: kernel, remove: true}
records:
  - paths: ["logs/*.jsonl"]
    shape: jsonl
    chain: true
    archive: logs/archive/all.jsonl
limits: {file: 20MiB}
`

const docsMistake = "version: 1\nrecords:\n  - paths: [\"logs/*.txt\"]\n    shap: bytes\n    shape: bytes\n"

func docsText(t *testing.T) []byte {
	t.Helper()
	if _, err := Parse(Path, []byte(docsExample), []string{"impact", "preflight"}); err != nil {
		t.Errorf("the example of the documentation: %v", err)
	}
	_, mistake := Parse(Path, []byte(docsMistake), nil)
	if mistake == nil {
		t.Fatal("the mistake of the documentation is none")
	}
	var keys strings.Builder
	keys.WriteString("| key | value | without it | meaning |\n|---|---|---|---|\n")
	writeKeys(&keys, "", table().describe())
	return fmt.Appendf(nil, docsTemplate, docsExample, mistake, keys.String(), maxSize>>10, maxValues)
}

func writeKeys(b *strings.Builder, prefix string, s shape) {
	for _, k := range s.keys {
		def := k.def
		if k.required {
			def = "an error"
		} else if strings.ContainsAny(def, `[]"*`) {
			def = "`" + def + "`"
		}
		fmt.Fprintf(b, "| `%s` | %s | %s | %s |\n", prefix+k.name, k.words, strings.ReplaceAll(def, "|", `\|`), k.doc)
		writeKeys(b, prefix+k.name+k.suffix, k.shape)
	}
}
