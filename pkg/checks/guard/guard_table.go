package guard

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/glob"
	"github.com/seed-4419f9ca/forge/pkg/guardheader"
	"github.com/seed-4419f9ca/forge/pkg/guardrules"
	"github.com/seed-4419f9ca/forge/pkg/guardtable"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

// GuardTable checks the tables of the rules that say what to re-read before editing what (chapter 4.6, layer 1).
var GuardTable = &check.Check{
	ID:      "guard-table",
	Program: check.PreCommitProgram,
	Title:   "The guard tables of the rules name files and rules that exist, and every guard that is in use.",
	Why: "The rules hold a table that says which rule to read again before a file is edited outside a workflow. Such a table is trusted " +
		"because nobody reads it twice: a rule file that was renamed, a pattern that no longer matches, or a guarded file that was never " +
		"added to it sends the reader on with nothing in hand, and no one notices.",
	Since:  "0.1.0",
	Levels: check.Levels{PreCommit: finding.Fail, PrePush: finding.Fail, CI: finding.Fail},
	Codes: []check.Code{
		{Slug: "no-such-rule", Level: finding.Fail, Title: "A guard table names a rule file that does not exist.",
			Help: "Correct the name, or add the rule file in the same change. Names are looked up beside the table's file, in the rules folder, and from the root."},
		{Slug: "matches-nothing", Level: finding.Flag, Title: "A pattern of a guard table is not valid, or matches no file.",
			Help: "Correct the pattern or delete the row. A pattern without a slash in front matches at any depth, and one that ends in a slash matches what lies in that folder."},
		{Slug: "uncovered", Level: finding.Flag, Title: "A guard that is in use appears in no guard table.",
			Help: "Add a row for the guarded files to the table under \"File Guards\", with the rule file to re-read before they are edited."},
	},
	Run: runGuardTable,
}

func runGuardTable(ctx context.Context, p *check.Pass) error {
	globs := guardtable.Globs(p.Config)
	set, err := glob.CompileSet(globs)
	if err != nil {
		return fmt.Errorf("could not read guards.tables: %w", err)
	}
	rules, err := sharedRules(p)
	if err != nil {
		return err
	}
	r := &tableRun{Pass: p, globs: globs, guards: rules, judged: map[string]bool{}, gone: map[string]bool{}, arrived: map[*guardheader.Row]string{}}
	for i := range p.Files {
		f := &p.Files[i]
		switch isTable := set.Match(f.Path); {
		case p.Judged(f):
			r.judged[f.Path] = isTable
			r.touched = r.touched || isTable
			if err := r.arrive(ctx, f); err != nil {
				return err
			}
		case f.Removed() && f.DiffersFromAll():
			r.gone[f.Path] = true
			r.touched = r.touched || isTable
			r.ruleGone = r.ruleGone || ruleFile(f.Path)
		}
	}
	if !r.touched && !r.ruleGone && len(r.arrived) == 0 {
		p.Skip(check.NotUsed)
		return nil
	}
	return r.run(ctx)
}

// ruleFile reports whether a path can be that of a rule which a table names.
func ruleFile(p string) bool {
	switch path.Ext(p) {
	case ".md", ".mdc", ".markdown", ".txt":
		return true
	}
	return false
}

// A tableRun is one run of the check over a change that concerns it.
type tableRun struct {
	*check.Pass
	globs    []string
	guards   *guardrules.Rules
	judged   map[string]bool             // changed files; true for those that may hold tables
	gone     map[string]bool             // removed files
	touched  bool                        // a file of tables changes or goes
	ruleGone bool                        // a file goes that may be a rule
	arrived  map[*guardheader.Row]string // guards with a new file, and that file
	tables   []guardtable.Table
	all      []snapshot.Entry // of the after tree, when asked for
}

// arrive notes the armed guard of a new file.
func (r *tableRun) arrive(ctx context.Context, f *snapshot.File) error {
	if !f.Added() {
		return nil
	}
	row, err := r.guards.For(ctx, f.Path)
	if err != nil || row == nil {
		return err
	}
	if first, ok := r.arrived[row]; !ok || f.Path < first {
		r.arrived[row] = f.Path
	}
	return nil
}

