package drift

import (
	"context"
	"errors"
	"fmt"
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
		if r.Status != Stale || n == maxExplained {
			continue
		}
		n++
		if r.Anchor.Kind != anchor.File {
			r.Words = join(j.changedFiles(r))
			continue
		}
		if !r.pre.exists() || !r.post.exists() {
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

// leaves returns the texts that a fingerprint was made of, in order; none when it was not made of a tree.
func (j *Judge) leaves(ctx context.Context, s subject, symbol string) ([]string, error) {
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
	if err != nil {
		return nil, err
	}
	var out []string
	for _, t := range tokens {
		if t.Leaf && t.Part != "doc" {
			out = append(out, t.Text)
		}
	}
	return out, nil
}

// words says what turns one sequence of texts into another.
func words(before, after []string) string {
	var parts []string
	for _, h := range diff.Hunks(before, after, diff.Context(0)) {
		lost, won := phrase(before[h.PosX:h.EndX]), phrase(after[h.PosY:h.EndY])
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

// join lists the first few of some changes.
func join(parts []string) string {
	if more := len(parts) - maxHunks; more > 0 {
		parts = append(parts[:maxHunks:maxHunks], fmt.Sprintf("and %d more changes", more))
	}
	return strings.Join(parts, ", ")
}

// phrase writes texts of code next to each other, about as a person would.
func phrase(texts []string) string {
	var b strings.Builder
	for i, t := range texts {
		if i > 0 && !strings.HasSuffix(texts[i-1], ".") && !tight(texts[i-1], "([{") && !tight(t, ")]},;.:([") {
			b.WriteByte(' ')
		}
		b.WriteString(t)
	}
	s := strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		return r
	}, b.String())
	if len(s) <= maxWord {
		return s
	}
	s = s[:maxWord]
	for !utf8.ValidString(s) && len(s) > maxWord-utf8.UTFMax {
		s = s[:len(s)-1]
	}
	return s + "…"
}

// tight reports whether text is one sign out of signs.
func tight(text, signs string) bool { return len(text) == 1 && strings.Contains(signs, text) }
