package drift

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/seed-4419f9ca/forge/pkg/anchor"
	"github.com/seed-4419f9ca/forge/pkg/claim"
	"github.com/seed-4419f9ca/forge/pkg/fingerprint"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// A subject is what an anchor names in one snapshot: one file, or those of a folder or a pattern, sorted by path.
type subject struct {
	tree    snapshot.Tree
	entries []snapshot.Entry
}

func (s subject) exists() bool { return len(s.entries) > 0 }

// same reports whether two subjects are the same files with the same content.
func (s subject) same(o subject) bool {
	return slices.EqualFunc(s.entries, o.entries, func(a, b snapshot.Entry) bool { return keyOf(a) == keyOf(b) })
}

// subjectOf looks up what a names in tree.
func subjectOf(ctx context.Context, tree snapshot.Tree, a *claim.Anchor) (subject, error) {
	s := subject{tree: tree}
	if a.Kind == anchor.File {
		e, err := tree.Lookup(ctx, a.Path)
		if err != nil {
			return s, fmt.Errorf("could not look for %q: %w", a.Path, err)
		}
		if e.Exists() {
			s.entries = []snapshot.Entry{e}
		}
		return s, nil
	}
	entries, err := tree.Under(ctx, a.Folder())
	if err != nil {
		return s, fmt.Errorf("could not list %q: %w", a.Folder(), err)
	}
	for _, e := range entries {
		if a.Match(e.Path) {
			s.entries = append(s.entries, e)
		}
	}
	return s, nil
}

// locate looks up what the anchors name on both sides and settles those that need no fingerprint.
func (j *Judge) locate(ctx context.Context, list []*Result) error {
	for _, r := range list {
		var err error
		if r.post, err = subjectOf(ctx, j.Change.After, r.Anchor); err != nil {
			return err
		}
		if r.base != nil {
			if r.pre, err = subjectOf(ctx, r.base, r.Anchor); err != nil {
				return err
			}
		}
		switch {
		case !r.post.exists():
			r.missing(NoPath)
			continue
		case r.pre.exists() && r.pre.same(r.post) && (r.Anchor.Symbol == "" || r.stamped() && !j.Resolve):
			// The same blobs mean the same code. That a symbol is in them is known where its digest was written.
			r.Status, r.Before, r.After = Fresh, r.Anchor.Digest, r.Anchor.Digest
		case !r.pre.exists() && !r.stamped():
			r.unverifiable(j.whyNot(r))
			r.undecide = r.Anchor.Symbol != "" // it may be missing all the same
		default:
			r.undecide = true
		}
		if r.Anchor.Kind == anchor.File {
			r.Path = r.Anchor.Path
		} else {
			r.Path = r.Anchor.Folder()
		}
	}
	return nil
}

// whyNot says why there is nothing to compare with.
func (j *Judge) whyNot(r *Result) string {
	switch {
	case r.base == nil && r.Anchor.Digest != "":
		return fmt.Sprintf("commit %s is not in this repository, and its digest %s is of another scheme than %q", r.Anchor.Baseline, r.Anchor.Digest, fingerprint.Scheme)
	case r.base == nil && r.Anchor.Baseline != "":
		return fmt.Sprintf("commit %s is not in this repository, and the anchor has no digest", r.Anchor.Baseline)
	case r.base == nil:
		return r.hidden
	case !r.pre.exists():
		return fmt.Sprintf("%q is not in its baseline %s", r.Anchor.Base().String(), short(r.Baseline))
	}
	var several *fingerprint.Ambiguous
	if errors.As(j.of(r.pre, r.Anchor).err, &several) {
		return fmt.Sprintf("in its baseline %s %s", short(r.Baseline), several)
	}
	return fmt.Sprintf("%q is not in its baseline %s", r.Anchor.Base().String(), short(r.Baseline))
}

// short is the beginning of a commit's id.
func short(id string) string { return id[:min(12, len(id))] }

// A fileKey names one version of a file; the path decides about the language.
type fileKey struct {
	path string
	mode snapshot.Mode // Regular for every file: a permission is no content, but a link is no file
	oid  snapshot.OID
}

