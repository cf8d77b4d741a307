package report

import (
	"fmt"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

// shortID is how many digits of an object id a summary shows.
const shortID = 12

// summary prints the last line: the verdict, what was judged against what, and what came of it.
func (w *textWriter) summary() {
	r := w.report
	fmt.Fprintf(&w.out, "%s: %s: %s; ", text.Escape(r.Tool.Name), w.verdict(r.Verdict), judged(&r.Change))
	if r.unused() {
		w.out.WriteString("there is nothing in it that a check judges\n")
		return
	}
	if r.Verdict == finding.Skipped {
		w.out.WriteString("no check ran, so nothing is known; ")
	}
	w.out.WriteString(strings.Join(append(r.tallyFindings(), r.tallyChecks()), "; "))
	if r.Strict {
		w.out.WriteString(" (strict)")
	}
	w.out.WriteByte('\n')
}

// unused reports whether the run found nothing to do: each check has nothing of its kind to judge.
func (r *Report) unused() bool {
	for i := range r.Checks {
		if r.Checks[i].Verdict != finding.Skipped || r.Checks[i].Reason != check.NotUsed {
			return false
		}
	}
	return len(r.Checks) > 0 && len(r.Findings) == 0 && r.Suppressed+r.Rested == 0
}

// judged says what was looked at and against which base.
func judged(c *Change) string {
	after := strings.Fields(c.After)
	for i, id := range after {
		switch id {
		case "index":
			after[i] = "the index"
		case "worktree":
			after[i] = "the working tree"
		default:
			after[i] = short(id)
		}
	}
	before := make([]string, len(c.Before))
	for i, id := range c.Before {
		before[i] = short(id)
	}
	base := "no base"
	if len(before) > 0 {
		base = strings.Join(before, " and ")
	}
	s := fmt.Sprintf("%s of %s against %s", count(c.Files, "file"), strings.Join(after, " and "), base)
	if c.Kind != "" {
		s = text.Escape(c.Kind) + ", " + s
	}
	if c.Note != "" {
		s += " (" + text.Escape(c.Note) + ")"
	}
	return s
}

// short cuts an object id; other names stay whole.
func short(id string) string {
	if len(id) > shortID && strings.Trim(id, "0123456789abcdef") == "" {
		return id[:shortID]
	}
	return text.Escape(id)
}

// tallyFindings says how many findings there are of each sort, and how many were taken out.
func (r *Report) tallyFindings() []string {
	failing := 0
	for i := range r.Findings {
		if fails(&r.Findings[i]) {
			failing++
		}
	}
	parts := []string{"no findings"}
	if len(r.Findings) > 0 {
		parts = []string{fmt.Sprintf("%s (%d fail, %d flag)", count(len(r.Findings), "finding"), failing, len(r.Findings)-failing)}
	}
	if r.Suppressed > 0 {
		parts = append(parts, fmt.Sprintf("%d suppressed", r.Suppressed))
	}
	if r.Rested > 0 {
		parts = append(parts, fmt.Sprintf("%d at rest in the baseline", r.Rested))
	}
	return parts
}

// tallyChecks says how the checks came out.
func (r *Report) tallyChecks() string {
	verdicts := map[finding.Verdict]int{}
	unused := 0
	for i := range r.Checks {
		verdicts[r.Checks[i].Verdict]++
		if r.Checks[i].Verdict == finding.Skipped && r.Checks[i].Reason == check.NotUsed {
			unused++
		}
	}
	var parts []string
	for _, v := range []finding.Verdict{finding.Failed, finding.Flagged, finding.Pass, finding.Skipped} {
		if n := verdicts[v]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, v))
		}
	}
	if len(parts) == 0 {
		return "no checks"
	}
	s := count(len(r.Checks), "check") + ": " + strings.Join(parts, ", ")
	if unused > 0 {
		s += fmt.Sprintf(" (%d not used)", unused)
	}
	return s
}
