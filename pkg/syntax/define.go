package syntax

import (
	"slices"
	"strings"
	"unicode"
)

// The captures of the query files:
//
//	@definition  a node that defines what @name names
//	@variable    the same, but not where the nearest definition or @function around it is a function: a local is no symbol
//	@member      the same, but only where all nodes between it and the nearest definition are @through: a member of a value
//	@field       the same, named in the nearest definition around it that is no function
//	@instance    a field that only a @constructor, the nearest function around it, can set
//	@constructor a function that sets instance fields
//	@name        the name; several in one match are joined by dots
//	@selector    a selector of CSS, which holds names
//	@in          names that come before the name: the type of a receiver, the A of an out-of-line A::f
//	@body        the body, where the field "body" is not it; the innermost of several counts
//	@scope       a node that names what it holds and is no definition itself; one without @name only holds
//	@function    a node whose inside is local
//	@through     see @member
//	@wrap        a node around a definition that belongs to it, such as what holds its decorators
//	@lead        a node that belongs to the definition after it, such as an attribute
//	@trail       a node that belongs to the definition before it, such as an accessor on its own line
//	@mode        a node that belongs to every definition after it in the same list, such as a line with a visibility
//	@doc         documentation that is syntax
//
// Other captures serve the predicates of their pattern.

// A found is one definition in a file, before definitions of the same name are joined.
type found struct {
	name   string       // qualified
	ranges []tokenRange // its tokens, in order
	body   tokenRange   // among them, empty when there is no body
	start  int32        // of the source text
	end    int32
	bad    int32 // offset of the first syntax error, -1 without one

	node, bodyNode int32
}

// A candidate is what the matches say about one node.
type candidate struct {
	role   string // definition, variable, member, field, instance, scope or ""
	names  []string
	in     string
	body   int32
	isFunc bool
	isCtor bool
}

// marks are the captures of a file, by node.
type marks struct {
	candidates map[int32]*candidate
	through    map[int32]bool
	wrap       map[int32]bool
	lead       map[int32]bool
	trail      map[int32]bool
	mode       map[int32]bool
	doc        map[int32]bool
}

// collect sorts the captures of all matches by node.
func (g *grammar) collect(src []byte, nodes []node, matches []match) *marks {
	m := &marks{candidates: map[int32]*candidate{}, through: map[int32]bool{}, wrap: map[int32]bool{}, lead: map[int32]bool{}, trail: map[int32]bool{}, mode: map[int32]bool{}, doc: map[int32]bool{}}
	at := func(i int32) *candidate {
		if m.candidates[i] == nil {
			m.candidates[i] = &candidate{}
		}
		return m.candidates[i]
	}
	for _, match := range matches {
		var name, selected, in []string
		target, role, body := int32(-1), "", int32(0)
		for _, c := range match.captures {
			text := func() string { return g.name(string(src[nodes[c.node].start:nodes[c.node].end])) }
			switch capture := g.captures[c.capture]; capture {
			case "name":
				name = append(name, text())
			case "selector":
				selected = append(selected, selectedNames(string(src[nodes[c.node].start:nodes[c.node].end]))...)
			case "in":
				in = append(in, text())
			case "body":
				body = c.node
			case "definition", "variable", "member", "field", "instance", "scope":
				target, role = c.node, capture
			case "function":
				at(c.node).isFunc = true
			case "constructor":
				at(c.node).isCtor = true
			case "through":
				m.through[c.node] = true
			case "wrap":
				m.wrap[c.node] = true
			case "lead":
				m.lead[c.node] = true
			case "trail":
				m.trail[c.node] = true
			case "mode":
				m.mode[c.node] = true
			case "doc":
				m.doc[c.node] = true
			}
		}
		if target < 0 {
			continue
		}
		c := at(target)
		if c.role != "definition" { // a member of a class is one although members of values look alike
			c.role = role
		}
		if len(in) > 0 {
			c.in = strings.Join(in, ".")
		}
		for _, n := range append(selected, strings.Join(name, ".")) {
			if n != "" && !slices.Contains(c.names, n) {
				c.names = append(c.names, n)
			}
		}
		if body != 0 && (c.body == 0 || nodes[body].end-nodes[body].start < nodes[c.body].end-nodes[c.body].start) {
			c.body = body
		}
	}
	return m
}

// name turns the source of a name into the name.
func (g *grammar) name(s string) string {
	if strings.Contains(s, `\u`) && (g.language == "javascript" || g.language == "typescript" || g.language == "tsx") {
		if value, ok := scriptString(`"` + s + `"`); ok {
			return value
		}
	}
	return symbolText(s)
}

