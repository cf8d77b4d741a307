package git

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/gitobject"
)

// A home is the folders in which git keeps a repository, found without asking git. Only plain cases are found: whatever is
// set or written that could make git look elsewhere leads to no home, and git is asked.
//
// Who acts on what a home says must also have an answer of git's about the same repository, and fail when git fails: whether
// a folder is a repository at all, and one that may be trusted, is for git to say.
type home struct {
	dir    string // what belongs to this working tree: HEAD, MERGE_HEAD
	common string // what all working trees share: objects, refs, config
}

const (
	maxNote  = 4 << 10   // bytes of a file that holds a line or a few: HEAD, a ref
	maxTable = 256 << 10 // bytes of a file that holds many: packed-refs, config
	maxUp    = 64        // folders between the one to start from and that of the repository
)

// moves are the variables that make git look elsewhere than a home does, or answer in other ways. GIT_DIR is followed.
func moves() []string {
	return []string{
		"GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_QUARANTINE_PATH", "GIT_NAMESPACE",
		"GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM", "GIT_REF_FORMAT", "GIT_REFERENCE_BACKEND",
	}
}

// findHome finds the home of the repository that git finds from the folder dir, "" for the current one, with env.
func findHome(dir string, env []string) (home, bool) {
	for _, name := range moves() {
		if _, set := getenv(env, name); set {
			return home{}, false
		}
	}
	if name, set := getenv(env, "GIT_DIR"); set {
		if name == "" {
			return home{}, false
		}
		if !filepath.IsAbs(name) {
			name = inside(dir, name)
		}
		return share(name)
	}
	for range maxUp {
		dot := inside(dir, ".git")
		info, err := os.Stat(dot)
		switch {
		case err == nil && info.IsDir():
			return share(dot)
		case err == nil:
			return pointed(dir, dot)
		case !absent(err) || !missing(inside(dir, "HEAD")): // with a HEAD it may be a bare repository
			return home{}, false
		}
		dir = inside(dir, "..")
	}
	return home{}, false
}

// inside joins two paths as they stand: a link in dir may make ".." lead elsewhere than the names tell.
func inside(dir, name string) string {
	if dir == "" {
		return name
	}
	return dir + string(filepath.Separator) + name
}

// pointed finds the home that the file dot names, which stands in dir: that of a linked working tree or a submodule.
func pointed(dir, dot string) (home, bool) {
	text, ok := note(dot, maxNote)
	name, ok2 := strings.CutPrefix(strings.TrimRight(string(text), "\r\n"), "gitdir: ")
	if !ok || !ok2 || name == "" {
		return home{}, false
	}
	if !filepath.IsAbs(name) {
		name = inside(dir, name)
	}
	return share(name)
}

// share completes the home whose own folder is dir. The format of its refs must be that of files.
func share(dir string) (home, bool) {
	h := home{dir, dir}
	if file := inside(dir, "commondir"); !missing(file) {
		text, ok := note(file, maxNote)
		h.common = strings.TrimRight(string(text), "\r\n")
		if !ok || h.common == "" {
			return home{}, false
		}
		if !filepath.IsAbs(h.common) {
			h.common = inside(dir, h.common)
		}
	}
	config, ok := note(inside(h.common, "config"), maxTable)
	return h, ok && !bytes.Contains(bytes.ToLower(config), []byte("refstorage"))
}

// head returns the id of the commit that HEAD names, by itself or through one branch.
func (h home) head() (string, bool) {
	text, ok := note(inside(h.dir, "HEAD"), maxNote)
	if !ok {
		return "", false
	}
	name, symbolic := strings.CutPrefix(string(text), "ref: ")
	if !symbolic {
		id, ok := wholeID(text)
		return id, ok && h.hasRefs()
	}
	name, ok = strings.CutSuffix(name, "\n")
	if !ok || !plainBranch(name) {
		return "", false
	}
	file := inside(h.common, filepath.FromSlash(name))
	if text, ok := note(file, maxNote); ok {
		return wholeID(text)
	}
	if !missing(file) || !h.hasRefs() {
		return "", false
	}
	return h.packedRef(name)
}

// hasRefs reports whether the folder of refs is there and may be entered, without which git sees no repository.
func (h home) hasRefs() bool {
	_, err := os.Stat(inside(inside(h.common, "refs"), "."))
	return err == nil
}

// packedRef finds a ref that has no file of its own among the lines "ID NAME" of packed-refs.
func (h home) packedRef(name string) (string, bool) {
	table, ok := note(inside(h.common, "packed-refs"), maxTable)
	if !ok || !bytes.HasSuffix(table, []byte("\n")) {
		return "", false
	}
	before, after, ok := bytes.Cut(table, []byte(" "+name+"\n"))
	if !ok || bytes.Contains(after, []byte(" "+name+"\n")) {
		return "", false
	}
	id := string(before[bytes.LastIndexByte(before, '\n')+1:])
	return id, gitobject.IsID(id)
}

// wholeID reads a file that holds an id and the end of its line.
func wholeID(text []byte) (string, bool) {
	id, ok := strings.CutSuffix(string(text), "\n")
	return id, ok && gitobject.IsID(id)
}

// plainBranch reports whether name is the full name of a branch, without anything in it that git or a file system could
// read as something else.
func plainBranch(name string) bool {
	short, ok := strings.CutPrefix(name, "refs/heads/")
	if !ok {
		return false
	}
	for part := range strings.SplitSeq(short, "/") {
		if part == "" || part[0] == '.' || strings.HasSuffix(part, ".lock") || strings.HasSuffix(part, ".") || strings.Contains(part, "..") {
			return false
		}
		for i := range len(part) {
			if c := part[i]; c <= ' ' || c == 0x7f || strings.IndexByte(`~^:?*[\{`, c) >= 0 {
				return false
			}
		}
	}
	return true
}

// merging reports whether a file MERGE_HEAD is there, or may be: git has no other sign that a merge waits for its commit.
func (h home) merging() bool { return !missing(inside(h.dir, "MERGE_HEAD")) }

// missing reports whether it is certain that there is no file of that name.
func missing(name string) bool {
	_, err := os.Lstat(name)
	return absent(err)
}

func absent(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// note reads a regular file, itself and no link to it, of no more than max bytes.
func note(name string, max int64) ([]byte, bool) {
	f, size, ok := openFile(name)
	if !ok {
		return nil, false
	}
	defer f.close()
	if size > max {
		return nil, false
	}
	text := make([]byte, size)
	return text, f.readAt(text, 0) == len(text)
}
