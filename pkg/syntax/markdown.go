package syntax

import (
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/markdown"
)

// readMarkdown reads a Markdown document. Each heading is a symbol for the section below it, by its text and by its slug,
// qualified by the headings above. The marks of lists, fences and emphasis, padding of tables and line breaks in running text
// mean nothing.
func readMarkdown(src []byte) (r *reading, reason string, err error) {
	defer func() {
		switch cause := recover().(type) {
		case nil:
		case *markdown.LimitError:
			r, reason = nil, cause.Error()
		default:
			panic(cause)
		}
	}()
	m := &sections{doc: markdown.Parse(src), reading: reading{bad: -1}}
	if front := m.doc.Front; front.Closed && len(front.Body) > 0 {
		m.add("frontmatter", strings.TrimSpace(string(front.Body)), 0, int32(front.Start))
	}
	for _, b := range m.doc.Blocks {
		if b.Kind == markdown.Heading {
			m.close(b.Level, int32(b.Start))
			m.open(b)
			continue
		}
		m.block(b, 0)
	}
	m.close(0, int32(len(src)))
	m.size = int32(len(m.toks))
	return &m.reading, "", nil
}

// sections is a reading under way with the sections that are open.
type sections struct {
	reading
	doc   *markdown.Doc
	slugs markdown.Slugs
	stack []section
}

// A section goes by two qualified names; index is the place of its definitions in the list.
type section struct {
	level      int
	text, slug string
	index      int
	count      int
	from       int32
	body       int32
}

func (m *sections) add(kind, text string, depth, start int32) {
	m.toks = append(m.toks, tok{kind: kind, text: text, depth: depth, start: start, leaf: text != ""})
}

func (m *sections) open(b *markdown.Block) {
	s := section{level: b.Level, text: b.Text, slug: m.slugs.Next(b.Text), index: len(m.list), from: int32(len(m.toks))}
	if len(m.stack) > 0 {
		top := m.stack[len(m.stack)-1]
		s.text, s.slug = join(top.text, s.text), join(top.slug, s.slug)
	}
	m.add("heading "+itoa(b.Level), running(b.Text), 0, int32(b.Start))
	s.body = int32(len(m.toks))
	for _, name := range []string{s.text, s.slug} {
		if name != "" && (s.count == 0 || name != s.text) {
			m.list = append(m.list, found{name: name, start: int32(b.Start), bad: -1})
			s.count++
		}
	}
	m.stack = append(m.stack, s)
}

// close ends the sections that a heading of a level ends; 0 ends all.
func (m *sections) close(level int, end int32) {
	for len(m.stack) > 0 && m.stack[len(m.stack)-1].level >= level {
		s := m.stack[len(m.stack)-1]
		m.stack = m.stack[:len(m.stack)-1]
		to := int32(len(m.toks))
		for i := s.index; i < s.index+s.count; i++ {
			d := &m.list[i]
			d.ranges, d.end = []tokenRange{{s.from, to}}, d.start+int32(len(strings.TrimRight(string(m.doc.Src[d.start:end]), " \t\n")))
			if to > s.body {
				d.body = tokenRange{s.body, to}
			}
		}
	}
}

// block emits one block and what it holds.
func (m *sections) block(b *markdown.Block, depth int32) {
	start := int32(b.Start)
	kind := b.Kind.String()
	switch b.Kind {
	case markdown.Comment:
		return
	case markdown.Heading:
		m.add("heading "+itoa(b.Level), running(b.Text), depth, start)
	case markdown.Paragraph:
		m.add(kind, running(b.Text), depth, start)
	case markdown.Fence, markdown.Code:
		m.add(kind, b.Info+"\n"+withoutTrailingBlanks(m.lines(b)), depth, start)
	case markdown.HTML:
		m.add(kind, b.Info+"\n"+m.lines(b), depth, start)
	case markdown.LinkDef:
		m.add(kind, running(m.lines(b)), depth, start)
	case markdown.List:
		if b.Ordered {
			kind = "ordered list"
		}
		m.add(kind, "", depth, start)
	case markdown.Item:
		if b.Task != 0 {
			kind = "item [" + strings.ToLower(string(b.Task)) + "]"
		}
		m.add(kind, "", depth, start)
	case markdown.Row:
		m.add(kind, "", depth, start)
		for _, c := range b.Cells {
			m.add("cell", running(c.Text), depth+1, int32(c.Start))
		}
	default:
		m.add(kind, "", depth, start)
	}
	for _, c := range b.Children {
		m.block(c, depth+1)
	}
}

func (m *sections) lines(b *markdown.Block) string {
	var list []string
	for _, l := range b.Content {
		list = append(list, strings.Repeat(" ", l.Pad)+string(m.doc.Src[l.Start:l.End]))
	}
	return strings.TrimRight(strings.Join(list, "\n"), "\n")
}

func withoutTrailingBlanks(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t")
	}
	return strings.Join(lines, "\n")
}

// longestTarget is how long a target of a link may be, in bytes, to lose its brackets.
const longestTarget = 2048

// running joins the lines of running text, spells emphasis with stars, code spans with as few backticks as they need, and
// targets of links without brackets that they do not need.
// What stands in code spans is kept.
func running(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if !strings.ContainsAny(text, "_`<") {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		n := i
		for n < len(text) && text[n] == text[i] {
			n++
		}
		switch run := text[i:n]; text[i] {
		case '`':
			code, ok := codeSpan(text[n:], run)
			if !ok {
				b.WriteString(run)
				break
			}
			n += len(code) + len(run)
			if !strings.Contains(code, "`") {
				run = "`"
				if inner, ok := strings.CutPrefix(code, " "); ok && strings.HasSuffix(inner, " ") {
					code = strings.TrimSuffix(inner, " ")
				}
			}
			b.WriteString(run + code + run)
		case '\\':
			n = min(i+2, len(text))
			b.WriteString(text[i:n])
		case '<':
			if end := strings.IndexByte(text[n:min(n+longestTarget, len(text))], '>'); end > 0 && strings.HasSuffix(text[:i], "](") && !strings.ContainsAny(text[n:n+end], " <\\") {
				b.WriteString(text[n : n+end])
				n += end + 1
				break
			}
			b.WriteString(run)
		case '_':
			if i == 0 || n == len(text) || !wordByte(text[i-1]) || !wordByte(text[n]) {
				run = strings.Repeat("*", len(run))
			}
			b.WriteString(run)
		default:
			b.WriteString(run)
		}
		i = n
	}
	return b.String()
}

// codeSpan returns what stands before the run of backticks that ends a code span.
func codeSpan(text, run string) (string, bool) {
	for at := 0; ; {
		next := strings.Index(text[at:], run)
		if next < 0 {
			return "", false
		}
		at += next
		end := at
		for end < len(text) && text[end] == '`' {
			end++
		}
		if end-at == len(run) && (at == 0 || text[at-1] != '`') {
			return text[:at], true
		}
		at = end
	}
}

func wordByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= 0x80
}
