// Package glob matches repository paths against glob patterns. It is a thin layer over doublestar: `*` and `?` stay
// within one path segment, `**` as a whole segment stands for any number of folders, `[a-z]` and `[!a-z]` are classes,
// `{a,b}` are alternatives and `\` takes the next character literally. Case counts.
//
// What the layer adds: patterns are checked when they are compiled and a fault has its offset; alternatives are bounded,
// so that a pattern cannot explode; a class never matches the slash; and paths are bytes: what is not UTF-8 matches `*`,
// `?` and negated classes and equals no character of a pattern.
//
// A path is never taken for a pattern. Like doublestar, `a/**` matches the path "a" itself, so that a folder which
// became a symlink stays covered.
package glob

import (
	"strings"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
)

// A Pattern is a compiled glob pattern. It is immutable and safe for concurrent use.
type Pattern struct {
	source string
	norm   string // source with rewritten classes, for doublestar
	syntax
}

// Compile checks pattern and prepares it for matching. A fault is a *SyntaxError.
func Compile(pattern string) (*Pattern, error) {
	p := &Pattern{source: pattern}
	s, norm, err := parse(pattern)
	if err != nil {
		return nil, err
	}
	p.syntax, p.norm = s, norm
	return p, nil
}

// Match compiles pattern and matches path with it. To match more than once use Compile, for many patterns a Set.
func Match(pattern, path string) (bool, error) {
	p, err := Compile(pattern)
	if err != nil {
		return false, err
	}
	return p.Match(path), nil
}

// LiteralPrefix returns the longest folder, without a slash at its end, below which every match of pattern lies; "" when
// that is the root or when the pattern is bad. As `a/**` also matches "a", "a" itself counts as lying below "a".
func LiteralPrefix(pattern string) string {
	p, err := Compile(pattern)
	if err != nil {
		return ""
	}
	return p.Folder()
}

// String returns the pattern as it was given to Compile.
func (p *Pattern) String() string { return p.source }

// Folder returns the folder of LiteralPrefix.
func (p *Pattern) Folder() string { return p.folder }

// Literal returns the one path that p matches when p has no wildcard.
func (p *Pattern) Literal() (path string, ok bool) { return p.prefix, p.literal }

// Match reports whether path, relative to the root and with slashes, matches p as a whole.
func (p *Pattern) Match(path string) bool {
	return p.possible(path) && (p.literal || p.full(legible(path)))
}

// possible reports whether path has the literal text that every match of p has; with a literal p that is the answer.
func (p *Pattern) possible(path string) bool {
	if p.literal {
		return path == p.prefix
	}
	return strings.HasPrefix(path, p.prefix) && strings.HasSuffix(path, p.suffix)
}

// full matches a legible path.
func (p *Pattern) full(path string) bool { return doublestar.MatchUnvalidated(p.norm, path) }

// stray is the first of the 256 code points, of a private plane, that stand for bytes which are not UTF-8. Patterns
// cannot contain them.
const stray = 0x10ff00

// legible returns path with each byte that is not part of valid UTF-8 turned into a character of its own: doublestar
// reads runes and would take all such bytes, and U+FFFD, for one and the same.
func legible(path string) string {
	if utf8.ValidString(path) {
		return path
	}
	var b strings.Builder
	for i := 0; i < len(path); {
		r, size := utf8.DecodeRuneInString(path[i:])
		if r == utf8.RuneError && size == 1 {
			r = stray + rune(path[i])
		}
		b.WriteRune(r)
		i += size
	}
	return b.String()
}
