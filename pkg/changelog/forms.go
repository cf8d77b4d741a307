package changelog

import (
	"strings"
	"time"
)

// DateProblem says what is wrong with the date of an entry, "" when nothing is. A date is YYYY-MM-DD or
// YYYY-MM-DDThh:mm:ssZ and stands in the calendar: then the order of bytes is the order of time.
func DateProblem(s string) string {
	const day, second = "2006-01-02", "2006-01-02T15:04:05Z"
	layout := day
	if strings.ContainsAny(s, "Tt") {
		layout = second
	}
	if _, err := time.Parse(layout, s); err == nil && len(s) == len(layout) {
		return ""
	}
	switch {
	case layout == second && !strings.HasSuffix(s, "Z"):
		return "has a time that does not end in Z; times are in UTC, as in 2026-06-13T15:04:05Z"
	case layout == second && strings.ContainsAny(s, ".,"):
		return "has a fraction of a second; times are as in 2026-06-13T15:04:05Z"
	case len(s) == len(layout):
		return "stands in no calendar"
	}
	return "is neither YYYY-MM-DD nor YYYY-MM-DDThh:mm:ssZ"
}

// hasLineEnd reports whether s has a character that ends a line.
func hasLineEnd(s string) bool {
	return strings.IndexByte(s, '\n') >= 0 || strings.IndexByte(s, '\r') >= 0 || strings.Contains(s, "\u2028") || strings.Contains(s, "\u2029")
}

// SummaryProblem says what is wrong with a summary, "" when nothing is.
func SummaryProblem(s string) string {
	switch {
	case strings.TrimSpace(s) == "":
		return "is empty"
	case hasLineEnd(s):
		return "has more than one line"
	}
	return ""
}

// PathProblem says what is wrong with a path of an entry, "" when nothing is (chapter 8.1).
func PathProblem(s string) string {
	switch {
	case s == "":
		return "is empty"
	case strings.HasPrefix(s, "/"):
		return "is absolute; paths begin at the root of the repository"
	case strings.HasPrefix(s, "./"):
		return `begins with "./", which says nothing`
	case strings.Contains(s, `\`):
		return "has a backslash; folders are separated by a slash"
	case hasLineEnd(s):
		return "has a line end"
	}
	for segment := range strings.SplitSeq(s, "/") {
		if segment == ".." {
			return `has the segment "..", which may leave the repository`
		}
	}
	return ""
}

// A Reach is what the paths of entries cover together: each the document that it names, and all that lies below it (chapter
// 8.1). Doubled slashes, "." segments and a slash at the end count for nothing; "." and "" hold everything. The zero value
// covers nothing. To ask it takes as long as a path is deep, however many paths it has.
type Reach struct{ bases map[string]bool }

// Add adds the paths of an entry.
func (r *Reach) Add(paths ...string) {
	if r.bases == nil {
		r.bases = map[string]bool{}
	}
	for _, p := range paths {
		r.bases[normal(p)] = true
	}
}

// Covers reports whether path equals one of the paths of r or lies below one.
func (r *Reach) Covers(path string) bool {
	if r.bases[""] || r.bases[path] {
		return true
	}
	for i := range len(path) {
		if path[i] == '/' && r.bases[path[:i]] {
			return true
		}
	}
	return false
}

// normal drops the segments of a path that say nothing.
func normal(s string) string {
	var kept []string
	for segment := range strings.SplitSeq(s, "/") {
		if segment != "" && segment != "." {
			kept = append(kept, segment)
		}
	}
	return strings.Join(kept, "/")
}
