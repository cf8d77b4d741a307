package syntax

import "slices"

// An item is one value of a configuration file, by what it means and not by how it is written.
type item struct {
	key      string // of a member of a table, "" for elements of lists
	kind     string
	text     string // of a scalar
	children []*item
	start    int32 // of the source text, key included
	end      int32
}

// child returns the member of a table by its key, made if need be.
func (t *item) child(key, kind string, start int32) *item {
	for i := len(t.children) - 1; i >= 0; i-- {
		if t.children[i].key == key {
			return t.children[i]
		}
	}
	c := &item{key: key, kind: kind, start: start, end: start}
	t.children = append(t.children, c)
	return c
}

// maxItemDepth is how deep the tables and lists of a configuration file are followed.
const maxItemDepth = 300

// stretch lets every item reach to the end of what it holds, and returns where that is.
func (t *item) stretch() int32 {
	for _, c := range t.children {
		t.end = max(t.end, c.stretch())
	}
	return t.end
}

// An outliner turns items into a reading: every key is a definition, qualified by the keys around it.
type outliner struct{ reading }

func outline(roots []*item) *reading {
	o := &outliner{reading{bad: -1}}
	for _, root := range roots {
		o.emit(root, 0, "")
	}
	o.size = int32(len(o.toks))
	return &o.reading
}

func (o *outliner) emit(t *item, depth int32, prefix string) {
	from := int32(len(o.toks))
	if t.key != "" {
		o.toks = append(o.toks, tok{kind: "key", text: t.key, depth: depth, start: t.start, leaf: true})
		prefix = join(prefix, t.key)
	}
	body := int32(len(o.toks))
	o.toks = append(o.toks, tok{kind: t.kind, text: t.text, depth: depth, start: t.start, leaf: len(t.children) == 0})
	at := len(o.list)
	if t.key != "" {
		o.list = append(o.list, found{name: prefix, start: t.start, end: t.end, bad: -1})
	}
	for n, c := range t.children {
		inner := prefix
		if c.key == "" && slices.ContainsFunc(c.children, func(c *item) bool { return c.key != "" }) {
			inner = join(prefix, itoa(n))
		}
		o.emit(c, depth+1, inner)
	}
	if t.key != "" {
		to := int32(len(o.toks))
		o.list[at].ranges, o.list[at].body = []tokenRange{{from, to}}, tokenRange{body, to}
	}
}
