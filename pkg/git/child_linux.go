package git

import (
	"fmt"
	"os"
	"sync"
	"syscall"
	"unsafe"
)

// launch starts a process. The child's ends of the pipes never enter the program's poller, and no watching descriptor is
// asked for.
func launch(p plan) (c *child, err error) {
	var open []int
	defer func() {
		if err != nil {
			for _, fd := range open {
				_ = syscall.Close(fd) // what counts is why nothing was started
			}
		}
	}()
	pair := func() (r, w int) {
		var fds [2]int
		if err == nil {
			if err = syscall.Pipe2(fds[:], syscall.O_CLOEXEC); err == nil {
				open = append(open, fds[:]...)
			}
		}
		return fds[0], fds[1]
	}
	var stdin, in int
	if p.reads {
		stdin, in = pair()
	} else if stdin, err = syscall.Open(os.DevNull, syscall.O_RDONLY|syscall.O_CLOEXEC, 0); err == nil {
		open = append(open, stdin)
	}
	out, stdout := pair()
	said, stderr := pair()
	if err != nil {
		return nil, fmt.Errorf("could not make pipes: %w", err)
	}
	pid, err := syscall.ForkExec(p.program, append([]string{p.program}, p.args...), &syscall.ProcAttr{
		Dir: p.dir, Env: p.env, Files: []uintptr{uintptr(stdin), uintptr(stdout), uintptr(stderr)},
		Sys: &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}, // no thread of this program ends before the program does
	})
	if err != nil {
		return nil, p.failed(err)
	}
	c = &child{out: ours(out), handle: handle{pid: pid}}
	if p.reads {
		c.in = ours(in)
	}
	c.said.listen(ours(said))
	for _, fd := range []int{stdin, stdout, stderr} {
		_ = syscall.Close(fd) // the child has its own
	}
	return c, nil
}

// ours makes an end of a pipe one that waits in the program's poller and keeps no thread.
func ours(fd int) *os.File {
	_ = syscall.SetNonblock(fd, true) // without it a thread waits
	return os.NewFile(uintptr(fd), "pipe to git")
}

// failed says what was wrong with a start: the folder or the program.
func (p *plan) failed(err error) error {
	if p.dir != "" {
		if _, dirErr := os.Stat(p.dir); dirErr != nil {
			return dirErr
		}
	}
	return &os.PathError{Op: "fork/exec", Path: p.program, Err: err}
}

// A handle is a process id that stays the child's own while the lock is held: nobody waits for it meanwhile.
type handle struct {
	pid  int
	mu   sync.Mutex
	gone bool
}

func (h *handle) kill() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.gone {
		_ = syscall.Kill(h.pid, syscall.SIGKILL) // it may have ended by itself
	}
}

// reap waits until the process has ended, and only then takes the lock to let go of its id.
func (h *handle) reap() error {
	const (
		byPid  = 1          // P_PID
		noWait = 0x01000000 // WNOWAIT
	)
	var info [16]uint64 // siginfo_t has 128 bytes
	for {
		_, _, errno := syscall.Syscall6(syscall.SYS_WAITID, byPid, uintptr(h.pid), uintptr(unsafe.Pointer(&info)), syscall.WEXITED|noWait, 0, 0)
		if errno == 0 {
			break
		}
		if errno != syscall.EINTR {
			return fmt.Errorf("could not wait for git: %w", errno)
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.gone = true
	var status syscall.WaitStatus
	for {
		_, err := syscall.Wait4(h.pid, &status, 0, nil)
		if err == nil {
			break
		}
		if err != syscall.EINTR {
			return fmt.Errorf("could not wait for git: %w", err)
		}
	}
	switch {
	case status.Exited() && status.ExitStatus() == 0:
		return nil
	case status.Exited():
		return &badEnd{status.ExitStatus(), fmt.Sprintf("exit status %d", status.ExitStatus())}
	}
	return &badEnd{-1, "signal: " + status.Signal().String()}
}
