package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// tables finds GitHub's tables in goldmark's paragraphs. goldmark's own extension is not used: importing it compiles
// regular expressions for half a millisecond in every program, and it takes quadratic time for short rows of wide tables.
type tables struct{}

// Transform makes a table of the lines of a paragraph from the first line on that a delimiter row with as many cells
// follows. What stands before becomes a paragraph of its own, so that no underline makes a heading of it.
func (tables) Transform(node *ast.Paragraph, r text.Reader, _ parser.Context) {
	lines := node.Lines()
	n := lines.Len()
	for i := 1; i < n; i++ {
		line := content(r.Source(), lines.At(i))
		indent, _ := util.IndentWidth(line, 0)
		columns := delimiterRow(line)
		if indent+lines.At(i).Padding > 3 || columns == 0 || columns != len(cells(content(r.Source(), lines.At(i-1)))) {
			continue
		}
		parent := node.Parent()
		if i > 1 {
			before := ast.NewParagraph()
			before.SetBlankPreviousLines(node.HasBlankPreviousLines())
			before.Lines().AppendAll(lines.Sliced(0, i-1))
			parent.InsertBefore(parent, node, before)
		}
		table := east.NewTable()
		table.SetBlankPreviousLines(node.HasBlankPreviousLines() && i == 1)
		table.Lines().AppendAll(lines.Sliced(i-1, n))
		parent.ReplaceChild(parent, node, table)
		return
	}
}

// content returns a line of a paragraph without its line end.
func content(src []byte, seg text.Segment) []byte {
	return bytes.TrimSuffix(src[seg.Start:seg.Stop], []byte{'\n'})
}

// table fills in a table, whose second line is the delimiter row.
func (t *tree) table(b *Block, n *east.Table) {
	b.Kind = Table
	lines := t.trimmed(n.Lines())
	b.Start, b.End = lines[0].Start, lines[len(lines)-1].End
	for i, l := range lines {
		if i == 1 {
			continue
		}
		row := &Block{Kind: Row, Start: l.Start, End: l.End, Parent: b}
		row.Cells = cells(t.doc[l.Start:l.End])
		for j := range row.Cells {
			row.Cells[j].Start += l.Start
			row.Cells[j].End += l.Start
		}
		b.Children = append(b.Children, row)
	}
}

// maxColumns bounds the cells of a row; what lies beyond is no table.
const maxColumns = 10000

// cells returns the cells of a row with offsets in line. A backslash before a pipe makes it text.
func cells(line []byte) []Cell {
	var list []Cell
	start, end := 0, len(line)
	for start < end && isBlank(line[start]) {
		start++
	}
	for end > start && isBlank(line[end-1]) {
		end--
	}
	if start < end && line[start] == '|' {
		start++
	}
	for at := start; at < end && len(list) < maxColumns; {
		stop := at
		for stop < end && line[stop] != '|' {
			if line[stop] == '\\' && stop+1 < end && isPunct(line[stop+1]) {
				stop++
			}
			stop++
		}
		stop = min(stop, end)
		from, to := at, stop
		for from < to && isBlank(line[from]) {
			from++
		}
		for to > from && isBlank(line[to-1]) {
			to--
		}
		list = append(list, Cell{Start: from, End: to, Text: string(line[from:to])})
		at = stop + 1
	}
	return list
}

// delimiterRow returns the number of cells of a table's delimiter row, 0 when line is none.
func delimiterRow(line []byte) int {
	line = bytes.Trim(line, " \t")
	line = bytes.TrimPrefix(line, []byte{'|'})
	line = bytes.TrimSuffix(line, []byte{'|'})
	columns := 0
	for column := range bytes.SplitSeq(line, []byte{'|'}) {
		dashes := bytes.Trim(column, " \t")
		dashes = bytes.TrimPrefix(dashes, []byte{':'})
		dashes = bytes.TrimSuffix(dashes, []byte{':'})
		if len(dashes) == 0 || len(bytes.Trim(dashes, "-")) > 0 || columns == maxColumns {
			return 0
		}
		columns++
	}
	return columns
}

func isPunct(c byte) bool {
	return c >= '!' && c <= '/' || c >= ':' && c <= '@' || c >= '[' && c <= '`' || c >= '{' && c <= '~'
}
