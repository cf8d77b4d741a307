package mind

import (
	"bytes"
	"fmt"

	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/mindblock"
	"github.com/seed-4419f9ca/forge/pkg/published"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// newestOnTop: a block that was not there before stands above all that were.
func (s *session) newestOnTop() error {
	if s.notes == nil || !s.content {
		return nil
	}
	old := false // an old block stands further up
	for i := range s.notes.Blocks {
		b := &s.notes.Blocks[i]
		fresh, err := s.isNew(b)
		if err != nil {
			return err
		}
		if !fresh {
			old = true
			continue
		}
		// One whose number is out of order was named already.
		if old && b.Number.Compare(s.notes.Blocks[i-1].Number) < 0 {
			s.sayHere(number, b.Start, b.End, nameOf(b)+" new", "the new block %q stands below blocks that were there before", nameOf(b))
		}
	}
	return nil
}

// each calls f for every version that the notes come from, with a function that says whether a thing was named for an
// earlier parent already.
func (s *session) each(f func(d *difference, again func(string) bool) error) error {
	all, err := s.differences()
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	again := func(name string) bool {
		was := seen[name]
		seen[name] = true
		return was
	}
	for _, d := range all {
		if err := f(d, again); err != nil {
			return err
		}
	}
	return nil
}

// lower makes a finding a flag when the block that it is about was never published.
func (d *difference) lower(f *finding.Finding, b *mindblock.Block) error {
	alone, err := d.unpublished(b)
	if alone {
		f.Level = finding.Flag
		f.Message += " (only the last commit has it, and nobody else has seen that)"
	}
	return err
}

// against says which parent a finding is about, when that is not the first.
func (d *difference) against() string {
	if d.parent == 0 {
		return ""
	}
	return fmt.Sprintf(" (against parent %d)", d.parent+1)
}

// show is the command that prints the notes as they were.
func (s *session) show(d *difference) string {
	rev := "HEAD"
	if c := s.pass.Change; d.parent > 0 || c.Kind != snapshot.Staged && c.Kind != snapshot.Worktree {
		id := c.Before[d.parent].ID()
		rev = id[:min(len(id), 12)]
	}
	return fmt.Sprintf("git show %s:%s", rev, d.path)
}

// firstChange returns the first line of a block that does not read as it did; the heading when something is missing at its
// end.
func firstChange(p pair) (start, end int) {
	before, after := p.before.Content(), p.after.Content()
	at := 0
	for at < len(before) && at < len(after) && before[at] == after[at] {
		at++
	}
	if at == len(after) {
		return p.after.Start, p.after.End
	}
	start = bytes.LastIndexByte(after[:at], '\n') + 1
	end = len(after)
	if n := bytes.IndexByte(after[at:], '\n'); n >= 0 {
		end = at + n
	}
	return p.after.BodyStart + start, p.after.BodyStart + end
}

// blocksUnedited: a block that was there reads as it did, or is folded.
func (s *session) blocksUnedited() error {
	return s.each(func(d *difference, again func(string) bool) error {
		for _, p := range d.edited {
			if again(nameOf(p.before)) {
				continue
			}
			start, end := firstChange(p)
			f := s.sayHere(blockEdited, start, end, nameOf(p.before), "block %q does not read as it did%s", nameOf(p.before), d.against())
			f.Help = fmt.Sprintf("Put the block back as `%s` has it; what you think now goes into a new block on top.", s.show(d))
			if err := d.lower(f, p.before); err != nil {
				return err
			}
		}
		return nil
	})
}

// blocksKept: a block that was there is still there.
func (s *session) blocksKept() error {
	return s.each(func(d *difference, again func(string) bool) error {
		for _, b := range d.removed {
			if again(nameOf(b)) {
				continue
			}
			f := s.say(blockRemoved, nameOf(b), "block %q is gone%s", nameOf(b), d.against())
			if d.parent == 0 && d.path == s.path {
				f.Side = finding.Before
				f.Span = d.old.Lines.Span(b.Start, b.End)
			}
			f.Help = fmt.Sprintf("Put the block back as `%s` has it; `forge-guard mind compact` makes room without losing it.", s.show(d))
			if err := d.lower(f, b); err != nil {
				return err
			}
		}
		return nil
	})
}

// notesKept: notes with blocks do not disappear; a folder that moves as a whole takes them along.
func (s *session) notesKept() error {
	return s.each(func(d *difference, again func(string) bool) error {
		if !d.gone || len(d.old.Blocks) == 0 || again("notes") {
			return nil
		}
		became := "are gone"
		if f, ok := s.pass.Change.File(d.path); ok && f.To != "" {
			became = fmt.Sprintf("moved to %q, where nothing protects them", f.To)
		} else if s.past.after.Exists() {
			became = "became " + what(s.past.after.Mode)
		}
		f := s.say(blockRemoved, "notes", "the notes %q with %s %s%s", d.path, plural(len(d.old.Blocks), "block"), became, d.against())
		f.Side = finding.Before
		f.Help = fmt.Sprintf("Put the notes back with `%s`; a session that is over moves as a whole folder.", published.Restore(s.pass.Change, d.path))
		return d.lower(f, &d.old.Blocks[0])
	})
}

// lineEndsKept: blocks keep their line ends. One finding stands for all blocks of a file.
func (s *session) lineEndsKept() error {
	return s.each(func(d *difference, again func(string) bool) error {
		if len(d.eol) == 0 || again("line ends") {
			return nil
		}
		p := d.eol[0]
		s.sayHere(eolChanged, p.after.Start, p.after.End, "line ends", "the line ends of %s have changed and nothing else%s", plural(len(d.eol), "block"), d.against())
		return nil
	})
}

// foldedTruly: the line of a folded block has the size and the digest of what stood there.
func (s *session) foldedTruly() error {
	return s.each(func(d *difference, again func(string) bool) error {
		for _, p := range d.folded {
			if !p.after.Compaction.Exact || again(nameOf(p.before)) {
				continue // which foldedAsWritten says
			}
			f := s.sayHere(compaction, p.after.BodyStart, p.after.BodyEnd, nameOf(p.before)+" folded",
				"the line in block %q is not that of what stood there, which is `%s`%s", nameOf(p.before), mindblock.CompactionLine(p.before.Content()), d.against())
			if err := d.lower(f, p.before); err != nil {
				return err
			}
		}
		return nil
	})
}

// foldedOnceWhole: a block that is folded stood there in full once. In a range, one of its commits may have had it.
func (s *session) foldedOnceWhole() error {
	if s.notes == nil {
		return nil
	}
	for i := range s.notes.Blocks {
		b := &s.notes.Blocks[i]
		if b.Compaction == nil || !b.Compaction.Exact {
			continue
		}
		fresh, err := s.isNew(b)
		if err != nil {
			return err
		}
		if !fresh {
			continue
		}
		proved, err := s.stoodInRange(b)
		if err != nil {
			return err
		}
		if proved {
			continue
		}
		f := s.sayHere(compaction, b.BodyStart, b.BodyEnd, nameOf(b)+" folded", "block %q is folded and never stood there in full, so that nothing proves its digest", nameOf(b))
		if s.past == nil {
			f.Level = finding.Flag // notes that come from somewhere else
		}
	}
	return nil
}

// stoodInRange reports whether a commit of the range folded the block that another one had in full.
func (s *session) stoodInRange(b *mindblock.Block) (bool, error) {
	if s.pass.Change.Commits == nil {
		return false, nil
	}
	steps, err := s.pass.Change.Commits(s.ctx)
	if err != nil {
		return false, err
	}
	for i := range steps {
		c := steps[i].Change
		f, ok := c.File(s.path)
		if !ok || !f.After.Mode.IsFile() {
			continue
		}
		n, err := s.notesOf(c.After, f.After)
		if err != nil {
			return false, err
		}
		if n == nil {
			continue
		}
		for _, was := range withNumber(n, b.Number) {
			if was.Compaction == nil && b.Compaction.Of(was.Content()) {
				return true, nil
			}
		}
	}
	return false, nil
}
