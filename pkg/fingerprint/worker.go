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
	askFile   = 'f' // language, source: a file
	askTokens = 't' // language, source, name: a reason and tokens
	answered  = 'a'
	refused   = 'e' // a text: the request was wrong, or the worker is
)

// A Parser does the work of a worker process. Languages are as package fingerprint names them; source has no byte-order mark
// and no carriage returns at line ends.
type Parser interface {
	// File fingerprints a file and everything that it defines.
	File(language string, src []byte) (*File, error)
	// Tokens returns what goes into the fingerprint of a qualified name, or of the file when name is "". When that
	// fingerprint is coarse it returns the reason.
	Tokens(language string, src []byte, name string) (tokens []Token, reason string, err error)
}

// Serve is the work of a worker process: it reads requests from r and writes one answer for each to w until r ends.
func Serve(p Parser, r io.Reader, w io.Writer) error {
	in, out := bufio.NewReaderSize(r, 64<<10), bufio.NewWriterSize(w, 64<<10)
	for {
		request, err := readFrame(in)
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("could not read a request: %w", err)
		}
		if err := writeFrame(out, serve(p, request)); err != nil {
			return fmt.Errorf("could not write an answer: %w", err)
		}
	}
}

// serve answers one request.
func serve(p Parser, request []byte) []byte {
	if len(request) == 0 {
		return appendText([]byte{refused}, "empty request")
	}
	r := &reader{buf: request[1:]}
	language, src := r.text(), r.bytes()
	switch request[0] {
	case askFile:
		f, err := p.File(language, src)
		if err = errors.Join(err, r.end()); err != nil {
			return appendText([]byte{refused}, err.Error())
		}
		return appendFile([]byte{answered}, f)
	case askTokens:
		name := r.text()
		list, reason, err := p.Tokens(language, src, name)
		if err = errors.Join(err, r.end()); err != nil {
			return appendText([]byte{refused}, err.Error())
		}
		return appendTokens(appendText([]byte{answered}, reason), list)
	}
	return appendText([]byte{refused}, "unknown request")
}

func readFrame(r *bufio.Reader) ([]byte, error) {
	n, err := binary.ReadUvarint(r)
	if err != nil {
		return nil, err
	}
	if n > maxFrame {
		return nil, fmt.Errorf("a message of %d bytes is too long", n)
	}
	frame := make([]byte, n)
	if _, err := io.ReadFull(r, frame); err != nil {
		return nil, fmt.Errorf("could not read a message of %d bytes: %w", n, err)
	}
	return frame, nil
}

func writeFrame(w *bufio.Writer, frame []byte) error {
	if _, err := w.Write(binary.AppendUvarint(nil, uint64(len(frame)))); err != nil {
		return err
	}
	if _, err := w.Write(frame); err != nil {
		return err
	}
	return w.Flush()
}
