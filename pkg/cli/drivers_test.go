package cli

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-4419f9ca/forge/pkg/config"
	"github.com/seed-4419f9ca/forge/pkg/git"
	"github.com/seed-4419f9ca/forge/pkg/glob"
)

// gitIn runs git in a folder, apart from the settings of whoever runs the test.
func gitIn(t interface{ Fatalf(string, ...any) }, dir string, stdin []byte, args ...string) string {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Stdin = dir, bytes.NewReader(stdin)
	cmd.Env = append(git.CleanEnv(os.Environ()), "HOME="+dir, "XDG_CONFIG_HOME="+dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// A glob and the patterns of gitattributes that are made of it give the same files to a driver.
func TestAttributePatternsMatchWhatTheirGlobMatches(t *testing.T) {
	dir := t.TempDir()
	gitIn(t, dir, nil, "init", "-q")
	attributes := filepath.Join(dir, ".git/info/attributes")
	if err := os.MkdirAll(filepath.Dir(attributes), 0o755); err != nil {
		t.Fatal(err)
	}
	segment := rapid.SampledFrom([]string{"a", "b c", "*", "**", "?", "*.md", "{a,b c}", "a{b,{c,d}}", "[ab]", "[!a]", `\*`, `\{a\}`, "#x", `"q"`, "é*", "{a,*}.md", "x,y"})
	paths := []string{"a", "b", "b c", "ab", "ac", "a/b", "a/b/a.md", "b c/a", "*", "{a}", "#x", `"q"`, "xé", "éa/a", "a.md", "b.md", "x,y", "a/x,y", "ad/a", "a/ab/b"}
	rapid.Check(t, func(t *rapid.T) {
		g := strings.Join(rapid.SliceOfN(segment, 1, 4).Draw(t, "glob"), "/")
		p, err := glob.Compile(g)
		if err != nil || strings.Contains(g, "**/**") {
			t.Skip(err)
		}
		var lines bytes.Buffer
		for _, pattern := range attributePatterns(g) {
			fmt.Fprintf(&lines, "%s merge=x\n", pattern)
		}
		if err := os.WriteFile(attributes, lines.Bytes(), 0o644); err != nil {
			t.Fatalf("%v", err)
		}
		out := strings.Split(gitIn(t, dir, []byte(strings.Join(paths, "\x00")+"\x00"), "check-attr", "-z", "--stdin", "merge"), "\x00")
		for i, path := range paths {
			if got := out[3*i+2] == "x"; got != p.Match(path) {
				t.Fatalf("%q: the glob says %v for %q, git %v with\n%s", g, p.Match(path), path, got, lines.String())
			}
		}
	})
}

func TestDriverOfRecords(t *testing.T) {
	for _, tt := range []struct {
		row  config.Record
		want string
	}{
		{config.Record{Shape: "entries"}, changelogDriver},
		{config.Record{Shape: "list", Direction: "top"}, listDriver},
		{config.Record{Shape: "bytes"}, logDriver},
		{config.Record{Shape: "jsonl", Direction: "end"}, logDriver},
		{config.Record{Shape: "bytes", Direction: "top"}, logTopDriver},
		{config.Record{Shape: "bytes", Direction: "any"}, ""},
		{config.Record{Shape: "jsonl", Chain: true}, ""},
		{config.Record{Shape: "blocks"}, ""},
	} {
		if got := driverOf(&tt.row); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.row, got, tt.want)
		}
	}
}

func TestDriverProgram(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "it's 100%")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if got := driverProgram(filepath.Join(dir, "forge-pre-commit")); got != "forge-guard" {
		t.Errorf("without the program beside: %s", got)
	}
	if err := os.WriteFile(filepath.Join(dir, "forge-guard"), nil, 0o755); err != nil {
		t.Fatal(err)
	}
	if got := driverProgram(filepath.Join(dir, "forge-pre-commit")); !strings.HasSuffix(got, `/it'\''s 100%%/forge-guard'`) {
		t.Errorf("got %s", got)
	}
}
