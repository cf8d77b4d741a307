package guard

import (
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/glob"
	"github.com/seed-4419f9ca/forge/pkg/workflow"
)

// SafetyBlock checks that the report which opens a session ends with the safety block (chapter 4.7, layer 2).
var SafetyBlock = &check.Check{
	ID:      "safety-block",
	Program: check.PreCommitProgram,
	Title:   "The report that opens a session carries the safety block near its end.",
	Why: "When a session grows too long its oldest text is cut off first. The few lines that say what must not be touched, and where to find " +
		"the rules again, survive longest at the end of the report with which a session opens. They help only while they are there, are " +
		"complete, stand late enough, and name files that exist.",
	Since:  "0.1.0",
	Levels: check.Levels{PreCommit: finding.Flag, PrePush: finding.Fail, CI: finding.Fail},
	Codes: []check.Code{
		{Slug: "missing", Level: finding.Fail, Title: "The report template has no safety block.",
			Help: "Add a block headed by \"🛡️ SAFETY\" with the points Git, Governance and Recovery below the backlog summary, inside the template of the report."},
		{Slug: "point-missing", Level: finding.Fail, Title: "The safety block lacks one of its points.",
			Help: "Give the block a line for each of Git, Governance (Quản trị) and Recovery (Phục hồi), with a text behind the label."},
		{Slug: "misplaced", Level: finding.Fail, Title: "The safety block stands too early in the report.",
			Help: "Move the block below the backlog summary and into the last third of the report: what stands earlier is cut off earlier."},
		{Slug: "dead-path", Level: finding.Fail, Title: "The safety block names a file that is not there.",
			Help: "Correct the path, or add the file in the same change."},
	},
	Run: runSafetyBlock,
}

func runSafetyBlock(ctx context.Context, p *check.Pass) error {
	pattern := workflow.OpenGlob(p.Config)
	open, err := glob.Compile(pattern)
	if err != nil {
		return fmt.Errorf("could not read guards.open-workflow: %w", err)
	}
	return eachWorkflow(ctx, p, workflows{
		is: open.Match,
		beside: func(agent string) []string {
			if literal, ok := open.Literal(); ok {
				return []string{literal}
			}
			return []string{agent + "/workflows/" + path.Base(pattern)}
		},
		judge: func(d *workflowDoc, gone []string) error { return judgeSafetyBlock(ctx, p, d, gone) },
	})
}

// judgeSafetyBlock judges one workflow; when gone is not nil only what those removed paths have broken.
func judgeSafetyBlock(ctx context.Context, p *check.Pass, d *workflowDoc, gone []string) error {
	report := workflow.FindReport(d.doc)
	block := report.Safety()
	if block == nil {
		if gone == nil {
			f := p.Reportf("missing", d.path, "the report of workflow %q has no safety block", d.path)
			f.Anchor = "no safety block"
			if report.Fenced {
				f.Span = d.lines.Span(report.Start, report.End)
			}
		}
		return nil
	}
	heading := d.lines.Span(block.Heading.Start, block.Heading.Start+len(block.Heading.Text))
	title := strings.TrimSpace(block.Heading.Text)
	if missing := block.Missing(); gone == nil && len(missing) > 0 {
		f := p.Reportf("point-missing", d.path, "the safety block %q has no point for %s", title, quoted(missing))
		f.Span, f.Anchor = heading, strings.Join(missing, " ")
	}
	if gone == nil && (!block.AfterBacklog || !block.InLastThird) {
		f := p.Reportf("misplaced", d.path, "the safety block %q does not stand in the last third of the report", title)
		f.Span, f.Anchor = heading, title
		if !block.AfterBacklog {
			backlog := report.Lines[report.Backlog]
			f.Message = fmt.Sprintf("the safety block %q stands before the backlog summary", title)
			f.Related = []finding.Related{{Path: d.path, Side: finding.After, Message: "the backlog summary",
				Span: d.lines.Span(backlog.Start, backlog.Start+len(backlog.Text))}}
		}
	}
	return deadPaths(ctx, p, d, block.Paths(), gone)
}

// quoted joins names as "a", "b" and "c".
func quoted(names []string) string {
	var b strings.Builder
	for i, n := range names {
		switch {
		case i > 0 && i == len(names)-1:
			b.WriteString(" and ")
		case i > 0:
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%q", n)
	}
	return b.String()
}
