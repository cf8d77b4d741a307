package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"time"
)

// A command is one process to measure. Its output goes nowhere.
type command struct {
	args  []string
	dir   string
	stdin string // name of a file, "" for none
	exit  int    // code that it has to end with
}

// measure runs the commands one after the other and adds up their CPU times.
func (l *lab) measure(cmds []command) (time.Duration, error) {
	var sum time.Duration
	for _, c := range cmds {
		d, err := l.once(c)
		if err != nil {
			return 0, err
		}
		sum += d
	}
	return sum, nil
}

// once returns the CPU time that c and the children it waited for took together, in user and in system mode.
func (l *lab) once(c command) (time.Duration, error) {
	if runtime.GOOS == "windows" {
		return 0, errors.New("this system does not tell what a process and its children took together")
	}
	cmd := exec.Command(c.args[0], c.args[1:]...)
	cmd.Dir, cmd.Env = c.dir, l.env
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	if c.stdin != "" {
		f, err := os.Open(c.stdin)
		if err != nil {
			return 0, err
		}
		defer f.Close()
		cmd.Stdin = f
	}
	if err := c.ended(cmd.Run()); err != nil {
		return 0, fmt.Errorf("could not run %q: %w\n%s", c.args, err, complaint.Bytes())
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}

// ended returns the error of a run, nil when it ended with the code that it has to end with.
func (c command) ended(err error) error {
	var exit *exec.ExitError
	if c.exit != 0 && errors.As(err, &exit) && exit.ExitCode() == c.exit {
		return nil
	}
	if c.exit != 0 && err == nil {
		return fmt.Errorf("it ended with 0 and not with %d", c.exit)
	}
	return err
}

// A contest holds the CPU times of runs in which two sides took turns; the i-th of each belong together.
type contest struct {
	work, reference []time.Duration
}

// compare lets the two sides take turns, the order changing each time, after one run of each that does not count.
func (l *lab) compare(work, reference []command, runs int) (contest, error) {
	var c contest
	for i := range runs + 1 {
		sides := []struct {
			cmds []command
			into *[]time.Duration
		}{{work, &c.work}, {reference, &c.reference}}
		if i%2 == 1 {
			slices.Reverse(sides)
		}
		for _, side := range sides {
			d, err := l.measure(side.cmds)
			if err != nil {
				return c, err
			}
			if i > 0 {
				*side.into = append(*side.into, d)
			}
		}
	}
	return c, nil
}

// ratio returns the ratio of the medians, and the least and the greatest ratio of two runs that belong together.
func (c contest) ratio() (ratio, least, greatest float64) {
	pairs := make([]float64, len(c.work))
	for i := range pairs {
		pairs[i] = float64(c.work[i]) / float64(c.reference[i])
	}
	return float64(median(c.work)) / float64(median(c.reference)), slices.Min(pairs), slices.Max(pairs)
}

// median returns the middle one, the lower of the two middle ones when their number is even.
func median(times []time.Duration) time.Duration {
	return slices.Sorted(slices.Values(times))[(len(times)-1)/2]
}
