package guard

import (
	"context"
	"fmt"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/guardrules"
	"github.com/seed-4419f9ca/forge/pkg/published"
	"github.com/seed-4419f9ca/forge/pkg/record"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
	"github.com/seed-4419f9ca/forge/pkg/tasklist"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

// GuardPolicy enforces what guard headers say (chapters 4.4 and 4.5).
var GuardPolicy = &check.Check{
	ID:      "guard-policy",
	Program: check.PreCommitProgram,
	Title:   "Guarded files change only in the way that their guard allows.",
	Why: "A guard header tells a reader what may be done to a file, and a reader who has lost the rules does it all the same. This check compares " +
		"both versions of each guarded file and holds the change to its policy: published entries stay, snapshots do not change, rules change by " +
		"their workflow, tasks do not vanish between the three lists. The guard of the version before binds, so that removing it changes nothing.",
	Since:   "0.1.0",
	Levels:  check.Levels{PreCommit: finding.Fail, PrePush: finding.Fail, CI: finding.Fail},
	History: true,
	Message: true,
	Codes:   policyCodes,
	Run:     runGuardPolicy,
}

// Slugs of guard-policy that the record engine does not have.
const (
	slugOpenEntry     = "new-entry-open"
	slugUntagged      = "untagged"
	slugReadOnly      = "read-only"
	slugGoverned      = "governed"
	slugIDLost        = "id-lost"
	slugIDTwice       = "id-duplicate"
	slugBacklogTask   = "backlog-task-in-hot-lane"
	slugItemRewritten = "item-rewritten"
	slugDoneItemLost  = "done-item-lost"
	slugDeleted       = "deleted"
	slugRenamedAway   = "renamed-away"
	slugViaUnknown    = "via-unknown"
)

var policyCodes = []check.Code{
	{Slug: record.EntryEdited, Level: finding.Fail, Title: "A published entry reads differently.",
		Help: "Put the entry back as it was and add the correction as a new entry. A correction that has to stand needs a written reason on the line before: <!-- forge:allow guard-policy/entry-edited reason=\"...\" -->"},
	{Slug: record.EntryRemoved, Level: finding.Fail, Title: "A published entry is gone.",
		Help: "Put the entry back under its heading."},
	{Slug: record.EntryMoved, Level: finding.Fail, Title: "A published entry stands elsewhere, or its heading was renamed.",
		Help: "Put the entries back in their order, under the headings they had."},
	{Slug: record.EntryHidden, Level: finding.Fail, Title: "A published entry stands in a comment or in code.",
		Help: "Take the entry out of the comment or the fence."},
	{Slug: slugOpenEntry, Level: finding.Fail, Title: "A new entry of the list of done tasks is not done.",
		Help: "Write the entry as `- [x] ...`, or leave it in its lane until it is done."},
	{Slug: slugReadOnly, Level: finding.Fail, Title: "A read-only file changes, appears or goes.",
		Help: "Take the change back: git checkout HEAD -- FILE. An update has to equal the reference copy (guards.reference) byte for byte."},
	{Slug: slugGoverned, Level: finding.Fail, Title: "A governed file changes outside its workflow.",
		Help: "Change the file through its workflow, and name the workflow at the commit: FORGE_VIA=/WORKFLOW git commit, or a line `Forge-Via: /WORKFLOW` at the end of the message."},
	{Slug: slugIDLost, Level: finding.Fail, Title: "A task of the backlog is in no list any more.",
		Help: "Put the row back, list its id among the archived ones, or add the finished task to done.md in the same change."},
	{Slug: slugIDTwice, Level: finding.Fail, Title: "An id stands twice in the backlog.",
		Help: "Give the newer task an id of its own; an id is never used again."},
	{Slug: slugBacklogTask, Level: finding.Fail, Title: "A task of the backlog is put into the hot lane.",
		Help: "Take the item out: a task that has an id of the backlog is worked on there."},
	{Slug: slugItemRewritten, Level: finding.Fail, Title: "An item of the hot lane reads differently.",
		Help: "Put the words back as they were; tick the item when it is done, and write a new item for new work."},
	{Slug: slugDoneItemLost, Level: finding.Fail, Title: "A ticked item has left the hot lane and did not arrive in done.md.",
		Help: "Add the item to done.md in the same change, or put it back."},
	{Slug: slugDeleted, Level: finding.Fail, Title: "A guarded file is deleted.",
		Help: "Put the file back: git checkout HEAD -- FILE. What is finished moves, unchanged, below Archive/."},
	{Slug: slugRenamedAway, Level: finding.Fail, Title: "A guarded file moves to where its guard does not reach.",
		Help: "Move the file back, or, unchanged, below Archive/."},
	{Slug: slugUntagged, Level: finding.Flag, Title: "A new entry of the list of done tasks has no tag.",
		Help: "End the entry with #backlog or #session, so that one can see where the task came from."},
	{Slug: slugViaUnknown, Level: finding.Flag, Title: "The change names a workflow that no guard knows.",
		Help: "Correct the name in FORGE_VIA or in the Forge-Via line, or add the workflow to the via list of a row in guards.rules."},
	{Slug: record.EOLChanged, Level: finding.Flag, Title: "The line ends of a guarded list have changed.",
		Help: "Keep the line ends as they were, for example with an eol attribute in .gitattributes."},
}

// What is said is one thing to report, before it is decided whether it fails.
type said struct {
	slug    string
	level   finding.Level // "" for the default level
	span    text.Span
	side    finding.Side
	message string
	anchor  string
}

// A policyRun is one run of the check.
type policyRun struct {
	ctx          context.Context
	pass         *check.Pass
	rules        *guardrules.Rules
	placeholders tasklist.Placeholders
	via          *evidence
}

func runGuardPolicy(ctx context.Context, p *check.Pass) error {
	rules, err := sharedRules(p)
	if err != nil {
		return err
	}
	g := &policyRun{ctx: ctx, pass: p, rules: rules, placeholders: tasklist.NewPlaceholders(nil)}
	if c := p.Config.Guards; c != nil {
		g.placeholders = tasklist.NewPlaceholders(c.Placeholders)
	}
	files, err := guardedFiles(ctx, p, rules)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		p.Skip(check.NotUsed)
		return nil
	}
	if p.Change.Missing != "" {
		if p.Stage.Hosted() {
			return fmt.Errorf("could not compare guarded files with what was published: %s", p.Change.Missing)
		}
		p.Skip(p.Change.Missing)
		return nil
	}
	g.via = newEvidence(p, rules)
	if err := g.follow(files); err != nil {
		return err
	}
	g.prefetch(files)
	for _, f := range files {
		if err := g.run(f); err != nil {
			return err
		}
	}
	g.unknownVia(files[0].Path)
	return nil
}

