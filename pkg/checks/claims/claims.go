// Package claims holds the checks of anchored claims (chapter 7).
package claims

import (
	"context"
	"fmt"
	"time"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/claim"
	"github.com/seed-4419f9ca/forge/pkg/drift"
	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/fingerprint"
)

// Claims lints the whole claim store of the after snapshot, whatever the change touches (chapters 7.1 and 7.2).
var Claims = &check.Check{
	ID:      "claims",
	Program: check.GateProgram,
	Title:   "The claims of a repository are well written, and what they name exists.",
	Why: "People and programs read the claims before they change the code, and act on them. A claim whose heading has a slip is read by nobody, one whose " +
		"test is gone is enforced by nothing, and one whose id was used before answers for something that it never said. So a claim has one form, every " +
		"field of it is held against what it may say, and a claim that goes leaves its reason behind instead of a gap.",
	Since:  "0.1.0",
	Levels: check.Levels{PreCommit: finding.Fail, PrePush: finding.Fail, CI: finding.Fail},
	Codes:  claimsCodes,
	Run:    runClaims,
}

var claimsCodes = []check.Code{
	{Slug: "bad-id", Level: finding.Fail, Title: "What follows the prefix of an id is not the rest of an id.",
		Help: "After the hyphen write digits (INV-7), or small letters and digits in words joined by hyphens (INV-refund-limit)."},
	{Slug: "duplicate-id", Level: finding.Fail, Title: "Two claims have one id.",
		Help: "Give the newer claim an id that was never used."},
	{Slug: "reused-id", Level: finding.Fail, Title: "The id of a retired claim comes back for another claim.",
		Help: "Give the new claim an id that was never used, and keep the retired one as it was."},
	{Slug: "deleted", Level: finding.Fail, Title: "A claim is gone from the store.",
		Help: "Put the claim back with status: retired, retired-ground and retired-evidence; an id is for good."},
	{Slug: "no-block", Level: finding.Fail, Title: "The heading of a claim has no claim block right after it.",
		Help: "Write the fenced block with the info string claim right after the heading, with nothing but blank lines between."},
	{Slug: "bad-yaml", Level: finding.Fail, Title: "The block of a claim cannot be read.",
		Help: "Write one YAML mapping into the block, each field once, and put a value that begins with a sign of YAML into quotes."},
	{Slug: "unknown-field", Level: finding.Fail, Title: "A claim has a field that no claim has.",
		Help: "Correct the name of the field, or say in the text of the claim what it says."},
	{Slug: "missing-field", Level: finding.Fail, Title: "A claim lacks a field that every claim has.",
		Help: "Add the field to the block of the claim."},
	{Slug: "bad-value", Level: finding.Fail, Title: "A field of a claim, or a file of the store, holds what it cannot hold.",
		Help: "Write one of the values that the field can have; the format of claims lists them."},
	{Slug: "kind-mismatch", Level: finding.Fail, Title: "The kind of a claim does not fit the prefix of its id.",
		Help: "Correct the kind, or give the claim a new id with the prefix of that kind."},
	{Slug: "no-anchor", Level: finding.Fail, Title: "A claim names no place in the code.",
		Help: "Add anchors with the files, definitions or folders that the claim is about: anchors: [src/refund.go#Refund]"},
	{Slug: "bad-anchor", Level: finding.Fail, Title: "An anchor has not the form of one.",
		Help: "Write path, path#Symbol or folder/, relative to the root of the repository."},
	{Slug: "anchor-not-found", Level: finding.Fail, Title: "What an anchor names does not exist.",
		Help: "Correct the anchor; when the code is gone for good, retire the claim with its ground."},
	{Slug: "no-evidence", Level: finding.Fail, Title: "An enforced claim names nothing that enforces it.",
		Help: "Add evidence, such as - test: tests/refund_test.py::test_limit, or write status: asserted."},
	{Slug: "evidence-not-found", Level: finding.Fail, Title: "The evidence of a claim does not exist.",
		Help: "Name the test, rule or file that enforces the claim today. A test is looked for as a definition, or as the title of a test where tests have titles."},
	{Slug: "no-adr", Level: finding.Fail, Title: "A claim about the architecture names no decision.",
		Help: "Write the decision to decisions/ and name it: since: ADR-0004"},
	{Slug: "adr-not-found", Level: finding.Fail, Title: "The decision that a claim names does not exist.",
		Help: "Write the decision to decisions/ADR-nnnn-<slug>.md of the store, or name the right one."},
	{Slug: "status-change-without-adr", Level: finding.Fail, Title: "A claim moves between asserted and enforced without a decision.",
		Help: "Write the decision to decisions/ and name it: since: ADR-0004"},
	{Slug: "governs-unknown", Level: finding.Fail, Title: "A claim governs one that does not exist.",
		Help: "Correct the id, or take it out of governs."},
	{Slug: "governs-cycle", Level: finding.Fail, Title: "Claims govern one another in a circle.",
		Help: "Take out the reference that points from the narrower claim to the wider one."},
	{Slug: "supersedes-not-retired", Level: finding.Fail, Title: "A claim supersedes one that is not retired.",
		Help: "Retire the old claim with its ground, or take supersedes out."},
	{Slug: "future-date", Level: finding.Fail, Title: "A claim was reviewed on a day that has not come.",
		Help: "Write the day on which somebody last read the claim beside the code."},
	{Slug: "no-prose", Level: finding.Fail, Title: "A claim has a block and no text.",
		Help: "Say after the block, in at least one sentence, what holds and why."},
	{Slug: "placeholder", Level: finding.Fail, Title: "The text of a claim holds a mark for what is still to be written.",
		Help: "Finish the text; when the mark itself is meant, put it into a code span."},
	{Slug: "claim-in-overview", Level: finding.Fail, Title: "A claim stands in the overview.",
		Help: "Move the claim to the file of its kind; the overview is loaded into every session and holds prose only."},
	{Slug: "claim-in-unusual-file", Level: finding.Flag, Title: "A claim stands in a file in which nobody looks for its kind.",
		Help: "Move the claim to the file of its kind."},
	{Slug: "not-ratified", Level: finding.Fail, Title: "A proposed claim and a ratified one are mixed up.",
		Help: "A proposed claim stands below candidates/ and has a confidence; to ratify it, move it to the file of its kind, give it another status and take the confidence out."},
	{Slug: "retired-without-ground", Level: finding.Fail, Title: "A retired claim does not say why.",
		Help: "Add retired-ground (1 stale or wrong, 2 now enforced mechanically, 3 harmful or contradictory, 4 approved by a person) and retired-evidence with the words for it."},
	{Slug: "look-alike", Level: finding.Fail, Title: "A heading looks like that of a claim and is not read as one.",
		Help: "Write the heading as ### PREFIX-7 — title. In a text about claims, begin the heading with another word."},
}

