package guardheader

import (
	"bytes"
	"strings"
	"unicode"
)

// A front is a block that would be a frontmatter if nothing stood above it.
type front struct {
	above Place
	fence int // offset of its opening line
	end   int // offset after its closing line
}

// deadFront looks for a frontmatter that does not begin at offset start, where it would have to, because blank lines,
// comments or invisible characters stand above it. What stands between the fences must read like one, so that two
// thematic breaks with prose between them are none. It returns nil when there is none.
func deadFront(src []byte, start int) *front {
	f := &front{above: Place{Start: start}}
	at := start
	for at < len(src) {
		line, next := lineAt(src, at)
		clean := visible(line)
		if fence := clean; fence == "---" || fence == "+++" {
			if at == start && string(line) == fence {
				return nil
			}
			f.fence = at
			return f.close(src, next, fence)
		}
		if clean != "" && f.above.End == 0 {
			f.above.Start, f.above.End = at, at+len(line)
		}
		switch {
		case clean == "":
			at = next
		case strings.HasPrefix(clean, "<!--"):
			open := at + bytes.Index(src[at:], []byte("<!--"))
			n := bytes.Index(src[open+4:], []byte("-->"))
			if open < at || n < 0 {
				return nil
			}
			rest, after := lineAt(src, open+4+n+3)
			if visible(rest) != "" {
				return nil
			}
			at = after
		default:
			return nil
		}
	}
	return nil
}

// close finds the closing fence of f, whose body begins at offset body, and returns f when the body reads like a
// frontmatter.
func (f *front) close(src []byte, body int, fence string) *front {
	for at := body; at < len(src); {
		line, next := lineAt(src, at)
		if strings.TrimRight(string(line), " \t") == fence {
			if !mapping(src[body:at], fence) {
				return nil
			}
			f.end = next
			if f.above.End == 0 {
				f.above.End = f.fence + max(bytes.IndexByte(src[f.fence:], fence[0]), 0)
			}
			f.above.Text = string(src[f.above.Start:f.above.End])
			return f
		}
		at = next
	}
	return nil
}

// mapping reports whether body reads like the keys of a frontmatter: the first line is a key, and so is every other that
// is not indented, a comment, an item of a list or blank.
func mapping(body []byte, fence string) bool {
	sep := byte(':')
	if fence == "+++" {
		sep = '='
	}
	keys := 0
	for at := 0; at < len(body); {
		line, next := lineAt(body, at)
		at = next
		switch {
		case isKey(line, sep):
			keys++
		case sep == '=' && len(line) > 0 && line[0] == '[':
			keys++
		case keys == 0 && !bytes.HasPrefix(line, []byte("#")):
			return false
		case len(bytes.TrimSpace(line)) == 0, line[0] == ' ', line[0] == '\t', line[0] == '#', bytes.HasPrefix(line, []byte("- ")), line[0] == ']', line[0] == '}':
		default:
			return false
		}
	}
	return keys > 0
}

// isKey reports whether line begins with a key of one word, perhaps in quotation marks, and its separator.
func isKey(line []byte, sep byte) bool {
	n := bytes.IndexByte(line, sep)
	if n < 1 || sep == ':' && n+1 < len(line) && line[n+1] != ' ' && line[n+1] != '\t' {
		return false
	}
	for _, r := range strings.TrimRight(string(line[:n]), " ") {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(`_-."'`, r) {
			return false
		}
	}
	return true
}

// visible returns line without invisible characters and without white space around it.
func visible(line []byte) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if invisible(r) {
			return -1
		}
		return r
	}, string(line)))
}

// lineAt returns the line at offset at without its line end, and the offset of the next line.
func lineAt(src []byte, at int) ([]byte, int) {
	if n := bytes.IndexByte(src[at:], '\n'); n >= 0 {
		return bytes.TrimSuffix(src[at:at+n], []byte{'\r'}), at + n + 1
	}
	return bytes.TrimSuffix(src[at:], []byte{'\r'}), len(src)
}
