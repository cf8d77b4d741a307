package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-4419f9ca/forge/pkg/changelog"
	"github.com/seed-4419f9ca/forge/pkg/git"
)

// guardIn runs forge-guard in a folder.
func guardIn(dir string, args ...string) (stdout, stderr string, exit int) {
	var out, errs bytes.Buffer
	env := append(git.CleanEnv(os.Environ()), "HOME="+dir, "XDG_CONFIG_HOME="+dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
	exit = Run(context.Background(), Guard(), Env{Args: args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Environ: env, Dir: dir})
	return out.String(), errs.String(), exit
}

func putFile(t *testing.T, dir, name, data string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o644); err != nil {
		t.Fatal(err)
	}
}

func getFile(t *testing.T, dir, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// entries is a changelog with entries of these ids; "id=text" gives one another summary.
func entries(ids ...string) string {
	var list []string
	for _, id := range ids {
		id, summary, ok := strings.Cut(id, "=")
		if !ok {
			summary = "S of " + id
		}
		list = append(list, `  {"id": "`+id+`", "date": "2026-01-01", "type": "added", "summary": "`+summary+`", "paths": ["docs"]}`)
	}
	return "{\"schemaVersion\": \"1.0\", \"entries\": [\n" + strings.Join(list, ",\n") + "\n]}\n"
}

func TestChangelogMergeDriver(t *testing.T) {
	for _, tt := range []struct {
		name, base, ours, theirs string
		exit                     int
		want, stderr             string
	}{
		{"both appended", entries("a"), entries("a", "b"), entries("a", "c"), 0, entries("a", "b", "c"), ""},
		{"on top", entries("a"), entries("b", "a"), entries("c", "a"), 0, entries("b", "c", "a"), ""},
		{"added on both sides", "", entries("a"), entries("b"), 0, entries("a", "b"), ""},
		{"the same addition", entries("a"), entries("a", "b"), entries("a", "b"), 0, entries("a", "b"), ""},
		{"one dropped without a word", entries("a", "b"), entries("b", "c"), entries("a", "b"), 0, entries("a", "b", "c"), ""},
		{"one id, two texts", entries("a"), entries("a", "b=ours"), entries("a", "b=theirs", "c"), 1, "", "same id: b;"},
		{"no JSON", entries("a"), entries("a", "b"), "{", 1, "", "merged by lines, for you to look at: the version of theirs is no JSON"},
		{"an id twice", entries("a"), entries("a", "a"), entries("a", "b"), 1, "", "without an id of its own"},
		{"another version", entries("a"), entries("a"), strings.Replace(entries("a", "b"), "1.0", "2.0", 1), 1, "", "differ in more than their entries"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			putFile(t, dir, "base", tt.base)
			putFile(t, dir, "ours", tt.ours)
			putFile(t, dir, "theirs", tt.theirs)
			_, stderr, exit := guardIn(dir, "changelog", "merge", "base", "ours", "theirs", "docs/log.json")
			got := getFile(t, dir, "ours")
			if exit != tt.exit || !strings.Contains(stderr, tt.stderr) || tt.stderr != "" && !strings.Contains(stderr, "docs/log.json") {
				t.Errorf("exit %d, %q", exit, stderr)
			}
			if tt.want != "" && got != tt.want {
				t.Errorf("got\n%s", got)
			}
			if tt.exit == 1 && strings.Contains(tt.stderr, "same id") {
				for _, part := range []string{"<<<<<<< ours", "b=ours"[2:], "=======", "b=theirs"[2:], ">>>>>>> theirs", `"id": "c"`} {
					if !strings.Contains(got, part) {
						t.Errorf("%q is missing in\n%s", part, got)
					}
				}
				if changelog.Parse([]byte(got)).Readable() {
					t.Error("a file with conflicts passes for a changelog")
				}
			}
		})
	}
	dir := t.TempDir()
	putFile(t, dir, "x", entries("a"))
	if _, stderr, exit := guardIn(dir, "changelog", "merge", "x", "x"); exit != ExitUsage || !strings.Contains(stderr, "BASE OURS THEIRS") {
		t.Errorf("exit %d, %q", exit, stderr)
	}
	if _, stderr, exit := guardIn(dir, "changelog", "merge", "x", "x", "gone"); exit != ExitNoAnswer || !strings.Contains(stderr, "gone") {
		t.Errorf("exit %d, %q", exit, stderr)
	}
}

func TestSchemaCommand(t *testing.T) {
	stdout, _, exit := guardIn(t.TempDir(), "schema", "changelog")
	if exit != ExitOK || !json.Valid([]byte(stdout)) {
		t.Errorf("exit %d, %s", exit, stdout)
	}
	if _, stderr, exit := guardIn(t.TempDir(), "schema", "changelogs"); exit != ExitUsage || !strings.Contains(stderr, "did you mean changelog?") {
		t.Errorf("exit %d, %q", exit, stderr)
	}
}

// What cannot be written leaves the file as it was and nothing beside it.
func TestChangelogIsWrittenWholeOrNotAtAll(t *testing.T) {
	if os.Getuid() == 0 {
		t.Log("root writes everywhere; the folder is a link instead")
	}
	dir := t.TempDir()
	gitIn(t, dir, nil, "init", "-q")
	putFile(t, dir, "leji.json", `{"rootPath": "docs", "categories": {}}`)
	putFile(t, dir, "docs/context-changelog.json", entries("a"))
	gitIn(t, dir, nil, "add", "-A")
	if os.Getuid() == 0 {
		if err := os.Rename(filepath.Join(dir, "docs"), filepath.Join(dir, "real")); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink("real", filepath.Join(dir, "docs")); err != nil {
			t.Fatal(err)
		}
	} else if err := os.Chmod(filepath.Join(dir, "docs"), 0o500); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(filepath.Join(dir, "docs"), 0o700) })
	_, stderr, exit := guardIn(dir, "changelog", "add", "--type", "added", "--summary", "New", "--path", "docs/x.md")
	if exit != ExitNoAnswer || stderr == "" {
		t.Errorf("exit %d, %q", exit, stderr)
	}
	if got := getFile(t, dir, "docs/context-changelog.json"); got != entries("a") {
		t.Errorf("got\n%s", got)
	}
	left, err := os.ReadDir(filepath.Join(dir, "docs") + "/")
	if err != nil || len(left) != 1 {
		t.Errorf("left: %v, %v", left, err)
	}
}
