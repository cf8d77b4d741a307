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
	rest, moved, err := c.rotated(before, parent)
	if err != nil {
		return g, false, nil, err
	}
	if !moved {
		for i := range problems {
			problems[i].Message += fmt.Sprintf(", and the archive %q does not grow by exactly what left", c.Archive.Path)
		}
		return g, false, problems, nil
	}
	return c.extend(rest, c.After)
}

// rotated returns what the old version keeps when the archive grows, in this change, by old bytes from the end at which
// the record does not grow. moved is false when it grows by anything else.
func (c *Comparison) rotated(before Version, parent int) (rest Version, moved bool, err error) {
	from, to := c.Archive.Before[parent], c.Archive.After
	n := to.size - from.size
	if !to.Exists() || n <= 0 || n > before.size {
		return Version{}, false, nil
	}
	left, rest := before.section(0, n), before.section(n, before.size)
	if c.Grows() == Top {
		left, rest = before.section(before.size-n, before.size), before.section(0, before.size-n)
	}
	if ok, err := wholeLines(left); n < before.size && !ok || err != nil {
		return Version{}, false, err
	}
	grown := to.section(from.size, to.size)
	if ok, err := appended(from, to, left, grown); ok || err != nil || c.Grows() != Top {
		return rest, ok, err
	}
	// An archive whose newest line is the first grows at its top.
	ok, err := equal(left, to.section(0, n))
	if !ok || err != nil || !from.Exists() {
		return rest, ok, err
	}
	ok, err = equal(from, to.section(n, to.size))
	return rest, ok, err
}

// appended reports whether the archive to is the archive from with left behind it.
func appended(from, to, left, grown Version) (bool, error) {
	if from.Exists() {
		if ok, err := equal(from, to.section(0, from.size)); !ok || err != nil {
			return false, err
		}
	}
	return equal(left, grown)
}

// wholeLines reports whether v ends at the end of a line, so that nothing is cut in two.
func wholeLines(v Version) (bool, error) {
	r, err := v.section(max(0, v.size-2), v.size).open()
	if err != nil {
		return false, err
	}
	defer r.Close()
	end, err := io.ReadAll(r)
	return isWhole(end), err
}

// isWhole reports whether a content with this end ends at the end of a line, in whatever encoding.
func isWhole(end []byte) bool {
	return bytes.HasSuffix(end, []byte("\n")) || bytes.HasSuffix(end, []byte("\r")) || bytes.HasSuffix(end, []byte("\n\x00"))
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
