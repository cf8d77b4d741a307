package secrets

import "bytes"

// keyBlocks finds private keys in PEM form: what stands between the BEGIN and END lines, also when the END is missing, when
// the lines are quoted or indented, or when they are one line with \n in it. A BEGIN without anything that could be a key
// behind it only mentions one.
func (f *finder) keyBlocks() {
	for at := 0; ; {
		i := bytes.Index(f.low[at:], []byte("-----begin "))
		if i < 0 {
			return
		}
		start := at + i
		at = start + len("-----begin ")
		title, ok := title(f.low[at:])
		if !ok || !bytes.Contains(title, []byte("private key")) {
			continue
		}
		body := at + len(title) + len("-----")
		next := len(f.low)
		if n := bytes.Index(f.low[body:], []byte("-----begin ")); n >= 0 {
			next = body + n
		}
		end := f.material(body, next)
		if end == body {
			continue
		}
		closing := append(append([]byte("-----end "), title...), "-----"...)
		if n := bytes.Index(f.low[body:next], closing); n >= 0 {
			end = body + n + len(closing)
		}
		f.add(start, end, "private key")
		at = end
	}
}

// title returns what stands before the dashes that end a PEM line.
func title(s []byte) ([]byte, bool) {
	const longest = 64
	n := bytes.Index(s[:min(len(s), longest)], []byte("-----"))
	if n < 0 || bytes.ContainsAny(s[:n], "\r\n") {
		return nil, false
	}
	return s[:n], true
}

// material returns the end of the lines behind offset from that can be a key: base64, the headers of a PEM block, and the
// marks of quotes and code before them. It does not go beyond offset next.
func (f *finder) material(from, next int) int {
	end, at, headers := from, from, 8
	for at < next {
		for at < next && bytes.IndexByte([]byte(" \t\r\n>\"',+|`"), f.s[at]) >= 0 {
			at++
		}
		if at+1 < len(f.s) && f.s[at] == '\\' && (f.s[at+1] == 'n' || f.s[at+1] == 'r') {
			at += 2
			continue
		}
		n := 0
		for at+n < len(f.s) && base64(f.s[at+n]) {
			n++
		}
		rest := f.s[at+n:]
		switch {
		case len(rest) > 0 && (rest[0] == ':' || rest[0] == '-') && n > 0 && n < 24 && headers > 0 && end == from:
			headers-- // "Proc-Type: 4,ENCRYPTED" and the like
			for at < len(f.s) && f.s[at] != '\n' && !bytes.HasPrefix(f.s[at:], []byte(`\n`)) {
				at++
			}
			continue
		case n >= 16, n > 0 && end > from && wholeLine(rest):
			at += n
			end = at
			continue
		}
		return end
	}
	return end
}

// wholeLine reports whether nothing but the marks of code stands in the rest of a line.
func wholeLine(rest []byte) bool {
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	return len(bytes.Trim(line, " \t\r\"',+|`\\nr")) == 0
}

func base64(c byte) bool { return alnum(c) || c == '+' || c == '/' || c == '=' }

func alnum(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || digit(c) }

func digit(c byte) bool { return '0' <= c && c <= '9' }
