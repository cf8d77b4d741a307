package guardtable

import (
	"path"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/glob"
)

// A Matcher decides which paths a pattern of a table binds.
//
// A pattern is read like a line of .gitignore, except that a slash in the middle does not tie it to the root: tables say
// "artifacts/tasks/done.md" and mean that file of each project. So "done.md" and "artifacts/tasks/*.md" match at any
// depth, "deploy/" and "deploy" match all that lies in a folder of that name, and a slash in front ties a pattern to its
// folder. The patterns of a project's table bind what lies in the project, and what they name from the root.
type Matcher struct {
	body   string // the pattern without the slashes around it
	folder string // folder of the literal prefix of body
	base   string // where the table's patterns belong
	tied   bool
	dir    bool
	globs  *glob.Set // over paths relative to base
	rooted *glob.Set // over paths relative to the root; nil when base is the root
}

// NewMatcher compiles a pattern of a table whose patterns belong to the folder base. A bad pattern is an error that says
// what is wrong with it.
func NewMatcher(base, pattern string) (*Matcher, error) {
	m := &Matcher{base: base}
	body := pattern
	for strings.HasPrefix(body, "./") {
		body = body[2:]
	}
	m.tied = strings.HasPrefix(body, "/")
	body = strings.TrimLeft(body, "/")
	m.dir = strings.HasSuffix(body, "/")
	m.body = strings.TrimRight(body, "/")
	compiled, err := glob.Compile(m.body)
	if err != nil {
		return nil, err
	}
	if _, literal := compiled.Literal(); !literal {
		m.folder = compiled.Folder()
	}
	from := ""
	if !m.tied {
		from = "**/"
	}
	if m.globs, err = m.set(from); err != nil {
		return nil, err
	}
	if base != "" {
		m.rooted, err = m.set("")
	}
	return m, err
}

func (m *Matcher) set(from string) (*glob.Set, error) {
	if m.dir {
		return glob.CompileSet([]string{from + m.body + "/**"})
	}
	return glob.CompileSet([]string{from + m.body, from + m.body + "/**"})
}

// Match reports whether the pattern binds a path, given from the root.
func (m *Matcher) Match(p string) bool {
	if m.rooted != nil && m.rooted.Match(p) {
		return true
	}
	if m.base == "" {
		return m.globs.Match(p)
	}
	rest, ok := strings.CutPrefix(p, m.base+"/")
	return ok && m.globs.Match(rest)
}

// Under reports whether a path lies in the folder of the pattern's literal prefix, so that the prefix exists where the
// path does. A pattern without a wildcard, or without a folder before the first one, has no such folder.
func (m *Matcher) Under(p string) bool {
	if m.folder == "" {
		return false
	}
	if strings.HasPrefix(p, m.folder+"/") {
		return true
	}
	if m.base != "" {
		rest, ok := strings.CutPrefix(p, m.base+"/")
		if !ok {
			return false
		}
		p = rest
	}
	if m.tied {
		return strings.HasPrefix(p, m.folder+"/")
	}
	return strings.HasPrefix(p, m.folder+"/") || strings.Contains(p, "/"+m.folder+"/")
}

// Meets reports whether the pattern and a glob over paths from the root have paths in common, as far as sample paths of
// both can tell; no file is needed. A bad glob has no paths.
func (m *Matcher) Meets(rule string) bool {
	other, err := glob.Compile(rule)
	if err != nil {
		return false
	}
	mine := samples(m.body)
	if m.dir {
		mine = samples(m.body + "/**")
	}
	theirs := samples(rule)
	for _, s := range theirs {
		if m.Match(s) || m.base != "" && m.Match(path.Join(m.base, s)) && other.Match(path.Join(m.base, s)) {
			return true
		}
	}
	for _, s := range mine {
		for _, at := range []string{s, path.Join(m.base, s)} {
			if other.Match(at) {
				return true
			}
			for _, t := range theirs {
				mixed := path.Join(path.Dir(at), path.Base(t))
				if other.Match(mixed) && m.Match(mixed) {
					return true
				}
			}
		}
	}
	return false
}

// samples returns paths that a valid glob matches, one or two for each choice of its alternatives.
func samples(pattern string) []string {
	var out []string
	for _, p := range alternatives(pattern) {
		short := strings.TrimPrefix(strings.ReplaceAll("/"+p, "/**/", "/"), "/")
		out = append(out, sample(short))
		if short != p {
			out = append(out, sample(p))
		}
	}
	return out
}

// alternatives writes out the groups of braces of a valid glob.
func alternatives(p string) []string {
	open, depth := -1, 0
	var cuts []int
	for i := 0; i < len(p); i++ {
		switch p[i] {
		case '\\':
			i++
		case '[':
			if end := strings.IndexByte(p[i+1:], ']'); end >= 0 {
				i += end + 1
			}
		case '{':
			if depth == 0 {
				open, cuts = i, []int{i}
			}
			depth++
		case ',':
			if depth == 1 {
				cuts = append(cuts, i)
			}
		case '}':
			depth--
			if depth != 0 {
				continue
			}
			cuts = append(cuts, i)
			var out []string
			for k := 0; k+1 < len(cuts); k++ {
				out = append(out, alternatives(p[:open]+p[cuts[k]+1:cuts[k+1]]+p[i+1:])...)
			}
			return out
		}
	}
	return []string{p}
}

// sample replaces the wildcards of a glob without groups by characters that they match.
func sample(p string) string {
	var b strings.Builder
	for i := 0; i < len(p); i++ {
		switch c := p[i]; c {
		case '\\':
			if i+1 < len(p) {
				i++
				b.WriteByte(p[i])
			}
		case '*', '?':
			if !strings.HasSuffix(b.String(), "x") || c == '?' {
				b.WriteByte('x')
			}
		case '[':
			end := strings.IndexByte(p[i+1:], ']')
			if end < 1 {
				b.WriteByte(c)
				continue
			}
			if first := p[i+1]; first == '!' || first == '^' {
				b.WriteByte('x')
			} else {
				b.WriteByte(first)
			}
			i += end + 1
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
