package drift

import (
	"context"
	"fmt"

	"github.com/seed-4419f9ca/forge/pkg/anchor"
	"github.com/seed-4419f9ca/forge/pkg/gitobject"
)

// stampLength is the number of digits of a commit's id in an anchor.
const stampLength = 12

// Stamp returns the anchor that r's should be replaced by: at the place where the code is now, with the last commit as its
// baseline and the fingerprint there as its digest. It returns nil and a reason when r cannot be stamped, and nil without one
// when its stamp is good as it is: one that can be read, of this scheme, at a version of the file that is still the present one.
func (j *Judge) Stamp(ctx context.Context, r *Result) (to *anchor.Anchor, reason string, err error) {
	if r.Status != Fresh {
		return nil, string(r.Status), nil
	}
	if r.Moved == nil && r.stamped() && r.pre.exists() && r.pre.same(r.post) {
		return nil, "", nil
	}
	if len(j.Change.Before) == 0 {
		return nil, "the last commit cannot be read", nil
	}
	head := j.Change.Before[0]
	if !gitobject.IsID(head.ID()) || head.ID() == gitobject.FormatOf(head.ID()).EmptyTree() {
		return nil, "nothing is committed yet", nil
	}
	a := *r.Anchor
	a.Anchor = r.Anchor.Base()
	if r.Moved != nil {
		a.Anchor = r.Moved.Base()
	}
	there, err := subjectOf(ctx, head, &a)
	if err != nil {
		return nil, "", err
	}
	ask := &Result{Anchor: &a, pre: there, post: r.post, undecide: true}
	if !there.exists() {
		return nil, fmt.Sprintf("%q is not committed yet", a.Base().String()), nil
	}
	if err := j.fingerprint(ctx, []*Result{ask}); err != nil {
		return nil, "", err
	}
	committed, now := j.of(there, &a), j.of(r.post, &a)
	switch {
	case !now.found():
		return nil, now.err.Error(), nil
	case !committed.found() || committed.digest.Whole != now.digest.Whole:
		return nil, fmt.Sprintf("what is staged of %q is not committed yet", a.Base().String()), nil
	}
	stamp := a.Anchor
	stamp.Baseline, stamp.Digest = head.ID()[:stampLength], now.digest.Whole
	if stamp == r.Anchor.Anchor {
		return nil, "", nil
	}
	return &stamp, "", nil
}
