package guard

import (
	"fmt"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/guardheader"
	"github.com/seed-4419f9ca/forge/pkg/published"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// provenance judges a file that changes only by its workflow, or not at all (chapter 4.5). What equals one of the parents
// was judged there.
func (g *policyRun) provenance(c *snapshot.Change, f guarded) ([]said, error) {
	level := g.provenanceLevel(f.row)
	if level == finding.Off || !f.DiffersFromAll() {
		return nil, nil
	}
	if f.Added() {
		// A repository that begins to use guards brings its guarded files along.
		if armed, err := g.rules.ArmedBefore(g.ctx, f.row); err != nil || !armed {
			return nil, err
		}
	}
	out, err := g.touched(f)
	if err != nil || len(out) == 0 {
		return nil, err
	}
	if ok, err := g.excused(c, f); err != nil || ok {
		return nil, err
	}
	for i := range out {
		out[i].level = level
		if v := f.row.Via; len(v) > 0 {
			out[i].message += fmt.Sprintf("; nothing shows that %s did it", strings.Join(v, " or "))
		}
	}
	return out, nil
}

// touched says what happened to a file that may not change, nor appear, nor go. A move among the paths of its row is both:
// the old path goes, and the new one appears.
func (g *policyRun) touched(f guarded) ([]said, error) {
	if !f.Removed() {
		return []said{g.changed(f)}, nil
	}
	out, err := g.leaves(f)
	if err != nil || len(out) > 0 || f.To == "" || published.InArchive(f.To) {
		return out, err
	}
	s := g.changed(f)
	s.side = finding.Before
	return []said{s}, nil
}

// changed words the change of f.
func (g *policyRun) changed(f guarded) said {
	slug, kind := slugReadOnly, "read-only"
	if f.row.Policy == policyGoverned {
		slug, kind = slugGoverned, "governed"
	}
	what := "changes"
	switch {
	case f.Removed():
		what = "moves to " + quote(f.To)
	case f.Added():
		what = "appears"
	case !f.After.Mode.IsFile():
		what = "is no regular file any more"
	}
	return said{slug: slug, anchor: f.Path, message: fmt.Sprintf("the %s file %s %s", kind, quote(f.Path), what)}
}

// provenanceLevel is the level of missing evidence for a row at the stage of the run. Before the message is written, a row
// with workflows can only be flagged.
func (g *policyRun) provenanceLevel(row *guardheader.Row) finding.Level {
	if c := g.pass.Config.Guards; c != nil && c.Provenance != "" {
		return finding.Level(c.Provenance)
	}
	if len(row.Via) > 0 && g.pass.Stage == check.PreCommit {
		return finding.Flag
	}
	return finding.Fail
}

// excused reports whether the change of f is one that its row allows: the file equals the reference copy, or a workflow
// of the row made the change. In a range that is asked of each commit that changes the file.
func (g *policyRun) excused(c *snapshot.Change, f guarded) (bool, error) {
	if ok, err := g.equalsReference(c, f.File); err != nil || ok {
		return ok, err
	}
	if c.Commits == nil {
		return g.via.names(f.row), nil
	}
	steps, err := c.Commits(g.ctx)
	if err != nil {
		return false, err
	}
	for i := range steps {
		s := &steps[i]
		made, ok := s.Change.File(f.Path)
		if !ok || !made.DiffersFromAll() || s.Change.Missing != "" {
			continue
		}
		if g.via.in(f.row, trailers(s.Message)) {
			continue
		}
		if ok, err := g.equalsReference(s.Change, made); err != nil || !ok {
			return false, err
		}
	}
	return true, nil
}
