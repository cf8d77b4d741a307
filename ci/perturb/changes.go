package main

import (
	"regexp"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/fingerprint"
)

// A changer makes edits of one definition that mean something, at most one of each name. Each is made in a place where the
// definition has a token of its own, so that no comment is taken for code.
type changer struct {
	src    string
	lines  []string // with their ends
	tokens []fingerprint.Token
	markup bool // the language has tags: what stands behind the last sign of one belongs to something else
	list   bool // the language names elements of lists by their places, which change with the lines
	out    map[string]string
}

// substantive returns the edits by name. seed spreads the choice.
func substantive(language, src string, tokens []fingerprint.Token, seed int) map[string]string {
	c := &changer{src: src, lines: strings.SplitAfter(src, "\n"), markup: language == "html", list: language == "yaml" || language == "toml", out: map[string]string{}}
	for n := range tokens {
		if t := tokens[(n+seed)%len(tokens)]; t.Part != "doc" && t.Leaf && t.Line >= 1 && t.Line <= len(c.lines) && !strings.Contains(t.Text, "\n") {
			c.tokens = append(c.tokens, t)
		}
	}
	for n, t := range c.tokens {
		c.token(t)
		if n+1 < len(c.tokens) {
			c.defaults(t, c.tokens[n+1])
		}
		c.local(t)
		c.words(t)
		c.line(t)
		c.text(t)
	}
	return c.out
}

// replace records the source with the n-th line changed, unless there is an edit of that name already.
func (c *changer) replace(name string, n int, line string) {
	if c.out[name] == "" && line != c.lines[n-1] {
		c.out[name] = strings.Join(c.lines[:n-1], "") + line + strings.Join(c.lines[n:], "")
	}
}

// swap replaces what stands alone on a line.
func (c *changer) swap(name string, n int, text, with string) {
	if strings.Count(c.lines[n-1], text) == 1 {
		c.replace(name, n, strings.Replace(c.lines[n-1], text, with, 1))
	}
}

// token changes an operator, a number or a name.
func (c *changer) token(t fingerprint.Token) {
	if c.markup && (t.Text == "<" || t.Text == ">") {
		return
	}
	if with, ok := operators()[t.Text]; ok {
		c.swap("operator", t.Line, t.Text, with)
		return
	}
	if t.Text == "" {
		return
	}
	if tag, value, ok := strings.Cut(t.Text, " "); t.Kind == "scalar" && ok && strings.HasPrefix(tag, "!!") && value != "" {
		c.swap("value", t.Line, value, value+"q") // of YAML
		return
	}
	switch first := t.Text[0]; {
	case first >= '0' && first <= '8':
		c.swap("number", t.Line, t.Text, string(first+1)+t.Text[1:])
	case isName(t) && t.Field != "name":
		c.swap("name", t.Line, t.Text, t.Text+"q")
	}
}

func isName(t fingerprint.Token) bool {
	return strings.HasSuffix(t.Kind, "identifier") && len(t.Text) > 0 && t.Text[0] != '"'
}

func operators() map[string]string {
	return map[string]string{
		"<": "<=", ">": ">=", "<=": "<", ">=": ">", "==": "!=", "!=": "==", "===": "!==", "!==": "===", "&&": "||", "||": "&&", "+": "-", "-": "+", "and": "or", "or": "and",
		"*": "+", "/": "*", "%": "/", "<<": ">>", ">>": "<<", "+=": "-=", "-=": "+=", "++": "--", "--": "++", "??": "||", "~=": "==", "<>": "++", "^": "|",
		"true": "false", "false": "true", "True": "False", "False": "True",
	}
}

// defaults changes the literal after the sign of a default.
func (c *changer) defaults(sign, value fingerprint.Token) {
	if sign.Text != "=" || sign.Part != "signature" || sign.Line != value.Line || value.Text == "" || c.out["default"] != "" {
		return
	}
	with := operators()[value.Text]
	if first := value.Text[0]; first >= '0' && first <= '8' {
		with = string(first+1) + value.Text[1:]
	}
	at := regexp.MustCompile(`=\s*` + regexp.QuoteMeta(value.Text))
	if with != "" && len(at.FindAllString(c.lines[value.Line-1], -1)) == 1 {
		c.replace("default", value.Line, at.ReplaceAllString(c.lines[value.Line-1], "= "+with))
	}
}