func (r *tableRun) run(ctx context.Context) error {
	tables, unread, err := guardtable.Load(ctx, r.Change.After, r.globs, r.Config.Limits.File)
	if err != nil {
		return err
	}
	for _, u := range unread {
		if !r.Ignored(u.Path) {
			r.Skip(u.Reason)
		}
	}
	r.tables = slices.DeleteFunc(tables, func(t guardtable.Table) bool { return r.Ignored(t.Path) })
	for i := range r.tables {
		t := &r.tables[i]
		for j := range t.Rows {
			row := &t.Rows[j]
			if r.judged[t.Path] {
				if err := r.patterns(ctx, t, row); err != nil {
					return err
				}
			}
			if err := r.rules(ctx, t, row); err != nil {
				return err
			}
		}
	}
	if err := r.uncovered(ctx); err != nil {
		return err
	}
	if len(r.tables) == 0 && len(unread) == 0 && len(r.Findings()) == 0 {
		r.Skip(check.NotUsed)
	}
	return nil
}

// rules reports the rule files of a row that do not exist: all of them where the table changed, else those that this
// change removes.
func (r *tableRun) rules(ctx context.Context, t *guardtable.Table, row *guardtable.Row) error {
	if r.judged[t.Path] && row.Reread.Empty {
		r.report("no-such-rule", t, row.Start, row.End, patternsOf(row), "the row for %s names no rule file to re-read", patternsOf(row))
	}
	for _, rule := range row.Rules {
		if !r.judged[t.Path] && !slices.ContainsFunc(t.Candidates(rule), func(p string) bool { return r.gone[p] }) {
			continue
		}
		found, err := t.Resolve(ctx, r.Change.After, rule)
		if err != nil {
			return err
		}
		if found != "" {
			continue
		}
		f := r.report("no-such-rule", t, rule.Start, rule.End, rule.Name, "rule file %q does not exist", rule.Name)
		if !r.judged[t.Path] {
			f.Message = fmt.Sprintf("rule file %q is named here, and this change removes it", rule.Name)
		}
	}
	return nil
}

func patternsOf(row *guardtable.Row) string {
	var names []string
	for _, p := range row.Patterns {
		names = append(names, p.Text)
	}
	if len(names) == 0 {
		return "no file"
	}
	return quoted(names)
}

// patterns reports the patterns of a row that are not valid or match nothing.
func (r *tableRun) patterns(ctx context.Context, t *guardtable.Table, row *guardtable.Row) error {
	if len(row.Patterns) == 0 {
		r.report("matches-nothing", t, row.Start, row.End, row.Text, "the row with rule %q names no file pattern", row.Text)
	}
	for _, pattern := range row.Patterns {
		m, invalid := guardtable.NewMatcher(t.Base(), pattern.Text)
		if invalid == nil {
			ok, err := r.matches(ctx, m)
			if err != nil {
				return err
			}
			if ok {
				continue
			}
		}
		f := r.report("matches-nothing", t, pattern.Start, pattern.End, pattern.Text, "pattern %q matches no file", pattern.Text)
		if invalid != nil {
			f.Message = fmt.Sprintf("pattern %q is not valid: %s", pattern.Text, faultOf(invalid))
		}
	}
	return nil
}

// faultOf says what is wrong with a glob, without repeating it.
func faultOf(err error) string {
	var fault *glob.SyntaxError
	if errors.As(err, &fault) {
		return fault.Reason
	}
	return err.Error()
}

// matches reports whether a pattern has a file, an existing folder in front of its wildcards, or an armed guard.
func (r *tableRun) matches(ctx context.Context, m *guardtable.Matcher) (bool, error) {
	all, err := r.files(ctx)
	if err != nil {
		return false, err
	}
	for _, e := range all {
		if m.Match(e.Path) || m.Under(e.Path) {
			return true, nil
		}
	}
	for _, row := range r.guards.Rows().List() {
		if !slices.ContainsFunc(row.Paths, m.Meets) {
			continue
		}
		if armed, err := r.guards.Armed(ctx, row); armed || err != nil {
			return armed, err
		}
	}
	return false, nil
}

