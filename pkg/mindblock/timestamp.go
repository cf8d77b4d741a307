package mindblock

import (
	"bytes"
	"regexp"
	"sync"
)

// TimestampKey is the one regular expression by which a line begins with a time-stamp key (chapter 6.3): the reader of time
// stamps uses it, and so does the check that keeps such lines out of notes. It is for single lines, in the syntax that RE2,
// PCRE and Python share. The key may be indented, bulleted, numbered, a box, bold, quoted or in code; before it stand white
// space of any kind and a byte-order mark, behind it a colon or an equals sign, also of full width. The first group is the
// key, the second what stands behind the sign. The word for time in Vietnamese is spelled in each of its normal forms.
const TimestampKey = "(?i)^(?:[" + blanks + "]|[-*+•‣◦–—>]|\\d{1,9}[.)]|\\[[ x]\\])*" + marks + "*" +
	"(ts|timestamp|time-stamp|time_stamp|time|date|created|updated|th(?:ờ|ơ\u0300|o\u031b\u0300|o\u0300\u031b|ò\u031b)i-gian)" +
	marks + "*[" + blanks + "]*[:=：＝](.*)$"

const (
	blanks = " \\t\\f\\v\u00a0\u1680\u2000-\u200d\u2028\u2029\u202f\u205f\u2060\u3000\ufeff"
	marks  = "[*_~`\"'“”„‘’«»]"
)

var timestampKey = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(TimestampKey) })

// A Stamp is one line that begins with a time-stamp key.
type Stamp struct {
	Start, End int // bytes of the key
	Key, Value string
}

// Timestamps reads the time stamps of a text: one for each line that begins with a key. Lines end with LF, CR or CRLF.
func Timestamps(src []byte) []Stamp {
	var out []Stamp
	for at := 0; at < len(src); {
		next := afterLine(src, at)
		line := src[at:trimEOL(src, at, next)]
		if mayBeStamp(line) {
			if m := timestampKey().FindSubmatchIndex(line); m != nil {
				out = append(out, Stamp{at + m[2], at + m[3], string(line[m[2]:m[3]]), string(bytes.TrimSpace(line[m[4]:m[5]]))})
			}
		}
		at = next
	}
	return out
}

// mayBeStamp is a cheap test that every line with a key passes: the sign behind the key.
func mayBeStamp(line []byte) bool {
	return bytes.IndexByte(line, ':') >= 0 || bytes.IndexByte(line, '=') >= 0 || bytes.Contains(line, []byte("：")) || bytes.Contains(line, []byte("＝"))
}
