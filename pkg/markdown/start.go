package markdown

import (
	"bytes"
	"strconv"
)

// What start did with a line.
type outcome int

const (
	notStarted outcome = iota // no block starts here
	opened                    // blocks were opened; the rest of the line belongs to the innermost
	taken                     // the line is used up
)

// start opens the blocks that begin on the line below the first matched open blocks. With lazy the line could also
// continue an open paragraph further in.
func (p *parser) start(matched int, lazy bool) outcome {
	result := notStarted
	// enter closes what the line does not continue, once, before the first block opens.
	enter := func() {
		if result == notStarted {
			p.closeTo(matched)
		}
		result = opened
	}
	for {
		container := p.stack[matched-1].block
		if result == opened {
			container = p.tip().block
		}
		switch container.Kind {
		case Fence, Code, HTML:
			return result
		}
		if p.blank() {
			return result
		}
		if p.indented() {
			if container.Kind == Paragraph || lazy && result == notStarted {
				return result
			}
			enter()
			p.advance(4)
			b := &Block{Kind: Code, Start: p.pos}
			if p.split {
				b.Start++
			}
			p.push(open{block: b})
			return opened
		}
		switch c := p.peek(); {
		case c == '>' && p.depth < MaxDepth:
			enter()
			start := p.next
			p.quoteMark()
			p.push(open{block: &Block{Kind: Quote, Start: start, End: p.eol}})
			continue
		case c == '#' && p.atx(enter):
			return taken
		case (c == '`' || c == '~') && p.fence(enter):
			return taken
		case c == '<':
			if t := htmlStart(p.src[p.next:p.eol]); t > 0 && (t < 7 || container.Kind != Paragraph && (!lazy || result != notStarted)) {
				enter()
				p.pushHTML(t)
				return opened
			}
		case (c == '=' || c == '-') && container.Kind == Paragraph && p.setext(container):
			return taken
		}
		if c := p.peek(); (c == '*' || c == '-' || c == '_') && isRule(p.src[p.next:p.eol]) {
			enter()
			p.add(&Block{Kind: Rule, Start: p.next, End: p.eol})
			return taken
		}
		if p.depth < MaxDepth && p.item(container, enter) {
			continue
		}
		if container.Kind == Paragraph && p.table(container) {
			return taken
		}
		return result
	}
}

// add appends a finished block of one line below the innermost open block.
func (p *parser) add(b *Block) {
	p.push(open{block: b})
	p.closeTo(len(p.stack) - 1)
}

// atx reads a heading of the form "## text".
func (p *parser) atx(enter func()) bool {
	line := p.src[p.next:p.eol]
	level := 0
	for level < len(line) && line[level] == '#' {
		level++
	}
	if level > 6 || level < len(line) && !isBlank(line[level]) {
		return false
	}
	text := bytes.TrimRight(line[level:], " \t")
	from := p.next + level
	if t := bytes.TrimRight(text, "#"); len(t) == 0 || isBlank(t[len(t)-1]) {
		text = bytes.TrimRight(t, " \t")
	}
	trimmed := bytes.TrimLeft(text, " \t")
	from += len(text) - len(trimmed)
	enter()
	p.add(&Block{Kind: Heading, Level: level, Start: p.next, End: p.eol, Content: []Line{{Start: from, End: from + len(trimmed)}}})
	return true
}

// setext turns the open paragraph into a heading when the line underlines it.
func (p *parser) setext(paragraph *Block) bool {
	line := bytes.TrimRight(p.src[p.next:p.eol], " \t")
	for _, c := range line {
		if c != line[0] {
			return false
		}
	}
	if !p.takeLinkDefs(paragraph) {
		p.stack = p.stack[:len(p.stack)-1] // nothing is left to underline; the line starts a block of its own
		return false
	}
	paragraph.Kind = Heading
	paragraph.Level = 1
	if line[0] == '-' {
		paragraph.Level = 2
	}
	paragraph.End = p.eol
	last := &paragraph.Content[len(paragraph.Content)-1]
	last.End = last.Start + len(bytes.TrimRight(p.src[last.Start:last.End], " \t"))
	p.stack = p.stack[:len(p.stack)-1]
	return true
}

// isRule reports whether line is a thematic break: three or more of one of *, - and _, with white space between.
func isRule(line []byte) bool {
	n := 0
	for _, c := range line {
		switch {
		case c == line[0]:
			n++
		case !isBlank(c):
			return false
		}
	}
	return n >= 3
}

// fence reads the opening line of fenced code.
func (p *parser) fence(enter func()) bool {
	line := p.src[p.next:p.eol]
	n := run(line)
	info := bytes.Trim(line[n:], " \t")
	if n < 3 || line[0] == '`' && bytes.IndexByte(info, '`') >= 0 {
		return false
	}
	indent := p.indent()
	enter()
	p.push(open{block: &Block{Kind: Fence, Start: p.next, End: p.eol, Info: string(info)}, marker: line[0], width: n, offset: indent})
	return true
}

// closesFence reports whether the line closes the open fenced code o.
func (p *parser) closesFence(o *open) bool {
	if p.indented() || p.peek() != o.marker {
		return false
	}
	line := p.src[p.next:p.eol]
	n := run(line)
	return n >= o.width && len(bytes.Trim(line[n:], " \t")) == 0
}

// run returns how often the first byte of line stands at its start.
func run(line []byte) int {
	n := 0
	for n < len(line) && line[n] == line[0] {
		n++
	}
	return n
}

// item opens a list item, and a list when the item does not continue one.
func (p *parser) item(container *Block, enter func()) bool {
	line := p.src[p.next:p.eol]
	width, ordered := listMarker(line)
	if width == 0 {
		return false
	}
	rest := bytes.TrimLeft(line[width:], " \t")
	if container.Kind == Paragraph {
		if len(rest) == 0 {
			return false
		}
		if n, err := strconv.Atoi(string(line[:width-1])); ordered && (err != nil || n != 1) {
			return false
		}
	}
	offset, start, marker := p.indent(), p.next, line[width-1]
	enter()
	p.skip()
	p.advanceBytes(width)
	pad := p.afterMarker()
	for p.tip().block.Kind != List && !p.tip().holds(List) {
		p.closeTo(len(p.stack) - 1)
	}
	if l := p.tip(); l.block.Kind != List || l.block.Ordered != ordered || l.marker != marker {
		p.push(open{block: &Block{Kind: List, Start: start, Ordered: ordered}, marker: marker})
	}
	p.push(open{block: &Block{Kind: Item, Start: start, End: p.eol}, offset: offset, width: width + pad})
	return true
}

// afterMarker moves over the white space between a list marker and its content, and returns its columns as they count
// for the item.
func (p *parser) afterMarker() int {
	pos, col := p.pos, p.col
	if p.indent() >= 5 || p.blank() {
		p.pos, p.col, p.split = pos, col, false
		p.advance(min(1, p.indent()))
		return 1
	}
	n := p.indent()
	p.skip()
	return n
}

// listMarker returns the length of the list marker at the start of line, 0 when there is none.
func listMarker(line []byte) (width int, ordered bool) {
	switch line[0] {
	case '-', '+', '*':
		width = 1
	default:
		for width < len(line) && width < 10 && line[width] >= '0' && line[width] <= '9' {
			width++
		}
		if width == 0 || width > 9 || width == len(line) || line[width] != '.' && line[width] != ')' {
			return 0, false
		}
		width++
		ordered = true
	}
	if width < len(line) && !isBlank(line[width]) {
		return 0, false
	}
	return width, ordered
}
