package syntax

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// scriptRules follow prettier for JavaScript and TypeScript: semicolons, quotes of strings and of property names,
// parentheses around one parameter, empty arguments of new, separators in types, zeros of numbers, white space in JSX.
func scriptRules() *rules {
	return &rules{
		comments: []string{"comment", "html_comment"},
		tokens:   []string{";"},
		parens:   []string{"parenthesized_expression", "parenthesized_type"},
		verbatim: []string{"regex_pattern"},
		exact:    []string{"template_string", "template_literal_type"},
		numbers:  []string{"number"},
		number:   scriptNumber,
		strings:  map[string]func(string) (string, bool){"string": scriptString},
		dropped: map[string][]string{
			"object_type": {","}, "interface_body": {","},
		},
		keep:    keepScriptParens,
		special: scriptSpecial,
	}
}

// keepScriptParens keeps parentheses that end an optional chain: (a?.b).c throws where a?.b.c does not.
func keepScriptParens(z *normalizer, i, child int32) bool {
	if z.kind(i) == "parenthesized_type" {
		switch z.kind(child) {
		case "function_type", "constructor_type", "conditional_type", "infer_type": // they reach as far as they can
			return true
		}
	}
	switch z.kind(z.nodes[i].parent) {
	case "member_expression", "call_expression", "subscript_expression", "non_null_expression":
	default:
		return false
	}
	switch z.fieldOf(i) {
	case "object", "function", "":
	default:
		return false
	}
	for c := child; ; {
		switch z.kind(c) {
		case "member_expression", "call_expression", "subscript_expression", "non_null_expression", "parenthesized_expression":
		default:
			return false
		}
		for _, part := range z.children(c) {
			if k := z.kind(part); k == "optional_chain" || k == "?." {
				return true
			}
		}
		c = z.namedChildren(c)[0]
	}
}

func scriptSpecial(z *normalizer, i int32, depth int, field string) bool {
	switch z.kind(i) {
	case "empty_statement":
		switch z.kind(z.nodes[i].parent) {
		case "program", "statement_block", "class_body", "switch_case", "switch_default":
			return true
		}
	case "binary_expression":
		return z.logical(i, depth, field)
	case "arrow_function":
		return z.bareParameter(i, depth, field)
	case "arguments":
		return z.kind(z.nodes[i].parent) == "new_expression" && len(z.namedChildren(i)) == 0
	case "union_type", "intersection_type":
		parts := z.children(i)
		if len(parts) == 2 && !z.named(parts[0]) {
			z.visit(parts[1], depth, field)
			return true
		}
	case "identifier", "property_identifier", "shorthand_property_identifier", "type_identifier":
		if name := z.text(i); strings.Contains(name, `\u`) {
			value, ok := scriptString(`"` + name + `"`)
			z.leaf(i, depth, field, z.kind(i), value)
			return ok
		}
	case "string":
		return z.propertyName(i, depth, field) || z.attributeValue(i, depth, field)
	case "jsx_element", "jsx_fragment":
		z.markup(i, depth, field)
		return true
	}
	return false
}

// logical emits a chain of one logical operator flat: a && (b && c) is a && b && c.
func (z *normalizer) logical(i int32, depth int, field string) bool {
	operator := z.operator(i)
	switch operator {
	case "&&", "||", "??":
	default:
		return false
	}
	z.open(i, depth, field, "binary_expression")
	var operands func(i int32)
	operands = func(i int32) {
		inner := i
		for z.kind(inner) == "parenthesized_expression" {
			named := z.namedChildren(inner)
			if len(named) != 1 {
				break
			}
			inner = named[0]
		}
		if z.kind(inner) != "binary_expression" || z.operator(inner) != operator {
			z.visit(i, depth+1, "")
			return
		}
		for _, c := range z.namedChildren(inner) {
			operands(c)
		}
	}
	for _, c := range z.namedChildren(i) {
		operands(c)
	}
	z.leaf(i, depth+1, "operator", operator, operator)
	return true
}

