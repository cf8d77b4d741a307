package config

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/seed-4419f9ca/forge/pkg/nearest"
)

// A typ is a type of value in the file and the Go type T that holds it.
type typ[T any] interface {
	// decode reads n, which stands under the path key, into v and reports its faults. n is resolved.
	decode(d *decoder, n *yaml.Node, key string, v *T)
	// encode is the reverse; nil when v is what it is without the key.
	encode(v *T) *tree
	describe() shape
}

// A shape is what the schema and the documentation say about a type.
type shape struct {
	words  string         // what is expected: "text", "a list of globs"
	schema map[string]any // JSON Schema
	keys   []keyShape     // of a mapping, or of the mappings in a list
	suffix string         // between the path of the key and those of keys: "." or "[]."
}

type keyShape struct {
	name, doc, def string
	required       bool
	shape
}

// A key is one row of a table: a name that a mapping may have.
type key[S any] struct {
	name     string
	doc      string // what it does, a sentence
	def      string // what holds without it, in words or YAML; "" when nothing does
	required bool
	value    field[S]
}

// A field is a typ together with the place of its values in S.
type field[S any] interface {
	decode(d *decoder, n *yaml.Node, key string, s *S)
	encode(s *S) *tree
	describe() shape
}

type fieldOf[S, T any] struct {
	typ[T]
	at func(*S) *T
}

// in places values of type t where at says.
func in[S, T any](t typ[T], at func(*S) *T) field[S] { return fieldOf[S, T]{t, at} }

func (f fieldOf[S, T]) decode(d *decoder, n *yaml.Node, key string, s *S) {
	f.typ.decode(d, n, key, f.at(s))
}
func (f fieldOf[S, T]) encode(s *S) *tree { return f.typ.encode(f.at(s)) }

// object is a mapping with known keys.
type object[S any] struct {
	keys []key[S]
	// check reports what the types of the keys cannot say. given holds the values that are there.
	check func(d *decoder, n *yaml.Node, key string, s *S, given map[string]*yaml.Node)
	// also is the JSON Schema of what check says, as far as it can be written.
	also map[string]any
	line func(*S) *int // where the line of the mapping is kept; nil for nowhere
}

func (o object[S]) decode(d *decoder, n *yaml.Node, key string, s *S) {
	given := map[string]*yaml.Node{}
	ok := d.mapping(n, key, func(name string, k, v *yaml.Node) {
		for _, known := range o.keys {
			if known.name == name {
				given[name] = v
				known.value.decode(d, v, join(key, name), s)
				return
			}
		}
		d.unknown(k, join(key, name), "key", name, o.names())
	})
	if !ok {
		return
	}
	whole := true
	for _, known := range o.keys {
		if known.required && given[known.name] == nil {
			whole = false
			d.fail(n, key, "", "%q is missing", known.name)
		}
	}
	if !whole {
		return
	}
	if o.line != nil {
		*o.line(s) = n.Line
	}
	if o.check != nil {
		o.check(d, n, key, s, given)
	}
}

func (o object[S]) names() []string {
	names := make([]string, len(o.keys))
	for i, k := range o.keys {
		names[i] = k.name
	}
	return names
}

// unknown reports a name that is none of known, with the nearest of them or else all.
func (d *decoder) unknown(n *yaml.Node, key, what, name string, known []string) {
	if near := nearest.Name(name, known); near != "" {
		d.fail(n, key, near, "unknown %s", what)
		return
	}
	d.fail(n, key, "", "unknown %s; known here: %s", what, strings.Join(known, ", "))
}

// mapping calls each for the entries of n, whose keys it checks. Nothing (`guards:`) is an empty mapping.
func (d *decoder) mapping(n *yaml.Node, key string, each func(name string, k, v *yaml.Node)) bool {
	if null(n) {
		return true
	}
	if n.Kind != yaml.MappingNode {
		d.wrong(n, key, "a mapping")
		return false
	}
	first := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := d.resolve(n.Content[i]), d.resolve(n.Content[i+1])
		if k == nil || v == nil {
			return false
		}
		switch {
		case k.Kind != yaml.ScalarNode || k.ShortTag() == "!!null":
			d.fail(n.Content[i], key, "", "a key must be a name, found %s", found(k))
			continue
		case k.ShortTag() == "!!merge":
			d.fail(k, join(key, k.Value), "", "keys cannot be merged; write them out")
			continue
		}
		name := k.Value
		if line, ok := first[name]; ok {
			d.fail(n.Content[i], join(key, name), "", "duplicate key; it also stands on line %d", line)
			continue
		}
		first[name] = n.Content[i].Line
		each(name, n.Content[i], v)
	}
	return true
}

