// Package record holds the checks of append-only records (chapter 5).
package record

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/facts"
	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/guardheader"
	"github.com/seed-4419f9ca/forge/pkg/guardrules"
	"github.com/seed-4419f9ca/forge/pkg/published"
	"github.com/seed-4419f9ca/forge/pkg/record"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// Wal checks write-ahead logs and every other append-only record that no check of its own owns (chapter 5.2).
var Wal = &check.Check{
	ID:      "wal",
	Program: check.GuardProgram,
	Title:   "Logs and other append-only records only grow.",
	Why: "A log is worth something because nobody can go back to it: what it said yesterday it still says today. One edited line, one line slipped " +
		"in between, one lost tail, and the rest of the file can no longer be believed either. The comparison is made on the bytes of both versions, " +
		"never on a diff, so that no attribute, no setting and no flip of line ends can hide a change or feign one.",
	Since:   "0.1.0",
	Levels:  check.Levels{PreCommit: finding.Fail, PrePush: finding.Fail, CI: finding.Fail},
	History: true,
	Codes:   walCodes,
	Run:     runWal,
}

var walCodes = []check.Code{
	{Slug: record.Rewritten, Level: finding.Fail, Hard: true, Title: "A published line of a record reads differently.",
		Help: "Put the published line back as it was and write the correction as a new line. The whole file as it was: git checkout HEAD -- FILE"},
	{Slug: record.Truncated, Level: finding.Fail, Hard: true, Title: "A record has lost published lines.",
		Help: "Put the lost lines back: git checkout HEAD -- FILE. To move old lines out, configure an archive for the record and move them there in the same change."},
	{Slug: record.Inserted, Level: finding.Fail, Hard: true, Title: "A new line stands among the published lines of a record.",
		Help: "Move the new line to the end at which the record grows."},
	{Slug: record.WrongEnd, Level: finding.Fail, Hard: true, Title: "A record has grown at the wrong end.",
		Help: "Move what is new to the end at which the record grows."},
	{Slug: slugDeleted, Level: finding.Fail, Hard: true, Title: "A record was deleted.",
		Help: "Put the file back: git checkout HEAD -- FILE. What is out of use can move, unchanged, below Archive/."},
	{Slug: slugRenamedAway, Level: finding.Fail, Hard: true, Title: "A record was renamed to a path that nothing protects.",
		Help: "Give the file a name that is a record, move it below Archive/, or add its new path to records in .forge/config.yaml."},
	{Slug: slugNotRegular, Level: finding.Fail, Hard: true, Title: "A record is no regular file any more.",
		Help: "Put the file itself back in the place of the link or submodule: git checkout HEAD -- FILE"},
	{Slug: record.TornTail, Level: finding.Fail, Hard: true, Title: "The last line of a record is cut.",
		Help: "Close the line off with `forge-guard wal append`, which keeps what is there and says that it is torn."},
	{Slug: record.BadLine, Level: finding.Fail, Hard: true, Title: "A line of a JSON log is not one JSON object.",
		Help: "Write one JSON object on each line, without repeated keys and in UTF-8."},
	{Slug: record.Sequence, Level: finding.Fail, Hard: true, Title: "The sequence of a JSON log has a gap or a repeated number.",
		Help: "Number each new line with the seq of the line before it plus one."},
	{Slug: record.BrokenChain, Level: finding.Fail, Hard: true, Title: "The digest in a line is not that of the line before it.",
		Help: "Find out which of the two lines was changed and restore it; lines are appended with `forge-guard wal append --json`."},
	{Slug: record.TimeReversed, Level: finding.Flag, Hard: true, Title: "A new line carries an earlier time than the line before it.",
		Help: "Check the clock of the writer."},
	{Slug: record.EOLChanged, Level: finding.Flag, Hard: true, Title: "The line ends of published lines have changed.",
		Help: "Keep the line ends as they were, for example with a line such as `*.wal -text` in .gitattributes."},
	{Slug: record.EntryEdited, Level: finding.Fail, Hard: true, Title: "A published entry of a list reads differently.",
		Help: "Put the published entry back as it was; write the correction as a new entry."},
	{Slug: record.EntryRemoved, Level: finding.Fail, Hard: true, Title: "A published entry of a list is gone.",
		Help: "Put the entry back under its heading."},
	{Slug: record.EntryMoved, Level: finding.Fail, Hard: true, Title: "A published entry of a list stands elsewhere.",
		Help: "Put the entries back in their order, under the headings they had."},
	{Slug: record.EntryHidden, Level: finding.Fail, Hard: true, Title: "A published entry of a list stands in a comment or in code.",
		Help: "Take the entry out of the comment or the fence."},
}

// restore stands in a help for the command that brings the file back.
const restore = "git checkout HEAD -- FILE"

// Slugs that this check has beside those of the engine.
const (
	slugDeleted     = "deleted"
	slugRenamedAway = "renamed-away"
	slugNotRegular  = "not-regular"
)

