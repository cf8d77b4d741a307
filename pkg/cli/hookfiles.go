package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/seed-4419f9ca/forge/pkg/atomicfile"
)

// hookFiles is the file system as package hooks uses it.
type hookFiles struct{}

func (hookFiles) Lstat(path string) (fs.FileInfo, error) { return os.Lstat(path) }
func (hookFiles) Stat(path string) (fs.FileInfo, error)  { return os.Stat(path) }
func (hookFiles) ReadFile(path string) ([]byte, error)   { return os.ReadFile(path) }
func (hookFiles) Readlink(path string) (string, error)   { return os.Readlink(path) }
func (hookFiles) MkdirAll(path string) error             { return os.MkdirAll(path, 0o777) }
func (hookFiles) Symlink(target, path string) error      { return os.Symlink(target, path) }
func (hookFiles) Rename(from, to string) error           { return os.Rename(from, to) }
func (hookFiles) Remove(path string) error               { return os.Remove(path) }

// WriteFile writes data under a name of its own first, so that a link at path is replaced and the mode is exact before
// the file has its name.
func (hookFiles) WriteFile(path string, data []byte, perm fs.FileMode) error {
	tmp := fmt.Sprintf("%s.%d.forge-new", path, os.Getpid())
	if err := atomicfile.Write(tmp, data, perm); err != nil {
		return err
	}
	err := os.Chmod(tmp, perm)
	if err == nil {
		err = os.Rename(tmp, path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(tmp))
	}
	return nil
}
