// Package markdown tells where the blocks of a Markdown document stand. Structure comes from a CommonMark parser
// (goldmark, with GitHub's tables, task lists and strikethrough); this package adds byte positions, frontmatter, and
// HTML comments as blocks of their own.
package markdown

// A Kind is the type of a block.
type Kind int

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
	LinkDef               // link reference definitions
)

// A Block is one block of a document. Offsets count bytes of the source with its byte-order mark and frontmatter.
type Block struct {
	Kind       Kind
	Start, End int    // from the first byte of the first line's content to the end of the last line, without its line end
	Line       int    // 1-based line of Start
	Level      int    // of a Heading: 1 to 6
	Text       string // plain text: of a Heading its inline text; of a Paragraph and an Item's first paragraph their raw source with line ends as LF
	Info       string // of a Fence: the info string
	Task       byte   // of an Item: 'x' or ' ' for a task item, 0 for another
	Ordered    bool   // of a List
	Cells      []Cell // of a Row
	Closed     bool   // of a Fence or Comment: the closing line or sign is there
	Children   []*Block
	Parent     *Block
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
	Closed     bool   // false: the opening fence has no closing one
}

// A Doc is one parsed document.
type Doc struct {
	Src    []byte
	BOM    bool // begins with a UTF-8 byte-order mark
	Front  Front
	Blocks []*Block // top-level blocks in order, frontmatter left out
	// UnclosedComment is the offset of a <!-- that opens an HTML comment block which no --> closes, or -1.
	UnclosedComment int
}
