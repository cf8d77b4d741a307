package mindblock

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
)

// A Compaction is what is left of a block's content: one line that says how many bytes stood there, and their digest
// (chapter 6.4).
type Compaction struct {
	Bytes  int64
	Digest string // the first 16 hex digits of the SHA-256
	Exact  bool   // the line is written as the specification says; when not, the other fields are zero
}

const (
	compactedStart = "(compacted: "
	compactedMid   = " bytes, sha256 "
	digestLength   = 16
)

// Digest returns the first 16 hex digits of the SHA-256 of a block's content.
func Digest(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])[:digestLength]
}

// CompactionLine returns the line that takes the place of content.
func CompactionLine(content []byte) string {
	return fmt.Sprintf("%s%d%s%s)", compactedStart, len(content), compactedMid, Digest(content))
}

// Of reports whether c is the compaction of content.
func (c *Compaction) Of(content []byte) bool {
	return c.Exact && c.Bytes == int64(len(content)) && c.Digest == Digest(content)
}

// readCompaction reads a content that is one line and begins like a compaction line; nil when it is anything else.
func readCompaction(src []byte, start, end int) *Compaction {
	const begins = "(compacted"
	content := src[start:end]
	first := bytes.TrimLeft(content, " \t")
	if len(first) < len(begins) || !strings.EqualFold(string(first[:len(begins)]), begins) || bytes.ContainsAny(content, "\r\n") {
		return nil
	}
	line := string(content)
	size, digest, ok := strings.Cut(strings.TrimPrefix(line, compactedStart), compactedMid)
	digest, closed := strings.CutSuffix(digest, ")")
	count, err := strconv.ParseInt(size, 10, 64)
	if !ok || !closed || err != nil || strconv.FormatInt(count, 10) != size || count < 0 ||
		len(digest) != digestLength || strings.Trim(digest, "0123456789abcdef") != "" || !strings.HasPrefix(line, compactedStart) {
		return &Compaction{}
	}
	return &Compaction{Bytes: count, Digest: digest, Exact: true}
}

// Compact folds blocks of n into compaction lines until the file has at most limit bytes: the oldest first, never block 0
// and never the top block. may says whether a block can be folded; the first that it refuses ends the work, because the
// ones above it are newer. It returns the new content, the numbers that were folded, and the number that was refused.
func (n *Notes) Compact(limit int, may func(*Block) bool) (out []byte, folded []Number, refused Number) {
	out = append([]byte(nil), n.Src...)
	for i := len(n.Blocks) - 1; i > 0 && len(out) > limit; i-- {
		b := &n.Blocks[i]
		if b.Number.IsZero() || b.Compaction != nil {
			continue
		}
		if !may(b) {
			return out, folded, b.Number
		}
		line := CompactionLine(b.Content())
		if b.BodyStart == b.BodyEnd {
			// There is no content whose place the line could take: it gets one of its own below the heading.
			eol := n.eol()
			at := afterLine(n.Src, b.End)
			if at == b.End {
				line = eol + line
			}
			out = splice(out, at, at, line+eol)
		} else {
			// The file is worked on from its end, so that the offsets of what stands above stay right.
			out = splice(out, b.BodyStart, b.BodyEnd, line)
		}
		folded = append(folded, b.Number)
	}
	return out, folded, ""
}

// splice returns src with the bytes from start to end replaced by text.
func splice(src []byte, start, end int, text string) []byte {
	out := make([]byte, 0, len(src)-(end-start)+len(text))
	return append(append(append(out, src[:start]...), text...), src[end:]...)
}

// eol returns the line end that the notes use first, LF when there is none.
func (n *Notes) eol() string {
	if i := bytes.IndexByte(n.Src, '\n'); i > 0 && n.Src[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// Foldable returns how many blocks Compact could fold at most.
func (n *Notes) Foldable() int {
	count := 0
	for i := 1; i < len(n.Blocks); i++ {
		if b := &n.Blocks[i]; !b.Number.IsZero() && b.Compaction == nil {
			count++
		}
	}
	return count
}
