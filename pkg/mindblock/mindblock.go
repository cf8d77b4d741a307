// Package mindblock reads and writes the notes that keep a session's soft memory: numbered blocks, newest on top, each with
// five sections (chapter 6 of the specification). It says where everything stands; whether that is right is for the check
// mind to judge. Markdown decides what is a heading: one in a fence, a quote, a list or a comment is content like any other.
package mindblock

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-4419f9ca/forge/pkg/markdown"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

// Notes is one parsed notes file.
type Notes struct {
	Src    []byte
	Lines  *text.Lines
	Blocks []Block   // in the order of the file
	Strays []Heading // headings that look like those of a block and are none
	Front  []byte    // what stands between the lines of the frontmatter, nil without one
	// FrontLine is the line on which Front begins.
	FrontLine int
}

// A Heading is a place with the text that a reader sees there.
type Heading struct {
	Start, End int // bytes of the source
	Text       string
}

// A Block is one numbered block.
type Block struct {
	Heading
	Number     Number
	BodyStart  int // bytes of the content: what stands below the heading, without blank lines at its edges
	BodyEnd    int
	Compaction *Compaction // not nil when the content is a compaction line, or an attempt at one
	Sections   []Section   // in the order of the block; empty when it is compacted
	Style      Style       // of its section headings
	src        []byte
}

// Content returns the bytes of the block between its heading and the next, without blank lines at the edges. It is what
// must not change, and what a compaction line counts and digests.
func (b *Block) Content() []byte { return b.src[b.BodyStart:b.BodyEnd] }

// Section returns the first section with this letter, or nil.
func (b *Block) Section(letter byte) *Section {
	for i := range b.Sections {
		if b.Sections[i].Letter == letter {
			return &b.Sections[i]
		}
	}
	return nil
}

// Parse reads a notes file. Every text is one, as far as the Markdown parser follows it: the error is a
// *markdown.LimitError. Src is kept and must not change afterwards.
func Parse(src []byte) (*Notes, error) {
	var n *Notes
	err := withinLimits(func() { n = parse(src) })
	return n, err
}

// withinLimits runs f and returns the limit of the Markdown parser that stopped it.
func withinLimits(f func()) (err error) {
	defer func() {
		switch cause := recover().(type) {
		case nil:
		case *markdown.LimitError:
			err = cause
		default:
			panic(cause)
		}
	}()
	f()
	return nil
}

func parse(src []byte) *Notes {
	doc := markdown.Parse(src)
	n := &Notes{Src: src, Lines: text.NewLines(src), Front: doc.Front.Body, FrontLine: doc.Front.BodyLine}
	first := -1 // index among the blocks of the document at which the block at hand begins
	for i, b := range doc.Blocks {
		number, ok := blockNumber(b)
		if !ok {
			n.stray(src, b)
			continue
		}
		n.close(doc, first, i, startOfLine(src, b.Start))
		n.Blocks = append(n.Blocks, Block{Heading: Heading{b.Start, b.End, b.Text}, Number: number, src: src})
		first = i + 1
	}
	n.close(doc, first, len(doc.Blocks), len(src))
	return n
}

// close ends the block at hand at byte end: its content is that of the document's blocks from first to last.
func (n *Notes) close(doc *markdown.Doc, first, last, end int) {
	if first < 0 {
		return
	}
	b := &n.Blocks[len(n.Blocks)-1]
	b.BodyStart, b.BodyEnd = trimBlank(n.Src, afterLine(n.Src, b.End), end)
	if b.Compaction = readCompaction(n.Src, b.BodyStart, b.BodyEnd); b.Compaction == nil {
		b.readSections(doc, doc.Blocks[first:last])
	}
}

// blockNumber returns the number of the block that b heads: a heading of level 3 whose text is MIND-<k>, alone or followed
// by something that is no part of the number.
func blockNumber(b *markdown.Block) (Number, bool) {
	if b.Kind != markdown.Heading || b.Level != 3 {
		return "", false
	}
	rest, ok := strings.CutPrefix(b.Text, "MIND-")
	if !ok {
		return "", false
	}
	return leadingNumber(rest)
}

// stray notes b, or the lines of b, when somebody has surely meant it to head a block: nothing else stands there.
func (n *Notes) stray(src []byte, b *markdown.Block) {
	switch b.Kind {
	case markdown.Heading:
		if looksLikeBlock(b.Text) {
			n.Strays = append(n.Strays, Heading{b.Start, b.End, b.Text})
		}
	case markdown.Paragraph:
		for _, l := range b.Content {
			if first := bytes.TrimLeft(src[l.Start:l.End], " \t"); len(first) == 0 || first[0] != '#' && first[0] < utf8.RuneSelf {
				continue
			}
			line := string(src[l.Start:l.End])
			if rest := strings.TrimLeft(line, "#＃"); rest != line && looksLikeBlock(rest) {
				n.Strays = append(n.Strays, Heading{l.Start, l.End, strings.TrimSpace(line)})
			}
		}
	}
}

// looksLikeBlock reports whether s is the word mind and a number, in any case, width and with any signs between.
func looksLikeBlock(s string) bool {
	if last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(s, " \t")); !unicode.IsDigit(last) && last < 0x2000 {
		return false
	}
	rest, ok := strings.CutPrefix(foldName(strings.TrimSpace(s)), "mind")
	if !ok {
		return false
	}
	digits := strings.TrimLeft(rest, " -_–—‐‑:.#")
	return digits != "" && strings.Trim(digits, "0123456789") == ""
}

// trimBlank moves start and end inwards over blank lines; the last line's end is not part of the result either.
func trimBlank(src []byte, start, end int) (int, int) {
	for start < end {
		next := afterLine(src[:end], start)
		if !blank(src[start:next]) {
			break
		}
		start = next
	}
	for start < end {
		last := startOfLine(src, trimEOL(src, start, end))
		if last < start {
			last = start
		}
		if !blank(src[last:end]) {
			break
		}
		end = last
	}
	return start, trimEOL(src, start, end)
}

// trimEOL returns end without one line end before it.
func trimEOL(src []byte, start, end int) int {
	if end > start && src[end-1] == '\n' {
		end--
		if end > start && src[end-1] == '\r' {
			end--
		}
	} else if end > start && src[end-1] == '\r' {
		end--
	}
	return end
}

func blank(line []byte) bool { return len(bytes.Trim(line, " \t\r\n")) == 0 }

// afterLine returns the offset behind the end of the line that holds offset at.
func afterLine(src []byte, at int) int {
	rest := src[at:]
	if n := bytes.IndexByte(rest, '\n'); n >= 0 {
		rest = rest[:n+1]
	}
	if n := bytes.IndexByte(rest, '\r'); n >= 0 && !bytes.Equal(rest[n:], []byte("\r\n")) {
		return at + n + 1
	}
	return at + len(rest)
}

// startOfLine returns the offset at which the line that holds offset at begins.
func startOfLine(src []byte, at int) int {
	for at > 0 && src[at-1] != '\n' && src[at-1] != '\r' {
		at--
	}
	return at
}
