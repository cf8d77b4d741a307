package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-4419f9ca/forge/pkg/atomicfile"
	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/claim"
	"github.com/seed-4419f9ca/forge/pkg/config"
	"github.com/seed-4419f9ca/forge/pkg/demo"
	"github.com/seed-4419f9ca/forge/pkg/fix"
	"github.com/seed-4419f9ca/forge/pkg/git"
	"github.com/seed-4419f9ca/forge/pkg/hooks"
	"github.com/seed-4419f9ca/forge/pkg/report"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
	"github.com/seed-4419f9ca/forge/pkg/suite"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

// setupCommands are the commands of forge-pre-commit beside run.
func (p *Program) setupCommands() []*cli.Command {
	place := &cli.StringFlag{Name: "C", Usage: "work as if started in `DIR`"}
	return []*cli.Command{
		{
			Name: "fix", Usage: "write the safe fixes of run into the working tree", ArgsUsage: " ", Action: p.fix,
			Flags: append([]cli.Flag{&cli.BoolFlag{Name: "all", Usage: "fix every file, not only changed ones"}}, placeFlags()...),
		},
		{
			Name: "install", Usage: "install the git hooks", ArgsUsage: " ", Action: p.install,
			Flags: []cli.Flag{
				&cli.StringSliceFlag{Name: "hook", Usage: "install the hook `NAME` only; may be repeated"},
				&cli.BoolFlag{Name: "merge-drivers", Usage: "also let git join changelogs, logs and done lists that both sides of a merge added to"},
				&cli.BoolFlag{Name: "force", Usage: "write scripts anew that somebody changed; the changed ones are saved beside"},
				place,
			},
		},
		{Name: "uninstall", Usage: "remove what install wrote and restore what was there", ArgsUsage: " ", Action: p.uninstall, Flags: []cli.Flag{place}},
		{Name: "doctor", Usage: "say what is installed, what would run, and what is wrong with the set-up", ArgsUsage: " ", Action: p.doctor, Flags: []cli.Flag{place}},
		p.coverageCommand(),
		{Name: "demo", Usage: "show what is stopped and why, on a sample repository in a temporary folder", ArgsUsage: " ", Action: p.demo},
	}
}

// fix judges the files on disk with the checks that can fix something, and writes their safe fixes.
func (p *Program) fix(c *cli.Context) error {
	j := &judgement{p: p, c: c, choice: choice{kind: snapshot.Worktree}}
	j.input.Checks, j.input.Known = p.Checks(), p.Known()
	j.input.All = boolFlag(c, "all")
	j.input.Stage = j.choice.stage(p.Judge)
	for _, ch := range j.input.Checks {
		if slices.ContainsFunc(ch.Codes, func(code check.Code) bool { return code.Fixable }) {
			j.input.Selection.Only = append(j.input.Selection.Only, ch.ID)
		}
	}
	if err := noArguments(c); err != nil {
		return err
	}
	repo, err := p.open(c)
	if err != nil {
		return err
	}
	defer repo.Close()
	rep, err := j.run(c.Context, repo)
	if err != nil {
		return err
	}
	plan, err := p.plan(c.Context, repo, rep)
	if err != nil {
		return err
	}
	top, err := repo.Toplevel(c.Context)
	if err != nil {
		return err
	}
	return p.apply(top, plan)
}

func (p *Program) plan(ctx context.Context, repo *git.Repo, rep *report.Report) (*fix.Plan, error) {
	staged, err := repo.Staged(ctx)
	if err != nil {
		return nil, err
	}
	disk, err := repo.Worktree(ctx)
	if err != nil {
		return nil, err
	}
	fixable := func(code string) bool {
		found, _ := suite.FindCode(p.Known(), code)
		return found != nil && found.Fixable
	}
	return fix.Make(ctx, rep.Findings, fixable, staged.After, disk.After)
}

