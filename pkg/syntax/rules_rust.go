package syntax

import "strings"

// rustRules follow rustfmt: commas and braces of match arms, semicolons after return, trailing commas but those of macros.
func rustRules() *rules {
	return &rules{
		comments: []string{"line_comment", "block_comment"},
		parens:   []string{"parenthesized_expression"},
		verbatim: []string{"string_literal", "raw_string_literal", "char_literal"},
		dropped:  map[string][]string{"match_arm": {","}},
		comma: func(z *normalizer, i int32) bool {
			if !strings.HasPrefix(z.kind(i), "token_tree") || z.kind(z.nodes[i].parent) == "attribute" {
				return false
			}
			literal := z.kind(i) == "token_tree" && z.nodes[i].prev >= 0 && z.kind(z.nodes[i].prev) == "identifier" // of a structure, among the arguments of a macro
			return z.src[z.nodes[i].start] != '[' && !(z.src[z.nodes[i].start] == '{' && literal)
		},
		keep: func(z *normalizer, i, child int32) bool { // (self.f)(x) calls a field, self.f(x) a method
			return z.kind(z.nodes[i].parent) == "call_expression" && z.fieldOf(i) == "function" && z.kind(child) == "field_expression"
		},
		special: rustSpecial,
	}
}

func rustSpecial(z *normalizer, i int32, depth int, field string) bool {
	switch z.kind(i) {
	case "empty_statement":
		return true
	case "or_pattern": // a bar before the first
		if parts := z.children(i); len(parts) == 2 && !z.named(parts[0]) {
			z.visit(parts[1], depth, field)
			return true
		}
	case "extern_modifier":
		if len(z.children(i)) == 1 {
			z.inner(i, depth, field)
			z.leaf(i, depth+1, "", "string_literal", `"C"`)
			return true
		}
	case "scoped_use_list":
		return z.onlyUse(i, depth, field)
	case "expression_statement":
		parts := z.children(i)
		switch z.kind(parts[0]) {
		case "return_expression", "break_expression", "continue_expression":
			z.visit(parts[0], depth, field)
			return true
		}
	case "block":
		parent := z.kind(z.nodes[i].parent)
		if parent != "match_arm" && parent != "closure_expression" {
			return false
		}
		parts := z.children(i)
		if len(parts) == 3 && z.named(parts[1]) && !strings.HasSuffix(z.kind(parts[1]), "_statement") &&
			!strings.HasSuffix(z.kind(parts[1]), "_declaration") && !strings.HasSuffix(z.kind(parts[1]), "_item") && z.nodes[i].flags&hasError == 0 {
			z.visit(parts[1], depth, field)
			return true
		}
	}
	return false
}

// onlyUse emits a list of imports that holds one name as that name: a::{b} is a::b.
func (z *normalizer) onlyUse(i int32, depth int, field string) bool {
	parts := z.children(i)
	if len(parts) != 3 || z.fieldOf(parts[0]) != "path" || z.kind(parts[2]) != "use_list" {
		return false
	}
	names := z.namedChildren(parts[2])
	if len(names) != 1 || z.kind(names[0]) != "identifier" {
		return false
	}
	z.open(i, depth, field, "scoped_identifier")
	z.visit(parts[0], depth+1, "path")
	z.visit(parts[1], depth+1, "")
	z.visit(names[0], depth+1, "name")
	return true
}
