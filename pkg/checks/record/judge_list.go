package record

import (
	"slices"

	"github.com/seed-4419f9ca/forge/pkg/record"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// judgeList judges a record of entries in Markdown, which has to be read as a whole.
func (j *judge) judgeList(c *snapshot.Change, t target) ([]record.Problem, error) {
	if came, err := j.came(t, 0); came || err != nil {
		return nil, err
	}
	cmp := record.ListComparison{Direction: t.kind.Grows()}
	var err error
	if cmp.After, err = j.listing(c.After, t.After); err != nil {
		return nil, j.pass.SkipTooLarge(err)
	}
	for i, tree := range c.Before {
		parent := record.ListParent{}
		e := t.Before[i]
		if e.Mode.IsFile() {
			if parent.Listing, err = j.listing(tree, e); err != nil {
				return nil, j.pass.SkipTooLarge(err)
			}
			if i > 0 {
				trees, err := c.MergeBases(j.ctx, i)
				if err != nil {
					return nil, err
				}
				if parent.Bases, err = j.listings(trees, t.Path); err != nil {
					return nil, j.pass.SkipTooLarge(err)
				}
			}
		}
		cmp.Parents = append(cmp.Parents, parent)
	}
	if cmp.Alternatives, err = j.listings(c.Alternatives, t.Path); err != nil {
		return nil, j.pass.SkipTooLarge(err)
	}
	result := record.CompareList(cmp)
	return j.archived(c, t, result)
}

func (j *judge) listings(trees []snapshot.Tree, path string) ([]*record.Listing, error) {
	var out []*record.Listing
	for _, tree := range trees {
		e, err := tree.Lookup(j.ctx, path)
		if err != nil {
			return nil, err
		}
		if e.Mode.IsFile() {
			l, err := j.listing(tree, e)
			if err != nil {
				return nil, err
			}
			out = append(out, l)
		}
	}
	return out, nil
}

func (j *judge) listing(tree snapshot.Tree, e snapshot.Entry) (*record.Listing, error) {
	data, err := tree.Read(j.ctx, e, j.pass.Config.Limits.File)
	if err != nil {
		return nil, err
	}
	return record.ParseList(data, func(line string) bool { return j.rules.Rows().Known(line) != nil }), nil
}

// archived takes out the problems about entries that moved into the archive of the record in this change.
func (j *judge) archived(c *snapshot.Change, t target, r *record.ListResult) ([]record.Problem, error) {
	if t.kind.archive == "" || len(r.Problems) == 0 {
		return r.Problems, nil
	}
	now, err := j.listings([]snapshot.Tree{c.After}, t.kind.archive)
	if err != nil {
		return nil, j.pass.SkipTooLarge(err)
	}
	was, err := j.listings(c.Before[:1], t.kind.archive)
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
