package record

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"

	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/guardheader"
	"github.com/seed-4419f9ca/forge/pkg/published"
	"github.com/seed-4419f9ca/forge/pkg/record"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// inMemory is the size up to which versions are read at once, in bytes; larger ones are streamed.
const inMemory = 1 << 20

// prefetch says which small contents are going to be read.
func (j *judge) prefetch(files []target) {
	c := j.pass.Change
	after := make([]snapshot.Entry, 0, len(files))
	before := make([][]snapshot.Entry, len(c.Before))
	for _, t := range files {
		if t.After.Mode.IsFile() {
			after = append(after, t.After)
		}
		for i, e := range t.Before {
			if e.Mode.IsFile() && !e.Same(t.After) {
				before[i] = append(before[i], e)
			}
		}
	}
	c.After.Prefetch(j.ctx, after, inMemory)
	for i, tree := range c.Before {
		tree.Prefetch(j.ctx, before[i], inMemory)
	}
}

// judge compares one record with every version before it. With whole every line is judged, not only the new ones.
func (j *judge) judge(c *snapshot.Change, t target, whole bool) ([]record.Problem, error) {
	switch {
	case t.Removed():
		return j.removed(c, t)
	case !t.After.Mode.IsFile():
		return notRegular(t), nil
	case !whole && !t.kind.Chain && published.Unchanged(t.File):
		return nil, nil
	case t.kind.Shape == record.List || t.kind.Shape == record.Blocks:
		return j.judgeList(c, t)
	}
	return j.judgeLines(c, t, whole)
}

// whole starts a problem about the whole file, which is told by its message.
func whole(slug string, side finding.Side, parent int, format string, args ...any) record.Problem {
	return record.Problem{Slug: slug, Side: side, Parent: parent, Old: -1, Anchor: slug, Message: fmt.Sprintf(format, args...)}
}

// removed judges a record that is gone.
func (j *judge) removed(c *snapshot.Change, t target) ([]record.Problem, error) {
	if t.To != "" {
		if followed, err := j.followed(t); followed || err != nil {
			return nil, err
		}
		return []record.Problem{whole(slugRenamedAway, finding.Before, 0, "the record %q is renamed to %q, where nothing protects it", t.Path, t.To)}, nil
	}
	parent, lost, err := published.Lost(j.ctx, c, t.File)
	if err != nil || !lost {
		return nil, err
	}
	if s, swapped := j.rules.Swapped(t.Path); swapped {
		return []record.Problem{whole(slugNotRegular, finding.Before, parent, "the folder %q of the record %q becomes %s", s.Folder, t.Path, modeName(s.Mode))}, nil
	}
	return []record.Problem{whole(slugDeleted, finding.Before, parent, "the record %q is deleted", t.Path)}, nil
}

// followed reports whether a record that moved, with the same content, is still one where it went. A header goes along.
func (j *judge) followed(t target) (bool, error) {
	if published.InArchive(t.To) {
		return true, nil
	}
	if j.pass.Ignored(t.To) {
		return false, nil
	}
	if t.header && guardheader.MayCarry(t.To) {
		return true, nil
	}
	return j.isRecord(t.To)
}

// notRegular judges a record that has become something else than a file.
func notRegular(t target) []record.Problem {
	for i, b := range t.Before {
		if b.Mode.IsFile() {
			return []record.Problem{whole(slugNotRegular, finding.After, i, "the record %q becomes %s", t.Path, modeName(t.After.Mode))}
		}
	}
	return nil
}

func modeName(m snapshot.Mode) string {
	if m == snapshot.Gitlink {
		return "a submodule"
	}
	return "a symlink"
}

// judgeLines judges a record of lines.
func (j *judge) judgeLines(c *snapshot.Change, t target, whole bool) ([]record.Problem, error) {
	cmp := record.Comparison{Spec: t.kind.Spec, Whole: whole, Tail: whole || t.DiffersFromAll()}
	var err error
	if cmp.After, err = j.version(c.After, t.After); err != nil {
		return nil, err
	}
	if cmp.Archive, err = j.rotation(c, t); err != nil {
		return nil, err
	}
	for i := range c.Before {
		parent := record.Parent{}
		if parent.Version, err = j.before(c, t, i); err != nil {
			return nil, err
		}
		if parent.Bases, err = j.bases(c, t, i, cmp.Archive); err != nil {
			return nil, err
		}
		cmp.Parents = append(cmp.Parents, parent)
	}
	if cmp.Alternatives, err = published.In(j.ctx, c.Alternatives, t.Path, j.version); err != nil {
		return nil, err
	}
	problems, err := record.Compare(cmp)
	if err != nil {
		return nil, fmt.Errorf("could not judge %q: %w", t.Path, err)
	}
	return problems, nil
}