// local renames a name everywhere in the definition.
func (c *changer) local(t fingerprint.Token) {
	if c.out["rename"] != "" || t.Part != "body" || !isName(t) {
		return
	}
	if !regexp.MustCompile(`^\w+$`).MatchString(t.Text) {
		return
	}
	word := regexp.MustCompile(`\b` + t.Text + `\b`)
	lines := append([]string{}, c.lines...)
	count := 0
	for _, u := range c.tokens {
		if u.Text == t.Text && isName(u) && lines[u.Line-1] == c.lines[u.Line-1] {
			lines[u.Line-1] = word.ReplaceAllLiteralString(lines[u.Line-1], t.Text+"Renamed")
			count++
		}
	}
	if count > 1 {
		c.out["rename"] = strings.Join(lines, "")
	}
}

// words changes a visibility and takes modifiers away.
func (c *changer) words(t fingerprint.Token) {
	switch t.Text {
	case "public":
		c.word("visibility", t, "private")
	case "private":
		c.word("visibility", t, "protected")
	case "protected", "internal", "fileprivate":
		c.word("visibility", t, "private")
	case "pub", "export":
		c.word("visibility", t, "")
	case "async", "static", "final", "const", "readonly", "abstract", "override", "mut", "unsafe", "virtual", "inline", "suspend", "sealed", "repeated", "optional", "mutating":
		c.word("modifier", t, "")
	}
}

func (c *changer) word(name string, t fingerprint.Token, with string) {
	at := regexp.MustCompile(`\b` + t.Text + `\b ?`)
	if len(at.FindAllString(c.lines[t.Line-1], -1)) != 1 {
		return
	}
	if with != "" {
		with += " "
	}
	c.replace(name, t.Line, at.ReplaceAllString(c.lines[t.Line-1], with))
}

// line drops a line of a body or a decorator, and swaps two arguments.
func (c *changer) line(t fingerprint.Token) {
	line := c.lines[t.Line-1]
	content := strings.TrimSpace(line)
	decorator := regexp.MustCompile(`^(@\w[\w.]*(\(.*\))?|#\[.*\]|\[\w+(\(.*\))?\])$`)
	switch {
	case t.Part == "signature" && decorator.MatchString(content):
		c.replace("decorator", t.Line, "")
	case !c.list && t.Part == "body" && balanced(content) && c.out["statement"] == "" && len(content) > 3:
		c.replace("statement", t.Line, "")
	}
	if c.out["arguments"] != "" {
		return
	}
	pair := regexp.MustCompile(`([(,]\s*)(\w+)(\s*,\s*)(\w+)(\s*[,)])`)
	if m := pair.FindStringSubmatch(line); m != nil && m[2] != m[4] && c.has(t.Line, m[2]) && c.has(t.Line, m[4]) {
		c.swap("arguments", t.Line, m[0], m[1]+m[4]+m[3]+m[2]+m[5])
	}
}

// has reports whether a text is a token of a line.
func (c *changer) has(line int, text string) bool {
	for _, t := range c.tokens {
		if t.Line == line && t.Text == text {
			return true
		}
	}
	return false
}

func balanced(line string) bool {
	depth := 0
	for _, r := range line {
		switch r {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth < 0 {
				return false
			}
		}
	}
	return depth == 0
}

// text changes a letter of a string.
func (c *changer) text(t fingerprint.Token) {
	if c.out["text"] != "" || !strings.Contains(t.Kind, "string") && !strings.Contains(t.Kind, "content") {
		return
	}
	for _, quoted := range regexp.MustCompile(`"[A-Za-z ]{2,}"|'[A-Za-z ]{2,}'`).FindAllString(c.lines[t.Line-1], -1) {
		if value := quoted[1 : len(quoted)-1]; strings.Contains(t.Text, value) {
			c.swap("text", t.Line, quoted, quoted[:1]+value+"Q"+quoted[:1])
		}
	}
}
