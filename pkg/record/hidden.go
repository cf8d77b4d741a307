package record

import (
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/markdown"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

// hide collects the texts of l that do not count as entries although they are there: comments, code, frontmatter, and
// what an open comment swallows.
func (l *Listing) hide() {
	for _, c := range l.Doc.Comments() {
		l.addHidden(c.Start, c.Text)
	}
	if u := l.Doc.UnclosedComment; u >= 0 {
		l.addHidden(u, string(l.Doc.Src[u:]))
	}
	if f := l.Doc.Front; f.Closed {
		l.addHidden(f.Start, string(f.Body))
	}
	l.Doc.Walk(func(b *markdown.Block) bool {
		switch b.Kind {
		case markdown.Fence, markdown.Code, markdown.LinkDef:
			l.addHidden(b.Start, string(l.Doc.Bytes(b)))
		case markdown.Paragraph:
			l.inlineComments(b)
		}
		return true
	})
}

// inlineComments finds comments inside running text. <!--> and <!---> are whole comments with nothing in them.
func (l *Listing) inlineComments(b *markdown.Block) {
	if !strings.Contains(b.Text, "<!--") {
		return
	}
	rest := string(l.Doc.Bytes(b))
	for {
		_, body, opened := strings.Cut(rest, "<!--")
		if !opened {
			return
		}
		if strings.HasPrefix(body, ">") || strings.HasPrefix(body, "->") {
			rest = body
			continue
		}
		t, after, closed := strings.Cut(body, "-->")
		if !closed {
			return
		}
		l.addHidden(b.Start, t)
		rest = after
	}
}

// addHidden adds the lines of t, which stands at start.
func (l *Listing) addHidden(start int, t string) {
	p := l.lines.Pos(start)
	span := text.Span{Start: p, End: l.lines.LineSpan(p.Line).End}
	for _, line := range strings.Split(t, "\n") {
		if line = bare(line); line != "" {
			if _, there := l.hidden[line]; !there {
				l.hidden[line] = span
			}
		}
	}
}

// bare returns the text of one line of Markdown without list markers, check mark, quote marks, the bars at its edges, and
// with white space folded.
func bare(line string) string {
	s := fold(strings.ReplaceAll(line, "|", " | "))
	s = strings.TrimSuffix(strings.TrimPrefix(s, "| "), " |")
	for {
		rest := strings.TrimPrefix(s, "> ")
		for _, marker := range []string{"- ", "* ", "+ "} {
			rest = strings.TrimPrefix(rest, marker)
		}
		if digits := strings.TrimLeft(rest, "0123456789"); len(digits) < len(rest) && (strings.HasPrefix(digits, ". ") || strings.HasPrefix(digits, ") ")) {
			rest = digits[2:]
		}
		if len(rest) > 3 && rest[0] == '[' && rest[2] == ']' && rest[3] == ' ' {
			rest = rest[4:]
		}
		if rest == s {
			return s
		}
		s = rest
	}
}

// hides returns where the text of e is hidden in l. A text that before hid as well does not count.
func (l *Listing) hides(e *Entry, before *Listing) (at text.Span, ok bool) {
	for i, line := range strings.Split(e.Text, "\n") {
		line = bare(line)
		span, there := l.hidden[line]
		if line == "" {
			continue
		}
		if _, already := before.hidden[line]; !there || i == 0 && already {
			return text.Span{}, false
		}
		if !ok {
			at, ok = span, true
		}
	}
	return at, ok
}
