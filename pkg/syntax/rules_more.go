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
			switch kind := z.kind(i); {
			case kind == "preproc_arg":
				z.leaf(i, depth, field, kind, macroText(z.text(i)))
			case kind == "preproc_directive" || strings.HasPrefix(kind, "#") && kind != "#" && kind != "##":
				z.leaf(i, depth, field, kind, strings.Join(strings.Fields(z.text(i)), ""))
			default:
				return false
			}
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
		if before := b.String(); pending && (nameByte(before[len(before)-1]) && nameByte(text[0]) || operatorPair(before[len(before)-1], text[0])) {
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

// operatorPair reports whether two signs side by side can be read as one operator.
func operatorPair(a, b byte) bool {
	pair := string([]byte{a, b})
	return a == b && strings.IndexByte("+-<>&|=#:./", a) >= 0 || b == '=' && strings.IndexByte("<>=!+-*/%^&|", a) >= 0 ||
		slices.Contains([]string{"->", "/*", "*/", "//", "<:", ":>", "<%", "%>", "%:", ".*", ">*"}, pair)
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
