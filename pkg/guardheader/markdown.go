package guardheader

import (
	"bytes"
	"path"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/markdown"
)

// IsMarkdown reports whether the file name of p is one of Markdown.
func IsMarkdown(p string) bool {
	switch strings.ToLower(path.Ext(p)) {
	case ".md", ".markdown", ".mdown", ".mkd", ".mkdn", ".mdwn":
		return true
	}
	return false
}

// markdownHeader is how the header of r is written in Markdown.
func markdownHeader(r *Row) string { return r.Header }

// markdown scans a Markdown file.
func (s *Scan) markdown(rs *Rows) {
	s.Unreadable, s.UnreadableAt = unreadable(s.src)
	s.doc = markdown.Parse(s.src)
	doc := s.doc
	s.UnclosedFront = doc.Front.Kind != "" && !doc.Front.Closed
	start := 0
	if doc.BOM {
		start = len(bom)
	}
	front := doc.Front.Closed
	s.front = front
	if f := deadFront(s.src, start); f != nil && doc.Front.Kind == "" {
		s.Above, s.Fence = &f.above, f.fence
		head := markdown.ParseFrom(s.src[:f.fence], start)
		s.collect(rs, head, nil)
		for i := range s.Guards {
			s.Guards[i].Above = true
		}
		doc = markdown.ParseFrom(s.src, f.end)
		front, start = true, f.end
	} else if front {
		start = doc.Front.End
	}
	s.UnclosedComment = doc.UnclosedComment
	blocks := doc.Blocks
	s.place = place{at: start, after: front}
	if title, ok := doc.Title(); ok && !front {
		for len(blocks) > 0 && blocks[0] != title {
			blocks = blocks[1:]
		}
		blocks = blocks[1:]
		s.place = place{at: nextLine(s.src, title.End), after: true}
	}
	s.collect(rs, doc, blocks)
}

// collect adds the guards of doc. Those among the first of blocks, the last ones of doc, stand where a header belongs, as
// far as these are comments.
func (s *Scan) collect(rs *Rows, doc *markdown.Doc, blocks []*markdown.Block) {
	first, inPlace := len(doc.Blocks)-len(blocks), true
	for i, b := range doc.Blocks {
		var row *Row
		if doc.UnclosedComment < 0 || b.Start <= doc.UnclosedComment {
			row = s.known(rs, b)
		}
		placed := i >= first && inPlace && (row != nil || doc.OnlyComments(b))
		inPlace = placed || i < first
		if row != nil {
			g := s.guard(row, string(s.src[b.Start:b.End]), lineStart(s.src, b.Start), b.Start, trimEnd(s.src, b.Start, b.End), markdownHeader)
			g.Placed = placed
			s.Guards = append(s.Guards, g)
			continue
		}
		if !placed {
			continue
		}
		for _, c := range doc.CommentsIn(b) {
			if strings.Contains(c.Text, sign) {
				s.Unknown = append(s.Unknown, Place{c.Start, c.End, string(s.src[c.Start:c.End])})
			}
		}
	}
}

// known returns the row whose header the block b is, or nil. A comment with invisible characters before it is a paragraph
// to a Markdown parser and a header all the same.
func (s *Scan) known(rs *Rows, b *markdown.Block) *Row {
	if b.Kind != markdown.Comment && b.Kind != markdown.Paragraph || len(b.Content) != 1 {
		return nil
	}
	line := s.src[b.Start:b.End]
	if b.Kind == markdown.Paragraph && !bytes.Contains(line, []byte("<!--")) {
		return nil
	}
	return rs.Known(string(line))
}

// nextLine returns the offset of the line after the one that holds offset at.
func nextLine(src []byte, at int) int {
	if n := bytes.IndexByte(src[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(src)
}

// trimEnd returns the end of the range without white space before it.
func trimEnd(src []byte, start, end int) int {
	return start + len(bytes.TrimRight(src[start:end], " \t\r"))
}

// neverCarries lists extensions of files in which no comment can stand.
const neverCarries = " .json .jsonl .ndjson .geojson .map .png .jpg .jpeg .gif .webp .avif .bmp .ico .tif .tiff .heic .psd .pdf .zip .gz .tgz .bz2 .xz .zst " +
	".7z .rar .tar .jar .war .class .o .a .so .dylib .dll .exe .bin .wasm .pyc .woff .woff2 .ttf .otf .eot .mp3 .mp4 .m4a .mov .avi .mkv .webm .ogg .flac .wav " +
	".doc .docx .xls .xlsx .ppt .pptx .odt .ods .odp .db .sqlite .sqlite3 .parquet .npy .npz .pack .idx .ipynb "

// MayCarry reports, by the file name alone, whether a header could stand in the file at p.
func MayCarry(p string) bool {
	ext := strings.ToLower(path.Ext(p))
	return ext == "" || !strings.Contains(neverCarries, " "+ext+" ")
}
