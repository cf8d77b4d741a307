package record

import "sort"

// An outcome is the comparison of two versions line by line, with line ends left aside.
type outcome struct {
	kept bool // every old line stands where it should
	// Of the first place where they differ; nil where a version has no further line.
	before, after *line
	flipped       *line // the first line of after that is the same but for its line end
	next          *line // with kept: the first line of after beyond the old ones
	skipped       int   // lines of after that were left out at its beginning
}

// lockstep compares the lines of before with those of after from line skip+1 on.
func lockstep(before, after Version, skip int) (o outcome, err error) {
	o.skipped = skip
	a, err := openLines(before)
	if err != nil {
		return o, err
	}
	defer a.close()
	b, err := openLines(after)
	if err != nil {
		return o, err
	}
	defer b.close()
	if err := b.skip(skip); err != nil {
		return o, err
	}
	for {
		x, err := a.next()
		if err != nil {
			return o, err
		}
		y, err := b.next()
		if err != nil {
			return o, err
		}
		switch {
		case x == nil:
			o.kept, o.next = true, cloneLine(y)
			return o, nil
		case y == nil || !x.same(y) || x.end != eolNone && y.end == eolNone:
			o.before, o.after = x.clone(), cloneLine(y)
			return o, nil
		case x.end != y.end && x.end != eolNone && o.flipped == nil:
			o.flipped = y.clone()
		}
	}
}

func cloneLine(l *line) *line {
	if l == nil {
		return nil
	}
	return l.clone()
}

// A window is a range of the lines of a version.
type window struct {
	version Version
	skip    int
	count   int                  // number of lines after those that are skipped; -1 for all of them
	only    func(index int) bool // by index from 0 after those that are skipped; nil for all of them
}

func all(v Version) window { return window{version: v, count: -1} }

// A passage says how the lines of one window are contained, in order, in those of another.
type passage struct {
	lost    *line // the first line that is missing there, nil when none is
	stray   *line // the first line of the other window that is none of them and has one of them after it
	below   *line // the first line of the other window that is none of them and has one of them before it
	flipped *line // the first of them that has another line end there
	taken   int   // the number of the last line of the other window that is one of them, 0 for none
	strays  []run // the numbers of all lines of the other window that are none of them
}

// A run is the lines from number first to number last.
type run struct{ first, last int }

// isStray reports whether the line is none of those that were looked for.
func (p *passage) isStray(number int) bool {
	i := sort.Search(len(p.strays), func(i int) bool { return p.strays[i].last >= number })
	return i < len(p.strays) && p.strays[i].first <= number
}

// addStray notes a line that is none of those looked for. Numbers rise.
func (p *passage) addStray(number int) {
	if n := len(p.strays); n > 0 && p.strays[n-1].last == number-1 {
		p.strays[n-1].last = number
		return
	}
	p.strays = append(p.strays, run{number, number})
}

// within looks for the lines of part in whole. Taking each at the first place possible finds them all if that can be done.
func within(part, whole window) (p passage, err error) {
	a, err := openWindow(part)
	if err != nil {
		return p, err
	}
	defer a.close()
	b, err := openWindow(whole)
	if err != nil {
		return p, err
	}
	defer b.close()
	var stray *line
	for {
		x, err := a.next()
		if err != nil {
			return p, err
		}
		for {
			y, err := b.next()
			if err != nil {
				return p, err
			}
			if y == nil {
				p.lost = cloneLine(x)
				return p, nil
			}
			if x != nil && x.same(y) {
				if p.flipped == nil && x.end != y.end && x.end != eolNone && y.end != eolNone {
					p.flipped = y.clone()
				}
				p.taken = y.number
				break
			}
			p.addStray(y.number)
			if p.taken > 0 && p.below == nil {
				p.below = y.clone()
			}
			if stray == nil {
				stray = y.clone()
			}
		}
		p.stray = stray
	}
}

// windowReader reads the lines of a window.
type windowReader struct {
	*lineReader
	window
	index int
}

func openWindow(w window) (*windowReader, error) {
	l, err := openLines(w.version)
	if err != nil {
		return nil, err
	}
	if err := l.skip(w.skip); err != nil {
		l.close()
		return nil, err
	}
	return &windowReader{l, w, 0}, nil
}

func (w *windowReader) next() (*line, error) {
	for w.index != w.count {
		l, err := w.lineReader.next()
		if err != nil || l == nil {
			return nil, err
		}
		w.index++
		if w.only == nil || w.only(w.index-1) {
			return l, nil
		}
	}
	return nil, nil
}
