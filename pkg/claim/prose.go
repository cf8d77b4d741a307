package claim

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-4419f9ca/forge/pkg/markdown"
)

// prose looks at the text of a claim: there is some, unless the block before it has no end and swallows it, and nothing in it
// is left for later.
func (p *parser) prose(c *Claim, blocks []*markdown.Block, whole bool) {
	if whole && !slices.ContainsFunc(blocks, p.says) {
		f := p.fault("no-prose", c, c.Heading, c.ID, "claim %q has no text that says what holds", c.ID)
		if next := p.after(c); next != nil && next.Kind == markdown.Heading && p.file.Src[next.Start] != '#' {
			f.Message += "; the text after its block is underlined and so a heading"
		}
	}
	p.placeholders(c, p.heads(c))
	for _, b := range blocks {
		p.scan(c, b)
	}
	text := []byte(c.RetiredEvidence.Text)
	if start, end := placeholder(text, 0); start >= 0 {
		p.placeholder(c, c.RetiredEvidence.Place, text[start:end])
	}
}

// heads returns the lines of the heading of c.
func (p *parser) heads(c *Claim) []markdown.Line {
	i := slices.IndexFunc(p.doc.Blocks, func(b *markdown.Block) bool { return b.Start == c.Heading.Start })
	return p.doc.Blocks[i].Content
}

// after returns the first block behind c.
func (p *parser) after(c *Claim) *markdown.Block {
	for _, b := range p.doc.Blocks {
		if b.Start >= c.Block.End {
			return b
		}
	}
	return nil
}

// says reports whether a letter stands in the running text of b; code, comments and headings say nothing by themselves.
func (p *parser) says(b *markdown.Block) bool {
	switch b.Kind {
	case markdown.Paragraph:
		return strings.ContainsFunc(string(p.withoutCode(b.Content)), unicode.IsLetter)
	case markdown.HTML:
		return p.saysHTML(b)
	case markdown.List, markdown.Item, markdown.Quote, markdown.Table:
		return slices.ContainsFunc(b.Children, p.says)
	case markdown.Row:
		return slices.ContainsFunc(b.Cells, func(c markdown.Cell) bool { return strings.ContainsFunc(c.Text, unicode.IsLetter) })
	}
	return false
}

// saysHTML reports whether a letter stands in b outside of comments and tags.
func (p *parser) saysHTML(b *markdown.Block) bool {
	src := slices.Clone(p.file.Src[b.Start:b.End])
	for _, c := range p.doc.CommentsIn(b) {
		for i := c.Start; i < c.End; i++ {
			src[i-b.Start] = ' '
		}
	}
	tag := false
	return strings.ContainsFunc(string(src), func(r rune) bool {
		switch r {
		case '<':
			tag = true
		case '>':
			tag = false
		}
		return !tag && unicode.IsLetter(r)
	})
}

// scan looks for placeholders in b and what it holds.
func (p *parser) scan(c *Claim, b *markdown.Block) {
	switch b.Kind {
	case markdown.Fence, markdown.Code:
	case markdown.Row:
		for _, cell := range b.Cells {
			p.placeholders(c, []markdown.Line{{Start: cell.Start, End: cell.End}})
		}
	case markdown.List, markdown.Item, markdown.Quote, markdown.Table:
		for _, child := range b.Children {
			p.scan(c, child)
		}
	default:
		p.placeholders(c, b.Content)
	}
}

// placeholders reports what is left for later in lines that are one text.
func (p *parser) placeholders(c *Claim, lines []markdown.Line) {
	masked := p.withoutCode(lines)
	for from := 0; ; {
		start, end := placeholder(masked, from)
		if start < 0 {
			return
		}
		from = end
		p.placeholder(c, Place{offsetIn(lines, start), offsetIn(lines, end-1) + 1}, masked[start:end])
	}
}

// offsetIn turns an offset in lines joined by LF into one of the file.
func offsetIn(lines []markdown.Line, at int) int {
	for _, l := range lines {
		if n := l.End - l.Start; at <= n {
			return l.Start + at
		} else {
			at -= n + 1
		}
	}
	return lines[len(lines)-1].End
}

// placeholder reports one placeholder.
func (p *parser) placeholder(c *Claim, at Place, written []byte) {
	mark := strings.Join(strings.Fields(string(written)), " ")
	p.fault("placeholder", c, at, c.ID+" "+mark, "the text of claim %q holds the placeholder %q", c.ID, mark)
}

// placeholder finds the next placeholder at or after an offset; start is -1 when there is none.
func placeholder(src []byte, from int) (start, end int) {
	for at := from; at < len(src); at++ {
		for _, mark := range []string{"TBD", "TODO", "FIXME", "XXX"} {
			if bytes.HasPrefix(src[at:], []byte(mark)) && isWord(src, at, at+len(mark)) {
				return at, at + len(mark)
			}
		}
		if n := needsClarification(src[at:]); n > 0 {
			return at, at + n
		}
	}
	return -1, -1
}

// needsClarification returns the length of "[NEEDS CLARIFICATION" at the start of src, in any case and with any white space,
// or 0.
func needsClarification(src []byte) int {
	const first, second = "[needs", "clarification"
	if len(src) < len(first) || !bytes.EqualFold(src[:len(first)], []byte(first)) {
		return 0
	}
	rest := bytes.TrimLeft(src[len(first):], " \t\n")
	if len(rest) == len(src)-len(first) || len(rest) < len(second) || !bytes.EqualFold(rest[:len(second)], []byte(second)) {
		return 0
	}
	return len(src) - len(rest) + len(second)
}

// isWord reports whether no letter, digit or underscore stands next to src[start:end].
func isWord(src []byte, start, end int) bool {
	part := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }
	before, _ := utf8.DecodeLastRune(src[:start])
	after, _ := utf8.DecodeRune(src[end:])
	return !part(before) && !part(after)
}

// withoutCode returns lines that are one text, joined by LF, with spaces in the place of code spans.
func (p *parser) withoutCode(lines []markdown.Line) []byte {
	src := []byte(p.source(lines))
	for at := 0; at < len(src); {
		switch {
		case src[at] == '\\':
			at += 2
		case src[at] != '`':
			at++
		default:
			n := run(src, at)
			end := closingRun(src, at+n, n)
			if end < 0 {
				at += n
				continue
			}
			for i := at; i < end; i++ {
				if src[i] != '\n' {
					src[i] = ' '
				}
			}
			at = end
		}
	}
	return src
}

// run returns how many backticks stand at offset at.
func run(src []byte, at int) int {
	n := 0
	for at+n < len(src) && src[at+n] == '`' {
		n++
	}
	return n
}

// closingRun returns the offset after the next run of exactly n backticks, -1 without one.
func closingRun(src []byte, at, n int) int {
	for at < len(src) {
		if src[at] != '`' {
			at++
			continue
		}
		m := run(src, at)
		at += m
		if m == n {
			return at
		}
	}
	return -1
}
