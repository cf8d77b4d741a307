// Package fingerprint finds the definitions of a source file and gives each one a fingerprint that formatting does not
// change (chapters 7.4 and 7.5). Parsers run in worker processes, since what they read can crash them; a file for which a
// worker has no answer is fingerprinted by its lines, and says so.
package fingerprint

import (
	"fmt"
	"slices"
	"strings"
)

// Scheme is the letter that fingerprints begin with. Fingerprints of two schemes are never compared.
const Scheme = "a"

// A Kind says what a fingerprint was taken from.
type Kind string

// The kinds of fingerprints.
const (
	AST    Kind = "ast"    // the syntax tree
	Coarse Kind = "coarse" // the lines, or of a binary file the bytes
)

// A Digest is the fingerprint of a definition or a file. Each part is the scheme letter and 12 hex digits, "" where the part
// does not exist.
type Digest struct {
	Whole     string // everything but documentation
	Signature string // what stands outside the body; "" for a file
	Body      string
	Doc       string // documentation that is syntax; never part of Whole
	Lines     string // of the lines, whatever the kind, so that a tree on one side can be compared with lines on the other
	Kind      Kind
}

// A Span is a range of lines, 1-based, both ends included.
type Span struct{ First, Last int }

// A Definition is everything that stands in a file under one qualified name: overloads and conditional redefinitions are
// parts of one definition.
type Definition struct {
	Name   string // qualified, joined by dots
	Spans  []Span // of the parts, in order
	Note   string // why the fingerprint is coarse in a file that is not
	Digest Digest
}

// A File is what is known of one version of a file.
type File struct {
	Language    string // "" when there is no grammar for it
	Note        string // why the fingerprint is coarse although there is a grammar, "" when it is not
	Digest      Digest
	Definitions []Definition // ordered by their first parts

	passing bool // the next try may find out more
}

// A NotFound says that a file defines no such symbol.
type NotFound struct {
	Name string
	Note string // why the file may define more than is known, "" when it does not
}

func (e *NotFound) Error() string {
	if e.Note != "" {
		return fmt.Sprintf("could not look for symbol %q: %s", e.Name, e.Note)
	}
	return fmt.Sprintf("could not find symbol %q", e.Name)
}

// An Ambiguous says that an unqualified name has several homes.
type Ambiguous struct {
	Name  string
	Homes []string // the qualified names, in the order of the file
}

func (e *Ambiguous) Error() string {
	return fmt.Sprintf("the name %q is ambiguous: write one of %s", e.Name, strings.Join(e.Homes, ", "))
}

// Resolve finds the definition that name means. A qualified name means itself; a shorter one means the only definition whose
// qualified name ends with it. The error is a *NotFound or an *Ambiguous.
func (f *File) Resolve(name string) (*Definition, error) {
	for _, spelling := range []string{name, plainName(name)} {
		var homes []*Definition
		for i := range f.Definitions {
			d := &f.Definitions[i]
			if d.Name == spelling {
				return d, nil
			}
			if plain := plainName(d.Name); strings.HasSuffix(d.Name, "."+spelling) || plain == spelling || strings.HasSuffix(plain, "."+spelling) {
				homes = append(homes, d)
			}
		}
		if len(homes) > 0 && !slices.ContainsFunc(homes, func(d *Definition) bool { return !slices.Equal(d.Spans, homes[0].Spans) || d.Digest != homes[0].Digest }) {
			return homes[0], nil // one definition, which may have two names
		}
		if len(homes) > 0 {
			e := &Ambiguous{Name: name}
			for _, d := range homes {
				e.Homes = append(e.Homes, d.Name)
			}
			return nil, e
		}
	}
	return nil, &NotFound{Name: name, Note: f.Note}
}

// plainName spells a qualified name without the signs that some languages put before private names.
func plainName(name string) string {
	return strings.NewReplacer("::", ".", ".#", ".", ".$", ".").Replace(name)
}

// A Token is one step of what went into a fingerprint.
type Token struct {
	Part  string // "signature", "body" or "doc"; "file" for what belongs to no definition
	Depth int    // below the definition
	Line  int    // 1-based
	Field string // the role of the node in its parent, "" without one
	Kind  string // of the node; "" for text that the grammar gives no node
	Leaf  bool   // it has no nodes below it
	Text  string // of a leaf
}
