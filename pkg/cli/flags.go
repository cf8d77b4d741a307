package cli

import (
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/suite"
)

// changeFlags choose the change (chapter 2.2).
func changeFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "staged", Usage: "judge what is staged, against HEAD (the default)"},
		&cli.StringFlag{Name: "commit", Usage: "judge the commit `REV` against its parents"},
		&cli.StringFlag{Name: "range", Usage: "judge `A...B` (from their merge base to B) or A..B", EnvVars: []string{"FORGE_RANGE"}},
		&cli.BoolFlag{Name: "ci", Usage: "judge the change that this CI job runs for, worked out from its environment (GitHub Actions, GitLab CI)"},
		&cli.BoolFlag{Name: "worktree", Usage: "judge the files on disk against HEAD"},
		&cli.BoolFlag{Name: "all", Usage: "judge the content of every file, not only of changed ones", EnvVars: []string{"FORGE_ALL"}},
	}
}

// hookFlags choose the change inside git's hooks.
func hookFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "commit-msg", Usage: "judge what is staged together with the message in `FILE`: provenance only"},
		&cli.BoolFlag{Name: "pre-push", Usage: "read git's pre-push lines from standard input; takes [REMOTE [URL]]"},
		&cli.BoolFlag{Name: "pre-receive", Usage: "read git's pre-receive lines from standard input"},
	}
}

// placeFlags say where to work and which configuration holds.
func placeFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "C", Usage: "work as if started in `DIR`"},
		&cli.StringFlag{Name: "config", Usage: "read the configuration from `FILE` on disk", EnvVars: []string{"FORGE_CONFIG"}},
		&cli.StringFlag{Name: "config-from", Usage: "read the configuration from the commit `REV`", EnvVars: []string{"FORGE_CONFIG_FROM"}},
	}
}

// reportFlags say what runs and how it is told.
func reportFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "stage", Usage: "take the levels of the stage `NAME`: pre-commit, commit-msg, pre-push, ci, pre-receive or manual", EnvVars: []string{"FORGE_STAGE"}},
		&cli.StringFlag{Name: "format", Value: "text", Usage: "print the report as `FORMAT`: text or json", EnvVars: []string{"FORGE_FORMAT"}},
		&cli.StringSliceFlag{Name: "report", Usage: "also write the report as `FORMAT=FILE`; may be repeated", EnvVars: []string{"FORGE_REPORT"}},
		&cli.StringSliceFlag{Name: "only", Usage: "run these checks only: `ID`,…", EnvVars: []string{"FORGE_ONLY"}},
		&cli.StringSliceFlag{Name: "skip", Usage: "leave these checks out and say so: `ID`,…"},
		&cli.BoolFlag{Name: "strict", Usage: "let a flag or a skip count as fail", EnvVars: []string{"FORGE_STRICT"}},
		&cli.StringFlag{Name: "color", Value: "auto", Usage: "colour the text report: `WHEN` is auto, always or never", EnvVars: []string{"FORGE_COLOR"}},
		&cli.BoolFlag{Name: "quiet", Usage: "print only what blocks"},
		&cli.BoolFlag{Name: "verbose", Usage: "print every check with its time, and what was read", EnvVars: []string{"FORGE_VERBOSE"}},
		&cli.BoolFlag{Name: "no-cache", Usage: "neither read nor write a cache", EnvVars: []string{"FORGE_NO_CACHE"}},
		&cli.StringFlag{Name: "baseline", Usage: "leave out the findings that `FILE` holds", EnvVars: []string{"FORGE_BASELINE"}},
		&cli.StringFlag{Name: "write-baseline", Usage: "write the findings of this run to `FILE` and exit 0"},
	}
}

func (p *Program) judgeFlags() []cli.Flag {
	flags := append(changeFlags(), placeFlags()...)
	flags = append(flags, reportFlags()...)
	if p.Judge == "run" {
		flags = append(flags, hookFlags()...)
	}
	return flags
}

