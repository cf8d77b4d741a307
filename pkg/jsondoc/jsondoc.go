// Package jsondoc reads JSON documents strictly and with the place of every value (chapter 8.1 of the specification). What
// lenient readers take each in its own way is a fault here: a byte order mark, a key that stands twice, half a character,
// anything that the grammar does not have. Where a fault leaves the structure readable, the document is read on, so that
// what else is wrong with it can be said as well.
package jsondoc

import (
	"github.com/seed-4419f9ca/forge/pkg/text"
)

// MaxDepth bounds how deep values may be nested (chapter 3.5).
const MaxDepth = 100

// A Kind is the type of a JSON value.
type Kind byte

// The kinds of values.
const (
	Null   Kind = 'n'
	False  Kind = 'f'
	True   Kind = 't'
	Number Kind = '0'
	String Kind = '"'
	Object Kind = '{'
	Array  Kind = '['
)

// String names the kind with its article.
func (k Kind) String() string {
	switch k {
	case Null:
		return "null"
	case False, True:
		return "a boolean"
	case Number:
		return "a number"
	case String:
		return "a string"
	case Object:
		return "an object"
	case Array:
		return "an array"
	}
	return "nothing"
}

// A Value is one value with its place: the bytes from Start to End of the source.
type Value struct {
	Kind       Kind
	Start, End int
	Text       string   // of a string what it means, as it is written where it means nothing; of a number its literal
	Members    []Member // of an object in the order of the source; a name that stands twice is there twice
	Items      []Value  // of an array
}

// A Member is one name and value of an object. Start and End are the place of the name with its quotes.
type Member struct {
	Name       string
	Start, End int
	Value      Value
}

// Get returns the first member of v with the name; nil when there is none, or v is no object.
func (v *Value) Get(name string) *Member {
	for i := range v.Members {
		if v.Members[i].Name == name {
			return &v.Members[i]
		}
	}
	return nil
}

// A FaultKind says what is wrong.
type FaultKind int

// The kinds of faults. After a Syntax fault there is no document; the others leave it readable.
const (
	Syntax FaultKind = iota
	ByteOrderMark
	DuplicateKey
	NotScalar // bytes that are no UTF-8, or half of a surrogate pair
)

// A Fault is one way in which a document is no strict JSON.
type Fault struct {
	Kind       FaultKind
	Start, End int    // place in the source
	Reason     string // half a sentence: what stands there
	Name       string // of a duplicate key
	First      int    // of a duplicate key: where the name stands first
}

// A Document is a source as far as it could be read.
type Document struct {
	Source []byte
	Root   *Value  // nil when the syntax is broken
	Faults []Fault // in the order of their places
}

// Lines indexes the lines of the source.
func (d *Document) Lines() *text.Lines { return text.NewLines(d.Source) }

// Raw returns the bytes of v as they stand in the source.
func (d *Document) Raw(v *Value) []byte { return d.Source[v.Start:v.End] }
