package mindblock

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

const block = "### MIND-1\n\n#### A\nx\n"

func TestInsert(t *testing.T) {
	for old, want := range map[string]string{
		"":                                 block,
		"### MIND-0\ny":                    block + "\n### MIND-0\ny",
		"\ufeff### MIND-0\r\ny\r\n":        "\ufeff" + strings.ReplaceAll(block, "\n", "\r\n") + "\r\n### MIND-0\r\ny\r\n",
		"---\na: 1\n---\n\n### MIND-0\n":   "---\na: 1\n---\n\n" + block + "\n### MIND-0\n",
		"# Notes\n\n   ### MIND-0\n":       "# Notes\n\n" + block + "\n   ### MIND-0\n",
		"# Notes":                          "# Notes\n\n" + block,
		"```\n### MIND-5\n```\n### MIND-0": "```\n### MIND-5\n```\n" + block + "\n### MIND-0",
	} {
		for _, draft := range []string{block, "\ufeff\n\n" + strings.TrimSpace(block), strings.ReplaceAll(block, "\n", "\r\n") + "\r\n\r\n"} {
			if got := string(parsed(t, []byte(old)).Insert([]byte(draft))); got != want {
				t.Errorf("%q with %q:\n got %q\nwant %q", old, draft, got, want)
			}
		}
	}
}

// notesText draws a notes file with n blocks in a shape that people write.
func notesText(t *rapid.T, least int) (string, int) {
	eol := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "eol")
	n := rapid.IntRange(least, 6).Draw(t, "blocks")
	line := rapid.SampledFrom([]string{"", "x", "#### A", "- [raised] y", "> q", "    code", "# up", "é ⚠️", "**B** b", "<!-- c -->", "(compacted)", "  "})
	var b strings.Builder
	b.WriteString(rapid.SampledFrom([]string{"", "\ufeff", "# Notes" + eol}).Draw(t, "lead"))
	for k := n - 1; k >= 0; k-- {
		fmt.Fprintf(&b, "### MIND-%d%s", k, eol)
		for i, l := range rapid.SliceOfN(line, 0, 5).Draw(t, fmt.Sprint("lines", k)) {
			fmt.Fprintf(&b, "%s%s", l, rapid.SampledFrom([]string{eol, eol + eol}).Draw(t, fmt.Sprint("end", k, i)))
		}
	}
	s := b.String()
	if rapid.Bool().Draw(t, "cut") {
		s = strings.TrimRight(s, "\r\n")
	}
	return s, n
}

func TestInsertKeepsEveryByte(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		old, n := notesText(t, 0)
		draft := fmt.Sprintf("### MIND-%d\n\n#### A\nnew\n", n)
		got := parsed(t, parsed(t, []byte(old)).Insert([]byte(draft)))
		before := parsed(t, []byte(old))
		if len(got.Blocks) != len(before.Blocks)+1 || got.Blocks[0].Number.Value() != fmt.Sprint(n) {
			t.Fatalf("%q became %q", old, got.Src)
		}
		for i := range before.Blocks {
			if !bytes.Equal(before.Blocks[i].Content(), got.Blocks[i+1].Content()) {
				t.Fatalf("block %s of %q changed in %q", before.Blocks[i].Number, old, got.Src)
			}
		}
		if len(before.Blocks) > 0 && !bytes.HasSuffix(got.Src, before.Src[startOfLine(before.Src, before.Blocks[0].Start)+3*b2i(bytes.HasPrefix(before.Src[startOfLine(before.Src, before.Blocks[0].Start):], []byte("\ufeff"))):]) {
			t.Fatalf("%q is not the end of %q", old, got.Src)
		}
	})
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestCompactFoldsTheOldestFirstAndTellsTheTruth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		old, _ := notesText(t, 1)
		before := parsed(t, []byte(old))
		limit := rapid.IntRange(0, len(old)+50).Draw(t, "limit")
		refuse := rapid.IntRange(-1, 5).Draw(t, "refuse")
		out, folded, refused := before.Compact(limit, func(b *Block) bool { return b.Number.Value() != fmt.Sprint(refuse) })
		after := parsed(t, out)
		if len(after.Blocks) != len(before.Blocks) {
			t.Fatalf("%q became %q", old, out)
		}
		isFolded := map[Number]bool{}
		for _, n := range folded {
			isFolded[n] = true
		}
		whole := false
		for i := len(after.Blocks) - 1; i >= 0; i-- {
			a, b := &after.Blocks[i], &before.Blocks[i]
			switch {
			case isFolded[b.Number]:
				if whole || i == 0 || b.Number.IsZero() || a.Compaction == nil || !a.Compaction.Of(b.Content()) {
					t.Fatalf("%s was folded wrongly: %q became %q", b.Number, old, out)
				}
			case !bytes.Equal(a.Content(), b.Content()):
				t.Fatalf("%s changed: %q became %q", b.Number, old, out)
			case b.Compaction == nil && !b.Number.IsZero():
				whole = true
			}
		}
		if len(out) > limit && refused == "" && after.Foldable() > 0 {
			t.Fatalf("%q is over %d and could still be folded: %q", old, limit, out)
		}
		if len(old) <= limit && len(folded) > 0 {
			t.Fatalf("%q fits and was folded", old)
		}
	})
}

func TestLeadAndItsRepetition(t *testing.T) {
	var src strings.Builder
	src.WriteString("### MIND-1\n\n#### A\nthe \x1b[31mred\x1b[0m one\t!  \n\n")
	for i := range 40 {
		fmt.Fprintf(&src, "- line %d\n", i)
	}
	b := &parsed(t, []byte(src.String())).Blocks[0]
	lead := b.Lead(func(s string) string { return strings.ReplaceAll(s, "red", "[x]") })
	if len(lead) != MaxLead || lead[0] != "### MIND-1" || lead[2] != `the \x1b[31m[x]\x1b[0m one    !` || lead[14] != "sha256 "+Digest(b.Content()) {
		t.Errorf("got %q", lead)
	}
	printed := strings.Join(lead, "\n")
	for name, report := range map[string]string{
		"as printed": printed, "in a quote": "> " + strings.ReplaceAll(printed, "\n", "\n> "), "between others": "# Hi\n\n" + strings.ReplaceAll(printed, "\n", "\n\nwell\n") + "\nbye",
		"with CRLF and spaces": strings.ReplaceAll(printed, "\n", "  \r\n   "),
	} {
		if line, missing := Missing(report, lead); missing {
			t.Errorf("%s: %q is missing", name, line)
		}
	}
	for name, report := range map[string]string{
		"nothing": "", "without the digest": strings.Join(lead[:14], "\n"), "one word changed": strings.Replace(printed, "line 3", "line three", 1),
		"in another order": strings.Join(append([]string{lead[1], lead[0]}, lead[2:]...), "\n"), "one line left out": strings.Replace(printed, "- line 3\n", "", 1),
	} {
		if _, missing := Missing(report, lead); !missing {
			t.Errorf("%s: nobody notices", name)
		}
	}
}
