package fingerprint

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// A Cache keeps encoded files by name. Names are made of small letters, digits, dots and dashes. Load returns false for what
// it does not have; what it cannot read it does not have. An entry that was damaged on the way is recognized and made again.
type Cache interface {
	Load(name string) ([]byte, bool)
	Store(name string, data []byte) error
}

// Options set an Engine up.
type Options struct {
	// Worker is the command line of a process that calls Serve of package syntax on its standard streams. It is started when the first file
	// needs a parser.
	Worker []string
	Env    []string // of the workers
	// Workers is how many run side by side at most, by default 2.
	Workers int
	// Timeout is how long one file may take before its worker is killed, by default a minute. It only catches what a worker's
	// own limits on memory, operations and CPU time do not.
	Timeout time.Duration
	// Cache may be nil.
	Cache Cache
}

// An Engine fingerprints files. It is safe for concurrent use.
type Engine struct {
	pool  *pool
	cache Cache
}

// New makes an engine. Nothing is started yet.
func New(o Options) *Engine {
	if o.Workers <= 0 {
		o.Workers = 2
	}
	if o.Timeout <= 0 {
		o.Timeout = time.Minute
	}
	return &Engine{pool: newPool(o), cache: o.Cache}
}

// Close ends the workers. No call may be under way.
func (e *Engine) Close() error { return e.pool.close() }

// File fingerprints a file and everything that it defines. path says what language it is in. A file for which there is no
// grammar or no answer is coarse; the note then says why. An error means that nothing could be found out about any file.
func (e *Engine) File(ctx context.Context, path string, src []byte) (*File, error) {
	q, f := question(path, src)
	if f != nil {
		return f, nil
	}
	answer, err := e.pool.ask(ctx, q)
	return understood(q, reply{answer, err})
}

// question returns what a worker has to be asked about a file, or the file when none has to be asked.
func question(path string, src []byte) (*request, *File) {
	language := languageOf(path, src)
	switch {
	case isBinary(src):
		return nil, NewCoarse("", src, "")
	case language == "":
		return nil, NewCoarse("", src, "")
	case len(src) > MaxSize:
		return nil, NewCoarse(language, src, fmt.Sprintf("the file is larger than %d bytes", MaxSize))
	case tooNested(src):
		return nil, NewCoarse(language, src, fmt.Sprintf("more than %d brackets are open at one time", maxNesting))
	}
	return &request{kind: askFile, language: language, src: clean(src)}, nil
}

// understood turns what a worker said about a file into the file.
func understood(q *request, a reply) (*File, error) {
	var c *crash
	if errors.As(a.err, &c) {
		f := NewCoarse(q.language, q.src, c.reason)
		f.passing = true
		return f, nil
	} else if a.err != nil {
		return nil, a.err
	}
	r := &reader[string]{buf: a.answer}
	f := r.file()
	if err := r.end(); err != nil {
		return nil, fmt.Errorf("could not understand the parser's answer: %w", err)
	}
	return f, nil
}

// A Blob is content with a name that never changes, its object id.
type Blob struct {
	Path string // says what language it is in
	OID  string
	Read func() ([]byte, error) // is called when the cache does not know the content
}

// Blob is File for a blob, and goes through the cache.
func (e *Engine) Blob(ctx context.Context, path, oid string, read func() ([]byte, error)) (*File, error) {
	files, errs := e.Blobs(ctx, []Blob{{path, oid, read}})
	return files[0], errs[0]
}

// A worker is asked for so many files or bytes at a time.
const (
	filesAtOnce = 16
	bytesAtOnce = 256 << 10
)

// Blobs is Blob for several blobs, which takes less time than one by one. Each has either a file or an error.
func (e *Engine) Blobs(ctx context.Context, list []Blob) ([]*File, []error) {
	files, errs := make([]*File, len(list)), make([]error, len(list))
	var requests []*request
	var asked []int // the blobs that they are about
	size := 0
	ask := func() {
		for n, a := range e.pool.askAll(ctx, requests) {
			i := asked[n]
			if files[i], errs[i] = understood(requests[n], a); errs[i] == nil {
				errs[i] = e.keep(&list[i], files[i])
			}
		}
		requests, asked, size = requests[:0], asked[:0], 0
	}
	for i := range list {
		b := &list[i]
		if files[i] = e.Cached(b.Path, b.OID); files[i] != nil {
			continue
		}
		src, err := b.Read()
		if err != nil {
			errs[i] = err
			continue
		}
		q, f := question(b.Path, src)
		if f != nil {
			files[i], errs[i] = f, e.keep(b, f)
			continue
		}
		requests, asked, size = append(requests, q), append(asked, i), size+len(src)
		if len(requests) == filesAtOnce || size >= bytesAtOnce {
			ask()
		}
	}
	ask()
	for i, err := range errs {
		if err != nil {
			files[i] = nil
		}
	}
	return files, errs
}

// keep puts what is known of a blob into the cache.
func (e *Engine) keep(b *Blob, f *File) error {
	if e.cache == nil || f.passing {
		return nil
	}
	name := cacheName(languageOf(b.Path, nil), b.OID)
	if name == "" {
		return nil
	}
	if err := e.cache.Store(name, sealFile(f)); err != nil {
		return fmt.Errorf("could not keep the fingerprint of %q: %w", b.Path, err)
	}
	return nil
}

// cached returns what the cache has under name; nil when that is nothing or damaged.
func (e *Engine) cached(name string) *File {
	if e.cache == nil || name == "" {
		return nil
	}
	data, ok := e.cache.Load(name)
	if !ok {
		return nil
	}
	f, err := unsealFile(data)
	if err != nil {
		return nil
	}
	return f
}

// Cached is Blob for content that the cache knows; nil when it does not.
func (e *Engine) Cached(path, oid string) *File {
	if e.cache == nil {
		return nil
	}
	return e.cached(cacheName(languageOf(path, nil), oid))
}

// Tokens returns what goes into the fingerprint of a symbol, qualified as Resolve returns it, or of the whole file when name is
// "". A coarse fingerprint has no tokens: the reason is then returned as note.
func (e *Engine) Tokens(ctx context.Context, path string, src []byte, name string) (tokens []Token, note string, err error) {
	f, err := e.File(ctx, path, src)
	if err != nil {
		return nil, "", err
	}
	if name != "" {
		d, err := f.Resolve(name)
		if err != nil {
			return nil, "", err
		}
		if d.Digest.Kind != AST {
			return nil, d.Note, nil
		}
		name = d.Name
	} else if f.Digest.Kind != AST {
		return nil, f.Note, nil
	}
	answer, err := e.pool.ask(ctx, &request{kind: askTokens, language: languageOf(path, src), src: clean(src), name: name})
	var c *crash
	if errors.As(err, &c) {
		return nil, c.reason, nil
	} else if err != nil {
		return nil, "", err
	}
	r := &reader[string]{buf: answer}
	note, tokens = r.text(), r.tokens()
	return tokens, note, r.end()
}
