package syntax

import "strings"

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
		r.dropped = map[string][]string{"enum_body": {",", ";"}, "enum_body_declarations": {";"}, "class_body": {";"}, "program": {";"}, "interface_body": {";"}}
	case "csharp":
		r.dropped = map[string][]string{"declaration_list": {";"}}
	case "kotlin":
		r.tokens = []string{";"}
		r.verbatim = []string{"character_literal"}
		r.flat = []string{"import_list"}
		r.trailing = []string{"getter", "setter"}
		r.special = kotlinSpecial
	case "scala":
		r.tokens = []string{";"}
	case "swift":
		r.tokens = []string{";"}
		r.parens = append(r.parens, "tuple_expression")
		r.verbatim = nil
	case "bash":
		r.tokens = []string{";", "\n"}
		r.parens = nil
		r.verbatim = []string{"raw_string", "ansi_c_string", "heredoc_content"}
	case "sql":
		r.tokens = []string{";"}
		r.special = sqlSpecial
	case "lua":
		r.tokens = []string{";"}
		r.strings = map[string]func(string) (string, bool){"string": luaString}
		r.dropped = map[string][]string{"fieldlist": {",", ";"}}
	case "protobuf":
		r.tokens = []string{";", "empty_statement"}
		r.strings = map[string]func(string) (string, bool){"string": scriptString}
	case "hcl":
		r.dropped = map[string][]string{"object": {","}, "tuple": {","}}
		r.special = hclSpecial
	}
	return r
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

// kotlinSpecial takes "${name}" for "$name", as ktlint writes it.
func kotlinSpecial(z *normalizer, i int32, depth int, field string) bool {
	switch z.kind(i) {
	case "interpolated_expression":
		if parts := z.namedChildren(i); len(parts) == 1 && z.kind(parts[0]) == "simple_identifier" {
			z.leaf(i, depth, field, "interpolated_identifier", z.text(parts[0]))
			return true
		}
	case "${", "$":
		return strings.HasPrefix(z.kind(z.nodes[i].parent), "interpolated") || strings.Contains(z.kind(z.nodes[i].parent), "string")
	case "}":
		return strings.Contains(z.kind(z.nodes[i].parent), "string")
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

// hclSpecial drops parentheses around an expression.
func hclSpecial(z *normalizer, i int32, depth int, field string) bool {
	if z.kind(i) != "expression" {
		return false
	}
	parts := z.children(i)
	if len(parts) != 3 || z.kind(parts[0]) != "(" || z.kind(parts[2]) != ")" {
		return false
	}
	z.visit(parts[1], depth, field)
	return true
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
