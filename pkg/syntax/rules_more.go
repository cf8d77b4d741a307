package syntax

import (
	"bytes"
	"slices"
	"strings"
)

// cRules follow clang-format, which adds and drops little.
func cRules() *rules {
	return &rules{
		comments: []string{"comment"},
		parens:   []string{"parenthesized_expression"},
		verbatim: []string{"string_literal", "raw_string_literal", "char_literal", "system_lib_string"},
		commas:   []string{"argument_list"}, // only the call of a macro can have one there
		keep: func(z *normalizer, i, _ int32) bool {
			switch z.kind(z.nodes[i].parent) {
			case "decltype":
				return true
			case "return_statement":
				return strings.Contains(string(z.src), "decltype(auto)")
			}
			return false
		},
		special: func(z *normalizer, i int32, depth int, field string) bool {
			if z.kind(i) != "preproc_arg" {
				return false
			}
			z.leaf(i, depth, field, "preproc_arg", macroText(z.text(i)))
			return true
		},
	}
}

// withoutBlanks takes blanks off the ends of directives: the grammar of C takes the next line for the text of a macro that
// has none but blanks.
func withoutBlanks(src []byte) []byte {
	if !bytes.Contains(src, []byte(" \n")) && !bytes.Contains(src, []byte("\t\n")) {
		return src
	}
	out := make([]byte, 0, len(src))
	for line := range bytes.Lines(src) {
		if bytes.HasPrefix(bytes.TrimLeft(line, " \t"), []byte("#")) && bytes.HasSuffix(line, []byte("\n")) {
			out = append(append(out, bytes.TrimRight(line, " \t\n")...), '\n')
			continue
		}
		out = append(out, line...)
	}
	return out
}

// macroText returns the replacement text of a macro without comments and continuations, and without spaces but those that
// keep two words or two operators apart. Text in quotes is kept.
func macroText(s string) string {
	var b strings.Builder
	pending := false
	space := func() { pending = b.Len() > 0 }
	write := func(text string) {
		if before := b.String(); pending && (nameByte(before[len(before)-1]) && nameByte(text[0]) || operatorByte(before[len(before)-1]) && operatorByte(text[0])) {
			b.WriteByte(' ')
		}
		pending = false
		b.WriteString(text)
	}
	for i := 0; i < len(s); i++ {
		rest := s[i:]
		switch {
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest[2:], "*/")
			if end < 0 {
				end = len(rest) - 4
			}
			i += max(end, 0) + 3
			space()
		case strings.HasPrefix(rest, "//"):
			if end := strings.IndexByte(rest, '\n'); end >= 0 {
				i += end - 1
				continue
			}
			return b.String()
		case strings.HasPrefix(rest, "\\\n"):
			i++
			space()
		case s[i] == '"' || s[i] == '\'':
			end := i + 1
			for end < len(s) && s[end] != s[i] {
				if s[end] == '\\' {
					end++
				}
				end++
			}
			end = min(end, len(s)-1)
			write(s[i : end+1])
			i = end
		case strings.ContainsRune(" \t\n\r", rune(s[i])):
			space()
		default:
			write(s[i : i+1])
		}
	}
	return b.String()
}

func nameByte(c byte) bool { return c == '_' || c == '"' || c == '\'' || wordByte(c) }

func operatorByte(c byte) bool { return strings.IndexByte("+-*/%&|^<>=!#.:?~", c) >= 0 }

