// Package cli is the command lines of the three programs: flags, streams and exit codes. A program is a Profile; main hands
// it an Env and exits with what Run returns, so that tests call a whole program as a function.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-4419f9ca/forge/pkg/baseline"
	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/config"
	"github.com/seed-4419f9ca/forge/pkg/markdown"
	"github.com/seed-4419f9ca/forge/pkg/nearest"
	"github.com/seed-4419f9ca/forge/pkg/suite"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

// Exit codes (chapter 2.4).
const (
	ExitOK       = 0
	ExitFindings = 1
	ExitUsage    = 2
	ExitNoAnswer = 3
)

// An Env is what a program may use of its surroundings.
type Env struct {
	Args           []string // without the program's name
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Environ        []string
	Dir            string // current directory
	Executable     string // absolute path of the program, for hooks
}

// Getenv returns the last value of a variable, "" without one.
func (e *Env) Getenv(name string) string {
	for i := len(e.Environ) - 1; i >= 0; i-- {
		if k, v, ok := strings.Cut(e.Environ[i], "="); ok && k == name {
			return v
		}
	}
	return ""
}

// A Profile is one program: its name, its checks and the commands it has beyond the common ones.
type Profile struct {
	Name   string
	Usage  string
	Judge  string // the name of the default command, which judges a change: "run" or "check"; "" when there is none
	Checks func() []*check.Check
	// Known returns all checks that a configuration may name. Those of other programs may be no more than an id.
	Known func() []*check.Check
	// LastResort reads a repository where no git is installed; nil for a program that needs git.
	LastResort func(ctx context.Context, dir string, env []string) (Repository, error)
	// Commands returns the program's own commands.
	Commands func(*Program) []*cli.Command
}

// A Program is one call of a profile.
type Program struct {
	Profile
	Env
	twinErr error // a variable that stands for a flag has no sense
}

// exitError ends a command with a code after everything has been printed.
type exitError int

func (e exitError) Error() string { return fmt.Sprintf("exit %d", int(e)) }

// Run runs the program and returns its exit code. Messages of exit 2 and 3 go to standard error. A mistake in the program
// is exit 3 too: Go's own code for it, 2, would blame the command line.
func Run(ctx context.Context, profile Profile, env Env) (code int) {
	p := &Program{Profile: profile, Env: env}
	defer func() {
		switch cause := recover().(type) {
		case nil:
		case *markdown.LimitError:
			fmt.Fprintf(p.Stderr, "%s: %s\n", p.Name, message(cause))
			code = ExitNoAnswer
		default:
			fmt.Fprintf(p.Stderr, "%s: internal error, nothing was judged: %v\n%s", p.Name, cause, debug.Stack())
			code = ExitNoAnswer
		}
	}()
	app := p.app()
	args, err := arrange(app, p.Args)
	if err == nil {
		err = app.RunContext(ctx, append([]string{p.Name}, args...))
	}
	if ctx.Err() != nil {
		return ExitNoAnswer // main knows the signal and turns this into 128 + its number
	}
	var exit exitError
	switch {
	case err == nil:
		return ExitOK
	case errors.As(err, &exit):
		return int(exit)
	}
	fmt.Fprintf(p.Stderr, "%s: %s\n", p.Name, message(err))
	if usage(err) {
		return ExitUsage
	}
	return ExitNoAnswer
}

// usage reports whether err is a mistake on the command line or in a file that the user wrote for Forge.
func usage(err error) bool {
	var (
		u *suite.UsageError
		c *config.Error
		b *baseline.Error
		t *check.TargetError
	)
	return errors.As(err, &u) || errors.As(err, &c) || errors.As(err, &b) || errors.As(err, &t)
}

// message is the text of err, one problem a line. What a terminal would act on is escaped, whoever made the error.
func message(err error) string {
	lines := strings.Split(strings.TrimRight(err.Error(), "\n"), "\n")
	for i, line := range lines {
		lines[i] = text.Escape(line)
	}
	return strings.Join(lines, "\n  ")
}

// usagef makes a *suite.UsageError.
func usagef(format string, args ...any) error {
	return &suite.UsageError{Message: fmt.Sprintf(format, args...)}
}

func (p *Program) app() *cli.App {
	app := &cli.App{
		Name:                   p.Name,
		Usage:                  p.Usage,
		HideVersion:            true,
		HideHelpCommand:        true,
		EnableBashCompletion:   true,
		UseShortOptionHandling: false,
		Reader:                 p.Stdin,
		Writer:                 p.Stdout,
		ErrWriter:              p.Stderr,
		Flags:                  p.judgeFlags(),
		Action:                 p.judge,
		ExitErrHandler:         func(*cli.Context, error) {},
		OnUsageError:           onUsage,
	}
	if p.Judge == "" {
		app.Flags, app.Action = nil, p.needCommand
	}
	app.Commands = append(p.Commands(p), p.commonCommands()...)
	p.slim(app)
	quieten(app.Commands)
	p.twins(app.Flags, app.Commands)
	if !slices.ContainsFunc(p.Args, func(a string) bool { return strings.HasPrefix(a, "-") }) {
		unset(&app.Flags, app.Commands)
	}
	return app
}

// slim leaves out what the command line does not ask for: a hook's start is paid at each commit, and half of it would go
// into flags of other commands.
func (p *Program) slim(app *cli.App) {
	first := ""
	if len(p.Args) > 0 {
		first = p.Args[0]
	}
	if strings.HasPrefix(first, "-") {
		return // a flag, and which command follows is not known yet
	}
	for _, c := range app.Commands {
		if c.HasName(first) {
			app.Flags = nil
			continue
		}
		c.Flags, c.Subcommands = nil, nil
	}
}

// quieten makes every command return its usage errors instead of printing them.
func quieten(commands []*cli.Command) {
	for _, c := range commands {
		c.OnUsageError = onUsage
		c.HideHelpCommand = true
		if c.Action == nil {
			c.Action = needSubcommand
		}
		quieten(c.Subcommands)
	}
}

func onUsage(c *cli.Context, err error, _ bool) error {
	name, unknown := strings.CutPrefix(text.Escape(err.Error()), "flag provided but not defined: ")
	if !unknown {
		return usagef("%s", text.Escape(err.Error()))
	}
	var names []string
	for _, f := range c.Command.Flags {
		names = append(names, f.Names()...)
	}
	for _, f := range c.App.Flags {
		names = append(names, f.Names()...)
	}
	hint := ""
	if near := nearest.Name(strings.TrimLeft(name, "-"), names); near != "" {
		hint = fmt.Sprintf("; did you mean --%s?", near)
	}
	return usagef("there is no flag %s%s (--help lists them)", name, hint)
}

func needSubcommand(c *cli.Context) error {
	var names []string
	for _, s := range c.Command.Subcommands {
		names = append(names, s.Name)
	}
	if c.Args().Present() {
		return usagef("%s has no command %q; it has %s", c.Command.FullName(), c.Args().First(), strings.Join(names, ", "))
	}
	return usagef("%s needs one of its commands: %s", c.Command.FullName(), strings.Join(names, ", "))
}

// needCommand is what a program without a default command does when it is given none.
func (p *Program) needCommand(*cli.Context) error {
	return usagef("a command is needed (`%s --help` lists them)", p.Name)
}

// noArguments refuses arguments that a command does not take.
func noArguments(c *cli.Context) error {
	if c.Args().Present() {
		return usagef("unexpected argument %q", c.Args().First())
	}
	return nil
}

// terminal reports whether w is a terminal.
func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
