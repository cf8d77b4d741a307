package cli

import (
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-4419f9ca/forge/pkg/nearest"
)

// arrange lets flags and arguments of a command come in any order, as users type them: it moves each command's flags
// before its arguments, which is where the flag package looks for them. "--" ends the flags. It also refuses words that
// are neither a command nor an argument, with the nearest name.
func arrange(app *cli.App, args []string) ([]string, error) {
	var out []string
	commands, flags := app.Commands, app.Flags
	var front, words []string
	depth := 0
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "--":
			words = append(words, args[i+1:]...)
			i = len(args)
		case len(a) > 1 && a[0] == '-':
			front = append(front, a)
			if takesValue(flags, a) && i+1 < len(args) {
				i++
				front = append(front, args[i])
			}
		case len(words) == 0 && find(commands, a) != nil:
			c := find(commands, a)
			out = append(append(out, front...), a)
			front, commands, flags = nil, c.Subcommands, c.Flags
			depth++
		default:
			words = append(words, a)
		}
	}
	if depth == 0 && len(words) > 0 && !setsArguments(front) {
		var names []string
		for _, c := range commands {
			names = append(names, c.Names()...)
		}
		hint := ""
		if near := nearest.Name(words[0], names); near != "" {
			hint = "; did you mean " + near + "?"
		}
		return nil, usagef("there is no command %q%s (`%s --help` lists them)", words[0], hint, app.Name)
	}
	out = append(out, front...)
	if len(words) > 0 {
		out = append(append(out, "--"), words...)
	}
	return out, nil
}

// setsArguments reports whether a flag among front gives the default command arguments of its own.
func setsArguments(front []string) bool {
	for _, f := range front {
		if f == "--pre-push" || f == "-pre-push" {
			return true
		}
	}
	return false
}

func find(commands []*cli.Command, name string) *cli.Command {
	for _, c := range commands {
		if c.HasName(name) {
			return c
		}
	}
	return nil
}

// takesValue reports whether the flag a, written without "=", takes the next word as its value.
func takesValue(flags []cli.Flag, a string) bool {
	name := strings.TrimLeft(a, "-")
	if strings.Contains(name, "=") {
		return false
	}
	for _, f := range flags {
		for _, n := range f.Names() {
			if n == name {
				d, ok := f.(cli.DocGenerationFlag)
				return ok && d.TakesValue()
			}
		}
	}
	return false
}
