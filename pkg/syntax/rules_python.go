package syntax

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// pythonRules follow black: quotes, prefixes of strings, letters of numbers, parentheses around tuples, imports and with
// items, empty parentheses of classes.
func pythonRules() *rules {
	brackets := []string{"(", ")"}
	return &rules{
		comments: []string{"comment", "line_continuation"},
		tokens:   []string{";"},
		parens:   []string{"parenthesized_expression"},
		exact:    []string{"string", "string_content", "format_specifier"},
		numbers:  []string{"integer", "float"},
		number: func(raw string) string {
			if raw = strings.ToLower(raw); strings.HasPrefix(raw, "0x") {
				return raw
			}
			return strings.Replace(raw, "e+", "e", 1)
		},
		strings: map[string]func(string) (string, bool){"string": pythonString},
		renamed: map[string]string{"expression_list": "tuple", "pattern_list": "tuple_pattern"},
		lone:    []string{"subscript"},
		dropped: map[string][]string{
			"tuple": brackets, "tuple_pattern": brackets, "import_from_statement": brackets, "future_import_statement": brackets, "with_clause": brackets,
		},
		special: func(z *normalizer, i int32, depth int, field string) bool {
			switch z.kind(i) {
			case "tuple_pattern":
				if parts := z.children(i); len(parts) == 3 && z.kind(parts[0]) == "(" {
					z.visit(parts[1], depth, field)
					return true
				}
			case "argument_list":
				return field == "superclasses" && len(z.namedChildren(i)) == 0
			case "string":
				if z.plain(i) {
					return false
				}
				z.formatted(i, depth, field)
				return true
			}
			return false
		},
	}
}

// formatted emits a string with embedded expressions: its prefix without the quotes, and the text between the expressions by
// value.
func (z *normalizer) formatted(i int32, depth int, field string) {
	z.open(i, depth, field, "string")
	raw := false
	for _, c := range z.children(i) {
		switch z.kind(c) {
		case "string_start":
			prefix := strings.ToLower(strings.TrimRight(z.text(c), `'"`))
			raw = strings.Contains(prefix, "r")
			z.leaf(c, depth+1, "", "string_start", strings.ReplaceAll(prefix, "r", ""))
		case "string_end":
		case "string_content":
			text := z.text(c)
			if !raw {
				text = unescapePython(text, false)
			}
			z.leaf(c, depth+1, "", "string_content", text)
		default:
			z.visit(c, depth+1, z.fieldOf(c))
		}
	}
}

// pythonString returns the value of a string literal, marked as text or as bytes.
func pythonString(raw string) (string, bool) {
	quote := strings.IndexAny(raw, `'"`)
	if quote < 0 {
		return "", false
	}
	prefix, rest := strings.ToLower(raw[:quote]), raw[quote:]
	n := 1
	if len(rest) >= 6 && rest[1] == rest[0] && rest[2] == rest[0] {
		n = 3
	}
	if len(rest) < 2*n || rest[len(rest)-n:] != rest[:n] {
		return "", false
	}
	value := rest[n : len(rest)-n]
	bytes := strings.Contains(prefix, "b")
	if !strings.Contains(prefix, "r") {
		value = unescapePython(value, bytes)
	}
	mark := "text "
	switch {
	case bytes:
		mark = "bytes "
	case strings.Contains(prefix, "f"): // braces are doubled in it
		mark = "format "
	}
	return mark + value, true
}

// unescapePython replaces the escapes of a literal by what they stand for. An unknown one stands for itself.
func unescapePython(s string, bytes bool) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			i++
			continue
		}
		value, n := pythonEscape(s[i:], bytes)
		b.WriteString(value)
		i += n
	}
	return b.String()
}

// pythonEscape returns the value of the escape at the start of s and how long it is.
func pythonEscape(s string, bytes bool) (string, int) {
	if value, ok := simpleEscape(s[1], "a\ab\bf\fn\nr\rt\tv\v\\\\''\"\""); ok {
		return value, 2
	}
	code := func(digits string, base int) (string, bool) {
		n, err := strconv.ParseUint(digits, base, 32)
		switch {
		case err != nil:
			return "", false
		case bytes:
			return string([]byte{byte(n)}), n < 256
		case n > utf8.MaxRune || n >= 0xD800 && n < 0xE000:
			return "", false
		}
		return string(rune(n)), true
	}
	width := map[byte]int{'x': 2, 'u': 4, 'U': 8}[s[1]]
	if bytes && s[1] != 'x' {
		width = 0
	}
	switch {
	case s[1] == '\n':
		return "", 2
	case width > 0 && len(s) >= 2+width:
		if value, ok := code(s[2:2+width], 16); ok {
			return value, 2 + width
		}
	case s[1] >= '0' && s[1] <= '7':
		n := 2
		for n < len(s) && n < 4 && s[n] >= '0' && s[n] <= '7' {
			n++
		}
		if value, ok := code(s[1:n], 8); ok {
			return value, n
		}
	}
	return s[:2], 2
}

// simpleEscape looks c up in a table of pairs: a letter and what it stands for.
func simpleEscape(c byte, table string) (string, bool) {
	for i := 0; i+1 < len(table); i += 2 {
		if table[i] == c {
			return table[i+1 : i+2], true
		}
	}
	return "", false
}
