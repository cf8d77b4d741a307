package cli

import (
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/fingerprint"
	"github.com/seed-4419f9ca/forge/pkg/registry"
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
		Checks: func() []*check.Check { return runnable(suite.Of(check.GateProgram, registry.Gate())) },
		Known:  func() []*check.Check { return suite.All(registry.Gate()) },
		Commands: func(p *Program) []*cli.Command {
			return []*cli.Command{
				{Name: "check", Usage: "lint the store of claims", ArgsUsage: " ", Flags: p.judgeFlags(), Action: func(c *cli.Context) error { return p.judgeOnly(c, []string{"claims"}) }},
				p.driftCommand(),
				p.reanchorCommand(),
				{Name: "budget", Usage: "hold what every session loads against its budget of lines", ArgsUsage: " ", Flags: p.judgeFlags(), Action: func(c *cli.Context) error { return p.judgeOnly(c, []string{"budget"}) }},
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
