// Package markdown tells where the blocks of a Markdown document stand: the block structure of CommonMark 0.31.2 with
// GitHub's tables and task items, each block with its byte range in the original source, frontmatter set apart, and
// HTML comments as blocks of their own.
//
// goldmark reads the blocks and the inline text; only the blocks of the simplest documents are read without it, see
// plainReader. This package adds what its tree does not say: where every block begins and ends, GitHub's tables and task
// items without goldmark's extensions, which cost every hook half a millisecond when it starts, frontmatter, comments,
// sections, and limits for input that goldmark would take minutes for.
package markdown

import (
	"github.com/seed-4419f9ca/forge/pkg/text"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
)

// A Kind is the type of a block.
type Kind uint8

// The kinds of blocks.
const (
	Heading   Kind = iota // ATX or setext; a block that consists of an <h1>…</h1> element is an HTML block, see HTMLHeading
	Paragraph             // running text
	List                  // its Children are Items
	Item                  // its Children are blocks
	Quote                 // its Children are blocks
	Fence                 // fenced code
	Code                  // indented code
	HTML                  // an HTML block other than a lone comment
	Comment               // an HTML block that is exactly one comment, from <!-- to --> (CommonMark's HTML block type 2)
	Table                 // its Children are Rows; the first is the header row
	Row                   // one row of a table; Cells holds its cells
	Rule                  // thematic break
	LinkDef               // link reference definitions that stand together
)

var kindNames = [...]string{"heading", "paragraph", "list", "item", "quote", "fence", "code", "html", "comment", "table", "row", "rule", "linkdef"}

// String returns the name of k in lower case.
func (k Kind) String() string {
	if int(k) >= len(kindNames) {
		return "unknown"
	}
	return kindNames[k]
}

// A Block is one block of a document. Offsets count bytes of the source with its byte-order mark and frontmatter.
type Block struct {
	Kind       Kind
	Ordered    bool // of a List
	Task       byte // of an Item: 'x' or ' ' for a task item, 0 for another
	Closed     bool // of a Fence or Comment: the closing line or sign is there
	html       htmlType
	Start, End int    // from the first byte of the first line's content to the end of the last line, without its line end
	Line       int    // 1-based line of Start, as text.Lines counts
	Level      int    // of a Heading: 1 to 6
	Text       string // plain text: of a Heading its inline text without markup; of a Paragraph and an Item's first paragraph their raw source ("[x] " of a task item included) with line ends as LF and the indentation of lines dropped; of a Comment what stands between its signs, trimmed
	Info       string // of a Fence: the info string, trimmed
	Cells      []Cell // of a Row: the cells as written; a row may have fewer or more than its table's header
	Content    []Line // of a Heading, Paragraph, Fence, Code, HTML, Comment or LinkDef: its lines without container prefixes, fences and marks of headings
	Children   []*Block
	Parent     *Block
	Section    *Block // of a top-level block: the heading it stands under; of a heading the one of the next higher level; nil when there is none
}

// An htmlType is goldmark's type of an HTML or Comment block.
type htmlType uint8

const (
	rawText     = htmlType(ast.HTMLBlockType1) // <script>, <pre>, <style>, <textarea>
	commented   = htmlType(ast.HTMLBlockType2)
	instruction = htmlType(ast.HTMLBlockType3)
	declaration = htmlType(ast.HTMLBlockType4)
	cdata       = htmlType(ast.HTMLBlockType5)
)

// A Line is a piece of one line of the source without its line end. Pad spaces stand before it where a tab was split
// between a container and its content.
type Line struct {
	Start, End int
	Pad        int
}

// A Cell is one cell of a table row, with its trimmed raw text.
type Cell struct {
	Start, End int
	Text       string
}

// A Front is the frontmatter of a document.
type Front struct {
	Kind       string // "yaml" for ---, "toml" for +++, "" when there is none
	Start, End int    // of the whole block with both fence lines; End is the offset after the closing line's line end
	Body       []byte // what stands between the fence lines
	BodyLine   int    // 1-based line of the first line of Body
	Closed     bool   // false: the opening fence has no closing one; then Body is nil and the document is parsed as if there were none
}

// A Doc is one parsed document.
type Doc struct {
	Src    []byte
	BOM    bool // begins with a UTF-8 byte-order mark
	Front  Front
	Blocks []*Block // top-level blocks in order, frontmatter left out
	// UnclosedComment is the offset of a <!-- in an HTML block which no --> of that block closes, or -1. A browser hides
	// what follows it, wherever the block ends by the rules of Markdown.
	UnclosedComment int

	lines      *text.Lines
	references map[string]parser.Reference // by normalized label
}
