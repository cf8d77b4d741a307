package claims

import (
	"slices"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/fingerprint"
)

// titled reports whether tests of a language can have titles: texts that are handed to a function, or to an attribute, in the
// place of a name. In data formats a test is a value.
func titled(language string) bool {
	switch language {
	case "javascript", "typescript", "tsx", "ruby", "elixir", "lua", "php", "swift", "kotlin", "scala", "java", "bash", "c", "c header", "cpp", "csharp", "yaml", "toml":
		return true
	}
	return false
}

// isTestWord reports whether a function of that name takes the title of a test, or of a group of tests.
func isTestWord(s string) bool {
	switch s {
	case "it", "test", "describe", "context", "suite", "specify", "scenario", "feature", "example", "should", "property",
		"fit", "xit", "fdescribe", "xdescribe", "xtest", "ftest", "fcontext", "xcontext", "given", "expect_that", "test_that",
		"Test", "Suite", "DisplayName", "@test", "@testset", "testset", "group",
		"TEST_CASE", "SCENARIO", "SECTION", "TEST_CASE_METHOD", "SUBCASE":
		return true
	}
	return false
}

// A title is the text by which a test, or a group of tests, goes.
type title struct {
	text   string
	groups []string // titles and names of what holds it, the outermost first
}

// isTitled reports whether the tokens of a file hold a test of that name: its title alone, the titles down to it joined as test
// runners join them, or a path of them in which a class may stand too.
func isTitled(f *fingerprint.File, tokens []fingerprint.Token, name string) bool {
	if f.Language == "yaml" || f.Language == "toml" {
		return slices.ContainsFunc(tokens, func(t fingerprint.Token) bool {
			return t.Leaf && (unquote(t.Text) == name || strings.TrimPrefix(t.Text, "!!str ") == name)
		})
	}
	for _, t := range titles(f.Language, tokens) {
		if t.is(name) {
			return true
		}
		for _, sep := range []string{"::", " > ", " › ", " » "} {
			parts := strings.Split(name, sep)
			if len(parts) > 1 && t.within(f, parts) {
				return true
			}
		}
	}
	return false
}

// is reports whether name is the title, alone or behind the titles of its groups.
func (t title) is(name string) bool {
	full := t.text
	if name == full || name == "test "+full { // as ExUnit writes it
		return true
	}
	for _, g := range slices.Backward(t.groups) {
		if name == g+" should "+full { // ScalaTest
			return true
		}
		full = g + " " + full
		if name == full || name == "test "+full {
			return true
		}
	}
	return false
}

// within reports whether the last part names the title and each part before it a group or a definition.
func (t title) within(f *fingerprint.File, parts []string) bool {
	last := len(parts) - 1
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	if !t.is(parts[last]) {
		return false
	}
	return !slices.ContainsFunc(parts[:last], func(s string) bool { return !slices.Contains(t.groups, s) && !exists(f, s) })
}

// titles finds the titles of tests among the tokens of a file.
func titles(language string, tokens []fingerprint.Token) []title {
	var out []title
	var open []group
	var path []int // the nodes above the current one, by their index
	for i, t := range tokens {
		for len(path) > 0 && tokens[path[len(path)-1]].Depth >= t.Depth {
			path = path[:len(path)-1]
		}
		for len(open) > 0 && tokens[open[len(open)-1].node].Depth >= t.Depth {
			open = open[:len(open)-1]
		}
		if s, ok := textAt(tokens, i); ok {
			if node, ok := titleOf(language, tokens, path, i); ok {
				out = append(out, title{s, texts(open)})
				open = append(open, group{node, s})
			}
		} else if node, ok := groupOf(tokens, path, i); ok {
			open = append(open, group{node, t.Text})
		}
		if s, ok := annotated(t); ok {
			out = append(out, title{s, texts(open)})
		}
		out = append(out, macro(tokens, i)...)
		path = append(path, i)
	}
	return out
}

// A group is a call that holds tests.
type group struct {
	node int // of the call
	text string
}

func texts(open []group) []string {
	out := make([]string, len(open))
	for i, g := range open {
		out[i] = g.text
	}
	return out
}

// textAt returns the text of the string literal that begins at token i. One inside of another is none of its own.
func textAt(tokens []fingerprint.Token, i int) (string, bool) {
	t := tokens[i]
	if !strings.Contains(t.Kind, "string") || slices.Contains([]string{"string_content", "string_fragment", "string_start", "string_end"}, t.Kind) {
		return "", false
	}
	if t.Leaf {
		return unquote(t.Text), true
	}
	var b strings.Builder
	for _, c := range tokens[i+1:] {
		if c.Depth <= t.Depth {
			break
		}
		if c.Leaf && !isQuote(c.Text) {
			b.WriteString(c.Text)
		}
	}
	return b.String(), true
}

func isQuote(s string) bool { return s == `"` || s == "'" || s == "`" || s == `"""` || s == "'''" }

// unquote takes the quotes off a literal that still has them.
func unquote(s string) string {
	for _, q := range []string{`"""`, `"`, "'", "`"} {
		if len(s) >= 2*len(q) && strings.HasPrefix(s, q) && strings.HasSuffix(s, q) {
			return s[len(q) : len(s)-len(q)]
		}
	}
	return s
}

