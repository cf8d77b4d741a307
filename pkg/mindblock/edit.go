package mindblock

import (
	"bytes"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/seed-4419f9ca/forge/pkg/text"
)

// Insert returns the notes with a new block on top: before the first block, and behind frontmatter, title and comments.
// Without a block it goes to the end. What is there keeps every byte; the new block gets the line ends of the file.
func (n *Notes) Insert(block []byte) []byte {
	eol := n.eol()
	block = bytes.TrimPrefix(block, []byte("\ufeff"))
	start, end := trimBlank(block, 0, len(block))
	body := strings.ReplaceAll(string(block[start:end]), "\r\n", "\n")
	if eol != "\n" {
		body = strings.ReplaceAll(body, "\n", eol)
	}
	if len(n.Blocks) > 0 {
		at := startOfLine(n.Src, n.Blocks[0].Start)
		if at == 0 && bytes.HasPrefix(n.Src, []byte("\ufeff")) {
			at = len("\ufeff")
		}
		return splice(n.Src, at, at, body+eol+eol)
	}
	lead := ""
	if rest := bytes.TrimPrefix(n.Src, []byte("\ufeff")); len(rest) > 0 {
		lead = eol
		if !bytes.HasSuffix(rest, []byte("\n")) {
			lead += eol
		}
	}
	return splice(n.Src, len(n.Src), len(n.Src), lead+body+eol)
}

// MaxLead is how many lines reload prints at most, the digest among them (chapter 6.5).
const MaxLead = 15

// Lead returns what a resumed session has to repeat: the first lines of the block that say something, as mask leaves them,
// and the digest of its whole content.
func (b *Block) Lead(mask func(string) string) []string {
	lines := []string{shown(mask(string(b.src[b.Start:b.End])))}
	for line := range strings.SplitSeq(strings.ReplaceAll(mask(string(b.Content())), "\r", "\n"), "\n") {
		if len(lines) == MaxLead-1 {
			break
		}
		if s := shown(line); s != "" {
			lines = append(lines, s)
		}
	}
	return append(lines, "sha256 "+Digest(b.Content()))
}

// shown is a line as it is printed: safe for a terminal, without white space at its end.
func shown(line string) string {
	return text.Escape(strings.TrimRight(strings.ReplaceAll(line, "\t", "    "), " \r\n"))
}

// Missing returns the first line of lead that report does not repeat, and whether there is one. The lines have to stand
// there in their order; a report may indent and quote them and put others between.
func Missing(report string, lead []string) (string, bool) {
	var have []string
	for line := range strings.SplitSeq(strings.ReplaceAll(report, "\r", "\n"), "\n") {
		have = append(have, repeatable(shown(line)))
	}
	for _, want := range lead {
		found := -1
		for i, line := range have {
			if line == repeatable(want) {
				found = i
				break
			}
		}
		if found < 0 {
			return want, true
		}
		have = have[found+1:]
	}
	return "", false
}

// repeatable is a line without the signs of quotes and indentation before it, its white space as single spaces, in NFC.
func repeatable(line string) string {
	return strings.Join(strings.Fields(norm.NFC.String(strings.TrimLeft(line, " \t>"))), " ")
}
