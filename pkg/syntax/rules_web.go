package syntax

import (
	"slices"
	"strings"
)

// cssRules follow prettier: quotes, letters of colours and units, zeros of numbers.
func cssRules() *rules {
	return &rules{
		comments: []string{"comment"},
		tokens:   []string{";"},
		numbers:  []string{"integer_value", "float_value", "color_value"},
		number:   cssNumber,
		strings:  map[string]func(string) (string, bool){"string_value": luaString},
		renamed:  map[string]string{"float_value": "integer_value"},
		special: func(z *normalizer, i int32, depth int, field string) bool {
			kind, parent := z.kind(i), ""
			if p := z.nodes[i].parent; p >= 0 {
				parent = z.kind(p)
			}
			switch {
			case kind == "plain_value" && parent == "attribute_selector":
				z.leaf(i, depth, field, "string_value", z.text(i))
			case kind == "property_name" && !strings.HasPrefix(z.text(i), "--"),
				(kind == "class_name" || kind == "tag_name") && (parent == "pseudo_class_selector" || parent == "pseudo_element_selector") && z.nodes[i].prev >= 0:
				z.leaf(i, depth, field, kind, strings.ToLower(z.text(i)))
			default:
				return false
			}
			return true
		},
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
			case "raw_text":
				z.leaf(i, depth, field, kind, dedented(z.text(i)))
				return true
			case "/>":
				z.leaf(i, depth, field, ">", ">")
				return true
			case "tag_name", "doctype":
				z.leaf(i, depth, field, kind, strings.ToLower(strings.Join(strings.Fields(z.text(i)), " ")))
				return true
			}
			return false
		},
	}
}

// dedented takes the indentation that all lines have in common off a script or a style, and puts it on
// lines of its own.
func dedented(text string) string {
	lines := strings.Split(strings.Trim(text, " \t\n"), "\n")
	common := -1
	for n, line := range strings.Split(strings.TrimLeft(text, "\n"), "\n") {
		content := strings.TrimLeft(line, " \t")
		if indent := len(line) - len(content); content != "" && (n > 0 || strings.HasPrefix(text, "\n")) && (common < 0 || indent < common) {
			common = indent
		}
	}
	for n, line := range lines {
		lines[n] = strings.TrimRight(line, " \t")
		if n > 0 && len(lines[n]) >= common && common > 0 {
			lines[n] = lines[n][common:]
		}
	}
	return "\n" + strings.Join(lines, "\n") + "\n"
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
