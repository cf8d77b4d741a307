package claims

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-4419f9ca/forge/pkg/claim"
	"github.com/seed-4419f9ca/forge/pkg/fingerprint"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// evidence resolves the evidence of every claim that is not retired, without running anything (chapter 7.2).
func (l *linter) evidence() error {
	for _, c := range l.store.Claims {
		if c.Status == claim.Retired {
			continue
		}
		for _, e := range c.Evidence {
			reason, err := l.resolve(e)
			if err != nil {
				return err
			}
			if reason != "" {
				l.report("evidence-not-found", c.File, e.Place, c.ID+" "+e.Text, "the %s %q of claim %q is not found: %s", e.Kind, e.Text, c.ID, reason)
			}
		}
	}
	return nil
}

// resolve returns why a piece of evidence is not found, "" when it is.
func (l *linter) resolve(e claim.Evidence) (reason string, err error) {
	entry, err := l.pass.Change.After.Lookup(l.ctx, e.Path)
	switch {
	case err != nil:
		return "", fmt.Errorf("could not find %q, the evidence of a claim: %w", e.Path, err)
	case !entry.Exists():
		return fmt.Sprintf("there is no file %q", e.Path), nil
	case !entry.Mode.IsFile():
		return fmt.Sprintf("%q is no regular file", e.Path), nil
	}
	switch e.Kind {
	case "test":
		return l.test(entry, e.Name)
	case "rule":
		src, err := l.read(entry)
		if err != nil {
			return "", l.pass.SkipTooLarge(err)
		}
		if !holdsWord(src, e.Name) {
			return fmt.Sprintf("%q does not occur in %q", e.Name, e.Path), nil
		}
	}
	return "", nil
}

func (l *linter) read(e snapshot.Entry) ([]byte, error) {
	src, err := l.pass.Change.After.Read(l.ctx, e, l.pass.Config.Limits.File)
	if err != nil {
		return nil, fmt.Errorf("could not read %q, the evidence of a claim: %w", e.Path, err)
	}
	return src, nil
}

// test looks for a test by its name in a file. The grammar of the language decides: a test is a definition, or a title where
// tests have titles. Where no grammar is known, a line of the file that is no comment has to hold the name; where there is a
// grammar and it has no answer, a name that occurs nowhere is not found, and any other is left open, said aloud.
func (l *linter) test(e snapshot.Entry, name string) (reason string, err error) {
	f, err := l.definitions(e)
	if err != nil {
		return "", l.pass.SkipTooLarge(err)
	}
	if isDefined(f, e.Path, name) {
		return "", nil
	}
	absent := fmt.Sprintf("%q has no test of that name", e.Path)
	if f.Language != "" && f.Note == "" && !titled(f.Language) {
		return absent, nil
	}
	src, err := l.read(e)
	if err != nil {
		return "", l.pass.SkipTooLarge(err)
	}
	why := f.Note
	if f.Language != "" && why == "" {
		var tokens []fingerprint.Token
		tokens, why, err = l.pass.Engine.Tokens(l.ctx, e.Path, src, "")
		if err != nil {
			return "", err
		}
		if why == "" {
			if isTitled(f, tokens, name) {
				return "", nil
			}
			return absent, nil
		}
	}
	last := lastPart(name)
	switch {
	case f.Language == "" && lineHolds(src, last), f.Language != "" && calledOnLine(src, last):
		return "", nil
	case f.Language == "" || !holdsAny(src, last):
		return absent, nil
	}
	l.pass.Skip(fmt.Sprintf("could not look for the test %q in %q: %s", name, e.Path, why))
	return "", nil
}

// definitions returns what a file defines.
func (l *linter) definitions(e snapshot.Entry) (*fingerprint.File, error) {
	if f := l.files[e.Path]; f != nil {
		return f, nil
	}
	if l.pass.Engine == nil {
		return nil, fmt.Errorf("could not look for tests in %q: this program has no parsers", e.Path)
	}
	f, err := l.pass.Engine.Blob(l.ctx, e.Path, string(e.OID), func() ([]byte, error) { return l.read(e) })
	if err == nil {
		l.files[e.Path] = f
	}
	return f, err
}

