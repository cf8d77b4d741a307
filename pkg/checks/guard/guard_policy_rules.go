package guard

import (
	"context"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/guardheader"
	"github.com/seed-4419f9ca/forge/pkg/guardrules"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// A guarded file is a file of the change with the row that binds it.
type guarded struct {
	*snapshot.File
	row *guardheader.Row
}

// guardedFiles returns the files of the pass that an armed row binds.
func guardedFiles(ctx context.Context, p *check.Pass, rules *guardrules.Rules) ([]guarded, error) {
	var out []guarded
	for i := range p.Files {
		f := &p.Files[i]
		row, err := rules.For(ctx, f.Path)
		if err != nil {
			return nil, err
		}
		if row != nil {
			out = append(out, guarded{f, row})
		}
	}
	return out, nil
}

// sameGuard reports whether the row binds another path as well.
func (g *policyRun) sameGuard(path string, row *guardheader.Row) (bool, error) {
	r, err := g.rules.For(g.ctx, path)
	return r != nil && r.Key == row.Key && !g.pass.Ignored(path), err
}
