// Package drift says whether the code under a claim is still what it was when somebody last looked: it compares the
// fingerprint of each anchor at its baseline with the one in the snapshot under judgement (chapter 7.6 of the specification).
package drift

import (
	"context"

	"github.com/seed-4419f9ca/forge/pkg/anchor"
	"github.com/seed-4419f9ca/forge/pkg/claim"
	"github.com/seed-4419f9ca/forge/pkg/fingerprint"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// A Status is what became of an anchor.
type Status string

// The statuses (chapter 7.6).
const (
	Fresh        Status = "fresh"
	Stale        Status = "stale"
	Missing      Status = "missing"
	Unverifiable Status = "unverifiable"
)

// What Result.Detail can say about an anchor.
const (
	Signature = "signature"
	Body      = "body"
	File      = "file"
	Directory = "directory"
	Ambiguous = "ambiguous" // of an unverifiable anchor: the symbol has several homes
	NoPath    = "path"      // of a missing anchor
	NoSymbol  = "symbol"    // of a missing anchor
)

// A Result is the answer for one anchor.
type Result struct {
	Claim  *claim.Claim
	Anchor *claim.Anchor
	Status Status
	Detail string // what is stale, what is missing, or why nothing can be said; "" of a fresh anchor
	// Words says what changed in a stale definition, "`>` became `>=`"; "" where that cannot be said in short.
	Words string
	// Reason says why an anchor is unverifiable.
	Reason string
	// Baseline is the commit compared with, "index" or "worktree" for a claim that no commit holds yet, or the commit as the
	// anchor names it when it cannot be read.
	Baseline string
	// Before and After are the fingerprints at the baseline and now; "" where the two blobs are the same and nothing had to
	// be parsed, and where there is none.
	Before, After string
	// Moved is the anchor, without a baseline, that follows what it names to where it is now; nil when it did not move.
	Moved *claim.Anchor
	// Homes lists where the thing may be: the qualified names of an ambiguous symbol, the places of one that was found
	// several times.
	Homes []string
	// DocChanged says that only the documentation of a fresh definition differs.
	DocChanged bool
	// Coarse says why the comparison is one of lines although there is a grammar; "" when it is not.
	Coarse string
	// Path and Lines are where the code is now; Lines is zero for a whole file, and Path is "" when it is nowhere.
	Path  string
	Lines fingerprint.Span

	base     snapshot.Tree // nil when it cannot be read
	isAfter  bool          // base is the snapshot under judgement
	pre      subject
	post     subject
	undecide bool   // a fingerprint is needed
	hidden   string // why there is no base
	compared bool   // pre is what r was compared with
	judge    *Judge
}

// Name is the symbol, or the path of an anchor without one: what a message names.
func (r *Result) Name() string {
	if r.Anchor.Symbol != "" {
		return r.Anchor.Symbol
	}
	return r.Anchor.Base().String()
}

// Lacking reports whether the baseline of an unverifiable anchor can be read and does not have what the anchor names.
func (r *Result) Lacking() bool { return r.Status == Unverifiable && r.Detail == "" && r.base != nil }

// A Judge compares the anchors of a store.
type Judge struct {
	Change *snapshot.Change // the snapshot under judgement is its After
	Store  *claim.Store     // of that snapshot
	Layout claim.Layout
	Engine *fingerprint.Engine
	// Resolve looks every symbol up, also where the digest of an anchor and an unchanged blob say that it is there.
	Resolve bool
	Limit   int64 // bytes above which a file is compared by its object id

	answers map[fileKey]map[string]answer
	trees   map[string]snapshot.Tree     // by baseline as written
	renamed map[string]map[string]string // by the id of the tree that is left
	known   map[searchKey]*index
}

// Run returns the answers for all good anchors of claims that are not retired and that pick wants, in the order of the store. An
// error means that there is no answer.
func (j *Judge) Run(ctx context.Context, pick func(*claim.Claim, *claim.Anchor) bool) ([]*Result, error) {
	var list []*Result
	for _, c := range j.Store.Claims {
		if c.Status == claim.Retired {
			continue
		}
		for i := range c.Anchors {
			if a := &c.Anchors[i]; a.Err == nil && pick(c, a) {
				list = append(list, &Result{Claim: c, Anchor: a, judge: j})
			}
		}
	}
	j.answers = map[fileKey]map[string]answer{}
	if err := j.baselines(ctx, list); err != nil {
		return nil, err
	}
	if err := j.locate(ctx, list); err != nil {
		return nil, err
	}
	if err := j.fingerprint(ctx, list); err != nil {
		return nil, err
	}
	for _, r := range list {
		j.compare(r)
	}
	for _, r := range list {
		if r.Status == Missing {
			if err := j.follow(ctx, r); err != nil {
				return nil, err
			}
		}
	}
	return list, j.explain(ctx, list)
}

// Touched reports whether the change edits, adds or removes a file that a names, under either of its names.
func Touched(c *snapshot.Change, a *claim.Anchor) bool {
	for i := range c.Files {
		if f := &c.Files[i]; a.Match(f.Path) && f.DiffersFromAll() {
			return true
		}
	}
	return false
}

// scheme is the scheme of a digest.
func scheme(digest string) string { return digest[:min(1, len(digest))] }

// stamped reports whether the anchor carries a digest that this version can compare.
func (r *Result) stamped() bool {
	return r.Anchor.Digest != "" && scheme(r.Anchor.Digest) == fingerprint.Scheme
}

// missing marks r as one whose path or symbol is gone.
func (r *Result) missing(detail string) {
	r.Status, r.Detail, r.Reason, r.undecide = Missing, detail, "", false
}

// unverifiable marks r as one about which nothing can be said.
func (r *Result) unverifiable(reason string) {
	r.Status, r.Reason, r.undecide = Unverifiable, reason, false
}

// kind is the word for what a whole-path anchor names.
func (r *Result) kind() string {
	if r.Anchor.Kind != anchor.File {
		return Directory
	}
	return File
}
