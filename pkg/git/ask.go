package git

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// line runs a command that answers with one line and returns that without its end.
func (r *Repo) line(ctx context.Context, op string, args ...string) (string, error) {
	out, _, err := r.answer(ctx, op, nil, args, 0)
	if err != nil {
		return "", err
	}
	return strings.TrimSuffix(strings.TrimSuffix(string(out), "\n"), "\r"), nil
}

// absolute makes a path that git printed independent of the current folder.
func (r *Repo) absolute(path string) (string, error) {
	if filepath.IsAbs(path) {
		return path, nil
	}
	return filepath.Abs(filepath.Join(r.dir, path))
}

// GitPath returns the absolute path of a file in the repository's folder, wherever git keeps that: "hooks", "MERGE_HEAD".
func (r *Repo) GitPath(ctx context.Context, name string) (string, error) {
	s, err := r.line(ctx, fmt.Sprintf("find %q in the repository", name), "rev-parse", "--git-path", name)
	if err != nil {
		return "", err
	}
	return r.absolute(s)
}

// Toplevel returns the absolute path of the working tree's root; "" for a bare repository.
func (r *Repo) Toplevel(ctx context.Context) (string, error) {
	s, err := r.line(ctx, "ask for the kind of the repository", "rev-parse", "--is-bare-repository")
	if err != nil || s == "true" {
		return "", err
	}
	return r.line(ctx, "find the root of the working tree", "rev-parse", "--show-toplevel")
}

// CommonDir returns the absolute path of the folder that all working trees of the repository share.
func (r *Repo) CommonDir(ctx context.Context) (string, error) {
	s, err := r.line(ctx, "find the repository", "rev-parse", "--git-common-dir")
	if err != nil {
		return "", err
	}
	return r.absolute(s)
}

// Version returns git's version as "git version" prints it, without those two words.
func (r *Repo) Version(ctx context.Context) (string, error) {
	s, err := r.line(ctx, "ask git for its version", "version")
	return strings.TrimPrefix(s, "git version "), err
}

// A Setting is one value of git's configuration.
type Setting struct {
	Value  string
	Scope  string // "system", "global", "local", "worktree" or "command"; "" before git 2.26
	Origin string // where it is written, such as "file:/home/x/.gitconfig"
}

// ConfigGet returns the value of a configuration key that counts, and where it comes from. ok is false when it is not set.
func (r *Repo) ConfigGet(ctx context.Context, key string) (s Setting, ok bool, err error) {
	op := fmt.Sprintf("read the setting %q", key)
	args := []string{"config", "-z", "--show-scope", "--show-origin", "--get", key}
	out, exit, err := r.answer(ctx, op, nil, args, 1)
	var e *Error
	if errors.As(err, &e) && strings.Contains(e.Stderr, "show-scope") { // git before 2.26
		out, exit, err = r.answer(ctx, op, nil, slices.Delete(args, 2, 3), 1)
		out = append([]byte{0}, out...)
	}
	if err != nil || exit == 1 {
		return Setting{}, false, err
	}
	f := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	if len(f) != 3 {
		return Setting{}, false, fmt.Errorf("could not %s: git prints %q", op, out)
	}
	return Setting{Scope: f[0], Origin: f[1], Value: f[2]}, true, nil
}

// ConfigSet sets a configuration key of this repository, in place of all values that it has there.
func (r *Repo) ConfigSet(ctx context.Context, key, value string) error {
	_, _, err := r.answer(ctx, fmt.Sprintf("set %q", key), nil, []string{"config", "--local", "--replace-all", key, value}, 0)
	return err
}

// ConfigUnset takes all values of a configuration key of this repository away; that it has none is no error.
func (r *Repo) ConfigUnset(ctx context.Context, key string) error {
	const notSet = 5
	_, _, err := r.answer(ctx, fmt.Sprintf("unset %q", key), nil, []string{"config", "--local", "--unset-all", key}, notSet)
	return err
}

// CheckIgnore returns those of paths, relative to the root, that git's ignore rules match, whether they are tracked or not.
func (r *Repo) CheckIgnore(ctx context.Context, paths []string) ([]string, error) {
	in := strings.Join(paths, "\x00") + "\x00"
	// This command reads paths, never patterns, and refuses to be told so.
	asks := &Repo{ctx: r.ctx, program: r.program, dir: r.dir, env: slices.DeleteFunc(slices.Clone(r.env), func(kv string) bool {
		return strings.HasPrefix(kv, "GIT_LITERAL_PATHSPECS=")
	})}
	out, _, err := asks.answer(ctx, "ask what is ignored", []byte(in), append(plain(), "check-ignore", "--no-index", "-z", "--stdin"), 1)
	if err != nil {
		return nil, err
	}
	if len(out) == 0 {
		return nil, nil
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"), nil
}

// Command runs git about another repository: in dir, with env freed of what binds it to the current one. It returns what
// git printed on both streams and its exit code; err says that git could not be run or was interrupted.
func Command(ctx context.Context, dir string, env []string, args ...string) (output string, exit int, err error) {
	program, err := findProgram(env)
	if err != nil {
		return "", -1, err
	}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = dir, CleanEnv(env), grace
	out, err := cmd.CombinedOutput()
	if cause := ctx.Err(); cause != nil {
		return string(out), -1, cause
	}
	var ended interface{ ExitCode() int }
	if errors.As(err, &ended) && ended.ExitCode() >= 0 {
		return string(out), ended.ExitCode(), nil
	}
	if err != nil {
		return string(out), -1, (&Repo{dir: dir}).startError("run git", args, err)
	}
	return string(out), 0, nil
}
