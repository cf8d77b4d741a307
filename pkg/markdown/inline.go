package markdown

import (
	"fmt"
	"sort"
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// A Link is an inline or reference link, an image, or an autolink in angle brackets.
type Link struct {
	Start, End int    // from the opening bracket to after the closing one
	Dest       string // destination, unescaped; of an e-mail autolink without "mailto:"
	Text       string // plain text
	Image      bool
	Block      *Block // the leaf block, or the table row, that holds it
}

// inlineParser returns goldmark set up to read the whole of its input as the inline text of one block.
var inlineParser = sync.OnceValue(func() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(util.Prioritized(whole{}, 100)),
		parser.WithInlineParsers(
			util.Prioritized(parser.NewCodeSpanParser(), 100),
			util.Prioritized(links{parser.NewLinkParser()}, 200),
			util.Prioritized(parser.NewAutoLinkParser(), 300),
			util.Prioritized(parser.NewRawHTMLParser(), 400),
			util.Prioritized(parser.NewEmphasisParser(), 500),
			util.Prioritized(strikethrough{}, 500),
		),
	)
})

// An inlineContext is goldmark's state of one inline text.
type inlineContext struct {
	parser.Context
	references map[string]parser.Reference
	ends       map[ast.Node]int // offsets after links and images, which goldmark does not keep
}

// Reference returns the definition of a label that is normalized.
func (c *inlineContext) Reference(label string) (parser.Reference, bool) {
	ref, ok := c.references[label]
	return ref, ok
}

// links is goldmark's reader of links and images that notes where they end.
type links struct{ parser.InlineParser }

// Parse reads a bracket.
func (l links) Parse(parent ast.Node, r text.Reader, pc parser.Context) ast.Node {
	node := l.InlineParser.Parse(parent, r, pc)
	if node == nil {
		return nil
	}
	switch node.Kind() {
	case ast.KindLink, ast.KindImage:
		_, at := r.Position()
		pc.(*inlineContext).ends[node] = at.Start
	}
	return node
}

// CloseBlock makes text of the brackets that are left open.
func (l links) CloseBlock(parent ast.Node, r text.Reader, pc parser.Context) {
	l.InlineParser.(parser.CloseBlocker).CloseBlock(parent, r, pc)
}

// whole reads all that is there as one block.
type whole struct{}

// Trigger returns nil: any byte can begin the block.
func (whole) Trigger() []byte { return nil }

// Open takes all lines.
func (whole) Open(_ ast.Node, r text.Reader, _ parser.Context) (ast.Node, parser.State) {
	node := ast.NewTextBlock()
	for line, seg := r.PeekLine(); line != nil; line, seg = r.PeekLine() {
		node.Lines().Append(seg)
		r.AdvanceLine()
	}
	return node, parser.NoChildren
}

// Continue ends the block.
func (whole) Continue(ast.Node, text.Reader, parser.Context) parser.State { return parser.Close }

// Close does nothing.
func (whole) Close(ast.Node, text.Reader, parser.Context) {}

// CanInterruptParagraph returns true: there are no paragraphs.
func (whole) CanInterruptParagraph() bool { return true }

// CanAcceptIndentedLine returns true: indentation means nothing.
func (whole) CanAcceptIndentedLine() bool { return true }

// strikethrough reads GitHub's ~text~ and ~~text~~. goldmark's own extension compiles regular expressions when a program
// starts.
type strikethrough struct{}

// Trigger returns the delimiter.
func (strikethrough) Trigger() []byte { return []byte{'~'} }

// Parse reads a run of delimiters.
func (s strikethrough) Parse(_ ast.Node, r text.Reader, pc parser.Context) ast.Node {
	before := r.PrecendingCharacter()
	line, seg := r.PeekLine()
	d := parser.ScanDelimiter(line, before, 1, s)
	d.Segment = seg.WithStop(seg.Start + d.OriginalLength)
	r.Advance(d.OriginalLength)
	if d.OriginalLength > 2 {
		return ast.NewTextSegment(d.Segment)
	}
	pc.PushDelimiter(d)
	return d
}

// IsDelimiter reports whether c is the delimiter.
func (strikethrough) IsDelimiter(c byte) bool { return c == '~' }

// CanOpenCloser reports whether two runs are a pair: they have one length.
func (strikethrough) CanOpenCloser(opener, closer *parser.Delimiter) bool {
	return opener.Char == closer.Char && opener.OriginalLength == closer.OriginalLength
}

// OnMatch returns the node of a pair. Whether it stands for emphasis or for its opposite makes no difference to the text.
func (strikethrough) OnMatch(n int) ast.Node { return ast.NewEmphasis(n) }

// An inline is the text of one block as goldmark reads it: its lines without what stands between them, separated by LF.
type inline struct {
	doc    *Doc
	src    []byte
	lines  []Line
	starts []int // offset in src of each line
}

