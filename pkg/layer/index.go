package layer

import (
	"fmt"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/manifest"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

// A Kind says whether a document is upheld or only kept.
type Kind string

// The kinds of documents.
const (
	Intent Kind = "intent" // what holds now
	Record Kind = "record" // what held, or was seen, at its time
)

// The slugs of faults of index files.
const (
	IndexFileMissing      = "index-file-missing"
	IndexFileParse        = "index-file-parse"
	IndexEntryMissing     = "index-entry-missing"
	IndexEntryNotMarkdown = "index-entry-not-markdown"
	IndexEntryEmpty       = "index-entry-empty"
	CategoryConflict      = "category-conflict"
	PathNotNormal         = "path-not-normal"
)

// A Fault is one thing that is wrong with how a layer says what it governs.
type Fault struct {
	Slug    string
	Path    string    // file in which it stands
	Span    text.Span // zero for the whole file
	Message string
	Anchor  string // identifies it when lines move
	Related []finding.Related
}

// An IndexEntry is one line of a category index file that names a file or a folder.
type IndexEntry struct {
	Path string // normal, without a slash at its end; "" is the root of the repository
	Kind Kind
	Span text.Span // of the path
}

// indexTag marks the blocks of category index files.
const indexTag = "leji-index"

// ParseIndex reads a category index file (chapter 8.3), which stands at path. Lines with a fault are left out of the
// entries, the others stay.
func ParseIndex(path string, src []byte) ([]IndexEntry, []Fault) {
	p := indexParser{path: path, seen: map[string]int{}}
	blocks := Blocks(src, indexTag)
	if len(blocks) == 0 {
		p.fault(IndexFileParse, text.Span{}, "no block", "the index file %q has no block with the tag %q", path, indexTag)
	}
	for _, b := range blocks {
		p.block(&b)
	}
	return p.entries, p.faults
}

type indexParser struct {
	path    string
	entries []IndexEntry
	faults  []Fault
	seen    map[string]int // lines by path
}

func (p *indexParser) fault(slug string, span text.Span, anchor, format string, args ...any) {
	p.faults = append(p.faults, Fault{Slug: slug, Path: p.path, Span: span, Anchor: anchor, Message: fmt.Sprintf(format, args...)})
}

// span covers the bytes of a line from column start up to end, counted from 0.
func span(line, start, end int) text.Span {
	return text.Span{Start: text.Pos{Line: line, Column: start + 1}, End: text.Pos{Line: line, Column: end + 1}}
}

func (p *indexParser) block(b *Block) {
	kind := Intent
	switch b.Token {
	case "", string(Intent):
	case string(Record):
		kind = Record
	default:
		p.fault(IndexFileParse, span(b.Line, 0, 1), "kind "+b.Token, "the block has the kind %q, which is neither %q nor %q", b.Token, Intent, Record)
	}
	for _, l := range b.Lines {
		p.line(l, kind)
	}
	if !b.Closed {
		p.fault(IndexFileParse, span(b.Line, 0, 1), "not closed", "the block with the tag %q is not closed", indexTag)
	}
}

func (p *indexParser) line(l Line, kind Kind) {
	whole := strings.TrimRight(l.Text, pad)
	entry := strings.TrimLeft(whole, pad)
	indent := len(whole) - len(entry)
	if entry == "" || entry[0] == '#' {
		return
	}
	bad := func(from, to int, format string, args ...any) {
		p.fault(IndexFileParse, span(l.Number, from, to), entry, format, args...)
	}
	raw, ok := cutEntry(entry)
	if !ok {
		bad(indent, len(whole), "the line %q is no entry of the form \"- path: <path>\"", entry)
		return
	}
	from := indent + len(entry) - len(raw)
	if raw = withoutComment(raw); raw == "" {
		bad(indent, len(whole), "the entry %q has no path", entry)
		return
	}
	to := from + len(raw)
	clean, reason := manifest.Clean(raw)
	if reason != "" {
		bad(from, to, "the path %q %s", raw, reason)
		return
	}
	if first, twice := p.seen[clean]; twice {
		bad(from, to, "the path %q stands on line %d already", raw, first)
		return
	}
	p.seen[clean] = l.Number
	if strings.TrimSuffix(raw, "/") != clean && raw != "." {
		p.fault(PathNotNormal, span(l.Number, from, to), raw, "the path %q has a segment that says nothing; its normal form is %q", raw, clean)
	}
	p.entries = append(p.entries, IndexEntry{clean, kind, span(l.Number, from, to)})
}

// cutEntry takes "- path: " off a line; pad may be wider.
func cutEntry(s string) (path string, ok bool) {
	s, dash := strings.CutPrefix(s, "-")
	trimmed := strings.TrimLeft(s, pad)
	rest, key := strings.CutPrefix(trimmed, "path:")
	path = strings.TrimLeft(rest, pad)
	return path, dash && key && len(trimmed) < len(s) && (len(path) < len(rest) || rest == "")
}

// withoutComment drops a # behind a space or tab with everything that follows it.
func withoutComment(s string) string {
	for i := 1; i < len(s); i++ {
		if s[i] == '#' && strings.IndexByte(pad, s[i-1]) >= 0 {
			s = s[:i]
			break
		}
	}
	return strings.TrimRight(s, pad)
}
