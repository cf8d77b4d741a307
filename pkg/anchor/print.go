package anchor

import (
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/glob"
)

// String prints a so that Parse reads it back. It encodes only what would be read as something else.
func (a Anchor) String() string {
	var b strings.Builder
	path := a.Path
	if a.Kind == Glob {
		path = unescape(path)
	} else {
		path = encode(path, `\*?[{`)
	}
	if a.Symbol == "" {
		path = encode(path, "#")
	}
	b.WriteString(edges(path))
	if a.Kind == Directory {
		b.WriteByte('/')
	}
	if a.Symbol != "" {
		b.WriteByte('#')
		b.WriteString(encode(encodePercent(a.Symbol), "#"))
	}
	if a.Baseline == "" {
		return guardBaseline(b.String())
	}
	b.WriteByte('@')
	b.WriteString(a.Baseline)
	if a.Digest != "" {
		b.WriteByte(':')
		b.WriteString(a.Digest)
	}
	return b.String()
}

// Base returns a without baseline and digest.
func (a Anchor) Base() Anchor {
	a.Baseline, a.Digest = "", ""
	return a
}

// Name returns the symbol with its parts joined by dots, as package fingerprint names definitions.
func (a Anchor) Name() string { return strings.ReplaceAll(a.Symbol, "::", ".") }

// Match reports whether the file at path, relative to the root, is part of what a names. A bad pattern, which Parse never
// returns, matches nothing.
func (a Anchor) Match(path string) bool {
	switch a.Kind {
	case Directory:
		return strings.HasPrefix(path, a.Path+"/")
	case Glob:
		p, err := glob.Compile(a.Path)
		return err == nil && p.Match(path)
	}
	return path == a.Path
}

// guardBaseline encodes the last @ of an anchor without a baseline where what follows would be read as one.
func guardBaseline(s string) string {
	i := strings.LastIndexByte(s, '@')
	if i < 0 {
		return s
	}
	if _, _, form := splitBaseline(s[i+1:]); form == formOther {
		return s
	}
	return s[:i] + "%40" + s[i+1:]
}

// decode replaces each % with two hex digits by the byte it stands for. In a pattern an encoded character with a meaning
// of its own is escaped. A % before anything else stands for itself.
func decode(s string, pattern bool) string {
	if !strings.Contains(s, "%") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c, ok := encodedByte(s[i:])
		if !ok {
			b.WriteByte(s[i])
			continue
		}
		if pattern && strings.IndexByte(`*?[]{},\!^-`, c) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
		i += 2
	}
	return b.String()
}

// unescape turns the escapes of a pattern into encoded characters.
func unescape(pattern string) string {
	var b strings.Builder
	for i := 0; i < len(pattern); i++ {
		switch {
		case pattern[i] == '\\' && i+1 < len(pattern):
			i++
			writeEncoded(&b, pattern[i])
		case pattern[i] == '%':
			if _, ok := encodedByte(pattern[i:]); ok {
				writeEncoded(&b, '%')
			} else {
				b.WriteByte('%')
			}
		default:
			b.WriteByte(pattern[i])
		}
	}
	return b.String()
}

// encode encodes every byte of s that stands in set; when set holds a backslash, every misleading % as well.
func encode(s, set string) string {
	if strings.HasPrefix(set, `\`) {
		s = encodePercent(s)
	}
	if !strings.ContainsAny(s, set) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if strings.IndexByte(set, s[i]) >= 0 {
			writeEncoded(&b, s[i])
		} else {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// encodePercent encodes each % that would be read as the beginning of an encoded byte.
func encodePercent(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if _, ok := encodedByte(s[i:]); ok {
			b.WriteString("%25")
		} else {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// edges encodes spaces at the ends of a path.
func edges(s string) string {
	trimmed := strings.TrimLeft(s, " ")
	s = strings.Repeat("%20", len(s)-len(trimmed)) + trimmed
	trimmed = strings.TrimRight(s, " ")
	return trimmed + strings.Repeat("%20", len(s)-len(trimmed))
}

func writeEncoded(b *strings.Builder, c byte) {
	const digits = "0123456789ABCDEF"
	b.WriteByte('%')
	b.WriteByte(digits[c>>4])
	b.WriteByte(digits[c&15])
}

// encodedByte reads the encoded byte at the start of s.
func encodedByte(s string) (byte, bool) {
	if len(s) < 3 || s[0] != '%' {
		return 0, false
	}
	hi, ok1 := hexValue(s[1])
	lo, ok2 := hexValue(s[2])
	return hi<<4 | lo, ok1 && ok2
}

func hexValue(c byte) (byte, bool) {
	switch {
	case c >= '0' && c <= '9':
		return c - '0', true
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10, true
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}

// Folder returns the deepest folder that holds all files that a can name, "" for the root.
func (a Anchor) Folder() string {
	switch a.Kind {
	case Directory:
		return a.Path
	case Glob:
		if p, err := glob.Compile(a.Path); err == nil {
			return p.Folder()
		}
		return ""
	}
	return a.Path[:max(0, strings.LastIndexByte(a.Path, '/'))]
}
