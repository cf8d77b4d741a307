package syntax

import (
	"bytes"
	"strings"
)

// kotlinSpecial takes "${name}" for "$name", and leaves out empty bodies of classes and the type Unit, as ktlint does. It takes modifiers and annotations as text, since annotations are
// rewritten.
func kotlinSpecial(z *normalizer, i int32, depth int, field string) bool {
	switch z.kind(i) {
	case "modifiers", "parameter_modifiers":
		if parent := z.nodes[i].parent; parent+1 != i {
			z.modifiers(i, depth)
		}
		return true
	case "annotation":
		z.modifiers(i, depth)
		return true
	case "class_body":
		parent := z.kind(z.nodes[i].parent)
		return (parent == "class_declaration" || parent == "object_declaration") && len(z.namedChildren(i)) == 0
	case ":":
		next := z.nodes[i].next
		return int(next) < len(z.nodes) && z.returnsUnit(next)
	case "user_type":
		return z.returnsUnit(i)
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
	if first := i + 1; first < z.nodes[i].next && strings.HasSuffix(z.kind(first), "modifiers") && z.kind(first) != "type_modifiers" {
		z.modifiers(first, depth)
		z.inner(i, depth, field)
		return true
	}
	return false
}

// modifiers emits each modifier and annotation in the text of a node as one leaf.
func (z *normalizer) modifiers(i int32, depth int) {
	for s := z.text(i); ; {
		item, rest := modifier(s)
		if item == "" {
			return
		}
		z.leaf(i, depth, "", "modifier", item)
		s = rest
	}
}

// modifier returns the first modifier or annotation of a text, without white space and comments, and what follows it.
func modifier(s string) (item, rest string) {
	s = skipBlank(s)
	end := 0
	for end < len(s) && (s[end] == '@' || s[end] == '.' || s[end] == ':' || s[end] == '_' || wordByte(s[end])) {
		end++
	}
	if s != "" && s[0] == '@' {
		for end < len(s) && strings.IndexByte("([<", s[end]) >= 0 {
			end += closed(s[end:])
		}
	}
	if end == 0 && s != "" {
		end = 1
	}
	return compact(s[:end]), s[end:]
}

// skipBlank takes white space and comments off the start of a text.
func skipBlank(s string) string {
	for {
		s = strings.TrimLeft(s, " \t\n\r")
		switch {
		case strings.HasPrefix(s, "//"):
			_, s, _ = strings.Cut(s, "\n")
		case strings.HasPrefix(s, "/*"):
			length := blockComment([]byte(s))
			if length == 0 {
				return ""
			}
			s = s[length:]
		default:
			return s
		}
	}
}

// annotated writes annotations that begin a line as one that has no arguments, in as many bytes: the grammar of Kotlin reads
// several, and those with arguments, as the expression "(…) fun f()" where a function follows.
func annotated(src []byte) []byte {
	if !bytes.Contains(src, []byte("@")) {
		return src
	}
	out := bytes.Clone(src)
	raw := false
	for start := 0; start < len(src); {
		line, _, _ := bytes.Cut(src[start:], []byte("\n"))
		content := bytes.TrimLeft(line, " \t")
		if !raw && len(content) > 1 && content[0] == '@' && wordByte(content[1]) && !bytes.HasPrefix(content, []byte("@file:")) {
			begin := start + len(line) - len(content)
			length, count := annotations(view(src[begin:]))
			if chain := src[begin : begin+length]; count > 1 || bytes.IndexByte(chain, '(') >= 0 {
				for i := begin + 1; i < begin+length; i++ {
					if out[i] >= 0x80 || out[i] != '_' && !wordByte(out[i]) {
						out[i] = '_'
					}
				}
			}
			line = src[start : begin+length]
		}
		if bytes.Count(line, []byte(`"""`))%2 == 1 {
			raw = !raw
		}
		start += len(line) + 1
	}
	return out
}

// annotations returns how long the annotations at the start of s are, and how many.
func annotations(s string) (length, count int) {
	for rest := s; strings.HasPrefix(rest, "@"); rest = skipBlank(rest) {
		_, after := modifier(rest)
		if len(after) == len(rest) {
			break
		}
		rest = after
		length, count = len(s)-len(rest), count+1
	}
	return length, count
}

// closed returns how long the brackets at the start of s are with what they hold.
func closed(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"', '\'':
			i += literal(s[i:]) - 1
		case '(', '[', '<', '{':
			depth++
		case ')', ']', '>', '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(s)
}

// literal returns how long the string or character at the start of s is.
func literal(s string) int {
	if strings.HasPrefix(s, `"""`) {
		if end := strings.Index(s[3:], `"""`); end >= 0 {
			return end + 6
		}
		return len(s)
	}
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case s[0]:
			return i + 1
		}
	}
	return len(s)
}

// compact returns code without comments, trailing commas and white space but between words. Strings are kept.
func compact(s string) string {
	var b strings.Builder
	last := byte(0)
	for s != "" {
		rest := skipBlank(s)
		if len(rest) < len(s) && rest != "" && nameByte(last) && nameByte(rest[0]) {
			b.WriteByte(' ')
		}
		if s = rest; s == "" {
			break
		}
		n := 1
		switch s[0] {
		case '"', '\'':
			n = literal(s)
		case ',':
			if after := skipBlank(s[1:]); after != "" && (after[0] == ')' || after[0] == ']') {
				s = after
				continue
			}
		}
		b.WriteString(s[:n])
		last, s = s[n-1], s[n:]
	}
	return b.String()
}

// returnsUnit reports the type Unit between the parameters of a function and its block.
func (z *normalizer) returnsUnit(i int32) bool {
	body := z.nodes[i].next
	return z.kind(z.nodes[i].parent) == "function_declaration" && z.text(i) == "Unit" && int(body) < len(z.nodes) && z.kind(body) == "function_body" &&
		z.nodes[i].prev >= 0 && z.kind(z.nodes[i].prev) == ":" && z.src[z.nodes[body].start] == '{'
}
