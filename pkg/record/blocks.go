package record

import (
	"bytes"
	"strings"
	"sync"
	"unicode"

	"github.com/seed-4419f9ca/forge/pkg/markdown"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

// BlockEntry is an entry of a record of shape Blocks: a heading with a number, and what stands below it.
const BlockEntry EntryKind = "block"

// ParseBlocks reads the numbered blocks of a Markdown document. A block begins with a top-level heading that holds a
// number, on the highest level on which there is one, and ends before the next heading of that level or above. Its text is
// the source between, line ends as LF, without blank lines at its edges; a preface belongs to no block.
func ParseBlocks(src []byte) *Listing {
	if enc := encodingOf(src); enc != narrow {
		src = []byte(decode(src, enc))
	}
	doc := markdown.Parse(src)
	l := newListing(src, doc.Lines())
	l.Doc = doc
	level := 7
	for _, b := range l.Doc.Blocks {
		if isNumbered(b) {
			level = min(level, b.Level)
		}
	}
	var open *markdown.Block
	end := func(at int) {
		if open != nil {
			l.addBlock(open, at)
		}
		open = nil
	}
	for _, b := range l.Doc.Blocks {
		if b.Kind == markdown.Heading && b.Level <= level {
			end(l.lines.Start(b.Line))
			if b.Level == level && isNumbered(b) {
				open = b
			}
		}
	}
	end(len(src))
	l.hidden = sync.OnceValue(l.hiddenLines)
	return l
}

func isNumbered(b *markdown.Block) bool {
	return b.Kind == markdown.Heading && strings.ContainsFunc(b.Text, unicode.IsDigit)
}

// addBlock adds the block that begins with the heading h and ends before offset end.
func (l *Listing) addBlock(h *markdown.Block, end int) {
	body := l.Doc.Src[min(h.End, end):end]
	body = bytes.ReplaceAll(body, []byte("\r\n"), []byte("\n"))
	start := l.lines.Pos(h.Start)
	e := Entry{
		Kind: BlockEntry, Heading: fold(h.Text), Text: trimBlankLines(string(body)), Parent: -1, Line: h.Line,
		Span: text.Span{Start: start, End: l.lines.LineSpan(start.Line).End}, under: []heading{{"", h.Line}},
	}
	l.headings[e.Heading] = true
	l.Entries = append(l.Entries, e)
}

// trimBlankLines takes blank lines from both ends of s; indentation and trailing white space of other lines stay.
func trimBlankLines(s string) string {
	lines := strings.Split(s, "\n")
	for len(lines) > 0 && strings.TrimSpace(lines[0]) == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	return strings.Join(lines, "\n")
}
