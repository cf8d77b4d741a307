// Package union joins two versions of an append-only file that both grew from one base: nothing that either of them has is
// lost, and nothing that the base has moves (chapter 5.3 of the specification, merge drivers). What did more than grow is
// left to people.
package union

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/record"
	"znkr.io/diff"
)

// A Refusal is the error for versions that cannot be joined.
type Refusal struct{ Reason string }

func (e *Refusal) Error() string { return e.Reason }

func refuse(format string, args ...any) error { return &Refusal{fmt.Sprintf(format, args...)} }

// Logs joins logs, which grow at their end, or at their top when top is set: beyond the base comes what ours added, and
// beyond that what theirs added, which in a rebase is what follows on ours. Lines that both added first, nearest to the
// base, are the same additions and stand once.
func Logs(base, ours, theirs []byte, top bool) ([]byte, error) {
	for _, v := range [][]byte{base, ours, theirs} {
		if bytes.IndexByte(v, 0) >= 0 {
			return nil, refuse("a version has NUL bytes and may be of another encoding")
		}
	}
	eol := lineEnd(ours)
	old, a, b := lines(base, eol), lines(ours, eol), lines(theirs, eol)
	if top {
		slices.Reverse(old)
		slices.Reverse(a)
		slices.Reverse(b)
	}
	var err error
	if a, err = beyond(old, a, "ours"); err != nil {
		return nil, err
	}
	if b, err = beyond(old, b, "theirs"); err != nil {
		return nil, err
	}
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	all := slices.Concat(old, a, b[n:])
	if top {
		slices.Reverse(all)
	}
	return joined(all), nil
}

// lineEnd is how most lines of src end.
func lineEnd(src []byte) string {
	if bytes.Count(src, []byte("\r\n"))*2 > bytes.Count(src, []byte("\n")) {
		return "\r\n"
	}
	return "\n"
}

// lines returns the lines of src with their ends; a last one without an end gets eol.
func lines(src []byte, eol string) []string {
	var out []string
	for line := range bytes.Lines(src) {
		out = append(out, string(line))
	}
	if n := len(out); n > 0 && out[n-1][len(out[n-1])-1] != '\n' {
		out[n-1] += eol
	}
	return out
}

func joined(list []string) []byte {
	var b bytes.Buffer
	for _, s := range list {
		b.WriteString(s)
	}
	return b.Bytes()
}

func beyond(old, now []string, side string) ([]string, error) {
	if len(now) < len(old) || !slices.Equal(old, now[:len(old)]) {
		return nil, refuse("the version of %s does not only add to what both had", side)
	}
	return now[len(old):], nil
}

// Lists joins Markdown lists: each entry that either side added stands where that side put it, under its heading.
func Lists(base, ours, theirs []byte) ([]byte, error) {
	eol := lineEnd(ours)
	old, a, b := pieces(base, eol), pieces(ours, eol), pieces(theirs, eol)
	added, err := insertions(old, a, "ours")
	if err != nil {
		return nil, err
	}
	more, err := insertions(old, b, "theirs")
	if err != nil {
		return nil, err
	}
	var all []piece
	for i := range added {
		all = append(all, both(added[i], more[i])...)
		if i < len(old) {
			all = append(all, old[i])
		}
	}
	var out bytes.Buffer
	for _, p := range all {
		out.WriteString(p.text)
	}
	return out.Bytes(), verify(base, ours, theirs, out.Bytes())
}

// A piece is an entry with its continuation lines, or a line of anything else.
type piece struct {
	text  string
	entry bool
}

func pieces(src []byte, eol string) []piece {
	starts := map[int]bool{}
	for _, e := range record.ParseList(src, nil).Entries {
		starts[e.Line] = true
	}
	var out []piece
	for i, line := range lines(src, eol) {
		blank := len(bytes.TrimSpace([]byte(line))) == 0
		heading := line[0] == '#'
		switch n := len(out); {
		case starts[i+1]:
			out = append(out, piece{line, true})
		case n > 0 && out[n-1].entry && !blank && !heading:
			out[n-1].text += line
		default:
			out = append(out, piece{line, false})
		}
	}
	return out
}

// insertions returns what now adds before each piece of old, and behind the last.
func insertions(old, now []piece, side string) ([][]piece, error) {
	out := make([][]piece, len(old)+1)
	at := 0
	for _, e := range diff.Edits(old, now) {
		switch e.Op {
		case diff.Match:
			at++
		case diff.Insert:
			out[at] = append(out[at], e.Y)
		case diff.Delete:
			return nil, refuse("the version of %s does not only add to what both had", side)
		}
	}
	return out, nil
}

// both joins what two sides added at one place, section by section: what stands under a new heading comes behind what does
// not, and sections of the same heading become one.
func both(a, b []piece) []piece {
	ours, theirs := sections(a), sections(b)
	var out, waiting []piece
	for _, s := range theirs {
		i := slices.IndexFunc(ours, func(o section) bool { return o.heading == s.heading })
		if i < 0 {
			waiting = append(waiting, s.pieces...)
			continue
		}
		for _, o := range ours[:i] {
			out = append(out, o.pieces...)
		}
		out = append(append(out, waiting...), runs(ours[i].pieces, s.pieces)...)
		ours, waiting = ours[i+1:], nil
	}
	for _, o := range ours {
		out = append(out, o.pieces...)
	}
	return append(out, waiting...)
}

// A section is a heading, with the blank lines before it, and what stands under it.
type section struct {
	heading string // "" for what stands before the first one
	pieces  []piece
}

func sections(list []piece) []section {
	out := []section{{}}
	for _, p := range list {
		s := &out[len(out)-1]
		if !p.entry && p.text[0] == '#' {
			n := len(s.pieces)
			for n > 0 && strings.TrimSpace(s.pieces[n-1].text) == "" {
				n--
			}
			blank := slices.Clone(s.pieces[n:])
			s.pieces = s.pieces[:n]
			out = append(out, section{p.text, append(blank, p)})
			continue
		}
		s.pieces = append(s.pieces, p)
	}
	return out
}

// runs puts b behind a. What they share at their beginning, such as a new heading, and entries that both have, stand once.
func runs(a, b []piece) []piece {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	out := slices.Clone(a)
	for _, p := range b[n:] {
		if !p.entry || !slices.Contains(a, p) {
			out = append(out, p)
		}
	}
	return out
}

// verify makes sure that the union is what the check of records takes for one, and that it has no entry of its own making.
func verify(base, ours, theirs, union []byte) error {
	parse := func(src []byte) *record.Listing { return record.ParseList(src, nil) }
	r := record.CompareList(record.ListComparison{
		After:   parse(union),
		Parents: []record.ListParent{{Listing: parse(ours)}, {Listing: parse(theirs), Bases: []*record.Listing{parse(base)}}},
	})
	if len(r.Problems) > 0 {
		return refuse("the two sides cannot be laid side by side: %s", r.Problems[0].Message)
	}
	if len(r.Fresh) > 0 {
		return refuse("the two sides cannot be laid side by side")
	}
	return nil
}
