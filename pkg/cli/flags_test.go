package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-4419f9ca/forge/pkg/git"
)

// call runs a program in dir as a process would, with env on top of a clean environment.
func call(t *testing.T, profile Profile, dir string, env []string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errOut bytes.Buffer
	code = Run(context.Background(), profile, Env{
		Args: args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errOut, Dir: dir, Environ: append(clean(t), env...),
	})
	return code, out.String(), errOut.String()
}

// clean is the environment of this process without any setting of git or Forge.
func clean(t *testing.T) []string {
	t.Helper()
	var env []string
	for _, kv := range git.CleanEnv(os.Environ()) {
		if !strings.HasPrefix(kv, "FORGE_") && !strings.HasPrefix(kv, "NO_COLOR=") && !strings.HasPrefix(kv, "CI=") {
			env = append(env, kv)
		}
	}
	return append(env, "HOME="+t.TempDir(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
}

// logged makes a repository with two commits, of which the second one rewrites a log.
func logged(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	run := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=t", "-c", "user.email=t@example.com"}, args...)...)
		cmd.Env = clean(t)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	run("init", "-q", "-b", "main")
	for _, content := range []string{"1\n2\n", "1\n3\n"} {
		if err := os.WriteFile(filepath.Join(dir, "a.wal"), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		run("add", "a.wal")
		run("commit", "-q", "-m", "x")
	}
	return dir
}

// TestTwins holds that a variable stands for its flag, that the command line wins, and that an empty one is none.
func TestTwins(t *testing.T) {
	dir := logged(t)
	const bad = "FORGE_RANGE=HEAD~1..HEAD"
	for _, test := range []struct {
		name string
		env  []string
		args []string
		want int
	}{
		{"nothing chosen", nil, []string{"check"}, ExitOK},
		{"range", []string{bad}, []string{"check"}, ExitFindings},
		{"the last one counts", []string{"FORGE_RANGE=no..such", bad}, []string{"check"}, ExitFindings},
		{"another change on the command line", []string{bad}, []string{"check", "--staged"}, ExitOK},
		{"another range on the command line", []string{bad}, []string{"check", "--range", "HEAD..HEAD"}, ExitOK},
		{"before the command", []string{bad}, []string{"--range", "HEAD..HEAD", "check"}, ExitOK},
		{"default command", []string{bad}, nil, ExitFindings},
		{"empty", []string{"FORGE_RANGE=", "FORGE_ONLY=", "FORGE_FORMAT=", "FORGE_COLOR=", "FORGE_REPORT=", "FORGE_STRICT="}, []string{"check", "--commit", "HEAD"}, ExitFindings},
		{"only", []string{bad, "FORGE_ONLY=mind"}, []string{"check"}, ExitOK},
		{"only, again on the command line", []string{bad, "FORGE_ONLY=mind"}, []string{"check", "--only", "wal"}, ExitFindings},
		{"truth value", []string{bad, "FORGE_ALL=1"}, []string{"check"}, ExitFindings},
		{"no truth value", []string{"FORGE_STRICT=maybe"}, []string{"check"}, ExitUsage},
		{"no truth value, elsewhere", []string{"FORGE_STRICT=maybe"}, []string{"version"}, ExitOK},
		{"wrong value", []string{"FORGE_FORMAT=yaml"}, []string{"check"}, ExitUsage},
		{"no range", []string{"FORGE_RANGE=HEAD"}, []string{"check"}, ExitUsage},
	} {
		t.Run(test.name, func(t *testing.T) {
			if code, out, errOut := call(t, Guard(), dir, test.env, test.args...); code != test.want {
				t.Errorf("exit %d, want %d\n%s%s", code, test.want, out, errOut)
			}
		})
	}
}

// TestEmptyValues holds that what a flag was to choose is not chosen by default when its value is empty.
func TestEmptyValues(t *testing.T) {
	dir := logged(t)
	for _, args := range [][]string{
		{"--range", ""}, {"--range="}, {"--range", "..HEAD"}, {"--range", "...HEAD"}, {"--range", ".."}, {"--commit", ""}, {"--only", ""}, {"--only", ","},
		{"--skip", ""}, {"--config", ""}, {"--config-from", ""}, {"--baseline", ""}, {"--write-baseline", ""}, {"--report", ""}, {"--stage", ""},
	} {
		code, out, errOut := call(t, Guard(), dir, nil, append([]string{"check"}, args...)...)
		if code != ExitUsage || out != "" || !strings.Contains(errOut, strings.TrimRight(args[0], "=")) {
			t.Errorf("%q: exit %d\n%s%s", args, code, out, errOut)
		}
		if code, _, _ = call(t, Guard(), dir, nil, append(args, "check")...); code != ExitUsage {
			t.Errorf("%q before the command: exit %d", args, code)
		}
	}
	if code, _, errOut := call(t, Guard(), dir, nil, "check", "-C", "", "--range", "HEAD~1.."); code != ExitFindings {
		t.Errorf("-C and an open end: exit %d\n%s", code, errOut)
	}
}

// TestMessagesAreEscaped holds that no text of the command line reaches the terminal as it is.
func TestMessagesAreEscaped(t *testing.T) {
	const hostile = "a\x1b[31m\rb"
	dir := logged(t)
	for _, args := range [][]string{{"--" + hostile}, {hostile}, {"check", hostile}, {"check", "--commit", hostile}, {"check", "--strict=" + hostile}, {"explain", hostile}} {
		code, out, errOut := call(t, Guard(), dir, nil, args...)
		if code < ExitUsage || strings.ContainsAny(out+errOut, "\x1b\r") {
			t.Errorf("%q: exit %d\n%q%q", args, code, out, errOut)
		}
	}
}

// TestInterruptible holds that a read nobody answers ends with the context, and that others are not changed.
func TestInterruptible(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	got, err := io.ReadAll(interruptible{ctx, strings.NewReader("lines\n")})
	if err != nil || string(got) != "lines\n" {
		t.Errorf("got %q, %v", got, err)
	}
	r, w := io.Pipe()
	defer w.Close()
	go cancel()
	if _, err := io.ReadAll(interruptible{ctx, r}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
