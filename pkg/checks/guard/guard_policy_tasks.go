package guard

import (
	"fmt"

	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/published"
	"github.com/seed-4419f9ca/forge/pkg/record"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
	"github.com/seed-4419f9ca/forge/pkg/tasklist"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

// The names of the task files, which stand in one folder.
const (
	backlogName = "backlog.md"
	doneName    = "done.md"
)

// authority asks that no task of the backlog gets lost and that no id stands twice.
func (g *policyRun) authority(c *snapshot.Change, f guarded) ([]said, error) {
	cmp, err := published.Lists(g.ctx, c, f.File, g.listing)
	if err != nil {
		return nil, err
	}
	done, err := g.beside(c.After, f, doneName)
	if err != nil {
		return nil, err
	}
	now := tasklist.Tasks(cmp.After)
	present := idSet(now)
	var out []said
	for i := range cmp.Parents {
		p := &cmp.Parents[i]
		if p.Listing == nil {
			continue
		}
		older := map[string]bool{}
		for _, base := range p.Bases {
			for id := range idSet(tasklist.Tasks(base)) {
				older[id] = true
			}
		}
		for _, t := range tasklist.Tasks(p.Listing) {
			row := &p.Listing.Entries[t.Entry]
			if present[t.ID] || older[t.ID] || g.placeholders.Match(row) || done != nil && tasklist.Holds(done, t.ID) {
				continue
			}
			present[t.ID] = true // said once
			s := said{slug: slugIDLost, side: finding.Before, span: row.Span, anchor: t.ID,
				message: fmt.Sprintf("the task %s is neither in the tables of the backlog nor in %s any more", quote(t.ID), quote(doneName))}
			if i > 0 {
				s.side, s.span = finding.After, text.Span{}
				s.message += fmt.Sprintf(" (parent %d has it)", i+1)
			}
			out = append(out, s)
		}
	}
	return append(out, twice(cmp, now)...), nil
}

func idSet(tasks []tasklist.Task) map[string]bool {
	set := map[string]bool{}
	for _, t := range tasks {
		set[t.ID] = true
	}
	return set
}

// A tally counts the rows of an id among the active and among the archived tasks.
type tally struct{ active, archived int }

func tallies(tasks []tasklist.Task) map[string]tally {
	m := map[string]tally{}
	for _, t := range tasks {
		n := m[t.ID]
		if t.Archived {
			n.archived++
		} else {
			n.active++
		}
		m[t.ID] = n
	}
	return m
}

// twice reports ids that the change has made stand more than once.
func twice(cmp *record.ListComparison, now []tasklist.Task) []said {
	before := map[string]tally{}
	for i := range cmp.Parents {
		if l := cmp.Parents[i].Listing; l != nil {
			for id, n := range tallies(tasklist.Tasks(l)) {
				b := before[id]
				before[id] = tally{max(b.active, n.active), max(b.archived, n.archived)}
			}
		}
	}
	seen := map[string]tally{}
	var out []said
	for _, t := range now {
		n, b := seen[t.ID], before[t.ID]
		report := func(level finding.Level, format string) {
			out = append(out, said{slug: slugIDTwice, level: level, span: cmp.After.Entries[t.Entry].Span, anchor: t.ID, message: fmt.Sprintf(format, quote(t.ID))})
		}
		other, known := n.archived, b.active > 0 && b.archived > 0
		count, allowed, where := &n.active, b.active, "stands in more than one row of the backlog"
		if t.Archived {
			other, count, allowed, where = n.active, &n.archived, b.archived, "is archived more than once"
		}
		switch {
		case *count >= max(1, allowed):
			report("", "the id %s "+where)
		case *count == 0 && other > 0 && !known:
			report(finding.Flag, "the id %s stands both among the active and among the archived tasks")
		}
		*count++
		seen[t.ID] = n
	}
	return out
}

// hotLane asks that items keep their words, that ticked ones leave only into the list of done tasks, and that tasks of the
// backlog stay there.
func (g *policyRun) hotLane(c *snapshot.Change, f guarded) ([]said, error) {
	done, err := g.beside(c.After, f, doneName)
	if err != nil {
		return nil, err
	}
	if done == nil {
		done = &record.Listing{}
	}
	full, err := g.listing(c.After, f.After)
	if err != nil {
		return nil, err
	}
	still := map[string]bool{}
	for _, i := range tasklist.Items(full) {
		still[full.Entries[i].Text] = true
	}
	// Items that have arrived in the list of done tasks are at their goal and take no part in the comparison.
	cmp, err := published.Lists(g.ctx, c, f.File, func(tree snapshot.Tree, e snapshot.Entry) (*record.Listing, error) {
		l, err := g.listing(tree, e)
		if err != nil {
			return nil, err
		}
		return l.Select(func(e *record.Entry) bool {
			return tasklist.IsItem(e) && (still[e.Text] || !tasklist.Arrived(done, e)) && !g.placeholders.Match(e)
		}), nil
	})
	if err != nil {
		return nil, err
	}
	result := record.CompareList(*cmp)
	var out []said
	for i := range result.Problems {
		if s, ok := laneProblem(result, &result.Problems[i]); ok {
			out = append(out, s)
		}
	}
	strays, err := g.backlogTasks(c, f, cmp.After, result.Fresh)
	return append(out, strays...), err
}

// laneProblem turns a problem of the record engine into one of the hot lane. What moves, and what is left out while it is
// open, is free.
func laneProblem(r *record.ListResult, p *record.Problem) (said, bool) {
	old := r.Old(p)
	if old == nil {
		return said{slug: p.Slug, span: p.Span, side: p.Side, message: p.Message, anchor: p.Anchor}, p.Slug == record.EOLChanged
	}
	s := said{span: p.Span, side: p.Side, anchor: old.Text}
	now := r.New(p)
	switch {
	case p.Slug == record.EntryEdited && now != nil && now.Text != old.Text:
		s.slug = slugItemRewritten
		s.message = fmt.Sprintf("the item %s now reads %s", quote(old.Shown()), quote(now.Shown()))
	case p.Slug == record.EntryEdited && now != nil && old.Task == 'x' && now.Task != 'x':
		s.slug, s.level = slugItemRewritten, finding.Flag
		s.message = fmt.Sprintf("the item %s was done and is open again", quote(old.Shown()))
	case (p.Slug == record.EntryRemoved || p.Slug == record.EntryHidden) && old.Task == 'x':
		s.slug = slugDoneItemLost
		s.message = fmt.Sprintf("the item %s left the hot lane and did not arrive in %s", quote(old.Shown()), quote(doneName))
	default:
		return s, false
	}
	return s, true
}

// backlogTasks reports new items that carry an id of the backlog, as it was or as it is.
func (g *policyRun) backlogTasks(c *snapshot.Change, f guarded, after *record.Listing, fresh []int) ([]said, error) {
	ids := map[string]bool{}
	for _, tree := range append([]snapshot.Tree{c.After}, c.Before...) {
		l, err := g.beside(tree, f, backlogName)
		if err != nil {
			return nil, err
		}
		if l != nil {
			for id := range idSet(tasklist.Tasks(l)) {
				ids[id] = true
			}
		}
	}
	var out []said
	for _, i := range fresh {
		e := &after.Entries[i]
		for _, id := range tasklist.Named(e) {
			if ids[id] {
				out = append(out, said{slug: slugBacklogTask, span: e.Span, anchor: e.Text,
					message: fmt.Sprintf("the new item %s carries %s, an id of the backlog", quote(e.Shown()), quote(id))})
				break
			}
		}
	}
	return out, nil
}
