package markdown

import (
	"bytes"
	"strings"
)

// maxLabel is the longest label of a link reference, in bytes and a little more for escapes, after which CommonMark sees no label.
const maxLabel = 999

// readLinkDefs reads link reference definitions at the start of a paragraph's lines, keeps them, and returns how many
// lines they take.
func (d *Doc) readLinkDefs(lines []Line) int {
	n := 0
	for n < len(lines) {
		used, label, dest := d.linkDef(lines[n:])
		if used == 0 {
			break
		}
		n += used
		if d.defs == nil {
			d.defs = map[string]string{}
		}
		if _, ok := d.defs[label]; !ok {
			d.defs[label] = dest
		}
	}
	return n
}

// linkDef reads one definition and returns the number of lines it takes, 0 when there is none.
func (d *Doc) linkDef(lines []Line) (used int, label, dest string) {
	c := cursor{src: d.Src, lines: lines}
	if c.byte() != '[' {
		return 0, "", ""
	}
	c.next()
	raw, ok := c.label()
	if !ok || c.byte() != ':' {
		return 0, "", ""
	}
	c.next()
	if !c.white() {
		return 0, "", ""
	}
	if dest, ok = c.destination(); !ok {
		return 0, "", ""
	}
	// The definition may end here, or a title may follow after white space, on this line or the next.
	if c.lineBlank() {
		used = c.line + 1
	}
	if c.white() && isSpaceBefore(c) {
		if t := c; t.title() && t.lineBlank() {
			used = t.line + 1
		}
	}
	if used == 0 {
		return 0, "", ""
	}
	return used, normalizeLabel(raw), dest
}

// isSpaceBefore reports whether white space stands before the cursor.
func isSpaceBefore(c cursor) bool {
	at := c.at
	return at == 0 && c.line > 0 || at > 0 && isSpace(c.src[c.lines[c.line].Start+at-1])
}

// normalizeLabel folds case and white space of a label, so that labels compare by bytes. Of the letters that fold to
// several, only the sharp s is taken care of.
func normalizeLabel(s string) string {
	s = strings.ToLower(strings.ToUpper(strings.Join(strings.Fields(s), " ")))
	return strings.ReplaceAll(s, "ß", "ss")
}

// A cursor reads over lines; the end of each but the last is a line feed.
type cursor struct {
	src      []byte
	lines    []Line
	line, at int
}

// byte returns the byte at the cursor: '\n' at the end of a line, 0 at the end of all.
func (c *cursor) byte() byte {
	if c.line >= len(c.lines) {
		return 0
	}
	l := c.lines[c.line]
	if l.Start+c.at < l.End {
		return c.src[l.Start+c.at]
	}
	if c.line == len(c.lines)-1 {
		return 0
	}
	return '\n'
}

func (c *cursor) end() bool {
	return c.line >= len(c.lines) || c.line == len(c.lines)-1 && c.lines[c.line].Start+c.at >= c.lines[c.line].End
}

func (c *cursor) next() {
	if c.line >= len(c.lines) {
		return
	}
	if l := c.lines[c.line]; l.Start+c.at < l.End {
		c.at++
		return
	}
	c.line++
	c.at = 0
}

// rest returns what is left of the current line.
func (c *cursor) rest() []byte {
	if c.line >= len(c.lines) {
		return nil
	}
	l := c.lines[c.line]
	return c.src[l.Start+c.at : l.End]
}

func (c *cursor) lineBlank() bool { return len(bytes.Trim(c.rest(), " \t")) == 0 }

// white moves over white space with at most one line end, and reports whether something follows.
func (c *cursor) white() bool {
	line := c.line
	for !c.end() && isSpace(c.byte()) {
		if c.byte() == '\n' && c.line > line {
			return false
		}
		c.next()
	}
	return !c.end()
}

// label reads up to the closing bracket and moves past it.
func (c *cursor) label() (string, bool) {
	var b strings.Builder
	for n := 0; !c.end() && n <= maxLabel; n++ {
		switch ch := c.byte(); ch {
		case '[':
			return "", false
		case ']':
			c.next()
			s := b.String()
			return s, strings.TrimSpace(s) != ""
		case '\\':
			b.WriteByte(ch)
			c.next()
			if c.end() {
				return "", false
			}
			if isPunct(c.byte()) {
				b.WriteByte(c.byte())
				c.next()
			}
			continue
		default:
			b.WriteByte(ch)
		}
		c.next()
	}
	return "", false
}

// destination reads a link destination, in angle brackets or bare.
func (c *cursor) destination() (string, bool) {
	rest := c.rest()
	dest, n := destination(rest)
	if n == 0 {
		return "", false
	}
	c.at += n
	return dest, true
}

// title reads a link title in quotation marks or parentheses.
func (c *cursor) title() bool {
	var closing byte
	switch q := c.byte(); q {
	case '"', '\'':
		closing = q
	case '(':
		closing = ')'
	default:
		return false
	}
	c.next()
	for !c.end() {
		switch ch := c.byte(); ch {
		case closing:
			c.next()
			return true
		case '\\':
			c.next()
			if c.end() {
				return false
			}
			if c.byte() == '\n' {
				continue
			}
		case '(':
			if closing == ')' {
				return false
			}
		}
		c.next()
	}
	return false
}

// destination reads the link destination at the start of s, and returns it unescaped with its length in s; the length is
// 0 when there is none.
func destination(s []byte) (string, int) {
	if len(s) == 0 {
		return "", 0
	}
	if s[0] == '<' {
		for i := 1; i < len(s); i++ {
			switch s[i] {
			case '>':
				return unescape(string(s[1:i])), i + 1
			case '<', '\n':
				return "", 0
			case '\\':
				i++
			}
		}
		return "", 0
	}
	depth, i := 0, 0
	for ; i < len(s); i++ {
		c := s[i]
		switch {
		case c <= ' ' || c == 0x7f:
			goto done
		case c == '\\' && i+1 < len(s) && isPunct(s[i+1]):
			i++
		case c == '(':
			if depth++; depth > 32 {
				return "", 0
			}
		case c == ')':
			if depth == 0 {
				goto done
			}
			depth--
		}
	}
done:
	if i == 0 || depth != 0 {
		return "", 0
	}
	return unescape(string(s[:i])), i
}
