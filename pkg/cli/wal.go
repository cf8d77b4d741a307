package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-4419f9ca/forge/pkg/atomicfile"
	records "github.com/seed-4419f9ca/forge/pkg/checks/record"
	"github.com/seed-4419f9ca/forge/pkg/config"
	"github.com/seed-4419f9ca/forge/pkg/git"
	"github.com/seed-4419f9ca/forge/pkg/record"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
	"github.com/seed-4419f9ca/forge/pkg/text"
	"github.com/seed-4419f9ca/forge/pkg/walfile"
)

func (p *Program) walAppendCommand() *cli.Command {
	return &cli.Command{
		Name: "append", Usage: "append one record from standard input to a log on disk; nothing is staged", ArgsUsage: "FILE", Action: p.walAppend,
		Flags: append([]cli.Flag{
			&cli.BoolFlag{Name: "json", Usage: "the record is one JSON object; anything else is refused. Goes without saying for logs of the shape jsonl"},
		}, placeFlags()...),
	}
}

// maxRecord bounds a record, in bytes.
const maxRecord = 64 << 20

func (p *Program) walAppend(c *cli.Context) error {
	if err := p.sensible(c); err != nil {
		return err
	}
	if c.NArg() != 1 || c.Args().First() == "" {
		return usagef("wal append takes one file, not %d arguments", c.NArg())
	}
	t, err := p.openLog(c)
	if err != nil {
		return err
	}
	defer t.disk.Close()
	src, err := io.ReadAll(io.LimitReader(p.Stdin, maxRecord+1))
	switch {
	case err != nil:
		return fmt.Errorf("could not read the record from standard input: %w", err)
	case len(src) > maxRecord:
		return usagef("the record has more than %d bytes", maxRecord)
	}
	read := walfile.Text
	if t.log.JSON {
		read = walfile.JSON
	}
	rec, err := read(src)
	if err != nil {
		return refusal(err, t.path)
	}
	return p.addRecord(c.Context, t, rec)
}

// addRecord writes one record and tells what it found at the end of the log.
func (p *Program) addRecord(ctx context.Context, t *logFile, rec *walfile.Record) error {
	var add *walfile.Addition
	began := false
	err := atomicfile.Append(ctx, t.abs, 0o644, func(old io.ReaderAt, size int64) (_ []byte, err error) {
		began = size == 0
		if add, err = t.log.Next(walfile.Content{ReaderAt: old, Size: size}, rec); err != nil {
			return nil, err
		}
		return add.Bytes, nil
	})
	if err != nil {
		return refusal(err, t.path)
	}
	if torn := add.Torn; torn != nil {
		how := "it is kept and closed off"
		if t.log.JSON {
			how += `, and the new record says so with "torn": true`
		}
		fmt.Fprintf(p.Stderr, "%s:%d: the last line was torn: \"%s\"; %s\n", text.Escape(t.path), torn.Line, text.Escape(torn.Text), how)
	}
	if began && !t.record {
		fmt.Fprintf(p.Stderr, "%s: this file is no record, so no check protects it; name it under records in %s\n", text.Escape(t.path), config.Path)
	}
	return nil
}

// refusal names the log in a refusal, which is a mistake of the caller.
func refusal(err error, path string) error {
	var r *walfile.Refusal
	if errors.As(err, &r) {
		return usagef("%s: nothing was appended: %s", path, r.Reason)
	}
	return err
}

// A logFile is a log on disk.
type logFile struct {
	log    walfile.Log
	path   string // from the root, for messages
	abs    string
	record bool // it is a record by its name
	disk   *diskTree
}

// openLog finds out how the log that the command line names is written. The configuration is the one on disk, as the log
// is. The caller closes disk.
func (p *Program) openLog(c *cli.Context) (t *logFile, err error) {
	repo, err := p.open(c)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, repo.Close()) }()
	top, err := repo.Toplevel(c.Context)
	if err != nil {
		return nil, err
	}
	if top == "" {
		return nil, usagef("this repository has no working tree, so there is no log to append to")
	}
	t = &logFile{abs: c.Args().First()}
	if !filepath.IsAbs(t.abs) {
		t.abs = filepath.Join(p.dir(c), t.abs)
	}
	if t.path, err = below(top, t.abs); err != nil {
		return nil, err
	}
	t.abs = filepath.Join(top, filepath.FromSlash(t.path))
	if t.disk, err = openDisk(top); err != nil {
		return nil, err
	}
	if err := p.describeLog(c, repo, t); err != nil {
		return nil, errors.Join(err, t.disk.Close())
	}
	return t, nil
}

// below returns the path of a file from the root, with links on the way to its folder followed. The folder has to exist.
func below(top, file string) (string, error) {
	folder, err := filepath.EvalSymlinks(filepath.Dir(file))
	if errors.Is(err, os.ErrNotExist) {
		return "", usagef("%s: its folder does not exist; make it first", file)
	}
	if err != nil {
		return "", fmt.Errorf("could not find the log: %w", err)
	}
	if top, err = filepath.EvalSymlinks(top); err != nil {
		return "", fmt.Errorf("could not find the working tree: %w", err)
	}
	rel, err := filepath.Rel(top, filepath.Join(folder, filepath.Base(file)))
	rel = filepath.ToSlash(rel)
	if err != nil || rel == ".." || strings.HasPrefix(rel, "../") {
		return "", usagef("%s: it lies outside the repository", file)
	}
	if first, _, _ := strings.Cut(rel, "/"); strings.EqualFold(first, ".git") {
		return "", usagef("%s: it belongs to git", file)
	}
	return rel, nil
}

// describeLog sets how t is written.
func (p *Program) describeLog(c *cli.Context, repo *git.Repo, t *logFile) error {
	var tree snapshot.Tree = t.disk
	if rev := stringFlag(c, "config-from"); rev != "" {
		if stringFlag(c, "config") != "" {
			return usagef("--config and --config-from cannot be given together")
		}
		var err error
		if tree, err = repo.Tree(c.Context, rev); err != nil {
			return err
		}
	}
	cfg, err := p.readConfig(c.Context, c, tree)
	if err != nil {
		return err
	}
	spec, archive, isRecord, err := records.KindOf(cfg, t.path)
	if err != nil {
		return err
	}
	switch {
	case !isRecord:
	case spec.Shape != record.Bytes && spec.Shape != record.JSONL:
		return usagef("%s: it is a record of the shape %s; wal append writes to those of the shapes bytes and jsonl", t.path, spec.Shape)
	case spec.Grows() == record.Top:
		return usagef("%s: this record grows at its top; wal append writes at the end", t.path)
	}
	t.record = isRecord
	objects := spec.Shape == record.JSONL
	t.log = walfile.Log{JSON: boolFlag(c, "json") || objects, Mixed: !objects, Chain: spec.Chain}
	if archive != "" {
		t.log.Archive = func() (*walfile.Content, error) { return t.openArchive(c.Context, archive) }
	}
	return nil
}

// openArchive opens the archive of t; nil when it is not there. Its file is closed with the program.
func (t *logFile) openArchive(ctx context.Context, path string) (*walfile.Content, error) {
	e, err := t.disk.Lookup(ctx, path)
	if err != nil || !e.Mode.IsFile() {
		return nil, err
	}
	f, err := t.disk.root.Open(path)
	if err != nil {
		return nil, fmt.Errorf("could not open the archive: %w", err)
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("could not open the archive: %w", err), f.Close())
	}
	return &walfile.Content{ReaderAt: f, Size: info.Size()}, nil
}
