package fingerprint

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// maxFrame bounds, in bytes, one message between a worker and its parent.
const maxFrame = 64 << 20

// Kinds of requests and answers.
const (
	askPrint  = 'p' // nothing: the print of the engine that the worker was built with
	askFile   = 'f' // language, source: a file
	askTokens = 't' // language, source, name: a reason and tokens
	answered  = 'a'
	refused   = 'e' // a text: the request was wrong, or the worker is
)

// A Parser does the work of a worker process. Languages are as package fingerprint names them; source has no byte-order mark
// and no carriage returns at line ends; it is good until the next call, and so may be what a Parser returns.
type Parser interface {
	// File fingerprints a file and everything that it defines.
	File(language string, src []byte) (*File, error)
	// Tokens returns what goes into the fingerprint of a qualified name, or of the file when name is "". When that
	// fingerprint is coarse it returns the reason.
	Tokens(language string, src []byte, name string) (tokens []Token, reason string, err error)
}

// keptFrame is the size, in bytes, of the largest buffer for messages that is kept for the next one.
const keptFrame = 1 << 20

// Serve is the work of a worker process: it reads requests from r and writes one answer for each to w, in their order, until
// r ends. Answers may wait for as long as further requests are there.
func Serve(p Parser, r io.Reader, w io.Writer) error {
	in, out := bufio.NewReaderSize(r, 64<<10), bufio.NewWriterSize(w, 64<<10)
	var request, answer []byte
	for {
		var err error
		request, err = readFrame(in, request)
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("could not read a request: %w", err)
		}
		answer = serve(p, request, answer[:0])
		if err = writeFrame(out, answer); err == nil && in.Buffered() == 0 {
			err = out.Flush()
		}
		if err != nil {
			return fmt.Errorf("could not write an answer: %w", err)
		}
		request, answer = kept(request), kept(answer)
	}
}

// kept returns a buffer unless it is too large to be kept.
func kept(b []byte) []byte {
	if cap(b) > keptFrame {
		return nil
	}
	return b
}

// serve appends the answer to one request.
func serve(p Parser, request, b []byte) []byte {
	if len(request) == 0 {
		return appendText(append(b, refused), "empty request")
	}
	r := &reader[[]byte]{buf: request[1:]}
	language, src := r.text(), r.bytes()
	switch request[0] {
	case askPrint:
		return append(append(b, answered), enginePrint()...)
	case askFile:
		f, err := p.File(language, src)
		if err = errors.Join(err, r.end()); err != nil {
			return appendText(append(b, refused), err.Error())
		}
		return appendFile(append(b, answered), f)
	case askTokens:
		name := r.text()
		list, reason, err := p.Tokens(language, src, name)
		if err = errors.Join(err, r.end()); err != nil {
			return appendText(append(b, refused), err.Error())
		}
		return appendTokens(appendText(append(b, answered), reason), list)
	}
	return appendText(append(b, refused), "unknown request")
}

// readFrame reads one message into buf, or into a larger buffer when that is too small. It returns io.EOF where no message
// begins.
func readFrame(r *bufio.Reader, buf []byte) ([]byte, error) {
	n, err := binary.ReadUvarint(r)
	if err != nil {
		return nil, err
	}
	if n > maxFrame {
		return nil, fmt.Errorf("a message of %d bytes is too long", n)
	}
	if uint64(cap(buf)) < n {
		buf = make([]byte, n)
	}
	buf = buf[:n]
	if _, err := io.ReadFull(r, buf); err != nil {
		return nil, fmt.Errorf("could not read a message of %d bytes: %w", n, noEnd(err))
	}
	return buf, nil
}

// noEnd is for an end that comes within a message.
func noEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// writeFrame writes one message and leaves it to the caller to flush w.
func writeFrame(w *bufio.Writer, frame []byte) error {
	if _, err := w.Write(binary.AppendUvarint(w.AvailableBuffer(), uint64(len(frame)))); err != nil {
		return err
	}
	_, err := w.Write(frame)
	return err
}

// A request is what a worker is asked about a file.
type request struct {
	kind     byte
	language string
	src      []byte
	name     string // of askTokens
}

// write is writeFrame for a request, whose source it does not copy.
func (q *request) write(w *bufio.Writer) error {
	head := appendNumber(appendText([]byte{q.kind}, q.language), len(q.src))
	var tail []byte
	if q.kind == askTokens {
		tail = appendText(tail, q.name)
	}
	size := len(head) + len(q.src) + len(tail)
	for _, part := range [][]byte{binary.AppendUvarint(nil, uint64(size)), head, q.src, tail} {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}
