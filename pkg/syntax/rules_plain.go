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

// funInterfaces writes "fun interface" as an interface with an annotation, in as many bytes: the grammar of Kotlin does not
// know it.
func funInterfaces(src []byte) []byte {
	word := []byte("fun interface ")
	at := bytes.Index(src, word)
	if at < 0 {
		return src
	}
	src = bytes.Clone(src)
	for ; at >= 0 && at < len(src); at++ {
		next := bytes.Index(src[at:], word)
		if next < 0 {
			break
		}
		if at += next; at == 0 || !wordByte(src[at-1]) && src[at-1] != '_' {
			copy(src[at:], "@fn")
		}
	}
	return src
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

// luaStatements writes what came into Lua after version 5.1 as assignments, in as many bytes: "goto name" as "goto=name", the
// label "::name::" as "_=name", the attribute of "x <const>" as one more variable.
func luaStatements(src []byte) []byte {
	if !bytes.Contains(src, []byte("goto")) && !bytes.Contains(src, []byte("<const>")) && !bytes.Contains(src, []byte("<close>")) {
		return src
	}
	src = bytes.Clone(src)
	for start := 0; start < len(src); {
		end := bytes.IndexByte(src[start:], '\n')
		if end < 0 {
			end = len(src) - start
		}
		luaLine(src[start : start+end])
		start += end + 1
	}
	return src
}

// luaLine rewrites one line in place.
func luaLine(line []byte) {
	content := bytes.TrimSpace(line)
	if name, ok := bytes.CutPrefix(content, []byte("::")); ok && bytes.HasSuffix(name, []byte("::")) && luaName(name[:len(name)-2]) {
		content[0], content[1], content[len(content)-2], content[len(content)-1] = '_', '=', ' ', ' '
		return
	}
	for _, attribute := range []string{"<const>", "<close>"} {
		if at := bytes.Index(line, []byte(attribute)); at >= 0 && bytes.HasPrefix(content, []byte("local ")) {
			line[at], line[at+len(attribute)-1] = ',', ' '
		}
	}
	for at := 0; ; at++ {
		next := bytes.Index(line[at:], []byte("goto "))
		if next < 0 {
			return
		}
		at += next
		before := bytes.TrimSpace(line[:at])
		if len(before) == 0 || bytes.HasSuffix(before, []byte("then")) || bytes.HasSuffix(before, []byte("do")) || bytes.HasSuffix(before, []byte("else")) || bytes.HasSuffix(before, []byte(";")) {
			line[at+4] = '='
		}
	}
}

func luaName(s []byte) bool {
	s = bytes.TrimSpace(s)
	return len(s) > 0 && !bytes.ContainsFunc(s, func(r rune) bool { return r != '_' && !wordByte(byte(r)) })
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
