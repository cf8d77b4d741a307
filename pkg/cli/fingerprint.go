package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-4419f9ca/forge/pkg/anchor"
	"github.com/seed-4419f9ca/forge/pkg/fingerprint"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

func (p *Program) fingerprintCommand() *cli.Command {
	return &cli.Command{
		Name: "fingerprint", Usage: "print the fingerprints of files, folders and symbols on disk", ArgsUsage: "PATH[#SYMBOL]...",
		Description: "Prints one line per argument: the fingerprint, those of its signature, its body and its documentation (- where\n" +
			"there is none), ast or coarse, and the argument. Exits 1 when a symbol or a file is not there. No repository is needed.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "C", Usage: "work as if started in `DIR`"},
			&cli.BoolFlag{Name: "tokens", Usage: "print below each line what went into the fingerprint"},
		},
		Action: p.fingerprint,
	}
}

// fingerprint prints a line for each argument. What is not there is said on standard error and turns the exit code to 1; the
// other arguments are still answered.
func (p *Program) fingerprint(c *cli.Context) (err error) {
	if !c.Args().Present() {
		return usagef("fingerprint needs at least one PATH[#SYMBOL]")
	}
	engine := p.engine(nil)
	defer func() { err = errors.Join(err, engine.Close()) }()
	q := &fingerprinting{engine: engine, dir: p.dir(c), tokens: boolFlag(c, "tokens")}
	missing := false
	for _, arg := range c.Args().Slice() {
		err := q.argument(c.Context, arg)
		var absent *absentError
		if errors.As(err, &absent) {
			missing = true
			fmt.Fprintf(p.Stderr, "%s: %s\n", p.Name, text.Escape(absent.Error()))
		} else if err != nil {
			return err
		}
	}
	if _, err := p.Stdout.Write(q.out.Bytes()); err != nil {
		return err
	}
	if missing {
		return exitError(ExitFindings)
	}
	return nil
}

// A fingerprinting is one run of the command.
type fingerprinting struct {
	engine *fingerprint.Engine
	dir    string
	tokens bool
	out    bytes.Buffer
}

// An absentError says that there is nothing at an argument.
type absentError struct{ err error }

func (e *absentError) Error() string { return e.err.Error() }

// argument appends the line of one argument.
func (q *fingerprinting) argument(ctx context.Context, arg string) error {
	a, err := q.parse(arg)
	if err != nil {
		return err
	}
	d, note, err := q.digest(ctx, a)
	if err != nil {
		return err
	}
	part := func(s string) string {
		if s == "" {
			return "-"
		}
		return s
	}
	fmt.Fprintf(&q.out, "%s %s %s %s %s %s\n", d.Whole, part(d.Signature), part(d.Body), part(d.Doc), d.Kind, text.Escape(arg))
	if !q.tokens {
		return nil
	}
	if a.Kind != anchor.File {
		return usagef("--tokens takes files and symbols; %q is a %s", arg, a.Kind)
	}
	return q.list(ctx, a, note)
}

// parse reads an argument. A name that stands on disk as it is written is that file or folder; anything else is read as an
// anchor, but may be absolute or lead upwards.
func (q *fingerprinting) parse(arg string) (anchor.Anchor, error) {
	if info, err := os.Stat(q.path(arg)); err == nil {
		if info.IsDir() {
			return anchor.Anchor{Kind: anchor.Directory, Path: strings.TrimRight(arg, "/")}, nil
		}
		return anchor.Anchor{Path: arg}, nil
	}
	a, err := anchor.Parse(arg)
	if err == nil && a.Baseline == "" {
		return a, nil
	}
	if err == nil {
		return a, usagef("%q has a baseline; fingerprint reads what is on disk", arg)
	}
	name, symbol, ok := cutLast(arg, "#")
	if !ok || symbol == "" {
		if filepath.IsAbs(arg) || strings.HasPrefix(arg, ".") {
			return anchor.Anchor{Path: arg}, nil // it is missing, and said to be
		}
		return a, usagef("%s", err)
	}
	return anchor.Anchor{Path: name, Symbol: symbol}, nil
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

func (q *fingerprinting) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(q.dir, filepath.FromSlash(name))
}

func (q *fingerprinting) read(name string) ([]byte, error) {
	src, err := os.ReadFile(q.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &absentError{fmt.Errorf("could not find %q", name)}
	} else if err != nil {
		return nil, fmt.Errorf("could not read %q: %w", name, err)
	}
	return src, nil
}

// digest fingerprints what a names. note says why the result is coarse, where there is something to say.
func (q *fingerprinting) digest(ctx context.Context, a anchor.Anchor) (d fingerprint.Digest, note string, err error) {
	if a.Kind != anchor.File {
		d, err := q.folder(ctx, a)
		return d, "", err
	}
	src, err := q.read(a.Path)
	if err != nil {
		return d, "", err
	}
	f, err := q.engine.File(ctx, filepath.ToSlash(a.Path), src)
	if err != nil {
		return d, "", err
	}
	if a.Symbol == "" {
		return f.Digest, f.Note, nil
	}
	def, err := f.Resolve(a.Symbol)
	if err != nil {
		return d, "", &absentError{fmt.Errorf("%s: %w", a.Path, err)}
	}
	return def.Digest, def.Note, nil
}

// folder fingerprints every file below a folder, or every one that a pattern matches, with paths relative to the folder. It
// passes over .git.
func (q *fingerprinting) folder(ctx context.Context, a anchor.Anchor) (fingerprint.Digest, error) {
	root, base := q.dir, ""
	if a.Kind == anchor.Directory {
		root, base = q.path(a.Path), a.Path+"/"
	}
	files := map[string]fingerprint.Digest{}
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if entry.Name() == ".git" {
				return fs.SkipDir
			}
			return nil
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if !a.Match(base+rel) || !entry.Type().IsRegular() {
			return nil
		}
		src, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		f, err := q.engine.File(ctx, rel, src)
		if err != nil {
			return err
		}
		files[rel] = f.Digest
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(files) == 0 {
		return fingerprint.Digest{}, &absentError{fmt.Errorf("could not find any file in %q", a)}
	} else if err != nil {
		return fingerprint.Digest{}, fmt.Errorf("could not read %q: %w", a, err)
	}
	return fingerprint.Directory(files), nil
}

// list appends the tokens of a file or a symbol, one a line.
func (q *fingerprinting) list(ctx context.Context, a anchor.Anchor, note string) error {
	src, err := q.read(a.Path)
	if err != nil {
		return err
	}
	tokens, reason, err := q.engine.Tokens(ctx, filepath.ToSlash(a.Path), src, a.Symbol)
	if err != nil {
		return err
	}
	if reason == "" {
		reason = note
	}
	if tokens == nil {
		if reason == "" {
			reason = "there is no grammar for it"
		}
		fmt.Fprintf(&q.out, "  lines: %s\n", text.Escape(reason))
	}
	for _, t := range tokens {
		fmt.Fprintf(&q.out, "  %d %s %s", t.Line, t.Part, strings.Repeat("  ", t.Depth))
		if t.Field != "" {
			fmt.Fprintf(&q.out, "%s: ", t.Field)
		}
		fmt.Fprintf(&q.out, "%s", t.Kind)
		if t.Leaf {
			fmt.Fprintf(&q.out, " %q", t.Text)
		}
		fmt.Fprintln(&q.out)
	}
	return nil
}
