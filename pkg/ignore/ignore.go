// Package ignore decides which paths gitignore patterns leave out (chapter 2.6), as `git check-ignore --no-index` would.
//
// Three things are this package's own: reading lines as git reads them, walking a path from its first folder down (what
// lies below an ignored folder is ignored, whatever later lines say), and letting the last matching line win. A line
// without a wildcard is compared as text. A line with one goes to sabhiram/go-gitignore, alone and in a normal form that
// the library gets right: it anchors the line and turns `*`, leading and inner `**/` into a regular expression. What it
// would get wrong never reaches it: `?`, classes, a trailing `**`, escapes, characters that mean something to regular
// expressions, and bytes beyond ASCII (git compares bytes, the library characters) are spelled out, see normalise.
//
// Nothing is compiled before a path needs it.
package ignore

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync"
)

// A Source is one list of patterns.
type Source struct {
	Name string // for errors: a file or the key of the configuration
	// Data is the content of a file in gitignore format.
	Data []byte
	// Lines are single patterns, after those of Data.
	Lines []string
}

// A Matcher holds patterns in order. It is safe for concurrent use.
type Matcher struct {
	rules   []*rule
	folders sync.Map // what was decided about a folder, by its path
}

// maxLine bounds a pattern, in bytes, so that what it is compiled to stays small. Longer lines of git's are no practice.
const maxLine = 4096

// New reads the patterns of sources, the later over the earlier. Patterns that cannot match anything are kept silently,
// as git does. An error means that a pattern is longer than 4,096 bytes or that an item of Lines is not one line.
func New(sources ...Source) (*Matcher, error) {
	m := &Matcher{}
	for _, s := range sources {
		for i, l := range lines(s.Data) {
			if err := m.add(l); err != nil {
				return nil, fmt.Errorf("could not read line %d of %q: %w", i+1, s.Name, err)
			}
		}
		for i, l := range s.Lines {
			err := errNotOneLine
			if !strings.ContainsAny(l, "\n\x00") {
				err = m.add(l)
			}
			if err != nil {
				return nil, fmt.Errorf("could not read pattern %d of %q: %w", i+1, s.Name, err)
			}
		}
	}
	return m, nil
}

var (
	errNotOneLine = errors.New("it is more than one line")
	errTooLong    = errors.New("it is longer than 4,096 bytes")
)

func (m *Matcher) add(line string) error {
	r := parse(line)
	if r == nil {
		return nil
	}
	if len(line) > maxLine {
		return errTooLong
	}
	m.rules = append(m.rules, r)
	return nil
}

// lines splits the content of a file as git does: a byte-order mark, and the CR before LF, are dropped.
func lines(data []byte) []string {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if len(data) == 0 {
		return nil
	}
	list := strings.Split(string(data), "\n")
	for i, l := range list {
		list[i] = strings.TrimSuffix(l, "\r")
	}
	return list
}

// Match reports whether the file at path, relative to the root, is ignored: itself or a folder that it lies in.
func (m *Matcher) Match(path string) bool {
	if len(m.rules) == 0 {
		return false
	}
	for i := 0; i < len(path); i++ {
		if path[i] == '/' && m.folder(path[:i]) {
			return true
		}
	}
	return m.decide(path, false)
}

// folder is decide for a folder. It remembers the answer: files share their folders.
func (m *Matcher) folder(path string) bool {
	if known, ok := m.folders.Load(path); ok {
		return known.(bool)
	}
	ignored := m.decide(path, true)
	m.folders.Store(path, ignored)
	return ignored
}

// decide asks the rules about path alone, the last first.
func (m *Matcher) decide(path string, folder bool) bool {
	name := path[strings.LastIndexByte(path, '/')+1:]
	for i := len(m.rules) - 1; i >= 0; i-- {
		if r := m.rules[i]; r.match(path, name, folder) {
			return !r.negated
		}
	}
	return false
}
