package markdown_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-4419f9ca/forge/pkg/markdown"
)

// outline writes kind, line and source text of the top-level blocks.
func outline(d *markdown.Doc) []string {
	var out []string
	for _, b := range d.Blocks {
		out = append(out, fmt.Sprintf("%v %d %q", b.Kind, b.Line, d.Src[b.Start:b.End]))
	}
	return out
}

func TestBlocksHaveTheirPlaces(t *testing.T) {
	for _, test := range []struct {
		name, src string
		want      []string
	}{
		{"byte-order mark, frontmatter, CRLF", "\ufeff---\r\na: 1\r\n---\r\n\r\n# T\r\n<!-- c -->\r\n", []string{`heading 5 "# T"`, `comment 6 "<!-- c -->"`}},
		{"no final line end", "a\n\n> b\n> c", []string{`paragraph 1 "a"`, `quote 3 "> b\n> c"`}},
		{"setext", "A\nB\n===\nx", []string{`heading 1 "A\nB\n==="`, `paragraph 4 "x"`}},
		{"indentation", "   # T\n\n    code\n\n  <!-- c -->", []string{`heading 1 "# T"`, `code 3 "code"`, `comment 5 "<!-- c -->"`}},
		{"fences", "~~~ a\n\nx\n~~~\n```\ny", []string{`fence 1 "~~~ a\n\nx\n~~~"`, `fence 5 "` + "```" + `\ny"`}},
		{"adjacent comments", "<!-- a -->\n<!-- b\nc -->\ntext\n", []string{`comment 1 "<!-- a -->"`, `comment 2 "<!-- b\nc -->"`, `paragraph 4 "text"`}},
		{"two comments on a line", "<!-- a --> <!-- b -->\n", []string{`html 1 "<!-- a --> <!-- b -->"`}},
		{"comment and text", "<!-- a --> x\n", []string{`html 1 "<!-- a --> x"`}},
		{"definitions", "[a]: /b\n[c]: /d\ntext\n", []string{`linkdef 1 "[a]: /b\n[c]: /d"`, `paragraph 3 "text"`}},
		{"table in a paragraph", "x\n| a |\n|---|\n| b |\n\ny", []string{`paragraph 1 "x"`, `table 2 "| a |\n|---|\n| b |"`, `paragraph 6 "y"`}},
		{"no table", "a | b\n|---|\n\n|a|\n|-|:\n", []string{`paragraph 1 "a | b\n|---|"`, `paragraph 4 "|a|\n|-|:"`}},
		{"list", "- a\n\n  b\n- c\n\ntext", []string{`list 1 "- a\n\n  b\n- c"`, `paragraph 6 "text"`}},
		{"quote with an empty last line", "> a\n>\nb", []string{`quote 1 "> a\n>"`, `paragraph 3 "b"`}},
		{"lazy line of a quote", "> a\nb\n\nc", []string{`quote 1 "> a\nb"`, `paragraph 4 "c"`}},
		{"definitions apart", "[a]: /b\n\n[c]: /d\n", []string{`linkdef 1 "[a]: /b"`, `linkdef 3 "[c]: /d"`}},
		{"empty headings", "#\n## ##\n", []string{`heading 1 "#"`, `heading 2 "## ##"`}},
		{"table and underline", "x\n|a|\n|-|\n===\n---", []string{`paragraph 1 "x"`, `table 2 "|a|\n|-|"`, `heading 4 "===\n---"`}},
		{"lone CR ends lines", "# T\r<!-- c -->\rx", []string{`heading 1 "# T"`, `comment 1 "<!-- c -->"`, `paragraph 1 "x"`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, outline(markdown.Parse([]byte(test.src)))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFrontmatter(t *testing.T) {
	for _, test := range []struct {
		name, src string
		kind      string
		body      string
		end       int
		closed    bool
		blocks    int
	}{
		{"yaml", "---\na: 1\n---\nx", "yaml", "a: 1\n", 13, true, 1},
		{"toml", "+++\na = 1\n+++\n", "toml", "a = 1\n", 14, true, 0},
		{"empty", "---\n---", "yaml", "", 7, true, 0},
		{"white space after the fences", "--- \t\na: 1\n---  \n", "yaml", "a: 1\n", 17, true, 0},
		{"another fence does not close", "---\na: 1\n+++\n", "yaml", "", 13, false, 2},
		{"not on the first line", "\n---\na: 1\n---\n", "", "", 0, false, 2},
		{"indented", " ---\na: 1\n---\n", "", "", 0, false, 2},
		{"too long", "----\na: 1\n----\n", "", "", 0, false, 2},
		{"a mark before it", "\u200b---\na: 1\n---\n", "", "", 0, false, 1},
		{"unclosed", "---\na: 1\n", "yaml", "", 9, false, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := markdown.Parse([]byte(test.src))
			f := d.Front
			if f.Kind != test.kind || string(f.Body) != test.body || f.End != test.end || f.Closed != test.closed || len(d.Blocks) != test.blocks {
				t.Errorf("got %+v with body %q and %d blocks", f, f.Body, len(d.Blocks))
			}
			if f.Closed && f.BodyLine != 2 {
				t.Errorf("body begins on line %d, want 2", f.BodyLine)
			}
		})
	}
}

func TestUnclosedComment(t *testing.T) {
	for _, test := range []struct {
		src  string
		want int
	}{
		{"<!-- a -->", -1},
		{"x\n<!-- a\n\nb", 2},
		{"<!-- a --> <!-- b\n\nc -->", 11},
		{"- a\n  <!-- b\n\nc", 6},
		{"<div><!-- a\n\n</div>", 5},
		{"`<!--`\n\n```\n<!-- a\n```\n", -1},
		{"text <!-- a", -1},
		{"    <!-- code", -1},
		{"<script>\n<!-- a\n</script>", -1},
		{"<!--> <!---> <!-- a -->", -1},
		{"<? <!-- ?>", -1},
		{"- <!-- a\n\n> <!-- b", 2},
	} {
		if got := markdown.Parse([]byte(test.src)).UnclosedComment; got != test.want {
			t.Errorf("%q: %d, want %d", test.src, got, test.want)
		}
	}
}

func TestTitle(t *testing.T) {
	for _, test := range []struct{ src, want string }{
		{"# A\n# B", "# A"},
		{"## A\n\n# B", "# B"},
		{"## A\n### B", "## A"},
		{"A\n=", "A\n="},
		{"> # A\n\n- # B\n\n```\n# C\n```\n", ""},
		{"<h1 align=center>A</h1>\n\n# B", "<h1 align=center>A</h1>"},
		{"<div>\n<H1>A <b>x</b>\n</H1>\n</div>", "<div>\n<H1>A <b>x</b>\n</H1>\n</div>"},
		{"<!-- <h1>A</h1> -->\n<h2>B</h2>", "<h2>B</h2>"},
		{"<pre>\n<h1>A</h1>\n</pre>\n\n## B", "## B"},
		{"<h10>A</h10>\n\n<header>x</header>", ""},
		{"text", ""},
	} {
		d := markdown.Parse([]byte(test.src))
		got := ""
		if b, ok := d.Title(); ok {
			got = test.src[b.Start:b.End]
		}
		if got != test.want {
			t.Errorf("title of %q: %q, want %q", test.src, got, test.want)
		}
	}
}

func TestItems(t *testing.T) {
	d := markdown.Parse([]byte("- [x] A\n  more\n- [X] B\n- [ ] C\n- [x]\n- [y] D\n- [x]E\n1. [ ] F\n- \n- ## [x] G\n"))
	var got []string
	d.Walk(func(b *markdown.Block) bool {
		if b.Kind == markdown.Item {
			got = append(got, fmt.Sprintf("%q %q %v", b.Task, b.Text, b.Parent.Ordered))
		}
		return true
	})
	want := []string{
		`'x' "[x] A\nmore" false`, `'x' "[X] B" false`, `' ' "[ ] C" false`, `'x' "[x]" false`, `'\x00' "[y] D" false`,
		`'\x00' "[x]E" false`, `' ' "[ ] F" true`, `'\x00' "" false`, `'\x00' "" false`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestHeadingText(t *testing.T) {
	for src, want := range map[string]string{
		"# a *b* **c** `d*` ~~e~~ ##":               "a b c d* e",
		"# [a](/b \"t\") ![c](d) [e] [f][g] [h][]":  "a c e f h",
		"# &amp; &#x41; \\* <b>x</b> <http://y> &z": "& A * x http://y &z",
		"# snake_case a*b*c __x__":                  "snake_case abc x",
		"a  \nb\\\nc\n---":                          "a b c",
		"# *foo**bar*":                              "foo**bar",
		"#":                                         "",
		"# ~a~ ~~b~~ ~~~c~~~ ~d~~ e":                "a b ~~~c~~~ ~d~~ e",
		"# [unknown] [a](<b":                        "[unknown] [a](<b",
	} {
		d := markdown.Parse([]byte(src + "\n\n[e]: /e\n[g]: /g\n[h]: /h\n"))
		if got := d.Blocks[0].Text; got != want {
			t.Errorf("%q: %q, want %q", src, got, want)
		}
	}
}

func TestLinks(t *testing.T) {
	src := "a [b *c*](<d e> 'f') ![g](h.png)\n> [i\n> j][k] <https://l>\n\n| [m](n) |\n|---|\n\n```\n[no](x)\n```\n\n[k]: /k#z\n"
	d := markdown.Parse([]byte(src))
	var got []string
	for _, l := range d.Links() {
		got = append(got, fmt.Sprintf("%q %q %q %v %v", src[l.Start:l.End], l.Dest, l.Text, l.Image, l.Block.Kind))
	}
	want := []string{
		`"[b *c*](<d e> 'f')" "d e" "b c" false paragraph`, `"![g](h.png)" "h.png" "g" true paragraph`,
		`"[i\n> j][k]" "/k#z" "i j" false paragraph`, `"<https://l>" "https://l" "https://l" false paragraph`, `"[m](n)" "n" "m" false row`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestPath(t *testing.T) {
	d := markdown.Parse([]byte("intro\n\n# A\n\n### B\n\n> # quoted\n\n- x\n  - y\n\n## C\n\nz\n\n<h1>D</h1>\n\nlast\n"))
	got := map[string]string{}
	d.Walk(func(b *markdown.Block) bool {
		if b.Kind == markdown.Paragraph {
			var path []string
			for _, h := range d.Path(b) {
				path = append(path, string(d.Src[h.Start:h.End]))
			}
			got[b.Text] = strings.Join(path, " / ")
		}
		return true
	})
	want := map[string]string{"intro": "", "x": "# A / ### B", "y": "# A / ### B", "z": "# A / ## C", "last": "<h1>D</h1>"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestSlugs(t *testing.T) {
	var s markdown.Slugs
	var got []string
	for _, text := range []string{"Đã xong — Kho hàng", "A.b_c-d", "A.b_c-d", "a b-1", "a b", "a b", "§1 🏗️ Việc", ""} {
		got = append(got, s.Next(text))
	}
	want := []string{"đã-xong--kho-hàng", "ab_c-d", "ab_c-d-1", "a-b-1", "a-b", "a-b-2", "1-\ufe0f-việc", ""}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCellsAndContent(t *testing.T) {
	d := markdown.Parse([]byte("> | a | b |\n> |--|:-:|\n> | `x\\|y` |\n> | 1 | 2 | 3 |\n>\n> ```yaml\n>   k: v\n>\n>\tw\n> ```\n"))
	q := d.Blocks[0]
	var rows [][]string
	for _, r := range q.Children[0].Children {
		var cells []string
		for _, c := range r.Cells {
			cells = append(cells, c.Text)
		}
		rows = append(rows, cells)
	}
	if diff := cmp.Diff([][]string{{"a", "b"}, {"`x\\|y`"}, {"1", "2", "3"}}, rows); diff != "" {
		t.Error(diff)
	}
	f := q.Children[1]
	if f.Info != "yaml" || !f.Closed || string(d.Bytes(f)) != "  k: v\n\n  w\n" {
		t.Errorf("fence %q with %q", f.Info, d.Bytes(f))
	}
}

func TestClosedFences(t *testing.T) {
	for src, want := range map[string]bool{
		"```\na\n```":       true,
		"```\n```":          true,
		"```":               false,
		"```\na\n":          false,
		"```\na\n~~~\n":     false,
		"````\na\n```":      false,
		"> ```\n> a\n\n```": false,
		"- ~~~\n  a\n  ~~~": true,
	} {
		d := markdown.Parse([]byte(src))
		d.Walk(func(b *markdown.Block) bool {
			if b.Kind == markdown.Fence && b.Start < 3 && b.Closed != want {
				t.Errorf("%q: closed is %v", src, b.Closed)
			}
			return true
		})
	}
}

// TestTabs holds that a block begins at its first byte where a tab before it belongs in part to a container.
func TestTabs(t *testing.T) {
	for src, want := range map[string]string{
		">\t# a":          "# a",
		">\t\t# a":        "# a", // code, with two columns of the second tab
		"-\t> a":          "a",
		"> -\ta\n>\n>\tb": "b",
		"1.\t```\n\tx":    "```\n\tx",
		"> >\t***":        "***",
		">\t<!-- a -->":   "<!-- a -->",
	} {
		d := markdown.Parse([]byte(src))
		got := ""
		d.Walk(func(b *markdown.Block) bool {
			got = src[b.Start:b.End]
			return true
		})
		if got != want {
			t.Errorf("last block of %q: %q, want %q", src, got, want)
		}
	}
}

func TestFirstDefinitionCounts(t *testing.T) {
	d := markdown.Parse([]byte("[a] [B\nc]\n\n[A]: /1\n[a]: /2\n\n> [b C]: /3\n"))
	var got []string
	for _, l := range d.Links() {
		got = append(got, l.Dest)
	}
	if want := []string{"/1", "/3"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestComments(t *testing.T) {
	src := "<!-- a --> <!--b-->\n- <!-- c\n  d -->\n\n<div><!-- e --></div>\n\n<style>\n<!-- no -->\n</style>\n"
	d := markdown.Parse([]byte(src))
	var got []string
	for _, c := range d.Comments() {
		got = append(got, c.Text)
	}
	if want := []string{"a", "b", "c\nd", "e"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if !d.OnlyComments(d.Blocks[0]) || d.OnlyComments(d.Blocks[2]) {
		t.Error("OnlyComments mistakes a block")
	}
}
