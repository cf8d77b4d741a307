package config

import (
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/nearest"
)

// table is the whole of what the file may hold. A new section is a function like those below and a row here.
func table() object[Config] {
	return object[Config]{keys: []key[Config]{
		{name: "version", doc: "Version of the format. A file without it is of version 1.", def: "1",
			value: in[Config, Config](only[Config]{1}, func(c *Config) *Config { return c })},
		{name: "checks", doc: "Levels of checks, by the id of the check; what is not said here keeps the check's own defaults.",
			value: in[Config, map[string]Levels](checks{}, func(c *Config) *map[string]Levels { return &c.Checks })},
		{name: "ignore", doc: "Files that content checks leave out. The patterns of `.forgeignore` in the root come first.",
			value: in[Config, []string](list[string]{of: ignorePattern(), words: "a list of gitignore patterns"}, func(c *Config) *[]string { return &c.Ignore })},
		{name: "guards", doc: "File guards. The key alone arms the default rows.",
			value: in[Config, *Guards](optional[Guards]{guards()}, func(c *Config) **Guards { return &c.Guards })},
		{name: "records", doc: "Append-only files, beside those that Forge knows by their names.",
			value: in[Config, []Record](list[Record]{of: record(), words: "a list of records"}, func(c *Config) *[]Record { return &c.Records })},
		{name: "mind", doc: "Session notes.",
			value: in[Config, *Mind](optional[Mind]{mind()}, func(c *Config) **Mind { return &c.Mind })},
		{name: "layer", doc: "The context layer.",
			value: in[Config, *Layer](optional[Layer]{layer()}, func(c *Config) **Layer { return &c.Layer })},
		{name: "claims", doc: "Anchored claims.",
			value: in[Config, *Claims](optional[Claims]{claims()}, func(c *Config) **Claims { return &c.Claims })},
		{name: "limits", doc: "Bounds of what is read.",
			value: in[Config, Limits](limits(), func(c *Config) *Limits { return &c.Limits })},
	}}
}

func mind() object[Mind] {
	str := in[Mind, string]
	strs := in[Mind, []string]
	return object[Mind]{keys: []key[Mind]{
		{name: "files", doc: "Where notes stand: a path with `<N>` for the number of the session, in a folder and in the file's name. A folder `*` stands for any one, `**` for any number of them.",
			def: `".claude/sessions/session-<N>/_mind-s-<N>.md"`, value: str(notesPattern(), func(m *Mind) *string { return &m.Files })},
		{name: "closed-marker", doc: "File in the folder of a session that says it is closed.", def: "closed.md",
			value: str(path("a path", false), func(m *Mind) *string { return &m.ClosedMarker })},
		{name: "copy-words", doc: "Number of words in a row that count as copied from the owner.", def: "8",
			value: in[Mind, int64](count{least: 2, most: 1000}, func(m *Mind) *int64 { return &m.CopyWords })},
		{name: "budget-file", doc: "JSON file that holds the budget.", def: "memory-budget.json",
			value: str(path("a path", false), func(m *Mind) *string { return &m.BudgetFile })},
		{name: "budget-key", doc: "Its key with the greatest size of notes in KiB. Without the file or the key it is 32.", def: "mind_ctx_kb",
			value: str(anything(), func(m *Mind) *string { return &m.BudgetKey })},
		{name: "settled", doc: "Files that hold what is settled, beside the logs in the folder of the session; `<N>` is its number.", def: "no further files",
			value: strs(list[string]{of: settledGlob(), words: "a list of globs"}, func(m *Mind) *[]string { return &m.Settled })},
		{name: "reviewers", doc: "Roles of which one has to have a line in the first and in the newest block of a closed session.", def: "none is needed",
			value: strs(list[string]{of: anything(), words: "a list of roles"}, func(m *Mind) *[]string { return &m.Reviewers })},
		{name: "writer", doc: "Role that writes the notes; its own line is no review.", def: "none",
			value: str(anything(), func(m *Mind) *string { return &m.Writer })},
	}}
}

func layer() object[Layer] {
	return object[Layer]{keys: []key[Layer]{
		{name: "governed", doc: "Documents whose changes need an entry of the changelog, where no `leji.json` says which they are.", def: "none",
			value: in[Layer, []string](globs(0), func(l *Layer) *[]string { return &l.Governed })},
	}}
}

func limits() object[Limits] {
	return object[Limits]{keys: []key[Limits]{
		{name: "file", doc: "Size above which a file is skipped, which the report then says. Records are compared whatever their size.",
			def: strconv.Itoa(DefaultFileLimit), value: in[Limits, int64](size{}, func(l *Limits) *int64 { return &l.File })},
	}}
}

