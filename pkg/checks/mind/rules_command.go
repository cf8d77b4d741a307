package mind

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/config"
	"github.com/seed-4419f9ca/forge/pkg/facts"
	"github.com/seed-4419f9ca/forge/pkg/mindblock"
	"github.com/seed-4419f9ca/forge/pkg/secrets"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// draftIsOneBlock: a draft is one block and nothing else.
func (s *session) draftIsOneBlock() error {
	blocks := s.notes.Blocks
	switch {
	case len(blocks) == 0:
		s.say(number, "draft", "%q holds no block: it begins with the heading \"### MIND-%s\"", s.path, s.next())
	case len(blocks) > 1:
		b := &blocks[1]
		s.sayHere(number, b.Start, b.End, "draft", "%q holds %d blocks; one is inserted at a time", s.path, len(blocks))
	case strings.Trim(string(s.notes.Src[:blocks[0].Start]), " \t\r\n\ufeff#") != "":
		s.sayHere(number, 0, blocks[0].Start, "draft", "%q has something above the heading of its block, which would belong to no block", s.path)
	}
	return nil
}

// next is the number of the next block of the session: how many stand there.
func (s *session) next() string {
	if s.existing == nil {
		return "0"
	}
	return strconv.Itoa(len(s.existing.Blocks))
}

// draftNumber: the number of a draft is that of the blocks that stand there.
func (s *session) draftNumber() error {
	if len(s.notes.Blocks) == 0 {
		return nil
	}
	b := &s.notes.Blocks[0]
	if b.Number.Value() == s.next() {
		return nil
	}
	f := s.sayHere(number, b.Start, b.End, "draft number", "the draft is block %q, and the next one of session %s is \"MIND-%s\"", nameOf(b), s.n, s.next())
	f.Help = "Head the draft with `### MIND-" + s.next() + "`."
	return nil
}

// Lead returns what a resumed session has to repeat of its newest block, with secrets masked.
func Lead(b *mindblock.Block) []string { return b.Lead(secrets.Redact) }

// leadRepeated: a report repeats the lead of the newest block.
func (s *session) leadRepeated() error {
	b := &s.notes.Blocks[0]
	report := string(s.report.Data)
	if !utf8.ValidString(report) {
		report = strings.ToValidUTF8(report, "\ufffd")
	}
	line, missing := mindblock.Missing(secrets.Redact(report), Lead(b))
	if !missing {
		return nil
	}
	f := s.sayAt(s.report.Path, reload, nameOf(b), "the report does not repeat %q of block %q", s.clip(line), nameOf(b))
	f.Help = "Print the lead with `forge-guard mind reload --session " + string(s.n) + "` and repeat every line of it, in its order."
	return nil
}

// LeadOf returns the lead of the newest block of a session in tree.
func LeadOf(ctx context.Context, c *config.Config, tree snapshot.Tree, session string) ([]string, error) {
	set, err := newSettings(c)
	if err != nil {
		return nil, err
	}
	p := &check.Pass{Check: Mind, Config: c, Change: &snapshot.Change{After: tree}, Facts: &facts.Store{}}
	j := &judge{ctx: ctx, pass: p, set: set}
	s, err := j.named(session)
	if err != nil {
		return nil, err
	}
	if err := s.load(); err != nil {
		return nil, err
	}
	switch {
	case p.Skipped() != "":
		return nil, fmt.Errorf("could not read the notes of session %s: %s", session, p.Skipped())
	case s.notes == nil || len(s.notes.Blocks) == 0:
		return nil, noSession("session %s has no block in %q", session, s.path)
	}
	return Lead(&s.notes.Blocks[0]), nil
}

// Limit returns the budget of notes in bytes, as tree has it.
func Limit(ctx context.Context, c *config.Config, tree snapshot.Tree) (int, error) {
	set, err := newSettings(c)
	if err != nil {
		return 0, err
	}
	j := &judge{ctx: ctx, pass: &check.Pass{Check: Mind, Config: c, Change: &snapshot.Change{After: tree}}, set: set}
	l, err := j.limit()
	if err == nil && l.fault != "" {
		err = fmt.Errorf("could not read the budget from %q: %s", set.budgetFile, l.fault)
	}
	return int(min(l.kib*1024, 1<<50)), err
}

// OptionsFrom reads options from the further inputs of a sample (package mutate): "closed", and "draft" or "report" with
// "session".
func OptionsFrom(extra map[string]string) Options {
	o := Options{Closed: extra["closed"] != ""}
	if d, ok := extra["draft"]; ok {
		o.Draft = &Draft{Path: "draft.md", Data: []byte(d), Session: extra["session"]}
	}
	if r, ok := extra["report"]; ok {
		o.Reload = &Report{Path: "report.md", Data: []byte(r), Session: extra["session"]}
	}
	return o
}