func (d *Doc) newInline(lines []Line) *inline {
	in := &inline{doc: d, lines: lines}
	for i, l := range lines {
		if i > 0 {
			in.src = append(in.src, '\n')
		}
		in.starts = append(in.starts, len(in.src))
		in.src = append(in.src, d.Src[l.Start:l.End]...)
	}
	return in
}

// offset turns an offset in src into one of the document.
func (in *inline) offset(at int) int {
	i := max(sort.SearchInts(in.starts, at+1)-1, 0)
	return in.lines[i].Start + at - in.starts[i]
}

// read returns the plain text and the links, inner ones before those around them.
func (in *inline) read() (string, []Link) {
	if len(in.src) > MaxText {
		panic(&LimitError{
			Limit:  fmt.Sprintf("a heading, paragraph or cell has more than %d bytes", MaxText),
			Remedy: "put an empty line into it",
		})
	}
	pc := &inlineContext{Context: parser.NewContext(), references: in.doc.references, ends: map[ast.Node]int{}}
	root := inlineParser().Parse(text.NewReader(in.src), parser.WithContext(pc))
	var (
		plain  strings.Builder
		list   []Link
		spans  [][2]int             // of each link's text in plain
		starts = map[ast.Node]int{} // of the text of links that are open
	)
	// The walk goes without recursion: nothing bounds the nesting of inline text.
	for n := root; n != nil; {
		if c := n.FirstChild(); c != nil && n.Kind() != ast.KindRawHTML {
			switch n.Kind() {
			case ast.KindLink, ast.KindImage:
				starts[n] = plain.Len()
			}
			n = c
			continue
		}
		for ; n != nil; n = n.Parent() {
			start, ok := starts[n]
			if !ok {
				start = plain.Len()
				in.put(&plain, n)
			}
			if l, ok := in.link(n, pc.ends[n]); ok {
				list = append(list, l)
				spans = append(spans, [2]int{start, plain.Len()})
			}
			if next := n.NextSibling(); next != nil {
				n = next
				break
			}
		}
	}
	s := plain.String()
	for i, at := range spans {
		list[i].Text = s[at[0]:at[1]]
	}
	return s, list
}

// put writes the text of a leaf.
func (in *inline) put(b *strings.Builder, n ast.Node) {
	switch n := n.(type) {
	case *ast.Text:
		s := string(n.Value(in.src))
		if n.IsRaw() {
			s = strings.ReplaceAll(s, "\n", " ")
		} else {
			s = unescape(s)
		}
		b.WriteString(s)
		if n.SoftLineBreak() || n.HardLineBreak() {
			b.WriteByte(' ')
		}
	case *ast.AutoLink:
		b.Write(n.Label(in.src))
	}
}

// link returns the link that n is, without its text. A link that is no autolink ends at offset end.
func (in *inline) link(n ast.Node, end int) (Link, bool) {
	l := Link{Start: n.Pos()}
	switch n := n.(type) {
	case *ast.Link:
		l.Dest = unescape(string(n.Destination))
	case *ast.Image:
		l.Dest, l.Image = unescape(string(n.Destination)), true
	case *ast.AutoLink:
		l.Dest = string(n.Label(in.src))
		end = l.Start + len(l.Dest) + len("<>")
	default:
		return l, false
	}
	l.Start, l.End = in.offset(l.Start), in.offset(end-1)+1
	return l, true
}

// plain returns the text of lines without markup.
func (d *Doc) plain(lines []Line) string {
	in := d.newInline(lines)
	if !strings.ContainsAny(string(in.src), "\\`*_~[]!<&\n") {
		return string(in.src)
	}
	s, _ := in.read()
	return s
}

// Plain returns the text of a Heading, Paragraph, or of any lines of the document, without inline markup; line ends
// become spaces. Its limits are those of Parse.
func (d *Doc) Plain(lines []Line) (s string) {
	within(MaxTime, func() { s = d.plain(lines) })
	return s
}

// Links lists the links and images of the document's headings, paragraphs and table rows, in the order of their blocks.
// Bare addresses without brackets are left out. Its limits are those of Parse.
func (d *Doc) Links() (list []Link) {
	within(MaxTime, func() {
		d.Walk(func(b *Block) bool {
			list = append(list, d.linksIn(b)...)
			return true
		})
	})
	return list
}

// LinksIn lists the links and images of one Heading, Paragraph or Row, without those of its children. Its limits are those
// of Parse.
func (d *Doc) LinksIn(b *Block) (list []Link) {
	within(MaxTime, func() { list = d.linksIn(b) })
	return list
}

func (d *Doc) linksIn(b *Block) []Link {
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
	in := d.newInline(lines)
	if !strings.ContainsAny(string(in.src), "[<") {
		return nil
	}
	_, list := in.read()
	return list
}
