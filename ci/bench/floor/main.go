//go:build unix

// Command floor starts the one git process that any judgement of a commit needs, the one that lists what is staged, reads what it
// says and does nothing with it: below that no hook that is written in Go and asks git can come.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "floor:", err)
		os.Exit(1)
	}
}

func run() error {
	git, err := exec.LookPath("git")
	if err != nil {
		return err
	}
	var list [2]int
	if err := syscall.Pipe(list[:]); err != nil {
		return err
	}
	syscall.CloseOnExec(list[0])
	syscall.CloseOnExec(list[1])
	lister, err := start(git, list[1], "diff-index", "--cached", "--raw", "-z", "HEAD")
	if err != nil {
		return err
	}
	buf := make([]byte, 4096)
	for n := 1; n > 0; {
		if n, err = syscall.Read(list[0], buf); err != nil {
			return err
		}
	}
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(lister, &status, 0, nil); err != nil || status != 0 {
		return fmt.Errorf("git ended with %v, %w", status, err)
	}
	return nil
}

// start starts git and closes what only that needs.
func start(git string, out int, args ...string) (int, error) {
	pid, err := syscall.ForkExec(git, append([]string{git}, args...), &syscall.ProcAttr{
		Env: os.Environ(), Files: []uintptr{0, uintptr(out), 2},
	})
	if err == nil {
		err = syscall.Close(out)
	}
	return pid, err
}
