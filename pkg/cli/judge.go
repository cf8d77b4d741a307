package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-4419f9ca/forge/pkg/atomicfile"
	"github.com/seed-4419f9ca/forge/pkg/baseline"
	"github.com/seed-4419f9ca/forge/pkg/git"
	"github.com/seed-4419f9ca/forge/pkg/report"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
	"github.com/seed-4419f9ca/forge/pkg/suite"
)

// judge is the command that judges a change: `run` of forge-pre-commit, `check` of the others.
func (p *Program) judge(c *cli.Context) error { return p.judgeOnly(c, nil) }

// judgeOnly judges a change with the given checks only, unless --only names others; nil stands for all.
func (p *Program) judgeOnly(c *cli.Context, ids []string) error {
	j, err := p.newJudgement(c, p.choose)
	if err != nil {
		return err
	}
	return j.only(ids, j.tell)
}

// only judges with the given checks and hands the report to tell.
func (j *judgement) only(ids []string, tell func(context.Context, *report.Report) error) (err error) {
	if ids != nil && j.input.Selection.Only == nil {
		j.input.Selection.Only, j.single = ids, true
	}
	repo, err := j.p.reader(j.c)
	if err != nil {
		return err
	}
	defer repo.Close()
	j.input.Engine = j.p.engine(j.p.cache(j.c, repo))
	defer func() { err = errors.Join(err, j.input.Engine.Close()) }()
	rep, err := j.run(j.c.Context, repo)
	if err != nil {
		return err
	}
	return tell(j.c.Context, rep)
}

// A Repository is what a judgement reads.
type Repository interface {
	Staged(ctx context.Context) (*snapshot.Change, error)
	Worktree(ctx context.Context) (*snapshot.Change, error)
	CommitChange(ctx context.Context, rev string) (*snapshot.Change, error)
	RangeChange(ctx context.Context, spec string) (*snapshot.Change, error)
	Tree(ctx context.Context, rev string) (snapshot.Tree, error)
	Close() error
}

// reader opens the repository through git or, where none is installed, through the program's own last resort, if it has
// one (chapter 3.1).
func (p *Program) reader(c *cli.Context) (Repository, error) {
	repo, err := p.open(c)
	if err == nil {
		return repo, nil
	}
	if p.LastResort == nil || !git.Missing(err) {
		return nil, err
	}
	fmt.Fprintf(p.Stderr, "%s: no git is installed; the repository is read without it\n", p.Name)
	return p.LastResort(c.Context, p.dir(c), p.Environ)
}

// open opens the repository that -C, or the current directory, lies in.
func (p *Program) open(c *cli.Context) (*git.Repo, error) {
	return git.Open(c.Context, git.Options{Dir: p.dir(c), Env: p.Environ})
}

// dir is where the command works.
func (p *Program) dir(c *cli.Context) string { return p.abs(stringFlag(c, "C")) }

// abs makes a path of the command line absolute.
func (p *Program) abs(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(p.Dir, path)
}

// A judgement is what the command line asked for.
type judgement struct {
	p      *Program
	c      *cli.Context
	choice choice
	input  suite.Input
	format report.Format
	also   []reportFile
	opts   report.Options
	single bool // the command of one check, or of a family, and not all of them
}

// A reportFile is one --report FORMAT=FILE.
type reportFile struct {
	format report.Format
	path   string
}

// newJudgement reads the command line; choose reads the change and refuses, or takes, arguments.
func (p *Program) newJudgement(c *cli.Context, choose func(*cli.Context) (choice, error)) (*judgement, error) {
	j := &judgement{p: p, c: c}
	err := p.sensible(c)
	if err != nil {
		return nil, err
	}
	if j.choice, err = choose(c); err != nil {
		return nil, err
	}
	if j.input.Stage, err = stageOf(stringFlag(c, "stage")); err != nil {
		return nil, err
	}
	if j.input.Stage == "" {
		j.input.Stage = j.choice.stage(p.Judge)
	}
	j.input.Checks, j.input.Known = p.Checks(), p.Known()
	j.input.Selection = suite.Selection{Only: listFlag(c, "only"), Skip: listFlag(c, "skip"), Env: splitList(p.Getenv("FORGE_SKIP"))}
	if err := j.input.Selection.Validate(j.input.Known); err != nil {
		return nil, err
	}
	j.input.All, j.input.Strict = boolFlag(c, "all"), boolFlag(c, "strict")
	j.input.Today = time.Now().UTC()
	j.input.Changed = p.Judge == "run" // a hook answers for the change; the commands of forge-gate look at the whole store
	if boolFlag(c, "verbose") {
		j.input.Clock = time.Now
	}
	if err := j.outputs(); err != nil {
		return nil, err
	}
	return j, j.readBaseline()
}