// isDefined reports whether the file defines the test, under its qualified name or a part of it. What a runner adds to the name
// of a definition is left out: parameters, the case of a table, parentheses, and the modules that the file's own path tells.
func isDefined(f *fingerprint.File, file, name string) bool {
	dotted := strings.NewReplacer("::", ".", "#", ".").Replace(name)
	spellings := []string{dotted, strings.TrimSuffix(dotted, "()")}
	if i := strings.IndexByte(dotted, '['); i > 0 && strings.HasSuffix(dotted, "]") {
		spellings = append(spellings, dotted[:i])
	}
	if i := strings.IndexByte(dotted, '/'); i > 0 && f.Language == "go" {
		spellings = append(spellings, dotted[:i])
	}
	for _, s := range spellings {
		for {
			if exists(f, s) {
				return true
			}
			module, rest, ok := strings.Cut(s, ".")
			if !ok || !isModule(module, file) {
				break
			}
			s = rest
		}
	}
	return false
}

// exists reports whether f defines name. One that several definitions have exists too.
func exists(f *fingerprint.File, name string) bool {
	_, err := f.Resolve(name)
	var several *fingerprint.Ambiguous
	return err == nil || errors.As(err, &several)
}

// isModule reports whether part of a qualified name only says in which file the rest is.
func isModule(part, file string) bool {
	if slices.Contains([]string{"crate", "self"}, part) {
		return true
	}
	file = strings.TrimSuffix(file, path.Ext(file))
	return slices.ContainsFunc(strings.Split(file, "/"), func(s string) bool { return strings.EqualFold(s, part) })
}

// lastPart is the test's own name in a path of names.
func lastPart(name string) string {
	for _, sep := range []string{"::", " > ", " › "} {
		if i := strings.LastIndex(name, sep); i >= 0 {
			name = name[i+len(sep):]
		}
	}
	return strings.TrimSpace(name)
}

// holdsAny reports whether a line of src that is no comment holds a word of a name, of which runners make more than stands in
// a file.
func holdsAny(src []byte, name string) bool {
	words := strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })
	for line := range bytes.Lines(src) {
		if !isComment(line) && slices.ContainsFunc(words, func(w string) bool { return bytes.Contains(line, []byte(w)) }) {
			return true
		}
	}
	return false
}

// holdsWord reports whether word occurs in src with no letter, digit, underscore or hyphen next to it.
func holdsWord(src []byte, word string) bool {
	part := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '-' }
	for at := 0; ; {
		i := bytes.Index(src[at:], []byte(word))
		if i < 0 {
			return false
		}
		before, _ := utf8.DecodeLastRune(src[:at+i])
		after, _ := utf8.DecodeRune(src[at+i+len(word):])
		if !part(before) && !part(after) {
			return true
		}
		at += i + 1
	}
}

// lineHolds reports whether a line of src that is no comment in any usual language holds the word.
func lineHolds(src []byte, word string) bool {
	for line := range bytes.Lines(src) {
		if !isComment(line) && holdsWord(line, word) {
			return true
		}
	}
	return false
}

func isComment(line []byte) bool {
	line = bytes.TrimSpace(line)
	if bytes.HasPrefix(line, []byte("#[")) { // an attribute of Rust or PHP
		return false
	}
	for _, mark := range []string{"//", "#", "--", ";", "/*", "*", "%", "<!--", "'''", `"""`} {
		if bytes.HasPrefix(line, []byte(mark)) {
			return true
		}
	}
	return false
}

// calledOnLine reports whether a line of src begins with the call of a test of that title, for files that have no tree.
func calledOnLine(src []byte, title string) bool {
	for line := range bytes.Lines(src) {
		line = bytes.TrimSpace(line)
		end := bytes.IndexFunc(line, func(r rune) bool { return !unicode.IsLetter(r) && r != '_' && r != '.' && r != '@' })
		if end <= 0 || !isTestWord(strings.SplitN(string(line[:end]), ".", 2)[0]) || bytes.HasSuffix(line[:end], []byte(".todo")) {
			continue
		}
		rest := bytes.TrimLeft(line[end:], " (")
		if len(rest) > 0 && strings.IndexByte("\"'`", rest[0]) >= 0 && bytes.HasPrefix(rest[1:], []byte(title+string(rest[0]))) {
			return true
		}
	}
	return false
}
