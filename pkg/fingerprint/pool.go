package fingerprint

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// After so many files or bytes a worker is replaced, so that what a grammar leaks cannot add up.
const (
	filesPerWorker = 4000
	bytesPerWorker = 256 << 20
)

// exitMemory is how a worker ends whose parsers need more memory than they may have; tree.h of package syntax says the same.
const exitMemory = 71

// ExitTime is the exit code of a worker that has computed too long for one file.
const ExitTime = 72

// ExitUnfit is the exit code of a process whose Serve failed: such a worker would fail for every file.
const ExitUnfit = 70

// A crash says that a worker had no answer for a file.
type crash struct {
	reason string
	again  bool // another worker may have one
}

func (c *crash) Error() string { return c.reason }

// A pool hands requests to worker processes. It is safe for concurrent use.
type pool struct {
	command []string
	env     []string
	timeout time.Duration
	slots   chan struct{} // one for each worker that may be asked now

	mu   sync.Mutex
	idle []*worker // running; the last one is asked first, so that a single caller keeps a single worker busy
}

func newPool(o Options) *pool {
	return &pool{command: o.Worker, env: o.Env, timeout: o.Timeout, slots: make(chan struct{}, o.Workers)}
}

// take returns an idle worker, nil when none is running.
func (p *pool) take() *worker {
	p.mu.Lock()
	defer p.mu.Unlock()
	last := len(p.idle) - 1
	if last < 0 {
		return nil
	}
	w := p.idle[last]
	p.idle = p.idle[:last]
	return w
}

func (p *pool) give(w *worker) {
	if w == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = append(p.idle, w)
}

// close ends all workers. No request may be under way.
func (p *pool) close() error {
	var errs []error
	for w := p.take(); w != nil; w = p.take() {
		errs = append(errs, w.quit())
	}
	return errors.Join(errs...)
}

// ask sends one request and returns the answer behind its kind. A file for which no worker has an answer gives a *crash; any
// other error means that workers do not work at all.
func (p *pool) ask(ctx context.Context, request []byte) ([]byte, error) {
	select {
	case p.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-p.slots }()
	w := p.take()
	defer func() { p.give(w) }()
	for try := 0; ; try++ {
		if w != nil && (w.files >= filesPerWorker || w.bytes >= bytesPerWorker) {
			_ = w.quit() // it has answered everything; how it ends changes nothing
			w = nil
		}
		fresh := w == nil
		if fresh {
			var err error
			if w, err = p.start(); err != nil {
				return nil, err
			}
		}
		answer, err := w.ask(ctx, request, p.timeout)
		if err == nil {
			return answer, nil
		}
		w.kill()
		first := w.files == 0
		w = nil
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		var c *crash
		if !errors.As(err, &c) || try > 0 || !c.again || fresh && first {
			return nil, err
		}
	}
}

// A worker is one process.
type worker struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr tail
	wait   sync.Once
	exit   error
	files  int
	bytes  int
}

func (p *pool) start() (*worker, error) {
	if len(p.command) == 0 {
		return nil, errors.New("could not start a parser: no worker command is set")
	}
	w := &worker{cmd: exec.Command(p.command[0], p.command[1:]...)}
	w.cmd.Env, w.cmd.Stderr, w.cmd.WaitDelay = p.env, &w.stderr, time.Second
	var err error
	if w.in, err = w.cmd.StdinPipe(); err != nil {
		return nil, fmt.Errorf("could not start a parser: %w", err)
	}
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("could not start a parser: %w", err)
	}
	if err := w.cmd.Start(); err != nil {
		return nil, fmt.Errorf("could not start the parser %q: %w", p.command[0], err)
	}
	w.out = bufio.NewReaderSize(out, 64<<10)
	return w, nil
}

// ask sends one request to this process and waits for the answer, but not for longer than timeout.
func (w *worker) ask(ctx context.Context, request []byte, timeout time.Duration) ([]byte, error) {
	type reply struct {
		frame []byte
		err   error
	}
	done := make(chan reply, 1)
	go func() {
		err := writeFrame(bufio.NewWriterSize(w.in, 64<<10), request)
		var frame []byte
		if err == nil {
			frame, err = readFrame(w.out)
		}
		done <- reply{frame, err}
	}()
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		w.kill()
		<-done
		return nil, ctx.Err()
	case <-timer.C:
		w.kill()
		<-done
		return nil, &crash{reason: fmt.Sprintf("the parser had no answer after %v", timeout)}
	case r := <-done:
		if r.err != nil {
			return nil, w.death()
		}
		return w.opened(r.frame, len(request))
	}
}

// opened takes the kind off an answer.
func (w *worker) opened(frame []byte, size int) ([]byte, error) {
	if len(frame) == 0 || frame[0] != answered && frame[0] != refused {
		return nil, &crash{reason: "the parser answered what nobody understands", again: true}
	}
	if frame[0] == refused {
		r := &reader{buf: frame[1:]}
		return nil, fmt.Errorf("could not use the parser: %s", r.text())
	}
	w.files++
	w.bytes += size
	return frame[1:], nil
}

// death waits for a process that stopped answering and says how it ended.
func (w *worker) death() error {
	w.kill()
	var exit *exec.ExitError
	if errors.As(w.exit, &exit) && exit.ExitCode() == exitMemory {
		return &crash{reason: "the parser needs more memory than is allowed"}
	}
	if errors.As(w.exit, &exit) && exit.ExitCode() == ExitTime {
		return &crash{reason: "the parser needs more time than is allowed"}
	}
	if w.files == 0 && errors.As(w.exit, &exit) && exit.ExitCode() == ExitUnfit {
		return fmt.Errorf("could not use the parser: %s", w.stderr.first())
	}
	return &crash{reason: "the parser crashed", again: true}
}

// quit lets the process end by itself.
func (w *worker) quit() error {
	if err := w.in.Close(); err != nil {
		w.kill()
		return fmt.Errorf("could not end a parser: %w", err)
	}
	w.ended()
	if w.exit != nil {
		return fmt.Errorf("could not end a parser: %w", w.exit)
	}
	return nil
}

func (w *worker) kill() {
	_ = w.cmd.Process.Kill() // it has ended by itself when this fails
	w.ended()
}

func (w *worker) ended() { w.wait.Do(func() { w.exit = w.cmd.Wait() }) }

// first returns the first line.
func (t *tail) first() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	line, _, _ := strings.Cut(string(t.buf), "\n")
	return line
}

// tail keeps the beginning of what a worker says on standard error; a crash of C code prints pages.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if room := 4<<10 - len(t.buf); room > 0 {
		t.buf = append(t.buf, p[:min(room, len(p))]...)
	}
	return len(p), nil
}
