// Package hooks puts Forge's scripts where git looks for hooks, takes them away again, and says how things stand
// (chapters 2.1 and 3.4 of the specification). An older hook is never lost: it is kept beside under another name, runs
// first, and comes back byte for byte.
//
// Each step leaves the repository protected: the older hook is copied before the new one takes its name, and both are
// written beside and renamed, so that a run that dies at any moment can be repeated or taken back.
package hooks

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	scripts "github.com/seed-4419f9ca/forge/hooks"
)

// A Repository answers what this package has to know of the repository it works in.
type Repository interface {
	// HooksDir returns the absolute path of the folder in which git looks for hooks: `rev-parse --git-path hooks`,
	// asked at the top of the work tree (in the git folder of a bare repository), where git starts hooks. The answer
	// must come from the user's configuration and from no core.hooksPath of the asking program's own.
	HooksDir(ctx context.Context) (string, error)
	// CommonDir returns the absolute path of the git folder that all worktrees share.
	CommonDir(ctx context.Context) (string, error)
	// Root returns the absolute path of the top of the work tree, "" for a bare repository.
	Root(ctx context.Context) (string, error)
	// Config returns the last value of key in scope with included files, or false when it is not set there.
	Config(ctx context.Context, scope Scope, key string) (value string, set bool, err error)
	// Version returns what `git version` prints.
	Version(ctx context.Context) (string, error)
}

// A Scope says which of git's configuration files are asked.
type Scope string

// The scopes of Repository.Config.
const (
	AnyScope      Scope = ""
	LocalScope    Scope = "local"
	WorktreeScope Scope = "worktree"
)

// Files is what this package does with the file system; its writes go through package atomicfile. Errors of files that are
// not there satisfy errors.Is(err, fs.ErrNotExist).
type Files interface {
	Lstat(path string) (fs.FileInfo, error)
	Stat(path string) (fs.FileInfo, error)
	ReadFile(path string) ([]byte, error)
	Readlink(path string) (string, error)
	// MkdirAll makes the folder path and those above it, as the umask allows.
	MkdirAll(path string) error
	// WriteFile writes data beside path and renames it to path; its mode is exactly perm, whatever the umask. A symlink
	// at path is replaced, not followed.
	WriteFile(path string, data []byte, perm fs.FileMode) error
	// Symlink makes a symlink at path, which must not exist.
	Symlink(target, path string) error
	Rename(from, to string) error
	Remove(path string) error
}

// A Keeper installs, removes and inspects the hooks of one repository.
type Keeper struct {
	Repo  Repository
	Files Files
}

// keptSuffix is added to the name of an older hook that is kept beside.
const keptSuffix = ".forge-kept"

// editedSuffix is added to the name under which a forced install saves a script of ours that somebody changed.
const editedSuffix = ".forge-edited"

// Names returns every hook that can be installed, those of a work tree first.
func Names() []string { return append(scripts.ClientNames(), scripts.ServerNames()...) }

// A Problem is something that is wrong, or worth knowing, and what to do about it.
type Problem struct {
	Path    string // the file or folder, "" when there is none
	Message string // one sentence in the present tense
	Help    string // the command or the edit that puts it right, may be ""
}

// A RequestError says that what was asked for does not exist or does not fit; it is a mistake on the command line.
type RequestError struct{ Message string }

func (e *RequestError) Error() string { return e.Message }

// A Refusal is returned when hooks stand in the way that must not be overwritten. Nothing has been written.
type Refusal struct{ Problems []Problem }

func (e *Refusal) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.Message
		if p.Help != "" {
			lines[i] += "; " + p.Help
		}
	}
	return "could not install the hooks: " + strings.Join(lines, "\n")
}

// A NotLocal is returned when core.hooksPath comes from outside the repository, so that other repositories use the same
// folder. Nothing has been written.
type NotLocal struct {
	Dir   string // the folder that git uses
	Lines []Line // what to add to its hooks by hand
}

// A Line belongs into a hook that its owner writes by hand, below its first line "#!/bin/sh".
type Line struct{ Path, Text string }

func (e *NotLocal) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "could not install the hooks: core.hooksPath is set to %q for more than this repository, and nothing is written there; "+
		"add these two lines to each of its hooks, or run `git config --local core.hooksPath DIR` first", e.Dir)
	for _, l := range e.Lines {
		fmt.Fprintf(&b, "\n%s:\n  #!/bin/sh\n  %s", l.Path, l.Text)
	}
	return b.String()
}

// byHand returns the line that does in a hook of the user's what the script called name does.
func byHand(name string) string {
	switch name {
	case "commit-msg":
		return `forge-pre-commit run --commit-msg "$1" || exit`
	case "pre-push":
		return `forge-pre-commit run --pre-push "$@" || exit`
	case "pre-receive":
		return `forge-pre-commit run --pre-receive || exit`
	case "update":
		return `echo "$2 $3 $1" | forge-pre-commit run --pre-receive || exit`
	case "prepare-commit-msg":
		return `[ -z "${FORGE_VIA:-}" ] || { echo >>"$1" && git interpret-trailers --in-place --no-divider --if-exists addIfDifferent --trailer "Forge-Via: $FORGE_VIA" "$1"; } || exit`
	}
	return `forge-pre-commit run || exit`
}

// known fails with *RequestError for a name that is no hook of ours.
func known(name string) error {
	if slices.Contains(Names(), name) {
		return nil
	}
	return &RequestError{fmt.Sprintf("there is no hook %q to install; the hooks are %s", name, strings.Join(Names(), ", "))}
}
