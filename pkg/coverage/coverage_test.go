package coverage_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/seed-4419f9ca/forge/pkg/config"
	"github.com/seed-4419f9ca/forge/pkg/coverage"
	"github.com/seed-4419f9ca/forge/pkg/memory"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

const (
	done     = "# Done\n\n<!-- ⚠️ APPEND-ONLY — /end or /backlog clean only (C2) -->\n\n- [x] A-1: x #backlog\n"
	kernel   = "# K\n\n<!-- ⚠️ READ-ONLY SNAPSHOT — Do NOT modify (I9) -->\n"
	governed = "# R\n\n<!-- ⚠️ GOVERNED — /para-rule only. Overwritten by para update -->\n"
	table    = "# Rules\n\n## File Guards\n\n| File pattern | MUST re-read | Reason |\n|---|---|---|\n| `artifacts/tasks/*.md` | `three.md` C2 | nothing may get lost |\n" +
		"| `.agent/rules/*.md`, `kernel/` | `three.md` | |\n"
	gate   = "### 0. Pre-flight\n\nRe-read `.agent/rules.md` from disk.\n\n### 1. Go\n"
	report = "### 1. Report\n\n```\n📋 Status\n- a\n- b\n- c\n📊 Backlog summary\n- d\n- e\n- f\n🛡️ SAFETY\n- Git: ask.\n- Governance: leave kernel/ alone.\n- Recovery: re-read .agent/rules.md.\n```\n"
)

func whole() map[string]string {
	return map[string]string{
		".para-workspace.yml": "v\n", ".agent/rules.md": table, ".agent/rules/three.md": governed, "artifacts/tasks/done.md": done,
		"kernel/a.md": kernel, ".agent/workflows/push.md": gate, ".agent/workflows/open.md": report,
		".github/workflows/forge.yml": "jobs:\n  forge:\n    steps:\n      - run: forge-pre-commit run --ci\n",
	}
}

