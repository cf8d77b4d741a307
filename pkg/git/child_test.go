//go:build unix

package git_test

import (
	"context"
	"errors"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/seed-4419f9ca/forge/pkg/git"
)

// TestTalkativeGit lets git say more on standard error than a pipe holds, before it answers and before it fails.
func TestTalkativeGit(t *testing.T) {
	r := logged(t)
	r.Stage("log", "2\n")
	const talk = `i=0; while [ $i -lt 4000 ]; do echo "warning: this is line $i of many that nobody needs to see here" >&2; i=$((i+1)); done`
	wantFiles(t, staged(t, failing(t, r, "diff-index", talk+`; exec "$real" "$@"`)), `log: "1\n" => "2\n"`)
	wantFiles(t, staged(t, failing(t, r, "cat-file", talk+`; exec "$real" "$@"`)), `log: "1\n" => "2\n"`)
	_, err := open(t, failing(t, r, "diff-index", talk+"; echo 'fatal: that was it' >&2; exit 128")).Staged(context.Background())
	wantError(t, err, "exited with 128", "line 3999 of", "that was it")
}

// TestPipesHeldOpen leaves a process behind that holds git's standard error: the answer is there all the same.
func TestPipesHeldOpen(t *testing.T) {
	r := logged(t)
	r.Stage("log", "2\n")
	file := t.TempDir() + "/pid"
	defer func() {
		if data, err := os.ReadFile(file); err != nil {
			t.Error(err)
		} else if pid, err := strconv.Atoi(strings.TrimSpace(string(data))); err != nil || syscall.Kill(pid, syscall.SIGKILL) != nil {
			t.Errorf("no process was left behind: %q, %v", data, err)
		}
	}()
	wantFiles(t, staged(t, failing(t, r, "diff-index", `sleep 300 </dev/null >/dev/null & echo $! >'`+file+`'; exec "$real" "$@"`)), `log: "1\n" => "2\n"`)
}

// TestCancel ends a context while git runs: git is gone when the call returns.
func TestCancel(t *testing.T) {
	for _, command := range []string{"cat-file", "diff-index"} {
		t.Run(command, func(t *testing.T) {
			r := logged(t)
			r.Stage("log", "2\n")
			pids := t.TempDir() + "/pids"
			slow := failing(t, r, command, "echo $$ >>'"+pids+"'; exec sleep 300")
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			g, err := git.Open(ctx, git.Options{Dir: slow.Dir, Env: slow.Env})
			if err != nil {
				t.Fatal(err)
			}
			go func() {
				for ctx.Err() == nil {
					if data, err := os.ReadFile(pids); err == nil && strings.HasSuffix(string(data), "\n") {
						cancel()
					}
					time.Sleep(time.Millisecond)
				}
			}()
			if _, err := g.Staged(ctx); !errors.Is(err, context.Canceled) {
				t.Errorf("Staged returns %v", err)
			}
			if err := g.Close(); err != nil {
				t.Error(err)
			}
			data, err := os.ReadFile(pids)
			if err != nil {
				t.Fatal(err)
			}
			for _, line := range strings.Fields(string(data)) {
				pid, err := strconv.Atoi(line)
				if err != nil {
					t.Fatal(err)
				}
				if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
					t.Errorf("git is still there: %v", err)
				}
			}
		})
	}
}
