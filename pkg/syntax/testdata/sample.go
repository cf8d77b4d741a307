// Package harbour assigns berths to ships.
package harbour

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"sync"
)

// MaxDraught is in metres.
const MaxDraught = 12

const (
	Free State = iota
	Taken
	Closed
)

var (
	ErrFull  = errors.New("no berth is free")
	ErrDepth = fmt.Errorf("draught above %d", MaxDraught)

	first, last = 1, 40
)

var registry = map[string]func() Pilot{
	"north": func() Pilot { return &north{} },
}

// A State says what a berth is doing.
type State int

type (
	// A ShipID names a ship.
	ShipID string

	Ledger map[ShipID][]Entry
	Notify func(ctx context.Context, e Entry) error
)

type Alias = Ledger

// An Entry is one line of the log.
type Entry struct {
	Ship     ShipID `json:"ship"`
	Draught  int    `json:"draught,omitempty"`
	from, to int
	meta     struct {
		clerk string
		tags  []string
	}
}

// A Berth is one place at the quay.
type Berth struct {
	sync.Mutex
	*Ledger
	State

	number int
	log    []Entry
	hooks  []Notify
}

// A Pilot brings ships in.
type Pilot interface {
	fmt.Stringer
	Guide(ctx context.Context, ship ShipID) (int, error)
	Rest()
}

type Number interface {
	~int | ~int64
}

// A Queue holds ships that wait.
type Queue[T Number, V any] struct {
	items []V
	less  func(a, b V) bool
}

func NewQueue[T Number, V any](less func(a, b V) bool) *Queue[T, V] {
	return &Queue[T, V]{less: less}
}

// Push adds one.
func (q *Queue[T, V]) Push(v V) {
	type slot struct{ at int }
	q.items = append(q.items, v)
	sort.Slice(q.items, func(i, j int) bool { return q.less(q.items[i], q.items[j]) })
}

func (q Queue[T, V]) Len() int { return len(q.items) }

// Assign gives the berth to the ship.
func (b *Berth) Assign(ship ShipID, draught int) error {
	const margin = 1
	if draught+margin > MaxDraught {
		return fmt.Errorf("%w: %d", ErrDepth, draught)
	}
	b.Lock()
	defer b.Unlock()
	switch b.State {
	case Taken, Closed:
		return ErrFull
	}
	b.log = append(b.log, Entry{Ship: ship, Draught: draught})
	for _, hook := range b.hooks {
		if err := hook(context.Background(), b.log[len(b.log)-1]); err != nil {
			return err
		}
	}
	return nil
}

func (b *Berth) Close() { b.State = Closed }

type north struct{}

func (*north) Guide(context.Context, ShipID) (int, error) { return 0, nil }
func (*north) Rest()                                      {}
func (n *north) String() string                           { return "north" }

func (l Ledger) Close() {}

func init() { registry["south"] = nil }

func init() { registry["east"] = nil }

func main() {
	helper := func(n int) int {
		var twice = n * 2
		return twice
	}
	fmt.Println(helper(first), last)
}
