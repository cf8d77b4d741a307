// Package gitobject reads the contents of git's objects and works out their ids, in both object formats. It opens nothing:
// readers bring the bytes.
package gitobject

import (
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"strings"
)

// A Format is the object format of a repository: the size of a raw id in bytes.
type Format int

// The formats that git has.
const (
	SHA1   Format = 20
	SHA256 Format = 32
)

// FormatOf tells the format by an id in hex.
func FormatOf(id string) Format { return Format(len(id) / 2) }

// ID returns the id of the object of the given type and content.
func (f Format) ID(kind string, content []byte) string {
	h := f.Hash(kind, int64(len(content)))
	h.Write(content)
	return hex.EncodeToString(h.Sum(nil))
}

// Hash returns the hash of an object of the given type and of size bytes, to be fed with its content.
func (f Format) Hash(kind string, size int64) hash.Hash {
	var h hash.Hash
	if f == SHA256 {
		h = sha256.New()
	} else {
		h = sha1.New()
	}
	fmt.Fprintf(h, "%s %d\x00", kind, size)
	return h
}

// EmptyTree returns the id of the tree without entries.
func (f Format) EmptyTree() string { return f.ID("tree", nil) }

// IsID reports whether s is a full id in lower-case hex.
func IsID(s string) bool {
	if len(s) != 2*int(SHA1) && len(s) != 2*int(SHA256) {
		return false
	}
	ok := true
	for i := 0; i < len(s); i++ {
		ok = ok && hexDigit[s[i]]
	}
	return ok
}

var hexDigit = [256]bool{
	'0': true, '1': true, '2': true, '3': true, '4': true, '5': true, '6': true, '7': true, '8': true, '9': true,
	'a': true, 'b': true, 'c': true, 'd': true, 'e': true, 'f': true,
}

// IsZero reports whether s is the id of nothing, in either format.
func IsZero(s string) bool { return strings.Trim(s, "0") == "" && IsID(s) }

// ErrMalformed marks an object whose content does not have the form of its type.
var ErrMalformed = errors.New("the object is malformed")

// A Commit is what is used of a commit object.
type Commit struct {
	ID      string
	Tree    string
	Parents []string // as they stand in the object, whatever a shallow boundary hides
	Message []byte
}

// ParseCommit reads the content of the commit object id.
func ParseCommit(id string, data []byte) (*Commit, error) {
	c := &Commit{ID: id}
	head, message, _ := bytes.Cut(data, []byte("\n\n"))
	c.Message = message
	for i, line := range bytes.Split(head, []byte{'\n'}) {
		key, value, _ := strings.Cut(string(line), " ")
		switch {
		case i == 0 && key == "tree" && len(value) == len(id) && IsID(value):
			c.Tree = value
		case i == 0:
			return nil, fmt.Errorf("could not read commit %s: %w", id, ErrMalformed)
		case key == "parent" && len(c.Parents) == i-1:
			if len(value) != len(id) || !IsID(value) {
				return nil, fmt.Errorf("could not read commit %s: %w", id, ErrMalformed)
			}
			c.Parents = append(c.Parents, value)
		}
	}
	return c, nil
}

// ParseTag returns the id of what the tag object points at.
func ParseTag(id string, data []byte) (string, error) {
	line, _, _ := bytes.Cut(data, []byte{'\n'})
	target, ok := strings.CutPrefix(string(line), "object ")
	if !ok || len(target) != len(id) || !IsID(target) {
		return "", fmt.Errorf("could not read tag %s: %w", id, ErrMalformed)
	}
	return target, nil
}

// The types that an entry of a tree can have, as git writes them in octal.
const (
	Regular    = 0o100644
	Executable = 0o100755
	Symlink    = 0o120000
	Folder     = 0o040000
	Gitlink    = 0o160000
)

// An Entry is one line of a tree object.
type Entry struct {
	Name string // without slash
	Mode uint32 // one of the types above
	ID   string
}

// ParseTree reads the content of the tree object id. A name that would lead out of its folder is malformed.
func ParseTree(id string, data []byte) ([]Entry, error) {
	size := int(FormatOf(id))
	var out []Entry
	for len(data) > 0 {
		space := bytes.IndexByte(data[:min(len(data), 8)], ' ')
		end := bytes.IndexByte(data, 0)
		if space < 1 || end <= space+1 || len(data) < end+1+size {
			return nil, fmt.Errorf("could not read tree %s: %w", id, ErrMalformed)
		}
		mode, ok := ParseMode(data[:space])
		name := string(data[space+1 : end])
		if !ok || mode == 0 || strings.IndexByte(name, '/') >= 0 || name == "." || name == ".." {
			return nil, fmt.Errorf("could not read tree %s: entry %q: %w", id, name, ErrMalformed)
		}
		out = append(out, Entry{Name: name, Mode: mode, ID: hex.EncodeToString(data[end+1 : end+1+size])})
		data = data[end+1+size:]
	}
	return out, nil
}

// ParseMode reads an octal mode and makes it one of the types: permission bits of files count only as executable or not.
// The mode 0 stands for an entry that is not there.
func ParseMode(s []byte) (uint32, bool) {
	var n uint32
	for _, c := range s {
		if c < '0' || c > '7' || n > 0o17777777 {
			return 0, false
		}
		n = n<<3 | uint32(c-'0')
	}
	switch n &^ 0o7777 {
	case 0o100000:
		if n&0o100 != 0 {
			return Executable, true
		}
		return Regular, true
	case Symlink, Folder, Gitlink:
		return n &^ 0o7777, true
	}
	return 0, n == 0 && len(s) > 0
}

// ValidPath reports whether path is a path inside a repository: no part of it is empty, "." or ".." (chapter 3.5).
func ValidPath(path string) bool {
	for name := range strings.SplitSeq(path, "/") {
		if name == "" || name == "." || name == ".." {
			return false
		}
	}
	return true
}
