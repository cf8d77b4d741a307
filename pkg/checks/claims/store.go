package claims

import (
	"context"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/claim"
	"github.com/seed-4419f9ca/forge/pkg/config"
	"github.com/seed-4419f9ca/forge/pkg/facts"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// A storeKey is the fact of the claim store of one tree.
type storeKey struct {
	tree   snapshot.Tree
	config *config.Config
	root   string
}

// layoutOf returns where the store of a pass is and what it may hold.
func layoutOf(p *check.Pass) claim.Layout {
	return claim.Layout{Root: p.Config.ClaimStore(), Former: p.Config.FormerClaimStores(), Kinds: p.Config.ClaimKinds(), Limit: p.Config.Limits.File}
}

// storeOf reads the claim store of a tree, once for all checks of a run.
func storeOf(ctx context.Context, p *check.Pass, tree snapshot.Tree) (*claim.Store, error) {
	return storeAt(ctx, p, tree, p.Config.ClaimStore())
}

// storeAt is storeOf for a store at another root.
func storeAt(ctx context.Context, p *check.Pass, tree snapshot.Tree, root string) (*claim.Store, error) {
	layout := layoutOf(p)
	layout.Root = root
	return facts.Memo(p.Facts, storeKey{tree, p.Config, root}, func() (*claim.Store, error) { return claim.Load(ctx, tree, layout) })
}
