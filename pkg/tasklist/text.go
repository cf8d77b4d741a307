package tasklist

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/seed-4419f9ca/forge/pkg/record"
)

// HasTag reports whether one of the tags, such as "#backlog", stands as a word in s. Case does not count. Tags begin with #.
func HasTag(s string, tags ...string) bool {
	at := strings.IndexByte(s, '#')
	if at < 0 {
		return false
	}
	s = s[max(strings.LastIndexFunc(s[:at], unicode.IsSpace), 0):]
	for w := range strings.FieldsSeq(s) {
		w = strings.ToLower(strings.TrimRight(w, ".,;:!?)*_"))
		for _, t := range tags {
			if strings.TrimLeft(w, "(*_`") == t {
				return true
			}
		}
	}
	return false
}

// Plain returns s in lower case without the tags at its end, on one line.
func Plain(s string) string {
	words := strings.Fields(strings.ToLower(s))
	for len(words) > 0 && isTag(words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	return strings.Join(words, " ")
}

func isTag(w string) bool {
	return len(w) > 1 && w[0] == '#' && strings.IndexFunc(w[1:], func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '_' && r != '/'
	}) < 0
}

// DefaultPlaceholders returns the task texts that scaffolds write into empty lists.
func DefaultPlaceholders() []string {
	return []string{
		"task description", "feature description", "story description", "bug description", "description of the task",
		"quick task", "task name", "example task", "sample task", "description", "mô tả công việc", "mô tả",
	}
}

// Placeholders knows the texts that a scaffold writes and that may go.
type Placeholders map[string]bool

// NewPlaceholders reads a list of texts; nil stands for the default.
func NewPlaceholders(texts []string) Placeholders {
	if texts == nil {
		texts = DefaultPlaceholders()
	}
	p := Placeholders{}
	for _, t := range texts {
		p[Plain(t)] = true
		p[bare(t)] = true
	}
	delete(p, "")
	return p
}

// Match reports whether e is such a text, with or without its id, its tags and the brackets around it. Of a row the first
// cell that is more than an id counts.
func (p Placeholders) Match(e *record.Entry) bool {
	if p[Plain(e.Text)] || p[bare(e.Text)] {
		return true
	}
	for _, c := range e.Cells {
		if b := bare(c); b != "" {
			return p[b]
		}
	}
	return false
}

// bare returns the text of a task without its ids, tags and brackets.
func bare(s string) string {
	s = Plain(s)
	for _, id := range record.LeadingIDs(strings.ToUpper(s)) {
		if _, rest, ok := strings.Cut(s, strings.ToLower(id)); ok {
			s = rest
		}
	}
	return strings.Trim(s, " :*_`[]()<>{}….–—-")
}

// maxRange bounds how many ids a range such as A-01..A-20 stands for.
const maxRange = 1000

// expand returns the ids in s, with those that a range leaves out: "A-01..A-03" stands for three.
func expand(s string) []string {
	ids := record.IDs(s)
	if len(ids) < 2 || !strings.ContainsAny(s, ".…–—→~") {
		return ids
	}
	var out []string
	at := 0
	for i, id := range ids {
		out = append(out, id)
		start := at + strings.Index(s[at:], id)
		at = start + len(id)
		if i+1 == len(ids) {
			break
		}
		next := strings.Index(s[at:], ids[i+1])
		if next < 0 {
			continue
		}
		switch strings.TrimSpace(s[at : at+next]) {
		case "..", "...", "…", "–", "—", "→", "~":
			out = append(out, between(id, ids[i+1])...)
		}
	}
	return out
}

// between returns the ids from one to another, both left out. They must have one prefix.
func between(from, to string) []string {
	i, k := strings.LastIndexByte(from, '-'), strings.LastIndexByte(to, '-')
	first, err := strconv.Atoi(from[i+1:])
	last, err2 := strconv.Atoi(to[k+1:])
	if err != nil || err2 != nil || from[:i] != to[:k] || last-first > maxRange {
		return nil
	}
	var out []string
	for n := first + 1; n < last; n++ {
		out = append(out, fmt.Sprintf("%s-%0*d", from[:i], len(from)-i-1, n))
	}
	return out
}
