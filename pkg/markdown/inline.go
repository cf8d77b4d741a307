package markdown

import (
	"bytes"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Link is an inline or reference link, an image, or an autolink in angle brackets.
type Link struct {
	Start, End int    // from the opening bracket to after the closing one
	Dest       string // destination, unescaped; of an e-mail autolink without "mailto:"
	Text       string // plain text
	Image      bool
	Block      *Block // the leaf block, or the table row, that holds it
}

// An inline reads the inline structure of one leaf block. CommonMark's algorithm is followed as far as it decides which
// bytes are markup: code spans, escapes, entities, autolinks, raw HTML, links and images, emphasis and strikethrough.
type inline struct {
	doc    *Doc
	src    []byte // the text of the block, its lines separated by LF
	lines  []Line
	starts []int // offset in src of each line
	at     int
	tokens []token
	marks  []int // delimiter runs that may still pair: indexes of tokens
	links  []Link

	brackets []bracket // open brackets, the innermost last
	dead     int       // so many of the outermost open brackets can open no link any more, only an image

	noComment, noProcess, noCDATA, noDecl bool         // no end of such a construct is left
	noTicks                               map[int]bool // lengths of backtick runs that no later run closes
}

// A token is a piece of text, or a run of delimiters of which some are markup.
type token struct {
	text              string
	at                int  // offset in src
	mark              byte // * _ ~ for emphasis, 0 for text
	count             int  // delimiters left
	canOpen, canClose bool
}

func newInline(d *Doc, lines []Line) *inline {
	in := &inline{doc: d, lines: lines}
	for i, l := range lines {
		if i > 0 {
			in.src = append(in.src, '\n')
		}
		in.starts = append(in.starts, len(in.src))
		in.src = append(in.src, d.Src[l.Start:l.End]...)
	}
	return in
}

// offset turns an offset in the text of the block into one of the document.
func (in *inline) offset(at int) int {
	i := max(sort.SearchInts(in.starts, at+1)-1, 0)
	return in.lines[i].Start + at - in.starts[i]
}

// plain returns the text without markup.
func (in *inline) plain() string {
	if bytes.IndexAny(in.src, "\\`*_~[]!<&\n") < 0 {
		return string(in.src)
	}
	in.parse()
	return in.text(0)
}

// text returns the plain text of the tokens from index from on.
func (in *inline) text(from int) string {
	var b strings.Builder
	for _, t := range in.tokens[from:] {
		if t.mark != 0 {
			t.text = t.text[:t.count]
		}
		b.WriteString(t.text)
	}
	return b.String()
}

func (in *inline) put(s string) {
	in.tokens = append(in.tokens, token{text: s, at: in.at})
}

func (in *inline) parse() {
	for in.at < len(in.src) {
		c := in.src[in.at]
		switch c {
		case '\\':
			in.escape()
		case '`':
			in.code()
		case '*', '_', '~':
			in.delimiters(c)
		case '[':
			in.open("[")
		case '!':
			if in.at+1 < len(in.src) && in.src[in.at+1] == '[' {
				in.open("![")
			} else {
				in.put("!")
				in.at++
			}
		case ']':
			in.close()
		case '<':
			in.angle()
		case '&':
			in.entity()
		case '\n':
			in.put(" ")
			in.at++
		default:
			n := bytes.IndexAny(in.src[in.at:], "\\`*_~[]!<&\n")
			if n < 0 {
				n = len(in.src) - in.at
			}
			s := in.src[in.at : in.at+n]
			if in.at+n < len(in.src) && in.src[in.at+n] == '\n' {
				s = bytes.TrimRight(s, " ")
			}
			in.put(string(s))
			in.at += n
		}
	}
	in.emphasis(0)
}

func (in *inline) escape() {
	if in.at+1 < len(in.src) && isPunct(in.src[in.at+1]) {
		in.put(string(in.src[in.at+1 : in.at+2]))
		in.at += 2
		return
	}
	if in.at+1 == len(in.src) || in.src[in.at+1] != '\n' {
		in.put(`\`)
	}
	in.at++
}

func (in *inline) code() {
	n := run(in.src[in.at:])
	if !in.noTicks[n] {
		for from := in.at + n; from < len(in.src); {
			next := bytes.IndexByte(in.src[from:], '`')
			if next < 0 {
				break
			}
			from += next
			m := run(in.src[from:])
			if m == n {
				s := strings.ReplaceAll(string(in.src[in.at+n:from]), "\n", " ")
				if len(s) > 1 && s[0] == ' ' && s[len(s)-1] == ' ' && strings.Trim(s, " ") != "" {
					s = s[1 : len(s)-1]
				}
				in.put(s)
				in.at = from + n
				return
			}
			from += m
		}
		if in.noTicks == nil {
			in.noTicks = map[int]bool{}
		}
		in.noTicks[n] = true
	}
	in.put(string(in.src[in.at : in.at+n]))
	in.at += n
}

// delimiters reads a run of *, _ or ~ and decides by its neighbours whether it can open and close emphasis.
func (in *inline) delimiters(c byte) {
	n := run(in.src[in.at:])
	before, after := ' ', ' '
	if in.at > 0 {
		before, _ = utf8.DecodeLastRune(in.src[:in.at])
	}
	if in.at+n < len(in.src) {
		after, _ = utf8.DecodeRune(in.src[in.at+n:])
	}
	left := !unicode.IsSpace(after) && (!isPunctRune(after) || unicode.IsSpace(before) || isPunctRune(before))
	right := !unicode.IsSpace(before) && (!isPunctRune(before) || unicode.IsSpace(after) || isPunctRune(after))
	t := token{text: string(in.src[in.at : in.at+n]), at: in.at, mark: c, count: n, canOpen: left, canClose: right}
	if c == '_' {
		t.canOpen = left && (!right || isPunctRune(before))
		t.canClose = right && (!left || isPunctRune(after))
	}
	if c == '~' && n > 2 {
		t.canOpen, t.canClose = false, false
	}
	in.tokens = append(in.tokens, t)
	in.marks = append(in.marks, len(in.tokens)-1)
	in.at += n
}

func isPunctRune(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) }

