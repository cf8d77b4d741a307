package record

import (
	"fmt"

	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/text"
	"znkr.io/diff"
)

// Changes pair the entries of two versions of a list.
type Changes struct {
	Before, After *Listing
	Problems      []Problem
	to            []int // for each old entry the index of the new one that it became, -1 when it is gone
	from          []int // the reverse
	foreign       func(now int) bool
	compared      int // texts that have been compared
}

// IsNew reports whether the new entry i is none of the old ones.
func (c *Changes) IsNew(i int) bool { return c.from[i] < 0 }

// To returns the index of what the old entry i became, -1 when it is gone.
func (c *Changes) To(i int) int { return c.to[i] }

// From returns the index of the old entry that became the new entry i, -1 when it is new.
func (c *Changes) From(i int) int { return c.from[i] }

// CompareLists compares two versions of a list. The old entries must be a subsequence of the new ones, each with the same
// text, check mark and heading; growth anywhere is fine.
func CompareLists(before, after *Listing) *Changes {
	return compareLists(before, after, func(int) bool { return false })
}

// compareLists is CompareLists where some new entries are known to be old ones of another version. They are not taken for
// new wordings.
func compareLists(before, after *Listing, foreign func(now int) bool) *Changes {
	c := &Changes{Before: before, After: after, to: filled(len(before.Entries)), from: filled(len(after.Entries)), foreign: foreign}
	if c.subsequence() {
		c.reportMoves(c.strayed(nil))
	} else {
		c.align()
		c.classify()
	}
	c.lineEnds()
	return c
}

func filled(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = -1
	}
	return s
}

func (c *Changes) pair(old, now int) { c.to[old], c.from[now] = now, old }

// subsequence pairs all old entries with equal new ones in order, and reports whether that can be done.
func (c *Changes) subsequence() bool {
	now := c.After.Entries
	at := 0
	found := make([]int, 0, len(c.Before.Entries))
	for i := range c.Before.Entries {
		for at < len(now) && !now[at].same(&c.Before.Entries[i]) {
			at++
		}
		if at == len(now) {
			return false
		}
		found = append(found, at)
		at++
	}
	for old, n := range found {
		c.pair(old, n)
	}
	return true
}

func keysOf(l *Listing) []string {
	keys := make([]string, len(l.Entries))
	for i := range l.Entries {
		keys[i] = l.Entries[i].key()
	}
	return keys
}

// align pairs as many equal entries in order as there are.
func (c *Changes) align() {
	for _, e := range diff.Edits(keysOf(c.Before), keysOf(c.After)) {
		if e.Op == diff.Match {
			c.pair(e.PosX, e.PosY)
		}
	}
}

// strayed adds to moves the nested entries that kept their order and now hang below another item, while their own is still
// there: a new item slipped in between.
func (c *Changes) strayed(moves []int) []int {
	listed := map[int]bool{}
	for _, old := range moves {
		listed[old] = true
	}
	for old, now := range c.to {
		if now < 0 || listed[old] {
			continue
		}
		was, is := c.Before.Entries[old].Parent, c.After.Entries[now].Parent
		if was < 0 || is < 0 || c.to[was] < 0 || c.to[was] == is || c.Before.Entries[was].body() == c.After.Entries[is].body() {
			continue
		}
		moves = append(moves, old)
	}
	return moves
}

func (c *Changes) edited(old, now int) {
	o, n := &c.Before.Entries[old], &c.After.Entries[now]
	message := fmt.Sprintf("the published entry %q now reads %q", quotable(o.Shown()), quotable(n.Shown()))
	if o.Text == n.Text && o.Task != n.Task {
		message = fmt.Sprintf("the check mark of the published entry %q changes to %q", quotable(o.Shown()), quotable(n.Shown()))
	}
	c.report(EntryEdited, old, n.Span, finding.After, message)
}

// gone reports an old entry that no new one stands for.
func (c *Changes) gone(old int) {
	o := &c.Before.Entries[old]
	if span, ok := c.hidden(old); ok {
		c.report(EntryHidden, old, span, finding.After, fmt.Sprintf("the published entry %q now stands in a comment or in code", quotable(o.Shown())))
		return
	}
	c.report(EntryRemoved, old, o.Span, finding.Before, fmt.Sprintf("the published entry %q is gone", quotable(o.Shown())))
}

