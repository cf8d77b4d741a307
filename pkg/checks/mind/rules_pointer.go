package mind

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/seed-4419f9ca/forge/pkg/facts"
	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/mindblock"
	"github.com/seed-4419f9ca/forge/pkg/pathref"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// A state is what became of a pointer.
type state int

const (
	resolved  state = iota
	pending         // the file is not there and its folder is
	noFolder        // not even the folder is there
	noHeading       // the file has no such heading
	outside         // it is no path of the repository
)

// pointersIn calls each for the pointers of section E that are in this state.
func (s *session) pointersIn(wanted state, each func(start, end int, r mindblock.Run)) error {
	var failure error
	s.sections('E', func(sec *mindblock.Section, _ string) {
		for _, it := range sec.Items {
			r := s.run(it)
			if r.Path == "" || failure != nil {
				continue
			}
			st, err := s.follow(r)
			if err != nil {
				failure = err
				return
			}
			if st == wanted {
				start, end := s.firstLine(it)
				if n := bytes.Index(s.notes.Src[it.Start:it.End], []byte(r.Path)); n >= 0 {
					start, end = it.Start+n, it.Start+n+len(r.Path)
				}
				each(start, end, r)
			}
		}
	})
	return failure
}

// follow takes a pointer from the folder of the session and then from the root.
func (s *session) follow(r mindblock.Run) (state, error) {
	key := r.Path + "#" + r.Anchor
	if !r.HasHash {
		key = r.Path
	}
	if st, ok := s.pointers[key]; ok {
		return st, nil
	}
	st, err := s.lookAlong(r)
	if err != nil {
		return 0, err
	}
	if s.pointers == nil {
		s.pointers = map[string]state{}
	}
	s.pointers[key] = st
	return st, nil
}

func (s *session) lookAlong(r mindblock.Run) (state, error) {
	if strings.ContainsAny(r.Path, "\\\x00") || strings.HasPrefix(r.Path, "/") || strings.HasPrefix(r.Path, "~") || strings.Contains(r.Path, "://") {
		return outside, nil
	}
	var folders []string
	inside := false
	for _, base := range []string{s.dir, ""} {
		for _, form := range forms(r.Path) {
			p := path.Join(base, form)
			if p == "" || p == "." || p == ".." || strings.HasPrefix(p, "../") {
				continue
			}
			inside = true
			e, err := s.pass.Change.After.Lookup(s.ctx, p)
			if err != nil {
				return 0, fmt.Errorf("could not look up %q: %w", p, err)
			}
			if e.Exists() {
				return s.heading(e, r)
			}
			folders = append(folders, path.Dir(p))
		}
	}
	if !inside {
		return outside, nil
	}
	for _, dir := range folders {
		if dir == "." || dir == s.dir {
			return pending, nil
		}
		there, err := pathref.Exists(s.ctx, s.pass.Change.After, dir+"/")
		if err != nil {
			return 0, err
		}
		if there {
			return pending, nil
		}
	}
	return noFolder, nil
}

// forms returns the ways in which the bytes of a path may have been stored: as written, and in the two normal forms.
func forms(p string) []string {
	out := []string{p}
	for _, f := range []string{norm.NFC.String(p), norm.NFD.String(p)} {
		if f != p {
			out = append(out, f)
		}
	}
	return out
}

type anchorsKey struct{ oid snapshot.OID }

// heading says whether the file that was found has the heading of the pointer.
func (s *session) heading(e snapshot.Entry, r mindblock.Run) (state, error) {
	switch {
	case !e.Mode.IsFile():
		return noFolder, nil
	case !r.HasHash:
		return resolved, nil
	}
	data, err := s.pass.Change.After.Read(s.ctx, e, s.pass.Config.Limits.File)
	var large *snapshot.TooLarge
	if errors.As(err, &large) {
		return resolved, s.pass.SkipTooLarge(err)
	}
	if err != nil {
		return 0, err
	}
	read := func() (map[string]bool, error) {
		slugs, err := mindblock.Anchors(data)
		if err != nil {
			return nil, fmt.Errorf("could not read %q: %w", e.Path, err)
		}
		return slugs, nil
	}
	var slugs map[string]bool
	if e.OID == "" {
		slugs, err = read()
	} else {
		slugs, err = facts.Memo(s.pass.Facts, anchorsKey{e.OID}, read)
	}
	if err != nil {
		return 0, err
	}
	if slugs[norm.NFC.String(r.Anchor)] {
		return resolved, nil
	}
	return noHeading, nil
}

// target is a pointer as it is shown.
func target(r mindblock.Run) string {
	if r.HasHash {
		return r.Path + "#" + r.Anchor
	}
	return r.Path
}

// pointersInside: a pointer is a path inside the repository.
func (s *session) pointersInside() error {
	return s.pointersIn(outside, func(start, end int, r mindblock.Run) {
		s.sayHere(pointer, start, end, target(r), "%q is no path inside the repository, so that nobody can follow it", s.clip(target(r)))
	})
}

// pointerFolders: at least the folder that a pointer names is there.
func (s *session) pointerFolders() error {
	return s.pointersIn(noFolder, func(start, end int, r mindblock.Run) {
		s.sayHere(pointer, start, end, target(r), "%q leads nowhere: neither from the session's folder nor from the root is there a folder of such a file", s.clip(target(r)))
	})
}

// pointerHeadings: the file that a pointer names has the heading that it names.
func (s *session) pointerHeadings() error {
	return s.pointersIn(noHeading, func(start, end int, r mindblock.Run) {
		s.sayHere(pointer, start, end, target(r), "%q has no heading with the slug %q", s.clip(r.Path), s.clip(r.Anchor))
	})
}

// pointersPending: once the session is closed, the file that a pointer names is there.
func (s *session) pointersPending() error {
	return s.pointersIn(pending, func(start, end int, r mindblock.Run) {
		f := s.sayHere(pointer, start, end, target(r), "%q is not there", s.clip(r.Path))
		if !s.closed {
			f.Message = s.masked(fmt.Sprintf("%q is not there yet; once the session is closed it has to be", s.clip(r.Path)))
			f.Level = finding.Flag
		}
	})
}
