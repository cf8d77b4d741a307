package guard

import (
	"context"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/guardtable"
	"github.com/seed-4419f9ca/forge/pkg/workflow"
)

// Preflight checks that workflows with side effects begin by re-reading the rules (chapter 4.7, layer 3).
var Preflight = &check.Check{
	ID:      "preflight",
	Program: check.PreCommitProgram,
	Title:   "Workflows with side effects begin by re-reading the rules.",
	Why: "In a long session an agent loses the rules that it read at the start, and with them the rule that says to read them again. " +
		"A step 0 breaks that circle, because the agent meets it in the file that it has just opened: the rules come back from disk " +
		"before anything is pushed, released or rewritten. It only works while it is the first step, says what to read, and names a file that is there.",
	Since:  "0.1.0",
	Levels: check.Levels{PreCommit: finding.Flag, PrePush: finding.Fail, CI: finding.Fail},
	Codes: []check.Code{
		{Slug: "no-step-0", Level: finding.Fail, Title: "A workflow has no step 0 that re-reads the rules.",
			Help: "Put a section such as \"### 0. Pre-flight\" before the first step and let it re-read the rules index, for example: Re-read `.agent/rules.md` from disk."},
		{Slug: "not-first", Level: finding.Fail, Title: "The step 0 of a workflow stands behind another step.",
			Help: "Move the section in front of all other steps: what runs before it runs without the rules."},
		{Slug: "does-not-reread", Level: finding.Fail, Title: "The step 0 of a workflow does not re-read the rules index.",
			Help: "Say in the body of the step that the rules index is read again, and name its path, for example: Re-read `.agent/rules.md` from disk."},
		{Slug: "dead-path", Level: finding.Fail, Title: "The step 0 of a workflow names a file that is not there.",
			Help: "Correct the path, or add the file in the same change."},
	},
	Run: runPreflight,
}

func runPreflight(ctx context.Context, p *check.Pass) error {
	names := workflow.PreflightNames(p.Config)
	isRules, err := guardtable.RulesPaths(guardtable.Globs(p.Config))
	if err != nil {
		return err
	}
	return eachWorkflow(ctx, p, workflows{
		is: func(path string) bool { return workflow.NamedAs(path, names) },
		beside: func(agent string) []string {
			var out []string
			for _, n := range names {
				out = append(out, agent+"/workflows/"+workflow.FileName(n))
			}
			return out
		},
		judge: func(d *workflowDoc, gone []string) error { return judgePreflight(ctx, p, d, isRules, gone) },
	})
}

// judgePreflight judges one workflow; when gone is not nil only what those removed paths have broken.
func judgePreflight(ctx context.Context, p *check.Pass, d *workflowDoc, isRules func(string) bool, gone []string) error {
	gate, first := workflow.FindGate(d.doc, isRules)
	switch {
	case gate == nil && gone != nil:
		return nil
	case gate == nil && first == nil:
		f := p.Reportf("no-step-0", d.path, "workflow %q has no step 0 that re-reads the rules", d.path)
		f.Anchor = "no step 0"
		return nil
	case gate == nil:
		f := p.Reportf("no-step-0", d.path, "workflow %q begins with step %q and has no step 0 that re-reads the rules", d.path, first.Title)
		f.Span, f.Anchor = d.lines.Span(first.Start, first.End), "no step 0"
		return nil
	}
	title, span := gate.Step.Title, d.lines.Span(gate.Step.Start, gate.Step.End)
	if gone == nil && gate.Before != nil {
		f := p.Reportf("not-first", d.path, "%q stands behind step %q", title, gate.Before.Title)
		f.Span, f.Anchor = span, title
		f.Related = []finding.Related{{Path: d.path, Span: d.lines.Span(gate.Before.Start, gate.Before.End), Side: finding.After, Message: "the first step"}}
	}
	if gone == nil && !gate.Rereads {
		f := p.Reportf("does-not-reread", d.path, "the body of step %q does not say to re-read the rules index", title)
		f.Span, f.Anchor = span, title
	}
	return deadPaths(ctx, p, d, gate.Needs, gone)
}