func (p *Program) apply(top string, plan *fix.Plan) error {
	for _, w := range plan.Writes {
		if err := atomicfile.Write(filepath.Join(top, filepath.FromSlash(w.Path)), w.Data, 0o644); err != nil {
			return fmt.Errorf("could not fix %q: %w", w.Path, err)
		}
		for _, f := range w.Fixed {
			fmt.Fprintf(p.Stdout, "%s: fixed %s: %s\n", text.Escape(w.Path), f.Code, text.Escape(f.Fix.Message))
		}
	}
	for _, r := range plan.Refused {
		fmt.Fprintf(p.Stdout, "%s: not fixed: %s\n", text.Escape(r.Path), text.Escape(r.Reason))
	}
	for _, f := range plan.Left {
		fmt.Fprintf(p.Stdout, "%s: not fixed: %s: %s\nhelp: %s\n", text.Escape(f.Path), f.Code, text.Escape(f.Message), text.Escape(f.Help))
	}
	fmt.Fprintf(p.Stdout, "fixed %d files; nothing is staged\n", len(plan.Writes))
	if len(plan.Refused)+len(plan.Left) > 0 {
		return exitError(ExitFindings)
	}
	return nil
}

// keeper works on the hooks of the repository that -C names.
func (p *Program) keeper(c *cli.Context) (*hooks.Keeper, *git.Repo, error) {
	if err := noArguments(c); err != nil {
		return nil, nil, err
	}
	repo, err := p.open(c)
	if err != nil {
		return nil, nil, err
	}
	return &hooks.Keeper{Repo: hookRepo{repo, p.Environ}, Files: hookFiles{}}, repo, nil
}

func (p *Program) install(c *cli.Context) error {
	k, repo, err := p.keeper(c)
	if err != nil {
		return err
	}
	defer repo.Close()
	res, err := k.Install(c.Context, hooks.Options{Names: listFlag(c, "hook"), Program: p.Executable, Force: boolFlag(c, "force")})
	if err == nil && boolFlag(c, "merge-drivers") {
		var ch hooks.Change
		if ch, err = p.installDrivers(c, k, repo); err == nil {
			res.Changes = append(res.Changes, ch)
		}
	}
	return p.changed(res, err)
}

func (p *Program) uninstall(c *cli.Context) error {
	k, repo, err := p.keeper(c)
	if err != nil {
		return err
	}
	defer repo.Close()
	res, err := k.Uninstall(c.Context)
	if err == nil {
		var ch hooks.Change
		if ch, err = k.UninstallDrivers(c.Context, settings{repo}); err == nil && ch.Action != "" {
			res.Changes = append(res.Changes, ch)
		}
	}
	return p.changed(res, err)
}

// changed prints what was done to the hooks and says what stood in the way.
func (p *Program) changed(res hooks.Result, err error) error {
	for _, ch := range res.Changes {
		fmt.Fprintf(p.Stdout, "%s: %s", text.Escape(ch.Path), ch.Action)
		if ch.Kept != "" {
			fmt.Fprintf(p.Stdout, ", keeps %s", text.Escape(ch.Kept))
		}
		fmt.Fprintln(p.Stdout)
		for _, n := range ch.Notes {
			fmt.Fprintf(p.Stdout, "  note: %s\n", text.Escape(n))
		}
	}
	var (
		request  *hooks.RequestError
		refusal  *hooks.Refusal
		notLocal *hooks.NotLocal
	)
	switch {
	case errors.As(err, &request):
		return usagef("%s", request.Message)
	case errors.As(err, &refusal), errors.As(err, &notLocal):
		fmt.Fprintf(p.Stderr, "%s: %s\n", p.Name, message(err))
		return exitError(ExitFindings)
	}
	return err
}

func problem(pr hooks.Problem) string {
	s := text.Escape(pr.Message)
	if pr.Help != "" {
		s += "\n  help: " + text.Escape(pr.Help)
	}
	return s
}

