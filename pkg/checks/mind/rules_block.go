package mind

import (
	"bytes"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/mindblock"
)

// numbersUnique: no two blocks have the same number.
func (s *session) numbersUnique() error {
	seen := map[string]bool{}
	for i := range s.notes.Blocks {
		b := &s.notes.Blocks[i]
		if seen[b.Number.Value()] {
			s.sayHere(number, b.Start, b.End, nameOf(b)+" twice", "a block %q stands further up already", nameOf(b))
		}
		seen[b.Number.Value()] = true
	}
	return nil
}

// numbersDescend: each block has a smaller number than the one above it.
func (s *session) numbersDescend() error {
	for i := 1; i < len(s.notes.Blocks); i++ {
		above, b := &s.notes.Blocks[i-1], &s.notes.Blocks[i]
		if b.Number.Compare(above.Number) > 0 {
			s.sayHere(number, b.Start, b.End, nameOf(b)+" below "+nameOf(above), "block %q stands below the older block %q", nameOf(b), nameOf(above))
		}
	}
	return nil
}

// numbersPlain: a number is written in one way only.
func (s *session) numbersPlain() error {
	for i := range s.notes.Blocks {
		if b := &s.notes.Blocks[i]; !b.Number.Plain() {
			s.sayHere(number, b.Start, b.End, nameOf(b), "the number of block %q has zeros before it; write \"MIND-%s\"", nameOf(b), b.Number.Value())
		}
	}
	return nil
}

// headingsSpelled: what is surely meant as the heading of a block is one.
func (s *session) headingsSpelled() error {
	for _, h := range s.notes.Strays {
		s.sayHere(number, h.Start, h.End, "heading "+h.Text, "%q looks like the heading of a block and is none; write it as \"### MIND-<k>\"", s.clip(h.Text))
	}
	return nil
}

// sectionsThere: each of the five sections is there.
func (s *session) sectionsThere() error {
	s.blocks(func(b *mindblock.Block, name string) {
		var missing []string
		for i := range mindblock.Letters {
			if letter := mindblock.Letters[i]; b.Section(letter) == nil {
				missing = append(missing, string(letter))
			}
		}
		if len(missing) > 0 {
			s.sayHere(sectionMissing, b.Start, b.End, name+" "+strings.Join(missing, ""), "block %q has no section %s", name, strings.Join(missing, ", "))
		}
	})
	return nil
}

// sectionsInOrder: sections follow one another from A to E.
func (s *session) sectionsInOrder() error {
	s.blocks(func(b *mindblock.Block, name string) {
		seen := map[byte]bool{}
		var last byte
		for i := range b.Sections {
			sec := &b.Sections[i]
			if seen[sec.Letter] {
				continue
			}
			seen[sec.Letter] = true
			if sec.Letter < last {
				s.sayHere(sectionOrder, sec.Start, sec.End, name+" "+string(sec.Letter), "section %c of block %q stands behind section %c", sec.Letter, name, last)
				return
			}
			last = sec.Letter
		}
	})
	return nil
}

// sectionsOnce: no section stands twice.
func (s *session) sectionsOnce() error {
	s.blocks(func(b *mindblock.Block, name string) {
		seen := map[byte]bool{}
		for i := range b.Sections {
			sec := &b.Sections[i]
			if seen[sec.Letter] {
				s.sayHere(sectionDouble, sec.Start, sec.End, name+" "+string(sec.Letter), "block %q has section %c a second time", name, sec.Letter)
			}
			seen[sec.Letter] = true
		}
	})
	return nil
}

// sectionsSaySomething: a section holds something, or says that it is empty.
func (s *session) sectionsSaySomething() error {
	s.blocks(func(b *mindblock.Block, name string) {
		for i := range b.Sections {
			if sec := &b.Sections[i]; sec.Empty && !sec.Declared {
				s.sayHere(sectionEmpty, sec.Start, sec.End, name+" "+string(sec.Letter), "section %c of block %q is empty and does not say so", sec.Letter, name)
			}
		}
	})
	return nil
}

// sections calls each for the sections with this letter that hold something.
func (s *session) sections(letter byte, each func(sec *mindblock.Section, name string)) {
	s.blocks(func(b *mindblock.Block, name string) {
		for i := range b.Sections {
			if sec := &b.Sections[i]; sec.Letter == letter && !sec.Empty {
				each(sec, name)
			}
		}
	})
}

// discussionLabelled: each item of D begins with exactly one label.
func (s *session) discussionLabelled() error {
	s.sections('D', func(sec *mindblock.Section, name string) {
		for _, it := range sec.Items {
			found, ok := mindblock.Label(it.Text)
			if ok {
				continue
			}
			start, end := s.firstLine(it)
			f := s.sayHere(label, start, end, name+" "+it.Text, "the item %q does not begin with exactly one label", s.clip(it.Text))
			if found != "" {
				f.Message = s.masked("the item begins with " + quoted(s.clip(found)) + ", which is not one of the labels, or with more than one")
			}
		}
	})
	return nil
}

func quoted(s string) string { return `"` + s + `"` }

