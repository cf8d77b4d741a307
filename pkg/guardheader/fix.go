package guardheader

import (
	"bytes"
	"errors"

	"github.com/seed-4419f9ca/forge/pkg/text"
)

// Why a file is not fixed.
var (
	ErrUnreadable      = errors.New("it cannot be read for certain")
	ErrUnclosedFront   = errors.New("its frontmatter never closes")
	ErrUnclosedComment = errors.New("a comment in it never closes")
	ErrNoComments      = errors.New("files of its kind carry no header")
	ErrAbove           = errors.New("its header stands above the frontmatter, which a move would bring back to life")
	ErrOther           = errors.New("the guard of another row stands in it")
	ErrMeaning         = errors.New("a move of its header would change what the rest means")
)

// Fix returns the edits that give the scanned file the header of r, in its place and with its exact bytes: a missing one
// is put in with a blank line on each side, a misplaced one moves there, a misspelt one is corrected. Every other byte
// stays, and a second fix has nothing to do. Fix refuses, with one of the errors of this package, what it cannot judge
// or what a person has to decide; the edits are then nil.
func (s *Scan) Fix(r *Row) ([]text.Edit, error) {
	switch {
	case !s.carries || s.syntax != nil && !s.syntax.writable(r):
		return nil, ErrNoComments
	case s.Unreadable != "":
		return nil, ErrUnreadable
	}
	right := s.Right(r)
	move := misplaced(right)
	edits := s.spell(r, right, move)
	switch {
	case len(right) > 0 && move == nil && len(edits) == 0:
		return nil, nil
	case s.UnclosedFront:
		return nil, ErrUnclosedFront
	case s.UnclosedComment >= 0:
		return nil, ErrUnclosedComment
	case len(right) == 0 && len(s.Other(r)) > 0:
		return nil, ErrOther
	case len(right) == 0:
		edits = append(edits, s.insert(r))
	case move != nil && move.Above:
		return nil, ErrAbove
	case move != nil:
		edits = append(edits, s.cut(move), s.insert(r))
	}
	return s.proven(r, edits)
}

// proven returns edits when they do what they are for: the header of r then stands in its place, and the file has a
// frontmatter if and only if it had one. What stood under a header at the top of a file can become something else.
func (s *Scan) proven(r *Row, edits []text.Edit) ([]text.Edit, error) {
	out, err := text.Apply(s.src, edits)
	if err != nil {
		return nil, err
	}
	again := s.rows.Find(s.path, out)
	if right := again.Right(r); misplaced(right) != nil || len(right) == 0 || again.front != s.front || again.UnclosedFront {
		return nil, ErrMeaning
	}
	return edits, nil
}

// misplaced returns the first of guards when none of them is placed.
func misplaced(guards []*Guard) *Guard {
	for _, g := range guards {
		if g.Placed {
			return nil
		}
	}
	if len(guards) == 0 {
		return nil
	}
	return guards[0]
}

// Lower returns the edits that move a header of r from above the frontmatter to where it belongs, so that the frontmatter
// counts again; nil when something else than headers and blank lines stands above.
func (s *Scan) Lower(r *Row) []text.Edit {
	right := s.Right(r)
	if s.Above == nil || len(right) == 0 || s.UnclosedComment >= 0 || s.Unreadable != "" {
		return nil
	}
	start := 0
	if bytes.HasPrefix(s.src, []byte(bom)) {
		start = len(bom)
	}
	rest := bytes.Clone(s.src[start:s.Fence])
	above := false
	for i := range s.Guards {
		g := &s.Guards[i]
		if g.Above && g.Is(r) {
			above = true
			clear(rest[g.line-start : g.stop-start])
		}
	}
	if !above || len(bytes.Trim(rest, "\x00\r\n\t ")) > 0 {
		return nil
	}
	edits := []text.Edit{{Start: start, End: s.Fence}}
	for _, g := range right {
		if g.Placed {
			return edits
		}
	}
	return append(edits, s.insert(r))
}

