package record

import (
	"slices"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/published"
	"github.com/seed-4419f9ca/forge/pkg/record"
)

// seamSlugs are the problems that a range as a whole may show although each of its commits is good: a merge puts the
// lines of one side between those of the other.
func seamSlugs() []string {
	return []string{record.Inserted, record.WrongEnd, record.Sequence, record.TimeReversed}
}

// forgiveMerges takes out such problems when the range has a merge that joins versions of the record, and no commit of
// the range has anything wrong with it. Then each commit extends what it builds on, and nothing was slipped in.
func (j *judge) forgiveMerges(t target, problems []record.Problem) ([]record.Problem, error) {
	c := j.pass.Change
	seam := func(p record.Problem) bool { return slices.Contains(seamSlugs(), p.Slug) }
	if c.Commits == nil || !slices.ContainsFunc(problems, seam) {
		return problems, nil
	}
	steps, err := c.Commits(j.ctx)
	if err != nil {
		return nil, err
	}
	joined := false
	for i := range steps {
		s := steps[i].Change
		f, ok := s.File(t.Path)
		if !ok {
			continue
		}
		if s.Missing != "" {
			return problems, nil
		}
		joined = joined || len(s.Before) > 1 && f.DiffersFromAll()
		found, err := j.judge(s, target{f, t.kind, t.header}, false)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(found, func(p record.Problem) bool { return seam(p) || loses(p.Slug) }) {
			return problems, nil
		}
	}
	if joined {
		problems = slices.DeleteFunc(problems, seam)
	}
	return problems, nil
}

// loses reports whether a problem is about what was published, and not about what is new.
func loses(slug string) bool {
	switch slug {
	case record.Rewritten, record.Truncated, record.Inserted, record.WrongEnd, slugDeleted, slugRenamedAway, slugNotRegular,
		record.EntryEdited, record.EntryRemoved, record.EntryMoved, record.EntryHidden:
		return true
	}
	return false
}

// forgiveUnpublished lowers problems about content that only the last commit holds and that nobody else has seen, so that
// it can still be corrected by amending that commit (chapter 3.2).
func (j *judge) forgiveUnpublished(t target, problems []record.Problem) error {
	if j.pass.Stage != check.PreCommit || !slices.ContainsFunc(problems, func(p record.Problem) bool { return loses(p.Slug) }) {
		return nil
	}
	since, ok, err := published.Unpublished(j.ctx, j.pass.Change, t.File)
	if err != nil || !ok {
		return err
	}
	kept := map[string]bool{}
	for _, s := range since {
		found, err := j.judge(s.Change, target{s.File, t.kind, t.header}, false)
		if err != nil {
			return err
		}
		for _, p := range found {
			kept[p.Slug+"\x00"+p.Anchor] = true
		}
	}
	for i := range problems {
		if p := &problems[i]; loses(p.Slug) && !kept[p.Slug+"\x00"+p.Anchor] {
			p.Level = finding.Flag
		}
	}
	return nil
}
