package markdown

import (
	"bytes"
	"strings"
)

// A CommentSpan is one HTML comment in an HTML block, from <!-- to -->.
type CommentSpan struct {
	Start, End int
	Text       string // what stands between the signs, trimmed, line ends as LF
	Closed     bool   // false: it runs to the end of its block
	Block      *Block // the HTML or Comment block that holds it
}

// Comments lists the HTML comments of all HTML and Comment blocks, nested ones too, in the order of the document.
func (d *Doc) Comments() []CommentSpan {
	var list []CommentSpan
	d.Walk(func(b *Block) bool {
		if b.Kind == Comment || b.Kind == HTML {
			list = append(list, d.CommentsIn(b)...)
		}
		return true
	})
	return list
}

// CommentsIn lists the HTML comments of one HTML or Comment block. What looks like a comment inside <script>, <style> or
// <textarea> is none.
func (d *Doc) CommentsIn(b *Block) []CommentSpan {
	if b.Kind != HTML && b.Kind != Comment || !d.hasMarkup(b) {
		return nil
	}
	return commentsIn(d.Src, b)
}

// OnlyComments reports whether b consists of closed HTML comments and white space.
func (d *Doc) OnlyComments(b *Block) bool {
	if b.Kind == Comment {
		return b.Closed
	}
	comments := d.CommentsIn(b)
	at := b.Start
	for _, c := range comments {
		if !c.Closed || len(bytes.TrimSpace(d.Src[at:c.Start])) > 0 {
			return false
		}
		at = c.End
	}
	return len(comments) > 0 && len(bytes.TrimSpace(d.Src[at:b.End])) == 0
}

// commentsIn finds the comments of the HTML block b.
func commentsIn(src []byte, b *Block) []CommentSpan {
	var list []CommentSpan
	var body strings.Builder
	inside := false
	done := func(end int, closed bool) {
		c := &list[len(list)-1]
		c.End, c.Closed, c.Text = end, closed, strings.TrimSpace(body.String())
		body.Reset()
		inside = false
	}
	for i, l := range b.Content {
		at := l.Start
		if inside && i > 0 {
			body.WriteByte('\n')
		}
		for at < l.End {
			if !inside {
				n := bytes.Index(src[at:l.End], []byte("<!--"))
				if n < 0 {
					break
				}
				list = append(list, CommentSpan{Start: at + n, Block: b})
				at += n + len("<!--")
				inside = true
				if n := emptyComment(src[at:l.End]); n > 0 {
					at += n
					done(at, true)
				}
				continue
			}
			n := bytes.Index(src[at:l.End], []byte("-->"))
			if n < 0 {
				body.Write(src[at:l.End])
				break
			}
			body.Write(src[at : at+n])
			at += n + len("-->")
			done(at, true)
		}
	}
	if inside {
		done(b.End, false)
	}
	return list
}

// emptyComment returns the length of the end of <!--> and <!--->, which are whole comments, else 0.
func emptyComment(s []byte) int {
	switch {
	case bytes.HasPrefix(s, []byte(">")):
		return 1
	case bytes.HasPrefix(s, []byte("->")):
		return 2
	}
	return 0
}
