package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"
)

// Main runs a program with the streams, arguments and environment of this process and returns its exit code. An interrupt
// cancels what runs, waits for children to end, and gives 130 or 143.
func Main(profile Profile) int {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	i := interrupts{cancel: cancel}
	i.catchAfter(delay(profile, os.Args[1:]))

	dir, err := os.Getwd()
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: could not read the current directory: %v\n", profile.Name, err)
		return ExitNoAnswer
	}
	exe, err := executable(dir)
	if err != nil {
		exe = "" // hooks then look for the program in PATH
	}
	code := Run(ctx, profile, Env{
		Args: os.Args[1:], Stdin: interruptible{ctx, os.Stdin}, Stdout: os.Stdout, Stderr: os.Stderr,
		Environ: os.Environ(), Dir: dir, Executable: exe,
	})
	if s := i.caught.Load(); s != 0 {
		return 128 + int(s)
	}
	return code
}

// interrupts turns signals into the end of a context.
type interrupts struct {
	cancel context.CancelFunc
	caught atomic.Int32
}

// catch begins to catch signals.
func (i *interrupts) catch() {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		if s, ok := (<-signals).(syscall.Signal); ok {
			i.caught.Store(int32(s))
			i.cancel()
		}
	}()
}

func (i *interrupts) catchAfter(d time.Duration) {
	if d == 0 {
		i.catch()
		return
	}
	time.AfterFunc(d, i.catch)
}

// delay is how long a run may go on before it catches signals. Catching takes two threads and as much time as all checks
// of a small commit together. Until then a signal ends the program as it ends any other, which the caller sees as the same
// 130 or 143; children are killed by the system then, and of the command lines that wait nothing is written to files.
func delay(profile Profile, args []string) time.Duration {
	const short = 15 * time.Millisecond
	switch {
	case os.Getenv("FORGE_REPORT") != "":
		return 0
	case len(args) == 0, len(args) == 1 && (args[0] == profile.Judge || args[0] == "version"):
		return short
	}
	return 0
}

// interruptible reads from r until ctx ends. A read that is under way then goes on alone: nothing can stop one from a
// terminal or a pipe that nobody closes, and the program ends soon.
type interruptible struct {
	ctx context.Context
	r   io.Reader
}

func (i interruptible) Read(p []byte) (int, error) {
	type result struct {
		n   int
		err error
	}
	buf, done := make([]byte, len(p)), make(chan result, 1)
	go func() {
		n, err := i.r.Read(buf)
		done <- result{n, err}
	}()
	select {
	case got := <-done:
		return copy(p, buf[:got.n]), got.err
	case <-i.ctx.Done():
		return 0, i.ctx.Err()
	}
}

// executable returns the absolute path by which the program was started. A link that leads to it is kept, because it
// stays when the program behind it is replaced by another version.
func executable(dir string) (string, error) {
	real, err := os.Executable()
	if err != nil {
		return "", err
	}
	name := os.Args[0]
	candidates := []string{filepath.Join(dir, name)}
	switch {
	case filepath.IsAbs(name):
		candidates = []string{name}
	case filepath.Base(name) == name:
		candidates = nil
		for _, folder := range filepath.SplitList(os.Getenv("PATH")) {
			if filepath.IsAbs(folder) {
				candidates = append(candidates, filepath.Join(folder, name))
			}
		}
	}
	self, err := os.Stat(real)
	if err != nil {
		candidates = nil // the file was replaced while it runs; the name that the system knows is all there is
	}
	for _, c := range candidates {
		if info, err := os.Stat(c); err == nil && os.SameFile(info, self) {
			return c, nil
		}
	}
	return real, nil
}
