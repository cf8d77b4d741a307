package hooks

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"

	scripts "github.com/seed-4419f9ca/forge/hooks"
)

// Surroundings are what Inspect has to know of the program that asks.
type Surroundings struct {
	Program string // absolute path of the program
	Path    string // the value of PATH
}

// A Hook is how one hook stands.
type Hook struct {
	Name    string
	Path    string
	State   State
	Runs    bool   // git starts it: it is executable and in the folder where git looks
	Program string // the path that our script starts first
	Starts  string // the program that our script would start now, "" when it finds none and refuses
	Manager string // the program that wrote a foreign hook, where that is known
	ByHand  bool   // a foreign hook that names forge-pre-commit
	Kept    *Kept  // the older hook beside it, nil without one
}

// A Kept is an older hook that install keeps beside its own.
type Kept struct {
	Path    string
	Runs    bool // it is executable
	Chained bool // our script runs it first
	Manager string
}

// A Report is what doctor has to say about hooks.
type Report struct {
	Git      string // what `git version` prints
	Dir      string // the folder in which git looks for hooks
	Shared   bool   // Dir is set by a core.hooksPath that holds for other repositories too
	Hooks    []Hook // every hook of Names
	Managers []string
	Problems []Problem // what is wrong
	Notes    []Problem // what is worth knowing
}

// Inspect looks at hooks, git and other programs that write hooks, and changes nothing.
func (k *Keeper) Inspect(ctx context.Context, around Surroundings) (Report, error) {
	var r Report
	p, err := k.place(ctx)
	if err != nil {
		return r, err
	}
	if r.Git, err = k.Repo.Version(ctx); err != nil {
		return r, err
	}
	r.Dir, r.Shared = p.dir, p.use == shared
	r.inspectGit()
	k.inspectHooks(&r, p, around)
	return r, k.inspectManagers(&r, p)
}

// wrong adds a problem, and note a note; what holds for several hooks is said once.
func (r *Report) wrong(path, help, format string, args ...any) {
	r.Problems = addOnce(r.Problems, Problem{Path: path, Message: fmt.Sprintf(format, args...), Help: help})
}

func (r *Report) note(path, help, format string, args ...any) {
	r.Notes = addOnce(r.Notes, Problem{Path: path, Message: fmt.Sprintf(format, args...), Help: help})
}

func addOnce(list []Problem, p Problem) []Problem {
	if slices.Contains(list, p) {
		return list
	}
	return append(list, p)
}

func (r *Report) inspectGit() {
	v, ok := parseVersion(r.Git)
	switch {
	case !ok:
		r.wrong("", "install git from its own distribution", "%q is no version of git that can be compared", r.Git)
	case v.before(Floor()):
		r.wrong("", "install a newer git", "git is %s, older than the %s that Forge needs", v, Floor())
	default:
		for _, what := range missing(v) {
			r.note("", "", "%s", what)
		}
	}
}

const reinstall = "run `forge-pre-commit install`"

func (k *Keeper) inspectHooks(r *Report, p place, around Surroundings) {
	installed := false
	for _, name := range Names() {
		s, err := k.slot(p.dir, name)
		if err != nil {
			r.wrong(filepath.Join(p.dir, name), "remove it or make it readable", "%s", err)
			continue
		}
		h := k.inspect(r, s, p, around)
		r.Hooks = append(r.Hooks, h)
		installed = installed || h.State == Ours || h.State == Edited || h.ByHand
	}
	if installed {
		r.inspectOthers()
	}
	switch {
	case p.use == off:
		r.Problems = append(r.Problems, switchedOff())
	case !installed && p.dir != p.plain && k.holdsOurs(p.plain):
		r.wrong(p.plain, reinstall, "the hooks in %q do not run, because %s makes git look in %q", p.plain, hooksPath, p.dir)
	case !installed && p.use == shared:
		r.wrong(p.dir, "`forge-pre-commit install` prints the lines to add to them", "git looks for hooks in %q, which other repositories use too, and none of them names forge-pre-commit", p.dir)
	case !installed && p.root != "":
		r.wrong(p.dir, reinstall, "no hook is installed in %q", p.dir)
	case !installed:
		r.note(p.dir, "run `forge-pre-commit install --hook pre-receive`", "no hook is installed in %q", p.dir)
	}
}

// inspectOthers looks, where Forge is installed, for hooks of a work tree that do without it.
func (r *Report) inspectOthers() {
	for _, h := range r.Hooks {
		switch {
		case h.State != Foreign || h.ByHand || !h.Runs || h.Kept != nil || !slices.Contains(scripts.ClientNames(), h.Name):
		case h.Manager != "":
			r.wrong(h.Path, reinstall, "%q belongs to %s and does not start Forge", h.Path, h.Manager)
		default:
			r.note(h.Path, reinstall+" to have both run", "%q does not start Forge", h.Path)
		}
	}
}

// holdsOurs reports whether a hook that install wrote stands in dir. What cannot be read there is not ours.
func (k *Keeper) holdsOurs(dir string) bool {
	return slices.ContainsFunc(Names(), func(name string) bool {
		s, err := k.slot(dir, name)
		return err == nil && (s.state == Ours || s.state == Edited)
	})
}

