package claim

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/seed-4419f9ca/forge/pkg/markdown"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

// maxDepth bounds the nesting of a block; what is read of one nests three deep.
const maxDepth = 100

// A document is the content of a fence and where its lines stand in the file.
type document struct {
	src   []byte // lines ended by LF, without the indentation of the fence
	lines []markdown.Line
	index *text.Lines // of src
	file  *text.Lines
	fence Place // its first line
}

func newDocument(doc *markdown.Doc, b *markdown.Block) *document {
	d := &document{src: doc.Bytes(b), lines: b.Content, file: doc.Lines(), fence: place(b)}
	if nl := bytes.IndexAny(doc.Src[b.Start:b.End], "\r\n"); nl >= 0 {
		d.fence.End = b.Start + nl
	}
	d.index = text.NewLines(d.src)
	return d
}

// A problem is why a block cannot be read.
type problem struct {
	at     Place
	reason string
}

// parse reads the block as one YAML mapping whose keys are texts and do not repeat.
func (d *document) parse() (*yaml.Node, *problem) {
	if p := d.characters(); p != nil {
		return nil, p
	}
	decoder := yaml.NewDecoder(bytes.NewReader(d.src))
	var first, second yaml.Node
	err := decoder.Decode(&first)
	if errors.Is(err, io.EOF) {
		return nil, &problem{d.fence, "it is empty"}
	}
	if err == nil {
		if err = decoder.Decode(&second); err == nil {
			return nil, &problem{d.at(second.Line), "a second YAML document begins in it"}
		}
	}
	if !errors.Is(err, io.EOF) {
		return nil, d.syntax(err)
	}
	if len(first.Content) == 0 || isNull(first.Content[0]) {
		return nil, &problem{d.fence, "it is empty"}
	}
	root := first.Content[0]
	if root.Kind != yaml.MappingNode {
		return nil, &problem{d.place(root), fmt.Sprintf("it is %s and not a mapping of fields to values", describe(root))}
	}
	return root, d.keys(root, true, 0)
}

// characters finds what ends a line for YAML only, so that the lines of the two would not agree.
func (d *document) characters() *problem {
	for i := 0; i < len(d.src); {
		r, size := utf8.DecodeRune(d.src[i:])
		if r == utf8.RuneError && size == 1 {
			return &problem{d.offsets(i, i+1), fmt.Sprintf("byte 0x%02x is not UTF-8", d.src[i])}
		}
		if r == '\u2028' || r == '\u2029' || r != '\n' && r != '\t' && unicode.IsControl(r) {
			return &problem{d.offsets(i, i+size), fmt.Sprintf("it holds the control character %U", r)}
		}
		i += size
	}
	return nil
}

// keys finds a key that is no text, stands twice, or merges another mapping in. "_" counts as "-" in the keys of a claim.
func (d *document) keys(n *yaml.Node, top bool, depth int) *problem {
	if depth > maxDepth {
		return &problem{d.place(n), fmt.Sprintf("its values nest more than %d deep", maxDepth)}
	}
	seen := map[string]int{}
	for i, c := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 {
			name := c.Value
			if top {
				name = canonicalKey(name)
			}
			switch {
			case c.Kind != yaml.ScalarNode:
				return &problem{d.place(c), fmt.Sprintf("a key of it is %s and not a text", describe(c))}
			case c.ShortTag() == "!!merge":
				return &problem{d.place(c), "the key << merges another mapping in; write the fields out"}
			case seen[name] > 0:
				return &problem{d.place(c), fmt.Sprintf("the key %q stands twice, first in line %d", c.Value, seen[name])}
			}
			seen[name] = d.line(c.Line)
			continue
		}
		if p := d.keys(c, false, depth+1); p != nil {
			return p
		}
	}
	return nil
}

// syntax places an error of the YAML library, which tells a line at best, and in errors of its grammar the one before.
func (d *document) syntax(err error) *problem {
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	line := 1
	if rest, ok := strings.CutPrefix(message, "line "); ok {
		number, after, _ := strings.Cut(rest, ": ")
		if n, err := strconv.Atoi(number); err == nil {
			line, message = n, after
			if strings.HasPrefix(message, "did not find expected") && !strings.Contains(message, "stream-start") {
				line++
			}
		}
	}
	if rest, ok := strings.CutPrefix(message, "unknown anchor '"); ok {
		name, _, _ := strings.Cut(rest, "'")
		if i := bytes.Index(d.src, []byte("*"+name)); name != "" && i >= 0 {
			return &problem{d.offsets(i, i+1+len(name)), fmt.Sprintf("%q stands for an earlier value of YAML that is not there; put a pattern into quotes", "*"+name)}
		}
	}
	if strings.HasPrefix(message, "did not find expected alphabetic") { // after a * or &
		message += "; put a value that begins with * or & into quotes"
	}
	line = min(max(line, 1), d.index.Count())
	content := d.index.Text(line)
	if indent := content[:len(content)-len(bytes.TrimLeft(content, " \t"))]; bytes.IndexByte(indent, '\t') >= 0 {
		message = "a tab stands in the indentation, and YAML takes spaces only"
	}
	return &problem{d.at(line), "it is not valid YAML: " + text.Escape(message)}
}

