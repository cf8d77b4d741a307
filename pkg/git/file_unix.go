//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package git

import "syscall"

// A file is a regular file that is read. Package os does this with three times as many system calls, because it asks whether
// reading could have to wait.
type file struct{ fd int }

// openFile opens a regular file, itself and no link to it, and returns its size in bytes.
func openFile(name string) (f file, size int64, ok bool) {
	fd, err := syscall.Open(name, syscall.O_RDONLY|syscall.O_CLOEXEC|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return file{}, 0, false
	}
	f.fd = fd
	var info syscall.Stat_t
	if err := syscall.Fstat(fd, &info); err != nil || info.Mode&syscall.S_IFMT != syscall.S_IFREG {
		f.close()
		return file{}, 0, false
	}
	return f, info.Size, true
}

// readAt reads up to len(p) bytes, fewer only at the end of the file or when it cannot be read.
func (f file) readAt(p []byte, at int64) int {
	n, err := syscall.Pread(f.fd, p, at)
	if err != nil {
		return 0
	}
	return n
}

func (f file) close() {
	_ = syscall.Close(f.fd) // it was only read
}
