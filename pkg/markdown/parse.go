package markdown

import (
	"bytes"

	"github.com/seed-4419f9ca/forge/pkg/text"
)

const bom = "\ufeff"

// Parse reads a Markdown document. Every input is a document; the time is linear in its size, with MaxDepth as the
// factor for nested containers. Src is kept and must not change afterwards. CR, LF and CRLF end a line, as CommonMark
// says, except in frontmatter, whose lines end with LF or CRLF.
func Parse(src []byte) *Doc {
	d := &Doc{Src: src, UnclosedComment: -1}
	start := 0
	if bytes.HasPrefix(src, []byte(bom)) {
		d.BOM = true
		start = len(bom)
	}
	d.Front = frontmatter(src, start)
	if d.Front.Closed {
		start = d.Front.End
	}
	d.parse(start)
	return d
}

// ParseFrom reads src as a document whose blocks begin at the byte offset from, which is the start of a line. It looks
// for no byte-order mark and no frontmatter; positions count from the start of src.
func ParseFrom(src []byte, from int) *Doc {
	d := &Doc{Src: src, UnclosedComment: -1}
	d.parse(min(max(from, 0), len(src)))
	return d
}

func (d *Doc) parse(from int) {
	p := &parser{src: d.Src, doc: d}
	p.stack = append(p.stack, open{block: &Block{Kind: document, Start: from, End: from}})
	for at := from; at < len(d.Src); {
		end := at
		for end < len(d.Src) && d.Src[end] != '\n' && d.Src[end] != '\r' {
			end++
		}
		p.line(at, end)
		if end < len(d.Src) && d.Src[end] == '\r' && end+1 < len(d.Src) && d.Src[end+1] == '\n' {
			end++
		}
		at = end + 1
	}
	p.closeTo(1)
	d.Blocks = p.stack[0].block.Children
	d.finish()
}

// finish fills in what needs the whole document: lines, inline texts of headings, sections.
func (d *Doc) finish() {
	for _, b := range d.Blocks {
		b.Parent = nil
	}
	lines := text.NewLines(d.Src)
	var at [7]*Block
	d.Walk(func(b *Block) bool {
		b.Line = lines.Pos(b.Start).Line
		if b.Kind == Heading {
			b.Text = newInline(d, b.Content).plain()
		}
		if b.Parent != nil {
			return true
		}
		level, _, isHTML := d.HTMLHeading(b)
		if b.Kind == Heading {
			level = b.Level
		}
		if b.Kind != Heading && !isHTML {
			level = 7
		}
		for l := min(level, 7) - 1; l >= 1 && b.Section == nil; l-- {
			b.Section = at[l]
		}
		if level < 7 {
			at[level] = b
			for l := level + 1; l < len(at); l++ {
				at[l] = nil
			}
		}
		return true
	})
}

// frontmatter finds the frontmatter that begins at offset start.
func frontmatter(src []byte, start int) Front {
	fence, kind := "---", "yaml"
	first, next := lineAt(src, start)
	switch {
	case isFence(first, "---"):
	case isFence(first, "+++"):
		fence, kind = "+++", "toml"
	default:
		return Front{}
	}
	f := Front{Kind: kind, Start: start, End: len(src)}
	f.BodyLine = 2
	for at := next; at < len(src); {
		line, after := lineAt(src, at)
		if isFence(line, fence) {
			f.Closed = true
			f.Body = src[next:at:at]
			f.End = after
			return f
		}
		at = after
	}
	return f
}

// lineAt returns the line that begins at offset at, without its LF or CRLF, and the offset of the next line.
func lineAt(src []byte, at int) (line []byte, next int) {
	if n := bytes.IndexByte(src[at:], '\n'); n >= 0 {
		return bytes.TrimSuffix(src[at:at+n], []byte{'\r'}), at + n + 1
	}
	return bytes.TrimSuffix(src[at:], []byte{'\r'}), len(src)
}

// isFence reports whether line is a frontmatter fence, white space after it allowed.
func isFence(line []byte, fence string) bool {
	return bytes.HasPrefix(line, []byte(fence)) && len(bytes.TrimRight(line, " \t")) == len(fence)
}
