package claims

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-4419f9ca/forge/pkg/anchor"
	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/claim"
	"github.com/seed-4419f9ca/forge/pkg/config"
	"github.com/seed-4419f9ca/forge/pkg/facts"
	"github.com/seed-4419f9ca/forge/pkg/memory"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// block writes a claim with the given lines in its block, fenced by marks.
func block(marks, indent string, lines ...string) string {
	var b strings.Builder
	b.WriteString("### INV-1 — A title\n\n" + indent + marks + "claim\n")
	for line := range strings.SplitSeq("kind: invariant\nstatus: enforced\ntruth-source: tests\n"+strings.Join(lines, "\n")+"\nreviewed: 2026-01-02", "\n") {
		b.WriteString(indent + line + "\n")
	}
	b.WriteString(indent + marks + "\n\nIt is so.\n")
	return b.String()
}

// TestMentions names files in a store and changes one.
func TestMentions(t *testing.T) {
	fenced := func(lines ...string) string { return block("```", "", lines...) }
	cases := []struct {
		name, text, path string
		want             bool
	}{
		{"a file", fenced("anchors: [app/a.py]"), "app/a.py", true},
		{"a symbol", fenced("anchors: [app/a.py#f@abcd:a0123456789ab]"), "app/a.py", true},
		{"beside it", fenced("anchors: [app/a.py]"), "app/b.py", false},
		{"a longer name", fenced("anchors: [app/a.py]"), "app/a.pyi", false},
		{"the folder of a file", fenced("anchors: [app/a.py]"), "app", false},
		{"a folder", fenced("anchors: [app/]"), "app/x/y", true},
		{"beside the folder", fenced("anchors: [app/]"), "apps/y", false},
		{"a pattern", fenced("anchors: ['app/**/*.py']"), "app/x/y.py", true},
		{"outside of the pattern", fenced("anchors: ['app/**/*.py']"), "lib/y.py", false},
		{"everything", fenced("anchors: ['*']"), "a", true},
		{"a list in a list of its own line", fenced("anchors:", "  ['*', b]"), "a", true},
		{"alternatives", fenced("anchors:", "  - lib{a,b}.go"), "liba.go", true},
		{"alternatives at the front", fenced("anchors:", `  - "{a,b}.go"`), "b.go", true},
		{"characters", fenced("anchors:", "  - src/x[ab].go"), "src/xb.go", true},
		{"characters at the front", fenced("anchors: ['[ab].go']"), "b.go", true},
		{"characters in a folded text", fenced("anchors:", "  - >-", "    [ab].go"), "b.go", true},
		{"a folded text", fenced("anchors:", "  - >-", "    a.go"), "a.go", true},
		{"a folded text as the value", fenced("anchors:", "  >-", "    [ab].go"), "b.go", true},
		{"one sign", fenced("anchors: ['a?']"), "ab", true},
		{"encoded", fenced("anchors: [app/a%2Epy]"), "app/a.py", true},
		{"an escape", fenced(`anchors: ["app/\u0061.py"]`), "app/a.py", true},
		{"a text over two lines", fenced(`anchors: ["app/\`, `  a.py"]`), "app/a.py", true},
		{"a flow list over lines", fenced("anchors: [", "  a.py,", "  b.py#f,", "]"), "b.py", true},
		{"a flow list without spaces", fenced("anchors: [a.py,b.py]"), "b.py", true},
		{"a space in a name", fenced("anchors: ['my app/a.py']"), "my app/a.py", true},
		{"a quote in a name", fenced("anchors: ['it''s.py']"), "it's.py", true},
		{"an alias", fenced("anchors: [&x a.py, *x]"), "a.py", true},
		{"a tag", fenced("anchors: [!!str a.py]"), "a.py", true},
		{"evidence", fenced("anchors: [a.py]", "evidence:", "  - test: t/a.py::T::f"), "t/a.py", true},
		{"evidence, a flow mapping", fenced("anchors: [a.py]", "evidence: [{rule: lint.yml#x},{check: c.sh}]"), "c.sh", true},
		{"evidence as a text", fenced("anchors: [a.py]", "evidence: 'rule: lint.yml#x'"), "lint.yml", true},
		{"evidence with a star in its name", fenced("anchors: [a.py]", "evidence:", "  - contract: a*b"), "a*b", true},
		{"beside evidence", fenced("anchors: [a.py]", "evidence: [{rule: lint.yml#x}]"), "b.py", false},
		{"a folded text with a comment", fenced("anchors:", "  - >- # why", "    [ab].go"), "b.go", true},
		{"marks deep inside", fenced("retired-evidence: see", "      ```", "anchors: [a.py]"), "a.py", true},
		{"shorter marks inside", block("````", "", "retired-evidence: see", "  ```", "anchors: [a.py]"), "a.py", true},
		{"tildes", block("~~~~", "  ", "anchors: [a.py]"), "a.py", true},
		{"line ends of Windows", strings.ReplaceAll(fenced("anchors: [a.py]"), "\n", "\r\n"), "a.py", true},
		{"line ends of old", strings.ReplaceAll(fenced("anchors: [a.py]"), "\n", "\r"), "a.py", true},
		{"the second claim", fenced("anchors: [a.py]") + fenced("anchors: [b.py]"), "b.py", true},
		{"a fence in a fence", "````markdown\n```claim\nanchors: [x.py]\n```\n````\n\n" + fenced("anchors: [b.py]"), "b.py", true},

		{"prose", "# The app\n\nSee app/a.py, `app/b.py` and **app/c.py**; why? *Because*.\n\n* a list [with](app/a.py)\n", "app/a.py", false},
		{"prose after a claim", fenced("anchors: [a.py]") + "\nIt is like b.py, or [so](b.py). > * ? {x}\n\n> quoted\n>\n> b.py\n", "b.py", false},
		{"a table", fenced("anchors: [a.py]") + "\n| file | why |\n|---|---|\n| b.py | x |\n", "b.py", false},
		{"another fence", fenced("anchors: [a.py]") + "\n```yaml\nanchors: [b.py]\n```\n", "b.py", false},
		{"nothing", "", "a.py", false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := mentionsOf([]byte(c.text)).names(c.path); got != c.want {
				t.Errorf("%q is named: %v, want %v in\n%s", c.path, got, c.want, c.text)
			}
		})
	}
}

// spellings writes a text as YAML in one of the ways that read as it.
func spellings(r *rapid.T, text, indent string, flow bool) string {
	double := func() string {
		var b strings.Builder
		for _, c := range text {
			switch {
			case c == '"' || c == '\\':
				b.WriteString(`\` + string(c))
			case rapid.IntRange(0, 9).Draw(r, "escaped") == 0:
				fmt.Fprintf(&b, `\u%04x`, c)
			case rapid.IntRange(0, 9).Draw(r, "broken") == 0:
				b.WriteString("\\\n" + indent + "   " + `\` + "u" + fmt.Sprintf("%04x", c))
			default:
				b.WriteRune(c)
			}
		}
		return `"` + b.String() + `"`
	}
	styles := []func() string{
		double,
		func() string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" },
		func() string { return "!!str '" + strings.ReplaceAll(text, "'", "''") + "'" },
		func() string { return strconv.Quote(text) },
	}
	if !flow {
		styles = append(styles,
			func() string { return text },
			func() string { return ">-\n" + indent + "    " + text },
			func() string { return "|-\n" + indent + "    " + text },
			func() string { return ">-2 # why\n" + indent + "    " + text },
		)
	} else if !strings.ContainsAny(text, "[]{},") {
		styles = append(styles, func() string { return text })
	}
	return rapid.SampledFrom(styles).Draw(r, "style")()
}

// TestMentionsLaw holds that a file that a claim owns, by an anchor or as evidence in any spelling, is always named.
func TestMentionsLaw(t *testing.T) {
	paths := []string{"a.py", "b.go", "lib/a.py", "lib/b/c.go", "lib/x y.py", "it's/a.py", "a,b.py", "a[1].py", "{x}/y", "é/ü.ts", "C#/x#y.cs", "a@beef", "-x.py", "a:b", "q?.md", "s*r", "&a/b", "%41.py", "a%zz", "lib/(b)/c.go"}
	encode := func(r *rapid.T, s string) string {
		var b strings.Builder
		for i := range len(s) {
			if rapid.IntRange(0, 14).Draw(r, "encoded") == 0 {
				fmt.Fprintf(&b, "%%%02X", s[i])
			} else {
				b.WriteByte(s[i])
			}
		}
		return b.String()
	}
	owned := 0
	rapid.Check(t, func(r *rapid.T) {
		var texts, evidence []string
		for range rapid.IntRange(1, 4).Draw(r, "anchors") {
			path := rapid.SampledFrom(paths).Draw(r, "path")
			var text string
			switch rapid.IntRange(0, 4).Draw(r, "kind") {
			case 0:
				text = anchor.Anchor{Path: path}.String()
			case 1:
				text = anchor.Anchor{Path: path, Symbol: "T.f", Baseline: "abcdef0", Digest: "a0123456789ab"}.String()
			case 2:
				dir, _, _ := strings.Cut(path, "/")
				text = anchor.Anchor{Kind: anchor.Directory, Path: dir}.String()
			case 3:
				text = encode(r, anchor.Anchor{Path: path}.String())
			default:
				text = rapid.SampledFrom([]string{"*", "**", "lib/**", "*.py", "?.py", "[ab].*", "{a,b}.*", "l{ib,x}/**", "lib/[a-b].py", "lib/*/", "**/*.go", "a[!x]py", "li?/a.py", "[!x]*/**", "lib{/a,/b/c}.*"}).Draw(r, "pattern")
			}
			texts = append(texts, text)
		}
		for range rapid.IntRange(0, 2).Draw(r, "evidence") {
			path := rapid.SampledFrom(paths).Draw(r, "path")
			evidence = append(evidence, rapid.SampledFrom([]string{"test: " + path + "::T::f", "rule: " + path + "#r", "contract: " + path, "check: " + path}).Draw(r, "kind"))
		}
		var b strings.Builder
		switch rapid.IntRange(0, 3).Draw(r, "list") {
		case 0: // a list of lines
			b.WriteString("anchors:\n")
			for _, s := range texts {
				b.WriteString("  - " + spellings(r, s, "  ", false) + "\n")
			}
		case 1: // a flow list, perhaps over lines
			b.WriteString("anchors: [")
			for i, s := range texts {
				if i > 0 {
					b.WriteString(rapid.SampledFrom([]string{",", ", ", ",\n  ", " ,\n\n "}).Draw(r, "comma"))
				}
				b.WriteString(spellings(r, s, "  ", true))
			}
			b.WriteString("]\n")
		case 2: // a flow list in a line of its own
			b.WriteString("\"anchors\":\n  [" + spellings(r, texts[0], "  ", true) + "]\n")
		default: // one text
			b.WriteString("anchors: " + spellings(r, texts[0], "", false) + "\n")
		}
		if len(evidence) > 0 {
			b.WriteString("evidence:\n")
			for _, s := range evidence {
				kind, value, _ := strings.Cut(s, ": ")
				switch rapid.IntRange(0, 2).Draw(r, "evidence") {
				case 0:
					b.WriteString("  - " + kind + ": " + spellings(r, value, "    ", false) + "\n")
				case 1:
					b.WriteString("  - {" + kind + ": " + spellings(r, value, "    ", true) + "}\n")
				default:
					b.WriteString("  - " + spellings(r, s, "  ", true) + "\n")
				}
			}
		}
		marks := rapid.SampledFrom([]string{"```", "~~~", "`````"}).Draw(r, "fence")
		text := block(marks, rapid.SampledFrom([]string{"", " ", "   "}).Draw(r, "indent"), strings.TrimSuffix(b.String(), "\n"))
		text = rapid.SampledFrom([]string{"", "# Head\n\nOf `x`.\n\n", "```claim\nx: y\n```\n\n", "````\n```claim\n````\n\n", "- ```claim\n  a\n  ```\n\n"}).Draw(r, "before") + text
		f := claim.Parse("docs/system/domain.md", []byte(text), claim.Layout{Root: "docs/system"})
		m := mentionsOf([]byte(text))
		for _, c := range f.Claims {
			for _, path := range append([]string{"lib/b/d/e.go", "zz/a.py", "docs/x.md"}, paths...) {
				for _, a := range c.Anchors {
					if a.Err == nil && a.Match(path) {
						if owned++; !m.names(path) {
							r.Fatalf("anchor %q names %q, and nobody sees it:\n%s", a.Text, path, text)
						}
					}
				}
				for _, e := range c.Evidence {
					if e.Path == path {
						if owned++; !m.names(path) {
							r.Fatalf("evidence %q names %q, and nobody sees it:\n%s", e.Text, path, text)
						}
					}
				}
			}
		}
	})
	if owned < 100 {
		t.Errorf("only %d paths were named: the law says little", owned)
	}
}

// TestMatters asks about changes of a repository with a store.
func TestMatters(t *testing.T) {
	before := map[string]memory.File{
		"docs/system/domain.md": {Mode: snapshot.Regular, Data: block("```", "", "anchors: [app/a.py]")},
		"docs/system/DRIFT.md":  {Mode: snapshot.Regular, Data: block("```", "", "anchors: [b.py]")},
		"app/a.py":              {Mode: snapshot.Regular, Data: "A = 1\n"},
		"b.py":                  {Mode: snapshot.Regular, Data: "B = 1\n"},
	}
	file := func(data string) *memory.File { return &memory.File{Mode: snapshot.Regular, Data: data} }
	cases := []struct {
		name string
		now  map[string]*memory.File // nil takes a file away
		want bool
	}{
		{"nothing", nil, false},
		{"another file", map[string]*memory.File{"b.py": file("B = 2\n")}, false},
		{"an anchored one", map[string]*memory.File{"app/a.py": file("A = 2\n")}, true},
		{"one that goes", map[string]*memory.File{"app/a.py": nil}, true},
		{"the store", map[string]*memory.File{"docs/system/new.md": file("# New\n")}, true},
		{"what is derived", map[string]*memory.File{"docs/system/derived/trace.json": file("{}\n")}, true},
		{"the store becomes a link", map[string]*memory.File{"docs/system/domain.md": nil, "docs/system/DRIFT.md": nil, "docs/system": {Mode: snapshot.Symlink, Data: "../x"}}, true},
		{"its folder becomes a link", map[string]*memory.File{"docs/system/domain.md": nil, "docs/system/DRIFT.md": nil, "docs": {Mode: snapshot.Symlink, Data: "x"}}, true},
		{"the configuration", map[string]*memory.File{config.Path: file("{}\n")}, true},
		{"a neighbour of the store", map[string]*memory.File{"docs/system.md": file("# x\n")}, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			after := map[string]memory.File{}
			for path, f := range before {
				after[path] = f
			}
			for path, f := range c.now {
				if delete(after, path); f != nil {
					after[path] = *f
				}
			}
			change := memory.Change(snapshot.Staged, []snapshot.Tree{memory.TreeOf(before)}, memory.Named(memory.TreeOf(after), "index"))
			p := &check.Pass{Change: change, Config: config.Default(), Facts: new(facts.Store)}
			if got, err := matters(t.Context(), p); err != nil || got != c.want {
				t.Errorf("it matters: %v, %v", got, err)
			}
		})
	}
	t.Run("a link elsewhere turns", func(t *testing.T) {
		link := func(target string) snapshot.Tree {
			return memory.TreeOf(map[string]memory.File{"docs": {Mode: snapshot.Symlink, Data: target}})
		}
		p := &check.Pass{Change: memory.Change(snapshot.Staged, []snapshot.Tree{link("a")}, link("b")), Config: config.Default(), Facts: new(facts.Store)}
		if got, err := matters(t.Context(), p); err != nil || !got {
			t.Errorf("a store behind a link may have changed: %v, %v", got, err)
		}
	})
}
