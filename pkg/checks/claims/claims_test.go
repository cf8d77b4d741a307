package claims_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/checks/claims"
	"github.com/seed-4419f9ca/forge/pkg/checktest"
	"github.com/seed-4419f9ca/forge/pkg/config"
	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/memory"
	"github.com/seed-4419f9ca/forge/pkg/parsertest"
	"github.com/seed-4419f9ca/forge/pkg/report"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
	"github.com/seed-4419f9ca/forge/pkg/suite"
)

const domain = "docs/system/domain.md"

// files are the contents of a snapshot by path.
type files map[string]string

// text is a claim of the kind concept, which needs no code, with further lines in its block.
func text(id, title, status string, more ...string) string {
	return "### " + id + " — " + title + "\n\n```claim\nkind: concept\nstatus: " + status +
		"\ntruth-source: decision\nanchors: []\nreviewed: 2025-03-04\n" + strings.Join(append(more, ""), "\n") + "```\n\nIt holds.\n\n"
}

func retired(id, title string) string {
	return text(id, title, "retired", "retired-ground: 1", "retired-evidence: It is gone.")
}

// A run is one run of a check.
type run struct {
	check  *check.Check
	stage  check.Stage
	config string
	change *snapshot.Change
}

func (r run) report(t *testing.T) (*report.Report, error) {
	t.Helper()
	cfg := config.Default()
	if r.config != "" {
		var err error
		if cfg, err = config.Parse(config.Path, []byte(r.config), nil); err != nil {
			t.Fatal(err)
		}
	}
	list := []*check.Check{r.check}
	return suite.Run(t.Context(), suite.Input{
		Checks: list, Known: list, Stage: r.stage, Today: time.Date(2026, 9, 30, 23, 0, 0, 0, time.UTC), Engine: parsertest.Engine(),
	}, []suite.Subject{{Change: r.change, Config: cfg, Ignored: func(p string) bool { return strings.Contains(p, "vendor/") }}})
}

// lines returns the findings, flags with a sign, and why the check was skipped in part.
func (r run) lines(t *testing.T) []string {
	t.Helper()
	rep, err := r.report(t)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for i, l := range checktest.Lines(rep.Findings) {
		if rep.Findings[i].Level == finding.Flag {
			l += " (flag)"
		}
		out = append(out, l)
	}
	if reason := rep.Checks[0].Reason; reason != "" {
		out = append(out, "skip: "+reason)
	}
	return out
}

func change(before, after files) *snapshot.Change {
	return memory.Change(snapshot.Staged, []snapshot.Tree{memory.Tree(before)}, memory.Named(memory.Tree(after), "index"))
}

func merge(base, ours, theirs, after files) *snapshot.Change {
	c := memory.Change(snapshot.Commit, []snapshot.Tree{memory.Tree(ours), memory.Tree(theirs)}, memory.Tree(after))
	return memory.WithBases(c, nil, []snapshot.Tree{memory.Tree(base)})
}

