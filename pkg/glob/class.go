package glob

import (
	"strings"
	"unicode/utf8"
)

// span is a range of characters, both ends included.
type span struct{ lo, hi rune }

// class consumes a class and writes it anew without the slash: doublestar lets `[^a]` and `[+-9]` match one, and a
// wildcard must not reach over the end of a segment.
func (p *parser) class() error {
	start := p.pos
	p.pos++
	negated := p.pos < len(p.src) && (p.src[p.pos] == '!' || p.src[p.pos] == '^')
	if negated {
		p.pos++
	}
	if p.pos < len(p.src) && p.src[p.pos] == ']' {
		return p.fail(start, "empty class '[]' (write '\\]' for the bracket itself)")
	}
	var spans []span
	for {
		if p.pos >= len(p.src) {
			return p.fail(start, "unclosed class '['")
		}
		if p.src[p.pos] == ']' {
			p.pos++
			break
		}
		if strings.HasPrefix(p.src[p.pos:], "[:") {
			return p.fail(p.pos, "named class '[:' (write its characters)")
		}
		s, err := p.span(start)
		if err != nil {
			return err
		}
		spans = append(spans, s)
	}
	if negated {
		spans = append(spans, span{'/', '/'})
	} else if spans = withoutSlash(spans); len(spans) == 0 {
		return p.fail(start, "class of nothing but '/', which no wildcard matches")
	}
	p.writeClass(negated, spans)
	return nil
}

// span consumes `a` or `a-z`.
func (p *parser) span(class int) (span, error) {
	at := p.pos
	lo, err := p.member(class)
	if err != nil {
		return span{}, err
	}
	if p.pos+1 >= len(p.src) || p.src[p.pos] != '-' || p.src[p.pos+1] == ']' {
		return span{lo, lo}, nil
	}
	p.pos++
	hi, err := p.member(class)
	if err != nil {
		return span{}, err
	}
	if lo > hi {
		return span{}, p.fail(at, "range that runs backwards")
	}
	return span{lo, hi}, nil
}

// member consumes one character of a class.
func (p *parser) member(class int) (rune, error) {
	if p.src[p.pos] == '\\' {
		if p.pos++; p.pos == len(p.src) {
			return 0, p.fail(class, "unclosed class '['")
		}
	}
	r, size := utf8.DecodeRuneInString(p.src[p.pos:])
	p.pos += size
	return r, nil
}

func withoutSlash(spans []span) []span {
	var out []span
	for _, s := range spans {
		if s.lo > '/' || s.hi < '/' {
			out = append(out, s)
			continue
		}
		if s.lo < '/' {
			out = append(out, span{s.lo, '/' - 1})
		}
		if s.hi > '/' {
			out = append(out, span{'/' + 1, s.hi})
		}
	}
	return out
}

func (p *parser) writeClass(negated bool, spans []span) {
	p.out.WriteByte('[')
	if negated {
		p.out.WriteByte('^')
	}
	for _, s := range spans {
		p.writeMember(s.lo)
		if s.hi > s.lo {
			p.out.WriteByte('-')
			p.writeMember(s.hi)
		}
	}
	p.out.WriteByte(']')
}

func (p *parser) writeMember(r rune) {
	if strings.ContainsRune(`\]-^!`, r) {
		p.out.WriteByte('\\')
	}
	p.out.WriteRune(r)
}
