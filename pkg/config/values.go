package config

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/seed-4419f9ca/forge/pkg/glob"
)

// line is what every text must be.
func line(s string) (problem, meant string) {
	switch {
	case strings.TrimSpace(s) == "":
		return "the text is empty", ""
	case strings.ContainsFunc(s, unicode.IsControl):
		return "the text has a line end or a control character", ""
	}
	return "", ""
}

// anything is the type of text that is free.
func anything() str {
	return str{words: "text", check: line}
}

// relative checks what paths and globs have in common: they begin at the root of the repository and stay in it.
func relative(s string) (problem, meant string) {
	const longest = 4096
	switch {
	case len(s) > longest:
		return fmt.Sprintf("the path is longer than %d bytes", longest), ""
	case strings.HasPrefix(s, "/"):
		return quote(s) + " is absolute; paths begin at the root of the repository", strings.TrimLeft(s, "/")
	case len(s) > 1 && s[1] == ':' && (s[0]|0x20 >= 'a' && s[0]|0x20 <= 'z'):
		return quote(s) + " has a drive letter; paths begin at the root of the repository", ""
	}
	segments := strings.Split(strings.TrimSuffix(s, "/"), "/")
	var kept []string
	for _, segment := range segments {
		switch segment {
		case "..":
			return quote(s) + ` has the segment "..", which may leave the repository`, ""
		case ".", "":
		default:
			kept = append(kept, segment)
		}
	}
	if len(kept) < len(segments) {
		return quote(s) + " has a segment that says nothing", strings.Join(kept, "/")
	}
	return "", ""
}

// relativeSchema is relative as JSON Schema.
func relativeSchema(more ...string) map[string]any {
	var not []any
	for _, p := range append([]string{`^/`, `^[A-Za-z]:`, `(^|/)\.\.?(/|$)`, `//`, `[\x00-\x1f\x7f]`}, more...) {
		not = append(not, map[string]any{"pattern": p})
	}
	return map[string]any{"maxLength": 4096, "not": map[string]any{"anyOf": not}}
}

