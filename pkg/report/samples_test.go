package report

import (
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

var update = flag.Bool("update", false, "write the golden files anew")

func span(line, start, end int) text.Span {
	return text.Span{Start: text.Pos{Line: line, Column: start}, End: text.Pos{Line: line, Column: end}}
}

// sources gives each version of a file by its side and path.
func sources(files map[string]string) func(context.Context, string, finding.Side) ([]byte, error) {
	return func(_ context.Context, path string, side finding.Side) ([]byte, error) {
		if src, ok := files[string(side)+" "+path]; ok {
			return []byte(src), nil
		}
		return nil, errors.New("there is no such file")
	}
}

const (
	oidBefore = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
	oidAfter  = "f1d2d2f924e986ac86fdf7b36c94bcdf32beec15"
)

// samples returns one report of each kind.
func samples() map[string]*Report {
	tool := Tool{Name: "forge-guard", Version: "0.1.0"}
	return map[string]*Report{
		"pass": {
			Tool:    tool,
			Change:  Change{Kind: "staged", Before: []string{oidBefore}, After: "index", Files: 1},
			Verdict: finding.Pass,
			Checks: []CheckResult{
				{ID: "layer", Verdict: finding.Skipped, Level: finding.Fail, Reason: check.NotUsed},
				{ID: "wal", Verdict: finding.Pass, Level: finding.Fail, Millis: 1.25},
			},
		},
		"skip": {
			Tool:    tool,
			Change:  Change{Kind: "staged", After: "index"},
			Verdict: finding.Skipped,
			Checks: []CheckResult{
				{ID: "layer", Verdict: finding.Skipped, Level: finding.Fail, Reason: check.NotUsed},
				{ID: "mind", Verdict: finding.Skipped, Level: finding.Fail, Reason: ReasonEnv},
				{ID: "wal", Verdict: finding.Skipped, Level: finding.Off, Reason: ReasonOff},
			},
		},
		"strict": {
			Tool:    tool,
			Change:  Change{Kind: "range", Before: []string{oidBefore}, After: oidAfter, Files: 12, Note: "merge base with origin/main"},
			Verdict: finding.Failed,
			Strict:  true,
			Checks: []CheckResult{
				{ID: "changelog", Verdict: finding.Skipped, Level: finding.Fail, Reason: "the clone is shallow: git fetch --unshallow"},
				{ID: "mind", Verdict: finding.Flagged, Level: finding.Flag, Findings: 1},
				{ID: "wal", Verdict: finding.Pass, Level: finding.Fail},
			},
			Findings: []finding.Finding{{
				Code: "mind/notes-copy", Level: finding.Flag, Path: "_mind-s-1.md", Side: finding.After,
				Message: `block "12" copies a file`, Help: "point to it", Anchor: "12",
			}},
			Suppressed: 2,
			Rested:     40,
		},
		"findings": findingsSample(tool),
		"hostile":  hostileSample(tool),
	}
}

func findingsSample(tool Tool) *Report {
	return &Report{
		Tool:    tool,
		Change:  Change{Kind: "range", Before: []string{oidBefore, oidAfter}, After: oidAfter, Files: 3},
		Verdict: finding.Failed,
		Checks: []CheckResult{
			{ID: "changelog", Verdict: finding.Failed, Level: finding.Fail, Findings: 1, Millis: 0.5},
			{ID: "guard-header", Verdict: finding.Failed, Level: finding.Fail, Findings: 2, Millis: 12},
			{ID: "layer", Verdict: finding.Skipped, Level: finding.Fail, Reason: check.NotUsed},
			{ID: "mind", Verdict: finding.Failed, Level: finding.Fail, Findings: 2},
			{ID: "wal", Verdict: finding.Flagged, Level: finding.Flag, Findings: 1},
		},
		Secret: func(code string) bool { return code == "mind/secret" },
		Source: sources(map[string]string{
			"after kho/done.md":   "# Done\n\n- [x] KHO-01: Kiểm kê\n",
			"before kho/a.wal":    "mot\r\nhai\r\nba\r\n",
			"after _mind-s-1.md":  "token: hunter2\nname:\tMai, 数据\n",
			"after kho/other.wal": "x\n",

			"after docs/context-changelog.json": strings.Repeat("not the line of that commit\n", 9),
		}),
		Findings: []finding.Finding{
			{
				Code: "mind/key", Level: finding.Fail, Path: "_mind-s-1.md", Span: span(1, 1, 6), Side: finding.After,
				Message: `"token" is no key of a block`, Help: "", Anchor: "token",
			},
			{
				Code: "mind/secret", Level: finding.Fail, Path: "_mind-s-1.md", Span: span(1, 8, 15), Side: finding.After,
				Message: `"token" has a value that looks like a secret`, Help: "take it out and revoke it", Anchor: "token",
			},
			{
				Code: "mind/name", Level: finding.Flag, Path: "_mind-s-1.md", Span: span(2, 12, 18), Side: finding.After,
				Message: `"数据" is no name`, Anchor: "数据",
			},
			{
				Code: "changelog/entry-edited", Level: finding.Flag, Path: "docs/context-changelog.json", Span: span(9, 5, 20), Side: finding.After,
				Message: `"summary" of entry "noon-gun" is changed`, Help: "write a new entry", Anchor: "noon-gun", Commit: oidAfter,
			},
			{
				Code: "wal/rewritten", Level: finding.Fail, Path: "kho/a.wal", Span: span(2, 1, 4), Side: finding.Before,
				Message: `line "hai" is changed`, Help: "git checkout HEAD -- kho/a.wal", Anchor: "hai",
				Related: []finding.Related{
					{Path: "kho/a.wal", Span: span(2, 1, 4), Side: finding.After, Message: "it reads otherwise now"},
					{Path: "kho/gone.wal", Side: finding.Before, Message: "it came from here"},
				},
			},
			{
				Code: "guard-header/missing", Level: finding.Fail, Path: "kho/done.md", Side: finding.After,
				Message: `"kho/done.md" has no guard header`, Help: "forge-pre-commit fix", Anchor: "header",
				Fix: &finding.Fix{Safe: true, Message: "add the header", Edits: []text.Edit{
					{Start: 8, End: 8, New: []byte("<!-- ⚠️ APPEND-ONLY -->\n\n")},
					{Start: 9, End: 12, New: []byte{0xff, 0xfe}},
				}},
			},
			{
				Code: "guard-header/spelling", Level: finding.Flag, Path: "kho/done.md",
				Span:    text.Span{Start: text.Pos{Line: 3, Column: 7}, End: text.Pos{Line: 4, Column: 1}},
				Message: `"KHO-01" is spelled oddly`, Anchor: "KHO-01",
			},
			{
				Code: "wal/torn-tail", Level: finding.Fail, Path: "kho/other.wal", Span: span(7, 1, 2), Side: finding.After,
				Message: "the place is not in the file any more", Anchor: "7",
			},
		},
	}
}

func hostileSample(tool Tool) *Report {
	name := "kho/a\nx.wal:1:1: wal/forged: \x1b[2J"
	return &Report{
		Tool:    tool,
		Change:  Change{Kind: "staged", Before: []string{oidBefore}, After: "index", Files: 4, Note: "base \"\x1b[31m\nforged"},
		Verdict: finding.Failed,
		Checks:  []CheckResult{{ID: "wal", Verdict: finding.Failed, Level: finding.Fail, Findings: 5, Reason: "a\nb"}},
		Source: sources(map[string]string{
			"after " + name:        "\x1b]0;title\x07 \u202eabc\u2066 " + strings.Repeat("long ", 100) + "\n",
			"after kho/qu\xe9n%.x": "\xff\xfe{\n",
		}),
		Findings: []finding.Finding{
			{
				Code: "wal/rewritten", Level: finding.Fail, Path: name, Span: span(1, 9, 11), Side: finding.After,
				Message: "line \"\x1b[31m\u009b0m\u202e\" is\nforged: \U000e0001", Help: "see\nbelow", Anchor: "x",
				Related: []finding.Related{{Path: name, Message: "a\nb"}},
			},
			{Code: "wal/bad-line", Level: finding.Fail, Path: "kho/100%.wal", Side: finding.After, Message: `"<b>&" \ "é"`, Anchor: "a"},
			{Code: "wal/bad-line", Level: finding.Fail, Path: "kho/qu%E9n%.x", Side: finding.After, Message: "a name that looks encoded", Anchor: "a"},
			{Code: "wal/bad-line", Level: finding.Fail, Path: "kho/qu\xe8n%.x", Side: finding.After, Message: "no UTF-8: \xe8", Anchor: "a"},
			{Code: "wal/bad-line", Level: finding.Fail, Path: "kho/qu\xe9n%.x", Span: span(1, 3, 4), Side: finding.After, Message: "no UTF-8: \xe9", Anchor: "a"},
		},
	}
}

// golden compares got with a file of testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

func TestGolden(t *testing.T) {
	for name, r := range samples() {
		for _, g := range []struct {
			file   string
			format Format
			opts   Options
		}{
			{name + ".json", FormatJSON, Options{}},
			{name + ".txt", FormatText, Options{}},
			{name + "-quiet.txt", FormatText, Options{Quiet: true}},
			{name + "-verbose.txt", FormatText, Options{Verbose: true}},
		} {
			got, err := Render(t.Context(), r, g.format, g.opts)
			if err != nil {
				t.Fatal(err)
			}
			golden(t, g.file, got)
			again, err := Render(t.Context(), r, g.format, g.opts)
			if err != nil || string(again) != string(got) {
				t.Errorf("%s: a second rendering gives other bytes (error %v)", g.file, err)
			}
		}
	}
	verbose, err := Render(t.Context(), samples()["findings"], FormatJSON, Options{Verbose: true})
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "findings-verbose.json", verbose)
	colour, err := Render(t.Context(), samples()["findings"], FormatText, Options{Color: true})
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "findings-colour.txt", colour)
}

func TestFormats(t *testing.T) {
	for _, f := range Formats() {
		if !f.Known() {
			t.Errorf("%q is listed and not known", f)
		}
	}
	if Format("yaml").Known() {
		t.Error("yaml is known")
	}
	if out, err := Render(t.Context(), &Report{}, "yaml", Options{}); err == nil || out != nil || !strings.Contains(err.Error(), `"yaml"`) {
		t.Errorf("an unknown format gives %q and the error %v", out, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if out, err := Render(ctx, samples()["pass"], FormatText, Options{}); !errors.Is(err, context.Canceled) || out != nil {
		t.Errorf("a cancelled rendering gives %q and the error %v", out, err)
	}
}