// spell returns the edits that correct the guards that stay where they are.
func (s *Scan) spell(r *Row, right []*Guard, move *Guard) []text.Edit {
	var edits []text.Edit
	for _, g := range right {
		if g != move && !g.Exact {
			edits = append(edits, text.Edit{Start: g.line, End: g.stop, New: []byte(s.exact(r, g))})
		}
	}
	return edits
}

// exact returns the line of the header of r at the place of g.
func (s *Scan) exact(r *Row, g *Guard) string {
	if s.syntax == nil {
		return markdownHeader(r)
	}
	return s.wanted(g.Start, g.End)(r)
}

// insert returns the edit that puts the header of r in its place.
func (s *Scan) insert(r *Row) text.Edit {
	header := r.Header
	if s.syntax != nil {
		header = s.syntax.header(r)
	}
	at, eol := s.place.at, s.lineEndAt(s.place.at)
	// The blank lines that stand there already separate the header too.
	blank, second := 0, at
	end := at
	for end < len(s.src) {
		line, next := lineAt(s.src, end)
		if len(bytes.TrimSpace(line)) > 0 || next == len(s.src) && s.src[next-1] != '\n' {
			break
		}
		if blank++; blank == 1 {
			second = next
		}
		end = next
	}
	more := len(bytes.TrimSpace(s.src[end:])) > 0
	e := text.Edit{Start: at, End: at, New: []byte(header + eol)}
	switch {
	case !s.place.after:
		if blank == 0 && more {
			e.New = append(e.New, eol...)
		}
	case at > 0 && s.src[at-1] != '\n' && !more:
		e.New = []byte(eol + eol + header)
	case at > 0 && s.src[at-1] != '\n':
		e.New = []byte(eol + eol + header + eol + eol)
	case blank > 1 || blank == 1 && !more:
		e.Start, e.End = second, second
	default:
		e.New = append([]byte(eol), e.New...)
		if blank == 0 && more {
			e.New = append(e.New, eol...)
		}
	}
	return e
}

// cut returns the edit that takes the line of g out. One of two blank lines around it goes with it, and a blank line
// stays in its place where the lines around it would come together.
func (s *Scan) cut(g *Guard) text.Edit {
	if g.line != lineStart(s.src, g.line) { // behind a prolog
		return text.Edit{Start: g.line, End: g.stop}
	}
	blank := func(line []byte) bool { return len(bytes.TrimSpace(line)) == 0 }
	_, next := lineAt(s.src, g.stop)
	before := g.line // start of the line above
	if g.line > 0 && s.src[g.line-1] == '\n' {
		before = lineStart(s.src, len(bytes.TrimSuffix(s.src[:g.line-1], []byte{'\r'})))
	}
	above := blank(s.src[before:g.line])
	if next == len(s.src) {
		if above {
			return text.Edit{Start: s.keepEnd(before), End: next}
		}
		return text.Edit{Start: s.keepEnd(g.line), End: next}
	}
	below, after := lineAt(s.src, next)
	switch {
	case above && blank(below):
		return text.Edit{Start: g.line, End: after}
	case above || blank(below):
		return text.Edit{Start: g.line, End: next}
	}
	return text.Edit{Start: g.line, End: g.stop}
}

// keepEnd returns the line start at from which the file can be cut off. In a file without a line end at its end that is
// before the line ends above.
func (s *Scan) keepEnd(at int) int {
	if s.src[len(s.src)-1] == '\n' {
		return at
	}
	return len(bytes.TrimRight(s.src[:at], "\r\n"))
}

// lineEndAt returns the line end of the line before offset at; where there is none that of the first line, LF in a file
// without any.
func (s *Scan) lineEndAt(at int) string {
	n := at - 1
	if at == 0 || s.src[at-1] != '\n' {
		n = bytes.IndexByte(s.src, '\n')
	}
	if n > 0 && s.src[n-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}
