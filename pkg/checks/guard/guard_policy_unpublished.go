package guard

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"slices"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/published"
	"github.com/seed-4419f9ca/forge/pkg/record"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// forgiveUnpublished lowers what concerns only the last commit, as long as nobody else has seen it: it can still be
// corrected by amending that commit (chapter 3.2). What its parents hold as well is published.
func (g *policyRun) forgiveUnpublished(f guarded, list []said) error {
	if g.pass.Stage != check.PreCommit || !slices.ContainsFunc(list, losesPublished) {
		return nil
	}
	since, ok, err := published.Unpublished(g.ctx, g.pass.Change, f.File)
	if err != nil || !ok {
		return err
	}
	kept := map[string]bool{}
	for _, s := range since {
		found, err := g.judge(s.Change, guarded{s.File, f.row})
		if err != nil {
			return err
		}
		for _, s := range found {
			kept[s.slug+"\x00"+s.anchor] = true
		}
	}
	for i := range list {
		if s := &list[i]; losesPublished(*s) && !kept[s.slug+"\x00"+s.anchor] {
			s.level = finding.Flag
		}
	}
	return nil
}

// losesPublished reports whether s is about something that was published. Provenance is not: a change without its
// workflow is one, however late it is noticed.
func losesPublished(s said) bool {
	switch s.slug {
	case record.EntryEdited, record.EntryRemoved, record.EntryMoved, record.EntryHidden, slugIDLost, slugItemRewritten, slugDoneItemLost, slugDeleted, slugRenamedAway:
		return true
	}
	return false
}

// digest returns the SHA-256 of an entry's content in hex. It reads a stream, whatever its size.
func (g *policyRun) digest(tree snapshot.Tree, e snapshot.Entry) (string, error) {
	r, _, err := tree.Open(g.ctx, e)
	if err != nil {
		return "", err
	}
	defer r.Close()
	h := sha256.New()
	if _, err := io.Copy(h, r); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
