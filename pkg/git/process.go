package git

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/seed-4419f9ca/forge/pkg/snapshot"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

// An Error says that git could not answer. It never stands for an empty answer (chapter 3).
type Error struct {
	Op       string   // what was to be done, in the infinitive: "list the staged changes"
	Args     []string // git's arguments, without the options that all calls have; nil when git was not started
	ExitCode int      // of git; -1 when it did not end by itself
	Stderr   string   // git's own last words
	Help     string   // what to do about it; "" when git's words say so themselves
	Err      error    // the cause, such as snapshot.ErrNoObject
}

// Error gives everything on several lines: the cause, git's words, and the remedy.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "could not %s", e.Op)
	if len(e.Args) > 0 {
		fmt.Fprintf(&b, ": git %s", e.Args[0])
		if e.ExitCode >= 0 {
			fmt.Fprintf(&b, " exited with %d", e.ExitCode)
		}
	}
	if e.Err != nil {
		fmt.Fprintf(&b, ": %v", e.Err)
	}
	for line := range strings.Lines(e.Stderr) {
		b.WriteString("\n  " + text.Escape(strings.TrimRight(line, "\r\n")))
	}
	if e.Help != "" {
		b.WriteString("\nhelp: " + e.Help)
	}
	return b.String()
}

func (e *Error) Unwrap() error { return e.Err }

// A process is one running git with a pipe to and from it.
type process struct {
	args   []string
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	pipe   io.ReadCloser
	stderr tail

	wait    sync.Once
	exit    error
	onEnded func()
}

// waitDelay is how long a killed child's own children may hold its pipes open.
const waitDelay = 2 * time.Second

// plain are the options of each call that reads: no file system monitor and no hook of the repository is run.
func plain() []string {
	return []string{"-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"}
}

func (r *Repo) command(ctx context.Context, args []string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, r.program, args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = r.dir, r.env, waitDelay
	return cmd
}

// start runs git with pipes. The process ends with the repository's context at the latest.
func (r *Repo) start(op string, args ...string) (*process, error) {
	if err := r.ctx.Err(); err != nil {
		return nil, err
	}
	cmd := r.command(r.ctx, append(plain(), args...))
	p := &process{args: args, cmd: cmd}
	cmd.Stderr = &p.stderr
	var err error
	if p.in, err = cmd.StdinPipe(); err != nil {
		return nil, &Error{Op: op, Args: args, ExitCode: -1, Err: err}
	}
	if p.pipe, err = cmd.StdoutPipe(); err != nil {
		return nil, &Error{Op: op, Args: args, ExitCode: -1, Err: err}
	}
	p.out = bufio.NewReaderSize(p.pipe, 64<<10)
	if err := cmd.Start(); err != nil {
		return nil, r.startError(op, args, err)
	}
	return p, nil
}

// stop kills the process and waits for it; killing one that has ended does nothing.
func (p *process) stop() {
	_ = p.cmd.Process.Kill() // it has ended by itself when this fails
	_ = p.ended()
}

// ended waits for the process and returns how it ended.
func (p *process) ended() error {
	p.wait.Do(func() {
		p.exit = p.cmd.Wait()
		if p.onEnded != nil {
			p.onEnded()
		}
	})
	return p.exit
}

// run runs git to its end and returns what it printed. stdin may be nil. ok lists the exit codes that are answers.
func (r *Repo) run(ctx context.Context, op string, stdin []byte, args ...string) ([]byte, error) {
	out, _, err := r.answer(ctx, op, stdin, append(plain(), args...), 0)
	return out, err
}

// answer is run for commands whose other exit codes, up to and including maxExit, are answers too.
func (r *Repo) answer(ctx context.Context, op string, stdin []byte, args []string, maxExit int) ([]byte, int, error) {
	ctx, cancel := r.join(ctx)
	defer cancel()
	cmd := r.command(ctx, args)
	args = args[len(args)-len(visible(args)):]
	out, stderr := &capped{max: maxOutput}, &tail{}
	cmd.Stdout, cmd.Stderr = out, stderr
	if stdin != nil {
		cmd.Stdin = bytes.NewReader(stdin)
	}
	if err := cmd.Start(); err != nil {
		return nil, -1, r.startError(op, args, err)
	}
	err := cmd.Wait()
	if cause := ctx.Err(); cause != nil {
		return nil, -1, cause
	}
	var exit *exec.ExitError
	switch {
	case err == nil:
		return out.Bytes(), 0, nil
	case errors.As(err, &exit) && exit.ExitCode() > 0 && exit.ExitCode() <= maxExit:
		return out.Bytes(), exit.ExitCode(), nil
	}
	return nil, -1, failure(op, args, err, stderr.String())
}

// visible drops the leading options of plain from args.
func visible(args []string) []string {
	for len(args) >= 2 && args[0] == "-c" {
		args = args[2:]
	}
	return args
}

// join returns a context that ends with ctx or with the repository's.
func (r *Repo) join(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	release := context.AfterFunc(r.ctx, cancel)
	return ctx, func() { release(); cancel() }
}

func (r *Repo) startError(op string, args []string, err error) error {
	help := ""
	if r.dir != "" {
		help = fmt.Sprintf("is %q a folder that you may enter?", r.dir)
	}
	return &Error{Op: op, Args: args, ExitCode: -1, Help: help, Err: err}
}

// failure makes the error of a git that ended badly, with the remedy for what is known.
func failure(op string, args []string, err error, stderr string) error {
	e := &Error{Op: op, Args: args, ExitCode: -1, Stderr: strings.TrimSpace(stderr), Err: err}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		e.ExitCode, e.Err = exit.ExitCode(), nil
		if e.ExitCode < 0 {
			e.Err = errors.New(exit.String())
		}
	}
	switch {
	case strings.Contains(stderr, "not a git repository"):
		e.Help = "run it inside a repository, or name one with -C DIR"
	case strings.Contains(stderr, "promisor remote"), strings.Contains(stderr, "lazy fetching disabled"):
		e.Err = fmt.Errorf("%w (partial clone)", snapshot.ErrNoObject)
		e.Help = "this is a partial clone and nothing is fetched here; fetch what is missing first, for example with: git fetch --refetch --filter=blob:limit=10m"
	case strings.Contains(stderr, "unable to read tree"), strings.Contains(stderr, "bad object"), strings.Contains(stderr, "missing object"),
		strings.Contains(stderr, "could not read"), strings.Contains(stderr, "Could not read"):
		e.Err = snapshot.ErrNoObject
		e.Help = "look for damage with: git fsck --full"
	case strings.Contains(stderr, "is corrupt"), strings.Contains(stderr, "inflate:"):
		e.Help = "look for damage with: git fsck --full"
	case strings.Contains(stderr, "unknown option"), strings.Contains(stderr, "usage: git"):
		e.Help = "git 2.25 or newer is needed; compare: git version"
	}
	return e
}

// maxOutput bounds, in bytes, what is taken from one git that prints a list.
const maxOutput = 1 << 30

// capped is a buffer that refuses to grow past max bytes.
type capped struct {
	bytes.Buffer
	max int
}

func (c *capped) Write(p []byte) (int, error) {
	if c.Len()+len(p) > c.max {
		return 0, fmt.Errorf("git printed more than %d bytes", c.max)
	}
	return c.Buffer.Write(p)
}

// tail keeps the last bytes of what a child says on standard error.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

const tailSize = 8 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, p...)
	if cut := len(t.buf) - tailSize; cut > 0 {
		t.buf = append(t.buf[:0], t.buf[cut:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.buf)
}
