package hooks

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// older is a hook of somebody's: it logs its name and refuses when a file called "stop" is there.
const older = "#!/bin/sh\n# Ghi sổ.\necho \"older $*\" >>\"$LOG\"\ntest ! -e stop\n"

func TestOlderHookRunsFirstAndComesBack(t *testing.T) {
	for _, mode := range []os.FileMode{0o755, 0o700, 0o555, 0o111 | 0o400} {
		r := newRepo(t)
		write(t, r.hook("pre-commit"), older, mode)
		before := tree(t, r.path(".git/hooks"))
		program := r.program(filepath.Join(r.home, "forge-pre-commit"))
		res := r.install(program)
		if len(res.Changes) != 5 || res.Changes[1].Name != "pre-commit" || res.Changes[1].Kept != r.hook("pre-commit.forge-kept") {
			t.Errorf("install reports %+v", res)
		}

		_, stderr, exit := r.try("commit", "-q", "--allow-empty", "-m", "one")
		if exit != 0 || !strings.Contains(stderr, "finding") {
			t.Errorf("the commit exited with %d: %s", exit, stderr)
		}
		if got, want := r.log(), "older \nprogram run\nprogram run --commit-msg .git/COMMIT_EDITMSG\n"; got != want {
			t.Errorf("the log is %q, want %q", got, want)
		}
		write(t, r.path("stop"), "", 0o644)
		r.refused("commit", "-q", "--allow-empty", "-m", "two")
		if got := r.log(); got != "older \n" {
			t.Errorf("after the older hook refused, the log is %q", got)
		}
		if err := os.Rename(r.path("stop"), r.path("bad")); err != nil {
			t.Fatal(err)
		}
		contains(t, r.refused("commit", "-q", "--allow-empty", "-m", "two"), "finding")

		r.uninstall()
		if after := tree(t, r.path(".git/hooks")); after != before {
			t.Errorf("uninstall left\n%s\ninstead of\n%s", after, before)
		}
	}
}

func TestInstallTwiceChangesNothing(t *testing.T) {
	r := newRepo(t)
	write(t, r.hook("pre-push"), older, 0o750)
	write(t, r.hook("commit-msg"), older, 0o644)
	if err := os.Symlink("../../tools/check", r.hook("pre-commit")); err != nil {
		t.Fatal(err)
	}
	program := r.program(filepath.Join(r.home, "forge-pre-commit"))
	r.install(program)
	once := tree(t, r.path(".git/hooks"))
	for _, c := range r.install(program).Changes {
		if c.Action != Unchanged {
			t.Errorf("%s is %s the second time", c.Name, c.Action)
		}
	}
	if twice := tree(t, r.path(".git/hooks")); twice != once {
		t.Errorf("installing twice made\n%s\nof\n%s", twice, once)
	}
	moved := r.program(filepath.Join(r.home, "new place", "forge-pre-commit"))
	if c := r.install(moved).Changes[1]; c.Action != Updated || c.Kept == "" {
		t.Errorf("after the program moved the change is %+v", c)
	}
	if err := os.Remove(program); err != nil {
		t.Fatal(err)
	}
	r.commit("by the program in its new place")
	contains(t, r.log(), "program run\n")
}

func TestInstallRepairsTheMode(t *testing.T) {
	r := newRepo(t)
	program := r.program(filepath.Join(r.home, "forge-pre-commit"))
	r.install(program)
	if err := os.Chmod(r.hook("pre-commit"), 0o644); err != nil {
		t.Fatal(err)
	}
	if c := r.install(program).Changes[1]; c.Action != Updated {
		t.Errorf("the change is %+v", c)
	}
	r.commit("checked")
	contains(t, r.log(), "program run\n")
}

func TestHostilePaths(t *testing.T) {
	r := newRepo(t)
	write(t, r.hook("pre-commit"), older, 0o755)
	for _, path := range hostile {
		program := r.program(filepath.Join(r.home, path))
		r.install(program)
		r.commit("checked by " + path)
		if got, want := r.log(), "older \nprogram run\nprogram run --commit-msg .git/COMMIT_EDITMSG\n"; got != want {
			t.Errorf("with the program at %q the log is %q", path, got)
		}
	}
}

