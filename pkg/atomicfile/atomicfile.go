// Package atomicfile replaces files so that a reader, a crash or a full disk never meets half of one.
package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Write makes path hold data: it writes a temporary file beside it, brings that to the disk, renames it over path and
// brings the folder to the disk (chapter 1, nothing is lost). An existing file keeps its permission bits, a new one gets
// perm before the umask. After an error path has its old content or, when only the folder could not be brought to the disk,
// the new one; no temporary file stays. A path that is a symlink or anything else than a regular file is refused, so that
// nothing outside the folder is written through it. The folder must exist.
func Write(path string, data []byte, perm fs.FileMode) error {
	return write(path, data, perm, disk())
}

// steps are the operations that can fail; tests make them fail.
type steps struct {
	write    func(*os.File, []byte) (int, error)
	sync     func(*os.File) error
	rename   func(from, to string) error
	truncate func(*os.File, int64) error
}

func disk() steps {
	return steps{write: (*os.File).Write, sync: (*os.File).Sync, rename: os.Rename, truncate: (*os.File).Truncate}
}

func write(path string, data []byte, perm fs.FileMode, do steps) error {
	mode, exists, err := target(path)
	if err != nil {
		return fmt.Errorf("could not write %q: %w", path, err)
	}
	if !exists {
		mode = perm
	}
	tmp, err := create(path, mode)
	if err != nil {
		return fmt.Errorf("could not write %q: %w", path, err)
	}
	if err := fill(tmp, data, mode, exists, do); err != nil {
		return fmt.Errorf("could not write %q: %w", path, errors.Join(err, os.Remove(tmp.Name())))
	}
	if err := do.rename(tmp.Name(), path); err != nil {
		return fmt.Errorf("could not write %q: %w", path, errors.Join(err, os.Remove(tmp.Name())))
	}
	if err := syncFolder(filepath.Dir(path), do); err != nil {
		return fmt.Errorf("could not bring the folder of %q to the disk: %w", path, err)
	}
	return nil
}

// target looks at what stands at path now: its permission bits, and whether there is anything.
func target(path string) (mode fs.FileMode, exists bool, err error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return 0, false, nil
	case err != nil:
		return 0, false, err
	case info.Mode()&fs.ModeSymlink != 0:
		return 0, false, errors.New("it is a symbolic link; write to the file that it points to")
	case !info.Mode().IsRegular():
		return 0, false, errors.New("it is not a regular file")
	}
	return info.Mode().Perm(), true, nil
}

// create makes a new file with an unused name in the folder of path.
func create(path string, mode fs.FileMode) (*os.File, error) {
	dir, base := filepath.Split(path)
	for try := 0; ; try++ {
		name := filepath.Join(dir, fmt.Sprintf(".%s.%d-%d.tmp", shorten(base), os.Getpid(), try))
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode|0o200)
		if err == nil || !errors.Is(err, fs.ErrExist) || try == 1000 {
			return f, err
		}
	}
}

// shorten keeps the temporary name below the 255 bytes that file systems allow.
func shorten(base string) string { return base[:min(len(base), 200)] }

// fill writes the temporary file, brings it to the disk and closes it whatever happens.
func fill(tmp *os.File, data []byte, mode fs.FileMode, exact bool, do steps) (err error) {
	defer func() { err = errors.Join(err, tmp.Close()) }()
	if _, err := do.write(tmp, data); err != nil {
		return err
	}
	if exact || mode&0o200 == 0 {
		if err := tmp.Chmod(mode); err != nil {
			return err
		}
	}
	return do.sync(tmp)
}

func syncFolder(dir string, do steps) (err error) {
	if dir == "" {
		dir = "."
	}
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return do.sync(f)
}
