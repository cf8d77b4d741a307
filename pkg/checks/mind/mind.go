// Package mind judges session notes (chapter 6 of the specification). Everything it demands is a rule in one list (rules.go);
// a test takes each of them out and expects the fault injection of package mutate to notice.
package mind

import (
	"context"
	"fmt"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/finding"
)

// Mind judges the notes of the sessions that a change touches.
var Mind = &check.Check{
	ID: "mind", Program: check.GuardProgram, Since: "0.1.0",
	Title: "Session notes are complete, in order, unedited, free of secrets and of copied words, and point somewhere.",
	Why: "What a session was thinking when it paused is lost at the next window unless it is written down, and written " +
		"down it is only worth reloading while nobody has to wonder whether it was polished afterwards. Notes are kept in " +
		"numbered blocks of five sections, newest on top; this check proves their form, their place and their history " +
		"without asking a model.",
	Levels:  check.Levels{PreCommit: finding.Fail, PrePush: finding.Fail, CI: finding.Fail},
	Codes:   codes,
	History: true,
	Run:     runMind,
}

// The slugs of the codes.
const (
	badName        = "bad-name"
	unreadable     = "unreadable"
	ownerWords     = "owner-words"
	pauseUnknown   = "pause-unknown"
	timestampKey   = "timestamp-key"
	secret         = "secret"
	pointer        = "pointer"
	number         = "number"
	count          = "count"
	declaredCount  = "declared-count"
	budget         = "budget"
	blockEdited    = "block-edited"
	blockRemoved   = "block-removed"
	eolChanged     = "eol-changed"
	block0Missing  = "block-0-missing"
	compaction     = "compaction"
	sectionMissing = "section-missing"
	sectionOrder   = "section-order"
	sectionDouble  = "section-duplicate"
	sectionEmpty   = "section-empty"
	label          = "label"
	eLine          = "e-line"
	settledCopied  = "settled-copied"
	noReview       = "no-review"
	reload         = "reload"
)

