package claim

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A label is how a heading names a claim: an id, a separator and a title.
type label struct {
	prefix, slug string // of the id, as written; the slug may be a bad one
	separated    bool   // a separator stands after the id
	title        string
}

func (l label) id() string { return l.prefix + "-" + l.slug }

// bare reports whether nothing follows the id.
func (l label) bare() bool { return !l.separated && l.title == "" }

// readLabel reads a heading that begins with a known prefix and a hyphen. The slug goes to the first white space or separator;
// a hyphen separates only after white space, since ids have hyphens too.
func readLabel(heading string, prefixes map[string]string) (label, bool) {
	prefix, rest, ok := strings.Cut(heading, "-")
	if _, known := prefixes[prefix]; !ok || !known {
		return label{}, false
	}
	end := strings.IndexFunc(rest, func(r rune) bool { return unicode.IsSpace(r) || isSeparator(r) && r != '-' })
	if end < 0 {
		return label{prefix: prefix, slug: rest}, true
	}
	l := label{prefix: prefix, slug: rest[:end]}
	rest = strings.TrimSpace(rest[end:])
	if r, size := utf8.DecodeRuneInString(rest); isSeparator(r) {
		l.separated = true
		rest = rest[size:]
		if r == '-' { // two hyphens are a dash on an old keyboard
			rest = strings.TrimPrefix(rest, "-")
		}
	}
	l.title = strings.TrimSpace(rest)
	return l, true
}

// isSeparator reports whether r separates id and title.
func isSeparator(r rune) bool { return r == '—' || r == '–' || r == '-' || r == ':' }

// A slip is what somebody who meant to write the heading of a claim may have written instead.
type slip struct {
	id      string // that was meant, as far as one can tell
	known   bool   // the prefix is a known one
	strong  bool   // it looks like a claim even when no block follows
	fault   string // what is wrong with the id, "" when that is not the trouble
	divided bool   // something like a separator follows
	bare    bool   // nothing follows
}

// readSlip reads the beginning of a heading, or of a line in the place of one, the way a hasty reader does: any case, any
// sign between prefix and slug, marks of quotation around the id. ok is false when there is nothing like an id.
func readSlip(line string, prefixes map[string]string) (s slip, ok bool) {
	plain := fold(line)
	plain = strings.TrimLeft(plain, "[({\"'`“‘«<*_# ")
	letters := len(plain) - len(strings.TrimLeftFunc(plain, isIDLetter))
	prefix := longestPrefix(plain[:letters], prefixes)
	if s.known = prefix != ""; !s.known {
		prefix = strings.TrimRight(plain[:letters], "0123456789")
	}
	if prefix == "" || len(prefix) > 16 {
		return slip{}, false
	}
	rest := plain[len(prefix):]
	slug := strings.TrimLeft(rest, "-_ \t")
	joint := rest[:len(rest)-len(slug)]
	end := strings.IndexFunc(slug, func(r rune) bool { return !isIDLetter(r) && r != '-' && r != '_' })
	if end < 0 {
		end = len(slug)
	}
	slug, rest = strings.TrimRight(slug[:end], "-_"), strings.TrimLeft(slug[end:], "])}\"'`”’»>*_")
	if slug == "" {
		return slip{}, false
	}
	digits := strings.Trim(slug, "0123456789") == ""
	if strings.Trim(joint, "-_") != "" && !digits || joint == "" && !digits { // "API design", "CONTACT"
		return slip{}, false
	}
	joined := strings.Trim(joint, "-_") == "" && joint != ""
	if !s.known && !joined {
		return slip{}, false
	}
	rest = strings.TrimSpace(rest)
	after, _ := utf8.DecodeRuneInString(rest)
	s.id = strings.ToUpper(prefix) + "-" + strings.ReplaceAll(strings.ToLower(slug), "_", "-")
	s.bare, s.divided = rest == "", rest != "" && (unicode.Is(unicode.Pd, after) || strings.ContainsRune("−:：|", after))
	s.fault = idFault(line, prefix, joint, slug)
	constant := strings.Contains(joint, "_") && strings.ToUpper(slug) == slug // API_KEY
	switch {
	case !s.known || !joined:
	case digits:
		s.strong = s.bare || s.divided
	default:
		s.strong = s.divided && prefix == strings.ToUpper(prefix) && !constant
	}
	return s, true
}

// idFault says what is wrong with an id by itself: "" when it is written as ids are.
func idFault(line, prefix, joint, slug string) string {
	switch {
	case prefix != strings.ToUpper(prefix):
		return "its prefix is not in capital letters"
	case strings.Contains(joint, "_"):
		return `it has "_" where an id has "-"`
	case joint != "-":
		return `it has no "-" between prefix and number`
	case strings.Contains(line, prefix+"-"+slug):
		return ""
	case strings.Contains(line, slug):
		return `the sign between prefix and number only looks like "-"`
	}
	return "it is written with characters that only look like those of an id"
}

// longestPrefix returns the beginning of s, as written there, that is a known prefix in any case; "" when none is.
func longestPrefix(s string, prefixes map[string]string) string {
	for n := len(s); n > 0; n-- {
		if _, ok := prefixes[strings.ToUpper(s[:n])]; ok {
			return s[:n]
		}
	}
	return ""
}

func isIDLetter(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

// fold replaces what looks like an ASCII character of an id by it, and takes out what does not show.
func fold(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r >= '！' && r <= '～':
			return r - '！' + '!'
		case strings.ContainsRune("‐‑‒⁃﹣", r):
			return '-'
		case unicode.Is(unicode.Cf, r), unicode.Is(unicode.Variation_Selector, r):
			return -1
		case unicode.IsSpace(r):
			return ' '
		}
		return r
	}, s))
}
