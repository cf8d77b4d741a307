package markdown

import (
	"bytes"
	"strings"
)

// A plainReader reads documents in which every line says by itself what it is, as task lists and logs are written:
// headings, comments of one line, items of flat bullet lists, and running text, all from the first column on. What it reads
// it reads as goldmark does, several times faster; at the first line of any other form it gives up, and goldmark reads the
// document.
type plainReader struct {
	doc  *Doc
	text string // of the document from offset from on
	from int

	blocks []*Block // top-level
	list   *Block   // that the next item would belong to; nil when none is open
	open   *Block   // paragraph that the line before belongs to
	item   bool     // the line before is an item

	left         int     // lines that are not read yet
	freeBlocks   []Block // not in use yet; so are the next two
	freeLines    []Line
	freePointers []*Block
}

// readPlain fills in the blocks of d, which begin at offset from, and reports whether it could. If not, d is as it was.
func (d *Doc) readPlain(from int) bool {
	if !isPlain(d.Src[from:]) {
		return false
	}
	p := &plainReader{doc: d, text: string(d.Src[from:]), from: from}
	p.left = strings.Count(p.text, "\n") + 1
	for at := 0; at < len(p.text); {
		end := len(p.text)
		if n := strings.IndexByte(p.text[at:], '\n'); n >= 0 {
			end = at + n
		}
		if !p.line(at, end) {
			return false
		}
		p.left--
		at = end + 1
	}
	d.Blocks = p.blocks
	return true
}

// isPlain reports whether the only white space of src is LF and the space: tabs are columns, CR ends a line. A NUL is a
// replacement character.
func isPlain(src []byte) bool {
	for _, c := range []byte("\t\r\v\f\x00") {
		if bytes.IndexByte(src, c) >= 0 {
			return false
		}
	}
	return true
}

// line takes in the line between two offsets of the text, and reports whether it has one of the forms.
func (p *plainReader) line(at, end int) bool {
	line := p.text[at:end]
	if line == "" {
		p.open, p.item = nil, false
		return true
	}
	if line[len(line)-1] == ' ' {
		return false
	}
	switch line[0] {
	case '#':
		return p.heading(line, at, end)
	case '<':
		return p.comment(line, at, end)
	case '-', '*', '+':
		if len(line) > 2 && line[1] == ' ' && isItemText(line[2:]) {
			p.addItem(at, end)
			return true
		}
	}
	return !p.item && isText(line) && p.paragraph(at, end)
}

// maxHeading is how long the line of a heading may be, in bytes: the inline text of a longer one is worth a clock.
const maxHeading = 1024

func (p *plainReader) heading(line string, at, end int) bool {
	level := len(line) - len(strings.TrimLeft(line, "#"))
	if len(line) > maxHeading || level > 6 || level+1 >= len(line) || line[level] != ' ' || line[level+1] == ' ' || line[len(line)-1] == '#' {
		return false
	}
	b := p.top(Heading, at, end)
	b.Level = level
	b.Content[0].Start += level + 1
	return true
}

func (p *plainReader) comment(line string, at, end int) bool {
	body, ok := strings.CutPrefix(line, "<!-- ")
	if before, after, closed := strings.Cut(body, "-->"); !ok || !closed || after != "" || before == "" {
		return false
	}
	p.top(HTML, at, end).html = commented
	return true
}

// paragraph begins a paragraph or goes on with one.
func (p *plainReader) paragraph(at, end int) bool {
	if b := p.open; b != nil {
		b.End = p.from + end
		b.Content = append(b.Content, Line{Start: p.from + at, End: b.End})
		b.Text = p.text[b.Start-p.from : end]
		return true
	}
	b := p.top(Paragraph, at, end)
	b.Text = p.text[at:end]
	p.open = b
	return true
}

// addItem adds an item to the list before it, if that has its marker, else to a new one.
func (p *plainReader) addItem(at, end int) {
	if p.list == nil || p.doc.Src[p.list.Start] != p.text[at] {
		p.list = p.top(List, at, end)
	}
	item := p.block(Item, at, end, p.list)
	b := p.block(Paragraph, at+2, end, item)
	b.Text = p.text[at+2 : end]
	item.Children = p.pointer(b)
	item.finishItem()
	p.list.Children = append(p.list.Children, item)
	p.list.End = item.End
	p.open, p.item = nil, true
}

// top adds a top-level block. A list is open only until another block follows.
func (p *plainReader) top(kind Kind, at, end int) *Block {
	b := p.block(kind, at, end, nil)
	p.blocks = append(p.blocks, b)
	p.list, p.open, p.item = nil, nil, false
	return b
}

// block returns a new block; the content of one without children is its line.
func (p *plainReader) block(kind Kind, at, end int, parent *Block) *Block {
	if len(p.freeBlocks) == 0 {
		p.freeBlocks = make([]Block, min(2*p.left+1, chunk))
	}
	b := &p.freeBlocks[0]
	p.freeBlocks = p.freeBlocks[1:]
	b.Kind, b.Start, b.End, b.Parent = kind, p.from+at, p.from+end, parent
	if kind != List && kind != Item {
		if len(p.freeLines) == 0 {
			p.freeLines = make([]Line, min(p.left, chunk))
		}
		p.freeLines[0] = Line{Start: b.Start, End: b.End}
		b.Content, p.freeLines = p.freeLines[:1:1], p.freeLines[1:]
	}
	return b
}

// chunk is how many blocks are made together at the most.
const chunk = 64

// pointer returns a list of one block.
func (p *plainReader) pointer(b *Block) []*Block {
	if len(p.freePointers) == 0 {
		p.freePointers = make([]*Block, min(p.left, chunk))
	}
	p.freePointers[0] = b
	list := p.freePointers[:1:1]
	p.freePointers = p.freePointers[1:]
	return list
}

// isText reports whether line begins with what can begin nothing but running text, in whatever line before or after it
// stands.
func isText(line string) bool {
	switch c := line[0]; {
	case isLetter(c) || c >= 0x80 || strings.IndexByte(`("'@/{`, c) >= 0:
		return true
	case c >= '0' && c <= '9':
		rest := strings.TrimLeft(line, "0123456789")
		return rest != "" && rest[0] != '.' && rest[0] != ')'
	case c == '*' || c == '_' || c == '`':
		rest := line[1:]
		if rest != "" && rest[0] == c {
			rest = rest[1:]
		}
		return rest != "" && (isLetter(rest[0]) || rest[0] >= '0' && rest[0] <= '9' || rest[0] >= 0x80)
	}
	return false
}

// isItemText reports whether line, the content of an item, is running text: a bracket at its beginning opens no definition.
func isItemText(line string) bool {
	return line[0] == '[' && !strings.Contains(line, "]:") || isText(line)
}
