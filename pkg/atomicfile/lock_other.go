//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package atomicfile

import (
	"errors"
	"fmt"
	"os"
)

const noFollow = 0

// tryLock fails: what cannot be locked is not written.
func tryLock(*os.File) (locked bool, err error) {
	return false, fmt.Errorf("could not lock it on this system: %w", errors.ErrUnsupported)
}
