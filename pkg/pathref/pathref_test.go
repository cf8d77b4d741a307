package pathref_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-4419f9ca/forge/pkg/memory"
	"github.com/seed-4419f9ca/forge/pkg/pathref"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

func TestFind(t *testing.T) {
	tests := []struct {
		text string
		want []string
	}{
		{"Re-read `.agent/rules.md` from disk.", []string{".agent/rules.md"}},
		{"re-read .agent/rules.md.", []string{".agent/rules.md"}},
		{"see (docs/a.md), docs/b.md; and **docs/c.md**!", []string{"docs/a.md", "docs/b.md", "docs/c.md"}},
		{"no merge/branch/tag, no and/or", nil},
		{"do not touch kernel/ or .para/", []string{"kernel/", ".para/"}},
		{"run /end, then `/backlog clean`", nil},
		{"e.g. version v1.2, Node.js, 3.5", nil},
		{"rules.md and governance.md C2", []string{"rules.md", "governance.md"}},
		{"Projects/[name]/rules.md Projects/<name>/rules.md {x}/rules.md $HOME/rules.md", nil},
		{".agent/rules/*.md", nil},
		{"https://example.com/x.md example.com/x.md git@host.org:a/b.md", nil},
		{"cat .agents/rules.md 2>/dev/null | head -n 30", []string{".agents/rules.md"}},
		{"written to /tmp/x.md or ~/x.md", nil},
		{"/.agent/rules.md from the root", []string{".agent/rules.md"}},
		{"[rule](rules/a.md#c2)", []string{"rules/a.md"}},
		{"at docs/a.md:12 and docs/b.md:3-9", []string{"docs/a.md", "docs/b.md"}},
		{"./docs/a.md and ../b.md", []string{"docs/a.md", "../b.md"}},
		{"rules.md/skills.md", nil},
		{"“quy-tắc/chung.md”, tệp ghi-chú.md", []string{"quy-tắc/chung.md", "ghi-chú.md"}},
		{"...", nil},
		{"", nil},
	}
	for _, tt := range tests {
		var got []string
		for _, r := range pathref.Find(tt.text) {
			got = append(got, r.Path)
			if !strings.Contains(tt.text[r.Start:r.End], strings.TrimPrefix(r.Path, "./")) {
				t.Errorf("%q: the range of %q holds %q", tt.text, r.Path, tt.text[r.Start:r.End])
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.text, diff)
		}
	}
}

func TestExists(t *testing.T) {
	tree := memory.TreeOf(map[string]memory.File{
		".agent/rules.md":       {Mode: snapshot.Regular, Data: "x"},
		".agents":               {Mode: snapshot.Symlink, Data: ".agent"},
		"AGENTS.md":             {Mode: snapshot.Symlink, Data: ".agent/rules.md"},
		"dead.md":               {Mode: snapshot.Symlink, Data: "nowhere.md"},
		"loop.md":               {Mode: snapshot.Symlink, Data: "loop.md"},
		"out.md":                {Mode: snapshot.Symlink, Data: "../../etc/passwd"},
		"absolute.md":           {Mode: snapshot.Symlink, Data: "/etc/passwd"},
		"etc/passwd":            {Mode: snapshot.Regular, Data: "x"},
		"docs/deep/index.md":    {Mode: snapshot.Regular, Data: "x"},
		"docs/up.md":            {Mode: snapshot.Symlink, Data: "../.agents/rules.md"},
		"lib":                   {Mode: snapshot.Gitlink, Data: strings.Repeat("a", 40)},
		"huge.md":               {Mode: snapshot.Symlink, Data: strings.Repeat("a/", 4096)},
		"Projects/x/rules/a.md": {Mode: snapshot.Regular, Data: "x"},
	})
	tests := map[string]bool{
		".agent/rules.md": true, ".agent": true, ".agent/": true, ".agents/rules.md": true, ".agents/": true,
		"AGENTS.md": true, "docs/up.md": true, "docs": true, "docs/deep/": true, "lib": true, "lib/": true,
		".agent/rules.md/": false, "dead.md": false, "loop.md": false, "out.md": false, "absolute.md": false, "huge.md": false,
		"../x": false, "/etc": false, "/etc/passwd": false, "": false, ".": false, "doc": false, "docs/deep/index": false,
	}
	for p, want := range tests {
		got, err := pathref.Exists(t.Context(), tree, p)
		if err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("Exists(%q) is %v", p, got)
		}
	}
}

func TestFirstPrefersTheNearest(t *testing.T) {
	tree := memory.Tree(map[string]string{
		".agent/rules/governance.md": "", "Projects/x/.agent/rules/governance.md": "", "governance.md": "", "docs/rules.md": "",
	})
	tests := []struct{ from, named, want string }{
		{".agent/rules.md", "governance.md", ".agent/rules/governance.md"},
		{"Projects/x/.agent/rules.md", "governance.md", "Projects/x/.agent/rules/governance.md"},
		{"Projects/y/.agent/rules.md", "governance.md", "governance.md"},
		{".agent/rules/index.md", "rules/governance.md", ".agent/rules/governance.md"},
		{".agent/workflows/push.md", "docs/rules.md", "docs/rules.md"},
		{".agent/workflows/push.md", "../rules/governance.md", ".agent/rules/governance.md"},
		{".agent/rules.md", "../../../governance.md", ""},
		{".agent/rules.md", "docs/", "docs"},
		{".agent/rules.md", "none.md", ""},
	}
	for _, tt := range tests {
		got, err := pathref.First(t.Context(), tree, pathref.Places(tt.from, tt.named))
		if err != nil {
			t.Fatal(err)
		}
		if got != tt.want {
			t.Errorf("%q named in %q is found at %q, want %q", tt.named, tt.from, got, tt.want)
		}
	}
}

func FuzzFind(f *testing.F) {
	for _, s := range []string{"Re-read `.agent/rules.md`.", "a/b/c", "**x/y.md**", "[a](b.md#c)", "x.md:1-", "/.a", "<a.md>", "\xff/a.md", "…/a.md", "../../../a.md"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		last := 0
		for _, r := range pathref.Find(s) {
			if r.Start < last || r.End <= r.Start || r.End > len(s) {
				t.Fatalf("%q: range %d to %d is out of order", s, r.Start, r.End)
			}
			last = r.End
			if r.Path == "" || strings.HasPrefix(r.Path, "/") || strings.ContainsAny(r.Path, " \t\n`<>*") {
				t.Fatalf("%q: %q is no path", s, r.Path)
			}
			for _, p := range pathref.Places(".agent/workflows/push.md", r.Path) {
				if strings.HasPrefix(p, "../") || strings.HasPrefix(p, "/") {
					t.Fatalf("%q leaves the root as %q", r.Path, p)
				}
			}
		}
	})
}
