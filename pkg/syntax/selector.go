package syntax

import "strings"

// selectedNames returns what a selector of CSS selects: the classes and ids of its last part, or the tag where there are none.
// ":root" is root.
func selectedNames(selector string) []string {
	var names []string
	tag := ""
	last := subject(withoutComments(selector))
	for i := 0; i < len(last); {
		c := last[i]
		switch {
		case c == '[' || c == '(':
			i += enclosed(last[i:])
		default:
			n := i
			for n < len(last) && strings.IndexByte(".#:", last[n]) >= 0 {
				n++
			}
			sign := last[i:n]
			start := n
			for n < len(last) && strings.IndexByte(".#:[(", last[n]) < 0 {
				if last[n] == '\\' && n+1 < len(last) {
					n++
				}
				n++
			}
			switch name := strings.ReplaceAll(last[start:n], `\`, ""); {
			case sign == "." || sign == "#":
				names = append(names, name)
			case sign == "" && name != "*" && name != "&" || sign == ":" && name == "root":
				tag = name
			}
			i = max(n, i+1)
		}
	}
	if len(names) == 0 && tag != "" {
		names = []string{tag}
	}
	return names
}

// withoutComments cuts the comments out of a selector.
func withoutComments(selector string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(selector, "/*")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		_, selector, _ = strings.Cut(rest, "*/")
	}
}

// subject returns the part of a selector after its last combinator.
func subject(selector string) string {
	selector = strings.TrimSpace(selector)
	start := 0
	for i := 0; i < len(selector); i++ {
		switch c := selector[i]; c {
		case '\\':
			i++
		case '[', '(':
			i += enclosed(selector[i:]) - 1
		case ' ', '\t', '\n', '\r', '\f', '>', '+', '~':
			start = i + 1
		}
	}
	return selector[min(start, len(selector)):]
}

// enclosed returns how long the brackets at the start of s are with what they hold.
func enclosed[T string | []byte](s T) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"', '\'':
			end := i + 1
			for end < len(s) && s[end] != s[i] {
				end++
			}
			if end < len(s) {
				i = end
			}
		case '[', '(':
			depth++
		case ']', ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(s)
}
