package fingerprint

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// Files, tokens and requests travel between processes and into the cache as sequences of numbers and strings, each string
// after its length.

var errTruncated = errors.New("it ends early")

// maxNumber is how many bytes a number takes at most.
const maxNumber = 4

// A reader takes values off a sequence. The first fault sticks. What is read of a string shares its memory.
type reader[T string | []byte] struct {
	buf T
	err error
}

func (r *reader[T]) number() int {
	if r.err != nil {
		return 0
	}
	n := 0
	for i := range min(len(r.buf), maxNumber) {
		c := r.buf[i]
		n |= int(c&0x7f) << (7 * i)
		if c < 0x80 {
			r.buf = r.buf[i+1:]
			return n
		}
	}
	r.err = errTruncated
	return 0
}

func (r *reader[T]) text() string { return string(r.bytes()) }

func (r *reader[T]) bytes() T {
	n := r.number()
	if r.err == nil && n > len(r.buf) {
		r.err = errTruncated
	}
	if r.err != nil {
		return r.buf[:0]
	}
	b := r.buf[:n]
	r.buf = r.buf[n:]
	return b
}

// count reads the length of a list whose items take at least one byte each.
func (r *reader[T]) count() int {
	n := r.number()
	if n > len(r.buf) {
		r.err = errTruncated
		return 0
	}
	return n
}

// end returns the fault, or that something is left.
func (r *reader[T]) end() error {
	if r.err == nil && len(r.buf) > 0 {
		return fmt.Errorf("%d bytes are left", len(r.buf))
	}
	return r.err
}

func appendNumber(b []byte, n int) []byte { return binary.AppendUvarint(b, uint64(n)) }

func appendText[T string | []byte](b []byte, s T) []byte {
	return append(appendNumber(b, len(s)), s...)
}

func appendDigest(b []byte, d Digest) []byte {
	for _, s := range []string{d.Whole, d.Signature, d.Body, d.Doc, d.Lines, string(d.Kind)} {
		b = appendText(b, s)
	}
	return b
}

func (r *reader[T]) digest() Digest {
	return Digest{Whole: r.text(), Signature: r.text(), Body: r.text(), Doc: r.text(), Lines: r.text(), Kind: Kind(r.text())}
}

func appendFile(b []byte, f *File) []byte {
	b = appendText(appendText(b, f.Language), f.Note)
	b = appendDigest(b, f.Digest)
	b = appendNumber(b, len(f.Definitions))
	for _, d := range f.Definitions {
		b = appendText(appendText(b, d.Name), d.Note)
		b = appendDigest(b, d.Digest)
		b = appendNumber(b, len(d.Spans))
		for _, s := range d.Spans {
			b = appendNumber(appendNumber(b, s.First), s.Last)
		}
	}
	return b
}

// leastDefinition is how many bytes the encoding of a definition takes at least.
const leastDefinition = 9

func (r *reader[T]) file() *File {
	f := &File{Language: r.text(), Note: r.text(), Digest: r.digest()}
	n := r.count()
	room := min(n, len(r.buf)/leastDefinition)
	f.Definitions = slices.Grow(f.Definitions, room)
	spans := make([]Span, 0, room) // most definitions have one
	for range n {
		d := Definition{Name: r.text(), Note: r.text(), Digest: r.digest()}
		from := len(spans)
		for range r.count() {
			spans = append(spans, Span{First: r.number(), Last: r.number()})
		}
		if len(spans) > from {
			d.Spans = spans[from:len(spans):len(spans)]
		}
		f.Definitions = append(f.Definitions, d)
	}
	return f
}

func appendTokens(b []byte, tokens []Token) []byte {
	b = appendNumber(b, len(tokens))
	for _, t := range tokens {
		leaf := 0
		if t.Leaf {
			leaf = 1
		}
		b = appendNumber(appendNumber(appendNumber(b, t.Depth), t.Line), leaf)
		for _, s := range []string{t.Part, t.Field, t.Kind, t.Text} {
			b = appendText(b, s)
		}
	}
	return b
}

func (r *reader[T]) tokens() []Token {
	var list []Token
	for range r.count() {
		list = append(list, Token{Depth: r.number(), Line: r.number(), Leaf: r.number() == 1, Part: r.text(), Field: r.text(), Kind: r.text(), Text: r.text()})
	}
	return list
}

// sealFile encodes a file with a checksum before it.
func sealFile(f *File) []byte {
	body := appendFile(nil, f)
	sum := sha256.Sum256(body)
	return append(sum[:], body...)
}

// unsealFile decodes what sealFile made; anything else is refused.
func unsealFile(b []byte) (*File, error) {
	if len(b) < sha256.Size {
		return nil, errTruncated
	}
	body := b[sha256.Size:]
	if sha256.Sum256(body) != [sha256.Size]byte(b) {
		return nil, errors.New("its checksum is wrong")
	}
	r := &reader[string]{buf: string(body)}
	f := r.file()
	return f, r.end()
}