func keyOf(e snapshot.Entry) fileKey {
	if e.Mode.IsFile() {
		e.Mode = snapshot.Regular
	}
	return fileKey{e.Path, e.Mode, e.OID}
}

// An answer is the fingerprint of a symbol, or of a whole file.
type answer struct {
	digest fingerprint.Digest
	file   fingerprint.Digest // of the whole file
	unseen bool               // nobody can look for symbols in the file: digest is that of the file
	note   string             // why it is coarse
	lines  fingerprint.Span   // of its first part
	err    error              // *fingerprint.NotFound or *fingerprint.Ambiguous
}

// found reports whether there is what was asked for.
func (a *answer) found() bool { return a.err == nil }

// A wanted is a version of a file with the symbols that are asked for; "" is the whole file.
type wanted struct {
	tree    snapshot.Tree
	entry   snapshot.Entry
	symbols []string
}

// window is the number of files that are read ahead together.
const window = 64

// fingerprint works out all fingerprints that the undecided results need.
func (j *Judge) fingerprint(ctx context.Context, list []*Result) error {
	var files []*wanted
	known := map[fileKey]*wanted{}
	want := func(s subject, symbol string) {
		for _, e := range s.entries {
			key := keyOf(e)
			w := known[key]
			if w == nil {
				w = &wanted{tree: s.tree, entry: e}
				known[key] = w
				files = append(files, w)
			}
			if !slices.Contains(w.symbols, symbol) {
				w.symbols = append(w.symbols, symbol)
			}
		}
	}
	for _, r := range list {
		if r.undecide {
			want(r.pre, r.Anchor.Name())
			want(r.post, r.Anchor.Name())
		}
	}
	return j.each(ctx, files, func(w *wanted, f *fingerprint.File) { j.keep(w, answersOf(f, w.symbols)) })
}

// each fingerprints files side by side and hands them to use, one by one and in order.
func (j *Judge) each(ctx context.Context, files []*wanted, use func(*wanted, *fingerprint.File)) error {
	for list := range slices.Chunk(files, window) {
		known := make([]*fingerprint.File, len(list))
		if err := j.batch(ctx, list, known); err != nil {
			return err
		}
		for i, w := range list {
			use(w, known[i])
		}
	}
	return nil
}

// batch fills known with the fingerprints of files.
func (j *Judge) batch(ctx context.Context, files []*wanted, known []*fingerprint.File) error {
	ahead := map[snapshot.Tree][]snapshot.Entry{}
	var open []int
	for i, w := range files {
		if w.entry.Mode.IsFile() {
			known[i] = j.Engine.Cached(w.entry.Path, string(w.entry.OID))
		}
		if known[i] == nil {
			open = append(open, i)
			ahead[w.tree] = append(ahead[w.tree], w.entry)
		}
	}
	for tree, entries := range ahead {
		tree.Prefetch(ctx, entries, j.Limit)
	}
	errs := make([]error, len(files))
	next := make(chan []int)
	var group sync.WaitGroup
	for range min(len(open), 2*runtime.GOMAXPROCS(0)) {
		group.Go(func() {
			for share := range next {
				j.share(ctx, files, share, known, errs)
			}
		})
	}
	for share := range slices.Chunk(open, window/4) {
		next <- share
	}
	close(next)
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return err // where no parser starts, each file says the same
		}
	}
	return nil
}

// share fills known and errs for some of the files, which are asked for together.
func (j *Judge) share(ctx context.Context, files []*wanted, share []int, known []*fingerprint.File, errs []error) {
	list := make([]fingerprint.Blob, 0, len(share))
	var asked []int
	for _, i := range share {
		e := files[i].entry
		if !e.Mode.IsFile() {
			known[i] = opaque(e, "")
			continue
		}
		asked = append(asked, i)
		list = append(list, j.blob(ctx, files[i].tree, e))
	}
	found, faults := j.Engine.Blobs(ctx, list)
	for n, i := range asked {
		known[i], errs[i] = seen(files[i].entry, found[n], faults[n])
	}
}

