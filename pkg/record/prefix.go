package record

import (
	"bytes"
	"fmt"
	"io"

	"github.com/seed-4419f9ca/forge/pkg/finding"
)

// chunkSize is how much of each version is compared at a time.
const chunkSize = 128 << 10

// A chunkPair holds two streams that are compared chunk by chunk.
type chunkPair struct {
	a, b       io.ReadCloser
	bufA, bufB []byte
}

func openPair(a, b Version) (*chunkPair, error) {
	ra, err := a.open()
	if err != nil {
		return nil, err
	}
	rb, err := b.open()
	if err != nil {
		ra.Close()
		return nil, err
	}
	return &chunkPair{ra, rb, make([]byte, chunkSize), make([]byte, chunkSize)}, nil
}

func (p *chunkPair) close() {
	p.a.Close()
	p.b.Close()
}

// next reads the next n bytes of both, at most a chunk.
func (p *chunkPair) next(n int64) (a, b []byte, err error) {
	n = min(n, chunkSize)
	if _, err := io.ReadFull(p.a, p.bufA[:n]); err != nil {
		return nil, nil, noEOF(err)
	}
	if _, err := io.ReadFull(p.b, p.bufB[:n]); err != nil {
		return nil, nil, noEOF(err)
	}
	return p.bufA[:n], p.bufB[:n], nil
}

// noEOF turns the end of a stream, where more was announced, into an error that nobody takes for a regular end.
func noEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// prefix reports whether the bytes of before are the beginning of after and end there at a line end, one that after may
// have added. This is the way of every honest log: it compares raw bytes and reads each version at most once. With kept it
// also returns what is new.
func prefix(before, after Version) (g growth, kept bool, err error) {
	if after.size < before.size {
		return growth{}, false, nil
	}
	t := tail{number: 1}
	read := t.compare
	if before.digest != nil {
		read = t.recognise
	}
	rest, same, err := read(before, after)
	if err != nil || !same {
		return growth{}, false, err
	}
	if !t.endsLine(before.size) && len(rest.first) > 0 && !startsWithEOL(rest.first, t.enc) {
		return growth{}, false, nil
	}
	g = t.growth(before.size)
	g.end = rest.last
	if old := t.bytes(); rest.whole && (g.offset > 0 || before.size == 0) {
		g.news = Content(append(old[len(old)-int(before.size-g.offset):], rest.first...))
	}
	return g, true, nil
}

// A remainder is what follows the old bytes in a new version.
type remainder struct {
	first []byte // its first bytes, all of them with whole
	last  []byte // the last bytes of the version
	whole bool
}

const (
	peeked    = 4       // bytes that are looked at for a line end in any encoding
	heldWhole = 1 << 20 // bytes up to which a remainder is kept
)

// compare reads both versions as far as before goes and reports whether they are the same. rest is what follows in after.
func (t *tail) compare(before, after Version) (rest remainder, same bool, err error) {
	p, err := openPair(before, after)
	if err != nil {
		return rest, false, err
	}
	defer p.close()
	for left := before.size; left > 0; {
		a, b, err := p.next(left)
		if err != nil {
			return rest, false, err
		}
		if !bytes.Equal(a, b) {
			return rest, false, nil
		}
		t.add(a)
		left -= int64(len(a))
	}
	rest, err = following(p.b, after.size-before.size)
	return rest, true, err
}

// recognise is compare for a version that is known by its digest, which is not read at all.
func (t *tail) recognise(before, after Version) (rest remainder, same bool, err error) {
	r, err := after.open()
	if err != nil {
		return rest, false, err
	}
	defer r.Close()
	h := before.digest()
	buf := make([]byte, chunkSize)
	for left := before.size; left > 0; {
		chunk := buf[:min(left, chunkSize)]
		if _, err := io.ReadFull(r, chunk); err != nil {
			return rest, false, noEOF(err)
		}
		h.Write(chunk)
		t.add(chunk)
		left -= int64(len(chunk))
	}
	if !bytes.Equal(h.Sum(nil), before.sum) {
		return rest, false, nil
	}
	rest, err = following(r, after.size-before.size)
	return rest, true, err
}