// operator returns the operator of a binary expression, "" for any other node.
func (z *normalizer) operator(i int32) string {
	for _, c := range z.children(i) {
		if z.fieldOf(c) == "operator" {
			return z.text(c)
		}
	}
	return ""
}

// bareParameter emits an arrow function whose one parameter stands without parentheses as if it had them.
func (z *normalizer) bareParameter(i int32, depth int, field string) bool {
	parts := z.children(i)
	bare := false
	for _, c := range parts {
		bare = bare || z.fieldOf(c) == "parameter"
	}
	if !bare {
		return false
	}
	z.open(i, depth, field, "arrow_function")
	for _, c := range parts {
		if z.fieldOf(c) != "parameter" {
			z.visit(c, depth+1, z.fieldOf(c))
			continue
		}
		z.open(c, depth+1, "parameters", "formal_parameters")
		z.leaf(c, depth+2, "", "(", "(")
		if z.g.language == "javascript" {
			z.visit(c, depth+2, "")
		} else {
			z.open(c, depth+2, "", "required_parameter")
			z.visit(c, depth+3, "pattern")
		}
		z.leaf(c, depth+2, "", ")", ")")
	}
	return true
}

// propertyName emits the quoted name of a property as it stands without quotes, where it can.
func (z *normalizer) propertyName(i int32, depth int, field string) bool {
	if field != "key" && field != "name" {
		return false
	}
	switch z.kind(z.nodes[i].parent) {
	case "pair", "pair_pattern", "method_definition", "property_signature", "method_signature", "public_field_definition", "field_definition", "enum_body", "enum_assignment":
	default:
		return false
	}
	name, ok := scriptString(z.text(i))
	if !ok || name == "" {
		return false
	}
	if n, err := strconv.Atoi(name); err == nil && strconv.Itoa(n) == name && n >= 0 && n < 1<<31 {
		z.leaf(i, depth, field, "number", name)
		return true
	}
	if name[0] >= '0' && name[0] <= '9' {
		return false
	}
	for _, r := range name {
		if r != '_' && r != '$' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') {
			return false
		}
	}
	z.leaf(i, depth, field, "property_identifier", name)
	return true
}

// attributeValue emits the value of a JSX attribute, which knows no escapes but those of HTML.
func (z *normalizer) attributeValue(i int32, depth int, field string) bool {
	raw := z.text(i)
	if z.kind(z.nodes[i].parent) != "jsx_attribute" || len(raw) < 2 {
		return false
	}
	z.leaf(i, depth, field, "string", strings.NewReplacer("&quot;", `"`, "&apos;", "'").Replace(raw[1:len(raw)-1]))
	return true
}

// markup emits a JSX element: text between tags is taken as JSX takes it, and joined with strings in braces. A comment in
// braces is none of it.
func (z *normalizer) markup(i int32, depth int, field string) {
	z.open(i, depth, field, z.kind(i))
	text, from := "", z.nodes[i].start
	for c := i + 1; c < z.nodes[i].next; c = z.nodes[c].next {
		switch z.kind(c) {
		case "jsx_text", "html_character_reference":
			continue
		}
		start := z.contentStart(c)
		text += jsxText(string(z.src[from:max(from, start)]))
		from = z.nodes[c].end
		if value, ok := z.embeddedText(c); ok {
			text += value
			continue
		}
		if text != "" {
			z.leaf(c, depth+1, "", "jsx_text", text)
			text = ""
		}
		z.visit(c, depth+1, z.fieldOf(c))
	}
}

// embeddedText returns the text of braces that hold a string or a comment and nothing else.
func (z *normalizer) embeddedText(i int32) (string, bool) {
	if z.kind(i) != "jsx_expression" {
		return "", false
	}
	inner := z.namedChildren(i)
	if len(inner) == 0 {
		return "", true
	}
	if len(inner) != 1 || z.kind(inner[0]) != "string" {
		return "", false
	}
	return scriptString(z.text(inner[0]))
}

