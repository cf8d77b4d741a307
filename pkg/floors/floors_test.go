package floors

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"
)

// root is the folder of the module, seen from this package.
const root = "../.."

func TestLaws(t *testing.T) {
	tree, err := load(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	if len(tree) < 5 {
		t.Fatalf("found %d packages, which cannot be all", len(tree))
	}
	for _, breach := range judge(tree) {
		t.Error(breach)
	}
	for _, name := range unlisted(tree) {
		t.Errorf("the table in table_test.go lists %s, but there is no such package; take it out", name)
	}
	for _, p := range tree {
		for _, f := range p.files {
			if f.lines > softLines && f.lines <= hardLines && !f.generated {
				t.Logf("%s has %d lines; think of splitting it", f.name, f.lines)
			}
		}
	}
}

// TestLawsBite breaks each law once, in a module made up for it, and leaves each alone once.
func TestLawsBite(t *testing.T) {
	const checkImport = `import _ "` + module + `/pkg/`
	cases := []struct {
		law   string // the law that must bite, "" when none may
		title string
		files map[string]string
	}{
		{"", "arrows that point down", map[string]string{
			"pkg/check/a.go": "package check\n" + checkImport + "facts\"\n" + checkImport + "text\"",
			"cmd/x/main.go":  "package main\n" + checkImport + "cli\"\nfunc main() {}",
		}},
		{"", "a test looks upwards", map[string]string{"pkg/text/a_test.go": "package text\n" + checkImport + "cli\""}},
		{"", "testdata and nested modules are not ours", map[string]string{
			"pkg/text/testdata/a.go": "package util", "tools/go.mod": "module tools", "tools/util/a.go": "package util",
		}},
		{"listed", "a package nobody listed", map[string]string{"pkg/extra/a.go": "package extra"}},
		{"listed", "a folder below a check", map[string]string{"pkg/checks/guard/deep/a.go": "package deep"}},
		{"listed", "the root of the module", map[string]string{"a.go": "package forge"}},
		{"floors", "an arrow that points up", map[string]string{"pkg/git/a.go": "package git\n" + checkImport + "check\""}},
		{"floors", "an arrow that points sideways", map[string]string{"pkg/git/a.go": "package git\n" + checkImport + "memory\""}},
		{"floors", "an arrow to a package on no floor", map[string]string{"pkg/cli/a.go": "package cli\n" + checkImport + "extra\""}},
		{"floors", "an arrow out of the programs", map[string]string{"pkg/cli/a.go": "package cli\nimport _ \"" + module + "/ci/bench\""}},
		{"floors", "a program imports a program", map[string]string{"cmd/x/a.go": "package main\nimport _ \"" + module + "/cmd/y\""}},
		{"checks-apart", "a check imports a check", map[string]string{"pkg/checks/a/a.go": "package a\n" + checkImport + "checks/b\""}},
		{"checks-apart", "the test of a check imports a check", map[string]string{"pkg/checks/a/a_test.go": "package a\n" + checkImport + "checks/b\""}},
		{"processes", "a process elsewhere", map[string]string{"pkg/cli/a.go": "package cli\nimport \"os/exec\""}},
		{"processes", "a process by another name", map[string]string{"pkg/cli/a.go": "package cli\nimport sys \"syscall\"\nfunc f() { sys.Exec(``, nil, nil) }"}},
		{"", "processes where they belong", map[string]string{
			"pkg/git/a.go": "package git\nimport \"os/exec\"", "ci/x/a.go": "package main\nimport \"os/exec\"", "pkg/cli/a_test.go": "package cli\nimport \"os/exec\"",
		}},
		{"file-system", "a file read elsewhere", map[string]string{"pkg/fix/a.go": "package fix\nimport \"os\"\nvar f = os.ReadFile"}},
		{"file-system", "a file read under another name", map[string]string{"pkg/fix/a.go": "package fix\nimport o \"os\"\nfunc f() { o.Remove(``) }"}},
		{"file-system", "a walk", map[string]string{"pkg/fix/a.go": "package fix\nimport \"path/filepath\"\nvar f = filepath.WalkDir"}},
		{"file-system", "a raw system call", map[string]string{"pkg/fix/a.go": "package fix\nimport \"golang.org/x/sys/unix\""}},
		{"", "streams are no files", map[string]string{"pkg/report/a.go": "package report\nimport \"os\"\nvar f = os.Getenv\nvar w = os.Stdout"}},
		{"", "a local variable called os", map[string]string{"pkg/fix/a.go": "package fix\nimport \"os\"\nvar w = os.Stdout\nfunc f(os struct{ Open int }) int { return os.Open }"}},
		{"tree-sitter", "a grammar elsewhere", map[string]string{"pkg/markdown/a.go": "package markdown\nimport \"github.com/tree-sitter/go-tree-sitter\""}},
		{"tree-sitter", "another program links it", map[string]string{"cmd/forge-guard/a.go": "package main\n" + checkImport + "syntax\""}},
		{"", "the grammars where they belong", map[string]string{
			"pkg/syntax/a.go": "package syntax\nimport \"github.com/tree-sitter/go-tree-sitter\"", "cmd/forge-gate/a.go": "package main\n" + checkImport + "syntax\"",
		}},
		{"no-init", "an init function", map[string]string{"pkg/text/a.go": "package text\nfunc init() {}"}},
		{"no-init", "a pattern compiled at start-up", map[string]string{"pkg/text/a.go": "package text\nimport \"regexp\"\nvar r = regexp.MustCompile(`a`)"}},
		{"no-init", "a call inside a literal", map[string]string{"pkg/text/a.go": "package text\nvar r = []int{1, f()}\nfunc f() int { return 1 }"}},
		{"no-init", "a literal called at once", map[string]string{"pkg/text/a.go": "package text\nvar r = func() int { return 1 }()"}},
		{"", "a method called init, errors, conversions and lazy values", map[string]string{
			"pkg/text/a.go": "package text\nimport (\"errors\"; \"regexp\"; \"sync\")\ntype T string\nfunc (T) init() {}\n" +
				"var e = errors.New(`x`)\nvar b = []byte(`x`)\nvar c = T(`x`)\nvar l = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`a`) })",
		}},
		{"no-globals", "a variable to be filled", map[string]string{"pkg/text/a.go": "package text\nvar n int"}},
		{"no-globals", "a lock", map[string]string{"pkg/text/a.go": "package text\nimport \"sync\"\nvar mu = sync.Mutex{}"}},
		{"no-globals", "a counter changed in another file", map[string]string{
			"pkg/text/a.go": "package text\nvar n = 1", "pkg/text/b.go": "package text\nfunc f() { n++ }",
		}},
		{"no-globals", "a map changed in its own file", map[string]string{"pkg/text/a.go": "package text\nvar m = map[int]int{}\nfunc f() { m[1] = 2 }"}},
		{"no-globals", "a map emptied", map[string]string{"pkg/text/a.go": "package text\nvar m = map[int]int{}\nfunc f() { delete(m, 1) }"}},
		{"no-globals", "a variable of another package", map[string]string{"pkg/text/a.go": "package text\nimport \"flag\"\nfunc f() { flag.Usage = nil }"}},
		{"", "a table, a shadow and an embedded file", map[string]string{
			"pkg/text/a.go": "package text\nimport _ \"embed\"\nvar m = map[int]int{1: 2}\nvar _ error = nil\nfunc f() { m := map[int]int{}; m[1] = m[2] }\n" +
				"//go:embed schema.json\nvar schema string",
		}},
		{"names", "a left-over name", map[string]string{"pkg/text/helpers/a.go": "package helpers"}},
		{"names", "a dot import", map[string]string{"pkg/text/a.go": "package text\nimport . \"strings\""}},
		{"size", "a long file", map[string]string{"pkg/text/a.go": "package text\n" + strings.Repeat("\n", hardLines)}},
		{"", "a long generated file", map[string]string{"pkg/text/a.go": "// Code generated by hand. DO NOT EDIT.\n\npackage text\n" + strings.Repeat("\n", hardLines)}},
	}
	bitten := map[string]bool{}
	for _, c := range cases {
		t.Run(c.title, func(t *testing.T) {
			fsys := fstest.MapFS{}
			for name, src := range c.files {
				fsys[name] = &fstest.MapFile{Data: []byte(src)}
			}
			tree, err := load(fsys)
			if err != nil {
				t.Fatal(err)
			}
			breaches := judge(tree)
			if c.law == "" {
				if len(breaches) > 0 {
					t.Errorf("no law should bite, got %q", breaches)
				}
				return
			}
			for _, b := range breaches {
				if strings.HasPrefix(b, c.law+": ") {
					bitten[c.law] = true
					return
				}
			}
			t.Errorf("law %q should bite, got %q", c.law, breaches)
		})
	}
	for _, l := range laws() {
		if !bitten[l.name] {
			t.Errorf("no case shows that law %q bites", l.name)
		}
	}
}

// TestFloorsNeverClimb holds the table itself: no package stands on two floors.
func TestFloorsNeverClimb(t *testing.T) {
	seen := map[string]int{}
	for floor, names := range table() {
		for _, name := range names {
			if other, twice := seen[name]; twice {
				t.Errorf("%q stands on floors %d and %d", name, other, floor)
			}
			seen[name] = floor
		}
	}
}