// following reads the rest of r, of which left bytes are there.
func following(r io.Reader, left int64) (rest remainder, err error) {
	rest.whole = left <= heldWhole
	n := left
	if !rest.whole {
		n = peeked
	}
	rest.first = make([]byte, n)
	if _, err := io.ReadFull(r, rest.first); err != nil {
		return rest, noEOF(err)
	}
	rest.last = rest.first[max(0, len(rest.first)-peeked):]
	if rest.whole {
		return rest, nil
	}
	end := tail{}
	buf := make([]byte, chunkSize)
	for left -= n; left > 0; {
		chunk := buf[:min(left, chunkSize)]
		if _, err := io.ReadFull(r, chunk); err != nil {
			return rest, noEOF(err)
		}
		end.add(chunk)
		left -= int64(len(chunk))
	}
	b := end.bytes()
	rest.last = b[max(0, len(b)-peeked):]
	return rest, nil
}

// endsLine reports whether content of size bytes, all of which t has seen, ends at a line end. An empty content does. A lone
// carriage return ends the lines of old systems, in which there is no other line end; elsewhere it is half of one.
func (t *tail) endsLine(size int64) bool {
	b := t.bytes()
	switch {
	case size == 0:
		return true
	case t.enc == utf16le:
		return size%2 == 0 && (bytes.HasSuffix(b, []byte("\n\x00")) || size == 2)
	case t.enc == utf16be:
		return size%2 == 0 && (bytes.HasSuffix(b, []byte("\x00\n")) || size == 2)
	}
	return bytes.HasSuffix(b, []byte("\n")) || t.number == 1 && bytes.HasSuffix(b, []byte("\r"))
}

// startsWithEOL reports whether next begins with a line end.
func startsWithEOL(next []byte, enc encoding) bool {
	ends := []string{"\n", "\r\n"}
	switch enc {
	case utf16le:
		ends = []string{"\n\x00", "\r\x00\n\x00"}
	case utf16be:
		ends = []string{"\x00\n", "\x00\r\x00\n"}
	}
	for _, e := range ends {
		if bytes.HasPrefix(next, []byte(e)) {
			return true
		}
	}
	return false
}

// A tail keeps the last chunks of a stream, in which the last line is looked for.
type tail struct {
	enc          encoding
	older, newer []byte
	number       int // of the line after the last LF, counted from 1
}

func (t *tail) add(chunk []byte) {
	if t.newer == nil {
		t.enc = encodingOf(chunk)
	}
	t.older, t.newer = t.newer, append(t.older[:0], chunk...)
	t.number += bytes.Count(chunk, []byte{'\n'})
}

func (t *tail) bytes() []byte { return append(bytes.Clone(t.older), t.newer...) }

// growth says what is new in a version that keeps the size old bytes of which t has seen all. An old line without its
// line end counts as new: only now it is whole.
func (t *tail) growth(size int64) growth {
	b := t.bytes()
	unfinished := len(b) - bytes.LastIndexByte(b, '\n') - 1
	b = b[:len(b)-unfinished]
	g := freshFrom(t.number)
	body := bytes.TrimSuffix(bytes.TrimSuffix(b, []byte("\n")), []byte("\r"))
	i := bytes.LastIndexByte(body, '\n')
	if i < 0 && int64(len(b)+unfinished) < size {
		// The last old line is longer than the tail: whoever needs it reads from the beginning.
		return g
	}
	g.offset, g.number, g.last = size-int64(unfinished), t.number, body[i+1:]
	return g
}

// checkTail returns the problem of a log in plain text whose last line has no line end, nil when it has one. An empty log
// is whole. The end of the file is known when g has it.
func checkTail(v Version, g growth) (*Problem, error) {
	if v.size == 0 || isWhole(g.end) {
		return nil, nil
	}
	end, err := lastBytes(v)
	if err != nil || isWhole(end) {
		return nil, err
	}
	var last *line
	if err := eachLine(all(v), func(l *line) bool {
		if l.end == eolNone {
			last = l.clone()
		}
		return true
	}); err != nil || last == nil {
		return nil, err
	}
	if last.number == 1 && last.enc == narrow && bytes.HasSuffix(end, []byte("\r")) {
		return nil, nil
	}
	p := problem(TornTail, finding.After, last, fmt.Sprintf("line %d %q is cut: the file ends without a line end after it", last.number, quoted(last)))
	p.Span.Start = p.Span.End
	p.Anchor = last.shown()
	return &p, nil
}
