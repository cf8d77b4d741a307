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
	language := languageOf(path, src)
	switch {
	case isBinary(src):
		return NewCoarse("", src, ""), nil
	case language == "":
		return NewCoarse("", src, ""), nil
	case len(src) > MaxSize:
		return NewCoarse(language, src, fmt.Sprintf("the file is larger than %d bytes", MaxSize)), nil
	case tooNested(src):
		return NewCoarse(language, src, fmt.Sprintf("more than %d brackets are open at one time", maxNesting)), nil
	}
	src = clean(src)
	answer, err := e.pool.ask(ctx, appendText(appendText([]byte{askFile}, language), src))
	var c *crash
	if errors.As(err, &c) {
		f := NewCoarse(language, src, c.reason)
		f.passing = true
		return f, nil
	} else if err != nil {
		return nil, err
	}
	r := &reader{buf: answer}
	f := r.file()
	if err := r.end(); err != nil {
		return nil, fmt.Errorf("could not understand the parser's answer: %w", err)
	}
	return f, nil
}

// Blob is File for content with a name that never changes, its object id, and goes through the cache. It calls read only when
// the cache does not know the content.
func (e *Engine) Blob(ctx context.Context, path, oid string, read func() ([]byte, error)) (*File, error) {
	name := cacheName(languageOf(path, nil), oid)
	if f := e.cached(name); f != nil {
		return f, nil
	}
	src, err := read()
	if err != nil {
		return nil, err
	}
	f, err := e.File(ctx, path, src)
	if err != nil || e.cache == nil || name == "" || f.passing {
		return f, err
	}
	if err := e.cache.Store(name, sealFile(f)); err != nil {
		return nil, fmt.Errorf("could not keep the fingerprint of %q: %w", path, err)
	}
	return f, nil
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
	request := appendText(appendText([]byte{askTokens}, languageOf(path, src)), clean(src))
	answer, err := e.pool.ask(ctx, appendText(request, name))
	var c *crash
	if errors.As(err, &c) {
		return nil, c.reason, nil
	} else if err != nil {
		return nil, "", err
	}
	r := &reader{buf: answer}
	note, tokens = r.text(), r.tokens()
	return tokens, note, r.end()
}
