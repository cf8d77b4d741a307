package hooks

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

func lookPath(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	must(t, err)
	return path
}

// run starts a hook as git does, from the top of the repository, and returns its standard error and exit code.
func (r *repo) run(hook, stdin string, args ...string) (stderr string, exit int) {
	r.t.Helper()
	cmd := exec.Command(hook, args...)
	cmd.Dir, cmd.Env, cmd.Stdin = r.dir, r.environ(), strings.NewReader(stdin)
	var e bytes.Buffer
	cmd.Stderr = &e
	err := cmd.Run()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		r.t.Fatal(err)
	}
	return e.String(), cmd.ProcessState.ExitCode()
}

// reader is an older hook that reads all of its standard input.
const reader = "#!/bin/sh\necho \"older $*\" >>\"$LOG\"\nsed 's/^/  got /' >>\"$LOG\"\ntest ! -e stop\n"

func TestPushFeedsBothReaders(t *testing.T) {
	r := newRepo(t)
	r.git("init", "-q", "--bare", "../server.git")
	r.git("remote", "add", "origin", "../server.git")
	r.commit("first")
	write(t, r.hook("pre-push"), reader, 0o755)
	r.install(r.program(filepath.Join(r.home, "forge-pre-commit")), "pre-push")
	head := strings.TrimSpace(r.git("rev-parse", "HEAD"))
	zero := strings.Repeat("0", len(head))

	stdout, stderr, exit := r.try("push", "-q", "origin", "main", "main:two")
	if exit != 0 || strings.Contains(stdout, "finding") || !strings.Contains(stderr, "finding") {
		t.Errorf("the push exited with %d and printed %q, %q", exit, stdout, stderr)
	}
	lines := "  got refs/heads/main " + head + " refs/heads/main " + zero + "\n  got refs/heads/main " + head + " refs/heads/two " + zero + "\n"
	if got, want := r.log(), "older origin ../server.git\n"+lines+"program run --pre-push origin ../server.git\n"+lines; got != want {
		t.Errorf("the log is\n%s\nnot\n%s", got, want)
	}
	r.git("push", "-q", "origin", "main")
	if got, want := r.log(), "older origin ../server.git\nprogram run --pre-push origin ../server.git\n"; got != want {
		t.Errorf("without anything to push the log is\n%s", got)
	}
	write(t, r.path("stop"), "", 0o644)
	r.refused("push", "-q", "origin", ":two")
	if got := r.log(); strings.Contains(got, "program") {
		t.Errorf("the program ran after the older hook had refused:\n%s", got)
	}
	must(t, os.Rename(r.path("stop"), r.path("bad")))
	r.refused("push", "-q", "origin", ":two")
	if refs := r.git("ls-remote", "origin"); !strings.Contains(refs, "refs/heads/two") {
		t.Error("a refused push went through")
	}
}

// TestInputReachesBothReaders starts the hooks themselves, with inputs that no push of a test would make.
func TestInputReachesBothReaders(t *testing.T) {
	r := newRepo(t)
	program := r.program(filepath.Join(r.home, "forge-pre-commit"))
	long := strings.Repeat("refs/heads/a-branch "+strings.Repeat("1", 40)+" refs/heads/a-branch "+strings.Repeat("0", 40)+"\n", 20000)
	for name, old := range map[string]string{
		"no older hook": "", "reads all": reader,
		"reads nothing": "#!/bin/sh\nexit 0\n", "reads one line": "#!/bin/sh\nread -r line || :\n", "closes it": "#!/bin/sh\nexec <&-\n",
	} {
		for _, hook := range []string{"pre-push", "pre-receive"} {
			must(t, os.RemoveAll(r.path(".git/hooks")))
			if old != "" {
				write(t, r.hook(hook), old, 0o755)
			}
			r.install(program, hook)
			for _, input := range []string{"", "a b c d\n", "$x `id` \\n $(id) ~ * %s\n", "no newline", "a\n\nb\n", "EOF\n", long} {
				r.log()
				stderr, exit := r.run(r.hook(hook), input, "origin", "url")
				if exit != 0 {
					t.Fatalf("%s, %s: exit %d: %s", hook, name, exit, stderr)
				}
				_, got, _ := strings.Cut(r.log(), "program run --"+hook)
				_, got, _ = strings.Cut(got, "\n")
				if want := indented(input); strings.TrimSuffix(got, "\n") != strings.TrimSuffix(want, "\n") {
					t.Errorf("%s, %s: of %d bytes the program got %.80q", hook, name, len(input), got)
				}
			}
		}
	}
}

func indented(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		b.WriteString("  got " + line)
	}
	return b.String()
}

