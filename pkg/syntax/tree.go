package syntax

// #include <stdlib.h>
// #include "tree.h"
import "C"

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"
	"unsafe"
)

// A node is one node of a syntax tree. A tree is the slice of its nodes in pre-order.
type node struct {
	start, end int32 // bytes
	next       int32 // index of the first node after this one and all below it
	parent     int32 // index, -1 for the root
	prev       int32 // index of the sibling before, -1 for a first child
	kind       uint16
	field      uint16
	flags      uint8
}

// Flags of nodes.
const (
	isNamed   = uint8(C.FORGE_NAMED)
	isExtra   = uint8(C.FORGE_EXTRA)
	isMissing = uint8(C.FORGE_MISSING)
	isError   = uint8(C.FORGE_ERROR)
	hasError  = uint8(C.FORGE_HAS_ERROR)
)

// A match is one match of a language's query: the captured nodes by capture, and the pattern that matched.
type match struct {
	pattern  int
	captures []captured
}

type captured struct {
	capture int
	node    int32 // index
}

// A grammar is a compiled language: its parser, its query and its names. It belongs to one goroutine at a time.
type grammar struct {
	language string
	parser   *C.TSLanguage
	query    *C.TSQuery
	out      C.forge_tree // of the last parse
	nodes    []node       // of the last parse
	kinds    []string     // by node.kind
	fields   []string     // by node.field; "" for 0
	captures []string     // by captured.capture
	patterns [][]predicate
}

// A predicate is a condition of a pattern: eq?, not-eq?, any-of? or not-any-of? with a capture and strings.
type predicate struct {
	capture int
	values  []string
	not     bool
}

// Reasons for which a parse gives no tree.
var (
	errOperations = errors.New("the parser needs more operations than are allowed")
	errMatches    = errors.New("the query needs more states than are allowed")
)

// newGrammar compiles query, which may be empty, for a language. A fault in the query is an error that names its line.
func newGrammar(language, query string) (*grammar, error) {
	g := &grammar{language: language, parser: parserOf(language)}
	if g.parser == nil {
		return nil, fmt.Errorf("could not find the grammar of %q", language)
	}
	for i := range uint16(C.ts_language_symbol_count(g.parser)) {
		g.kinds = append(g.kinds, C.GoString(C.ts_language_symbol_name(g.parser, C.uint16_t(i))))
	}
	g.fields = []string{""}
	for i := range uint16(C.ts_language_field_count(g.parser)) {
		g.fields = append(g.fields, C.GoString(C.ts_language_field_name_for_id(g.parser, C.uint16_t(i+1))))
	}
	if err := g.compile(query); err != nil {
		return nil, fmt.Errorf("could not compile the query of %q: %w", language, err)
	}
	return g, nil
}

func (g *grammar) compile(query string) error {
	text := C.CString(query)
	defer C.free(unsafe.Pointer(text))
	var offset C.uint32_t
	var kind C.int
	g.query = C.ts_query_new(g.parser, text, C.uint32_t(len(query)), &offset, &kind)
	if g.query == nil {
		problems := []string{"none", "bad syntax", "no such node", "no such field", "no such capture", "a pattern that cannot match", "a bad language"}
		at := min(int(offset), len(query))
		word, _, _ := strings.Cut(query[at:], "\n")
		return fmt.Errorf("line %d: %s at %q", 1+strings.Count(query[:at], "\n"), problems[kind], word)
	}
	for i := range uint32(C.ts_query_capture_count(g.query)) {
		var n C.uint32_t
		g.captures = append(g.captures, C.GoStringN(C.ts_query_capture_name_for_id(g.query, C.uint32_t(i), &n), C.int(n)))
	}
	for i := range uint32(C.ts_query_pattern_count(g.query)) {
		predicates, err := g.predicates(i)
		if err != nil {
			return err
		}
		g.patterns = append(g.patterns, predicates)
	}
	return nil
}

func (g *grammar) predicates(pattern uint32) ([]predicate, error) {
	var n C.uint32_t
	first := C.ts_query_predicates_for_pattern(g.query, C.uint32_t(pattern), &n)
	if n == 0 {
		return nil, nil
	}
	var list []predicate
	var words []string
	capture := -1
	for _, step := range unsafe.Slice(first, n) {
		switch step._type {
		case 1:
			capture = int(step.value)
		case 2:
			var n C.uint32_t
			words = append(words, C.GoStringN(C.ts_query_string_value_for_id(g.query, step.value, &n), C.int(n)))
		default:
			if len(words) < 2 || capture < 0 {
				return nil, fmt.Errorf("pattern %d has a predicate without a capture and a string", pattern)
			}
			p := predicate{capture: capture, values: words[1:]}
			switch words[0] {
			case "eq?", "any-of?":
			case "not-eq?", "not-any-of?":
				p.not = true
			default:
				return nil, fmt.Errorf("pattern %d has the predicate #%s, which is not known", pattern, words[0])
			}
			list, words, capture = append(list, p), nil, -1
		}
	}
	return list, nil
}

// close releases the query and what parses have left.
func (g *grammar) close() {
	C.free(unsafe.Pointer(g.out.nodes))
	C.free(unsafe.Pointer(g.out.captures))
	g.out = C.forge_tree{}
	if g.query != nil {
		C.ts_query_delete(g.query)
		g.query = nil
	}
}

