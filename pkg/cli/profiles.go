package cli

import (
	"github.com/urfave/cli/v2"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/registry"
	"github.com/seed-4419f9ca/forge/pkg/suite"
)

// PreCommit is the hook entry: it runs its own checks and every other one that a change calls for.
func PreCommit() Profile {
	return Profile{
		Name:   check.PreCommitProgram,
		Usage:  "judge what a commit, a push or a branch does to the written knowledge of a repository",
		Judge:  "run",
		Checks: func() []*check.Check { return runnable(suite.All(registry.Checks())) },
		Known:  func() []*check.Check { return suite.All(registry.Checks()) },
		Commands: func(p *Program) []*cli.Command {
			return append([]*cli.Command{
				{Name: "run", Usage: "check a change (the default command)", ArgsUsage: " ", Flags: p.judgeFlags(), Action: p.judge},
			}, p.setupCommands()...)
		},
	}
}

// Guard judges append-only records and session notes.
func Guard() Profile {
	return Profile{
		Name:   check.GuardProgram,
		Usage:  "judge append-only records and session notes",
		Judge:  "check",
		Checks: func() []*check.Check { return runnable(suite.Of(check.GuardProgram, registry.Guard())) },
		Known:  func() []*check.Check { return suite.All(registry.Guard()) },
		Commands: func(p *Program) []*cli.Command {
			return []*cli.Command{
				{Name: "check", Usage: "check a change (the default command)", ArgsUsage: " ", Flags: p.judgeFlags(), Action: p.judge},
				p.mindCommands(),
				{Name: "wal", Usage: "write-ahead logs", Subcommands: []*cli.Command{
					{Name: "check", Usage: "check the logs that a change touches", ArgsUsage: " ", Flags: p.judgeFlags(), Action: func(c *cli.Context) error { return p.judgeOnly(c, []string{"wal"}) }},
					p.walAppendCommand(),
					p.walMergeCommand(),
				}},
				p.changelogCommand(),
				p.schemaCommand(),
			}
		},
	}
}

// runnable leaves out the meta check, which needs no run of its own.
func runnable(checks []*check.Check) []*check.Check {
	var out []*check.Check
	for _, c := range checks {
		if c.Run != nil {
			out = append(out, c)
		}
	}
	return out
}
