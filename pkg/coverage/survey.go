package coverage

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/glob"
	"github.com/seed-4419f9ca/forge/pkg/guardheader"
	"github.com/seed-4419f9ca/forge/pkg/guardrules"
	"github.com/seed-4419f9ca/forge/pkg/guardtable"
	"github.com/seed-4419f9ca/forge/pkg/markdown"
	"github.com/seed-4419f9ca/forge/pkg/pathref"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
	"github.com/seed-4419f9ca/forge/pkg/workflow"
)

// A state holds what a snapshot contains of each layer.
type state struct {
	Input
	all   []snapshot.Entry
	armed map[string]bool
	rows  *guardheader.Rows

	tables   []guardtable.Table
	matchers []tableRow
	opening  []opening
	steps    []step
	ci       []string // files of the repository that run Forge in CI
	managers []string // files of the repository that run Forge from git hooks

	files      map[string][]guarded // by key of the guard
	guards     []Guard
	unguarded  []File
	unread     []File
	headerSize int // bytes of all headers that are there
	headers    int
}

// A tableRow is one pattern of a guard table, with whether its rule files are there.
type tableRow struct {
	match *guardtable.Matcher
	whole bool
}

// An opening is one workflow that opens a session.
type opening struct {
	path  string
	block *workflow.Safety // nil without one
	fault string           // what is wrong with the block, "" when nothing is
	bytes int
	names []string // paths that the block names
}

// A step is the step 0 of one workflow.
type step struct {
	path  string
	fault string
	bytes int
}

// A guarded file lies under the paths of an armed guard.
type guarded struct {
	path             string
	carries, present bool // it can carry the header; it has it
}