func null(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

// join adds a name to the path of a key.
func join(key, name string) string {
	for _, r := range name {
		if r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') {
			return key + "[" + quote(name) + "]"
		}
	}
	if key == "" {
		return clip(name)
	}
	return key + "." + clip(name)
}

func (o object[S]) encode(s *S) *tree {
	t := &tree{kind: mapping}
	for _, k := range o.keys {
		if v := k.value.encode(s); v != nil {
			t.entries = append(t.entries, entry{name: k.name, value: v})
		} else if k.def != "" {
			t.entries = append(t.entries, entry{name: k.name, def: k.def})
		}
	}
	return t
}

func (o object[S]) describe() shape {
	properties := map[string]any{}
	var required []string
	sh := shape{words: "a mapping", suffix: "."}
	for _, k := range o.keys {
		of := k.value.describe()
		p := map[string]any{"description": k.doc}
		for name, v := range of.schema {
			p[name] = v
		}
		properties[k.name] = p
		if k.required {
			required = append(required, k.name)
		}
		sh.keys = append(sh.keys, keyShape{k.name, k.doc, k.def, k.required, of})
	}
	sh.schema = map[string]any{"type": []string{"object", "null"}, "additionalProperties": false, "properties": properties}
	if required != nil {
		sh.schema["type"] = "object" // null would lack them
		sh.schema["required"] = required
	}
	for name, v := range o.also {
		sh.schema[name] = v
	}
	return sh
}

// optional is a value whose absence is a nil pointer.
type optional[T any] struct{ of typ[T] }

func (o optional[T]) decode(d *decoder, n *yaml.Node, key string, v **T) {
	*v = new(T)
	o.of.decode(d, n, key, *v)
}

func (o optional[T]) encode(v **T) *tree {
	if *v == nil {
		return nil
	}
	return o.of.encode(*v)
}

func (o optional[T]) describe() shape { return o.of.describe() }

// list is a list of values. Nothing (`ignore:`) is an empty list.
type list[T any] struct {
	of    typ[T]
	least int // number of items
	words string
}

func (l list[T]) decode(d *decoder, n *yaml.Node, key string, v *[]T) {
	if !null(n) && n.Kind != yaml.SequenceNode {
		d.wrong(n, key, l.words)
		return
	}
	*v = make([]T, 0, len(n.Content))
	for i, item := range n.Content {
		at := key + "[" + strconv.Itoa(i) + "]"
		r := d.resolve(item)
		if r == nil {
			return
		}
		if null(r) {
			d.wrong(item, at, l.of.describe().words)
			continue
		}
		var one T
		l.of.decode(d, r, at, &one)
		*v = append(*v, one)
	}
	if len(n.Content) < l.least {
		d.fail(n, key, "", "the list is empty")
	}
}

func (l list[T]) encode(v *[]T) *tree {
	if *v == nil {
		return nil
	}
	t := &tree{kind: sequence}
	for i := range *v {
		t.items = append(t.items, l.of.encode(&(*v)[i]))
	}
	return t
}

func (l list[T]) describe() shape {
	of := l.of.describe()
	s := map[string]any{"type": []string{"array", "null"}, "items": of.schema}
	if items, ok := of.schema["type"].([]string); ok && items[1] == "null" {
		s["items"] = without(of.schema, items[0])
	}
	if l.least > 0 {
		s["type"], s["minItems"] = "array", l.least
	}
	return shape{words: l.words, schema: s, keys: of.keys, suffix: "[]."}
}

// without returns the schema s with the one type given: an item of a list is never null.
func without(s map[string]any, only string) map[string]any {
	out := map[string]any{}
	for k, v := range s {
		out[k] = v
	}
	out["type"] = only
	return out
}
