package cli

import (
	"fmt"
	"io"
	"runtime"

	"github.com/urfave/cli/v2"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/fingerprint"
	"github.com/seed-4419f9ca/forge/pkg/suite"
)

// parseCommand is the hidden command that makes forge-gate a worker of package fingerprint.
const parseCommand = "__parse"

// Gate answers questions about anchored claims. parse is the work of a parser process; it is handed in so that no other program
// links the grammars.
func Gate(parse func(io.Reader, io.Writer) error) Profile {
	return Profile{
		Name:   check.GateProgram,
		Usage:  "keep what is known about a system tied to its code",
		Checks: func() []*check.Check { return runnable(suite.Of(check.GateProgram, known())) },
		Known:  known,
		Commands: func(p *Program) []*cli.Command {
			return []*cli.Command{
				p.fingerprintCommand(),
				{Name: parseCommand, Hidden: true, Action: func(c *cli.Context) error {
					if err := parse(p.Stdin, p.Stdout); err != nil {
						fmt.Fprintf(p.Stderr, "%s: %v\n", p.Name, err)
						return exitError(fingerprint.ExitUnfit)
					}
					return nil
				}},
			}
		},
	}
}

// engine makes the engine that p's commands fingerprint with. Workers inherit no environment: they read one pipe and write
// another.
func (p *Program) engine(cache fingerprint.Cache) (*fingerprint.Engine, error) {
	if p.Executable == "" {
		return nil, fmt.Errorf("could not find the program itself, which has to start parsers")
	}
	return fingerprint.New(fingerprint.Options{
		Worker:  []string{p.Executable, parseCommand},
		Env:     []string{"GOTRACEBACK=none", "MALLOC_ARENA_MAX=1"},
		Workers: min(2, runtime.NumCPU()),
		Cache:   cache,
	}), nil
}
