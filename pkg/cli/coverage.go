package cli

import (
	"context"
	"io"
	"path"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-4419f9ca/forge/pkg/coverage"
	"github.com/seed-4419f9ca/forge/pkg/facts"
	"github.com/seed-4419f9ca/forge/pkg/git"
	"github.com/seed-4419f9ca/forge/pkg/hooks"
)

// coverageCommand shows what covers which action (chapter 4.8).
func (p *Program) coverageCommand() *cli.Command {
	return &cli.Command{
		Name: "coverage", Usage: "show the guard layers against the actions they cover", ArgsUsage: "[PATH]...", Action: p.coverage,
		Flags: append([]cli.Flag{
			&cli.BoolFlag{Name: "reread", Usage: "print what must be read again before editing the `PATH`s given as arguments, which count from the root"},
			&cli.StringFlag{Name: "format", Value: "text", Usage: "print as `FORMAT`: text or json"},
		}, append(changeFlags(), placeFlags()...)...),
	}
}

// A printable is an answer in the two formats of coverage.
type printable interface {
	WriteText(io.Writer) error
	WriteJSON(io.Writer) error
}

func (p *Program) coverage(c *cli.Context) error {
	format, reread := stringFlag(c, "format"), boolFlag(c, "reread")
	switch {
	case format != "text" && format != "json":
		return usagef("--format: there is no format %q; there are text, json", format)
	case reread && !c.Args().Present():
		return usagef("--reread needs the paths that are to be edited")
	case !reread && c.Args().Present():
		return noArguments(c)
	}
	ch, err := p.chooseSnapshot(c)
	if err != nil {
		return err
	}
	repo, err := p.open(c)
	if err != nil {
		return err
	}
	defer repo.Close()
	in, err := p.coverageInput(c, repo, ch)
	if err != nil {
		return err
	}
	answer, err := p.answer(c, repo, in)
	if err != nil {
		return err
	}
	if format == "json" {
		return answer.WriteJSON(p.Stdout)
	}
	return answer.WriteText(p.Stdout)
}

func (p *Program) answer(c *cli.Context, repo *git.Repo, in coverage.Input) (printable, error) {
	if boolFlag(c, "reread") {
		paths, err := rootPaths(c.Args().Slice())
		if err != nil {
			return nil, err
		}
		return coverage.ComputeReread(c.Context, in, paths)
	}
	var err error
	if in.Hooks, err = p.runningHooks(c.Context, repo); err != nil {
		return nil, err
	}
	return coverage.Compute(c.Context, in)
}

func (p *Program) coverageInput(c *cli.Context, repo *git.Repo, ch choice) (coverage.Input, error) {
	changes, err := ch.changes(c.Context, repo, p)
	if err != nil {
		return coverage.Input{}, err
	}
	if len(changes) == 0 {
		return coverage.Input{}, usagef("this job has no change to read: its branch was deleted")
	}
	s, err := p.configure(c.Context, c, repo, changes[0])
	if err != nil {
		return coverage.Input{}, err
	}
	return coverage.Input{Tree: s.Change.After, Config: s.Config, Facts: &facts.Store{}, Ignored: s.Ignored}, nil
}

// runningHooks names the hooks that start Forge in this clone.
func (p *Program) runningHooks(ctx context.Context, repo *git.Repo) ([]string, error) {
	k := &hooks.Keeper{Repo: hookRepo{repo, p.Environ}, Files: hookFiles{}}
	r, err := k.Inspect(ctx, hooks.Surroundings{Program: p.Executable, Path: p.Getenv("PATH")})
	if err != nil {
		return nil, err
	}
	var names []string
	for _, h := range r.Hooks {
		if h.Runs && (h.State == hooks.Ours || h.State == hooks.Edited || h.ByHand) {
			names = append(names, h.Name)
		}
	}
	return names, nil
}

// rootPaths cleans paths that count from the root of the repository.
func rootPaths(args []string) ([]string, error) {
	out := make([]string, len(args))
	for i, a := range args {
		out[i] = path.Clean(a)
		if path.IsAbs(out[i]) || out[i] == ".." || strings.HasPrefix(out[i], "../") {
			return nil, usagef("%q leaves the repository; paths count from its root", a)
		}
	}
	return out, nil
}