// twins gives flags, and those of commands, their values from the environment: a flag's twin is its default, so that the
// command line wins. An empty variable is as good as none, because CI sets those that nobody filled in.
func (p *Program) twins(flags []cli.Flag, commands []*cli.Command) {
	for _, f := range flags {
		switch f := f.(type) {
		case *cli.StringFlag:
			if v := p.twin(&f.EnvVars, &f.Usage); v != "" {
				f.Value = v
			}
		case *cli.StringSliceFlag:
			if v := p.twin(&f.EnvVars, &f.Usage); v != "" {
				f.Value = cli.NewStringSlice(v)
			}
		case *cli.BoolFlag:
			names := strings.Join(f.EnvVars, ", ")
			if v := p.twin(&f.EnvVars, &f.Usage); v != "" {
				var err error
				if f.Value, err = strconv.ParseBool(v); err != nil {
					p.twinErr = usagef("%s: %q is neither true nor false", names, v)
				}
			}
		}
	}
	for _, c := range commands {
		p.twins(c.Flags, c.Subcommands)
	}
}

// unset takes away flags without a value, when the command line gives none: looked up, they read as having none. The library
// looks at each flag several times, by way of a regular expression.
func unset(flags *[]cli.Flag, commands []*cli.Command) {
	*flags = slices.DeleteFunc(*flags, func(f cli.Flag) bool {
		switch f := f.(type) {
		case *cli.StringFlag:
			return f.Value == ""
		case *cli.StringSliceFlag:
			return f.Value == nil
		case *cli.BoolFlag:
			return !f.Value
		}
		return false
	})
	for _, c := range commands {
		unset(&c.Flags, c.Subcommands)
	}
}

// twin returns the value of a flag's variables and names them in its usage.
func (p *Program) twin(vars *[]string, usage *string) (value string) {
	for _, name := range *vars {
		if v := p.Getenv(name); v != "" {
			value = v
		}
		*usage += " [$" + name + "]"
	}
	*vars = nil
	return value
}

// sensible refuses variables without sense, and flags that were given an empty value, as by a variable that is not set:
// what they were to choose must not be chosen by default.
func (p *Program) sensible(c *cli.Context) error {
	if p.twinErr != nil {
		return p.twinErr
	}
	for _, ctx := range c.Lineage() {
		if ctx.Command == nil {
			continue
		}
		for _, name := range ctx.LocalFlagNames() {
			empty := false
			switch v := ctx.Value(name).(type) {
			case string:
				empty = v == "" && name != "C"
			case cli.StringSlice:
				empty = len(listFlag(ctx, name)) == 0
			}
			if empty {
				return usagef("--%s: its value is empty", name)
			}
		}
	}
	return nil
}

// lookup finds a flag where it was given: on the command, or before the command's name.
func lookup(c *cli.Context, name string) *cli.Context {
	for _, ctx := range c.Lineage() {
		// IsSet of the library compares names by regular expressions, which a hook has no time for.
		if ctx.Command != nil && slices.Contains(ctx.LocalFlagNames(), name) {
			return ctx
		}
	}
	return c
}

func stringFlag(c *cli.Context, name string) string { return lookup(c, name).String(name) }
func boolFlag(c *cli.Context, name string) bool     { return lookup(c, name).Bool(name) }

// listFlag returns the values of a repeatable, comma-separated flag; nil when there are none.
func listFlag(c *cli.Context, name string) []string {
	ctx := lookup(c, name)
	var out []string
	for _, v := range ctx.StringSlice(name) {
		for _, part := range strings.Split(v, ",") {
			if part = strings.TrimSpace(part); part != "" {
				out = append(out, part)
			}
		}
	}
	return out
}

func splitList(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' || r == '\n' })
}

// stageOf validates --stage; "" leaves the choice to the kind of change.
func stageOf(name string) (check.Stage, error) {
	switch s := check.Stage(name); s {
	case "", check.PreCommit, check.CommitMsg, check.PrePush, check.CI, check.PreReceive, check.Manual:
		return s, nil
	}
	return "", &suite.UsageError{Message: "--stage: there is no stage \"" + name + "\"; the stages are pre-commit, commit-msg, pre-push, ci, pre-receive and manual"}
}
