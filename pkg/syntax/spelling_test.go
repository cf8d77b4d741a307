package syntax

import (
	"strings"
	"testing"
)

func TestStrings(t *testing.T) {
	for _, c := range []struct {
		decode    func(string) (string, bool)
		raw, want string
	}{
		{scriptString, `"a\u{1F600}\uD83D\uDE00\x41\101\
b\q\u12"`, "a😀😀AAbq\\u12"},
		{scriptString, `'\uD83D'`, `\ud83d`},
		{scriptString, `"a'`, ""},
		{pythonString, `'a\N{DASH}\x41\d\
b'`, `text a\N{DASH}A\db`},
		{pythonString, `Rb'\x41'`, `bytes \x41`},
		{pythonString, `b'\x41\u0041'`, `bytes A\u0041`},
		{pythonString, `"""a"b"""`, `text a"b`},
		{pythonString, `''`, `text `},
		{pythonString, `"a`, ""},
		{quotedString, `'a\'\\\n'`, `a'\\n`},
		{quotedString, `"a'\"\$x"`, `a'"$x`},
		{luaString, `"a\'\n\""`, `a'\n"`},
	} {
		got, ok := c.decode(c.raw)
		if got != c.want || ok != (c.want != "") {
			t.Errorf("%s is %q, %v; want %q", c.raw, got, ok, c.want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for raw, want := range map[string]string{
		"1": "1", "1.0": "1", "1.50": "1.5", ".5": "0.5", "5.": "5", "1E+5": "1e5", "1e-5": "1e-5", "1e0": "1", "0XAB": "0xab", "10N": "10n", "0.0": "0", "1_000": "1_000",
	} {
		if got := scriptNumber(raw); got != want {
			t.Errorf("%s is %s, want %s", raw, got, want)
		}
	}
	for raw, want := range map[string]string{"-.50EM": "-0.5em", "+1.0px": "+1px", "#FFF": "#fff", "10%": "10%", "em": "em"} {
		if got := cssNumber(raw); got != want {
			t.Errorf("%s is %s, want %s", raw, got, want)
		}
	}
}

func TestMacroText(t *testing.T) {
	for raw, want := range map[string]string{
		"a  b": "a b", "a /* x */ b": "a b", "a // x": "a", "(1<<16)": "(1<<16)", "( 1 << 16 )": "(1<<16)", "a + + b": "a+ +b", "x ## y": "x##y", "1 - 2 * !!a": "1-2*!!a", "a - - b": "a- -b", "a < <= b": "a< <=b", "* / x": "* /x", "a\\\n b": "a b", `"a  /* b"`: `"a  /* b"`, `'"' + 1`: `'"'+1`, "/*": "", `"\"  "`: `"\"  "`, `"open  `: `"open  `,
	} {
		if got := macroText(raw); got != want {
			t.Errorf("%q is %q, want %q", raw, got, want)
		}
	}
}

func TestModifiers(t *testing.T) {
	for text, want := range map[string]string{
		"@B(1) internal": "@B(1)|internal", "@file:B( 1,\n 2, ) @C\n// x\npublic": "@file:B(1,2)|@C|public", `@B("a  b", c = 'd') /* x */ open`: `@B("a  b",c='d')|open`,
		"@B<C>([1, 2])@D": "@B<C>([1,2])|@D", "@B(": "@B(", `@B("`: `@B("`, "/* x": "", "+": "+", "@B(is A)": "@B(is A)", `@B("""a"b""", 1)`: `@B("""a"b""",1)`,
	} {
		var items []string
		for s := text; ; {
			item, rest := modifier(s)
			if item == "" {
				break
			}
			items, s = append(items, item), rest
		}
		if got := strings.Join(items, "|"); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

func TestSymbolText(t *testing.T) {
	for raw, want := range map[string]string{
		"a::B<T, U>::f": "a.B.f", "~A": "~A", "operator <": "operator<", "A<T>::operator<<": "A.operator<<", `"a b"`: "a b", "M:m": "M.m", `App\A`: "App.A",
		":name": "name", "a . b": "a.b", "<=>": "<=>", "<<": "<<", "( +: )": "(+:)", "[Symbol.iterator]": "[Symbol.iterator]",
	} {
		if got := symbolText(raw); got != want {
			t.Errorf("%q is %q, want %q", raw, got, want)
		}
	}
}

// FuzzSpelling holds that no spelling rule fails on any text, and that what has no escape stands for itself.
func FuzzSpelling(f *testing.F) {
	for _, s := range []string{`a`, `\`, `\u{`, `\x4`, `\777`, `/*`, `"\`, `_a_`, "`_`", `<`, `>`, `1e`, `-.`, `\N{`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, quote := range []string{`"`, `'`, `"""`, `b'`, `rf"`} {
			closing := strings.TrimLeft(quote, "brf")
			for _, decode := range []func(string) (string, bool){scriptString, pythonString, quotedString, luaString} {
				value, ok := decode(quote + s + closing)
				if ok && len(quote) == 1 && !strings.ContainsAny(s, "\\\"' \t\n") && strings.TrimPrefix(value, "text ") != s {
					t.Errorf("%s%s%s is %q", quote, s, closing, value)
				}
			}
		}
		scriptNumber(s)
		cssNumber(s)
		macroText(s)
		symbolText(s)
		running(s)
		jsxText(s)
		if item, rest := modifier(s); len(rest) >= len(s) && item != "" || len(item)+len(rest) > len(s) {
			t.Errorf("%q begins with %q before %q", s, item, rest)
		}
		if got := running(running(s)); got != running(s) {
			t.Errorf("%q is not settled: %q, %q", s, running(s), got)
		}
	})
}

// FuzzOwnParsers holds that the parsers of YAML, TOML and Markdown answer for any text and that the answer adds up.
func FuzzOwnParsers(f *testing.F) {
	for _, s := range samples() {
		switch s.language {
		case "yaml", "toml", "markdown":
			f.Add(s.language, s.text(f))
		}
	}
	f.Add("yaml", "")
	f.Add("yaml", "a: &x [*x, !!t {? b : c}]\n---\n- - -\n")
	f.Add("toml", "a.b.c=1\n[[x]]\n[x.y]\n[a]\n")
	f.Add("markdown", "#\n# a\n###### b\n\n---\n```\n")
	f.Fuzz(func(t *testing.T, language, src string) {
		switch language {
		case "yaml", "toml", "markdown":
		default:
			return
		}
		a := newAnalyzer()
		file, err := a.File(language, []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		if file.Digest.Whole == "" || file.Digest.Lines == "" {
			t.Fatalf("no digest: %+v", file)
		}
		for _, d := range file.Definitions {
			if d.Name == "" || d.Digest.Whole == "" || len(d.Spans) == 0 || d.Spans[0].First < 1 {
				t.Fatalf("bad definition: %+v", d)
			}
		}
	})
}
