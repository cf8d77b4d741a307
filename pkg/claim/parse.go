package claim

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/seed-4419f9ca/forge/pkg/markdown"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

// blockInfo is the info string of the fenced block of a claim.
const blockInfo = "claim"

// Parse reads the claims of one file of the store. Every input is a file; what is wrong with it is among the faults of the
// result, in the order of the text. Like markdown.Parse it panics with a *markdown.LimitError on input beyond the limits.
func Parse(path string, src []byte, layout Layout) *File {
	defer markdown.In(path)
	doc := markdown.Parse(src)
	f := &File{Path: path, Src: src, Candidate: strings.HasPrefix(path, layout.Root+"/"+candidates+"/"), lines: doc.Lines()}
	p := &parser{
		file: f, doc: doc, prefixes: layout.prefixes(), home: strings.TrimPrefix(path, layout.Root+"/"),
		used: map[*markdown.Block]bool{},
	}
	for i, b := range doc.Blocks {
		p.block(i, b)
	}
	p.settle()
	p.encoding()
	sortFaults(f.Faults)
	return f
}

// A parser reads one file.
type parser struct {
	file     *File
	doc      *markdown.Doc
	home     string // the path below the root of the store
	prefixes map[string]string
	used     map[*markdown.Block]bool // fences that belong to a heading, good or bad
	starts   []int                    // index of the heading of each claim among the blocks
}

// fault notes something wrong at a place. The key identifies it within the file.
func (p *parser) fault(slug string, c *Claim, at Place, key, format string, args ...any) *Fault {
	p.file.Faults = append(p.file.Faults, Fault{
		Slug: slug, Path: p.file.Path, Place: at, Message: fmt.Sprintf(format, args...), Anchor: key, Claim: c,
	})
	return &p.file.Faults[len(p.file.Faults)-1]
}

// encoding says when the file is not UTF-8: then nobody can tell what claims it holds.
func (p *parser) encoding() {
	src := p.file.Src
	if utf8.Valid(src) {
		return
	}
	at := 0
	for r, size := utf8.DecodeRune(src); r != utf8.RuneError || size > 1; r, size = utf8.DecodeRune(src[at:]) {
		at += size
	}
	if slices.ContainsFunc(p.file.Faults, func(f Fault) bool { return f.Slug == "bad-yaml" && f.Place.Start == at }) {
		return // said where it matters
	}
	what := fmt.Sprintf("byte 0x%02x", src[at])
	if bytes.HasPrefix(src, []byte("\xff\xfe")) || bytes.HasPrefix(src, []byte("\xfe\xff")) {
		what = "it is UTF-16"
	}
	p.fault("bad-value", nil, Place{at, at + 1}, "encoding", "the file %q is not UTF-8: %s", p.file.Path, what).Help =
		"Save the file as UTF-8; claims in another encoding are not read."
}

// block looks at one top-level block and at what stands right after it.
func (p *parser) block(i int, b *markdown.Block) {
	var fence *markdown.Block
	if i+1 < len(p.doc.Blocks) && isClaimFence(p.doc.Blocks[i+1]) {
		fence = p.doc.Blocks[i+1]
	}
	switch b.Kind {
	case markdown.Heading:
		p.heading(i, b, fence)
	case markdown.Paragraph:
		p.paragraph(b, fence)
	case markdown.HTML:
		if level, title, ok := p.doc.HTMLHeading(b); ok {
			p.lookAlike(b, title, fence, fmt.Sprintf("it is an HTML element, and a claim has a heading of Markdown (### and not <h%d>)", level))
		}
	case markdown.List:
		said := len(p.file.Faults)
		if p.nested(b); len(p.file.Faults) > said {
			p.take(fence)
		}
	case markdown.Fence:
		if isClaimFence(b) && !p.used[b] {
			p.stray(b)
		}
	}
}

