package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/seed-4419f9ca/forge/pkg/gitobject"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// A batch is one long-lived "git cat-file --batch". Requests are written ahead of the answers, so that git works while
// the program does, but never more than a pipe holds: a write cannot block, and no goroutine is needed. Answers are taken
// from the pipe when somebody waits for one; those that arrive on the way are kept, up to a budget.
type batch struct {
	repo      *Repo
	openLimit int64 // bytes up to which open answers from memory
	mu        sync.Mutex
	proc      *process
	sent      []request // written and not answered, in the order of the answers
	sentBytes int
	urgent    []request       // somebody waits for these: to be written first
	queue     []request       // asked ahead, to be written when there is room
	waiting   map[string]bool // the names in queue; one that is not marked has been asked otherwise
	store     store
	errs      map[string]error // what went wrong for an id that was asked ahead
	shelf     *shelf           // to be looked at before git is asked for the first time; nil when there is none or git runs
	closed    bool
}

// A request asks for one object.
type request struct {
	name   string // an id, or any name that git resolves
	limit  int64  // bytes above which the content is not taken; 0 or less for none
	stream bool   // above the limit, the process is handed over instead
}

// An object is an answer. data is nil when the content was over the limit.
type object struct {
	oid, kind string
	size      int64
	data      []byte
}

const (
	window    = 4096    // bytes of requests that may be under way; no pipe is smaller
	drainable = 1 << 20 // bytes that are cheaper to read away than a new process
	storeSize = 16 << 20
)

func newBatch(r *Repo, openLimit int64) *batch {
	return &batch{repo: r, openLimit: openLimit, waiting: map[string]bool{}, errs: map[string]error{}, store: store{max: storeSize}}
}

// get returns the object that name stands for. Over the limit it returns the object without data.
func (b *batch) get(ctx context.Context, name string, limit int64) (object, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	o, _, err := b.fetch(ctx, request{name: name, limit: limit})
	return o, err
}

// open returns the object that name stands for, with its data or, above the batch's limit, with a stream of it.
func (b *batch) open(ctx context.Context, name string) (object, io.ReadCloser, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	o, s, err := b.fetch(ctx, request{name: name, limit: b.openLimit, stream: true})
	if err != nil || s == nil {
		return o, nil, err
	}
	return o, s, nil
}

// prefetch asks ahead for objects by id.
func (b *batch) prefetch(names []string, limit int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, name := range names {
		if !b.waiting[name] && !b.store.has(name) && b.errs[name] == nil && !asked(b.sent, name) {
			b.waiting[name] = true
			b.queue = append(b.queue, request{name: name, limit: limit})
		}
	}
	if b.shelf != nil {
		return // it may do without git
	}
	_ = b.fill() // who waits for an object meets the error again
}

// fetch answers one request. The caller holds the lock.
func (b *batch) fetch(ctx context.Context, want request) (object, *stream, error) {
	for {
		if err := ctx.Err(); err != nil {
			return object{}, nil, err
		}
		if b.closed {
			return object{}, nil, errClosed
		}
		if err := b.errs[want.name]; err != nil {
			return object{}, nil, err
		}
		if o, ok := b.store.get(want.name); ok && (o.data != nil || (!want.stream && over(o.size, want.limit))) {
			return o, nil, nil
		}
		if o, ok := b.near(want); ok {
			return o, nil, nil
		}
		if err := b.ask(want); err != nil {
			return object{}, nil, err
		}
		head := b.sent[0]
		o, s, err := b.receive()
		switch {
		case head.name != want.name:
			if s != nil {
				s.Close()
			}
			b.keep(head, o, err)
		case err != nil:
			return object{}, nil, err
		case s != nil || o.data != nil || (!want.stream && over(o.size, want.limit)):
			b.keep(head, o, nil)
			return o, s, nil
		}
	}
}

func over(size, limit int64) bool { return limit > 0 && size > limit }

