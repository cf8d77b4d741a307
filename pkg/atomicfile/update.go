package atomicfile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// Update replaces the file at path by what change makes of its content, as Write does. It holds a lock on the file, waits
// for those that others hold until ctx ends, and calls change with the content of that moment: two programs that update at
// once take turns, and neither loses what the other did. A file that is not there is made with perm before the umask, and
// change gets nil for it; its folder must exist. When change returns nil without an error nothing is written.
//
// After an error path has its old content, or is not there when it was not before.
func Update(ctx context.Context, path string, perm fs.FileMode, change func(old []byte) ([]byte, error)) error {
	return update(ctx, path, perm, change, disk())
}

func update(ctx context.Context, path string, perm fs.FileMode, change func([]byte) ([]byte, error), do steps) (err error) {
	f, created, err := openLocked(ctx, path, perm)
	if err != nil {
		return fmt.Errorf("could not update %q: %w", path, err)
	}
	// Closing the file gives the lock back.
	defer func() { err = errors.Join(err, f.Close()) }()
	undo := func(cause error) error {
		if created {
			return errors.Join(cause, removeEmpty(f, path))
		}
		return cause
	}
	var old []byte
	if !created {
		if old, err = io.ReadAll(f); err != nil {
			return fmt.Errorf("could not update %q: %w", path, err)
		}
		if old == nil {
			old = []byte{}
		}
	}
	data, err := change(old)
	if err != nil || data == nil {
		return undo(err)
	}
	if err := write(path, data, perm, do); err != nil {
		return undo(err)
	}
	return nil
}
