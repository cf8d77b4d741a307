package cli

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/config"
	"github.com/seed-4419f9ca/forge/pkg/git"
	"github.com/seed-4419f9ca/forge/pkg/guardrules"
	"github.com/seed-4419f9ca/forge/pkg/hooks"
	"github.com/seed-4419f9ca/forge/pkg/layer"
	"github.com/seed-4419f9ca/forge/pkg/suite"
	"github.com/seed-4419f9ca/forge/pkg/union"
)

// The merge drivers.
const (
	changelogDriver = "forge-changelog"
	listDriver      = "forge-list"
	logDriver       = "forge-log"
	logTopDriver    = "forge-log-top"
)

// mergeDrivers are the drivers with the command lines that git runs.
func (p *Program) mergeDrivers() []hooks.Driver {
	guard := driverProgram(p.Executable)
	return []hooks.Driver{
		{Name: changelogDriver, Title: "join changelogs by the ids of their entries", Command: guard + " changelog merge %O %A %B %P"},
		{Name: listDriver, Title: "join lists that only grow", Command: guard + " wal merge --shape list %O %A %B %P"},
		{Name: logDriver, Title: "join logs that grow at their end", Command: guard + " wal merge %O %A %B %P"},
		{Name: logTopDriver, Title: "join logs that grow at their top", Command: guard + " wal merge --direction top %O %A %B %P"},
	}
}

// driverProgram is forge-guard as a word of git's command line: the program beside this one, or the one in PATH.
func driverProgram(executable string) string {
	beside := filepath.Join(filepath.Dir(executable), check.GuardProgram)
	if info, err := os.Stat(beside); executable == "" || err != nil || !info.Mode().IsRegular() {
		return check.GuardProgram
	}
	return "'" + strings.ReplaceAll(strings.ReplaceAll(beside, "'", `'\''`), "%", "%%") + "'"
}

// settings is the repository as merge drivers need it.
type settings struct{ *git.Repo }

// AttributesFile implements hooks.Settings.
func (s settings) AttributesFile(ctx context.Context) (string, error) {
	return s.GitPath(ctx, "info/attributes")
}

// installDrivers sets up the merge drivers for the records that the next commit has.
func (p *Program) installDrivers(c *cli.Context, k *hooks.Keeper, repo *git.Repo) (hooks.Change, error) {
	change, err := repo.Staged(c.Context)
	if err != nil {
		return hooks.Change{}, err
	}
	s, err := p.configure(c.Context, c, repo, change)
	if err != nil {
		return hooks.Change{}, err
	}
	patterns, notes, err := mergePatterns(c.Context, s)
	if err != nil {
		return hooks.Change{}, err
	}
	ch, err := k.InstallDrivers(c.Context, settings{repo}, p.mergeDrivers(), patterns)
	ch.Notes = append(ch.Notes, notes...)
	return ch, err
}

// mergePatterns gives each kind of record its driver. A later pattern counts more: the defaults come first, then the rows
// of the configuration, of which the first counts most, and the changelog of the layer last. Chained logs get none, since
// joining two chains makes a broken one.
func mergePatterns(ctx context.Context, s suite.Subject) (list []hooks.MergePattern, notes []string, err error) {
	add := func(driver string, globs ...string) {
		for _, g := range globs {
			for _, pattern := range attributePatterns(g) {
				list = append(list, hooks.MergePattern{Pattern: pattern, Driver: driver})
			}
		}
	}
	add(logDriver, "**/*.wal", "**/*.wal.jsonl", "**/WAL.md", "**/_wal-*.md")
	rows, custom := guardrules.Rows(s.Config.Guards)
	for _, row := range rows {
		if row.Policy == "append-only" && (row.Key == "done" || custom[row.Key]) {
			for _, g := range row.Paths {
				add(growing(g), g)
			}
		}
	}
	for i := len(s.Config.Records) - 1; i >= 0; i-- {
		add(driverOf(&s.Config.Records[i]), s.Config.Records[i].Paths...)
	}
	found, err := layer.ReadManifest(ctx, s.Change.After, s.Config.Limits.File)
	switch {
	case err != nil:
		return nil, nil, err
	case found.Unreadable != nil:
		notes = append(notes, "leji.json cannot be read, so the changelog of the layer has no driver: "+found.Unreadable.Reason)
	case found.Manifest != nil:
		add(changelogDriver, literalGlob(found.Manifest.Changelog))
	}
	return list, notes, nil
}

