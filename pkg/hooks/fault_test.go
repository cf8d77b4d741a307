package hooks

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// faulty is a file system in which the operations that change something fail from the n-th on.
type faulty struct {
	disk
	left *int
	err  error
}

func (f faulty) fail() error {
	if *f.left--; *f.left < 0 {
		return f.err
	}
	return nil
}

func (f faulty) MkdirAll(path string) error {
	if err := f.fail(); err != nil {
		return err
	}
	return f.disk.MkdirAll(path)
}

func (f faulty) WriteFile(path string, data []byte, perm fs.FileMode) error {
	if err := f.fail(); err != nil {
		return err
	}
	return f.disk.WriteFile(path, data, perm)
}

func (f faulty) Symlink(target, path string) error {
	if err := f.fail(); err != nil {
		return err
	}
	return f.disk.Symlink(target, path)
}

func (f faulty) Rename(from, to string) error {
	if err := f.fail(); err != nil {
		return err
	}
	return f.disk.Rename(from, to)
}

func (f faulty) Remove(path string) error {
	if err := f.fail(); err != nil {
		return err
	}
	return f.disk.Remove(path)
}

// olderHooks puts a hook of each kind in place.
func olderHooks(t *testing.T, r *repo) {
	must(t, os.RemoveAll(r.path(".git/hooks")))
	write(t, r.path("tools/check"), older, 0o755)
	write(t, r.hook("pre-commit"), older, 0o750)
	mkdir(t, r.path(".git/hooks"))
	must(t, os.Symlink("../../tools/check", r.hook("commit-msg")))
	write(t, r.hook("pre-push"), older, 0o644)
}

// TestInterruptedInstallProtectsAndCanBeRepeated stops installing before each step. Whatever stands there then, the older
// hook still refuses, and both another install and an uninstall end as if nothing had happened.
func TestInterruptedInstallProtectsAndCanBeRepeated(t *testing.T) {
	ctx := context.Background()
	for n := 0; ; n++ {
		r := newRepo(t)
		olderHooks(t, r)
		before := tree(t, r.path(".git/hooks"))
		program := r.program(filepath.Join(r.home, "forge-pre-commit"))
		left := n
		k := r.keeper()
		k.Files = faulty{left: &left, err: errors.New("disk full")}
		_, err := k.Install(ctx, Options{Program: program})
		if err == nil {
			if n < 9 {
				t.Fatalf("installing took %d steps only", n)
			}
			break
		}
		if !strings.Contains(err.Error(), "disk full") || !strings.Contains(err.Error(), ".git/hooks") {
			t.Errorf("the error is %v", err)
		}
		write(t, r.path("stop"), "", 0o644)
		r.refused("commit", "-q", "--allow-empty", "-m", "bad")
		if got := r.log(); !strings.HasPrefix(got, "older") {
			t.Errorf("after %d steps the older hook did not run: %q", n, got)
		}
		must(t, os.Remove(r.path("stop")))
		if n%2 == 0 {
			r.install(program)
			r.commit("good")
			contains(t, r.log(), "older \nprogram run\n", "older .git/COMMIT_EDITMSG\nprogram run --commit-msg")
		}
		r.uninstall()
		if after := tree(t, r.path(".git/hooks")); after != before {
			t.Errorf("after %d steps uninstall left\n%s", n, after)
		}
	}
}

func TestInterruptedUninstallProtectsAndCanBeRepeated(t *testing.T) {
	ctx := context.Background()
	for n := 0; ; n++ {
		r := newRepo(t)
		olderHooks(t, r)
		before := tree(t, r.path(".git/hooks"))
		r.install(r.program(filepath.Join(r.home, "forge-pre-commit")))
		left := n
		k := r.keeper()
		k.Files = faulty{left: &left, err: fmt.Errorf("read-only: %w", fs.ErrPermission)}
		_, err := k.Uninstall(ctx)
		if err == nil {
			if n < 5 {
				t.Fatalf("uninstalling took %d steps only", n)
			}
			break
		}
		if !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), ".git/hooks") {
			t.Errorf("the error is %v", err)
		}
		write(t, r.path("stop"), "", 0o644)
		r.refused("commit", "-q", "--allow-empty", "-m", "bad")
		r.uninstall()
		if after := tree(t, r.path(".git/hooks")); after != before {
			t.Errorf("after %d steps uninstall left\n%s", n, after)
		}
	}
}

// failingRepo fails to answer one question.
type failingRepo struct {
	Repository
	question string
}

var errGit = errors.New("git failed")

func (f failingRepo) HooksDir(ctx context.Context) (string, error) {
	if f.question == "hooks" {
		return "", errGit
	}
	return f.Repository.HooksDir(ctx)
}

func (f failingRepo) CommonDir(ctx context.Context) (string, error) {
	if f.question == "common" {
		return "", errGit
	}
	return f.Repository.CommonDir(ctx)
}

func (f failingRepo) Root(ctx context.Context) (string, error) {
	if f.question == "root" {
		return "", errGit
	}
	return f.Repository.Root(ctx)
}

func (f failingRepo) Config(ctx context.Context, scope Scope, key string) (string, bool, error) {
	if f.question == string(scope)+" "+key {
		return "", false, errGit
	}
	return f.Repository.Config(ctx, scope, key)
}

func (f failingRepo) Version(ctx context.Context) (string, error) {
	if f.question == "version" {
		return "", errGit
	}
	return f.Repository.Version(ctx)
}

func TestGitThatFailsIsAnError(t *testing.T) {
	ctx := context.Background()
	r := newRepo(t)
	r.git("config", "core.hooksPath", ".own")
	r.git("config", "extensions.worktreeConfig", "true")
	for _, question := range []string{"hooks", "common", "root", " core.hooksPath", "local core.hooksPath", "local extensions.worktreeConfig", "version"} {
		k := r.keeper()
		k.Repo = failingRepo{k.Repo, question}
		_, install := k.Install(ctx, Options{Program: "/p"})
		_, uninstall := k.Uninstall(ctx)
		_, inspect := k.Inspect(ctx, Surroundings{})
		if question == "version" {
			install, uninstall = errGit, errGit
			must(t, os.RemoveAll(r.path(".own")))
		}
		for name, err := range map[string]error{"install": install, "uninstall": uninstall, "inspect": inspect} {
			if !errors.Is(err, errGit) {
				t.Errorf("%s without an answer to %q: %v", name, question, err)
			}
		}
		if exists(r.path(".own")) {
			t.Errorf("something was written without an answer to %q", question)
		}
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := r.keeper().Install(ended, Options{Program: "/p"}); !errors.Is(err, context.Canceled) {
		t.Errorf("an ended context gives %v", err)
	}
}
