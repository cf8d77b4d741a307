package record

import (
	"fmt"
	"strings"
	"testing"
)

// say renders problems as "slug line:column", for tables.
func say(problems []Problem) string {
	var out []string
	for _, p := range problems {
		at := p.Slug
		if !p.Span.IsZero() {
			at += fmt.Sprintf(" %d:%d", p.Span.Start.Line, p.Span.Start.Column)
		}
		if p.Side == "before" {
			at += " before"
		}
		if p.Level != "" {
			at += " " + string(p.Level)
		}
		out = append(out, at)
	}
	return strings.Join(out, ", ")
}

func versions(texts ...string) (out []Parent) {
	for _, t := range texts {
		out = append(out, Parent{Version: Content([]byte(t))})
	}
	return out
}

func TestCompareBytes(t *testing.T) {
	utf16 := func(be bool, s string) string {
		out := "\xff\xfe"
		if be {
			out = "\xfe\xff"
		}
		for _, r := range s {
			lo, hi := byte(r), byte(r>>8)
			if be {
				lo, hi = hi, lo
			}
			out += string([]byte{lo, hi})
		}
		return out
	}
	long := strings.Repeat("x", 3*bufferSize)
	cases := []struct {
		title, before, after string
		direction            Direction
		want                 string
	}{
		{"grows", "a\nb\n", "a\nb\nc\n", "", ""},
		{"stays", "a\nb\n", "a\nb\n", "", ""},
		{"from nothing", "", "a\n", "", ""},
		{"final line end added", "a\nb", "a\nb\nc\n", "", ""},
		{"final line end added as CRLF", "a\nb", "a\nb\r\nc\r\n", "", ""},
		{"unfinished line continued", "a\nb", "a\nbc\n", "", "rewritten 2:2"},
		{"unfinished line continued with a carriage return", "a\nb", "a\nb\rc\n", "", "rewritten 2:2"},
		{"final line end lost", "a\nb\n", "a\nb", "", "truncated 2:1"},
		{"tail lost", "a\nb\nc\n", "a\n", "", "truncated 2:1 before"},
		{"all lost", "a\nb\nc\n", "", "", "truncated 1:1 before"},
		{"cut within a line", "a\nbcd\n", "a\nb", "", "truncated 2:1"},
		{"old line changed", "a\nbcd\nc\n", "a\nbXd\nc\nd\n", "", "rewritten 2:2"},
		{"old line gone", "a\nb\nc\n", "a\nc\n", "", "rewritten 2:1"},
		{"lines swapped", "a\nb\n", "b\na\n", "", "rewritten 1:1"},
		{"line slipped in", "a\nb\n", "a\nx\nb\n", "", "inserted 2:1"},
		{"lines slipped in and added", "a\nb\n", "a\nx\nb\nc\n", "", "inserted 2:1"},
		{"line on top", "a\nb\n", "x\na\nb\n", "", "direction 1:1"},
		{"repeated lines grow", "a\na\n", "a\na\na\n", "", ""},
		{"CRLF", "a\nb\n", "a\r\nb\r\n", "", "eol-changed 1:1"},
		{"CRLF and back", "a\r\nb\r\n", "a\nb\nc\n", "", "eol-changed 1:1"},
		{"half CRLF", "a\nb\n", "a\nb\r\nc\r\n", "", "eol-changed 2:1"},
		{"CRLF and an edit", "a\nb\nc\n", "a\r\nX\r\nc\r\n", "", "eol-changed 1:1, rewritten 2:1"},
		{"CRLF and a cut", "a\nb\nc\n", "a\r\nb\r\n", "", "eol-changed 1:1, truncated 3:1 before"},
		{"CRLF and a line slipped in", "a\nb\n", "a\r\nx\r\nb\r\n", "", "eol-changed 1:1, inserted 2:1"},
		{"new lines with other ends", "a\nb\n", "a\nb\nc\r\n", "", ""},
		{"half a line end continued", "a\nb\r", "a\nb\rc\n", "", "rewritten 2:3"},
		{"half a line end completed", "a\nb\r", "a\nb\r\nc\r\n", "", ""},
		{"lone carriage returns", "a\rb\r", "a\rb\rc\r", "", ""},
		{"UTF-16 grows", utf16(true, "a\nb\n"), utf16(true, "a\nb\nc\n"), "", ""},
		{"UTF-16 little endian grows", utf16(false, "a\nb\n"), utf16(false, "a\nb\nc\n"), "", ""},
		{"UTF-16 finished", utf16(false, "a\nb"), utf16(false, "a\nb\nc\n"), "", ""},
		{"UTF-16 continued", utf16(false, "a\nb"), utf16(false, "a\nbc\n"), "", "rewritten 2:3"},
		{"UTF-16 changed", utf16(true, "a1\nb2\n"), utf16(true, "a1\nc2\n"), "", "rewritten 2:2"},
		{"UTF-16 CRLF", utf16(true, "a\nb\n"), utf16(true, "a\r\nb\r\n"), "", "eol-changed 1:1"},
		{"UTF-16 little endian CRLF", utf16(false, "a\nb\n"), utf16(false, "a\r\nb\r\nc\r\n"), "", "eol-changed 1:1"},
		{"UTF-16 with LF inside a character", utf16(false, "ਅĊ\nb\n"), utf16(false, "ਅĊ\r\nb\r\n"), "", "eol-changed 1:1"},
		{"encoding changed", "a\nb\n", utf16(true, "a\nb\n"), "", "rewritten 1:1"},
		{"long lines", long + "\n", long + "\n" + long + "\n", "", ""},
		{"long line changed", long + "\n" + long + "a\n", long + "\n" + long + "b\n", "", "rewritten 2:1"},
		{"long lines, CRLF", long + "\n" + long + "a\n", long + "\r\n" + long + "a\r\n", "", "eol-changed 1:1"},
		{"top: grows", "b\na\n", "c\nb\na\n", Top, ""},
		{"top: without final line end", "b\na", "c\nb\na\n", Top, ""},
		{"top: below", "b\na\n", "b\na\nc\n", Top, "direction 3:1"},
		{"top: both ends", "b\na\n", "c\nb\na\nd\n", Top, "direction 4:1"},
		{"top: in between", "b\na\n", "b\nx\na\n", Top, "inserted 2:1"},
		{"top: changed", "b\na\n", "c\nb\nX\n", Top, "rewritten 3:1"},
		{"top: oldest lost", "c\nb\na\n", "c\nb\n", Top, "truncated 3:1 before"},
		{"on top and at the end", "a\nb\n", "x\na\nb\ny\n", "", "direction 1:1"},
		{"on top, between and at the end", "a\nb\n", "x\na\nz\nb\ny\n", "", "inserted 1:1"},
		{"top: on top and at the end", "b\na\n", "c\nb\na\ny\nz\n", Top, "direction 4:1"},
		{"top: CRLF", "b\na\n", "c\r\nb\r\na\r\n", Top, "eol-changed 2:1"},
		{"any: grows everywhere", "a\nb\n", "x\na\nx\nb\nx\n", Any, ""},
		{"any: changed", "a\nb\n", "a\nX\n", Any, "rewritten 2:1 before"},
		{"any: swapped", "a\nb\n", "b\na\n", Any, "rewritten 2:1 before"},
		{"any: cut", "a\nb\n", "a\n", Any, "truncated 2:1 before"},
	}
	for _, c := range cases {
		t.Run(c.title, func(t *testing.T) {
			problems, err := Compare(Comparison{
				Spec: Spec{Shape: Bytes, Direction: c.direction}, Parents: versions(c.before), After: Content([]byte(c.after)),
			})
			if err != nil {
				t.Fatal(err)
			}
			if got := say(problems); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
