package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"syscall"
)

// Main runs a program with the streams, arguments and environment of this process and returns its exit code. An interrupt
// cancels what runs, waits for children to end, and gives 130 or 143.
func Main(profile Profile) int {
	// Most runs wait for git and work on a handful of files: a second thread would cost more than it does. A run that
	// finds more to do asks for all processors (see widen).
	runtime.GOMAXPROCS(1)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	var caught atomic.Int32
	go func() {
		if s, ok := (<-signals).(syscall.Signal); ok {
			caught.Store(int32(s))
			cancel()
		}
	}()

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
	if s := caught.Load(); s != 0 {
		return 128 + int(s)
	}
	return code
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