// rustRules follow rustfmt: commas and braces of match arms, semicolons after return, trailing commas but those of macros.
func rustRules() *rules {
	return &rules{
		comments: []string{"line_comment", "block_comment"},
		parens:   []string{"parenthesized_expression"},
		verbatim: []string{"string_literal", "raw_string_literal", "char_literal"},
		dropped:  map[string][]string{"match_arm": {","}},
		comma: func(z *normalizer, i int32) bool {
			return strings.HasPrefix(z.kind(i), "token_tree") && z.kind(z.nodes[i].parent) != "attribute" && z.src[z.nodes[i].start] != '['
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

// rubyRules follow rubocop's layout and style of quotes and parentheses.
func rubyRules() *rules {
	return &rules{
		comments: []string{"comment"},
		tokens:   []string{";", "\n"},
		parens:   []string{"parenthesized_statements"},
		commas:   []string{"block_parameters", "left_assignment_list", "destructured_left_assignment"},
		bare:     []string{"argument_list", "method_parameters", "lambda_parameters"},
		strings:  map[string]func(string) (string, bool){"string": quotedString},
		keep:     keepChain,
	}
}

// phpRules follow php-cs-fixer.
func phpRules() *rules {
	return &rules{
		comments: []string{"comment"},
		tokens:   []string{},
		parens:   []string{"parenthesized_expression"},
		strings:  map[string]func(string) (string, bool){"string": quotedString, "encapsed_string": quotedString},
		renamed:  map[string]string{"encapsed_string": "string"},
		keep:     keepChain,
	}
}

// quotedString returns the value of a string of Ruby or PHP, whose single quotes know two escapes. Escapes in double quotes
// that a single-quoted string cannot spell keep their spelling, marked.
func quotedString(raw string) (string, bool) {
	if len(raw) < 2 || raw[0] != raw[len(raw)-1] {
		return "", false
	}
	s := raw[1 : len(raw)-1]
	var known string
	switch raw[0] {
	case '\'':
		known = `\'`
	case '"':
		known = `\"$#'`
	default:
		return "", false
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch {
		case strings.IndexByte(known, s[i]) >= 0:
			b.WriteByte(s[i])
		case raw[0] == '\'':
			b.WriteString(`\` + s[i:i+1])
		default:
			b.WriteString("\x00" + s[i:i+1])
		}
	}
	return b.String(), true
}

// elixirRules follow mix format: parentheses of calls, underscores in numbers.
func elixirRules() *rules {
	return &rules{
		comments: []string{"comment"},
		tokens:   []string{";", "\n"},
		parens:   []string{"block"},
		bare:     []string{"arguments"},
		numbers:  []string{"integer", "float"},
		number:   func(raw string) string { return strings.ToLower(strings.ReplaceAll(raw, "_", "")) },
		keep:     func(z *normalizer, i, _ int32) bool { return z.src[z.nodes[i].start] != '(' },
	}
}

// ocamlRules follow ocamlformat: separators of lists and records, the first bar of cases, begin and end for parentheses.
func ocamlRules() *rules {
	semicolon, bar := []string{";"}, []string{"|"}
	return &rules{
		comments: []string{"comment"},
		tokens:   []string{";;"},
		parens:   []string{"parenthesized_expression", "parenthesized_pattern", "parenthesized_type"},
		verbatim: []string{"string", "quoted_string", "character"},
		dropped: map[string][]string{
			"list_expression": semicolon, "array_expression": semicolon, "record_expression": semicolon, "record_declaration": semicolon,
			"list_pattern": semicolon, "array_pattern": semicolon, "record_pattern": semicolon, "object_expression": semicolon,
			"variant_declaration": bar, "function_expression": bar, "match_expression": bar, "try_expression": bar,
		},
	}
}

// cssRules follow prettier: quotes, letters of colours and units, zeros of numbers.
func cssRules() *rules {
	return &rules{
		comments: []string{"comment"},
		tokens:   []string{";"},
		numbers:  []string{"integer_value", "float_value", "color_value"},
		number:   cssNumber,
		strings:  map[string]func(string) (string, bool){"string_value": luaString},
	}
}

// cssNumber spells a number with a unit, or a colour.
func cssNumber(raw string) string {
	s := strings.ToLower(raw)
	if strings.HasPrefix(s, "#") {
		return s
	}
	end := 0
	for end < len(s) && strings.IndexByte("+-.0123456789", s[end]) >= 0 {
		end++
	}
	sign := ""
	number := s[:end]
	if number != "" && (number[0] == '-' || number[0] == '+') {
		sign, number = number[:1], number[1:]
	}
	return sign + scriptNumber(number) + s[end:]
}

// htmlRules follow prettier: quotes of attributes, void elements, white space in text.
func htmlRules() *rules {
	return &rules{
		comments: []string{"comment"},
		parens:   []string{"quoted_attribute_value"},
		renamed:  map[string]string{"self_closing_tag": "start_tag"},
		special: func(z *normalizer, i int32, depth int, field string) bool {
			switch kind := z.kind(i); kind {
			case "element":
				return z.void(i, depth, field)
			case "text", "attribute_value":
				if z.verbatimElement(i) {
					return false
				}
				z.leaf(i, depth, field, kind, strings.Join(strings.Fields(z.text(i)), " "))
				return true
			case "/>":
				z.leaf(i, depth, field, ">", ">")
				return true
			case "tag_name", "doctype":
				z.leaf(i, depth, field, kind, strings.ToLower(z.text(i)))
				return true
			}
			return false
		},
	}
}

// void emits an element that can hold nothing, and beside it what the grammar takes for its content.
func (z *normalizer) void(i int32, depth int, field string) bool {
	parts := z.children(i)
	if len(parts) < 2 || z.kind(parts[0]) != "start_tag" {
		return false
	}
	name := z.namedChildren(parts[0])
	if len(name) == 0 || !slices.Contains([]string{"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"}, strings.ToLower(z.text(name[0]))) {
		return false
	}
	z.open(i, depth, field, "element")
	z.visit(parts[0], depth+1, "")
	for _, c := range parts[1:] {
		z.visit(c, depth, "")
	}
	return true
}

// verbatimElement reports whether white space counts in the text at i.
func (z *normalizer) verbatimElement(i int32) bool {
	for p := z.nodes[i].parent; p >= 0; p = z.nodes[p].parent {
		for _, c := range z.children(p) {
			if z.kind(c) != "start_tag" {
				break
			}
			if parts := z.namedChildren(c); len(parts) > 0 && slices.Contains([]string{"pre", "textarea"}, strings.ToLower(z.text(parts[0]))) {
				return true
			}
		}
	}
	return false
}
