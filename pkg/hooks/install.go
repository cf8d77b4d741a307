package hooks

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	scripts "github.com/seed-4419f9ca/forge/hooks"
)

// Options say what to install.
type Options struct {
	Names   []string // the hooks; none stands for those of a work tree
	Program string   // absolute path of the program that the hooks start
	// Force overwrites a script of ours that somebody changed, and lets a foreign hook take the place of the one that is
	// kept. What is overwritten stays beside under another name.
	Force bool
}

// An Action says what became of one hook.
type Action string

// The actions of Install and Uninstall.
const (
	Installed Action = "installed"
	Updated   Action = "updated"
	Unchanged Action = "unchanged"
	Removed   Action = "removed"
	Restored  Action = "restored" // the older hook stands in its place again
	Left      Action = "left"     // not touched; the notes say why
)

// A Change is what became of one hook.
type Change struct {
	Name   string
	Path   string
	Action Action
	Kept   string   // path of the older hook that is kept beside, "" without one
	Notes  []string // sentences for the user
}

// A Result is what Install or Uninstall did, in the order of Names.
type Result struct {
	Dir     string // the folder in which git looks for hooks
	Changes []Change
}

// Install writes the hooks into the folder in which git looks for them and keeps what stood there. Installing again
// changes nothing, or puts in the program's new path. It fails with *RequestError, *Refusal or *NotLocal before anything is written; a
// failure to write leaves each hook either as it was or installed, and says which one it was.
func (k *Keeper) Install(ctx context.Context, o Options) (Result, error) {
	p, err := k.place(ctx)
	if err != nil {
		return Result{}, err
	}
	names, err := chosen(o, p)
	if err != nil {
		return Result{}, err
	}
	res := Result{Dir: p.dir}
	switch p.use {
	case off:
		return res, &Refusal{[]Problem{switchedOff()}}
	case shared:
		return res, notLocal(p.dir, names)
	}
	var slots []slot
	var refusal Refusal
	for _, name := range names {
		s, err := k.slot(p.dir, name)
		if err != nil {
			return res, err
		}
		problem, err := k.obstacle(&s, o.Force)
		if err != nil {
			return res, err
		}
		if problem != nil {
			refusal.Problems = append(refusal.Problems, *problem)
		}
		slots = append(slots, s)
	}
	if len(refusal.Problems) > 0 {
		return res, &refusal
	}
	if err := k.Files.MkdirAll(p.dir); err != nil {
		return res, fmt.Errorf("could not make the folder %q for the hooks: %w", p.dir, err)
	}
	for _, s := range slots {
		if err := ctx.Err(); err != nil {
			return res, err
		}
		c, err := k.install(s, o.Program)
		if err != nil {
			return res, err
		}
		res.Changes = append(res.Changes, c)
	}
	return res, nil
}

// chosen returns the hooks to install, each once, in the order of Names.
func chosen(o Options, p place) ([]string, error) {
	if !filepath.IsAbs(o.Program) {
		return nil, &RequestError{fmt.Sprintf("the path %q of the program is not absolute", o.Program)}
	}
	for _, name := range o.Names {
		if err := known(name); err != nil {
			return nil, err
		}
	}
	if len(o.Names) == 0 {
		if p.root == "" {
			return nil, &RequestError{fmt.Sprintf("a bare repository runs server hooks only; choose with --hook %s",
				strings.Join(scripts.ServerNames(), " or --hook "))}
		}
		return scripts.ClientNames(), nil
	}
	return slices.DeleteFunc(Names(), func(name string) bool { return !slices.Contains(o.Names, name) }), nil
}

func notLocal(dir string, names []string) error {
	e := &NotLocal{Dir: dir}
	for _, name := range names {
		e.Lines = append(e.Lines, Line{Path: filepath.Join(dir, name), Text: byHand(name)})
	}
	return e
}

// obstacle returns what forbids to write s, nil when nothing does.
func (k *Keeper) obstacle(s *slot, force bool) (*Problem, error) {
	switch {
	case s.state == Edited && !force:
		return &Problem{
			Path:    s.hook.path,
			Message: fmt.Sprintf("%q was written by forge-pre-commit and has been changed since", s.hook.path),
			Help:    "move your change into a hook of your own, or run `forge-pre-commit install --force`, which saves it beside",
		}, nil
	case s.state == Edited:
		saved, err := k.read(s.hook.path + editedSuffix)
		if err != nil || !saved.there {
			return nil, err
		}
		return &Problem{
			Path:    saved.path,
			Message: fmt.Sprintf("%q holds an earlier change that would be overwritten", saved.path),
			Help:    "remove or rename it",
		}, nil
	case s.state == Foreign && s.kept.there && !s.leftOver() && !force:
		return &Problem{
			Path:    s.hook.path,
			Message: fmt.Sprintf("%q was written by somebody else while %q is kept for it", s.hook.path, s.kept.path),
			Help:    fmt.Sprintf("remove the one that is not needed, or run `forge-pre-commit install --force`, which chains the first and keeps the second as %q", filepath.Base(s.kept.path)+".1"),
		}, nil
	}
	return nil, nil
}

