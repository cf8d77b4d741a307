package syntax

import (
	"testing"
)

func TestKeyframeLists(t *testing.T) {
	for src, want := range map[string]string{
		"@keyframes a { 0%, 50% { b: c } }":             "@keyframes a { 0%{}50% { b: c } }",
		"@keyframes a { from,\n  to { b: c } }":         "@keyframes a { from{\n }to { b: c } }",
		"@keyframes a { 0%,50% { b: c } }":              "@keyframes a { 0%,50% { b: c } }",
		"@keyframes a {} a { b: hsl(1, 0%, 5%) }":       "@keyframes a {} a { b: hsl(1, 0%, 5%) }",
		"@keyframes a {} a { b: 0%, 5%; c: d }":         "@keyframes a {} a { b: 0%, 5%; c: d }",
		"@keyframes a {} .a, .b { b: c }":               "@keyframes a {} .a, .b { b: c }",
		"@keyframes a { /* it's */ 0%, 5%, 9% { b: c }": "@keyframes a { /* it's */ 0%{}5%{}9% { b: c }",
		"a { b: 0%, 5% }":                               "a { b: 0%, 5% }",
		"@keyframes /*":                                 "@keyframes /*",
		"@keyframes \"":                                 "@keyframes \"",
		"@keyframes (":                                  "@keyframes (",
	} {
		before := []byte(src)
		if got := string(keyframeLists(before)); got != want {
			t.Errorf("%q became %q, want %q", src, got, want)
		}
		if string(before) != src {
			t.Errorf("%q was changed in place", src)
		}
	}
}

// FuzzRewrites holds that what is rewritten before it is parsed keeps its length, and does not change where it stands.
func FuzzRewrites(f *testing.F) {
	for _, s := range []string{"@keyframes a { 0%, 5% { b: c } }", "goto a\n:: a ::\nlocal x <const> = 1", "fun interface A {}", "@keyframes '/*([", "// a\n /* b\n// */\n\"\"\"\n//c\n\"\"\" /* */ x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, rewrite := range []func([]byte) []byte{keyframeLists, luaStatements, funInterfaces, withoutCommentLines, bareCommands, annotated, withoutLuaComments, attributeQuotes} {
			src := []byte(s)
			if got := rewrite(src); len(got) != len(s) || string(src) != s {
				t.Errorf("%q became %q", s, got)
			}
		}
		selectedNames(s)
	})
}

func TestWithoutCommentLines(t *testing.T) {
	for src, want := range map[string]string{
		"@A\n  // x\nfun f":             "@A\n      \nfun f",
		"a // x":                        "a // x",
		"/* x\n y */\na":                "    \n     \na",
		"/* /* */ x */":                 "             ",
		"/* x */ a":                     "/* x */ a",
		"/* x":                          "/* x",
		"\"\"\"\n// text\n\"\"\"\n// x": "\"\"\"\n// text\n\"\"\"\n    ",
		"a /* b\n// c */\nd":            "a /* b\n// c */\nd",
	} {
		if got := string(withoutCommentLines([]byte(src))); got != want {
			t.Errorf("%q became %q, want %q", src, got, want)
		}
	}
}

func TestLuaStatements(t *testing.T) {
	for src, want := range map[string]string{
		"goto a\n::a::":             "goto=a\n_=a  ",
		"  :: a ::":                 "  _= a   ",
		"if x then goto a end":      "if x then goto=a end",
		"print('goto a')":           "print('goto a')",
		"local x <const> = 1":       "local x ,_onst  = 1",
		"local x <close>, y = 1 --": "local x ,_lose , y = 1 --",
		"if a <const> b then end":   "if a <const> b then end",
	} {
		if got := string(luaStatements([]byte(src))); got != want {
			t.Errorf("%q became %q, want %q", src, got, want)
		}
	}
}

func TestBareCommands(t *testing.T) {
	for src, want := range map[string]string{
		"a\n\\rm b\n  \\. c": "a\n%rm b\n  %. c",
		"a \\\n\\rm b":       "a \\\n\\rm b",
		"a \\b\n\\$c":        "a \\b\n\\$c",
	} {
		if got := string(bareCommands([]byte(src))); got != want {
			t.Errorf("%q became %q, want %q", src, got, want)
		}
	}
}

func TestAnnotated(t *testing.T) {
	for src, want := range map[string]string{
		"@B\nfun f":                 "@B\nfun f",
		"@B(1) fun f":               "@B_1_ fun f",
		"  @B(\"x)\")\n  @C\nfun f": "  @B__x_______C\nfun f",
		"@file:B(1)":                "@file:B(1)",
		"@B(é)":                     "@B____",
		"x @B(1)":                   "x @B(1)",
		"\"\"\"\n@B(1)\n\"\"\"":     "\"\"\"\n@B(1)\n\"\"\"",
		"@":                         "@",
	} {
		if got := string(annotated([]byte(src))); got != want {
			t.Errorf("%q became %q, want %q", src, got, want)
		}
	}
}

func TestWithoutLuaComments(t *testing.T) {
	for src, want := range map[string]string{
		"-- a\nx = 1 -- b":              "    \nx = 1 -- b",
		"x = [[\n-- a\n]]\n--- b":       "x = [[\n-- a\n]]\n     ",
		"--[[\n-- a\n]]\n  -- b":        "--[[\n-- a\n]]\n      ",
		"x = [==[ ]] \n-- a\n]==] -- b": "x = [==[ ]] \n-- a\n]==] -- b",
		"x = '[['\n-- a\ny = \"]]\"":    "x = '[['\n    \ny = \"]]\"",
		"--[[":                          "--[[",
		"--[":                           "   ",
		"x = 'a\n-- b":                  "x = 'a\n    ",
	} {
		if got := string(withoutLuaComments([]byte(src))); got != want {
			t.Errorf("%q became %q, want %q", src, got, want)
		}
	}
}
