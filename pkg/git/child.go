package git

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"syscall"
	"time"
)

// A plan says what to start.
type plan struct {
	program string   // absolute path
	args    []string // without the program's name
	dir     string   // "" for the current folder
	env     []string // without doubles
	reads   bool     // whether it is given something to read; else its standard input is empty
}

// A child is a process that was started. Package os/exec could do all this; starting git is most of what a hook costs, and
// what is here does it with half as many system calls, threads and goroutines. Each child must be waited for.
type child struct {
	handle          // of the operating system
	in     *os.File // to its standard input; nil when it reads nothing
	out    *os.File // from its standard output
	said   words    // on its standard error

	once    sync.Once
	end     error
	release []func() bool
}

// A badEnd says how a child ended that did not end well.
type badEnd struct {
	code int // -1 when a signal ended it
	how  string
}

func (e *badEnd) Error() string { return e.how }

// grace is how long the pipes of a child that has ended may stay open, because its own children hold them.
const grace = time.Second

// killAfter kills the child when one of the contexts ends. Whoever reads from it then is not held up by its own children.
func (c *child) killAfter(first, second context.Context) {
	stop := func() {
		c.kill()
		_ = c.out.SetReadDeadline(time.Now().Add(grace)) // where that cannot be done, the end of the pipe has to do
	}
	c.release = append(c.release, context.AfterFunc(first, stop))
	if second != first {
		c.release = append(c.release, context.AfterFunc(second, stop))
	}
}

// wait waits until the child has ended and lets go of everything it had. It returns nil when it ended well and a *badEnd
// when not; a second call returns the same.
func (c *child) wait() error {
	c.once.Do(func() {
		c.end = c.reap()
		for _, release := range c.release {
			release()
		}
		c.said.finish()
		if c.in != nil {
			_ = c.in.Close() // nobody reads what it still holds
		}
		_ = c.out.Close()
	})
	return c.end
}

// stop kills the child and waits for it; killing one that has ended does nothing.
func (c *child) stop() {
	c.kill()
	_ = c.wait() // how it ended was decided here
}

// pipeSize is what every pipe takes without being read, in bytes.
const pipeSize = 4096

// feed gives the child data to read and then the end, while the caller goes on. The function that it returns says whether
// that could be done; a child that does not want to read everything is no error.
func (c *child) feed(data []byte) func() error {
	if c.in == nil {
		return func() error { return nil }
	}
	write := func() error {
		_, err := c.in.Write(data)
		if errors.Is(err, syscall.EPIPE) || errors.Is(err, os.ErrClosed) {
			err = nil
		}
		_ = c.in.Close() // wait may have been faster
		return err
	}
	if len(data) <= pipeSize {
		err := write()
		return func() error { return err }
	}
	done := make(chan error, 1)
	go func() { done <- write() }()
	return func() error { return <-done }
}

// output reads what the child prints to its end, which must come within max bytes.
func (c *child) output(max int) ([]byte, error) {
	buf := make([]byte, 0, 2048)
	for {
		n, err := c.out.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		switch {
		case errors.Is(err, io.EOF):
			return buf, nil
		case err != nil:
			return nil, fmt.Errorf("could not read what git prints: %w", err)
		case len(buf) > max:
			return nil, fmt.Errorf("git printed more than %d bytes", max)
		case len(buf) == cap(buf):
			buf = append(buf, make([]byte, cap(buf))...)[:len(buf)]
		}
	}
}

// words are the last things that a child says on standard error. They stay in the pipe until the child has ended, or has
// taken so long that it may have filled the pipe.
type words struct {
	pipe  *os.File
	timer *time.Timer
	once  sync.Once
	done  chan struct{}

	mu  sync.Mutex
	buf []byte
}

const (
	tailSize = 8 << 10               // bytes of what a child says that are kept: the last ones
	chatty   = 20 * time.Millisecond // after which a child's words are read while it runs
)

func (w *words) listen(pipe *os.File) {
	w.pipe, w.done = pipe, make(chan struct{})
	w.timer = time.AfterFunc(chatty, w.read)
}

// read starts to take the words out of the pipe.
func (w *words) read() {
	w.once.Do(func() { go w.drain() })
}

// drain takes all words out of the pipe, until that ends or is closed.
func (w *words) drain() {
	defer close(w.done)
	buf := make([]byte, 512) // few children say anything
	for {
		n, err := w.pipe.Read(buf)
		w.keep(buf[:n])
		if err != nil {
			return
		}
	}
}

// finish waits for the last words.
func (w *words) finish() {
	w.timer.Stop()
	if w.pipe.SetReadDeadline(time.Now().Add(grace)) == nil {
		w.once.Do(w.drain)
		<-w.done
	} else {
		w.read()
		select {
		case <-w.done:
		case <-time.After(grace):
		}
	}
	_ = w.pipe.Close() // all that was said has been read
}

// keep adds p and forgets what is too old.
func (w *words) keep(p []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.buf = append(w.buf, p...)
	if cut := len(w.buf) - tailSize; cut > 0 {
		w.buf = append(w.buf[:0], w.buf[cut:]...)
	}
}

func (w *words) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return string(w.buf)
}