func survey(ctx context.Context, in Input) (*state, error) {
	s := &state{Input: in, files: map[string][]guarded{}}
	all, err := in.Tree.Under(ctx, "")
	if err != nil {
		return nil, fmt.Errorf("could not list the files of %s: %w", in.Tree.ID(), err)
	}
	s.all = slices.DeleteFunc(slices.Clone(all), func(e snapshot.Entry) bool { return in.Ignored(e.Path) })
	for _, part := range []func(context.Context) error{s.findGuards, s.findTables, s.findOpenings, s.findSteps, s.findRunners} {
		if err := part(ctx); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(s.unread, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return s, nil
}

// read returns the content of a file; one that is too large is noted and left out.
func (s *state) read(ctx context.Context, e snapshot.Entry) ([]byte, bool, error) {
	src, err := s.Tree.Read(ctx, e, s.Config.Limits.File)
	if large := (*snapshot.TooLarge)(nil); errors.As(err, &large) {
		s.unread = append(s.unread, File{Path: e.Path, Reason: large.Error()})
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("could not read %q: %w", e.Path, err)
	}
	return src, true, nil
}

// findGuards reads the guarded files and looks for their headers.
func (s *state) findGuards(ctx context.Context) error {
	rules, err := guardrules.New(&snapshot.Change{Kind: snapshot.Commit, After: s.Tree}, s.Config, s.Ignored)
	if err != nil {
		return fmt.Errorf("could not read guards.rules: %w", err)
	}
	s.rows, s.armed = rules.Rows(), map[string]bool{}
	for _, row := range s.rows.List() {
		if s.armed[row.Key], err = rules.Armed(ctx, row); err != nil {
			return err
		}
	}
	var entries []snapshot.Entry
	var rows []*guardheader.Row
	for _, e := range s.all {
		if row := s.rows.For(e.Path, func(r *guardheader.Row) bool { return s.armed[r.Key] }); row != nil {
			entries, rows = append(entries, e), append(rows, row)
		}
	}
	s.Tree.Prefetch(ctx, entries, s.Config.Limits.File)
	for i, e := range entries {
		if err := s.guardedFile(ctx, e, rows[i]); err != nil {
			return err
		}
	}
	for _, r := range s.rows.List() {
		g := Guard{Key: r.Key, Armed: s.armed[r.Key], Files: len(s.files[r.Key])}
		for _, f := range s.files[r.Key] {
			if f.carries {
				g.CanCarry++
			}
			if f.present {
				g.WithHeader++
			}
		}
		s.guards = append(s.guards, g)
	}
	return nil
}

func (s *state) guardedFile(ctx context.Context, e snapshot.Entry, row *guardheader.Row) error {
	f := guarded{path: e.Path, carries: true}
	reason := fmt.Sprintf("has no header of guard %q", row.Key)
	if !e.Mode.IsFile() {
		reason = "is no regular file and can carry no header"
	} else {
		src, ok, err := s.read(ctx, e)
		if err != nil {
			return err
		}
		if !ok {
			s.files[row.Key] = append(s.files[row.Key], f)
			return nil
		}
		scan := s.rows.Find(e.Path, src)
		f.carries = scan.Carries()
		right := scan.Right(row)
		f.present = f.carries && len(right) > 0
		if f.present {
			s.headers++
			s.headerSize += right[0].End - right[0].Start
		}
		if scan.Unreadable != "" {
			reason += ", and cannot be read for certain: " + scan.Unreadable
		}
	}
	if f.carries && !f.present {
		s.unguarded = append(s.unguarded, File{Path: e.Path, Guard: row.Key, Reason: reason})
	}
	s.files[row.Key] = append(s.files[row.Key], f)
	return nil
}

func (s *state) findTables(ctx context.Context) error {
	tables, unread, err := guardtable.Load(ctx, s.Tree, guardtable.Globs(s.Config), s.Config.Limits.File)
	if err != nil {
		return err
	}
	for _, u := range unread {
		if !s.Ignored(u.Path) {
			s.unread = append(s.unread, File{Path: u.Path, Reason: u.Reason})
		}
	}
	s.tables = slices.DeleteFunc(tables, func(t guardtable.Table) bool { return s.Ignored(t.Path) })
	for i := range s.tables {
		t := &s.tables[i]
		for _, row := range t.Rows {
			whole := !row.Reread.Empty
			for _, r := range row.Rules {
				at, err := t.Resolve(ctx, s.Tree, r)
				if err != nil {
					return err
				}
				whole = whole && at != ""
			}
			for _, p := range row.Patterns {
				if m, err := guardtable.NewMatcher(t.Base(), p.Text); err == nil {
					s.matchers = append(s.matchers, tableRow{m, whole})
				}
			}
		}
	}
	return nil
}

func (s *state) findOpenings(ctx context.Context) error {
	open, err := glob.Compile(workflow.OpenGlob(s.Config))
	if err != nil {
		return fmt.Errorf("could not read guards.open-workflow: %w", err)
	}
	for _, e := range s.all {
		if !open.Match(e.Path) || !e.Mode.IsFile() {
			continue
		}
		src, ok, err := s.read(ctx, e)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		o := opening{path: e.Path, block: workflow.FindReport(markdown.Parse(src)).Safety()}
		if err := s.judgeBlock(ctx, &o); err != nil {
			return err
		}
		s.opening = append(s.opening, o)
	}
	return nil
}

func (s *state) judgeBlock(ctx context.Context, o *opening) error {
	if o.block == nil {
		o.fault = "its report has no safety block"
		return nil
	}
	for _, l := range o.block.Lines {
		o.bytes += len(l.Text) + 1
	}
	switch missing := o.block.Missing(); {
	case len(missing) > 0:
		o.fault = "its block has no point for " + strings.Join(missing, ", ")
	case !o.block.AfterBacklog || !o.block.InLastThird:
		o.fault = "its block stands too early in the report"
	}
	for _, n := range o.block.Paths() {
		at, err := pathref.Locate(ctx, s.Tree, o.path, n.Path, true)
		if err != nil {
			return err
		}
		if at == "" {
			if o.fault == "" {
				o.fault = fmt.Sprintf("its block names %q, which is not there", n.Path)
			}
			continue
		}
		o.names = append(o.names, at)
	}
	return nil
}

func (s *state) findSteps(ctx context.Context) error {
	names := workflow.PreflightNames(s.Config)
	isRules, err := guardtable.RulesPaths(guardtable.Globs(s.Config))
	if err != nil {
		return err
	}
	for _, e := range s.all {
		if !workflow.NamedAs(e.Path, names) || !e.Mode.IsFile() {
			continue
		}
		src, ok, err := s.read(ctx, e)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		gate, _ := workflow.FindGate(markdown.Parse(src), isRules)
		st, err := s.judgeStep(ctx, e.Path, gate)
		if err != nil {
			return err
		}
		s.steps = append(s.steps, st)
	}
	return nil
}

func (s *state) judgeStep(ctx context.Context, at string, gate *workflow.Gate) (step, error) {
	out := step{path: at}
	switch {
	case gate == nil:
		out.fault = "has no step 0"
		return out, nil
	case gate.Before != nil:
		out.fault = "does not begin with its step 0"
	case !gate.Rereads:
		out.fault = "does not re-read the rules in its step 0"
	}
	out.bytes = gate.Step.Size()
	for _, n := range gate.Needs {
		found, err := pathref.Locate(ctx, s.Tree, at, n.Path, !n.Rules)
		if err != nil {
			return out, err
		}
		if found == "" && out.fault == "" {
			out.fault = fmt.Sprintf("names %q, which is not there", n.Path)
		}
	}
	return out, nil
}

// findRunners looks for files of the repository that run Forge: jobs of CI, and the settings of hook managers.
func (s *state) findRunners(ctx context.Context) error {
	for _, e := range s.all {
		ci, manager := ciFile(e.Path), managerFile(e.Path)
		if !e.Mode.IsFile() || !ci && !manager {
			continue
		}
		src, ok, err := s.read(ctx, e)
		if err != nil {
			return err
		}
		if !ok || !runsForge(string(src)) {
			continue
		}
		if ci {
			s.ci = append(s.ci, e.Path)
		} else {
			s.managers = append(s.managers, e.Path)
		}
	}
	return nil
}

func ciFile(p string) bool {
	ext := path.Ext(p)
	if ext != ".yml" && ext != ".yaml" {
		return false
	}
	return path.Dir(p) == ".github/workflows" || strings.HasPrefix(p, ".gitlab/") || path.Dir(p) == "." && strings.HasPrefix(p, ".gitlab-ci")
}

func managerFile(p string) bool {
	switch p {
	case ".pre-commit-config.yaml", "lefthook.yml", "lefthook.yaml", ".lefthook.yml", "package.json", ".lintstagedrc":
		return true
	}
	return path.Dir(p) == ".husky" || path.Dir(p) == ".githooks"
}

// runsForge reports whether a line that is no comment names one of the programs, or the action.
func runsForge(src string) bool {
	for line := range strings.Lines(src) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "//") {
			continue
		}
		if strings.Contains(line, "forge-pre-commit") || strings.Contains(line, "uses:") && strings.Contains(line, "/forge@") ||
			strings.Contains(line, "component:") && strings.Contains(line, "/forge") {
			return true
		}
	}
	return false
}