// install writes one hook. The older one is copied before its name is taken, so that it stays in force until then.
func (k *Keeper) install(s slot, prog string) (Change, error) {
	c := Change{Name: s.name, Path: s.hook.path, Action: Installed}
	lost := s.state == Ours && s.script.chained && !s.kept.there
	if err := k.setAside(&s, &c); err != nil {
		return c, err
	}
	command := ""
	if s.kept.there {
		c.Kept = s.kept.path
		if s.kept.runs {
			command = chain(s.name, s.kept.content)
		} else {
			c.Notes = append(c.Notes, fmt.Sprintf("%q is not executable, so git never ran it, and it does not run now", s.kept.path))
		}
	}
	if lost {
		c.Notes = append(c.Notes, fmt.Sprintf("the older hook %q is gone and no longer runs", s.kept.path))
	}
	data, err := render(s.name, prog, command)
	if err != nil {
		return c, err
	}
	if s.state == Ours {
		if c.Action = Updated; s.hook.runs && bytes.Equal(data, s.hook.content) {
			c.Action = Unchanged
			return c, nil
		}
	}
	if err := k.Files.WriteFile(s.hook.path, data, 0o755); err != nil {
		return c, fmt.Errorf("could not write the hook %q: %w", s.hook.path, err)
	}
	return c, k.dropLegacy(&s, &c)
}

// legacySuffix is added by the program pre-commit to a hook that it replaces and goes on to run.
const legacySuffix = ".legacy"

// dropLegacy removes a script of ours that pre-commit had put aside: its hook is the kept one now, and the two would start
// each other without end.
func (k *Keeper) dropLegacy(s *slot, c *Change) error {
	legacy, err := k.read(s.hook.path + legacySuffix)
	if err != nil || legacy.link() {
		return err
	}
	if w, ok := parse(legacy.content); !ok || !w.intact {
		return nil
	}
	c.Notes = append(c.Notes, fmt.Sprintf("%q was our own script, put aside by pre-commit, and is removed", legacy.path))
	return k.remove(legacy.path)
}

// setAside copies what stands in the place of s to where it is kept, and saves what would be lost by that.
func (k *Keeper) setAside(s *slot, c *Change) error {
	switch s.state {
	case Edited:
		saved := s.hook.path + editedSuffix
		if err := k.copy(&s.hook, saved); err != nil {
			return err
		}
		c.Notes = append(c.Notes, fmt.Sprintf("the changed script is saved as %q", saved))
	case Foreign:
		if s.leftOver() {
			return nil
		}
		if s.kept.there {
			free, err := k.free(s.kept.path)
			if err != nil {
				return err
			}
			if err := k.Files.Rename(s.kept.path, free); err != nil {
				return fmt.Errorf("could not rename the kept hook %q to %q: %w", s.kept.path, free, err)
			}
			c.Notes = append(c.Notes, fmt.Sprintf("the hook that was kept before is now %q and does not run", free))
		}
		kept := s.kept.path
		if err := k.copy(&s.hook, kept); err != nil {
			return err
		}
		s.kept = s.hook
		s.kept.path = kept
	}
	return nil
}

// free returns a path that begins like path, ends in a number and is not taken.
func (k *Keeper) free(path string) (string, error) {
	for n := 1; ; n++ {
		next := path + "." + strconv.Itoa(n)
		f, err := k.read(next)
		if err != nil {
			return "", err
		}
		if !f.there {
			return next, nil
		}
	}
}

// copy makes to a file like f, with its mode, or a symlink with its target.
func (k *Keeper) copy(f *file, to string) error {
	var err error
	if f.link() {
		err = k.Files.Symlink(f.target, to)
	} else {
		err = k.Files.WriteFile(to, f.content, f.mode&(fs.ModePerm|fs.ModeSetuid|fs.ModeSetgid|fs.ModeSticky))
	}
	if err != nil {
		return fmt.Errorf("could not keep the hook %q as %q: %w", f.path, to, err)
	}
	return nil
}
