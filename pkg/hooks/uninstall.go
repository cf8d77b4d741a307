package hooks

import (
	"context"
	"fmt"
)

// Uninstall removes every hook that install wrote and gives each older hook its place back. It looks where git looks and
// where git would look without core.hooksPath, but never into a folder that other repositories use. What is not ours, or
// is no longer as install wrote it, is left with a note. The result holds no change for a hook that is not there.
func (k *Keeper) Uninstall(ctx context.Context) (Result, error) {
	p, err := k.place(ctx)
	if err != nil {
		return Result{}, err
	}
	res := Result{Dir: p.dir}
	dirs := []string{p.plain}
	if p.use == own && p.dir != p.plain {
		dirs = []string{p.dir, p.plain}
	}
	for _, dir := range dirs {
		for _, name := range Names() {
			if err := ctx.Err(); err != nil {
				return res, err
			}
			s, err := k.slot(dir, name)
			if err != nil {
				return res, err
			}
			c, err := k.uninstall(s)
			if err != nil {
				return res, err
			}
			if c.Action != "" {
				res.Changes = append(res.Changes, c)
			}
		}
	}
	return res, nil
}

// uninstall takes one hook away; the action of its change is empty when there was nothing of ours.
func (k *Keeper) uninstall(s slot) (Change, error) {
	c := Change{Name: s.name, Path: s.hook.path}
	switch {
	case s.state == Edited:
		c.Action = Left
		c.Notes = append(c.Notes, fmt.Sprintf("%q has been changed since forge-pre-commit wrote it; remove it by hand", s.hook.path))
		if s.kept.there {
			c.Kept = s.kept.path
			c.Notes = append(c.Notes, fmt.Sprintf("the hook that stood there before is %q", s.kept.path))
		}
		return c, nil
	case s.leftOver():
		c.Action = Restored
		return c, k.remove(s.kept.path)
	case s.state == Foreign && s.kept.there:
		c.Action, c.Kept = Left, s.kept.path
		c.Notes = append(c.Notes, fmt.Sprintf("%q is not ours; %q, which stood there before, is left beside it", s.hook.path, s.kept.path))
		return c, nil
	case s.state == Foreign:
		return c, nil
	case s.kept.there:
		c.Action = Restored
		if err := k.Files.Rename(s.kept.path, s.hook.path); err != nil {
			return c, fmt.Errorf("could not give the hook %q its place back: %w", s.kept.path, err)
		}
		return c, nil
	case s.state == Absent:
		return c, nil
	}
	c.Action = Removed
	if s.script.chained {
		c.Notes = append(c.Notes, fmt.Sprintf("the hook that stood there before is gone: there is no %q", s.kept.path))
	}
	return c, k.remove(s.hook.path)
}

func (k *Keeper) remove(path string) error {
	if err := k.Files.Remove(path); err != nil {
		return fmt.Errorf("could not remove %q: %w", path, err)
	}
	return nil
}
