package hooks

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func (r *repo) inspect(path string) Report {
	r.t.Helper()
	rep, err := r.keeper().Inspect(context.Background(), Surroundings{Program: filepath.Join(r.home, "forge-pre-commit"), Path: path})
	if err != nil {
		r.t.Fatal(err)
	}
	return rep
}

func texts(problems []Problem) string {
	var b strings.Builder
	for _, p := range problems {
		b.WriteString(p.Message + " => " + p.Help + "\n")
	}
	return b.String()
}

func TestInspect(t *testing.T) {
	gone := func(r *repo) { must(r.t, os.Remove(filepath.Join(r.home, "forge-pre-commit"))) }
	for name, c := range map[string]struct {
		before  func(r *repo) // before installing
		after   func(r *repo)
		wrong   string // of all problems; "" for none
		noted   string // part of the notes
		nothing bool   // do not install
	}{
		"healthy":          {},
		"older hook":       {before: func(r *repo) { write(r.t, r.hook("pre-commit"), older, 0o755) }},
		"nothing":          {nothing: true, wrong: "no hook is installed in"},
		"not executable":   {after: func(r *repo) { must(r.t, os.Chmod(r.hook("pre-commit"), 0o644)) }, wrong: "is not executable, so git ignores it => run `chmod +x '"},
		"changed":          {after: func(r *repo) { write(r.t, r.hook("pre-push"), read(r.t, r.hook("pre-push"))+"#", 0o755) }, wrong: "has been changed since"},
		"program gone":     {after: gone, wrong: "so they refuse everything"},
		"program in PATH":  {after: func(r *repo) { gone(r); r.program(r.path("bin/forge-pre-commit")) }, noted: "from PATH"},
		"another program":  {after: func(r *repo) { r.install(r.program(r.path("bin/forge-pre-commit"))) }, noted: "and not this program"},
		"own hook ignored": {before: func(r *repo) { write(r.t, r.hook("pre-commit"), older, 0o644) }, noted: "kept but not executable"},
		"own hook now executable": {
			before: func(r *repo) { write(r.t, r.hook("pre-commit"), older, 0o644) },
			after:  func(r *repo) { must(r.t, os.Chmod(r.hook("pre-commit.forge-kept"), 0o755)) },
			wrong:  "does not run it",
		},
		"kept hook gone": {
			before: func(r *repo) { write(r.t, r.hook("pre-commit"), older, 0o755) },
			after:  func(r *repo) { must(r.t, os.Remove(r.hook("pre-commit.forge-kept"))) },
			wrong:  "is gone, and without it",
		},
		"kept hook not executable": {
			before: func(r *repo) { write(r.t, r.hook("pre-commit"), older, 0o755) },
			after:  func(r *repo) { must(r.t, os.Chmod(r.hook("pre-commit.forge-kept"), 0o644)) },
			wrong:  "is not executable, and without it",
		},
		"replaced": {
			before: func(r *repo) { write(r.t, r.hook("pre-commit"), older, 0o755) },
			after:  func(r *repo) { write(r.t, r.hook("pre-commit"), other+"# lefthook\n", 0o755) },
			wrong:  "was replaced by lefthook after",
		},
		"removed": {
			before: func(r *repo) { write(r.t, r.hook("pre-commit"), older, 0o755) },
			after:  func(r *repo) { must(r.t, os.Remove(r.hook("pre-commit"))) },
			wrong:  "is gone, and the older hook",
		},
		"overwritten by a manager":  {after: func(r *repo) { write(r.t, r.hook("pre-push"), "#!/bin/sh\ngit lfs pre-push \"$@\"\n", 0o755) }, wrong: "belongs to git-lfs and does not start Forge"},
		"overwritten by somebody":   {after: func(r *repo) { write(r.t, r.hook("pre-push"), other, 0o755) }, noted: "does not start Forge"},
		"written by hand":           {nothing: true, after: func(r *repo) { write(r.t, r.hook("pre-commit"), "#!/bin/sh\nexec forge-pre-commit run\n", 0o755) }},
		"core.hooksPath, local":     {after: func(r *repo) { r.git("config", "core.hooksPath", ".own") }, wrong: "do not run, because core.hooksPath"},
		"core.hooksPath, global":    {after: func(r *repo) { r.git("config", "--global", "core.hooksPath", r.home+"/all") }, wrong: "do not run, because core.hooksPath"},
		"global, nothing installed": {nothing: true, after: func(r *repo) { r.git("config", "--global", "core.hooksPath", r.home+"/all") }, wrong: "which other repositories use too"},
		"switched off":              {after: func(r *repo) { r.git("config", "--global", "core.hooksPath", "/dev/null") }, wrong: "git runs no hook at all"},
		"a folder in the way":       {after: func(r *repo) { must(r.t, os.Remove(r.hook("pre-push"))); mkdir(r.t, r.hook("pre-push")) }, wrong: "not a regular file"},
		"lefthook":                  {after: func(r *repo) { write(r.t, r.path("lefthook.yml"), "", 0o644) }, noted: "lefthook is set up"},
		"husky":                     {after: func(r *repo) { mkdir(r.t, r.path(".husky")) }, noted: "husky is set up"},
		"pre-commit":                {after: func(r *repo) { write(r.t, r.path(".pre-commit-config.yaml"), "", 0o644) }, noted: "again after `pre-commit install`"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepo(t)
			if c.before != nil {
				c.before(r)
			}
			program := r.program(filepath.Join(r.home, "forge-pre-commit"))
			if !c.nothing {
				r.install(program)
			}
			if c.after != nil {
				c.after(r)
			}
			rep := r.inspect(filepath.Join(r.dir, "bin"))
			if got := texts(rep.Problems); (c.wrong == "") != (got == "") || !strings.Contains(got, c.wrong) {
				t.Errorf("the problems are %q", got)
			}
			contains(t, texts(rep.Notes), c.noted)
			if name == "program gone" && len(rep.Problems) != 1 {
				t.Errorf("what holds for all hooks is said %d times", len(rep.Problems))
			}
			for _, p := range append(rep.Problems, rep.Notes...) {
				if strings.Contains(p.Help, "no-verify") {
					t.Errorf("%q names a way around hooks", p.Help)
				}
			}
		})
	}
}