// A linter is one run of the check.
type linter struct {
	ctx   context.Context
	pass  *check.Pass
	store *claim.Store                 // of the after snapshot
	old   []*claim.Store               // of the snapshots before, in their order; nil when no file of the store differs from them
	files map[string]*fingerprint.File // of tests, by path
}

func runClaims(ctx context.Context, p *check.Pass) error {
	if idle, err := idle(ctx, p); idle || err != nil {
		return p.SkipTooLarge(err)
	}
	store, err := storeOf(ctx, p, p.Change.After)
	if err != nil {
		return p.SkipTooLarge(err)
	}
	l := &linter{ctx: ctx, pass: p, store: store, files: map[string]*fingerprint.File{}}
	if err := l.before(); err != nil {
		return p.SkipTooLarge(err)
	}
	if !l.used() {
		p.Skip(check.NotUsed)
		return nil
	}
	for i := range store.Faults {
		l.fault(&store.Faults[i])
	}
	for _, c := range store.Claims {
		l.future(c)
	}
	for _, judge := range []func() error{l.evidence, l.anchors, l.history} {
		if err := judge(); err != nil {
			return err
		}
	}
	return nil
}

// used reports whether there is a store on either side.
func (l *linter) used() bool {
	for _, s := range append([]*claim.Store{l.store}, l.old...) {
		if len(s.Files) > 0 || len(s.ADRs) > 0 || len(s.Faults) > 0 {
			return true
		}
	}
	return false
}

// report starts a finding at a place of a file of the after snapshot; it is nil where the configuration ignores the file.
func (l *linter) report(slug string, f *claim.File, at claim.Place, anchor, format string, args ...any) *finding.Finding {
	if l.pass.Ignored(f.Path) {
		return nil
	}
	out := l.pass.Reportf(slug, f.Path, format, args...)
	out.Span, out.Anchor = f.Span(at), anchor
	return out
}

// fault turns a fault of the store into a finding.
func (l *linter) fault(f *claim.Fault) {
	if l.pass.Ignored(f.Path) {
		return
	}
	out := l.pass.Reportf(f.Slug, f.Path, "%s", f.Message)
	out.Anchor = f.Anchor
	if file := l.store.File(f.Path); file != nil {
		out.Span = file.Span(f.Place)
	}
	if f.Help != "" {
		out.Help = f.Help
	}
	if r := f.Related; r != nil {
		out.Related = append(out.Related, finding.Related{
			Path: r.File.Path, Span: r.File.Span(r.Heading), Side: finding.After, Message: fmt.Sprintf("claim %q", r.ID),
		})
	}
}

// future reports a review on a day to come. A day of grace is for those who live ahead of UTC.
func (l *linter) future(c *claim.Claim) {
	if c.Reviewed.Text == "" {
		return
	}
	day, err := time.Parse(time.DateOnly, c.Reviewed.Text)
	today := l.pass.Today.UTC().Truncate(24 * time.Hour)
	if err == nil && day.After(today.AddDate(0, 0, 1)) {
		l.report("future-date", c.File, c.Reviewed.Place, c.ID+" reviewed", "claim %q was reviewed on %s, which is after today, %s", c.ID, c.Reviewed.Text, today.Format(time.DateOnly))
	}
}

// anchors reports the anchors that lead nowhere as anchor-not-found; one that package drift follows to another place is found
// (chapter 7.6).
func (l *linter) anchors() error {
	results, err := resultsOf(l.ctx, l.pass, l.store)
	if err != nil {
		return err
	}
	for _, r := range results {
		if r.Status == drift.Missing {
			l.report("anchor-not-found", r.Claim.File, r.Anchor.Place, r.Claim.ID+" "+r.Anchor.Base().String(), "claim %q has an anchor that leads nowhere: %s", r.Claim.ID, missingWords(r))
		}
	}
	return nil
}
