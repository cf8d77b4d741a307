package markdown

import "bytes"

// maxColumns bounds the cells of a row; what lies beyond is no table.
const maxColumns = 10000

// table turns the last line of the open paragraph into the header of a table when the current line is a delimiter row
// with as many cells.
func (p *parser) table(paragraph *Block) bool {
	columns := delimiterRow(p.src[p.next:p.eol])
	n := len(paragraph.Content)
	if columns == 0 || n == 0 {
		return false
	}
	last := paragraph.Content[n-1]
	header := p.row(last.Start, last.End)
	if len(header.Cells) != columns {
		return false
	}
	paragraph.Content = paragraph.Content[:n-1]
	if n == 1 {
		paragraph.Parent.Children = paragraph.Parent.Children[:len(paragraph.Parent.Children)-1]
		p.stack = p.stack[:len(p.stack)-1]
	} else {
		paragraph.End = paragraph.Content[n-2].End
		p.closeTo(len(p.stack) - 1)
	}
	t := &Block{Kind: Table, Start: header.Start, End: p.eol}
	header.Parent = t
	t.Children = append(t.Children, header)
	p.push(open{block: t})
	return true
}

// addRow adds the current line to the open table t.
func (p *parser) addRow(t *Block) {
	r := p.row(p.next, p.eol)
	r.Parent = t
	t.Children = append(t.Children, r)
	t.End = p.eol
}

// row reads the cells of the line between two offsets. A backslash before a pipe makes it text.
func (p *parser) row(start, end int) *Block {
	b := &Block{Kind: Row, Start: start, End: end}
	for start < end && isBlank(p.src[start]) {
		start++
	}
	for end > start && isBlank(p.src[end-1]) {
		end--
	}
	if start < end && p.src[start] == '|' {
		start++
	}
	for at := start; at < end && len(b.Cells) < maxColumns; {
		stop := at
		for stop < end && p.src[stop] != '|' {
			if p.src[stop] == '\\' && stop+1 < end && isPunct(p.src[stop+1]) {
				stop++
			}
			stop++
		}
		stop = min(stop, end)
		from, to := at, stop
		for from < to && isBlank(p.src[from]) {
			from++
		}
		for to > from && isBlank(p.src[to-1]) {
			to--
		}
		b.Cells = append(b.Cells, Cell{Start: from, End: to, Text: string(p.src[from:to])})
		at = stop + 1
	}
	return b
}

// delimiterRow returns the number of cells of a table's delimiter row, 0 when line is none.
func delimiterRow(line []byte) int {
	line = bytes.Trim(line, " \t")
	line = bytes.TrimPrefix(line, []byte{'|'})
	line = bytes.TrimSuffix(line, []byte{'|'})
	if len(line) == 0 {
		return 0
	}
	columns, dashes := 1, 0
	state := 0 // what the cell may go on with: 0 anything, 1 dashes after a colon, 2 dashes, 3 only white space
	for i, c := range line {
		switch {
		case c == '-' && state < 3:
			state = 2
			dashes++
		case c == ':' && state == 0:
			state = 1
		case c == ':' && state == 2:
			state = 3
		case isBlank(c):
			if state == 2 {
				state = 3
			} else if state == 1 {
				return 0
			}
		case c == '|' && dashes > 0 && columns < maxColumns:
			columns++
			state, dashes = 0, 0
			if i == len(line)-1 {
				return 0
			}
		default:
			return 0
		}
	}
	if dashes == 0 {
		return 0
	}
	return columns
}

func isPunct(c byte) bool {
	return c >= '!' && c <= '/' || c >= ':' && c <= '@' || c >= '[' && c <= '`' || c >= '{' && c <= '~'
}