// growing is the driver of an append-only file by the ending of its pattern.
func growing(pattern string) string {
	if strings.HasSuffix(pattern, ".md") {
		return listDriver
	}
	return logDriver
}

// driverOf is the driver of one row of records, "" for none.
func driverOf(row *config.Record) string {
	switch {
	case row.Chain:
		return ""
	case row.Shape == "entries":
		return changelogDriver
	case row.Shape == "list":
		return listDriver
	case row.Shape == "blocks", row.Direction == "any":
		return ""
	case row.Direction == "top":
		return logTopDriver
	}
	return logDriver
}

// literalGlob is the glob that matches only path.
func literalGlob(path string) string {
	var b strings.Builder
	for i := 0; i < len(path); i++ {
		if strings.IndexByte(`\*?[]{}!`, path[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(path[i])
	}
	return b.String()
}

// attributePatterns writes a glob as patterns of gitattributes: without braces, which git does not know. A question mark
// is one byte to git and one character to a glob; such names go without a driver.
func attributePatterns(g string) []string {
	var out []string
	for _, one := range withoutBraces(g) {
		out = append(out, quotedPattern(one))
		if folder, ok := strings.CutSuffix(one, "/**"); ok { // to git that is what lies below, to a glob the name itself as well
			out = append(out, quotedPattern(folder))
		}
	}
	return out
}

// withoutBraces writes out the alternatives of the first group of braces, and so on. The glob is one that package glob
// takes, which bounds how many there are.
func withoutBraces(g string) []string {
	open, commas, depth, class := -1, []int(nil), 0, false
	for i := 0; i < len(g); i++ {
		switch c := g[i]; {
		case c == '\\':
			i++
		case class:
			class = c != ']'
		case c == '[':
			class = true
		case c == '{':
			if depth++; depth == 1 {
				open = i
			}
		case c == ',' && depth == 1:
			commas = append(commas, i)
		case c == '}' && depth > 0:
			if depth--; depth > 0 {
				continue
			}
			var out []string
			from := open + 1
			for _, to := range append(commas, i) {
				out = append(out, withoutBraces(g[:open]+g[from:to]+g[i+1:])...)
				from = to + 1
			}
			return out
		}
	}
	return []string{g}
}

// quotedPattern puts a slash at the front of a name that would else match in every folder, and quotes around a pattern
// whose white space or first character asks for that.
func quotedPattern(s string) string {
	if !strings.Contains(s, "/") {
		s = "/" + s
	}
	if !strings.ContainsAny(s, " \t\"") && s[0] != '#' && s[0] != '!' {
		return s
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\t", `\t`).Replace(s) + `"`
}

// walMerge is a git merge driver for logs and lists: exit 0 when OURS holds the merge, 1 when it is for people to look at.
func (p *Program) walMergeCommand() *cli.Command {
	return &cli.Command{
		Name: "merge", Usage: "join two versions of a log or list that both grew, as a git merge driver: writes OURS", ArgsUsage: "BASE OURS THEIRS [PATH]",
		Action: p.walMerge,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "shape", Value: "lines", Usage: "what an entry is: `SHAPE` is lines or list"},
			&cli.StringFlag{Name: "direction", Value: "end", Usage: "where lines are added: `END` is end or top"},
			placeFlags()[0],
		},
	}
}

func (p *Program) walMerge(c *cli.Context) error {
	shape, direction := c.String("shape"), c.String("direction")
	switch {
	case shape != "lines" && shape != "list":
		return usagef("--shape: %q is neither lines nor list", shape)
	case direction != "end" && direction != "top":
		return usagef("--direction: %q is neither end nor top", direction)
	}
	v, err := p.mergeVersions(c)
	if err != nil {
		return err
	}
	join := union.Lists
	if shape == "lines" {
		join = func(base, ours, theirs []byte) ([]byte, error) {
			return union.Logs(base, ours, theirs, direction == "top")
		}
	}
	content, err := join(v.base, v.ours, v.theirs)
	if err != nil {
		return p.mergeByLines(c, v, err.Error())
	}
	return v.write(content)
}
