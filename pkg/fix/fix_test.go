package fix_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/fix"
	"github.com/seed-4419f9ca/forge/pkg/memory"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

func fixable(path string, edits ...text.Edit) finding.Finding {
	return finding.Finding{Code: "x/y", Level: finding.Flag, Path: path, Fix: &finding.Fix{Safe: true, Edits: edits}}
}

func fixes(code string) bool { return code == "x/y" }

func insert(at int, s string) text.Edit { return text.Edit{Start: at, End: at, New: []byte(s)} }

func TestMake(t *testing.T) {
	index := memory.Tree(map[string]string{"same": "ab\n", "crlf": "ab\ncd\n", "half": "ab\n", "twice": "ab\n"})
	disk := memory.Tree(map[string]string{"same": "ab\n", "crlf": "ab\r\ncd\r\n", "half": "ab\nmore\n", "new": "ab\n", "twice": "ab\n"})
	plan, err := fix.Make(t.Context(), []finding.Finding{
		fixable("same", insert(0, "> ")), fixable("crlf", insert(4, "x\r\n")), fixable("half", insert(0, "> ")), fixable("new", insert(0, "> ")),
		fixable("twice", insert(0, "> ")), fixable("twice", insert(0, "> "), insert(3, "end\n")), // they share an edit
		{Code: "x/z", Level: finding.Fail, Path: "same"}, {Code: "x/z", Level: finding.Flag, Path: "same"},
		{Code: "x/y", Level: finding.Flag, Path: "unclosed"},
	}, fixes, index, disk)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, w := range plan.Writes {
		got[w.Path] = string(w.Data)
	}
	if got["same"] != "> ab\n" || got["crlf"] != "ab\r\nx\r\ncd\r\n" || len(got) != 2 {
		t.Errorf("writes: %q", got)
	}
	var refused []string
	for _, r := range plan.Refused {
		refused = append(refused, r.Path)
	}
	if strings.Join(refused, " ") != "half new twice" {
		t.Errorf("refused: %v", plan.Refused)
	}
	if len(plan.Left) != 2 {
		t.Errorf("left: %v", plan.Left)
	}
}

func TestMakeFailsOnUnreadableFiles(t *testing.T) {
	broken := errors.New("broken")
	good := memory.Tree(map[string]string{"f": "ab\n"})
	other := memory.Tree(map[string]string{"f": "cd\n"})
	if _, err := fix.Make(t.Context(), []finding.Finding{fixable("f", insert(0, "x"))}, fixes, good, memory.Broken(good, "f", broken)); !errors.Is(err, broken) {
		t.Errorf("unreadable on disk: %v", err)
	}
	if _, err := fix.Make(t.Context(), []finding.Finding{fixable("f", insert(0, "x"))}, fixes, memory.Broken(other, "f", broken), good); !errors.Is(err, broken) {
		t.Errorf("unreadable in the index: %v", err)
	}
}
