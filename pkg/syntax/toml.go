package syntax

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

func itoa(n int) string { return strconv.Itoa(n) }

// readTOML reads a TOML document. Comments, quotes, dotted keys or table headers, and underscores in numbers mean nothing.
func readTOML(src []byte) (*reading, string, error) {
	t := &tomlReader{root: &item{kind: "table"}}
	t.table = t.root
	t.parser.Reset(src)
	for t.parser.NextExpression() {
		if err := t.expression(t.parser.Expression()); err != nil {
			return nil, fmt.Sprintf("not valid TOML: %v", err), nil
		}
	}
	if err := t.parser.Error(); err != nil {
		return nil, fmt.Sprintf("not valid TOML: %v", err), nil
	}
	t.root.stretch()
	return outline([]*item{t.root}), "", nil
}

type tomlReader struct {
	parser unstable.Parser
	root   *item
	table  *item // of the header that holds
}

func (t *tomlReader) expression(n *unstable.Node) error {
	switch n.Kind {
	case unstable.Table, unstable.ArrayTable:
		place, start, end, err := t.walk(t.root, n.Key(), n.Kind == unstable.ArrayTable)
		if err != nil {
			return err
		}
		if n.Kind == unstable.ArrayTable {
			element := &item{kind: "table", start: start, end: end}
			place.kind, place.children = "array", append(place.children, element)
			place = element
		}
		place.end = max(place.end, end)
		t.table = place
	case unstable.KeyValue:
		return t.pair(t.table, n)
	}
	return nil
}

// walk goes down the keys of a header or a pair. In an array of tables it goes on in the last one.
func (t *tomlReader) walk(from *item, keys unstable.Iterator, array bool) (at *item, start, end int32, err error) {
	at, start = from, -1
	for depth := 0; keys.Next(); depth++ {
		k := keys.Node()
		if depth > maxItemDepth {
			return nil, 0, 0, fmt.Errorf("a key has more than %d parts", maxItemDepth)
		}
		if start < 0 {
			start = int32(k.Raw.Offset)
		}
		end = int32(k.Raw.Offset + k.Raw.Length)
		if at.kind == "array" {
			if len(at.children) == 0 {
				return nil, 0, 0, fmt.Errorf("%q is a list and no table", at.key)
			}
			at = at.children[len(at.children)-1]
		}
		if at.kind != "table" {
			return nil, 0, 0, fmt.Errorf("%q is no table", at.key)
		}
		name := string(k.Data)
		if name == "" {
			name = `""`
		}
		at = at.child(name, "table", start)
	}
	if at.kind == "array" && !array && len(at.children) > 0 {
		at = at.children[len(at.children)-1]
	}
	return at, start, end, nil
}

func (t *tomlReader) pair(table *item, n *unstable.Node) error {
	at, _, _, err := t.walk(table, n.Key(), false)
	if err != nil {
		return err
	}
	return t.value(at, n.Value())
}

func (t *tomlReader) value(into *item, v *unstable.Node) error {
	into.end = max(into.end, int32(v.Raw.Offset+v.Raw.Length))
	into.kind = strings.ToLower(v.Kind.String())
	switch v.Kind {
	case unstable.Array:
		for it := v.Children(); it.Next(); {
			if it.Node().Kind == unstable.Comment {
				continue
			}
			element := &item{start: int32(it.Node().Raw.Offset)}
			into.children = append(into.children, element)
			if err := t.value(element, it.Node()); err != nil {
				return err
			}
		}
	case unstable.InlineTable:
		into.kind = "table"
		for it := v.Children(); it.Next(); {
			if it.Node().Kind != unstable.KeyValue {
				continue
			}
			if err := t.pair(into, it.Node()); err != nil {
				return err
			}
		}
	case unstable.Integer, unstable.Float:
		into.text = strings.ToLower(strings.ReplaceAll(string(v.Data), "_", ""))
	default:
		into.text = string(v.Data)
	}
	return nil
}
