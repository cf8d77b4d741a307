package secrets

// A trie of keywords finds all of them in one pass: words by their first two bytes, which few texts have often.
type keywords struct {
	starts [1 << 16 / 64]uint64
	byTwo  map[uint16][]int
	words  []string
}

func newKeywords(words []string) *keywords {
	k := &keywords{byTwo: map[uint16][]int{}, words: words}
	for i, w := range words {
		two := uint16(w[0])<<8 | uint16(w[1])
		k.starts[two/64] |= 1 << (two % 64)
		k.byTwo[two] = append(k.byTwo[two], i)
	}
	return k
}

// scan calls found for each keyword in low, a text in lower case, with its place.
func (k *keywords) scan(low []byte, found func(word, at int)) {
	for at := 0; at+1 < len(low); at++ {
		two := uint16(low[at])<<8 | uint16(low[at+1])
		if k.starts[two/64]&(1<<(two%64)) == 0 {
			continue
		}
		for _, w := range k.byTwo[two] {
			if word := k.words[w]; len(low)-at >= len(word) && string(low[at:at+len(word)]) == word {
				found(w, at)
			}
		}
	}
}
