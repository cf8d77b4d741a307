package secrets

import (
	"bytes"
	"sort"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A text is what rules look at: a source in Unicode NFC, with signs of full width in their usual one, white space of any
// kind as spaces, without characters that nobody sees, and with asterisks in the place of masked secrets.
type text struct {
	s    []byte
	low  []byte // s in lower case, byte for byte in the same places
	at   []int  // by byte of s: its place in the source; nil when both are the same
	ends []int  // where lines end, worked out when a line is asked for
}

// clean makes the text of src. Most sources need no change and are not copied.
func clean(src []byte) *text {
	t := &text{s: src}
	if !plain(src) {
		t.normalize(src)
	}
	t.low = lower(t.s)
	t.star()
	return t
}

// plain reports whether every rule sees src as it is.
func plain(src []byte) bool {
	for i := 0; i < len(src); i++ {
		c := src[i]
		if c < utf8.RuneSelf {
			continue
		}
		// Combining marks, spaces and hidden signs, and full width; precomposed Latin letters stay below them.
		if c == 0xc2 && i+1 < len(src) && (src[i+1] == 0xa0 || src[i+1] == 0xad) || c >= 0xcc && c != 0xe1 && c != 0xe2 && c != 0xe4 ||
			c == 0xe1 && i+1 < len(src) && src[i+1] != 0xba && src[i+1] != 0xbb {
			return false
		}
		if c == 0xe2 && i+2 < len(src) && (src[i+1] == 0x80 && (src[i+2] <= 0x8f || src[i+2] >= 0xa8 && src[i+2] <= 0xaf) || src[i+1] == 0x81 && src[i+2] >= 0x9f) {
			return false
		}
	}
	return true
}

// normalize fills t from a source that is not plain.
func (t *text) normalize(src []byte) {
	t.s = make([]byte, 0, len(src))
	t.at = make([]int, 0, len(src)+1)
	var segment []byte
	for at := 0; at < len(src); {
		size := norm.NFC.NextBoundary(src[at:], true)
		if size <= 0 {
			size = len(src) - at
		}
		segment = norm.NFC.Append(segment[:0], src[at:at+size]...)
		for i := 0; i < len(segment); {
			r, n := utf8.DecodeRune(segment[i:])
			before := len(t.s)
			switch {
			case r == utf8.RuneError && n <= 1:
				t.s = append(t.s, segment[i])
			case r >= 0x80 && (unicode.Is(unicode.Cf, r) || r >= 0xfe00 && r <= 0xfe0f):
			case r >= 0xff01 && r <= 0xff5e:
				t.s = append(t.s, byte(r-0xff01+'!'))
			case r >= 0x80 && unicode.IsSpace(r):
				t.s = append(t.s, ' ')
			default:
				t.s = append(t.s, segment[i:i+n]...)
			}
			for range len(t.s) - before {
				t.at = append(t.at, at)
			}
			i += n
		}
		at += size
	}
	t.at = append(t.at, len(src))
}

// lower returns s in lower case, with every byte in its place: letters whose other case has another length stay.
func lower(s []byte) []byte {
	out := make([]byte, len(s))
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			out[i] = c
			i++
			continue
		}
		r, size := utf8.DecodeRune(s[i:])
		if r >= 0x1ea0 && r < 0x1f00 { // the letters that only Vietnamese has, in pairs
			utf8.EncodeRune(out[i:i+size], r|1)
			i += size
			continue
		}
		if l := unicode.ToLower(r); l != r && utf8.RuneLen(l) == size {
			utf8.EncodeRune(out[i:i+size], l)
		} else {
			copy(out[i:], s[i:i+size])
		}
		i += size
	}
	return out
}

// star overwrites masked secrets, so that no rule takes a part of one for a secret.
func (t *text) star() {
	owned := t.at != nil
	for from := 0; ; {
		i := bytes.IndexByte(t.low[from:], '[')
		if i < 0 {
			return
		}
		start := from + i
		from = start + 1
		length := maskLength(t.low[start:])
		if length == 0 {
			continue
		}
		if !owned {
			t.s, owned = bytes.Clone(t.s), true
		}
		for k := start; k < start+length; k++ {
			t.s[k], t.low[k] = '*', '*'
		}
		from = start + length
	}
}

// maskLength returns the length of the masked secret that s, in lower case, begins with; 0 when it begins with none.
func maskLength(s []byte) int {
	for _, word := range []string{"[masked", "[đã che"} {
		rest, ok := bytes.CutPrefix(s, []byte(word))
		if !ok {
			continue
		}
		hex := bytes.TrimLeft(rest, " ")
		if len(hex) == len(rest) || len(hex) < 9 || hex[8] != ']' || len(bytes.Trim(hex[:8], "0123456789abcdef")) != 0 {
			return 0
		}
		return len(s) - len(hex) + 9
	}
	return 0
}

// back turns places in the text into places in the source.
func (t *text) back(list []Match) []Match {
	if t.at == nil {
		return list
	}
	for i := range list {
		list[i].Start, list[i].End = t.at[list[i].Start], t.at[list[i].End]
	}
	return list
}

// line returns the range of the line that holds offset at, without its line end.
func (t *text) line(at int) (int, int) {
	if t.ends == nil {
		t.ends = make([]int, 0, bytes.Count(t.s, []byte{'\n'})+1)
		for i, c := range t.s {
			if c == '\n' {
				t.ends = append(t.ends, i)
			}
		}
		t.ends = append(t.ends, len(t.s))
	}
	i := sort.SearchInts(t.ends, at)
	if i == 0 {
		return 0, t.ends[0]
	}
	return t.ends[i-1] + 1, t.ends[min(i, len(t.ends)-1)]
}
