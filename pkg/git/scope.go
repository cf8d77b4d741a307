package git

import (
	"context"
	"fmt"
	"strings"
)

// ConfigIn returns the last value of a configuration key in one scope, "local" or "worktree", with the files that it
// includes; with the scope "" it returns the value that counts. ok is false when the key is not set there.
func (r *Repo) ConfigIn(ctx context.Context, scope, key string) (value string, ok bool, err error) {
	args := []string{"config", "-z", "--includes", "--get", key}
	if scope != "" {
		args = []string{"config", "-z", "--" + scope, "--includes", "--get", key}
	}
	const notSet = 1
	out, exit, err := r.answer(ctx, fmt.Sprintf("read the setting %q", key), nil, args, notSet)
	if err != nil || exit == notSet {
		return "", false, err
	}
	return strings.TrimSuffix(string(out), "\x00"), true, nil
}
