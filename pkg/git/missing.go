package git

import (
	"errors"
	"os/exec"
)

// Missing reports whether err says that no git program is installed.
func Missing(err error) bool { return errors.Is(err, exec.ErrNotFound) }
