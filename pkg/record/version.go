package record

import (
	"bytes"
	"fmt"
	"hash"
	"io"
)

// A Version is one version of a file as a stream that can be opened several times. The zero Version is a file that is not
// there, which is something else than an empty file.
type Version struct {
	size   int64
	open   func() (io.ReadCloser, error)
	digest func() hash.Hash // nil when the content is only known by reading it
	sum    []byte
	line   int // lines before the first, when this is a part of a version
}

// Content returns a version that is held in memory.
func Content(data []byte) Version {
	return Version{size: int64(len(data)), open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }}
}

// Stream returns a version of size bytes that open reads. Reading fails when the stream ends early or goes on after size
// bytes: a short read never passes for a shorter file.
func Stream(size int64, open func() (io.ReadCloser, error)) Version {
	return Version{size: size, open: func() (io.ReadCloser, error) {
		r, err := open()
		if err != nil {
			return nil, err
		}
		return &exact{r, size}, nil
	}}
}

// Known returns v with the digest by which its content is known. A version that begins with that content is then
// recognised without reading v: start begins the digest, sum is what comes out.
func (v Version) Known(start func() hash.Hash, sum []byte) Version {
	v.digest, v.sum = start, sum
	return v
}

// Exists reports whether v is there.
func (v Version) Exists() bool { return v.open != nil }

// Size returns the number of bytes of v.
func (v Version) Size() int64 { return v.size }

// section returns the bytes of v from offset from to offset to.
func (v Version) section(from, to int64) Version {
	return Version{size: to - from, open: func() (io.ReadCloser, error) {
		r, err := v.open()
		if err != nil {
			return nil, err
		}
		if _, err := io.CopyN(io.Discard, r, from); err != nil {
			r.Close()
			return nil, fmt.Errorf("could not skip %d bytes: %w", from, err)
		}
		return part{io.LimitReader(r, to-from), r}, nil
	}}
}

type part struct {
	io.Reader
	io.Closer
}

// exact fails when its source does not hold exactly left further bytes.
type exact struct {
	io.ReadCloser
	left int64
}

func (e *exact) Read(p []byte) (int, error) {
	n, err := e.ReadCloser.Read(p)
	e.left -= int64(n)
	switch {
	case e.left < 0:
		return n, fmt.Errorf("could not read a version: it is longer than announced: %w", io.ErrShortBuffer)
	case err == io.EOF && e.left > 0:
		return n, fmt.Errorf("could not read a version: %d bytes are missing: %w", e.left, io.ErrUnexpectedEOF)
	}
	return n, err
}
