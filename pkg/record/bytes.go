package record

import (
	"fmt"

	"github.com/seed-4419f9ca/forge/pkg/finding"
)

// extend judges whether after extends before in the direction of c. With kept it returns what is new; problems may then
// still hold a change of line ends.
func (c *Comparison) extend(before, after Version) (g growth, kept bool, problems []Problem, err error) {
	switch c.Grows() {
	case Top:
		return c.extendTop(before, after)
	case Any:
		return c.extendAny(before, after)
	}
	g, kept, err = prefix(before, after)
	if err != nil || kept {
		return g, kept, nil, err
	}
	o, err := lockstep(before, after, 0)
	if err != nil {
		return g, false, nil, err
	}
	problems = flips(o.flipped)
	switch {
	case o.kept && o.flipped != nil:
		g, err = growthAfter(before, o.next)
		return g, true, problems, err
	case o.kept:
		// The bytes differ and no line does: what that is matters less than that it is said.
		p := Problem{Slug: Rewritten, Side: finding.After, Old: -1, Message: "the published bytes are not the beginning of the file any more"}
		return g, false, []Problem{p}, nil
	}
	p, err := classify(before, after, o)
	return g, false, append(problems, p), err
}

// flips reports a change of line ends, once.
func flips(first *line) []Problem {
	if first == nil {
		return nil
	}
	now := map[eol]string{eolLF: "LF", eolCRLF: "CRLF"}[first.end]
	p := problem(EOLChanged, finding.After, first,
		fmt.Sprintf("the line ends of published lines change to %s from line %d on, the text does not", now, first.number))
	p.Anchor = "line ends"
	return []Problem{p}
}

// growthAfter describes a growth that begins with the line next of the new version, or is empty without one.
func growthAfter(before Version, next *line) (growth, error) {
	n, err := countLines(before)
	if err != nil {
		return growth{}, err
	}
	if next != nil {
		n = next.number - 1
	}
	return freshFrom(n + 1), nil
}

// classify names what is wrong with a log that grows at its end and departs from its old lines at o.
func classify(before, after Version, o outcome) (Problem, error) {
	x, y := o.before, o.after
	switch {
	case y == nil:
		p := problem(Truncated, finding.Before, x, fmt.Sprintf("published line %d %q and what follows it are gone", x.number, quoted(x)))
		p.Anchor = x.shown()
		return p, nil
	case y.end == eolNone && (x.same(y) || x.continues(y)):
		p := problem(Truncated, finding.After, y, fmt.Sprintf("published line %d %q is cut off at %q", x.number, quoted(x), quoted(y)))
		if x.same(y) {
			p.Message = fmt.Sprintf("published line %d %q loses its line end", x.number, quoted(x))
		}
		p.Anchor = x.shown()
		return p, nil
	}
	in, err := within(all(before), all(after))
	if err != nil {
		return Problem{}, err
	}
	if in.lost != nil {
		return rewritten(x, y), nil
	}
	atTop, err := suffixLines(before, after)
	if err == nil && !atTop {
		_, atTop, err = together(before, after, in)
	}
	if err != nil {
		return Problem{}, err
	}
	if atTop {
		p := problem(WrongEnd, finding.After, y, fmt.Sprintf("line %d %q is new and stands above the published lines, but this record grows at its end", y.number, quoted(y)))
		p.Anchor = y.shown()
		return p, nil
	}
	return inserted(y), nil
}

// A quotable is a text that fmt quotes with %q without escaping what people can read.
type quotable string

// Format prints q between quotation marks. Escaping is left to whoever prints a finding, who knows the medium.
func (q quotable) Format(s fmt.State, verb rune) { fmt.Fprintf(s, "\"%s\"", string(q)) }

func quoted(l *line) quotable { return quotable(l.shown()) }

