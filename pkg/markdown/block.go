package markdown

import "strings"

// A parser builds the block tree line by line with the algorithm of CommonMark's appendix: match the open containers,
// open new blocks, add what is left to the innermost one.
type parser struct {
	src   []byte
	doc   *Doc
	stack []open // the open blocks, the document first, at most one leaf, which is last
	depth int    // quotes and items in stack

	// The current line: [pos, eol) is unread, col is the column of pos with tabs to stops of four, and the first byte
	// is a tab of which a part was used when split is set.
	pos, eol, col int
	split         bool
	// The first byte at or after pos that is neither space nor tab, and its column.
	next, nextCol int
}

// document is the kind of the root of the tree, which no caller sees.
const document Kind = -1

// An open block, with what only the parser needs.
type open struct {
	block  *Block
	marker byte // of a List: the bullet or the delimiter; of a Fence: its character
	offset int  // of an Item: columns before its marker; of a Fence: columns before its opening
	width  int  // of an Item: columns from its marker to its content; of a Fence: length of its opening
	html   int  // of an HTML block: its type
}

// holds reports whether o can have a child of kind k.
func (o *open) holds(k Kind) bool {
	switch o.block.Kind {
	case document, Quote, Item:
		return k != Item
	case List:
		return k == Item
	}
	return false
}

func (p *parser) tip() *open { return &p.stack[len(p.stack)-1] }

func (p *parser) scan() {
	if p.next >= p.pos {
		return
	}
	p.next, p.nextCol = p.pos, p.col
	for p.next < p.eol {
		switch p.src[p.next] {
		case ' ':
			p.nextCol++
		case '\t':
			p.nextCol += 4 - p.nextCol%4
		default:
			return
		}
		p.next++
	}
}

func (p *parser) blank() bool    { p.scan(); return p.next == p.eol }
func (p *parser) indent() int    { p.scan(); return p.nextCol - p.col }
func (p *parser) indented() bool { return p.indent() >= 4 }

// peek returns the first byte that is neither space nor tab, 0 at the end of the line.
func (p *parser) peek() byte {
	if p.blank() {
		return 0
	}
	return p.src[p.next]
}

// skip moves to the first byte that is neither space nor tab.
func (p *parser) skip() {
	p.scan()
	p.pos, p.col, p.split = p.next, p.nextCol, false
}

// advance moves over n columns of white space.
func (p *parser) advance(n int) {
	for n > 0 && p.pos < p.eol {
		width := 1
		if p.src[p.pos] == '\t' {
			width = 4 - p.col%4
		}
		step := min(n, width)
		p.col += step
		p.split = width > n
		if !p.split {
			p.pos++
		}
		n -= step
	}
}

