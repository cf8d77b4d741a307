// Package shapes builds repositories with real git for tests, and holds the conformance suite that every reader of
// snapshots passes. Only tests import it.
package shapes

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A Repo is a repository in a temporary folder, with an environment that knows nothing of the user's configuration.
type Repo struct {
	T   testing.TB
	Dir string
	Env []string
}

// New makes an empty repository on branch main; args are added to "git init".
func New(t testing.TB, args ...string) *Repo {
	t.Helper()
	r := At(t, t.TempDir())
	r.Git(append([]string{"init", "-q", "-b", "main"}, args...)...)
	r.Git("config", "core.autocrlf", "false")
	return r
}

// At returns a Repo for the folder dir, in which there need not be a repository yet.
func At(t testing.TB, dir string) *Repo {
	t.Helper()
	home := t.TempDir()
	env := []string{
		"HOME=" + home, "XDG_CONFIG_HOME=" + home, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull,
		"PATH=" + os.Getenv("PATH"), "TMPDIR=" + os.TempDir(), "GIT_TERMINAL_PROMPT=0",
		"GIT_AUTHOR_NAME=Test", "GIT_AUTHOR_EMAIL=test@example.com", "GIT_AUTHOR_DATE=2026-09-10T12:00:00Z",
		"GIT_COMMITTER_NAME=Test", "GIT_COMMITTER_EMAIL=test@example.com", "GIT_COMMITTER_DATE=2026-09-10T12:00:00Z",
	}
	return &Repo{T: t, Dir: dir, Env: env}
}

// In returns the same repository seen from the folder dir below it, or from another folder when dir is absolute.
func (r *Repo) In(dir string) *Repo {
	c := *r
	if filepath.IsAbs(dir) {
		c.Dir = dir
	} else {
		c.Dir = filepath.Join(r.Dir, dir)
	}
	return &c
}

// With returns the same repository with further environment variables.
func (r *Repo) With(env ...string) *Repo {
	c := *r
	c.Env = append(append([]string{}, r.Env...), env...)
	return &c
}

// Git runs git, which must succeed, and returns what it prints without the last newline.
func (r *Repo) Git(args ...string) string {
	r.T.Helper()
	return r.Feed("", args...)
}

// Feed is Git with standard input.
func (r *Repo) Feed(stdin string, args ...string) string {
	r.T.Helper()
	out, stderr, code := r.Try(stdin, args...)
	if code != 0 {
		r.T.Fatalf("git %s exited with %d: %s", strings.Join(args, " "), code, stderr)
	}
	return strings.TrimSuffix(out, "\n")
}

// Try runs git and returns both streams and the exit code.
func (r *Repo) Try(stdin string, args ...string) (stdout, stderr string, code int) {
	r.T.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env, cmd.Stdin = r.Dir, r.Env, strings.NewReader(stdin)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		r.T.Fatalf("could not run git: %v", err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// Path returns the absolute path of a file in the repository's folder.
func (r *Repo) Path(name string) string { return filepath.Join(r.Dir, filepath.FromSlash(name)) }

// Write writes a file and makes its folders.
func (r *Repo) Write(name, data string) {
	r.T.Helper()
	if err := os.MkdirAll(filepath.Dir(r.Path(name)), 0o777); err != nil {
		r.T.Fatal(err)
	}
	if err := os.WriteFile(r.Path(name), []byte(data), 0o666); err != nil {
		r.T.Fatal(err)
	}
}

// Stage writes a file and adds it to the index.
func (r *Repo) Stage(name, data string) {
	r.T.Helper()
	r.Write(name, data)
	r.With("GIT_LITERAL_PATHSPECS=1").Git("add", "--", name)
}

// Commit commits what is staged, without hooks, and returns the new commit's id.
func (r *Repo) Commit(message string, args ...string) string {
	r.T.Helper()
	r.Git(append([]string{"commit", "-q", "--no-verify", "--allow-empty", "-m", message}, args...)...)
	return r.Git("rev-parse", "HEAD")
}

// Remove deletes a file from the disk.
func (r *Repo) Remove(name string) {
	r.T.Helper()
	if err := os.Remove(r.Path(name)); err != nil {
		r.T.Fatal(err)
	}
}

// Loose returns the path of the file that holds a loose object.
func (r *Repo) Loose(oid string) string {
	return filepath.Join(r.Git("rev-parse", "--absolute-git-dir"), "objects", oid[:2], oid[2:])
}

// readMarks reads a file of fast-import: ids by mark.
func readMarks(r *Repo, path string) map[int]string {
	r.T.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		r.T.Fatal(err)
	}
	marks := map[int]string{}
	for line := range strings.Lines(string(data)) {
		var n int
		var oid string
		if _, err := fmt.Sscanf(line, ":%d %s", &n, &oid); err != nil {
			r.T.Fatalf("mark %q: %v", line, err)
		}
		marks[n] = oid
	}
	return marks
}
