package syntax

import "strings"

// luaSpecial follows stylua: it writes calls with one string or table with parentheses, and leaves out parentheses around a
// whole value. The grammar does not show what parentheses hold, so that all others count.
func luaSpecial(z *normalizer, i int32, depth int, field string) bool {
	switch z.kind(i) {
	case "string_argument", "table_argument":
		z.bareArgument(i, depth, field)
		return true
	case "left_paren":
		return z.closing(i) >= 0
	case "right_paren":
		level := 1
		for open := z.nodes[i].prev; open >= 0; open = z.nodes[open].prev {
			switch z.kind(open) {
			case "right_paren":
				level++
			case "left_paren":
				level--
			}
			if level == 0 {
				return z.closing(open) == i
			}
		}
	}
	return false
}

// bareArgument emits the one argument of a call without parentheses as if it had them.
func (z *normalizer) bareArgument(i int32, depth int, field string) {
	z.leaf(i, depth, "", "function_call_paren", "(")
	z.open(i, depth, field, "function_arguments")
	if value, ok := luaString(z.text(i)); z.kind(i) == "string_argument" && ok {
		z.leaf(i, depth+1, "", "string", value)
	} else {
		kind := "string"
		if z.kind(i) == "table_argument" {
			kind = "tableconstructor"
		}
		z.open(i, depth+1, "", kind)
		z.below(i, depth+2)
	}
	z.open(i, depth, "", "function_call_paren")
	z.leaf(i, depth+1, "", ")", ")")
}

// closing returns the parenthesis that closes the one at i when both say nothing: they stand around a whole value, and what
// they hold is one value already. It returns -1 otherwise.
func (z *normalizer) closing(i int32) int32 {
	parent := z.nodes[i].parent
	last := z.nodes[parent].next
	level := 0
	end := int32(-1)
	for c := i; c < last && end < 0; c = z.nodes[c].next {
		switch z.kind(c) {
		case "left_paren":
			level++
		case "right_paren":
			if level--; level == 0 {
				end = c
			}
		}
	}
	if end < 0 {
		return -1
	}
	if z.simple(i, end) {
		return end
	}
	first := z.nodes[i].next
	if z.nodes[first].next == end {
		switch z.kind(first) {
		case "function_call", "vararg_expression", "ellipsis", "spread":
			return -1 // parentheses cut several values down to one
		}
		if strings.HasPrefix(z.text(first), "...") {
			return -1
		}
	}
	before, after := "", ""
	if prev := z.nodes[i].prev; prev >= 0 {
		before = strings.TrimSpace(z.text(prev))
	}
	if next := z.nodes[end].next; next < last {
		after = strings.TrimSpace(z.text(next))
	}
	switch before {
	case "", "=", "if", "elseif", "while", "until", "return", ",", "(", "{":
	default:
		return -1
	}
	switch after {
	case "", "then", "do", ",", ")", "}", "end", ";":
		return end
	}
	return -1
}

// simple reports a name, or an index into one, between two nodes.
func (z *normalizer) simple(from, to int32) bool {
	level := 0
	for c := z.nodes[from].next; c < to; c = z.nodes[c].next {
		switch kind := z.kind(c); {
		case kind == "[":
			level++
		case kind == "]":
			level--
		case level == 0 && kind != "identifier" && kind != ".":
			return false
		}
	}
	return level == 0
}

// luaString returns the value of a string in quotes. Long brackets are left as they are.
func luaString(raw string) (string, bool) {
	raw = strings.TrimSpace(raw)
	if len(raw) < 2 || raw[0] != raw[len(raw)-1] || raw[0] != '"' && raw[0] != '\'' {
		return "", false
	}
	return swapQuotes(raw[1 : len(raw)-1]), true
}

// swapQuotes takes the backslash from quotes and leaves every other escape as it is spelled. It serves languages whose
// formatters change the quotes around a string and nothing in it.
func swapQuotes(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
			if s[i] != '"' && s[i] != '\'' {
				b.WriteByte('\\')
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
