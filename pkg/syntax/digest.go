package syntax

import (
	"crypto/sha256"
	"encoding/binary"

	"github.com/seed-4419f9ca/forge/pkg/fingerprint"
)

// A digester fingerprints the definitions of one reading after the other.
type digester struct {
	toks []tok
	code []byte  // the tokens as they are hashed, one after the other, without their depths
	at   []place // by token: where it is in code

	whole, signature, body, doc sequence
}

// A place is where a token is in the code of a digester.
type place struct{ field, kind, end uint32 }

// prepare encodes the tokens of r once: most of them are hashed for the file, for definitions and for parts of these.
func (d *digester) prepare(r *reading) {
	d.toks, d.at, d.code = r.toks, d.at[:0], d.code[:0]
	for i := range r.toks {
		t := &r.toks[i]
		var p place
		p.field = uint32(len(d.code))
		d.code = appendString(d.code, t.field)
		p.kind = uint32(len(d.code))
		d.code = appendString(appendString(d.code, t.kind), t.text)
		leaf := byte(0)
		if t.leaf {
			leaf = 1
		}
		d.code = append(d.code, leaf)
		p.end = uint32(len(d.code))
		d.at = append(d.at, p)
	}
}

func appendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// large reports whether d holds more memory than is worth keeping.
func (d *digester) large() bool {
	return cap(d.at) > keptNodes || cap(d.code)+cap(d.whole.buf)+cap(d.signature.buf)+cap(d.body.buf)+cap(d.doc.buf) > 64*keptNodes
}

// add adds a token to a sequence, at a depth and with or without the field that it fills.
func (d *digester) add(s *sequence, n, depth int32, field bool) {
	p := &d.at[n]
	s.any = true
	s.buf = binary.AppendUvarint(s.buf, uint64(depth))
	if field {
		s.buf = append(s.buf, d.code[p.field:p.end]...)
		return
	}
	s.buf = append(append(s.buf, 0), d.code[p.kind:p.end]...)
}

// A sequence is what one fingerprint is taken of.
type sequence struct {
	buf []byte
	any bool // there is a token
}

func (s *sequence) begin() { s.buf, s.any = s.buf[:0], false }

// part separates the parts of a definition.
func (s *sequence) part() { s.buf = append(s.buf, 0xff) }

// sum returns the digest, "" without a token.
func (s *sequence) sum() string {
	if !s.any {
		return ""
	}
	return fingerprint.Spell(sha256.Sum256(s.buf))
}

// A piece is one token of a definition with the part of the digest that it belongs to.
type piece struct {
	*tok
	depth int32  // below the definition
	field string // "" for the definition itself: the field that it fills is not its own
	part  string // "signature", "body" or "doc"
	below int32  // depth below the body, of a piece in it
}

// pieces calls yield for the tokens of all parts of a definition, in order; first tells where a part begins.
func (r *reading) pieces(parts []found, yield func(p piece, first bool)) {
	for _, f := range parts {
		first := true
		base := int32(0) // the depth of the first token
		for _, run := range f.ranges {
			for n := run.from; n < run.to; n++ {
				if first {
					base = r.toks[n].depth
				}
				p := piece{tok: &r.toks[n], part: "signature"}
				if p.depth = max(p.tok.depth-base, 0); p.depth > 0 {
					p.field = p.tok.field
				}
				if n >= f.body.from && n < f.body.to {
					p.part, p.below = "body", p.tok.depth-r.toks[f.body.from].depth
				}
				if p.tok.doc {
					p.part = "doc"
				}
				yield(p, first)
				first = false
			}
		}
	}
}

// file fingerprints a file, which has no signature and no body.
func (d *digester) file(parts []found) (whole, doc string) {
	d.whole.begin()
	d.doc.begin()
	for i := range parts {
		first, base := true, int32(0) // the depth of the first token
		for _, run := range parts[i].ranges {
			for n := run.from; n < run.to; n++ {
				t := &d.toks[n]
				if first {
					first, base = false, t.depth
					d.whole.part()
				}
				if t.doc {
					d.add(&d.doc, n, 0, false)
					continue
				}
				depth := max(t.depth-base, 0)
				d.add(&d.whole, n, depth, depth > 0)
			}
		}
	}
	return d.whole.sum(), d.doc.sum()
}

// digest fingerprints a definition that has one or several parts.
func (d *digester) digest(parts []found) fingerprint.Digest {
	for _, s := range []*sequence{&d.whole, &d.signature, &d.body, &d.doc} {
		s.begin()
	}
	for i := range parts {
		f := &parts[i]
		first, base := true, int32(0) // the depth of the first token
		for _, run := range f.ranges {
			for n := run.from; n < run.to; n++ {
				t := &d.toks[n]
				if first {
					first, base = false, t.depth
					d.whole.part()
					d.signature.part()
					d.body.part()
				}
				if t.doc {
					d.add(&d.doc, n, 0, false)
					continue
				}
				depth := max(t.depth-base, 0)
				d.add(&d.whole, n, depth, depth > 0)
				if n < f.body.from || n >= f.body.to {
					d.add(&d.signature, n, depth, depth > 0)
					continue
				}
				below := t.depth - d.toks[f.body.from].depth
				d.add(&d.body, n, below, depth > 0 && below != 0)
			}
		}
	}
	return fingerprint.Digest{Whole: d.whole.sum(), Signature: d.signature.sum(), Body: d.body.sum(), Doc: d.doc.sum(), Kind: fingerprint.AST}
}
