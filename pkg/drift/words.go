package drift

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"znkr.io/diff"

	"github.com/seed-4419f9ca/forge/pkg/anchor"
	"github.com/seed-4419f9ca/forge/pkg/fingerprint"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

const (
	maxExplained = 50      // anchors whose changes are put into words: each takes two more parses
	maxSource    = 1 << 18 // bytes of a source whose changes are
	maxHunks     = 3
	maxWord      = 48 // bytes of one side of a change
)

// explain puts into words what changed under stale anchors: under the first of them, when they are many.
func (j *Judge) explain(ctx context.Context, list []*Result) error {
	n := 0
	for _, r := range list {
		if r.Status != Stale || !r.compared || n == maxExplained {
			continue
		}
		n++
		if r.Anchor.Kind != anchor.File {
			r.Words = join(j.changedFiles(r))
			continue
		}
		before, err := j.leaves(ctx, r.pre, r.Anchor.Name())
		if err != nil {
			return err
		}
		name := r.Anchor.Name()
		if r.Moved != nil {
			name = r.Moved.Name()
		}
		after, err := j.leaves(ctx, r.post, name)
		if err != nil {
			return err
		}
		if len(before) > 0 && len(after) > 0 {
			r.Words = words(before, after)
		}
	}
	return nil
}

// tokens returns what a fingerprint was made of, in order; nothing when it was not made of a tree.
func (j *Judge) tokens(ctx context.Context, s subject, symbol string) ([]fingerprint.Token, error) {
	e := s.entries[0]
	if !e.Mode.IsFile() {
		return nil, nil
	}
	src, err := s.tree.Read(ctx, e, maxSource)
	var large *snapshot.TooLarge
	if errors.As(err, &large) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	tokens, _, err := j.Engine.Tokens(ctx, e.Path, src, symbol)
	var (
		gone    *fingerprint.NotFound
		several *fingerprint.Ambiguous
	)
	if errors.As(err, &gone) || errors.As(err, &several) {
		return nil, nil // the file was not to be looked into on the other side
	}
	return tokens, err
}

// leaves returns the texts that a fingerprint was made of, in order; none when it was not made of a tree.
func (j *Judge) leaves(ctx context.Context, s subject, symbol string) ([]string, error) {
	tokens, err := j.tokens(ctx, s, symbol)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, t := range tokens {
		if t.Leaf && t.Part != "doc" {
			out = append(out, spelled(t, s.entries[0].Path))
		}
	}
	return out, nil
}

// spelled writes a leaf of the file at name about as it stands in the source: of a plain string there is only its value, which
// in Python a word before it tells from other kinds.
func spelled(t fingerprint.Token, name string) string {
	if t.Kind != "string" || strings.HasPrefix(t.Text, `"`) || strings.HasPrefix(t.Text, "'") {
		return t.Text
	}
	prefix, value := "", t.Text
	if strings.HasPrefix(path.Ext(name), ".py") {
		mark, rest, _ := strings.Cut(t.Text, " ")
		prefix, value = map[string]string{"bytes": "b", "format": "f"}[mark], rest
	}
	return prefix + `"` + value + `"`
}

// words says what turns one sequence of texts into another.
func words(before, after []string) string {
	var parts []string
	for _, h := range diff.Hunks(before, after, diff.Context(0)) {
		lost, won := phrase(before[h.PosX:h.EndX]), phrase(after[h.PosY:h.EndY])
		if lost == won { // as far as one can see
			lost, won = quoted(before[h.PosX:h.EndX]), quoted(after[h.PosY:h.EndY])
		}
		lost, won = differing(lost, won)
		switch {
		case won == "":
			parts = append(parts, lost+" is gone")
		case lost == "":
			parts = append(parts, won+" is new")
		default:
			parts = append(parts, lost+" became "+won)
		}
	}
	return join(parts)
}

// differing cuts two long texts to where they differ.
func differing(a, b string) (string, string) {
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	if cut := boundary(a, same-maxWord/4); max(len(a), len(b)) > maxWord && same > maxWord/2 {
		a, b = "…"+a[cut:], "…"+b[cut:]
	}
	return shorten(a), shorten(b)
}

// shorten cuts s to maxWord bytes.
func shorten(s string) string {
	if len(s) <= maxWord {
		return s
	}
	return s[:boundary(s, maxWord)] + "…"
}

// boundary returns the offset of the character of s that the byte at offset at is part of.
func boundary(s string, at int) int {
	at = max(0, at)
	for at > 0 && at < len(s) && !utf8.RuneStart(s[at]) {
		at--
	}
	return at
}

// join lists the first few of some changes.
func join(parts []string) string {
	if more := len(parts) - maxHunks; more > 0 {
		parts = append(parts[:maxHunks:maxHunks], fmt.Sprintf("and %d more changes", more))
	}
	return strings.Join(parts, ", ")
}

// phrase writes texts of code next to each other on one line, about as a person would.
func phrase(texts []string) string {
	var b strings.Builder
	for i, t := range texts {
		if i > 0 && !strings.HasSuffix(texts[i-1], ".") && !tight(texts[i-1], "([{") && !tight(t, ")]},;.:([") {
			b.WriteByte(' ')
		}
		b.WriteString(t)
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		return r
	}, b.String())
}

// quoted writes texts so that every byte of them shows.
func quoted(texts []string) string {
	var out []string
	for _, t := range texts {
		out = append(out, strconv.QuoteToASCII(t))
	}
	return strings.Join(out, " ")
}

// tight reports whether text is one sign out of signs.
func tight(text, signs string) bool { return len(text) == 1 && strings.Contains(signs, text) }
