// Package check is the contract between checks and what runs them. A check is a value: a constant card and one function
// that gets a Pass with everything it may use and opens nothing itself.
package check

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/seed-4419f9ca/forge/pkg/config"
	"github.com/seed-4419f9ca/forge/pkg/facts"
	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/fingerprint"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// A Stage is the moment at which a check runs (chapter 2.5).
type Stage string

// The stages. Manual has the levels of CI.
const (
	PreCommit  Stage = "pre-commit"
	CommitMsg  Stage = "commit-msg"
	PrePush    Stage = "pre-push"
	CI         Stage = "ci"
	PreReceive Stage = "pre-receive"
	Manual     Stage = "manual"
)

// Hosted reports whether a missing baseline is an error at this stage and not a skip (chapter 5.1).
func (s Stage) Hosted() bool { return s == CI || s == PrePush || s == PreReceive }

// Programs that own checks.
const (
	PreCommitProgram = "forge-pre-commit"
	GuardProgram     = "forge-guard"
	GateProgram      = "forge-gate"
)

// A Check is one rule family: its card and the function that judges.
type Check struct {
	ID      string // "guard-header"; also the name of its testdata folder and its place in the documentation
	Program string // the program that owns it
	Title   string // one line
	Why     string // a paragraph: the promise that it keeps
	Since   string // version that first had it
	Levels  Levels
	Codes   []Code // none on the card of a check that belongs to another program and is not linked
	// History makes the driver judge a range commit by commit as well (chapter 2.2).
	History bool
	// Message makes the check run at the commit-msg stage, where only provenance is decided (chapter 4.5).
	Message bool
	Run     func(context.Context, *Pass) error
}

// Levels are the default levels of a check by stage; CommitMsg is that of PreCommit, PreReceive and Manual are those of CI.
type Levels struct{ PreCommit, PrePush, CI finding.Level }

// Level returns the default level at stage s.
func (l Levels) Level(s Stage) finding.Level {
	switch s {
	case PreCommit, CommitMsg:
		return l.PreCommit
	case PrePush:
		return l.PrePush
	}
	return l.CI
}

// Elsewhere reports whether c is no more than the name of a check that another program has.
func (c *Check) Elsewhere() bool { return c.Codes == nil }

// A Code is one statement that a check can make. Its examples are the files testdata/checks/<check>/<slug>.txtar.
type Code struct {
	Slug  string        // "missing"; the whole code is the check's id, a slash and the slug
	Title string        // one line, present tense
	Help  string        // what to do about it, in general
	Level finding.Level // default level of the finding, Fail or Flag
	Hard  bool          // cannot be suppressed from inside the file
	// Firm makes findings fail where the check's default level is flag.
	Firm bool
	// Fixable says that a finding carries a safe fix, unless its file must not be touched: `fix` then names the file.
	Fixable bool
	// Command is the command that alone reports the code; "" when the check itself does.
	Command string
}

// NotUsed is the reason of a check that has nothing of its kind to judge; --strict does not count it.
const NotUsed = "not used"

// A Pass is one run of one check over one change.
type Pass struct {
	Check  *Check
	Change *snapshot.Change
	Config *config.Config
	Facts  *facts.Store
	Stage  Stage
	// All widens content checks to every file of the after snapshot; Files then holds them all.
	All bool
	// Files are the files to look at: those of the change, or with All those and all others of the after tree, whose
	// Before entries equal After. Ignored files are left out. Sorted by path bytes.
	Files []snapshot.File
	// Ignored reports whether a path is ignored by the configuration.
	Ignored func(path string) bool
	// Via holds the workflows named by FORGE_VIA, for a change that is not committed yet.
	Via []string
	// Message is the commit message at the commit-msg stage, else nil.
	Message []byte
	// Engine fingerprints files of the code. It starts parsers when the first file needs one.
	Engine *fingerprint.Engine
	// Targets are what the command line names, for a check that can be narrowed: all of it when there are none.
	Targets []string
	// Changed narrows a check that looks at the whole repository to what the change can matter to.
	Changed bool
	// Collect takes what the command of a check prints beside findings; nil when nobody asks for it.
	Collect func(any)
	// Today is the day of the run in UTC, for rules about dates; never for comparing with file times.
	Today time.Time
	// Step is the commit when the change is that of one commit, alone or inside of a range; else nil.
	Step *snapshot.Step

	findings []*finding.Finding
	skip     []string
}

// Judged reports whether the content of f is to be judged: it is there and differs from every parent, or All is set.
func (p *Pass) Judged(f *snapshot.File) bool {
	return f.After.Exists() && (p.All || f.DiffersFromAll())
}

// Reportf starts a finding of this check under slug with the code's default level; the result may be filled in further
// until the check returns. It panics when the check's card does not have the slug.
func (p *Pass) Reportf(slug, path, format string, args ...any) *finding.Finding {
	c := p.Check.Code(slug)
	if c == nil {
		panic(fmt.Sprintf("check %q has no code %q", p.Check.ID, slug))
	}
	f := &finding.Finding{
		Code: p.Check.ID + "/" + slug, Level: c.Level, Path: path, Side: finding.After,
		Message: fmt.Sprintf(format, args...), Help: c.Help,
	}
	p.findings = append(p.findings, f)
	return f
}

// Skip says that the check did not judge everything, and why; findings reported before stay. Several reasons add up.
func (p *Pass) Skip(reason string) {
	if !slices.Contains(p.skip, reason) {
		p.skip = append(p.skip, reason)
	}
}

// SkipTooLarge skips the file of a *snapshot.TooLarge and returns nil; any other error it returns as it is (chapter 3.5).
func (p *Pass) SkipTooLarge(err error) error {
	var large *snapshot.TooLarge
	if errors.As(err, &large) {
		p.Skip(large.Error() + " (limits.file)")
		return nil
	}
	return err
}

// A TargetError says that the command line names something that is not there; it ends in exit 2.
type TargetError struct{ Message string }

func (e *TargetError) Error() string { return e.Message }

// Findings returns what the check reported.
func (p *Pass) Findings() []*finding.Finding { return p.findings }

// Skipped returns the reasons given to Skip, or "".
func (p *Pass) Skipped() string { return strings.Join(p.skip, "; ") }

// Code finds a code of c by its slug; nil when there is none.
func (c *Check) Code(slug string) *Code {
	for i := range c.Codes {
		if c.Codes[i].Slug == slug {
			return &c.Codes[i]
		}
	}
	return nil
}
