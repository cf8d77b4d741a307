package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/checks/mind"
	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/mindblock"
	"github.com/seed-4419f9ca/forge/pkg/mutate"
	"github.com/seed-4419f9ca/forge/pkg/report"
)

// mindCommands are the commands for session notes (chapter 6.5).
func (p *Program) mindCommands() *cli.Command {
	session := &cli.StringFlag{Name: "session", Usage: "the session of number `N`"}
	written := append(append([]cli.Flag{session}, placeFlags()...), reportFlags()...)
	return &cli.Command{Name: "mind", Usage: "session notes", Subcommands: []*cli.Command{
		{
			Name: "check", Usage: "check the notes that a change touches", ArgsUsage: " ", Action: p.mindCheck,
			Flags: append([]cli.Flag{
				&cli.StringFlag{Name: "draft", Usage: "check the block in `FILE` before it is inserted, and nothing else; - for standard input"},
				session,
				&cli.BoolFlag{Name: "closed", Usage: "take every session for closed"},
			}, p.judgeFlags()...),
		},
		{
			Name: "new", Usage: "check a block and insert it on top of the notes", ArgsUsage: " ", Action: p.mindNew,
			Flags: append([]cli.Flag{&cli.StringFlag{Name: "from", Usage: "read the block from `FILE` and not from standard input"}}, written...),
		},
		{Name: "compact", Usage: "fold the oldest blocks of notes that are over their budget", ArgsUsage: " ", Action: p.mindCompact, Flags: append([]cli.Flag{session}, placeFlags()...)},
		{
			Name: "reload", Usage: "print what a resumed session has to repeat, or check that a report repeats it", ArgsUsage: " ", Action: p.mindReload,
			Flags: append([]cli.Flag{&cli.StringFlag{Name: "verify", Usage: "check that the report in `FILE` repeats it"}}, written...),
		},
		{Name: "keys", Usage: "print the expression by which a line begins with a time-stamp key", ArgsUsage: " ", Action: p.mindKeys},
		{Name: "selftest", Usage: "break a good sample in every known way and show that each fault is found", ArgsUsage: " ", Action: p.mindSelftest},
	}}
}

// mindCheck judges the notes that a change touches, or a draft.
func (p *Program) mindCheck(c *cli.Context) error {
	o := mind.Options{Closed: boolFlag(c, "closed")}
	name, session := stringFlag(c, "draft"), stringFlag(c, "session")
	if (name == "") != (session == "") {
		return usagef("--draft and --session go together: a draft belongs to a session")
	}
	repo, err := p.open(c)
	if err != nil {
		return err
	}
	defer repo.Close()
	if name != "" {
		data, err := p.input(name)
		if err != nil {
			return err
		}
		top, err := repo.Toplevel(c.Context)
		if err != nil {
			return err
		}
		o.Draft = &mind.Draft{Path: p.within(top, name), Data: data, Session: session}
	}
	return p.judgeMind(c, o, func(j *judgement) (*report.Report, error) { return j.run(c.Context, repo) })
}

// judgeMind runs the check with options, and tells what it says.
func (p *Program) judgeMind(c *cli.Context, o mind.Options, run func(*judgement) (*report.Report, error)) error {
	j, rep, err := p.runMind(c, o, run)
	if err != nil {
		return err
	}
	return j.tell(c.Context, rep)
}

func (p *Program) runMind(c *cli.Context, o mind.Options, run func(*judgement) (*report.Report, error)) (*judgement, *report.Report, error) {
	j, err := p.newJudgement(c, p.choose)
	if err != nil {
		return nil, nil, err
	}
	if j.input.Selection.Only == nil {
		j.input.Selection.Only, j.single = []string{mind.Mind.ID}, true
	}
	j.input.Checks = slices.Clone(j.input.Checks)
	for i, ch := range j.input.Checks {
		if ch.ID == mind.Mind.ID {
			j.input.Checks[i] = mind.With(o)
		}
	}
	rep, err := run(j)
	var unknown *mind.SessionError
	if errors.As(err, &unknown) {
		return nil, nil, usagef("--session: %s", unknown.Message)
	}
	if err != nil {
		return nil, nil, err
	}
	// What is judged beside the snapshot is shown from where it was read.
	source := rep.Source
	rep.Source = func(ctx context.Context, path string, side finding.Side) ([]byte, error) {
		switch {
		case o.Draft != nil && path == o.Draft.Path:
			return o.Draft.Data, nil
		case o.Reload != nil && path == o.Reload.Path:
			return o.Reload.Data, nil
		}
		return source(ctx, path, side)
	}
	return j, rep, nil
}