// keep remembers the answer to a request by the object's id. What a name stands for is not remembered.
func (b *batch) keep(q request, o object, err error) {
	switch {
	case err == nil:
		b.store.put(o.oid, o)
	case gitobject.IsID(q.name):
		b.errs[q.name] = err
	}
}

// ask makes sure that want is under way. When it is already, its limit is widened.
func (b *batch) ask(want request) error {
	for i := range b.sent {
		if b.sent[i].name == want.name {
			b.sent[i].stream = b.sent[i].stream || want.stream
			if want.limit <= 0 || (b.sent[i].limit > 0 && b.sent[i].limit < want.limit) {
				b.sent[i].limit = want.limit
			}
			return b.fill()
		}
	}
	if !asked(b.urgent, want.name) {
		b.urgent = append(b.urgent, want)
	}
	delete(b.waiting, want.name)
	return b.fill()
}

func asked(list []request, name string) bool {
	return slices.ContainsFunc(list, func(q request) bool { return q.name == name })
}

// fill writes requests from the queue when half of the window is free. It starts git when none is running.
func (b *batch) fill() error {
	if b.closed || b.sentBytes > window/2 || len(b.urgent)+len(b.queue) == 0 {
		return nil
	}
	if b.proc == nil {
		p, err := b.repo.start("read objects", "cat-file", "--batch")
		if err != nil {
			return err
		}
		b.proc = p
	}
	var lines bytes.Buffer
	for q, ok := b.next(); ok && (b.sentBytes == 0 || b.sentBytes+len(q.name) < window); q, ok = b.next() {
		lines.WriteString(q.name)
		lines.WriteByte('\n')
		b.take(q)
	}
	_, _ = b.proc.in.Write(lines.Bytes()) // a process that died shows when its answer is read
	return nil
}

// next returns the request to be written next and leaves it where it is.
func (b *batch) next() (request, bool) {
	if len(b.urgent) > 0 {
		return b.urgent[0], true
	}
	for len(b.queue) > 0 && !b.waiting[b.queue[0].name] {
		b.queue = b.queue[1:]
	}
	if len(b.queue) == 0 {
		return request{}, false
	}
	return b.queue[0], true
}

// take moves q, which next returned, to those that are under way.
func (b *batch) take(q request) {
	if len(b.urgent) > 0 {
		b.urgent = b.urgent[1:]
	} else {
		b.queue = b.queue[1:]
		delete(b.waiting, q.name)
	}
	b.sent = append(b.sent, q)
	b.sentBytes += len(q.name) + 1
}

// receive takes the next answer from the pipe: that to b.sent[0].
func (b *batch) receive() (object, *stream, error) {
	if len(b.sent) == 0 {
		return object{}, nil, errors.New("could not read objects: nothing was asked")
	}
	q := b.sent[0]
	line, err := b.proc.answers.ReadString('\n')
	if err != nil {
		return object{}, nil, b.died(q, err)
	}
	b.sent = b.sent[1:]
	b.sentBytes -= len(q.name) + 1
	o, err := parseHeader(strings.TrimSuffix(line, "\n"), q.name)
	if err != nil {
		return object{}, nil, b.refused(q, err)
	}
	if over(o.size, q.limit) {
		return b.skip(q, o)
	}
	data := make([]byte, o.size+1)
	if _, err := io.ReadFull(b.proc.answers, data); err != nil {
		return object{}, nil, b.died(q, err)
	}
	if data[o.size] != '\n' {
		return object{}, nil, b.died(q, errors.New("git's answer has no end"))
	}
	o.data = data[:o.size:o.size]
	return o, nil, nil
}

