package markdown_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/seed-4419f9ca/forge/pkg/markdown"
)

// taskList returns a list of n finished tasks under a title and a comment.
func taskList(n int) []byte {
	var b strings.Builder
	b.WriteString("# Done: project 1\n\n<!-- ⚠️ APPEND-ONLY — /end or /backlog clean only (C2) -->\n\n")
	for i := range n {
		fmt.Fprintf(&b, "- [x] P1-%03d: Finish part %d of the work #backlog\n", i+1, i+1)
	}
	return []byte(b.String())
}

// BenchmarkTaskList shows what a list of 40 tasks costs: read line by line, read with goldmark because one line is
// indented, and read by goldmark's block parsers alone.
func BenchmarkTaskList(b *testing.B) {
	src := taskList(40)
	nested := append(taskList(39), "  more\n"...)
	b.Run("plain", func(b *testing.B) {
		b.SetBytes(int64(len(src)))
		b.ReportAllocs()
		for b.Loop() {
			markdown.Parse(src)
		}
	})
	b.Run("indented", func(b *testing.B) {
		b.SetBytes(int64(len(nested)))
		b.ReportAllocs()
		for b.Loop() {
			markdown.Parse(nested)
		}
	})
	bare := parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithParagraphTransformers(util.Prioritized(parser.LinkReferenceParagraphTransformer, 100)))
	b.Run("goldmark", func(b *testing.B) {
		b.SetBytes(int64(len(src)))
		b.ReportAllocs()
		for b.Loop() {
			bare.Parse(text.NewReader(src))
		}
	})
}
