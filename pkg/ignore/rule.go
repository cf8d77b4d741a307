package ignore

import (
	"strings"
	"sync"

	library "github.com/sabhiram/go-gitignore"
)

// A rule is one line that can match.
type rule struct {
	negated bool // the line began with '!'
	folders bool // it ended with a slash
	byName  bool // it has no other slash: the last segment is compared, in any folder
	literal string
	glob    string // what follows literal, from the first wildcard on; "" for none
	pattern func() *library.GitIgnore
}

// parse reads one line; nil when it holds no pattern.
func parse(line string) *rule {
	line, _, _ = strings.Cut(line, "\x00")
	if strings.HasPrefix(line, "#") {
		return nil
	}
	line = trimSpaces(line)
	if line == "" {
		return nil
	}
	r := &rule{}
	line, r.negated = strings.CutPrefix(line, "!")
	line, r.folders = strings.CutSuffix(line, "/")
	if r.byName = !strings.Contains(line, "/"); !r.byName {
		line = strings.TrimPrefix(line, "/")
	}
	r.literal = line
	if i := strings.IndexAny(line, `*?[\`); i >= 0 {
		r.literal, r.glob = line[:i], line[i:]
	}
	if r.glob != "" {
		r.pattern = sync.OnceValue(func() *library.GitIgnore {
			text, ok := normalise(r.literal, r.glob, !r.byName)
			if !ok {
				return nil
			}
			return library.CompileIgnoreLines(text)
		})
	}
	return r
}

// trimSpaces drops the spaces at the end of line that no backslash protects.
func trimSpaces(line string) string {
	end := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			continue
		case '\\':
			if i++; i == len(line) {
				return line
			}
		}
		end = i + 1
	}
	return line[:end]
}

// match reports whether r is about path, whose last segment is name.
func (r *rule) match(path, name string, folder bool) bool {
	if r.folders && !folder {
		return false
	}
	if r.byName {
		path = name
	}
	rest, ok := strings.CutPrefix(path, r.literal)
	switch {
	case !ok:
		return false
	case r.glob == "":
		return rest == ""
	case r.glob == "*" && r.byName:
		return true
	}
	p := r.pattern()
	return p != nil && p.MatchesPath(latin(path))
}
