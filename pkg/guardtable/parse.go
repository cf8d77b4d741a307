// Package guardtable reads the tables of the rules that say what to re-read before editing what (layer 1 of chapter 4,
// section 4.6 of the specification) and answers what they ask for a path.
package guardtable

import (
	"path"
	"strings"
	"unicode"

	"github.com/seed-4419f9ca/forge/pkg/markdown"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

// A Table is one guard table. Offsets count bytes of its file.
type Table struct {
	Path       string      // of the file it stands in
	Heading    string      // text of the heading it stands under
	Line       int         // 1-based line of the header row
	Start, End int         // from the header row to the end of the last row
	Lines      *text.Lines // of its file
	Rows       []Row
}

// A Row says which rule files to read before editing the files of its patterns.
type Row struct {
	Line       int
	Start, End int // of the whole row
	Pattern    Cell
	Reread     Cell
	Patterns   []Pattern
	Rules      []Rule
	Text       string // of the rule cell, without marks
	Reason     string // plain text, "" where the table gives none
}

// A Cell is the place of one cell of a row.
type Cell struct {
	Start, End int
	Empty      bool // holds nothing but dashes and space
}

// Base returns the folder to which the patterns of a table belong: the one that holds the agent folder (.agent or
// .agents) of its file, "" for the root and for a file outside such a folder.
func (t *Table) Base() string {
	segments := strings.Split(path.Dir(t.Path), "/")
	for i := len(segments) - 1; i >= 0; i-- {
		if segments[i] == ".agent" || segments[i] == ".agents" {
			return strings.Join(segments[:i], "/")
		}
	}
	return ""
}

// Parse returns the guard tables of a document: tables with a column for file patterns and one for rule files, under a
// heading "File Guards" or "File-Level Guards" of any level, up to the next heading of that level or above. What stands in
// fences and quotes is an example and no table.
func Parse(file string, doc *markdown.Doc) []Table {
	var out []Table
	level, heading := 0, ""
	for _, b := range doc.Blocks {
		if b.Kind == markdown.Heading {
			switch {
			case IsHeading(b.Text):
				level, heading = b.Level, strings.TrimSpace(b.Text)
			case b.Level <= level:
				level = 0
			}
			continue
		}
		if level > 0 {
			out = tablesIn(out, b, file, heading)
		}
	}
	if len(out) > 0 {
		lines := text.NewLines(doc.Src)
		for i := range out {
			out[i].Lines = lines
		}
	}
	return out
}

func tablesIn(out []Table, b *markdown.Block, file, heading string) []Table {
	switch b.Kind {
	case markdown.Table:
		if t, ok := readTable(b); ok {
			t.Path, t.Heading = file, heading
			out = append(out, t)
		}
	case markdown.List, markdown.Item:
		for _, c := range b.Children {
			out = tablesIn(out, c, file, heading)
		}
	}
	return out
}

// IsHeading reports whether a heading's text opens a section of guard tables. Signs, section numbers and what follows a
// colon, a dash or an opening parenthesis are decoration; the words must be right.
func IsHeading(text string) bool {
	text = strings.ToLower(strings.NewReplacer("\u2010", "-", "\u2011", "-", "*", "", "_", "", "`", "").Replace(text))
	text = strings.TrimLeftFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })
	for _, words := range []string{"file-level guards", "file level guards", "file guards"} {
		rest, ok := strings.CutPrefix(strings.Join(strings.Fields(text), " "), words)
		if !ok {
			continue
		}
		rest = strings.TrimLeftFunc(rest, func(r rune) bool {
			return unicode.IsSpace(r) || unicode.In(r, unicode.So, unicode.Sk, unicode.Mn, unicode.Me, unicode.Cf)
		})
		if rest == "" || strings.ContainsRune(":(-–—|#[", []rune(rest)[0]) {
			return true
		}
	}
	return false
}

type columns struct{ pattern, reread, reason int }

func readTable(b *markdown.Block) (Table, bool) {
	if len(b.Children) == 0 {
		return Table{}, false
	}
	cols, ok := findColumns(b.Children[0].Cells)
	if !ok {
		return Table{}, false
	}
	t := Table{Line: b.Line, Start: b.Start, End: b.End}
	for _, r := range b.Children[1:] {
		row := Row{Line: r.Line, Start: r.Start, End: r.End}
		pattern, reread := cellAt(r, cols.pattern), cellAt(r, cols.reread)
		row.Pattern, row.Reread = place(pattern), place(reread)
		if row.Pattern.Empty && row.Reread.Empty {
			continue
		}
		row.Patterns = readPatterns(pattern.Text, pattern.Start)
		row.Rules = readRules(reread.Text, reread.Start)
		row.Text = plain(reread.Text)
		if cols.reason >= 0 {
			row.Reason = plain(cellAt(r, cols.reason).Text)
		}
		t.Rows = append(t.Rows, row)
	}
	return t, true
}

// maxCell bounds the bytes of a cell that are read.
const maxCell = 16 << 10

// cellAt returns the cell of a column; a row that is too short has an empty one at its end.
func cellAt(r *markdown.Block, i int) markdown.Cell {
	if i < len(r.Cells) {
		c := r.Cells[i]
		c.Text = c.Text[:min(len(c.Text), maxCell)]
		return c
	}
	return markdown.Cell{Start: r.End, End: r.End}
}

func place(c markdown.Cell) Cell {
	return Cell{Start: c.Start, End: c.End, Empty: strings.Trim(c.Text, "-–— \t") == ""}
}

// findColumns tells the columns by their names. Both the pattern and the rule column must be there. A table with a
// column of triggers is an index of rules and no guard table.
func findColumns(header []markdown.Cell) (columns, bool) {
	c := columns{-1, -1, -1}
	for i, cell := range header {
		name := columnName(cell.Text)
		switch {
		case name == "trigger" || name == "triggers":
			return c, false
		case isReread(name):
			if c.reread < 0 {
				c.reread = i
			}
		case isPattern(name):
			if c.pattern < 0 {
				c.pattern = i
			}
		case isReason(name):
			if c.reason < 0 {
				c.reason = i
			}
		}
	}
	return c, c.pattern >= 0 && c.reread >= 0
}

// columnName folds a header cell to lower-case words.
func columnName(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(compose(text)), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), " ")
}

func isReread(name string) bool {
	for _, part := range []string{"re read", "reread", "must read", "read first", "đọc lại", "phải đọc", "cần đọc", "đọc trước"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	switch name {
	case "read", "rule", "rules", "rule file", "rule files", "rule s", "quy tắc", "luật", "tệp quy tắc":
		return true
	}
	return false
}

func isPattern(name string) bool {
	if strings.Contains(name, "pattern") || strings.HasPrefix(name, "mẫu") {
		return true
	}
	switch name {
	case "file", "files", "file s", "path", "paths", "path s", "file path", "file paths", "glob", "globs", "guarded file", "guarded files",
		"when editing", "before editing", "tệp", "tập tin", "tệp tin", "đường dẫn", "khi sửa", "file hoặc thư mục":
		return true
	}
	return false
}

func isReason(name string) bool {
	switch name {
	case "reason", "reasons", "why", "because", "note", "notes", "lý do", "lí do", "vì sao", "ghi chú":
		return true
	}
	return false
}
