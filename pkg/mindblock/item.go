package mindblock

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Label returns the label with which an item of section D begins, in the form of the specification, and whether it begins
// with exactly one (chapter 6.2). The label stands in braces, brackets or bold.
func Label(item string) (label string, ok bool) {
	first, rest, ok := cutMarked(item)
	if !ok || !isLabel(first) {
		return foldLabel(first), false
	}
	second, _, ok := cutMarked(strings.TrimLeft(rest, " \t\n:,/+|&-–—"))
	return foldLabel(first), !ok || !isLabel(second)
}

// Labels are the labels of section D, in Vietnamese and in English.
func Labels() []string {
	return []string{"mới-nêu", "đang-cãi", "gần-chốt", "treo-chờ-anh", "raised", "contested", "near-settled", "waiting-for-owner"}
}

// Verdicts are the verdict words of section E.
func Verdicts() []string {
	return []string{"đạt", "trượt", "cờ", "bỏ-qua", "pass", "fail", "flag", "skip"}
}

// The words of both lists are in the form in which they are compared.
func isLabel(s string) bool   { return slices.Contains(Labels(), foldLabel(s)) }
func isVerdict(s string) bool { return slices.Contains(Verdicts(), foldLabel(s)) }

// cutMarked takes a word in braces, brackets or bold, or in both, off the front of s.
func cutMarked(s string) (inner, rest string, ok bool) {
	s = strings.TrimLeft(s, " \t\n")
	for _, m := range [][2]string{{"**", "**"}, {"__", "__"}, {"[", "]"}, {"{", "}"}} {
		after, found := strings.CutPrefix(s, m[0])
		if !found {
			continue
		}
		inner, rest, found = strings.Cut(after, m[1])
		if !found {
			return "", "", false
		}
		if deeper, tail, nested := cutMarked(inner); nested && strings.TrimSpace(tail) == "" {
			inner = deeper
		}
		return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(inner), ":")), rest, true
	}
	return "", "", false
}

// A Run is an item of section E: what one helper said, and where it is written down. A part that is missing is "".
type Run struct {
	Role    string
	Verdict string // in the form of the specification
	Path    string // of the pointer, as written
	Anchor  string // of the pointer: what stands after #, without it
	HasHash bool
	// At is the place of the pointer in the item's text, in bytes.
	Start, End int
}

// Whole reports whether nothing is missing.
func (r Run) Whole() bool { return r.Role != "" && r.Verdict != "" && r.Path != "" }

// ReadRun reads an item of section E: role, colon, verdict, arrow, pointer. It takes the first colon that a verdict
// follows, so that roles may hold colons.
func ReadRun(item string) Run {
	var r Run
	for at := 0; at < len(item); {
		n := strings.IndexAny(item[at:], ":：")
		if n < 0 {
			break
		}
		colon := at + n
		after := colon + 1
		if item[colon] != ':' {
			after = colon + len("：")
		}
		word, end := token(item, after)
		if r.Role == "" {
			r.Role = cleanRole(item[:colon])
		}
		if isVerdict(word) {
			r.Role, r.Verdict = cleanRole(item[:colon]), foldLabel(word)
			r.pointer(item, end)
			return r
		}
		at = after
	}
	return r
}

func cleanRole(s string) string {
	return strings.TrimFunc(s, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("*_`[]{}\"'", r) })
}

// token returns the word that begins at or after offset from, without the marks around it, and the offset behind it.
func token(s string, from int) (string, int) {
	start := from + len(s[from:]) - len(strings.TrimLeftFunc(s[from:], func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("*_`[{(", r) }))
	end := start
	for i, r := range s[start:] {
		if unicode.IsSpace(r) || strings.ContainsRune("→⇒⟶*_`]}),;.:=>", r) {
			break
		}
		end = start + i + utf8.RuneLen(r)
		if r == utf8.RuneError {
			end = start + i + 1 // a byte that is no UTF-8, or the first of the sign that stands for one
		}
	}
	word := strings.TrimRight(s[start:end], "-–—")
	return word, end
}

// pointer reads the pointer that stands in item after offset from.
func (r *Run) pointer(item string, from int) {
	skip := func(c rune) bool {
		return unicode.IsSpace(c) || strings.ContainsRune("→⇒⟶*_]}),;.:=>-–—|", c)
	}
	rest := item[from:]
	// A path may begin with a dot, which is no separator then.
	start := from + len(rest) - len(strings.TrimLeftFunc(rest, skip))
	for start > from && item[start-1] == '.' {
		start--
	}
	s := item[start:]
	target, end := s, len(s)
	switch {
	case strings.HasPrefix(s, "`"):
		if inner, _, ok := strings.Cut(s[1:], "`"); ok {
			target, start, end = inner, start+1, len(inner)
		}
	case strings.HasPrefix(s, "<"):
		if inner, _, ok := strings.Cut(s[1:], ">"); ok {
			target, start, end = inner, start+1, len(inner)
		}
	case strings.HasPrefix(s, "["):
		if open := strings.Index(s, "]("); open >= 0 {
			if inner, _, ok := strings.Cut(s[open+2:], ")"); ok {
				target, start, end = strings.Trim(inner, "<>"), start+open+2, len(inner)
			}
		}
	default:
		if n := strings.IndexFunc(s, func(c rune) bool { return unicode.IsSpace(c) || strings.ContainsRune(",;", c) }); n >= 0 {
			end = n
		}
		end = len(strings.TrimRight(s[:end], ".)]}*_:"))
		target = s[:end]
	}
	r.Start, r.End = start, start+end
	r.Path, r.Anchor, r.HasHash = strings.Cut(strings.TrimSpace(target), "#")
}
