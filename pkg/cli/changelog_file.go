package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-4419f9ca/forge/pkg/changelog"
	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/checks/record"
	"github.com/seed-4419f9ca/forge/pkg/facts"
	"github.com/seed-4419f9ca/forge/pkg/git"
	"github.com/seed-4419f9ca/forge/pkg/glob"
	"github.com/seed-4419f9ca/forge/pkg/layer"
	"github.com/seed-4419f9ca/forge/pkg/manifest"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
	"github.com/seed-4419f9ca/forge/pkg/suite"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

// A changelogFile is a changelog on disk, together with the change that is staged around it.
type changelogFile struct {
	p       *Program
	repo    *git.Repo
	subject suite.Subject
	top     string // absolute path of the working tree
	path    string // of the file, from the root
	ofLayer bool   // it is the one that the manifest names
	exists  bool
	doc     *changelog.Doc // empty when the file is not there
}

// openChangelog finds the changelog that --file, the staged manifest or the configuration names, and reads it from disk.
// The caller closes its repository.
func (p *Program) openChangelog(c *cli.Context) (f *changelogFile, err error) {
	repo, err := p.open(c)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, repo.Close())
		}
	}()
	f = &changelogFile{p: p, repo: repo}
	if f.top, err = repo.Toplevel(c.Context); err != nil {
		return nil, err
	}
	if f.top == "" {
		return nil, p.refuse("this repository has no working tree, so there is no file to work on")
	}
	change, err := repo.Staged(c.Context)
	if err != nil {
		return nil, err
	}
	if f.subject, err = p.configure(c.Context, c, repo, change); err != nil {
		return nil, err
	}
	if f.path, err = changelogPath(c.Context, stringFlag(c, "file"), f.subject); err != nil {
		return nil, err
	}
	f.ofLayer = stringFlag(c, "file") == ""
	src, err := f.read()
	if err != nil {
		return nil, err
	}
	f.exists, f.doc = src != nil, changelog.Parse(src)
	return f, nil
}

// changelogPath is where the changelog lies.
func changelogPath(ctx context.Context, file string, s suite.Subject) (string, error) {
	if file != "" {
		clean, reason := manifest.Clean(file)
		if reason != "" || clean == "" {
			return "", usagef("--file: %q %s", file, reason)
		}
		return clean, nil
	}
	found, err := layer.ReadManifest(ctx, s.Change.After, s.Config.Limits.File)
	switch {
	case err != nil:
		return "", err
	case found.Unreadable != nil:
		return "", fmt.Errorf("could not read the staged %q: %s; put it right or name the changelog with --file", manifest.Path, found.Unreadable.Reason)
	case found.Manifest != nil:
		return found.Manifest.Changelog, nil
	}
	var named []string
	for i := range s.Config.Records {
		if row := &s.Config.Records[i]; row.Shape == "entries" {
			for _, pattern := range row.Paths {
				g, err := glob.Compile(pattern)
				if err != nil {
					return "", err
				}
				if literal, ok := g.Literal(); ok {
					named = append(named, literal)
				}
			}
		}
	}
	if len(named) == 1 {
		return named[0], nil
	}
	return "", usagef("no %s is staged that says where the changelog lies; name it with --file PATH", manifest.Path)
}

// read returns the file's bytes; nil when it is not there. A link on the way is refused: it may leave the repository.
func (f *changelogFile) read() ([]byte, error) {
	at := f.top
	parts := strings.Split(f.path, "/")
	for i, part := range parts {
		at = filepath.Join(at, part)
		info, err := os.Lstat(at)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, nil
		case err != nil:
			return nil, fmt.Errorf("could not read the changelog: %w", err)
		case i < len(parts)-1 && !info.IsDir(), i == len(parts)-1 && !info.Mode().IsRegular():
			return nil, fmt.Errorf("could not read the changelog %q: %q is no folder or file, perhaps a link", f.path, strings.Join(parts[:i+1], "/"))
		case i == len(parts)-1 && info.Size() > f.subject.Config.Limits.File:
			return nil, fmt.Errorf("could not read the changelog: %w", &snapshot.TooLarge{Path: f.path, Size: info.Size(), Limit: f.subject.Config.Limits.File})
		}
	}
	src, err := os.ReadFile(at)
	if err != nil {
		return nil, fmt.Errorf("could not read the changelog: %w", err)
	}
	if src == nil {
		src = []byte{}
	}
	return src, nil
}

// sound refuses to go on with a file that has faults: what is written into it would not pass the check.
func (f *changelogFile) sound() error {
	if !f.exists {
		return nil
	}
	faults := f.doc.Faults()
	if len(faults) == 0 {
		return nil
	}
	lines := f.doc.JSON.Lines()
	for _, fault := range faults {
		at := lines.Pos(fault.Start)
		fmt.Fprintf(f.p.Stderr, "%s:%d:%d: %s\n", text.Escape(f.path), at.Line, at.Column, text.Escape(fault.Message))
	}
	return f.p.refuse("put %q right first", f.path)
}

