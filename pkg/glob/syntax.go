package glob

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Bounds of a pattern. Matching costs at most expansions times pattern length times path length.
const (
	maxLength     = 1024 // bytes
	maxExpansions = 256  // ways to choose one alternative in each group of braces
)

// A SyntaxError says why a pattern is bad.
type SyntaxError struct {
	Pattern string
	Offset  int // in bytes, of the place in Pattern
	Reason  string
}

func (e *SyntaxError) Error() string {
	p := e.Pattern
	if len(p) > 80 {
		p = strings.ToValidUTF8(p[:80], "") + "…"
	}
	return fmt.Sprintf("bad glob %q: %s at byte %d", p, e.Reason, e.Offset+1)
}

// syntax is what a parse finds out about a pattern.
type syntax struct {
	literal bool   // no wildcard: prefix is the only match
	prefix  string // every match begins with it
	suffix  string // every match ends with it
	folder  string // every match is it or lies below it; "" is the root
	base    string // every match has this name as its last segment; "" when not known
}

// parser walks through a pattern once.
type parser struct {
	src string
	pos int
	out strings.Builder // the pattern for doublestar

	text    strings.Builder // literal text since the last wildcard
	prefix  string          // text up to the first wildcard
	meta    bool            // a wildcard has been seen
	globbed bool            // the first wildcard is `**` or a group, which may stand for nothing together with a slash

	groups []group
	total  int // choices of the groups that are closed at the top level
}

// group counts the choices of one open group of braces.
type group struct {
	start    int
	finished int // choices of the alternatives before the current one
	current  int // choices of the current alternative
}

func parse(pattern string) (syntax, string, error) {
	p := &parser{src: pattern, total: 1}
	if err := p.run(); err != nil {
		return syntax{}, "", err
	}
	return p.result(), p.out.String(), nil
}

func (p *parser) fail(offset int, format string, args ...any) error {
	return &SyntaxError{Pattern: p.src, Offset: offset, Reason: fmt.Sprintf(format, args...)}
}

func (p *parser) run() error {
	if p.src == "" {
		return p.fail(0, "empty pattern")
	}
	if len(p.src) > maxLength {
		return p.fail(maxLength, "pattern longer than %d bytes", maxLength)
	}
	for i, r := range p.src {
		if r == utf8.RuneError && !strings.HasPrefix(p.src[i:], "\uFFFD") {
			return p.fail(i, "byte that is not UTF-8")
		}
		if r == 0 || r >= stray {
			return p.fail(i, "character %U, which no path contains", r)
		}
	}
	for p.pos < len(p.src) {
		if err := p.step(); err != nil {
			return err
		}
	}
	if len(p.groups) > 0 {
		return p.fail(p.groups[len(p.groups)-1].start, "unclosed group '{'")
	}
	return nil
}

// step consumes one token.
func (p *parser) step() error {
	at := p.pos
	switch c := p.src[p.pos]; {
	case c == '\\':
		if p.pos++; p.pos == len(p.src) {
			return p.fail(at, "backslash with nothing after it")
		}
		p.out.WriteByte('\\')
		p.char()
	case c == '*' || c == '?':
		p.wildcard(strings.HasPrefix(p.src[at:], "**"))
		p.out.WriteByte(c)
		p.pos++
	case c == '[':
		p.wildcard(false)
		return p.class()
	case c == '{':
		p.wildcard(true)
		p.groups = append(p.groups, group{start: at, current: 1})
		p.out.WriteByte(c)
		p.pos++
	case c == '}':
		return p.closeGroup()
	case c == ',' && len(p.groups) > 0:
		g := &p.groups[len(p.groups)-1]
		g.finished, g.current = g.finished+g.current, 1
		p.text.Reset()
		p.out.WriteByte(c)
		p.pos++
	default:
		p.char()
	}
	return nil
}

// char consumes one literal character.
func (p *parser) char() {
	_, size := utf8.DecodeRuneInString(p.src[p.pos:])
	p.text.WriteString(p.src[p.pos : p.pos+size])
	p.out.WriteString(p.src[p.pos : p.pos+size])
	p.pos += size
}

// wildcard notes that literal text ends here.
func (p *parser) wildcard(vanishing bool) {
	if !p.meta {
		p.meta, p.globbed, p.prefix = true, vanishing, p.text.String()
	}
	p.text.Reset()
}

func (p *parser) closeGroup() error {
	n := len(p.groups)
	if n == 0 {
		return p.fail(p.pos, "'}' without a '{'")
	}
	g := p.groups[n-1]
	p.groups = p.groups[:n-1]
	into := &p.total
	if n > 1 {
		into = &p.groups[n-2].current
	}
	*into *= g.finished + g.current
	if *into > maxExpansions || g.finished > maxExpansions {
		return p.fail(g.start, "groups with more than %d combinations", maxExpansions)
	}
	p.text.Reset()
	p.out.WriteByte('}')
	p.pos++
	return nil
}

func (p *parser) result() syntax {
	tail := p.text.String()
	if !p.meta {
		folder, _ := splitLast(tail)
		return syntax{literal: true, prefix: tail, suffix: tail, folder: folder}
	}
	folder, _ := splitLast(p.prefix)
	s := syntax{prefix: p.prefix, suffix: tail, folder: folder}
	if p.globbed {
		s.prefix = strings.TrimSuffix(s.prefix, "/")
	}
	if strings.HasSuffix(tail, "/") {
		s.suffix = "" // `a/**/` matches "a"
		return s
	}
	if i := strings.LastIndexByte(tail, '/'); i >= 0 {
		s.base = tail[i+1:]
		s.suffix = strings.TrimPrefix(tail, "/") // `**/a` matches "a"
	}
	return s
}

// splitLast cuts path at its last slash; the folder is "" when there is none.
func splitLast(path string) (folder, name string) {
	i := strings.LastIndexByte(path, '/')
	return path[:max(i, 0)], path[i+1:]
}
