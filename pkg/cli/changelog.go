package cli

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-4419f9ca/forge/pkg/changelog"
	"github.com/seed-4419f9ca/forge/pkg/manifest"
	"github.com/seed-4419f9ca/forge/pkg/slug"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

// changelogCommand reads and writes the changelog of a context layer (chapter 5.3).
func (p *Program) changelogCommand() *cli.Command {
	file := &cli.StringFlag{Name: "file", Usage: "work on the changelog at `PATH`, from the root, and not on that of " + manifest.Path}
	place := append([]cli.Flag{file}, placeFlags()...)
	date := &cli.StringFlag{Name: "date", Usage: "give the entry the date `DATE`: YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ; today without it"}
	id := &cli.StringFlag{Name: "id", Usage: "give the entry the id `ID`; made of the summary without it"}
	return &cli.Command{
		Name: "changelog", Usage: "the changelog of a context layer",
		Subcommands: []*cli.Command{
			{
				Name: "check", Usage: "check the changelog and what it covers", ArgsUsage: " ", Flags: p.judgeFlags(),
				Action: func(c *cli.Context) error { return p.judgeOnly(c, []string{"changelog", "changelog-coverage"}) },
			},
			{
				Name: "add", Usage: "add an entry to the file on disk; nothing is staged", ArgsUsage: " ", Action: p.changelogAdd,
				Flags: append([]cli.Flag{
					&cli.StringFlag{Name: "type", Usage: "what kind of change it was: `TYPE` is one of " + strings.Join(writable(), ", ")},
					&cli.StringFlag{Name: "summary", Usage: "what changed, on one line: `TEXT`"},
					&cli.GenericFlag{Name: "path", Value: &texts{}, Usage: "`PATH` that changed, from the root; may be repeated. Without it the governed documents that are staged and not covered yet"},
					id, date,
				}, place...),
			},
			{
				Name: "compact", Usage: "take the oldest entries out of the file on disk and say so in a new one", ArgsUsage: " ", Action: p.changelogCompact,
				Flags: append([]cli.Flag{
					&cli.IntFlag{Name: "keep", Usage: "keep the newest `N` entries beside the new one"},
					&cli.StringFlag{Name: "before", Usage: "take out what is older than `DATE`"},
					&cli.StringFlag{Name: "summary", Usage: "the summary of the new entry: `TEXT`"},
					id, date,
				}, place...),
			},
			{
				Name: "list", Usage: "print the entries of the file on disk, oldest first", ArgsUsage: " ", Action: p.changelogList,
				Flags: append([]cli.Flag{&cli.BoolFlag{Name: "json", Usage: "print them as a JSON array"}}, place...),
			},
			{
				Name: "merge", Usage: "join two versions by the ids of their entries, as a git merge driver: writes OURS", ArgsUsage: "BASE OURS THEIRS [PATH]",
				Action: p.changelogMerge, Flags: placeFlags()[:1],
			},
		},
	}
}

// texts is a flag that may be repeated and whose values are taken whole.
type texts []string

func (t *texts) Set(s string) error { *t = append(*t, s); return nil }
func (t *texts) String() string     { return strings.Join(*t, " ") }

// writable returns the types that add can give. Compactions are for compact to write.
func writable() []string {
	return slices.DeleteFunc(changelog.Types(), func(s string) bool { return s == changelog.Compaction })
}

func (p *Program) changelogAdd(c *cli.Context) error {
	draft, err := draftOf(c)
	if err != nil {
		return err
	}
	f, err := p.openChangelog(c)
	if err != nil {
		return err
	}
	defer f.repo.Close()
	if err := f.sound(); err != nil {
		return err
	}
	versions, err := f.versions(c.Context)
	if err != nil {
		return err
	}
	switch {
	case draft.ID == "":
		draft.ID = changelog.NewID(draft.Summary, versions...)
	case slices.ContainsFunc(versions, func(d *changelog.Doc) bool { return d.Has(draft.ID) }):
		return usagef("--id: %q is taken", draft.ID)
	}
	if draft.Paths == nil {
		if draft.Paths, err = p.uncovered(c.Context, f); err != nil {
			return err
		}
	}
	if len(draft.Paths) == 0 {
		return usagef("no governed document is staged that the changelog does not cover; name what changed with --path")
	}
	if problem := draft.Problem(); problem != "" {
		return usagef("%s", problem)
	}
	content := changelog.Create(draft)
	if f.exists {
		if content, err = f.doc.Append(draft); err != nil {
			return fmt.Errorf("could not write into %q: %w", f.path, err)
		}
	}
	if err := f.write(content); err != nil {
		return err
	}
	fmt.Fprintf(p.Stdout, "%s: added %s for %s; nothing is staged\n", text.Escape(f.path), draft.ID, text.Escape(strings.Join(draft.Paths, ", ")))
	return nil
}

