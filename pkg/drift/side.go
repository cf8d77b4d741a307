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
	return slices.EqualFunc(s.entries, o.entries, func(a, b snapshot.Entry) bool { return a.Path == b.Path && a.OID == b.OID })
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
		case r.pre.exists() && r.pre.same(r.post) && (r.Anchor.Symbol == "" || r.stamped()):
			// The same blobs mean the same code. That a symbol is in them is known where its digest was written.
			r.Status, r.Before, r.After = Fresh, r.Anchor.Digest, r.Anchor.Digest
		case !r.pre.exists() && !r.stamped():
			r.unverifiable(r.whyNot())
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
func (r *Result) whyNot() string {
	switch {
	case r.Anchor.Digest != "" && r.base == nil:
		return fmt.Sprintf("commit %s is not in this repository, and its digest %s is of another scheme than %q", r.Anchor.Baseline, r.Anchor.Digest, fingerprint.Scheme)
	case r.base != nil:
		return fmt.Sprintf("%q is not in its baseline %s", r.Anchor.Path, short(r.Baseline))
	case r.Anchor.Baseline != "":
		return fmt.Sprintf("commit %s is not in this repository, and the anchor has no digest", r.Anchor.Baseline)
	}
	return r.Reason
}

// short is the beginning of a commit's id.
func short(id string) string { return id[:min(12, len(id))] }

// A fileKey names one version of a file; the path decides about the language.
type fileKey struct {
	path string
	oid  snapshot.OID
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
	index := map[fileKey]*wanted{}
	want := func(s subject, symbol string) {
		for _, e := range s.entries {
			key := fileKey{e.Path, e.OID}
			w := index[key]
			if w == nil {
				w = &wanted{tree: s.tree, entry: e}
				index[key] = w
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
	for len(files) > 0 {
		n := min(window, len(files))
		if err := j.batch(ctx, files[:n]); err != nil {
			return err
		}
		files = files[n:]
	}
	return nil
}

// batch fingerprints some files side by side.
func (j *Judge) batch(ctx context.Context, files []*wanted) error {
	ahead := map[snapshot.Tree][]snapshot.Entry{}
	var unknown []*wanted
	for _, w := range files {
		if f := j.Engine.Cached(w.entry.Path, string(w.entry.OID)); f != nil {
			j.keep(w, answersOf(f, w.symbols))
			continue
		}
		unknown = append(unknown, w)
		ahead[w.tree] = append(ahead[w.tree], w.entry)
	}
	for tree, entries := range ahead {
		tree.Prefetch(ctx, entries, j.Limit)
	}
	files = unknown
	results := make([]map[string]answer, len(files))
	errs := make([]error, len(files))
	next := make(chan int)
	var group sync.WaitGroup
	for range min(len(files), 2*runtime.GOMAXPROCS(0)) {
		group.Go(func() {
			for i := range next {
				f, err := j.file(ctx, files[i].tree, files[i].entry)
				if errs[i] = err; err == nil {
					results[i] = answersOf(f, files[i].symbols)
				}
			}
		})
	}
	for i := range files {
		next <- i
	}
	close(next)
	group.Wait()
	for i, w := range files {
		j.keep(w, results[i])
	}
	return errors.Join(errs...)
}

// keep remembers the answers for one file.
func (j *Judge) keep(w *wanted, answers map[string]answer) {
	key := fileKey{w.entry.Path, w.entry.OID}
	if j.answers[key] == nil {
		j.answers[key] = answers
		return
	}
	maps.Copy(j.answers[key], answers)
}

func answersOf(f *fingerprint.File, symbols []string) map[string]answer {
	out := make(map[string]answer, len(symbols))
	for _, symbol := range symbols {
		out[symbol] = answerOf(f, symbol)
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
	case f.Digest.Kind == fingerprint.Coarse && len(f.Definitions) == 0:
		note := f.Note
		if note == "" {
			note = "there is no grammar for this file"
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
	f, err := j.Engine.Blob(ctx, e.Path, string(e.OID), func() ([]byte, error) { return tree.Read(ctx, e, j.Limit) })
	var large *snapshot.TooLarge
	if errors.As(err, &large) {
		return opaque(e, large.Error()), nil
	}
	if err != nil {
		return nil, fmt.Errorf("could not fingerprint %q: %w", e.Path, err)
	}
	return f, nil
}

// opaque is the fingerprint of something that is not looked into: of its object id.
func opaque(e snapshot.Entry, note string) *fingerprint.File {
	h := sha256.New()
	fmt.Fprintf(h, "%o %s", e.Mode, e.OID)
	sum := fingerprint.Sum(h)
	return &fingerprint.File{Note: note, Digest: fingerprint.Digest{Whole: sum, Lines: sum, Kind: fingerprint.Coarse}}
}

// of returns the fingerprint of a subject: that of its symbol or file, or of all its files together.
func (j *Judge) of(s subject, a *claim.Anchor) answer {
	if a.Kind == anchor.File {
		e := s.entries[0]
		return j.answers[fileKey{e.Path, e.OID}][a.Name()]
	}
	files := map[string]fingerprint.Digest{}
	var notes []string
	for _, e := range s.entries {
		got := j.answers[fileKey{e.Path, e.OID}][""]
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