func compute(t *testing.T, files map[string]string, hooks ...string) *coverage.Matrix {
	t.Helper()
	m, err := coverage.Compute(t.Context(), coverage.Input{Tree: memory.Named(memory.Tree(files), "index"), Config: config.Default(), Hooks: hooks})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// grid writes the states of a matrix, one line for each action.
func grid(m *coverage.Matrix) string {
	var b strings.Builder
	for _, a := range m.Actions {
		b.WriteString(a.ID)
		for _, c := range a.Cells {
			if c.Reason == "" {
				b.WriteString(" ?")
			}
			b.WriteString(" " + string(c.State))
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestGrid(t *testing.T) {
	without := func(change ...string) map[string]string {
		f := whole()
		for i := 0; i < len(change); i += 2 {
			f[change[i]] = change[i+1]
			if change[i+1] == "" {
				delete(f, change[i])
			}
		}
		return f
	}
	tests := []struct {
		name  string
		files map[string]string
		hooks []string
		want  string
	}{
		{"everything", whole(), []string{"pre-commit"},
			"workflow partial full full partial partial\ndone full partial none full full\nkernel full full none full full\nrules full partial none full full\nfree partial partial none full full\n"},
		{"without hooks", whole(), nil,
			"workflow partial full full partial partial\ndone full partial none full partial\nkernel full full none full partial\nrules full partial none full partial\nfree partial partial none full partial\n"},
		{"nothing", map[string]string{"README.md": "x"}, nil,
			"workflow none none none none none\ndone none none none none none\nkernel none none none none none\nrules none none none none none\nfree none none none none none\n"},
		{"faults of each layer", without(".agent/rules/three.md", "", ".agent/workflows/open.md", strings.Replace(report, "- Git: ask.\n", "", 1),
			".agent/workflows/end.md", "### 1. Go\n\n"+gate, "Projects/x/artifacts/tasks/done.md", "# Done\n", ".github/workflows/forge.yml", "# forge-pre-commit\n"), []string{"pre-commit"},
			"workflow partial partial partial partial partial\ndone partial partial none partial partial\nkernel partial partial none full partial\nrules full partial none none partial\nfree partial partial none partial partial\n"},
		{"no table, no block, no step 0", without(".agent/rules.md", "# Rules\n", ".agent/workflows/open.md", "# Open\n", ".agent/workflows/push.md", "# Push\n"), nil,
			"workflow none none none partial partial\ndone none none none full partial\nkernel none none none full partial\nrules none none none full partial\nfree none none none full partial\n"},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, grid(compute(t, tt.files, tt.hooks...))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestTheConfigurationCounts(t *testing.T) {
	enforced := func(cfg *config.Config) string {
		m, err := coverage.Compute(t.Context(), coverage.Input{Tree: memory.Tree(whole()), Config: cfg, Hooks: []string{"pre-commit"}})
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, a := range m.Actions {
			out = append(out, string(a.Cells[4].State))
		}
		return strings.Join(out, " ")
	}
	loose, off, removed := config.Default(), config.Default(), config.Default()
	loose.Guards = &config.Guards{Provenance: "off"}
	off.Checks["guard-policy"] = config.Levels{PreCommit: "off", CI: "off"}
	removed.Guards = &config.Guards{Rules: []config.GuardRule{{Key: "kernel", Remove: true}}}
	for _, tt := range []struct {
		cfg  *config.Config
		want string
	}{
		{config.Default(), "partial full full full full"},
		{loose, "partial full none none full"},
		{off, "partial none none none none"},
		{removed, "partial full none full full"},
	} {
		if got := enforced(tt.cfg); got != tt.want {
			t.Errorf("%+v: %s, want %s", tt.cfg, got, tt.want)
		}
	}
}

func TestGuardedFilesWithoutHeader(t *testing.T) {
	files := map[string]memory.File{
		".para-workspace.yml":                   {Mode: snapshot.Regular, Data: "v"},
		"Projects/kho/artifacts/tasks/done.md":  {Mode: snapshot.Regular, Data: "# Done\n"},
		"Projects/quán/artifacts/tasks/done.md": {Mode: snapshot.Regular, Data: done},
		"kernel/link.md":                        {Mode: snapshot.Symlink, Data: "../x.md"},
		"kernel/fence.md":                       {Mode: snapshot.Regular, Data: "# K\n\n```\n<!-- ⚠️ READ-ONLY SNAPSHOT — Do NOT modify (I9) -->\n```\n"},
		"kernel/data.json":                      {Mode: snapshot.Regular, Data: "{}"},
		"kernel/bad\xff.md":                     {Mode: snapshot.Regular, Data: "# K\n"},
		"vendor/artifacts/tasks/done.md":        {Mode: snapshot.Regular, Data: "# Done\n"},
	}
	cfg := config.Default()
	cfg.Guards = &config.Guards{Rules: []config.GuardRule{{Key: "kernel", Paths: []string{"kernel/**"}}}}
	in := coverage.Input{Tree: memory.TreeOf(files), Config: cfg, Ignored: func(p string) bool { return strings.HasPrefix(p, "vendor/") }}
	m, err := coverage.Compute(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range m.Unguarded {
		got = append(got, f.Guard+" "+f.Path)
	}
	want := []string{"done Projects/kho/artifacts/tasks/done.md", "kernel kernel/bad\xff.md", "kernel kernel/fence.md", "kernel kernel/link.md"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var text, data bytes.Buffer
	if err := errors.Join(m.WriteText(&text), m.WriteJSON(&data)); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text.String(), "  Projects/kho/artifacts/tasks/done.md: ") || !strings.Contains(text.String(), `kernel/bad\xff.md`) {
		t.Errorf("the text does not list the files:\n%s", text.String())
	}
	if !strings.Contains(data.String(), `"Projects/kho/artifacts/tasks/done.md"`) || !strings.Contains(data.String(), `"kernel/bad%FF.md"`) {
		t.Errorf("the JSON does not list the files:\n%s", data.String())
	}
	validate(t, coverage.Schema(), data.Bytes())
}

// The reasons name what is wrong.
func TestReasons(t *testing.T) {
	files := whole()
	delete(files, ".agent/rules/three.md")
	files[".agent/workflows/end.md"] = "### 1. Go\n\n" + gate
	files[".agent/workflows/plan.md"] = strings.Replace(gate, ".agent/", ".agents/", 1)
	files[".agent/workflows/docs.md"] = "### 0. Gate\n\nBreathe.\n"
	files[".agent/workflows/retro.md"] = "# Retro\n"
	files[".agent/workflows/open.md"] = strings.Replace(report, "kernel/", "lost/", 1)
	m := compute(t, files)
	for _, tt := range []struct {
		action, cell int
		want         []string
	}{
		{0, 1, []string{`"lost/"`}},
		{0, 2, []string{"1 of 5", `end.md" does not begin with its step 0`, `plan.md" names ".agents/rules.md"`, `docs.md" does not re-read`, `retro.md" has no step 0`}},
		{1, 0, []string{"0 of 1 file", "the rule file is missing"}},
		{1, 4, []string{"only by jobs of CI"}},
	} {
		reason := m.Actions[tt.action].Cells[tt.cell].Reason
		for _, w := range tt.want {
			if !strings.Contains(reason, w) {
				t.Errorf("%q is not in %q", w, reason)
			}
		}
	}
}

func TestUnreadable(t *testing.T) {
	for path := range whole() {
		if path == ".para-workspace.yml" {
			continue
		}
		broken := memory.Broken(memory.Tree(whole()), path, errors.New("the object is broken"))
		if _, err := coverage.Compute(t.Context(), coverage.Input{Tree: broken, Config: config.Default()}); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("with %q unreadable the error is %v", path, err)
		}
	}
	cfg := config.Default()
	cfg.Limits.File = 20
	m, err := coverage.Compute(t.Context(), coverage.Input{Tree: memory.Tree(whole()), Config: cfg})
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Unread) == 0 {
		t.Error("files over the limit are not named")
	}
}

func TestJSONFollowsItsSchema(t *testing.T) {
	for i, m := range []*coverage.Matrix{compute(t, whole(), "pre-commit"), compute(t, nil)} {
		var a, b bytes.Buffer
		if err := errors.Join(m.WriteJSON(&a), m.WriteJSON(&b)); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Error("the same matrix gives two outputs")
		}
		validate(t, coverage.Schema(), a.Bytes())
		var v struct{ Layers []struct{ Bytes, Tokens int } }
		if err := json.Unmarshal(a.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		for _, l := range v.Layers[:4] {
			if (l.Bytes > 0) != (i == 0) || l.Tokens != (l.Bytes+3)/4 {
				t.Errorf("%d: %d bytes are %d tokens", i, l.Bytes, l.Tokens)
			}
		}
	}
}

func TestReread(t *testing.T) {
	in := coverage.Input{Tree: memory.Named(memory.Tree(whole()), "index"), Config: config.Default()}
	r, err := coverage.ComputeReread(t.Context(), in, []string{"./artifacts/tasks/done.md", ".agent/rules.md", "none\u202e.md"})
	if err != nil {
		t.Fatal(err)
	}
	var text, data bytes.Buffer
	if err := errors.Join(r.WriteText(&text), r.WriteJSON(&data)); err != nil {
		t.Fatal(err)
	}
	want := ".agent/rules/three.md: before editing ./artifacts/tasks/done.md, says .agent/rules.md:7 (nothing may get lost)\n" +
		"nothing for .agent/rules.md: no guard table names it\nnothing for none\\u202e.md: no guard table names it\n"
	if diff := cmp.Diff(want, text.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	validate(t, coverage.RereadSchema(), data.Bytes())
	if strings.Contains(data.String(), "\u202e") {
		t.Error("the JSON holds a character that turns the text round")
	}
}

func TestText(t *testing.T) {
	var b bytes.Buffer
	if err := compute(t, whole(), "pre-commit").WriteText(&b); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		"Guard layers in index\n", "run a workflow ", "edit done.md directly ", "edit a kernel file ", "edit a rules file ", "a free request ",
		"full", "partial", "none", "tokens per session", "estimate", "\nGuarded files without header: 0 of 3\n",
	} {
		if !strings.Contains(b.String(), part) {
			t.Errorf("%q is not in the text:\n%s", part, b.String())
		}
	}
}

func validate(t *testing.T, schema, data []byte) {
	t.Helper()
	s, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema.json", s); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if err := compiled.Validate(v); err != nil {
		t.Error(fmt.Errorf("%w\n%s", err, data))
	}
}
