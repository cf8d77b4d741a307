package jsondoc

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// explain turns an error of the decoder into a place and half a sentence.
func (p *parser) explain(err error) (at int, reason string) {
	var s *jsontext.SyntacticError
	switch {
	case errors.Is(err, errDepth):
		return p.skip(p.at(), space+":,"), fmt.Sprintf("values are nested more than %d deep", MaxDepth)
	case errors.Is(err, errTrailing):
		return p.at() - 1, "something follows the end of the JSON text"
	case errors.As(err, &s):
		at = int(s.ByteOffset) + p.shift
	default:
		at = p.at()
	}
	if strings.TrimLeft(p.text, space) == "" {
		return len(p.doc.Source), "the file holds no JSON value"
	}
	if at >= len(p.doc.Source) || errors.Is(err, io.ErrUnexpectedEOF) {
		return at, "the text ends before the JSON value does"
	}
	return p.reason(at, s)
}

const space = " \t\r\n"

// skip returns the place of the first byte from at on that is none of these.
func (p *parser) skip(at int, these string) int {
	src := p.doc.Source
	for at < len(src) && strings.IndexByte(these, src[at]) >= 0 {
		at++
	}
	return at
}

// reason says what is wrong at a place in the middle of the source, and moves the place to its beginning.
func (p *parser) reason(at int, s *jsontext.SyntacticError) (int, string) {
	src := p.doc.Source
	if at > 0 && src[at] == 'I' && src[at-1] == '-' {
		at--
	}
	rest := string(src[at:min(at+16, len(src))])
	for _, word := range []string{"NaN", "Infinity", "-Infinity", "undefined", "None"} {
		if strings.HasPrefix(rest, word) {
			return at, word + " is no JSON value"
		}
	}
	switch {
	case strings.HasPrefix(rest, "//"), strings.HasPrefix(rest, "/*"), strings.HasPrefix(rest, "#"):
		return at, "JSON has no comments"
	case rest[0] == ',' && p.closes(at+1):
		return at, "a comma stands before the closing bracket"
	case rest[0] == '\'':
		return at, "strings and names stand in double quotes"
	case s != nil && s.Err != nil:
		return at, strings.TrimPrefix(s.Err.Error(), "jsontext: ")
	}
	return at, "the JSON text is broken"
}

// closes reports whether the first thing from at on is a closing bracket.
func (p *parser) closes(at int) bool {
	at = p.skip(at, space)
	return at < len(p.doc.Source) && (p.doc.Source[at] == '}' || p.doc.Source[at] == ']')
}
