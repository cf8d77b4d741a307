package record

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/checktest"
	"github.com/seed-4419f9ca/forge/pkg/config"
	"github.com/seed-4419f9ca/forge/pkg/facts"
	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/memory"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// passOf makes a pass of one check over a change, with a configuration.
func passOf(t *testing.T, c *check.Check, change *snapshot.Change, cfg string) *check.Pass {
	t.Helper()
	conf, err := config.Parse(config.Path, []byte("version: 1\n"+cfg), nil)
	if err != nil {
		t.Fatal(err)
	}
	ignored := func(p string) bool { return strings.HasPrefix(p, "ignored/") }
	return &check.Pass{
		Check: c, Change: change, Config: conf, Facts: &facts.Store{}, Stage: check.PreCommit, Ignored: ignored,
		Files: slices.DeleteFunc(slices.Clone(change.Files), func(f snapshot.File) bool { return ignored(f.Path) }),
	}
}

// told runs the pass and renders its findings, with their level when they only flag, and its reason to skip.
func told(t *testing.T, p *check.Pass) []string {
	t.Helper()
	if err := p.Check.Run(context.Background(), p); err != nil {
		t.Fatal(err)
	}
	var list []finding.Finding
	for _, f := range p.Findings() {
		if f.Message == "" || f.Help == "" || f.Anchor == "" {
			t.Errorf("a finding is not complete: %+v", f)
		}
		list = append(list, *f)
	}
	list = finding.Sort(list)
	out := checktest.Lines(list)
	for i, f := range list {
		if f.Level == finding.Flag {
			out[i] += " flag"
		}
	}
	if reason := p.Skipped(); reason != "" {
		out = append(out, "skip: "+reason)
	}
	return out
}

// clog is a changelog with these entries, each on a line of its own from line 2 on.
func clog(entries ...string) string {
	return "{\"schemaVersion\": \"1.0\", \"entries\": [\n" + strings.Join(entries, ",\n") + "\n]}\n"
}

func centry(id, date string) string {
	return fmt.Sprintf(`{"id": %q, "date": %q, "type": "changed", "summary": "S of %s", "paths": ["docs/%s.md"]}`, id, date, id, id)
}

func ccompact(id string, n int, first, last string) string {
	return fmt.Sprintf(`{"id": %q, "date": "2027-01-01", "type": "compaction", "summary": "Old", "paths": ["docs"], "compacted": {"entries": %d, "firstId": %q, "lastId": %q}}`, id, n, first, last)
}

const (
	ca, cb, cc, cd = "a 2026-01-01", "b 2026-01-02", "c 2026-01-03", "d 2026-01-04"
)

// of makes a changelog of entries written as "id date", or as whole JSON objects.
func of(list ...string) string {
	entries := make([]string, len(list))
	for i, s := range list {
		if entries[i] = s; !strings.HasPrefix(s, "{") {
			id, date, _ := strings.Cut(s, " ")
			entries[i] = centry(id, date)
		}
	}
	return clog(entries...)
}

// reworded is the entry of "id date" with another summary.
func reworded(s, summary string) string {
	id, date, _ := strings.Cut(s, " ")
	return strings.Replace(centry(id, date), "S of "+id, summary, 1)
}

const (
	lejiDocs = `{"rootPath": "docs/", "categories": {}}`
	lejiKB   = `{"rootPath": "docs/", "machine": {"changelogPath": "kb/log.json"}, "categories": {}}`
	clogPath = "docs/context-changelog.json"
	entriesA = "records:\n  - {paths: [\"logs/*.json\"], shape: entries}\n"
)