func TestInputThatCannotBeReadRefuses(t *testing.T) {
	r := newRepo(t)
	r.install(r.program(filepath.Join(r.home, "forge-pre-commit")), "pre-push", "pre-receive")
	for _, hook := range []string{"pre-push", "pre-receive"} {
		cmd := exec.Command("sh", "-c", `"$0" origin url <&-`, r.hook(hook))
		cmd.Dir, cmd.Env = r.dir, r.environ()
		if out, err := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != 3 {
			t.Errorf("%s without a standard input: %v %s", hook, err, out)
		}
	}
}

func TestServerHooks(t *testing.T) {
	for _, hook := range []string{"pre-receive", "update"} {
		r := newRepo(t)
		r.git("init", "-q", "--bare", "-b", "main", "../server.git")
		server := r.in("../server.git")
		old := reader
		if hook == "update" {
			old = older
		}
		write(t, server.path("hooks/"+hook), old, 0o755)
		before := tree(t, server.path("hooks"))
		server.install(r.program(filepath.Join(r.home, "forge-pre-commit")), hook)
		r.git("remote", "add", "origin", server.dir)
		r.commit("first")
		head := strings.TrimSpace(r.git("rev-parse", "HEAD"))
		line := strings.Repeat("0", len(head)) + " " + head + " refs/heads/main"
		r.git("push", "-q", "origin", "main")
		want := "older \n  got " + line + "\nprogram run --pre-receive\n  got " + line + "\n"
		if hook == "update" {
			want = "older refs/heads/main " + line[:len(line)-len(" refs/heads/main")] + "\nprogram run --pre-receive\n  got " + line + "\n"
		}
		if got := r.log(); got != want {
			t.Errorf("%s: the log is\n%s\nnot\n%s", hook, got, want)
		}
		write(t, server.path("bad"), "", 0o644)
		r.commit("second")
		contains(t, r.refused("push", "-q", "origin", "main"), "finding")
		server.uninstall()
		if after := tree(t, server.path("hooks")); after != before {
			t.Errorf("uninstall left\n%s", after)
		}
	}
}

func TestMergesRunTheirHooks(t *testing.T) {
	r := newRepo(t)
	r.commit("base")
	r.git("switch", "-q", "-c", "side")
	write(t, r.path("side"), "", 0o644)
	r.git("add", "side")
	r.commit("side")
	r.git("switch", "-q", "main")
	r.commit("main")
	write(t, r.hook("pre-merge-commit"), older, 0o755)
	r.install(r.program(filepath.Join(r.home, "forge-pre-commit")))
	write(t, r.path("bad"), "", 0o644)
	contains(t, r.refused("merge", "-q", "--no-edit", "side"), "finding")
	if got, want := r.log(), "older \nprogram run\n"; got != want {
		t.Errorf("the log is %q", got)
	}
	must(t, os.Remove(r.path("bad")))
	r.git("reset", "-q", "--hard")
	r.git("merge", "-q", "--no-edit", "side")
	if got, want := r.log(), "older \nprogram run\nprogram run --commit-msg .git/MERGE_MSG\n"; got != want {
		t.Errorf("the log is %q", got)
	}
}

// TestFindingsReachStandardError holds for every hook, because git shows the standard output of most hooks there and of
// pre-push on its own standard output.
func TestFindingsReachStandardError(t *testing.T) {
	r := newRepo(t)
	r.git("init", "-q", "--bare", "../server.git")
	program := r.program(filepath.Join(r.home, "forge-pre-commit"))
	for hook, args := range map[string][]string{
		"pre-commit": {"commit", "--allow-empty", "-qm", "x"}, "commit-msg": {"commit", "--allow-empty", "-qm", "x"},
		"pre-push": {"push", "-q", "../server.git", "HEAD:refs/heads/x"},
	} {
		must(t, os.RemoveAll(r.path(".git/hooks")))
		r.commit("base")
		r.install(program, hook)
		stdout, stderr, exit := r.try(args...)
		if exit != 0 || stdout != "" || !strings.Contains(stderr, "finding\n") {
			t.Errorf("%s: exit %d, standard output %q, standard error %q", hook, exit, stdout, stderr)
		}
	}
}

