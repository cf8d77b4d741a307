package guardtable

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/seed-4419f9ca/forge/pkg/config"
	"github.com/seed-4419f9ca/forge/pkg/glob"
	"github.com/seed-4419f9ca/forge/pkg/markdown"
	"github.com/seed-4419f9ca/forge/pkg/pathref"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// DefaultGlobs returns where guard tables are looked for when guards.tables says nothing.
func DefaultGlobs() []string {
	return []string{
		".agent/rules.md", ".agent/rules/*.md", ".agents/rules.md", ".agents/rules/*.md",
		"Projects/*/.agent/rules.md", "Projects/*/.agents/rules.md",
	}
}

// Globs returns where a configuration says that guard tables stand.
func Globs(cfg *config.Config) []string {
	if cfg.Guards != nil && cfg.Guards.Tables != nil {
		return cfg.Guards.Tables
	}
	return DefaultGlobs()
}

// RulesPaths returns a function that says which paths are those of the rules: a file called rules.md, and what one of
// globs matches, from the root or from the folder of a project. A folder is one where a file in it would be.
func RulesPaths(globs []string) (func(string) bool, error) {
	var all []string
	for _, g := range globs {
		all = append(all, g, "**/"+g)
	}
	set, err := glob.CompileSet(all)
	if err != nil {
		return nil, fmt.Errorf("could not read guards.tables: %w", err)
	}
	return func(p string) bool {
		if strings.HasSuffix(p, "/") {
			p += "any.md"
		}
		return path.Base(p) == "rules.md" || set.Match(path.Clean(p))
	}, nil
}

// An Unread file may hold guard tables but could not be read.
type Unread struct {
	Path   string
	Reason string
}

// Files returns the regular files of tree that match one of globs, sorted by path.
func Files(ctx context.Context, tree snapshot.Tree, globs []string) ([]snapshot.Entry, error) {
	var out []snapshot.Entry
	for _, g := range globs {
		found, err := matching(ctx, tree, g)
		if err != nil {
			return nil, err
		}
		for _, e := range found {
			if e.Mode.IsFile() {
				out = append(out, e)
			}
		}
	}
	slices.SortFunc(out, func(a, b snapshot.Entry) int { return strings.Compare(a.Path, b.Path) })
	return slices.CompactFunc(out, func(a, b snapshot.Entry) bool { return a.Path == b.Path }), nil
}

func matching(ctx context.Context, tree snapshot.Tree, pattern string) ([]snapshot.Entry, error) {
	p, err := glob.Compile(pattern)
	if err != nil {
		return nil, fmt.Errorf("could not look for %q: %w", pattern, err)
	}
	if literal, ok := p.Literal(); ok {
		e, err := tree.Lookup(ctx, literal)
		if err != nil {
			return nil, fmt.Errorf("could not look up %q: %w", literal, err)
		}
		return []snapshot.Entry{e}, nil
	}
	below, err := tree.Under(ctx, p.Folder())
	if err != nil {
		return nil, fmt.Errorf("could not list %q: %w", p.Folder(), err)
	}
	return slices.DeleteFunc(slices.Clone(below), func(e snapshot.Entry) bool { return !p.Match(e.Path) }), nil
}

// Load reads the guard tables of tree, in the order of their paths. Files of more than limit bytes and files that are no
// text are returned as unread; an object that cannot be read is an error.
func Load(ctx context.Context, tree snapshot.Tree, globs []string, limit int64) ([]Table, []Unread, error) {
	entries, err := Files(ctx, tree, globs)
	if err != nil {
		return nil, nil, err
	}
	tree.Prefetch(ctx, entries, limit)
	var tables []Table
	var unread []Unread
	for _, e := range entries {
		found, reason, err := Read(ctx, tree, e, limit)
		if err != nil {
			return nil, nil, err
		}
		if reason != "" {
			unread = append(unread, Unread{e.Path, reason})
		}
		tables = append(tables, found...)
	}
	return tables, unread, nil
}

// Read returns the guard tables of one file, or the reason why it could not be read as text.
func Read(ctx context.Context, tree snapshot.Tree, e snapshot.Entry, limit int64) (tables []Table, reason string, err error) {
	src, err := tree.Read(ctx, e, limit)
	if large := (*snapshot.TooLarge)(nil); errors.As(err, &large) {
		return nil, large.Error(), nil
	}
	if err != nil {
		return nil, "", fmt.Errorf("could not read %q: %w", e.Path, err)
	}
	if reason := notText(src); reason != "" {
		return nil, fmt.Sprintf("%q %s", e.Path, reason), nil
	}
	defer markdown.In(e.Path)
	return Parse(e.Path, markdown.Parse(src)), "", nil
}

// Candidates returns the paths at which a rule that a table names may stand, the nearest first.
func (t *Table) Candidates(r Rule) []string {
	out := pathref.Places(t.Path, r.Name)
	if r.Wide != "" {
		out = append(out, pathref.Places(t.Path, r.Wide)...)
	}
	return out
}

// Resolve returns the path of the rule file that a table names, "" when tree does not hold it.
func (t *Table) Resolve(ctx context.Context, tree snapshot.Tree, r Rule) (string, error) {
	return pathref.First(ctx, tree, t.Candidates(r))
}

// notText says why src is no text that a parser can read, "" when it is.
func notText(src []byte) string {
	switch {
	case bytes.HasPrefix(src, []byte("\xff\xfe")), bytes.HasPrefix(src, []byte("\xfe\xff")):
		return "is UTF-16"
	case bytes.IndexByte(src, 0) >= 0:
		return "is binary"
	case !utf8.Valid(src):
		return "is not valid UTF-8"
	}
	return ""
}
