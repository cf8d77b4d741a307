package guardheader

import (
	"bytes"
	"strings"
)

// source scans text that is not Markdown. Its head, the blank lines and comments before the first other line, is where a
// header belongs, behind what must come first: a shebang, an encoding line, an XML prolog, a doctype, directives. Below
// the head a header counts only in column 1 of a language whose comments are known.
func (s *Scan) source(rs *Rows) {
	start := 0
	if bytes.HasPrefix(s.src, []byte(bom)) {
		start = len(bom)
	}
	s.place = place{at: start}
	h := &headReader{scan: s, rows: rs, inHead: true}
	for at, n := start, 1; at < len(s.src); n++ {
		if h.inHead && h.closing == "" {
			if end := s.first(at, n); end > at {
				s.place = place{at: end, after: true}
				at = end
				continue
			}
		}
		raw, next := lineAt(s.src, at)
		h.line(at, raw)
		at = next
	}
	for _, c := range h.comments {
		placed := c.inHead && c.start >= s.place.at
		switch {
		case c.row != nil:
			g := s.guard(c.row, "<!--"+c.text+"-->", c.line, c.start, c.end, s.wanted(c.start, c.end))
			g.Placed = placed
			s.Guards = append(s.Guards, g)
		case placed:
			s.Unknown = append(s.Unknown, Place{c.start, c.end, string(s.src[c.start:c.end])})
		}
	}
}

// A headReader goes through the lines of a file and keeps the comments that matter.
type headReader struct {
	scan     *Scan
	rows     *Rows
	inHead   bool
	closing  string // the sign that ends the comment of several lines that is open
	comments []sourceComment
}

// A sourceComment is a comment on a line of its own that is a header or looks like one.
type sourceComment struct {
	line       int // where its line begins, or what is left of the line behind a prolog
	start, end int
	text       string
	row        *Row // nil: it only has the sign
	inHead     bool
}

// line takes the line raw, or the part of one behind a prolog, which begins at offset at.
func (h *headReader) line(at int, raw []byte) {
	line := strings.TrimSpace(string(raw))
	from := at + bytes.Index(raw, []byte(line))
	if h.closing != "" {
		if i := strings.Index(line, h.closing); i >= 0 {
			h.inHead = h.inHead && strings.TrimSpace(line[i+len(h.closing):]) == ""
			h.closing = ""
		}
		return
	}
	if line == "" {
		return
	}
	text, ok := h.scan.syntax.comment(line)
	if !ok {
		if h.closing = h.scan.syntax.opens(line); h.closing == "" {
			h.inHead = false
		}
		return
	}
	row := h.rows.Known("<!--" + text + "-->")
	known := row != nil && (h.inHead || h.scan.carries && from == at)
	if known || h.inHead && strings.Contains(text, sign) {
		h.comments = append(h.comments, sourceComment{at, from, from + len(line), text, row, h.inHead})
	}
}

// wanted returns how a header is written exactly, in the comment signs that stand between two offsets.
func (s *Scan) wanted(start, end int) func(*Row) string {
	line := string(s.src[start:end])
	return func(r *Row) string {
		for _, p := range s.syntax.pair {
			if strings.HasPrefix(line, p[0]) && strings.HasSuffix(line, p[1]) {
				return p[0] + " " + r.Text() + " " + p[1]
			}
		}
		best := ""
		for _, sign := range s.syntax.line {
			if strings.HasPrefix(line, sign) && len(sign) > len(best) {
				best = sign
			}
		}
		return best + " " + r.Text()
	}
}

// first returns the offset after a piece that must come first in its file and begins on line n at offset at; at itself
// when there is none. Where comments stand above such a piece, they stand too high.
func (s *Scan) first(at, n int) int {
	raw, next := lineAt(s.src, at)
	line := strings.TrimSpace(string(raw))
	lower := strings.ToLower(line)
	switch {
	case strings.HasPrefix(line, "#!") && (n == 1 || strings.HasPrefix(strings.TrimSpace(line[2:]), "/")):
		return next
	case s.has("#") && n <= 3 && strings.HasPrefix(line, "#") && coding(line):
		return next
	case s.has("#") && (strings.HasPrefix(line, "%YAML") || strings.HasPrefix(line, "%TAG")):
		return next
	case s.has("#") && (strings.HasPrefix(lower, "# syntax=") || strings.HasPrefix(lower, "# escape=") || strings.HasPrefix(lower, "# check=")):
		return next
	case s.isMarkup() && strings.HasPrefix(line, "<?"):
		return s.after(at, "?>")
	case s.isMarkup() && strings.HasPrefix(lower, "<!doctype"):
		return s.afterDoctype(at)
	case s.has("//") && s.has("#") && strings.HasPrefix(lower, "<?php"):
		return next
	case s.has("REM") && s.has("::") && (strings.HasPrefix(lower, "@echo off") || strings.HasPrefix(lower, "echo off")):
		return next
	case len(s.syntax.line) == 0 && strings.HasPrefix(lower, "@charset "):
		return s.after(at, ";")
	case s.isMDX() && line == "---" && at == s.place.at && !s.place.after:
		return s.afterFront(next)
	}
	return at
}

func (s *Scan) has(sign string) bool {
	for _, l := range s.syntax.line {
		if l == sign {
			return true
		}
	}
	return false
}

func (s *Scan) isMarkup() bool {
	return s.carries && len(s.syntax.pair) > 0 && s.syntax.pair[0] == angle
}

func (s *Scan) isMDX() bool { return len(s.syntax.pair) > 0 && s.syntax.pair[0][0] == "{/*" }

// coding reports whether a comment names the encoding of its file, as Python, Ruby and editors read it.
func coding(line string) bool {
	_, rest, ok := strings.Cut(line, "coding")
	if !ok || rest == "" || rest[0] != ':' && rest[0] != '=' {
		return false
	}
	rest = strings.TrimLeft(rest[1:], " \t")
	return rest != "" && (rest[0] >= 'a' && rest[0] <= 'z' || rest[0] >= 'A' && rest[0] <= 'Z' || rest[0] >= '0' && rest[0] <= '9')
}

// after returns the offset after the next end sign at or behind offset at, and after the line end when nothing follows
// on that line; at when there is none.
func (s *Scan) after(at int, end string) int {
	n := bytes.Index(s.src[at:], []byte(end))
	if n < 0 {
		return at
	}
	return s.restOfLine(at + n + len(end))
}

// restOfLine returns the start of the next line when nothing is left of the one that holds offset at, else at.
func (s *Scan) restOfLine(at int) int {
	rest, next := lineAt(s.src, at)
	if len(bytes.TrimSpace(rest)) == 0 {
		return next
	}
	return at
}

// afterDoctype returns the offset after the doctype that begins at offset at, with its internal subset.
func (s *Scan) afterDoctype(at int) int {
	depth := 0
	var quote byte
	for i := at; i < len(s.src); i++ {
		c := s.src[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '[':
			depth++
		case c == ']':
			depth--
		case c == '>' && depth <= 0:
			return s.restOfLine(i + 1)
		}
	}
	return at
}

// afterFront returns the offset after the line that closes the frontmatter whose body begins at offset body.
func (s *Scan) afterFront(body int) int {
	for at := body; at < len(s.src); {
		line, next := lineAt(s.src, at)
		if strings.TrimRight(string(line), " \t") == "---" {
			return next
		}
		at = next
	}
	return s.place.at
}