func (j *Judge) blob(ctx context.Context, tree snapshot.Tree, e snapshot.Entry) fingerprint.Blob {
	return fingerprint.Blob{Path: e.Path, OID: string(e.OID), Read: func() ([]byte, error) { return tree.Read(ctx, e, j.Limit) }}
}

// seen turns what the engine says about a file into what drift does: a file that is too large is not looked into.
func seen(e snapshot.Entry, f *fingerprint.File, err error) (*fingerprint.File, error) {
	var large *snapshot.TooLarge
	if errors.As(err, &large) {
		return opaque(e, large.Error()), nil
	}
	if err != nil {
		return nil, fmt.Errorf("could not fingerprint %q: %w", e.Path, err)
	}
	return f, nil
}

// keep remembers the answers for one file.
func (j *Judge) keep(w *wanted, answers map[string]answer) {
	key := keyOf(w.entry)
	if j.answers[key] == nil {
		j.answers[key] = answers
		return
	}
	maps.Copy(j.answers[key], answers)
}

func answersOf(f *fingerprint.File, symbols []string) map[string]answer {
	out := make(map[string]answer, len(symbols))
	file := f.Digest.Clone() // what is kept is little of what is known of a file
	for _, symbol := range symbols {
		a := answerOf(f, symbol)
		a.digest, a.file, a.note = a.digest.Clone(), file, strings.Clone(a.note)
		out[symbol] = a
	}
	return out
}

func answerOf(f *fingerprint.File, symbol string) answer {
	if symbol == "" {
		return answer{digest: f.Digest, file: f.Digest, note: f.Note}
	}
	d, err := f.Resolve(symbol)
	switch {
	case err == nil:
		return answer{digest: d.Digest, file: f.Digest, note: d.Note, lines: d.Spans[0]}
	case f.Digest.Kind == fingerprint.Coarse && (f.Note != "" || len(f.Definitions) == 0) && !errors.As(err, new(*fingerprint.Ambiguous)):
		// It may be there all the same, behind a syntax error.
		note := f.Note
		if note == "" {
			note = "nothing can be looked for in a file of this kind"
		}
		return answer{digest: f.Digest, file: f.Digest, unseen: true, note: note + "; the whole file is compared"}
	}
	return answer{err: err, note: f.Note}
}

// file fingerprints one version of a file.
func (j *Judge) file(ctx context.Context, tree snapshot.Tree, e snapshot.Entry) (*fingerprint.File, error) {
	if !e.Mode.IsFile() {
		return opaque(e, ""), nil // a link is its target, a submodule its commit
	}
	b := j.blob(ctx, tree, e)
	f, err := j.Engine.Blob(ctx, b.Path, b.OID, b.Read)
	return seen(e, f, err)
}

// opaque is the fingerprint of something that is not looked into: of its object id.
func opaque(e snapshot.Entry, note string) *fingerprint.File {
	h := sha256.New()
	fmt.Fprintf(h, "%o %s", keyOf(e).mode, e.OID)
	sum := fingerprint.Sum(h)
	return &fingerprint.File{Note: note, Digest: fingerprint.Digest{Whole: sum, Lines: sum, Kind: fingerprint.Coarse}}
}

// of returns the fingerprint of a subject: that of its symbol or file, or of all its files together.
func (j *Judge) of(s subject, a *claim.Anchor) answer {
	if a.Kind == anchor.File {
		e := s.entries[0]
		return j.answers[keyOf(e)][a.Name()]
	}
	files := map[string]fingerprint.Digest{}
	var notes []string
	for _, e := range s.entries {
		got := j.answers[keyOf(e)][""]
		files[relative(a, e.Path)] = got.digest
		if got.note != "" {
			notes = append(notes, fmt.Sprintf("%s: %s", e.Path, got.note))
		}
	}
	if len(notes) > 2 {
		notes = append(notes[:2], fmt.Sprintf("and %d more files", len(notes)-2))
	}
	return answer{digest: fingerprint.Directory(files), note: strings.Join(notes, "; ")}
}