// chain proves the chain of t without any version before.
func (j *judge) chain(t target) ([]record.Problem, error) {
	cmp := record.Comparison{Spec: t.kind.Spec, Unknown: true}
	var err error
	if cmp.After, err = j.version(j.pass.Change.After, t.After); err != nil {
		return nil, err
	}
	if t.kind.archive != "" {
		cmp.Archive = &record.Rotation{Path: t.kind.archive}
		if cmp.Archive.After, err = j.at(j.pass.Change.After, t.kind.archive); err != nil {
			return nil, err
		}
	}
	problems, err := record.Compare(cmp)
	if err != nil {
		return nil, fmt.Errorf("could not judge %q: %w", t.Path, err)
	}
	return problems, nil
}

// before returns the version of t in parent i; that of a log which came from another name is the version there.
func (j *judge) before(c *snapshot.Change, t target, i int) (record.Version, error) {
	e := t.Before[i]
	came, err := j.came(t, i)
	if err != nil {
		return record.Version{}, err
	}
	if came {
		found, err := c.Before[0].Lookup(j.ctx, t.From)
		if err != nil {
			return record.Version{}, err
		}
		e = found
	}
	if !e.Mode.IsFile() {
		return record.Version{}, nil
	}
	return j.version(c.Before[i], e)
}

// came reports whether t is, in parent i, a record of another name with the same content.
func (j *judge) came(t target, i int) (bool, error) {
	if i > 0 || t.Before[0].Exists() || t.From == "" {
		return false, nil
	}
	return j.isRecord(t.From)
}

// bases returns the versions of t in the merge bases of parent i, and notes those of its archive.
func (j *judge) bases(c *snapshot.Change, t target, i int, archive *record.Rotation) ([]record.Version, error) {
	trees, err := published.Bases(j.ctx, c, i)
	if err != nil {
		return nil, err
	}
	var out, archives []record.Version
	for _, tree := range trees {
		v, err := j.at(tree, t.Path)
		if err != nil {
			return nil, err
		}
		if !v.Exists() {
			continue
		}
		out = append(out, v)
		if archive != nil {
			if v, err = j.at(tree, archive.Path); err != nil {
				return nil, err
			}
			archives = append(archives, v)
		}
	}
	if archive != nil {
		archive.Bases = append(archive.Bases, archives)
	}
	return out, nil
}

// at returns the file at path in tree; the zero Version when there is none.
func (j *judge) at(tree snapshot.Tree, path string) (record.Version, error) {
	v, err := published.In(j.ctx, []snapshot.Tree{tree}, path, j.version)
	if len(v) == 0 || err != nil {
		return record.Version{}, err
	}
	return v[0], nil
}

// rotation returns the archive of t; nil when its kind has none.
func (j *judge) rotation(c *snapshot.Change, t target) (*record.Rotation, error) {
	var err error
	if t.kind.archive == "" {
		return nil, nil
	}
	r := &record.Rotation{Path: t.kind.archive, Before: make([]record.Version, len(c.Before)), Several: c.Commits != nil}
	if r.After, err = j.at(c.After, r.Path); err != nil {
		return nil, err
	}
	for i, tree := range c.Before {
		if r.Before[i], err = j.at(tree, r.Path); err != nil {
			return nil, err
		}
	}
	own, sharing := 0, []*snapshot.File(nil)
	for i := range c.Files {
		f := &c.Files[i]
		if k, ok, _, _ := j.records.kindOf(f.Path); ok && k.archive == r.Path && f.Path != r.Path {
			if f.Path == t.Path {
				own = len(sharing)
			}
			sharing = append(sharing, f)
		}
	}
	if len(sharing) > 1 {
		r.Sharing = func(parent int) ([]record.Version, int, error) {
			all := make([]record.Version, len(sharing))
			for i, f := range sharing {
				if f.Before[parent].Mode.IsFile() {
					var err error
					if all[i], err = j.version(c.Before[parent], f.Before[parent]); err != nil {
						return nil, 0, err
					}
				}
			}
			return all, own, nil
		}
	}
	return r, nil
}

// version returns the content of an entry: read at once when it is small, streamed when it is not.
func (j *judge) version(tree snapshot.Tree, e snapshot.Entry) (record.Version, error) {
	data, err := tree.Read(j.ctx, e, inMemory)
	var large *snapshot.TooLarge
	switch {
	case err == nil:
		return record.Content(data), nil
	case !errors.As(err, &large):
		return record.Version{}, err
	}
	v := record.Stream(large.Size, func() (io.ReadCloser, error) {
		r, _, err := tree.Open(j.ctx, e)
		return r, err
	})
	return known(v, e.OID), nil
}

// known lets a large version be recognised by its object id, which git has made of its type, size and content.
func known(v record.Version, oid snapshot.OID) record.Version {
	sum, err := hex.DecodeString(string(oid))
	start := sha1.New
	switch {
	case err != nil:
		return v
	case len(sum) == sha256.Size:
		start = sha256.New
	case len(sum) != sha1.Size:
		return v
	}
	return v.Known(func() hash.Hash {
		h := start()
		fmt.Fprintf(h, "blob %d\x00", v.Size())
		return h
	}, sum)
}
