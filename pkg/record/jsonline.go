package record

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"hash"
	"io"
	"math/big"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// maxDepth bounds how deep the values of a JSON line may be nested (chapter 3.5).
const maxDepth = 100

// An object is what the rules of JSON logs ask of one line.
type object struct {
	seq           *big.Int
	seqBad        bool // there is a seq, but it is no whole number
	prev, time    string
	hasPrev       bool // there is a prev, of whatever type
	torn, hasTorn bool
	seqAt, prevAt int // offsets of the values in the line
	timeAt        int
}

// A fault says why a line is not one JSON object.
type fault struct {
	offset  int
	reason  string
	cut     bool // the line is the beginning of an object and ends too early
	garbled bool // the line is not JSON at all
}

func (f *fault) Error() string { return f.reason }

// read reads one line as one JSON object: strict UTF-8, no key twice, nothing behind it.
func (k *lineChecker) read(src io.Reader) (object, error) {
	k.dec.Reset(src)
	var o object
	first, err := k.dec.ReadToken()
	if err != nil {
		return o, faultFrom(err)
	}
	if first.Kind() != '{' {
		return o, &fault{reason: fmt.Sprintf("it is %s", nameOf(first.Kind()))}
	}
	for k.dec.StackDepth() > 0 {
		if k.dec.StackDepth() > maxDepth {
			return o, &fault{offset: int(k.dec.InputOffset()), reason: fmt.Sprintf("values are nested more than %d deep", maxDepth)}
		}
		name, err := k.dec.ReadToken()
		if err != nil {
			return o, faultFrom(err)
		}
		if k.dec.StackDepth() != 1 || name.Kind() != '"' {
			continue
		}
		if _, n := k.dec.StackIndex(1); n%2 == 0 {
			continue
		}
		if err := k.readField(&o, name.String()); err != nil {
			return o, err
		}
	}
	switch _, err := k.dec.ReadToken(); {
	case err == io.EOF:
		return o, nil
	case err != nil:
		return o, faultFrom(err)
	}
	return o, &fault{offset: int(k.dec.InputOffset()) - 1, reason: "another value follows the object"}
}

// readField takes in the value of a key that the rules know. Others are left to read.
func (k *lineChecker) readField(o *object, name string) error {
	if name != "seq" && name != "prev" && name != "torn" && (k.Time == "" || name != k.Time) {
		return nil
	}
	kind := k.dec.PeekKind()
	if kind == '{' || kind == '[' {
		at := int(k.dec.InputOffset())
		switch name {
		case "seq":
			o.seqBad, o.seqAt = true, at
		case "prev":
			o.hasPrev, o.prevAt = true, at
		case "torn":
			o.hasTorn = true
		}
		return nil
	}
	t, err := k.dec.ReadToken()
	if err != nil {
		return faultFrom(err)
	}
	value := t.String()
	at := int(k.dec.InputOffset()) - len(value)
	if kind == '"' {
		at -= 2
	}
	switch {
	case name == k.Time && (kind == '"' || kind == '0'):
		o.time, o.timeAt = value, at
	case name == "prev":
		if o.hasPrev, o.prevAt = true, at; kind == '"' {
			o.prev = value
		}
	case name == "torn":
		o.torn, o.hasTorn = kind == 't', true
	}
	if name == "seq" {
		n, ok := new(big.Int), false
		if kind == '0' && len(value) <= 100 && !strings.ContainsAny(value, ".eE") {
			n, ok = n.SetString(value, 10)
		}
		if o.seqAt, o.seqBad = at, !ok; ok {
			o.seq = n
		}
	}
	return nil
}

// A JSONLine is one line of a JSON log as far as the rules of chapter 5.2 go.
type JSONLine struct {
	Seq                      *big.Int // nil when there is none, or none that is a whole number
	Prev                     string
	Torn                     bool
	HasSeq, HasPrev, HasTorn bool // the key is there, whatever its value
}

