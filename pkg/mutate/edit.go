package mutate

import (
	"errors"
	"fmt"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/memory"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// An Edit breaks a sample in one place. It fails when it would change nothing: a fault that was not injected proves
// nothing.
type Edit func(*Sample) error

// All makes one break of several edits.
func All(edits ...Edit) func(*Sample) error {
	return func(s *Sample) error {
		for _, e := range edits {
			if err := e(s); err != nil {
				return err
			}
		}
		return nil
	}
}

// A Side picks one tree of a sample.
type Side func(*Sample) map[string]memory.File

// After is the tree that is judged.
func After(s *Sample) map[string]memory.File { return s.After }

// Before is the tree of the first parent.
func Before(s *Sample) map[string]memory.File { return s.Before }

// Replace replaces the first old in the file at path by text.
func Replace(side Side, path, old, text string) Edit {
	return Change(side, path, func(data string) string { return strings.Replace(data, old, text, 1) })
}

// ReplaceAll replaces every old.
func ReplaceAll(side Side, path, old, text string) Edit {
	return Change(side, path, func(data string) string { return strings.ReplaceAll(data, old, text) })
}

// Cut takes everything from the first sign from up to the next sign to out of the file at path.
func Cut(side Side, path, from, to string) Edit {
	return Change(side, path, func(data string) string {
		before, rest, ok := strings.Cut(data, from)
		_, after, found := strings.Cut(rest, to)
		if !ok || !found {
			return data
		}
		return before + to + after
	})
}

// Prepend writes text at the beginning of the file at path.
func Prepend(side Side, path, text string) Edit {
	return Change(side, path, func(data string) string { return text + data })
}

// Append writes text at its end.
func Append(side Side, path, text string) Edit {
	return Change(side, path, func(data string) string { return data + text })
}

// Change changes the content of the file at path.
func Change(side Side, path string, change func(string) string) Edit {
	return func(s *Sample) error {
		f, ok := side(s)[path]
		if !ok {
			return fmt.Errorf("there is no file %q", path)
		}
		data := change(f.Data)
		if data == f.Data {
			return fmt.Errorf("%q stays as it is", path)
		}
		f.Data = data
		side(s)[path] = f
		return nil
	}
}

// Write writes a file, new or not.
func Write(side Side, path, data string) Edit {
	return func(s *Sample) error {
		if f, ok := side(s)[path]; ok && f.Data == data && f.Mode == snapshot.Regular {
			return fmt.Errorf("%q stays as it is", path)
		}
		side(s)[path] = memory.File{Mode: snapshot.Regular, Data: data}
		return nil
	}
}

// Link puts a symbolic link in the place of path.
func Link(side Side, path, target string) Edit {
	return func(s *Sample) error {
		side(s)[path] = memory.File{Mode: snapshot.Symlink, Data: target}
		return nil
	}
}

// Remove takes a file away.
func Remove(side Side, path string) Edit {
	return func(s *Sample) error {
		if _, ok := side(s)[path]; !ok {
			return fmt.Errorf("there is no file %q", path)
		}
		delete(side(s), path)
		return nil
	}
}

// Move gives a file another path.
func Move(side Side, from, to string) Edit {
	return func(s *Sample) error {
		f, ok := side(s)[from]
		if !ok || from == to {
			return fmt.Errorf("there is no file %q to move", from)
		}
		delete(side(s), from)
		side(s)[to] = f
		return nil
	}
}

// Give sets a further input.
func Give(name, value string) Edit {
	return func(s *Sample) error {
		if old, ok := s.Extra[name]; ok && old == value {
			return errors.New("the input stays as it is")
		}
		if s.Extra == nil {
			s.Extra = map[string]string{}
		}
		s.Extra[name] = value
		return nil
	}
}

// MergeOf makes the sample a merge: its before tree becomes the base and the first parent, and second, which gets a copy
// of it, the other parent.
func MergeOf(second func(map[string]memory.File)) Edit {
	return func(s *Sample) error {
		c := s.Clone()
		s.Base, s.Parent2 = c.Before, c.Clone().Before
		second(s.Parent2)
		return nil
	}
}

// Files makes a tree of regular files.
func Files(contents map[string]string) map[string]memory.File {
	out := make(map[string]memory.File, len(contents))
	for path, data := range contents {
		out[path] = memory.File{Mode: snapshot.Regular, Data: data}
	}
	return out
}
