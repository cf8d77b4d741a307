package record

import (
	"bytes"
	"fmt"
	"io"
)

// extendRotated is extend for a record that may move old content into its archive.
func (c *Comparison) extendRotated(before Version, parent int) (g growth, kept bool, problems []Problem, err error) {
	g, kept, problems, err = c.extend(before, c.After)
	if err != nil || kept || c.Archive == nil {
		return g, kept, problems, err
	}
	rest, moved, err := c.rest(before, c.Archive.Before[parent])
	if err == nil && !moved && c.Archive.Sharing != nil {
		rest, moved, err = c.restShared(before, parent)
	}
	if err == nil && !moved && c.Archive.Several {
		rest, moved, err = c.restOfSeveral(before, c.Archive.Before[parent])
	}
	if err != nil {
		return g, false, nil, err
	}
	if !moved {
		for i := range problems {
			problems[i].Message += fmt.Sprintf(", and the archive %q does not grow by exactly what left", c.Archive.Path)
		}
		return g, false, problems, nil
	}
	if c.Grows() != Top {
		if rest.line, err = countLines(before.section(0, before.size-rest.size)); err != nil {
			return g, false, nil, err
		}
	}
	return c.extend(rest, c.After)
}

// rest returns what the old version before keeps when the archive, which was from, grows by old bytes from the end at which
// the record does not grow. It is not moved when the archive grows by anything else.
func (c *Comparison) rest(before, from Version) (rest Version, moved bool, err error) {
	grown, ok, err := c.grown(from)
	if err != nil {
		return Version{}, false, err
	}
	if ok {
		if rest, moved, err = c.without(before, grown); moved || err != nil {
			return rest, moved, err
		}
	}
	if c.Grows() != Top || !from.Exists() || c.Archive.After.size <= from.size {
		return Version{}, false, nil
	}
	// An archive whose newest line is the first grows at its top.
	to := c.Archive.After
	n := to.size - from.size
	if ok, err := equal(from, to.section(n, to.size)); !ok || err != nil {
		return Version{}, false, err
	}
	return c.without(before, to.section(0, n))
}

// grown returns what the archive holds beyond from. A missing final line end, which it may get as every record may, is no
// part of that. It is not ok when the archive has not grown at its end.
func (c *Comparison) grown(from Version) (grown Version, ok bool, err error) {
	to := c.Archive.After
	if !to.Exists() || to.size <= from.size {
		return Version{}, false, nil
	}
	if !from.Exists() {
		return to, true, nil
	}
	if ok, err := equal(from, to.section(0, from.size)); !ok || err != nil {
		return Version{}, false, err
	}
	start := from.size
	end, err := lastBytes(from)
	if err != nil {
		return Version{}, false, err
	}
	if from.size > 0 && !isWhole(end) {
		added, err := lineEndAt(to, start)
		if err != nil {
			return Version{}, false, err
		}
		start += added
	}
	return to.section(start, to.size), start < to.size, nil
}

// without takes moved, which has to be whole lines, from the end of before at which the record does not grow. The last line
// of the record may get its missing line end on the way.
func (c *Comparison) without(before, moved Version) (rest Version, ok bool, err error) {
	end, err := lastBytes(before)
	if err != nil {
		return Version{}, false, err
	}
	if n := moved.size; n > 0 && !isWhole(end) {
		for _, eol := range []string{"\r\n", "\n"} {
			stripped, has, err := trimmed(moved, eol)
			if err != nil {
				return Version{}, false, err
			}
			if has && (c.Grows() == Top || stripped.size == before.size) {
				if rest, ok, err = c.cut(before, stripped); ok || err != nil {
					return rest, ok, err
				}
			}
		}
	}
	return c.cut(before, moved)
}

func (c *Comparison) cut(before, moved Version) (rest Version, ok bool, err error) {
	n := moved.size
	if n == 0 || n > before.size {
		return Version{}, false, nil
	}
	left, rest := before.section(0, n), before.section(n, before.size)
	first := left
	if c.Grows() == Top {
		rest, left = before.section(0, before.size-n), before.section(before.size-n, before.size)
		first = rest
	}
	if n < before.size {
		end, err := lastBytes(first)
		if err != nil || !isWhole(end) {
			return Version{}, false, err
		}
	}
	ok, err = equal(left, moved)
	return rest, ok, err
}

