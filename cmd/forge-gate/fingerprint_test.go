package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/seed-4419f9ca/forge/pkg/cli"
	"github.com/seed-4419f9ca/forge/pkg/syntax"
)

// TestMain lets this test binary be the program when it is started as a parser.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "__parse" {
		main()
	}
	os.Exit(m.Run())
}

// gate runs the program in dir.
func gate(t *testing.T, dir string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var out, diagnostics bytes.Buffer
	code = cli.Run(context.Background(), cli.Gate(syntax.Serve), cli.Env{
		Args: args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &diagnostics, Dir: dir, Executable: exe,
	})
	return out.String(), diagnostics.String(), code
}

func files(t *testing.T, contents map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, src := range contents {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(src), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const shelf = `class Shelf:
    def lend(self, book):
        """Lend it."""
        book.out = True


def lend(book): pass
`

func TestFingerprintLines(t *testing.T) {
	dir := files(t, map[string]string{"app/shelf.py": shelf, "app/a#b.txt": "x\n", "logo.png": "\x89PNG\x00"})
	out, stderr, code := gate(t, dir, "fingerprint", "app/shelf.py#Shelf.lend", "app/shelf.py", "app/a#b.txt", "app/", "logo.png", "app/*.py", "./app/shelf.py#lend", filepath.Join(dir, "logo.png"))
	if code != 0 || stderr != "" {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	digest := `a[0-9a-f]{12}`
	want := []string{
		digest + " " + digest + " " + digest + " " + digest + ` ast app/shelf\.py#Shelf\.lend`,
		digest + " - - " + digest + ` ast app/shelf\.py`,
		digest + ` - - - coarse app/a#b\.txt`,
		digest + ` - - - coarse app/`,
		digest + ` - - - coarse logo\.png`,
		digest + ` - - - ast app/\*\.py`,
		digest + " " + digest + " " + digest + ` - ast \./app/shelf\.py#lend`,
		digest + ` - - - coarse .*logo\.png`,
	}
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if len(lines) != len(want) {
		t.Fatalf("got\n%s", out)
	}
	for i, line := range lines {
		if !regexp.MustCompile("^" + want[i] + "$").MatchString(line) {
			t.Errorf("line %d is %q, want %s", i+1, line, want[i])
		}
	}
}

func TestFingerprintMissing(t *testing.T) {
	dir := files(t, map[string]string{"a.go": "package a\nfunc (T) Close() {}\nfunc (U) Close() {}\nfunc F() {}\n"})
	for arg, says := range map[string]string{
		"a.go#G": `could not find symbol "G"`, "a.go#Close": "T.Close, U.Close", "b.go": `could not find "b.go"`, "b/": "could not find any file",
		"/nowhere/x.go#F": "could not find", "b.go#F": `could not find "b.go"`,
	} {
		out, stderr, code := gate(t, dir, "fingerprint", arg, "a.go#F")
		if code != 1 || !strings.Contains(stderr, says) || !strings.HasSuffix(out, " a.go#F\n") || strings.Count(out, "\n") != 1 {
			t.Errorf("%s: exit %d, %q, %q", arg, code, out, stderr)
		}
	}
	for _, args := range [][]string{{"fingerprint"}, {"fingerprint", "a.go@abcd"}, {"fingerprint", "--nix", "a.go"}, {}, {"nix"}} {
		if out, stderr, code := gate(t, dir, args...); code != 2 || out != "" || stderr == "" {
			t.Errorf("%q: exit %d, %q, %q", args, code, out, stderr)
		}
	}
}

func TestFingerprintTokens(t *testing.T) {
	dir := files(t, map[string]string{"a.py": shelf, "b.txt": "x", "c.py": "def f(:\n"})
	out, stderr, code := gate(t, dir, "fingerprint", "--tokens", "a.py#Shelf.lend", "b.txt", "c.py")
	for _, says := range []string{`name: identifier "lend"`, "  3 doc ", "  4 body ", "lines: there is no grammar", "lines: syntax error at line 1"} {
		if code != 0 || !strings.Contains(out, says) {
			t.Errorf("exit %d, %q is not in\n%s%s", code, says, out, stderr)
		}
	}
}

// TestCommonCommands holds that the program says nothing about checks that it does not have.
func TestCommonCommands(t *testing.T) {
	out, _, code := gate(t, t.TempDir(), "version")
	if code != 0 || !strings.HasPrefix(out, "forge-gate ") {
		t.Errorf("exit %d, %q", code, out)
	}
	if out, _, code := gate(t, t.TempDir(), "--help"); code != 0 || strings.Contains(out, "__parse") || !strings.Contains(out, "fingerprint") {
		t.Errorf("exit %d, %q", code, out)
	}
}
