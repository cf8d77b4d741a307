package claims

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/claim"
	"github.com/seed-4419f9ca/forge/pkg/config"
	"github.com/seed-4419f9ca/forge/pkg/facts"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// idle reports whether a check of claims has nothing to do because the change can matter to none, and skips it then.
func idle(ctx context.Context, p *check.Pass) (bool, error) {
	if !p.Changed {
		return false, nil
	}
	yes, err := matters(ctx, p)
	if err == nil && !yes {
		p.Skip(check.NotUsed)
	}
	return !yes, err
}

// matters reports whether the change can matter to a claim: it touches the store, the configuration, or a file that a block of
// the store names. A hook asks before anything is parsed. The answer may be yes without need, and never no in error.
func matters(ctx context.Context, p *check.Pass) (bool, error) {
	type key struct{ after snapshot.Tree }
	return facts.Memo(p.Facts, key{p.Change.After}, func() (bool, error) {
		root := p.Config.ClaimStore()
		for i := range p.Change.Files {
			// A link in the place of the root, or of a folder above it, takes the store away.
			if path := p.Change.Files[i].Path; path == config.Path || strings.HasPrefix(path, root+"/") || strings.HasPrefix(root+"/", path+"/") {
				return true, nil
			}
		}
		entries, err := p.Change.After.Under(ctx, root)
		if err != nil {
			return false, fmt.Errorf("could not list the claim store: %w", err)
		}
		var read []snapshot.Entry
		for _, e := range entries {
			if e.Mode.IsFile() && claim.Holds(root, e.Path) {
				read = append(read, e)
			}
		}
		p.Change.After.Prefetch(ctx, read, p.Config.Limits.File)
		for _, e := range read {
			src, err := p.Change.After.Read(ctx, e, p.Config.Limits.File)
			if err != nil {
				return false, fmt.Errorf("could not read %q of the claim store: %w", e.Path, err)
			}
			m := mentionsOf(src)
			for i := range p.Change.Files {
				if m.names(p.Change.Files[i].Path) {
					return true, nil
				}
			}
		}
		return false, nil
	})
}

// separators are the characters that end a word of a block: what stands between them can be a path, or a part of one.
const separators = " \t\r\n\"'`,;:#@<>()|&"

// mentions are the words in the blocks of claims that may be paths or patterns.
type mentions struct {
	words    map[string]bool
	prefixes []string // what patterns begin with
	open     bool     // some text is written in a way that is not looked into: anything may be named
}

// mentionsOf looks for what may be a block of a claim, and takes it apart. Other text names no file, whatever it says.
func mentionsOf(src []byte) *mentions {
	m := &mentions{words: map[string]bool{}}
	var fence fence
	for len(src) > 0 {
		line := src
		if i := bytes.IndexAny(src, "\r\n"); i >= 0 {
			line, src = src[:i], src[i+1:]
		} else {
			src = nil
		}
		switch {
		case fence.length == 0:
			fence = fenceOf(line)
		case fence.closedBy(line):
			fence.length = 0
		default:
			m.line(line)
		}
	}
	return m
}

// A fence is one that may hold a claim; its length is 0 outside of any.
type fence struct {
	sign   byte
	length int
}

// fenceOf reads a line that may open a block of a claim, at whatever indentation and in whatever list. An info string with a
// backslash or an ampersand may read as anything.
func fenceOf(line []byte) fence {
	line = bytes.TrimLeft(line, " \t>*+-.)0123456789")
	if len(line) < 3 || line[0] != '`' && line[0] != '~' {
		return fence{}
	}
	f := fence{sign: line[0]}
	info := bytes.TrimLeft(line, string(line[:1]))
	f.length = len(line) - len(info)
	if f.length < 3 || !bytes.Contains(info, []byte("claim")) && !bytes.ContainsAny(info, `\&`) {
		return fence{}
	}
	return f
}

// closedBy reports whether line surely ends f.
func (f fence) closedBy(line []byte) bool {
	signs := bytes.TrimLeft(line, " ")
	if len(line)-len(signs) > 3 {
		return false
	}
	rest := bytes.TrimLeft(signs, string(rune(f.sign)))
	return len(signs)-len(rest) >= f.length && len(bytes.TrimSpace(rest)) == 0
}

// line takes one line of a block apart.
func (m *mentions) line(line []byte) {
	text := string(line)
	m.open = m.open || strings.ContainsAny(text, `%\`) || folds(text)
	quoted := false // the word follows a quote
	for start, i := 0, 0; i <= len(text); i++ {
		if i < len(text) && strings.IndexByte(separators, text[i]) < 0 {
			continue
		}
		if i > start {
			m.word(text[start:i], quoted)
		}
		if i < len(text) {
			quoted = text[i] == '"' || text[i] == '\''
		}
		start = i + 1
	}
}

// folds reports whether a text of several lines begins at the end of line: it may hold what means something else in YAML.
func folds(line string) bool {
	line, _, _ = strings.Cut(line, " #")
	fields := strings.Fields(line)
	return len(fields) > 0 && strings.Trim(fields[len(fields)-1], "|>+-0123456789") == "" && strings.ContainsAny(fields[len(fields)-1], "|>")
}

// word notes a word. Brackets at its beginning belong to a list or a mapping unless they stand in quotes.
func (m *mentions) word(word string, quoted bool) {
	if !quoted {
		word = strings.TrimLeft(word, "[{")
	}
	if i := strings.IndexAny(word, "*?[{"); i >= 0 {
		m.prefixes = append(m.prefixes, word[:i])
		return
	}
	m.words[strings.TrimRight(word, "]}")] = true
}

// names reports whether the blocks may name the file at path: by itself, by a folder above it, or by a pattern.
func (m *mentions) names(path string) bool {
	if m.words[path] || m.open || strings.ContainsAny(path, separators+"[]{}*?\u2028\u2029\u0085") {
		return true
	}
	for i := 0; i < len(path); i++ {
		if path[i] == '/' && m.words[path[:i+1]] {
			return true
		}
	}
	for _, prefix := range m.prefixes {
		if strings.HasPrefix(path, prefix) {
			return true
		}
	}
	return false
}
