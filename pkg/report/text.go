package report

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

// renderText renders the text format of chapter 2.7: the findings, one line for each check that did not pass, and a
// summary. Nothing that comes from the repository reaches the result unescaped, so a finding begins on exactly one line.
func renderText(ctx context.Context, r *Report, o Options) ([]byte, error) {
	w := &textWriter{ctx: ctx, report: r, color: o.Color, hidden: hiddenLines(r)}
	for i := range r.Findings {
		if f := &r.Findings[i]; !o.Quiet || fails(f) || r.Strict {
			w.finding(f)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("could not render the report as text: %w", err)
	}
	for i := range r.Checks {
		if c := &r.Checks[i]; shownCheck(c, r.Strict, o) {
			w.check(c, o.Verbose)
		}
	}
	if !o.Quiet {
		w.summary()
	}
	return []byte(w.out.String()), nil
}

// shownCheck reports whether a check gets a line of its own. What has nothing of its kind in the repository, or was left
// out by naming others, is only counted in the summary.
func shownCheck(c *CheckResult, strict bool, o Options) bool {
	switch {
	case o.Quiet:
		return c.Blocks(strict) && c.Findings == 0 // else its findings say it
	case o.Verbose:
		return true
	case c.Verdict == finding.Skipped:
		return c.Reason != check.NotUsed && c.Reason != ReasonOnly
	}
	return c.Verdict != finding.Pass
}

// A style is the number of an ANSI colour sequence.
type style string

const (
	bold   style = "1"
	red    style = "31"
	green  style = "32"
	yellow style = "33"
	cyan   style = "36"
)

type textWriter struct {
	ctx    context.Context
	report *Report
	out    strings.Builder
	color  bool
	hidden map[line]bool
	path   string // of the files in lines
	lines  map[finding.Side]*text.Lines
}

// A line is one line of one version of a file.
type line struct {
	path   string
	side   finding.Side
	number int
}

// hiddenLines collects the lines that must not be printed, whoever reports on them.
func hiddenLines(r *Report) map[line]bool {
	if r.Secret == nil {
		return nil
	}
	hidden := map[line]bool{}
	all := slices.Concat(r.Findings, r.Hidden)
	for i := range all {
		f := &all[i]
		if f.Span.IsZero() || !r.Secret(f.Code) {
			continue
		}
		for n := f.Span.Start.Line; n <= endOf(f.Span).Line; n++ {
			hidden[line{f.Path, sideOf(f.Side), n}] = true
		}
	}
	return hidden
}

func (w *textWriter) finding(f *finding.Finding) {
	mark, tail := red, ""
	if !fails(f) {
		mark, tail = yellow, " "+w.paint(yellow, "[flag]")
	}
	fmt.Fprintf(&w.out, "%s: %s: %s%s\n", w.paint(bold, place(f.Path, f.Span)), w.paint(mark, text.Escape(f.Code)),
		text.Escape(f.Message), tail)
	w.source(f, mark)
	if f.Help != "" {
		fmt.Fprintf(&w.out, "%s %s\n", w.paint(green, "help:"), text.Escape(f.Help))
	}
	for i := range f.Related {
		rel := &f.Related[i]
		before := ""
		if sideOf(rel.Side) == finding.Before {
			before = " (before)"
		}
		fmt.Fprintf(&w.out, "%s %s%s: %s\n", w.paint(cyan, "note:"), place(rel.Path, rel.Span), before, text.Escape(rel.Message))
	}
}

// place is where something stands, as "path:line:col", or "path" for a whole file.
func place(path string, span text.Span) string {
	if span.IsZero() {
		return text.Escape(path)
	}
	return fmt.Sprintf("%s:%d:%d", text.Escape(path), span.Start.Line, max(span.Start.Column, 1))
}

// source prints the line that f stands in, with carets below its range. The place of a finding that names a commit is one
// in that commit, which the sources do not show.
func (w *textWriter) source(f *finding.Finding, mark style) {
	if f.Span.IsZero() || f.Commit != "" || w.hidden[line{f.Path, sideOf(f.Side), f.Span.Start.Line}] {
		return
	}
	if w.report.Secret != nil && w.report.Secret(f.Code) {
		return
	}
	lines := w.load(f.Path, sideOf(f.Side))
	if lines == nil || f.Span.Start.Line > lines.Count() {
		return
	}
	src := lines.Text(f.Span.Start.Line)
	end, last := endOf(f.Span), len(src)+1
	if end.Line == f.Span.Start.Line {
		last = end.Column
	}
	shown, pad, carets := excerpt(src, f.Span.Start.Column, last)
	number := strconv.Itoa(f.Span.Start.Line)
	before := ""
	if sideOf(f.Side) == finding.Before {
		before = " (before)"
	}
	fmt.Fprintln(&w.out, strings.TrimRight("  "+number+" | "+shown, " "))
	fmt.Fprintf(&w.out, "  %s | %s%s\n", strings.Repeat(" ", len(number)), strings.Repeat(" ", pad),
		w.paint(mark, strings.Repeat("^", carets)+before))
}

// load reads a version of a file, or returns nil where that is not possible. It keeps those of one path: findings are
// sorted by path.
func (w *textWriter) load(path string, side finding.Side) *text.Lines {
	if w.report.Source == nil {
		return nil
	}
	if w.lines == nil || w.path != path {
		w.path, w.lines = path, map[finding.Side]*text.Lines{}
	}
	if lines, ok := w.lines[side]; ok {
		return lines
	}
	var lines *text.Lines
	if src, err := w.report.Source(w.ctx, path, side); err == nil && src != nil {
		lines = text.NewLines(src)
	}
	w.lines[side] = lines
	return lines
}

// check prints one line on a check: verdict, findings, reason, and with times how long it took.
func (w *textWriter) check(c *CheckResult, times bool) {
	var parts []string
	if c.Findings > 0 {
		parts = append(parts, count(c.Findings, "finding"))
	}
	if c.Reason != "" {
		parts = append(parts, text.Escape(c.Reason))
	}
	if times && c.Verdict != finding.Skipped {
		parts = append(parts, strconv.FormatFloat(c.Millis, 'f', 1, 64)+" ms")
	}
	fmt.Fprintf(&w.out, "%s: %s", text.Escape(c.ID), w.verdict(c.Verdict))
	if len(parts) > 0 {
		fmt.Fprintf(&w.out, ": %s", strings.Join(parts, ", "))
	}
	w.out.WriteByte('\n')
}

// verdict paints a verdict in its colour.
func (w *textWriter) verdict(v finding.Verdict) string {
	colour := red
	switch v {
	case finding.Pass:
		colour = green
	case finding.Flagged, finding.Skipped:
		colour = yellow
	}
	return w.paint(colour, text.Escape(string(v)))
}

func (w *textWriter) paint(s style, what string) string {
	if !w.color || what == "" {
		return what
	}
	return "\x1b[" + string(s) + "m" + what + "\x1b[0m"
}

// count says a number of things.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}
