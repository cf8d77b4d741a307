package report

import (
	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/finding"
)

// Reasons of a check that was not run, beside check.NotUsed and those that checks give themselves.
const (
	// ReasonOff is the reason of a check whose level is off at this stage.
	ReasonOff = "level is off"
	// ReasonOnly is the reason of a check that --only left out, for a caller that lists such checks at all.
	ReasonOnly = "left out by --only"
	// ReasonSkip is the reason of a check that --skip left out.
	ReasonSkip = "left out by --skip"
	// ReasonEnv is the reason of a check that the environment left out.
	ReasonEnv = "FORGE_SKIP"
)

// Cap lowers the findings of a check to its level, in place: at the level flag nothing fails but what firm holds up. Other
// levels leave the findings as they are.
func Cap(level finding.Level, findings []finding.Finding, firm func(*finding.Finding) bool) {
	if level != finding.Flag {
		return
	}
	for i := range findings {
		if !firm(&findings[i]) {
			findings[i].Level = finding.Flag
		}
	}
}

// Of decides the verdict of one check from its level, the reason why it did not judge ("" when it did) and the findings
// that are left after suppressions and the baseline. A check that reported something before it gave up has not passed:
// what fails outweighs the skip. A finding whose level is not flag fails.
func Of(level finding.Level, skip string, findings []finding.Finding) finding.Verdict {
	flags := 0
	for i := range findings {
		if fails(&findings[i]) {
			return finding.Failed
		}
		flags++
	}
	switch {
	case flags > 0 && (skip == "" || skip == check.NotUsed):
		return finding.Flagged
	case skip != "" || level == finding.Off:
		return finding.Skipped
	}
	return finding.Pass
}

// Decide decides the verdict of a whole run. Without any check that ran it is skip, never pass. One check that Blocks
// makes the run fail.
func Decide(checks []CheckResult, strict bool) finding.Verdict {
	verdict := finding.Skipped
	for i := range checks {
		c := &checks[i]
		switch {
		case c.Blocks(strict):
			return finding.Failed
		case c.Verdict == finding.Flagged:
			verdict = finding.Flagged
		case c.Verdict == finding.Pass && verdict == finding.Skipped:
			verdict = finding.Pass
		}
	}
	return verdict
}

// Blocks reports whether c makes the run fail: it failed, its verdict is none of the four, or strict is set and it is
// flagged or was skipped for a reason that counts. Not counted are skipped checks with nothing of their kind in the repository,
// those whose level is off, and those that --only left out (chapter 2.4).
func (c *CheckResult) Blocks(strict bool) bool {
	switch c.Verdict {
	case finding.Pass:
		return false
	case finding.Flagged:
		return strict
	case finding.Skipped:
		return strict && !c.excused()
	}
	return true
}

func (c *CheckResult) excused() bool {
	return c.Level == finding.Off || c.Reason == check.NotUsed || c.Reason == ReasonOnly
}

// ExitCode returns the exit code of a run that came to a verdict: 0, or 1 when something failed. What is no verdict at
// all fails.
func ExitCode(v finding.Verdict) int {
	switch v {
	case finding.Pass, finding.Flagged, finding.Skipped:
		return 0
	}
	return 1
}

func fails(f *finding.Finding) bool { return f.Level != finding.Flag }

// levelOf is the level of f as it is printed.
func levelOf(f *finding.Finding) finding.Level {
	if fails(f) {
		return finding.Fail
	}
	return finding.Flag
}
