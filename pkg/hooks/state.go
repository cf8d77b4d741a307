package hooks

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
)

// A State says whose file stands under the name of a hook.
type State string

// The states of a hook.
const (
	Absent  State = "absent"
	Ours    State = "ours"    // as install wrote it, in this or another version
	Edited  State = "edited"  // written by install and changed since
	Foreign State = "foreign" // somebody else's
)

// A file is what stands at one path.
type file struct {
	path    string
	there   bool
	mode    fs.FileMode // of the path itself: a symlink is not followed
	target  string      // of a symlink
	content []byte      // of the regular file that is there or that the symlink leads to
	runs    bool        // git would start it
}

// read looks at path. A symlink that leads nowhere is there and does not run.
func (k *Keeper) read(path string) (file, error) {
	f := file{path: path}
	info, err := k.Files.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return f, fmt.Errorf("could not look at the hook %q: %w", path, err)
	}
	f.there, f.mode = true, info.Mode()
	if f.mode&fs.ModeSymlink != 0 {
		if f.target, err = k.Files.Readlink(path); err != nil {
			return f, fmt.Errorf("could not read the symlink %q: %w", path, err)
		}
		if info, err = k.Files.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return f, nil
		} else if err != nil {
			return f, fmt.Errorf("could not follow the symlink %q: %w", path, err)
		}
	}
	if !info.Mode().IsRegular() {
		return f, fmt.Errorf("could not use %q as a hook: it is not a regular file", path)
	}
	if f.content, err = k.Files.ReadFile(path); err != nil {
		return f, fmt.Errorf("could not read the hook %q: %w", path, err)
	}
	f.runs = info.Mode()&0o111 != 0
	return f, nil
}

// link reports whether f is a symlink.
func (f *file) link() bool { return f.mode&fs.ModeSymlink != 0 }

// same reports whether f and g would be the same file under one name.
func (f *file) same(g *file) bool {
	if f.there != g.there || f.mode != g.mode {
		return false
	}
	if f.link() {
		return f.target == g.target
	}
	return bytes.Equal(f.content, g.content)
}

// A slot is one hook and what is kept beside it.
type slot struct {
	name       string
	hook, kept file
	state      State
	script     written // what hook says, when state is Ours or Edited
}

// slot reads the hook called name in dir.
func (k *Keeper) slot(dir, name string) (slot, error) {
	s := slot{name: name}
	var err error
	if s.hook, err = k.read(filepath.Join(dir, name)); err != nil {
		return s, err
	}
	if s.kept, err = k.read(filepath.Join(dir, name+keptSuffix)); err != nil {
		return s, err
	}
	s.state = Foreign
	if !s.hook.there {
		s.state = Absent
	} else if w, ok := parse(s.hook.content); ok {
		s.script, s.state = w, Edited
		if w.intact && w.name == name && !s.hook.link() {
			s.state = Ours
		}
	}
	return s, nil
}

// leftOver reports whether an earlier install kept a hook that stands in its old place again, or still: a run that died
// half-way, or somebody who put it back.
func (s *slot) leftOver() bool {
	return s.state == Foreign && s.kept.there && s.hook.same(&s.kept)
}
