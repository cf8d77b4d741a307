package syntax

import (
	"bytes"
	"slices"
	"strings"
	"unsafe"
)

// A tok is one step of the normalized sequence of a file: a node that counts, in pre-order.
type tok struct {
	kind  string
	field string
	text  string // of leaves
	depth int32
	start int32 // offset in the source
	doc   bool
	leaf  bool
}

// A normalizer turns the tree of one file into its sequence. Every byte of the source that is not white space ends up in the
// sequence unless a rule leaves it out: what no node covers is taken as text of the node around it.
type normalizer struct {
	g       *grammar
	r       *rules
	classes []class
	src     []byte
	nodes   []node
	docs    map[int32]bool // nodes that only document
	inDoc   bool
	toks    []tok
	from    []int32 // by node: its tokens are toks[from[i]:to[i]]; -1 when a rule passed over it
	to      []int32
}

// run fills toks, from and to, in the arrays that they have where those are large enough.
func (z *normalizer) run() {
	z.from = slices.Grow(z.from[:0], len(z.nodes))[:len(z.nodes)]
	for i := range z.from {
		z.from[i] = -1
	}
	z.to = slices.Grow(z.to[:0], len(z.nodes))[:len(z.nodes)]
	clear(z.to)
	z.toks = slices.Grow(z.toks[:0], len(z.nodes))
	z.visit(0, 0, "")
}

func (z *normalizer) kind(i int32) string { return z.g.kind(&z.nodes[i]) }

// text returns the source of a node. It is a view: nobody writes to a source once it is parsed.
func (z *normalizer) text(i int32) string { return view(z.src[z.nodes[i].start:z.nodes[i].end]) }

// view returns b as a string without a copy.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// class returns the class of a node; none for the parent of the root, -1.
func (z *normalizer) class(i int32) class {
	if i < 0 {
		return 0
	}
	if k := int(z.nodes[i].kind); k < len(z.classes) {
		return z.classes[k]
	}
	return 0
}

func (z *normalizer) fieldOf(i int32) string { return z.g.fields[z.nodes[i].field] }

func (z *normalizer) named(i int32) bool { return z.nodes[i].flags&isNamed != 0 }

func (z *normalizer) isLeaf(i int32) bool { return z.nodes[i].next == i+1 }

// children returns the children of a node, comments left out.
func (z *normalizer) children(i int32) []int32 {
	var list []int32
	for c := i + 1; c < z.nodes[i].next; c = z.nodes[c].next {
		if z.class(c)&isComment == 0 {
			list = append(list, c)
		}
	}
	return list
}

// namedChildren returns the children that are no punctuation.
func (z *normalizer) namedChildren(i int32) []int32 {
	return slices.DeleteFunc(z.children(i), func(c int32) bool { return !z.named(c) })
}

// visit appends the tokens of the node and everything below it.
func (z *normalizer) visit(i int32, depth int, field string) {
	z.from[i] = int32(len(z.toks))
	if z.docs[i] && !z.inDoc {
		z.inDoc = true
		z.emit(i, depth, field)
		z.inDoc = false
	} else {
		z.emit(i, depth, field)
	}
	z.to[i] = int32(len(z.toks))
}

func (z *normalizer) emit(i int32, depth int, field string) {
	c := z.class(i)
	switch {
	case c&(isComment|isNothing) != 0 && !z.docs[i]:
		return
	case z.r.special != nil && z.r.special(z, i, depth, field):
		return
	case c&isParens != 0:
		if child, ok := z.inside(i); ok {
			z.visit(child, depth, field)
			return
		}
	case c&isString != 0:
		if value, ok := z.r.strings[z.kind(i)](z.text(i)); ok && z.plain(i) {
			z.leaf(i, depth, field, z.kind(i), value)
			return
		}
	case c&isFlat != 0:
		z.below(i, depth)
		return
	case c&isVerbatim != 0:
		z.leaf(i, depth, field, z.kind(i), z.text(i))
		return
	case c&isNumber != 0:
		z.leaf(i, depth, field, z.kind(i), z.r.number(z.text(i)))
		return
	}
	if z.isLeaf(i) {
		text := z.text(i)
		if c&isExact == 0 && (!z.named(i) || z.class(z.nodes[i].parent)&isExact == 0) { // some tokens begin with the white space before them
			text = strings.TrimSpace(text)
		}
		if z.named(i) || text != "" {
			z.leaf(i, depth, field, z.kind(i), text)
		}
		return
	}
	z.inner(i, depth, field)
}

// inside returns the one child of parentheses that say nothing.
func (z *normalizer) inside(i int32) (int32, bool) {
	named := z.namedChildren(i)
	if len(named) != 1 || z.r.keep != nil && z.r.keep(z, i, named[0]) {
		return 0, false
	}
	return named[0], true
}

// plain reports whether a string holds nothing but its text: no code is embedded in it.
func (z *normalizer) plain(i int32) bool {
	for c := i + 1; c < z.nodes[i].next; c++ {
		if k := z.kind(c); z.named(c) && !holdsText(k) && !strings.Contains(k, "escape") {
			return false
		}
	}
	return true
}

