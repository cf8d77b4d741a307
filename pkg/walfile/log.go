package walfile

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/big"

	"github.com/seed-4419f9ca/forge/pkg/record"
)

// A Content is what a file holds.
type Content struct {
	io.ReaderAt
	Size int64
}

// A Log says how a log is written.
type Log struct {
	// JSON makes the lines JSON objects, and the records made by JSON.
	JSON bool
	// Mixed says that lines of plain text may stand among the objects. Then only a line without its end is torn.
	Mixed bool
	// Chain gives each line the digest of the line before it.
	Chain bool
	// Archive opens the file into which old lines move; an empty log goes on where it ends. Nil without one; it may
	// return nil when the file is not there.
	Archive func() (*Content, error)
}

// A Torn is the last line of a log that a crash has cut: it has no line end, or in a JSON log is no JSON.
type Torn struct {
	Line int    // its number, counted from 1
	Text string // its beginning
}

// An Addition is what has to be written at the end of a log.
type Addition struct {
	Bytes []byte
	Torn  *Torn // the torn line that it closes off, nil when there is none
}

// Next works out what adds r to a log with the content old. Its error is a *Refusal when r does not fit there.
func (l *Log) Next(old Content, r *Record) (*Addition, error) {
	if err := narrow(old); err != nil {
		return nil, err
	}
	last, err := lineBefore(old, old.Size)
	if err != nil {
		return nil, err
	}
	eol := "\n"
	if last != nil && last.crlf {
		eol = "\r\n"
	}
	out := &Addition{}
	if last != nil && !last.finished {
		if eol, err = l.closing(old, last); err != nil {
			return nil, err
		}
		if bytes.HasSuffix(last.text, []byte("\r")) {
			// The crash came between the two bytes of a line end.
			last.text = last.text[:len(last.text)-1]
			out.Bytes = append(out.Bytes, '\n')
		} else {
			out.Bytes = append(out.Bytes, eol...)
		}
	}
	text := r.text
	torn := last != nil && !last.finished
	if l.JSON {
		if text, torn, err = l.fields(old, last, r); err != nil {
			return nil, err
		}
	}
	if torn {
		n, err := lineNumber(old, last.start)
		if err != nil {
			return nil, err
		}
		out.Torn = &Torn{Line: n, Text: shown(last.text)}
	}
	out.Bytes = append(append(out.Bytes, text...), eol...)
	return out, nil
}

// narrow refuses a log in UTF-16, in which a line of UTF-8 would be rubbish.
func narrow(old Content) error {
	head := make([]byte, min(old.Size, 2))
	if err := readAt(old, head, 0); err != nil {
		return err
	}
	if string(head) == "\xff\xfe" || string(head) == "\xfe\xff" {
		return refuse("the log is in UTF-16; only logs in UTF-8 can be appended to")
	}
	return nil
}

// closing is the line end that the lines before an unfinished one have.
func (l *Log) closing(old Content, last *line) (string, error) {
	before, err := lineBefore(old, last.start)
	if err != nil || before == nil || !before.crlf {
		return "\n", err
	}
	return "\r\n", nil
}

// fields returns the text of r with the members that its place in the log asks for, and whether the line before is torn.
func (l *Log) fields(old Content, last *line, r *Record) (text []byte, torn bool, err error) {
	from := old
	if last == nil && l.Archive != nil {
		archive, err := l.Archive()
		if err != nil {
			return nil, false, err
		}
		if archive != nil {
			if from = *archive; from.Size > 0 {
				if last, err = lineBefore(from, from.Size); err != nil {
					return nil, false, err
				}
			}
		}
	}
	if last == nil {
		return l.first(r)
	}
	_, fault := record.ParseJSONLine(last.text)
	var why *record.LineError
	torn = old.Size > 0 && (!last.finished || !l.Mixed && errors.As(fault, &why) && why.Torn)
	var members []string
	number, err := l.lastNumber(from, last)
	if err != nil {
		return nil, false, err
	}
	if number != nil {
		if members, err = r.number(members, number, torn); err != nil {
			return nil, false, err
		}
	}
	if l.Chain {
		digest := sha256.Sum256(last.text)
		if members, err = r.link(members, hex.EncodeToString(digest[:])); err != nil {
			return nil, false, err
		}
	}
	if torn {
		if members, err = r.mark(members); err != nil {
			return nil, false, err
		}
	}
	return r.with(members), torn, nil
}