// titleOf returns the call of a test of which token i, below the nodes of path, is the first argument.
func titleOf(language string, tokens []fingerprint.Token, path []int, i int) (call int, ok bool) {
	call, args, ok := callOf(tokens, path, i)
	if !ok {
		return 0, false
	}
	callee := words(tokens[call+1 : i])
	direct := args < 0 && !strings.Contains(tokens[i].Kind, "argument")
	switch kind := tokens[call].Kind; {
	case language == "scala" && direct: // "A refund" should "never exceed" in { … }
		return call, kind == "infix_expression" && infix(tokens, call)
	case language == "kotlin" && direct: // "a title" { … }
		return call, kind == "call_expression"
	case language == "bash":
		return call, kind == "command" && len(callee) == 1 && isShellWord(callee[0])
	case direct && kind != "attribute", len(callee) == 0, slices.Contains(callee, "todo"):
		return 0, false
	}
	first, last := callee[0], callee[len(callee)-1]
	return call, isTestWord(first) || isTestWord(last) && follows(tokens, call, i)
}

// isShellWord is isTestWord for scripts, in which test is another command: Bats and ShellSpec.
func isShellWord(s string) bool {
	return slices.Contains([]string{"@test", "It", "Specify", "Example", "Describe", "Context", "ExampleGroup"}, s)
}

// callOf goes up from token i, which has to be the first in every list of arguments on the way, to a call. args is the
// outermost list, -1 when the token stands right in the call.
func callOf(tokens []fingerprint.Token, path []int, i int) (call, args int, ok bool) {
	args = -1
	at := i
	for k := len(path) - 1; k >= 0; k-- {
		node := path[k]
		if !strings.Contains(tokens[node].Kind, "argument") && tokens[node].Kind != "call_suffix" {
			return node, args, true
		}
		for _, t := range tokens[node+1 : at] {
			if t.Depth == tokens[node].Depth+1 && !isPunctuation(t) {
				return 0, 0, false
			}
		}
		at, args = node, node
	}
	return 0, 0, false
}

func isPunctuation(t fingerprint.Token) bool { return t.Leaf && strings.Trim(t.Text, "(){}[],:") == "" }

// words returns the names among the leaves of a callee.
func words(tokens []fingerprint.Token) []string {
	var out []string
	for _, t := range tokens {
		if t.Leaf && strings.Trim(t.Text, "(){}[].,:!@?-<>") != "" {
			out = append(out, t.Text)
		}
	}
	return out
}

// follows reports whether something stands in the call after its first argument: what the test does.
func follows(tokens []fingerprint.Token, call, i int) bool {
	for _, t := range tokens[i+1:] {
		if t.Depth <= tokens[call].Depth {
			return false
		}
		if t.Depth <= tokens[i].Depth && !isPunctuation(t) {
			return true
		}
	}
	return false
}

// infix reports whether the operator of an infix expression is one of ScalaTest and its like.
func infix(tokens []fingerprint.Token, node int) bool {
	for _, t := range tokens[node+1:] {
		if t.Depth <= tokens[node].Depth {
			return false
		}
		if t.Depth == tokens[node].Depth+1 && t.Field == "operator" {
			return slices.Contains([]string{"should", "must", "can", "in", "when", "which", "that", "ignore", "it", "-"}, t.Text)
		}
	}
	return false
}

// groupOf returns the call of a group of tests that goes by a name and not by a text, as in RSpec.describe Refund.
func groupOf(tokens []fingerprint.Token, path []int, i int) (call int, ok bool) {
	if !tokens[i].Leaf || tokens[i].Kind != "constant" {
		return 0, false
	}
	call, args, ok := callOf(tokens, path, i)
	if !ok || args < 0 {
		return 0, false
	}
	callee := words(tokens[call+1 : args])
	return call, len(callee) > 0 && isTestWord(callee[len(callee)-1])
}

// annotated returns the title in an annotation that is one token: @DisplayName("never exceeds").
func annotated(t fingerprint.Token) (string, bool) {
	name, args, ok := strings.Cut(strings.TrimPrefix(t.Text, "@"), "(")
	if !t.Leaf || !ok || !strings.HasPrefix(t.Text, "@") || !isTestWord(strings.TrimSpace(name)) {
		return "", false
	}
	args = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(args), ")"))
	return unquote(args), unquote(args) != args
}

// macro returns the test that a macro of GoogleTest at token i defines: TEST(Suite, Name).
func macro(tokens []fingerprint.Token, i int) []title {
	if !slices.Contains([]string{"TEST", "TEST_F", "TEST_P", "TYPED_TEST", "TYPED_TEST_P"}, tokens[i].Text) {
		return nil
	}
	var names []string
	for _, t := range tokens[i+1:] {
		if t.Leaf && t.Text == ")" || t.Depth < tokens[i].Depth {
			break
		}
		if t.Leaf && t.Text != "(" && t.Text != "," {
			names = append(names, t.Text)
		}
	}
	if len(names) != 2 {
		return nil
	}
	return []title{{names[1], names[:1]}, {names[0] + "." + names[1], nil}}
}
