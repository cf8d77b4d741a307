package git_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-4419f9ca/forge/pkg/git"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
	"github.com/seed-4419f9ca/forge/testdata/shapes"
)

var epoch = time.Unix(1_000_000_000, 0)

// counted puts a git into r's PATH that writes its arguments to a file before it becomes the real one; calls returns them.
func counted(t testing.TB, r *shapes.Repo) (counting *shapes.Repo, calls func() []string) {
	t.Helper()
	real, err := findGit()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	script := fmt.Sprintf("#!/bin/sh\necho \"$@\" >>'%s/calls'\nexec '%s' \"$@\"\n", dir, real)
	if err := os.WriteFile(dir+"/git", []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return r.With("PATH=" + dir + ":" + os.Getenv("PATH")), func() []string {
		data, err := os.ReadFile(dir + "/calls")
		if err != nil {
			t.Fatal(err)
		}
		return strings.Split(strings.TrimSpace(string(data)), "\n")
	}
}

func findGit() (string, error) {
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if info, err := os.Stat(dir + "/git"); err == nil && info.Mode()&0o111 != 0 {
			return dir + "/git", nil
		}
	}
	return "", errors.New("no git")
}

// TestProcesses counts the processes of an ordinary commit, however many files it has and however they are read: one, and two
// where git is asked for the objects.
func TestProcesses(t *testing.T) {
	r := logged(t)
	r.Git("remote", "add", "origin", "/nowhere")
	for i := range 300 {
		r.Write(fmt.Sprintf("dir%d/file%d", i%7, i), strings.Repeat("x", i))
	}
	r.Git("add", ".")
	for _, c := range []struct {
		name  string
		shape func() *shapes.Repo
		want  int
	}{
		{"loose", func() *shapes.Repo { return r }, 1},
		{"asking", func() *shapes.Repo { return asking(r) }, 2},
		{"packed", func() *shapes.Repo { r.Git("gc", "-q"); return r }, 1},
		{"a large file", func() *shapes.Repo { r.Stage("large", strings.Repeat("x", 1<<18)); return r }, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			counting, calls := counted(t, c.shape())
			readEverything(t, staged(t, counting))
			if got := calls(); len(got) != c.want {
				t.Errorf("git was started %d times, not %d:\n%s", len(got), c.want, strings.Join(got, "\n"))
			}
		})
	}
}

// readEverything reads what has changed in c backwards and twice, and looks around in its tree.
func readEverything(t *testing.T, c *snapshot.Change) {
	t.Helper()
	ctx := context.Background()
	var all []snapshot.Entry
	for _, f := range c.Files {
		all = append(all, f.After)
	}
	c.After.Prefetch(ctx, all, 1<<20)
	for i := len(all) - 1; i >= 0; i-- { // against the order of the requests
		if data, err := c.After.Read(ctx, all[i], 1<<20); err != nil || len(data) == 0 && !strings.HasSuffix(all[i].Path, "file0") {
			t.Errorf("%q reads as %d bytes, %v", all[i].Path, len(data), err)
		}
		rc, _, err := c.After.Open(ctx, all[i])
		if err != nil {
			t.Fatal(err)
		}
		if err := rc.Close(); err != nil {
			t.Error(err)
		}
	}
	for _, path := range []string{".forge/config.yaml", ".forgeignore", "sub/other", "log"} {
		if _, err := c.After.Lookup(ctx, path); err != nil {
			t.Error(err)
		}
	}
	if _, err := c.After.Under(ctx, ""); err != nil {
		t.Error(err)
	}
}

// TestProcessesOfRange counts those of a range of many commits: they do not grow with it.
func TestProcessesOfRange(t *testing.T) {
	r := logged(t)
	for i := range 20 {
		grow(r, fmt.Sprintf("%d\n", i))
	}
	counting, calls := counted(t, r)
	c := rangeChange(t, counting, "HEAD~20..HEAD")
	if n := len(subjects(t, c)); n != 20 {
		t.Errorf("%d commits", n)
	}
	if got := calls(); len(got) > 4 {
		t.Errorf("git was started %d times:\n%s", len(got), strings.Join(got, "\n"))
	}
}