// run judges one file and reports what is wrong with it.
func (g *policyRun) run(f guarded) error {
	list, err := g.judge(g.pass.Change, f)
	if err != nil {
		return g.pass.SkipTooLarge(err)
	}
	if list, err = g.forgiveMerges(f, list); err != nil {
		return g.pass.SkipTooLarge(err)
	}
	if err := g.forgiveUnpublished(f, list); err != nil {
		return g.pass.SkipTooLarge(err)
	}
	for i := range list {
		s := &list[i]
		r := g.pass.Reportf(s.slug, f.Path, "%s", s.message)
		r.Span, r.Side, r.Anchor = s.span, s.side, s.anchor
		r.Help = g.help(r.Help, s, f)
		if r.Side == "" {
			r.Side = finding.After
		}
		if s.level != "" {
			r.Level = s.level
		}
	}
	return nil
}

// help makes the general help text of a finding exact: the file and the first workflow of its row stand in its commands,
// and what was lost from a file can be had back as a whole. Two parents have no version that could be taken back.
func (g *policyRun) help(text string, s *said, f guarded) string {
	back := published.TakeBack(g.pass.Change, f.File)
	text = strings.Replace(text, "git checkout HEAD -- FILE", back, 1)
	if v := f.row.Via; len(v) > 0 {
		text = strings.ReplaceAll(text, "/WORKFLOW", "/"+workflowName(v[0]))
	}
	if losesPublished(*s) && !strings.Contains(text, back) && len(g.pass.Change.Before) == 1 {
		first, rest, more := strings.Cut(text, ". ")
		text = strings.TrimSuffix(first, ".") + fmt.Sprintf(" (the whole file as it was: %s).", back)
		if more {
			text += " " + rest
		}
	}
	return text
}

// judge holds one file to its policy.
func (g *policyRun) judge(c *snapshot.Change, f guarded) ([]said, error) {
	provenance := f.row.Policy == policyReadOnly || f.row.Policy == policyGoverned
	switch {
	case provenance:
		return g.provenance(c, f)
	case g.pass.Stage == check.CommitMsg:
		return nil, nil // only provenance needs the message; the rest was judged before it was written
	case f.Removed():
		return g.removed(c, f)
	case !f.After.Mode.IsFile() || published.Unchanged(f.File):
		return nil, nil // what is no file any more is said by guard-header
	}
	if f.From != "" {
		if followed, err := g.sameGuard(f.From, f.row); followed || err != nil {
			return nil, err
		}
	}
	switch f.row.Policy {
	case policyAppendOnly:
		return g.appendOnly(c, f)
	case policyAuthority:
		return g.authority(c, f)
	case policyHotLane:
		return g.hotLane(c, f)
	}
	return nil, nil
}

// The policies of chapter 4.4.
const (
	policyAppendOnly = "append-only"
	policyReadOnly   = "read-only"
	policyGoverned   = "governed"
	policyAuthority  = "authority"
	policyHotLane    = "hot-lane"
)

// prefetch says which contents are going to be read.
func (g *policyRun) prefetch(files []guarded) {
	c, limit := g.pass.Change, g.pass.Config.Limits.File
	var after []snapshot.Entry
	before := make([][]snapshot.Entry, len(c.Before))
	for _, f := range files {
		if published.Unchanged(f.File) || f.row.Policy == policyReadOnly || f.row.Policy == policyGoverned {
			continue
		}
		if f.After.Mode.IsFile() {
			after = append(after, f.After)
		}
		for i, e := range f.Before {
			if e.Mode.IsFile() {
				before[i] = append(before[i], e)
			}
		}
	}
	c.After.Prefetch(g.ctx, after, limit)
	for i, tree := range c.Before {
		tree.Prefetch(g.ctx, before[i], limit)
	}
}
