package record

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// LeadingIDs returns the ids with which the text of an entry begins, such as BILL-01 in "BILL-01: Round to cents" and both
// in "**BILL-01, BILL-02** rounding". An id is made of a capital letter of any script, further capital letters or digits,
// perhaps more such parts behind hyphens ("UI-NAV-03"), and at its end a hyphen and digits. Emphasis, code marks and brackets
// around it do not count.
func LeadingIDs(s string) []string {
	var ids []string
	for {
		for s != "" && strings.IndexByte(" \t\n*_`[(~", s[0]) >= 0 {
			s = s[1:]
		}
		id := idAt(s)
		if id == "" {
			return ids
		}
		ids = append(ids, id)
		s = strings.TrimLeft(s[len(id):], "*_`])~ ")
		rest := strings.TrimLeft(s, ",;&+")
		if rest == s {
			return ids
		}
		s = rest
	}
}

// IDs returns every id in s that stands as a word of its own, in order, each once.
func IDs(s string) []string {
	var ids []string
	seen := map[string]bool{}
	word := false // the character before belongs to a word
	for i := 0; i < len(s); {
		if !word {
			if id := idAt(s[i:]); id != "" {
				if !seen[id] {
					seen[id] = true
					ids = append(ids, id)
				}
				i += len(id)
				word = true
				continue
			}
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		word = isWord(r) || r == '-'
		i += size
	}
	return ids
}

// idAt returns the id at the beginning of s, "" when there is none or when it is only part of a longer word.
func idAt(s string) string {
	i := 0
	for parts := 0; ; parts++ {
		part, digits := idPart(s[i:], parts == 0)
		if part == 0 {
			return ""
		}
		i += part
		if i < len(s) && s[i] == '-' {
			i++
			continue
		}
		if r, _ := utf8.DecodeRuneInString(s[i:]); !digits || parts == 0 || i < len(s) && isWord(r) {
			return ""
		}
		return s[:i]
	}
}

// idPart returns the length of the capital letters and digits at the beginning of s, and whether they are ASCII digits
// alone. The first part of an id begins with a letter.
func idPart(s string, first bool) (n int, digits bool) {
	digits = true
	for n < len(s) {
		r, size := utf8.DecodeRuneInString(s[n:])
		if !unicode.IsUpper(r) && !unicode.IsDigit(r) && !(n > 0 && isMark(r)) || n == 0 && first && !unicode.IsUpper(r) {
			break
		}
		digits = digits && r >= '0' && r <= '9'
		n += size
	}
	return n, digits && n > 0
}

func isWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || isMark(r)
}

// isMark reports whether r combines with the letter before it. Latin-1 has no such character.
func isMark(r rune) bool { return r > unicode.MaxLatin1 && unicode.Is(unicode.M, r) }
