package record

import (
	"fmt"
	"slices"

	"github.com/seed-4419f9ca/forge/pkg/published"
)

// follow tells records of a range that moved in one commit and grew in another what became of them. In the range as a whole
// such a record looks deleted at one path and new at the other; what it held is asked of it where it is now.
func (j *judge) follow(files []target) error {
	moves, err := published.Moves(j.ctx, j.pass.Change, j.pass.Files)
	if err != nil {
		return fmt.Errorf("could not follow the records that move: %w", err)
	}
	for i := range files {
		to, moved := moves[files[i].Path]
		if !moved {
			continue
		}
		was := *files[i].File
		was.To = to
		files[i].File = &was
		if k := slices.IndexFunc(files, func(o target) bool { return o.Path == to && o.Added() }); k >= 0 {
			is := *files[k].File
			is.Before = was.Before
			files[k].File = &is
		}
	}
	return nil
}
