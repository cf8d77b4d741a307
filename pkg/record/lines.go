package record

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"io"
)

// An eol is how a line ends.
type eol int

const (
	eolNone eol = iota // the line is unfinished
	eolLF
	eolCRLF
)

// An encoding says which bytes end a line. Logs are compared as bytes; only their line ends have to be known.
type encoding int

const (
	narrow encoding = iota // UTF-8, and anything else that ends lines with the byte LF
	utf16le
	utf16be
)

// bufferSize bounds the memory of one open stream. A line that does not fit is compared by its digest.
const bufferSize = 64 << 10

// shownLine is how much of a line is kept for messages.
const shownLine = 512

// A line is one line of a version. text is valid until the next call of next.
type line struct {
	text   []byte // without its line end; of a long line only the beginning
	size   int64  // of the whole line without its line end
	sum    [sha256.Size]byte
	long   bool
	end    eol
	number int   // 1-based; lines are counted by LF bytes, as package text counts them
	offset int64 // of the first byte
	enc    encoding
}

// same reports whether two lines have the same text; their ends may differ.
func (l *line) same(o *line) bool {
	if l.size != o.size {
		return false
	}
	if l.long || o.long {
		return l.key() == o.key()
	}
	return bytes.Equal(l.text, o.text)
}

// key identifies the text of a line among others.
func (l *line) key() [sha256.Size]byte {
	if l.long {
		return l.sum
	}
	return sha256.Sum256(l.text)
}

// clone returns a copy of l that stays valid, with no more text than messages need.
func (l *line) clone() *line {
	c := *l
	c.text = bytes.Clone(l.text[:min(len(l.text), shownLine)])
	c.long = true
	if !l.long {
		c.sum = sha256.Sum256(l.text)
	}
	return &c
}

// A lineReader reads the lines of one version in bounded memory.
type lineReader struct {
	src      io.ReadCloser
	r        *bufio.Reader
	enc      encoding
	number   int
	offset   int64
	longText []byte
}

func openLines(v Version) (*lineReader, error) {
	src, err := v.open()
	if err != nil {
		return nil, err
	}
	l := &lineReader{src: src, r: bufio.NewReaderSize(src, bufferSize), number: v.line + 1}
	head, err := l.r.Peek(2)
	if err != nil && err != io.EOF {
		src.Close()
		return nil, err
	}
	l.enc = encodingOf(head)
	return l, nil
}

func encodingOf(head []byte) encoding {
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xfe")):
		return utf16le
	case bytes.HasPrefix(head, []byte("\xfe\xff")):
		return utf16be
	}
	return narrow
}

func (l *lineReader) close() { l.src.Close() }

// next returns the next line, or nil at the end of the file.
func (l *lineReader) next() (*line, error) {
	at := line{number: l.number, offset: l.offset, enc: l.enc}
	chunk, err := l.r.ReadSlice('\n')
	if err == nil && !l.endsHere(l.offset+int64(len(chunk))) {
		// The byte LF is half of another character of UTF-16: the line goes on.
		return l.nextLong(at, chunk)
	}
	switch {
	case err == bufio.ErrBufferFull:
		return l.nextLong(at, chunk)
	case err == io.EOF && len(chunk) == 0:
		return nil, nil
	case err != nil && err != io.EOF:
		return nil, err
	}
	l.advance(chunk)
	if err == nil {
		chunk = chunk[:len(chunk)-1]
		at.text, at.end = l.strip(chunk)
		if err := l.skipHalf(); err != nil {
			return nil, err
		}
	} else {
		at.text = chunk
	}
	at.size = int64(len(at.text))
	return &at, nil
}

// advance moves on past chunk.
func (l *lineReader) advance(chunk []byte) {
	l.offset += int64(len(chunk))
	l.number += bytes.Count(chunk, []byte{'\n'})
}

// endsHere reports whether the LF before offset is a line end and not half of a wide character.
func (l *lineReader) endsHere(offset int64) bool {
	switch l.enc {
	case utf16le:
		next, err := l.r.Peek(1)
		return offset%2 == 1 && err == nil && next[0] == 0
	case utf16be:
		return offset%2 == 0
	}
	return true
}

// skipHalf reads the second byte of a little-endian LF.
func (l *lineReader) skipHalf() error {
	if l.enc != utf16le {
		return nil
	}
	if _, err := l.r.Discard(1); err != nil && err != io.EOF {
		return err
	}
	l.offset++
	return nil
}

// strip takes the rest of a line end from t, which stood before the byte LF.
func (l *lineReader) strip(t []byte) ([]byte, eol) {
	cr := []byte("\r")
	switch l.enc {
	case utf16le:
		cr = []byte("\r\x00")
	case utf16be:
		t, cr = bytes.TrimSuffix(t, []byte{0}), []byte("\x00\r")
	}
	if bytes.HasSuffix(t, cr) {
		return t[:len(t)-len(cr)], eolCRLF
	}
	return t, eolLF
}

// nextLong reads a line of which chunk is the beginning and that does not fit into the buffer as one slice.
func (l *lineReader) nextLong(at line, chunk []byte) (*line, error) {
	h := sha256.New()
	l.longText = append(l.longText[:0], chunk[:min(len(chunk), shownLine)]...)
	at.long = true
	var held []byte // the last bytes, which may turn out to be the line end
	for {
		l.advance(chunk)
		held = append(held, chunk...)
		finished := len(held) > 0 && held[len(held)-1] == '\n' && l.endsHere(l.offset)
		if finished {
			var t []byte
			t, at.end = l.strip(held[:len(held)-1])
			h.Write(t)
			at.size += int64(len(t))
			if err := l.skipHalf(); err != nil {
				return nil, err
			}
			break
		}
		if n := len(held) - 4; n > 0 {
			h.Write(held[:n])
			at.size += int64(n)
			held = append(held[:0], held[n:]...)
		}
		var err error
		chunk, err = l.r.ReadSlice('\n')
		if err == io.EOF && len(chunk) == 0 {
			h.Write(held)
			at.size += int64(len(held))
			break
		}
		if err != nil && err != io.EOF && err != bufio.ErrBufferFull {
			return nil, err
		}
	}
	h.Sum(at.sum[:0])
	at.text = l.longText
	return &at, nil
}

// skip reads n lines.
func (l *lineReader) skip(n int) error {
	for range n {
		if at, err := l.next(); err != nil || at == nil {
			return err
		}
	}
	return nil
}

// countLines returns the number of lines of v, an unfinished last one included.
func countLines(v Version) (int, error) {
	l, err := openLines(v)
	if err != nil {
		return 0, err
	}
	defer l.close()
	for n := 0; ; n++ {
		at, err := l.next()
		if err != nil || at == nil {
			return n, err
		}
	}
}
