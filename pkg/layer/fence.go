package layer

import (
	"bytes"
	"strings"
)

// pad is the white space that the grammar of fenced blocks knows.
const pad = " \t"

// A Block is one fenced block with a tag of the layer's own.
type Block struct {
	Line   int    // of the fence that opens it, from 1
	Token  string // what stands behind the tag, without its pad
	Lines  []Line // what stands between the fences
	Closed bool   // false when the file ends first
}

// A Line is one line of a block without its line end.
type Line struct {
	Number int // from 1
	Text   string
}

// Blocks finds the fenced blocks that carry tag (chapter 8.3). The scan goes by lines and is blind to the structure of
// Markdown: a fence in a list, in a quoted example or with other indentation is a fence. White space is space and tab only.
func Blocks(src []byte, tag string) []Block {
	src = bytes.TrimPrefix(src, []byte("\ufeff"))
	var blocks []Block
	inside := false
	number := 0
	for line := range bytes.SplitSeq(src, []byte{'\n'}) {
		number++
		text := string(bytes.TrimSuffix(line, []byte{'\r'}))
		if !inside {
			if token, ok := opens(text, tag); ok {
				blocks = append(blocks, Block{Line: number, Token: token})
				inside = true
			}
			continue
		}
		b := &blocks[len(blocks)-1]
		if rest, ok := fence(text); ok && strings.Trim(rest, pad) == "" {
			b.Closed, inside = true, false
			continue
		}
		b.Lines = append(b.Lines, Line{number, text})
	}
	if inside {
		b := &blocks[len(blocks)-1]
		if n := len(b.Lines); n > 0 && b.Lines[n-1].Text == "" {
			b.Lines = b.Lines[:n-1] // what follows the last line end is no line
		}
	}
	return blocks
}

// fence takes three or more backticks and the pad before them off a line.
func fence(line string) (rest string, ok bool) {
	line = strings.TrimLeft(line, pad)
	rest = strings.TrimLeft(line, "`")
	return rest, len(line)-len(rest) >= 3
}

// opens reports whether line opens a block with the tag.
func opens(line, tag string) (token string, ok bool) {
	rest, ok := fence(line)
	if !ok {
		return "", false
	}
	rest, ok = strings.CutPrefix(strings.TrimLeft(rest, pad), tag)
	token = strings.Trim(rest, pad)
	return token, ok && (rest == "" || strings.IndexByte(pad, rest[0]) >= 0)
}