// restShared is rest for an archive that several records move into in one change: it grows by old lines of one of them, then
// of another.
func (c *Comparison) restShared(before Version, parent int) (rest Version, moved bool, err error) {
	if c.Grows() == Top {
		return Version{}, false, nil
	}
	all, own, err := c.Archive.Sharing(parent)
	if err != nil {
		return Version{}, false, err
	}
	grown, ok, err := c.grown(c.Archive.Before[parent])
	if !ok || err != nil {
		return Version{}, false, err
	}
	used := make([]bool, len(all))
	for grown.size > 0 {
		best, length := -1, int64(0)
		for i, v := range all {
			if used[i] || !v.Exists() {
				continue
			}
			n, err := commonLines(v, grown)
			if err != nil {
				return Version{}, false, err
			}
			if n > length {
				best, length = i, n
			}
		}
		if best < 0 {
			return Version{}, false, nil
		}
		if used[best] = true; best == own {
			rest, moved = before.section(length, before.size), true
		}
		grown = grown.section(length, grown.size)
	}
	return rest, moved, nil
}

// restOfSeveral is rest for a change of several commits, each of which is judged alone: between two moves, lines may have come
// that the old version did not have, and other records may have moved. Nothing is lost when the old lines stand, in their
// order, first in what the archive has gained and then in the record.
func (c *Comparison) restOfSeveral(before, from Version) (rest Version, moved bool, err error) {
	if c.Grows() == Top {
		return Version{}, false, nil
	}
	grown, ok, err := c.grown(from)
	if !ok || err != nil {
		return Version{}, false, err
	}
	in, err := within(all(before), all(grown))
	if err != nil {
		return Version{}, false, err
	}
	start := before.size
	if in.lost != nil {
		start = in.lost.offset
	}
	return before.section(start, before.size), start > 0, nil
}

// commonLines returns the number of bytes of the whole lines with which both a and b begin.
func commonLines(a, b Version) (int64, error) {
	p, err := openPair(a, b)
	if err != nil {
		return 0, err
	}
	defer p.close()
	var read, lines int64
	for left := min(a.size, b.size); left > 0; {
		x, y, err := p.next(left)
		if err != nil {
			return 0, err
		}
		same := 0
		for same < len(x) && x[same] == y[same] {
			same++
		}
		if i := bytes.LastIndexByte(x[:same], '\n'); i >= 0 {
			lines = read + int64(i) + 1
		}
		if same < len(x) {
			return lines, nil
		}
		read += int64(len(x))
		left -= int64(len(x))
	}
	return lines, nil
}

// trimmed returns v without the line end eol at its end.
func trimmed(v Version, eol string) (out Version, has bool, err error) {
	n := int64(len(eol))
	if v.size < n {
		return v, false, nil
	}
	end, err := read(v.section(v.size-n, v.size))
	return v.section(0, v.size-n), string(end) == eol, err
}

// lineEndAt returns the length of the line end at offset at of v, 0 when there is none.
func lineEndAt(v Version, at int64) (int64, error) {
	next, err := read(v.section(at, min(at+2, v.size)))
	switch {
	case bytes.HasPrefix(next, []byte("\n")):
		return 1, err
	case string(next) == "\r\n":
		return 2, err
	}
	return 0, err
}

// lastBytes returns the last bytes of v, as many as are looked at for a line end.
func lastBytes(v Version) ([]byte, error) { return read(v.section(max(0, v.size-peeked), v.size)) }

func read(v Version) ([]byte, error) {
	r, err := v.open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}

// isWhole reports whether a content with this end ends at the end of a line, in whatever encoding.
func isWhole(end []byte) bool {
	return bytes.HasSuffix(end, []byte("\n")) || bytes.HasSuffix(end, []byte("\n\x00"))
}

// equal compares two versions byte by byte.
func equal(a, b Version) (bool, error) {
	if a.size != b.size {
		return false, nil
	}
	p, err := openPair(a, b)
	if err != nil {
		return false, err
	}
	defer p.close()
	for left := a.size; left > 0; {
		x, y, err := p.next(left)
		if err != nil {
			return false, err
		}
		if !bytes.Equal(x, y) {
			return false, nil
		}
		left -= int64(len(x))
	}
	return true, nil
}
