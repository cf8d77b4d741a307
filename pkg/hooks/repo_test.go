package hooks

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A repo is a real repository and the surroundings in which git runs there.
type repo struct {
	t    *testing.T
	dir  string   // where git is started
	home string   // HOME, with the global configuration
	env  []string // beyond what every git of a test gets
}

// newRepo makes an empty repository with a person to commit as. The name of its folder wants quoting.
func newRepo(t *testing.T, init ...string) *repo {
	t.Helper()
	top := t.TempDir()
	r := &repo{t: t, dir: filepath.Join(top, `r e"p'o $HOME`), home: filepath.Join(top, "home")}
	mkdir(t, r.dir)
	mkdir(t, r.home)
	r.git(append([]string{"init", "-q", "-b", "main"}, init...)...)
	r.git("config", "user.name", "Test")
	r.git("config", "user.email", "test@example.com")
	return r
}

// in returns r seen from another folder.
func (r *repo) in(dir string) *repo {
	other := *r
	other.dir = filepath.Join(r.dir, dir)
	return &other
}

// with returns r with more in its environment.
func (r *repo) with(env ...string) *repo {
	other := *r
	other.env = append(append([]string(nil), r.env...), env...)
	return &other
}

func (r *repo) path(name string) string { return filepath.Join(r.dir, name) }
func (r *repo) hook(name string) string { return r.path(filepath.Join(".git/hooks", name)) }

func (r *repo) environ() []string {
	var env []string
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "GIT_") && !strings.HasPrefix(kv, "FORGE_") {
			env = append(env, kv)
		}
	}
	return append(append(env, "HOME="+r.home, "XDG_CONFIG_HOME="+r.home, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+r.home+"/.gitconfig",
		"GIT_EDITOR=:", "LC_ALL=C", "LOG="+filepath.Join(r.home, "log")), r.env...)
}

func (r *repo) command(args ...string) *exec.Cmd {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = r.dir, r.environ()
	return cmd
}

// try runs git and returns its two streams and its exit code.
func (r *repo) try(args ...string) (stdout, stderr string, exit int) {
	r.t.Helper()
	var o, e bytes.Buffer
	cmd := r.command(args...)
	cmd.Stdout, cmd.Stderr = &o, &e
	err := cmd.Run()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		r.t.Fatal(err)
	}
	return o.String(), e.String(), cmd.ProcessState.ExitCode()
}

// git runs git, which has to succeed, and returns its output.
func (r *repo) git(args ...string) string {
	r.t.Helper()
	stdout, stderr, exit := r.try(args...)
	if exit != 0 {
		r.t.Fatalf("git %q exited with %d: %s", args, exit, stderr)
	}
	return stdout
}

// refused runs git, which has to fail, and returns its standard error.
func (r *repo) refused(args ...string) string {
	r.t.Helper()
	_, stderr, exit := r.try(args...)
	if exit == 0 {
		r.t.Fatalf("git %q was not refused: %s", args, stderr)
	}
	return stderr
}

// commit makes an empty commit through the hooks.
func (r *repo) commit(message string) {
	r.t.Helper()
	r.git("commit", "-q", "--allow-empty", "-m", message)
}

// log returns what programs and hooks of a test wrote to $LOG, and empties it.
func (r *repo) log() string {
	r.t.Helper()
	name := filepath.Join(r.home, "log")
	data, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return ""
	}
	if err != nil {
		r.t.Fatal(err)
	}
	if err := os.Remove(name); err != nil {
		r.t.Fatal(err)
	}
	return string(data)
}

// keeper returns a Keeper for r that asks real git.
func (r *repo) keeper() *Keeper { return &Keeper{Repo: asked{r}, Files: disk{}} }

// install installs hooks that start the program.
func (r *repo) install(program string, names ...string) Result {
	r.t.Helper()
	res, err := r.keeper().Install(context.Background(), Options{Program: program, Names: names})
	if err != nil {
		r.t.Fatal(err)
	}
	return res
}

func (r *repo) uninstall() Result {
	r.t.Helper()
	res, err := r.keeper().Uninstall(context.Background())
	if err != nil {
		r.t.Fatal(err)
	}
	return res
}

// program writes a stand-in for forge-pre-commit, which logs what it gets and refuses when a file called "bad" is there.
func (r *repo) program(path string) string {
	r.t.Helper()
	write(r.t, path, "#!/bin/sh\necho \"program $*\" >>\"$LOG\"\n"+
		"case $* in *--pre-push*|*--pre-receive*) sed 's/^/  got /' >>\"$LOG\" ;; esac\n"+
		"echo finding; ! test -e bad\n", 0o755)
	return path
}

// asked answers for a repository by asking git.
type asked struct{ r *repo }

func (a asked) ask(ok int, args ...string) (string, bool, error) {
	stdout, stderr, exit := a.r.try(args...)
	if exit > ok {
		return "", false, fmt.Errorf("git %q exited with %d: %s", args, exit, stderr)
	}
	return strings.TrimSuffix(stdout, "\n"), exit == 0, nil
}

func (a asked) Root(context.Context) (string, error) {
	bare, _, err := a.ask(0, "rev-parse", "--is-bare-repository")
	if err != nil || bare == "true" {
		return "", err
	}
	top, _, err := a.ask(0, "rev-parse", "--show-toplevel")
	return top, err
}

func (a asked) absolute(from *repo, args ...string) (string, error) {
	path, _, err := asked{from}.ask(0, args...)
	if err == nil && !filepath.IsAbs(path) {
		path = filepath.Join(from.dir, path)
	}
	return path, err
}

func (a asked) CommonDir(context.Context) (string, error) {
	return a.absolute(a.r, "rev-parse", "--git-common-dir")
}

func (a asked) HooksDir(ctx context.Context) (string, error) {
	from := *a.r
	top, err := a.Root(ctx)
	if err == nil && top == "" {
		top, err = a.CommonDir(ctx)
	}
	if err != nil {
		return "", err
	}
	from.dir = top
	return a.absolute(&from, "rev-parse", "--git-path", "hooks")
}

func (a asked) Config(_ context.Context, scope Scope, key string) (string, bool, error) {
	args := []string{"config", "--includes"}
	if scope != AnyScope {
		args = append(args, "--"+string(scope))
	}
	return a.ask(1, append(args, "--get", key)...)
}

func (a asked) Version(context.Context) (string, error) {
	v, _, err := a.ask(0, "version")
	return v, err
}

func mkdir(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(path, 0o755); err != nil {
		t.Fatal(err)
	}
}

// write makes a file with this very mode, and the folders above it.
func write(t *testing.T, path, content string, mode os.FileMode) {
	t.Helper()
	mkdir(t, filepath.Dir(path))
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// tree lists what lies below dir, each with mode and content, so that two states can be compared.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if info.Mode()&os.ModeSymlink != 0 {
			target, err := os.Readlink(path)
			fmt.Fprintf(&b, "%s -> %s\n", path, target)
			return err
		}
		fmt.Fprintf(&b, "%s %v\n%s\n", path, info.Mode(), read(t, path))
		return nil
	})
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return b.String()
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func contains(t *testing.T, got string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in:\n%s", want, got)
		}
	}
}
