package secrets

// keywords finds many words in one pass, by their first two bytes, which few places of a text have.
type keywords struct {
	first []uint16 // by the first two bytes: 1 + the first word that begins with them, 0 for none
	next  []uint16 // by word: 1 + the next word that begins with the same bytes
	words []string
}

func newKeywords(words []string) *keywords {
	k := &keywords{first: make([]uint16, 1<<16), next: make([]uint16, len(words)), words: words}
	for i := len(words) - 1; i >= 0; i-- {
		two := uint16(words[i][0])<<8 | uint16(words[i][1])
		k.next[i], k.first[two] = k.first[two], uint16(i+1)
	}
	return k
}

// scan calls found for each keyword in low, a text in lower case, with its place.
func (k *keywords) scan(low []byte, found func(word, at int)) {
	for at := 0; at+1 < len(low); at++ {
		for w := k.first[uint16(low[at])<<8|uint16(low[at+1])]; w != 0; w = k.next[w-1] {
			if word := k.words[w-1]; len(low)-at >= len(word) && string(low[at:at+len(word)]) == word {
				found(int(w-1), at)
			}
		}
	}
}
