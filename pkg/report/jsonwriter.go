package report

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/seed-4419f9ca/forge/pkg/text"
)

// A jsonWriter writes indented JSON with the keys in the order in which they are given. Callers open and close objects
// and lists in pairs; inside an object each value follows its key.
type jsonWriter struct {
	buf   []byte
	depth int
	empty bool // nothing was written since the last open
	keyed bool // a key was written and its value is due
}

func (w *jsonWriter) open(bracket byte) {
	w.next()
	w.buf = append(w.buf, bracket)
	w.depth++
	w.empty = true
}

func (w *jsonWriter) close(bracket byte) {
	w.depth--
	if !w.empty {
		w.line()
	}
	w.buf = append(w.buf, bracket)
	w.empty = false
}

// key begins a member of the open object; names are plain words of the contract.
func (w *jsonWriter) key(name string) {
	w.next()
	w.buf = append(w.buf, '"')
	w.buf = append(w.buf, name...)
	w.buf = append(w.buf, `": `...)
	w.keyed = true
}

func (w *jsonWriter) string(name, value string) {
	w.key(name)
	w.text(value)
}

func (w *jsonWriter) int(name string, value int) {
	w.key(name)
	w.next()
	w.buf = strconv.AppendInt(w.buf, int64(value), 10)
}

// millis writes a duration with three decimals at most.
func (w *jsonWriter) millis(name string, value float64) {
	w.key(name)
	w.next()
	s := strconv.FormatFloat(max(value, 0), 'f', 3, 64)
	if strings.HasPrefix(s, "NaN") || strings.HasPrefix(s, "+Inf") {
		s = "0.000"
	}
	w.buf = append(w.buf, strings.TrimSuffix(strings.TrimRight(s, "0"), ".")...)
}

// path writes a path as the member "path", and as "path_base64" as well when it is no UTF-8 (chapter 3.1). In such a path
// a percent sign is encoded too, so that it can be decoded; all others are written as they are.
func (w *jsonWriter) path(p string) {
	if utf8.ValidString(p) {
		w.string("path", p)
		return
	}
	w.string("path", percentEncode(p))
	w.string("path_base64", base64.StdEncoding.EncodeToString([]byte(p)))
}

// percentEncode encodes the bytes of p that are no UTF-8, and percent signs.
func percentEncode(p string) string {
	var b strings.Builder
	for i := 0; i < len(p); {
		r, size := utf8.DecodeRuneInString(p[i:])
		if r == '%' || r == utf8.RuneError && size == 1 {
			fmt.Fprintf(&b, "%%%02X", p[i])
		} else {
			b.WriteString(p[i : i+size])
		}
		i += size
	}
	return b.String()
}

func (w *jsonWriter) next() {
	if w.keyed {
		w.keyed = false
		return
	}
	if w.depth > 0 {
		if !w.empty {
			w.buf = append(w.buf, ',')
		}
		w.line()
	}
	w.empty = false
}

func (w *jsonWriter) line() {
	w.buf = append(w.buf, '\n')
	for range w.depth {
		w.buf = append(w.buf, "  "...)
	}
}

// text writes a string value. What a terminal would act on is written as an escape of JSON, which changes nothing for a
// reader of JSON; a byte that is no UTF-8 cannot be said in JSON and becomes the four characters \xNN.
func (w *jsonWriter) text(s string) {
	w.next()
	w.buf = append(w.buf, '"')
	plain := text.Escape(s) == s
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '"' || r == '\\':
			w.buf = append(w.buf, '\\', byte(r))
		case plain:
			w.buf = append(w.buf, s[i:i+size]...)
		case r == '\n':
			w.buf = append(w.buf, `\n`...)
		case r == '\r':
			w.buf = append(w.buf, `\r`...)
		case r == '\t':
			w.buf = append(w.buf, `\t`...)
		case r == utf8.RuneError && size == 1:
			w.buf = fmt.Appendf(w.buf, `\\x%02x`, s[i])
		case r < utf8.RuneSelf && r >= ' ' && r != 0x7f || text.Escape(s[i:i+size]) == s[i:i+size]:
			w.buf = append(w.buf, s[i:i+size]...)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			w.buf = fmt.Appendf(w.buf, `\u%04x\u%04x`, high, low)
		default:
			w.buf = fmt.Appendf(w.buf, `\u%04x`, r)
		}
		i += size
	}
	w.buf = append(w.buf, '"')
}