func (c *Changes) report(slug string, old int, span text.Span, side finding.Side, message string) {
	o := &c.Before.Entries[old]
	c.Problems = append(c.Problems, Problem{Slug: slug, Span: span, Side: side, Message: message, Anchor: o.mark() + o.Text, Old: old})
}

// A renaming is the old and the new text of a heading.
type renaming struct{ from, to string }

// reportMoves reports entries that stand elsewhere. Those that moved only since their heading was renamed are reported
// together, once a heading; those that moved along with the item that holds them are not reported again.
func (c *Changes) reportMoves(moves []int) {
	groups := map[renaming][]int{}
	var order []renaming
	for _, old := range moves {
		o, n := &c.Before.Entries[old], &c.After.Entries[c.to[old]]
		if o.Parent >= 0 && c.to[o.Parent] == n.Parent && n.Parent >= 0 {
			continue
		}
		r := renaming{o.Heading, n.Heading}
		if r.from == r.to || c.After.hasHeading(r.from) {
			c.report(EntryMoved, old, n.Span, finding.After, c.moveMessage(o, n))
			continue
		}
		if groups[r] == nil {
			order = append(order, r)
		}
		groups[r] = append(groups[r], old)
	}
	for _, r := range order {
		old := groups[r][0]
		n := &c.After.Entries[c.to[old]]
		message := fmt.Sprintf("the heading %q over %s is now %q", quotable(shorten(r.from)), counted(len(groups[r])), quotable(shorten(r.to)))
		span := n.Span
		switch {
		case r.from != "" && r.to != "" && c.Before.hasHeading(r.to):
			message = fmt.Sprintf("the heading %q is gone, and %s below it now stands under %q", quotable(shorten(r.from)), counted(len(groups[r])), quotable(shorten(r.to)))
		case r.from == "":
			message = fmt.Sprintf("%s without a heading now stands under %q", counted(len(groups[r])), quotable(shorten(r.to)))
		case r.to == "":
			message = fmt.Sprintf("the heading %q over %s is gone", quotable(shorten(r.from)), counted(len(groups[r])))
		}
		if line := n.otherHeading(&c.Before.Entries[old]); line > 0 {
			span = c.After.lines.LineSpan(line)
		}
		c.report(EntryMoved, old, span, finding.After, message)
	}
}

// otherHeading returns the line of the first heading of e that o does not stand under, of its last where it has no other; 0
// without any.
func (e *Entry) otherHeading(o *Entry) int {
	line := 0
	for i, h := range e.under {
		line = h.line
		if i >= len(o.under) || o.under[i].text != h.text {
			break
		}
	}
	return line
}

func counted(n int) string {
	if n == 1 {
		return "one published entry"
	}
	return fmt.Sprintf("%d published entries", n)
}

func (c *Changes) moveMessage(o, n *Entry) string {
	switch {
	case o.Heading != n.Heading && n.Heading == "":
		return fmt.Sprintf("the published entry %q no longer stands under %q", quotable(o.Shown()), quotable(shorten(o.Heading)))
	case o.Heading != n.Heading:
		return fmt.Sprintf("the published entry %q moved from %q to %q", quotable(o.Shown()), quotable(shorten(o.Heading)), quotable(shorten(n.Heading)))
	case o.Quoted != n.Quoted:
		return fmt.Sprintf("the published entry %q moved into or out of a quote", quotable(o.Shown()))
	case o.place() != n.place() || o.Parent >= 0 && c.to[o.Parent] != n.Parent:
		return fmt.Sprintf("the published entry %q now hangs below another item", quotable(o.Shown()))
	}
	return fmt.Sprintf("the published entry %q no longer stands in its order", quotable(o.Shown()))
}

// lineEnds reports a change of line ends, once.
func (c *Changes) lineEnds() {
	b, a := c.Before, c.After
	if b.ended == 0 || a.ended == 0 || b.usesCRLF() == a.usesCRLF() {
		return
	}
	now := "LF"
	if a.usesCRLF() {
		now = "CRLF"
	}
	c.Problems = append(c.Problems, Problem{Slug: EOLChanged, Side: finding.After, Span: a.lines.LineSpan(1), Anchor: "line ends", Old: -1,
		Message: fmt.Sprintf("the line ends of the file change to %s", now)})
}
