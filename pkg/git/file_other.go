//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package git

import (
	"errors"
	"io"
	"os"
)

// A file is a regular file that is read.
type file struct{ *os.File }

// openFile opens a regular file, itself and no link to it, and returns its size in bytes.
func openFile(name string) (f file, size int64, ok bool) {
	info, err := os.Lstat(name)
	if err != nil || !info.Mode().IsRegular() {
		return file{}, 0, false
	}
	if f.File, err = os.Open(name); err != nil {
		return file{}, 0, false
	}
	return f, info.Size(), true
}

// readAt reads up to len(p) bytes, fewer only at the end of the file or when it cannot be read.
func (f file) readAt(p []byte, at int64) int {
	n, err := f.ReadAt(p, at)
	if n < len(p) && !errors.Is(err, io.EOF) {
		return 0
	}
	return n
}

func (f file) close() {
	_ = f.Close() // it was only read
}
