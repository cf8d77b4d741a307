package facts_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/seed-4419f9ca/forge/pkg/facts"
)

type key struct{ n int }

func TestMemoWorksAFactOutOnce(t *testing.T) {
	var s facts.Store
	var calls atomic.Int32
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			got, err := facts.Memo(&s, key{1}, func() (int, error) { calls.Add(1); return 42, nil })
			if got != 42 || err != nil {
				t.Errorf("%d, %v", got, err)
			}
		})
	}
	wg.Wait()
	if calls.Load() != 1 {
		t.Errorf("worked out %d times", calls.Load())
	}
	if other, _ := facts.Memo(&s, key{2}, func() (int, error) { return 7, nil }); other != 7 {
		t.Error("two keys share a fact")
	}
}

func TestMemoKeepsAnError(t *testing.T) {
	var s facts.Store
	first := errors.New("unreadable")
	for _, answer := range []error{first, errors.New("another answer")} {
		if _, err := facts.Memo(&s, key{1}, func() (int, error) { return 0, answer }); !errors.Is(err, first) {
			t.Errorf("got %v", err)
		}
	}
}