// heading reads a top-level heading.
func (p *parser) heading(i int, b, fence *markdown.Block) {
	l, ok := readLabel(b.Text, p.prefixes)
	raw := strings.TrimLeft(p.source(b.Content), " \t")
	atx := p.file.Src[b.Start] == '#'
	if !ok || b.Level != 3 || !atx || !strings.HasPrefix(raw, l.id()) {
		p.lookAlike(b, b.Text, fence, headingFault(b, raw, l, ok, atx))
		return
	}
	switch good := isSlug(l.slug); {
	case good && l.separated && l.title != "":
		p.claim(i, b, l)
	case !good && (l.separated || l.bare() || fence != nil):
		p.take(fence)
		p.file.Slips = append(p.file.Slips, l.prefix+"-"+strings.ReplaceAll(strings.ToLower(l.slug), "_", "-"))
		p.fault("bad-id", nil, place(b), l.id(), "%q is no id: after the hyphen an id has digits, or small letters and digits in words joined by hyphens", l.id())
	case good && l.title == "":
		p.lookAlike(b, b.Text, fence, "it has no title after the id")
	default:
		p.lookAlike(b, b.Text, fence, "no dash and no colon stands between id and title")
	}
}

// headingFault says why a heading that reads like that of a claim is none; "" when only its id tells.
func headingFault(b *markdown.Block, raw string, l label, labelled, atx bool) string {
	switch {
	case !atx:
		return "it is underlined, and a claim has a heading with ###"
	case b.Level != 3:
		return fmt.Sprintf("it has level %d, and a claim has level 3 (###)", b.Level)
	case labelled && !strings.HasPrefix(raw, l.id()):
		return "its id is not plain text"
	}
	return ""
}

// paragraph looks for lines that were meant as the heading of a claim.
func (p *parser) paragraph(b, fence *markdown.Block) {
	for i, l := range b.Content {
		line := strings.TrimRight(string(p.file.Src[l.Start:l.End]), " \t#")
		title := strings.TrimLeft(line, "#＃")
		if title == line || strings.HasPrefix(title, " ") && len(line)-len(title) < 7 {
			continue
		}
		last := fence
		if i+1 < len(b.Content) {
			last = nil
		}
		why := "no space stands after the ###"
		if strings.HasPrefix(line, "#######") {
			why = "it has more than six #, and a claim has three"
		}
		at := *b
		at.Start, at.End, at.Content = l.Start, l.End, b.Content[i:i+1]
		p.lookAlike(&at, title, last, why)
	}
	if fence != nil && !p.used[fence] {
		p.lookAlike(b, p.doc.Plain(b.Content), fence, "it is no heading, and a claim has one of level 3 (###)")
	}
}

// nested looks for headings in lists, where they are none of a claim. Quotes are left alone: they show what others wrote.
func (p *parser) nested(b *markdown.Block) {
	for i, c := range b.Children {
		var fence *markdown.Block
		if i+1 < len(b.Children) && isClaimFence(b.Children[i+1]) {
			fence = b.Children[i+1]
		}
		switch c.Kind {
		case markdown.Heading:
			p.lookAlike(c, c.Text, fence, "it stands inside a list")
		case markdown.List, markdown.Item:
			p.nested(c)
		}
	}
}

// lookAlike reports b when it looks like the heading of a claim; why says what keeps it from being one, "" when only its id
// does. A block of a claim right after it is then no stray one.
func (p *parser) lookAlike(b *markdown.Block, title string, fence *markdown.Block, why string) {
	s, ok := readSlip(title, p.prefixes)
	if !ok || !s.strong && fence == nil {
		return
	}
	p.take(fence)
	if s.known {
		p.file.Slips = append(p.file.Slips, s.id)
	}
	switch {
	case !s.known:
		why = "its prefix is none that is known; add it to claims.kinds in .forge/config.yaml or correct it"
	case s.fault != "":
		why = s.fault
	}
	p.fault("look-alike", nil, place(b), title, "the heading %q looks like a claim and is not read as one: %s", title, why).Help =
		fmt.Sprintf("Write the heading as: ### %s — title", s.id)
}