// jsxText returns what a run of JSX text means: lines are trimmed where they meet a line end, empty ones fall out, and the
// rest is joined by spaces.
func jsxText(run string) string {
	lines := strings.Split(run, "\n")
	var kept []string
	for i, line := range lines {
		if i > 0 {
			line = strings.TrimLeft(line, " \t\r")
		}
		if i < len(lines)-1 {
			line = strings.TrimRight(line, " \t\r")
		}
		if line != "" {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, " ")
}

// scriptNumber spells a number in small letters and without zeros that say nothing.
func scriptNumber(raw string) string {
	s := strings.ToLower(raw)
	if strings.HasPrefix(s, "0x") || strings.HasPrefix(s, "0b") || strings.HasPrefix(s, "0o") || strings.HasSuffix(s, "n") {
		return s
	}
	mantissa, exponent, scientific := strings.Cut(s, "e")
	if whole, fraction, ok := strings.Cut(mantissa, "."); ok {
		if whole == "" {
			whole = "0"
		}
		if fraction = strings.TrimRight(fraction, "0"); fraction != "" {
			whole += "." + fraction
		}
		mantissa = whole
	}
	exponent = strings.TrimPrefix(exponent, "+")
	if !scientific || strings.Trim(exponent, "-0") == "" {
		return mantissa
	}
	return mantissa + "e" + exponent
}

// scriptString returns the value of a string literal.
func scriptString(raw string) (string, bool) {
	if len(raw) < 2 || raw[0] != raw[len(raw)-1] || raw[0] != '"' && raw[0] != '\'' {
		return "", false
	}
	s := raw[1 : len(raw)-1]
	if !strings.Contains(s, `\`) {
		return s, true
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			i++
			continue
		}
		value, n := scriptEscape(s[i:])
		b.WriteString(value)
		i += n
	}
	return b.String(), true
}

// scriptEscape returns the value of the escape at the start of s and how long it is.
func scriptEscape(s string) (string, int) {
	switch c := s[1]; {
	case c == '\n':
		return "", 2
	case c == 'x' || c == 'u':
		if r, n, ok := scriptCode(s); ok {
			if utf16.IsSurrogate(r) {
				low, m, ok := scriptCode(s[n:])
				if pair := utf16.DecodeRune(r, low); ok && pair != utf8.RuneError {
					return string(pair), n + m
				}
				return strings.ToLower(s[:n]), n
			}
			return string(r), n
		}
		return s[:2], 2
	case c >= '0' && c <= '7':
		n := 2
		for n < len(s) && n < 4 && s[n] >= '0' && s[n] <= '7' {
			n++
		}
		if r, err := strconv.ParseUint(s[1:n], 8, 16); err == nil && r < 256 {
			return string(rune(r)), n
		}
		return s[:2], 2
	}
	if value, ok := simpleEscape(s[1], "b\bf\fn\nr\rt\tv\v"); ok {
		return value, 2
	}
	_, size := utf8.DecodeRuneInString(s[1:])
	return s[1 : 1+size], 1 + size
}

// scriptCode reads \xHH, \uHHHH or \u{H…} at the start of s.
func scriptCode(s string) (rune, int, bool) {
	if len(s) < 4 || s[0] != '\\' {
		return 0, 0, false
	}
	digits, n := "", 0
	switch {
	case s[1] == 'x':
		digits, n = s[2:4], 4
	case s[1] == 'u' && s[2] == '{':
		end := strings.IndexByte(s, '}')
		if end < 0 {
			return 0, 0, false
		}
		digits, n = s[3:end], end+1
	case s[1] == 'u' && len(s) >= 6:
		digits, n = s[2:6], 6
	default:
		return 0, 0, false
	}
	r, err := strconv.ParseUint(digits, 16, 32)
	return rune(r), n, err == nil && r <= utf8.MaxRune
}
