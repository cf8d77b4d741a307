package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

// A tree turns goldmark's blocks into ours.
type tree struct {
	source
	context *blockContext
}

// children returns the blocks below node, which is the node of parent. Link reference definitions on lines that follow
// one another are one block.
func (t *tree) children(node ast.Node, parent *Block) []*Block {
	var list []*Block
	for n := node.FirstChild(); n != nil; n = n.NextSibling() {
		if n.Type() != ast.TypeBlock {
			continue
		}
		b := t.block(n, parent)
		if t.adjacent(n.PreviousSibling(), n) {
			last := list[len(list)-1]
			last.Content = append(last.Content, b.Content...)
			last.End = b.End
			continue
		}
		list = append(list, b)
	}
	return list
}

// adjacent reports whether a and b are link reference definitions on lines that follow one another.
func (t *tree) adjacent(a, b ast.Node) bool {
	if a == nil || a.Kind() != ast.KindLinkReferenceDefinition || b.Kind() != ast.KindLinkReferenceDefinition {
		return false
	}
	last := a.Lines().At(a.Lines().Len() - 1)
	return bytes.Count(t.text[last.Start:b.Lines().At(0).Start], []byte{'\n'}) == 1
}

// block returns the block of node n with its children.
func (t *tree) block(n ast.Node, parent *Block) *Block {
	at := t.context.places[n]
	b := &Block{Start: t.offset(at.start), End: t.offset(at.end), Parent: parent}
	switch n := n.(type) {
	case *ast.Heading:
		t.heading(b, n, at)
	case *ast.ThematicBreak:
		b.Kind = Rule
	case *ast.FencedCodeBlock:
		b.Kind = Fence
		b.Closed = at.closed
		b.Content = t.lines(n.Lines())
		if n.Info != nil {
			b.Info = string(n.Info.Value(t.text))
		}
	case *ast.CodeBlock:
		b.Kind = Code
		t.spanContent(b, t.lines(n.Lines()))
	case *ast.HTMLBlock:
		b.Kind = HTML
		b.html = htmlType(n.HTMLBlockType)
		start := b.Start
		lines := t.lines(n.Lines())
		if n.HasClosure() {
			lines = append(lines, t.cutLine(n.ClosureLine))
		}
		t.spanContent(b, lines)
		b.Start = start
	case *ast.LinkReferenceDefinition:
		b.Kind = LinkDef
		t.spanContent(b, t.trimmed(n.Lines()))
	case *east.Table:
		t.table(b, n)
	case *ast.Paragraph, *ast.TextBlock:
		b.Kind = Paragraph
		t.spanContent(b, t.trimmed(n.Lines()))
		b.Text = strings.TrimRight(b.join(t.doc), " \t")
	default:
		t.container(b, n)
	}
	return b
}

// container fills in a list, an item or a quote.
func (t *tree) container(b *Block, n ast.Node) {
	switch n := n.(type) {
	case *ast.List:
		b.Kind = List
		b.Ordered = n.IsOrdered()
	case *ast.ListItem:
		b.Kind = Item
	case *ast.Blockquote:
		b.Kind = Quote
	}
	b.Children = t.children(n, b)
	if last := len(b.Children) - 1; last >= 0 {
		b.End = max(b.End, b.Children[last].End)
	}
	if b.Kind == Item {
		b.finishItem()
	}
}

// heading fills in a heading. The place of a setext heading is that of its underline.
func (t *tree) heading(b *Block, n *ast.Heading, at place) {
	b.Kind = Heading
	b.Level = n.Level
	lines := n.Lines()
	switch {
	case lines.Len() == 0:
		end := at.start + n.Level
		b.Content = []Line{t.line(end, end, 0)}
	case lines.At(0).Start < at.start:
		b.Content = t.trimmed(lines)
		b.Start = b.Content[0].Start
		last := &b.Content[len(b.Content)-1]
		last.End = last.Start + len(bytes.TrimRight(t.doc[last.Start:last.End], " \t"))
	default:
		l := lines.At(0)
		b.Content = []Line{t.line(l.Start, l.Stop, 0)}
	}
}

// spanContent gives b its lines and makes it reach from the first to the last of them.
func (t *tree) spanContent(b *Block, lines []Line) {
	b.Content = lines
	if len(lines) > 0 {
		b.Start, b.End = lines[0].Start, lines[len(lines)-1].End
	}
}

// lines returns whole lines of the document.
func (t *tree) lines(segments *text.Segments) []Line {
	list := make([]Line, 0, segments.Len())
	for i := range segments.Len() {
		list = append(list, t.cutLine(segments.At(i)))
	}
	return list
}

// cutLine returns the line that begins with seg and that goldmark may have trimmed at its end.
func (t *tree) cutLine(seg text.Segment) Line {
	return t.line(seg.Start, t.eol(max(seg.Stop-1, seg.Start)), seg.Padding)
}

// trimmed returns lines of the document without their indentation.
func (t *tree) trimmed(segments *text.Segments) []Line {
	list := t.lines(segments)
	for i := range list {
		l := &list[i]
		l.Pad = 0
		for l.Start < l.End && isBlank(t.doc[l.Start]) {
			l.Start++
		}
	}
	return list
}

// finishItem finds the task mark of an item and copies the text of its first paragraph.
func (b *Block) finishItem() {
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

func isBlank(c byte) bool { return c == ' ' || c == '\t' }