// files lists the after tree once.
func (r *tableRun) files(ctx context.Context) ([]snapshot.Entry, error) {
	if r.all != nil {
		return r.all, nil
	}
	all, err := r.Change.After.Under(ctx, "")
	if err != nil {
		return nil, fmt.Errorf("could not list the files of %s: %w", r.Change.After.ID(), err)
	}
	r.all = all
	return all, nil
}

// uncovered reports the guards in use that no table names: all of them when the tables change, else those that a new file
// brings into use. Without any table there is nothing to keep complete, unless the change takes the last one away.
func (r *tableRun) uncovered(ctx context.Context) error {
	at, err := r.placeOfTables(ctx)
	if err != nil || at == nil {
		return err
	}
	used := r.arrived
	if r.touched {
		if used, err = r.inUse(ctx); err != nil {
			return err
		}
	}
	named := r.namedFiles()
	for _, row := range r.guards.Rows().List() {
		example, ok := used[row]
		if !ok || named(row, example) {
			continue
		}
		f := r.Reportf("uncovered", at.path, "guard %q is in use, for example in %q, and no guard table names its files", row.Key, example)
		f.Span, f.Side, f.Anchor = at.span, at.side, row.Key
		f.Related = []finding.Related{{Path: example, Side: finding.After, Message: "a file of this guard"}}
	}
	return nil
}

// inUse returns the armed guards with files in the after tree, each with its first file.
func (r *tableRun) inUse(ctx context.Context) (map[*guardheader.Row]string, error) {
	all, err := r.files(ctx)
	if err != nil {
		return nil, err
	}
	out := map[*guardheader.Row]string{}
	for _, e := range all {
		if r.Ignored(e.Path) {
			continue
		}
		row, err := r.guards.For(ctx, e.Path)
		if err != nil {
			return nil, err
		}
		if row == nil {
			continue
		}
		if _, ok := out[row]; !ok {
			out[row] = e.Path
		}
	}
	return out, nil
}

// namedFiles returns a function that reports whether a pattern of any table binds a file of a guard, or meets its paths.
func (r *tableRun) namedFiles() func(row *guardheader.Row, file string) bool {
	matchers := r.matchers()
	return func(row *guardheader.Row, file string) bool {
		return slices.ContainsFunc(matchers, func(m *guardtable.Matcher) bool {
			return m.Match(file) || slices.ContainsFunc(row.Paths, m.Meets)
		})
	}
}

// matchers compiles the valid patterns of all tables.
func (r *tableRun) matchers() []*guardtable.Matcher {
	var out []*guardtable.Matcher
	for i := range r.tables {
		for _, row := range r.tables[i].Rows {
			for _, p := range row.Patterns {
				if m, err := guardtable.NewMatcher(r.tables[i].Base(), p.Text); err == nil {
					out = append(out, m)
				}
			}
		}
	}
	return out
}

// A tablePlace is where a finding about all tables stands.
type tablePlace struct {
	path string
	span text.Span
	side finding.Side
}

// placeOfTables returns the header row of the first table that changed, else of the first table; when the change has taken
// the last table away, the file that held it. It is nil when there never was a table.
func (r *tableRun) placeOfTables(ctx context.Context) (*tablePlace, error) {
	if len(r.tables) > 0 {
		t := &r.tables[0]
		if i := slices.IndexFunc(r.tables, func(t guardtable.Table) bool { return r.judged[t.Path] }); i >= 0 {
			t = &r.tables[i]
		}
		return &tablePlace{path: t.Path, span: t.Lines.LineSpan(t.Line), side: finding.After}, nil
	}
	for _, before := range r.Change.Before {
		tables, _, err := guardtable.Load(ctx, before, r.globs, r.Config.Limits.File)
		if err != nil {
			return nil, err
		}
		for _, t := range tables {
			switch {
			case r.gone[t.Path]:
				return &tablePlace{path: t.Path, side: finding.Before}, nil
			case r.judged[t.Path]:
				return &tablePlace{path: t.Path, side: finding.After}, nil
			}
		}
	}
	return nil, nil
}

// report starts a finding at a place of a table's file. The anchor is what it is about.
func (r *tableRun) report(slug string, t *guardtable.Table, start, end int, anchor, format string, args ...any) *finding.Finding {
	f := r.Reportf(slug, t.Path, format, args...)
	f.Span, f.Anchor = t.Lines.Span(start, end), anchor
	return f
}
