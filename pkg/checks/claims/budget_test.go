package claims_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/checks/claims"
	"github.com/seed-4419f9ca/forge/pkg/memory"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

const overview = "docs/system/OVERVIEW.md"

// always is a configuration that loads these globs and allows ten lines.
func always(globs string) string {
	return "version: 1\nclaims:\n  budget-lines: 10\n  always-loaded: [" + globs + "]\n"
}

func TestBudget(t *testing.T) {
	link := func(target string) memory.File { return memory.File{Mode: snapshot.Symlink, Data: target} }
	file := func(data string) memory.File { return memory.File{Mode: snapshot.Regular, Data: data} }
	ten := file(strings.Repeat("x\n", 10))
	for _, tt := range []struct {
		name   string
		config string
		files  map[string]memory.File
		want   []string
	}{
		{"nothing", "", map[string]memory.File{"docs/system/domain.md": ten}, []string{"skip: not used"}},
		{"nothing that the globs name", always("'*.txt', AGENTS.md"), map[string]memory.File{"a.md": ten}, []string{"skip: not used"}},
		{"as much as is allowed", "", map[string]memory.File{overview: file(strings.Repeat("x\n", 400))}, nil},
		{"one more", "", map[string]memory.File{overview: file(strings.Repeat("x\n", 401))}, []string{overview + ": budget/exceeded"}},
		{"one more without a line end", "", map[string]memory.File{overview: file(strings.Repeat("x\n", 400) + "x")}, []string{overview + ": budget/exceeded"}},
		{"CRLF", always(""), map[string]memory.File{overview: file(strings.Repeat("x\r\n", 10))}, nil},
		{"empty", always(""), map[string]memory.File{overview: file("")}, nil},
		{"two files", always("AGENTS.md"), map[string]memory.File{overview: ten, "AGENTS.md": file("x")}, []string{overview + ": budget/exceeded"}},
		{"the same file twice", always("AGENTS.md, '*.md'"), map[string]memory.File{"AGENTS.md": ten}, nil},
		{"a glob", always("'rules/**/*.md'"), map[string]memory.File{"rules/a.md": ten, "rules/b/c.md": file("x"), "other/rules/a.md": ten}, []string{"rules/a.md: budget/exceeded"}},
		{"a glob of a whole folder", always("'rules/**'"), map[string]memory.File{"rules/a.md": ten, "rules/b": file("x")}, []string{"rules/a.md: budget/exceeded"}},
		{"a link to a file of the set", always("AGENTS.md, CLAUDE.md"), map[string]memory.File{"AGENTS.md": ten, "CLAUDE.md": link("AGENTS.md")}, nil},
		{"a link to another file", always("CLAUDE.md"), map[string]memory.File{"docs/a.md": file(strings.Repeat("x\n", 11)), "CLAUDE.md": link("./docs/a.md")}, []string{"docs/a.md: budget/exceeded"}},
		{"a link out of the repository", always("CLAUDE.md"), map[string]memory.File{"CLAUDE.md": link("../a.md")}, []string{`skip: could not count the lines of "CLAUDE.md": it leads to no file of this repository`}},
		{"links in a circle", always("a, b"), map[string]memory.File{"a": link("b"), "b": link("a")}, []string{`skip: could not count the lines of "a": it leads to no file of this repository; could not count the lines of "b": it leads to no file of this repository`}},
		{"retired claims", always("docs/system/domain.md"), map[string]memory.File{"docs/system/domain.md": file("# T\n\n" + retired("CON-1", "One") + retired("CON-2", "Two"))}, nil},
		{"live claims", always("docs/system/domain.md"), map[string]memory.File{"docs/system/domain.md": file("# T\n\n" + text("CON-1", "One", "asserted"))}, []string{"docs/system/domain.md: budget/exceeded"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := memory.Change(snapshot.Staged, []snapshot.Tree{memory.Tree(nil)}, memory.TreeOf(tt.files))
			got := run{check: claims.Budget, stage: check.PreCommit, config: tt.config, change: c}.lines(t)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestBudgetListsFilesBySize(t *testing.T) {
	c := change(nil, files{overview: strings.Repeat("x\n", 3), "b.md": strings.Repeat("x\n", 5), "a.md": strings.Repeat("x\n", 3)})
	rep, err := run{check: claims.Budget, stage: check.CI, config: always("'*.md'"), change: c}.report(t)
	if err != nil || len(rep.Findings) != 1 {
		t.Fatalf("%v, %v", rep, err)
	}
	want := `the files that every session loads have 11 lines together, 1 more than 10: "b.md" 5, "a.md" 3, "docs/system/OVERVIEW.md" 3`
	if f := rep.Findings[0]; f.Message != want || f.Path != "b.md" {
		t.Errorf("%s: %s, want %s", f.Path, f.Message, want)
	}
}

func TestBudgetUnreadable(t *testing.T) {
	cause := errors.New("disk on fire")
	c := memory.Change(snapshot.Staged, []snapshot.Tree{memory.Tree(nil)}, memory.Broken(memory.Tree(files{overview: "x"}), overview, cause))
	if _, err := (run{check: claims.Budget, stage: check.PreCommit, change: c}).report(t); !errors.Is(err, cause) {
		t.Errorf("a file that cannot be read gives %v", err)
	}
}
