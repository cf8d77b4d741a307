package claims

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/anchor"
	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/claim"
	"github.com/seed-4419f9ca/forge/pkg/drift"
	"github.com/seed-4419f9ca/forge/pkg/facts"
	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/nearest"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

// Drift says where the code under a claim is no longer what it was when the claim was written or last confirmed (chapter 7.6).
var Drift = &check.Check{
	ID:      "drift",
	Program: check.GateProgram,
	Title:   "The code under a claim is what it was when somebody last looked.",
	Why: "A claim about code is believed long after the code has changed, by people and by programs that read it before they edit. Whether the meaning " +
		"of a definition is still the same can be said without understanding it: its syntax tree is, or it is not. Layout, comments and what formatters " +
		"do are left out, so that what is reported is worth reading. What the change means for the claim is for a person to say.",
	Since:  "0.1.0",
	Levels: check.Levels{PreCommit: finding.Flag, PrePush: finding.Fail, CI: finding.Fail},
	Codes: []check.Code{
		{Slug: "stale", Level: finding.Fail, Title: "The code under an anchor means something else than at its baseline.",
			Help: "Read the claim beside the code. Put the code right, or correct the claim: the commit that edits a claim is the new baseline of its anchors without an @."},
		{Slug: "missing", Level: finding.Fail, Firm: true, Title: "The path or the symbol that an anchor names is gone.",
			Help: "Point the anchor at the code that does it now; when nothing does, retire the claim with its ground."},
		{Slug: "unverifiable", Level: finding.Fail, Title: "What the code was at the baseline of an anchor cannot be read.",
			Help: "Fetch the whole history (git fetch --unshallow). Where the commit is gone for good, read the code, take the @ and what follows off the anchor and write the day into reviewed: the commit that does so is the new baseline."},
		{Slug: "ambiguous", Level: finding.Fail, Title: "The symbol of an anchor has several homes.",
			Help: "Write the qualified name that is meant."},
		{Slug: "moved", Level: finding.Flag, Title: "What an anchor names is elsewhere now, and unchanged.",
			Help: "Commit the move, then let the anchor follow it: forge-gate reanchor"},
		{Slug: "coarse", Level: finding.Flag, Title: "The code under an anchor is compared by its lines, although there is a grammar for it.",
			Help: "Mend the syntax of the definition, or take the file apart, so that a parser can answer for it."},
		{Slug: "doc-changed", Level: finding.Flag, Title: "Only the documentation of the code under an anchor has changed.",
			Help: "Look whether the claim and the documentation still say the same."},
	},
	Run: runDrift,
}

func runDrift(ctx context.Context, p *check.Pass) error {
	if idle, err := idle(ctx, p); idle || err != nil {
		return p.SkipTooLarge(err)
	}
	store, err := storeOf(ctx, p, p.Change.After)
	if err != nil {
		return p.SkipTooLarge(err)
	}
	if len(store.Claims) == 0 && len(p.Targets) == 0 {
		p.Skip(check.NotUsed)
		return nil
	}
	results, err := resultsOf(ctx, p, store)
	if err != nil {
		return err
	}
	if len(results) == 0 {
		p.Skip(check.NotUsed)
	}
	for _, r := range results {
		reportDrift(p, r)
	}
	if p.Collect != nil {
		p.Collect(results)
	}
	return nil
}

// resultsOf classifies the anchors of the store that are to be looked at, once for all checks.
func resultsOf(ctx context.Context, p *check.Pass, store *claim.Store) ([]*drift.Result, error) {
	type key struct {
		store   *claim.Store
		resolve bool
	}
	// A lint looks every symbol up, and a hook those of the few anchors that it looks at; drift over a whole store relies on stamps.
	resolve := p.Check.ID == "claims" || p.Changed
	return facts.Memo(p.Facts, key{store, resolve}, func() ([]*drift.Result, error) {
		pick, err := picker(ctx, p, store)
		if err != nil {
			return nil, err
		}
		j := &drift.Judge{Change: p.Change, Store: store, Layout: layoutOf(p), Engine: p.Engine, Limit: p.Config.Limits.File, Resolve: resolve}
		return j.Run(ctx, pick)
	})
}

// picker returns which anchors are looked at: those that the command line names, those that the change touches, or all.
func picker(ctx context.Context, p *check.Pass, store *claim.Store) (func(*claim.Claim, *claim.Anchor) bool, error) {
	if len(p.Targets) > 0 {
		return targets(p, store)
	}
	if !p.Changed {
		return func(*claim.Claim, *claim.Anchor) bool { return true }, nil
	}
	edited, err := editedBlocks(ctx, p, store)
	if err != nil {
		return nil, err
	}
	return func(c *claim.Claim, a *claim.Anchor) bool { return edited[c] || drift.Touched(p.Change, a) }, nil
}

// targets returns a picker for claim ids, anchors, each with or without its baseline, and paths.
func targets(p *check.Pass, store *claim.Store) (func(*claim.Claim, *claim.Anchor) bool, error) {
	var known []string
	for _, c := range store.Claims {
		known = append(known, c.ID)
	}
	names := make([]target, len(p.Targets))
	for i, name := range p.Targets {
		names[i] = targetOf(name)
		if store.Claim(name) == nil && !slices.ContainsFunc(store.Claims, names[i].anchorOf) {
			hint := ""
			if near := nearest.Name(name, known); near != "" {
				hint = fmt.Sprintf("; did you mean %q?", near)
			}
			return nil, &check.TargetError{Message: fmt.Sprintf("there is no claim and no anchor %q in %s%s", name, store.Root, hint)}
		}
	}
	return func(c *claim.Claim, a *claim.Anchor) bool {
		return slices.ContainsFunc(names, func(t target) bool { return t.text == c.ID || t.names(a) })
	}, nil
}