// stray reports a block of a claim that belongs to no heading of a claim.
func (p *parser) stray(b *markdown.Block) {
	p.used[b] = true
	p.fault("look-alike", nil, p.firstLine(b), "block", "a %q block stands here and the heading of no claim stands right before it", b.Info).Help =
		"Put the heading of the claim right before its block: ### PREFIX-7 — title. A block that is only an example goes into a longer fence."
}

// take marks a fence, which may be nil, as belonging to a heading.
func (p *parser) take(fence *markdown.Block) {
	if fence != nil {
		p.used[fence] = true
	}
}

// claim begins a claim at the heading with index i. What follows is read when all headings are known.
func (p *parser) claim(i int, b *markdown.Block, l label) {
	c := &Claim{ID: l.id(), Title: l.title, Prefix: l.prefix, File: p.file, Heading: place(b), Line: b.Line}
	c.Block = Place{b.Start, len(p.file.Src)}
	blocks := p.doc.Blocks[i+1:]
	for k, next := range blocks {
		if next.Kind == markdown.Heading && next.Level <= 3 {
			c.Block.End = next.Start
			blocks = blocks[:k]
			break
		}
	}
	p.file.Claims = append(p.file.Claims, c)
	p.starts = append(p.starts, i)
	if k := slices.IndexFunc(blocks, isClaimFence); k >= 0 {
		p.take(blocks[k])
	}
}

// settle reads the fields and the prose of every claim.
func (p *parser) settle() {
	for n, c := range p.file.Claims {
		blocks := p.doc.Blocks[p.starts[n]+1:]
		for k, b := range blocks {
			if b.Start >= c.Block.End {
				blocks = blocks[:k]
				break
			}
		}
		prose := blocks
		whole := true
		if len(blocks) > 0 && isClaimFence(blocks[0]) {
			c.Fence = place(blocks[0])
			prose = blocks[1:]
			whole = p.fields(c, blocks[0])
		} else {
			p.noBlock(c, blocks)
		}
		p.where(c)
		p.prose(c, prose, whole)
	}
}

// noBlock reports a claim without its block; the blocks are those of its section.
func (p *parser) noBlock(c *Claim, blocks []*markdown.Block) {
	f := p.fault("no-block", c, c.Heading, c.ID, "no %q block stands right after the heading of claim %q", blockInfo, c.ID)
	for k, b := range blocks {
		switch {
		case b.Kind != markdown.Fence:
		case isClaimFence(b):
			f.Message += fmt.Sprintf("; the one in line %d is separated from it", b.Line)
			return
		case k == 0 && b.Info != "":
			f.Message += fmt.Sprintf("; the one in line %d has the info string %q", b.Line, b.Info)
			return
		case k == 0:
			f.Message += fmt.Sprintf("; the one in line %d has no info string", b.Line)
			return
		}
	}
}

// isClaimFence reports whether b is a fenced block that is marked as that of a claim.
func isClaimFence(b *markdown.Block) bool { return b.Kind == markdown.Fence && b.Info == blockInfo }

func place(b *markdown.Block) Place { return Place{b.Start, b.End} }

// firstLine is the place of the first line of b.
func (p *parser) firstLine(b *markdown.Block) Place {
	line := p.file.lines.Pos(b.Start).Line
	return Place{b.Start, min(b.End, max(b.Start, p.file.lines.Start(line)+len(p.file.lines.Text(line))))}
}

// source returns lines of the document joined by LF.
func (p *parser) source(lines []markdown.Line) string {
	var b strings.Builder
	for i, l := range lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.Write(p.file.Src[l.Start:l.End])
	}
	return b.String()
}

// Span returns where a place stands in f, in lines and columns; the zero Span for the zero Place.
func (f *File) Span(at Place) text.Span {
	if at == (Place{}) {
		return text.Span{}
	}
	return f.lines.Span(at.Start, at.End)
}
