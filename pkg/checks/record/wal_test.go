package record

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/checktest"
	"github.com/seed-4419f9ca/forge/pkg/config"
	"github.com/seed-4419f9ca/forge/pkg/facts"
	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/memory"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

type files map[string]string

func walPass(t *testing.T, c *snapshot.Change, cfg string) *check.Pass {
	t.Helper()
	conf, err := config.Parse(config.Path, []byte("version: 1\n"+cfg), nil)
	if err != nil {
		t.Fatal(err)
	}
	return &check.Pass{
		Check: Wal, Change: c, Config: conf, Facts: &facts.Store{}, Stage: check.PreCommit, Files: c.Files,
		Ignored: func(p string) bool { return strings.HasPrefix(p, "ignored/") },
	}
}

// says runs the pass and renders its findings as "path:line:col: code level".
func says(t *testing.T, p *check.Pass) []string {
	t.Helper()
	if err := Wal.Run(context.Background(), p); err != nil {
		t.Fatal(err)
	}
	var list []finding.Finding
	for _, f := range p.Findings() {
		list = append(list, *f)
	}
	list = finding.Sort(list)
	out := checktest.Lines(list)
	for i, f := range list {
		out[i] = strings.Replace(out[i], "wal/", "", 1)
		if f.Level == finding.Flag {
			out[i] += " flag"
		}
	}
	return out
}

func staged(before, after files) *snapshot.Change {
	return memory.Change(snapshot.Staged, []snapshot.Tree{memory.Tree(before)}, memory.Tree(after))
}

const journal = "records:\n  - {paths: [\"journal/*.md\"], shape: list, archive: journal/archive/old.md}\n"