// advanceBytes moves over n bytes that are not tabs.
func (p *parser) advanceBytes(n int) {
	p.pos += n
	p.col += n
	p.split = false
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

func (p *parser) line(start, end int) {
	p.pos, p.eol, p.col, p.split, p.next = start, end, 0, false, -1
	matched := p.match()
	if matched < 0 {
		return
	}
	all := matched == len(p.stack)
	lazy := !all && p.tip().block.Kind == Paragraph
	leaf := p.start(matched, lazy)
	if lazy && !p.blank() && leaf == notStarted {
		p.addLine(p.tip())
		return
	}
	if leaf == notStarted && !all {
		p.closeTo(matched)
	}
	if leaf == taken {
		return
	}
	p.rest()
}

// match walks the open blocks that the line continues and returns their number; -1 when it used the line up.
func (p *parser) match() int {
	n := 1
	for ; n < len(p.stack); n++ {
		o := &p.stack[n]
		switch o.block.Kind {
		case Quote:
			if p.indented() || p.peek() != '>' {
				return n
			}
			p.quoteMark()
			o.block.End = p.eol
		case Item:
			switch {
			case p.blank():
				if len(o.block.Children) == 0 && n == len(p.stack)-1 {
					return n
				}
				p.skip()
			case p.indent() >= o.offset+o.width:
				p.advance(o.offset + o.width)
			default:
				return n
			}
		case Fence:
			if p.closesFence(o) {
				o.block.Closed = true
				o.block.End = p.eol
				p.closeTo(n)
				return -1
			}
			p.advance(min(o.offset, p.indent()))
		case Code:
			switch {
			case p.indented():
				p.advance(4)
			case p.blank():
				p.skip()
			default:
				return n
			}
		case HTML:
			if o.html >= 6 && p.blank() {
				return n
			}
		case Paragraph, Table:
			if p.blank() {
				return n
			}
		}
	}
	return n
}

func (p *parser) quoteMark() {
	p.skip()
	p.advanceBytes(1)
	if p.pos < p.eol && isBlank(p.src[p.pos]) {
		p.advance(1)
	}
}

// rest adds what is left of the line to the innermost block, which may be a new paragraph.
func (p *parser) rest() {
	tip := p.tip()
	switch tip.block.Kind {
	case Fence, Code:
		p.addLine(tip)
	case HTML:
		p.addLine(tip)
		if tip.html < 6 && closesHTML(tip.html, p.src[p.pos:p.eol]) {
			p.closeTo(len(p.stack) - 1)
		}
	case Paragraph:
		p.addLine(tip)
	case Table:
		p.addRow(tip.block)
	default:
		if p.blank() {
			return
		}
		p.skip()
		p.push(open{block: &Block{Kind: Paragraph, Start: p.pos}})
		p.addLine(p.tip())
	}
}

func (p *parser) addLine(o *open) {
	l := Line{Start: p.pos, End: p.eol}
	if o.block.Kind == Paragraph {
		p.skip()
		l.Start = p.pos
	} else if p.split {
		l.Pad = 4 - p.col%4
		l.Start++
	}
	o.block.Content = append(o.block.Content, l)
	o.block.End = p.eol
}

// push opens a block below the innermost one that can hold it; those further in end.
func (p *parser) push(o open) {
	for !p.tip().holds(o.block.Kind) {
		p.closeTo(len(p.stack) - 1)
	}
	parent := p.tip().block
	o.block.Parent = parent
	o.block.End = max(o.block.End, o.block.Start)
	parent.Children = append(parent.Children, o.block)
	if o.block.Kind == Quote || o.block.Kind == Item {
		p.depth++
	}
	p.stack = append(p.stack, o)
}

// closeTo closes open blocks, the innermost first, until n are left.
func (p *parser) closeTo(n int) {
	for len(p.stack) > n {
		o := *p.tip()
		p.stack = p.stack[:len(p.stack)-1]
		b := o.block
		if n := len(b.Children); n > 0 {
			b.End = max(b.End, b.Children[n-1].End)
		}
		switch b.Kind {
		case Quote, Item:
			p.depth--
			if b.Kind == Item {
				p.finishItem(b)
			}
		case Paragraph:
			p.finishParagraph(b)
		case Code:
			p.finishCode(b)
		case HTML:
			p.finishHTML(b, o.html)
		}
	}
}

// finishParagraph takes the link reference definitions off the front of a paragraph; the paragraph goes when nothing is
// left of it.
func (p *parser) finishParagraph(b *Block) {
	p.takeLinkDefs(b)
	b.Text = b.join(p.src)
	b.Text = strings.TrimRight(b.Text, " \t")
}

// takeLinkDefs moves leading link reference definitions of the paragraph b into a LinkDef before it, and reports whether
// anything is left of b; when not, b has become that LinkDef.
func (p *parser) takeLinkDefs(b *Block) bool {
	if len(b.Content) == 0 || b.Kind != Paragraph || p.src[b.Content[0].Start] != '[' {
		return b.Kind == Paragraph
	}
	n := p.doc.readLinkDefs(b.Content)
	if n == 0 {
		return true
	}
	if n == len(b.Content) {
		b.Kind = LinkDef
		return false
	}
	def := &Block{Kind: LinkDef, Start: b.Start, End: b.Content[n-1].End, Content: b.Content[:n:n], Parent: b.Parent}
	b.Content = b.Content[n:]
	b.Start = b.Content[0].Start
	siblings := b.Parent.Children
	b.Parent.Children = append(siblings[:len(siblings)-1], def, b)
	return true
}

func (p *parser) finishCode(b *Block) {
	n := len(b.Content)
	for n > 1 && strings.TrimSpace(string(p.src[b.Content[n-1].Start:b.Content[n-1].End])) == "" {
		n--
	}
	b.Content = b.Content[:n]
	b.End = b.Content[n-1].End
}

// finishItem finds the task mark of an item and copies the text of its first paragraph.
func (p *parser) finishItem(b *Block) {
	if len(b.Children) == 0 || b.Children[0].Kind != Paragraph {
		return
	}
	t := b.Children[0].Text
	b.Text = t
	if len(t) < 3 || t[0] != '[' || t[2] != ']' || len(t) > 3 && !isBlank(t[3]) && t[3] != '\n' {
		return
	}
	switch t[1] {
	case 'x', 'X':
		b.Task = 'x'
	case ' ', '\t':
		b.Task = ' '
	}
}

// join returns the content of b with its lines separated by LF.
func (b *Block) join(src []byte) string {
	if len(b.Content) == 1 && b.Content[0].Pad == 0 {
		return string(src[b.Content[0].Start:b.Content[0].End])
	}
	var s strings.Builder
	for i, l := range b.Content {
		if i > 0 {
			s.WriteByte('\n')
		}
		for range l.Pad {
			s.WriteByte(' ')
		}
		s.Write(src[l.Start:l.End])
	}
	return s.String()
}
