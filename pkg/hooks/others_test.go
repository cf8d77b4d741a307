package hooks

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const other = "#!/bin/sh\necho \"other $*\" >>\"$LOG\"\n"

func (r *repo) force(program string, names ...string) (Result, error) {
	return r.keeper().Install(context.Background(), Options{Program: program, Names: names, Force: true})
}

func TestChangedScriptIsNotOverwritten(t *testing.T) {
	r := newRepo(t)
	write(t, r.hook("pre-commit"), older, 0o755)
	program := r.program(filepath.Join(r.home, "forge-pre-commit"))
	r.install(program)
	changed := read(t, r.hook("pre-commit")) + "# mine\n"
	write(t, r.hook("pre-commit"), changed, 0o755)
	before := tree(t, r.path(".git/hooks"))

	_, err := r.keeper().Install(context.Background(), Options{Program: program + "2"})
	var refusal *Refusal
	if !errors.As(err, &refusal) || len(refusal.Problems) != 1 || !strings.Contains(err.Error(), "has been changed since") {
		t.Fatalf("the error is %v", err)
	}
	if after := tree(t, r.path(".git/hooks")); after != before {
		t.Errorf("a refused install wrote something:\n%s", after)
	}

	res, err := r.force(program)
	must(t, err)
	if res.Changes[1].Kept == "" || read(t, r.hook("pre-commit.forge-edited")) != changed {
		t.Errorf("the change was lost: %+v", res.Changes[1])
	}
	r.commit("checked")
	contains(t, r.log(), "older \nprogram run\n")

	// A second change would take the place of the first.
	write(t, r.hook("pre-commit"), changed+"# again\n", 0o755)
	if _, err := r.force(program); !errors.As(err, &refusal) {
		t.Errorf("the error is %v", err)
	}

	res = r.uninstall()
	if read(t, r.hook("pre-commit")) != changed+"# again\n" || read(t, r.hook("pre-commit.forge-kept")) != older || exists(r.hook("pre-push")) {
		t.Error("uninstall did not leave what it did not write")
	}
	if len(res.Changes) == 0 || res.Changes[1].Action != Left || len(res.Changes[1].Notes) != 2 {
		t.Errorf("uninstall says %+v", res.Changes)
	}
}

func TestSomebodyElseWroteOverOurs(t *testing.T) {
	r := newRepo(t)
	write(t, r.hook("pre-commit"), older, 0o755)
	program := r.program(filepath.Join(r.home, "forge-pre-commit"))
	r.install(program, "pre-commit")

	// The same hook as before: somebody ran its manager again.
	write(t, r.hook("pre-commit"), older, 0o755)
	r.install(program, "pre-commit")
	r.commit("checked")
	contains(t, r.log(), "older \nprogram run\n")

	write(t, r.hook("pre-commit"), other, 0o755)
	var refusal *Refusal
	if _, err := r.keeper().Install(context.Background(), Options{Program: program}); !errors.As(err, &refusal) {
		t.Fatalf("the error is %v", err)
	}
	if exists(r.hook("pre-push")) {
		t.Error("a refused install wrote something")
	}
	res := r.uninstall()
	if len(res.Changes) != 1 || res.Changes[0].Action != Left || read(t, r.hook("pre-commit")) != other || read(t, r.hook("pre-commit.forge-kept")) != older {
		t.Errorf("uninstall says %+v", res.Changes)
	}
	if _, err := r.force(program, "pre-commit"); err != nil {
		t.Fatal(err)
	}
	r.commit("checked")
	contains(t, r.log(), "other \nprogram run\n")
	if read(t, r.hook("pre-commit.forge-kept.1")) != older {
		t.Error("the first hook was lost")
	}
	r.uninstall()
	if read(t, r.hook("pre-commit")) != other {
		t.Error("the hook did not come back")
	}
}

func TestOursIsGone(t *testing.T) {
	r := newRepo(t)
	write(t, r.hook("pre-commit"), older, 0o755)
	r.install("/p")
	must(t, os.Remove(r.hook("pre-commit")))
	must(t, os.Remove(r.hook("pre-push")))
	if res := r.uninstall(); res.Changes[1].Action != Restored || len(res.Changes) != 4 {
		t.Errorf("uninstall says %+v", res.Changes)
	}
	if read(t, r.hook("pre-commit")) != older {
		t.Error("the older hook did not come back")
	}
	if res := r.uninstall(); len(res.Changes) != 0 {
		t.Errorf("uninstall says %+v when nothing is installed", res.Changes)
	}
}

func TestKeptHookIsGone(t *testing.T) {
	r := newRepo(t)
	write(t, r.hook("pre-commit"), older, 0o755)
	program := r.program(filepath.Join(r.home, "forge-pre-commit"))
	r.install(program, "pre-commit")
	must(t, os.Remove(r.hook("pre-commit.forge-kept")))
	r.refused("commit", "-q", "--allow-empty", "-m", "without the older hook")
	if res := r.install(program, "pre-commit"); len(res.Changes[0].Notes) != 1 || res.Changes[0].Action != Updated {
		t.Errorf("install says %+v", res.Changes)
	}
	r.commit("checked")
}

func TestPreCommitPutOursAside(t *testing.T) {
	r := newRepo(t)
	program := r.program(filepath.Join(r.home, "forge-pre-commit"))
	r.install(program, "pre-commit")
	must(t, os.Rename(r.hook("pre-commit"), r.hook("pre-commit.legacy")))
	write(t, r.hook("pre-commit"), "#!/bin/sh\n# pre-commit.com\nif test -x \"$0.legacy\"; then \"$0.legacy\"; fi || exit\nif test -x \"${0%/*}/pre-commit.legacy\"; then \"${0%/*}/pre-commit.legacy\"; fi\n", 0o755)
	r.commit("still checked")
	contains(t, r.log(), "program run\n")
	r.install(program, "pre-commit")
	r.commit("checked")
	if got := r.log(); got != "program run\n" {
		t.Errorf("the log is %q", got)
	}
	if exists(r.hook("pre-commit.legacy")) {
		t.Error("our script starts itself")
	}
}

func TestUninstallLooksWhereHooksWere(t *testing.T) {
	r := newRepo(t)
	r.install("/p")
	r.git("config", "core.hooksPath", ".own")
	r.install("/p")
	r.uninstall()
	for _, dir := range []string{".git/hooks", ".own"} {
		if exists(r.path(dir + "/pre-commit")) {
			t.Errorf("a hook is left in %q", dir)
		}
	}
}
