package git

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"

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

// A process is a running git that answers questions one after the other.
type process struct {
	*child
	args    []string
	answers *bufio.Reader
}

// plain are the options of each call that reads: no file system monitor and no hook of the repository is run.
func plain() []string {
	return []string{"-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"}
}

// launch starts git. It is killed when ctx or the repository's context ends.
func (r *Repo) launch(ctx context.Context, op string, args []string, reads bool) (*child, error) {
	if err := r.ended(ctx); err != nil {
		return nil, err
	}
	c, err := launch(plan{program: r.program, args: args, dir: r.dir, env: r.env, reads: reads})
	if err != nil {
		return nil, r.startError(op, visible(args), err)
	}
	c.killAfter(r.ctx, ctx)
	return c, nil
}

// ended returns why nothing may be done any more: ctx or the repository's context has ended.
func (r *Repo) ended(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return r.ctx.Err()
}

// start runs git with pipes. The process ends with the repository's context at the latest.
func (r *Repo) start(op string, args ...string) (*process, error) {
	c, err := r.launch(r.ctx, op, append(plain(), args...), true)
	if err != nil {
		return nil, err
	}
	return &process{child: c, args: args, answers: bufio.NewReaderSize(c.out, 64<<10)}, nil
}

// run runs git to its end and returns what it printed. stdin may be nil. ok lists the exit codes that are answers.
func (r *Repo) run(ctx context.Context, op string, stdin []byte, args ...string) ([]byte, error) {
	out, _, err := r.answer(ctx, op, stdin, append(plain(), args...), 0)
	return out, err
}

// answer is run for commands whose other exit codes, up to and including maxExit, are answers too.
func (r *Repo) answer(ctx context.Context, op string, stdin []byte, args []string, maxExit int) ([]byte, int, error) {
	out, _, exit, err := r.both(ctx, op, stdin, args, maxExit)
	return out, exit, err
}

// both is answer for commands whose words on standard error are part of the answer.
func (r *Repo) both(ctx context.Context, op string, stdin []byte, args []string, maxExit int) (stdout []byte, stderr string, exit int, err error) {
	c, err := r.launch(ctx, op, args, stdin != nil)
	if err != nil {
		return nil, "", -1, err
	}
	fed := c.feed(stdin)
	out, err := c.output(maxOutput)
	if err != nil {
		c.kill()
	}
	end := c.wait()
	if cause := r.ended(ctx); cause != nil {
		return nil, "", -1, cause
	}
	if err == nil {
		err = fed()
	}
	var bad *badEnd
	switch {
	case err != nil:
	case end == nil:
		return out, c.said.String(), 0, nil
	case errors.As(end, &bad) && bad.code > 0 && bad.code <= maxExit:
		return out, c.said.String(), bad.code, nil
	default:
		err = end
	}
	return nil, "", -1, failure(op, visible(args), err, c.said.String())
}

// visible drops the leading options of plain from args.
func visible(args []string) []string {
	for len(args) >= 2 && args[0] == "-c" {
		args = args[2:]
	}
	return args
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
	var bad *badEnd
	if errors.As(err, &bad) {
		e.ExitCode, e.Err = bad.code, nil
		if e.ExitCode < 0 {
			e.Err = bad
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