func TestChangelogFiles(t *testing.T) {
	base := of(ca, cb)
	edited := of(ca, reworded(cb, "T"))
	for _, tt := range []struct {
		title         string
		cfg           string
		before, after files
		want          []string
	}{
		{"no layer", "", files{"x": "a"}, files{"x": "b"}, []string{"skip: not used"}},
		{"layer without a changelog", "", files{"leji.json": lejiDocs}, files{"leji.json": lejiDocs, "x": ""}, []string{"skip: not used"}},
		{"untouched", "", files{"leji.json": lejiDocs, clogPath: base}, files{"leji.json": lejiDocs, clogPath: base, "x": ""}, nil},
		{"new", "", files{}, files{"leji.json": lejiDocs, clogPath: base}, nil},
		{"new and wrong", "", files{}, files{"leji.json": lejiDocs, clogPath: clog()}, []string{clogPath + ":1:37: changelog/schema"}},
		{"edited", "", files{"leji.json": lejiDocs, clogPath: base}, files{"leji.json": lejiDocs, clogPath: edited}, []string{clogPath + ":3:54: changelog/entry-edited"}},
		{"moved with its manifest", "", files{"leji.json": lejiDocs, clogPath: base}, files{"leji.json": lejiKB, "kb/log.json": base}, nil},
		{"moved and edited", "", files{"leji.json": lejiDocs, clogPath: base}, files{"leji.json": lejiKB, "kb/log.json": edited}, []string{"kb/log.json:3:54: changelog/entry-edited"}},
		{"moved without its manifest", "", files{"leji.json": lejiDocs, clogPath: base}, files{"leji.json": lejiDocs, "kb/log.json": base}, []string{clogPath + ": changelog/deleted"}},
		{"manifest moved without it", "", files{"leji.json": lejiDocs, clogPath: base}, files{"leji.json": lejiKB, clogPath: base}, []string{clogPath + ": changelog/deleted"}},
		{"deleted", "", files{"leji.json": lejiDocs, clogPath: base}, files{"leji.json": lejiDocs}, []string{clogPath + ": changelog/deleted"}},
		{"deleted with its manifest", "", files{"leji.json": lejiDocs, clogPath: base}, files{}, []string{clogPath + ": changelog/deleted"}},
		{"manifest gone, changelog edited", "", files{"leji.json": lejiDocs, clogPath: base}, files{clogPath: edited}, []string{clogPath + ":3:54: changelog/entry-edited"}},
		{"manifest gone, changelog kept", "", files{"leji.json": lejiDocs, clogPath: base}, files{clogPath: base}, nil},
		{"became a layer", "", files{clogPath: edited}, files{"leji.json": lejiDocs, clogPath: base}, nil},
		{"manifest broken", "", files{"leji.json": lejiDocs, clogPath: base}, files{"leji.json": "{", clogPath: base}, []string{"leji.json:1:2: changelog/parse"}},
		{"manifest broken, changelog edited", "", files{"leji.json": lejiDocs, clogPath: base}, files{"leji.json": "{\n}", clogPath: edited},
			[]string{clogPath + ":3:54: changelog/entry-edited", "leji.json:1:1: changelog/parse"}},
		{"manifest was broken", "", files{"leji.json": "{", clogPath: base}, files{"leji.json": lejiDocs, clogPath: edited}, []string{clogPath + ":3:54: changelog/entry-edited"}},
		{"manifest was broken, nothing to compare", "", files{"leji.json": "{", "elsewhere.json": base}, files{"leji.json": lejiDocs, clogPath: edited}, []string{clogPath + ": changelog/no-baseline flag"}},
		{"manifest stays broken", "", files{"leji.json": "{", clogPath: base}, files{"leji.json": "{", clogPath: edited},
			[]string{`skip: "leji.json" cannot be read, so nobody knows where the changelog lies: the text ends before the JSON value does`}},
		{"manifest with a key twice", "", files{"leji.json": lejiDocs, clogPath: base}, files{"leji.json": `{"rootPath": "docs", "rootPath": "kb", "categories": {}}`, clogPath: base}, []string{"leji.json:1:22: changelog/parse"}},
		{"broken", "", files{"leji.json": lejiDocs, clogPath: base}, files{"leji.json": lejiDocs, clogPath: base[:60]}, []string{clogPath + ":2:23: changelog/parse"}},
		{"was broken", "", files{"leji.json": lejiDocs, clogPath: base[:60]}, files{"leji.json": lejiDocs, clogPath: edited}, []string{clogPath + ": changelog/no-baseline flag"}},
		{"byte order mark hides no edit", "", files{"leji.json": lejiDocs, clogPath: base}, files{"leji.json": lejiDocs, clogPath: "\ufeff" + edited},
			[]string{clogPath + ":1:1: changelog/parse", clogPath + ":3:54: changelog/entry-edited"}},
		{"a key twice hides no edit", "", files{"leji.json": lejiDocs, clogPath: base}, files{"leji.json": lejiDocs, clogPath: strings.Replace(edited, `"T",`, `"T", "summary": "S of b",`, 1)},
			[]string{clogPath + ":3:54: changelog/entry-edited", clogPath + ":3:70: changelog/duplicate-key"}},
		{"empty file", "", files{"leji.json": lejiDocs, clogPath: base}, files{"leji.json": lejiDocs, clogPath: ""}, []string{clogPath + ": changelog/parse"}},
		{"emptied", "", files{"leji.json": lejiDocs, clogPath: base}, files{"leji.json": lejiDocs, clogPath: clog()}, []string{clogPath + ":1:37: changelog/emptied"}},
		{"other version", "", files{"leji.json": lejiDocs, clogPath: base}, files{"leji.json": lejiDocs, clogPath: strings.Replace(base, "1.0", "1.1", 1)}, []string{clogPath + ":1:19: changelog/schema-version"}},
		{"ignored", "", files{"leji.json": `{"rootPath": "ignored"}`, "ignored/context-changelog.json": base}, files{"leji.json": `{"rootPath": "ignored"}`, "ignored/context-changelog.json": edited}, []string{"skip: not used"}},
		{"too large", "limits: {file: 300}\n", files{"leji.json": lejiDocs, clogPath: base}, files{"leji.json": lejiDocs, clogPath: edited + strings.Repeat(" ", 300)},
			[]string{fmt.Sprintf("skip: %q has %d bytes, more than the limit of 300 (limits.file)", clogPath, len(edited)+300)}},
		{"configured", entriesA, files{"logs/a.json": base}, files{"logs/a.json": edited}, []string{"logs/a.json:3:54: changelog/entry-edited"}},
		{"configured and new", entriesA, files{}, files{"logs/a.json": "[]"}, []string{"logs/a.json:1:1: changelog/schema"}},
		{"configured, untouched", entriesA, files{"logs/a.json": base}, files{"logs/a.json": base, "x": ""}, []string{"skip: not used"}},
		{"configured and deleted", entriesA, files{"logs/a.json": base}, files{}, []string{"logs/a.json: changelog/deleted"}},
		{"configured and renamed", entriesA, files{"logs/a.json": base}, files{"logs/b.json": base}, nil},
		{"configured, renamed away", entriesA, files{"logs/a.json": base}, files{"old.json": base}, []string{"logs/a.json: changelog/deleted"}},
		{"configured, archived", entriesA, files{"logs/a.json": base}, files{"Archive/a.json": base}, []string{"skip: not used"}},
		{"configured, renamed and edited", entriesA, files{"logs/a.json": base}, files{"logs/b.json": edited}, []string{"logs/a.json: changelog/deleted"}},
		{"configured, both faulty", entriesA, files{"logs/a.json": base, "logs/b.json": base}, files{"logs/a.json": edited, "logs/b.json": of(cb)},
			[]string{"logs/a.json:3:54: changelog/entry-edited", "logs/b.json: changelog/compaction-missing"}},
		{"layer's and configured at once", "records: [{paths: [\"docs/*.json\"], shape: entries}]\n", files{"leji.json": lejiDocs, clogPath: base}, files{"leji.json": lejiDocs, clogPath: edited}, []string{clogPath + ":3:54: changelog/entry-edited"}},
		{"configured becomes the layer's", entriesA, files{"logs/a.json": base}, files{"leji.json": `{"rootPath": "docs", "machine": {"changelogPath": "logs/a.json"}}`, "logs/a.json": edited}, []string{"logs/a.json:3:54: changelog/entry-edited"}},
		{"layer's moves to a configured path", entriesA, files{"leji.json": lejiDocs, clogPath: base}, files{"leji.json": `{"rootPath": "docs", "machine": {"changelogPath": "logs/a.json"}}`, "logs/a.json": edited}, []string{"logs/a.json:3:54: changelog/entry-edited"}},
		{"layer's leaves a configured path", entriesA, files{"leji.json": `{"rootPath": "docs", "machine": {"changelogPath": "logs/a.json"}}`, "logs/a.json": base}, files{"leji.json": lejiDocs, clogPath: edited}, []string{clogPath + ":3:54: changelog/entry-edited"}},
	} {
		t.Run(tt.title, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, told(t, passOf(t, Changelog, staged(tt.before, tt.after), tt.cfg))); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestChangelogIsNoFile(t *testing.T) {
	regular := func(data string) memory.File { return memory.File{Mode: snapshot.Regular, Data: data} }
	before := map[string]memory.File{"leji.json": regular(lejiDocs), clogPath: regular(of(ca))}
	for mode, what := range map[snapshot.Mode]string{snapshot.Symlink: "symlink", snapshot.Gitlink: "submodule"} {
		after := map[string]memory.File{"leji.json": regular(lejiDocs), clogPath: {Mode: mode, Data: strings.Repeat("1", 40)}}
		c := memory.Change(snapshot.Staged, []snapshot.Tree{memory.TreeOf(before)}, memory.TreeOf(after))
		p := passOf(t, Changelog, c, "")
		if diff := cmp.Diff([]string{clogPath + ": changelog/deleted"}, told(t, p)); diff != "" || !strings.Contains(p.Findings()[0].Message, what) {
			t.Errorf("%s: %s (-want +got):\n%s", what, p.Findings()[0].Message, diff)
		}
		c = memory.Change(snapshot.Staged, []snapshot.Tree{memory.Tree(nil)}, memory.TreeOf(after))
		if diff := cmp.Diff([]string{clogPath + ": changelog/parse"}, told(t, passOf(t, Changelog, c, ""))); diff != "" {
			t.Errorf("new %s (-want +got):\n%s", what, diff)
		}
	}
}

// merged is a staged merge.
func merged(base, first, second, after files) *snapshot.Change {
	c := memory.Change(snapshot.Staged, []snapshot.Tree{memory.Tree(first), memory.Tree(second)}, memory.Tree(after))
	return memory.WithBases(c, nil, []snapshot.Tree{memory.Tree(base)})
}

func TestChangelogMerges(t *testing.T) {
	l := func(list ...string) files { return files{"leji.json": lejiDocs, clogPath: of(list...)} }
	base := l(ca, cb)
	for _, tt := range []struct {
		title                string
		first, second, after files
		want                 []string
	}{
		{"union", l(ca, cb, cc), l(ca, cb, cd), l(ca, cb, cd, cc), nil},
		{"theirs lost", l(ca, cb, cc), l(ca, cb, cd), l(ca, cb, cc), []string{clogPath + ": changelog/not-oldest"}},
		{"they compacted", l(ca, cb, cc), l(cb, ccompact("k", 1, "a", "a")), l(cb, cc, ccompact("k", 1, "a", "a")), nil},
		{"they removed the file", l(ca, cb, cc), files{"leji.json": lejiDocs}, l(ca, cb, cc), nil},
		{"we removed the file, they appended", files{"leji.json": lejiDocs}, l(ca, cb, cc), files{"leji.json": lejiDocs}, []string{clogPath + ": changelog/deleted"}},
		{"we removed the file, they did nothing", files{"leji.json": lejiDocs}, base, files{"leji.json": lejiDocs, "x": ""}, nil},
		{"they moved it", l(ca, cb, cc), files{"leji.json": lejiKB, "kb/log.json": of(ca, cb, cd)}, files{"leji.json": lejiKB, "kb/log.json": of(ca, cb, cc, cd)}, nil},
		{"they moved it and ours was lost", l(ca, cb, cc), files{"leji.json": lejiKB, "kb/log.json": of(ca, cb, cd)}, files{"leji.json": lejiKB, "kb/log.json": of(ca, cb, cd)},
			[]string{"kb/log.json: changelog/not-oldest"}},
		{"back to the merge base", l(ca, reworded(cb, "T")), l(ca, cb, cc), l(ca, cb, cc), []string{clogPath + ":3:2: changelog/entry-restored flag"}},
		{"their edit", l(ca, cb, cc), l(ca, reworded(cb, "T")), l(ca, reworded(cb, "T"), cc), []string{clogPath + ":3:54: changelog/entry-edited"}},
		{"fault of a parent", l(ca, cb, cc), l("x y"), l("x y", ca, cb, cc), []string{clogPath + ":2:21: changelog/bad-date"}},
		{"fault of one parent taken whole", files{"leji.json": lejiDocs, clogPath: "{"}, l(ca, cb, cc), files{"leji.json": lejiDocs, clogPath: "{"}, []string{clogPath + ":1:2: changelog/parse"}},
	} {
		t.Run(tt.title, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, told(t, passOf(t, Changelog, merged(base, tt.first, tt.second, tt.after), ""))); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

// ranged is the change of commits that lead from one version to the next.
func ranged(versions ...files) *snapshot.Change {
	var steps []snapshot.Step
	for i := 1; i < len(versions); i++ {
		c := memory.Change(snapshot.Commit, []snapshot.Tree{memory.Tree(versions[i-1])}, memory.Tree(versions[i]))
		steps = append(steps, snapshot.Step{OID: fmt.Sprintf("%040d", i), Change: c})
	}
	return memory.Range(memory.Tree(versions[0]), steps...)
}

func TestChangelogRanges(t *testing.T) {
	l := func(list ...string) files { return files{"leji.json": lejiDocs, clogPath: of(list...)} }
	for _, tt := range []struct {
		title    string
		versions []files
		want     []string
	}{
		{"two honest compactions", []files{l(ca, cb, cc, cd), l(cb, cc, cd, ccompact("k", 1, "a", "a")), l(cd, ccompact("k", 1, "a", "a"), ccompact("m", 2, "b", "c"))}, nil},
		{"a compaction of a compaction", []files{l(ca, cb), l(cb, ccompact("k", 1, "a", "a")), l(ccompact("m", 2, "b", "k"))}, nil},
		{"additions between compactions", []files{l(ca, cb), l(ca, cb, "old 2000-01-01"), l(cb, ccompact("k", 2, "old", "a")), l(cb, cc, ccompact("k", 2, "old", "a"))}, nil},
		{"an honest one and a lie", []files{l(ca, cb, cc, cd), l(cb, cc, cd, ccompact("k", 1, "a", "a")), l(cd, ccompact("k", 1, "a", "a"), ccompact("m", 3, "b", "c"))},
			[]string{clogPath + ":4:94: changelog/compaction-wrong"}},
		{"an honest one and a loss", []files{l(ca, cb, cc, cd), l(cb, cc, cd, ccompact("k", 1, "a", "a")), l(cc, cd, ccompact("k", 1, "a", "a"))}, []string{clogPath + ": changelog/compaction-missing"}},
		{"one that is taken back", []files{l(ca, cb), l(cb, ccompact("k", 9, "a", "a")), l(ca, cb)}, nil},
		{"in two halves", []files{l(ca, cb, cc), l(ca, cb, cc, ccompact("k", 2, "a", "b")), l(cc, ccompact("k", 2, "a", "b"))}, nil},
		{"dropped and added again with other text", []files{l(ca, cb), l(cb, ccompact("k", 1, "a", "a")), l(cb, ccompact("k", 1, "a", "a"), reworded(ca, "T"))},
			[]string{clogPath + ":4:54: changelog/entry-edited"}},
		{"edited for good", []files{l(ca, cb), l(ca, reworded(cb, "T")), l(ca, reworded(cb, "T"), cc)}, []string{clogPath + ":3:54: changelog/entry-edited"}},
		{"a version in between cannot be read", []files{l(ca, cb, cc), {"leji.json": lejiDocs, clogPath: "{"}, l(cc, ccompact("k", 1, "a", "a"), ccompact("m", 1, "b", "b"))},
			[]string{clogPath + ":4:2: changelog/compaction-extra", clogPath + ":3:108: changelog/compaction-wrong", clogPath + ":3:138: changelog/compaction-wrong"}},
	} {
		t.Run(tt.title, func(t *testing.T) {
			got := told(t, passOf(t, Changelog, ranged(tt.versions...), ""))
			slices.Sort(got)
			slices.Sort(tt.want)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestChangelogOfACommitInARange(t *testing.T) {
	c := memory.Change(snapshot.Commit, []snapshot.Tree{memory.Tree(files{"leji.json": lejiDocs, clogPath: of(ca)})}, memory.Tree(files{"leji.json": lejiDocs, clogPath: of(ca, "x y")}))
	p := passOf(t, Changelog, c, "")
	p.Step = &snapshot.Step{Change: c}
	if got := told(t, p); got != nil {
		t.Errorf("a fault of form in the middle of a range: %q", got)
	}
}

func TestChangelogAlternatives(t *testing.T) {
	l := func(list ...string) files { return files{"leji.json": lejiDocs, clogPath: of(list...)} }
	c := staged(l(ca, cb), l(ca, cc))
	c.Alternatives = []snapshot.Tree{memory.Tree(l(ca))}
	if got := told(t, passOf(t, Changelog, c, "")); got != nil {
		t.Errorf("another merge base is extended: %q", got)
	}
	c.Alternatives = []snapshot.Tree{memory.Tree(l(cd)), memory.Tree(files{})}
	if got := told(t, passOf(t, Changelog, c, "")); len(got) != 1 {
		t.Errorf("no merge base is extended: %q", got)
	}
}

func TestChangelogWithoutABaseline(t *testing.T) {
	after := memory.Tree(files{"leji.json": lejiDocs, clogPath: of(ca, "x y")})
	c := memory.Change(snapshot.Commit, nil, after)
	c.Missing = "the parent is not here; fetch it with: git fetch --unshallow"
	want := []string{clogPath + ": changelog/no-baseline flag", clogPath + ":3:21: changelog/bad-date", "skip: " + c.Missing}
	if diff := cmp.Diff(want, told(t, passOf(t, Changelog, c, ""))); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	for _, stage := range []check.Stage{check.CI, check.PrePush, check.PreReceive} {
		p := passOf(t, Changelog, c, "")
		p.Stage = stage
		if err := Changelog.Run(context.Background(), p); err == nil || !strings.Contains(err.Error(), "git fetch") {
			t.Errorf("%s: %v", stage, err)
		}
	}
	c.After = memory.Tree(files{"x": ""})
	if got := told(t, passOf(t, Changelog, c, "")); !slices.Equal(got, []string{"skip: not used"}) {
		t.Errorf("no layer, no baseline: %q", got)
	}
}

func TestChangelogAmends(t *testing.T) {
	l := func(list ...string) files { return files{"leji.json": lejiDocs, clogPath: of(list...)} }
	parent := memory.Tree(l(ca, cb))
	for _, tt := range []struct {
		title       string
		head, after files
		parent      snapshot.Tree
		stage       check.Stage
		want        []string
	}{
		{"own entry edited", l(ca, cb, cc), l(ca, cb, reworded(cc, "T")), parent, check.PreCommit, []string{clogPath + ":4:54: changelog/entry-edited flag"}},
		{"own entry dropped", l(ca, cb, cc), l(ca, cb), parent, check.PreCommit, []string{clogPath + ": changelog/not-oldest flag"}},
		{"own and published dropped", l(ca, cb, cc), l(cb), parent, check.PreCommit, []string{clogPath + ": changelog/compaction-missing", clogPath + ": changelog/not-oldest flag"}},
		{"published edited", l(ca, cb, cc), l(ca, reworded(cb, "T"), cc), parent, check.PreCommit, []string{clogPath + ":3:54: changelog/entry-edited"}},
		{"own edit of a published entry taken back", l(ca, reworded(cb, "T")), l(ca, cb), parent, check.PreCommit, []string{clogPath + ":3:54: changelog/entry-edited flag"}},
		{"own compaction corrected", l(cb, ccompact("k", 2, "a", "a")), l(cb, ccompact("k", 1, "a", "a")), parent, check.PreCommit, []string{clogPath + ":3:94: changelog/entry-edited flag"}},
		{"another stage", l(ca, cb, cc), l(ca, cb), parent, check.Manual, []string{clogPath + ": changelog/not-oldest"}},
		{"the file is only in HEAD", l(ca), files{"leji.json": lejiDocs}, memory.Tree(files{"leji.json": lejiDocs}), check.PreCommit, []string{clogPath + ": changelog/deleted flag"}},
		{"the file is not only in HEAD", l(ca), files{"leji.json": lejiDocs}, parent, check.PreCommit, []string{clogPath + ": changelog/deleted"}},
	} {
		t.Run(tt.title, func(t *testing.T) {
			c := staged(tt.head, tt.after)
			c.Unpublished = func(context.Context) (bool, []snapshot.Tree, error) { return true, []snapshot.Tree{tt.parent}, nil }
			p := passOf(t, Changelog, c, "")
			p.Stage = tt.stage
			if diff := cmp.Diff(tt.want, told(t, p)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			c.Unpublished = func(context.Context) (bool, []snapshot.Tree, error) { return false, nil, nil }
			for _, line := range told(t, passOf(t, Changelog, c, "")) {
				if strings.HasSuffix(line, " flag") {
					t.Errorf("published, and yet %s", line)
				}
			}
		})
	}
}

func TestChangelogReturnsToAnEarlierText(t *testing.T) {
	l := func(list ...string) files { return files{"leji.json": lejiDocs, clogPath: of(list...)} }
	older := memory.Tree(l(ca, cb))
	c := staged(l(ca, reworded(cb, "T")), l(ca, cb))
	c.Earlier = func(ctx context.Context, path string, limit int) ([]snapshot.Entry, error) {
		if path != clogPath || limit < 10 {
			t.Errorf("asked for %q, %d", path, limit)
		}
		e, err := older.Lookup(ctx, path)
		return []snapshot.Entry{e}, err
	}
	c.Before[0] = also{c.Before[0], older}
	if diff := cmp.Diff([]string{clogPath + ":3:2: changelog/entry-restored flag"}, told(t, passOf(t, Changelog, c, ""))); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	broken := errors.New("broken")
	c.Earlier = func(context.Context, string, int) ([]snapshot.Entry, error) { return nil, broken }
	if err := Changelog.Run(context.Background(), passOf(t, Changelog, c, "")); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

// also is a tree that can read the entries of an older one, as those of a repository can.
type also struct {
	snapshot.Tree
	older snapshot.Tree
}

func (a also) Read(ctx context.Context, e snapshot.Entry, limit int64) ([]byte, error) {
	data, err := a.Tree.Read(ctx, e, limit)
	if err != nil {
		return a.older.Read(ctx, e, limit)
	}
	return data, nil
}

func TestAllJudgesTheFormOfWhatDidNotChange(t *testing.T) {
	f := files{"leji.json": lejiDocs, clogPath: of("x y"), "a": "1"}
	g := files{"leji.json": lejiDocs, clogPath: of("x y"), "a": "2"}
	p := passOf(t, Changelog, staged(f, g), "")
	p.All = true
	if diff := cmp.Diff([]string{clogPath + ":2:21: changelog/bad-date"}, told(t, p)); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}
