// Package suite runs checks over a change: it chooses them, hands each a Pass, judges a range commit by commit where
// history matters, and applies suppressions, levels and the baseline. The result is a report.
package suite

//go:generate go run ../../ci/registry -root ../..

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/seed-4419f9ca/forge/pkg/baseline"
	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/config"
	"github.com/seed-4419f9ca/forge/pkg/facts"
	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/fingerprint"
	"github.com/seed-4419f9ca/forge/pkg/report"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
	"github.com/seed-4419f9ca/forge/pkg/suppress"
)

// An Input is one run.
type Input struct {
	Checks    []*check.Check // those of the program
	Known     []*check.Check // those of all programs, for suppressions
	Selection Selection
	Stage     check.Stage
	All       bool
	Strict    bool
	Via       []string
	Message   []byte // commit message at the commit-msg stage
	Today     time.Time
	Baseline  *baseline.Baseline // nil for none
	Engine    *fingerprint.Engine
	Targets   []string // see check.Pass
	Changed   bool
	Collect   func(any)
	Clock     func() time.Time // for the times of --verbose; nil leaves them out
}

// A Subject is one change to judge, with the configuration that holds for it.
type Subject struct {
	Change  *snapshot.Change
	Config  *config.Config
	Ignored func(path string) bool
}

// Run judges the subjects and returns one report over all of them; without a subject every check is skipped. Its error
// says that no verdict could be reached, or is a *UsageError.
func Run(ctx context.Context, in Input, subjects []Subject) (*report.Report, error) {
	if err := in.Selection.Validate(in.Known); err != nil {
		return nil, err
	}
	rep := &report.Report{Strict: in.Strict}
	total := tally{}
	for _, s := range subjects {
		r := run{Input: in, Subject: s}
		if err := r.all(ctx); err != nil {
			return nil, err
		}
		total.add(&r)
	}
	if len(subjects) == 0 {
		for _, c := range in.Selection.choose(in.Checks, config.Default(), in.Stage) {
			total.results = append(total.results, result{choice: c, skip: orElse(c.reason, check.NotUsed)})
		}
	}
	total.fill(rep, in)
	return rep, nil
}

// A result is what one check said about one or more subjects.
type result struct {
	choice
	skip     string
	ran      bool
	findings []finding.Finding
	took     time.Duration
}

// A run is the judgement of one subject.
type run struct {
	Input
	Subject
	facts   facts.Store
	files   []snapshot.File
	results []result
	meta    []finding.Finding
	secret  []finding.Finding // what must not be printed, whatever takes the finding out
	quieted int               // suppressed findings
	rested  int               // findings in the baseline
}

func (r *run) all(ctx context.Context) error {
	var err error
	if r.files, err = r.selectFiles(ctx, r.Change); err != nil {
		return err
	}
	for _, ch := range r.Selection.choose(r.Checks, r.Config, r.Stage) {
		res := result{choice: ch, skip: ch.reason}
		if ch.reason == "" {
			if err := r.judge(ctx, &res); err != nil {
				return err
			}
		}
		r.results = append(r.results, res)
	}
	for i := range r.results {
		for _, f := range r.results[i].findings {
			if secret(f.Code) {
				r.secret = append(r.secret, f)
			}
		}
	}
	if err := r.suppress(ctx); err != nil {
		return err
	}
	for i := range r.results {
		res := &r.results[i]
		report.Cap(res.level, res.findings, func(f *finding.Finding) bool { return res.firm && firm(res.check, f) })
		if r.Baseline != nil {
			var rested int
			res.findings, rested = r.Baseline.Apply(res.findings)
			r.rested += rested
		}
	}
	return nil
}

// selectFiles lists the files that checks look at: those of the change and, with All, every other file of the after tree.
func (r *run) selectFiles(ctx context.Context, c *snapshot.Change) ([]snapshot.File, error) {
	out := make([]snapshot.File, 0, len(c.Files))
	for _, f := range c.Files {
		if !r.Ignored(f.Path) {
			out = append(out, f)
		}
	}
	if !r.All {
		return out, nil
	}
	entries, err := c.After.Under(ctx, "")
	if err != nil {
		return nil, fmt.Errorf("could not list the files of %s: %w", c.After.ID(), err)
	}
	for _, e := range entries {
		if _, changed := c.File(e.Path); changed || r.Ignored(e.Path) {
			continue
		}
		f := snapshot.File{Path: e.Path, After: e, Before: make([]snapshot.Entry, len(c.Before))}
		for i := range f.Before {
			f.Before[i] = e
		}
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b snapshot.File) int { return strings.Compare(a.Path, b.Path) })
	return out, nil
}

