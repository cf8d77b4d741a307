package workflow

import (
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/markdown"
)

// A unit is a stretch of text that is read as a whole: a paragraph, a table row, or one line of code.
type unit struct {
	text       string
	start, end int // of the block it comes from
	code       bool
	listed     bool // in a list, a table or a block of code: an introduction above may speak for it
}

// units flattens blocks into what a reader sees, in order: comments and link definitions say nothing.
func units(src []byte, blocks []*markdown.Block) []unit {
	var out []unit
	for _, b := range blocks {
		out = appendUnits(out, src, b, false)
	}
	return out
}

func appendUnits(out []unit, src []byte, b *markdown.Block, listed bool) []unit {
	switch b.Kind {
	case markdown.Paragraph, markdown.HTML, markdown.Heading:
		text := b.Text
		if b.Kind == markdown.HTML {
			text = string(src[b.Start:b.End])
		}
		return append(out, unit{text: withoutComments(text), start: b.Start, end: b.End, listed: listed})
	case markdown.Fence, markdown.Code:
		for _, line := range codeLines(src, b) {
			out = append(out, unit{text: line.text, start: line.start, end: line.start + len(line.text), code: true, listed: true})
		}
		return out
	case markdown.Table:
		for _, row := range b.Children {
			var cells []string
			for _, c := range row.Cells {
				cells = append(cells, c.Text)
			}
			out = append(out, unit{text: strings.Join(cells, " | "), start: row.Start, end: row.End, listed: true})
		}
		return out
	case markdown.Item:
		if len(b.Children) == 0 && b.Text != "" {
			return append(out, unit{text: withoutComments(b.Text), start: b.Start, end: b.End, listed: true})
		}
		listed = true
	}
	for _, c := range b.Children {
		out = appendUnits(out, src, c, listed)
	}
	return out
}

// withoutComments takes HTML comments from running text; one that does not close hides the rest.
func withoutComments(s string) string {
	for {
		open := strings.Index(s, "<!--")
		if open < 0 {
			return s
		}
		end := strings.Index(s[open:], "-->")
		if end < 0 {
			return s[:open]
		}
		s = s[:open] + " " + s[open+end+3:]
	}
}

type codeLine struct {
	text  string
	start int // offset in the source
	line  int // 1-based
}

// codeLines returns the lines of a code block without the fence around them.
func codeLines(src []byte, b *markdown.Block) []codeLine {
	first := b.Line
	if b.Kind == markdown.Fence {
		first++
	}
	out := make([]codeLine, len(b.Content))
	for i, l := range b.Content {
		out[i] = codeLine{text: string(src[l.Start:l.End]), start: l.Start, line: first + i}
	}
	return out
}
