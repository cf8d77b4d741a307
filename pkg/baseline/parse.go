package baseline

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/seed-4419f9ca/forge/pkg/text"
)

// maxCount bounds the count of one entry.
const maxCount = 1 << 30

// An Error is a baseline file that cannot be used, with the place at which it cannot. It ends in exit 2.
type Error struct {
	Name    string // of the file, as the user gave it
	Pos     text.Pos
	Message string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: could not read the baseline: %s", text.Escape(e.Name), e.Pos.Line, e.Pos.Column, e.Message)
}

// Parse reads the bytes of a baseline file. Name stands in its errors, which are of type *Error. Nothing is guessed: an
// unknown member, another schema, or a fingerprint that stands twice is an error.
func Parse(name string, data []byte) (*Baseline, error) {
	p := &parser{name: name, data: data, dec: json.NewDecoder(bytes.NewReader(data))}
	p.dec.UseNumber()
	b := &Baseline{}
	var seen members
	if err := p.object(&seen, func(member string) error {
		switch member {
		case "schema":
			return p.schema()
		case "findings":
			return p.findings(b)
		}
		return p.fail("there is no member %q here; the members are \"schema\" and \"findings\"", member)
	}); err != nil {
		return nil, err
	}
	if err := p.need(seen, "schema", "findings"); err != nil {
		return nil, err
	}
	if _, err := p.token(); err == nil {
		return nil, p.fail("something follows the end of the object")
	} else if !errors.Is(err, io.EOF) {
		return nil, p.broken(err)
	}
	b.sort()
	return b, nil
}

type parser struct {
	name  string
	data  []byte
	dec   *json.Decoder
	start int // offset of the token that was read last
}

type members map[string]bool

// token reads the next token and remembers where it begins.
func (p *parser) token() (json.Token, error) {
	p.start = int(p.dec.InputOffset())
	for p.start < len(p.data) && bytes.IndexByte([]byte(" \t\r\n,:"), p.data[p.start]) >= 0 {
		p.start++
	}
	return p.dec.Token()
}

// fail makes an error at the token that was read last.
func (p *parser) fail(format string, args ...any) error {
	return p.failAt(p.start, format, args...)
}

func (p *parser) failAt(offset int, format string, args ...any) error {
	return &Error{Name: p.name, Pos: text.NewLines(p.data).Pos(offset), Message: fmt.Sprintf(format, args...)}
}

// broken turns an error of the decoder into one with a place.
func (p *parser) broken(err error) error {
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return p.failAt(max(int(syntax.Offset)-1, p.start), "it is no JSON: %s", text.Escape(syntax.Error()))
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return p.failAt(len(p.data), "it is no JSON: it ends too early")
	}
	return p.fail("it is no JSON: %s", text.Escape(err.Error()))
}

// delim reads one bracket.
func (p *parser) delim(want json.Delim) error {
	tok, err := p.token()
	if err != nil {
		return p.broken(err)
	}
	if tok != want {
		return p.fail("expected %q, found %s", want.String(), said(tok))
	}
	return nil
}

// object reads an object whose opening bracket comes next and calls member for each of its members, whose value comes
// next then.
func (p *parser) object(seen *members, member func(string) error) error {
	if err := p.delim('{'); err != nil {
		return err
	}
	*seen = members{}
	for p.dec.More() {
		tok, err := p.token()
		if err != nil {
			return p.broken(err)
		}
		name, ok := tok.(string)
		if !ok {
			return p.fail("expected the name of a member, found %s", said(tok))
		}
		if (*seen)[name] {
			return p.fail("the member %q stands twice", name)
		}
		(*seen)[name] = true
		if err := member(name); err != nil {
			return err
		}
	}
	return p.delim('}')
}

// need reports the first name that the object read last does not have, at its end.
func (p *parser) need(seen members, names ...string) error {
	for _, name := range names {
		if !seen[name] {
			return p.fail("the member %q is missing", name)
		}
	}
	return nil
}

func (p *parser) schema() error {
	name, err := p.string()
	if err == nil && name != SchemaName {
		err = p.fail("it has the schema %q; this version of Forge reads %q: write the baseline again with --write-baseline", name, SchemaName)
	}
	return err
}

func (p *parser) findings(b *Baseline) error {
	if err := p.delim('['); err != nil {
		return err
	}
	known := map[string]bool{}
	for p.dec.More() {
		e, err := p.entry()
		if err != nil {
			return err
		}
		if known[e.Fingerprint] {
			return p.fail("the fingerprint %q stands in two entries", e.Fingerprint)
		}
		known[e.Fingerprint] = true
		b.entries = append(b.entries, e)
	}
	return p.delim(']')
}

func (p *parser) entry() (entry, error) {
	var e entry
	var seen members
	err := p.object(&seen, func(member string) (err error) {
		switch member {
		case "fingerprint":
			if e.Fingerprint, err = p.string(); err == nil && !isFingerprint(e.Fingerprint) {
				err = p.fail("%q is no fingerprint of 32 hex digits", e.Fingerprint)
			}
		case "count":
			e.Count, err = p.count()
		case "code":
			e.Code, err = p.string()
		case "path":
			e.Path, err = p.string()
		default:
			err = p.fail("there is no member %q here; the members are \"fingerprint\", \"count\", \"code\" and \"path\"", member)
		}
		return err
	})
	if err == nil {
		err = p.need(seen, "fingerprint", "count")
	}
	return e, err
}

func (p *parser) string() (string, error) {
	tok, err := p.token()
	if err != nil {
		return "", p.broken(err)
	}
	s, ok := tok.(string)
	if !ok {
		return "", p.fail("expected a string, found %s", said(tok))
	}
	return s, nil
}

func (p *parser) count() (int, error) {
	tok, err := p.token()
	if err != nil {
		return 0, p.broken(err)
	}
	number, ok := tok.(json.Number)
	if !ok {
		return 0, p.fail("expected a number, found %s", said(tok))
	}
	n, err := strconv.Atoi(number.String())
	if err != nil || n < 1 || n > maxCount {
		return 0, p.fail("%s is no count from 1 to %d", number, maxCount)
	}
	return n, nil
}

func isFingerprint(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return len(s) == 32
}

// said names a token.
func said(tok json.Token) string {
	switch tok := tok.(type) {
	case json.Delim:
		return strconv.Quote(tok.String())
	case string:
		return "a string"
	case json.Number:
		return "a number"
	case bool:
		return "a truth value"
	}
	return "null"
}
