// Package coverage works out, from what a snapshot really contains, which of the guard layers cover which actions: the
// matrix of chapter 4.8 of the specification, as data, text and JSON.
package coverage

import (
	"context"

	"github.com/seed-4419f9ca/forge/pkg/config"
	"github.com/seed-4419f9ca/forge/pkg/facts"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// A State says how far a layer covers an action.
type State string

// The states of a cell.
const (
	Full    State = "full"
	Partial State = "partial"
	None    State = "none"
)

// The layers, in the order of the columns. Enforced is what hooks and CI hold, whoever has read what.
const (
	Table     = "table"
	Safety    = "safety-block"
	Preflight = "preflight"
	Header    = "header"
	Enforced  = "enforced"
)

// An Input is what a matrix is worked out from.
type Input struct {
	Tree    snapshot.Tree
	Config  *config.Config
	Facts   *facts.Store
	Ignored func(path string) bool // nil for none
	Hooks   []string               // names of the git hooks that run Forge in this clone
}

// A Matrix is the whole answer.
type Matrix struct {
	Snapshot  string // id of the tree
	Layers    []Layer
	Actions   []Action
	Guards    []Guard
	Unguarded []File // guarded files without their header, sorted by path
	Unread    []File // files that could not be read, with the reason
}

// A Layer is one column with its cost.
type Layer struct {
	ID, Title string
	Bytes     int    // that a reader of the layer takes in; 0 for what costs a reader nothing
	Per       string // how often they are read
	Files     []string
}

// Tokens estimates what reading the layer costs a language model: a quarter of the bytes, rounded up.
func (l *Layer) Tokens() int { return (l.Bytes + 3) / 4 }

// An Action is one row: one way of touching a file, with a cell for each layer.
type Action struct {
	ID, Title string
	Cells     []Cell
}

// A Cell says how far one layer covers one action, and why.
type Cell struct {
	Layer  string
	State  State
	Reason string
}

// A Guard is one row of the guards that the repository uses.
type Guard struct {
	Key        string
	Armed      bool
	Files      int // files under its paths
	WithHeader int // of those that can carry a header, how many have it
	CanCarry   int
}

// A File is a file with a remark.
type File struct {
	Path   string
	Guard  string // key of its guard, "" for a file without one
	Reason string
}

// Compute works out the matrix of a snapshot. It reads the rules, the workflows and the guarded files.
func Compute(ctx context.Context, in Input) (*Matrix, error) {
	if in.Ignored == nil {
		in.Ignored = func(string) bool { return false }
	}
	s, err := survey(ctx, in)
	if err != nil {
		return nil, err
	}
	return &Matrix{
		Snapshot: in.Tree.ID(),
		Layers:   s.layers(),
		Actions: []Action{
			{"workflow", "run a workflow", s.runWorkflow()},
			{"done", "edit done.md directly", s.edit("done", "done.md")},
			{"kernel", "edit a kernel file", s.edit("kernel", "kernel file")},
			{"rules", "edit a rules file", s.edit("governed", "rules file")},
			{"free", "a free request", s.freeRequest()},
		},
		Guards: s.guards, Unguarded: s.unguarded, Unread: s.unread,
	}, nil
}