func rewritten(x, y *line) Problem {
	p := problem(Rewritten, finding.After, y, fmt.Sprintf("published line %d %q now reads %q", x.number, quoted(x), quoted(y)))
	if x.number != y.number {
		p.Message = fmt.Sprintf("published line %d %q now reads %q on line %d", x.number, quoted(x), quoted(y), y.number)
	}
	p.Span, p.Anchor = y.spanFrom(x), x.shown()
	return p
}

func inserted(y *line) Problem {
	p := problem(Inserted, finding.After, y, fmt.Sprintf("line %d %q is new and stands among the published lines", y.number, quoted(y)))
	p.Anchor = y.shown()
	return p
}

// together reports whether all lines of before stand together in after, without a new line between them but with some
// above. below is the first line that follows them, nil when none does.
func together(before, after Version, in passage) (below *line, ok bool, err error) {
	if len(in.strays) == 0 || in.strays[0].first != 1 {
		return nil, false, nil
	}
	o, err := lockstep(before, after, in.strays[0].last)
	return o.next, o.kept, err
}

// suffixLines reports whether the lines of before are the last lines of after.
func suffixLines(before, after Version) (bool, error) {
	o, err := lockstepEnd(before, after)
	return o.kept, err
}

// lockstepEnd compares the lines of before with as many lines at the end of after.
func lockstepEnd(before, after Version) (outcome, error) {
	n, err := countLines(before)
	if err != nil {
		return outcome{}, err
	}
	m, err := countLines(after)
	if err != nil {
		return outcome{}, err
	}
	return lockstep(before, after, max(0, m-n))
}

// extendTop judges a record whose newest line is the first.
func (c *Comparison) extendTop(before, after Version) (g growth, kept bool, problems []Problem, err error) {
	o, err := lockstepEnd(before, after)
	if err != nil {
		return g, false, nil, err
	}
	problems = flips(o.flipped)
	if o.kept {
		old := o.skipped
		return growth{number: 1, fresh: func(n int) bool { return n <= old }}, true, problems, nil
	}
	x, y := o.before, o.after
	below, err := lockstep(before, after, 0)
	if err != nil {
		return g, false, nil, err
	}
	in, err := within(all(before), all(after))
	if err != nil {
		return g, false, nil, err
	}
	n := below.next
	if !below.kept {
		if n, _, err = together(before, after, in); err != nil {
			return g, false, nil, err
		}
	}
	if n != nil {
		p := problem(WrongEnd, finding.After, n, fmt.Sprintf("line %d %q is new and stands below the published lines, but this record grows at its top", n.number, quoted(n)))
		p.Anchor = n.shown()
		return g, false, append(problems, p), nil
	}
	switch {
	case in.lost == nil && in.below != nil:
		return g, false, append(problems, inserted(in.below)), nil
	case y == nil || y.end == eolNone && (x.same(y) || x.continues(y)):
		p := problem(Truncated, finding.Before, x, fmt.Sprintf("published line %d %q is cut off or gone", x.number, quoted(x)))
		p.Anchor = x.shown()
		return g, false, append(problems, p), nil
	}
	return g, false, append(problems, rewritten(x, y)), nil
}

// extendAny judges a record that may grow anywhere.
func (c *Comparison) extendAny(before, after Version) (g growth, kept bool, problems []Problem, err error) {
	in, err := within(all(before), all(after))
	if err != nil {
		return g, false, nil, err
	}
	problems = flips(in.flipped)
	if in.lost == nil {
		return growth{number: 1, fresh: in.isStray}, true, problems, nil
	}
	o, err := lockstep(before, after, 0)
	if err != nil {
		return g, false, nil, err
	}
	if o.after == nil || o.after.end == eolNone && (o.before.same(o.after) || o.before.continues(o.after)) {
		p, err := classify(before, after, o)
		return g, false, append(problems, p), err
	}
	x := in.lost
	p := problem(Rewritten, finding.Before, x, fmt.Sprintf("published line %d %q no longer stands in its order", x.number, quoted(x)))
	p.Anchor = x.shown()
	return g, false, append(problems, p), nil
}