// first is fields for the first record of a log.
func (l *Log) first(r *Record) ([]byte, bool, error) {
	if l.Chain {
		if _, err := r.link(nil, ""); err != nil {
			return nil, false, err
		}
	}
	return r.text, false, nil
}

// maxUnreadable bounds the lines at the end of a JSON log that may be no objects.
const maxUnreadable = 1000

// lastNumber returns the seq of the last line up to last that can be read, nil when it has none.
func (l *Log) lastNumber(c Content, last *line) (*big.Int, error) {
	for range maxUnreadable {
		o, err := record.ParseJSONLine(last.text)
		if err == nil {
			return o.Seq, nil
		}
		if last, err = lineBefore(c, last.start); last == nil || l.Mixed || err != nil {
			return nil, err
		}
	}
	return nil, refuse("its last %d lines are no JSON objects; is it a JSON log?", maxUnreadable)
}

// maxLine bounds the line before a new one, which has to be read as a whole, in bytes.
const maxLine = 256 << 20

// blockSize is how much is read at a time.
const blockSize = 64 << 10

// A line is one line of a content.
type line struct {
	start    int64
	text     []byte // without its line end
	finished bool   // it has a line end
	crlf     bool
}

// lineBefore returns the line of c that ends at offset end; nil at the beginning.
func lineBefore(c Content, end int64) (*line, error) {
	if end == 0 {
		return nil, nil
	}
	l := &line{}
	tail := make([]byte, min(end, 2))
	if err := readAt(c, tail, end-int64(len(tail))); err != nil {
		return nil, err
	}
	if l.finished = bytes.HasSuffix(tail, []byte("\n")); l.finished {
		end--
	}
	if l.crlf = l.finished && bytes.HasPrefix(tail, []byte("\r")); l.crlf {
		end--
	}
	var err error
	if l.start, err = lineStart(c, end); err != nil {
		return nil, err
	}
	l.text = make([]byte, end-l.start)
	return l, readAt(c, l.text, l.start)
}

// lineStart returns the offset at which the line begins that holds the bytes before end.
func lineStart(c Content, end int64) (int64, error) {
	block := make([]byte, blockSize)
	for at := end; at > 0; {
		n := min(at, blockSize)
		if err := readAt(c, block[:n], at-n); err != nil {
			return 0, err
		}
		if i := bytes.LastIndexByte(block[:n], '\n'); i >= 0 {
			return at - n + int64(i) + 1, nil
		}
		if at -= n; end-at > maxLine {
			return 0, refuse("the last line has more than %d bytes", int64(maxLine))
		}
	}
	return 0, nil
}

// lineNumber returns the number of the line that begins at offset start.
func lineNumber(c Content, start int64) (int, error) {
	block := make([]byte, blockSize)
	number := 1
	for at := int64(0); at < start; {
		n := min(start-at, blockSize)
		if err := readAt(c, block[:n], at); err != nil {
			return 0, err
		}
		number += bytes.Count(block[:n], []byte{'\n'})
		at += n
	}
	return number, nil
}

// readAt fills p from offset at of c.
func readAt(c Content, p []byte, at int64) error {
	if len(p) == 0 {
		return nil
	}
	if n, err := c.ReadAt(p, at); n < len(p) {
		return fmt.Errorf("could not read the log at byte %d: %w", at, err)
	}
	return nil
}
