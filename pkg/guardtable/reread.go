package guardtable

import (
	"context"
	"fmt"
	"path"
	"slices"

	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// An Answer is one rule file to re-read before an edit.
type Answer struct {
	Rule    string   // path of the rule file, or its name as the table has it when the snapshot does not hold it
	Missing bool     // the snapshot does not hold it
	Prose   bool     // Rule is the text of the cell, which names no file
	Table   string   // file of the first table row that asks for it
	Line    int      // of that row
	Pattern string   // of that row
	Reason  string   // of the first row that gives one
	For     []string // the paths that ask for it, in the order given
}

// Reread answers, from tables, what must be re-read before editing paths, which need not exist. Answers come in the order
// of the tables; a rule file is named once. A pattern that is not valid binds nothing.
func Reread(ctx context.Context, tree snapshot.Tree, tables []Table, paths []string) ([]Answer, error) {
	var out []Answer
	for i := range tables {
		t := &tables[i]
		for _, row := range t.Rows {
			asked, pattern := row.asked(t.Base(), paths)
			if len(asked) == 0 {
				continue
			}
			if len(row.Rules) == 0 && !row.Reread.Empty {
				out = merge(out, Answer{Rule: row.Text, Prose: true, Table: t.Path, Line: row.Line, Pattern: pattern, Reason: row.Reason, For: asked})
			}
			for _, r := range row.Rules {
				at, err := t.Resolve(ctx, tree, r)
				if err != nil {
					return nil, fmt.Errorf("could not find rule %q of %q: %w", r.Name, t.Path, err)
				}
				a := Answer{Rule: at, Table: t.Path, Line: row.Line, Pattern: pattern, Reason: row.Reason, For: asked}
				if at == "" {
					a.Rule, a.Missing = r.Name, true
				}
				out = merge(out, a)
			}
		}
	}
	return out, nil
}

// asked returns the paths that a pattern of the row binds, and the first such pattern.
func (r *Row) asked(base string, paths []string) (bound []string, pattern string) {
	for _, p := range r.Patterns {
		m, err := NewMatcher(base, p.Text)
		if err != nil {
			continue
		}
		for _, asked := range paths {
			if m.Match(path.Clean(asked)) && !slices.Contains(bound, asked) {
				bound = append(bound, asked)
				if pattern == "" {
					pattern = p.Text
				}
			}
		}
	}
	return bound, pattern
}

func merge(out []Answer, a Answer) []Answer {
	for i := range out {
		o := &out[i]
		if o.Rule != a.Rule {
			continue
		}
		if o.Reason == "" {
			o.Reason = a.Reason
		}
		o.For = slices.Clone(o.For)
		for _, p := range a.For {
			if !slices.Contains(o.For, p) {
				o.For = append(o.For, p)
			}
		}
		return out
	}
	return append(out, a)
}
