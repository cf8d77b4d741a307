package markdown_test

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/seed-4419f9ca/forge/pkg/markdown"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

// A fataler is a test of package testing or of rapid.
type fataler interface{ Fatalf(string, ...any) }

// laws holds what is true of every document.
func laws(t fataler, src []byte) {
	d := markdown.Parse(src)
	if !reflect.DeepEqual(d, markdown.Parse(src)) {
		t.Fatalf("two parses of %q differ", src)
	}
	lines := text.NewLines(src)
	from := 0
	if d.BOM {
		from = 3
	}
	if d.Front.Closed {
		if d.Front.Start != from || d.Front.End < from || d.Front.End > len(src) {
			t.Fatalf("frontmatter from %d to %d in %q", d.Front.Start, d.Front.End, src)
		}
		from = d.Front.End
	}
	var check func(list []*markdown.Block, parent *markdown.Block, lo, hi int)
	check = func(list []*markdown.Block, parent *markdown.Block, lo, hi int) {
		for _, b := range list {
			if b.Parent != parent {
				t.Fatalf("%v at %d has another parent in %q", b.Kind, b.Start, src)
			}
			if b.Start < lo || b.End < b.Start || b.End > hi {
				t.Fatalf("%v from %d to %d is outside %d to %d of %q", b.Kind, b.Start, b.End, lo, hi, src)
			}
			if b.Line != lines.Pos(b.Start).Line {
				t.Fatalf("%v at %d has line %d in %q", b.Kind, b.Start, b.Line, src)
			}
			at := b.Start
			for _, l := range b.Content {
				if b.Kind != markdown.HTML && b.Kind != markdown.Comment && l.Start < at || l.End < l.Start || l.End > b.End {
					t.Fatalf("content of %v from %d to %d: %d to %d in %q", b.Kind, b.Start, b.End, l.Start, l.End, src)
				}
				at = l.End
			}
			at = b.Start
			for _, c := range b.Cells {
				if c.Start < at || c.End < c.Start || c.End > b.End || string(src[c.Start:c.End]) != c.Text {
					t.Fatalf("cell from %d to %d in %q", c.Start, c.End, src)
				}
				at = c.End
			}
			if b.End < len(src) && src[b.End] != '\n' && src[b.End] != '\r' {
				t.Fatalf("%v from %d to %d ends inside a line of %q", b.Kind, b.Start, b.End, src)
			}
			check(b.Children, b, b.Start, b.End)
			lo = b.End
		}
	}
	check(d.Blocks, nil, from, len(src))
	for _, c := range d.Comments() {
		if c.Start < from || c.End < c.Start || c.End > len(src) || !bytes.HasPrefix(src[c.Start:], []byte("<!--")) {
			t.Fatalf("comment from %d to %d in %q", c.Start, c.End, src)
		}
	}
	if u := d.UnclosedComment; u >= 0 && !bytes.HasPrefix(src[u:], []byte("<!--")) {
		t.Fatalf("no comment opens at %d of %q", u, src)
	}
	for _, l := range d.Links() {
		if l.Start < from || l.End <= l.Start || l.End > len(src) {
			t.Fatalf("link from %d to %d in %q", l.Start, l.End, src)
		}
	}
	d.Title()
	d.Anchors()
}

// places writes all blocks with their offsets taken through at.
func places(list []*markdown.Block, at func(int) int) []string {
	var out []string
	for _, b := range list {
		out = append(out, fmt.Sprintf("%v %d-%d %d %q %q %v %v %v", b.Kind, at(b.Start), at(b.End), b.Level, b.Text, b.Info, b.Task, b.Ordered, b.Closed))
		for _, l := range b.Content {
			out = append(out, fmt.Sprintf("%d-%d+%d", at(l.Start), at(l.End), l.Pad))
		}
		for _, c := range b.Cells {
			out = append(out, fmt.Sprintf("%d-%d %q", at(c.Start), at(c.End), c.Text))
		}
		out = append(out, places(b.Children, at)...)
	}
	return out
}

// invariance holds that line ends, a last line end, a byte-order mark and frontmatter change nothing but offsets.
func invariance(t fataler, src []byte) {
	src = bytes.ReplaceAll(src, []byte("\r"), nil)
	want := places(markdown.ParseFrom(src, 0).Blocks, func(at int) int { return at })
	same := func(how string, other []byte, from int, at func(int) int) {
		if diff := cmp.Diff(want, places(markdown.ParseFrom(other, from).Blocks, at)); diff != "" {
			t.Fatalf("%q is another document with %s: %s", src, how, diff)
		}
	}
	crlf := bytes.ReplaceAll(src, []byte("\n"), []byte("\r\n"))
	same("CRLF", crlf, 0, func(at int) int { return at - bytes.Count(crlf[:at], []byte("\r\n")) })
	same("CR", bytes.ReplaceAll(src, []byte("\n"), []byte("\r")), 0, func(at int) int { return at })
	front := append([]byte("---\na: 1\n---\n"), src...)
	same("something before", front, len(front)-len(src), func(at int) int { return at - len(front) + len(src) })
	if !bytes.HasSuffix(src, []byte("\n")) {
		same("a last line end", append(bytes.Clone(src), '\n'), 0, func(at int) int { return at })
	}
	for _, head := range []string{"\ufeff", "---\na: 1\n---\n", "\ufeff+++\n+++\n"} {
		d := markdown.Parse(append([]byte(head), src...))
		if head == "\ufeff" && d.Front.Closed {
			continue
		}
		if diff := cmp.Diff(want, places(d.Blocks, func(at int) int { return at - len(head) })); diff != "" {
			t.Fatalf("%q is another document after %q: %s", src, head, diff)
		}
	}
}

// pieces are the bits of which random documents are made.
var pieces = []string{
	"\n", "\n", "\n\n", "\r\n", " ", "  ", "    ", "\t", "a", "b c", "# ", "## x", "#", "=", "===", "---", "- ", "* ", "+ ", "1. ", "2) ",
	"> ", ">", "```", "~~~", "```go", "<!--", "-->", "<!-- a -->", "<div>", "</div>", "<h1>T</h1>", "<pre>", "</pre>", "<a b='c'>", "<?", "?>", "|", "| a | b |",
	"|---|---|", "|-|", ":-:", "[x] ", "[ ] ", "[a]: /b", "[a]", "[a](b)", "![", "](", "`", "``", "*", "**", "_", "~~", "\\", "&amp;", "<", ">", "+++", "\ufeff", "é", "⚠️", "    code", "***", "_ _ _",
}

func document(t *rapid.T) []byte {
	var b strings.Builder
	for _, p := range rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 40).Draw(t, "pieces") {
		b.WriteString(p)
	}
	return []byte(b.String())
}

func TestLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := document(t)
		laws(t, src)
		invariance(t, src)
	})
	for _, e := range examples(t) {
		laws(t, []byte(e))
		invariance(t, []byte(e))
	}
}

func FuzzParse(f *testing.F) {
	for _, e := range examples(f) {
		f.Add([]byte(e))
	}
	f.Add([]byte("\ufeff---\na: b\n---\n\n# T\r\n<!-- x -->\r\n"))
	f.Add([]byte("* 0\n  -"))
	f.Add([]byte("+++\na = 1\n+++\n|a|\n|-|\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		if refused(func() { markdown.Parse(src).Links() }) != nil {
			t.Skip()
		}
		laws(t, src)
		invariance(t, src)
	})
}
