package mindblock

import (
	"math/bits"
	"math/rand/v2"
	"sort"
)

// An Index finds runs of a fixed number of words of one text in others. Texts are compared word by word; the cost is linear
// in both, whatever they hold.
type Index struct {
	length int
	groups [][]Word
	starts []int    // by group: the index of its first word
	wins   []window // by the index of the first word; the last ones of a group are no windows
	heads  []int32  // by slot: 1 + the window that begins the chain, 0 for none
	factor uint64   // spreads sums over slots, drawn anew so that nobody can aim at one
	shift  int
	top    uint64 // factor of the first word in a window's sum
	ring   []Word // the last words of the text that Match reads
}

// A window is a run of the indexed text. Of windows with the same words, the first stands for all.
type window struct {
	sum  uint64
	next int32 // 1 + the next window of the chain
	same int32 // index of the window that stands for it; -1 for no window
	hit  *Hit
}

// A Hit is where a run was found.
type Hit struct {
	Start, End int // bytes in the other text
	Source     int // as given to Match
}

// base is the base in which the sums of words are digits of a window's sum.
const base = 0x9e3779b97f4a7c15

// NewIndex indexes every run of length words in each of groups; no run spans two groups.
func NewIndex(length int, groups ...[]Word) *Index {
	x := &Index{length: max(length, 1), top: 1, factor: rand.Uint64() | 1, ring: make([]Word, max(length, 1))}
	for range x.length - 1 {
		x.top *= base
	}
	total := 0
	for _, g := range groups {
		total += len(g)
	}
	width := bits.Len(uint(total * 2))
	x.shift = 64 - width
	x.heads = make([]int32, 1<<width)
	x.wins = make([]window, 0, total)
	for _, g := range groups {
		x.add(g)
	}
	return x
}

func (x *Index) slot(sum uint64) uint64 { return sum * x.factor >> x.shift }

// word returns a word by its index over all groups.
func (x *Index) word(i int) *Word {
	g := sort.SearchInts(x.starts, i+1) - 1
	return &x.groups[g][i-x.starts[g]]
}

func (x *Index) add(group []Word) {
	x.starts = append(x.starts, len(x.wins))
	x.groups = append(x.groups, group)
	var sum uint64
	for i, w := range group {
		if i >= x.length {
			sum -= group[i-x.length].Sum * x.top
		}
		sum = sum*base + w.Sum
		x.wins = append(x.wins, window{same: -1})
		at := len(x.wins) - x.length // the first word of the window that ends here
		if i < x.length-1 {
			continue
		}
		win := &x.wins[at]
		win.sum, win.same = sum, int32(at)
		slot := x.slot(sum)
		for k := x.heads[slot]; k != 0; k = x.wins[k-1].next {
			if x.wins[k-1].sum == sum {
				win.same = k - 1
				break
			}
		}
		if win.same == int32(at) {
			win.next, x.heads[slot] = x.heads[slot], int32(at+1)
		}
	}
}

// Match looks for the runs in the words of src between from and to, and reports whether there is one. Where a run was found
// first is kept, with the number source; with probe nothing is kept and the first run ends the search. An Index serves one
// caller at a time.
func (x *Index) Match(src []byte, from, to, source int, probe bool) bool {
	ring := x.ring
	var sum uint64
	count, found := 0, false
	ScanWords(src, from, to, func(w Word) bool {
		place := count % x.length
		if count >= x.length {
			sum -= ring[place].Sum * x.top
		}
		sum = sum*base + w.Sum
		ring[place] = w
		count++
		if count < x.length {
			return true
		}
		for k := x.heads[x.slot(sum)]; k != 0; k = x.wins[k-1].next {
			win := &x.wins[k-1]
			if win.sum != sum || !x.equal(int(k-1), ring, count) {
				continue
			}
			found = true
			if !probe && win.hit == nil {
				win.hit = &Hit{ring[count%x.length].Start, w.End, source}
			}
			break
		}
		return !found || !probe
	})
	return found
}

// equal compares a window word by word with the ring, whose first word is the one that comes next in its round.
func (x *Index) equal(at int, ring []Word, count int) bool {
	g := sort.SearchInts(x.starts, at+1) - 1
	group := x.groups[g][at-x.starts[g]:]
	for i := range x.length {
		if group[i].Sum != ring[(count+i)%x.length].Sum {
			return false
		}
	}
	return true
}

// A Stretch is a part of the indexed text that stands, run by run, in other texts.
type Stretch struct {
	Start, End int // bytes of the indexed text
	Words      int
	Hit        Hit // where its first run was found first
}

// Stretches joins the runs that were found to the longest stretches, in the order of the indexed text.
func (x *Index) Stretches() []Stretch {
	var out []Stretch
	last := -1 // index of the last word of the stretch at hand
	for at := range x.wins {
		if x.wins[at].same < 0 {
			continue
		}
		hit := x.wins[x.wins[at].same].hit
		if hit == nil {
			continue
		}
		end := at + x.length - 1
		if at <= last {
			s := &out[len(out)-1]
			s.End, s.Words, last = x.word(end).End, s.Words+end-last, end
			continue
		}
		out = append(out, Stretch{x.word(at).Start, x.word(end).End, x.length, *hit})
		last = end
	}
	return out
}
