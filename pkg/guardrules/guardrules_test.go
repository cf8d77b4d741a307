package guardrules_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-4419f9ca/forge/pkg/config"
	"github.com/seed-4419f9ca/forge/pkg/guardrules"
	"github.com/seed-4419f9ca/forge/pkg/memory"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

const (
	done  = "# T\n\n<!-- ⚠️ APPEND-ONLY — /end or /backlog clean only (C2) -->\n"
	log   = "# T\n\n<!-- ⚠️ APPEND-ONLY — via /end only -->\n"
	ro    = "# T\n\n<!-- ⚠️ READ-ONLY SNAPSHOT — Do NOT modify (I9) -->\n"
	bare  = "# T\n"
	doneP = "artifacts/tasks/done.md"
)

type files = map[string]string

func change(before, after files) *snapshot.Change {
	return memory.Change(snapshot.Staged, []snapshot.Tree{memory.Tree(before)}, memory.Tree(after))
}

func rules(t *testing.T, c *snapshot.Change, guards *config.Guards) *guardrules.Rules {
	t.Helper()
	cfg := config.Default()
	cfg.Guards = guards
	r, err := guardrules.New(c, cfg, func(p string) bool { return strings.HasPrefix(p, "ignored/") })
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestArmed(t *testing.T) {
	own := config.GuardRule{Key: "own", Header: "<!-- ⚠️ OWN -->", Paths: []string{"own/**"}, Policy: "governed"}
	for _, test := range []struct {
		name          string
		before, after files
		guards        *config.Guards
		armed, were   string // keys of the rows that are and were armed
	}{
		{name: "nothing", after: files{doneP: bare, "kernel/a.md": bare}},
		{name: "workspace file", after: files{guardrules.Workspace: ""}, armed: "done hot-lane backlog kernel governed workspace"},
		{name: "workspace file that goes", before: files{guardrules.Workspace: ""}, armed: "done hot-lane backlog kernel governed workspace", were: "done hot-lane backlog kernel governed workspace"},
		{name: "workspace file elsewhere", after: files{"a/" + guardrules.Workspace: ""}},
		{name: "guards in the configuration", guards: &config.Guards{}, armed: "done hot-lane backlog kernel governed workspace"},
		{name: "preset none", guards: &config.Guards{Preset: "none"}, before: files{doneP: done}, after: files{guardrules.Workspace: "", doneP: done}},
		{name: "preset none and a row of its own", guards: &config.Guards{Preset: "none", Rules: []config.GuardRule{own, {Key: "done", Via: []string{"/x"}}}}, armed: "own done"},
		{name: "row removed", guards: &config.Guards{Rules: []config.GuardRule{{Key: "kernel", Remove: true}}}, armed: "done hot-lane backlog governed workspace"},
		{name: "header in a new file", after: files{doneP: done}, armed: "done"},
		{name: "header that goes", before: files{doneP: done}, after: files{doneP: bare}, armed: "done", were: "done"},
		{name: "header in a file that goes", before: files{doneP: done}, armed: "done", were: "done"},
		{name: "header in a file that did not change", before: files{"x/" + doneP: done}, after: files{"x/" + doneP: done, doneP: bare}, armed: "done", were: "done"},
		{name: "header of another row", after: files{doneP: ro}, armed: "done"},
		{name: "header outside the paths", after: files{"notes.md": done}},
		{name: "header quoted", after: files{doneP: "# T\n\n```\n" + done + "```\n"}},
		{name: "header in an ignored file", after: files{"ignored/" + doneP: done}},
		{name: "guards came with the change", guards: &config.Guards{}, before: files{config.Path: "version: 1\n"}, armed: "done hot-lane backlog kernel governed workspace"},
		{name: "guards were there", guards: &config.Guards{}, before: files{config.Path: "version: 1\nguards:\n"}, armed: "done hot-lane backlog kernel governed workspace", were: "done hot-lane backlog kernel governed workspace"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := rules(t, change(test.before, test.after), test.guards)
			var armed, were []string
			for _, row := range r.Rows().List() {
				is, err := r.Armed(t.Context(), row)
				if err != nil {
					t.Fatal(err)
				}
				was, err := r.ArmedBefore(t.Context(), row)
				if err != nil {
					t.Fatal(err)
				}
				if is {
					armed = append(armed, row.Key)
				}
				if was {
					were = append(were, row.Key)
				}
			}
			if got := strings.Join(armed, " "); got != test.armed {
				t.Errorf("armed are %q, want %q", got, test.armed)
			}
			if got := strings.Join(were, " "); got != test.were {
				t.Errorf("armed before were %q, want %q", got, test.were)
			}
		})
	}
}

func TestRowsOfTheConfiguration(t *testing.T) {
	rows, custom := guardrules.Rows(&config.Guards{Rules: []config.GuardRule{
		{Key: "workspace", Remove: true},
		{Key: "governed", Header: "<!-- ⚠️ RULES -->", Via: []string{}},
		{Key: "own", Kind: "X", Header: "<!-- y -->", Paths: []string{"a"}, Policy: "none"},
	}})
	var keys []string
	for _, r := range rows {
		keys = append(keys, r.Key)
	}
	if diff := cmp.Diff([]string{"done", "hot-lane", "backlog", "kernel", "governed", "own"}, keys); diff != "" {
		t.Error(diff)
	}
	g := rows[4]
	if g.Header != "<!-- ⚠️ RULES -->" || g.Policy != "governed" || len(g.Via) != 0 || len(g.Paths) != 2 {
		t.Errorf("the row keeps what the rule does not give: %+v", g)
	}
	if !custom["governed"] || !custom["own"] || custom["done"] || custom["workspace"] {
		t.Errorf("rows of the configuration: %v", custom)
	}
}

