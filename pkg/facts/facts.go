// Package facts keeps what was worked out from the contents of a snapshot, so that several checks parse a file once. Facts
// are keyed by content, computed when first asked for, and live as long as one run.
package facts

import "sync"

// A Store holds the facts of one run. The zero Store is ready; it is safe for concurrent use.
type Store struct {
	mu sync.Mutex
	m  map[any]any
}

type fact[T any] struct {
	once  sync.Once
	value T
	err   error
}

// Memo returns the fact under key, which make works out when it is asked for first. Keys are compared like map keys; use
// a struct type of your own so that packages cannot collide. An error is kept like a value.
func Memo[T any](s *Store, key any, make func() (T, error)) (T, error) {
	s.mu.Lock()
	if s.m == nil {
		s.m = map[any]any{}
	}
	f, ok := s.m[key].(*fact[T])
	if !ok {
		f = &fact[T]{}
		s.m[key] = f
	}
	s.mu.Unlock()
	f.once.Do(func() { f.value, f.err = make() })
	return f.value, f.err
}
