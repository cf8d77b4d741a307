package markdown_test

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-4419f9ca/forge/pkg/markdown"
)

// TestHostile parses inputs that make a careless parser overflow its stack or take quadratic time; with one of those the
// test would not come back.
func TestHostile(t *testing.T) {
	const n = 100_000
	r := strings.Repeat
	var stairs strings.Builder
	for i := range 2000 {
		stairs.WriteString(r(" ", i) + "- a\n")
	}
	inputs := map[string]string{
		"quotes":           r(">", n) + "\n",
		"quotes, lazy":     r(">", n) + "a\n" + r("b\n", n),
		"items":            r("- ", n) + "a\n" + r("\n", n) + r("x\n", n),
		"stairs":           stairs.String() + r("\n", n),
		"definitions":      r("[a]: b\n", n),
		"definitions open": r("[a]: <\n", n) + "\n" + r("[a]: b \"\n", n),
		"definition label": r("[", n) + "\n" + r("[a\n", n),
		"wide table":       r("|a", 9000) + "\n" + r("|-", 9000) + "\n" + r("|x\n", n),
		"wider table":      r("|a", n) + "\n" + r("|-", n) + "\n" + r("|", n),
		"tags":             r("<a ", n) + "\n\n# " + r("<a b=\"", n),
		"comments":         "# " + r("<!--", n) + r("<?", n) + r("<![CDATA[", n) + "\n" + r("<!-- a\n", n),
		"brackets":         "# " + r("[", n) + r("]", n) + "\n\n" + r("[a](b", n) + "\n\n" + r("![", n) + r("](a)", n),
		"links":            r("[a](<b", n) + "\n\n" + r("[a](b \"", n) + "\n\n" + r("[a][", n),
		"emphasis":         "# " + r("*a **b ", n) + "\n\n" + r("a*_", n) + "\n\n" + r("*", n) + r(" [a](b)", n),
		"emphasis pairs":   "# " + r("*a* ", n) + r("**a_b_** ", n),
		"backticks":        "# " + r("`a``b```", n),
		"entities":         "# " + r("&", n) + r("&#", n),
		"underlines":       r("a\n", n) + "===\n",
		"spaces":           r(" ", n) + "\n" + r("\t", n) + "x\n",
		"dashes":           r("-", n) + "x\n" + r("- ", n) + "x\n",
		"heading tags":     "<h1>" + r("<h1>", n) + "\n" + r("</h2><h1 ", n),
		"fences":           r("```\n", n),
		"carriage returns": r("\r", n) + r("a\r", n),
		"zeros":            r("\x00", n),
	}
	for name, in := range inputs {
		t.Run(name, func(t *testing.T) { laws(t, []byte(in)) })
	}
}

func TestDepthIsBounded(t *testing.T) {
	for _, nest := range []string{"> - ", "> ", "- ", "1. "} {
		t.Run(nest, func(t *testing.T) { bounded(t, nest) })
	}
}

func bounded(t *testing.T, nest string) {
	d := markdown.Parse([]byte(strings.Repeat(nest, 2*markdown.MaxDepth) + "a"))
	depth := 0
	list := d.Blocks
	for len(list) > 0 {
		b := list[0]
		if b.Kind == markdown.Quote || b.Kind == markdown.Item {
			depth++
		}
		list = b.Children
		if list == nil && b.Kind != markdown.Paragraph {
			t.Errorf("innermost block is a %v, want a paragraph with what is nested too deep", b.Kind)
		}
	}
	if depth != markdown.MaxDepth {
		t.Errorf("followed %d levels, want %d", depth, markdown.MaxDepth)
	}
}

// quirks are constructs on which goldmark leaves the specification: empty items inside others, escaped tildes before
// others, references with a blank label, indentation of blank lines in fences.
var quirks = []string{`(^|\n|[ >])([-+*]|\d[.)]) *\n`, `\\~`, `\]\[ \]`, `(?s)(` + "```" + `|~~~).*\n *> *\n|(` + "```" + `|~~~).*\n +\n`}

// TestLikeGoldmark compares random documents with goldmark, without its quirks and without other constructs that it reads
// in its own way: tabs behind markers, header rows shorter than their delimiter row, lazy table rows, </pre> as the start
// of a block, unbalanced parentheses in destinations, <?>.
func TestLikeGoldmark(t *testing.T) {
	var common []string
	for _, p := range pieces {
		if !strings.ContainsAny(p, "\t\r|?\ufeff") && !strings.Contains(p, "](") && p != "</pre>" && p != ":-:" {
			common = append(common, p)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		src := strings.Join(rapid.SliceOfN(rapid.SampledFrom(common), 0, 12).Draw(t, "pieces"), "") + "\n"
		for _, quirk := range quirks {
			if regexp.MustCompile(quirk).MatchString(src) {
				t.Skip(quirk)
			}
		}
		if got, want := both(src); got != want {
			t.Fatalf("source %q\ngot:\n%s\nwant:\n%s", src, got, want)
		}
	})
}
