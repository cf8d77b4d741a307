package syntax

import (
	"bytes"
	"strings"
)

// plainRules are those of languages whose formatters add or drop little. Names that a grammar does not have do no harm.
func plainRules(language string) *rules {
	r := &rules{
		comments: []string{"comment", "line_comment", "block_comment", "multiline_comment", "marginalia", "preproc_region", "preproc_endregion"},
		parens:   []string{"parenthesized_expression", "parenthesized_type", "parenthesized_pattern"},
		verbatim: []string{"character_literal", "char_literal", "string_literal", "verbatim_string_literal", "raw_string_literal"},
		keep:     keepChain,
	}
	switch language {
	case "java":
		r.parens = append(r.parens, "inferred_parameters")
		r.special = func(z *normalizer, i int32, _ int, _ string) bool {
			return z.kind(i) == "enum_body_declarations" && len(z.namedChildren(i)) == 0
		}
		r.dropped = map[string][]string{"enum_body": {",", ";"}, "enum_body_declarations": {";"}, "class_body": {";"}, "program": {";"}, "interface_body": {";"}, "resource_specification": {";"}}
	case "csharp":
		r.keep = func(z *normalizer, i, child int32) bool {
			return z.kind(i) == "parenthesized_pattern" && keepCompound(z, i, child) || keepChain(z, i, child)
		}
		r.dropped = map[string][]string{"declaration_list": {";"}}
		r.gaps = []string{";"} // after the body of a type
	case "kotlin":
		r.tokens = []string{";"}
		r.keep = keepCompound
		r.verbatim = []string{"character_literal"}
		r.flat = []string{"import_list"}
		r.trailing = []string{"getter", "setter"}
		r.special = kotlinSpecial
	case "scala":
		r.tokens = []string{";"}
		r.keep = keepCompound
	case "swift":
		r.tokens = []string{";"}
		r.parens = append(r.parens, "tuple_expression")
		r.keep = keepCompound
		r.verbatim = nil
	case "bash":
		r.renamed = map[string]string{"extglob_pattern": "word"} // depends on the bracket before it, which shfmt drops
		r.tokens = []string{";", "\n"}
		r.parens = nil
		r.verbatim = []string{"raw_string", "ansi_c_string", "heredoc_content"}
		r.dropped = map[string][]string{"case_item": {"(", ";;"}}
		r.special = bashSpecial
	case "sql":
		r.tokens = []string{";"}
		r.keep = keepCompound
		r.special = sqlSpecial
	case "lua":
		r.tokens = []string{";"}
		r.strings = map[string]func(string) (string, bool){"string": luaString}
		r.dropped = map[string][]string{"fieldlist": {",", ";"}}
		r.special = luaSpecial
	case "protobuf":
		r.tokens = []string{";", "empty_statement"}
		r.strings = map[string]func(string) (string, bool){"string": scriptString}
		r.dropped = map[string][]string{"block_lit": {","}}
	case "hcl":
		r.dropped = map[string][]string{"object": {","}, "tuple": {","}}
		r.exact = []string{"template_if", "template_for"}
		r.special = hclSpecial
	}
	return r
}

// keepCompound keeps parentheses around more than one word, for grammars that do not know what binds closer: their trees of
// (a + b) * c and a + b * c differ in nothing else.
func keepCompound(z *normalizer, i, child int32) bool {
	return !z.isLeaf(child) && z.kind(child) != z.kind(i)
}

// keepChain keeps parentheses that end a chain of calls which stops at nothing: (a?.b).c is not a?.b.c everywhere.
func keepChain(z *normalizer, i, child int32) bool {
	parent := z.kind(z.nodes[i].parent)
	for _, part := range []string{"member", "navigation", "field", "call", "invocation", "subscript", "access", "index"} {
		if strings.Contains(parent, part) {
			text := z.text(child)
			return strings.Contains(text, "?.") || strings.Contains(text, "?->") || strings.Contains(text, "&.") || strings.Contains(text, "?[")
		}
	}
	return false
}

// bashSpecial spells `…` as $(…), and drops blanks within a redirection of text but not the line end.
func bashSpecial(z *normalizer, i int32, depth int, field string) bool {
	switch z.kind(i) {
	case "heredoc_redirect", "herestring_redirect":
		z.open(i, depth, field, z.kind(i))
		at := z.nodes[i].start
		for c := i + 1; c < z.nodes[i].next; c = z.nodes[c].next {
			if between := z.src[at:max(at, z.nodes[c].start)]; bytes.IndexByte(between, '\n') >= 0 {
				z.toks = append(z.toks, tok{text: "\n", depth: int32(depth + 1), start: at, leaf: true})
			}
			at = max(at, z.nodes[c].end)
			z.visit(c, depth+1, z.fieldOf(c))
		}
		return true
	case "`":
		if z.kind(z.nodes[i].parent) != "command_substitution" {
			return false
		}
		kind := "$("
		if z.nodes[i].prev >= 0 {
			kind = ")"
		}
		z.leaf(i, depth, field, kind, kind)
		return true
	}
	return false
}

// sqlSpecial spells keywords in small letters.
func sqlSpecial(z *normalizer, i int32, depth int, field string) bool {
	if !strings.HasPrefix(z.kind(i), "keyword_") || !z.isLeaf(i) {
		return false
	}
	z.leaf(i, depth, field, z.kind(i), strings.ToLower(z.text(i)))
	return true
}

// hclSpecial drops parentheses around an expression and the string around an interpolation that holds nothing else, and puts
// the labels of blocks into quotes.
func hclSpecial(z *normalizer, i int32, depth int, field string) bool {
	switch z.kind(i) {
	case "identifier":
		if z.kind(z.nodes[i].parent) != "block" || z.nodes[i].prev < 0 {
			return false
		}
		z.open(i, depth, field, "string_lit")
		z.leaf(i, depth+1, "", "quoted_template_start", `"`)
		z.leaf(i, depth+1, "", "template_literal", z.text(i))
		z.leaf(i, depth+1, "", "quoted_template_end", `"`)
		return true
	case "expression":
		parts := z.children(i)
		if len(parts) == 3 && z.kind(parts[0]) == "(" && z.kind(parts[2]) == ")" && field != "key" { // {(a) = 1} has the value of a for a key
			z.visit(parts[1], depth, field)
			return true
		}
		if inner := z.interpolated(i); inner >= 0 {
			z.visit(inner, depth, field)
			return true
		}
	}
	return false
}

// interpolated returns the expression in "${…}" when a template holds nothing else, -1 otherwise.
func (z *normalizer) interpolated(i int32) int32 {
	for _, kind := range []string{"template_expr", "quoted_template"} {
		parts := z.children(i)
		if len(parts) != 1 || z.kind(parts[0]) != kind {
			return -1
		}
		i = parts[0]
	}
	parts := z.children(i)
	if len(parts) != 3 || z.kind(parts[1]) != "template_interpolation" {
		return -1
	}
	if inner := z.children(parts[1]); len(inner) == 3 && z.kind(inner[1]) == "expression" && z.text(inner[0]) == "${" && z.text(inner[2]) == "}" {
		return inner[1]
	}
	return -1
}
