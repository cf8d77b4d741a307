// Package cases runs the stories of testdata/cases against the programs as they are built from this tree.
package cases

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

const (
	root        = "../.."
	folder      = root + "/testdata/cases"
	pendingFile = folder + "/pending.txt"
)

// TestCases runs every story with the freshly built programs in front of PATH. A story that stands in pending.txt has to
// fail: once it passes, its line has to go.
func TestCases(t *testing.T) {
	names, err := stories()
	if err != nil {
		t.Fatal(err)
	}
	pending, err := readPending(pendingFile)
	if err != nil {
		t.Fatal(err)
	}
	for name := range pending {
		if _, err := os.Stat(filepath.Join(folder, name+".txtar")); err != nil {
			t.Errorf("pending.txt names %q, which is not there: %v", name, err)
		}
	}
	search := buildPrograms(t) + string(os.PathListSeparator) + absolute(t, folder+"/bin") + string(os.PathListSeparator) + os.Getenv("PATH")
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			reason, waits := pending[name]
			outcome := play(filepath.Join(folder, name+".txtar"), search)
			switch {
			case waits && outcome.failed:
				t.Skipf("pending: %s", reason)
			case waits && !outcome.skipped:
				t.Errorf("the story passes: remove it from %s", filepath.Clean(pendingFile))
			case outcome.failed:
				t.Error(outcome.log.String())
			case outcome.skipped:
				t.Skip(outcome.log.String())
			}
		})
	}
}

// stories lists the cases as "<area>/<name>", in order.
func stories() ([]string, error) {
	files, err := filepath.Glob(folder + "/*/*.txtar")
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("could not find a case in %q", folder)
	}
	for i, f := range files {
		files[i] = filepath.ToSlash(filepath.Join(filepath.Base(filepath.Dir(f)), strings.TrimSuffix(filepath.Base(f), ".txtar")))
	}
	return files, nil
}

// readPending reads lines of the form "<area>/<name>: reason".
func readPending(file string) (map[string]string, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	pending := map[string]string{}
	for s, n := bufio.NewScanner(f), 1; ; n++ {
		if !s.Scan() {
			return pending, s.Err()
		}
		line := strings.TrimSpace(s.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, reason, _ := strings.Cut(line, ":")
		if reason = strings.TrimSpace(reason); reason == "" {
			return nil, fmt.Errorf("%s:%d: %q has no reason", file, n, name)
		}
		if _, twice := pending[name]; twice {
			return nil, fmt.Errorf("%s:%d: %q stands there twice", file, n, name)
		}
		pending[name] = reason
	}
}

// buildPrograms builds the programs as they are released into a temporary folder, and returns it.
func buildPrograms(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if text, err := exec.Command("sh", root+"/ci/build", dir).CombinedOutput(); err != nil {
		t.Fatalf("could not build the programs: %v\n%s", err, text)
	}
	return dir
}

func absolute(t *testing.T, name string) string {
	t.Helper()
	abs, err := filepath.Abs(name)
	if err != nil {
		t.Fatal(err)
	}
	return abs
}

// An outcome is what became of one story. It stands in for the T that the script runner drives, so that a failure can be
// held against the list of pending stories before it counts.
type outcome struct {
	failed, skipped bool
	log             strings.Builder
}

// stop is what outcome panics with to leave the script, as the runner demands of FailNow and Skip.
type stop struct{}

// play runs the story in a temporary folder of its own. Its environment is the runner's, nothing of ours but PATH.
func play(file, search string) *outcome {
	o := new(outcome)
	o.Run("", func(t testscript.T) {
		testscript.RunT(t, testscript.Params{
			Files: []string{file},
			Setup: func(env *testscript.Env) error {
				env.Setenv("PATH", search)
				env.Setenv("GIT_CONFIG_NOSYSTEM", "1")
				return nil
			},
		})
	})
	return o
}

func (o *outcome) Log(args ...any) {
	o.log.WriteString(strings.TrimRight(fmt.Sprint(args...), "\n") + "\n")
}
func (o *outcome) Parallel()     {}
func (o *outcome) Verbose() bool { return false }
func (o *outcome) FailNow()      { o.failed = true; panic(stop{}) }
func (o *outcome) Fatal(args ...any) {
	o.Log(args...)
	o.FailNow()
}

func (o *outcome) Skip(args ...any) {
	o.Log(args...)
	o.skipped = true
	panic(stop{})
}

func (o *outcome) Run(_ string, f func(testscript.T)) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(stop); !ok {
				panic(r)
			}
		}
	}()
	f(o)
}
