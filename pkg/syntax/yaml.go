package syntax

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/seed-4419f9ca/forge/pkg/text"
)

// readYAML reads a stream of YAML documents. Comments, quotes and the style of blocks mean nothing; tags, anchors, aliases and
// the order of keys do.
func readYAML(src []byte) (*reading, string, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(src))
	y := &yamlReader{lines: text.NewLines(src), src: src}
	var roots []*item
	for {
		var doc yaml.Node
		err := decoder.Decode(&doc)
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Sprintf("not valid YAML: %s", strings.ReplaceAll(strings.TrimPrefix(err.Error(), "yaml: "), "\n", " ")), nil
		}
		for _, n := range doc.Content {
			roots = append(roots, y.item("", n, n, 0))
		}
	}
	if y.deep {
		return nil, fmt.Sprintf("its values nest more than %d deep", maxItemDepth), nil
	}
	for i := len(y.items) - 1; i >= 0; i-- { // an item ends where the next one that it does not hold begins
		y.items[i].end = y.trim(y.items[i].start, y.next(i))
	}
	return outline(roots), "", nil
}

// A yamlReader turns nodes into items, which it also lists in the order of the source.
type yamlReader struct {
	src   []byte
	lines *text.Lines
	items []*item
	deep  bool
	after []int // by item: how many items were there when all below it had been read
}

func (y *yamlReader) item(key string, at, n *yaml.Node, depth int) *item {
	if depth > maxItemDepth {
		y.deep = true
		return &item{}
	}
	t := &item{key: key, start: y.offset(at)}
	index := len(y.items)
	y.items, y.after = append(y.items, t), append(y.after, 0)
	t.text = n.ShortTag() + " "
	if n.Anchor != "" {
		t.text += "&" + n.Anchor + " "
	}
	switch n.Kind {
	case yaml.MappingNode:
		t.kind = "mapping"
		for i := 0; i+1 < len(n.Content); i += 2 {
			name := n.Content[i].Value
			if n.Content[i].Kind != yaml.ScalarNode || name == "" {
				name = fmt.Sprintf("%q", n.Content[i].Value)
			}
			t.children = append(t.children, y.item(name, n.Content[i], n.Content[i+1], depth+1))
		}
	case yaml.SequenceNode:
		t.kind = "sequence"
		for _, c := range n.Content {
			t.children = append(t.children, y.item("", c, c, depth+1))
		}
	case yaml.AliasNode:
		t.kind, t.text = "alias", n.Value
	default:
		t.kind = "scalar"
		t.text += n.Value
	}
	y.after[index] = len(y.items)
	return t
}

// offset returns where a node stands. Columns are counted in characters.
func (y *yamlReader) offset(n *yaml.Node) int32 {
	line := min(max(n.Line, 1), y.lines.Count())
	at := y.lines.Start(line)
	rest := string(y.src[at:])
	column := 1
	for i := range rest {
		if column >= n.Column {
			return int32(at + i)
		}
		column++
	}
	return int32(len(y.src))
}

func (y *yamlReader) next(i int) int32 {
	if y.after[i] < len(y.items) {
		return y.items[y.after[i]].start
	}
	return int32(len(y.src))
}

// trim takes blank lines and lines with nothing but a comment or a list sign off the end of a range.
func (y *yamlReader) trim(start, end int32) int32 {
	for end > start {
		line := start + int32(bytes.LastIndexByte(y.src[start:end], '\n')+1)
		content := bytes.TrimSpace(y.src[line:end])
		if len(content) > 0 && content[0] != '#' && string(content) != "-" && string(content) != "---" && string(content) != "?" {
			return line + int32(len(bytes.TrimRight(y.src[line:end], " \t\n,")))
		}
		if line == start {
			break
		}
		end = line - 1
	}
	return max(end, start)
}
