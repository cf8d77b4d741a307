package record

import (
	"slices"

	"github.com/seed-4419f9ca/forge/pkg/published"
	"github.com/seed-4419f9ca/forge/pkg/record"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// judgeList judges a record of entries or blocks in Markdown, which has to be read as a whole.
func (j *judge) judgeList(c *snapshot.Change, t target) ([]record.Problem, error) {
	if came, err := j.came(t, 0); came || err != nil {
		return nil, err
	}
	cmp, err := published.Lists(j.ctx, c, t.File, j.reader(t.kind.Shape))
	if err != nil {
		return nil, j.pass.SkipTooLarge(err)
	}
	cmp.Direction = t.kind.Grows()
	return j.archived(c, t, record.CompareList(*cmp))
}

// reader reads records of a shape. Guard headers are no entries, in whatever spelling.
func (j *judge) reader(shape record.Shape) published.Reader {
	return func(tree snapshot.Tree, e snapshot.Entry) (*record.Listing, error) {
		data, err := tree.Read(j.ctx, e, j.pass.Config.Limits.File)
		switch {
		case err != nil:
			return nil, err
		case shape == record.Blocks:
			return record.ParseBlocks(data), nil
		}
		return record.ParseList(data, func(line string) bool { return j.rules.Rows().Known(line) != nil }), nil
	}
}

// archived takes out the problems about entries that moved into the archive of the record in this change.
func (j *judge) archived(c *snapshot.Change, t target, r *record.ListResult) ([]record.Problem, error) {
	if t.kind.archive == "" || len(r.Problems) == 0 {
		return r.Problems, nil
	}
	read := j.reader(t.kind.Shape)
	now, err := published.In(j.ctx, []snapshot.Tree{c.After}, t.kind.archive, read)
	if err != nil {
		return nil, j.pass.SkipTooLarge(err)
	}
	was, err := published.In(j.ctx, c.Before[:1], t.kind.archive, read)
	if err != nil {
		return nil, j.pass.SkipTooLarge(err)
	}
	return slices.DeleteFunc(r.Problems, arrivals(was, now).takes(r)), nil
}

// arrived counts the entries that an archive gained, by mark and text.
type arrived map[string]int

func arrivals(was, now []*record.Listing) arrived {
	a := arrived{}
	for _, l := range now {
		for i := range l.Entries {
			a[identity(&l.Entries[i])]++
		}
	}
	for _, l := range was {
		for i := range l.Entries {
			a[identity(&l.Entries[i])]--
		}
	}
	return a
}

func identity(e *record.Entry) string { return string(e.Task) + "\x00" + e.Text }

func (a arrived) takes(r *record.ListResult) func(record.Problem) bool {
	return func(p record.Problem) bool {
		if p.Slug != record.EntryRemoved {
			return false
		}
		id := identity(&r.Changes[p.Parent].Before.Entries[p.Old])
		if a[id] <= 0 {
			return false
		}
		a[id]--
		return true
	}
}
