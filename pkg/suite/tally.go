package suite

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/report"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
	"github.com/seed-4419f9ca/forge/pkg/suppress"
)

// A tally joins the runs of several subjects, such as the refs of one push.
type tally struct {
	results         []result
	meta            []finding.Finding
	secret          []finding.Finding
	quieted, rested int
	changes         []*snapshot.Change
	files           map[string]bool
	limit           int64
}

func (t *tally) add(r *run) {
	if t.files == nil {
		t.files = map[string]bool{}
	}
	for i := range r.files {
		t.files[r.files[i].Path] = true
	}
	t.changes = append(t.changes, r.Change)
	t.meta = append(t.meta, r.meta...)
	t.quieted += r.quieted
	t.rested += r.rested
	t.secret = append(t.secret, r.secret...)
	t.limit = max(t.limit, r.Config.Limits.File)
	if len(t.results) == 0 {
		t.results = r.results
		return
	}
	for _, res := range r.results {
		i := slices.IndexFunc(t.results, func(o result) bool { return o.id == res.id })
		if i < 0 {
			t.results = append(t.results, res)
			continue
		}
		t.results[i].join(&res)
	}
	slices.SortFunc(t.results, func(a, b result) int { return strings.Compare(a.id, b.id) })
}

// join merges what a check said about another subject: findings add up, a skip that counts stays.
func (r *result) join(o *result) {
	r.findings = append(r.findings, o.findings...)
	r.took += o.took
	switch {
	case r.skip == check.NotUsed:
		r.skip, r.ran = o.skip, o.ran
	case r.skip == "" && o.skip != check.NotUsed:
		r.skip = o.skip
	}
	if o.level == finding.Fail || r.level == finding.Off {
		r.level = o.level
	}
}

func (t *tally) fill(rep *report.Report, in Input) {
	for i := range t.results {
		res := &t.results[i]
		res.findings = finding.Sort(res.findings)
		rep.Findings = append(rep.Findings, res.findings...)
		c := report.CheckResult{
			ID: res.id, Level: res.level, Reason: res.skip, Findings: len(res.findings),
			Verdict: report.Of(res.level, res.skip, res.findings), Millis: float64(res.took) / float64(time.Millisecond),
		}
		if c.Verdict == finding.Pass || c.Verdict == finding.Flagged {
			c.Reason = ""
		}
		rep.Checks = append(rep.Checks, c)
	}
	if meta := finding.Sort(t.meta); len(meta) > 0 {
		rep.Findings = append(rep.Findings, meta...)
		rep.Checks = append(rep.Checks, report.CheckResult{
			ID: suppress.ID, Level: finding.Flag, Findings: len(meta), Verdict: report.Of(finding.Flag, "", meta),
		})
		slices.SortFunc(rep.Checks, func(a, b report.CheckResult) int { return strings.Compare(a.ID, b.ID) })
	}
	rep.Findings = finding.Sort(rep.Findings)
	rep.Verdict = report.Decide(rep.Checks, in.Strict)
	rep.Suppressed, rep.Rested = t.quieted, t.rested
	rep.Change = t.describe()
	rep.Source = t.source
	rep.Secret, rep.Hidden = secret, t.secret
}

// secret reports whether what a finding of this code stands on must not be printed (chapter 6.3).
func secret(code string) bool { return code == "mind/secret" }

func (t *tally) describe() report.Change {
	out := report.Change{Before: []string{}, Files: len(t.files)}
	var notes, afters []string
	for _, c := range t.changes {
		out.Kind = string(c.Kind)
		for _, b := range c.Before {
			if !slices.Contains(out.Before, b.ID()) {
				out.Before = append(out.Before, b.ID())
			}
		}
		afters = append(afters, c.After.ID())
		if c.Note != "" && !slices.Contains(notes, c.Note) {
			notes = append(notes, c.Note)
		}
		if c.Missing != "" {
			notes = append(notes, c.Missing)
		}
	}
	out.After = strings.Join(slices.Compact(afters), " ")
	out.Note = strings.Join(notes, "; ")
	return out
}

// source finds the content that a finding's excerpt is taken from: the first change that has the path on that side.
func (t *tally) source(ctx context.Context, path string, side finding.Side) ([]byte, error) {
	for _, c := range t.changes {
		trees := []snapshot.Tree{c.After}
		if side == finding.Before {
			trees = c.Before
		}
		for _, tree := range trees {
			e, err := tree.Lookup(ctx, path)
			if err != nil {
				return nil, err
			}
			if e.Mode.IsFile() {
				return tree.Read(ctx, e, t.limit)
			}
		}
	}
	return nil, errNoSource
}
