package git_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-4419f9ca/forge/pkg/git"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
	"github.com/seed-4419f9ca/forge/testdata/shapes"
)

// hookVar makes the test binary act as a hook: it reads the change that its value names and writes what it sees to the
// file in hookOut.
const (
	hookVar = "FORGE_TEST_HOOK"
	hookOut = "FORGE_TEST_OUT"
)

func TestMain(m *testing.M) {
	if kind := os.Getenv(hookVar); kind != "" {
		os.Exit(hook(kind))
	}
	os.Exit(m.Run())
}

func hook(kind string) int {
	ctx := context.Background()
	os.Unsetenv(hookVar)
	r, err := git.Open(ctx, git.Options{})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 3
	}
	defer r.Close()
	var changes []*snapshot.Change
	switch kind {
	case "staged":
		var c *snapshot.Change
		c, err = r.Staged(ctx)
		changes = append(changes, c)
	case "pre-push":
		changes, err = r.PrePush(ctx, os.Args[1], os.Stdin)
	case "pre-receive":
		changes, err = r.PreReceive(ctx, os.Stdin)
	}
	var lines []string
	for _, c := range changes {
		if err != nil {
			break
		}
		var l []string
		l, err = summary(ctx, c)
		lines = append(lines, l...)
		if c != nil && c.Commits != nil && err == nil {
			var steps []snapshot.Step
			steps, err = c.Commits(ctx)
			for _, s := range steps {
				lines = append(lines, fmt.Sprintf("commit %q", s.Message))
			}
		}
	}
	if err != nil {
		lines = append(lines, "error: "+err.Error())
	}
	if err := os.WriteFile(os.Getenv(hookOut), []byte(strings.Join(lines, "\n")), 0o666); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 3
	}
	return 0
}

// installHook makes the test binary the hook name of r, reading the change kind; seen returns what it saw last.
func installHook(t *testing.T, r *shapes.Repo, name, kind string) (seen func() []string) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	out := t.TempDir() + "/out"
	dir := r.Git("rev-parse", "--git-path", "hooks")
	script := fmt.Sprintf("#!/bin/sh\n%s=%s %s='%s' exec '%s' \"$@\"\n", hookVar, kind, hookOut, out, exe)
	r.Write(dir+"/"+name, script)
	if err := os.Chmod(r.Path(dir+"/"+name), 0o755); err != nil {
		t.Fatal(err)
	}
	return func() []string {
		t.Helper()
		data, err := os.ReadFile(out)
		if err != nil {
			t.Fatalf("the hook %s did not run: %v", name, err)
		}
		if err := os.Remove(out); err != nil {
			t.Fatal(err)
		}
		if len(data) == 0 {
			return nil
		}
		return strings.Split(string(data), "\n")
	}
}

// summary lists the files of a change with all their contents.
func summary(ctx context.Context, c *snapshot.Change) ([]string, error) {
	var out []string
	for _, f := range c.Files {
		var sides []string
		for i, b := range f.Before {
			s, err := side(ctx, c.Before[i], b)
			if err != nil {
				return nil, err
			}
			sides = append(sides, s)
		}
		after, err := side(ctx, c.After, f.After)
		if err != nil {
			return nil, err
		}
		line := fmt.Sprintf("%s: %s => %s", strings.Trim(fmt.Sprintf("%q", f.Path), `"`), strings.Join(sides, " & "), after)
		if f.From != "" {
			line += " from " + f.From
		}
		out = append(out, line)
	}
	return out, nil
}

func side(ctx context.Context, t snapshot.Tree, e snapshot.Entry) (string, error) {
	kind := map[snapshot.Mode]string{snapshot.Executable: "x", snapshot.Symlink: "@", snapshot.Gitlink: "module "}[e.Mode]
	switch {
	case !e.Exists():
		return "-", nil
	case e.Mode == snapshot.Gitlink:
		return kind + string(e.OID[:4]), nil
	}
	data, err := t.Read(ctx, e, 0)
	return fmt.Sprintf("%s%.60q", kind, data), err
}

// wantFiles compares the summary of a change.
func wantFiles(t testing.TB, c *snapshot.Change, want ...string) {
	t.Helper()
	got, err := summary(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	wantLines(t, got, want...)
}

func wantLines(t testing.TB, got []string, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// staged reads the staged change of r, which must succeed.
func staged(t testing.TB, r *shapes.Repo) *snapshot.Change {
	t.Helper()
	c, err := open(t, r).Staged(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// wantError makes sure that err is there and that its text holds each of parts.
func wantError(t testing.TB, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatal("there is no error")
	}
	for _, p := range parts {
		if !strings.Contains(err.Error(), p) {
			t.Errorf("error %q does not hold %q", err, p)
		}
	}
}
