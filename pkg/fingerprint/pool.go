package fingerprint

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
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
	met  bool      // a worker has said what it is
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
func (p *pool) ask(ctx context.Context, q *request) (string, error) {
	if err := p.enter(ctx); err != nil {
		return "", err
	}
	defer p.leave()
	w := p.take()
	defer func() { p.give(w) }()
	for try := 0; ; try++ {
		fresh := w == nil || w.spent()
		var err error
		if w, err = p.fit(ctx, w); err != nil {
			return "", err
		}
		answers, err := w.ask(ctx, []*request{q}, p.timeout)
		if err == nil {
			return answers[0], nil
		}
		w.kill()
		first := w.files == 0
		w = nil
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		var c *crash
		if !errors.As(err, &c) || try > 0 || !c.again || fresh && first {
			return "", err
		}
	}
}

// A reply is what ask returns.
type reply struct {
	answer string
	err    error
}

// askAll asks for several files. All requests are under way to one worker together, which saves most of the switches between
// processes. When the worker does not answer them all, nobody knows which one it fails at, and the rest are asked one by one:
// replies are those of ask.
func (p *pool) askAll(ctx context.Context, list []*request) []reply {
	replies := make([]reply, 0, len(list))
	if len(list) > 1 {
		for _, answer := range p.together(ctx, list) {
			replies = append(replies, reply{answer: answer})
		}
	}
	for _, q := range list[len(replies):] {
		answer, err := p.ask(ctx, q)
		replies = append(replies, reply{answer, err})
	}
	return replies
}

// together sends several requests at a time to one worker and returns the answers to the first of them that it has.
func (p *pool) together(ctx context.Context, list []*request) []string {
	if p.enter(ctx) != nil {
		return nil
	}
	defer p.leave()
	w, err := p.fit(ctx, p.take())
	if err != nil {
		return nil // the single requests say so
	}
	answers, err := w.ask(ctx, list, p.timeout)
	if err != nil {
		w.kill()
		return answers
	}
	p.give(w)
	return answers
}

// enter waits until one more worker may be asked.
func (p *pool) enter(ctx context.Context) error {
	select {
	case p.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (p *pool) leave() { <-p.slots }

// fit returns w, or a new worker when w is nil or has done enough.
func (p *pool) fit(ctx context.Context, w *worker) (*worker, error) {
	if w != nil && !w.spent() {
		return w, nil
	}
	if w != nil {
		_ = w.quit() // it has answered everything; how it ends changes nothing
	}
	w, err := p.start()
	if err != nil {
		return nil, err
	}
	if err := p.meet(ctx, w); err != nil {
		w.kill()
		return nil, err
	}
	return w, nil
}

// meet asks the first worker of a pool what it is. One that does not say, or is of another version, fails for every file, which
// is no answer about any of them.
func (p *pool) meet(ctx context.Context, w *worker) error {
	p.mu.Lock()
	met := p.met
	p.mu.Unlock()
	if met {
		return nil
	}
	answers, err := w.ask(ctx, []*request{{kind: askPrint}}, min(p.timeout, meetTime))
	var c *crash
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &c):
		return fmt.Errorf("could not use the parser %q: it does not say what it is: %s", p.command[0], c.reason)
	case err != nil:
		return err
	case answers[0] != enginePrint():
		return fmt.Errorf("could not use the parser %q: it is of another version; install all programs together", p.command[0])
	}
	w.files, w.bytes = 0, 0
	p.mu.Lock()
	p.met = true
	p.mu.Unlock()
	return nil
}

// meetTime is how long a worker may take to say what it is; it parses nothing for that.
const meetTime = 20 * time.Second

// A worker is one process.
type worker struct {
	cmd    *exec.Cmd
	pipe   io.Closer // what it reads
	in     *bufio.Writer
	out    *bufio.Reader
	frame  []byte // of the last answer
	stderr tail
	wait   sync.Once
	exit   error
	files  int
	bytes  int
}

// spent reports whether it is time for another process.
func (w *worker) spent() bool { return w.files >= filesPerWorker || w.bytes >= bytesPerWorker }

func (p *pool) start() (*worker, error) {
	if len(p.command) == 0 {
		return nil, errors.New("could not start a parser: no worker command is set")
	}
	w := &worker{cmd: exec.Command(p.command[0], p.command[1:]...)}
	w.cmd.Env, w.cmd.Stderr, w.cmd.WaitDelay = p.env, &w.stderr, time.Second
	in, err := w.cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("could not start a parser: %w", err)
	}
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("could not start a parser: %w", err)
	}
	if err := w.cmd.Start(); err != nil {
		hint := ""
		if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
			hint = "; install it beside this program or in PATH"
		}
		return nil, fmt.Errorf("could not start the parser %q: %w%s", p.command[0], err, hint)
	}
	w.pipe, w.in, w.out = in, bufio.NewWriterSize(in, 64<<10), bufio.NewReaderSize(out, 64<<10)
	return w, nil
}

// ask sends requests to this process and waits for the answers to all of them, but not for longer than timeout. When it has
// an error, it returns the answers that came before, and the process has to be killed.
func (w *worker) ask(ctx context.Context, list []*request, timeout time.Duration) ([]string, error) {
	timer := time.AfterFunc(timeout, w.stop)
	heed := context.AfterFunc(ctx, w.stop)
	// Requests are written while answers are read: both pipes may be full at one time.
	written := make(chan error, 1)
	go func() { written <- w.write(list) }()
	answers := make([]string, 0, len(list))
	var err error
	for _, q := range list {
		var answer string
		if answer, err = w.answer(len(q.src)); err != nil {
			w.stop()
			break
		}
		answers = append(answers, answer)
	}
	broken := <-written
	inTime, heeded := timer.Stop(), !heed()
	switch {
	case heeded || ctx.Err() != nil:
		return answers, ctx.Err()
	case !inTime:
		return answers, &crash{reason: fmt.Sprintf("the parser had no answer after %v", timeout)}
	case errors.Is(err, errSilent) || err == nil && broken != nil:
		return answers, w.death()
	}
	return answers, err
}

func (w *worker) write(list []*request) error {
	for _, q := range list {
		if err := q.write(w.in); err != nil {
			return err
		}
	}
	return w.in.Flush()
}

// errSilent says that a worker answers no more.
var errSilent = errors.New("the parser does not answer")

// answer reads the next answer, to a request about so many bytes, and takes its kind off.
func (w *worker) answer(size int) (string, error) {
	frame, err := readFrame(w.out, w.frame)
	if err != nil {
		return "", errSilent
	}
	w.frame = kept(frame)
	if len(frame) == 0 || frame[0] != answered && frame[0] != refused {
		return "", &crash{reason: "the parser answered what nobody understands", again: true}
	}
	if frame[0] == refused {
		r := &reader[[]byte]{buf: frame[1:]}
		return "", fmt.Errorf("could not use the parser: %s", r.text())
	}
	w.files++
	w.bytes += size
	return string(frame[1:]), nil
}

// stop ends the process without waiting for it.
func (w *worker) stop() {
	_ = w.cmd.Process.Kill() // it has ended by itself when this fails
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
	if err := w.pipe.Close(); err != nil {
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
	w.stop()
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