// input reads a file that the command line names, or standard input for "-".
func (p *Program) input(name string) ([]byte, error) {
	const most = 64 << 20
	r := p.Stdin
	if name != "-" {
		f, err := os.Open(p.abs(name))
		if errors.Is(err, os.ErrNotExist) {
			return nil, usagef("there is no file %q", name)
		}
		if err != nil {
			return nil, fmt.Errorf("could not read %q: %w", name, err)
		}
		defer f.Close()
		r = f
	}
	data, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && len(data) > most {
		err = fmt.Errorf("it has more than %d bytes", most)
	}
	if err != nil {
		return nil, fmt.Errorf("could not read %q: %w", name, err)
	}
	return data, nil
}

// within returns the path of a file of the command line relative to the root, or as it was given when it lies elsewhere.
func (p *Program) within(top, name string) string {
	if name == "-" {
		return "standard input"
	}
	rel, err := filepath.Rel(top, p.abs(name))
	if top == "" || err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return filepath.ToSlash(name)
	}
	return filepath.ToSlash(rel)
}

// mindReload prints the lead of the newest block, or checks that a report repeats it. It reads the index.
func (p *Program) mindReload(c *cli.Context) error {
	session, report := stringFlag(c, "session"), stringFlag(c, "verify")
	if session == "" {
		return usagef("--session is needed: the number of the session that is resumed")
	}
	repo, err := p.open(c)
	if err != nil {
		return err
	}
	defer repo.Close()
	if report != "" {
		data, err := p.input(report)
		if err != nil {
			return err
		}
		top, err := repo.Toplevel(c.Context)
		if err != nil {
			return err
		}
		o := mind.Options{Reload: &mind.Report{Path: p.within(top, report), Data: data, Session: session}}
		return p.judgeMind(c, o, func(j *judgement) (*reportOf, error) { return j.run(c.Context, repo) })
	}
	if err := noArguments(c); err != nil {
		return err
	}
	change, err := repo.Staged(c.Context)
	if err != nil {
		return err
	}
	subject, err := p.configure(c.Context, c, repo, change)
	if err != nil {
		return err
	}
	lead, err := mind.LeadOf(c.Context, subject.Config, change.After, session)
	var unknown *mind.SessionError
	if errors.As(err, &unknown) {
		return usagef("--session: %s", unknown.Message)
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(p.Stdout, strings.Join(lead, "\n"))
	return err
}

// reportOf is the report of a run; the name report is a flag's in mindReload.
type reportOf = report.Report

func (p *Program) mindKeys(c *cli.Context) error {
	if err := noArguments(c); err != nil {
		return err
	}
	_, err := fmt.Fprintln(p.Stdout, mindblock.TimestampKey)
	return err
}

// mindSelftest breaks the good sample of package mutate in every way it knows. It needs no repository and writes nothing.
func (p *Program) mindSelftest(c *cli.Context) error {
	if err := noArguments(c); err != nil {
		return err
	}
	outcomes, err := mutate.Mind().Prove(c.Context, time.Now().UTC(), func(s *mutate.Sample) *check.Check { return mind.With(mind.OptionsFrom(s.Extra)) })
	if err != nil {
		return err
	}
	failed := 0
	for _, o := range outcomes {
		verdict := "found"
		if !o.OK() {
			verdict = "NOT FOUND"
			failed++
		}
		fmt.Fprintf(p.Stdout, "%-9s  %-22s  %s\n", verdict, o.Code, o.Fault)
		if !o.OK() {
			fmt.Fprintf(p.Stdout, "           got %s\n", o.Say())
		}
	}
	fmt.Fprintf(p.Stdout, "%d faults, %d not found\n", len(outcomes), failed)
	if failed > 0 {
		return exitError(ExitFindings)
	}
	return nil
}