// emphasis pairs the delimiter runs above the mark with index bottom and takes the paired ones out of the text.
func (in *inline) emphasis(bottom int) {
	// floor[k] is the lowest mark at which an opener for closers of kind k can still be; before[i] is the mark at which
	// the search for an opener goes on below mark i.
	floor := map[[3]int]int{}
	marks := in.marks[bottom:]
	before := make([]int, len(marks))
	for i := range marks {
		before[i] = i - 1
		c := &in.tokens[marks[i]]
		for c.canClose && c.count > 0 {
			kind := c.kind()
			low := floor[kind]
			above, j := i, before[i]
			for j >= low && !in.tokens[marks[j]].opens(c) {
				if in.tokens[marks[j]].count == 0 {
					before[above] = before[j]
				} else {
					above = j
				}
				j = before[j]
			}
			if j < low {
				floor[kind] = i
				break
			}
			o := &in.tokens[marks[j]]
			used := 1
			if o.count >= 2 && c.count >= 2 {
				used = 2
			}
			o.count -= used
			c.count -= used
			before[i] = j
		}
	}
	in.marks = in.marks[:bottom]
}

// kind tells closers apart that can have different openers.
func (t *token) kind() [3]int {
	k := [3]int{int(t.mark), 0, len(t.text) % 3}
	if t.canOpen {
		k[1] = 1
	}
	if t.mark == '~' {
		k[2] = t.count
	}
	return k
}

// opens reports whether o can open what c closes: the runs have one character and obey the rule of multiples of three;
// strikethrough pairs equal runs.
func (o *token) opens(c *token) bool {
	switch {
	case o.mark != c.mark || !o.canOpen || o.count == 0:
		return false
	case c.mark == '~':
		return o.count == c.count
	case !o.canClose && !c.canOpen:
		return true
	}
	n, m := len(o.text), len(c.text)
	return (n+m)%3 != 0 || n%3 == 0 && m%3 == 0
}

// angle reads an autolink or raw HTML; else '<' is text.
func (in *inline) angle() {
	s := in.src[in.at:]
	if n := autolink(s); n > 0 {
		dest := string(s[1 : n-1])
		in.links = append(in.links, Link{Start: in.offset(in.at), End: in.offset(in.at+n-1) + 1, Dest: dest, Text: dest})
		in.put(dest)
		in.at += n
		return
	}
	if n := in.rawHTML(s); n > 0 {
		in.at += n
		return
	}
	in.put("<")
	in.at++
}

// rawHTML returns the length of the tag, comment, instruction, declaration or CDATA section at the start of s, else 0.
func (in *inline) rawHTML(s []byte) int {
	ends := func(open, end string, gone *bool) int {
		if *gone {
			return 0
		}
		if n := bytes.Index(s[len(open):], []byte(end)); n >= 0 {
			return len(open) + n + len(end)
		}
		*gone = true
		return 0
	}
	switch {
	case bytes.HasPrefix(s, []byte("<!--")):
		if n := emptyComment(s[4:]); n > 0 {
			return 4 + n
		}
		return ends("<!--", "-->", &in.noComment)
	case bytes.HasPrefix(s, []byte("<?")):
		return ends("<?", "?>", &in.noProcess)
	case bytes.HasPrefix(s, []byte("<![CDATA[")):
		return ends("<![CDATA[", "]]>", &in.noCDATA)
	case len(s) > 2 && s[1] == '!' && isLetter(s[2]):
		return ends("<!", ">", &in.noDecl)
	case len(s) > 1:
		return htmlTag(s)
	}
	return 0
}

// autolink returns the length of the autolink at the start of s, brackets included, else 0.
func autolink(s []byte) int {
	end := bytes.IndexAny(s[1:], "<> \t\n")
	if end < 1 || s[end+1] != '>' {
		return 0
	}
	body := s[1 : end+1]
	if at := bytes.IndexByte(body, '@'); at > 0 && bytes.IndexByte(body, ':') < 0 && isMail(body[:at], body[at+1:]) {
		return end + 2
	}
	n := 0
	for n < len(body) && (isLetter(body[n]) || n > 0 && (body[n] >= '0' && body[n] <= '9' || strings.IndexByte("+.-", body[n]) >= 0)) {
		n++
	}
	if n < 2 || n > 32 || n == len(body) || body[n] != ':' {
		return 0
	}
	return end + 2
}

func isMail(local, domain []byte) bool {
	for _, c := range local {
		if !isAlnum(c) && strings.IndexByte(".!#$%&'*+/=?^_`{|}~-", c) < 0 {
			return false
		}
	}
	for _, label := range bytes.Split(domain, []byte{'.'}) {
		if len(label) == 0 || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		for _, c := range label {
			if !isAlnum(c) && c != '-' {
				return false
			}
		}
	}
	return true
}

func isAlnum(c byte) bool { return isLetter(c) || c >= '0' && c <= '9' }

// entity reads a character reference; else '&' is text.
func (in *inline) entity() {
	if s, n := entity(in.src[in.at:]); n > 0 {
		in.put(s)
		in.at += n
		return
	}
	in.put("&")
	in.at++
}
