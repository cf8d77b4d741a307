package config

import (
	"bytes"
	"strconv"
	"strings"
)

// A tree is a configuration on its way to YAML.
type tree struct {
	kind    kind
	text    string  // of a scalar: YAML
	items   []*tree // of a sequence
	entries []entry // of a mapping
}

type kind int

const (
	scalar kind = iota
	sequence
	mapping
)

// An entry is one key of a mapping; without a value it is a comment that tells the default.
type entry struct {
	name  string
	value *tree
	def   string
}

// quoted is text as a YAML scalar. All escapes of Go are escapes of YAML.
func quoted(s string) *tree { return &tree{text: strconv.Quote(s)} }

// plain is a scalar that needs no quotes.
func plain(s string) *tree { return &tree{text: s} }

// flat reports whether t fits on the line of its key.
func (t *tree) flat() bool {
	switch t.kind {
	case sequence:
		for _, i := range t.items {
			if i.kind != scalar {
				return false
			}
		}
	case mapping:
		return len(t.entries) == 0
	}
	return true
}

// inline writes a flat tree.
func (t *tree) inline() string {
	switch t.kind {
	case sequence:
		items := make([]string, len(t.items))
		for i, item := range t.items {
			items[i] = item.text
		}
		return "[" + strings.Join(items, ", ") + "]"
	case mapping:
		return "{}"
	}
	return t.text
}

// write writes the entries or items of t, each on lines of its own that begin with indent.
func (t *tree) write(b *bytes.Buffer, indent string) {
	for _, item := range t.items {
		var inner bytes.Buffer
		item.write(&inner, indent+"  ")
		b.WriteString(indent + "- ")
		b.Write(bytes.TrimPrefix(inner.Bytes(), []byte(indent+"  ")))
	}
	real := false
	for _, e := range t.entries {
		switch {
		case e.value == nil:
			b.WriteString(indent + "# " + e.name + ": " + e.def + "\n")
			continue
		case e.value.flat():
			b.WriteString(indent + e.name + ": " + e.value.inline() + "\n")
		default:
			b.WriteString(indent + e.name + ":\n")
			e.value.write(b, indent+"  ")
		}
		real = true
	}
	if t.kind == mapping && !real && len(t.entries) > 0 {
		b.WriteString(indent + "{}\n")
	}
}
