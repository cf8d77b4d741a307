// Package guard holds the checks of guarded files: their headers, their policies, and the texts that name them (chapter 4).
package guard

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/facts"
	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/guardheader"
	"github.com/seed-4419f9ca/forge/pkg/guardrules"
	"github.com/seed-4419f9ca/forge/pkg/published"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// GuardHeader checks that guarded files carry the header that says what may be done to them (chapters 4.1 to 4.3).
var GuardHeader = &check.Check{
	ID:      "guard-header",
	Program: check.PreCommitProgram,
	Title:   "Guarded files carry their guard header, in its place.",
	Why: "A guard header is the last thing that an agent without its rules still reads before it edits a file: it stands in the file itself, next to " +
		"the title. It works only while it is there, says what holds for this file, and stands where it is read. A header that was deleted, or copied " +
		"from another kind of file, misleads more than none.",
	Since:  "0.1.0",
	Levels: check.Levels{PreCommit: finding.Fail, PrePush: finding.Fail, CI: finding.Fail},
	Codes: []check.Code{
		{Slug: "missing", Fixable: true, Level: finding.Fail, Title: "A guarded file has no guard header.",
			Help: "Run `forge-pre-commit fix` to put the header in. A file that had none before is only flagged, unless guards.require is always."},
		{Slug: "removed", Fixable: true, Level: finding.Fail, Hard: true, Title: "The guard header of a file is gone.",
			Help: "Put the header back: `forge-pre-commit fix` writes it. A guard that is no longer wanted is taken out of guards.rules, not out of the file."},
		{Slug: "wrong", Level: finding.Fail, Title: "A guarded file carries the guard header of another row.",
			Help: "Leave the one header that belongs to this path and delete the other."},
		{Slug: "above-frontmatter", Level: finding.Fail, Title: "Something stands above the frontmatter and switches it off.",
			Help: "Begin the file with the opening line of the frontmatter; a guard header stands behind the closing line."},
		{Slug: "misplaced", Fixable: true, Level: finding.Flag, Title: "A guard header stands where it is not looked for.",
			Help: "Run `forge-pre-commit fix`. A header stands behind the frontmatter or, without one, under the title, in a script behind the shebang."},
		{Slug: "spelling", Fixable: true, Level: finding.Flag, Title: "A guard header can be recognised and is not written exactly.",
			Help: "Run `forge-pre-commit fix` to write it exactly."},
		{Slug: "duplicate", Level: finding.Flag, Title: "A guard header stands twice in a file.",
			Help: "Delete all but the one in its place."},
		{Slug: "unknown", Level: finding.Flag, Title: "A comment with a warning sign stands where the guard header belongs.",
			Help: "Write the guard header of this path; text of one's own goes into another comment. New guards are rows of guards.rules."},
		{Slug: "unclosed-comment", Level: finding.Fail, Title: "A comment in a guarded file never closes and hides what follows.",
			Help: "Close the comment with -->, or write the sign in code: `<!--`."},
		{Slug: "not-regular", Level: finding.Fail, Title: "A guarded file is no regular file any more.",
			Help: "Put a regular file back in its place: what a symlink or a submodule points to is not guarded."},
		{Slug: "unreadable", Level: finding.Fail, Title: "A guarded Markdown file cannot be read for certain.",
			Help: "Save the file as UTF-8 with LF or CRLF line ends."},
	},
	Run: runGuardHeader,
}

// sharedRules returns the guard rules of the change, which the checks of a run share.
func sharedRules(p *check.Pass) (*guardrules.Rules, error) {
	return facts.Memo(p.Facts, guardrules.Key{Change: p.Change, Config: p.Config}, func() (*guardrules.Rules, error) {
		set, err := facts.Memo(p.Facts, guardrules.SetKey{Config: p.Config}, func() (*guardrules.Set, error) { return guardrules.NewSet(p.Config) })
		if err != nil {
			return nil, err
		}
		return set.In(p.Change, p.Ignored), nil
	})
}

// A headerRun is one run of the check.
type headerRun struct {
	*check.Pass
	ctx   context.Context
	rules *guardrules.Rules
	moves map[string]string // where files came from that a range moves and changes
}

func runGuardHeader(ctx context.Context, p *check.Pass) error {
	rules, err := sharedRules(p)
	if err != nil {
		return err
	}
	moves, err := published.Moves(ctx, p.Change, p.Files)
	if err != nil {
		return fmt.Errorf("could not follow the files that move: %w", err)
	}
	r := &headerRun{p, ctx, rules, map[string]string{}}
	for from, to := range moves {
		r.moves[to] = from
	}
	rules.Prefetch(ctx, p.Files)
	used := false
	for i := range p.Files {
		guarded, err := r.file(&p.Files[i])
		if err != nil {
			return err
		}
		used = used || guarded
	}
	if !used {
		p.Skip(check.NotUsed)
	}
	return nil
}

