package changelog

import (
	"errors"
	"fmt"
	"slices"

	"github.com/seed-4419f9ca/forge/pkg/slug"
)

// NewID returns the id of a new entry: the slug of its summary, with -2, -3, … when that is taken in one of the versions.
func NewID(summary string, versions ...*Doc) string {
	taken := map[string]bool{}
	for _, d := range versions {
		for id := range d.IDs() {
			taken[id] = true
		}
	}
	return slug.Free(slug.Or(summary, "entry"), func(id string) bool { return taken[id] })
}

// Oldest returns the entries of d that a compaction takes out so that keep entries remain beside its own. Only published
// ones can go, so more remain when others were added since. The baseline is what was published; it fails when d does not
// follow on that, or has compacted already.
func Oldest(b *Baseline, d *Doc, keep int) ([]*Entry, error) {
	if err := compactable(b, d); err != nil {
		return nil, err
	}
	n := min(max(len(d.IDs())-keep, 0), len(b.entries))
	return found(d, b.entries[:n]), nil
}

// OlderThan returns the published entries of d that have an earlier date. It fails like Oldest.
func OlderThan(b *Baseline, d *Doc, date string) ([]*Entry, error) {
	if err := compactable(b, d); err != nil {
		return nil, err
	}
	n := 0
	for n < len(b.entries) && b.entries[n].date < date {
		n++
	}
	return found(d, b.entries[:n]), nil
}

func found(d *Doc, list []published) []*Entry {
	out := make([]*Entry, len(list))
	for i, p := range list {
		out[i] = d.Find(p.id)
	}
	return out
}

// compactable reports what stands in the way of a compaction of d.
func compactable(b *Baseline, d *Doc) error {
	if problems := Compare(b, d); len(problems) > 0 {
		return fmt.Errorf("put right first what does not agree with the published version: %s", problems[0].Message)
	}
	if i := slices.IndexFunc(d.Entries, func(e Entry) bool { return e.Type == Compaction && !b.Has(e.ID) }); i >= 0 {
		return fmt.Errorf("commit first what %q has compacted: a change has one compaction at most", d.Entries[i].ID)
	}
	if len(b.entries) == 0 {
		return errors.New("nothing is published yet, so there is nothing to compact")
	}
	return nil
}

// NewCompaction returns the entry that accounts for gone, which are the oldest entries of d in canonical order. It names
// what they named, or else the changelog itself, which stands at path.
func NewCompaction(d *Doc, gone []*Entry, date, path string) Draft {
	first, last := gone[0].ID, gone[len(gone)-1].ID
	e := Draft{
		ID: NewID("compaction "+date, d), Date: date, Type: Compaction, Compacted: &Counts{len(gone), first, last},
		Summary: fmt.Sprintf("Compacted %s, from %s to %s", counted(len(gone), "entry", "entries"), first, last),
	}
	for _, g := range gone {
		for _, p := range g.Paths() {
			if PathProblem(p) == "" {
				e.Paths = append(e.Paths, p)
			}
		}
	}
	if slices.Sort(e.Paths); len(e.Paths) == 0 {
		e.Paths = []string{path}
	}
	e.Paths = slices.Compact(e.Paths)
	return e
}
