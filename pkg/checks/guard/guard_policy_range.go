package guard

import (
	"fmt"
	"slices"

	"github.com/seed-4419f9ca/forge/pkg/published"
	"github.com/seed-4419f9ca/forge/pkg/record"
)

// follow tells files of a range that moved in one commit and changed in another what became of them. In the range as a whole
// such a file looks deleted at one path and new at the other; what it held is asked of it where it is now.
func (g *policyRun) follow(files []guarded) error {
	moves, err := published.Moves(g.ctx, g.pass.Change, g.pass.Files)
	if err != nil {
		return fmt.Errorf("could not follow the files that move: %w", err)
	}
	for i := range files {
		f := &files[i]
		to, moved := moves[f.Path]
		if !moved {
			continue
		}
		was := *f.File
		was.To = to
		f.File = &was
		k := slices.IndexFunc(files, func(o guarded) bool { return o.Path == to && o.row.Key == f.row.Key && o.Added() })
		if k >= 0 && f.row.Policy != policyReadOnly && f.row.Policy != policyGoverned {
			is := *files[k].File
			is.Before = was.Before
			files[k].File = &is
		}
	}
	return nil
}

// forgiveMerges takes out of what a range as a whole says that entries stand elsewhere, when the range has a merge that joins
// versions of the list and none of its commits moves or loses anything: a merge puts the entries of one side between those
// of the other.
func (g *policyRun) forgiveMerges(f guarded, list []said) ([]said, error) {
	moves := func(s said) bool { return s.slug == record.EntryMoved }
	if g.pass.Change.Commits == nil || !slices.ContainsFunc(list, moves) {
		return list, nil
	}
	steps, err := g.pass.Change.Commits(g.ctx)
	if err != nil {
		return nil, err
	}
	joined := false
	for i := range steps {
		c := steps[i].Change
		made, ok := c.File(f.Path)
		if !ok {
			continue
		}
		if c.Missing != "" {
			return list, nil
		}
		found, err := g.judge(c, guarded{made, f.row})
		if err != nil || slices.ContainsFunc(found, losesPublished) {
			return list, err
		}
		joined = joined || len(c.Before) > 1 && made.DiffersFromAll()
	}
	if joined {
		list = slices.DeleteFunc(list, moves)
	}
	return list, nil
}