func (p *Program) doctor(c *cli.Context) error {
	k, repo, err := p.keeper(c)
	if err != nil {
		return err
	}
	defer repo.Close()
	r, err := k.Inspect(c.Context, hooks.Surroundings{Program: p.Executable, Path: p.Getenv("PATH")})
	if err != nil {
		return err
	}
	fmt.Fprintf(p.Stdout, "%s %s\n%s\nhooks: %s\n", p.Name, version(), r.Git, text.Escape(r.Dir))
	for _, h := range r.Hooks {
		state := string(h.State)
		if h.Starts != "" {
			state += ", starts " + h.Starts
		}
		if h.Kept != nil {
			state += ", keeps " + filepath.Base(h.Kept.Path)
		}
		fmt.Fprintf(p.Stdout, "  %-20s %s\n", h.Name, text.Escape(state))
	}
	if len(r.Managers) > 0 {
		fmt.Fprintf(p.Stdout, "other programs that manage hooks here: %s\n", strings.Join(r.Managers, ", "))
	}
	problems := r.Problems
	change, err := repo.Staged(c.Context)
	var cfg *config.Config
	if err == nil { // the configuration that the next commit would be judged by
		cfg, err = p.readConfig(c.Context, c, change.After)
	}
	if err != nil {
		problems = append(problems, hooks.Problem{Message: message(err), Help: "put the configuration right; until then every run ends with it"})
	} else if missing, err := p.lacksGate(c.Context, change.After, cfg.ClaimStore()); err != nil {
		return err
	} else if missing {
		problems = append(problems, hooks.Problem{
			Message: fmt.Sprintf("%s holds claims, and %s is neither beside %s nor in PATH", cfg.ClaimStore(), check.GateProgram, p.Name),
			Help:    "install it; until then a commit that touches the code of a claim is refused",
		})
	}
	for _, n := range r.Notes {
		fmt.Fprintf(p.Stdout, "note: %s\n", problem(n))
	}
	for _, pr := range problems {
		fmt.Fprintf(p.Stdout, "wrong: %s\n", problem(pr))
	}
	if len(problems) > 0 {
		return exitError(ExitFindings)
	}
	fmt.Fprintln(p.Stdout, "nothing is wrong")
	return nil
}

// lacksGate reports whether there is a store of claims and no program to parse the code that they are about.
func (p *Program) lacksGate(ctx context.Context, tree snapshot.Tree, store string) (bool, error) {
	entries, err := tree.Under(ctx, store)
	if err != nil {
		return false, fmt.Errorf("could not list %q: %w", store, err)
	}
	if !slices.ContainsFunc(entries, func(e snapshot.Entry) bool { return claim.Holds(store, e.Path) }) {
		return false, nil
	}
	name := p.gate()
	if filepath.IsAbs(name) {
		return false, nil
	}
	for _, dir := range filepath.SplitList(p.Getenv("PATH")) {
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return false, nil
		}
	}
	return true, nil
}

// demo plays the scenes of package demo in a temporary folder that is removed afterwards.
func (p *Program) demo(c *cli.Context) error {
	if err := noArguments(c); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "forge-demo-")
	if err != nil {
		return fmt.Errorf("could not make a folder for the demo: %w", err)
	}
	defer func() {
		if err := os.RemoveAll(dir); err != nil {
			fmt.Fprintf(p.Stderr, "%s: could not remove the demo: %v\n", p.Name, err)
		}
	}()
	env := append(git.CleanEnv(p.Environ), "HOME="+dir, "XDG_CONFIG_HOME="+dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull,
		"GIT_TERMINAL_PROMPT=0", "GIT_EDITOR=true", "NO_COLOR=1", "FORGE_VIA=", "FORGE_SKIP=")
	failures, err := demo.Run(c.Context, demo.Stage{
		Dir: dir, Out: p.Stdout, Write: writeDeep,
		Git: func(ctx context.Context, dir string, args ...string) (string, int, error) {
			return git.Command(ctx, dir, env, args...)
		},
		Install: func(ctx context.Context, dir string) error {
			inner := &Program{Profile: p.Profile, Env: p.Env}
			inner.Environ, inner.Dir, inner.Stdout = env, dir, discard{}
			return inner.app().RunContext(ctx, []string{p.Name, "install"})
		},
	})
	if err != nil {
		return err
	}
	if failures > 0 {
		fmt.Fprintf(p.Stdout, "\n%d scenes went wrong.\n", failures)
		return exitError(ExitFindings)
	}
	fmt.Fprintf(p.Stdout, "\nEverything went as it should. `%s install` does the same for a repository of your own.\n", p.Name)
	return nil
}

func writeDeep(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return atomicfile.Write(path, data, 0o644)
}

type discard struct{}

func (discard) Write(b []byte) (int, error) { return len(b), nil }
