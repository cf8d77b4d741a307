package markdown

// A bracket is an opening bracket that may become a link or an image.
type bracket struct {
	token int // index in tokens
	marks int // number of marks before it
	image bool
}

// maxBrackets bounds how many brackets can be open at once; the outermost are forgotten first.
const maxBrackets = 100

func (in *inline) open(s string) {
	if len(in.brackets) == maxBrackets {
		in.brackets = in.brackets[1:]
		in.dead = max(in.dead-1, 0)
	}
	in.brackets = append(in.brackets, bracket{token: len(in.tokens), marks: len(in.marks), image: len(s) == 2})
	in.put(s)
	in.at += len(s)
}

// close reads a closing bracket and what follows it, and makes a link or an image of it when it can.
func (in *inline) close() {
	last := len(in.brackets) - 1
	if last < 0 {
		in.put("]")
		in.at++
		return
	}
	b := in.brackets[last]
	in.brackets = in.brackets[:last]
	alive := b.image || last >= in.dead
	in.dead = min(in.dead, last)
	t := in.tokens[b.token]
	dest, end := "", 0
	if alive {
		dest, end = in.target(t.at + len(t.text))
	}
	if end == 0 {
		in.put("]")
		in.at++
		return
	}
	in.emphasis(b.marks)
	in.tokens[b.token].text = ""
	in.links = append(in.links, Link{
		Start: in.offset(t.at), End: in.offset(end-1) + 1, Dest: dest, Text: in.text(b.token), Image: b.image,
	})
	if !b.image {
		in.dead = last
	}
	in.at = end
}

// target reads what follows the closing bracket at the current offset: an inline destination, a full, collapsed or
// shortcut reference. It returns the offset after it, 0 when there is none. The label begins at offset label.
func (in *inline) target(label int) (dest string, end int) {
	after := in.at + 1
	if after < len(in.src) && in.src[after] == '(' {
		if dest, end = in.inlineTarget(after + 1); end > 0 {
			return dest, end
		}
	}
	if after < len(in.src) && in.src[after] == '[' {
		c := cursor{src: in.src, lines: []Line{{Start: after + 1, End: min(len(in.src), after+2*maxLabel)}}}
		if ref, ok := c.label(); ok {
			if dest, ok := in.doc.defs[normalizeLabel(ref)]; ok {
				return dest, after + 1 + c.at
			}
			return "", 0
		}
		if after+1 < len(in.src) && in.src[after+1] == ']' {
			if dest, ok := in.reference(in.src[label:in.at]); ok {
				return dest, after + 2
			}
		}
	}
	if dest, ok := in.reference(in.src[label:in.at]); ok {
		return dest, after
	}
	return "", 0
}

func (in *inline) reference(label []byte) (string, bool) {
	if len(label) > 2*maxLabel || len(in.doc.defs) == 0 {
		return "", false
	}
	for i := 0; i < len(label); i++ {
		switch label[i] {
		case '\\':
			i++
		case '[', ']':
			return "", false
		}
	}
	dest, ok := in.doc.defs[normalizeLabel(string(label))]
	return dest, ok
}

// inlineTarget reads "dest "title")" from offset at, which is behind the opening parenthesis.
func (in *inline) inlineTarget(at int) (string, int) {
	at = spaces(in.src, at)
	dest := ""
	if at < len(in.src) && in.src[at] != ')' {
		d, n := destination(in.src[at:])
		if n == 0 {
			return "", 0
		}
		dest = d
		at += n
		if next := spaces(in.src, at); next > at {
			at = next
			c := cursor{src: in.src, lines: []Line{{Start: at, End: len(in.src)}}}
			if c.title() {
				at = spaces(in.src, at+c.at)
			}
		}
	}
	if at < len(in.src) && in.src[at] == ')' {
		return dest, at + 1
	}
	return "", 0
}

// Links lists the links and images of the document's headings, paragraphs and table rows, in the order of their blocks.
// Bare addresses without brackets are left out.
func (d *Doc) Links() []Link {
	var list []Link
	d.Walk(func(b *Block) bool {
		list = append(list, d.LinksIn(b)...)
		return true
	})
	return list
}

// LinksIn lists the links and images of one Heading, Paragraph or Row, without those of its children.
func (d *Doc) LinksIn(b *Block) []Link {
	var list []Link
	switch b.Kind {
	case Heading, Paragraph:
		list = d.linksOf(b.Content)
	case Row:
		for _, c := range b.Cells {
			list = append(list, d.linksOf([]Line{{Start: c.Start, End: c.End}})...)
		}
	}
	for i := range list {
		list[i].Block = b
	}
	return list
}

func (d *Doc) linksOf(lines []Line) []Link {
	in := newInline(d, lines)
	in.parse()
	return in.links
}

// Plain returns the text of a Heading, Paragraph, or of any lines of the document, without inline markup; line ends
// become spaces.
func (d *Doc) Plain(lines []Line) string { return newInline(d, lines).plain() }
