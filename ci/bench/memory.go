package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
)

// memoryRuns is how often a command is run to learn its peak; the timed runs are others, since watching takes time.
const memoryRuns = 3

// memoryTries is how often a command is run until its memory is read before it ends.
const memoryTries = 20

var errTooFast = errors.New("it ended before its memory could be read")

// peak returns the resident memory in bytes that the processes of cmds themselves took at their highest, without the
// children they start, which are git's business; 0 on systems that do not keep this number.
func (l *lab) peak(cmds []command) (int64, error) {
	if runtime.GOOS != "linux" {
		return 0, nil
	}
	var highest int64
	for range memoryRuns {
		for _, c := range cmds {
			n, err := l.watch(c)
			for try := 1; errors.Is(err, errTooFast) && try < memoryTries; try++ {
				n, err = l.watch(c)
			}
			if err != nil {
				return 0, err
			}
			highest = max(highest, n)
		}
	}
	return highest, nil
}

// watch runs c and reads the kernel's high-water mark of its memory over and over until it ends. The mark never falls, so
// only what was taken in the last few microseconds can be missed.
func (l *lab) watch(c command) (int64, error) {
	cmd := exec.Command(c.args[0], c.args[1:]...)
	cmd.Dir, cmd.Env = c.dir, l.env
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	status := fmt.Sprintf("/proc/%d/status", cmd.Process.Pid)
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	var mark int64
	for {
		select {
		case err := <-ended:
			if err = c.ended(err); err == nil && mark == 0 {
				err = errTooFast
			}
			if err != nil {
				return 0, fmt.Errorf("could not watch %q: %w", c.args, err)
			}
			return mark, nil
		default:
			if text, err := os.ReadFile(status); err == nil { // gone once it has ended
				mark = max(mark, highWater(text))
			}
		}
	}
}

// highWater finds the line "VmHWM: N kB" and returns N in bytes, 0 when there is no such line, as of a process that ends.
func highWater(status []byte) int64 {
	_, rest, ok := bytes.Cut(status, []byte("\nVmHWM:"))
	if !ok {
		return 0
	}
	line, _, _ := strings.Cut(string(rest), "\n")
	n, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(line, "kB")), 10, 64)
	if err != nil {
		return 0
	}
	return n << 10
}