// at is the place of a line of the block, without its indentation.
func (d *document) at(line int) Place {
	line = min(max(line, 1), d.index.Count())
	start, content := d.index.Start(line), d.index.Text(line)
	indent := len(content) - len(bytes.TrimLeft(content, " \t"))
	return d.offsets(start+indent, start+len(content))
}

// line turns a line of the block into one of the file.
func (d *document) line(line int) int { return d.file.Pos(d.offset(d.index.Start(line))).Line }

// offsets turns offsets in the block into a place in the file.
func (d *document) offsets(start, end int) Place {
	return Place{d.offset(start), d.offset(max(end, start))}
}

func (d *document) offset(at int) int {
	if len(d.lines) == 0 {
		return d.fence.Start
	}
	pos := d.index.Pos(at)
	l := d.lines[min(pos.Line, len(d.lines))-1]
	return min(l.Start+max(pos.Column-1-l.Pad, 0), l.End)
}

// place is where a node stands: of a scalar all of it with its quotes, of a list or a mapping from its first sign to its
// last.
func (d *document) place(n *yaml.Node) Place {
	start := d.start(n)
	return d.offsets(start, d.end(n, start, 0))
}

// start turns the library's place of a node, whose column counts characters, into an offset.
func (d *document) start(n *yaml.Node) int {
	at := d.index.Start(max(n.Line, 1))
	rest := d.index.Text(max(n.Line, 1))
	for i := 1; i < n.Column && len(rest) > 0; i++ {
		_, size := utf8.DecodeRune(rest)
		at, rest = at+size, rest[size:]
	}
	return at
}

// end returns the offset after a node that begins at offset start, which the library does not tell.
func (d *document) end(n *yaml.Node, start, depth int) int {
	if depth > maxDepth {
		return start
	}
	switch n.Kind {
	case yaml.AliasNode:
		return d.word(start)
	case yaml.ScalarNode:
		return d.scalarEnd(n, start)
	}
	end := start
	for _, c := range n.Content {
		at := d.start(c)
		end = max(end, d.end(c, at, depth+1))
	}
	if n.Style&yaml.FlowStyle != 0 {
		return d.closing(n, end)
	}
	return end
}

// closing finds the bracket that closes a list or mapping of flow style, behind its last element.
func (d *document) closing(n *yaml.Node, at int) int {
	sign := byte(']')
	if n.Kind == yaml.MappingNode {
		sign = '}'
	}
	for ; at < len(d.src); at++ {
		if d.src[at] == '#' && at > 0 && strings.IndexByte(" \t\n", d.src[at-1]) >= 0 {
			if nl := bytes.IndexByte(d.src[at:], '\n'); nl >= 0 {
				at += nl
			}
			continue
		}
		if d.src[at] == sign {
			return at + 1
		}
	}
	return at
}

// scalarEnd returns the offset after a scalar.
func (d *document) scalarEnd(n *yaml.Node, start int) int {
	at := start
	for at < len(d.src) && (d.src[at] == '&' || d.src[at] == '!') { // an anchor of YAML or a tag
		at = d.word(at)
		for at < len(d.src) && strings.IndexByte(" \t\n", d.src[at]) >= 0 {
			at++
		}
	}
	switch {
	case n.Style&yaml.DoubleQuotedStyle != 0:
		for at++; at < len(d.src) && d.src[at] != '"'; at++ {
			if d.src[at] == '\\' {
				at++
			}
		}
		return min(at+1, len(d.src))
	case n.Style&yaml.SingleQuotedStyle != 0:
		for at++; at < len(d.src); at++ {
			if d.src[at] != '\'' {
				continue
			}
			if at+1 == len(d.src) || d.src[at+1] != '\'' {
				break
			}
			at++
		}
		return min(at+1, len(d.src))
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return d.indented(at)
	}
	if bytes.HasPrefix(d.src[at:], []byte(n.Value)) {
		return at + len(n.Value)
	}
	for at < len(d.src) && d.src[at] != '\n' { // a plain text over several lines
		at++
	}
	return at
}

// indented returns the end of the lines after offset at that are indented deeper than its own line, and of that line.
func (d *document) indented(at int) int {
	line := d.index.Pos(at).Line
	depth := func(s []byte) int { return len(s) - len(bytes.TrimLeft(s, " ")) }
	own := depth(d.index.Text(line))
	end := d.index.Start(line) + len(d.index.Text(line))
	for next := line + 1; next <= d.index.Count(); next++ {
		content := d.index.Text(next)
		if len(bytes.TrimSpace(content)) == 0 {
			continue
		}
		if depth(content) <= own {
			break
		}
		end = d.index.Start(next) + len(content)
	}
	return end
}

// word returns the end of the run of characters at offset at that no white space and no sign of a flow list ends.
func (d *document) word(at int) int {
	for at < len(d.src) && strings.IndexByte(" \t\n,[]{}", d.src[at]) < 0 {
		at++
	}
	return at
}

// resolve follows an alias.
func resolve(n *yaml.Node) *yaml.Node {
	for hops := 0; n.Kind == yaml.AliasNode && n.Alias != nil && hops < 10; hops++ {
		n = n.Alias
	}
	return n
}

func isNull(n *yaml.Node) bool {
	n = resolve(n)
	return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null"
}

// describe says what a node is.
func describe(n *yaml.Node) string {
	n = resolve(n)
	switch {
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case isNull(n):
		return "nothing"
	}
	return fmt.Sprintf("the text %q", n.Value)
}