// parse returns the tree of src, which is good until the next parse, and the matches of the query. Every C structure but a
// few arrays that are used again is released before it returns.
func (g *grammar) parse(src []byte) ([]node, []match, error) {
	out := g.out
	defer func() {
		C.forge_release(&out)
		g.out = out
	}()
	var pin runtime.Pinner
	defer pin.Unpin()
	var data *C.char
	if len(src) > 0 {
		pin.Pin(&src[0])
		data = (*C.char)(unsafe.Pointer(&src[0]))
	}
	switch status := C.forge_parse(g.parser, g.query, data, C.uint32_t(len(src)), &out); status {
	case C.FORGE_OK:
	case C.FORGE_OPERATIONS:
		return nil, nil, errOperations
	case C.FORGE_MATCHES:
		return nil, nil, errMatches
	default:
		return nil, nil, fmt.Errorf("could not parse: status %d", int(status))
	}
	raw := unsafe.Slice(out.nodes, out.node_count)
	nodes := g.link(raw)
	matches, err := g.matches(src, raw, nodes, unsafe.Slice(out.captures, out.capture_count))
	return nodes, matches, err
}

// link fills the nodes that g keeps, which are good until the next parse. It turns depths into parents, siblings and ends of subtrees, and carries errors up. A missing line end is no error: the
// Go grammar misses one before a parenthesis on the same line, which Go does not.
func (g *grammar) link(raw []C.forge_node) []node {
	if cap(g.nodes) < len(raw) {
		g.nodes = make([]node, len(raw)+len(raw)/4)
	}
	nodes := g.nodes[:len(raw)]
	var open, last []int32 // by depth: the node that is open, and the last child that it has so far
	for i := range raw {
		r := &raw[i]
		for len(open) > int(r.depth) {
			nodes[open[len(open)-1]].next = int32(i)
			open, last = open[:len(open)-1], last[:len(last)-1]
		}
		n := node{start: int32(r.start), end: int32(r.end), parent: -1, prev: -1, kind: uint16(r.kind), field: uint16(r.field)}
		if top := len(open) - 1; top >= 0 {
			n.parent, n.prev = open[top], last[top]
			last[top] = int32(i)
		}
		n.flags = uint8(r.flags) &^ hasError
		if n.flags&isError != 0 || n.flags&isMissing != 0 && strings.TrimSpace(g.kind(&n)) != "" {
			n.flags |= hasError
		}
		nodes[i] = n
		open, last = append(open, int32(i)), append(last, -1)
	}
	for _, i := range open {
		nodes[i].next = int32(len(raw))
	}
	for i := len(nodes) - 1; i > 0; i-- {
		if nodes[i].flags&hasError != 0 {
			nodes[nodes[i].parent].flags |= hasError
		}
	}
	return nodes
}

// confine bounds this process: heap bytes for the parsers, the address space where the system can, no core files.
func confine(heap, addressSpace int) error {
	if C.forge_confine(C.size_t(heap), C.size_t(addressSpace)) != 0 {
		return errors.New("could not set the limits of a parser process")
	}
	return nil
}

// cpuTime returns how long this process has been computing, in all its threads.
func cpuTime() time.Duration { return time.Duration(C.forge_cpu()) }

// kind returns the name of a node's kind.
func (g *grammar) kind(n *node) string {
	if int(n.kind) < len(g.kinds) {
		return g.kinds[n.kind]
	}
	return "ERROR"
}

// matches joins captures to nodes and leaves out the matches whose predicates do not hold.
func (g *grammar) matches(src []byte, raw []C.forge_node, nodes []node, captures []C.forge_capture) ([]match, error) {
	var list []match
	for i := 0; i < len(captures); {
		m := match{pattern: int(captures[i].pattern)}
		run := captures[i].match
		for ; i < len(captures) && captures[i].match == run; i++ {
			at, ok := find(raw, captures[i].id, captures[i].start)
			if !ok {
				return nil, errors.New("could not find a captured node in its tree")
			}
			m.captures = append(m.captures, captured{capture: int(captures[i].capture), node: at})
		}
		if g.holds(src, nodes, &m) {
			list = append(list, m)
		}
	}
	return list, nil
}

// find returns the first node with this id and start. Nodes in pre-order are sorted by their starts, but for what a grammar
// reads out of its order, such as a document that a shell command is given.
func find(raw []C.forge_node, id C.uint64_t, start C.uint32_t) (int32, bool) {
	i, _ := slices.BinarySearchFunc(raw, start, func(n C.forge_node, start C.uint32_t) int { return cmp.Compare(n.start, start) })
	for ; i < len(raw) && raw[i].start == start; i++ {
		if raw[i].id == id {
			return int32(i), true
		}
	}
	i = slices.IndexFunc(raw, func(n C.forge_node) bool { return n.id == id && n.start == start })
	return int32(max(i, 0)), i >= 0
}

func (g *grammar) holds(src []byte, nodes []node, m *match) bool {
	for _, p := range g.patterns[m.pattern] {
		for _, c := range m.captures {
			if c.capture != p.capture {
				continue
			}
			n := &nodes[c.node]
			found := false
			for _, v := range p.values {
				found = found || string(src[n.start:n.end]) == v
			}
			if found == p.not {
				return false
			}
		}
	}
	return true
}
