package git

import (
	"context"
	"fmt"
)

// SetConfig sets a key of the repository's own configuration to one value.
func (r *Repo) SetConfig(ctx context.Context, key, value string) error {
	_, err := r.run(ctx, fmt.Sprintf("set %q", key), nil, "config", "--local", "--replace-all", key, value)
	return err
}

// UnsetConfig removes a key from the repository's own configuration, and says whether it was there.
func (r *Repo) UnsetConfig(ctx context.Context, key string) (bool, error) {
	const notSet = 5
	_, exit, err := r.answer(ctx, fmt.Sprintf("unset %q", key), nil, append(plain(), "config", "--local", "--unset-all", key), notSet)
	return err == nil && exit == 0, err
}