func (j *judgement) outputs() error {
	j.format = report.Format(stringFlag(j.c, "format"))
	if !j.format.Known() {
		return usagef("--format: there is no format %q; there are %s", string(j.format), formats())
	}
	for _, r := range listFlag(j.c, "report") {
		f, path, ok := cut(r)
		if !ok || !f.Known() {
			return usagef("--report: %q is not FORMAT=FILE with one of the formats %s", r, formats())
		}
		j.also = append(j.also, reportFile{f, j.p.abs(path)})
	}
	color, err := j.p.colour(stringFlag(j.c, "color"))
	j.opts = report.Options{Color: color, Quiet: boolFlag(j.c, "quiet"), Verbose: boolFlag(j.c, "verbose")}
	return err
}

// colour decides about colour: only on a terminal or when asked for, never under NO_COLOR or CI (chapter 2.7).
func (p *Program) colour(when string) (bool, error) {
	forbidden := p.Getenv("NO_COLOR") != "" || p.Getenv("CI") != ""
	switch when {
	case "auto":
		return !forbidden && p.Getenv("TERM") != "dumb" && terminal(p.Stdout), nil
	case "always":
		return !forbidden, nil
	case "never":
		return false, nil
	}
	return false, usagef("--color: %q is none of auto, always and never", when)
}

func (j *judgement) readBaseline() error {
	name := stringFlag(j.c, "baseline")
	if name == "" {
		return nil
	}
	data, err := os.ReadFile(j.p.abs(name))
	if errors.Is(err, os.ErrNotExist) {
		return usagef("--baseline: there is no file %q; `%s --all --write-baseline %s` writes it", name, j.p.Name, name)
	}
	if err != nil {
		return fmt.Errorf("could not read the baseline %q: %w", name, err)
	}
	j.input.Baseline, err = baseline.Parse(name, data)
	return err
}

// run judges the chosen change or changes.
func (j *judgement) run(ctx context.Context, repo Repository) (*report.Report, error) {
	j.input.Via = splitList(j.p.Getenv("FORGE_VIA"))
	changes, err := j.choice.changes(ctx, repo, j.p)
	if err != nil {
		return nil, err
	}
	j.input.All = j.input.All || j.choice.all
	// The commands of one check, such as `mind check`, are for large files as well as for many.
	if j.input.All || j.single || slices.ContainsFunc(changes, func(c *snapshot.Change) bool { return len(c.Files) > fewFiles }) {
		collectLess()
	}
	if j.choice.message != "" {
		if j.input.Message, err = os.ReadFile(j.p.abs(j.choice.message)); err != nil {
			return nil, fmt.Errorf("could not read the commit message: %w", err)
		}
	}
	var subjects []suite.Subject
	for _, change := range changes {
		s, err := j.p.configure(ctx, j.c, repo, change)
		if err != nil {
			return nil, err
		}
		subjects = append(subjects, s)
	}
	rep, err := suite.Run(ctx, j.input, subjects)
	if err != nil {
		return nil, err
	}
	if len(subjects) == 0 {
		rep.Change.Kind = string(j.choice.kind)
		rep.Change.Note = "nothing is pushed that needs a judgement"
	}
	rep.Tool = report.Tool{Name: j.p.Name, Version: version()}
	return rep, nil
}

// tell writes the reports and turns the verdict into an exit code.
func (j *judgement) tell(ctx context.Context, rep *report.Report) error {
	if name := stringFlag(j.c, "write-baseline"); name != "" {
		if err := atomicfile.Write(j.p.abs(name), baseline.Of(rep.Findings).Marshal(), 0o644); err != nil {
			return fmt.Errorf("could not write the baseline: %w", err)
		}
		fmt.Fprintf(j.p.Stderr, "%s: wrote %d findings to %s\n", j.p.Name, len(rep.Findings), name)
		return nil
	}
	data, err := report.Render(ctx, rep, j.format, j.opts)
	if err != nil {
		return err
	}
	if j.choice.message != "" && j.format == report.FormatText && len(rep.Findings) == 0 && !j.opts.Verbose {
		data = nil // pre-commit has told about the same files a moment ago
	}
	if err := writeOnce(j.p.Stdout, data); err != nil {
		return err
	}
	// Files come after what people read: one that cannot be written hides no finding.
	if err := j.writeReports(ctx, rep); err != nil {
		return err
	}
	return ended(rep)
}

// ended turns the verdict of a report into the exit code of a command.
func ended(rep *report.Report) error {
	if code := report.ExitCode(rep.Verdict); code != 0 {
		return exitError(code)
	}
	return nil
}

// writeReports writes the files of --report.
func (j *judgement) writeReports(ctx context.Context, rep *report.Report) error {
	for _, f := range j.also {
		data, err := report.Render(ctx, rep, f.format, report.Options{Verbose: j.opts.Verbose})
		if err != nil {
			return err
		}
		if err := atomicfile.Write(f.path, data, 0o644); err != nil {
			return fmt.Errorf("could not write the report: %w", err)
		}
	}
	return nil
}

// writeOnce writes a whole report in one write; a reader that went away is no reason to change the verdict.
func writeOnce(w io.Writer, data []byte) error {
	if _, err := w.Write(data); err != nil && !brokenPipe(err) {
		return fmt.Errorf("could not write the report: %w", err)
	}
	return nil
}
