// Package docs runs every command that the README and the pages under docs show.
package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-4419f9ca/forge/pkg/git"
	"github.com/seed-4419f9ca/forge/pkg/markdown"
)

const root = "../.."

// elsewhere are commands that are run in another way than in the sample repository: by name of the test that does.
func elsewhere() map[string]func(*testing.T, string) {
	return map[string]func(*testing.T, string){
		"go run ./cmd/forge-pre-commit demo": demo,
		"go test ./...":                      testCommand,
		"go install ./cmd/...":               install,
	}
}

func TestCommandsOfTheDocs(t *testing.T) {
	bin := build(t)
	pages, err := filepath.Glob(root + "/docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range append(pages, root+"/README.md") {
		src, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		var blocks []string
		markdown.Parse(src).Walk(func(b *markdown.Block) bool {
			if b.Kind == markdown.Fence && b.Info == "sh" {
				blocks = append(blocks, body(string(src[b.Start:b.End])))
			}
			return true
		})
		if len(blocks) == 0 {
			continue
		}
		t.Run(filepath.Base(page), func(t *testing.T) {
			repo := sample(t, bin)
			for _, block := range blocks {
				for line := range strings.Lines(block) {
					run(t, repo, bin, strings.TrimSpace(line))
				}
			}
		})
	}
}

// body is a fence without its two fence lines.
func body(fence string) string {
	_, rest, _ := strings.Cut(fence, "\n")
	return strings.TrimRight(rest[:strings.LastIndex(rest, "```")], " ")
}

func run(t *testing.T, repo, bin, line string) {
	t.Helper()
	if line == "" || strings.HasPrefix(line, "#") {
		return
	}
	if f := elsewhere()[line]; f != nil {
		f(t, bin)
		return
	}
	if out, err := shell(repo, bin, line); err != nil {
		t.Errorf("%s\n%s\n%v", line, out, err)
	}
}

func shell(dir, bin, line string) ([]byte, error) {
	cmd := exec.Command("sh", "-euc", line)
	cmd.Dir = dir
	cmd.Env = environ(bin, dir)
	return cmd.CombinedOutput()
}

func environ(bin, home string) []string {
	return append(git.CleanEnv(os.Environ()), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "HOME="+home,
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "FORGE_VIA=", "FORGE_SKIP=", "CI=")
}

// build builds the programs into a folder of their own.
func build(t *testing.T) string {
	t.Helper()
	bin := t.TempDir()
	cmd := exec.Command("go", "build", "-o", bin, "./cmd/...")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return bin
}

// sample makes a repository with two commits, in which the commands of a page are run.
func sample(t *testing.T, bin string) string {
	t.Helper()
	dir := t.TempDir()
	for _, line := range []string{
		"git init -q -b main && git config user.name Sample && git config user.email sample@example.com",
		"mkdir -p artifacts/tasks logs && echo one >logs/day.wal",
		`printf '# Done\n\n<!-- ⚠️ APPEND-ONLY — /end or /backlog clean only (C2) -->\n\n- [x] A-1: one #backlog\n' >artifacts/tasks/done.md`,
		`mkdir -p docs/domain && echo '{"leji": "1.0", "name": "Sample", "rootPath": "docs/", "bootProfilePath": "docs/boot.md", ` +
			`"categories": {"domain": {"indexes": ["docs/domain.md"]}}, "owners": {"primary": {"name": "Sample"}}}' >leji.json`,
		"printf '# Domain\\n\\n```leji-index\\n- path: docs/domain/\\n```\\n' >docs/domain.md && echo '# Limits' >docs/domain/limits.md",
		"printf '# Identity\\n# Loading\\n# Posture\\n' >docs/boot.md",
		`echo '{"schemaVersion": "1.0", "entries": [{"id": "start", "date": "2026-01-20", "type": "added", "summary": "The layer begins", "paths": ["docs"]}]}' >docs/context-changelog.json`,
		`mkdir -p app docs/system && printf 'LIMIT = 5\n' >app/limit.py && printf '# Rules\n\n### INV-limit — Nobody takes more than five\n\n` +
			"```claim\\nkind: invariant\\nstatus: asserted\\ntruth-source: code\\nanchors: [app/limit.py#LIMIT]\\nreviewed: 2026-01-20\\n```" + `\n\nThe sixth is refused.\n' >docs/system/domain.md`,
		"git add . && git commit -q -m one",
		"echo two >>logs/day.wal && git commit -q -a -m two",
		"echo three >>logs/day.wal && git add .",
	} {
		if out, err := shell(dir, bin, line); err != nil {
			t.Fatalf("%s\n%s\n%v", line, out, err)
		}
	}
	return dir
}

// demo runs the demo from the sources, as the README says.
func demo(t *testing.T, _ string) {
	cmd := exec.Command("go", "run", "./cmd/forge-pre-commit", "demo")
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	if err != nil || strings.Contains(string(out), "WRONG") {
		t.Errorf("the demo: %v\n%s", err, out)
	}
}

// testCommand holds .ci/run to the command that the README names; this test is part of what that command runs.
func testCommand(t *testing.T, _ string) {
	script, err := os.ReadFile(root + "/.ci/run")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(script), "go test ./...\n") {
		t.Error(".ci/run does not call `go test ./...`")
	}
}

// install installs into a folder of its own.
func install(t *testing.T, _ string) {
	gobin := t.TempDir()
	cmd := exec.Command("go", "install", "./cmd/...")
	cmd.Dir, cmd.Env = root, append(os.Environ(), "GOBIN="+gobin)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if _, err := os.Stat(filepath.Join(gobin, "forge-pre-commit")); err != nil {
		t.Error(err)
	}
}

// TestRefusalInReadme makes the fault that the README shows and compares what is printed.
func TestRefusalInReadme(t *testing.T) {
	src, err := os.ReadFile(root + "/README.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := ""
	markdown.Parse(src).Walk(func(b *markdown.Block) bool {
		if b.Kind == markdown.Fence && b.Info == "text" {
			shown = body(string(src[b.Start:b.End]))
		}
		return true
	})
	bin := build(t)
	repo := sample(t, bin)
	out, err := shell(repo, bin, "sed -i 's/A-1: one/A-1: two/' artifacts/tasks/done.md && git add . && forge-pre-commit run --only guard-policy")
	if err == nil {
		t.Error("the edit of an old entry is accepted")
	}
	if shown == "" || !strings.HasPrefix(string(out), strings.TrimSuffix(shown, "\n")) {
		t.Errorf("the README shows\n%s\nand the program prints\n%s", shown, out)
	}
}