var codes = []check.Code{
	{Slug: badName, Level: finding.Fail, Title: "A file in a session folder begins like notes and is not named like them.",
		Help: "Give the notes the name that goes with the number of their folder, with `git mv`, or name the file so that it does not begin like notes."},
	{Slug: unreadable, Level: finding.Fail, Title: "Notes are no text in UTF-8.",
		Help: "Save the file as UTF-8."},
	{Slug: ownerWords, Level: finding.Fail, Title: "Notes copy words of the owner that the context file quotes.",
		Help: "Point at the pause instead, as in `see PAUSE-3`, and say in your own words what follows from it."},
	{Slug: pauseUnknown, Level: finding.Fail, Title: "Notes point at a pause that the context file does not have.",
		Help: "Point at a pause whose heading stands in the context file."},
	{Slug: timestampKey, Level: finding.Fail, Title: "A line of the notes begins with a key for time stamps.",
		Help: "Move the word into the sentence; `forge-guard mind keys` prints what the reader of time stamps looks for."},
	{Slug: secret, Level: finding.Fail, Hard: true, Title: "Notes hold a literal secret.",
		Help: "Put `[masked <8 hex>]` in its place and change the secret: it has left its vault."},
	{Slug: pointer, Level: finding.Fail, Title: "A pointer of section E leads nowhere, or not yet anywhere.",
		Help: "Point at a file, from the session's folder or from the root, and at one of its headings by its slug."},
	{Slug: number, Level: finding.Fail, Title: "The numbers of blocks do not descend from the newest on top to block 0.",
		Help: "Put the newest block on top, numbered with how many blocks stood there before it; `forge-guard mind new` does both."},
	{Slug: count, Level: finding.Fail, Title: "The number of blocks does not go with the pauses in the context file.",
		Help: "Write one block at opening and one at each pause; the newest pause may still lack its own."},
	{Slug: declaredCount, Level: finding.Flag, Title: "A file declares another number of pauses than there are.",
		Help: "Take `markers` out of the frontmatter: pauses are counted by their headings."},
	{Slug: budget, Level: finding.Fail, Title: "Notes are larger than their budget, or the budget cannot be read.",
		Help: "Fold the oldest blocks with `forge-guard mind compact`."},
	{Slug: blockEdited, Level: finding.Fail, Hard: true, Title: "A published block reads differently.",
		Help: "Put the block back as it was; what you think now goes into a new block on top."},
	{Slug: blockRemoved, Level: finding.Fail, Hard: true, Title: "A published block, or the notes as a whole, is gone.",
		Help: "Put back what is gone; to make room use `forge-guard mind compact`, which leaves heading and digest."},
	{Slug: eolChanged, Level: finding.Flag, Title: "The line ends of published blocks have changed.",
		Help: "Keep the line ends as they were, for example with a line such as `_mind-s-*.md -text` in .gitattributes."},
	{Slug: block0Missing, Level: finding.Fail, Hard: true, Title: "A session has paused and its notes have no block 0.",
		Help: "Write the block of the opening with `forge-guard mind new`, before any other."},
	{Slug: compaction, Level: finding.Fail, Title: "A block is folded in a way that nobody can rely on.",
		Help: "Restore the block and fold with `forge-guard mind compact`: the oldest first, never block 0 and never the top block."},
	{Slug: sectionMissing, Level: finding.Fail, Title: "A block lacks one of its five sections.",
		Help: "Add the section, headed in the style of the block's first; one with nothing in it says `(empty — declared)`."},
	{Slug: sectionOrder, Level: finding.Fail, Title: "The sections of a block are not in the order A to E.",
		Help: "Move the section to its place."},
	{Slug: sectionDouble, Level: finding.Fail, Title: "A block has a section twice.",
		Help: "Join the two."},
	{Slug: sectionEmpty, Level: finding.Fail, Title: "A section is empty without saying so.",
		Help: "Write what belongs there, or `(empty — declared)`, or `(trống — khai)`."},
	{Slug: label, Level: finding.Fail, Title: "An item under discussion does not begin with exactly one label.",
		Help: "Begin the item with one of [raised], [contested], [near-settled], [waiting-for-owner], or [mới-nêu], [đang-cãi], [gần-chốt], [treo-chờ-anh]."},
	{Slug: eLine, Level: finding.Fail, Title: "A line on a helper lacks role, verdict or pointer.",
		Help: "Write `- role: verdict → pointer`; the verdict is pass, fail, flag or skip, or đạt, trượt, cờ, bỏ-qua."},
	{Slug: settledCopied, Level: finding.Fail, Title: "Notes copy what the log already settles.",
		Help: "Point at the log or the hand-over file instead: what is settled is kept in one place."},
	{Slug: noReview, Level: finding.Fail, Title: "A closed session lacks a reviewer in its first or its newest block.",
		Help: "Let one of `mind.reviewers` read the block and note what it said in section E."},
	{Slug: reload, Level: finding.Fail, Command: "forge-guard mind reload --verify", Title: "A report does not repeat the lead of the newest block.",
		Help: "Print the lead with `forge-guard mind reload --session N` and repeat every line of it."},
}

// Options say what else than a change is judged, or how.
type Options struct {
	Closed bool    // every session counts as closed
	Draft  *Draft  // judge a block that is not inserted yet, and nothing else
	Reload *Report // judge whether a report repeats the newest block, and nothing else
}

// A Draft is a block before it is inserted.
type Draft struct {
	Path    string // where its findings stand
	Data    []byte
	Session string // number of the session
}

// A Report is what a resumed session has written.
type Report struct {
	Path    string
	Data    []byte
	Session string
}

// With returns the check with options. Neither a draft nor a report has a history.
func With(o Options) *check.Check { return with(o, allRules()) }

func with(o Options, rules []rule) *check.Check {
	c := *Mind
	c.History = Mind.History && o.Draft == nil && o.Reload == nil
	c.Run = func(ctx context.Context, p *check.Pass) error { return run(ctx, p, o, rules) }
	return &c
}

func runMind(ctx context.Context, p *check.Pass) error { return run(ctx, p, Options{}, allRules()) }

// A SessionError says that a command names a session that is not there.
type SessionError struct{ Message string }

func (e *SessionError) Error() string { return e.Message }

func run(ctx context.Context, p *check.Pass, o Options, rules []rule) error {
	set, err := newSettings(p.Config)
	if err != nil {
		return err
	}
	j := &judge{ctx: ctx, pass: p, opt: o, set: set, rules: rules}
	switch {
	case o.Draft != nil:
		return j.draft(o.Draft)
	case o.Reload != nil:
		return j.reload(o.Reload)
	}
	return j.change()
}

// noSession makes a *SessionError.
func noSession(format string, args ...any) error {
	return &SessionError{fmt.Sprintf(format, args...)}
}
