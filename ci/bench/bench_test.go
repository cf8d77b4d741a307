package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func testLab(t *testing.T) *lab {
	t.Helper()
	dir := t.TempDir()
	return &lab{dir: dir, scratch: dir, env: []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull,
	}}
}

func TestChoose(t *testing.T) {
	all := []bench{{name: "hook-67"}, {name: "hook-180k", large: true}, {name: "startup-a"}, {name: "startup-b"}}
	for _, c := range []struct {
		list  string
		large bool
		want  string
	}{
		{"", false, "hook-67 startup-a startup-b"},
		{"", true, "hook-67 hook-180k startup-a startup-b"},
		{"startup", false, "startup-a startup-b"},
		{"startup-b,hook-67", false, "startup-b hook-67"},
		{"hook", false, "hook-67"},
		{"hook-180k", false, "hook-180k"},
	} {
		chosen, err := choose(all, c.list, c.large)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, b := range chosen {
			names = append(names, b.name)
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("choose(%q, %v) = %q, want %q", c.list, c.large, got, c.want)
		}
	}
	if _, err := choose(all, "hook-67,nothing", true); err == nil {
		t.Error("an unknown name is no error")
	}
}

func TestRatio(t *testing.T) {
	c := contest{work: []time.Duration{40, 10, 30}, reference: []time.Duration{10, 10, 20}}
	ratio, least, greatest := c.ratio()
	if ratio != 3 || least != 1 || greatest != 4 {
		t.Errorf("ratio = %v (%v–%v), want 3 (1–4)", ratio, least, greatest)
	}
	if got := median([]time.Duration{4, 1, 3, 2}); got != 2 {
		t.Errorf("median of an even number = %d, want the lower one", got)
	}
	times := []time.Duration{2 * time.Millisecond, time.Millisecond, 5 * time.Millisecond}
	if got, want := spread(times), "2.0 (1.0–5.0)"; got != want {
		t.Errorf("spread = %q, want %q", got, want)
	}
}

func TestHighWater(t *testing.T) {
	for status, want := range map[string]int64{
		"Name:\tgit\nVmHWM:\t    1234 kB\nVmRSS:\t 1 kB\n": 1234 << 10,
		"Name:\tgit\nState:\tZ (zombie)\n":                 0,
		"Name:\tgit\nVmHWM:\t12":                           12 << 10,
	} {
		if got := highWater([]byte(status)); got != want {
			t.Errorf("highWater(%q) = %d, want %d", status, got, want)
		}
	}
}

// TestChildrenCount makes sure that what a child of the measured process used is part of the sample.
func TestChildrenCount(t *testing.T) {
	l := testLab(t)
	const busy = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done"
	alone, err := l.once(command{args: []string{"sh", "-c", ":"}, dir: l.dir})
	if err != nil {
		t.Fatal(err)
	}
	child, err := l.once(command{args: []string{"sh", "-c", "sh -c '" + busy + "'; :"}, dir: l.dir})
	if err != nil {
		t.Fatal(err)
	}
	if child <= alone {
		t.Errorf("a busy child counts %v, nothing counts %v", child, alone)
	}
	if _, err := l.once(command{args: []string{"sh", "-c", "exit 3"}, dir: l.dir}); err == nil {
		t.Error("a command that fails was measured")
	}
}

// TestRepositoriesAreTheSameTwice makes sure that two machines measure the same thing.
func TestRepositoriesAreTheSameTwice(t *testing.T) {
	var trees []string
	for range 2 {
		r, err := stagedRepo(testLab(t), 67, []doc{doneList(3, 4)})
		if err != nil {
			t.Fatal(err)
		}
		head, err := r.git(nil, "rev-parse", "HEAD")
		if err != nil {
			t.Fatal(err)
		}
		tree, err := r.git(nil, "write-tree")
		if err != nil {
			t.Fatal(err)
		}
		trees = append(trees, string(head)+string(tree))
		listed, err := r.git(nil, "ls-files")
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(listed), "\n"); n != 67 {
			t.Errorf("the repository has %d files", n)
		}
		staged, err := r.git(nil, "diff", "--cached", "--name-only")
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSpace(string(staged)); got != doneList(3, 0).path {
			t.Errorf("staged is %q", got)
		}
		ids, err := r.blobs("diff-index", "--cached", "--raw", "--abbrev=64", "HEAD")
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Clean(ids))
		if err != nil || strings.Count(string(text), "\n") != 2 {
			t.Errorf("both sides should be listed, got %q, %v", text, err)
		}
	}
	if trees[0] != trees[1] {
		t.Errorf("two repositories differ:\n%s%s", trees[0], trees[1])
	}
}
