package cli

import (
	"bytes"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/config"
	"github.com/seed-4419f9ca/forge/pkg/nearest"
	"github.com/seed-4419f9ca/forge/pkg/reference"
	"github.com/seed-4419f9ca/forge/pkg/suite"
)

// Version is the release that this source belongs to.
const Version = "0.1.0"

// version is Version, with the commit it was built from where the build knows it.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return Version
	}
	rev, dirty := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			rev = s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+changes"
		}
	}
	if rev == "" {
		return Version
	}
	return Version + "-" + rev + dirty
}

// commonCommands are the commands that each program has.
func (p *Program) commonCommands() []*cli.Command {
	return []*cli.Command{
		{Name: "explain", Usage: "say what a check or one of its codes means, with examples", ArgsUsage: "[CODE]", Action: p.explain},
		{Name: "checks", Usage: "list the checks with their default levels", Action: p.listChecks},
		{
			Name: "config", Usage: "print the configuration that holds, or its JSON Schema",
			Flags: append([]cli.Flag{
				&cli.BoolFlag{Name: "effective", Usage: "print what holds, defaults included (the default)"},
				&cli.BoolFlag{Name: "schema", Usage: "print the JSON Schema of " + config.Path},
			}, append(changeFlags(), placeFlags()...)...),
			Action: p.showConfig,
		},
		{Name: "completion", Usage: "print the completion script of a shell", ArgsUsage: "bash|zsh|fish", Action: p.completion},
		{Name: "version", Usage: "print the version", Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			_, err := fmt.Fprintf(p.Stdout, "%s %s\n", p.Name, version())
			return err
		}},
	}
}

func (p *Program) explain(c *cli.Context) error {
	if c.Args().Len() > 1 {
		return usagef("explain takes one code, not %d", c.Args().Len())
	}
	name := c.Args().First()
	if name == "" {
		return p.listCodes()
	}
	known := p.Known()
	id, slug, whole := strings.Cut(name, "/")
	i := slices.IndexFunc(known, func(k *check.Check) bool { return k.ID == id })
	var b bytes.Buffer
	switch {
	case i >= 0 && known[i].Elsewhere():
		return usagef("%q belongs to %s: `%s explain %s`", id, known[i].Program, known[i].Program, name)
	case i >= 0 && !whole:
		reference.WriteCheck(&b, known[i])
	case i >= 0 && known[i].Code(slug) != nil:
		if err := reference.WriteCode(&b, known[i], known[i].Code(slug)); err != nil {
			return err
		}
	default:
		var names []string
		for _, k := range known {
			names = append(names, k.ID)
			for _, code := range k.Codes {
				names = append(names, k.ID+"/"+code.Slug)
			}
		}
		hint := ""
		if near := nearest.Name(name, names); near != "" {
			hint = fmt.Sprintf("; did you mean %q?", near)
		}
		return usagef("there is no code %q%s (`%s explain` lists them)", name, hint, p.Name)
	}
	_, err := p.Stdout.Write(b.Bytes())
	return err
}

func (p *Program) listCodes() error {
	var b bytes.Buffer
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, k := range p.Known() {
		for _, code := range k.Codes {
			fmt.Fprintf(w, "%s/%s\t%s\t%s\n", k.ID, code.Slug, code.Level, code.Title)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := p.Stdout.Write(b.Bytes())
	return err
}

func (p *Program) listChecks(c *cli.Context) error {
	if err := noArguments(c); err != nil {
		return err
	}
	var b bytes.Buffer
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "CHECK\tPRE-COMMIT\tPRE-PUSH\tCI\tWHAT IT SAYS")
	for _, k := range p.Checks() {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", k.ID, k.Levels.PreCommit, k.Levels.PrePush, k.Levels.CI, k.Title)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := p.Stdout.Write(b.Bytes())
	return err
}

func (p *Program) showConfig(c *cli.Context) error {
	if boolFlag(c, "schema") {
		if boolFlag(c, "effective") {
			return usagef("--schema and --effective cannot be given together")
		}
		_, err := p.Stdout.Write(config.Schema())
		return err
	}
	if err := p.sensible(c); err != nil {
		return err
	}
	ch, err := p.choose(c)
	if err != nil {
		return err
	}
	repo, err := p.open(c)
	if err != nil {
		return err
	}
	defer repo.Close()
	changes, err := ch.changes(c.Context, repo, p)
	if err != nil {
		return err
	}
	if len(changes) == 0 {
		return usagef("this job has no change to read: its branch was deleted")
	}
	var s suite.Subject
	if s, err = p.configure(c.Context, c, repo, changes[0]); err != nil {
		return err
	}
	_, err = p.Stdout.Write(config.Effective(s.Config))
	return err
}

func (p *Program) completion(c *cli.Context) error {
	scripts := map[string]string{
		"bash": `_NAME_complete() {
  local cur words
  cur=${COMP_WORDS[COMP_CWORD]}
  words=$("${COMP_WORDS[@]:0:COMP_CWORD}" --generate-bash-completion 2>/dev/null)
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _NAME_complete PROGRAM
`,
		"zsh": `#compdef PROGRAM
_NAME_complete() {
  local -a found
  found=("${(@f)$("${words[@]:0:$((CURRENT-1))}" --generate-bash-completion 2>/dev/null)}")
  _describe 'command' found || _files
}
compdef _NAME_complete PROGRAM
`,
		"fish": `function __NAME_complete
  set -l words (commandline -opc)
  $words --generate-bash-completion 2>/dev/null
end
complete -c PROGRAM -f -a '(__NAME_complete)'
`,
	}
	if c.Args().Len() != 1 || scripts[c.Args().First()] == "" {
		return usagef("completion takes one of bash, zsh and fish")
	}
	name := strings.ReplaceAll(p.Name, "-", "_")
	_, err := fmt.Fprint(p.Stdout, strings.NewReplacer("PROGRAM", p.Name, "NAME", name).Replace(scripts[c.Args().First()]))
	return err
}