// file judges one file and reports whether a guard binds it.
func (r *headerRun) file(f *snapshot.File) (bool, error) {
	row, how, err := r.binding(f)
	if row == nil || err != nil {
		return false, err
	}
	switch {
	case !f.After.Exists():
		r.swapped(f, row)
	case !r.Judged(f):
	case !f.After.Mode.IsFile():
		r.notRegular(f.Path, f.Path, f.After.Mode, row)
	case how == guardrules.ByHeader:
	default:
		scan, err := r.rules.Scan(r.ctx, r.Change.After, f.After)
		if err != nil {
			return true, r.SkipTooLarge(err)
		}
		past, err := r.before(f)
		if err != nil {
			return true, err
		}
		r.judge(f.Path, row, how, scan, past)
	}
	return true, nil
}

// binding returns the row that binds f. A file that did not change is bound by its path alone: no header of it can have
// gone.
func (r *headerRun) binding(f *snapshot.File) (*guardheader.Row, guardrules.How, error) {
	for _, b := range f.Before {
		if !b.Same(f.After) {
			return r.rules.Binding(r.ctx, f)
		}
	}
	row, err := r.rules.For(r.ctx, f.Path)
	return row, guardrules.ByPath, err
}

// swapped reports a guarded file that went because a symlink or a submodule took the place of one of its folders.
func (r *headerRun) swapped(f *snapshot.File, row *guardheader.Row) {
	s, ok := r.rules.Swapped(f.Path)
	if !ok || !f.DiffersFromAll() {
		return
	}
	out := r.notRegular(f.Path, s.Folder, s.Mode, row)
	out.Side = finding.Before
	out.Related = []finding.Related{{Path: s.Folder, Side: finding.After, Message: "this folder was replaced"}}
}

// notRegular reports that what, which is the guarded path or one of its folders, has become something of another mode.
func (r *headerRun) notRegular(path, what string, mode snapshot.Mode, row *guardheader.Row) *finding.Finding {
	kind := "a symlink"
	if mode == snapshot.Gitlink {
		kind = "a submodule"
	}
	subject := "it"
	if what != path {
		subject = fmt.Sprintf("its folder %q", what)
	}
	f := r.Reportf("not-regular", path, "%q is guarded (%s), and %s is %s now", path, row.Key, subject, kind)
	f.Anchor = row.Key
	return f
}

// A past is what the before versions of a file had.
type past struct {
	existed bool                // one of them is a regular file
	scans   []*guardheader.Scan // of those with a known header
}

// before looks at the versions of f in all parents. A file that came from another guarded path, unchanged in the commit that
// moved it, was there.
func (r *headerRun) before(f *snapshot.File) (past, error) {
	var p past
	for i, e := range f.Before {
		if source := cmp.Or(f.From, r.moves[f.Path]); i == 0 && !e.Exists() && source != "" {
			from, err := r.came(source)
			if err != nil {
				return p, err
			}
			e = from
		}
		s, err := r.rules.Header(r.ctx, r.Change.Before[i], e)
		if err != nil {
			return p, err
		}
		p.existed = p.existed || e.Mode.IsFile()
		if s != nil {
			p.scans = append(p.scans, s)
		}
	}
	return p, nil
}

// came returns the entry of the path from which a file came, the zero entry when no guard binds that path.
func (r *headerRun) came(from string) (snapshot.Entry, error) {
	row, err := r.rules.For(r.ctx, from)
	if row == nil || err != nil {
		return snapshot.Entry{}, err
	}
	e, err := r.Change.Before[0].Lookup(r.ctx, from)
	if err != nil {
		return e, fmt.Errorf("could not look for %q: %w", from, err)
	}
	return e, nil
}

// had reports whether a before version carries the header of row.
func (p *past) had(row *guardheader.Row) bool {
	for _, s := range p.scans {
		if len(s.Right(row)) > 0 {
			return true
		}
	}
	return false
}

// attach gives f the safe fix of its file's header, or says in its help why a person has to do it. All findings of a file
// carry the same edits, so that they count once.
func attach(f *finding.Finding, s *guardheader.Scan, row *guardheader.Row, message string) {
	edits, err := s.Fix(row)
	switch {
	case errors.Is(err, guardheader.ErrOther):
	case err != nil:
		f.Help = "`forge-pre-commit fix` leaves this file alone, because " + err.Error() + ". " + f.Help
	case len(edits) > 0:
		f.Fix = &finding.Fix{Safe: true, Message: message, Edits: edits}
	}
}
