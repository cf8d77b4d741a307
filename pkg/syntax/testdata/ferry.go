// Package ferry sells passages between islands and keeps the manifest of every crossing.
package ferry

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"
)

// Limits of one crossing.
const (
	MaxVehicles   = 48
	MaxPassengers = 400
	reserveSeats  = MaxPassengers / 20
)

const DefaultRoute = "Northness-Skarvik"

// A Deck is where a vehicle stands.
type Deck uint8

// The decks, from the keel up.
const (
	DeckHold Deck = iota + 1
	DeckMain
	_
	DeckUpper
)

// Classes of passage, as bits.
const (
	ClassFoot Class = 1 << iota
	ClassCycle
	ClassCar
	classWheeled = ClassCycle | ClassCar
)

type Class uint

var (
	// ErrFull says that a crossing has no place left.
	ErrFull    = errors.New("the crossing is full")
	ErrSailed  = errors.New("the crossing has sailed")
	errUnknown = fmt.Errorf("unknown class %d", classWheeled)
)

var tariff = map[Class]int{
	ClassFoot:  450,
	ClassCycle: 620,
	ClassCar:   2900,
}

var north, south = "Northness", "Skarvik"

// A Money is an amount in cents.
type Money = int

type (
	// A Passage is one ticket.
	Passage struct {
		ID        string `json:"id"`
		Class     Class  `json:"class"`
		Holder    Person
		issued    time.Time
		from, to  string
		discounts []func(Money) Money
	}

	// A Person travels.
	Person struct {
		Name    string
		Contact struct {
			Phone string
			Mail  string
		}
	}

	// PriceFunc computes what a passage costs.
	PriceFunc func(p *Passage) (Money, error)
)

// A Store keeps passages.
type Store interface {
	io.Closer
	Reader
	Put(ctx context.Context, p *Passage) error
	Count() int
}

// A Reader finds passages.
type Reader interface {
	Get(ctx context.Context, id string) (*Passage, error)
}

// A Crossing is one sailing with what it carries.
type Crossing struct {
	sync.Mutex
	*Vessel
	Departs  time.Time
	manifest []*Passage
	decks    map[Deck][]string
	closed   bool
}

// A Vessel carries crossings.
type Vessel struct {
	Name     string
	Capacity int
}

// Number is what can be summed.
type Number interface{ ~int | ~int64 | ~float64 }

// A Ring keeps the last entries of a log.
type Ring[T any] struct {
	items []T
	next  int
}

// NewRing returns a ring of a size.
func NewRing[T any](size int) *Ring[T] {
	return &Ring[T]{items: make([]T, 0, size)}
}

// Add puts an item into the ring.
func (r *Ring[T]) Add(item T) {
	if len(r.items) < cap(r.items) {
		r.items = append(r.items, item)
		return
	}
	r.items[r.next] = item
	r.next = (r.next + 1) % len(r.items)
}

// Len returns how many items there are.
func (r Ring[_]) Len() int { return len(r.items) }

// Sum adds numbers up.
func Sum[N Number](numbers ...N) (total N) {
	for _, n := range numbers {
		total += n
	}
	return total
}

// Book sells a passage on the crossing.
func (c *Crossing) Book(ctx context.Context, p *Passage, price PriceFunc) (Money, error) {
	const grace = 5 * time.Minute
	type slot struct {
		deck Deck
		at   int
	}
	c.Lock()
	defer c.Unlock()
	if err := ctx.Err(); err != nil {
		return 0, fmt.Errorf("could not book %q: %w", p.ID, err)
	}
	if c.closed || time.Until(c.Departs) < grace {
		return 0, ErrSailed
	}
	if len(c.manifest) >= MaxPassengers-reserveSeats {
		return 0, ErrFull
	}
	cost, err := price(p)
	if err != nil {
		return 0, err
	}
	for _, discount := range p.discounts {
		cost = discount(cost)
	}
	if p.Class&classWheeled != 0 {
		s := slot{deck: DeckMain, at: len(c.decks[DeckMain])}
		c.decks[s.deck] = append(c.decks[s.deck], p.ID)
	}
	c.manifest = append(c.manifest, p)
	return max(cost, 0), nil
}

// Close ends the sale.
func (c *Crossing) Close() error {
	c.closed = true
	return nil
}

// Weight estimates the load in tonnes.
func (c Crossing) Weight() (tonnes float64) {
	for deck, list := range c.decks {
		switch deck {
		case DeckHold:
			tonnes += 12.5 * float64(len(list))
		case DeckMain, DeckUpper:
			tonnes += 1.6 * float64(len(list))
		default:
			panic(fmt.Sprintf("no such deck: %d", deck))
		}
	}
	return
}

// Standard is the price by the tariff.
func Standard(p *Passage) (Money, error) {
	cents, ok := tariff[p.Class]
	if !ok {
		return 0, errUnknown
	}
	if strings.EqualFold(p.from, north) && p.to == south {
		cents -= 50
	}
	return cents, nil
}

type memory struct {
	passages map[string]*Passage
}

func (m *memory) Put(_ context.Context, p *Passage) error {
	if m.passages == nil {
		m.passages = map[string]*Passage{}
	}
	m.passages[p.ID] = p
	return nil
}

func (m *memory) Get(_ context.Context, id string) (*Passage, error) {
	if p := m.passages[id]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("no passage %q", id)
}

func (m *memory) Count() int { return len(m.passages) }

func (*memory) Close() error { return nil }

var _ Store = (*memory)(nil)

// Names lists who is on board, sorted.
func (c *Crossing) Names() []string {
	var names []string
	for _, p := range c.manifest {
		names = append(names, p.Holder.Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func init() { tariff[ClassFoot|ClassCycle] = 700 }

func init() {
	tariff[classWheeled] = 3100
}
