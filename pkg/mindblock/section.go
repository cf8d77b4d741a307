package mindblock

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-4419f9ca/forge/pkg/markdown"
)

// Letters are the sections of a block, in order.
const Letters = "ABCDE"

// A Style is the way in which the sections of a block are headed; that of the first holds throughout the block.
type Style int

// The styles of section headings.
const (
	NoStyle   Style = iota // the block has no section
	HashStyle              // #### A …
	BoldStyle              // **A** …
	ListStyle              // - A …
)

// A Section is one of the five parts of a block.
type Section struct {
	Heading
	Letter     byte
	BodyStart  int // bytes of what stands under the heading, up to the next one
	BodyEnd    int
	Empty      bool   // nothing stands there that says anything
	Declared   bool   // it is said to be empty, and nothing else stands there
	Items      []Item // list items of the first level
	FirstStart int    // bytes of the first line that says something, for a body without items
	FirstEnd   int
}

// An Item is one entry of a section, with what stands in its first paragraph; line ends are LF.
type Item struct {
	Start, End int
	Text       string
}

// A head is a section heading that was found among the blocks of the document.
type head struct {
	Heading
	style  Style
	letter byte
	body   int               // where the body begins
	item   *markdown.Block   // the list item that ListStyle is
	after  int               // index of the document's block that the heading stands in
	rest   []*markdown.Block // in ListStyle, the items that follow in the same list
}

// readSections finds the sections of b in the blocks of the document that are its content.
func (b *Block) readSections(doc *markdown.Doc, content []*markdown.Block) {
	heads := make([]head, 0, len(Letters))
	for i, block := range content {
		for _, h := range headsIn(doc.Src, block) {
			if b.Style == NoStyle {
				b.Style = h.style
			}
			if h.style == b.Style {
				h.after = i
				heads = append(heads, h)
			}
		}
	}
	for i, h := range heads {
		end, last, until := b.BodyEnd, len(content), (*markdown.Block)(nil)
		if i+1 < len(heads) {
			end, last, until = startOfLine(b.src, heads[i+1].Start), heads[i+1].after+1, heads[i+1].item
		}
		s := Section{Heading: h.Heading, Letter: h.letter, BodyStart: min(h.body, b.BodyEnd)}
		s.BodyEnd = max(s.BodyStart, end)
		s.Items = itemsOf(b.src, h, content[h.after:last], until, s.BodyStart, s.BodyEnd)
		s.judgeBody(b.src, h)
		if b.Sections == nil {
			b.Sections = make([]Section, 0, len(heads))
		}
		b.Sections = append(b.Sections, s)
	}
}

// headsIn returns the section headings of any style in one block of the document.
func headsIn(src []byte, b *markdown.Block) []head {
	var out []head
	switch b.Kind {
	case markdown.Heading:
		if letter, ok := sectionLetter(b.Text); ok && b.Level == 4 {
			out = append(out, head{Heading: Heading{b.Start, b.End, b.Text}, style: HashStyle, letter: letter, body: afterLine(src, b.End)})
		}
	case markdown.Paragraph:
		out = boldHeads(src, b, out)
	case markdown.List:
		for i, item := range b.Children {
			first, _, _ := strings.Cut(item.Text, "\n")
			if letter, ok := sectionLetter(first); ok && !b.Ordered {
				end := trimEOL(src, item.Start, afterLine(src, item.Start))
				out = append(out, head{Heading: Heading{item.Start, end, first}, style: ListStyle, letter: letter, body: afterLine(src, end), item: item, rest: b.Children[i+1:]})
			}
		}
		out = lazyHeads(src, b, out)
	case markdown.Quote:
		out = lazyHeads(src, b, out)
	}
	return out
}

// boldHeads adds the headings in bold that stand at the front of lines of a paragraph.
func boldHeads(src []byte, b *markdown.Block, out []head) []head {
	for _, l := range b.Content {
		if mark := bytes.TrimLeft(src[l.Start:l.End], " \t"); len(mark) < 2 || mark[0] != '*' && mark[0] != '_' {
			continue
		}
		line := string(src[l.Start:l.End])
		if letter, ok := boldLetter(line); ok {
			out = append(out, head{Heading: Heading{l.Start, l.End, line}, style: BoldStyle, letter: letter, body: afterLine(src, l.End)})
		}
	}
	return out
}

// lazyHeads adds the headings in bold that stand in the first column below a list or a quote without a blank line between.
// Markdown takes such a line for the continuation of the text above it; whoever wrote it did not.
func lazyHeads(src []byte, b *markdown.Block, out []head) []head {
	for _, child := range b.Children {
		if child.Kind != markdown.Paragraph {
			out = lazyHeads(src, child, out)
			continue
		}
		for _, h := range boldHeads(src, child, nil) {
			if h.Start == startOfLine(src, h.Start) {
				out = append(out, h)
			}
		}
	}
	return out
}

