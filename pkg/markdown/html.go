package markdown

import (
	"bytes"
	"strings"
)

// finishHTML tells a lone comment from other HTML blocks and looks for a comment that is not closed.
func (d *Doc) finishHTML(b *Block) {
	comments := d.CommentsIn(b)
	if len(comments) == 0 {
		return
	}
	last := comments[len(comments)-1]
	if !last.Closed && d.UnclosedComment < 0 {
		d.UnclosedComment = last.Start
	}
	first := comments[0]
	if b.html == commented && len(comments) == 1 && (!first.Closed || len(bytes.TrimSpace(d.Src[first.End:b.End])) == 0) {
		b.Kind = Comment
		b.Closed = first.Closed
		b.Text = first.Text
	}
}

// hasMarkup reports whether tags and comments in the HTML block b are markup: they are none in <script>, <style> and
// <textarea>, in instructions, declarations and CDATA sections.
func (d *Doc) hasMarkup(b *Block) bool {
	switch b.html {
	case rawText:
		name, _ := tagName(d.Src[b.Start:b.End])
		return name == "pre"
	case instruction, declaration, cdata:
		return false
	}
	return true
}

// tagName returns the name of the opening or closing tag at the start of s, in lower case, and what follows it.
func tagName(s []byte) (string, []byte) {
	s = bytes.TrimPrefix(s[1:], []byte{'/'})
	n := 0
	for n < len(s) && (isLetter(s[n]) || n > 0 && (s[n] >= '0' && s[n] <= '9' || s[n] == '-')) {
		n++
	}
	return strings.ToLower(string(s[:n])), s[n:]
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