func guards() object[Guards] {
	str := in[Guards, string]
	strs := in[Guards, []string]
	return object[Guards]{
		keys: []key[Guards]{
			{name: "preset", doc: "`para` arms all default rows, `none` disarms them; rows of `rules` are armed in any case.", def: "the rows in use are armed",
				value: str(enum[string]{[]string{"para", "none"}}, func(g *Guards) *string { return &g.Preset })},
			{name: "require", doc: "`always` makes a header that was never there a failure and not a flag.", def: "only new files must have one",
				value: str(enum[string]{[]string{"always"}}, func(g *Guards) *string { return &g.Require })},
			{name: "provenance", doc: "One level, for all stages, for a change of a guarded file that no workflow accounts for.", def: "decided by stage",
				value: str(enum[string]{[]string{"off", "flag", "fail"}}, func(g *Guards) *string { return &g.Provenance })},
			{name: "reference", doc: "Reference copy of the guarded files: a folder that holds them under their full paths, or a manifest in the format of sha256sum.", def: "no reference copy",
				value: str(path("a path", true), func(g *Guards) *string { return &g.Reference })},
			{name: "rules", doc: "Rows that add to the default ones, or change or remove one of the same key.",
				value: in[Guards, []GuardRule](list[GuardRule]{of: guardRule(), words: "a list of rules"}, func(g *Guards) *[]GuardRule { return &g.Rules })},
			{name: "tables", doc: "Rules files whose tables of guarded files are checked.",
				def:   "[.agent/rules.md, .agent/rules/*.md, .agents/rules.md, .agents/rules/*.md, Projects/*/.agent/rules.md, Projects/*/.agents/rules.md]",
				value: strs(globs(0), func(g *Guards) *[]string { return &g.Tables })},
			{name: "open-workflow", doc: "Workflow that opens a session, whose report must have the safety block.", def: `"**/workflows/open.md"`,
				value: str(globText(), func(g *Guards) *string { return &g.OpenWorkflow })},
			{name: "preflight", doc: "Workflows that must begin with step 0; each is a file `**/workflows/<name>.md`.", def: "[push, release, end, plan, docs, backlog, retro]",
				value: strs(list[string]{of: name("the name of a workflow"), words: "a list of names"}, func(g *Guards) *[]string { return &g.Preflight })},
			{name: "placeholders", doc: "Texts of tasks that a scaffold writes and that may disappear.", def: `["FEAT-01: Task description #backlog", …]`,
				value: strs(list[string]{of: anything(), words: "a list of texts"}, func(g *Guards) *[]string { return &g.Placeholders })},
		},
		check: func(d *decoder, n *yaml.Node, key string, g *Guards, given map[string]*yaml.Node) {
			first := map[string]int{}
			for i, r := range g.Rules {
				if line, ok := first[r.Key]; ok && r.Key != "" {
					at := key + ".rules[" + strconv.Itoa(i) + "].key"
					d.fail(child(given["rules"], i), at, "", "a rule with the key %s also stands on line %d", quote(r.Key), line)
				}
				first[r.Key] = r.Line
			}
		},
	}
}

// child returns item i of a list as far as it is there, for its place.
func child(n *yaml.Node, i int) *yaml.Node {
	if i < len(n.Content) {
		return n.Content[i]
	}
	return n
}

func guardRule() object[GuardRule] {
	str := in[GuardRule, string]
	return object[GuardRule]{
		keys: []key[GuardRule]{
			{name: "key", doc: "Name of the row; that of a default row (" + listed(DefaultGuardKeys()) + ") changes the fields of it that are given here.", required: true,
				value: str(name("a name"), func(r *GuardRule) *string { return &r.Key })},
			{name: "kind", doc: "Word for the kind of file, shown in reports.",
				value: str(anything(), func(r *GuardRule) *string { return &r.Kind })},
			{name: "header", doc: "The guard header, as a whole HTML comment. Other kinds of files carry its text in their own comments. A new row has one.",
				value: str(header(), func(r *GuardRule) *string { return &r.Header })},
			{name: "paths", doc: "Files that the row guards. A new row has some.",
				value: in[GuardRule, []string](globs(1), func(r *GuardRule) *[]string { return &r.Paths })},
			{name: "policy", doc: "What may be done to the files; `none` asks for the header alone. A new row has one.",
				value: str(enum[string]{Policies()}, func(r *GuardRule) *string { return &r.Policy })},
			{name: "via", doc: "Workflows that may change the files where the policy forbids it.", def: "none may",
				value: in[GuardRule, []string](list[string]{of: anything(), words: "a list of workflows"}, func(r *GuardRule) *[]string { return &r.Via })},
			{name: "remove", doc: "`true` takes the default row of this key away; the other fields are left out.", def: "false",
				value: in[GuardRule, bool](boolean{}, func(r *GuardRule) *bool { return &r.Remove })},
		},
		check: checkRule,
		also: map[string]any{
			"if": map[string]any{"properties": map[string]any{"remove": map[string]any{"const": true}}, "required": []string{"remove"}},
			"then": map[string]any{
				"properties":    map[string]any{"key": map[string]any{"enum": DefaultGuardKeys()}},
				"maxProperties": 2,
			},
			"else": map[string]any{"anyOf": []any{
				map[string]any{"properties": map[string]any{"key": map[string]any{"enum": DefaultGuardKeys()}}},
				map[string]any{"required": []string{"header", "paths", "policy"}},
			}},
		},
		line: func(r *GuardRule) *int { return &r.Line },
	}
}

