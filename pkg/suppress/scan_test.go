package suppress

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// seen writes what scan found as "line-last code next whole".
func seen(name, src string) []string {
	var out []string
	for _, d := range scan(name, []byte(src)) {
		whole := ""
		if d.whole {
			whole = " whole"
		}
		out = append(out, fmt.Sprintf("%d-%d %s next %d%s", d.first, d.last, d.code, d.next, whole))
	}
	return out
}

func TestScan(t *testing.T) {
	const c = "<!-- forge:allow a/b reason=\"x\" -->"
	for _, test := range []struct {
		name, file, src string
		want            []string
	}{
		{"on the line before", "a.md", "# T\n\n" + c + "\n- [ ] x\n", []string{"3-3 a/b next 4"}},
		{"between items", "a.md", "# T\n\n- [x] a\n" + c + "\n- [ ] x\n", []string{"4-4 a/b next 5"}},
		{"inside an item", "a.md", "# T\n\n- [x] a\n\n  " + c + "\n  x\n", []string{"5-5 a/b next 6"}},
		{"inside a quote", "a.md", "# T\n\n> " + c + "\n> x\n", []string{"3-3 a/b next 4"}},
		{"below a paragraph", "a.md", "# T\n\ntext\n" + c + "\nx\n", []string{"4-4 a/b next 5"}},
		{"on line 1", "a.md", c + "\n# T\n", []string{"1-1 a/b next 2 whole"}},
		{"on line 1 after a byte-order mark", "a.md", "\ufeff" + c + "\n# T\n", []string{"1-1 a/b next 2 whole"}},
		{"stacked", "a.md", "# T\n\n" + c + "\n<!-- forge:allow c/d -->\nx\n", []string{"3-3 a/b next 5", "4-4 c/d next 5"}},
		{"stacked from line 1", "a.md", c + "\n<!-- forge:allow c/d -->\nx\n", []string{"1-1 a/b next 3 whole", "2-2 c/d next 3 whole"}},
		{"two with a line between", "a.md", c + "\n\n<!-- forge:allow c/d -->\nx\n", []string{"1-1 a/b next 2 whole", "3-3 c/d next 4"}},
		{"two on a line", "a.md", "# T\n\n" + c + " <!-- forge:allow c/d -->\nx\n", []string{"3-3 a/b next 4", "3-3 c/d next 4"}},
		{"behind another comment", "a.md", "# T\n<!-- guard --> " + c + "\nx\n", []string{"2-2 a/b next 3"}},
		{"over several lines", "a.md", "# T\n\n<!-- forge:allow a/b\n     reason=\"x\" -->\nx\n", []string{"3-4 a/b next 5"}},
		{"CRLF", "a.md", "# T\r\n\r\n" + c + "\r\n- [ ] x\r\n", []string{"3-3 a/b next 4"}},
		{"upper-case extension", "A.MD", "# T\n\n" + c + "\nx\n", []string{"3-3 a/b next 4"}},
		{"after frontmatter", "a.md", "---\na: 1\n---\n" + c + "\n# T\n", []string{"4-4 a/b next 5 whole"}},
		{"a line after frontmatter", "a.md", "---\na: 1\n---\n\n" + c + "\n# T\n", []string{"5-5 a/b next 6"}},
		{"in frontmatter", "a.md", "---\n# forge:allow a/b\na: 1\n# forge:allow c/d\nb: 2\n---\n# T\n", []string{"2-2 a/b next 3 whole", "4-4 c/d next 5"}},
		{"in a fence", "a.md", "# T\n\n```\n" + c + "\n```\n", nil},
		{"in the block of a claim", "a.md", "### A-1: T\n\n```claim\nkind: x\n# forge:allow a/b reason=\"x\"\nanchors:\n  # forge:allow c/d\n  - e\n```\n\n" + c + "\n", []string{"5-5 a/b next 6", "7-7 c/d next 8", "11-11 a/b next 12"}},
		{"in a claim that is not closed", "a.md", "```claim\nkind: x\n# forge:allow a/b\n", nil},
		{"in a claim that is quoted", "a.md", "> ```claim\n> # forge:allow a/b\n> ```\n", nil},
		{"in a fence of an item", "a.md", "- a\n  ```md\n  " + c + "\n  ```\n", nil},
		{"in indented code", "a.md", "# T\n\n    " + c + "\n", nil},
		{"in inline code", "a.md", "# T\n\nWrite `" + c + "` above.\n", nil},
		{"in running text", "a.md", "# T\n\nforge:allow a/b\n", nil},
		{"in a script", "a.md", "<script>\n" + c + "\n</script>\n", nil},
		{"a heading that looks like a hash comment", "a.md", "# forge:allow a/b\n", nil},
		{"inside another comment", "a.md", "<!-- write\n# forge:allow a/b\n-->\nx\n", nil},
		{"an empty comment before", "a.md", "<!--> forge:allow a/b -->\nx\n", nil},
		{"never closed", "a.md", "# T\n\n<!-- forge:allow a/b\n\nx\n", nil},

		{"hash", "a.sh", "#!/bin/sh\n# forge:allow a/b\nx\n", []string{"2-2 a/b next 3 whole"}},
		{"hashes, indented", "a.py", "x\n\t## forge:allow a/b\ny\n", []string{"2-2 a/b next 3"}},
		{"slashes", "a.go", "// forge:allow a/b\npackage a\n", []string{"1-1 a/b next 2 whole"}},
		{"dashes", "a.sql", "x\n-- forge:allow a/b\ny\n", []string{"2-2 a/b next 3"}},
		{"semicolon", "a.ini", "x\n; forge:allow a/b\ny\n", []string{"2-2 a/b next 3"}},
		{"XML", "a.xml", "<?xml version=\"1.0\"?>\n" + c + "\n<a/>\n", []string{"2-2 a/b next 3 whole"}},
		{"CSS", "a.css", "x\n/* forge:allow a/b */\ny\n", []string{"2-2 a/b next 3"}},
		{"stacked in a script", "a.sh", "x\n# forge:allow a/b\n# forge:allow c/d\ny\n", []string{"2-2 a/b next 4", "3-3 c/d next 4"}},
		{"no extension", "Makefile", "x:\n# forge:allow a/b\n\ty\n", []string{"2-2 a/b next 3"}},
		{"CRLF in a script", "a.cmd", "x\r\n# forge:allow a/b\r\ny\r\n", []string{"2-2 a/b next 3"}},
		{"byte-order mark in a script", "a.txt", "\ufeff# forge:allow a/b\r\ny\r\n", []string{"1-1 a/b next 2 whole"}},
		{"behind code", "a.sh", "x # forge:allow a/b\ny\n", nil},
		{"in a string", "a.go", "s := \"# forge:allow a/b\"\n", nil},
		{"text behind an XML comment", "a.html", c + " <p>\n", nil},
		{"JSON", "a.json", "// forge:allow a/b\n{}\n", nil},
		{"JSON lines", "a.wal.JSONL", "# forge:allow a/b\n{}\n", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, seen(test.file, test.src)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestScanSpans(t *testing.T) {
	for _, test := range []struct{ file, src, want string }{
		{"a.md", "# T\n\n  <!-- forge:allow a/b reason=\"x\" -->\nx\n", `<!-- forge:allow a/b reason="x" -->`},
		{"a.sh", "x\n  ## forge:allow a/b  \r\nx\n", "## forge:allow a/b"},
		{"a.sh", "\ufeff # forge:allow a/b\nx\n", "# forge:allow a/b"},
	} {
		found := scan(test.file, []byte(test.src))
		if len(found) != 1 {
			t.Fatalf("%q: %d suppressions", test.src, len(found))
		}
		lines := strings.SplitAfter(test.src, "\n")
		s := found[0].span
		if got := lines[s.Start.Line-1][s.Start.Column-1 : s.End.Column-1]; got != test.want {
			t.Errorf("%q: the span holds %q, want %q", test.src, got, test.want)
		}
	}
}

func FuzzScan(f *testing.F) {
	for _, seed := range []string{
		"# T\n\n<!-- forge:allow a/b reason=\"x\" until=2026-12-31 -->\n- [ ] x\n",
		"---\n# forge:allow a/b\n---\n<!-- forge:allow\nc/d -->\n```\n<!-- forge:allow -->\n",
		"#!/bin/sh\n# forge:allow a/b reason='x\\\n// forge:allow =\n;forge:allow a=\"",
		"<!--><!-- forge:allow a/b --> <!-- forge:allow",
		"\ufeff# forge:allow a/b\r\n\x00\xff",
	} {
		for _, name := range []string{"a.md", "a.sh"} {
			f.Add(name, []byte(seed))
		}
	}
	f.Fuzz(func(t *testing.T, name string, src []byte) {
		last := 0
		count := bytes.Count(src, []byte("\n")) + 1
		found := scan(name, src)
		for i := range found {
			d := &found[i]
			if d.first < last || d.last < d.first || d.last > count || d.next <= d.last || d.next > count+1 || d.span.IsZero() {
				t.Fatalf("a suppression at lines %d to %d with next %d in %d lines", d.first, d.last, d.next, count)
			}
			last = d.first
		}
		if len(found) > bytes.Count(src, []byte(keyword)) {
			t.Fatal("more suppressions than places that name one")
		}
	})
}