func TestProgramIsGone(t *testing.T) {
	r := newRepo(t)
	program := r.program(filepath.Join(r.home, "forge-pre-commit"))
	r.install(program, Names()...)
	small := filepath.Join(r.home, "small")
	mkdir(t, small)
	for _, name := range []string{"git", "sh", "cat", "sed", "grep"} {
		if err := os.Symlink(lookPath(t, name), filepath.Join(small, name)); err != nil {
			t.Fatal(err)
		}
	}
	alone := r.with("PATH=" + small)
	for state, broken := range map[string]func(){
		"gone":           func() { must(t, os.Remove(program)) },
		"empty":          func() { write(t, program, "", 0o755) },
		"not executable": func() { write(t, program, "#!/bin/sh\n", 0o644) },
		"a folder":       func() { must(t, os.Remove(program)); mkdir(t, program) },
	} {
		must(t, os.RemoveAll(program))
		r.program(program)
		broken()
		stderr := alone.refused("commit", "-q", "--allow-empty", "-m", "unchecked")
		contains(t, stderr, "could not find forge-pre-commit", "go install github.com/seed-4419f9ca/forge/cmd/forge-pre-commit@latest", "forge-pre-commit install")
		if strings.Contains(stderr, "no-verify") {
			t.Errorf("the refusal names a way around itself: %s", stderr)
		}
		for _, name := range Names() {
			if name == "prepare-commit-msg" {
				continue // starts no program
			}
			if stderr, exit := alone.run(r.hook(name), "x y z\n", "a", "b", "c"); exit != 3 || !strings.Contains(stderr, "nothing was checked") {
				t.Errorf("%s exits with %d when its program is %s: %s", name, exit, state, stderr)
			}
		}
		elsewhere := filepath.Join(r.home, "elsewhere")
		r.program(filepath.Join(elsewhere, "forge-pre-commit"))
		r.log()
		r.with("PATH=" + elsewhere + ":" + small).commit("checked by the one in PATH")
		contains(t, r.log(), "program run\n")
	}
}

func TestWhereHooksGo(t *testing.T) {
	for name, c := range map[string]struct {
		set  func(r *repo)
		from string
		want func(r *repo) string
	}{
		"default":         {func(*repo) {}, ".", func(r *repo) string { return r.path(".git/hooks") }},
		"from a folder":   {func(*repo) {}, "a/b", func(r *repo) string { return r.path(".git/hooks") }},
		"local, relative": {func(r *repo) { r.git("config", "core.hooksPath", ".githooks") }, "a/b", func(r *repo) string { return r.path(".githooks") }},
		"local, deep":     {func(r *repo) { r.git("config", "core.hooksPath", "no/such yet") }, ".", func(r *repo) string { return r.path("no/such yet") }},
		"local, absolute": {func(r *repo) { r.git("config", "core.hooksPath", r.home+"/hk") }, "a/b", func(r *repo) string { return r.home + "/hk" }},
		"local, home":     {func(r *repo) { r.git("config", "core.hooksPath", "~/hk") }, "a/b", func(r *repo) string { return r.home + "/hk" }},
		"local, included": {include, ".", func(r *repo) string { return r.path(".inc") }},
		"local over global": {func(r *repo) {
			r.git("config", "--global", "core.hooksPath", r.home+"/global")
			r.git("config", "core.hooksPath", ".own")
		}, ".", func(r *repo) string { return r.path(".own") }},
		"local like global": {func(r *repo) {
			r.git("config", "--global", "core.hooksPath", ".own")
			r.git("config", "core.hooksPath", ".own")
		}, ".", func(r *repo) string { return r.path(".own") }},
		"of one worktree": {func(r *repo) {
			r.git("config", "extensions.worktreeConfig", "true")
			r.git("config", "--worktree", "core.hooksPath", ".own")
		}, ".", func(r *repo) string { return r.path(".own") }},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepo(t)
			mkdir(t, r.path("a/b"))
			c.set(r)
			res := r.in(c.from).install(r.program(filepath.Join(r.home, "forge-pre-commit")))
			if res.Dir != c.want(r) || !exists(filepath.Join(c.want(r), "pre-commit")) {
				t.Errorf("the hooks went to %q, not to %q", res.Dir, c.want(r))
			}
			r.in(c.from).commit("checked")
			contains(t, r.log(), "program run\n")
			r.in(c.from).uninstall()
			if exists(filepath.Join(c.want(r), "pre-commit")) {
				t.Error("uninstall left the hook there")
			}
		})
	}
}

func include(r *repo) {
	write(r.t, r.home+"/inc", "[core]\n\thooksPath = .inc\n", 0o644)
	r.git("config", "include.path", r.home+"/inc")
}

