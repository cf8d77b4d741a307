package markdown_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	stdhtml "html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	gtext "github.com/yuin/goldmark/text"
	"pgregory.net/rapid"

	"github.com/seed-4419f9ca/forge/pkg/markdown"
)

// oracle is goldmark with its own extensions, where package markdown has transformers of its own. What it renders tells how
// escapes, references and links read as plain text.
var oracle = goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough))

// ours writes the tree of package markdown in the form that theirs writes goldmark's.
func ours(d *markdown.Doc, list []*markdown.Block, b *strings.Builder, depth int) {
	for _, k := range list {
		if k.Kind == markdown.LinkDef {
			continue
		}
		fmt.Fprintf(b, "%s", strings.Repeat(" ", depth))
		switch k.Kind {
		case markdown.Heading:
			fmt.Fprintf(b, "heading %d %q\n", k.Level, strings.TrimSpace(k.Text))
		case markdown.Paragraph:
			fmt.Fprintf(b, "paragraph %q %q\n", trim(k.Text), squeeze(d.Plain(k.Content)))
		case markdown.List:
			fmt.Fprintf(b, "list %v\n", k.Ordered)
		case markdown.Item, markdown.Quote, markdown.Rule:
			fmt.Fprintf(b, "%s\n", k.Kind)
		case markdown.Fence:
			fmt.Fprintf(b, "fence %q %q\n", k.Info, trim(string(d.Bytes(k))))
		case markdown.Code:
			fmt.Fprintf(b, "code %q\n", trim(string(d.Bytes(k))))
		case markdown.HTML, markdown.Comment:
			fmt.Fprintf(b, "html %q\n", trim(string(d.Bytes(k))))
		case markdown.Table:
			b.WriteString("table\n")
			for _, r := range k.Children {
				fmt.Fprintf(b, "%srow", strings.Repeat(" ", depth+1))
				for i := range k.Children[0].Cells {
					t := ""
					if i < len(r.Cells) {
						t = r.Cells[i].Text
					}
					fmt.Fprintf(b, " %q", t)
				}
				b.WriteString("\n")
			}
			continue
		}
		ours(d, k.Children, b, depth+1)
	}
}

func trim(s string) string {
	return strings.Trim(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s), "\n \t")
}

// squeeze folds white space, which renderers lay out as they like.
func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }

func theirs(src []byte, n ast.Node, b *strings.Builder, depth int) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if c.Kind() == ast.KindLinkReferenceDefinition || c.Type() == ast.TypeInline {
			continue
		}
		fmt.Fprintf(b, "%s", strings.Repeat(" ", depth))
		switch k := c.(type) {
		case *ast.Heading:
			fmt.Fprintf(b, "heading %d %q\n", k.Level, rendered(src, k))
		case *ast.Paragraph, *ast.TextBlock:
			fmt.Fprintf(b, "paragraph %q %q\n", trim(linesOf(src, c)), squeeze(rendered(src, c)))
		case *ast.List:
			fmt.Fprintf(b, "list %v\n", k.IsOrdered())
		case *ast.ListItem:
			b.WriteString("item\n")
		case *ast.Blockquote:
			b.WriteString("quote\n")
		case *ast.ThematicBreak:
			b.WriteString("rule\n")
		case *ast.FencedCodeBlock:
			info := ""
			if k.Info != nil {
				info = string(k.Info.Segment.Value(src))
			}
			fmt.Fprintf(b, "fence %q %q\n", info, trim(linesOf(src, c)))
		case *ast.CodeBlock:
			fmt.Fprintf(b, "code %q\n", trim(linesOf(src, c)))
		case *ast.HTMLBlock:
			t := linesOf(src, c)
			if k.HasClosure() {
				t += string(k.ClosureLine.Value(src))
			}
			fmt.Fprintf(b, "html %q\n", trim(t))
		case *east.Table:
			b.WriteString("table\n")
			for r := k.FirstChild(); r != nil; r = r.NextSibling() {
				fmt.Fprintf(b, "%srow", strings.Repeat(" ", depth+1))
				for cell := r.FirstChild(); cell != nil; cell = cell.NextSibling() {
					fmt.Fprintf(b, " %q", linesOf(src, cell))
				}
				b.WriteString("\n")
			}
			continue
		default:
			fmt.Fprintf(b, "?%T\n", c)
		}
		theirs(src, c, b, depth+1)
	}
}

func linesOf(src []byte, n ast.Node) string {
	var b strings.Builder
	for i := range n.Lines().Len() {
		l := n.Lines().At(i)
		b.Write(l.Value(src))
	}
	return b.String()
}

var image = regexp.MustCompile(`<img src="[^"]*" alt="([^"]*)"[^>]*>`)
var tag = regexp.MustCompile(`<[^>]*>`)

func rendered(src []byte, n ast.Node) string {
	var b bytes.Buffer
	if err := oracle.Renderer().Render(&b, src, n); err != nil {
		panic(err)
	}
	s := image.ReplaceAllString(b.String(), "$1")
	s = stdhtml.UnescapeString(tag.ReplaceAllString(s, ""))
	return strings.TrimSpace(strings.ReplaceAll(s, "\n", " "))
}

func compare(t *testing.T, src string) {
	t.Helper()
	if got, want := both(src); got != want {
		t.Errorf("source %q\ngot:\n%s\nwant:\n%s", src, got, want)
	}
}

func both(src string) (got, want string) {
	var g, w strings.Builder
	d := markdown.ParseFrom([]byte(src), 0)
	ours(d, d.Blocks, &g, 0)
	src = strings.TrimSuffix(src, "\n") + "\n"
	theirs([]byte(src), oracle.Parser().Parse(gtext.NewReader([]byte(src))), &w, 0)
	return g.String(), w.String()
}

// examples returns the examples of the CommonMark specification that goldmark ships for its own tests.
func examples(t testing.TB) []string {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/yuin/goldmark").Output()
	if err != nil {
		t.Skipf("could not find goldmark's sources: %v", err)
	}
	data, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(out)), "_test", "spec.json"))
	if err != nil {
		t.Skipf("could not read the examples: %v", err)
	}
	var list []struct{ Markdown string }
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	var examples []string
	for _, e := range list {
		examples = append(examples, e.Markdown)
	}
	return examples
}

func TestExamplesOfCommonMark(t *testing.T) {
	list := examples(t)
	if len(list) < 600 {
		t.Fatalf("%d examples, want the whole specification", len(list))
	}
	for _, e := range list {
		compare(t, e)
	}
}

// TestLikeGoldmark compares random documents without tables and strikethrough, which goldmark's own extensions read with more
// lenience than GitHub: a header row may be shorter than its delimiter row, runs of tildes may have different lengths.
func TestLikeGoldmark(t *testing.T) {
	common := slices.DeleteFunc(slices.Clone(pieces), func(p string) bool { return strings.ContainsAny(p, "|\r") || p == "~~" })
	rapid.Check(t, func(t *rapid.T) {
		src := strings.Join(rapid.SliceOfN(rapid.SampledFrom(common), 0, 40).Draw(t, "pieces"), "")
		if got, want := both(src); got != want {
			t.Fatalf("source %q\ngot:\n%s\nwant:\n%s", src, got, want)
		}
	})
}