// TestHooksThatAskForTheirOwnName imitates dispatchers, which do nothing under a name they do not know.
func TestHooksThatAskForTheirOwnName(t *testing.T) {
	for name, c := range map[string]struct {
		path  string // core.hooksPath
		files map[string]string
	}{
		"dispatcher": {".git/hooks", map[string]string{
			".git/hooks/pre-commit":           "#!/bin/sh\nset -e\nfor f in \"$(dirname \"$0\")/$(basename \"$0\").d\"/*; do test ! -f \"$f\" || \"$f\" \"$@\"; done\n",
			".git/hooks/pre-commit.d/10-test": older,
		}},
		"bash": {".git/hooks", map[string]string{
			".git/hooks/pre-commit":    "#!/usr/bin/env bash\nexec \"${0%/*}/of-${0##*/}\" \"$@\"\n",
			".git/hooks/of-pre-commit": older,
		}},
		"husky 9": {".husky/_", map[string]string{
			".husky/_/pre-commit": "#!/usr/bin/env sh\n. \"$(dirname \"$0\")/h\"",
			".husky/_/h":          "#!/usr/bin/env sh\nn=$(basename \"$0\")\ns=$(dirname \"$(dirname \"$0\")\")/$n\n[ ! -f \"$s\" ] && exit 0\nsh -e \"$s\" \"$@\"\n",
			".husky/pre-commit":   older,
		}},
		"husky 8": {".husky", map[string]string{
			".husky/pre-commit": "#!/usr/bin/env sh\n. \"$(dirname -- \"$0\")/_/husky.sh\"\n\n" + strings.TrimPrefix(older, "#!/bin/sh\n"),
			".husky/_/husky.sh": "if [ -z \"$skip\" ]; then\n  export skip=1\n  sh -e \"$0\" \"$@\"\n  exit $?\nfi\n",
		}},
		"stops at the first error": {".git/hooks", map[string]string{
			".git/hooks/pre-commit": "#!/bin/sh\nset -e\n# basename $0\necho older >>\"$LOG\"\ntest ! -e stop\ntrue\n",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepo(t)
			r.git("config", "core.hooksPath", c.path)
			for path, content := range c.files {
				write(t, r.path(path), content, 0o755)
			}
			before := tree(t, r.path(c.path))
			r.install(r.program(filepath.Join(r.home, "forge-pre-commit")), "pre-commit")
			r.commit("good")
			if got := r.log(); !strings.HasPrefix(got, "older") || !strings.HasSuffix(got, "\nprogram run\n") || strings.Count(got, "\n") != 2 {
				t.Errorf("the log is %q", got)
			}
			write(t, r.path("stop"), "", 0o644)
			r.refused("commit", "-q", "--allow-empty", "-m", "bad")
			r.uninstall()
			if after := tree(t, r.path(c.path)); after != before {
				t.Errorf("uninstall left\n%s", after)
			}
		})
	}
}

func TestOlderHookThatGitIgnores(t *testing.T) {
	for name, put := range map[string]func(path string) error{
		"not executable":        func(path string) error { return os.WriteFile(path, []byte(older), 0o644) },
		"symlink to nowhere":    func(path string) error { return os.Symlink("../../nowhere", path) },
		"symlink, no execution": func(path string) error { return os.Symlink("description-of-hook", path) },
	} {
		r := newRepo(t)
		write(t, r.hook("description-of-hook"), older, 0o644)
		must(t, put(r.hook("pre-commit")))
		before := tree(t, r.path(".git/hooks"))
		res := r.install(r.program(filepath.Join(r.home, "forge-pre-commit")), "pre-commit")
		if len(res.Changes[0].Notes) != 1 || !strings.Contains(res.Changes[0].Notes[0], "not executable") {
			t.Errorf("%s: install says %q", name, res.Changes[0].Notes)
		}
		write(t, r.path("stop"), "", 0o644)
		r.commit("checked")
		if got := r.log(); got != "program run\n" {
			t.Errorf("%s: the log is %q", name, got)
		}
		r.uninstall()
		if after := tree(t, r.path(".git/hooks")); after != before {
			t.Errorf("%s: uninstall left\n%s", name, after)
		}
	}
}

func TestOlderHookIsASymlink(t *testing.T) {
	r := newRepo(t)
	write(t, r.path("tools/check"), older, 0o755)
	must(t, os.RemoveAll(r.path(".git/hooks")))
	mkdir(t, r.path(".git/hooks"))
	must(t, os.Symlink("../../tools/check", r.hook("pre-commit")))
	before := tree(t, r.path(".git/hooks"))
	r.install(r.program(filepath.Join(r.home, "forge-pre-commit")), "pre-commit")
	r.commit("checked")
	if got := r.log(); got != "older \nprogram run\n" {
		t.Errorf("the log is %q", got)
	}
	if read(t, r.path("tools/check")) != older {
		t.Error("install wrote through the symlink")
	}
	r.uninstall()
	if after := tree(t, r.path(".git/hooks")); after != before {
		t.Errorf("uninstall left\n%s", after)
	}
}

func TestFolderInTheWay(t *testing.T) {
	r := newRepo(t)
	mkdir(t, r.hook("pre-commit"))
	_, err := r.keeper().Install(context.Background(), Options{Program: "/p"})
	if err == nil || !strings.Contains(err.Error(), strconv.Quote(r.hook("pre-commit"))) || exists(r.hook("commit-msg")) {
		t.Errorf("the error is %v", err)
	}
	r = newRepo(t)
	must(t, os.RemoveAll(r.path(".git/hooks")))
	write(t, r.path(".git/hooks"), "", 0o644)
	if _, err := r.keeper().Install(context.Background(), Options{Program: "/p"}); err == nil || !strings.Contains(err.Error(), ".git/hooks") {
		t.Errorf("the error is %v", err)
	}
}
