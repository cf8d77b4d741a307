package git

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/gitobject"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

var errNoCommit = errors.New("it is no commit")

// resolve finds the commit that rev names and follows tags.
func (r *Repo) resolve(ctx context.Context, rev string) (*gitobject.Commit, error) {
	c, err := r.commitAt(ctx, rev)
	if errors.Is(err, snapshot.ErrNoObject) {
		return nil, r.unresolved(ctx, rev, err)
	}
	return c, err
}

// commitAt is resolve without the search for the reason: an unknown name is snapshot.ErrNoObject.
func (r *Repo) commitAt(ctx context.Context, rev string) (*gitobject.Commit, error) {
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
			return gitobject.ParseCommit(o.oid, o.data)
		case "tag":
			if name, err = gitobject.ParseTag(o.oid, o.data); err != nil {
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
	out := &Error{Op: fmt.Sprintf("find commit %q", rev), ExitCode: -1, Help: help, Err: cause}
	var e *Error
	if errors.As(cause, &e) {
		out.Stderr, out.Err = e.Stderr, e.Err
	}
	return out
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
