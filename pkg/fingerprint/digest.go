package fingerprint

import (
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"sort"
	"strings"
)

// digestLength is the number of hex digits that are kept of a SHA-256 (chapter 7.3).
const digestLength = 12

// Sum turns the hash of a sequence into a digest.
func Sum(h hash.Hash) string {
	return spell(h.Sum(nil))
}

// Spell is Sum for a hash that is known.
func Spell(sum [sha256.Size]byte) string { return spell(sum[:]) }

func spell(sum []byte) string {
	b := make([]byte, 0, len(Scheme)+digestLength)
	return string(hex.AppendEncode(append(b, Scheme...), sum[:digestLength/2]))
}

// Clone returns d in memory of its own. What an Engine returns shares that of the whole file.
func (d Digest) Clone() Digest {
	all := strings.Join([]string{d.Whole, d.Signature, d.Body, d.Doc, d.Lines}, "")
	for _, s := range []*string{&d.Whole, &d.Signature, &d.Body, &d.Doc, &d.Lines} {
		n := len(*s)
		*s, all = all[:n], all[n:]
	}
	d.Kind = d.Kind.own()
	return d
}

// own returns k without the memory that it was read from.
func (k Kind) own() Kind {
	switch k {
	case AST:
		return AST
	case Coarse:
		return Coarse
	}
	return k
}

// LineDigest fingerprints texts by their lines: white space at the end of lines and blank lines do not count.
func LineDigest(texts ...[]byte) string {
	h := sha256.New()
	for _, text := range texts {
		h.Write([]byte{0xff})
		for line := range bytes.Lines(text) {
			if line = bytes.TrimRight(line, " \t\r\n\f\v"); len(line) > 0 {
				h.Write(line)
				h.Write([]byte{'\n'})
			}
		}
	}
	return Sum(h)
}

// isBinary reports whether src is no text: it holds a zero byte.
func isBinary(src []byte) bool { return bytes.IndexByte(src, 0) >= 0 }

// binaryDigest fingerprints a binary file by its blob id, as git computes it with SHA-1.
func binaryDigest(src []byte) string {
	h := sha1.New()
	h.Write(fmt.Appendf(nil, "blob %d\x00", len(src)))
	h.Write(src)
	return Sum(h)
}

// Directory fingerprints a set of files: files maps each path, relative to the folder, to its digest. The kind is AST when
// that of every file is.
func Directory(files map[string]Digest) Digest {
	paths := make([]string, 0, len(files))
	for path := range files {
		paths = append(paths, path)
	}
	sort.Strings(paths)
	whole, lines := sha256.New(), sha256.New()
	d := Digest{Kind: AST}
	for _, path := range paths {
		f := files[path]
		whole.Write([]byte(path + "\x00" + f.Whole + "\n"))
		lines.Write([]byte(path + "\x00" + f.Lines + "\n"))
		if f.Kind != AST {
			d.Kind = Coarse
		}
	}
	d.Whole, d.Lines = Sum(whole), Sum(lines)
	return d
}

// NewCoarse fingerprints a file without looking at its syntax. note says why although there is a grammar.
func NewCoarse(language string, src []byte, note string) *File {
	f := &File{Language: language, Note: note, Digest: Digest{Kind: Coarse}}
	if isBinary(src) {
		f.Digest.Whole = binaryDigest(src)
	} else {
		f.Digest.Whole = LineDigest(clean(src))
	}
	f.Digest.Lines = f.Digest.Whole
	return f
}

// clean takes away what never counts: the byte-order mark and the carriage returns of line ends.
func clean(src []byte) []byte {
	src = bytes.TrimPrefix(src, []byte("\xef\xbb\xbf"))
	if bytes.IndexByte(src, '\r') < 0 {
		return src
	}
	return bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n"))
}
