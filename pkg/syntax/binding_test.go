package syntax

import (
	"strings"
	"testing"
)

// TestParenthesesThatBind writes expressions with parentheses that decide what belongs together, and without them.
func TestParenthesesThatBind(t *testing.T) {
	a := analyzerFor(t)
	frames := map[string]string{
		"go": "package p\nvar x = _\n", "python": "x = _\n", "javascript": "x = _;\n", "typescript": "const x = _;\n", "tsx": "const x = _;\n",
		"java": "class A { int x = _; }\n", "c": "int x = _;\n", "cpp": "int x = _;\n", "csharp": "class A { int x = _; }\n", "rust": "fn f() { x = _; }\n",
		"ruby": "x = _\n", "php": "<?php $x = _;\n", "kotlin": "val x = _\n", "scala": "object A { val x = _ }\n", "swift": "let x = _\n",
		"lua": "x = _\n", "elixir": "x = _\n", "ocaml": "let x = _\n", "hcl": "x = _\n", "sql": "select _;\n", "bash": "x=$((_))\n",
	}
	words := map[string]*strings.Replacer{
		"lua": strings.NewReplacer("&&", "and", "||", "or", "!", "not "), "sql": strings.NewReplacer("&&", "and", "||", "or", "==", "=", "!", "not "),
		"python": strings.NewReplacer("&&", "and", "||", "or", "!", "not "), "ocaml": strings.NewReplacer("==", "=", "!", "not "),
	}
	for language, frame := range frames {
		for _, e := range []string{"(a + b) * c", "a * (b + c)", "a - (b - c)", "(a || b) && c", "!(a && b)", "!(a == b)", "-(a + b)", "a == (b || c)"} {
			if w := words[language]; w != nil {
				e = w.Replace(e)
			}
			if language == "python" && e == "not (a == b)" {
				continue // not binds less than == there
			}
			if language == "php" {
				e = strings.NewReplacer("a", "$a", "b", "$b", "c", "$c").Replace(e)
			}
			with := strings.Replace(frame, "_", e, 1)
			without := strings.Replace(frame, "_", strings.NewReplacer("(", "", ")", "").Replace(e), 1)
			one, two := see(t, a, language, with), see(t, a, language, without)
			if one.Note != "" || two.Note != "" {
				t.Logf("%s: %q: %s%s", language, e, one.Note, two.Note)
				continue
			}
			if one.Digest.Whole == two.Digest.Whole {
				t.Errorf("%s: %q and %q are not the same", language, with, without)
			}
		}
	}
}
