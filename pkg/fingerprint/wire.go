package fingerprint

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
)

// Files, tokens and requests travel between processes and into the cache as sequences of numbers and strings, each string
// after its length.

var errTruncated = errors.New("it ends early")

// A reader takes values off a byte sequence. The first fault sticks.
type reader struct {
	buf []byte
	err error
}

func (r *reader) number() int {
	if r.err != nil {
		return 0
	}
	n, size := binary.Uvarint(r.buf)
	if size <= 0 || n > 1<<40 {
		r.err = errTruncated
		return 0
	}
	r.buf = r.buf[size:]
	return int(n)
}

func (r *reader) text() string { return string(r.bytes()) }

func (r *reader) bytes() []byte {
	n := r.number()
	if r.err == nil && n > len(r.buf) {
		r.err = errTruncated
	}
	if r.err != nil {
		return nil
	}
	b := r.buf[:n]
	r.buf = r.buf[n:]
	return b
}

// count reads the length of a list whose items take at least one byte each.
func (r *reader) count() int {
	n := r.number()
	if n > len(r.buf) {
		r.err = errTruncated
		return 0
	}
	return n
}

// end returns the fault, or that something is left.
func (r *reader) end() error {
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

func (r *reader) digest() Digest {
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

func (r *reader) file() *File {
	f := &File{Language: r.text(), Note: r.text(), Digest: r.digest()}
	for range r.count() {
		d := Definition{Name: r.text(), Note: r.text(), Digest: r.digest()}
		for range r.count() {
			d.Spans = append(d.Spans, Span{First: r.number(), Last: r.number()})
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

func (r *reader) tokens() []Token {
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
	r := &reader{buf: body}
	f := r.file()
	return f, r.end()
}