func TestFoldersOfOthersAreNotWrittenInto(t *testing.T) {
	for name, set := range map[string]func(*repo) *repo{
		"global": func(r *repo) *repo { r.git("config", "--global", "core.hooksPath", r.home+"/all"); return r },
		"global, included": func(r *repo) *repo {
			write(r.t, r.home+"/inc", "[core]\n\thooksPath = "+r.home+"/all\n", 0o644)
			r.git("config", "--global", "include.path", r.home+"/inc")
			return r
		},
		"environment": func(r *repo) *repo {
			return r.with("GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=core.hooksPath", "GIT_CONFIG_VALUE_0="+r.home+"/all")
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepo(t)
			program := r.program(filepath.Join(r.home, "forge-pre-commit"))
			r.install(program, "pre-push")
			r = set(r)
			write(t, r.home+"/all/pre-commit", older, 0o755)
			before := tree(t, filepath.Dir(r.dir))
			_, err := r.keeper().Install(context.Background(), Options{Program: program})
			var notLocal *NotLocal
			if !errors.As(err, &notLocal) {
				t.Fatalf("the error is %v", err)
			}
			if len(notLocal.Lines) != 5 || notLocal.Dir != r.home+"/all" {
				t.Errorf("the error says %+v", notLocal)
			}
			contains(t, err.Error(), r.home+"/all/pre-commit:\n  #!/bin/sh\n  forge-pre-commit run || exit\n", `run --pre-push "$@" || exit`)
			if after := tree(t, filepath.Dir(r.dir)); after != before {
				t.Errorf("something was written:\n%s", after)
			}
			r.uninstall()
			if read(t, r.home+"/all/pre-commit") != older || exists(r.hook("pre-push")) {
				t.Error("uninstall touched the folder of others, or left the repository's own hook")
			}
		})
	}
}

func TestLinesToAddByHandWork(t *testing.T) {
	r := newRepo(t)
	r.git("config", "--global", "core.hooksPath", r.home+"/all")
	program := r.program(filepath.Join(r.home, "bin", "forge-pre-commit"))
	_, err := r.keeper().Install(context.Background(), Options{Program: program, Names: Names()})
	var notLocal *NotLocal
	if !errors.As(err, &notLocal) {
		t.Fatal(err)
	}
	for _, l := range notLocal.Lines {
		write(t, l.Path, "#!/bin/sh\n"+l.Text+"\n", 0o755)
	}
	r.with("PATH="+r.home+"/bin:"+os.Getenv("PATH"), "FORGE_VIA=/end").commit("checked")
	if got, want := r.log(), "program run\nprogram run --commit-msg .git/COMMIT_EDITMSG\n"; got != want {
		t.Errorf("the log is %q", got)
	}
	contains(t, r.git("log", "-1", "--format=%B"), "\n\nForge-Via: /end\n")
	write(t, r.path("bad"), "", 0o644)
	r.with("PATH="+r.home+"/bin:"+os.Getenv("PATH")).refused("commit", "-q", "--allow-empty", "-m", "bad")
}

func TestHooksThatAreSwitchedOff(t *testing.T) {
	for _, value := range []string{"", "/dev/null"} {
		r := newRepo(t)
		r.git("config", "core.hooksPath", value)
		before := tree(t, r.dir)
		_, err := r.keeper().Install(context.Background(), Options{Program: "/p"})
		var refusal *Refusal
		if !errors.As(err, &refusal) || !strings.Contains(err.Error(), "git runs no hook at all") {
			t.Errorf("with core.hooksPath %q the error is %v", value, err)
		}
		if after := tree(t, r.dir); after != before {
			t.Errorf("something was written:\n%s", after)
		}
	}
}

func TestLinkedWorktreeSharesTheHooks(t *testing.T) {
	r := newRepo(t)
	r.commit("first")
	r.git("worktree", "add", "-q", "../linked")
	linked := r.in("../linked")
	res := linked.install(r.program(filepath.Join(r.home, "forge-pre-commit")))
	if res.Dir != r.path(".git/hooks") {
		t.Errorf("the hooks went to %q", res.Dir)
	}
	for _, where := range []*repo{r, linked} {
		where.commit("checked")
		contains(t, where.log(), "program run\n")
	}
	write(t, linked.path("bad"), "", 0o644)
	linked.refused("commit", "-q", "--allow-empty", "-m", "bad")
	r.commit("good")
}

func TestWrongRequests(t *testing.T) {
	r := newRepo(t)
	bare := newRepo(t, "--bare")
	for name, c := range map[string]struct {
		r *repo
		o Options
	}{
		"no such hook":        {r, Options{Program: "/p", Names: []string{"pre-commit", "post-commit"}}},
		"path traversal":      {r, Options{Program: "/p", Names: []string{"../config"}}},
		"relative program":    {r, Options{Program: "bin/p"}},
		"no program":          {r, Options{}},
		"bare, no hook given": {bare, Options{Program: "/p"}},
	} {
		before := tree(t, c.r.dir)
		_, err := c.r.keeper().Install(context.Background(), c.o)
		var request *RequestError
		if !errors.As(err, &request) {
			t.Errorf("%s: the error is %v", name, err)
		}
		if tree(t, c.r.dir) != before {
			t.Errorf("%s: something was written", name)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
