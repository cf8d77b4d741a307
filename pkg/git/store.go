package git

import (
	"fmt"
	"io"
)

// A store keeps objects by id up to max bytes of content and lets go of the oldest first.
type store struct {
	max     int64
	bytes   int64
	objects map[string]object
	order   []string
}

// overhead is what an object costs beside its content, in bytes.
const overhead = 256

func (s *store) has(oid string) bool { _, ok := s.objects[oid]; return ok }

func (s *store) get(oid string) (object, bool) { o, ok := s.objects[oid]; return o, ok }

func (s *store) put(oid string, o object) {
	if s.objects == nil {
		s.objects = map[string]object{}
	}
	if old, ok := s.objects[oid]; ok {
		s.bytes -= int64(len(old.data)) + overhead
	} else {
		s.order = append(s.order, oid)
	}
	s.objects[oid] = o
	s.bytes += int64(len(o.data)) + overhead
	for s.bytes > s.max && len(s.order) > 1 {
		oldest := s.order[0]
		s.order = s.order[1:]
		s.bytes -= int64(len(s.objects[oldest].data)) + overhead
		delete(s.objects, oldest)
	}
}

// A stream reads one content from a process that a batch gave away.
type stream struct {
	repo *Repo
	proc *process
	name string
	left int64 // bytes
}

func (s *stream) Read(p []byte) (int, error) {
	if s.left == 0 {
		return 0, io.EOF
	}
	n, err := s.proc.answers.Read(p[:min(int64(len(p)), s.left)])
	s.left -= int64(n)
	if err == nil || s.left == 0 {
		return n, nil
	}
	_ = s.proc.in.Close()
	exit := s.proc.wait()
	if exit == nil {
		exit = fmt.Errorf("its answer was cut short: %w", io.ErrUnexpectedEOF)
	}
	return n, failure(fmt.Sprintf("read object %q", s.name), s.proc.args, exit, s.proc.said.String())
}

// Close ends the process.
func (s *stream) Close() error {
	s.proc.stop()
	s.repo.mu.Lock()
	defer s.repo.mu.Unlock()
	delete(s.repo.streams, s.proc)
	return nil
}

// adopt notes a stream's process, so that Close of the repository ends it.
func (r *Repo) adopt(s *stream) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return errClosed
	}
	r.streams[s.proc] = struct{}{}
	return nil
}
