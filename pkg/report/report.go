// Package report turns the outcome of a run into what people and programs read. It decides verdicts and exit codes
// (chapter 2.4) and renders a Report in each format of chapter 2.7, one file a format.
package report

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/finding"
)

// A Report is the outcome of one run. Verdict is what Decide made of Checks; Findings are sorted by finding.Sort. What
// is rendered depends on nothing else, so that the same input gives the same bytes.
type Report struct {
	Tool     Tool
	Change   Change
	Verdict  finding.Verdict
	Checks   []CheckResult
	Findings []finding.Finding
	Strict   bool // a flag or a skip counted as fail when Verdict was decided
	// Rested and Suppressed count the findings that a baseline and suppressions took out.
	Rested, Suppressed int
	// Source gives the content of path on one side of the change, for the line that a finding stands in. Where it fails,
	// or is nil, findings are printed without their line: the finding itself says all that counts.
	Source func(ctx context.Context, path string, side finding.Side) ([]byte, error)
	// Hidden are findings that are not printed, because a baseline or a suppression took them out; what is secret in them
	// stays secret.
	Hidden []finding.Finding
	// Secret reports whether the line of a finding with this code must not be printed; nil means no code.
	Secret func(code string) bool
}

// A Tool is the program that judged.
type Tool struct {
	Name, Version string
}

// A Change says what was judged.
type Change struct {
	Kind   string   // "staged", "range", …
	Before []string // object ids of the before trees
	After  string   // object id, "index" or "worktree"
	Files  int      // files that were looked at
	Note   string   // how the base was chosen, when that is not obvious; "" otherwise
}

// A CheckResult is the outcome of one check.
type CheckResult struct {
	ID       string
	Verdict  finding.Verdict // what Of made of the findings
	Level    finding.Level   // at the stage of the run
	Reason   string          // why it was skipped; "" otherwise
	Findings int
	Millis   float64 // time it took; printed under Verbose only
}

// A Format names a way to render a report.
type Format string

// The formats.
const (
	FormatText Format = "text"
	FormatJSON Format = "json"
)

// Options choose what a rendering holds.
type Options struct {
	Color   bool // text: colour with ANSI sequences
	Quiet   bool // text: only what blocks
	Verbose bool // text: every check; text and JSON: times
}

type renderer func(context.Context, *Report, Options) ([]byte, error)

// renderers lists the formats with their functions, in the order in which users see them.
func renderers() []struct {
	format Format
	render renderer
} {
	return []struct {
		format Format
		render renderer
	}{
		{FormatText, renderText},
		{FormatJSON, renderJSON},
	}
}

// Formats lists the formats that Render knows.
func Formats() []Format {
	var list []Format
	for _, r := range renderers() {
		list = append(list, r.format)
	}
	return list
}

// Known reports whether Render knows the format.
func (f Format) Known() bool { return slices.Contains(Formats(), f) }

// Render returns r in format f, ready to be written at once. It fails for an unknown format and when ctx is done.
func Render(ctx context.Context, r *Report, f Format, o Options) ([]byte, error) {
	var names []string
	for _, known := range renderers() {
		if known.format == f {
			if err := ctx.Err(); err != nil {
				return nil, fmt.Errorf("could not render the report as %s: %w", f, err)
			}
			return known.render(ctx, r, o)
		}
		names = append(names, string(known.format))
	}
	return nil, fmt.Errorf("could not render the report as %q: the formats are %s", string(f), strings.Join(names, ", "))
}