func TestBinding(t *testing.T) {
	for _, test := range []struct {
		name, path    string
		before, after files
		guards        *config.Guards
		row           string
		how           guardrules.How
	}{
		{"by path", doneP, files{doneP: done}, files{doneP: bare}, nil, "done", guardrules.ByPath},
		{"unarmed path", doneP, files{doneP: bare}, files{doneP: bare + "x"}, nil, "", guardrules.Free},
		{"kernel before task", "kernel/" + doneP, nil, files{"kernel/" + doneP: ro}, nil, "kernel", guardrules.ByPath},
		{"record by its header", "notes/log.md", nil, files{"notes/log.md": log}, nil, "workspace", guardrules.ByHeader},
		{"record whose header goes", "notes/log.md", files{"notes/log.md": log}, files{"notes/log.md": bare}, nil, "workspace", guardrules.ByHeaderGone},
		{"record that is deleted", "notes/log.md", files{"notes/log.md": log}, nil, nil, "workspace", guardrules.ByHeaderGone},
		{"record in text of an unknown kind", "notes/log.txt", nil, files{"notes/log.txt": "# ⚠️ APPEND-ONLY — via /end only\n"}, nil, "workspace", guardrules.ByHeader},
		{"header below code", "a.sh", nil, files{"a.sh": "cat <<E\n# ⚠️ APPEND-ONLY — via /end only\nE\n"}, nil, "", guardrules.Free},
		{"other policies bind by path only", "notes/a.md", nil, files{"notes/a.md": ro}, nil, "", guardrules.Free},
		{"preset none", "notes/log.md", nil, files{"notes/log.md": log}, &config.Guards{Preset: "none"}, "", guardrules.Free},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := change(test.before, test.after)
			f, ok := c.File(test.path)
			if !ok {
				t.Fatalf("%q did not change", test.path)
			}
			row, how, err := rules(t, c, test.guards).Binding(t.Context(), f)
			if err != nil {
				t.Fatal(err)
			}
			key := ""
			if row != nil {
				key = row.Key
			} else {
				how = guardrules.Free
			}
			if key != test.row || how != test.how {
				t.Errorf("bound by %q (%d), want %q (%d)", key, how, test.row, test.how)
			}
		})
	}
}

func TestHeadOfLargeFiles(t *testing.T) {
	c := change(nil, files{"big.md": log + strings.Repeat("- one more line\n", 10000)})
	cfg := config.Default()
	cfg.Limits.File = 1000
	r, err := guardrules.New(c, cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	if row, how, err := r.Binding(t.Context(), &c.Files[0]); err != nil || row == nil || how != guardrules.ByHeader {
		t.Errorf("the header of a file over the limit is found in its head: %v, %d, %v", row, how, err)
	}
	var large *snapshot.TooLarge
	if _, err := r.Scan(t.Context(), c.After, c.Files[0].After); !errors.As(err, &large) {
		t.Errorf("a whole scan of it fails: %v", err)
	}
}

// TestFailures holds that what cannot be read is an error and never an unarmed row or a free file.
func TestFailures(t *testing.T) {
	broken := errors.New("broken")
	after := memory.Broken(memory.Tree(files{doneP: bare, "x/" + doneP: done}), "x/"+doneP, broken)
	c := memory.Change(snapshot.Staged, []snapshot.Tree{memory.Tree(files{"x/" + doneP: done})}, after)
	r := rules(t, c, nil)
	for range 2 {
		if _, err := r.For(t.Context(), doneP); !errors.Is(err, broken) {
			t.Errorf("evidence that cannot be read: %v", err)
		}
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	c = change(files{"a.md": log}, files{"a.md": bare})
	if _, _, err := rules(t, c, nil).Binding(cancelled, &c.Files[0]); !errors.Is(err, context.Canceled) {
		t.Errorf("a run that was stopped: %v", err)
	}
}

// TestShared holds that the changes of a run scan a file once, and that each sees its own change.
func TestShared(t *testing.T) {
	set, err := guardrules.NewSet(config.Default())
	if err != nil {
		t.Fatal(err)
	}
	whole, step := change(files{doneP: bare}, files{doneP: done}), change(files{doneP: done}, files{doneP: bare})
	a, b := set.In(whole, nil), set.In(step, nil)
	one, err := a.Scan(t.Context(), whole.After, whole.Files[0].After)
	if err != nil {
		t.Fatal(err)
	}
	two, err := b.Header(t.Context(), step.Before[0], step.Files[0].Before[0])
	if err != nil || one != two {
		t.Errorf("the same content at the same path was scanned twice: %v", err)
	}
	for _, c := range []struct {
		rules *guardrules.Rules
		want  bool
	}{{a, false}, {b, true}} {
		if was, err := c.rules.ArmedBefore(t.Context(), set.Rows().Key("done")); err != nil || was != c.want {
			t.Errorf("armed before: %v, %v, want %v", was, err, c.want)
		}
	}
}

func TestSwapped(t *testing.T) {
	before := memory.Tree(files{"a/b/c.md": done, "d/e.md": done})
	after := memory.TreeOf(map[string]memory.File{"a": {Mode: snapshot.Symlink, Data: "x"}, "d/e": {Mode: snapshot.Symlink, Data: "x"}})
	r := rules(t, memory.Change(snapshot.Staged, []snapshot.Tree{before}, after), nil)
	if s, ok := r.Swapped("a/b/c.md"); !ok || s.Folder != "a" || s.Mode != snapshot.Symlink {
		t.Errorf("got %v, %v", s, ok)
	}
	if s, ok := r.Swapped("d/e.md"); ok {
		t.Errorf("no folder of it was replaced, got %v", s)
	}
}
