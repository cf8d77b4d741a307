package guardtable

import (
	"net/url"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/seed-4419f9ca/forge/pkg/pathref"
)

// A Pattern names the files that a row guards.
type Pattern struct {
	Text       string
	Start, End int // in the file
}

// A Rule is one rule file that a row names.
type Rule struct {
	Name       string // path as written, without fragment
	Wide       string // the whole code span, where a name with spaces may be meant; else ""
	Start, End int    // in the file
}

// A piece is a part of a cell: a code span's content, or the text between.
type piece struct {
	text  string
	start int
	code  bool
}

// segments splits a cell at line breaks and at commas and semicolons outside code spans and braces.
func segments(cell string) [][]piece {
	var out [][]piece
	var now []piece
	text, depth := 0, 0
	flush := func(end int) {
		if end > text {
			now = append(now, piece{text: cell[text:end], start: text})
		}
	}
	for i := 0; i < len(cell); {
		switch c := cell[i]; {
		case c == '\\' && i+1 < len(cell):
			i += 2
			continue
		case c == '`':
			content, start, end, ok := codeSpan(cell, i)
			if ok {
				flush(i)
				now = append(now, piece{text: content, start: start, code: true})
				text, i = end, end
				continue
			}
			i = end
			continue
		case c == '{':
			depth++
		case c == '}':
			depth = max(depth-1, 0)
		case (c == ',' || c == ';') && depth == 0:
			flush(i)
			out, now = append(out, now), nil
			text = i + 1
		case c == '<':
			if n := lineBreak(cell[i:]); n > 0 {
				flush(i)
				out, now = append(out, now), nil
				depth = 0
				text, i = i+n, i+n
				continue
			}
		}
		i++
	}
	flush(len(cell))
	return append(out, now)
}

// codeSpan reads the code span whose opening backticks stand at i; without a closing run of the same length end is the
// offset after the opening run.
func codeSpan(s string, i int) (content string, start, end int, ok bool) {
	n := len(s[i:]) - len(strings.TrimLeft(s[i:], "`"))
	for j := i + n; j < len(s); {
		if s[j] != '`' {
			j++
			continue
		}
		m := len(s[j:]) - len(strings.TrimLeft(s[j:], "`"))
		if m == n {
			return s[i+n : j], i + n, j + m, true
		}
		j += m
	}
	return "", 0, i + n, false
}

// lineBreak returns the length of the <br> that s begins with, 0 without one.
func lineBreak(s string) int {
	end := strings.IndexByte(s, '>')
	if end < 0 || end > 8 || strings.TrimRight(strings.ToLower(s[1:end]), "/ ") != "br" {
		return 0
	}
	return end + 1
}

// readPatterns reads the pattern cell. Code spans are patterns and what stands beside them is a note; without a code span
// the text is.
func readPatterns(cell string, base int) []Pattern {
	var out []Pattern
	for _, seg := range segments(cell) {
		coded := false
		for _, p := range seg {
			if p.code {
				coded = true
				out = appendPatterns(out, p, base)
			}
		}
		if coded {
			continue
		}
		for _, p := range seg {
			if pat, ok := barePattern(p, base); ok {
				out = append(out, pat)
			}
		}
	}
	return out
}

// appendPatterns splits the content of a code span at commas outside braces and brackets.
func appendPatterns(out []Pattern, p piece, base int) []Pattern {
	depth, from := 0, 0
	add := func(end int) {
		raw := p.text[from:end]
		if t := strings.TrimSpace(raw); t != "" {
			at := base + p.start + from + strings.Index(raw, t)
			out = append(out, Pattern{Text: strings.ReplaceAll(t, `\|`, "|"), Start: at, End: at + len(t)})
		}
		from = end + 1
	}
	for i := 0; i < len(p.text); i++ {
		switch p.text[i] {
		case '{', '[':
			depth++
		case '}', ']':
			depth = max(depth-1, 0)
		case ',':
			if depth == 0 {
				add(i)
			}
		}
	}
	add(len(p.text))
	return out
}