func TestWalFiles(t *testing.T) {
	const header = "# Log\n\n<!-- ⚠️ APPEND-ONLY — via /end only -->\n\n"
	cases := []struct {
		title         string
		cfg           string
		before, after files
		want          []string
		skip          string
	}{
		{"no record", "", files{"a.txt": "a"}, files{"a.txt": "b"}, nil, check.NotUsed},
		{"deleted file that is none", "", files{"a.txt": "a"}, files{}, nil, check.NotUsed},
		{"root", "", files{"x.wal": "a\n"}, files{"x.wal": "b\n"}, []string{"x.wal:1:1: rewritten"}, ""},
		{"names", "", files{"a/WAL.md": "a\n", "a/_wal-3.md": "a\n", "a/wal.md": "a\n", "a/x.wal.json": "a\n"}, files{"a/WAL.md": "", "a/_wal-3.md": "", "a/wal.md": "", "a/x.wal.json": ""},
			[]string{"a/WAL.md:1:1: truncated", "a/_wal-3.md:1:1: truncated"}, ""},
		{"torn text", "", files{"x.wal": "a\n"}, files{"x.wal": "a\nb"}, []string{"x.wal:2:2: torn-tail"}, ""},
		{"torn within a line end", "", files{"x.wal": "a\r\n"}, files{"x.wal": "a\r\nb\r"}, []string{"x.wal:2:3: torn-tail"}, ""},
		{"line ends of old systems", "", files{"x.wal": "a\r"}, files{"x.wal": "a\rb\r"}, nil, ""},
		{"torn text finished", "", files{"x.wal": "a\nb"}, files{"x.wal": "a\nb\n"}, nil, ""},
		{"new empty log", "", files{}, files{"x.wal": ""}, nil, ""},
		{"moved below an ignored folder", "", files{"x.wal": "a\n"}, files{"ignored/x.wal": "a\n"}, []string{"x.wal: renamed-away"}, ""},
		{"moved and edited", "", files{"x.wal": "a\nb\n"}, files{"y.wal": "a\nB\n"}, []string{"x.wal: deleted"}, ""},
		{"moved into a nested archive", "", files{"x.wal": "a\n"}, files{"docs/Archive/x.txt": "a\n"}, nil, ""},
		{"moved below a folder that only sounds like an archive", "", files{"x.wal": "a\n"}, files{"docs/MyArchive/x.txt": "a\n"}, []string{"x.wal: renamed-away"}, ""},
		{"old faults of a moved log", "", files{"x.wal.jsonl": "nonsense\n"}, files{"y.wal.jsonl": "nonsense\n"}, nil, ""},
		{"a text that becomes a log", "", files{"x.jsonl": "nonsense\n"}, files{"x.wal.jsonl": "nonsense\n"}, []string{"x.wal.jsonl:1:2: bad-line"}, ""},
		{"rows of the configuration come first", "records: [{paths: [\"**/*.wal\"], shape: jsonl}]\n", files{}, files{"x.wal": "a\n"}, []string{"x.wal:1:1: bad-line"}, ""},
		{"changelog rows belong to their check", "records: [{paths: [log.json], shape: entries}]\n", files{"log.json": "a"}, files{"log.json": "b"}, nil, check.NotUsed},
		{"a changelog under another name is still a record", "records: [{paths: [\"*.json\"], shape: entries}]\n", files{"x.wal": "a\n"}, files{"log.json": "a\n"}, nil, ""},
		{"entry moves into the archive", journal, files{"journal/a.md": "- one\n- two\n"}, files{"journal/a.md": "- two\n", "journal/archive/old.md": "- one\n"}, nil, ""},
		{"entry does not arrive", journal, files{"journal/a.md": "- one\n- two\n"}, files{"journal/a.md": "- two\n", "journal/archive/old.md": "- eins\n"}, []string{"journal/a.md:1:1: entry-removed"}, ""},
		{"one of two arrives", journal, files{"journal/a.md": "- one\n\n# A\n\n- one\n"}, files{"journal/a.md": "# A\n", "journal/archive/old.md": "- one\n"}, []string{"journal/a.md:5:1: entry-removed"}, ""},
		{"the archive keeps what it got", journal, files{"journal/archive/old.md": "- one\n"}, files{"journal/archive/old.md": "- eins\n"}, []string{"journal/archive/old.md:1:1: entry-removed"}, ""},
		{"an archive whose name looks like a pattern", "records: [{paths: [a.log], shape: bytes, archive: \"[old]*.log\"}]\n", files{"[old]*.log": "a\n", "o.log": "a\n"}, files{"[old]*.log": "b\n", "o.log": "b\n"}, []string{"[old]*.log:1:1: rewritten"}, ""},
		{"header", "", files{"docs/log.md": header + "- one\n"}, files{"docs/log.md": header + "- 1\n"}, []string{"docs/log.md:5:1: entry-removed"}, ""},
		{"header grows anywhere", "", files{"docs/log.md": header + "- one\n"}, files{"docs/log.md": header + "- zero\n- one\n- two\n"}, nil, ""},
		{"header goes with the entry", "", files{"docs/log.md": header + "- one\n"}, files{"docs/log.md": "# Log\n"}, []string{"docs/log.md:5:1: entry-removed"}, ""},
		{"header alone goes", "", files{"docs/log.md": header + "- one\n"}, files{"docs/log.md": "# Log\n\n- one\n"}, nil, ""},
		{"header deleted with its file", "", files{"docs/log.md": header + "- one\n"}, files{}, []string{"docs/log.md: deleted"}, ""},
		{"header moves along", "", files{"docs/log.md": header + "- one\n"}, files{"docs/log-2.md": header + "- one\n"}, nil, ""},
		{"header of a script", "", files{"run.log.sh": "# ⚠️ APPEND-ONLY — via /end only\none\n"}, files{"run.log.sh": "# ⚠️ APPEND-ONLY — via /end only\n1\n"}, []string{"run.log.sh:2:1: rewritten"}, ""},
		{"header that is only quoted", "", files{"docs/log.md": "# Log\n\n```\n<!-- ⚠️ APPEND-ONLY — via /end only -->\n```\n\n- one\n"}, files{"docs/log.md": "# Log\n"}, nil, check.NotUsed},
		{"lists that a guard protects belong to its check", "records: [{paths: [\"**/done.md\"], shape: list}]\n", files{"artifacts/tasks/done.md": "# Done\n\n<!-- ⚠️ APPEND-ONLY — /end or /backlog clean only (C2) -->\n\n- [x] a\n"}, files{"artifacts/tasks/done.md": "# Done\n"}, nil, check.NotUsed},
		{"a log by name below a guard is a log", "guards: {preset: para}\n", files{"Areas/Workspace/WAL.md": header + "- one\n"}, files{"Areas/Workspace/WAL.md": header + "- zero\n- one\n"}, []string{"Areas/Workspace/WAL.md:5:1: inserted"}, ""},
	}
	for _, c := range cases {
		t.Run(c.title, func(t *testing.T) {
			p := walPass(t, staged(c.before, c.after), c.cfg)
			if got := says(t, p); !slices.Equal(got, c.want) || p.Skipped() != c.skip {
				t.Errorf("got %q, skipped %q; want %q, skipped %q", got, p.Skipped(), c.want, c.skip)
			}
		})
	}
}