func (z *normalizer) leaf(i int32, depth int, field, kind, text string) {
	if z.inDoc {
		text = cleanDoc(text)
	}
	start := z.nodes[i].start
	if text != "" && strings.IndexByte(" \t\r\n", text[0]) < 0 {
		start = z.contentStart(i)
	}
	z.toks = append(z.toks, tok{kind: z.respell(kind), field: field, text: text, depth: int32(depth), start: start, doc: z.inDoc, leaf: true})
}

// contentStart returns where a node begins without the white space that some tokens begin with.
func (z *normalizer) contentStart(i int32) int32 {
	n := &z.nodes[i]
	at := n.start
	for at < n.end && strings.IndexByte(" \t\r\n", z.src[at]) >= 0 {
		at++
	}
	return at
}

// cleanDoc takes the indentation and the empty ends off a documentation text.
func cleanDoc(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

func (z *normalizer) open(i int32, depth int, field, kind string) {
	z.toks = append(z.toks, tok{kind: z.respell(kind), field: field, depth: int32(depth), start: z.nodes[i].start, doc: z.inDoc})
}

func (z *normalizer) respell(kind string) string {
	if other, ok := z.r.renamed[kind]; ok {
		return other
	}
	return kind
}

// inner emits a node with children.
func (z *normalizer) inner(i int32, depth int, field string) {
	z.open(i, depth, field, z.kind(i))
	z.below(i, depth+1)
}

// below emits the children of a node, and the text between them.
func (z *normalizer) below(i int32, depth int) {
	n := &z.nodes[i]
	c := z.class(i)
	at := n.start
	var dropped []string
	switch {
	case c&hasDropped != 0:
		dropped = z.r.dropped[z.kind(i)]
	case c&isBare != 0 && len(z.namedChildren(i)) > 0:
		dropped = []string{"(", ")"}
	}
	for child := i + 1; child < n.next; child = z.nodes[child].next {
		m := &z.nodes[child]
		z.gap(at, m.start, depth, c&isExact != 0)
		at = max(at, m.end)
		if dropped != nil && slices.Contains(dropped, z.kind(child)) || z.trailingComma(i, child, c) {
			z.from[child], z.to[child] = int32(len(z.toks)), int32(len(z.toks))
			continue
		}
		inner := depth
		if z.class(child)&isTrailing != 0 && z.kind(i) != "property_declaration" {
			inner++ // as deep as on the line of what it belongs to
		}
		z.visit(child, inner, z.g.fields[m.field])
	}
	z.gap(at, n.end, depth, c&isExact != 0)
}

// gap emits source text that no node covers.
func (z *normalizer) gap(from, to int32, depth int, exact bool) {
	if from >= to {
		return
	}
	text := z.src[from:to]
	if !exact {
		text = bytes.TrimSpace(text)
		for bytes.HasPrefix(text, []byte("\\\n")) {
			text = bytes.TrimSpace(text[2:])
		}
		text = bytes.TrimSuffix(text, []byte("\\"))
		if s := string(bytes.TrimSpace(text)); slices.Contains(z.r.tokens, s) || slices.Contains(z.r.gaps, s) {
			return
		}
	}
	if len(text) > 0 {
		z.toks = append(z.toks, tok{text: string(text), depth: int32(depth), start: from, doc: z.inDoc, leaf: true})
	}
}

// trailingComma reports whether child is a comma after the last element of a list.
func (z *normalizer) trailingComma(parent, child int32, c class) bool {
	if z.named(child) || z.kind(child) != "," || c&keepsComma != 0 || z.r.comma != nil && z.r.comma(z, parent) {
		return false
	}
	before, after := z.beside(child, -1), z.beside(child, +1)
	if before == "" || strings.Contains("([{<,|", before) || after != "" && !strings.Contains(")]}>|", after) {
		return false
	}
	if c&keepsLoneComma == 0 {
		return true
	}
	for other := parent + 1; other < z.nodes[parent].next; other = z.nodes[other].next {
		if other != child && z.kind(other) == "," {
			return true
		}
	}
	return false
}

// beside returns the kind of the next sibling in a direction, comments left out; "" when there is none, and "node" for a
// named one.
func (z *normalizer) beside(i int32, direction int) string {
	parent := z.nodes[i].parent
	for {
		if direction < 0 {
			i = z.nodes[i].prev
		} else {
			i = z.nodes[i].next
		}
		switch {
		case i < 0 || int(i) >= len(z.nodes) || z.nodes[i].parent != parent:
			return ""
		case z.class(i)&isComment != 0 || z.isLeaf(i) && strings.TrimSpace(z.text(i)) == "":
		case z.named(i):
			return "node"
		default:
			return z.kind(i)
		}
	}
}

// firstError returns the offset of the first error in a node that has one.
func (z *normalizer) firstError(i int32) int32 {
	for ; i < int32(len(z.nodes)); i++ {
		if z.nodes[i].flags&hasError != 0 && z.nodes[i].flags&(isError|isMissing) != 0 {
			break
		}
	}
	return z.nodes[min(int(i), len(z.nodes)-1)].start
}
