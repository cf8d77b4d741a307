package syntax

import "slices"

// A tokenRange is a run of tokens.
type tokenRange struct{ from, to int32 }

// An extender finds everything that belongs to a definition.
type extender struct {
	*normalizer
	m     *marks
	kept  map[int32][]tokenRange // by wrapping node: its tokens outside definitions and punctuation
	modes map[int32]int32        // by node: the mode in force
}

func newExtender(z *normalizer, m *marks) *extender {
	e := &extender{normalizer: z, m: m, kept: map[int32][]tokenRange{}, modes: map[int32]int32{}}
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
	for p := e.nodes[outer].parent; p >= 0 && e.m.wrap[p]; p = e.nodes[p].parent {
		inner = e.wrapped(p, outer, inner)
		outer = p
	}
	f.start, f.end = e.nodes[outer].start, e.nodes[outer].end
	for _, i := range e.leads(outer) {
		f.start = min(f.start, e.nodes[i].start)
		f.ranges = append(f.ranges, tokenRange{e.from[i], e.to[i]})
	}
	if i, ok := e.modes[outer]; ok {
		f.ranges = append(f.ranges, tokenRange{e.from[i], e.to[i]})
	}
	f.ranges = append(f.ranges, inner...)
	f.ranges = slices.DeleteFunc(f.ranges, func(r tokenRange) bool { return r.from < 0 || r.from >= r.to })
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
	for c := wrap + 1; c < e.nodes[wrap].next; c = e.nodes[c].next {
		other := e.m.candidates[c]
		switch {
		case e.from[c] < 0, other != nil && other.role != "" && len(other.names) > 0:
		case !e.named(c) && slices.Contains([]string{",", "(", ")"}, e.kind(c)):
		default:
			list = append(list, tokenRange{e.from[c], e.to[c]})
		}
	}
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
