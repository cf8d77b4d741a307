package drift

import (
	"errors"
	"slices"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/anchor"
	"github.com/seed-4419f9ca/forge/pkg/claim"
	"github.com/seed-4419f9ca/forge/pkg/fingerprint"
)

// compare decides an undecided result.
func (j *Judge) compare(r *Result) {
	if !r.undecide {
		return
	}
	r.undecide = false
	now := j.of(r.post, r.Anchor)
	var several *fingerprint.Ambiguous
	switch {
	case errors.As(now.err, &several):
		r.unverifiable(several.Error())
		r.Detail, r.Homes = Ambiguous, several.Homes
		return
	case now.err != nil:
		r.missing(NoSymbol)
		return
	}
	r.After, r.Lines, r.Coarse = now.digest.Whole, now.lines, now.note
	j.against(r, j.past(r), now)
}

// past returns the fingerprint at the baseline: nil when only the stamped digest is left, or nothing. A commit whose code does
// not have the digest that the anchor was stamped with is not the commit that was meant.
func (j *Judge) past(r *Result) *answer {
	if !r.pre.exists() {
		return nil
	}
	then := j.of(r.pre, r.Anchor)
	if then.err != nil || r.stamped() && !then.is(r.Anchor.Digest) {
		return nil
	}
	return &then
}

// is reports whether a can have been stamped as digest: as a tree, or by the lines when there was no grammar.
func (a *answer) is(digest string) bool {
	return digest == a.digest.Whole || digest == a.digest.Lines || digest == a.file.Lines
}

// against compares the fingerprint at the baseline with the one now.
func (j *Judge) against(r *Result, then *answer, now answer) {
	r.Status, r.Detail, r.compared = Fresh, "", then != nil
	if then == nil {
		j.againstDigest(r, now)
		return
	}
	r.Before = then.digest.Whole
	if r.Coarse == "" {
		r.Coarse = then.note
	}
	if r.Anchor.Kind != anchor.File {
		if r.Before != r.After && !j.sameFiles(r) {
			r.Status, r.Detail = Stale, Directory
		}
		return
	}
	a, b := then.digest, now.digest
	if then.unseen || now.unseen {
		a, b = then.file, now.file
	}
	if detail := difference(a, b); detail != "" {
		r.Status, r.Detail = Stale, detail
		if r.Anchor.Symbol == "" || then.unseen || now.unseen {
			r.Detail = r.kind()
		}
	} else if then.digest.Doc != now.digest.Doc && then.digest.Kind == now.digest.Kind {
		r.DocChanged = true
	}
}

// againstDigest compares what is now with the digest that the anchor was stamped with, when that is all there is.
func (j *Judge) againstDigest(r *Result, now answer) {
	switch {
	case !r.stamped():
		r.unverifiable(j.whyNot(r))
	case now.is(r.Anchor.Digest):
		r.Before = r.Anchor.Digest
	case now.unseen:
		r.Before = r.Anchor.Digest
		r.unverifiable("the code at commit " + short(r.Anchor.Baseline) + " is not to be had, and the file cannot be looked into: " + now.note)
	default:
		r.Status, r.Detail, r.Before = Stale, r.whole(), r.Anchor.Digest
	}
}

// sameFiles reports whether a folder or a pattern has the same files on both sides, each with the same fingerprint.
func (j *Judge) sameFiles(r *Result) bool {
	return len(j.changedFiles(r)) == 0
}

// changedFiles lists the files of a folder or a pattern that differ, with a word for how.
func (j *Judge) changedFiles(r *Result) []string {
	to := r.Anchor
	if r.Moved != nil {
		to = r.Moved
	}
	before := map[string]fingerprint.Digest{}
	for _, e := range r.pre.entries {
		before[relative(r.Anchor, e.Path)] = j.answers[keyOf(e)][""].digest
	}
	var out []string
	for _, e := range r.post.entries {
		name := relative(to, e.Path)
		old, known := before[name]
		delete(before, name)
		switch {
		case !known:
			out = append(out, name+" is new")
		case difference(old, j.answers[keyOf(e)][""].digest) != "":
			out = append(out, name+" changed")
		}
	}
	for name := range before {
		out = append(out, name+" is gone")
	}
	slices.Sort(out)
	return out
}

// relative is a path below what a folder anchor names.
func relative(a *claim.Anchor, path string) string {
	if a.Kind == anchor.Directory {
		return strings.TrimPrefix(path, a.Path+"/")
	}
	return path
}

// whole is the detail of a result of which only the whole fingerprints can be compared.
func (r *Result) whole() string {
	if r.Anchor.Symbol == "" {
		return r.kind()
	}
	return Body
}

// difference compares two fingerprints of a definition: Signature, Body or, when they agree, "". A tree is compared with lines
// by its lines.
func difference(a, b fingerprint.Digest) string {
	if a.Kind != b.Kind || a.Kind == fingerprint.Coarse {
		if a.Lines == b.Lines {
			return ""
		}
		return Body
	}
	switch {
	case a.Whole == b.Whole:
		return ""
	case a.Signature != b.Signature:
		return Signature
	}
	return Body
}
