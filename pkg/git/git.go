// Package git reads a repository through git itself (chapter 3 of the specification). It is the only package that starts
// processes. A change is listed once and contents are then read by object id only; the index and the working tree are
// never written and, but for a working-tree change, never read.
package git

import (
	"context"
	"errors"
	"os"
	"sync"

	"github.com/seed-4419f9ca/forge/pkg/gitobject"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// DefaultFileLimit is the size in bytes above which Open streams a content from a process of its own.
const DefaultFileLimit = 4 << 20

// Options say which repository to open.
type Options struct {
	// Dir is the folder to start from, as with git -C; "" for the current one.
	Dir string
	// Env is the environment that children get, with git's own variables left as they are; nil for that of the process.
	Env []string
	// LimitFile is the size in bytes up to which contents are handled in memory by Open; 0 for DefaultFileLimit.
	LimitFile int64
}

// A Repo reads one repository. It is safe for concurrent use. Its children live until Close or until the context given to
// Open ends.
type Repo struct {
	ctx     context.Context
	program string // absolute path of git
	dir     string
	env     []string // for children about this repository
	raw     []string // the environment as it was given
	objects *batch
	trees   treeCache
	format  once[gitobject.Format]

	mu      sync.Mutex
	streams map[*process]struct{}
	closed  bool
}

// Open prepares to read the repository that git finds from opts.Dir. It fails when there is no git to run; whether there
// is a repository shows when something is read. The children are killed when ctx ends.
func Open(ctx context.Context, opts Options) (*Repo, error) {
	env := opts.Env
	if env == nil {
		env = os.Environ()
	}
	program, err := findProgram(env)
	if err != nil {
		return nil, err
	}
	limit := opts.LimitFile
	if limit <= 0 {
		limit = DefaultFileLimit
	}
	r := &Repo{ctx: ctx, program: program, dir: opts.Dir, env: childEnv(env), raw: env, streams: map[*process]struct{}{}}
	r.objects = newBatch(r, limit)
	return r, nil
}

// Close ends all children and waits for them. It may be called more than once.
func (r *Repo) Close() error {
	r.mu.Lock()
	r.closed = true
	open := r.streams
	r.streams = map[*process]struct{}{}
	r.mu.Unlock()
	for p := range open {
		p.stop()
	}
	r.objects.close()
	return nil
}

var errClosed = errors.New("the repository was closed")

// Dir returns the folder that the repository was opened from, "" for the current one.
func (r *Repo) Dir() string { return r.dir }

// Tree returns the tree of the commit that rev names; tags are followed. The Tree's ID is the commit's id.
func (r *Repo) Tree(ctx context.Context, rev string) (snapshot.Tree, error) {
	c, err := r.resolve(ctx, rev)
	if err != nil {
		return nil, err
	}
	return r.treeOf(c), nil
}

// once works a value out the first time it is asked for; an error is not kept.
type once[T any] struct {
	mu    sync.Mutex
	done  bool
	value T
}

func (o *once[T]) get(make func() (T, error)) (T, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.done {
		return o.value, nil
	}
	v, err := make()
	if err == nil {
		o.value, o.done = v, true
	}
	return v, err
}

// findProgram returns the path of the git program in env's PATH.
func findProgram(env []string) (string, error) {
	path, _ := getenv(env, "PATH")
	name, err := lookIn(path)
	if err != nil {
		return "", &Error{Op: "find git", Help: "install git 2.25 or newer, or add its folder to PATH", Err: err}
	}
	return name, nil
}
