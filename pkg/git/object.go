package git

import (
	"bytes"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// An oidFormat is the object format of a repository.
type oidFormat int

const (
	sha1Hash   oidFormat = 20
	sha256Hash oidFormat = 32
)

// size returns the length of a raw id in bytes.
func (h oidFormat) size() int { return int(h) }

// object returns the id that an object of the given type and content has.
func (h oidFormat) object(kind string, content []byte) string {
	if h == sha256Hash {
		s := sha256.New()
		fmt.Fprintf(s, "%s %d\x00", kind, len(content))
		s.Write(content)
		return hex.EncodeToString(s.Sum(nil))
	}
	s := sha1.New()
	fmt.Fprintf(s, "%s %d\x00", kind, len(content))
	s.Write(content)
	return hex.EncodeToString(s.Sum(nil))
}

// emptyTree returns the id of the tree without entries.
func (h oidFormat) emptyTree() string { return h.object("tree", nil) }

// hashOf tells the format by the length of an id in hex.
func hashOf(oid string) oidFormat { return oidFormat(len(oid) / 2) }

// isOID reports whether s is a full id in lower-case hex.
func isOID(s string) bool {
	if len(s) != 2*sha1Hash.size() && len(s) != 2*sha256Hash.size() {
		return false
	}
	for i := 0; i < len(s); i++ {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// isZero reports whether s is the id of nothing, in either format.
func isZero(s string) bool { return strings.Trim(s, "0") == "" && isOID(s) }

// A commit is what is used of a commit object.
type commit struct {
	oid     string
	tree    string
	parents []string // as they stand in the object, whatever a shallow boundary hides
	message []byte
}

var (
	errMalformed = errors.New("the object is malformed")
	errNoCommit  = errors.New("it is no commit")
)

// parseCommit reads the content of the commit object oid.
func parseCommit(oid string, data []byte) (*commit, error) {
	c := &commit{oid: oid}
	head, message, _ := bytes.Cut(data, []byte("\n\n"))
	c.message = message
	for i, line := range bytes.Split(head, []byte{'\n'}) {
		key, value, _ := strings.Cut(string(line), " ")
		switch {
		case i == 0 && key == "tree" && len(value) == len(oid) && isOID(value):
			c.tree = value
		case i == 0:
			return nil, fmt.Errorf("could not read commit %s: %w", oid, errMalformed)
		case key == "parent" && len(c.parents) == i-1:
			if len(value) != len(oid) || !isOID(value) {
				return nil, fmt.Errorf("could not read commit %s: %w", oid, errMalformed)
			}
			c.parents = append(c.parents, value)
		}
	}
	return c, nil
}

// parseTag returns the id of what the tag object points at.
func parseTag(oid string, data []byte) (string, error) {
	line, _, _ := bytes.Cut(data, []byte{'\n'})
	target, ok := strings.CutPrefix(string(line), "object ")
	if !ok || len(target) != len(oid) || !isOID(target) {
		return "", fmt.Errorf("could not read tag %s: %w", oid, errMalformed)
	}
	return target, nil
}

// dirMode is the mode of a folder inside a tree object.
const dirMode snapshot.Mode = 0o040000

// parseTree reads the content of the tree object oid. Paths of the entries are single names; folders have dirMode.
func parseTree(oid string, data []byte) ([]snapshot.Entry, error) {
	size := hashOf(oid).size()
	var out []snapshot.Entry
	for len(data) > 0 {
		space := bytes.IndexByte(data[:min(len(data), 8)], ' ')
		end := bytes.IndexByte(data, 0)
		if space < 1 || end <= space+1 || len(data) < end+1+size {
			return nil, fmt.Errorf("could not read tree %s: %w", oid, errMalformed)
		}
		mode, ok := parseMode(data[:space])
		name := string(data[space+1 : end])
		if !ok || strings.IndexByte(name, '/') >= 0 || name == "." || name == ".." {
			return nil, fmt.Errorf("could not read tree %s: entry %q: %w", oid, name, errMalformed)
		}
		id := hex.EncodeToString(data[end+1 : end+1+size])
		out = append(out, snapshot.Entry{Path: name, Mode: mode, OID: snapshot.OID(id)})
		data = data[end+1+size:]
	}
	return out, nil
}

// parseMode reads an octal mode and makes it one of those that git distinguishes: permission bits of files count only as
// executable or not.
func parseMode(s []byte) (snapshot.Mode, bool) {
	var n uint32
	for _, c := range s {
		if c < '0' || c > '7' {
			return 0, false
		}
		n = n<<3 | uint32(c-'0')
	}
	switch n & 0o170000 {
	case 0o100000:
		if n&0o100 != 0 {
			return snapshot.Executable, true
		}
		return snapshot.Regular, true
	case 0o120000:
		return snapshot.Symlink, true
	case 0o040000:
		return dirMode, true
	case 0o160000:
		return snapshot.Gitlink, true
	case 0:
		return snapshot.None, n == 0
	}
	return 0, false
}

// resolve finds the commit that rev names and follows tags.
func (r *Repo) resolve(ctx context.Context, rev string) (*commit, error) {
	c, err := r.commitAt(ctx, rev)
	if errors.Is(err, snapshot.ErrNoObject) {
		return nil, r.unresolved(ctx, rev, err)
	}
	return c, err
}

// commitAt is resolve without the search for the reason: an unknown name is snapshot.ErrNoObject.
func (r *Repo) commitAt(ctx context.Context, rev string) (*commit, error) {
	if rev == "" || strings.ContainsAny(rev, "\n\x00") {
		return nil, &Error{Op: fmt.Sprintf("find commit %q", rev), Help: "name a commit, a branch or a tag"}
	}
	for name := rev; ; {
		o, err := r.objects.get(ctx, name, maxObject)
		if err != nil {
			return nil, err
		}
		switch o.kind {
		case "commit":
			return parseCommit(o.oid, o.data)
		case "tag":
			if name, err = parseTag(o.oid, o.data); err != nil {
				return nil, err
			}
		default:
			return nil, &Error{Op: fmt.Sprintf("find commit %q", rev), Help: "name a commit, a branch or a tag",
				Err: fmt.Errorf("it names a %s; %w", o.kind, errNoCommit)}
		}
	}
}

// maxObject bounds the size in bytes of commits, tags and trees.
const maxObject = 256 << 20

// unresolved makes the error for a name that git cannot find, with the remedy when the clone is shallow.
func (r *Repo) unresolved(ctx context.Context, rev string, cause error) error {
	help := "check the name, or fetch it"
	shallow, err := r.shallow(ctx)
	if err != nil {
		return errors.Join(cause, err)
	}
	if shallow {
		help = "this clone is shallow; fetch what it lacks with: " + deepen
	}
	var e *Error
	if errors.As(cause, &e) {
		return &Error{Op: fmt.Sprintf("find commit %q", rev), Args: e.Args, ExitCode: e.ExitCode, Stderr: e.Stderr, Help: help, Err: snapshot.ErrNoObject}
	}
	return &Error{Op: fmt.Sprintf("find commit %q", rev), Help: help, Err: cause}
}

// deepen is the command that fetches what a shallow clone lacks.
const deepen = "git fetch --unshallow (or git fetch --deepen=50)"

// shallow reports whether the repository's history is cut off.
func (r *Repo) shallow(ctx context.Context) (bool, error) {
	out, err := r.run(ctx, "ask whether the clone is shallow", nil, "rev-parse", "--is-shallow-repository")
	if err != nil {
		return false, err
	}
	switch s := strings.TrimSpace(string(out)); s {
	case "true", "false":
		return s == "true", nil
	default:
		return false, fmt.Errorf("could not ask whether the clone is shallow: git says %q", s)
	}
}