// inspect describes one hook and adds what is wrong with it to r.
func (k *Keeper) inspect(r *Report, s slot, p place, around Surroundings) Hook {
	h := Hook{Name: s.name, Path: s.hook.path, State: s.state, Program: s.script.program, Runs: s.hook.runs && p.use != off}
	if s.state == Foreign {
		h.Manager = managerOf(s.hook.content)
		h.ByHand = s.hook.runs && bytes.Contains(s.hook.content, []byte("forge-pre-commit"))
	}
	if s.kept.there {
		h.Kept = &Kept{Path: s.kept.path, Runs: s.kept.runs, Chained: s.script.chained, Manager: managerOf(s.kept.content)}
	}
	r.inspectScript(&s)
	r.inspectKept(&s)
	if (s.state == Ours || s.state == Edited) && s.name != "prepare-commit-msg" {
		k.inspectProgram(r, &h, around)
	}
	return h
}

func (r *Report) inspectScript(s *slot) {
	path := s.hook.path
	ours := s.state == Ours || s.state == Edited
	switch {
	case ours && !s.hook.runs:
		r.wrong(path, fmt.Sprintf("run `chmod +x %s`", quote(path)), "%q is not executable, so git ignores it", path)
	case s.state == Foreign && !s.hook.runs:
		r.note(path, "", "%q is not executable, so git ignores it", path)
	}
	switch {
	case s.state == Edited:
		r.wrong(path, "run `forge-pre-commit install --force` to write it anew; the changed script is saved beside", "%q has been changed since forge-pre-commit wrote it", path)
	case s.state == Ours && s.script.chained == (s.kept.there && s.kept.runs):
		command := ""
		if s.script.chained {
			command = chain(s.name, s.kept.content)
		}
		if now, err := render(s.name, s.script.program, command); err == nil && !bytes.Equal(now, s.hook.content) {
			r.note(path, reinstall, "%q was written by another version of forge-pre-commit", path)
		}
	}
}

func (r *Report) inspectKept(s *slot) {
	kept := s.kept.path
	switch ours := s.state == Ours || s.state == Edited; {
	case ours && s.script.chained && !s.kept.there:
		r.wrong(kept, reinstall+" to go on without it", "%q is gone, and without it %q refuses everything", kept, s.hook.path)
	case ours && s.script.chained && !s.kept.runs:
		r.wrong(kept, fmt.Sprintf("run `chmod +x %s`, or `forge-pre-commit install` to go on without it", quote(kept)), "%q is not executable, and without it %q refuses everything", kept, s.hook.path)
	case s.state == Ours && !s.script.chained && s.kept.there && s.kept.runs:
		r.wrong(kept, reinstall, "%q is kept and executable, but %q does not run it", kept, s.hook.path)
	case s.state == Ours && s.kept.there && !s.kept.runs:
		r.note(kept, "", "%q is kept but not executable, so it does not run", kept)
	case s.state == Foreign && s.kept.there:
		by := ""
		if m := managerOf(s.hook.content); m != "" {
			by = " by " + m
		}
		r.wrong(s.hook.path, reinstall, "%q was replaced%s after forge-pre-commit had installed its own", s.hook.path, by)
	case s.state == Absent && s.kept.there:
		r.wrong(s.hook.path, "run `forge-pre-commit install`, or `forge-pre-commit uninstall` to give the older hook its place back", "%q is gone, and the older hook %q does not run", s.hook.path, kept)
	}
}

// inspectProgram finds out what the script of h would start, as the script itself does.
func (k *Keeper) inspectProgram(r *Report, h *Hook, around Surroundings) {
	dir := filepath.Dir(h.Path)
	if k.startable(h.Program) {
		h.Starts = h.Program
		if around.Program != "" && around.Program != h.Program {
			r.note(dir, reinstall+" with the program that is to run", "the hooks in %q start %q and not this program, %q", dir, h.Program, around.Program)
		}
		return
	}
	for _, folder := range filepath.SplitList(around.Path) {
		if candidate := filepath.Join(folder, "forge-pre-commit"); k.startable(candidate) {
			h.Starts = candidate
			r.note(dir, reinstall, "the hooks in %q do not find %q and start %q from PATH", dir, h.Program, candidate)
			return
		}
	}
	r.wrong(dir, reinstall, "the hooks in %q find neither %q nor a forge-pre-commit in PATH, so they refuse everything", dir, h.Program)
}

// startable reports whether path is an executable file that is not empty. One that cannot be looked at cannot be started.
func (k *Keeper) startable(path string) bool {
	if !filepath.IsAbs(path) {
		return false
	}
	info, err := k.Files.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Size() > 0 && info.Mode()&0o111 != 0
}

// inspectManagers notes which other programs may write over our hooks.
func (k *Keeper) inspectManagers(r *Report, p place) error {
	found, err := k.used(p.root)
	if err != nil {
		return err
	}
	for _, m := range found {
		r.Managers = append(r.Managers, m.name)
		r.note("", fmt.Sprintf("run `forge-pre-commit install` again after `%s`", m.rewrite), "%s is set up in this repository and writes its hooks over others", m.name)
	}
	return nil
}