func TestInspectDescribesEachHook(t *testing.T) {
	r := newRepo(t)
	write(t, r.hook("pre-commit"), "#!/bin/sh\ncall_lefthook run\n", 0o755)
	write(t, r.hook("pre-receive"), other, 0o755)
	program := r.program(filepath.Join(r.home, "forge-pre-commit"))
	r.install(program)
	rep := r.inspect("")
	if len(rep.Hooks) != len(Names()) || rep.Dir != r.path(".git/hooks") || rep.Shared {
		t.Fatalf("the report is %+v", rep)
	}
	pc := rep.Hooks[1]
	if pc.State != Ours || !pc.Runs || pc.Program != program || pc.Starts != program || pc.Kept == nil || !pc.Kept.Chained || !pc.Kept.Runs || pc.Kept.Manager != "lefthook" {
		t.Errorf("pre-commit is %+v, %+v", pc, pc.Kept)
	}
	if h := rep.Hooks[5]; h.Name != "pre-receive" || h.State != Foreign || h.Starts != "" {
		t.Errorf("pre-receive is %+v", h)
	}
	if h := rep.Hooks[6]; h.Name != "update" || h.State != Absent || h.Runs {
		t.Errorf("update is %+v", h)
	}
}

func TestInspectOfABareRepository(t *testing.T) {
	r := newRepo(t, "--bare")
	rep := r.inspect("")
	if len(rep.Problems) != 0 || !strings.Contains(texts(rep.Notes), "--hook pre-receive") {
		t.Errorf("the report is %+v", rep)
	}
}

// oldGit answers with another version.
type oldGit struct {
	Repository
	version string
}

func (o oldGit) Version(context.Context) (string, error) { return o.version, nil }

func TestInspectJudgesGit(t *testing.T) {
	r := newRepo(t)
	r.install(r.program(filepath.Join(r.home, "forge-pre-commit")))
	for version, want := range map[string]string{"git version 2.24.4": "older than the 2.25", "git version 2.25.0": "", "git version 1.9": "older", "cvs": "no version of git"} {
		k := r.keeper()
		k.Repo = oldGit{k.Repo, version}
		rep, err := k.Inspect(context.Background(), Surroundings{})
		must(t, err)
		if got := texts(rep.Problems); (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("of %q the problems are %q", version, got)
		}
	}
}
