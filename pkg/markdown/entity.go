package markdown

import (
	"html"
	"strings"
)

// unescape resolves backslash escapes and character references, which goldmark leaves to those who write HTML.
func unescape(s string) string {
	if !strings.ContainsAny(s, `\&`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s) && isPunct(s[i+1]):
			i++
			b.WriteByte(s[i])
		case s[i] == '&':
			t, n := entity(s[i:min(len(s), i+40)])
			if n == 0 {
				b.WriteByte('&')
				continue
			}
			b.WriteString(t)
			i += n - 1
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// entity decodes the character reference at the start of s and returns its length, 0 when there is none. Package html
// reads more as a reference than Markdown does: ones without a semicolon and ones of any length.
func entity(s string) (string, int) {
	end := strings.IndexByte(s, ';')
	if end < 2 {
		return "", 0
	}
	ref := s[:end+1]
	if ref[1] == '#' {
		digits, allowed, most := strings.ToLower(ref[2:end]), "0123456789", 7
		if strings.HasPrefix(digits, "x") {
			digits, allowed, most = digits[1:], "0123456789abcdef", 6
		}
		if digits == "" || len(digits) > most || strings.Trim(digits, allowed) != "" {
			return "", 0
		}
	}
	t := html.UnescapeString(ref)
	if t == ref || strings.HasSuffix(t, ";") && ref != "&semi;" && ref[1] != '#' {
		return "", 0
	}
	return t, end + 1
}
