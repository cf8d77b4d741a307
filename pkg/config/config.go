// Package config reads .forge/config.yaml (chapter 2.6 of the specification): typed, with positions, and with the nearest
// valid name in each error.
//
// What the file may hold is written down once, in the tables of table.go. They drive decoding and its errors, the JSON
// Schema (schema.json), the effective configuration, and docs/configuration.md.
package config

import (
	_ "embed"

	"github.com/seed-4419f9ca/forge/pkg/finding"
)

// Path is where the configuration stands in a repository.
const Path = ".forge/config.yaml"

// DefaultFileLimit is limits.file without a configuration: 10 MiB (chapter 3.5).
const DefaultFileLimit = 10 << 20

// A Config is a whole configuration. The zero Config, with Limits filled in by Default, is that of a repository without
// a file.
type Config struct {
	Source  string            // path of the file it was read from; "" without one
	Checks  map[string]Levels // by check id
	Ignore  []string          // gitignore patterns
	Guards  *Guards           // nil when the key is absent; its presence arms the default rows
	Records []Record
	Mind    *Mind   // nil when the key is absent
	Layer   *Layer  // nil when the key is absent
	Claims  *Claims // nil when the key is absent
	Limits  Limits
}

// Levels of a check; "" where the configuration says nothing.
type Levels struct {
	PreCommit, CommitMsg, PrePush, CI, PreReceive, Manual finding.Level
}

// Limits bound what is read.
type Limits struct {
	File int64 // bytes; files above are skipped with that reason, except for prefix checks
}

// Guards configures chapter 4.
type Guards struct {
	Preset       string      // "", "para" or "none"
	Require      string      // "" or "always"
	Provenance   string      // "", "off", "flag" or "fail"
	Reference    string      // folder or sha256sum manifest, without a slash at its end; "" for none
	Rules        []GuardRule // added to, or replacing, the default rows by key
	Tables       []string    // globs of the rules files with guard tables; nil for the default
	OpenWorkflow string      // glob; "" for the default
	Preflight    []string    // names of workflows; nil for the default
	Placeholders []string    // task texts that a scaffold writes and that may go; nil for the default
}

// A GuardRule is one row of guards.rules. A row whose key is a default one (DefaultGuardKeys) overrides the fields that it
// gives: "" and nil stand for those it does not give, an empty list is given. Any other row is complete: it has Header,
// Paths and Policy. With Remove there is only Key, a default one.
type GuardRule struct {
	Key, Kind, Header, Policy string
	Paths, Via                []string
	Remove                    bool
	Line                      int // of the row in the file
}

// A Record is one row of records (chapter 5.1).
type Record struct {
	Paths     []string
	Shape     string // bytes, jsonl, entries, list, blocks
	Direction string // "", "end", "top", "any"
	Archive   string // path or ""
	Chain     bool   // only with shape jsonl
	Time      string // name of the time field of JSON lines, or ""; only with shape jsonl
	Line      int    // of the row in the file
}

// Mind configures chapter 6.
type Mind struct {
	Files        string   // pattern of the notes with <N> for the session; "" for the default
	ClosedMarker string   // name of the file that closes a session; "" for the default
	CopyWords    int64    // length of a run of words that counts as copied; 0 for the default
	BudgetFile   string   // JSON file with the budget; "" for the default
	BudgetKey    string   // its key; "" for the default
	Settled      []string // globs of files that hold what is settled, with <N> for the session
	Reviewers    []string // roles whose line a closed session needs; nil when it needs none
	Writer       string   // role that writes the notes, whose line is no review; "" for none
}

// Layer configures chapters 5.3 and 8.
type Layer struct {
	Governed []string // globs of the governed documents of a repository without a layer
}

// Default returns the configuration of a repository that has none.
func Default() *Config {
	return &Config{Checks: map[string]Levels{}, Limits: Limits{File: DefaultFileLimit}}
}

// DefaultGuardKeys returns the keys of the default guard rows (chapter 4.1).
func DefaultGuardKeys() []string {
	return []string{"done", "hot-lane", "backlog", "kernel", "governed", "workspace"}
}

// Policies returns the names that a guard rule's policy can have (chapter 4.4); "none" asks for the header alone.
func Policies() []string {
	return []string{"append-only", "read-only", "governed", "authority", "hot-lane", "none"}
}

//go:generate go test -run TestGeneratedFiles -update .

//go:embed schema.json
var schema string

// Schema returns the JSON Schema (draft 2020-12) of the file. Like the Schema of any format it cannot say everything:
// Parse also refuses duplicate keys, bad globs, unknown checks and rows that stand twice.
func Schema() []byte { return []byte(schema) }