// judge runs one check over the change and, where its history matters, over each commit of a range.
func (r *run) judge(ctx context.Context, res *result) error {
	var start time.Time
	if r.Clock != nil {
		start = r.Clock()
	}
	p := &check.Pass{
		Check: res.check, Change: r.Change, Config: r.Config, Facts: &r.facts, Stage: r.Stage, All: r.All,
		Files: r.files, Ignored: r.Ignored, Via: r.Via, Message: r.Message, Today: r.Today, Step: r.Change.Own, Engine: r.Engine,
		Targets: r.Targets, Changed: r.Changed && !r.All, Collect: r.Collect,
	}
	if err := call(ctx, res.check, p); err != nil {
		return fmt.Errorf("%s: %w", res.id, err)
	}
	res.skip = p.Skipped()
	res.ran = res.skip == "" || res.skip == check.NotUsed
	res.findings = values(p.Findings())
	if res.check.History {
		if err := r.history(ctx, res); err != nil {
			return err
		}
	}
	if r.Clock != nil {
		res.took = r.Clock().Sub(start)
	}
	return nil
}

// call runs a check. A panic of its own is an error like any other: what broke off has not judged.
func call(ctx context.Context, c *check.Check, p *check.Pass) (err error) {
	defer func() {
		switch cause := recover().(type) {
		case nil:
		case error:
			err = fmt.Errorf("the check broke off: %w", cause)
		default:
			err = fmt.Errorf("the check broke off: %v", cause)
		}
	}()
	return c.Run(ctx, p)
}

func values(list []*finding.Finding) []finding.Finding {
	out := make([]finding.Finding, len(list))
	for i, f := range list {
		out[i] = *f
	}
	return out
}

// firm reports whether f, which c reported, fails where c is only a flag.
func firm(c *check.Check, f *finding.Finding) bool {
	_, slug, _ := strings.Cut(f.Code, "/")
	code := c.Code(slug)
	return code != nil && code.Firm
}

func orElse(s, other string) string {
	if s != "" {
		return s
	}
	return other
}

// suppress takes out what the files themselves let through. Findings of a commit inside a range are judged by the files
// of that commit.
func (r *run) suppress(ctx context.Context) error {
	var all []finding.Finding
	commits := []string{""}
	for i := range r.results {
		for _, f := range r.results[i].findings {
			all = append(all, f)
			if !slices.Contains(commits, f.Commit) {
				commits = append(commits, f.Commit)
			}
		}
	}
	trees := map[string]*snapshot.Change{"": r.Change}
	if len(commits) > 1 {
		steps, err := r.Change.Commits(ctx)
		if err != nil {
			return err
		}
		for i := range steps {
			trees[steps[i].OID] = steps[i].Change
		}
	}
	for _, oid := range commits {
		kept, meta, err := suppress.Apply(ctx, r.suppression(trees[oid], oid, all))
		if err != nil {
			return err
		}
		r.quieted += len(all) - len(kept)
		all = kept
		if oid == "" {
			r.meta = meta
		}
	}
	for i := range r.results {
		res := &r.results[i]
		res.findings = nil
		for _, f := range all {
			if f.Check() == res.id {
				res.findings = append(res.findings, f)
			}
		}
	}
	return nil
}

func (r *run) suppression(c *snapshot.Change, oid string, all []finding.Finding) suppress.Input {
	var paths []string
	files := r.files
	if oid != "" {
		files = c.Files
	}
	for i := range files {
		if files[i].After.Mode.IsFile() && (r.All || files[i].DiffersFromAll()) {
			paths = append(paths, files[i].Path)
		}
	}
	return suppress.Input{
		Findings: all, Files: paths, Commit: oid, Today: r.Today,
		Read: func(ctx context.Context, path string) ([]byte, error) {
			f, changed := c.File(path)
			if !changed {
				e, err := c.After.Lookup(ctx, path)
				if err != nil {
					return nil, err
				}
				f = &snapshot.File{After: e}
			}
			if !f.After.Mode.IsFile() {
				return nil, nil
			}
			return c.After.Read(ctx, f.After, r.Config.Limits.File)
		},
		Ahead: func(ctx context.Context, paths []string) {
			var entries []snapshot.Entry
			for _, path := range paths {
				if f, ok := c.File(path); ok {
					entries = append(entries, f.After)
				}
			}
			c.After.Prefetch(ctx, entries, r.Config.Limits.File)
		},
		Known: func(code string) (*check.Code, bool) { return FindCode(r.Known, code) },
		Ran: func(id string) bool {
			i := slices.IndexFunc(r.results, func(res result) bool { return res.id == id })
			return i >= 0 && r.results[i].ran
		},
	}
}

// FindCode finds a whole code, "guard-header/missing", among checks. The codes of reserved checks and of checks that another
// program has are known without a card: it then returns nil and true.
func FindCode(checks []*check.Check, code string) (*check.Code, bool) {
	id, slug, _ := strings.Cut(code, "/")
	for _, c := range checks {
		if c.ID == id {
			found := c.Code(slug)
			return found, found != nil || c.Elsewhere() && slug != ""
		}
	}
	return nil, slug != "" && slices.Contains(reserved[:], id)
}

var errNoSource = errors.New("could not find the file of a finding in the change")
