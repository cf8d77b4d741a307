package drift

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/fingerprint"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// family returns what the files have in common between which a definition can move: the extension, or a word for several.
func family(name string) string {
	switch ext := path.Ext(name); ext {
	case ".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx":
		return "c"
	case ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts":
		return "script"
	case ".yml", ".yaml":
		return "yaml"
	case ".sh", ".bash":
		return "shell"
	default:
		return ext
	}
}

// A searchKey names what an index holds: what came since the tree with the id base, "" for everything, in files of one family.
type searchKey struct{ base, ext string }

// An index holds the places of definitions and files that were not there in base, by their fingerprints.
type index struct {
	base  snapshot.Tree
	files map[string][]*place // whole files, by the whole fingerprint
	whole map[string][]*place // definitions
	body  map[string][]*place // definitions, by that of their bodies
	left  []*wanted           // the versions in base of files that are gone or differ
	gone  map[string]bool     // the whole fingerprints of the definitions in left; nil until somebody asks
}

// search looks through the files that are new or differ since the anchor was last seen, or through all with its extension when
// it never was, for definitions that were not there before.
func (j *Judge) search(ctx context.Context, r *Result, seen *sighting) error {
	x, err := j.index(ctx, seen.tree, family(r.Anchor.Path))
	if err != nil {
		return err
	}
	places := x.whole
	if r.Anchor.Symbol == "" {
		places = x.files
	}
	var found []*place
	if seen.answer != nil {
		found = ofKind(places[seen.answer.digest.Whole], seen.answer.digest.Kind)
	}
	if len(found) == 0 && r.stamped() {
		found = places[r.Anchor.Digest]
	}
	renamed := false
	if then := seen.answer; len(found) == 0 && r.Anchor.Symbol != "" && then != nil && !then.unseen && then.digest.Kind == fingerprint.AST && then.digest.Body != "" {
		renamed = true
		if found, err = j.renamedFrom(ctx, x, then.digest.Body); err != nil {
			return err
		}
	}
	found = distinct(found)
	if len(found) != 1 {
		for _, p := range found {
			r.Homes = append(r.Homes, p.String())
		}
		return nil
	}
	p := found[0]
	e, err := j.Change.After.Lookup(ctx, p.path)
	if err != nil {
		return fmt.Errorf("could not look for %q: %w", p.path, err)
	}
	post := subject{tree: j.Change.After, entries: []snapshot.Entry{e}}
	if renamed {
		if renamed, err = j.renamedOnly(ctx, seen.subject, r.Anchor.Name(), post, p.symbol); err != nil {
			return err
		}
	}
	j.movedTo(r, seen, p, renamed)
	r.post = post
	return nil
}

// renamedOnly reports whether two definitions have the same signature but for their own names.
func (j *Judge) renamedOnly(ctx context.Context, before subject, from string, after subject, to string) (bool, error) {
	old, err := j.tokens(ctx, before, from)
	if err != nil {
		return false, err
	}
	now, err := j.tokens(ctx, after, to)
	if err != nil {
		return false, err
	}
	signature := func(list []fingerprint.Token, name string) []fingerprint.Token {
		name = name[strings.LastIndexByte(name, '.')+1:]
		var out []fingerprint.Token
		for _, t := range list {
			if t.Part != "signature" {
				continue
			}
			if t.Line = 0; t.Leaf && t.Text == name {
				t.Text = ""
			}
			out = append(out, t)
		}
		return out
	}
	return slices.Equal(signature(old, from), signature(now, to)), nil
}

func ofKind(list []*place, kind fingerprint.Kind) []*place {
	var out []*place
	for _, p := range list {
		if p.answer.digest.Kind == kind {
			out = append(out, p)
		}
	}
	return out
}

// distinct leaves out places that are the same piece of code under another name.
func distinct(list []*place) []*place {
	var out []*place
next:
	for _, p := range list {
		for _, o := range out {
			if o.path == p.path && o.lines == p.lines && o.answer.digest == p.answer.digest {
				continue next
			}
		}
		out = append(out, p)
	}
	return out
}

