package config

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

	"github.com/seed-4419f9ca/forge/pkg/text"
)

// Bounds of a configuration.
const (
	maxSize   = 256 << 10 // bytes
	maxValues = 1 << 17   // values and keys, each as often as an alias repeats it
	maxErrors = 50        // that are reported
)

// Parse reads the configuration src; name stands for it in errors and becomes its Source. ids are the ids of all checks;
// with nil any id is taken. Keys that src does not have keep the values of Default, and so does an empty file.
//
// The error is of type Errors and holds every fault that was found.
func Parse(name string, src []byte, ids []string) (*Config, error) {
	d := &decoder{file: name, values: maxValues, ids: ids}
	src = bytes.TrimPrefix(src, []byte("\ufeff"))
	d.lines = text.NewLines(src)
	cfg := Default()
	cfg.Source = name
	if d.readable(src) {
		if root := d.document(src); root != nil {
			table().decode(d, root, "", cfg)
		}
	}
	if len(d.errs) > 0 {
		d.errs.sort()
		return nil, d.errs
	}
	return cfg, nil
}

// readable reports whether src is text of a bearable size in which lines are what they look like, and says what it is not.
func (d *decoder) readable(src []byte) bool {
	if len(src) > maxSize {
		d.failAt(text.Pos{Line: 1, Column: 1}, "", "", "the file has %d bytes, more than the limit of %d", len(src), maxSize)
		return false
	}
	for i := 0; i < len(src); {
		r, size := utf8.DecodeRune(src[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			d.failAt(d.lines.Pos(i), "", "", "byte 0x%02x is not UTF-8", src[i])
			return false
		case r == '\r' && i+1 < len(src) && src[i+1] == '\n', r == '\n', r == '\t':
		case unicode.IsControl(r), r == '\u2028', r == '\u2029', r == '\ufeff', r == '\ufffe', r == '\uffff':
			d.failAt(d.lines.Pos(i), "", "", "control character %U", r)
			return false
		}
		i += size
	}
	return true
}

// document parses src into its one document; nil when it is empty or has a fault.
func (d *decoder) document(src []byte) *yaml.Node {
	dec := yaml.NewDecoder(bytes.NewReader(src))
	var first, second yaml.Node
	err := dec.Decode(&first)
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err == nil {
		if err = dec.Decode(&second); err == nil {
			d.fail(&second, "", "", "a second document begins; the configuration is one")
			return nil
		}
	}
	if !errors.Is(err, io.EOF) {
		d.syntax(err)
		return nil
	}
	if len(first.Content) != 1 {
		return nil
	}
	return first.Content[0]
}

// syntax reports an error of the YAML library. The library tells a line at best, and in errors of its grammar the one
// before.
func (d *decoder) syntax(err error) {
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
	if at, ok := d.alias(message); ok {
		d.failAt(at, "", "", "no valid YAML: %s", text.Escape(message))
		return
	}
	line = max(1, min(line, d.lines.Count()))
	content := d.lines.Text(line)
	indent := len(content) - len(bytes.TrimLeft(content, " \t"))
	if tab := bytes.IndexByte(content[:indent], '\t'); tab >= 0 {
		indent, message = tab, "tab in the indentation; YAML takes spaces only"
	}
	d.failAt(text.Pos{Line: line, Column: indent + 1}, "", "", "no valid YAML: %s", text.Escape(message))
}

// alias finds the alias that an error of the library is about, for which it tells no line.
func (d *decoder) alias(message string) (text.Pos, bool) {
	rest, ok := strings.CutPrefix(message, "unknown anchor '")
	name, _, _ := strings.Cut(rest, "'")
	if !ok || name == "" {
		return text.Pos{}, false
	}
	for line := 1; line <= d.lines.Count(); line++ {
		if i := bytes.Index(d.lines.Text(line), []byte("*"+name)); i >= 0 {
			return text.Pos{Line: line, Column: i + 1}, true
		}
	}
	return text.Pos{}, false
}

// A decoder collects the faults of one file.
type decoder struct {
	file   string
	lines  *text.Lines
	ids    []string
	values int // that may still be read
	errs   Errors
	done   bool // enough faults
}

// fail reports a fault at n.
func (d *decoder) fail(n *yaml.Node, key, nearest, format string, args ...any) {
	d.failAt(d.pos(n), key, nearest, format, args...)
}

func (d *decoder) failAt(at text.Pos, key, nearest, format string, args ...any) {
	if d.done {
		return
	}
	d.errs = append(d.errs, &Error{File: d.file, Line: at.Line, Column: at.Column, Key: key, Message: fmt.Sprintf(format, args...), Nearest: nearest})
	d.done = len(d.errs) >= maxErrors
}

// pos turns the library's place, whose column counts characters, into one that counts bytes.
func (d *decoder) pos(n *yaml.Node) text.Pos {
	at := text.Pos{Line: max(n.Line, 1), Column: 1}
	line := d.lines.Text(at.Line)
	for i := 1; i < n.Column && at.Column <= len(line); i++ {
		_, size := utf8.DecodeRune(line[at.Column-1:])
		at.Column += size
	}
	return at
}

// resolve follows an alias. It returns nil when nothing more is to be read: the values are used up, which is reported, or
// there were enough faults.
func (d *decoder) resolve(n *yaml.Node) *yaml.Node {
	for hops := 0; n.Kind == yaml.AliasNode && hops < 10; hops++ {
		n = n.Alias
	}
	if d.values--; d.values < 0 && !d.done {
		d.fail(n, "", "", "more than %d values, with those that aliases repeat", maxValues)
		d.done = true
	}
	if d.done {
		return nil
	}
	return n
}

// wrong reports that n is not of the type that the words want describe.
func (d *decoder) wrong(n *yaml.Node, key, want string) {
	d.fail(n, key, "", "wrong type: %s expected, found %s", want, found(n))
}

// found describes a node.
func found(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	}
	switch n.ShortTag() {
	case "!!null":
		return "nothing"
	case "!!str":
		return "the text " + quote(n.Value)
	case "!!int", "!!float":
		return "the number " + clip(n.Value)
	case "!!bool":
		return clip(n.Value)
	case "!!timestamp":
		return "the date " + clip(n.Value) + " (put it in quotes)"
	}
	return "a value with the tag " + clip(n.Tag)
}

// quote puts s between double quotes, shortened and safe to print.
func quote(s string) string { return `"` + clip(s) + `"` }

func clip(s string) string {
	const most = 80
	if len(s) > most {
		cut := most
		for cut > 0 && !utf8.RuneStart(s[cut]) {
			cut--
		}
		s = s[:cut] + "…"
	}
	return text.Escape(s)
}
