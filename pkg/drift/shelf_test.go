package drift_test

import (
	"slices"
	"sync"
)

// A shelf is a cache in memory.
type shelf struct {
	mu      sync.Mutex
	entries map[string][]byte
}

func (s *shelf) Load(name string) ([]byte, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	data, ok := s.entries[name]
	return slices.Clone(data), ok
}

func (s *shelf) Store(name string, data []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.entries == nil {
		s.entries = map[string][]byte{}
	}
	s.entries[name] = slices.Clone(data)
	return nil
}
