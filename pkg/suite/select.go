package suite

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/config"
	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/nearest"
	"github.com/seed-4419f9ca/forge/pkg/report"
)

// reserved are ids of checks that the contract names and that no program contains yet. They can be named in a
// configuration and on a command line, so that both outlive the version they were written for; a run that asks for one
// reports it as skipped, never as passed.
var reserved = [...]string{"derived", "impact", "layer"}

// NotBuilt is the reason of a check that only a later version contains.
const NotBuilt = "not in this version"

// A UsageError is a mistake on the command line; it ends in exit 2.
type UsageError struct{ Message string }

func (e *UsageError) Error() string { return e.Message }

// A Selection says which checks run.
type Selection struct {
	Only []string // nil for all
	Skip []string // ids given to --skip
	Env  []string // ids given in FORGE_SKIP
}

// IDs returns the ids that may be named in a selection or a configuration: those of checks, of the meta check suppress,
// and the reserved ones, sorted.
func IDs(checks []*check.Check) []string {
	ids := slices.Clone(reserved[:])
	for _, c := range checks {
		ids = append(ids, c.ID)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// Validate reports the names in s that none of known has, as a *UsageError.
func (s *Selection) Validate(known []*check.Check) error {
	ids := IDs(known)
	var errs []error
	for _, part := range []struct {
		flag  string
		names []string
	}{{"--only", s.Only}, {"--skip", s.Skip}, {"FORGE_SKIP", s.Env}} {
		for _, name := range part.names {
			if slices.Contains(ids, name) {
				continue
			}
			hint := ""
			if near := nearest.Name(name, ids); near != "" {
				hint = fmt.Sprintf("; did you mean %q?", near)
			}
			errs = append(errs, &UsageError{fmt.Sprintf("%s: there is no check %q%s (the checks: %s)", part.flag, name, hint, strings.Join(ids, ", "))})
		}
	}
	return errors.Join(errs...)
}

// A choice is one check of a run: with its level, or with the reason why it is left out.
type choice struct {
	id     string
	check  *check.Check // nil for a reserved id
	level  finding.Level
	firm   bool   // the level is the card's default and not the configuration's
	reason string // not empty: skipped
}

// choose lists the checks of a run in the order of their ids. Checks that Only leaves out are not listed at all.
func (s *Selection) choose(checks []*check.Check, cfg *config.Config, stage check.Stage) []choice {
	var out []choice
	for _, c := range checks {
		if s.Only != nil && !slices.Contains(s.Only, c.ID) {
			continue
		}
		if c.Run == nil { // the meta check judges what the others leave
			continue
		}
		if stage == check.CommitMsg && !c.Message {
			continue
		}
		ch := choice{id: c.ID, check: c}
		ch.level, ch.firm = levelOf(c, cfg, stage)
		switch {
		case slices.Contains(s.Env, c.ID):
			ch.reason = report.ReasonEnv
		case slices.Contains(s.Skip, c.ID):
			ch.reason = report.ReasonSkip
		case ch.level == finding.Off:
			ch.reason = report.ReasonOff
		}
		out = append(out, ch)
	}
	for _, id := range s.Only {
		if slices.Contains(reserved[:], id) && !slices.ContainsFunc(checks, func(c *check.Check) bool { return c.ID == id }) {
			out = append(out, choice{id: id, level: finding.Fail, reason: NotBuilt})
		}
	}
	slices.SortFunc(out, func(a, b choice) int { return strings.Compare(a.id, b.id) })
	return slices.CompactFunc(out, func(a, b choice) bool { return a.id == b.id })
}

// levelOf returns the level of c at stage: what the configuration says for the stage or its neighbour, else the card's
// default, and whether it is the default. commit-msg takes that of pre-commit, pre-receive and manual that of ci (chapter
// 2.5).
func levelOf(c *check.Check, cfg *config.Config, stage check.Stage) (level finding.Level, isDefault bool) {
	l := cfg.Checks[c.ID]
	first := func(levels ...finding.Level) (finding.Level, bool) {
		for _, v := range levels {
			if v != "" {
				return v, false
			}
		}
		return c.Levels.Level(stage), true
	}
	switch stage {
	case check.PreCommit:
		return first(l.PreCommit)
	case check.CommitMsg:
		return first(l.CommitMsg, l.PreCommit)
	case check.PrePush:
		return first(l.PrePush)
	case check.PreReceive:
		return first(l.PreReceive, l.CI)
	case check.Manual:
		return first(l.Manual, l.CI)
	}
	return first(l.CI)
}