// A target is a name on the command line.
type target struct {
	text   string
	anchor anchor.Anchor // the name as an anchor; the zero value when it is none
}

func targetOf(text string) target {
	a, err := anchor.Parse(text)
	if err != nil {
		return target{text: text}
	}
	return target{text, a}
}

// names reports whether t names a: as it is written, by what it is the address of, or by its path.
func (t target) names(a *claim.Anchor) bool {
	if a.Err != nil {
		return false
	}
	same := t.anchor.Path != "" && t.anchor.Kind == a.Kind && t.anchor.Path == a.Path
	switch {
	case a.Text == t.text, t.text == a.Path:
		return true
	case t.anchor.Baseline != "":
		return same && t.anchor.Name() == a.Name() && t.anchor.Baseline == a.Baseline && t.anchor.Digest == a.Digest
	}
	return same && (t.anchor.Symbol == "" || t.anchor.Name() == a.Name())
}

// anchorOf reports whether t names an anchor of c.
func (t target) anchorOf(c *claim.Claim) bool {
	return slices.ContainsFunc(c.Anchors, func(a claim.Anchor) bool { return t.names(&a) })
}

// editedBlocks returns the claims whose blocks some parent does not have as they are.
func editedBlocks(ctx context.Context, p *check.Pass, store *claim.Store) (map[*claim.Claim]bool, error) {
	out := map[*claim.Claim]bool{}
	touched := false
	for i := range p.Change.Files {
		touched = touched || claim.Holds(store.Root, p.Change.Files[i].Path)
	}
	if !touched {
		return out, nil
	}
	for _, b := range p.Change.Before {
		before, err := storeOf(ctx, p, b)
		if err != nil {
			return nil, err
		}
		for _, c := range store.Claims {
			if old := before.Claim(c.ID); old == nil || old.Source() != c.Source() {
				out[c] = true
			}
		}
	}
	return out, nil
}

// reportDrift turns one answer into findings.
func reportDrift(p *check.Pass, r *drift.Result) {
	report := func(slug, format string, args ...any) *finding.Finding {
		c, a := r.Claim, r.Anchor
		f := p.Reportf(slug, c.File.Path, "%s: %s", c.ID, fmt.Sprintf(format, args...))
		f.Span = c.File.Span(a.Place)
		f.Anchor = c.ID + " " + a.Base().String()
		if r.Path != "" {
			f.Related = append(f.Related, related(r))
		}
		return f
	}
	since := "since " + describeBaseline(r.Baseline)
	switch r.Status {
	case drift.Stale:
		what := ""
		if r.Words != "" {
			what = ": " + r.Words
		}
		moved := ""
		if r.Moved != nil {
			moved = fmt.Sprintf(", now in %q,", r.Moved.Base().String())
		}
		part := fmt.Sprintf("the %s of %q", r.Detail, r.Name())
		if r.Detail == drift.File || r.Detail == drift.Directory {
			part = fmt.Sprintf("the %s %q", r.Detail, r.Anchor.Base().String())
		}
		report("stale", "%s%s has changed %s%s", part, moved, since, what)
	case drift.Missing:
		f := report("missing", "%s", missingWords(r))
		if len(r.Homes) > 0 {
			f.Help = "Point the anchor at the one that is meant: " + strings.Join(r.Homes, ", ")
		}
	case drift.Unverifiable:
		if r.Detail == drift.Ambiguous {
			f := report("ambiguous", "the name %q is ambiguous: it may be %s", r.Name(), strings.Join(r.Homes, " or "))
			f.Help = "Write the qualified name that is meant: " + strings.Join(r.Homes, ", ")
			return
		}
		f := report("unverifiable", "%q cannot be compared: %s", r.Name(), r.Reason)
		if r.Lacking() {
			f.Help = "Read the code beside the claim. When the claim holds, set its reviewed date: the commit that does so is the new baseline of its anchors without an @."
		}
	case drift.Fresh:
		if r.Moved != nil {
			f := report("moved", "%q is now %q, unchanged %s", r.Anchor.Base().String(), r.Moved.Base().String(), since)
			f.Help = "Commit the move, then let the anchor follow it: forge-gate reanchor " + r.Claim.ID
		}
		if r.DocChanged {
			report("doc-changed", "only the documentation of %q has changed %s", r.Name(), since)
		}
	}
	if r.Coarse != "" {
		report("coarse", "%q is compared by its lines: %s", r.Name(), r.Coarse)
	}
}

// missingWords says what is gone.
func missingWords(r *drift.Result) string {
	switch {
	case len(r.Homes) > 0:
		return fmt.Sprintf("%q is gone from %q, and what it was now stands in several places: %s", r.Name(), r.Anchor.Path, strings.Join(r.Homes, ", "))
	case r.Detail == drift.NoSymbol:
		return fmt.Sprintf("there is no %q in %q", r.Name(), r.Anchor.Path)
	}
	return fmt.Sprintf("there is no %q", r.Anchor.Base().String())
}

// describeBaseline is what a message calls a baseline.
func describeBaseline(id string) string {
	switch id {
	case "index", "worktree":
		return "the " + id
	}
	return id[:min(12, len(id))]
}

// related is the place of the code.
func related(r *drift.Result) finding.Related {
	out := finding.Related{Path: r.Path, Side: finding.After, Message: "the code under the anchor"}
	if r.Lines.First > 0 {
		out.Span = text.Span{Start: text.Pos{Line: r.Lines.First, Column: 1}, End: text.Pos{Line: r.Lines.First, Column: 1}}
	}
	return out
}
