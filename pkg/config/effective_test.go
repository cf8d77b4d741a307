package config

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/seed-4419f9ca/forge/pkg/finding"
)

// sameAfterPrinting checks that Effective prints c so that Parse gives it back, twice the same.
func sameAfterPrinting(t interface {
	Fatalf(format string, args ...any)
}, c *Config) {
	out := Effective(c)
	again, err := Parse("again", out, nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	ignore := cmp.Options{
		cmpopts.IgnoreFields(Config{}, "Source"), cmpopts.IgnoreFields(GuardRule{}, "Line"), cmpopts.IgnoreFields(Record{}, "Line"),
	}
	if diff := cmp.Diff(c, again, ignore); diff != "" {
		t.Fatalf("printed and read again (-before +after):\n%s\n%s", diff, out)
	}
	again.Source = c.Source
	if string(Effective(again)) != string(out) {
		t.Fatalf("not the same twice:\n%s", out)
	}
}

func TestEffective(t *testing.T) {
	c, err := Parse(Path, []byte(docsExample), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := `# from .forge/config.yaml
version: 1
checks:
  impact: {pre-commit: off, ci: fail}
  preflight: fail
ignore: ["vendor/", "**/testdata/**", "!vendor/ours/"]
guards:
  # preset: the rows in use are armed
  # require: only new files must have one
  provenance: fail
  # reference: no reference copy
  rules:
    - key: "deploy"
      kind: "GOVERNED"
      header: "<!-- ⚠️ GOVERNED — /release only -->"
      paths: ["deploy/*.sh"]
      policy: governed
      via: ["/release"]
      # remove: false
`
	out := string(Effective(c))
	if !strings.HasPrefix(out, want) {
		t.Errorf("got\n%s\nwant it to begin\n%s", out, want)
	}
	if want := "# no configuration file, these are the defaults\nversion: 1\nlimits:\n  file: 10485760\n"; string(Effective(Default())) != want {
		t.Errorf("got\n%s\nwant\n%s", Effective(Default()), want)
	}
	sameAfterPrinting(t, c)
}

func TestWhatIsPrintedIsReadBack(t *testing.T) {
	text := rapid.OneOf(
		rapid.SampledFrom([]string{"a", "off", "true", "1", "2020-01-01", "~", "# a", "a: b", "- x", "é ⚠️", `"q"`, "'", "{a}", "[a]", "&a", "*a", "!a", "%", "@", "`", "\u00a0x", "x\u200b"}),
		rapid.StringMatching(`[a-zé#:{}\[\]&*!|>'"%@, -]{1,8}[a-z]`),
	)
	glob := rapid.SampledFrom([]string{"a", "**/*.md", "a/b/**", "{a,b}/*.txt", "[!a]x", `\*x`, "1", "off", "é/*"})
	optional := func(t *rapid.T, label string, g *rapid.Generator[string]) string {
		if rapid.Bool().Draw(t, label+"?") {
			return g.Draw(t, label)
		}
		return ""
	}
	lists := func(t *rapid.T, label string, g *rapid.Generator[string], least int) []string {
		if least == 0 && rapid.Bool().Draw(t, label+" nil") {
			return nil
		}
		return append([]string{}, rapid.SliceOfN(g, least, 3).Draw(t, label)...)
	}
	names := rapid.SampledFrom([]string{"ops", "done", "kernel", "x-1", "null", "1", "đóng", "a.b", "a:b", "#a"})
	level := rapid.SampledFrom([]finding.Level{"", "off", "flag", "fail"})
	rapid.Check(t, func(t *rapid.T) {
		c := Default()
		for _, id := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"wal", "guard-header", "null", "a b", "1", "Off"}), 0, 3, rapid.ID).Draw(t, "ids") {
			one := func(stage string) finding.Level { return level.Draw(t, id+stage) }
			c.Checks[id] = Levels{one("pre-commit"), one("commit-msg"), one("pre-push"), one("ci"), one("pre-receive"), one("manual")}
		}
		c.Ignore = lists(t, "ignore", rapid.SampledFrom([]string{"a", "!a", "*.log", "/x/", "a b", "[", "~"}), 0)
		c.Limits.File = rapid.Int64Range(1, 1<<62).Draw(t, "limit")
		if rapid.Bool().Draw(t, "guards") {
			g := &Guards{
				Preset:       optional(t, "preset", rapid.SampledFrom([]string{"para", "none"})),
				Provenance:   optional(t, "provenance", rapid.SampledFrom([]string{"off", "flag", "fail"})),
				Reference:    optional(t, "reference", rapid.SampledFrom([]string{"a/b", "off", "1"})),
				OpenWorkflow: optional(t, "open", glob),
				Tables:       lists(t, "tables", glob, 0),
				Preflight:    lists(t, "preflight", names, 0),
				Placeholders: lists(t, "placeholders", text, 0),
			}
			for i, key := range rapid.SliceOfNDistinct(names, 0, 3, rapid.ID).Draw(t, "keys") {
				r := GuardRule{Key: key, Kind: optional(t, fmt.Sprint("kind", i), text), Header: "<!-- ⚠️ " + text.Draw(t, fmt.Sprint("header", i)) + " -->",
					Policy: rapid.SampledFrom(Policies()).Draw(t, fmt.Sprint("policy", i)), Paths: lists(t, fmt.Sprint("paths", i), glob, 1), Via: lists(t, fmt.Sprint("via", i), text, 0)}
				if key == "kernel" && rapid.Bool().Draw(t, "remove") {
					r = GuardRule{Key: key, Remove: true}
				}
				g.Rules = append(g.Rules, r)
			}
			c.Guards = g
		}
		for i := range rapid.IntRange(0, 3).Draw(t, "records") {
			r := Record{Paths: lists(t, fmt.Sprint("record", i), glob, 1), Shape: rapid.SampledFrom([]string{"bytes", "jsonl", "list"}).Draw(t, fmt.Sprint("shape", i)),
				Direction: optional(t, fmt.Sprint("direction", i), rapid.SampledFrom([]string{"end", "top", "any"})), Archive: optional(t, fmt.Sprint("archive", i), rapid.Just("x/y"))}
			if r.Shape == "jsonl" {
				r.Chain, r.Time = rapid.Bool().Draw(t, fmt.Sprint("chain", i)), optional(t, fmt.Sprint("time", i), text)
			}
			c.Records = append(c.Records, r)
		}
		if rapid.Bool().Draw(t, "mind") {
			c.Mind = &Mind{
				Files:        optional(t, "files", rapid.SampledFrom([]string{"s-<N>/<N>.md", "*/**/<N>/_mind-<N>.md", "é/<N>/x-<N>"})),
				ClosedMarker: optional(t, "marker", rapid.SampledFrom([]string{"end.md", "off", "1"})),
				CopyWords:    rapid.SampledFrom([]int64{0, 2, 9, 1000}).Draw(t, "words"),
				BudgetFile:   optional(t, "budget", rapid.Just("a/b.json")),
				BudgetKey:    optional(t, "key", text),
				Settled:      lists(t, "settled", rapid.SampledFrom([]string{"docs/<N>.md", "**/hand-over-<N>.md"}), 0),
				Reviewers:    lists(t, "reviewers", text, 0),
				Writer:       optional(t, "writer", text),
			}
		}
		sameAfterPrinting(t, c)
	})
}