// symbolText turns the source of a name into the name: quotes and type arguments go, `::`, `:` and `\` become dots, white
// space goes.
func symbolText(s string) string {
	s = strings.TrimSpace(s)
	if len(s) >= 2 && (s[0] == '"' || s[0] == '\'' || s[0] == '`') && s[len(s)-1] == s[0] {
		return s[1 : len(s)-1]
	}
	if !strings.ContainsFunc(s, func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		return strings.Join(strings.Fields(s), "") // an operator
	}
	head, sign := s, "" // the name of an operator may be made of angle brackets
	if at := strings.LastIndex(s, "operator"); at >= 0 {
		head, sign = s[:at], s[at:]
	}
	s = withoutArguments(head) + sign
	if strings.ContainsAny(s, `:\`) {
		s = strings.NewReplacer("::", ".", ":", ".", `\`, ".").Replace(s)
	}
	return strings.Join(strings.Fields(strings.Trim(s, ".")), "")
}

// withoutArguments drops what stands between angle brackets.
func withoutArguments(s string) string {
	if !strings.Contains(s, "<") || !strings.Contains(s, ">") {
		return s
	}
	var b strings.Builder
	depth := 0
	for _, r := range s {
		switch {
		case r == '<':
			depth++
		case r == '>' && depth > 0:
			depth--
		case depth == 0:
			b.WriteRune(r)
		}
	}
	if b.Len() == 0 { // the name itself is made of them
		return s
	}
	return b.String()
}

// A level is one definition, scope or function around the node that is being looked at.
type level struct {
	node   int32
	names  []string // what its members' names begin with, one for each of its own names; "" at the top
	isFunc bool
	isCtor bool
	isDef  bool
}

// maxHomes bounds how many names of one definition its members are found under; names of nested lists multiply.
const maxHomes = 8

// define returns the definitions of a file in the order of the source.
func (z *normalizer) define(m *marks) []found {
	order := make([]int32, 0, len(m.candidates))
	for i := range m.candidates {
		order = append(order, i)
	}
	slices.Sort(order)
	levels := []level{{node: -1, names: []string{""}}}
	var list []found
	for _, i := range order {
		for top := levels[len(levels)-1].node; top >= 0 && z.nodes[top].next <= i; top = levels[len(levels)-1].node {
			levels = levels[:len(levels)-1]
		}
		c := m.candidates[i]
		home, ok := z.home(i, c, m, levels)
		top := level{node: i, names: levels[len(levels)-1].names, isFunc: c.isFunc, isCtor: c.isCtor}
		if ok && c.role != "" && len(c.names) > 0 && !z.repeats(i, c, home) {
			top.names, top.isDef = nil, c.role != "scope"
			for _, prefix := range home.names[:min(len(home.names), maxHomes)] {
				for _, name := range c.names {
					top.names = append(top.names, join(prefix, c.in, name))
				}
			}
			for _, name := range top.names {
				if top.isDef && (name != "_" || z.g.language != "go") { // the blank name of Go names nothing
					list = append(list, found{node: i, name: name, bodyNode: z.body(i, c), bad: -1})
				}
			}
		}
		levels = append(levels, top)
	}
	e := newExtender(z, m)
	for n := range list {
		e.extend(&list[n])
	}
	return list
}

// home returns the level in which a candidate has its name, and whether it is a definition where it stands.
func (z *normalizer) home(i int32, c *candidate, m *marks, levels []level) (level, bool) {
	top := levels[len(levels)-1]
	switch c.role {
	case "variable":
		return top, !top.isFunc
	case "member":
		if !top.isDef {
			return level{}, false
		}
		for p := z.nodes[i].parent; p > top.node; p = z.nodes[p].parent {
			if !m.through[p] {
				return level{}, false
			}
		}
	case "field", "instance":
		if c.role == "instance" && !top.isCtor {
			return level{}, false
		}
		for n := len(levels) - 1; n >= 0; n-- {
			if levels[n].isDef && !levels[n].isFunc {
				return levels[n], true
			}
		}
		return level{}, false
	}
	return top, true
}

// repeats reports whether a candidate only says again what the definition right around it is called, as the tag of a C
// structure does in a typedef.
func (z *normalizer) repeats(i int32, c *candidate, home level) bool {
	if !home.isDef || z.nodes[i].parent != home.node {
		return false
	}
	return slices.ContainsFunc(home.names, func(name string) bool {
		return name == c.names[0] || strings.HasSuffix(name, "."+c.names[0])
	})
}

func join(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ".")
}

// body returns the node of a definition's body, 0 without one.
func (z *normalizer) body(i int32, c *candidate) int32 {
	if c.body != 0 {
		return c.body
	}
	for child := i + 1; child < z.nodes[i].next; child = z.nodes[child].next {
		switch z.fieldOf(child) {
		case "body", "value":
			return child
		}
	}
	return 0
}
