package hooks

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// disk is the file system that a program uses.
type disk struct{}

func (disk) Lstat(path string) (fs.FileInfo, error) { return os.Lstat(path) }
func (disk) Stat(path string) (fs.FileInfo, error)  { return os.Stat(path) }
func (disk) ReadFile(path string) ([]byte, error)   { return os.ReadFile(path) }
func (disk) Readlink(path string) (string, error)   { return os.Readlink(path) }
func (disk) MkdirAll(path string) error             { return os.MkdirAll(path, 0o777) }
func (disk) Symlink(target, path string) error      { return os.Symlink(target, path) }
func (disk) Rename(from, to string) error           { return os.Rename(from, to) }
func (disk) Remove(path string) error               { return os.Remove(path) }

func (disk) WriteFile(path string, data []byte, perm fs.FileMode) (err error) {
	tmp := filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.%d.tmp", filepath.Base(path), os.Getpid()))
	f, err := os.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Chmod(perm), f.Sync(), f.Close()); err == nil {
		err = os.Rename(tmp, path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(tmp))
	}
	return nil
}
