package glob

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bmatcuk/doublestar/v4"
	"pgregory.net/rapid"
)

func TestMatch(t *testing.T) {
	tests := []struct {
		pattern, path string
		want          bool
	}{
		{"**/artifacts/tasks/done.md", "artifacts/tasks/done.md", true},
		{"**/artifacts/tasks/done.md", "a/b/artifacts/tasks/done.md", true},
		{"**/artifacts/tasks/done.md", "a/xartifacts/tasks/done.md", false},
		{"kernel/**/*.md", "kernel/a.md", true},
		{"kernel/**/*.md", "kernel/x/y/a.md", true},
		{"kernel/**/*.md", "kernels/a.md", false},
		{"kernel/**/*.md", "x/kernel/a.md", false},
		{"ops/**", "ops/a/b", true},
		{"ops/**", "ops", true},
		{"ops/**", "opsx", false},
		{"logs/so-*.txt", "logs/so-1.txt", true},
		{"logs/so-*.txt", "logs/so-1/x.txt", false},
		{"*.MD", "a.md", false},
		{"{a,b}/*.go", "b/x.go", true},
		{"{a,b}/*.go", "c/x.go", false},
		{"a{,/**}", "a/x", true},
		{`\*.md`, "*.md", true},
		{`\*.md`, "a.md", false},
		{"a?c", "a/c", false},
		{"a[^b]c", "a/c", false},
		{"a[!b]c", "axc", true},
		{"a[+-9]c", "a/c", false},
		{"a[+-9]c", "a0c", true},
		{"a[+-9]c", "a.c", true},
		{`[\]]`, "]", true},
		{"[a-]", "-", true},
		{"[^-a-]", "-", false},
		{"[^-a-]", "b", true},
		{"[!!]", "!", false},
		{"?", "é", true},
		{"*", "caf\xe9.md", true},
		{"caf?.md", "caf\xe9.md", true},
		{"caf[^x].md", "caf\xe9.md", true},
		{"caf\uFFFD.md", "caf\xe9.md", false},
		{"caf\uFFFD*", "caf\uFFFD.md", true},
		{"caf[\uFFFD]*", "caf\xe9.md", false},
		{"x*", "\xff", false},
		{"a/b.md", "a/b.md", true},
		{"*", "[a]", true},
		{"a", "*", false},
		{"a\nb*", "a\nb c", true},
	}
	for _, tt := range tests {
		got, err := Match(tt.pattern, tt.path)
		if err != nil || got != tt.want {
			t.Errorf("Match(%q, %q) = %v, %v, want %v", tt.pattern, tt.path, got, err, tt.want)
		}
	}
}