// skip leaves out a content over the limit: it is read away, cut off with its process, or handed over as a stream.
func (b *batch) skip(q request, o object) (object, *stream, error) {
	if q.stream {
		s := &stream{proc: b.proc, left: o.size, name: q.name, repo: b.repo}
		if err := b.repo.adopt(s); err != nil {
			return object{}, nil, err
		}
		b.detach()
		return o, s, nil
	}
	if o.size > drainable {
		b.proc.stop()
		b.detach()
		return o, nil, nil
	}
	if _, err := io.CopyN(io.Discard, b.proc.answers, o.size+1); err != nil {
		return object{}, nil, b.died(q, err)
	}
	return o, nil, nil
}

// detach forgets the process; what it was asked and has not answered is asked again.
func (b *batch) detach() {
	b.proc = nil
	for _, q := range b.sent {
		b.waiting[q.name] = true
	}
	b.queue = append(b.sent, b.queue...)
	b.sent, b.sentBytes = nil, 0
}

// refused makes the error for an object that git says is not there. git's words about it came before, on standard error;
// ending the process is the way to have them all.
func (b *batch) refused(q request, cause error) error {
	e := &Error{Op: fmt.Sprintf("read object %q", q.name), Args: b.proc.args, ExitCode: -1, Err: cause}
	if errors.Is(cause, snapshot.ErrNoObject) && !gitobject.IsID(q.name) {
		e.Err = unknownName{}
	}
	if gitobject.IsID(q.name) {
		b.proc.stop()
		e.Stderr = strings.TrimSpace(b.proc.said.String())
		e.Help = "look for damage with: git fsck --full"
		b.detach()
	}
	return e
}

// unknownName is the cause of an answer, by a git that is well, that a name leads to nothing. It is a
// snapshot.ErrNoObject, but not every one of those is it: they can come from a git that failed.
type unknownName struct{}

func (unknownName) Error() string        { return "it is not in this repository" }
func (unknownName) Is(target error) bool { return target == snapshot.ErrNoObject }

// died makes the error of a process that ended before it answered q.
func (b *batch) died(q request, cause error) error {
	_ = b.proc.in.Close() // a process that is alive ends by itself and tells how
	err := b.proc.wait()
	if ctxErr := b.repo.ctx.Err(); ctxErr != nil {
		err, cause = ctxErr, ctxErr
	}
	args, stderr := b.proc.args, b.proc.said.String()
	if len(b.sent) > 0 && b.sent[0].name == q.name {
		b.sent = b.sent[1:]
	}
	b.detach()
	if err == nil {
		err = fmt.Errorf("its answer was cut short: %w", cause)
	}
	return failure(fmt.Sprintf("read object %q", q.name), args, err, stderr)
}

// parseHeader reads the first line of an answer, without its newline, to a request for name.
func parseHeader(line, name string) (object, error) {
	if rest, ok := strings.CutPrefix(line, name+" "); ok && !strings.Contains(rest, " ") {
		if rest == "missing" {
			return object{}, snapshot.ErrNoObject
		}
		return object{}, fmt.Errorf("git says %q", rest)
	}
	oid, rest, _ := strings.Cut(line, " ")
	kind, size, _ := strings.Cut(rest, " ")
	n, err := strconv.ParseInt(size, 10, 64)
	if err != nil || n < 0 || !gitobject.IsID(oid) || (gitobject.IsID(name) && oid != name) {
		return object{}, fmt.Errorf("git's answer %q is not understood", line)
	}
	switch kind {
	case "blob", "tree", "commit", "tag":
		return object{oid: oid, kind: kind, size: n}, nil
	}
	return object{}, fmt.Errorf("git's answer %q is not understood", line)
}

// forget lets go of what was not there, after more has been fetched. The process ends, since it has seen less.
func (b *batch) forget() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.errs = map[string]error{}
	if b.proc != nil {
		b.proc.stop()
		b.detach()
	}
}

// close ends the process.
func (b *batch) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	b.leave()
	if b.proc != nil {
		b.proc.stop()
		b.proc = nil
	}
	b.sent, b.urgent, b.queue, b.store = nil, nil, nil, store{}
}
