//go:build unix

// Command floor starts the two git processes that any judgement of a commit needs, one that reads objects and one that
// lists what is staged, reads what they say and does nothing with it: below that no hook that is written in Go and asks git
// can come.
package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strconv"
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
	var ask, answer, list [2]int
	for _, pipe := range []*[2]int{&ask, &answer, &list} {
		if err := syscall.Pipe(pipe[:]); err != nil {
			return err
		}
		syscall.CloseOnExec(pipe[0])
		syscall.CloseOnExec(pipe[1])
	}
	reader, err := start(git, ask[0], answer[1], "cat-file", "--batch")
	if err != nil {
		return err
	}
	if _, err := syscall.Write(ask[1], []byte("HEAD\nHEAD^{tree}\n")); err != nil {
		return err
	}
	if err := objects(answer[0], 2); err != nil {
		return err
	}
	lister, err := start(git, 0, list[1], "diff-index", "--cached", "--raw", "-z", "HEAD")
	if err != nil {
		return err
	}
	buf := make([]byte, 4096)
	for n := 1; n > 0; {
		if n, err = syscall.Read(list[0], buf); err != nil {
			return err
		}
	}
	if err := syscall.Close(ask[1]); err != nil {
		return err
	}
	for _, pid := range []int{lister, reader} {
		var status syscall.WaitStatus
		if _, err := syscall.Wait4(pid, &status, 0, nil); err != nil || status != 0 {
			return fmt.Errorf("git ended with %v, %w", status, err)
		}
	}
	return nil
}

// start starts git and closes what only that needs.
func start(git string, in, out int, args ...string) (int, error) {
	pid, err := syscall.ForkExec(git, append([]string{git}, args...), &syscall.ProcAttr{
		Env: os.Environ(), Files: []uintptr{uintptr(in), uintptr(out), 2},
	})
	if err == nil {
		err = syscall.Close(out)
	}
	if err == nil && in != 0 {
		err = syscall.Close(in)
	}
	return pid, err
}

// objects reads n answers.
func objects(from, n int) error {
	var buf []byte
	for n > 0 {
		chunk := make([]byte, 4096)
		k, err := syscall.Read(from, chunk)
		if err != nil || k == 0 {
			return fmt.Errorf("git answers nothing: %w", err)
		}
		buf = append(buf, chunk[:k]...)
		for n > 0 {
			line, rest, ok := bytes.Cut(buf, []byte{'\n'})
			if !ok {
				break
			}
			size, err := strconv.Atoi(string(line[bytes.LastIndexByte(line, ' ')+1:]))
			if err != nil {
				return err
			}
			if len(rest) <= size {
				break
			}
			buf = rest[size+1:]
			n--
		}
	}
	return nil
}