func TestNoGit(t *testing.T) {
	r := logged(t)
	// A git in the current folder is part of the repository and must never be taken.
	r.Write("git", "#!/bin/sh\nexit 0\n")
	if err := os.Chmod(r.Path("git"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Chdir(r.Dir)
	for _, path := range []string{"", t.TempDir(), ".", ".:" + t.TempDir()} {
		_, err := git.Open(context.Background(), git.Options{Dir: r.Dir, Env: append(r.Env, "PATH="+path)})
		wantError(t, err, "find git", "install git", "PATH")
	}
}

func TestNotARepository(t *testing.T) {
	r := shapes.At(t, t.TempDir())
	for name, read := range map[string]func(*git.Repo) error{
		"staged":   func(g *git.Repo) error { _, err := g.Staged(context.Background()); return err },
		"commit":   func(g *git.Repo) error { _, err := g.CommitChange(context.Background(), "HEAD"); return err },
		"range":    func(g *git.Repo) error { _, err := g.RangeChange(context.Background(), "a..b"); return err },
		"worktree": func(g *git.Repo) error { _, err := g.Worktree(context.Background()); return err },
		"top":      func(g *git.Repo) error { _, err := g.Toplevel(context.Background()); return err },
	} {
		err := read(open(t, r))
		var e *git.Error
		if !errors.As(err, &e) || e.ExitCode != 128 || e.Help == "" {
			t.Errorf("%s: %#v", name, err)
		}
		wantError(t, err, "not a git repository", "-C DIR")
	}
	_, err := open(t, r.In("absent")).Staged(context.Background())
	wantError(t, err, "absent")
}

// TestUnsafeDirectory reads a repository of another user: git's refusal, with its command, is what the user sees.
func TestUnsafeDirectory(t *testing.T) {
	r := logged(t).With("GIT_TEST_ASSUME_DIFFERENT_OWNER=1")
	_, err := open(t, r).Staged(context.Background())
	wantError(t, err, "git config --global --add safe.directory "+r.Dir)
}

// TestDirs starts from everywhere: a folder below, the outside with a folder, the folder .git.
func TestDirs(t *testing.T) {
	ctx := context.Background()
	r := logged(t)
	r.Stage("log", "2\n")
	for _, dir := range []string{"", "sub", ".git"} {
		wantFiles(t, staged(t, r.In(dir)), `log: "1\n" => "2\n"`)
	}
	t.Chdir(filepath.Dir(r.Dir))
	g := open(t, &shapes.Repo{T: t, Dir: filepath.Base(r.Dir) + "/sub", Env: r.Env})
	c, err := g.Staged(ctx)
	if err != nil {
		t.Fatal(err)
	}
	wantFiles(t, c, `log: "1\n" => "2\n"`)
	top, err := g.Toplevel(ctx)
	if err != nil || top != r.Git("rev-parse", "--show-toplevel") {
		t.Errorf("Toplevel = %q, %v", top, err)
	}
	for _, ask := range []func() (string, error){
		func() (string, error) { return g.CommonDir(ctx) },
		func() (string, error) { s, err := g.GitPath(ctx, "hooks"); return filepath.Dir(s), err },
	} {
		if dir, err := ask(); err != nil || dir != filepath.Join(top, ".git") {
			t.Errorf("%q, %v; want %q", dir, err, filepath.Join(top, ".git"))
		}
	}
	// From anywhere, when git's own variables say where.
	elsewhere := r.In(t.TempDir()).With("GIT_DIR="+r.Path(".git"), "GIT_WORK_TREE="+r.Dir)
	wantFiles(t, staged(t, elsewhere), `log: "1\n" => "2\n"`)
	r.Write("log", "3\n")
	wantFiles(t, worktree(t, elsewhere), `log: "1\n" => "3\n"`)
}

// TestBareSurroundings reads with as little environment as there can be.
func TestBareSurroundings(t *testing.T) {
	r := logged(t)
	r.Stage("log", "2\n")
	r.Env = []string{"PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=de_DE.UTF-8", "LANGUAGE=de"}
	wantFiles(t, staged(t, r), `log: "1\n" => "2\n"`)
}

func TestCleanEnv(t *testing.T) {
	r := logged(t)
	var dirty []string
	for _, name := range strings.Fields(r.Git("rev-parse", "--local-env-vars")) {
		dirty = append(dirty, name+"=x")
	}
	dirty = append(dirty, "GIT_CONFIG_KEY_0=a.b", "GIT_CONFIG_VALUE_0=c", "GITHEAD_"+strings.Repeat("ab", 20)+"=x", "GIT_AUTHOR_NAME=A", "PATH=/bin")
	wantLines(t, git.CleanEnv(dirty), "GIT_AUTHOR_NAME=A", "PATH=/bin")
	if len(dirty) < 10 || dirty[0] == "" {
		t.Error("CleanEnv changed what it was given")
	}
	out, code, err := git.Command(context.Background(), r.Dir, append(r.Env, "GIT_DIR=/nowhere"), "rev-parse", "--is-inside-work-tree")
	if out != "true\n" || code != 0 || err != nil {
		t.Errorf("Command = %q, %d, %v", out, code, err)
	}
	out, code, err = git.Command(context.Background(), r.Dir, r.Env, "rev-parse", "nowhere")
	if code != 128 || err != nil || !strings.Contains(out, "nowhere") {
		t.Errorf("Command = %q, %d, %v", out, code, err)
	}
}

func TestSettings(t *testing.T) {
	ctx := context.Background()
	r := logged(t)
	g := open(t, r)
	if s, ok, err := g.ConfigGet(ctx, "core.hooksPath"); ok || err != nil {
		t.Errorf("ConfigGet of what is not set = %v, %v", s, err)
	}
	if err := g.ConfigSet(ctx, "core.hooksPath", "my hooks"); err != nil {
		t.Fatal(err)
	}
	s, ok, err := g.ConfigGet(ctx, "core.hooksPath")
	if err != nil || !ok || s.Value != "my hooks" || s.Scope != "local" || s.Origin != "file:.git/config" {
		t.Errorf("ConfigGet = %#v, %v, %v", s, ok, err)
	}
	if path, err := g.GitPath(ctx, "hooks"); err != nil || path != r.Path("my hooks") {
		t.Errorf("GitPath = %q, %v", path, err)
	}
	other := open(t, r.With("GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=core.hooksPath", "GIT_CONFIG_VALUE_0=x"))
	if s, ok, err := other.ConfigGet(ctx, "core.hooksPath"); err != nil || !ok || s.Scope != "command" || s.Value != "x" {
		t.Errorf("ConfigGet = %#v, %v, %v", s, ok, err)
	}
	for range 2 {
		if err := g.ConfigUnset(ctx, "core.hooksPath"); err != nil {
			t.Error(err)
		}
	}
	if _, ok, err := g.ConfigGet(ctx, "core.hooksPath"); ok || err != nil {
		t.Errorf("still set: %v", err)
	}
	if v, err := g.Version(ctx); err != nil || !strings.Contains(v, ".") || strings.Contains(v, "git") {
		t.Errorf("Version = %q, %v", v, err)
	}
	r.Write(".gitignore", "*.tmp\n/sub/other\n")
	ignored, err := g.CheckIgnore(ctx, []string{"a.tmp", "b", "sub/other", "sub/x.tmp", "new\nline.tmp"})
	if err != nil {
		t.Fatal(err)
	}
	wantLines(t, ignored, "a.tmp", "sub/other", "sub/x.tmp", "new\nline.tmp")
	if ignored, err := g.CheckIgnore(ctx, []string{"b"}); err != nil || len(ignored) != 0 {
		t.Errorf("CheckIgnore = %q, %v", ignored, err)
	}
}

// TestTwoAtOnce reads one repository from many goroutines and through two readers.
func TestTwoAtOnce(t *testing.T) {
	ctx := context.Background()
	r := logged(t)
	for i := range 200 {
		r.Write(fmt.Sprintf("f%d", i), strings.Repeat(fmt.Sprintln(i), 500))
	}
	r.Git("add", ".")
	var wg sync.WaitGroup
	for range 2 {
		c := staged(t, r)
		for k := range 4 {
			wg.Go(func() {
				for i := range c.Files {
					f := c.Files[(i*7+k*50)%len(c.Files)]
					want := strings.Repeat(strings.TrimPrefix(f.Path, "f")+"\n", 500)
					if i%20 == 0 {
						c.After.Prefetch(ctx, []snapshot.Entry{f.After, c.Files[i].After}, 1000)
					}
					if data, err := c.After.Read(ctx, f.After, 0); err != nil || string(data) != want {
						t.Errorf("%q reads as %d bytes, %v", f.Path, len(data), err)
					}
				}
			})
		}
	}
	wg.Wait()
}

// TestInterrupt ends the context of a reader: its children are gone, waited for, and nothing more is answered.
func TestInterrupt(t *testing.T) {
	r := logged(t)
	r.Stage("log", strings.Repeat("x", 10<<20))
	ctx, cancel := context.WithCancel(context.Background())
	g, err := git.Open(ctx, git.Options{Dir: r.Dir, Env: r.Env})
	if err != nil {
		t.Fatal(err)
	}
	c, err := g.Staged(ctx)
	if err != nil {
		t.Fatal(err)
	}
	rc, _, err := c.After.Open(ctx, c.Files[0].After)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := c.After.Read(ctx, c.Files[0].After, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("Read gives %v", err)
	}
	if _, err := g.Staged(context.Background()); !errors.Is(err, context.Canceled) {
		t.Errorf("Staged gives %v", err)
	}
	if err := g.Close(); err != nil {
		t.Error(err)
	}
	if err := rc.Close(); err != nil {
		t.Error(err)
	}
	if err := g.Close(); err != nil {
		t.Error("closing twice:", err)
	}
	if _, err := g.Staged(context.Background()); err == nil {
		t.Error("a closed reader answers")
	}
	noChildren(t)
}

// noChildren makes sure that this process has no child, dead or alive.
func noChildren(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("children are counted in /proc")
	}
	tasks, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil || len(tasks) == 0 {
		t.Skip("there is no list of children:", err)
	}
	for _, name := range tasks {
		data, err := os.ReadFile(name)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		if len(data) > 0 {
			t.Errorf("children are left: %s", data)
		}
	}
}
