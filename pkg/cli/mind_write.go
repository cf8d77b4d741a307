package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-4419f9ca/forge/pkg/atomicfile"
	"github.com/seed-4419f9ca/forge/pkg/checks/mind"
	"github.com/seed-4419f9ca/forge/pkg/config"
	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/git"
	"github.com/seed-4419f9ca/forge/pkg/mindblock"
	"github.com/seed-4419f9ca/forge/pkg/report"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
	"github.com/seed-4419f9ca/forge/pkg/suite"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

// A desk is the working tree as the commands that write notes see it: every file on disk, known to git or not.
type desk struct {
	repo  *git.Repo
	top   string
	tree  *diskTree
	cfg   *config.Config
	files *mindblock.Files
}

func (p *Program) desk(c *cli.Context) (*desk, error) {
	repo, err := p.open(c)
	if err != nil {
		return nil, err
	}
	d := &desk{repo: repo}
	if err := d.open(c, p); err != nil {
		return nil, errors.Join(err, d.close())
	}
	return d, nil
}

func (d *desk) open(c *cli.Context, p *Program) (err error) {
	if d.top, err = d.repo.Toplevel(c.Context); err != nil {
		return err
	}
	if d.top == "" {
		return usagef("there is no working tree here; notes are written to the files on disk")
	}
	if d.tree, err = openDisk(d.top); err != nil {
		return err
	}
	if d.cfg, err = p.readConfig(c.Context, c, d.tree); err != nil {
		return err
	}
	d.files, err = mind.Files(d.cfg)
	return err
}

func (d *desk) close() error {
	if d.tree == nil {
		return d.repo.Close()
	}
	return errors.Join(d.tree.Close(), d.repo.Close())
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
func (p *Program) mindNew(c *cli.Context) (err error) {
	session, from := stringFlag(c, "session"), stringFlag(c, "from")
	if from == "" {
		from = "-"
	}
	d, err := p.desk(c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.close()) }()
	dir, n, err := d.folder(c.Context, session)
	if err != nil {
		return err
	}
	data, err := p.input(from)
	if err != nil {
		return err
	}
	o := mind.Options{Draft: &mind.Draft{Path: p.within(d.top, from), Data: data, Session: session}}
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

// insert writes the notes with a new block on top. What others insert at the same time is not lost: the number of the block
// is compared with the file as it is at that moment.
func (d *desk) insert(ctx context.Context, p *Program, name string, block []byte) error {
	draft, err := mindblock.Parse(block)
	if err != nil {
		return err
	}
	number := draft.Blocks[0].Number
	file := filepath.Join(d.top, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return fmt.Errorf("could not make the folder of %q: %w", name, err)
	}
	err = atomicfile.Update(ctx, file, 0o666, func(old []byte) ([]byte, error) {
		notes, err := mindblock.Parse(old)
		if err != nil {
			return nil, fmt.Errorf("could not read %q: %w", name, err)
		}
		if number.Value() != strconv.Itoa(len(notes.Blocks)) {
			return nil, fmt.Errorf("could not insert MIND-%s: %q has %d blocks by now; another program has written to it", number, name, len(notes.Blocks))
		}
		return notes.Insert(block), nil
	})
	if err != nil {
		return err
	}
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
func (p *Program) mindCompact(c *cli.Context) (err error) {
	if err := noArguments(c); err != nil {
		return err
	}
	d, err := p.desk(c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.close()) }()
	names, err := d.notes(c.Context, stringFlag(c, "session"))
	if err != nil {
		return err
	}
	staged, err := d.repo.Staged(c.Context)
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
	// Most notes fit, and are not to be locked.
	if e, err := d.tree.Lookup(ctx, name); err != nil || !e.Mode.IsFile() {
		return err == nil, err
	}
	if data, err := d.read(ctx, name); err != nil || len(data) <= limit {
		return err == nil, err
	}
	kept, err := storedBlocks(ctx, stored, name)
	if err != nil {
		return false, err
	}
	var before, after int
	var folded []mindblock.Number
	var refused mindblock.Number
	foldable := 0
	err = atomicfile.Update(ctx, filepath.Join(d.top, filepath.FromSlash(name)), 0o666, func(data []byte) ([]byte, error) {
		n, err := mindblock.Parse(data)
		if err != nil {
			return nil, fmt.Errorf("could not read %q: %w", name, err)
		}
		var out []byte
		foldable = n.Foldable()
		out, folded, refused = n.Compact(limit, func(b *mindblock.Block) bool { return kept[string(b.Content())] })
		if before, after = len(data), len(out); len(folded) == 0 {
			return nil, nil
		}
		return out, nil
	})
	if err != nil {
		return false, fmt.Errorf("could not fold blocks: %w", err)
	}
	say := func(format string, args ...any) {
		fmt.Fprintf(p.Stdout, "%s: %s\n", text.Escape(name), fmt.Sprintf(format, args...))
	}
	if len(folded) > 0 {
		say("folded MIND-%s, from %d to %d bytes; nothing is staged", joinNumbers(folded), before, after)
	}
	switch {
	case after <= limit:
	case foldable == 0:
		say("mind/compaction: %d bytes are over the budget of %d, and no block between block 0 and the top block is left to be folded [flag]", after, limit)
	case refused != "":
		say("mind/compaction: MIND-%s is neither committed nor staged, so that folding it would lose it; commit it first [flag]", refused)
	default:
		say("mind/budget: %d bytes are still over the budget of %d, and every block between block 0 and the top block is folded", after, limit)
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
