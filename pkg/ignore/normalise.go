package ignore

import (
	"fmt"
	"strings"
)

// normalise writes a line in the form that go-gitignore takes for what git means: anchored at both ends, with only `*`,
// `**/` and regular expressions that pass through the library unchanged. The line is given as its text before the first
// wildcard and the glob from there on; path says that `**` may stand for folders. The result is false when git lets the
// glob match nothing: it is malformed.
//
// The library drops spaces at the ends, takes a leading '#' or '!' away, quotes '.' and '?', and replaces stars; what
// else it is given it hands to package regexp.
func normalise(literal, glob string, path bool) (string, bool) {
	var b strings.Builder
	b.WriteByte('/')
	for i := 0; i < len(literal); i++ {
		quote(&b, literal[i])
	}
	for i := 0; i < len(glob); {
		switch c := glob[i]; c {
		case '\\':
			if i+1 == len(glob) {
				return "", false
			}
			quote(&b, glob[i+1])
			i += 2
		case '?':
			b.WriteString(`[^/]`)
			i++
		case '*':
			i += stars(&b, glob, i, path)
		case '[':
			set, n, ok := class(glob[i:])
			if !ok {
				return "", false
			}
			set['/'] = false
			if !writeSet(&b, set) {
				return "", false
			}
			i += n
		default:
			quote(&b, c)
			i++
		}
	}
	b.WriteByte('$')
	return b.String(), true
}

// anything matches one or more characters, slashes too.
const anything = `[^\x{0}]+`

// stars writes the run of stars at glob[i] and returns its length, with the slash that belongs to it. As in git, what
// counts before a run is the glob alone: `a**/b` finds its two stars at the start, and folders match them.
func stars(b *strings.Builder, glob string, i int, path bool) int {
	n := 1
	for i+n < len(glob) && glob[i+n] == '*' {
		n++
	}
	rest := glob[i+n:]
	begins := i == 0 || glob[i-1] == '/'
	if !path || n == 1 || !begins || rest != "" && rest[0] != '/' && !strings.HasPrefix(rest, `\/`) {
		b.WriteByte('*')
		return n
	}
	if strings.HasPrefix(rest, "/") {
		if i == 0 || !strings.HasSuffix(b.String(), "**/") { // the library fails on `**/**/`, which means the same
			b.WriteString("**/")
		}
		return n + 1
	}
	b.WriteString("(|" + anything + ")")
	return n
}

// quote writes one byte of text so that neither the library nor package regexp sees more in it.
func quote(b *strings.Builder, c byte) {
	if c == '/' || c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
		b.WriteByte(c)
		return
	}
	fmt.Fprintf(b, `\x{%x}`, letter(c))
}

// letter is the character that stands for byte c in what the library sees. It matches characters and lets no line feed
// into a `.`, git compares bytes: so the bytes that are not ASCII, and the line feed, are moved out of the way.
func letter(c byte) rune {
	if c >= 0x80 || c == '\n' {
		return 0x100 + rune(c)
	}
	return rune(c)
}

// latin returns path with each byte as its letter.
func latin(path string) string {
	plain := true
	for i := 0; i < len(path) && plain; i++ {
		plain = letter(path[i]) == rune(path[i])
	}
	if plain {
		return path
	}
	var b strings.Builder
	for i := 0; i < len(path); i++ {
		b.WriteRune(letter(path[i]))
	}
	return b.String()
}
