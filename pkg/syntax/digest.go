package syntax

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"

	"github.com/seed-4419f9ca/forge/pkg/fingerprint"
)

// A digester hashes tokens.
type digester struct {
	buf []byte
	h   hash.Hash
	any bool
}

func newDigester() *digester { return &digester{} }

// part separates the parts of a definition.
func (d *digester) part() { d.buf = append(d.buf, 0xff) }

func (d *digester) add(t *tok, depth int32, field string) {
	d.any = true
	d.buf = binary.AppendUvarint(d.buf, uint64(depth))
	for _, s := range [...]string{field, t.kind, t.text} {
		d.buf = binary.AppendUvarint(d.buf, uint64(len(s)))
		d.buf = append(d.buf, s...)
	}
	if t.leaf {
		d.buf = append(d.buf, 1)
	} else {
		d.buf = append(d.buf, 0)
	}
	if len(d.buf) > 8<<10 {
		d.flush()
	}
}

func (d *digester) flush() {
	if d.h == nil {
		d.h = sha256.New()
	}
	d.h.Write(d.buf)
	d.buf = d.buf[:0]
}

// empty returns the digest of a file that holds nothing.
func (d *digester) empty() string { return fingerprint.Sum(sha256.New()) }

// sum returns the digest, "" when nothing was added.
func (d *digester) sum() string {
	if !d.any {
		return ""
	}
	d.flush()
	return fingerprint.Sum(d.h)
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

// whole fingerprints a file, which has no signature and no body.
func (r *reading) whole(parts []found) (whole, doc string) {
	w, d := newDigester(), newDigester()
	r.pieces(parts, func(p piece, first bool) {
		if first {
			w.part()
		}
		if p.tok.doc {
			d.add(p.tok, 0, "")
		} else {
			w.add(p.tok, p.depth, p.field)
		}
	})
	return w.sum(), d.sum()
}

// digest fingerprints a definition that has one or several parts.
func (r *reading) digest(parts []found) fingerprint.Digest {
	whole, signature, body, doc := newDigester(), newDigester(), newDigester(), newDigester()
	r.pieces(parts, func(p piece, first bool) {
		if first {
			whole.part()
			signature.part()
			body.part()
		}
		switch p.part {
		case "doc":
			doc.add(p.tok, 0, "")
			return
		case "signature":
			signature.add(p.tok, p.depth, p.field)
		case "body":
			field := p.field
			if p.below == 0 {
				field = ""
			}
			body.add(p.tok, p.below, field)
		}
		whole.add(p.tok, p.depth, p.field)
	})
	return fingerprint.Digest{Whole: whole.sum(), Signature: signature.sum(), Body: body.sum(), Doc: doc.sum(), Kind: fingerprint.AST}
}
