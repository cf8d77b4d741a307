package atomicfile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Append adds to the end of the file at path what next returns (chapter 5.2, append). It holds a lock on the file, waits
// for those that others hold until ctx ends, and calls next with the content of that moment: two writers at once take
// turns. What next returns is written in one piece and brought to the disk. A file that is not there begins with perm
// before the umask; its folder must exist. Symlinks and everything else that is no regular file are refused.
//
// After an error of next nothing has been written. After any other error the file has its old content; where not even that
// could be brought about, Append returns a *TornError and the file may end with a part of the addition.
func Append(ctx context.Context, path string, perm fs.FileMode, next func(old io.ReaderAt, size int64) ([]byte, error)) error {
	return extend(ctx, path, perm, next, disk())
}

// A TornError says that an addition failed halfway and could not be taken back.
type TornError struct {
	Path  string
	Cause error // why it failed
	Undo  error // why it could not be taken back
}

func (e *TornError) Error() string {
	return fmt.Sprintf("could not append to %q: %v; its last line may be torn: %v", e.Path, e.Cause, e.Undo)
}

// Unwrap returns both causes.
func (e *TornError) Unwrap() []error { return []error{e.Cause, e.Undo} }

func extend(ctx context.Context, path string, perm fs.FileMode, next func(io.ReaderAt, int64) ([]byte, error), do steps) (err error) {
	f, created, err := openLocked(ctx, path, perm)
	if err != nil {
		return fmt.Errorf("could not append to %q: %w", path, err)
	}
	// Closing the file gives the lock back.
	defer func() {
		if closing := f.Close(); closing != nil && err == nil {
			err = fmt.Errorf("could not close %q: %w", path, closing)
		}
	}()
	err = extendLocked(f, path, next, do)
	if err != nil && created {
		err = errors.Join(err, removeEmpty(f, path))
	}
	if err == nil && created {
		if err := syncFolder(filepath.Dir(path), do); err != nil {
			return fmt.Errorf("could not bring the folder of %q to the disk: %w", path, err)
		}
	}
	return err
}

func extendLocked(f *os.File, path string, next func(io.ReaderAt, int64) ([]byte, error), do steps) error {
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("could not append to %q: %w", path, err)
	}
	size := info.Size()
	data, err := next(f, size)
	if err != nil {
		return err
	}
	n, err := do.write(f, data)
	if err == nil {
		err = do.sync(f)
	}
	if err == nil {
		return nil
	}
	if undo := takeBack(f, size, int64(n), do); undo != nil {
		return &TornError{Path: path, Cause: err, Undo: undo}
	}
	return fmt.Errorf("could not append to %q: %w", path, err)
}

// takeBack cuts f to size again, behind which n bytes were written. Somebody who writes without asking for the lock may
// have added more, which is not ours to cut.
func takeBack(f *os.File, size, n int64, do steps) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if info.Size() != size+n {
		return errors.New("something else has written to it meanwhile")
	}
	return do.truncate(f, size)
}

// removeEmpty removes a file that was created for an addition that failed. Those who wait for its lock notice.
func removeEmpty(f *os.File, path string) error {
	info, err := f.Stat()
	if err != nil || info.Size() > 0 {
		return err
	}
	return os.Remove(path)
}

const (
	shortestWait = time.Millisecond
	longestWait  = 20 * time.Millisecond
)

// openLocked opens path and locks it. Whoever had the lock may have put another file in its place or removed it; then it
// starts again.
func openLocked(ctx context.Context, path string, perm fs.FileMode) (f *os.File, created bool, err error) {
	for {
		if f, created, err = openEnd(path, perm); err != nil {
			return nil, false, err
		}
		err = waitForLock(ctx, f)
		if err == nil {
			var current bool
			if current, err = standsAt(f, path); current {
				return f, created, nil
			}
		}
		if closing := f.Close(); err != nil || closing != nil {
			return nil, false, errors.Join(err, closing)
		}
	}
}

// openEnd opens path to be read and extended.
func openEnd(path string, perm fs.FileMode) (f *os.File, created bool, err error) {
	for try := 0; ; try++ {
		_, exists, err := target(path)
		if err != nil {
			return nil, false, err
		}
		flags := os.O_RDWR | os.O_APPEND | noFollow
		if !exists {
			flags |= os.O_CREATE | os.O_EXCL
		}
		f, err = os.OpenFile(path, flags, perm)
		raced := !exists && errors.Is(err, fs.ErrExist) || exists && errors.Is(err, fs.ErrNotExist)
		if !raced || try == 1000 {
			return f, !exists, err
		}
	}
}

// standsAt reports whether f is what stands at path now.
func standsAt(f *os.File, path string) (bool, error) {
	mine, err := f.Stat()
	if err != nil {
		return false, err
	}
	now, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && os.SameFile(mine, now), err
}

func waitForLock(ctx context.Context, f *os.File) error {
	for wait := shortestWait; ; wait = min(2*wait, longestWait) {
		if locked, err := tryLock(f); locked || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("another program holds its lock: %w", ctx.Err())
		case <-time.After(wait):
		}
	}
}
