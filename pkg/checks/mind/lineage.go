package mind

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/facts"
	"github.com/seed-4419f9ca/forge/pkg/mindblock"
	"github.com/seed-4419f9ca/forge/pkg/published"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// A lineage is what the notes at one path come from.
type lineage struct {
	after     snapshot.Entry // of the notes in the after tree; not there when they are gone
	ancestors []ancestor
}

// An ancestor is the version of notes in one parent.
type ancestor struct {
	parent int
	path   string // in that parent
	entry  snapshot.Entry
}

// lineages finds, for all notes that the change touches and that a parent had, where they are now: at their path, at the
// path they were moved to, in the folder that moved as a whole, or nowhere; then they stand under their old path.
func (j *judge) lineages() (map[string]*lineage, error) {
	out := map[string]*lineage{}
	c := j.pass.Change
	for i := range c.Files {
		f := &c.Files[i]
		if !j.isNotes(f.Path) || j.pass.Ignored(f.Path) {
			continue
		}
		for parent, before := range f.Before {
			if !before.Mode.IsFile() || before.Same(f.After) {
				continue
			}
			at, after, err := j.whereabouts(f, parent)
			if err != nil {
				return nil, err
			}
			if !after.Exists() && parent > 0 {
				if old, err := j.wasInBases(f, parent); err != nil || old {
					if err != nil {
						return nil, err
					}
					continue // it was judged where it was removed
				}
			}
			l := out[at]
			if l == nil {
				l = &lineage{after: after}
				out[at] = l
			}
			l.ancestors = append(l.ancestors, ancestor{parent, f.Path, before})
		}
	}
	return out, nil
}

// isNotes reports whether p is where the notes of a session stand.
func (j *judge) isNotes(p string) bool {
	dir, n, ok := j.set.files.Session(p)
	return ok && p == dir+"/"+j.set.files.Name(n)
}

// whereabouts returns the path and the entry of notes in the after tree.
func (j *judge) whereabouts(f *snapshot.File, parent int) (string, snapshot.Entry, error) {
	if f.After.Exists() {
		return f.Path, f.After, nil
	}
	tree := j.pass.Change.After
	if f.To != "" && (j.isNotes(f.To) && !j.pass.Ignored(f.To) || published.InArchive(f.To)) {
		e, err := tree.Lookup(j.ctx, f.To)
		return f.To, e, err
	}
	to, err := j.movedFolder(f.Path, parent)
	if err != nil || to == "" {
		return f.Path, snapshot.Entry{}, err
	}
	e, err := tree.Lookup(j.ctx, to)
	return to, e, err
}

// movedFolder returns where notes are now when their whole session folder has moved: nothing is left in the old place, and
// each of its files stands in the new one. It is "" when that is not so.
func (j *judge) movedFolder(notes string, parent int) (string, error) {
	c := j.pass.Change
	dir := path.Dir(notes)
	var tried []string
	for i := range c.Files {
		g := &c.Files[i]
		rest, ok := strings.CutPrefix(g.Path, dir+"/")
		if !ok || g.To == "" {
			continue
		}
		to, ok := strings.CutSuffix(g.To, "/"+rest)
		if !ok {
			to, ok = j.renumbered(notes, g.To)
		}
		if !ok || slices.Contains(tried, to) {
			continue
		}
		tried = append(tried, to)
		at, err := j.wholeFolder(notes, to, parent)
		if err != nil || at != "" {
			return at, err
		}
	}
	return "", nil
}

// renumbered returns the session folder of a file that went to another session, where the number in its name has changed.
func (j *judge) renumbered(notes, to string) (string, bool) {
	dir, _, ok := j.set.files.Session(to)
	return dir, ok && dir != path.Dir(notes)
}

// wholeFolder checks that the folder of notes is gone and that each of its files is in folder to; it returns where the
// notes are.
func (j *judge) wholeFolder(notes, to string, parent int) (string, error) {
	c := j.pass.Change
	dir := path.Dir(notes)
	left, err := c.After.Under(j.ctx, dir)
	if err != nil {
		return "", fmt.Errorf("could not list %q: %w", dir, err)
	}
	had, err := c.Before[parent].Under(j.ctx, dir)
	if err != nil {
		return "", fmt.Errorf("could not list %q: %w", dir, err)
	}
	if len(left) > 0 {
		return "", nil
	}
	_, oldNumber, _ := j.set.files.Session(dir)
	_, newNumber, renamed := j.set.files.Session(to)
	found := ""
	for _, e := range had {
		rest := strings.TrimPrefix(e.Path, dir+"/")
		at := to + "/" + rest
		if renamed && (rest == j.set.files.Name(oldNumber) || rest == mindblock.Context(oldNumber)) {
			at = to + "/" + mindblock.Context(newNumber)
			if rest == j.set.files.Name(oldNumber) {
				at = to + "/" + j.set.files.Name(newNumber)
			}
		}
		now, err := c.After.Lookup(j.ctx, at)
		if err != nil {
			return "", fmt.Errorf("could not look up %q: %w", at, err)
		}
		if !now.Exists() && !strings.HasPrefix(rest, "_") {
			continue // reports and the like may go
		}
		if !now.Exists() {
			return "", nil
		}
		if e.Path == notes {
			found = at
		}
	}
	return found, nil
}

// wasInBases reports whether a later parent has the notes as a merge base has them, so that it added nothing.
func (j *judge) wasInBases(f *snapshot.File, parent int) (bool, error) {
	bases, err := j.pass.Change.MergeBases(j.ctx, parent)
	if err != nil {
		return false, err
	}
	for _, tree := range bases {
		e, err := tree.Lookup(j.ctx, f.Path)
		if err != nil {
			return false, err
		}
		if e.OID == f.Before[parent].OID {
			return true, nil
		}
	}
	return false, nil
}

// notesOf parses the notes of another tree than the after one. It is nil when they are too large to be read, which is said.
func (j *judge) notesOf(tree snapshot.Tree, e snapshot.Entry) (*mindblock.Notes, error) {
	data, err := tree.Read(j.ctx, e, j.pass.Config.Limits.File)
	if err != nil {
		return nil, j.pass.SkipTooLarge(err)
	}
	return facts.Memo(j.pass.Facts, oldNotesKey{e.OID}, func() (*mindblock.Notes, error) {
		n, err := mindblock.Parse(data)
		if err != nil {
			return nil, fmt.Errorf("could not read %q in %s: %w", e.Path, tree.ID(), err)
		}
		return n, nil
	})
}

type oldNotesKey struct{ oid snapshot.OID }
