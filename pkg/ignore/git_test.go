package ignore

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// repository is an empty repository in which git answers what it ignores.
type repository struct {
	dir string
	env []string
}

func newRepository(t *testing.T) *repository {
	t.Helper()
	r := &repository{dir: t.TempDir()}
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "GIT_") && !strings.HasPrefix(kv, "HOME=") && !strings.HasPrefix(kv, "XDG_") {
			r.env = append(r.env, kv)
		}
	}
	r.env = append(r.env, "HOME="+t.TempDir(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "LC_ALL=C")
	if out, err := r.git(nil, "init", "-q"); err != nil {
		t.Fatalf("git init: %v\n%s", err, out)
	}
	return r
}

func (r *repository) git(stdin []byte, args ...string) ([]byte, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env, cmd.Stdin = r.dir, r.env, bytes.NewReader(stdin)
	return cmd.Output()
}

// ignored returns those of paths that git ignores.
func (r *repository) ignored(paths []string) (map[string]bool, error) {
	out, err := r.git([]byte(strings.Join(paths, "\x00")+"\x00"), "check-ignore", "--no-index", "--stdin", "-z")
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == 1 {
		err = nil // none is
	}
	if err != nil {
		return nil, err
	}
	set := map[string]bool{}
	for p := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		set[p] = true
	}
	return set, nil
}

// universe is asked of every set of patterns in the table, together with the paths of the row.
var universe = strings.Fields(`
a b c a/b a/b/c a/c b/a b/c a/x/b a/x/y/b a/b/x x/a x/a/b x/y/a/b foo bar foo/bar foobar fooxbar foo/x/bar foo/x/y/bar
foozbar fooz/y/bar barfoo x/foo x/foo/bar vendor/a.go vendor/b/c.go x/vendor/a.go vendor testdata/a x/testdata/a
x/testdata/y/b a.log x/a.log log a.log/b a.txt b.txt ab.txt a+b.txt a.b axb a(b) a|b a^b a$b {a} a{2} aa aaa build
build/out build/keep/x src/build src/build/x docs/x.md docs/sub/x.md x.md .hidden .a/.b a.go.bak -a [a] [b] !a #a \a \b
a* a? * ? ** a-b a]b ] é é/a xé éé a~ #a# A B Foo Build/x 0 1 9 a1 a9b doc/frotz doc/frotz/x x/doc/frotz`)

func TestTableAgreesWithGit(t *testing.T) {
	t.Parallel()
	repo := newRepository(t)
	var paths []string
	for i, row := range table {
		dir := fmt.Sprintf("case%03d", i)
		if err := os.Mkdir(filepath.Join(repo.dir, dir), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(repo.dir, dir, ".gitignore"), []byte(row.patterns), 0o666); err != nil {
			t.Fatal(err)
		}
		for _, p := range append(row.paths, universe...) {
			paths = append(paths, dir+"/"+p)
		}
	}
	want, err := repo.ignored(paths)
	if err != nil {
		t.Fatal(err)
	}
	hits := 0
	for i, row := range table {
		m, err := New(Source{Name: ".forgeignore", Data: []byte(row.patterns)})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range append(row.paths, universe...) {
			w := want[fmt.Sprintf("case%03d/%s", i, p)]
			if got := m.Match(p); got != w {
				t.Errorf("patterns %q: Match(%q) = %v, git says %v", row.patterns, p, got, w)
			}
			if w {
				hits++
			}
		}
	}
	if hits < len(table) {
		t.Errorf("only %d paths of %d patterns are ignored: git cannot have read them", hits, len(table))
	}
}