// A LineError says why a line is not one JSON object.
type LineError struct {
	Column int // of the fault, counted from 1, in bytes
	Reason string
	Torn   bool // the line may be one that a crash has cut, and not a whole value of another kind
}

// Error can follow the words "it is not one JSON object: ".
func (e *LineError) Error() string { return fmt.Sprintf("%s (column %d)", e.Reason, e.Column) }

// ParseJSONLine reads a line without its line end. Its error is a *LineError.
func ParseJSONLine(line []byte) (JSONLine, error) {
	k := &lineChecker{Comparison: &Comparison{}}
	o, err := k.read(bytes.NewReader(line))
	if err != nil {
		f := faultOf(err)
		return JSONLine{}, &LineError{Column: f.offset + 1, Reason: f.reason, Torn: f.cut || f.garbled}
	}
	return JSONLine{Seq: o.seq, Prev: o.prev, Torn: o.torn, HasSeq: o.seq != nil || o.seqBad, HasPrev: o.hasPrev, HasTorn: o.hasTorn}, nil
}

func nameOf(k jsontext.Kind) string {
	switch k {
	case '[':
		return "an array"
	case '"':
		return "a string"
	case '0':
		return "a number"
	}
	return "a bare word"
}

// faultFrom puts an error of the decoder into words of a finding.
func faultFrom(err error) error {
	var s *jsontext.SyntacticError
	switch {
	case errors.Is(err, io.EOF) && !errors.As(err, &s):
		return &fault{reason: "it is empty"}
	case !errors.As(err, &s):
		return &fault{reason: err.Error()}
	}
	f := &fault{offset: int(s.ByteOffset), reason: "it ends too early"}
	switch {
	case errors.Is(s.Err, jsontext.ErrDuplicateName):
		f.reason = fmt.Sprintf("the key %q stands twice", s.JSONPointer.LastToken())
	case s.Err != nil && !errors.Is(s.Err, io.ErrUnexpectedEOF):
		f.reason, f.garbled = strings.TrimPrefix(s.Err.Error(), "jsontext: "), true
	default:
		f.cut = true
	}
	return f
}

// A lineSource reads one line, without its line end, from r.
type lineSource struct {
	r        *bufio.Reader
	rest     []byte // of the piece that was read last
	ended    bool
	finished bool // the line has a line end
	cr       bool // a carriage return that may belong to the line end is held back
	head     []byte
	size     int
	hash     hash.Hash
	hashing  bool
	err      error
}

// Read implements io.Reader.
func (s *lineSource) Read(p []byte) (int, error) {
	for len(s.rest) == 0 {
		if s.err != nil {
			return 0, s.err
		}
		if s.ended {
			return 0, io.EOF
		}
		s.fill()
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

// fill reads the next piece of the line.
func (s *lineSource) fill() {
	piece, err := s.r.ReadSlice('\n')
	switch {
	case err == nil:
		s.ended, s.finished = true, true
		piece = piece[:len(piece)-1]
	case err == io.EOF:
		s.ended = true
	case err != bufio.ErrBufferFull:
		s.err = err
		return
	}
	var out []byte
	if s.cr && !(s.finished && len(piece) == 0) {
		out = append(out, '\r')
	}
	s.cr = false
	if n := len(piece); n > 0 && piece[n-1] == '\r' && (s.finished || !s.ended) {
		piece = piece[:n-1]
		s.cr = !s.finished
	}
	s.rest = piece
	if out != nil {
		s.rest = append(out, piece...)
	}
	s.size += len(s.rest)
	if len(s.head) < shownLine {
		s.head = append(s.head, s.rest[:min(len(s.rest), shownLine)]...)
	}
	if s.hashing {
		s.hash.Write(s.rest)
	}
}

// drain reads what is left of the line. It returns the error of the reader below, if there was one.
func (s *lineSource) drain() error {
	for !s.ended && s.err == nil {
		s.fill()
	}
	return s.err
}