// draftOf makes a draft of what the command line says. Its id and its paths are empty where it does not say them.
func draftOf(c *cli.Context) (changelog.Draft, error) {
	d := changelog.Draft{ID: stringFlag(c, "id"), Date: stringFlag(c, "date"), Type: stringFlag(c, "type"), Summary: stringFlag(c, "summary")}
	if err := noArguments(c); err != nil {
		return d, err
	}
	switch {
	case d.Type == "":
		return d, usagef("--type is missing; it is one of %s", strings.Join(writable(), ", "))
	case d.Type == changelog.Compaction:
		return d, usagef("--type: compactions are written by `changelog compact`")
	case !slices.Contains(writable(), d.Type):
		return d, usagef("--type: there is no type %q; there are %s", d.Type, strings.Join(writable(), ", "))
	}
	if reason := changelog.SummaryProblem(d.Summary); reason != "" {
		return d, usagef("--summary %s", reason)
	}
	if err := dateAndID(&d); err != nil {
		return d, err
	}
	given, ok := c.Generic("path").(*texts)
	if !ok {
		return d, nil
	}
	for _, s := range *given {
		clean := path.Clean(s)
		if reason := changelog.PathProblem(clean); s == "" || reason != "" {
			return d, usagef("--path: %q %s", s, reason)
		}
		if !slices.Contains(d.Paths, clean) {
			d.Paths = append(d.Paths, clean)
		}
	}
	return d, nil
}

// dateAndID checks the date and the id of a draft and fills in today.
func dateAndID(d *changelog.Draft) error {
	if d.Date == "" {
		d.Date = time.Now().UTC().Format("2006-01-02")
	}
	if reason := changelog.DateProblem(d.Date); reason != "" {
		return usagef("--date: %q %s", d.Date, reason)
	}
	if d.ID != "" && !slug.Valid(d.ID) {
		return usagef("--id: %q is no id: groups of a to z and 0 to 9 with single hyphens between them", d.ID)
	}
	return nil
}

func (p *Program) changelogCompact(c *cli.Context) error {
	before, given := stringFlag(c, "before"), c.IsSet("keep")
	keep := c.Int("keep")
	draft := changelog.Draft{ID: stringFlag(c, "id"), Date: stringFlag(c, "date"), Summary: stringFlag(c, "summary")}
	switch {
	case noArguments(c) != nil:
		return noArguments(c)
	case given == (before != ""):
		return usagef("compact needs one of --keep N and --before DATE")
	case given && keep < 0:
		return usagef("--keep: %d is less than nothing", keep)
	case before != "" && changelog.DateProblem(before) != "":
		return usagef("--before: %q %s", before, changelog.DateProblem(before))
	case draft.Summary != "" && changelog.SummaryProblem(draft.Summary) != "":
		return usagef("--summary %s", changelog.SummaryProblem(draft.Summary))
	}
	if err := dateAndID(&draft); err != nil {
		return err
	}
	f, err := p.openChangelog(c)
	if err != nil {
		return err
	}
	defer f.repo.Close()
	if err := f.sound(); err != nil {
		return err
	}
	baseline, err := f.baseline(c.Context)
	if err != nil {
		return err
	}
	var gone []*changelog.Entry
	if given {
		gone, err = changelog.Oldest(baseline, f.doc, keep)
	} else {
		gone, err = changelog.OlderThan(baseline, f.doc, before)
	}
	if err != nil {
		return p.refuse("%s: %s", f.path, err)
	}
	if len(gone) == 0 {
		fmt.Fprintf(p.Stdout, "%s: nothing to compact\n", text.Escape(f.path))
		return nil
	}
	return p.writeCompaction(f, baseline, gone, draft)
}

// writeCompaction writes the file without gone. What given says overrides what is usual for the new entry.
func (p *Program) writeCompaction(f *changelogFile, baseline *changelog.Baseline, gone []*changelog.Entry, given changelog.Draft) error {
	draft := changelog.NewCompaction(f.doc, gone, given.Date, f.path)
	if given.Summary != "" {
		draft.Summary = given.Summary
	}
	if given.ID != "" {
		if draft.ID = given.ID; f.doc.Has(draft.ID) {
			return usagef("--id: %q is taken", draft.ID)
		}
	}
	ids := map[string]bool{}
	for _, e := range gone {
		ids[e.ID] = true
	}
	content, err := f.doc.Compact(func(id string) bool { return ids[id] }, draft)
	if err != nil {
		return fmt.Errorf("could not write into %q: %w", f.path, err)
	}
	if problems := changelog.Compare(baseline, changelog.Parse(content)); len(problems) > 0 {
		return fmt.Errorf("could not compact %q: the result would not pass the check: %s", f.path, problems[0].Message)
	}
	if err := f.write(content); err != nil {
		return err
	}
	fmt.Fprintf(p.Stdout, "%s: %s, told by %s; nothing is staged\n", text.Escape(f.path), text.Escape(draft.Summary), draft.ID)
	return nil
}

func (p *Program) changelogList(c *cli.Context) error {
	if err := noArguments(c); err != nil {
		return err
	}
	f, err := p.openChangelog(c)
	if err != nil {
		return err
	}
	defer f.repo.Close()
	if !f.exists {
		return p.refuse("there is no changelog at %q", f.path)
	}
	if !f.doc.Readable() {
		return f.sound()
	}
	if boolFlag(c, "json") {
		data, err := f.doc.List()
		if err != nil {
			return err
		}
		return writeOnce(p.Stdout, data)
	}
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, e := range f.doc.Canonical() {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", text.Escape(e.Date), text.Escape(e.Type), text.Escape(e.ID), text.Escape(e.Summary()))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return writeOnce(p.Stdout, []byte(b.String()))
}

// refuse prints why a command does nothing, and ends it with exit 1.
func (p *Program) refuse(format string, args ...any) error {
	fmt.Fprintf(p.Stderr, "%s: %s\n", p.Name, text.Escape(fmt.Sprintf(format, args...)))
	return exitError(ExitFindings)
}