func TestRandomPatternsAgreeWithGit(t *testing.T) {
	t.Parallel()
	repo := newRepository(t)
	piece := rapid.SampledFrom([]string{
		"a", "b", "a", "/", "/", "*", "**", "?", "[a]", "[!a]", "[^b]", "[a-c]", "[b", "]", `\`, `\a`, `\*`, "**/", "/**", "/**/",
		".", "+", " ", `\ `, "é", "\xe9", "[é]", "[[:alpha:]]", "[[:bad:]]", "[]-]", "(", "|", "$", "{", "#", "!", "\r", "-", `[\]]`, `[*-\]]`,
	})
	line := rapid.Custom(func(t *rapid.T) string {
		return rapid.SampledFrom([]string{"", "", "", "!", "/"}).Draw(t, "start") +
			strings.Join(rapid.SliceOfN(piece, 1, 6).Draw(t, "pieces"), "") +
			rapid.SampledFrom([]string{"", "", "", "/"}).Draw(t, "end")
	})
	segment := rapid.SampledFrom([]string{"a", "a", "b", "ab", "aa", "ba", "c", "a.b", "a+b", "é", "a\xe9", "*", "\\a", "[b", "a b", "a ", "#", "!a", "a\nb", "(", "$", "-", "]"})
	path := rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOfN(segment, 1, 4).Draw(t, "segments"), "/") })
	rapid.Check(t, func(t *rapid.T) {
		patterns := strings.Join(rapid.SliceOfN(line, 1, 4).Draw(t, "lines"), "\n") + "\n"
		paths := rapid.SliceOfN(path, 15, 30).Draw(t, "paths")
		if err := os.WriteFile(filepath.Join(repo.dir, ".gitignore"), []byte(patterns), 0o666); err != nil {
			t.Fatal(err)
		}
		want, err := repo.ignored(paths)
		if err != nil {
			t.Fatal(err)
		}
		m, err := New(Source{Name: "x", Data: []byte(patterns)})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range paths {
			if got := m.Match(p); got != want[p] {
				t.Fatalf("patterns %q: Match(%q) = %v, git says %v", patterns, p, got, want[p])
			}
		}
	})
}

func TestEveryByteAgreesWithGit(t *testing.T) {
	t.Parallel()
	repo := newRepository(t)
	classes := []string{
		"?", "[!a]", "[[:alnum:]]", "[[:alpha:]]", "[[:blank:]]", "[[:cntrl:]]", "[[:digit:]]", "[[:graph:]]", "[[:lower:]]",
		"[[:print:]]", "[[:punct:]]", "[[:space:]]", "[[:upper:]]", "[[:xdigit:]]", "[^[:alpha:]]", "[\x80-\xff]", "[ -~]", "[*--0]",
		"[[:foo:]]", "[[:]", "[[::]]", "[[:a]", "[a-[:digit:]]", `[\d]`, "[z-a]", "[a-]", "[]-a]", "[!]a]", "[^]", "[[]", "[a-c-e]", `[\--a]`, "**",
	}
	for _, class := range classes {
		if err := os.WriteFile(filepath.Join(repo.dir, ".gitignore"), []byte("x"+class+"y\nd/x"+class+"y"), 0o666); err != nil {
			t.Fatal(err)
		}
		var paths []string
		for c := 1; c < 256; c++ {
			if c != '/' {
				paths = append(paths, "x"+string([]byte{byte(c)})+"y", "d/x"+string([]byte{byte(c)})+"y")
			}
		}
		paths = append(paths, "x/y", "d/x/y", "xy", "d/xy")
		want, err := repo.ignored(paths)
		if err != nil {
			t.Fatal(err)
		}
		m, err := New(Source{Data: []byte("x" + class + "y\nd/x" + class + "y")})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range paths {
			if m.Match(p) != want[p] {
				t.Errorf("class %q: Match(%q) = %v, git says %v", class, p, m.Match(p), want[p])
			}
		}
	}
}

func TestSourcesAndLines(t *testing.T) {
	m, err := New(Source{Name: ".forgeignore", Data: []byte("\ufeff*.log\r\nkeep\r\n")}, Source{Name: "ignore", Lines: []string{"vendor/", "!keep", "# no", "x "}})
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{"a.log": true, "keep": false, "vendor/a/b": true, "vendor": false, "x": true, "# no": false} {
		if m.Match(path) != want {
			t.Errorf("Match(%q) = %v", path, !want)
		}
	}
	if _, err := New(Source{Name: "ignore", Lines: []string{"a", "b\nc"}}); err == nil || !strings.Contains(err.Error(), `pattern 2 of "ignore"`) {
		t.Errorf("a pattern of two lines: error %v", err)
	}
	long := strings.Repeat("[ab]?", 820)
	if _, err := New(Source{Name: "f", Data: []byte("a\n" + long + "\n")}); err == nil || !strings.Contains(err.Error(), `line 2 of "f"`) {
		t.Errorf("a very long pattern: error %v", err)
	}
	if m, err := New(Source{Data: []byte(long[:4095])}); err != nil || !m.Match(strings.Repeat("ab", 819)) {
		t.Errorf("a long pattern does not match: %v", err)
	}
	if m, err := New(); err != nil || m.Match("a") {
		t.Errorf("no source: %v", err)
	}
}

// TestLaterLinesAddUp holds for any patterns: a line that matches nothing changes nothing, and a last line `*` ignores all.
func TestLaterLinesAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOf(rapid.StringMatching(`!?[ab*?/]{1,5}`)).Draw(t, "lines")
		path := rapid.StringMatching(`[ab](/?[ab]){0,4}`).Draw(t, "path")
		match := func(lines []string) bool {
			m, err := New(Source{Lines: lines})
			if err != nil {
				t.Fatal(err)
			}
			return m.Match(path)
		}
		if match(append(slices.Clone(lines), "nothing", "[", "#", "")) != match(lines) {
			t.Fatal("lines that match nothing changed the answer")
		}
		if !match(append(slices.Clone(lines), "*")) {
			t.Fatal("a last `*` does not ignore everything")
		}
	})
}

func FuzzMatch(f *testing.F) {
	for _, row := range table {
		f.Add([]byte(row.patterns), "a/b.txt")
	}
	f.Fuzz(func(t *testing.T, patterns []byte, path string) {
		m, err := New(Source{Data: patterns})
		if err != nil {
			if len(patterns) <= maxLine {
				t.Fatal(err)
			}
			return
		}
		if m.Match(path) && !m.Match(path+"/below") {
			t.Errorf("%q ignores %q and not what lies below", patterns, path)
		}
	})
}
