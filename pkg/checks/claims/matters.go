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

// matters reports whether the change can matter to a claim: it touches the store, the configuration, or a file that the text
// of the store names. A hook asks before anything is parsed. The answer may be yes without need, and never no in error.
func matters(ctx context.Context, p *check.Pass) (bool, error) {
	type key struct{ after snapshot.Tree }
	return facts.Memo(p.Facts, key{p.Change.After}, func() (bool, error) {
		root := p.Config.ClaimStore()
		for i := range p.Change.Files {
			if path := p.Change.Files[i].Path; path == config.Path || strings.HasPrefix(path, root+"/") {
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

// separators are the characters at which words of a claim end, as far as a path can stand beside them.
const separators = " \t\r\n\"'`,;:#@[]{}()<>|&"

// mentions are the words of a text that may be paths or patterns.
type mentions struct {
	words    map[string]bool
	prefixes []string // what patterns begin with
	encoded  bool     // some word has an encoded character
}

// mentionsOf takes a text apart.
func mentionsOf(src []byte) *mentions {
	m := &mentions{words: map[string]bool{}}
	for line := range bytes.Lines(src) {
		trimmed := bytes.TrimSpace(line)
		listed := bytes.Contains(line, []byte("anchors")) || len(trimmed) > 0 && strings.IndexByte("-\"'", trimmed[0]) >= 0
		for word := range strings.FieldsFuncSeq(string(line), func(r rune) bool { return r < 0x80 && strings.IndexByte(separators, byte(r)) >= 0 }) {
			m.word(word, listed)
		}
	}
	return m
}

func (m *mentions) word(word string, listed bool) {
	m.encoded = m.encoded || strings.ContainsAny(word, `%\`)
	m.words[word] = true
	if i := strings.IndexAny(word, "*?"); i >= 0 && (listed || strings.Contains(word, "/") || dotted(word)) {
		m.prefixes = append(m.prefixes, word[:i])
	}
}

// dotted reports whether word has a dot before a letter or digit, as before an extension.
func dotted(word string) bool {
	i := strings.LastIndexByte(word, '.')
	return i >= 0 && i+1 < len(word) && word[i+1] != '*'
}

// names reports whether the text may name the file at path: by itself, by a folder above it, or by a pattern.
func (m *mentions) names(path string) bool {
	if m.words[path] || m.encoded || strings.ContainsAny(path, separators) {
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