// sectionLetter returns the letter of a section heading: one of A to E, alone or followed by white space or by a sign that
// separates it from its title.
func sectionLetter(s string) (byte, bool) {
	if s == "" || strings.IndexByte(Letters, s[0]) < 0 {
		return 0, false
	}
	rest := s[1:]
	r, size := utf8.DecodeRuneInString(rest)
	switch {
	case rest == "", unicode.IsSpace(r), r == '—', r == '–', r == '→', r == '：':
		return s[0], true
	case strings.ContainsRune(":.)-|*_", r):
		after, _ := utf8.DecodeRuneInString(rest[size:])
		return s[0], len(rest) == size || unicode.IsSpace(after) || after == '*' || after == '_'
	}
	return 0, false
}

// boldLetter returns the letter of a section heading in bold.
func boldLetter(line string) (byte, bool) {
	line = strings.TrimLeft(line, " \t")
	for _, mark := range []string{"**", "__"} {
		rest, ok := strings.CutPrefix(line, mark)
		if !ok {
			continue
		}
		if _, closed := cutClose(rest, mark); !closed {
			return 0, false
		}
		return sectionLetter(rest)
	}
	return 0, false
}

// cutClose cuts s before the closing mark.
func cutClose(s, mark string) (string, bool) {
	inner, _, ok := strings.Cut(s, mark)
	return inner, ok && inner != ""
}

// itemsOf lists the entries of a section: those of the lists that stand in its body. content are the blocks of the document
// from the one that holds the heading to the one that holds the next; until is the list item that heads the next section.
func itemsOf(src []byte, h head, content []*markdown.Block, until *markdown.Block, from, to int) []Item {
	var out []Item
	add := func(items []*markdown.Block) {
		for _, it := range items {
			if it == until {
				return
			}
			if it.Start >= from && it.Start < to {
				out = append(out, cutItem(src, it, to))
			}
		}
	}
	if h.item != nil {
		for _, child := range h.item.Children {
			if child.Kind == markdown.List {
				add(child.Children)
			}
		}
		add(h.rest)
		content = content[1:]
	}
	for _, b := range content {
		if b.Kind == markdown.List {
			add(b.Children)
		}
	}
	return out
}

// cutItem makes an Item of a list item, without the lines of its first paragraph from offset to on.
func cutItem(src []byte, it *markdown.Block, to int) Item {
	out := Item{it.Start, min(it.End, to), it.Text}
	if it.End <= to || len(it.Children) == 0 || it.Children[0].Kind != markdown.Paragraph {
		return out
	}
	var lines []string
	for _, l := range it.Children[0].Content {
		if l.Start < to {
			lines = append(lines, string(src[l.Start:l.End]))
			out.End = l.End
		}
	}
	out.Text = strings.Join(lines, "\n")
	return out
}

// judgeBody says whether the section is empty, and whether it says so.
func (s *Section) judgeBody(src []byte, h head) {
	said := saying(src, s.BodyStart, s.BodyEnd)
	if len(said) == 0 {
		s.Empty = true
		title := foldLabel(h.Text)
		s.Declared = strings.Contains(title, "(trống — khai)") || strings.Contains(title, "(empty — declared)")
		return
	}
	s.FirstStart, s.FirstEnd = said[0].Start, said[0].End
	if len(said) == 1 && declaresEmpty(said[0].Text) {
		s.Empty, s.Declared, s.Items = true, true, nil
	}
}

// declaresEmpty reports whether a line says that its section is empty.
func declaresEmpty(line string) bool {
	// Both forms end in a word whose letters have one normal form only.
	if low := strings.ToLower(line); !strings.Contains(low, "khai") && !strings.Contains(low, "declared") {
		return false
	}
	line = strings.TrimLeft(line, " \t>")
	for _, bullet := range []string{"- ", "* ", "+ "} {
		line = strings.TrimPrefix(line, bullet)
	}
	line = strings.Trim(foldLabel(line), "*_`. ")
	for _, dash := range []string{"–", "--", "-"} {
		line = strings.Replace(line, " "+dash+" ", " — ", 1)
	}
	return line == "(trống — khai)" || line == "(empty — declared)"
}

// saying returns the first two lines from start to end that hold a letter or a digit outside HTML comments.
func saying(src []byte, start, end int) []Heading {
	var out []Heading
	shown := withoutComments(src[start:end])
	for at := start; at < end && len(out) < 2; {
		next := min(afterLine(src, at), end)
		last := trimEOL(src, at, next)
		line := shown[at-start : last-start]
		if bytes.ContainsFunc(line, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			h := Heading{Start: last - len(bytes.TrimLeft(src[at:last], " \t")), End: last}
			if len(out) == 0 {
				h.Text = string(line)
			}
			out = append(out, h)
		}
		at = next
	}
	return out
}

// withoutComments returns s with spaces in the place of each HTML comment that is closed.
func withoutComments(s []byte) []byte {
	if !bytes.Contains(s, []byte("<!--")) {
		return s
	}
	s = bytes.Clone(s)
	for at := 0; ; {
		open := bytes.Index(s[at:], []byte("<!--"))
		if open < 0 {
			return s
		}
		at += open
		length := bytes.Index(s[at+4:], []byte("-->"))
		if length < 0 {
			return s
		}
		for i := at; i < at+4+length+3; i++ {
			if s[i] != '\n' && s[i] != '\r' {
				s[i] = ' '
			}
		}
		at += 4 + length + 3
	}
}
