package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// refuseBare fails in a bare repository, where no index says what is staged and every file would look deleted. It asks
// only when that may be so: nothing is staged but deletions, or there is no commit yet.
func (r *Repo) refuseBare(ctx context.Context, op string, unborn bool, deltas []snapshot.Delta) error {
	if _, own := getenv(r.raw, "GIT_INDEX_FILE"); own {
		return nil
	}
	for _, d := range deltas {
		if d.After.Exists() {
			return nil
		}
	}
	if len(deltas) == 0 && !unborn {
		return nil
	}
	out, err := r.run(ctx, "ask for the kind of the repository", nil, "rev-parse", "--is-bare-repository")
	if err != nil {
		return err
	}
	if strings.TrimSpace(string(out)) == "true" {
		return &Error{Op: op, Help: "a bare repository has no index; check a commit or a range: --commit REV, --range A..B"}
	}
	return nil
}

// refuseMergeHead fails when a file MERGE_HEAD is there that git could not read as a commit: git then knows that a merge is
// under way, and so do we. The file is looked for where git keeps it; that nothing is found proves nothing and changes
// nothing.
func (r *Repo) refuseMergeHead() error {
	dir := r.gitDir()
	if dir == "" {
		return nil
	}
	path := filepath.Join(dir, "MERGE_HEAD")
	data, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && len(data) == 0:
		return nil
	case err != nil:
		return fmt.Errorf("could not read what is merged: %w", err)
	}
	first, _, _ := strings.Cut(string(data), "\n")
	return &Error{Op: "read what is merged", Err: fmt.Errorf("%q in %s names no commit of this repository", first[:min(len(first), 80)], path),
		Help: "look for damage with: git fsck --full; give the merge up with: git merge --abort"}
}

// gitDir is where git keeps the state of this working tree, as far as that can be told without asking it; "" otherwise.
func (r *Repo) gitDir() string {
	if dir, ok := getenv(r.raw, "GIT_DIR"); ok {
		dir, err := r.absolute(dir)
		if err != nil {
			return ""
		}
		return dir
	}
	dir, err := r.absolute(r.dir)
	if err != nil {
		return ""
	}
	for {
		dot := filepath.Join(dir, ".git")
		info, err := os.Lstat(dot)
		switch {
		case err == nil && info.IsDir():
			return dot
		case err == nil:
			return linked(dir, dot)
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// linked reads the file .git of a linked working tree or a submodule.
func linked(dir, dot string) string {
	data, err := os.ReadFile(dot)
	if err != nil {
		return ""
	}
	path, ok := strings.CutPrefix(strings.TrimSpace(string(data)), "gitdir: ")
	if !ok {
		return ""
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	return path
}

// refuseConflicts fails when paths are in conflict; diff-index of the working tree does not show them.
func (r *Repo) refuseConflicts(ctx context.Context, op, top string) error {
	out, err := r.run(ctx, op, nil, "-C", top, "ls-files", "--unmerged", "-z")
	if err != nil || len(out) == 0 {
		return err
	}
	var paths []string
	for record := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		if _, path, ok := strings.Cut(record, "\t"); ok {
			paths = append(paths, path)
		}
	}
	return unmergedError(op, paths)
}
