package markdown

import (
	"bytes"
	"strings"
)

// blockTags are the elements that open an HTML block of type 6, between spaces.
const blockTags = " address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt " +
	"fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link main menu " +
	"menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead title tr track ul "

// rawTags are the elements whose content is raw text, HTML block type 1.
const rawTags = " script pre style textarea "

// htmlStart returns the type of the HTML block (1 to 7, as CommonMark numbers them) that line opens, else 0. Line begins
// with '<'.
func htmlStart(line []byte) int {
	if len(line) < 2 {
		return 0
	}
	switch {
	case bytes.HasPrefix(line, []byte("<!--")):
		return 2
	case line[1] == '?':
		return 3
	case bytes.HasPrefix(line, []byte("<![CDATA[")):
		return 5
	case line[1] == '!' && len(line) > 2 && isLetter(line[2]):
		return 4
	}
	name, rest := tagName(line)
	if name == "" {
		return 0
	}
	ends := len(rest) == 0 || isBlank(rest[0]) || rest[0] == '>'
	closing := line[1] == '/'
	if ends && !closing && strings.Contains(rawTags, " "+name+" ") {
		return 1
	}
	if (ends || bytes.HasPrefix(rest, []byte("/>"))) && strings.Contains(blockTags, " "+name+" ") {
		return 6
	}
	if n := htmlTag(line); n > 0 && len(bytes.TrimLeft(line[n:], " \t")) == 0 && (closing || !strings.Contains(rawTags, " "+name+" ")) {
		return 7
	}
	return 0
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

// htmlTag returns the length of the complete opening or closing tag at the start of s, 0 when there is none.
func htmlTag(s []byte) int {
	name, rest := tagName(s)
	if name == "" {
		return 0
	}
	at := len(s) - len(rest)
	if s[1] == '/' {
		at = spaces(s, at)
		if at < len(s) && s[at] == '>' {
			return at + 1
		}
		return 0
	}
	for {
		after := spaces(s, at)
		if after == len(s) {
			return 0
		}
		switch {
		case s[after] == '>':
			return after + 1
		case s[after] == '/':
			if after+1 < len(s) && s[after+1] == '>' {
				return after + 2
			}
			return 0
		case after == at:
			return 0
		}
		if at = attribute(s, after); at == 0 {
			return 0
		}
	}
}

func spaces(s []byte, at int) int {
	for at < len(s) && isSpace(s[at]) {
		at++
	}
	return at
}

// attribute returns the offset after the attribute at offset at, 0 when there is none.
func attribute(s []byte, at int) int {
	first := true
	for at < len(s) {
		c := s[at]
		if !(isLetter(c) || c == '_' || c == ':' || !first && (c >= '0' && c <= '9' || c == '.' || c == '-')) {
			break
		}
		first = false
		at++
	}
	if first {
		return 0
	}
	eq := spaces(s, at)
	if eq == len(s) || s[eq] != '=' {
		return at
	}
	v := spaces(s, eq+1)
	if v == len(s) {
		return 0
	}
	if q := s[v]; q == '"' || q == '\'' {
		if n := bytes.IndexByte(s[v+1:], q); n >= 0 {
			return v + n + 2
		}
		return 0
	}
	end := v
	for end < len(s) && !isSpace(s[end]) && !strings.ContainsRune("\"'=<>`", rune(s[end])) {
		end++
	}
	if end == v {
		return 0
	}
	return end
}

// closesHTML reports whether line holds the end of an HTML block of a type below 6.
func closesHTML(kind int, line []byte) bool {
	switch kind {
	case 1:
		for _, end := range []string{"</script>", "</pre>", "</style>", "</textarea>"} {
			if containsFold(line, end) {
				return true
			}
		}
		return false
	case 2:
		return bytes.Contains(line, []byte("-->"))
	case 3:
		return bytes.Contains(line, []byte("?>"))
	case 4:
		return bytes.IndexByte(line, '>') >= 0
	}
	return bytes.Contains(line, []byte("]]>"))
}

// containsFold reports whether s holds sub, which is in lower case and starts with '<', in any case.
func containsFold(s []byte, sub string) bool {
	for {
		n := bytes.IndexByte(s, '<')
		if n < 0 || len(s)-n < len(sub) {
			return false
		}
		if strings.EqualFold(string(s[n:n+len(sub)]), sub) {
			return true
		}
		s = s[n+1:]
	}
}

func (p *parser) pushHTML(kind int) {
	p.push(open{block: &Block{Kind: HTML, Start: p.next}, html: kind})
}

// finishHTML tells lone comments from other HTML blocks and looks for a comment that is not closed.
func (p *parser) finishHTML(b *Block, kind int) {
	if kind == 3 || kind == 4 || kind == 5 {
		return
	}
	comments := commentsIn(p.src, b, kind == 1)
	if len(comments) == 0 {
		return
	}
	last := comments[len(comments)-1]
	if !last.Closed && p.doc.UnclosedComment < 0 {
		p.doc.UnclosedComment = last.Start
	}
	first := comments[0]
	if kind == 2 && len(comments) == 1 && (!first.Closed || len(bytes.TrimSpace(p.src[first.End:b.End])) == 0) {
		b.Kind = Comment
		b.Closed = first.Closed
		b.Text = first.Text
	}
}
