package markdown

import (
	"bytes"
	"strconv"
	"strings"
	"unicode"
)

// Walk calls f for every block, parents before their children, in the order of the document. When f returns false, the
// children of that block are left out.
func (d *Doc) Walk(f func(*Block) bool) { walk(d.Blocks, f) }

func walk(list []*Block, f func(*Block) bool) {
	for _, b := range list {
		if f(b) {
			walk(b.Children, f)
		}
	}
}

// Title returns the top-level block that is the title: the first heading of level 1 (ATX, setext or <h1>), and where
// there is none of that level the first heading.
func (d *Doc) Title() (*Block, bool) {
	var first *Block
	for _, b := range d.Blocks {
		level := b.Level
		if b.Kind != Heading {
			var ok bool
			if level, _, ok = d.HTMLHeading(b); !ok {
				continue
			}
		}
		if level == 1 {
			return b, true
		}
		if first == nil {
			first = b
		}
	}
	return first, first != nil
}

// HTMLHeading returns level and text of the first heading element (<h1> to <h6>) in the HTML block b, comments left out,
// and whether there is one. Of several, one of the highest level is taken.
func (d *Doc) HTMLHeading(b *Block) (level int, text string, ok bool) {
	if b.Kind != HTML || b.html == rawText || !d.hasMarkup(b) {
		return 0, "", false
	}
	src := bytes.Clone(d.Src[b.Start:b.End])
	for _, c := range d.CommentsIn(b) {
		for i := c.Start; i < c.End; i++ {
			src[i-b.Start] = ' '
		}
	}
	for at := 0; at < len(src); {
		n := bytes.IndexByte(src[at:], '<')
		if n < 0 {
			break
		}
		at += n
		l, body, end := heading(src[at:])
		if l > 0 && (level == 0 || l < level) {
			level, text = l, body
		}
		at += end
	}
	return level, text, level > 0
}

// heading reads the heading element at the start of s, which begins with '<', and returns its level, its text without
// tags, and how far it was read; the level is 0 when there is none.
func heading(s []byte) (level int, text string, read int) {
	if len(s) < 4 || s[1]|0x20 != 'h' || s[2] < '1' || s[2] > '6' || !isSpace(s[3]) && s[3] != '>' {
		return 0, "", 1
	}
	open := bytes.IndexByte(s, '>')
	if open < 0 {
		return 0, "", len(s)
	}
	var b strings.Builder
	for at := open + 1; at < len(s); at++ {
		if s[at] != '<' {
			b.WriteByte(s[at])
			continue
		}
		if name, _ := tagName(s[at:]); bytes.HasPrefix(s[at:], []byte("</")) && name == strings.ToLower(string(s[1:3])) {
			return int(s[2] - '0'), strings.Join(strings.Fields(unescape(b.String())), " "), at
		}
		n := bytes.IndexByte(s[at:], '>')
		if n < 0 {
			break
		}
		at += n
	}
	return int(s[2] - '0'), strings.Join(strings.Fields(unescape(b.String())), " "), len(s)
}

// Path returns the headings under which b stands, the outermost first; b itself is not among them. HTML headings count.
func (d *Doc) Path(b *Block) []*Block {
	for b.Parent != nil {
		b = b.Parent
	}
	var path []*Block
	for s := b.Section; s != nil; s = s.Section {
		path = append(path, s)
	}
	for i, j := 0, len(path)-1; i < j; i, j = i+1, j-1 {
		path[i], path[j] = path[j], path[i]
	}
	return path
}

// Bytes returns the content of a leaf block without container prefixes, fences and marks: its lines, each ended by LF.
func (d *Doc) Bytes(b *Block) []byte {
	if len(b.Content) == 0 {
		return nil
	}
	return append([]byte(b.join(d.Src)), '\n')
}

// Slug returns the anchor that GitHub gives a heading with this text: lower case, spaces to hyphens, and everything but
// letters, marks, digits, connectors and hyphens dropped.
func Slug(text string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(text) {
		switch {
		case r == ' ':
			b.WriteByte('-')
		case r == '-' || unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Pc):
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Slugs gives each heading of a document an anchor of its own. The zero Slugs is ready.
type Slugs struct{ seen map[string]int }

// Next returns the anchor of the next heading with this text: its Slug, followed by -1, -2 and so on when that is taken.
func (s *Slugs) Next(text string) string {
	if s.seen == nil {
		s.seen = map[string]int{}
	}
	base := Slug(text)
	slug := base
	for {
		if _, taken := s.seen[slug]; !taken {
			break
		}
		s.seen[base]++
		slug = base + "-" + strconv.Itoa(s.seen[base])
	}
	s.seen[slug] = 0
	return slug
}

// Anchors returns the anchors of all headings of the document, HTML headings included, each with its block.
func (d *Doc) Anchors() map[string]*Block {
	anchors := map[string]*Block{}
	var s Slugs
	d.Walk(func(b *Block) bool {
		switch _, t, ok := d.HTMLHeading(b); {
		case b.Kind == Heading:
			anchors[s.Next(b.Text)] = b
		case ok:
			anchors[s.Next(t)] = b
		}
		return true
	})
	return anchors
}