// path is the type of a path in the repository. A slash at the end of a folder is dropped.
func path(words string, folder bool) str {
	t := str{words: words, schema: relativeSchema(`\\`, `/$`)}
	if folder {
		t.schema = relativeSchema(`\\`)
		t.clean = func(s string) string { return strings.TrimSuffix(s, "/") }
	}
	t.check = func(s string) (problem, meant string) {
		if strings.Contains(s, `\`) {
			return quote(s) + " has a backslash; folders are separated by a slash", strings.ReplaceAll(s, `\`, "/")
		}
		if problem, meant = relative(s); problem == "" && !folder && strings.HasSuffix(s, "/") {
			return quote(s) + " names a folder; a file is meant here", ""
		}
		return problem, meant
	}
	return t
}

// globText is the type of a glob over the paths of the repository.
func globText() str {
	return str{words: "a glob", check: globProblem, schema: relativeSchema(`^!`, `/$`)}
}

func globs(least int) list[string] {
	return list[string]{of: globText(), least: least, words: "a list of globs"}
}

func globProblem(s string) (problem, meant string) {
	if strings.HasPrefix(s, "!") {
		return quote(s) + ` begins with "!", which takes nothing out here; write "\!" for a name that begins so`, ""
	}
	if problem, meant = relative(s); problem != "" {
		return problem, meant
	}
	if strings.HasSuffix(s, "/") {
		return quote(s) + " matches no file", s + "**"
	}
	for i := 0; i+1 < len(s); i++ {
		if s[i] != '\\' {
			continue
		}
		if i++; s[i] == '_' || unicode.IsLetter(rune(s[i])) || unicode.IsDigit(rune(s[i])) {
			return quote(s) + " has a backslash before an ordinary character; folders are separated by a slash", strings.ReplaceAll(s, `\`, "/")
		}
	}
	_, err := glob.Compile(s)
	var bad *glob.SyntaxError
	if errors.As(err, &bad) {
		return fmt.Sprintf("bad glob %s: %s at byte %d", quote(s), bad.Reason, bad.Offset+1), ""
	}
	if err != nil {
		return err.Error(), ""
	}
	return "", ""
}

// ignorePattern is the type of a gitignore pattern. A pattern that git lets match nothing is let through; one that is no
// pattern at all is not.
func ignorePattern() str {
	return str{
		words: "a gitignore pattern",
		check: func(s string) (problem, meant string) {
			switch {
			case strings.HasPrefix(s, "#"):
				return quote(s) + " is a comment in gitignore syntax", `\` + s
			case len(s) > 4096:
				return "the pattern is longer than 4096 bytes", ""
			}
			return "", ""
		},
		schema: map[string]any{"maxLength": 4096, "not": map[string]any{"pattern": `^#|[\x00-\x1f\x7f]`}},
	}
}

// header is the type of a guard header: one HTML comment on one line.
func header() str {
	return str{
		words: "an HTML comment",
		check: func(s string) (problem, meant string) {
			inner, opened := strings.CutPrefix(s, "<!--")
			inner, closed := strings.CutSuffix(inner, "-->")
			switch {
			case !opened || !closed:
				return quote(s) + " is not one whole HTML comment, from <!-- to -->", ""
			case strings.TrimSpace(inner) == "":
				return "the comment is empty", ""
			case strings.Contains(inner, "-->") || strings.Contains(inner, "--!>") || strings.HasPrefix(inner, ">") || strings.HasPrefix(inner, "->"):
				return quote(s) + " is more than one comment: it ends before its end", ""
			}
			return "", ""
		},
		schema: map[string]any{
			"pattern": `^<!--.*[^\s].*-->$`,
			"not":     map[string]any{"pattern": `^<!--(>|->)|--!?>.*-->$|[\x00-\x1f\x7f]`},
		},
	}
}

// name is the type of a word that names something in a file name or a key: no space, no slash, no wildcard.
func name(words string) str {
	const never = "/\\*?[]{}<>\"'`"
	return str{
		words: words,
		check: func(s string) (problem, meant string) {
			if strings.ContainsAny(s, never) || strings.ContainsFunc(s, unicode.IsSpace) {
				return quote(s) + " is no name: it has a space, a slash, a quote, a bracket or a wildcard", nameIn(s, never)
			}
			return "", ""
		},
		schema: map[string]any{"not": map[string]any{"pattern": `[\s/\\*?\[\]{}<>"'` + "`]"}},
	}
}

// nameIn returns s without a slash at its front, when that is a name.
func nameIn(s, never string) string {
	if short := strings.TrimPrefix(s, "/"); short != s && short != "" && !strings.ContainsAny(short, never) {
		return short
	}
	return ""
}

// sessionSign stands for the number of a session.
const sessionSign = "<N>"

// notesPattern is the type of the path of notes.
func notesPattern() str {
	return str{
		words: "a path with `<N>`",
		check: func(s string) (problem, meant string) {
			if problem, meant = relative(s); problem != "" {
				return problem, meant
			}
			dir, name := "", s
			if i := strings.LastIndexByte(s, '/'); i >= 0 {
				dir, name = s[:i], s[i+1:]
			}
			wild := 0
			for _, segment := range strings.Split(dir, "/") {
				if segment == "**" {
					wild++
				} else if strings.Contains(segment, "*") && segment != "*" || strings.Count(segment, sessionSign) > 1 {
					return quote(s) + " has a folder that mixes a wildcard with a name, or has " + sessionSign + " twice", ""
				}
			}
			switch {
			case strings.ContainsAny(s, "\\"):
				return quote(s) + " has a backslash; folders are separated by a slash", strings.ReplaceAll(s, `\`, "/")
			case !strings.Contains(dir, sessionSign) || !strings.Contains(name, sessionSign):
				return quote(s) + " needs " + sessionSign + ", the number of the session, in a folder and in the name of the file", ""
			case strings.Contains(name, "*"):
				return quote(s) + " has a wildcard in the name of the file", ""
			case wild > 1:
				return quote(s) + " has ** twice", ""
			}
			return "", ""
		},
		schema: map[string]any{
			"pattern":   `<N>[^/]*/(.*/)?[^/*]*<N>[^/*]*$`,
			"maxLength": 4096,
			"not": map[string]any{"anyOf": []any{
				map[string]any{"pattern": `^/`}, map[string]any{"pattern": `^[A-Za-z]:`}, map[string]any{"pattern": `(^|/)\.\.?(/|$)`},
				map[string]any{"pattern": `//`}, map[string]any{"pattern": `[\x00-\x1f\x7f\\]`},
				map[string]any{"pattern": `[^/*]\*|\*[^/*]|\*\*\*`}, map[string]any{"pattern": `(^|/)\*\*/(.*/)?\*\*/`},
				map[string]any{"pattern": `<N>[^/]*<N>[^/]*/`},
			}},
		},
	}
}

// settledGlob is the type of a glob in which <N> is the number of a session.
func settledGlob() str {
	t := globText()
	t.check = func(s string) (problem, meant string) { return globProblem(strings.ReplaceAll(s, sessionSign, "0")) }
	return t
}
