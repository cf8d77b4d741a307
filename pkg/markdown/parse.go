package markdown

import (
	"bytes"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/text"
)

const bom = "\ufeff"

// Parse reads a Markdown document with goldmark. Src is kept and must not change afterwards. CR, LF and CRLF end a line, as
// CommonMark says, except in frontmatter, whose lines end with LF or CRLF.
//
// Every input is a document, but not every one is read: goldmark needs quadratic time for some and follows any nesting, and
// chapter 3.5 asks for limits. Beyond MaxDepth, MaxDefinitions, MaxText of a heading, or MaxTime, Parse panics with a
// *LimitError, so that nobody takes half a document for the whole. The driver of the checks turns the panic into an error
// of the check, and so into exit 3, could not check; other callers recover it when their input is not their own.
func Parse(src []byte) *Doc {
	d := newDoc(src)
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

func newDoc(src []byte) *Doc {
	return &Doc{Src: src, UnclosedComment: -1, lines: text.NewLines(src)}
}

// ParseFrom reads src as a document whose blocks begin at the byte offset from, which is the start of a line. It looks
// for no byte-order mark and no frontmatter; positions count from the start of src. Its limits are those of Parse.
func ParseFrom(src []byte, from int) *Doc {
	d := newDoc(src)
	d.parse(min(max(from, 0), len(src)))
	return d
}

func (d *Doc) parse(from int) {
	switch {
	case from == len(d.Src):
	case d.readPlain(from):
		d.finish()
	default:
		within(MaxTime, func() {
			d.read(from)
			d.finish()
		})
	}
}

// read reads the blocks from offset from on with goldmark.
func (d *Doc) read(from int) {
	src := normalize(d.Src, from)
	root, pc := readBlocks(src.text)
	if len(pc.references) > 0 {
		d.references = pc.references
	}
	t := &tree{source: src, context: pc}
	d.Blocks = t.children(root, nil)
}

// Lines indexes the lines of the document, for positions.
func (d *Doc) Lines() *text.Lines { return d.lines }

// finish fills in what needs the whole document: lines, inline texts of headings, sections, an open comment.
func (d *Doc) finish() {
	lines := d.Lines()
	var at [7]*Block
	d.Walk(func(b *Block) bool {
		b.Line = lines.Pos(b.Start).Line
		switch b.Kind {
		case Heading:
			b.Text = d.plain(b.Content)
		case LinkDef:
			b.Text = strings.TrimRight(b.join(d.Src), " \t")
		case HTML:
			d.finishHTML(b)
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
