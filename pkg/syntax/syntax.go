// Package syntax parses source files with tree-sitter, and with the parsers of its own that a few formats need, for package
// fingerprint: it finds their definitions and fingerprints them (chapters 7.4 and 7.5). Grammars are C code that hostile
// input can crash, so that nothing but a worker process calls this package, and nothing but this package links grammars.
package syntax

import (
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/seed-4419f9ca/forge/pkg/fingerprint"
)

// Limits of one worker process, in bytes.
const (
	parserHeap   = 512 << 20 // what the parsers may hold for one file
	addressSpace = 4 << 30   // everything, where the system can bound it
	goHeap       = 256 << 20 // from which on the garbage collector works harder
)

// gcPercent lets a worker, whose heap is small, use more of it before it collects.
const gcPercent = 1000

// cpuLimit is how long a worker may compute for one file. Time that other processes take does not count, so that a busy
// machine gives the same answers.
const cpuLimit = 10 * time.Second

// Serve makes this process a worker until r ends: it answers the requests of package fingerprint on r with w. It confines
// the whole process, which should do nothing else, and what it parses may kill it.
func Serve(r io.Reader, w io.Writer) error {
	signal.Ignore(os.Interrupt) // the parent decides; when it ends, r ends
	debug.SetMemoryLimit(goHeap)
	debug.SetGCPercent(gcPercent)
	// A worker does one thing at a time, and there are several of them. The second processor is for the scheduler of Go: with
	// one it takes that away from each parse, which is a call into C, and gives it back after.
	runtime.GOMAXPROCS(2)
	if err := confine(parserHeap, addressSpace); err != nil {
		return err
	}
	a := newAnalyzer()
	defer a.close()
	t := &timed{Parser: a}
	t.since.Store(idle)
	go t.watch()
	return fingerprint.Serve(t, r, w)
}

// idle is what timed holds between two requests.
const idle = -1

// timed ends the process when one request takes too long.
type timed struct {
	fingerprint.Parser
	since atomic.Int64 // CPU time of the process when the request under way began, or idle
}

func (t *timed) File(language string, src []byte) (*fingerprint.File, error) {
	t.since.Store(int64(cpuTime()))
	defer t.since.Store(idle)
	return t.Parser.File(language, src)
}

func (t *timed) Tokens(language string, src []byte, name string) ([]fingerprint.Token, string, error) {
	t.since.Store(int64(cpuTime()))
	defer t.since.Store(idle)
	return t.Parser.Tokens(language, src, name)
}

func (t *timed) watch() {
	for {
		time.Sleep(cpuLimit / 50)
		if since := t.since.Load(); since != idle && cpuTime()-time.Duration(since) > cpuLimit {
			os.Exit(fingerprint.ExitTime)
		}
	}
}

// File implements fingerprint.Parser.
func (a *analyzer) File(language string, src []byte) (*fingerprint.File, error) {
	if language != "c header" {
		return a.file(language, src)
	}
	f, err := a.file("c", src)
	if err != nil || f.Digest.Kind == fingerprint.AST {
		return f, err
	}
	if other, err := a.file("cpp", src); err != nil || other.Digest.Kind == fingerprint.AST {
		return other, err
	}
	return f, nil
}

// Tokens implements fingerprint.Parser.
func (a *analyzer) Tokens(language string, src []byte, name string) ([]fingerprint.Token, string, error) {
	if language == "c header" {
		f, err := a.File(language, src)
		if err != nil {
			return nil, "", err
		}
		language = f.Language
	}
	return a.tokens(language, src, name)
}
