// Package checktest reads the examples of the checks (testdata/checks/<check>/<slug>.txtar) and runs a check over them, in
// memory. What holds for every check is tested with it once, and not by the author of each check.
package checktest

import (
	"context"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/config"
	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/fingerprint"
	"github.com/seed-4419f9ca/forge/pkg/memory"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
	"github.com/seed-4419f9ca/forge/pkg/suite"
)

// An Example is one archive: a description, a bad half and a good one.
type Example struct {
	About     string
	Bad, Good *Sample
}

// A Sample is one half of an example. Files of the archive: before/…, after/… (a missing half of the change is an empty
// tree); before2/… and base/… for a second parent and the merge base; config.yaml; links, with lines `path -> target` of
// symlinks in the after tree; message, a commit message (the commit-msg stage); via; stage; all (an empty file: every file
// is judged); want, with lines `path:line:col: code` or `path: code`.
type Sample struct {
	Trees   map[string]map[string]memory.File
	Config  string
	Message []byte
	Via     []string
	Stage   check.Stage
	All     bool
	Want    []string
	Engine  *fingerprint.Engine // set by the test; nil for a check that asks for no fingerprints
}

// Parse reads an archive.
func Parse(data []byte) (*Example, error) {
	a := txtar.Parse(data)
	ex := &Example{About: strings.TrimSpace(string(a.Comment)), Bad: newSample(), Good: newSample()}
	for _, f := range a.Files {
		half, rest, _ := strings.Cut(f.Name, "/")
		s := map[string]*Sample{"bad": ex.Bad, "good": ex.Good}[half]
		if s == nil {
			return nil, fmt.Errorf("could not place %q: an example holds bad/… and good/…", f.Name)
		}
		if err := s.add(rest, string(f.Data)); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	return ex, nil
}

func newSample() *Sample {
	return &Sample{Stage: check.PreCommit, Trees: map[string]map[string]memory.File{"before": {}, "after": {}}}
}

func (s *Sample) add(name, data string) error {
	side, rest, inTree := strings.Cut(name, "/")
	switch {
	case inTree:
		if s.Trees[side] == nil {
			if side != "before2" && side != "base" {
				return fmt.Errorf("there is no side %q", side)
			}
			s.Trees[side] = map[string]memory.File{}
		}
		s.Trees[side][rest] = memory.File{Mode: snapshot.Regular, Data: unescape(data)}
	case name == "config.yaml":
		s.Config = data
	case name == "message":
		s.Message, s.Stage = []byte(data), check.CommitMsg
	case name == "via":
		s.Via = strings.Fields(data)
	case name == "stage":
		s.Stage = check.Stage(strings.TrimSpace(data))
	case name == "all":
		s.All = true
	case name == "want":
		s.Want = strings.Split(strings.TrimSpace(data), "\n")
	case name == "links":
		for line := range strings.Lines(data) {
			from, to, ok := strings.Cut(strings.TrimSpace(line), " -> ")
			if !ok {
				return fmt.Errorf("could not read the link %q: want `path -> target`", line)
			}
			s.Trees["after"][from] = memory.File{Mode: snapshot.Symlink, Data: to}
		}
	default:
		return fmt.Errorf("there is no file of this name in an example")
	}
	return nil
}

// unescape reads what a text archive cannot hold: a first line `#!bytes` makes the rest Go escapes without quotes, where
// line ends count only as \n.
func unescape(data string) string {
	body, ok := strings.CutPrefix(data, "#!bytes\n")
	if !ok {
		return data
	}
	return bytesOf(strings.ReplaceAll(body, "\n", ""))
}

// Paths lists the paths of all trees of the sample.
func (s *Sample) Paths() []string {
	seen := map[string]bool{}
	var out []string
	for _, tree := range s.Trees {
		for p := range tree {
			if !seen[p] {
				seen[p] = true
				out = append(out, p)
			}
		}
	}
	return out
}

// Change builds the change of the sample; wrap, if not nil, may replace its trees.
func (s *Sample) Change(wrap func(snapshot.Tree) snapshot.Tree) *snapshot.Change {
	if wrap == nil {
		wrap = func(t snapshot.Tree) snapshot.Tree { return t }
	}
	tree := func(side string) snapshot.Tree { return wrap(memory.TreeOf(s.Trees[side])) }
	before := []snapshot.Tree{tree("before")}
	if s.Trees["before2"] != nil {
		before = append(before, tree("before2"))
	}
	c := memory.Change(snapshot.Staged, before, wrap(memory.Named(memory.TreeOf(s.Trees["after"]), "index")))
	if len(before) > 1 {
		c = memory.WithBases(c, nil, []snapshot.Tree{tree("base")})
	}
	return c
}

// Run runs one check over the sample and returns its findings and its verdict's reason, sorted, before suppressions.
func (s *Sample) Run(ctx context.Context, c *check.Check, known []*check.Check, change *snapshot.Change) ([]finding.Finding, error) {
	cfg := config.Default()
	if s.Config != "" {
		var err error
		if cfg, err = config.Parse(config.Path, []byte(s.Config), suite.IDs(known)); err != nil {
			return nil, err
		}
	}
	checks := []*check.Check{c}
	if c.Run == nil { // the meta check judges what the others said
		checks = known
	}
	rep, err := suite.Run(ctx, suite.Input{
		Checks: checks, Known: known, Stage: s.Stage, All: s.All, Via: s.Via, Message: s.Message, Engine: s.Engine,
		Today: time.Date(2026, 9, 30, 12, 0, 0, 0, time.UTC),
	}, []suite.Subject{{Change: change, Config: cfg, Ignored: func(string) bool { return false }}})
	if err != nil {
		return nil, err
	}
	var out []finding.Finding
	for _, f := range rep.Findings {
		if f.Check() == c.ID {
			out = append(out, f)
		}
	}
	return out, nil
}

// Lines writes findings the way `want` holds them.
func Lines(list []finding.Finding) []string {
	var out []string
	for _, f := range list {
		if f.Span.IsZero() {
			out = append(out, fmt.Sprintf("%s: %s", f.Path, f.Code))
			continue
		}
		out = append(out, fmt.Sprintf("%s:%d:%d: %s", f.Path, f.Span.Start.Line, f.Span.Start.Column, f.Code))
	}
	return out
}

// Name is the path of the example of a code inside testdata.
func Name(c *check.Check, code *check.Code) string {
	return path.Join("checks", c.ID, code.Slug+".txtar")
}
