package mindblock

import (
	"fmt"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// DefaultFiles is where the notes of sessions stand without a configuration (chapter 6.1).
const DefaultFiles = ".claude/sessions/session-<N>/_mind-s-<N>.md"

// sign stands for a session's number in a pattern.
const sign = "<N>"

// Files knows the paths of notes: a pattern in which <N> is the number of a session, in the folder and in the file's name.
// A whole segment * stands for any folder, ** for any number of folders.
type Files struct {
	folder []string // segments
	name   string
	prefix string // what every folder begins with
	begins string // how the names of notes begin, folded
}

// ParseFiles reads a pattern.
func ParseFiles(pattern string) (*Files, error) {
	dir, name := path.Split(pattern)
	dir = strings.TrimSuffix(dir, "/")
	switch {
	case !strings.Contains(dir, sign) || !strings.Contains(name, sign):
		return nil, fmt.Errorf("%q needs %s for the number of the session, in the folder and in the name of the file", pattern, sign)
	case path.Clean(pattern) != pattern || path.IsAbs(pattern) || strings.HasPrefix(pattern, "../"):
		return nil, fmt.Errorf("%q is no plain path from the root of the repository", pattern)
	case strings.Contains(name, "*"):
		return nil, fmt.Errorf("%q: the name of the file has a wildcard, so that nobody could say what a misnamed file is", pattern)
	}
	f := &Files{folder: strings.Split(dir, "/"), name: name}
	wild := 0
	for _, segment := range f.folder {
		switch {
		case segment == "**":
			wild++
		case strings.Contains(segment, "*") && segment != "*", strings.Count(segment, sign) > 1:
			return nil, fmt.Errorf("%q: the folder %q mixes a wildcard with a name, or has two numbers", pattern, segment)
		}
	}
	if wild > 1 {
		return nil, fmt.Errorf("%q has ** twice", pattern)
	}
	f.prefix = dir[:strings.IndexAny(dir, "*<")]
	f.begins = foldName(name[:strings.Index(name, sign)])
	if f.begins == "" || strings.HasPrefix(f.begins, "_mind") {
		f.begins = "_mind"
	}
	return f, nil
}

// Name returns the name of the notes of session n.
func (f *Files) Name(n Number) string { return strings.ReplaceAll(f.name, sign, string(n)) }

// Prefix returns what the paths of all session folders begin with.
func (f *Files) Prefix() string { return f.prefix }

// Folder returns the session folder of number n, when the pattern leaves no choice.
func (f *Files) Folder(n Number) (string, bool) {
	dir := strings.Join(f.folder, "/")
	if strings.Contains(dir, "*") {
		return "", false
	}
	return strings.ReplaceAll(dir, sign, string(n)), true
}

// Context returns the name of the context file of session n, which stands beside the notes.
func Context(n Number) string { return "_context-s-" + string(n) + ".md" }

// Session returns the session folder that p lies in, at any depth, or that p is, and the session's number.
func (f *Files) Session(p string) (dir string, n Number, ok bool) {
	if !strings.HasPrefix(p, f.prefix) {
		return "", "", false
	}
	return f.find(p, exactly)
}

// NearSession returns the folder that p lies in when that looks like a session folder, although it is none: another case,
// width or normal form, or more than a number where the number should be.
func (f *Files) NearSession(p string) (dir string, ok bool) {
	if _, _, ok := f.Session(p); ok {
		return "", false
	}
	if len(p) < len(f.prefix) || p[0] < utf8.RuneSelf && f.prefix != "" && p[0]|0x20 != f.prefix[0]|0x20 {
		return "", false
	}
	if !strings.HasPrefix(foldName(p), foldName(f.prefix)) {
		return "", false
	}
	dir, _, ok = f.find(p, nearly)
	return dir, ok
}

// find tries the pattern on p and on the folders above it, the shortest first.
func (f *Files) find(p string, like func(pattern, segment string, n *Number) bool) (string, Number, bool) {
	for end := 0; end <= len(p); end++ {
		if end < len(p) && p[end] != '/' {
			continue
		}
		var n Number
		if match(f.folder, strings.Split(p[:end], "/"), &n, like) {
			return p[:end], n, true
		}
	}
	return "", "", false
}

func match(pattern, segments []string, n *Number, like func(pattern, segment string, n *Number) bool) bool {
	for i, p := range pattern {
		if p == "**" {
			tail := pattern[i+1:]
			skip := len(segments) - len(tail)
			return skip >= 0 && match(tail, segments[skip:], n, like)
		}
		if len(segments) == 0 || p != "*" && !like(p, segments[0], n) {
			return false
		}
		segments = segments[1:]
	}
	return len(segments) == 0
}

// exactly matches one segment. The number is the same wherever the sign stands.
func exactly(pattern, segment string, n *Number) bool {
	before, after, ok := strings.Cut(pattern, sign)
	if !ok {
		return pattern == segment
	}
	if len(segment) <= len(before)+len(after) || !strings.HasPrefix(segment, before) || !strings.HasSuffix(segment, after) {
		return false
	}
	found := Number(segment[len(before) : len(segment)-len(after)])
	if strings.Trim(string(found), "0123456789") != "" || *n != "" && *n != found {
		return false
	}
	*n = found
	return true
}

// nearly matches one segment by its looks; what stands in the number's place holds a digit of any script.
func nearly(pattern, segment string, n *Number) bool {
	before, after, ok := strings.Cut(pattern, sign)
	s := foldName(segment)
	if !ok {
		return foldName(pattern) == s
	}
	before, after = foldName(before), foldName(after)
	if len(s) <= len(before)+len(after) || !strings.HasPrefix(s, before) || !strings.HasSuffix(s, after) {
		return false
	}
	return strings.ContainsFunc(s[len(before):len(s)-len(after)], unicode.IsDigit)
}

// Claims reports whether base, the name of a file in a session folder, begins as the names of notes do, in any case and any
// Unicode normal form. One that does and is not Name is misnamed.
func (f *Files) Claims(base string) bool {
	s := foldName(base)
	return strings.HasPrefix(s, f.begins) || strings.HasPrefix(s, "_mind")
}
