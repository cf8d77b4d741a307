package syntax

import (
	"slices"
	"strings"
)

// A tokenRange is a run of tokens.
type tokenRange struct{ from, to int32 }

// An extender finds everything that belongs to a definition.
type extender struct {
	*normalizer
	m     *marks
	kept  map[int32][]tokenRange // by wrapping node: its tokens outside definitions and punctuation
	modes map[int32]int32        // by node: the mode in force

	shared map[int32]bool // wrapping nodes that hold several definitions; filled together with kept
}

func newExtender(z *normalizer, m *marks) *extender {
	e := &extender{normalizer: z, m: m, kept: map[int32][]tokenRange{}, modes: map[int32]int32{}, shared: map[int32]bool{}}
	seen := map[int32]bool{}
	for i := range m.mode {
		parent := z.nodes[i].parent
		if parent < 0 || seen[parent] {
			continue
		}
		seen[parent] = true
		mode := int32(-1)
		for c := parent + 1; c < z.nodes[parent].next; c = z.nodes[c].next {
			if m.mode[c] {
				mode = c
			} else if mode >= 0 {
				e.modes[c] = mode
			}
		}
	}
	return e
}

// extend fills the ranges and the place of f: the nodes that lead it, the mode in force, the nodes that wrap it without the
// other definitions that they hold, and itself.
func (e *extender) extend(f *found) {
	outer := f.node
	inner := []tokenRange{{e.from[outer], e.to[outer]}}
	own := outer // the largest node around it that holds no other definition
	for p := e.nodes[outer].parent; p >= 0 && e.m.wrap[p]; p = e.nodes[p].parent {
		inner = e.wrapped(p, outer, inner)
		if own == outer && !e.shared[p] {
			own = p
		}
		outer = p
	}
	f.start, f.end = e.nodes[own].start, e.nodes[own].end
	for _, i := range e.leads(outer) {
		f.start = min(f.start, e.nodes[i].start)
		f.ranges = append(f.ranges, tokenRange{e.from[i], e.to[i]})
	}
	if i, ok := e.modes[outer]; ok {
		f.ranges = append(f.ranges, tokenRange{e.from[i], e.to[i]})
	}
	f.ranges = append(f.ranges, inner...)
	for _, i := range e.trails(outer) {
		f.end = max(f.end, e.nodes[i].end)
		f.ranges = append(f.ranges, tokenRange{e.from[i], e.to[i]})
	}
	text := string(e.src[f.start:f.end])
	f.start += int32(len(text) - len(strings.TrimLeft(text, " \t\n")))
	f.end = max(f.start, f.end-int32(len(text)-len(strings.TrimRight(text, " \t\n"))))
	f.ranges = slices.DeleteFunc(f.ranges, func(r tokenRange) bool { return r.from < 0 || r.from >= r.to })
	if b := f.bodyNode; b > 0 && e.from[b] >= 0 {
		f.body = tokenRange{e.from[b], e.to[b]}
	}
	if e.nodes[own].flags&hasError != 0 {
		f.bad = e.firstError(own)
	}
	if e.g.language == "go" && e.kind(f.node) == "const_spec" {
		f.ranges = append(f.ranges, e.implied(f.node)...)
	}
}

// implied returns what a constant of Go takes from the constants before it: the expression that is repeated, and its place
// in the list when the expression counts with iota.
func (e *extender) implied(spec int32) []tokenRange {
	index := 0
	for p := e.nodes[spec].prev; p >= 0; p = e.nodes[p].prev {
		if e.kind(p) == "const_spec" {
			index++
		}
	}
	value := int32(-1)
	for p := spec; p >= 0 && value < 0; p = e.nodes[p].prev {
		for _, c := range e.children(p) {
			if e.kind(p) == "const_spec" && e.fieldOf(c) == "value" {
				value = c
			}
		}
	}
	var list []tokenRange
	if value < 0 || e.from[value] < 0 {
		return nil
	}
	if value > e.nodes[spec].next || value < spec {
		list = append(list, tokenRange{e.from[value], e.to[value]})
	}
	for c := value; c < e.nodes[value].next; c++ {
		if e.kind(c) == "iota" {
			at := int32(len(e.toks))
			e.toks = append(e.toks, tok{kind: "place", text: itoa(index), depth: e.toks[e.from[spec]].depth, start: e.nodes[spec].start, leaf: true})
			return append(list, tokenRange{at, at + 1})
		}
	}
	return list
}

// wrapped puts what a wrapping node keeps around the ranges of its child.
func (e *extender) wrapped(wrap, child int32, inner []tokenRange) []tokenRange {
	kept, ok := e.kept[wrap]
	if !ok {
		kept = e.keep(wrap)
		e.kept[wrap] = kept
	}
	var before, after []tokenRange
	for _, r := range kept {
		switch {
		case r.from >= e.from[child] && r.to <= e.to[child]: // the child itself, which is no definition but holds one
		case r.from < e.from[child]:
			before = append(before, r)
		default:
			after = append(after, r)
		}
	}
	return slices.Concat(before, inner, after)
}

func (e *extender) keep(wrap int32) []tokenRange {
	from := e.from[wrap]
	if from < 0 || from == e.to[wrap] {
		return nil
	}
	list := []tokenRange{{from, from + 1}}
	definitions := 0
	for c := wrap + 1; c < e.nodes[wrap].next; c = e.nodes[c].next {
		other := e.m.candidates[c]
		switch {
		case e.from[c] < 0:
		case other != nil && other.role != "" && len(other.names) > 0:
			definitions++
		case !e.named(c) && slices.Contains([]string{",", "(", ")"}, e.kind(c)):
		default:
			list = append(list, tokenRange{e.from[c], e.to[c]})
		}
	}
	e.shared[wrap] = definitions > 1
	return list
}

// leads returns the nodes right before i that belong to it, in order.
func (e *extender) leads(i int32) []int32 {
	var list []int32
	for p := e.nodes[i].prev; len(e.m.lead) > 0 && p >= 0; p = e.nodes[p].prev {
		if e.class(p)&isComment != 0 && !e.docs[p] {
			continue
		}
		if !e.m.lead[p] {
			break
		}
		list = append(list, p)
	}
	slices.Reverse(list)
	return list
}

// trails returns the nodes right after i that belong to it.
func (e *extender) trails(i int32) []int32 {
	var list []int32
	parent := e.nodes[i].parent
	for n := e.nodes[i].next; len(e.m.trail) > 0 && int(n) < len(e.nodes) && e.nodes[n].parent == parent; n = e.nodes[n].next {
		if e.class(n)&isComment != 0 {
			continue
		}
		if !e.m.trail[n] {
			break
		}
		list = append(list, n)
	}
	return list
}
