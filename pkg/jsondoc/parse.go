package jsondoc

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Parse reads src, which must not change afterwards, as one JSON value.
func Parse(src []byte) *Document {
	d := &Document{Source: src}
	p := parser{doc: d}
	if rest, ok := bytes.CutPrefix(src, []byte("\ufeff")); ok {
		p.fault(ByteOrderMark, 0, len(src)-len(rest), "a byte order mark stands before the JSON text")
		src, p.shift = rest, len(src)-len(rest)
	}
	p.text = string(src)
	p.dec = jsontext.NewDecoder(bytes.NewBuffer(src), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	root, err := p.value(0)
	if err == nil {
		err = p.end()
	}
	if err != nil {
		at, reason := p.explain(err)
		p.fault(Syntax, at, min(at+1, len(d.Source)), reason)
	} else {
		d.Root = &root
	}
	slices.SortStableFunc(d.Faults, func(a, b Fault) int { return cmp.Compare(a.Start, b.Start) })
	return d
}

// A parser reads one document.
type parser struct {
	doc   *Document
	dec   *jsontext.Decoder
	text  string // the source behind a byte order mark, so that plain strings are slices of it
	shift int    // length of the byte order mark

	members pool[Member]
	items   pool[Value]
}

// A pool collects the children of values that are still open and hands out those of closed ones in slices of exact size,
// many from one allocation.
type pool[T any] struct {
	open  []T
	chunk []T
}

// chunkSize is how many children one allocation holds.
const chunkSize = 512

// take returns the open children from the index from on, and forgets them.
func (p *pool[T]) take(from int) []T {
	n := len(p.open) - from
	if n == 0 {
		return nil
	}
	if n > len(p.chunk) {
		p.chunk = make([]T, max(n, chunkSize))
	}
	out := p.chunk[:n:n]
	p.chunk = p.chunk[n:]
	copy(out, p.open[from:])
	p.open = p.open[:from]
	return out
}

func (p *parser) fault(kind FaultKind, start, end int, reason string) {
	p.doc.Faults = append(p.doc.Faults, Fault{Kind: kind, Start: start, End: end, Reason: reason})
}

// errDepth ends the reading of a document that is nested too deep.
var errDepth = errors.New("nested too deep")

func (p *parser) value(depth int) (Value, error) {
	switch kind := p.dec.PeekKind(); kind {
	case '{', '[':
		if depth == MaxDepth {
			return Value{}, errDepth
		}
		if _, err := p.dec.ReadToken(); err != nil {
			return Value{}, err
		}
		v := Value{Kind: Kind(kind), Start: p.at() - 1}
		err := p.inside(&v, depth+1)
		return v, err
	default:
		raw, err := p.dec.ReadValue()
		if err != nil {
			return Value{}, err
		}
		v := Value{Kind: Kind(raw.Kind()), Start: p.at() - len(raw), End: p.at()}
		if v.Kind == String || v.Kind == Number {
			v.Text = p.meaning(raw, v.Start)
		}
		return v, nil
	}
}

// inside reads what an object or array holds, with the bracket that closes it.
func (p *parser) inside(v *Value, depth int) error {
	members, items := len(p.members.open), len(p.items.open)
	for {
		switch p.dec.PeekKind() {
		case '}', ']':
			_, err := p.dec.ReadToken()
			v.End = p.at()
			v.Members, v.Items = p.members.take(members), p.items.take(items)
			p.duplicates(v)
			return err
		}
		var m Member
		if v.Kind == Object {
			raw, err := p.dec.ReadValue()
			if err != nil {
				return err
			}
			m.Start, m.End = p.at()-len(raw), p.at()
			m.Name = p.meaning(raw, m.Start)
		}
		item, err := p.value(depth)
		if err != nil {
			return err
		}
		if v.Kind == Object {
			m.Value = item
			p.members.open = append(p.members.open, m)
		} else {
			p.items.open = append(p.items.open, item)
		}
	}
}

// at is the place behind what was read last.
func (p *parser) at() int { return int(p.dec.InputOffset()) + p.shift }

// end makes sure that nothing follows the value.
func (p *parser) end() error {
	switch _, err := p.dec.ReadToken(); {
	case errors.Is(err, io.EOF):
		return nil
	case err != nil:
		return err
	}
	return errTrailing
}

var errTrailing = errors.New("another value follows")

// meaning decodes a string, or returns a number as it stands.
func (p *parser) meaning(raw []byte, start int) string {
	whole := p.text[start-p.shift : start-p.shift+len(raw)]
	if raw[0] != '"' {
		return whole
	}
	plain := whole[1 : len(whole)-1]
	if strings.IndexByte(plain, '\\') < 0 && utf8.ValidString(plain) {
		return plain
	}
	out, err := jsontext.AppendUnquote(nil, raw)
	if err != nil {
		at, n, reason := notScalar(plain)
		p.fault(NotScalar, start+1+at, start+1+at+n, reason)
		return plain
	}
	return string(out)
}

// notScalar finds what makes the inside of a string literal more or less than Unicode characters.
func notScalar(s string) (at, n int, reason string) {
	for i := 0; i < len(s); {
		if s[i] != '\\' {
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size <= 1 {
				return i, 1, fmt.Sprintf("the byte 0x%02x is no UTF-8", s[i])
			}
			i += size
			continue
		}
		unit, ok := escaped(s[i:])
		switch {
		case !ok:
			i += 2
		case unit >= 0xd800 && unit < 0xdc00:
			if low, ok := escaped(s[i+6:]); ok && low >= 0xdc00 && low < 0xe000 {
				i += 12
				continue
			}
			fallthrough
		case unit >= 0xdc00 && unit < 0xe000:
			return i, 6, fmt.Sprintf("%s is half of a character", s[i:i+6])
		default:
			i += 6
		}
	}
	return 0, len(s), "the string is no Unicode text"
}

// escaped reads the escape \uXXXX at the beginning of s.
func escaped(s string) (unit int, ok bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	for _, c := range []byte(s[2:6]) {
		switch {
		case c >= '0' && c <= '9':
			unit = unit<<4 | int(c-'0')
		default:
			unit = unit<<4 | int(c|0x20-'a'+10)
		}
	}
	return unit, true
}

// manyMembers is the number of members from which on duplicates are looked for with a map.
const manyMembers = 16

func (p *parser) duplicates(v *Value) {
	var first map[string]int
	if len(v.Members) > manyMembers {
		first = make(map[string]int, len(v.Members))
	}
	for i := range v.Members {
		m := &v.Members[i]
		at, twice := -1, false
		if first != nil {
			if at, twice = first[m.Name]; !twice {
				first[m.Name] = m.Start
			}
		} else {
			for k := range v.Members[:i] {
				if v.Members[k].Name == m.Name {
					at, twice = v.Members[k].Start, true
					break
				}
			}
		}
		if twice {
			p.doc.Faults = append(p.doc.Faults, Fault{Kind: DuplicateKey, Start: m.Start, End: m.End, Name: m.Name, First: at,
				Reason: fmt.Sprintf("the key %q stands twice in one object", m.Name)})
		}
	}
}
