package syntax

import "strings"

// rubyRules follow rubocop's layout and style of quotes and parentheses.
func rubyRules() *rules {
	return &rules{
		comments: []string{"comment"},
		tokens:   []string{";", "\n"},
		parens:   []string{"parenthesized_statements"},
		commas:   []string{"block_parameters", "left_assignment_list", "destructured_left_assignment"},
		bare:     []string{"argument_list", "method_parameters", "lambda_parameters"},
		strings:  map[string]func(string) (string, bool){"string": quotedString},
		numbers:  []string{"integer", "float"},
		number:   func(raw string) string { return strings.ToLower(strings.ReplaceAll(raw, "_", "")) },
		dropped:  map[string][]string{"then": {"then"}},
		keep:     keepChain,
		special: func(z *normalizer, i int32, depth int, field string) bool {
			switch z.kind(i) {
			case "method_parameters", "lambda_parameters":
				return len(z.namedChildren(i)) == 0
			case "pair":
				return z.symbolKey(i, depth, field)
			}
			return false
		},
	}
}

// symbolKey emits a pair ":a => 1" as "a: 1".
func (z *normalizer) symbolKey(i int32, depth int, field string) bool {
	parts := z.children(i)
	if len(parts) != 3 || z.kind(parts[0]) != "simple_symbol" || z.kind(parts[1]) != "=>" {
		return false
	}
	name := z.text(parts[0])[1:]
	if name == "" || strings.Trim(name[:1], "0123456789") == "" || strings.ContainsFunc(strings.TrimRight(name, "?!"), func(r rune) bool { return r < 0x80 && r != '_' && !wordByte(byte(r)) }) {
		return false
	}
	z.open(i, depth, field, "pair")
	z.leaf(parts[0], depth+1, "key", "hash_key_symbol", name)
	z.leaf(parts[1], depth+1, "", ":", ":")
	z.visit(parts[2], depth+1, z.fieldOf(parts[2]))
	return true
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
		special:  phpSpecial,
	}
}

// phpSpecial spells keywords and casts the short way and in small letters, array(…) as […], and leaves out the empty arguments
// of new and the tag that ends a file.
func phpSpecial(z *normalizer, i int32, depth int, field string) bool {
	kind, parent := z.kind(i), ""
	if p := z.nodes[i].parent; p >= 0 {
		parent = z.kind(p)
	}
	switch {
	case parent == "array_creation_expression" && kind == "array":
		return true
	case parent == "array_creation_expression" && kind == "(":
		z.leaf(i, depth, field, "[", "[")
	case parent == "array_creation_expression" && kind == ")":
		z.leaf(i, depth, field, "]", "]")
	case kind == "arguments" && parent == "object_creation_expression":
		return len(z.namedChildren(i)) == 0
	case kind == "text_interpolation" && int(z.nodes[i].next) == len(z.nodes):
		return strings.TrimSpace(z.text(i)) == "?>"
	case kind == "boolean" || kind == "null":
		z.leaf(i, depth, field, kind, strings.ToLower(z.text(i)))
	case kind == "cast_type":
		name := strings.ToLower(z.text(i))
		if short := map[string]string{"boolean": "bool", "integer": "int", "double": "float", "real": "float"}[name]; short != "" {
			name = short
		}
		z.leaf(i, depth, field, kind, name)
	case !z.named(i) && z.isLeaf(i) && kind != z.text(i) && strings.EqualFold(kind, z.text(i)):
		z.leaf(i, depth, field, kind, kind)
	default:
		return false
	}
	return true
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
