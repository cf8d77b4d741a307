package floors

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A goMod is what "go mod edit -json" prints of a go.mod, as far as it matters here.
type goMod struct {
	Require []struct {
		Path     string
		Indirect bool
	}
	Tool []struct{ Path string }
}

func readGoMod(t *testing.T, name string) goMod {
	t.Helper()
	out, err := exec.Command("go", "mod", "edit", "-json", filepath.Join(root, name)).Output()
	if err != nil {
		t.Fatalf("could not read %q: %v", name, err)
	}
	var mod goMod
	if err := json.Unmarshal(out, &mod); err != nil {
		t.Fatal(err)
	}
	return mod
}

// documented returns the modules of docs/dependencies.md by the heading they stand under.
func documented(t *testing.T) map[string][]string {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(root, "docs", "dependencies.md"))
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile("^\\| `([^`]+)` \\| (.*) \\| (.*) \\|$")
	modules := map[string][]string{}
	section := ""
	for line := range strings.Lines(string(src)) {
		line = strings.TrimSuffix(line, "\n")
		if heading, ok := strings.CutPrefix(line, "## "); ok {
			section = heading
		}
		m := row.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		if strings.TrimSpace(m[2]) == "" || strings.TrimSpace(m[3]) == "" {
			t.Errorf("docs/dependencies.md: %q lacks its licence or its reason", m[1])
		}
		modules[section] = append(modules[section], m[1])
	}
	return modules
}

const (
	inPrograms = "In the programs"
	inTests    = "In tests"
	asTools    = "Tools"
)

// TestDependenciesAreDocumented keeps docs/dependencies.md equal to what the two modules require (chapter 10.4).
func TestDependenciesAreDocumented(t *testing.T) {
	lists := documented(t)
	modules := slices.Concat(lists[inPrograms], lists[inTests])
	var required []string
	for _, r := range readGoMod(t, "go.mod").Require {
		if !r.Indirect {
			required = append(required, r.Path)
		}
	}
	for _, path := range required {
		if !slices.Contains(modules, path) {
			t.Errorf("go.mod requires %q: say why in docs/dependencies.md, or do without it", path)
		}
	}
	for _, path := range modules {
		if !slices.Contains(required, path) {
			t.Errorf("docs/dependencies.md lists %q, which go.mod does not require directly: run go mod tidy, or remove the line", path)
		}
	}

	var tools []string
	for _, tool := range readGoMod(t, "tools/go.mod").Tool {
		i := slices.IndexFunc(lists[asTools], func(module string) bool { return under(tool.Path, module) })
		if i < 0 {
			t.Errorf("tools/go.mod has the tool %q: say why in docs/dependencies.md", tool.Path)
			continue
		}
		tools = append(tools, lists[asTools][i])
	}
	for _, path := range lists[asTools] {
		if !slices.Contains(tools, path) {
			t.Errorf("docs/dependencies.md lists the tool %q, which tools/go.mod does not have: remove the line", path)
		}
	}
}

// TestDependenciesStandInTheirSection makes sure that what is said to serve tests only is linked into no program.
func TestDependenciesStandInTheirSection(t *testing.T) {
	tree, err := load(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	importer := map[string]string{} // module: a file that ends up in programs
	lists := documented(t)
	for _, p := range tree {
		if floorOf(p.dir) == outside {
			continue
		}
		for _, f := range p.code() {
			for _, i := range f.imports() {
				for _, module := range slices.Concat(lists[inPrograms], lists[inTests]) {
					if under(i.path, module) {
						importer[module] = at(f, i.line)
					}
				}
			}
		}
	}
	for _, module := range lists[inTests] {
		if place, ok := importer[module]; ok {
			t.Errorf("docs/dependencies.md says that %q serves tests, but %s imports it", module, place)
		}
	}
	for _, module := range lists[inPrograms] {
		if _, ok := importer[module]; !ok {
			t.Errorf("docs/dependencies.md says that %q is part of the programs, but only tests import it", module)
		}
	}
}

// under reports whether the package at path belongs to module.
func under(path, module string) bool { return path == module || strings.HasPrefix(path, module+"/") }