func runWal(ctx context.Context, p *check.Pass) error {
	set, err := newRecords(p.Config)
	if err != nil {
		return err
	}
	rules, err := facts.Memo(p.Facts, guardrules.Key{Change: p.Change, Config: p.Config}, func() (*guardrules.Rules, error) {
		set, err := facts.Memo(p.Facts, guardrules.SetKey{Config: p.Config}, func() (*guardrules.Set, error) { return guardrules.NewSet(p.Config) })
		if err != nil {
			return nil, err
		}
		return set.In(p.Change, p.Ignored), nil
	})
	if err != nil {
		return err
	}
	j := &judge{ctx: ctx, pass: p, records: set, rules: rules}
	files, err := j.files()
	if err != nil {
		return err
	}
	if len(files) == 0 {
		p.Skip(check.NotUsed)
		return nil
	}
	if p.Change.Missing != "" {
		if p.Stage.Hosted() {
			return fmt.Errorf("could not compare records with what was published: %s", p.Change.Missing)
		}
		p.Skip(p.Change.Missing)
		return j.proveChains(files)
	}
	j.prefetch(files)
	for _, f := range files {
		if err := j.run(f); err != nil {
			return err
		}
	}
	return nil
}

// A target is a file of the change together with the kind of record it is.
type target struct {
	*snapshot.File
	kind   kind
	header bool // its guard header makes it a record, not its path
}

// A judge judges the records of one pass.
type judge struct {
	ctx     context.Context
	pass    *check.Pass
	records *records
	rules   *guardrules.Rules
}

// files returns the files of the pass that are records.
func (j *judge) files() ([]target, error) {
	var out []target
	var others []snapshot.File
	for i := range j.pass.Files {
		f := &j.pass.Files[i]
		k, ok, err := j.kindOf(f.Path)
		switch {
		case err != nil:
			return nil, err
		case ok:
			out = append(out, target{File: f, kind: k})
		case !j.isNamed(f.Path) && !published.Unchanged(f):
			others = append(others, *f)
		}
	}
	byHeader, err := j.headed(others)
	if err != nil {
		return nil, err
	}
	out = append(out, byHeader...)
	slices.SortFunc(out, func(a, b target) int { return strings.Compare(a.Path, b.Path) })
	return out, j.follow(out)
}

// kindOf returns the kind of the record at path, when this check judges it. A list that a guard protects belongs to the
// check of guards, unless its name says that it is a log.
func (j *judge) kindOf(path string) (kind, bool, error) {
	k, ok, owned, named := j.records.kindOf(path)
	if !ok || owned || named {
		return k, ok && !owned, nil
	}
	guarded, err := j.isGuarded(path)
	return k, !guarded, err
}

// isGuarded reports whether an append-only guard binds path.
func (j *judge) isGuarded(path string) (bool, error) {
	row, err := j.rules.For(j.ctx, path)
	return row != nil && row.Policy == "append-only", err
}

// isNamed reports whether path is a record by its name, whoever judges it.
func (j *judge) isNamed(path string) bool {
	_, ok, _, _ := j.records.kindOf(path)
	return ok
}

// isRecord reports whether what stands at path is judged as a record by any check.
func (j *judge) isRecord(path string) (bool, error) {
	if j.isNamed(path) {
		return true, nil
	}
	return j.isGuarded(path)
}

// headed returns the files that are records because their own header says APPEND-ONLY, before or after the change
// (chapter 5.1), and that no row binds by its path.
func (j *judge) headed(files []snapshot.File) ([]target, error) {
	j.rules.Prefetch(j.ctx, files)
	var out []target
	for i := range files {
		_, how, err := j.rules.Binding(j.ctx, &files[i])
		if err != nil {
			return nil, err
		}
		if how != guardrules.ByHeader && how != guardrules.ByHeaderGone {
			continue
		}
		k := kind{Spec: record.Spec{Shape: record.Bytes}}
		if guardheader.IsMarkdown(files[i].Path) {
			k.Shape = record.List
		}
		out = append(out, target{File: &files[i], kind: k, header: true})
	}
	return out, nil
}

// run judges one record and reports what is wrong with it.
func (j *judge) run(t target) error {
	problems, err := j.judge(j.pass.Change, t, j.pass.All)
	if err != nil {
		return err
	}
	if problems, err = j.forgiveMerges(t, problems); err != nil {
		return err
	}
	if err := j.forgiveUnpublished(t, problems); err != nil {
		return err
	}
	j.report(t, problems)
	return nil
}

// proveChains judges what needs no version before: the chains (chapter 5.2).
func (j *judge) proveChains(files []target) error {
	for _, t := range files {
		if !t.kind.Chain || !t.After.Mode.IsFile() {
			continue
		}
		problems, err := j.chain(t)
		if err != nil {
			return err
		}
		j.report(t, problems)
	}
	return nil
}

// report makes findings of problems of t.
func (j *judge) report(t target, problems []record.Problem) {
	for i := range problems {
		p := &problems[i]
		f := j.pass.Reportf(p.Slug, t.Path, "%s", p.Message)
		f.Span, f.Side, f.Anchor = p.Span, p.Side, p.Anchor
		f.Help = strings.Replace(f.Help, restore, published.Restore(j.pass.Change, t.Path), 1)
		if p.Level != "" {
			f.Level = p.Level
		}
	}
}
