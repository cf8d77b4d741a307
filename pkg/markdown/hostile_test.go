package markdown_test

import (
	"strings"
	"testing"
)

// TestHostile parses inputs that make a careless parser overflow its stack or take quadratic time. With one for which the
// limits are too wide the test would not come back.
func TestHostile(t *testing.T) {
	const n = 10_000
	const deep = 190
	r := strings.Repeat
	for name, in := range map[string]string{
		"quotes":           r(">", deep) + "\n",
		"quotes, lazy":     r(">", deep) + "a\n" + r("b\n", n),
		"items":            r("- ", deep) + "a\n" + r("\n", n) + r("x\n", n),
		"definitions":      r(r("[a]: b\n", 5000)+"\n", 5),
		"definitions open": r("[a]: <\n", n) + "\n" + r("[a]: b \"\n", n),
		"definition label": r("[", n) + "\n" + r("[a\n", n),
		"wide table":       r("|a", 9000) + "\n" + r("|-", 9000) + "\n" + r("|x\n", n),
		"wider table":      r("|a", n) + "\n" + r("|-", n) + "\n" + r("|", n),
		"delimiter rows":   r("|-|\n|-|-|\n", n),
		"tags":             r("<a ", n) + "\n\n# " + r("<a b=\"", n),
		"comments":         "# " + r("<!--", n/4) + r("<?", n/4) + r("<![CDATA[", n/4) + "\n" + r("<!-- a\n", n),
		"brackets":         "# " + r("[", n) + r("]", n) + "\n\n" + r("[a](b", n) + "\n\n" + r("![", n) + r("](a)", n),
		"links":            r("[a](<b", n) + "\n\n" + r("[a](b \"", n) + "\n\n" + r("[a][", n),
		"nested emphasis":  "# [![" + r("*a ", n) + r("a*", n) + "](b)](b)",
		"emphasis":         "# " + r("*a **b ", n) + "\n\n" + r("a*_", n) + "\n\n" + r("*", n) + r(" [a](b)", n),
		"emphasis pairs":   "# " + r("*a* ", n) + r("**a_b_** ", n),
		"strikethrough":    "# " + r("~a ~~b ", n) + "\n# " + r("a~ b~~ ", n),
		"backticks":        "# " + r("`a``b```", n),
		"entities":         "# " + r("&", n) + r("&#", n),
		"underlines":       r("a\n", n) + "===\n",
		"spaces":           r(" ", n) + "\n" + r("\t", n) + "x\n",
		"dashes":           r("-", n) + "x\n" + r("- ", deep) + "x\n",
		"heading tags":     "<h1>" + r("<h1>", n) + "\n" + r("</h2><h1 ", n),
		"fences":           r("```\n", n),
		"carriage returns": r("\r", n) + r("a\r", n),
		"zeros":            r("\x00", n),
	} {
		t.Run(name, func(t *testing.T) { laws(t, []byte(in)) })
	}
}