func TestWalNotRegular(t *testing.T) {
	before := memory.Tree(files{"logs/x.wal": "a\n"})
	for name, c := range map[string]struct {
		path string
		file memory.File
	}{
		"symlink":               {"logs/x.wal", memory.File{Mode: snapshot.Symlink, Data: "../y"}},
		"submodule":             {"logs/x.wal", memory.File{Mode: snapshot.Gitlink, Data: strings.Repeat("1", 40)}},
		"folder that is a link": {"logs", memory.File{Mode: snapshot.Symlink, Data: "elsewhere"}},
	} {
		change := memory.Change(snapshot.Staged, []snapshot.Tree{before}, memory.TreeOf(map[string]memory.File{c.path: c.file}))
		if got := says(t, walPass(t, change, "")); !slices.Equal(got, []string{"logs/x.wal: not-regular"}) {
			t.Errorf("%s: got %q", name, got)
		}
	}
	mode := memory.Change(snapshot.Staged, []snapshot.Tree{before}, memory.TreeOf(map[string]memory.File{"logs/x.wal": {Mode: snapshot.Executable, Data: "a\n"}}))
	if got := says(t, walPass(t, mode, "")); got != nil {
		t.Errorf("a permission bit: got %q", got)
	}
}

func TestWalMerge(t *testing.T) {
	base := files{"x.wal": "L\n"}
	for _, c := range []struct {
		title            string
		ours, theirs, to files
		want             []string
	}{
		{"union", files{"x.wal": "L\nM\n"}, files{"x.wal": "L\nS\n"}, files{"x.wal": "L\nS\nM\n"}, nil},
		{"ours", files{"x.wal": "L\nM\n"}, files{"x.wal": "L\nS\n"}, files{"x.wal": "L\nM\n"}, []string{"x.wal: truncated"}},
		{"their rewriting", files{"x.wal": "L\n", "y": "y"}, files{"x.wal": "X\n"}, files{"x.wal": "X\n", "y": "y"}, []string{"x.wal:1:1: rewritten"}},
		{"they deleted it", files{"x.wal": "L\n", "y": "y"}, files{}, files{"y": "y"}, []string{"x.wal: deleted"}},
		{"we had deleted it", files{"y": "y"}, files{"x.wal": "L\n", "z": "z"}, files{"y": "y", "z": "z"}, nil},
		{"we had deleted it, they went on", files{"y": "y"}, files{"x.wal": "L\nS\n"}, files{"y": "y"}, []string{"x.wal: deleted"}},
		{"we had moved it", files{"y.wal": "L\n"}, files{"x.wal": "L\n", "z": "z"}, files{"y.wal": "L\n", "z": "z"}, nil},
	} {
		t.Run(c.title, func(t *testing.T) {
			change := memory.Change(snapshot.Staged, []snapshot.Tree{memory.Tree(c.ours), memory.Tree(c.theirs)}, memory.Tree(c.to))
			change = memory.WithBases(change, nil, []snapshot.Tree{memory.Tree(base)})
			if got := says(t, walPass(t, change, "")); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestWalRangeWithMerge: a branch that merged the main branch and put its own lines first is fine as a whole when each of
// its commits is.
func TestWalRangeWithMerge(t *testing.T) {
	tree := func(s string) snapshot.Tree { return memory.Tree(files{"x.wal": s}) }
	root, main, feature := tree("L\n"), tree("L\nM\n"), tree("L\nS\n")
	run := func(merged string, more ...string) []string {
		merge := memory.WithBases(memory.Change(snapshot.Commit, []snapshot.Tree{feature, main}, tree(merged)), nil, []snapshot.Tree{root})
		steps := []snapshot.Step{
			{OID: "f", Change: memory.Change(snapshot.Commit, []snapshot.Tree{root}, feature)},
			{OID: "m", Change: merge},
		}
		last := tree(merged)
		for _, s := range more {
			steps = append(steps, snapshot.Step{OID: s, Change: memory.Change(snapshot.Commit, []snapshot.Tree{last}, tree(s))})
			last = tree(s)
		}
		p := walPass(t, memory.Range(main, steps...), "")
		p.Stage = check.CI
		return says(t, p)
	}
	if got := run("L\nS\nM\n"); got != nil {
		t.Errorf("union: got %q", got)
	}
	if got := run("L\nS\nM\n", "L\nS\nM\nN\n"); got != nil {
		t.Errorf("union and more: got %q", got)
	}
	if got, want := run("L\nS\nM\n", "L\nS\nx\nM\n"), []string{"x.wal:2:1: inserted"}; !slices.Equal(got, want) {
		t.Errorf("union and an insertion: got %q, want %q", got, want)
	}
	if got, want := run("L\nS\n"), []string{"x.wal:2:1: rewritten"}; !slices.Equal(got, want) {
		t.Errorf("ours: got %q, want %q", got, want)
	}
}

func TestWalUnpublished(t *testing.T) {
	run := func(after string, published bool, parents ...snapshot.Tree) []string {
		c := staged(files{"x.wal": "a\nb\n"}, files{"x.wal": after})
		if after == "" {
			c = staged(files{"x.wal": "a\nb\n"}, files{})
		}
		c.Unpublished = func(context.Context) (bool, []snapshot.Tree, error) { return !published, parents, nil }
		return says(t, walPass(t, c, ""))
	}
	parent := memory.Tree(files{"x.wal": "a\n"})
	for _, c := range []struct {
		after     string
		published bool
		parents   []snapshot.Tree
		want      string
	}{
		{"a\nB\n", false, []snapshot.Tree{parent}, "x.wal:2:1: rewritten flag"},
		{"a\nB\n", true, []snapshot.Tree{parent}, "x.wal:2:1: rewritten"},
		{"A\nb\n", false, []snapshot.Tree{parent}, "x.wal:1:1: rewritten"},
		{"A\nB\n", false, nil, "x.wal:1:1: rewritten flag"},
		{"a\n", false, []snapshot.Tree{parent}, "x.wal:2:1: truncated flag"},
		{"", false, []snapshot.Tree{parent}, "x.wal: deleted"},
		{"", false, []snapshot.Tree{memory.Tree(nil)}, "x.wal: deleted flag"},
	} {
		if got := run(c.after, c.published, c.parents...); !slices.Equal(got, []string{c.want}) {
			t.Errorf("%q, published %v: got %q, want %q", c.after, c.published, got, c.want)
		}
	}
}

// TestWalSharedArchive: two logs move into one archive in one change.
func TestWalSharedArchive(t *testing.T) {
	const cfg = "records: [{paths: [\"*.log\"], shape: bytes, archive: old/all}]\n"
	before := files{"a.log": "a1\na2\n", "b.log": "b1\nb2\n", "old/all": "z"}
	for archive, want := range map[string][]string{
		"z\na1\nb1\nb2\n":    nil,
		"z\nb1\nb2\na1\n":    nil,
		"z\na1\nb1\n":        {"b.log:2:1: truncated"},
		"z\na1\nb1\nb2\nx\n": {"a.log:1:2: rewritten", "b.log:1:1: truncated"},
		"z\nb1\nb2\n":        {"a.log:1:2: rewritten"},
	} {
		after := files{"a.log": "a2\na3\n", "b.log": "", "old/all": archive}
		if got := says(t, walPass(t, staged(before, after), cfg)); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", archive, got, want)
		}
	}
}

// TestWalChainWithoutBaseline: what came before is missing, but a chain speaks for itself.
func TestWalChainWithoutBaseline(t *testing.T) {
	c := memory.Change(snapshot.Commit, nil, memory.Tree(files{"x.jsonl": "{\"a\": 1}\n{\"prev\": \"0\"}\n", "y.wal": "a"}))
	c.Missing = "the parent is not here; run: git fetch --deepen=1"
	p := walPass(t, c, "records: [{paths: [x.jsonl], shape: jsonl, chain: true}]\n")
	p.Stage = check.Manual
	if got, want := says(t, p), []string{"x.jsonl:2:10: chain"}; !slices.Equal(got, want) || !strings.Contains(p.Skipped(), "git fetch") {
		t.Errorf("got %q, skipped %q; want %q", got, p.Skipped(), want)
	}
}

func TestWalWithoutBaseline(t *testing.T) {
	c := memory.Change(snapshot.Commit, nil, memory.Tree(files{"x.wal": "a\n"}))
	c.Missing = "the parent is not here; run: git fetch --deepen=1"
	p := walPass(t, c, "")
	p.Stage = check.Manual
	if got := says(t, p); got != nil || !strings.Contains(p.Skipped(), "git fetch") {
		t.Errorf("got %q, skipped %q", got, p.Skipped())
	}
	for _, stage := range []check.Stage{check.CI, check.PrePush, check.PreReceive} {
		p = walPass(t, c, "")
		p.Stage = stage
		if err := Wal.Run(context.Background(), p); err == nil || !strings.Contains(err.Error(), "git fetch") {
			t.Errorf("%s: got %v", stage, err)
		}
	}
}

// TestWalLarge: a log over the limit is judged all the same, as a stream.
func TestWalLarge(t *testing.T) {
	var b strings.Builder
	for i := 0; b.Len() < 3*inMemory; i++ {
		fmt.Fprintf(&b, "{\"seq\": %d}\n", i)
	}
	log := b.String()
	cfg := "limits: {file: 4KiB}\n"
	last := strings.Count(log, "\n")
	next := fmt.Sprintf("{\"seq\": %d}\n", last)
	for _, c := range []struct {
		title, before, after, want string
	}{
		{"grows", log, log + next, ""},
		{"gap", log, log + "{\"seq\": 1}\n", fmt.Sprintf("x.wal.jsonl:%d:9: sequence", last+1)},
		{"changed", log, strings.Replace(log, "777}", "778}", 1), "x.wal.jsonl:778:11: rewritten"},
		{"flipped", log, strings.ReplaceAll(log, "\n", "\r\n"), "x.wal.jsonl:1:1: eol-changed flag"},
		{"cut", log, log[:len(log)/2], "truncated"},
		{"becomes large", log[:22], log, ""},
	} {
		p := walPass(t, staged(files{"x.wal.jsonl": c.before}, files{"x.wal.jsonl": c.after}), cfg)
		got := strings.Join(says(t, p), ", ")
		if c.title == "cut" && strings.Contains(got, c.want) {
			continue
		}
		if got != c.want || p.Skipped() != "" {
			t.Errorf("%s: got %q, skipped %q; want %q", c.title, got, p.Skipped(), c.want)
		}
	}
	p := walPass(t, staged(files{"journal/x.md": strings.Repeat("- x\n", 2000)}, files{"journal/x.md": "- x\n"}), journal+cfg)
	if got := says(t, p); got != nil || !strings.Contains(p.Skipped(), "journal/x.md") {
		t.Errorf("a list over the limit: got %q, skipped %q", got, p.Skipped())
	}
}

func TestWalUnreadable(t *testing.T) {
	before, after := memory.Tree(files{"x.wal": "a\n"}), memory.Tree(files{"x.wal": "a\nb\n"})
	for _, err := range []error{snapshot.ErrNoObject, io.ErrUnexpectedEOF} {
		for _, c := range []*snapshot.Change{
			memory.Change(snapshot.Staged, []snapshot.Tree{memory.Broken(before, "x.wal", err)}, after),
			memory.Change(snapshot.Staged, []snapshot.Tree{before}, memory.Broken(after, "x.wal", err)),
		} {
			if got := Wal.Run(context.Background(), walPass(t, c, "")); !errors.Is(got, err) {
				t.Errorf("got %v, want %v", got, err)
			}
		}
	}
}

// TestWalAll: with --all the whole of a JSON log is judged, and only there.
func TestWalAll(t *testing.T) {
	all := func(f files) []string {
		tree := memory.Tree(f)
		c := memory.Change(snapshot.Staged, []snapshot.Tree{tree}, tree)
		p := walPass(t, c, "")
		p.All = true
		entries, err := tree.Under(context.Background(), "")
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			p.Files = append(p.Files, snapshot.File{Path: e.Path, After: e, Before: []snapshot.Entry{e}})
		}
		return says(t, p)
	}
	if got, want := all(files{"x.wal.jsonl": "1\n", "y.wal": "a\nb"}), []string{"x.wal.jsonl:1:1: bad-line", "y.wal:2:2: torn-tail"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := all(files{"x.wal.jsonl": "{\"seq\": 1}\n{\"seq\": 2}\n", "y.wal": "a\n"}); got != nil {
		t.Errorf("got %q", got)
	}
}