// barePattern reads a pattern that is not in a code span: without emphasis, link and a final note in parentheses.
func barePattern(p piece, base int) (Pattern, bool) {
	t := strings.TrimSpace(p.text)
	at := base + p.start + strings.Index(p.text, t)
	if strings.HasPrefix(t, "[") {
		if label, _, ok := strings.Cut(t[1:], "]("); ok {
			t, at = label, at+1
		}
	}
	if i := strings.Index(t, " ("); i > 0 {
		t = strings.TrimSpace(t[:i])
	}
	for _, mark := range []string{"__", "**", "*", "_"} {
		inner := strings.TrimSuffix(strings.TrimPrefix(t, mark), mark)
		if len(inner) == len(t)-2*len(mark) && inner != "" && !strings.ContainsAny(inner, "*_") {
			t, at = inner, at+len(mark)
			break
		}
	}
	if strings.Trim(t, "-–— \t") == "" {
		return Pattern{}, false
	}
	return Pattern{Text: unescape(t), Start: at, End: at + len(t)}, true
}

// unescape takes the backslash from each escaped punctuation character.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", s[i+1]) >= 0 {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// readRules reads the rule cell: destinations of links, file names in code spans, and bare file names. Letters such as C2
// beside a name say which part of the rule is meant.
func readRules(cell string, base int) []Rule {
	rest, out := readLinks(cell, base)
	for _, ref := range pathref.Find(rest) {
		if strings.HasSuffix(ref.Path, "/") {
			continue
		}
		out = append(out, Rule{Name: ref.Path, Start: base + ref.Start, End: base + ref.End})
	}
	byEnd := map[int]*Rule{}
	for i := range out {
		byEnd[out[i].End] = &out[i]
	}
	for _, seg := range segments(rest) {
		for _, p := range seg {
			if r := byEnd[base+p.start+len(strings.TrimRight(p.text, " \t"))]; p.code && r != nil {
				r.widen(p.text)
			}
		}
	}
	return out
}

// widen notes for the rule that ends a code span the whole span, because file names may hold spaces.
func (r *Rule) widen(span string) {
	if span = strings.TrimSpace(span); strings.ContainsAny(span, " \t") {
		r.Wide, _ = pathref.Clean(span)
	}
}

// readLinks takes the destinations of inline links that lead to files, and returns the cell with its links blanked out.
func readLinks(cell string, base int) (string, []Rule) {
	var out []Rule
	rest := []byte(cell)
	for i := 0; i < len(cell); {
		mid := strings.Index(cell[i:], "](")
		if mid < 0 {
			break
		}
		mid += i
		open := strings.LastIndexByte(cell[i:mid], '[')
		end := strings.IndexByte(cell[mid:], ')')
		if end < 0 {
			break
		}
		if open < 0 {
			i = mid + 2
			continue
		}
		open, end = open+i, end+mid
		dest := strings.TrimSpace(cell[mid+2 : end])
		at := base + mid + 2 + strings.Index(cell[mid+2:end], dest)
		if inner, ok := strings.CutPrefix(dest, "<"); ok {
			dest, _, _ = strings.Cut(inner, ">")
			at++
		} else if word, _, ok := strings.Cut(dest, " "); ok {
			dest = word
		}
		if name, ok := linkedFile(dest); ok {
			out = append(out, Rule{Name: name, Start: at, End: at + len(dest)})
		}
		for j := open; j <= end; j++ {
			rest[j] = ' '
		}
		i = end + 1
	}
	return string(rest), out
}

func linkedFile(dest string) (string, bool) {
	if strings.Contains(dest, ":") || strings.HasPrefix(dest, "#") || strings.ContainsAny(dest, "<>[]{}*$") {
		return "", false
	}
	if decoded, err := url.PathUnescape(dest); err == nil {
		dest = decoded
	}
	name, ok := pathref.Clean(dest)
	return name, ok && !strings.HasSuffix(name, "/")
}

// plain takes the marks of inline Markdown from a cell.
func plain(s string) string {
	s = strings.NewReplacer("`", "", "**", "", "__", "", "<br>", " ", "<br/>", " ", "<br />", " ").Replace(s)
	return strings.Join(strings.Fields(unescape(s)), " ")
}

// compose brings letters with marks, as Vietnamese has them, into one form.
func compose(s string) string { return norm.NFC.String(s) }