// renamedFrom returns the definitions with a body that stood nowhere before as they are: what stood somewhere under its
// present name has moved by itself and replaces nothing.
func (j *Judge) renamedFrom(ctx context.Context, x *index, body string) ([]*place, error) {
	list := ofKind(x.body[body], fingerprint.AST)
	if len(list) > 0 && x.gone == nil {
		x.gone = map[string]bool{}
		err := j.each(ctx, x.left, func(_ *wanted, f *fingerprint.File) {
			for i := range f.Definitions {
				x.gone[f.Definitions[i].Digest.Whole] = true
			}
		})
		if err != nil {
			return nil, err
		}
	}
	var out []*place
	for _, p := range list {
		if !x.gone[p.answer.digest.Whole] {
			out = append(out, p)
		}
	}
	return out, nil
}

// index lists what came since base in files with an extension, once.
func (j *Judge) index(ctx context.Context, base snapshot.Tree, ext string) (*index, error) {
	key := searchKey{ext: ext}
	if base != nil {
		key.base = base.ID()
	}
	if x := j.known[key]; x != nil {
		return x, nil
	}
	x := &index{base: base, files: map[string][]*place{}, whole: map[string][]*place{}, body: map[string][]*place{}}
	came, err := j.changed(ctx, x, ext)
	if err != nil {
		return nil, err
	}
	before, err := j.definedBefore(ctx, x, came)
	if err != nil {
		return nil, err
	}
	err = j.each(ctx, came, func(w *wanted, f *fingerprint.File) {
		name, had := w.entry.Path, before[w.entry.Path]
		if !had[f.Digest.Whole] {
			x.files[f.Digest.Whole] = append(x.files[f.Digest.Whole], &place{path: name, answer: answerOf(f, "")})
		}
		for i := range f.Definitions {
			d := &f.Definitions[i]
			if had["#"+d.Name] {
				continue
			}
			p := &place{name, d.Name, d.Spans[0], answer{digest: d.Digest, file: f.Digest, note: d.Note, lines: d.Spans[0]}}
			x.whole[d.Digest.Whole] = append(x.whole[d.Digest.Whole], p)
			x.body[d.Digest.Body] = append(x.body[d.Digest.Body], p)
		}
	})
	if err != nil {
		return nil, err
	}
	if j.known == nil {
		j.known = map[searchKey]*index{}
	}
	j.known[key] = x
	return x, nil
}

// changed lists the files with an extension that x.base does not have as they are now, all of them without a base, and fills in
// x.left.
func (j *Judge) changed(ctx context.Context, x *index, ext string) ([]*wanted, error) {
	list := func(tree snapshot.Tree) (map[fileKey]bool, []snapshot.Entry, error) {
		entries, err := tree.Under(ctx, "")
		if err != nil {
			return nil, nil, fmt.Errorf("could not list the files of %s: %w", tree.ID(), err)
		}
		has := map[fileKey]bool{}
		var out []snapshot.Entry
		for _, e := range entries {
			if e.Mode.IsFile() && family(e.Path) == ext {
				has[keyOf(e)] = true
				out = append(out, e)
			}
		}
		return has, out, nil
	}
	has, after, err := list(j.Change.After)
	if err != nil {
		return nil, err
	}
	var had map[fileKey]bool
	if x.base != nil {
		var before []snapshot.Entry
		if had, before, err = list(x.base); err != nil {
			return nil, err
		}
		for _, e := range before {
			if !has[keyOf(e)] {
				x.left = append(x.left, &wanted{tree: x.base, entry: e})
			}
		}
	}
	var came []*wanted
	for _, e := range after {
		if !had[keyOf(e)] {
			came = append(came, &wanted{tree: j.Change.After, entry: e})
		}
	}
	return came, nil
}

// definedBefore returns, for each of the files, what it had in x.base, where it may have had another name: "#" and a name for
// each definition, and the fingerprint of the whole.
func (j *Judge) definedBefore(ctx context.Context, x *index, came []*wanted) (map[string]map[string]bool, error) {
	if x.base == nil {
		return nil, nil
	}
	names, err := j.renames(ctx, x.base)
	if err != nil {
		return nil, err
	}
	now := map[string]string{} // present path by former path
	for _, w := range came {
		now[w.entry.Path] = w.entry.Path
	}
	for from, to := range names {
		now[from] = to
	}
	out := map[string]map[string]bool{}
	err = j.each(ctx, x.left, func(w *wanted, f *fingerprint.File) {
		to := now[w.entry.Path]
		if to == "" {
			return
		}
		had := map[string]bool{}
		if to == w.entry.Path {
			had[f.Digest.Whole] = true
		}
		for i := range f.Definitions {
			had["#"+f.Definitions[i].Name] = true
		}
		out[to] = had
	})
	return out, err
}
