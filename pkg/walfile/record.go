// Package walfile works out what `wal append` adds to a write-ahead log (chapter 5.2 of the specification): the record on
// one line, the fields that its log keeps, and the end of a line that a crash has torn. It reads the log and writes
// nothing.
package walfile

import (
	"bytes"
	"fmt"
	"math/big"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/seed-4419f9ca/forge/pkg/record"
)

// A Refusal is the error for a record or a log that cannot be taken as it is.
type Refusal struct{ Reason string }

func (e *Refusal) Error() string { return e.Reason }

func refuse(format string, args ...any) error { return &Refusal{fmt.Sprintf(format, args...)} }

// A Record is one record without a line end.
type Record struct {
	text   []byte
	fields *record.JSONLine // nil for plain text
}

// Text makes a record of one line of plain text, whose line end may be there. Several lines are several records and are
// refused, and so is nothing at all.
func Text(src []byte) (*Record, error) {
	line := bytes.TrimSuffix(bytes.TrimSuffix(src, []byte("\n")), []byte("\r"))
	switch {
	case len(bytes.TrimSpace(line)) == 0:
		return nil, refuse("the record is empty")
	case bytes.ContainsAny(line, "\r\n"):
		return nil, refuse("the record has more than one line; append its lines one by one")
	case bytes.IndexByte(line, 0) >= 0:
		return nil, refuse("the record has a NUL byte")
	}
	return &Record{text: bytes.Clone(line)}, nil
}

// JSON makes a record of one JSON object. It is kept as it is written; one that goes over several lines is brought onto
// one. Whatever the check of JSON logs would not take is refused.
func JSON(src []byte) (*Record, error) {
	line := bytes.Trim(src, " \t\r\n")
	if len(line) == 0 {
		return nil, refuse("the record is empty")
	}
	fields, err := record.ParseJSONLine(line)
	if err != nil {
		return nil, refuse("the record is not one JSON object: %v", err)
	}
	value := jsontext.Value(bytes.Clone(line))
	if bytes.ContainsAny(line, "\r\n") {
		if err := value.Compact(); err != nil {
			return nil, refuse("the record is not one JSON object: %v", err)
		}
	}
	if fields.HasSeq && fields.Seq == nil {
		return nil, refuse(`the "seq" of the record is not a whole number`)
	}
	return &Record{text: value, fields: &fields}, nil
}

// with returns the text of r with further members, written as its own are.
func (r *Record) with(members []string) []byte {
	colon, comma := `": `, ", "
	if bytes.Contains(r.text, []byte(`":`)) && !bytes.Contains(r.text, []byte(`": `)) {
		colon, comma = `":`, ","
	}
	body := bytes.TrimRight(bytes.TrimSuffix(r.text, []byte("}")), " \t")
	end := r.text[len(body):]
	var b bytes.Buffer
	b.Write(body)
	empty := len(bytes.Trim(body, " \t")) == 1
	for i := 0; i < len(members); i += 2 {
		if !empty {
			b.WriteString(comma)
		}
		empty = false
		b.WriteString(`"` + members[i] + colon + members[i+1])
	}
	b.Write(end)
	return b.Bytes()
}

// number adds the seq of a record that follows the number last. With torn a number may be left out: the record that was cut
// had it.
func (r *Record) number(members []string, last *big.Int, torn bool) ([]string, error) {
	next := new(big.Int).Add(last, big.NewInt(1))
	own := r.fields.Seq
	switch {
	case own == nil:
		return append(members, "seq", next.String()), nil
	case own.Cmp(next) == 0, torn && own.Cmp(new(big.Int).Add(next, big.NewInt(1))) == 0:
		return members, nil
	}
	return nil, refuse(`the "seq" of the record is %s, but the next number is %s; leave it out and it is filled in`, own, next)
}

// link adds the digest of the line before, "" for none.
func (r *Record) link(members []string, digest string) ([]string, error) {
	switch {
	case !r.fields.HasPrev && digest == "":
		return members, nil
	case !r.fields.HasPrev:
		return append(members, "prev", `"`+digest+`"`), nil
	case digest == "":
		return nil, refuse(`the record has a "prev", but it is the first of its chain`)
	case r.fields.Prev != digest:
		return nil, refuse(`the "prev" of the record is not the digest of the last line, %s; leave it out and it is filled in`, digest)
	}
	return members, nil
}

// mark says that the line before is torn.
func (r *Record) mark(members []string) ([]string, error) {
	switch {
	case r.fields.Torn:
		return members, nil
	case r.fields.HasTorn:
		return nil, refuse(`the record says that the line before it is not "torn", but it is`)
	}
	return append(members, "torn", "true"), nil
}

// shown is the beginning of a text, for messages.
func shown(text []byte) string {
	const most = 80
	s := strings.ToValidUTF8(string(text[:min(len(text), most)]), "\ufffd")
	if len(text) > most {
		s = strings.TrimRight(s, "\ufffd") + "…"
	}
	return s
}
