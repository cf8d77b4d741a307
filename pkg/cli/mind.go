package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-4419f9ca/forge/pkg/atomicfile"
	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/checks/mind"
	"github.com/seed-4419f9ca/forge/pkg/config"
	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/mindblock"
	"github.com/seed-4419f9ca/forge/pkg/mutate"
	"github.com/seed-4419f9ca/forge/pkg/report"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
	"github.com/seed-4419f9ca/forge/pkg/suite"
	"github.com/seed-4419f9ca/forge/pkg/text"
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
	j, err := p.newJudgement(c)
	if err != nil {
		return nil, nil, err
	}
	if j.input.Selection.Only == nil {
		j.input.Selection.Only = []string{mind.Mind.ID}
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
	var r io.Reader = p.Stdin
	if name != "-" {
		f, err := os.Open(p.abs(name))
		if errors.Is(err, os.ErrNotExist) {
			return nil, usagef("there is no file %q", name)
		}
		if err != nil {
			return nil, fmt.Errorf("could not read %q: %w", name, err)
		}
		defer f.Close() //nolint:errcheck // nothing was written
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

// A desk is the working tree as the commands that write notes see it: every file on disk, known to git or not.
type desk struct {
	top   string
	tree  *diskTree
	cfg   *config.Config
	files *mindblock.Files
}

func (p *Program) desk(c *cli.Context, top string) (*desk, error) {
	if top == "" {
		return nil, usagef("there is no working tree here; notes are written to the files on disk")
	}
	tree, err := openDisk(top)
	if err != nil {
		return nil, err
	}
	d := &desk{top: top, tree: tree}
	if d.cfg, err = p.readConfig(c.Context, c, tree); err != nil {
		return nil, errors.Join(err, tree.Close())
	}
	if d.files, err = mind.Files(d.cfg); err != nil {
		return nil, errors.Join(err, tree.Close())
	}
	return d, nil
}

// folder returns the folder of the session that the command line names.
func (d *desk) folder(ctx context.Context, session string) (string, mindblock.Number, error) {
	n := mindblock.Number(session)
	if session == "" || strings.Trim(session, "0123456789") != "" {
		return "", "", usagef("--session: %q is no number of a session", session)
	}
	dir, err := mind.FolderOf(ctx, d.files, d.tree, n)
	var unknown *mind.SessionError
	if errors.As(err, &unknown) {
		return "", "", usagef("--session: %s", unknown.Message)
	}
	return dir, n, err
}

// mindNew checks a block as a draft and inserts it.
func (p *Program) mindNew(c *cli.Context) error {
	session, from := stringFlag(c, "session"), stringFlag(c, "from")
	if from == "" {
		from = "-"
	}
	repo, err := p.open(c)
	if err != nil {
		return err
	}
	defer repo.Close()
	top, err := repo.Toplevel(c.Context)
	if err != nil {
		return err
	}
	d, err := p.desk(c, top)
	if err != nil {
		return err
	}
	defer d.tree.Close() //nolint:errcheck // it was only read
	dir, n, err := d.folder(c.Context, session)
	if err != nil {
		return err
	}
	data, err := p.input(from)
	if err != nil {
		return err
	}
	o := mind.Options{Draft: &mind.Draft{Path: p.within(top, from), Data: data, Session: session}}
	j, rep, err := p.runMind(c, o, func(j *judgement) (*report.Report, error) { return d.judge(c.Context, p, j) })
	if err != nil {
		return err
	}
	if rep.Verdict != finding.Pass {
		if err := j.tell(c.Context, rep); err != nil {
			return err
		}
	}
	if rep.Verdict != finding.Pass && rep.Verdict != finding.Flagged {
		return fmt.Errorf("could not check the draft: %s", rep.Checks[0].Reason)
	}
	return d.insert(c.Context, p, path.Join(dir, d.files.Name(n)), data)
}

// judge judges a change whose after tree is what is on disk.
func (d *desk) judge(ctx context.Context, p *Program, j *judgement) (*report.Report, error) {
	rep, err := suite.Run(ctx, j.input, []suite.Subject{{
		Change: &snapshot.Change{Kind: snapshot.Worktree, After: d.tree}, Config: d.cfg, Ignored: func(string) bool { return false },
	}})
	if err == nil {
		rep.Tool = report.Tool{Name: p.Name, Version: version()}
	}
	return rep, err
}

// insert writes the notes with a new block on top.
func (d *desk) insert(ctx context.Context, p *Program, name string, block []byte) error {
	old, err := d.read(ctx, name)
	if err != nil {
		return err
	}
	file := filepath.Join(d.top, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return fmt.Errorf("could not make the folder of %q: %w", name, err)
	}
	notes, err := mindblock.Parse(old)
	if err != nil {
		return fmt.Errorf("could not read %q: %w", name, err)
	}
	if err := atomicfile.Write(file, notes.Insert(block), 0o666); err != nil {
		return fmt.Errorf("could not insert the block: %w", err)
	}
	draft, err := mindblock.Parse(block)
	if err != nil {
		return err
	}
	number := draft.Blocks[0].Number
	_, err = fmt.Fprintf(p.Stdout, "%s: inserted MIND-%s; nothing is staged\n", text.Escape(name), number)
	return err
}

// read returns the content of a file, nil when it is not there.
func (d *desk) read(ctx context.Context, name string) ([]byte, error) {
	e, err := d.tree.Lookup(ctx, name)
	if err != nil || !e.Exists() {
		return nil, err
	}
	if !e.Mode.IsFile() {
		return nil, fmt.Errorf("could not read %q: it is no regular file", name)
	}
	return d.tree.Read(ctx, e, 0)
}

// mindCompact folds blocks of notes that are over their budget.
func (p *Program) mindCompact(c *cli.Context) error {
	if err := noArguments(c); err != nil {
		return err
	}
	repo, err := p.open(c)
	if err != nil {
		return err
	}
	defer repo.Close()
	top, err := repo.Toplevel(c.Context)
	if err != nil {
		return err
	}
	d, err := p.desk(c, top)
	if err != nil {
		return err
	}
	defer d.tree.Close() //nolint:errcheck // it was only read
	names, err := d.notes(c.Context, stringFlag(c, "session"))
	if err != nil {
		return err
	}
	staged, err := repo.Staged(c.Context)
	if err != nil {
		return err
	}
	limit, err := mind.Limit(c.Context, d.cfg, d.tree)
	if err != nil {
		return err
	}
	over := false
	for _, name := range names {
		fits, err := d.compact(c.Context, p, name, limit, append(slices.Clone(staged.Before), staged.After))
		if err != nil {
			return err
		}
		over = over || !fits
	}
	if over {
		return exitError(ExitFindings)
	}
	return nil
}

// notes lists the notes on disk: those of one session, or all.
func (d *desk) notes(ctx context.Context, session string) ([]string, error) {
	if session != "" {
		dir, n, err := d.folder(ctx, session)
		if err != nil {
			return nil, err
		}
		name := path.Join(dir, d.files.Name(n))
		if e, err := d.tree.Lookup(ctx, name); err != nil || !e.Exists() {
			return nil, errors.Join(err, usagef("--session: session %s has no notes %q", session, name))
		}
		return []string{name}, nil
	}
	entries, err := d.tree.Under(ctx, path.Dir(d.files.Prefix()+"x"))
	if err != nil {
		return nil, err
	}
	var out []string
	for _, e := range entries {
		if dir, n, ok := d.files.Session(e.Path); ok && e.Path == dir+"/"+d.files.Name(n) {
			out = append(out, e.Path)
		}
	}
	return out, nil
}

// compact folds the blocks of one file until it has at most limit bytes, and reports whether nothing is left to be done.
// Only what git has can be folded: from then on the content is nowhere else.
func (d *desk) compact(ctx context.Context, p *Program, name string, limit int, stored []snapshot.Tree) (bool, error) {
	data, err := d.read(ctx, name)
	if err != nil {
		return false, err
	}
	say := func(format string, args ...any) {
		fmt.Fprintf(p.Stdout, "%s: %s\n", text.Escape(name), fmt.Sprintf(format, args...))
	}
	if len(data) <= limit {
		return true, nil
	}
	n, err := mindblock.Parse(data)
	if err != nil {
		return false, fmt.Errorf("could not read %q: %w", name, err)
	}
	if n.Foldable() == 0 {
		say("mind/compaction: %d bytes are over the budget of %d, and there is no block between block 0 and the top block that could be folded [flag]", len(data), limit)
		return true, nil
	}
	kept, err := storedBlocks(ctx, stored, name)
	if err != nil {
		return false, err
	}
	out, folded, refused := n.Compact(limit, func(b *mindblock.Block) bool { return kept[string(b.Content())] })
	if len(folded) > 0 {
		if err := atomicfile.Write(filepath.Join(d.top, filepath.FromSlash(name)), out, 0o666); err != nil {
			return false, fmt.Errorf("could not fold blocks: %w", err)
		}
		say("folded MIND-%s, from %d to %d bytes; nothing is staged", joinNumbers(folded), len(data), len(out))
	}
	switch {
	case refused != "":
		say("mind/compaction: MIND-%s is neither committed nor staged, so that folding it would lose it; commit it first [flag]", refused)
		return true, nil
	case len(out) > limit:
		say("mind/budget: %d bytes are still over the budget of %d, and every block between block 0 and the top block is folded", len(out), limit)
		return false, nil
	}
	return true, nil
}

func joinNumbers(list []mindblock.Number) string {
	out := make([]string, len(list))
	for i, n := range list {
		out[i] = string(n)
	}
	return strings.Join(out, ", MIND-")
}

// storedBlocks returns the contents of the blocks that trees have of the notes at name.
func storedBlocks(ctx context.Context, trees []snapshot.Tree, name string) (map[string]bool, error) {
	kept := map[string]bool{}
	for _, tree := range trees {
		e, err := tree.Lookup(ctx, name)
		if err != nil {
			return nil, err
		}
		if !e.Mode.IsFile() {
			continue
		}
		data, err := tree.Read(ctx, e, 0)
		if err != nil {
			return nil, err
		}
		n, err := mindblock.Parse(data)
		if err != nil {
			return nil, fmt.Errorf("could not read %q in %s: %w", name, tree.ID(), err)
		}
		for i := range n.Blocks {
			kept[string(n.Blocks[i].Content())] = true
		}
	}
	return kept, nil
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
