// Package pathref reads the paths that rules, workflows and report templates name in running text, and answers whether a
// snapshot holds them (chapters 4.6 and 4.7 of the specification).
package pathref

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Ref is one path that a text names.
type Ref struct {
	Path       string // as written, without fragment, line suffix and leading "./"; a folder keeps its final slash
	Start, End int    // byte range of the written form in the text
}

// Find returns the paths that text names, in order. A path is a word, in a code span or bare, that ends in a slash, starts
// with a dot folder, or ends in a file extension: without a slash only one of the extensions that documents and settings
// have, because "e.g." and "Node.js" are words. Words with placeholders (<name>, [name], {name}, $X), wildcards, URLs,
// slash commands and paths of the machine (/tmp, ~) name no file of the repository and are left out.
func Find(text string) []Ref {
	var out []Ref
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if delimiter(r) {
			i += size
			continue
		}
		end := i
		for end < len(text) {
			r, size := utf8.DecodeRuneInString(text[end:])
			if delimiter(r) {
				break
			}
			end += size
		}
		if ref, ok := word(text, i, end); ok {
			out = append(out, ref)
		}
		i = end
	}
	return out
}

func delimiter(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || strings.ContainsRune("`\"'()|,;“”‘’«»→←⇒–—…•、，。；：！？（）", r)
}

// word judges one word of text.
func word(text string, start, end int) (Ref, bool) {
	start, end = trimWord(text, start, end)
	w := text[start:end]
	if w == "" || strings.Contains(w, "://") || strings.ContainsAny(w, "<>[]{}*?$%=\\&~@") || strings.Contains(w, "...") {
		return Ref{}, false
	}
	p, ok := Clean(w)
	if !ok || !looksLikePath(p) {
		return Ref{}, false
	}
	return Ref{Path: p, Start: start, End: end}, true
}

// trimWord takes punctuation and emphasis off both ends of a word.
func trimWord(text string, start, end int) (int, int) {
	for start < end && strings.IndexByte("*_:!?<", text[start]) >= 0 {
		start++
	}
	for start < end && strings.IndexByte("*_:!?.>", text[end-1]) >= 0 {
		end--
	}
	return start, end
}

// Clean turns the written form of a path into the path it means: without fragment (#part), line suffix (:12 or :12-20)
// and leading "./". A leading slash stands for the root of the repository and goes; a path of the machine is refused, as
// is one that still holds a colon, or nothing.
func Clean(written string) (string, bool) {
	p, _, _ := strings.Cut(written, "#")
	if name, line, ok := strings.Cut(p, ":"); ok {
		if name == "" || line == "" || strings.Trim(line, "0123456789-:") != "" {
			return "", false
		}
		p = name
	}
	for strings.HasPrefix(p, "./") {
		p = p[2:]
	}
	if strings.HasPrefix(p, "/") {
		first, _, _ := strings.Cut(p[1:], "/")
		switch first {
		case "", "bin", "dev", "etc", "home", "mnt", "opt", "proc", "root", "run", "sys", "tmp", "usr", "var", "Users":
			return "", false
		}
		if extension(p) == "" && !strings.HasPrefix(first, ".") {
			return "", false
		}
		p = p[1:]
	}
	return p, p != "" && p != "." && p != ".."
}

func looksLikePath(p string) bool {
	slash := strings.IndexByte(p, '/')
	if slash < 0 {
		return document(extension(p))
	}
	if strings.Contains(p, "//") || slash == 0 {
		return false
	}
	segments := strings.Split(p, "/")
	for i, s := range segments[:len(segments)-1] {
		if document(extension(s)) { // "rules.md/skills.md" offers two files
			return false
		}
		if s == "" || i == 0 && strings.HasSuffix(s, ".com") || i == 0 && strings.HasSuffix(s, ".org") {
			return false
		}
	}
	switch last := segments[len(segments)-1]; {
	case last == "":
		return strings.IndexFunc(p, unicode.IsLetter) >= 0
	case extension(last) != "":
		return true
	}
	return strings.HasPrefix(p, ".") && strings.IndexFunc(p, unicode.IsLetter) >= 0
}

// extension returns the lower-case extension of a file name without its dot, "" when it has none that looks like one:
// up to ten letters and digits, a letter first, after a name.
func extension(p string) string {
	p = p[strings.LastIndexByte(p, '/')+1:]
	dot := strings.LastIndexByte(p, '.')
	if dot <= 0 {
		return ""
	}
	ext := p[dot+1:]
	if ext == "" || len(ext) > 10 || !(ext[0] >= 'a' && ext[0] <= 'z' || ext[0] >= 'A' && ext[0] <= 'Z') {
		return ""
	}
	for i := 0; i < len(ext); i++ {
		c := ext[i] | 0x20
		if !(c >= 'a' && c <= 'z') && !(ext[i] >= '0' && ext[i] <= '9') {
			return ""
		}
	}
	return strings.ToLower(ext)
}

// document reports whether ext is one of the extensions by which a word without a slash is a file.
func document(ext string) bool {
	switch ext {
	case "md", "mdc", "markdown", "txt", "yml", "yaml", "json", "jsonl", "toml", "sh":
		return true
	}
	return false
}