// write replaces the file, unless somebody else has written to it since it was read.
func (f *changelogFile) write(content []byte) error {
	if faults := changelog.Parse(content).Faults(); len(faults) > 0 {
		return fmt.Errorf("could not write %q: the result would not pass the check: %s", f.path, faults[0].Message)
	}
	now, err := f.read()
	if err != nil {
		return err
	}
	if (now != nil) != f.exists || !bytes.Equal(now, f.doc.JSON.Source) {
		return fmt.Errorf("could not write %q: it has changed meanwhile; run again", f.path)
	}
	return writeDeep(filepath.Join(f.top, filepath.FromSlash(f.path)), content)
}

// versions returns the file as it is on disk, staged, and published.
func (f *changelogFile) versions(ctx context.Context) ([]*changelog.Doc, error) {
	docs := []*changelog.Doc{f.doc}
	for _, tree := range append([]snapshot.Tree{f.subject.Change.After}, f.subject.Change.Before...) {
		d, err := f.in(ctx, tree)
		if err != nil {
			return nil, err
		}
		if d != nil {
			docs = append(docs, d)
		}
	}
	return docs, nil
}

// in reads the changelog of a tree, from where its own manifest says; nil when it has none.
func (f *changelogFile) in(ctx context.Context, tree snapshot.Tree) (*changelog.Doc, error) {
	limit := f.subject.Config.Limits.File
	path := f.path
	found, err := layer.ReadManifest(ctx, tree, limit)
	if err != nil {
		return nil, err
	}
	if found.Manifest != nil && f.ofLayer {
		path = found.Manifest.Changelog
	}
	e, err := tree.Lookup(ctx, path)
	if err != nil || !e.Mode.IsFile() {
		return nil, err
	}
	src, err := tree.Read(ctx, e, limit)
	if err != nil {
		return nil, fmt.Errorf("could not read the changelog %q: %w", path, err)
	}
	return changelog.Parse(src), nil
}

// baseline is what is published: the versions of all parents of the next commit.
func (f *changelogFile) baseline(ctx context.Context) (*changelog.Baseline, error) {
	c := f.subject.Change
	parents := make([]changelog.Parent, len(c.Before))
	for i, tree := range c.Before {
		var err error
		if parents[i].Doc, err = f.in(ctx, tree); err != nil {
			return nil, err
		}
		if i == 0 {
			continue
		}
		bases, err := c.MergeBases(ctx, i)
		if err != nil {
			return nil, err
		}
		for _, base := range bases {
			d, err := f.in(ctx, base)
			if err != nil {
				return nil, err
			}
			if d != nil {
				parents[i].Bases = append(parents[i].Bases, d)
			}
		}
	}
	return changelog.Join(parents), nil
}

// uncovered returns the governed documents that are staged and that the file on disk does not cover: what the check of
// coverage would say if the file were staged as it is.
func (p *Program) uncovered(ctx context.Context, f *changelogFile) ([]string, error) {
	after := &laidOver{Tree: f.subject.Change.After, path: f.path, data: f.doc.JSON.Source, exists: f.exists}
	change := *f.subject.Change
	change.After = after
	change.Files = withFile(change.Files, f.path, after.entry(), change.Before)
	pass := &check.Pass{
		Check: record.ChangelogCoverage, Change: &change, Config: f.subject.Config, Facts: &facts.Store{}, Stage: check.PreCommit,
		Files: slices.DeleteFunc(slices.Clone(change.Files), func(s snapshot.File) bool { return f.subject.Ignored(s.Path) }), Ignored: f.subject.Ignored,
	}
	if err := record.ChangelogCoverage.Run(ctx, pass); err != nil {
		return nil, err
	}
	if reason := pass.Skipped(); reason != "" && reason != check.NotUsed {
		return nil, fmt.Errorf("could not find out what is uncovered: %s", reason)
	}
	var paths []string
	for _, found := range pass.Findings() {
		paths = append(paths, found.Path)
	}
	slices.Sort(paths)
	return paths, nil
}

// withFile returns files with the entry that a file has now.
func withFile(files []snapshot.File, path string, now snapshot.Entry, before []snapshot.Tree) []snapshot.File {
	i, there := slices.BinarySearchFunc(files, path, func(f snapshot.File, p string) int { return strings.Compare(f.Path, p) })
	if there {
		files = slices.Clone(files)
		files[i].After = now
		return files
	}
	return slices.Insert(slices.Clone(files), i, snapshot.File{Path: path, After: now, Before: make([]snapshot.Entry, len(before))})
}

// laidOver is a tree in which one file has other content.
type laidOver struct {
	snapshot.Tree
	path   string
	data   []byte
	exists bool
}

func (t *laidOver) entry() snapshot.Entry {
	if !t.exists {
		return snapshot.Entry{}
	}
	return snapshot.Entry{Path: t.path, Mode: snapshot.Regular, OID: "disk"}
}

func (t *laidOver) Lookup(ctx context.Context, path string) (snapshot.Entry, error) {
	if path == t.path {
		return t.entry(), nil
	}
	return t.Tree.Lookup(ctx, path)
}

func (t *laidOver) Read(ctx context.Context, e snapshot.Entry, limit int64) ([]byte, error) {
	if e.Path == t.path && e == t.entry() {
		return t.data, nil
	}
	return t.Tree.Read(ctx, e, limit)
}
