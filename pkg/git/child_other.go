//go:build !linux

package git

import (
	"fmt"
	"os"
)

// launch starts a process.
func launch(p plan) (c *child, err error) {
	var open []*os.File
	defer func() {
		if err != nil {
			for _, f := range open {
				_ = f.Close() // what counts is why nothing was started
			}
		}
	}()
	pair := func() (r, w *os.File) {
		if err == nil {
			if r, w, err = os.Pipe(); err == nil {
				open = append(open, r, w)
			}
		}
		return r, w
	}
	var stdin, in *os.File
	if p.reads {
		stdin, in = pair()
	} else if stdin, err = os.Open(os.DevNull); err == nil {
		open = append(open, stdin)
	}
	out, stdout := pair()
	said, stderr := pair()
	if err != nil {
		return nil, fmt.Errorf("could not make pipes: %w", err)
	}
	process, err := os.StartProcess(p.program, append([]string{p.program}, p.args...), &os.ProcAttr{
		Dir: p.dir, Env: p.env, Files: []*os.File{stdin, stdout, stderr},
	})
	if err != nil {
		return nil, err
	}
	c = &child{in: in, out: out, handle: handle{process}}
	c.said.listen(said)
	for _, f := range []*os.File{stdin, stdout, stderr} {
		_ = f.Close() // the child has its own
	}
	return c, nil
}

// A handle is a process.
type handle struct{ process *os.Process }

func (h *handle) kill() { _ = h.process.Kill() } // it may have ended by itself

// reap waits until the process has ended.
func (h *handle) reap() error {
	state, err := h.process.Wait()
	switch {
	case err != nil:
		return fmt.Errorf("could not wait for git: %w", err)
	case state.Success():
		return nil
	}
	return &badEnd{state.ExitCode(), state.String()}
}
