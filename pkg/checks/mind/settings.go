package mind

import (
	"fmt"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/config"
	"github.com/seed-4419f9ca/forge/pkg/glob"
	"github.com/seed-4419f9ca/forge/pkg/mindblock"
)

// Settings of chapter 6 with their defaults filled in.
type settings struct {
	files        *mindblock.Files
	closedMarker string
	copyWords    int
	budgetFile   string
	budgetKey    string
	settled      []string // globs with <N>
	reviewers    []string
	writer       string
}

const (
	settledWords  = 12 // length of a run that counts as copied from the log
	defaultBudget = 32 // KiB
)

func newSettings(c *config.Config) (*settings, error) {
	m := c.Mind
	if m == nil {
		m = &config.Mind{}
	}
	s := &settings{
		closedMarker: orElse(m.ClosedMarker, "closed.md"), copyWords: int(m.CopyWords), budgetFile: orElse(m.BudgetFile, "memory-budget.json"),
		budgetKey: orElse(m.BudgetKey, "mind_ctx_kb"), settled: m.Settled, reviewers: m.Reviewers, writer: m.Writer,
	}
	if s.copyWords == 0 {
		s.copyWords = 8
	}
	var err error
	if s.files, err = mindblock.ParseFiles(orElse(m.Files, mindblock.DefaultFiles)); err != nil {
		return nil, fmt.Errorf("could not read mind.files: %w", err)
	}
	return s, nil
}

func orElse(s, other string) string {
	if s != "" {
		return s
	}
	return other
}

// settledGlobs returns the globs of mind.settled for one session.
func (s *settings) settledGlobs(n mindblock.Number) ([]*glob.Pattern, error) {
	var out []*glob.Pattern
	for _, g := range s.settled {
		p, err := glob.Compile(strings.ReplaceAll(g, "<N>", string(n)))
		if err != nil {
			return nil, fmt.Errorf("could not read mind.settled: %w", err)
		}
		out = append(out, p)
	}
	return out, nil
}

// Files returns where a configuration has its notes.
func Files(c *config.Config) (*mindblock.Files, error) {
	s, err := newSettings(c)
	if err != nil {
		return nil, err
	}
	return s.files, nil
}
