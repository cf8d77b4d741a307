// Package claim reads the store of anchored claims: Markdown files whose level-3 headings carry an id, each with a fenced
// block of YAML and prose (chapters 7.1 and 7.2 of the specification). It says what stands in the store and what is wrong
// with it as text; whether anchors and evidence lead anywhere is decided elsewhere.
package claim

import (
	"slices"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/anchor"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

// A Place is a range of bytes in a file of the store.
type Place struct{ Start, End int }

// A Ref is a text of a claim's block, with where it stands.
type Ref struct {
	Text string
	Place
}

// An Anchor is one anchor of a claim.
type Anchor struct {
	anchor.Anchor
	Ref       // as written, without YAML's quotes; the place is that of the YAML scalar, quotes included
	Err error // why the text is no anchor; then Anchor is the zero value
}

// An Evidence is one thing that enforces a claim.
type Evidence struct {
	Ref         // the value as written
	Kind string // "test", "rule", "contract" or "check"
	Path string // relative to the root of the repository
	Name string // of a test, after the first "::", or of a rule, after the "#"; "" for the others
}

// The values of Claim.Status.
const (
	Enforced = "enforced"
	Asserted = "asserted"
	Proposed = "proposed"
	Retired  = "retired"
)

// A Claim is one claim as it is written. Fields that are missing or bad are empty; the faults of its file say why.
type Claim struct {
	ID      string
	Title   string // plain text of the heading after the separator
	Prefix  string // "INV"
	File    *File
	Heading Place // of the heading, without its line end
	Line    int   // of the heading, 1-based
	Block   Place // what belongs to the claim: heading, fence and prose, to the next heading of level 3 or higher
	Fence   Place // of the fenced block; zero when there is none

	Kind            string // canonical: aliases are replaced
	Status          string
	TruthSource     string
	Anchors         []Anchor
	AnchorsAt       Place // of the field's value; zero without one
	Evidence        []Evidence
	Governs         []Ref
	Since           Ref // "ADR-0004"
	Supersedes      Ref
	Reviewed        Ref // "2025-03-04"
	Confidence      Ref
	RetiredGround   Ref
	RetiredEvidence Ref

	fields map[string]Place // the value of each known field that is given, good or bad
}

// Candidate reports whether c stands in the folder of candidates.
func (c *Claim) Candidate() bool { return c.File.Candidate }

// Source returns the claim's block with line ends as LF and without white space at the end, so that two versions of it can
// be compared: a flip of line ends and lines between two claims change nothing.
func (c *Claim) Source() string {
	src := string(c.File.Src[c.Block.Start:c.Block.End])
	return strings.TrimRight(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(src), " \t\n")
}

// Field returns where the value of a field stands, and whether the claim gives the field at all, with a good value or a bad
// one.
func (c *Claim) Field(name string) (Place, bool) {
	at, ok := c.fields[name]
	return at, ok
}

// A Fault is something wrong with the store that its text alone shows. Slug is the code of the check "claims".
type Fault struct {
	Slug    string
	Path    string
	Place   Place  // zero for the whole file
	Message string // one sentence in the present tense
	Help    string // what to do in this case, "" for the general help of the code
	Anchor  string // what identifies the fault when lines move: the id and the field
	Claim   *Claim // the claim it is about, nil when there is none
	Related *Claim // another claim that explains it, nil when there is none
}

// A File is one file of the store.
type File struct {
	Path      string
	Src       []byte
	Candidate bool // stands below the folder of candidates
	Claims    []*Claim
	Faults    []Fault
	Slips     []string // ids that headings were meant to carry which are not read as claims

	lines *text.Lines
}

// A Store is all claims of one snapshot.
type Store struct {
	Root   string // the folder, without a slash at its end
	Files  []*File
	Claims []*Claim          // in the order of the files' paths, then of the text; duplicates included
	ADRs   map[string]string // path of the file by the id "ADR-0004"
	Faults []Fault           // of all files, and those that show only over several files; see Load

	byID  map[string]*Claim
	slips map[string]bool
}

// Claim finds a claim by its id: the first of several; nil when there is none.
func (s *Store) Claim(id string) *Claim { return s.byID[id] }

// Owners returns the claims that have an anchor which names the file at path, without those that are retired.
func (s *Store) Owners(path string) []*Claim {
	var out []*Claim
	for _, c := range s.Claims {
		if c.Status != Retired && slices.ContainsFunc(c.Anchors, func(a Anchor) bool { return a.Err == nil && a.Match(path) }) {
			out = append(out, c)
		}
	}
	return out
}

// A Layout says where the store is and which kinds of claims it has; it comes from the configuration.
type Layout struct {
	Root string // "docs/system"
	// Former are folders in which the store may have been before: a claim that moves with it is the same claim.
	Former []string
	Kinds  map[string]string // further prefixes, each with its kind
	Limit  int64             // greatest size of a file in bytes, see snapshot.Tree.Read
}

// Roots returns the folder of the store and those in which it may have been.
func (l *Layout) Roots() []string { return append([]string{l.Root}, l.Former...) }