// firstLine returns the range of an item's first line.
func (s *session) firstLine(it mindblock.Item) (int, int) {
	end := it.End
	if n := bytes.IndexAny(s.notes.Src[it.Start:it.End], "\r\n"); n >= 0 {
		end = it.Start + n
	}
	return it.Start, end
}

// discussionInItems: what is under discussion stands in items, which have labels.
func (s *session) discussionInItems() error {
	s.sections('D', func(sec *mindblock.Section, name string) {
		if len(sec.Items) == 0 {
			s.sayHere(label, sec.FirstStart, sec.FirstEnd, name+" D", "section D of block %q has text and no item with a label", name)
		}
	})
	return nil
}

// helpersComplete: each item of E names role, verdict and pointer.
func (s *session) helpersComplete() error {
	s.sections('E', func(sec *mindblock.Section, name string) {
		for _, it := range sec.Items {
			r := s.run(it)
			if r.Whole() {
				continue
			}
			lacks := "a pointer"
			switch {
			case r.Role == "":
				lacks = "a role"
			case r.Verdict == "":
				lacks = "a verdict"
			}
			start, end := s.firstLine(it)
			s.sayHere(eLine, start, end, name+" "+it.Text, "the line %q has no %s", s.clip(it.Text), strings.TrimPrefix(lacks, "a "))
		}
	})
	return nil
}

// helpersInItems: what helpers said stands in items.
func (s *session) helpersInItems() error {
	s.sections('E', func(sec *mindblock.Section, name string) {
		if len(sec.Items) == 0 {
			s.sayHere(eLine, sec.FirstStart, sec.FirstEnd, name+" E", "section E of block %q has text and no line on a helper", name)
		}
	})
	return nil
}

// foldedAsWritten: a line that folds a block is written as the specification has it.
func (s *session) foldedAsWritten() error {
	for i := range s.notes.Blocks {
		if b := &s.notes.Blocks[i]; b.Compaction != nil && !b.Compaction.Exact {
			s.sayHere(compaction, b.BodyStart, b.BodyEnd, nameOf(b)+" form", "the line in block %q is not `(compacted: <bytes> bytes, sha256 <16 hex>)`", nameOf(b))
		}
	}
	return nil
}

// foldedOldestFirst: a block is folded only when every older one but block 0 is.
func (s *session) foldedOldestFirst() error {
	whole := (*mindblock.Block)(nil)
	for i := len(s.notes.Blocks) - 1; i >= 0; i-- {
		b := &s.notes.Blocks[i]
		switch {
		case b.Number.IsZero():
		case b.Compaction == nil:
			if whole == nil {
				whole = b
			}
		case whole != nil:
			s.sayHere(compaction, b.BodyStart, b.BodyEnd, nameOf(b)+" order", "block %q is folded before the older block %q", nameOf(b), nameOf(whole))
			return nil
		}
	}
	return nil
}

// foldedNotTheEnds: block 0 and the top block stay whole.
func (s *session) foldedNotTheEnds() error {
	for i := range s.notes.Blocks {
		b := &s.notes.Blocks[i]
		if b.Compaction == nil || i > 0 && !b.Number.IsZero() {
			continue
		}
		which := "block 0"
		if i == 0 {
			which = "the top block"
		}
		s.sayHere(compaction, b.BodyStart, b.BodyEnd, nameOf(b)+" end", "block %q is folded, and %s has to stay whole", nameOf(b), which)
	}
	return nil
}

// reviewOfFirst: block 0 of a closed session has a line of a reviewer.
func (s *session) reviewOfFirst() error {
	if !s.closed || len(s.set.reviewers) == 0 {
		return nil
	}
	first := withNumber(s.notes, "0")
	if len(first) == 0 {
		s.say(noReview, "block 0", "session %s is closed and has no block 0 that a reviewer could have read", s.n)
		return nil
	}
	s.review(first[0])
	return nil
}

// reviewOfNewest: so does the top block.
func (s *session) reviewOfNewest() error {
	if !s.closed || len(s.set.reviewers) == 0 || len(s.notes.Blocks) == 0 || s.notes.Blocks[0].Number.IsZero() {
		return nil
	}
	s.review(&s.notes.Blocks[0])
	return nil
}

// review reports a block without a line of a reviewer who is not the writer.
func (s *session) review(b *mindblock.Block) {
	for i := range b.Sections {
		if b.Sections[i].Letter != 'E' {
			continue
		}
		for _, it := range b.Sections[i].Items {
			if r := s.run(it); r.Whole() && s.reviews(r.Role) {
				return
			}
		}
	}
	f := s.sayHere(noReview, b.Start, b.End, nameOf(b), "session %s is closed and section E of block %q has no line of a reviewer", s.n, nameOf(b))
	f.Help = "Let one of " + strings.Join(s.set.reviewers, ", ") + " read the block and note what it said in section E."
	f.Level = finding.Fail
}

// reviews reports whether role is a reviewer who is not the writer.
func (s *session) reviews(role string) bool {
	same := func(name string) bool { return strings.EqualFold(norm.NFC.String(name), norm.NFC.String(role)) }
	return slices.ContainsFunc(s.set.reviewers, same) && (s.set.writer == "" || !same(s.set.writer))
}
