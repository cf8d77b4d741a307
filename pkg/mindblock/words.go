package mindblock

import (
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A Word is a run of signs between white space, without punctuation at its edges. Two words are the same when their sums
// are: in Unicode NFC, case folded, characters that nobody sees left out (chapter 6.3).
type Word struct {
	Start, End int // bytes of the source
	Sum        uint64
}

// A class says what a rune does to a word.
type class uint8

const (
	letter class = iota // part of the word
	space
	edge    // punctuation or a symbol: part of the word only between letters
	unseen  // left out
	unquiet // part of the word, and the word has to be normalized
)

// ScanWords calls yield for each word of src between from and to, until yield returns false. Its cost is linear.
func ScanWords(src []byte, from, to int, yield func(Word) bool) {
	t := runes()
	s := scanner{start: -1}
	for at := from; at < to; {
		c, folded, size := t.next(src[at:to])
		switch {
		case c == space:
			if s.start >= 0 && !yield(s.word(src)) {
				return
			}
			s = scanner{start: -1}
		case c == unseen:
		case c == edge:
			s.pending = mix(s.pending, folded)
			s.rare = s.rare || folded >= 0x250
		default:
			if s.start < 0 {
				s.start, s.pending = at, seed
			}
			s.pending = mix(s.pending, folded)
			s.sum, s.end = s.pending, at+size
			s.unquiet = s.unquiet || c == unquiet || s.rare
		}
		at += size
	}
	if s.start >= 0 {
		yield(s.word(src))
	}
}

// A scanner is the word at hand.
type scanner struct {
	start, end   int
	sum, pending uint64 // up to the last letter, and up to the last sign
	unquiet      bool   // the word has to be normalized
	rare         bool   // a sign that may have to be, if the word goes on behind it
}

func (s *scanner) word(src []byte) Word {
	w := Word{s.start, s.end, s.sum}
	if s.unquiet {
		w.Sum = slowSum(src[s.start:s.end])
	}
	return w
}

// slowSum sums a word that may not be in NFC.
func slowSum(word []byte) uint64 {
	sum := uint64(seed)
	for _, r := range string(norm.NFC.Bytes(visible(word))) {
		sum = mix(sum, foldRune(r))
	}
	return sum
}

// visible returns s without the characters that nobody sees, so that none of them keeps signs from being composed.
func visible(s []byte) []byte {
	out := make([]byte, 0, len(s))
	for at := 0; at < len(s); {
		r, size := utf8.DecodeRune(s[at:])
		if !hidden(r) {
			out = utf8.AppendRune(out, r) // a byte that is no UTF-8 stays one of its own
		}
		at += size
	}
	return out
}

const (
	seed  = 14695981039346656037
	prime = 1099511628211
)

// mix adds a rune to a sum (FNV-1a over whole runes).
func mix(sum uint64, r rune) uint64 { return (sum ^ uint64(uint32(r))) * prime }

// A runeTable holds class and folded form of the runes that texts are mostly made of.
type runeTable struct {
	low  [0x250]cell // up to Latin Extended-B
	viet [0x100]cell // U+1E00 to U+1EFF, Latin Extended Additional
}

type cell struct {
	folded rune
	class  class
}

// runes returns the table, which is worked out once.
var runes = sync.OnceValue(func() *runeTable {
	t := &runeTable{}
	for r := range t.low {
		t.low[r] = cell{foldRune(rune(r)), classOf(rune(r))}
	}
	for r := range t.viet {
		t.viet[r] = cell{foldRune(0x1e00 + rune(r)), classOf(0x1e00 + rune(r))}
	}
	return t
})

// next returns class, folded form and size of the first rune of s.
func (t *runeTable) next(s []byte) (class, rune, int) {
	c := s[0]
	if c < utf8.RuneSelf {
		e := &t.low[c]
		return e.class, e.folded, 1
	}
	// The two shapes that Vietnamese is written in, without decoding more than they need.
	if c >= 0xc2 && c < 0xc9 && len(s) > 1 && s[1]&0xc0 == 0x80 {
		e := &t.low[rune(c&0x1f)<<6|rune(s[1]&0x3f)]
		return e.class, e.folded, 2
	}
	if c == 0xe1 && len(s) > 2 && s[1]&0xfc == 0xb8 && s[2]&0xc0 == 0x80 {
		e := &t.viet[rune(s[1]&0x3)<<6|rune(s[2]&0x3f)]
		return e.class, e.folded, 3
	}
	r, size := utf8.DecodeRune(s)
	return classOf(r), foldRune(r), size
}

func classOf(r rune) class {
	switch {
	case unicode.IsSpace(r):
		return space
	case hidden(r):
		return unseen
	case unicode.IsPunct(r) || unicode.IsSymbol(r) || unicode.IsControl(r):
		return edge
	case r < 0x300 || r >= 0x1e00 && r < 0x1f00 || r >= 0x4e00 && r < 0xa000:
		if r < utf8.RuneSelf || norm.NFC.IsNormalString(string(r)) {
			return letter
		}
	}
	return unquiet
}

// hidden reports whether r leaves no mark: format characters and variation selectors.
func hidden(r rune) bool {
	return r >= 0xad && (unicode.Is(unicode.Cf, r) || r >= 0xfe00 && r <= 0xfe0f)
}

// WordsOf lists the words of src between from and to.
func WordsOf(src []byte, from, to int) []Word {
	out := make([]Word, 0, (to-from)/6+1)
	ScanWords(src, from, to, func(w Word) bool {
		out = append(out, w)
		return true
	})
	return out
}
