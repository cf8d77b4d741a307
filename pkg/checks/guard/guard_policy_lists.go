package guard

import (
	"fmt"
	"path"

	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/published"
	"github.com/seed-4419f9ca/forge/pkg/record"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
	"github.com/seed-4419f9ca/forge/pkg/tasklist"
)

// doneKey is the row whose new entries must be done.
const doneKey = "done"

// appendOnly asks that published entries stay as they are, in order and under their headings.
func (g *policyRun) appendOnly(c *snapshot.Change, f guarded) ([]said, error) {
	cmp, err := published.Lists(g.ctx, c, f.File, g.listing)
	if err != nil {
		return nil, err
	}
	result := record.CompareList(*cmp)
	var out []said
	for i := range result.Problems {
		p := &result.Problems[i]
		if old := result.Old(p); old != nil && g.placeholders.Match(old) {
			continue
		}
		out = append(out, said{p.Slug, p.Level, p.Span, p.Side, p.Message, p.Anchor})
	}
	if f.row.Key != doneKey {
		return out, nil
	}
	for _, i := range result.Fresh {
		out = append(out, g.newDoneEntry(&cmp.After.Entries[i])...)
	}
	return out, nil
}

// newDoneEntry judges an entry that the change adds to the list of done tasks.
func (g *policyRun) newDoneEntry(e *record.Entry) []said {
	marked := e.Task == 'x'
	tagged := e.Nested > 0 || tasklist.HasTag(e.Text, "#backlog", "#session")
	if e.Kind != record.ItemEntry || e.Task == 0 && (e.Nested > 0 || e.Quoted) || marked && tagged || g.placeholders.Match(e) {
		return nil
	}
	if !marked {
		return []said{{slug: slugOpenEntry, span: e.Span, anchor: e.Text,
			message: fmt.Sprintf("the new entry %s of the list of done tasks is not marked [x]", quote(e.Shown()))}}
	}
	return []said{{slug: slugUntagged, span: e.Span, anchor: e.Text,
		message: fmt.Sprintf("the new entry %s has neither the tag #backlog nor #session", quote(e.Shown()))}}
}

// quote puts s between quotation marks; escaping is left to whoever prints it.
func quote(s string) string { return `"` + s + `"` }

// listing reads one version of a list. Guard headers are no entries, in whatever spelling.
func (g *policyRun) listing(tree snapshot.Tree, e snapshot.Entry) (*record.Listing, error) {
	scan, err := g.rules.Scan(g.ctx, tree, e)
	if err != nil {
		return nil, err
	}
	if doc := scan.Doc(); doc != nil {
		return record.ListOf(doc, func(line string) bool { return g.rules.Rows().Known(line) != nil }), nil
	}
	headers := map[int]bool{}
	for _, h := range scan.Guards {
		headers[scan.Lines().Pos(h.Start).Line] = true
	}
	return record.ParseLines(scan.Source(), func(n int) bool { return headers[n] }), nil
}

// beside reads the list called name in the folder of f, nil when tree does not have it.
func (g *policyRun) beside(tree snapshot.Tree, f guarded, name string) (*record.Listing, error) {
	e, err := tree.Lookup(g.ctx, path.Join(path.Dir(f.Path), name))
	if err != nil || !e.Mode.IsFile() {
		return nil, err
	}
	return g.listing(tree, e)
}

// removed judges a guarded file that is gone.
func (g *policyRun) removed(c *snapshot.Change, f guarded) ([]said, error) {
	_, lost, err := published.Lost(g.ctx, c, f.File)
	if err != nil || !lost {
		return nil, err
	}
	return g.leaves(f)
}

// leaves says how a file left: it moved out of reach, or was deleted. A move into an archive, or to where the same guard
// binds, is neither; and a folder that became a link is said by guard-header.
func (g *policyRun) leaves(f guarded) ([]said, error) {
	if f.To == "" {
		if _, swapped := g.rules.Swapped(f.Path); swapped {
			return nil, nil
		}
		return []said{{slug: slugDeleted, side: finding.Before, anchor: slugDeleted,
			message: fmt.Sprintf("the file %s, which the guard %s protects, is deleted", quote(f.Path), quote(f.row.Key))}}, nil
	}
	same, err := g.sameGuard(f.To, f.row)
	if err != nil || same || published.InArchive(f.To) {
		return nil, err
	}
	return []said{{slug: slugRenamedAway, side: finding.Before, anchor: slugRenamedAway,
		message: fmt.Sprintf("the file %s moves to %s, where the guard %s does not bind it", quote(f.Path), quote(f.To), quote(f.row.Key))}}, nil
}
