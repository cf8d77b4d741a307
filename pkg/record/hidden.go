package record

import (
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/markdown"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

// A hiddenText is a listing whose hidden lines are being collected.
type hiddenText struct {
	*Listing
	spans map[string]text.Span
}

// hiddenLines collects the texts of l that do not count as entries although they are there: comments, code, frontmatter, and
// what an open comment swallows.
func (l *Listing) hiddenLines() map[string]text.Span {
	h := &hiddenText{l, map[string]text.Span{}}
	for _, c := range l.Doc.Comments() {
		h.add(c.Start, c.Text)
	}
	if u := l.Doc.UnclosedComment; u >= 0 {
		h.add(u, string(l.Doc.Src[u:]))
	}
	if f := l.Doc.Front; f.Closed {
		h.add(f.Start, string(f.Body))
	}
	l.Doc.Walk(func(b *markdown.Block) bool {
		switch b.Kind {
		case markdown.Fence, markdown.Code, markdown.LinkDef:
			h.add(b.Start, string(l.Doc.Bytes(b)))
		case markdown.Paragraph:
			h.inlineComments(b)
		}
		return true
	})
	return h.spans
}

// inlineComments finds comments inside running text. <!--> and <!---> are whole comments with nothing in them.
func (h *hiddenText) inlineComments(b *markdown.Block) {
	if !strings.Contains(b.Text, "<!--") {
		return
	}
	rest := string(h.Doc.Bytes(b))
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
		h.add(b.Start, t)
		rest = after
	}
}

// add adds the lines of t, which stands at start.
func (h *hiddenText) add(start int, t string) {
	p := h.lines.Pos(start)
	span := text.Span{Start: p, End: h.lines.LineSpan(p.Line).End}
	for _, line := range strings.Split(t, "\n") {
		if line = bare(line); line != "" {
			if _, there := h.spans[line]; !there {
				h.spans[line] = span
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
	now, was := l.hiddenSpans(), before.hiddenSpans()
	for i, line := range strings.Split(e.Text, "\n") {
		line = bare(line)
		span, there := now[line]
		if line == "" {
			continue
		}
		if _, already := was[line]; !there || i == 0 && already {
			return text.Span{}, false
		}
		if !ok {
			at, ok = span, true
		}
	}
	return at, ok
}

// hiddenSpans returns the hidden lines of l, each with the place where it stands first.
func (l *Listing) hiddenSpans() map[string]text.Span {
	if l.hidden == nil {
		return nil
	}
	return l.hidden()
}
