package workflow

import (
	"strings"
	"unicode"

	"github.com/seed-4419f9ca/forge/pkg/markdown"
)

// A Line is one line of a report template.
type Line struct {
	Text  string
	Start int // offset in the source
	Line  int // 1-based
}

// A Report is the template of the report that opens a session.
type Report struct {
	Lines   []Line // without blank lines at both ends
	Fenced  bool   // it stands in code fences; else it is the text of a section
	Start   int    // of its first line: the opening fence, or the first line of text
	End     int    // of that line
	Backlog int    // index of the line that begins the backlog summary, -1 without one
}

// FindReport returns the report template of a workflow: the fences of the section whose fences hold the backlog summary,
// else those with a safety block, else those under a heading that speaks of a report. Fences with a language are commands
// and no template. Without any of these the report is the text of the section that speaks of one, or of the whole document.
func FindReport(doc *markdown.Doc) *Report {
	var best *Report
	score := 0
	for _, s := range sections(doc) {
		r := s.fenced(doc.Src)
		if len(r.Lines) == 0 {
			continue
		}
		n := 0
		if r.Backlog >= 0 {
			n += 4
		}
		if r.Safety() != nil {
			n += 2
		}
		if s.speaksOfReport() {
			n++
		}
		if n > score {
			best, score = r, n
		}
	}
	if best != nil {
		return best
	}
	var whole section
	for _, s := range sections(doc) {
		r := s.prose(doc.Src)
		if r.Safety() != nil || r.Backlog >= 0 && s.speaksOfReport() {
			return r
		}
		whole.blocks = append(whole.blocks, s.blocks...)
	}
	return whole.prose(doc.Src)
}

// A section is a heading with the blocks up to the next one.
type section struct {
	heading *markdown.Block
	blocks  []*markdown.Block
}

func sections(doc *markdown.Doc) []section {
	out := []section{{}}
	for _, b := range doc.Blocks {
		if b.Kind == markdown.Heading {
			out = append(out, section{heading: b})
			continue
		}
		last := &out[len(out)-1]
		last.blocks = append(last.blocks, b)
	}
	return out
}

func (s *section) speaksOfReport() bool {
	if s.heading == nil {
		return false
	}
	title := fold(s.heading.Text)
	return strings.Contains(title, "report") || strings.Contains(title, "báo cáo")
}

func (s *section) fenced(src []byte) *Report {
	r := &Report{Fenced: true, Backlog: -1}
	for _, b := range s.blocks {
		r.addFences(src, b)
	}
	r.finish()
	return r
}

func (r *Report) addFences(src []byte, b *markdown.Block) {
	switch b.Kind {
	case markdown.Fence:
		if !template(b.Info) {
			return
		}
		if len(r.Lines) == 0 {
			r.Start, r.End = b.Start, endOfLine(src, b)
		}
		for _, l := range codeLines(src, b) {
			r.Lines = append(r.Lines, Line{Text: l.text, Start: l.start, Line: l.line})
		}
	case markdown.List, markdown.Item:
		for _, c := range b.Children {
			r.addFences(src, c)
		}
	}
}

// template reports whether the info string of a fence leaves it open that the fence holds text.
func template(info string) bool {
	word, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(info)), " ")
	switch word {
	case "", "text", "txt", "plain", "plaintext", "md", "markdown", "report", "template":
		return true
	}
	return false
}

func (s *section) prose(src []byte) *Report {
	r := &Report{Backlog: -1}
	for _, b := range s.blocks {
		if b.Kind == markdown.Fence || b.Kind == markdown.Code || b.Kind == markdown.Comment {
			continue
		}
		line := b.Line
		for at := b.Start; at <= b.End && at < len(src); line++ {
			end := at
			for end < b.End && src[end] != '\n' {
				end++
			}
			r.Lines = append(r.Lines, Line{Text: strings.TrimSuffix(string(src[at:end]), "\r"), Start: at, Line: line})
			at = end + 1
		}
		r.Lines = append(r.Lines, Line{Start: b.End, Line: line})
	}
	r.finish()
	if len(r.Lines) > 0 {
		r.Start, r.End = r.Lines[0].Start, r.Lines[0].Start+len(r.Lines[0].Text)
	}
	return r
}

// finish drops blank lines at both ends and finds the backlog summary.
func (r *Report) finish() {
	for len(r.Lines) > 0 && blank(r.Lines[0]) {
		r.Lines = r.Lines[1:]
	}
	for len(r.Lines) > 0 && blank(r.Lines[len(r.Lines)-1]) {
		r.Lines = r.Lines[:len(r.Lines)-1]
	}
	chart := -1
	for i, l := range r.Lines {
		text := fold(l.Text)
		if chart < 0 && strings.HasPrefix(trimFrame(text), "📊") {
			chart = i
		}
		text = strings.TrimLeftFunc(text, func(c rune) bool { return !unicode.IsLetter(c) })
		for _, name := range []string{"backlog", "product backlog", "summary of the backlog", "tóm tắt backlog", "tổng quan backlog", "tóm tắt tồn đọng"} {
			if strings.HasPrefix(text, name) && !strings.HasPrefix(trimFrame(l.Text), "/") {
				r.Backlog = i
				return
			}
		}
	}
	r.Backlog = chart
}

func blank(l Line) bool { return trimFrame(l.Text) == "" }

// trimFrame takes space, marks of headings, quotes and emphasis, and the lines of drawn boxes from the start of a line.
func trimFrame(s string) string {
	return strings.TrimLeftFunc(s, func(c rune) bool {
		return unicode.IsSpace(c) || strings.ContainsRune("#>*_|", c) || c >= 0x2500 && c <= 0x257f
	})
}
