package mind

import (
	"context"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/config"
	"github.com/seed-4419f9ca/forge/pkg/facts"
	"github.com/seed-4419f9ca/forge/pkg/memory"
	"github.com/seed-4419f9ca/forge/pkg/mindblock"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// What saves parsing the context file must never hide a quotation.
func TestMayQuoteMissesNothing(t *testing.T) {
	line := rapid.SampledFrom([]string{
		"", "# PAUSE-1", "one two", "two three \"one two\"", "> one two", "  > two three", "- > one", "1. > two three", "> - one two", "- one “two three”", "'one two' x", "don't one two", "it is 'one", "one two'",
		"«one", "two»", "| \"one two\" | b |", "|---|---|", "> one", "two three", "```", "\u201eone two\u201d", "「one two」", "a > b one two", "-> one two", "  ", "\t> one two", ">one two", "＂one two＂",
	})
	rapid.Check(t, func(t *rapid.T) {
		src := []byte(strings.Join(rapid.SliceOfN(line, 1, 12).Draw(t, "lines"), rapid.SampledFrom([]string{"\n", "\r\n", "\r"}).Draw(t, "eol")))
		text := []byte(strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"one", "two", "three"}), 2, 6).Draw(t, "notes"), " "))
		index := mindblock.NewIndex(2, mindblock.WordsOf(text, 0, len(text)))
		quotes, err := mindblock.Quotes(src)
		if err != nil {
			t.Fatal(err)
		}
		for i, q := range quotes {
			if index.Match(src, q.Start, q.End, i, true) && !mayQuote(index, src) {
				t.Fatalf("%q quotes %q, and nobody looks at it", src, src[q.Start:q.End])
			}
		}
	})
}

// FuzzDraft holds that every draft is judged, and that every finding stands inside of it.
func FuzzDraft(f *testing.F) {
	for _, s := range []string{
		"### MIND-0\n\n#### A\nx\n", "### MIND-0\n- A x\n- D\n  - [raised] y\n- E\n  - a: pass → b\n", "\ufeff### MIND-9\r\n**A** x\r\n", "ts: 1\npassword: x\nPAUSE-7", "### MIND-0\n(compacted: 1 bytes, sha256 0123456789abcdef)", "",
	} {
		f.Add([]byte(s))
	}
	tree := memory.Tree(map[string]string{
		".claude/sessions/session-1/_context-s-1.md": "# PAUSE-1\n\n> one two three four five six seven eight\n",
		".claude/sessions/session-1/_wal-s-1.md":     "a b c d e f g h i j k l m",
	})
	f.Fuzz(func(t *testing.T, data []byte) {
		c := With(Options{Draft: &Draft{Path: "draft.md", Data: data, Session: "1"}})
		p := &check.Pass{Check: c, Change: &snapshot.Change{After: tree}, Config: config.Default(), Facts: &facts.Store{}, Ignored: func(string) bool { return false }}
		if err := c.Run(context.Background(), p); err != nil {
			t.Fatalf("%q: %v", data, err)
		}
		lines := strings.Count(string(data), "\n") + 1
		for _, f := range p.Findings() {
			if f.Path != "draft.md" || f.Span.Start.Line > lines || f.Span.End.Line > lines || f.Anchor == "" || strings.Contains(f.Message, "\n") {
				t.Fatalf("%q: %+v", data, f)
			}
		}
	})
}

// Whatever happens to notes between two commits, block by block: what was there and is neither kept nor folded is said, and
// nothing else is.
func TestHistoryAgreesWithTheSlowWay(t *testing.T) {
	body := rapid.SampledFrom([]string{"one", "two", "x\n\ny", "z "})
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 5).Draw(t, "blocks")
		before := make([]string, n)
		var old, now []string
		edited, removed, folded, lied := 0, 0, 0, 0
		for k := range n {
			before[k] = body.Draw(t, "body")
			old = append([]string{heading(k) + before[k] + "\n"}, old...)
			text := before[k]
			switch rapid.SampledFrom([]string{"keep", "keep", "edit", "remove", "fold", "lie"}).Draw(t, "fate") {
			case "edit":
				text += "!"
				edited++
			case "remove":
				removed++
				continue
			case "fold":
				text = mindblock.CompactionLine([]byte(text))
				folded++
			case "lie":
				text = mindblock.CompactionLine([]byte(text + "?"))
				lied++
			}
			now = append([]string{heading(k) + text + "\n"}, now...)
		}
		parse := func(list []string) *mindblock.Notes {
			n, err := mindblock.Parse([]byte(strings.Join(list, "\n")))
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		d := &difference{old: parse(old)}
		compare(d, parse(now), false, nil)
		if len(d.edited) != edited || len(d.removed) != removed || len(d.folded) != lied || len(d.eol) != 0 || d.clean() != (edited+removed+lied == 0) {
			t.Fatalf("%q became %q: %d edited, %d removed, %d folded wrongly; got %+v", old, now, edited, removed, lied, d)
		}
		// Seen as a later parent without anything in common, a block may take another number, and nothing else.
		d = &difference{old: parse(old)}
		moved := parse(strings.Split(strings.ReplaceAll(strings.Join(now, "\n"), "MIND-", "MIND-7"), "\x00"))
		if compare(d, moved, true, nil); len(d.edited)+len(d.removed)+len(d.folded) > edited+removed+lied {
			t.Fatalf("%q renumbered: got %+v", now, d)
		}
	})
}

func heading(k int) string { return "### MIND-" + string(rune('0'+k)) + "\n\n" }
