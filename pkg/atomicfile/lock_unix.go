//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package atomicfile

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// noFollow makes opening a symlink fail.
const noFollow = syscall.O_NOFOLLOW

// tryLock takes the lock of f, which ends when f is closed. It is not locked when somebody else has it.
func tryLock(f *os.File) (locked bool, err error) {
	conn, err := f.SyscallConn()
	if err != nil {
		return false, err
	}
	var result error
	if err := conn.Control(func(fd uintptr) { result = syscall.Flock(int(fd), syscall.LOCK_EX|syscall.LOCK_NB) }); err != nil {
		return false, err
	}
	switch {
	case result == nil:
		return true, nil
	case errors.Is(result, syscall.EWOULDBLOCK), errors.Is(result, syscall.EINTR):
		return false, nil
	}
	return false, fmt.Errorf("could not lock it: %w", result)
}