// checkRule checks which fields a row of guards.rules has.
func checkRule(d *decoder, n *yaml.Node, key string, r *GuardRule, given map[string]*yaml.Node) {
	if r.Key == "" {
		return
	}
	known := slices.Contains(DefaultGuardKeys(), r.Key)
	near := nearest.Name(r.Key, DefaultGuardKeys())
	switch {
	case r.Remove && !known && near == "":
		d.fail(given["key"], key+".key", "", "there is no default row %s to remove; there are %s", quote(r.Key), strings.Join(DefaultGuardKeys(), ", "))
	case r.Remove && !known:
		d.fail(given["key"], key+".key", near, "there is no default row %s to remove", quote(r.Key))
	case r.Remove:
		for _, other := range []string{"kind", "header", "paths", "policy", "via"} {
			if v := given[other]; v != nil {
				d.fail(v, key+"."+other, "", "a row that is removed has no other fields")
			}
		}
	case !known:
		for _, field := range []string{"header", "paths", "policy"} {
			if given[field] == nil {
				d.fail(n, key, near, "%q is missing, which a new row must have (%s is no default row)", field, quote(r.Key))
			}
		}
	}
}

func record() object[Record] {
	str := in[Record, string]
	jsonl := map[string]any{"properties": map[string]any{"shape": map[string]any{"const": "jsonl"}}}
	return object[Record]{
		keys: []key[Record]{
			{name: "paths", doc: "The files.", required: true,
				value: in[Record, []string](globs(1), func(r *Record) *[]string { return &r.Paths })},
			{name: "shape", doc: "What an entry is: all bytes, a line of JSON, an id in a JSON changelog, an item of a list under its heading, or a numbered block.", required: true,
				value: str(enum[string]{[]string{"bytes", "jsonl", "entries", "list", "blocks"}}, func(r *Record) *string { return &r.Shape })},
			{name: "direction", doc: "Where new entries go.", def: "as is usual for the shape",
				value: str(enum[string]{[]string{"end", "top", "any"}}, func(r *Record) *string { return &r.Direction })},
			{name: "archive", doc: "File that grows by what leaves the record in the same change.", def: "nothing may leave",
				value: str(path("a path", false), func(r *Record) *string { return &r.Archive })},
			{name: "chain", doc: "Each line carries the SHA-256 of the one before in `prev`. Only with the shape `jsonl`.", def: "false",
				value: in[Record, bool](boolean{}, func(r *Record) *bool { return &r.Chain })},
			{name: "time", doc: "Field of a line that holds its time, which should not run backwards. Only with the shape `jsonl`.", def: "no field",
				value: str(anything(), func(r *Record) *string { return &r.Time })},
		},
		check: func(d *decoder, n *yaml.Node, key string, r *Record, given map[string]*yaml.Node) {
			for _, field := range []string{"chain", "time"} {
				if given[field] != nil && (field == "time" || r.Chain) && r.Shape != "jsonl" && r.Shape != "" {
					d.fail(given[field], join(key, field), "", `only records of the shape "jsonl" have it, and this one is %s`, quote(r.Shape))
				}
			}
		},
		also: map[string]any{"dependentSchemas": map[string]any{
			"time":  jsonl,
			"chain": map[string]any{"anyOf": []any{jsonl, map[string]any{"properties": map[string]any{"chain": map[string]any{"const": false}}}}},
		}},
		line: func(r *Record) *int { return &r.Line },
	}
}

func listed(names []string) string { return "`" + strings.Join(names, "`, `") + "`" }

// checks is the mapping of checks to levels.
type checks struct{}

// levels is the levels of one check: one for all stages, or a mapping of stages.
type levels struct{}

func level() enum[finding.Level] {
	return enum[finding.Level]{[]finding.Level{finding.Off, finding.Flag, finding.Fail}}
}

func stages() object[Levels] {
	lev := in[Levels, finding.Level]
	return object[Levels]{keys: []key[Levels]{
		{name: "pre-commit", doc: "Before a commit.", value: lev(level(), func(l *Levels) *finding.Level { return &l.PreCommit })},
		{name: "commit-msg", doc: "When the message is there.", def: "that of pre-commit", value: lev(level(), func(l *Levels) *finding.Level { return &l.CommitMsg })},
		{name: "pre-push", doc: "Before a push.", value: lev(level(), func(l *Levels) *finding.Level { return &l.PrePush })},
		{name: "ci", doc: "In CI.", value: lev(level(), func(l *Levels) *finding.Level { return &l.CI })},
		{name: "pre-receive", doc: "On the server.", def: "that of ci", value: lev(level(), func(l *Levels) *finding.Level { return &l.PreReceive })},
		{name: "manual", doc: "Everywhere else.", def: "that of ci", value: lev(level(), func(l *Levels) *finding.Level { return &l.Manual })},
	}}
}
