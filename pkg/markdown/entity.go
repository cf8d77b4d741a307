package markdown

import (
	"bytes"
	"html"
	"strings"
)

// entity decodes the character reference at the start of s and returns its length, 0 when there is none.
func entity(s []byte) (string, int) {
	end := bytes.IndexByte(s[:min(len(s), 40)], ';')
	if end < 2 {
		return "", 0
	}
	ref := string(s[:end+1])
	if s[1] == '#' {
		body := strings.ToLower(ref[2:end])
		digits, allowed, most := body, "0123456789", 7
		if strings.HasPrefix(body, "x") {
			digits, allowed, most = body[1:], "0123456789abcdef", 6
		}
		if digits == "" || len(digits) > most || strings.Trim(digits, allowed) != "" {
			return "", 0
		}
	}
	t := html.UnescapeString(ref)
	if t == ref || strings.HasSuffix(t, ";") && ref != "&semi;" && s[1] != '#' {
		return "", 0
	}
	return t, end + 1
}

// unescape resolves backslash escapes and character references.
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
			t, n := entity([]byte(s[i:min(len(s), i+40)]))
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
