package markdown

import (
	"bytes"
	"fmt"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// blockParser returns goldmark set up to read blocks only: their inline text is read when somebody asks for it.
var blockParser = sync.OnceValue(func() parser.Parser {
	blocks := parser.DefaultBlockParsers()
	for i := range blocks {
		blocks[i].Value = placed{blocks[i].Value.(parser.BlockParser)}
	}
	return parser.NewParser(parser.WithBlockParsers(blocks...), parser.WithParagraphTransformers(
		util.Prioritized(definitions{}, 100),
		util.Prioritized(tables{}, 200),
	))
})

// readBlocks reads the blocks of src.
func readBlocks(src []byte) (ast.Node, *blockContext) {
	pc := &blockContext{Context: parser.NewContext(), places: map[ast.Node]place{}, references: map[string]parser.Reference{}}
	return blockParser().Parse(text.NewReader(src), parser.WithContext(pc)), pc
}

// A blockContext is goldmark's state of one document with what goldmark's tree does not keep.
type blockContext struct {
	parser.Context
	places     map[ast.Node]place
	references map[string]parser.Reference
}

// A place is the extent of a block as far as the lines tell that goldmark does not keep in the block.
type place struct {
	start  int // of the first line's content
	end    int // of the last line that belongs to the block by its own mark, without its line end
	closed bool
}

// AddReference keeps the first definition of a label.
func (c *blockContext) AddReference(ref parser.Reference) {
	key := util.ToLinkReference(ref.Label())
	if _, ok := c.references[key]; !ok {
		c.references[key] = parser.NewReference(ref.Label(), ref.Destination(), ref.Title())
	}
}

// depth returns how many quotes and items are open.
func (c *blockContext) depth() int {
	n := 0
	for _, b := range c.OpenedBlocks() {
		if isContainer(b.Node) {
			n++
		}
	}
	return n
}

func isContainer(n ast.Node) bool {
	return n.Kind() == ast.KindBlockquote || n.Kind() == ast.KindListItem
}

// placed is one of goldmark's block parsers that notes where its blocks stand, and how deep.
type placed struct{ parser.BlockParser }

// Open opens a block and notes its first line.
func (p placed) Open(parent ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, seg := r.PeekLine()
	node, state := p.BlockParser.Open(parent, r, pc)
	if node == nil {
		return nil, state
	}
	c := pc.(*blockContext)
	c.places[node] = place{start: seg.Start + max(util.FirstNonSpacePosition(line)-seg.Padding, 0), end: endOf(seg)}
	if len(c.OpenedBlocks()) >= MaxDepth && isContainer(node) && c.depth() >= MaxDepth {
		panic(&LimitError{
			Limit:  fmt.Sprintf("quotes and list items nest more than %d deep", MaxDepth),
			Remedy: "take the innermost out",
		})
	}
	return node, state
}

// Continue goes on with a block and notes the line when it carries a mark of the block.
func (p placed) Continue(node ast.Node, r text.Reader, pc parser.Context) parser.State {
	_, seg := r.PeekLine()
	state := p.BlockParser.Continue(node, r, pc)
	places := pc.(*blockContext).places
	switch node.Kind() {
	case ast.KindBlockquote:
		if state&parser.Continue != 0 {
			places[node] = place{start: places[node].start, end: endOf(seg)}
		}
	case ast.KindFencedCodeBlock:
		places[node] = place{start: places[node].start, end: endOf(seg), closed: state&parser.Close != 0}
	}
	return state
}

// endOf returns the end of the line that seg is the rest of, without its line end.
func endOf(seg text.Segment) int { return seg.Stop - 1 }

// definitions is goldmark's reader of link reference definitions, which is quadratic, with a limit.
type definitions struct{}

// Transform takes the definitions off the front of a paragraph.
func (definitions) Transform(node *ast.Paragraph, r text.Reader, pc parser.Context) {
	lines := node.Lines()
	n := 0
	for i := range lines.Len() {
		if bytes.Contains(content(r.Source(), lines.At(i)), []byte("]:")) {
			n++
		}
	}
	if n > MaxDefinitions && bytes.HasPrefix(bytes.TrimLeft(content(r.Source(), lines.At(0)), " \t"), []byte{'['}) {
		panic(&LimitError{
			Limit:  fmt.Sprintf("more than %d link reference definitions stand together", MaxDefinitions),
			Remedy: "put an empty line between some of them",
		})
	}
	parser.LinkReferenceParagraphTransformer.Transform(node, r, pc)
}