func TestCompileRefuses(t *testing.T) {
	tests := []struct {
		pattern string
		offset  int
		reason  string
	}{
		{"", 0, "empty pattern"},
		{"logs/[ab*.txt", 5, "unclosed class"},
		{"a[", 1, "unclosed class"},
		{`a[\`, 1, "unclosed class"},
		{"a[]b]", 1, "empty class"},
		{"a[^]b]", 1, "empty class"},
		{"a[z-b]", 2, "backwards"},
		{"a[/]b", 1, "nothing but '/'"},
		{"[[:alpha:]]", 1, "named class"},
		{"a{b,c", 1, "unclosed group"},
		{"a{b,{c}", 1, "unclosed group"},
		{"a}b", 1, "'}' without"},
		{`a\`, 1, "backslash"},
		{"a\xff", 1, "not UTF-8"},
		{"a\x00", 1, "no path contains"},
		{"a\U0010ff80", 1, "no path contains"},
		{strings.Repeat("a", 1025), 1024, "longer than"},
		{strings.Repeat("{a,b}", 9), 40, "combinations"},
		{"{" + strings.Repeat("a,", 256) + "b}", 0, "combinations"},
	}
	for _, tt := range tests {
		_, err := Compile(tt.pattern)
		var bad *SyntaxError
		if !errors.As(err, &bad) {
			t.Errorf("Compile(%q): error %v, want a *SyntaxError", tt.pattern, err)
			continue
		}
		if !strings.Contains(bad.Reason, tt.reason) || tt.offset >= 0 && bad.Offset != tt.offset {
			t.Errorf("Compile(%q): %v at %d, want %q at %d", tt.pattern, err, bad.Offset, tt.reason, tt.offset)
		}
	}
}

func TestLiteralPrefix(t *testing.T) {
	for pattern, want := range map[string]string{
		"kernel/**/*.md":         "kernel",
		"Projects/*/rules.md":    "Projects",
		"**/done.md":             "",
		"*.md":                   "",
		"a/b/c.md":               "a/b",
		"c.md":                   "",
		"a/b{c,d}/e":             "a",
		"a/b/**":                 "a/b",
		`a\*b/c/*`:               "a*b/c",
		"a/[":                    "",
		".agent/rules/[a-z]*.md": ".agent/rules",
	} {
		if got := LiteralPrefix(pattern); got != want {
			t.Errorf("LiteralPrefix(%q) = %q, want %q", pattern, got, want)
		}
	}
	p, err := Compile(`a\*b/c`)
	if err != nil {
		t.Fatal(err)
	}
	if path, ok := p.Literal(); !ok || path != "a*b/c" {
		t.Errorf("Literal() = %q, %v", path, ok)
	}
}

// patterns and paths share few letters, so that matches are common. No pattern has a class: there the layer differs
// from doublestar on purpose.
func drawPattern(t *rapid.T, label string) string {
	part := rapid.SampledFrom([]string{"a", "b", ".", "é", "/", "/", "*", "**", "?", "**/", "/**", "{a,b}", "{a/,}", "{**,b}", `\*`, `\a`, "{", "}", ",", `\`})
	return strings.Join(rapid.SliceOfN(part, 1, 7).Draw(t, label), "")
}

func drawPath(t *rapid.T, label string) string {
	part := rapid.SampledFrom([]string{"a", "b", ".", "é", "/", "/", "*", "c"})
	return strings.Join(rapid.SliceOfN(part, 1, 8).Draw(t, label), "")
}

func TestAgreesWithDoublestar(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pattern := drawPattern(t, "pattern")
		p, err := Compile(pattern)
		if valid := doublestar.ValidatePattern(pattern); valid != (err == nil) {
			t.Fatalf("Compile(%q): %v, doublestar says valid = %v", pattern, err, valid)
		}
		if err != nil {
			return
		}
		for i := range 5 {
			path := drawPath(t, fmt.Sprint("path", i))
			want, err := doublestar.Match(pattern, path)
			if err != nil {
				t.Fatal(err)
			}
			if got := p.Match(path); got != want {
				t.Fatalf("Match(%q, %q) = %v, doublestar says %v (%+v)", pattern, path, got, want, p.syntax)
			}
		}
	})
}

func TestClassAgreesWithDoublestarExceptOnSlash(t *testing.T) {
	body := rapid.StringMatching(`[!^]?([abé+.9!^-]|[a.+]-[bé/9]|\\[]a\\-]){1,4}`)
	rapid.Check(t, func(t *rapid.T) {
		pattern := "x[" + body.Draw(t, "class") + "]y"
		p, err := Compile(pattern)
		if err != nil {
			var bad *SyntaxError
			if !errors.As(err, &bad) || !strings.Contains(bad.Reason, "backwards") && !strings.Contains(bad.Reason, "nothing but") && doublestar.ValidatePattern(pattern) {
				t.Fatalf("Compile(%q): %v", pattern, err)
			}
			return
		}
		if p.Match("x/y") {
			t.Fatalf("class %q matches the slash", pattern)
		}
		for _, r := range "abcé+.09!^-]\\,0ü" {
			path := "x" + string(r) + "y"
			if got, want := p.Match(path), doublestar.MatchUnvalidated(pattern, path); got != want {
				t.Fatalf("Match(%q, %q) = %v, doublestar says %v", pattern, path, got, want)
			}
		}
	})
}

func TestSetFindsWhatEachPatternMatches(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var patterns []*Pattern
		for i := range rapid.IntRange(1, 12).Draw(t, "n") {
			if p, err := Compile(drawPattern(t, fmt.Sprint("pattern", i))); err == nil {
				patterns = append(patterns, p)
			}
		}
		set := NewSet(patterns...)
		path := drawPath(t, "path")
		var want []int
		for i, p := range patterns {
			if p.Match(path) {
				want = append(want, i)
			}
		}
		if got := set.Find(path); !slices.Equal(got, want) || set.Match(path) != (len(want) > 0) {
			t.Fatalf("Find(%q) = %v, want %v of %v", path, got, want, patterns)
		}
	})
}

func TestSet(t *testing.T) {
	patterns := []string{"a/b.md", "**/done.md", "kernel/**/*.md", "kernel/**", "**/*.wal", "*", "{x,y}/z*", "kernel/a/*", "**/*.md", "a/b.md"}
	set, err := CompileSet(patterns)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string][]int{
		"a/b.md":          {0, 8, 9},
		"done.md":         {1, 5, 8},
		"q/done.md":       {1, 8},
		"kernel/a/b/c.md": {2, 3, 8},
		"kernel/a/c.md":   {2, 3, 7, 8},
		"kernel":          {3, 5},
		"kernels/x":       nil,
		"x/y.wal":         {4},
		"y/zz":            {6},
		"caf\xe9.wal":     {4, 5},
	} {
		if got := set.Find(path); !slices.Equal(got, want) || set.Match(path) != (want != nil) {
			t.Errorf("Find(%q) = %v, want %v", path, got, want)
		}
	}
	if _, err := CompileSet([]string{"a", "["}); err == nil {
		t.Error("a set with a bad pattern compiles")
	}
}

func TestMatchesLieBelowTheFolder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pattern, path := drawPattern(t, "pattern"), drawPath(t, "path")
		if ok, err := Match(pattern, path); err != nil || !ok {
			return
		}
		if f := LiteralPrefix(pattern); f != "" && path != f && !strings.HasPrefix(path, f+"/") {
			t.Fatalf("%q matches %q, which is not below %q", pattern, path, f)
		}
	})
}

func FuzzCompile(f *testing.F) {
	for _, s := range []string{"**/*.md", "a[^b-d]{c,d{e,f}}", `\`, "[", "{{}}", "a/**/b", "[z-a]", "\xff", "[\U0010ff80]"} {
		f.Add(s, "a/b.md")
	}
	f.Fuzz(func(t *testing.T, pattern, path string) {
		p, err := Compile(pattern)
		if err != nil {
			var bad *SyntaxError
			if !errors.As(err, &bad) || bad.Offset < 0 || bad.Offset > len(pattern) {
				t.Fatalf("Compile(%q): %#v", pattern, err)
			}
			return
		}
		if !doublestar.ValidatePattern(p.norm) || !doublestar.ValidatePattern(pattern) {
			t.Fatalf("Compile(%q) accepts what doublestar refuses; rewritten as %q", pattern, p.norm)
		}
		if got := NewSet(p).Match(path); got != p.Match(path) {
			t.Fatalf("a set of %q says %v of %q", pattern, got, path)
		}
	})
}