func TestHistory(t *testing.T) {
	a, b := text("CON-1", "One", "asserted"), text("CON-2", "Two", "asserted")
	adr := "docs/system/decisions/ADR-0001-x.md"
	for _, tt := range []struct {
		name   string
		change *snapshot.Change
		want   []string
	}{
		{"no store", change(files{"a.md": a}, files{"b.md": a}), []string{"skip: not used"}},
		{"only decisions", change(nil, files{adr: "# x\n"}), nil},
		{"new store", change(nil, files{domain: a}), nil},
		{"nothing changed", change(files{domain: a}, files{domain: a, "x": "y"}), nil},
		{"old faults are found", change(files{domain: "## CON-1 — One\n"}, files{domain: "## CON-1 — One\n", "x": "y"}), []string{domain + ":1:1: claims/look-alike"}},
		{"deleted", change(files{domain: a + b}, files{domain: b}), []string{domain + ":1:1: claims/deleted"}},
		{"deleted with its file", change(files{domain: a + b}, nil), []string{domain + ":1:1: claims/deleted", domain + ":13:1: claims/deleted"}},
		{"moved to another file", change(files{domain: a + b}, files{domain: b, "docs/system/x/domain.md": a}), []string{"docs/system/x/domain.md:1:1: claims/claim-in-unusual-file (flag)"}},
		{"moved out of the store", change(files{domain: a + b}, files{domain: b, "docs/system/decisions/x.md": a}), []string{domain + ":1:1: claims/deleted"}},
		{"a slip is no deletion", change(files{domain: a}, files{domain: strings.Replace(a, "CON-1", "CON_1", 1)}), []string{domain + ":1:1: claims/look-alike"}},
		{"commented out", change(files{domain: a}, files{domain: "<!--\n" + a + "-->\n"}), []string{domain + ":1:1: claims/deleted"}},
		{"retired", change(files{domain: a}, files{domain: retired("CON-1", "One")}), nil},
		{"deleted after it was retired", change(files{domain: retired("CON-1", "One")}, files{domain: b}), []string{domain + ":1:1: claims/deleted"}},
		{"ignored", change(files{"docs/system/vendor/x.md": a, domain: b}, files{domain: b, "docs/system/vendor/y.md": "## CON-7\n"}), nil},

		{"reused with another title", change(files{domain: retired("CON-1", "One")}, files{domain: text("CON-1", "Other", "asserted")}), []string{domain + ":1:1: claims/reused-id"}},
		{"back as it was", change(files{domain: retired("CON-1", "One")}, files{domain: a}), nil},
		{"retired and reworded", change(files{domain: retired("CON-1", "One")}, files{domain: retired("CON-1", "The one")}), nil},
		{"a new title of a live claim", change(files{domain: a}, files{domain: text("CON-1", "Other", "asserted")}), nil},
		{"a second one beside the retired", change(files{domain: retired("CON-1", "One")}, files{domain: retired("CON-1", "One") + text("CON-1", "Other", "asserted")}), []string{domain + ":15:1: claims/duplicate-id"}},
		{"reused with another kind", change(files{domain: strings.Replace(retired("BUG-1", "One"), "concept", "bug", 1)}, files{domain: text("BUG-1", "One", "asserted")}), []string{domain + ":1:1: claims/reused-id"}},

		{"to enforced", change(files{domain: a}, files{domain: text("CON-1", "One", "enforced", "evidence: [{check: x}]"), "x": ""}), []string{domain + ":5:9: claims/status-change-without-adr"}},
		{"to enforced with a decision", change(files{domain: a}, files{domain: text("CON-1", "One", "enforced", "since: ADR-0001", "evidence: [{check: x}]"), "x": "", adr: ""}), nil},
		{"to enforced with a lost decision", change(files{domain: a}, files{domain: text("CON-1", "One", "enforced", "since: ADR-0002", "evidence: [{check: x}]"), "x": ""}), []string{domain + ":9:8: claims/adr-not-found"}},
		{"to enforced with a bad decision", change(files{domain: a}, files{domain: text("CON-1", "One", "enforced", "since: x", "evidence: [{check: x}]"), "x": ""}), []string{domain + ":9:8: claims/bad-value"}},
		{"back to asserted", change(files{domain: text("CON-1", "One", "enforced", "evidence: [{check: x}]"), "x": ""}, files{domain: a, "x": ""}), []string{domain + ":5:9: claims/status-change-without-adr"}},
		{"from a candidate", change(files{"docs/system/candidates/x.md": text("CON-1", "One", "proposed", "confidence: low")}, files{domain: a}), nil},

		{"merge takes over a deletion", merge(files{domain: a + b}, files{domain: a + b}, files{domain: b}, files{domain: b}), nil},
		{"merge takes over our deletion", merge(files{domain: a + b}, files{domain: b}, files{domain: a + b, "x": ""}, files{domain: b, "x": ""}), nil},
		{"merge loses what one side added", merge(files{domain: b}, files{domain: a + b}, files{domain: b, "x": ""}, files{domain: b, "x": ""}), []string{domain + ":1:1: claims/deleted"}},
		{"merge loses what their side added", merge(files{domain: b}, files{domain: b, "x": ""}, files{domain: a + b}, files{domain: b, "x": ""}), []string{domain + ":1:1: claims/deleted"}},
		{"merge loses what both have", merge(files{domain: a + b}, files{domain: a + b, "x": ""}, files{domain: a + b}, files{domain: b, "x": ""}), []string{domain + ":1:1: claims/deleted"}},
		{"merge takes over a status", merge(files{domain: a}, files{domain: a}, files{domain: text("CON-1", "One", "enforced", "evidence: [{check: x}]"), "x": ""},
			files{domain: text("CON-1", "One", "enforced", "evidence: [{check: x}]"), "x": ""}), nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := run{check: claims.Claims, stage: check.PreCommit, config: "version: 1\nclaims: {kinds: {BUG: bug}}\n", change: tt.change}.lines(t)
			var kept []string
			for _, l := range got {
				if !strings.Contains(l, "kind-mismatch") {
					kept = append(kept, l)
				}
			}
			if diff := cmp.Diff(tt.want, kept); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

// With three parents each later one is held against the first.
func TestOctopus(t *testing.T) {
	a, b := text("CON-1", "One", "asserted"), text("CON-2", "Two", "asserted")
	with, without := memory.Tree(files{domain: a + b}), memory.Tree(files{domain: b})
	for _, tt := range []struct {
		name    string
		parents []snapshot.Tree
		bases   []snapshot.Tree // of the first and each later one
		want    []string
	}{
		{"the first took it out", []snapshot.Tree{without, with, with}, []snapshot.Tree{without, with}, nil},
		{"the last never had it", []snapshot.Tree{with, with, without}, []snapshot.Tree{with, without}, []string{domain + ":1:1: claims/deleted"}},
		{"the last took it out", []snapshot.Tree{with, with, without}, []snapshot.Tree{without, with}, nil},
	} {
		c := memory.Change(snapshot.Commit, tt.parents, memory.Tree(files{domain: b, "x": ""}))
		c = memory.WithBases(c, nil, tt.bases[:1], tt.bases[1:])
		if diff := cmp.Diff(tt.want, run{check: claims.Claims, stage: check.CI, change: c}.lines(t)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestDeletedSaysWhere(t *testing.T) {
	rep, err := run{check: claims.Claims, stage: check.PreCommit, change: change(files{domain: text("CON-1", "One", "asserted")}, files{domain: "# Gone\n"})}.report(t)
	if err != nil {
		t.Fatal(err)
	}
	f := rep.Findings[0]
	if f.Side != finding.Before || !strings.Contains(f.Message, `"CON-1"`) || f.Span.Start.Line != 1 {
		t.Errorf("%+v", f)
	}
}

// An id that only the last commit has, and that nobody has seen, can still be taken out by amending that commit.
func TestUnpublished(t *testing.T) {
	a, b := text("CON-1", "One", "asserted"), text("CON-2", "Two", "asserted")
	for _, tt := range []struct {
		alone  bool
		parent files
		stage  check.Stage
		want   string
	}{
		{true, files{domain: b}, check.PreCommit, domain + ":1:1: claims/deleted (flag)"},
		{true, files{domain: a + b}, check.PreCommit, domain + ":1:1: claims/deleted"},
		{false, files{domain: b}, check.PreCommit, domain + ":1:1: claims/deleted"},
		{true, files{domain: b}, check.CI, domain + ":1:1: claims/deleted"},
	} {
		c := change(files{domain: a + b}, files{domain: b})
		c.Unpublished = func(context.Context) (bool, []snapshot.Tree, error) {
			return tt.alone, []snapshot.Tree{memory.Tree(tt.parent)}, nil
		}
		if diff := cmp.Diff([]string{tt.want}, run{check: claims.Claims, stage: tt.stage, change: c}.lines(t)); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", tt, diff)
		}
	}
}

// A change that names another folder in the configuration does not let the claims go.
func TestMovedRoot(t *testing.T) {
	a := text("CON-1", "One", "asserted")
	conf := "version: 1\nclaims: {store: knowledge}\n"
	for name, tt := range map[string]struct {
		after files
		want  []string
	}{
		"left behind":     {files{domain: a, config.Path: conf}, []string{domain + ":1:1: claims/deleted"}},
		"moved":           {files{"knowledge/domain.md": a, config.Path: conf}, nil},
		"pinned to other": {files{domain: a, config.Path: "version: 1\nclaims: {store: third}\n"}, []string{"skip: not used"}},
	} {
		got := run{check: claims.Claims, stage: check.PreCommit, config: conf, change: change(files{domain: a}, tt.after)}.lines(t)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// Without the snapshot before, what needs none is judged and the rest is said aloud.
func TestMissingBaseline(t *testing.T) {
	c := change(nil, files{domain: "## CON-1 — One\n"})
	c.Before, c.Missing = nil, "the parent is not here"
	for i := range c.Files {
		c.Files[i].Before = nil
	}
	got := run{check: claims.Claims, stage: check.PreCommit, change: c}.lines(t)
	if diff := cmp.Diff([]string{domain + ":1:1: claims/look-alike", "skip: the parent is not here"}, got); diff != "" {
		t.Errorf("at a hook (-want +got):\n%s", diff)
	}
	if _, err := (run{check: claims.Claims, stage: check.CI, change: c}).report(t); err == nil || !strings.Contains(err.Error(), c.Missing) {
		t.Errorf("in CI the missing baseline gives %v", err)
	}
}

func TestFuture(t *testing.T) {
	for day, want := range map[string][]string{
		"2026-09-30": nil, "2026-10-01": nil, "2026-10-02": {domain + ":8:11: claims/future-date"}, "9999-12-31": {domain + ":8:11: claims/future-date"},
	} {
		src := strings.Replace(text("CON-1", "One", "asserted"), "2025-03-04", day, 1)
		if diff := cmp.Diff(want, run{check: claims.Claims, stage: check.PreCommit, change: change(nil, files{domain: src})}.lines(t)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", day, diff)
		}
	}
}

func TestUnreadableEvidence(t *testing.T) {
	cause := errors.New("disk on fire")
	tree := memory.Tree(files{domain: text("CON-1", "One", "enforced", "evidence: [{test: 'a_test.py::test_x'}]"), "a_test.py": "def test_x(): pass\n"})
	c := memory.Change(snapshot.Staged, []snapshot.Tree{memory.Tree(nil)}, memory.Broken(tree, "a_test.py", cause))
	if _, err := (run{check: claims.Claims, stage: check.PreCommit, change: c}).report(t); !errors.Is(err, cause) {
		t.Errorf("evidence that cannot be read gives %v", err)
	}
}
