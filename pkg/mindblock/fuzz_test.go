package mindblock

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// FuzzParse holds what is true of every input: places lie in the file and in one another, in order.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"### MIND-1\n\n#### A\nx\n#### D\n- [raised] y\n### MIND-0\n(compacted: 1 bytes, sha256 0123456789abcdef)\n", "### MIND-0\n- A x\n  - y\n- B", "### MIND-0\n**A** x\n- [raised] a\n**E** b",
		"\ufeff---\na: 1\n---\n### MIND-0\r\n> ### MIND-1", "### MIND-0", "### MIND-0\n\n\n### MIND-0\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		n, err := Parse(src)
		if err != nil {
			return
		}
		at := 0
		for i := range n.Blocks {
			b := &n.Blocks[i]
			if b.Start < at || b.End < b.Start || b.BodyStart < b.End || b.BodyEnd < b.BodyStart || b.BodyEnd > len(src) {
				t.Fatalf("%q: block %s stands at %d–%d, its content at %d–%d, after %d", src, b.Number, b.Start, b.End, b.BodyStart, b.BodyEnd, at)
			}
			if c := b.Content(); len(c) > 0 && (blank(c[:afterLine(c, 0)]) || blank(c[startOfLine(c, len(c)):])) {
				t.Fatalf("%q: content %q has blank edges", src, c)
			}
			place := b.BodyStart
			for _, s := range b.Sections {
				if s.Start < place-4 || s.BodyStart < s.End || s.BodyEnd < s.BodyStart || s.BodyEnd > b.BodyEnd {
					t.Fatalf("%q: section %c stands at %d–%d, its body at %d–%d", src, s.Letter, s.Start, s.End, s.BodyStart, s.BodyEnd)
				}
				place = s.BodyEnd
				for _, it := range s.Items {
					if it.Start < s.BodyStart || it.End > b.BodyEnd {
						t.Fatalf("%q: item %q stands outside of its section", src, it.Text)
					}
				}
			}
			at = b.BodyEnd
		}
		if out := n.Insert([]byte("### MIND-7\n\nx\n")); len(n.Blocks) > 0 && !bytes.HasSuffix(out, src[startOfLine(src, n.Blocks[0].Start)+bom(src, n.Blocks[0].Start):]) {
			t.Fatalf("%q: a block on top changes what is below: %q", src, out)
		}
		out, folded, _ := n.Compact(0, func(*Block) bool { return true })
		if again, err := Parse(out); err != nil || len(again.Blocks) == len(n.Blocks) {
			for i := range folded {
				_ = i
			}
		} else if !bytes.Contains(src, []byte("<")) && !bytes.Contains(src, []byte("```")) && !bytes.Contains(src, []byte("~~~")) {
			t.Fatalf("%q: folding loses blocks: %q", src, out)
		}
	})
}

func bom(src []byte, at int) int {
	if bytes.HasPrefix(src, []byte("\ufeff")) && startOfLine(src, at) == 0 {
		return 3
	}
	return 0
}

// FuzzItems holds that labels and lines on helpers are read without a fault, and that a place is where it says.
func FuzzItems(f *testing.F) {
	for _, s := range []string{"[raised] x", "**[raised]** {raised}", "a: pass → b#c", "a：đạt → [x](y)", "a: flag `b c`", "a: b: skip <x>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, item string) {
		if label, ok := Label(item); ok && !isLabel(label) {
			t.Fatalf("%q: %q is no label", item, label)
		}
		r := ReadRun(item)
		if r.Verdict != "" && !isVerdict(r.Verdict) {
			t.Fatalf("%q: %q is no verdict", item, r.Verdict)
		}
		if r.Start < 0 || r.End < r.Start || r.End > len(item) || !strings.Contains(item[r.Start:r.End], r.Path) {
			t.Fatalf("%q: the pointer %q does not stand at %d–%d", item, r.Path, r.Start, r.End)
		}
	})
}

// FuzzTimestamps holds the reader against its expression, and the quick test against both.
func FuzzTimestamps(f *testing.F) {
	for _, s := range []string{"ts: 1\n", "- **date**= x", "a\rts:1", "th\u01a1\u0300i-gian：x"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		for _, s := range Timestamps(src) {
			if string(src[s.Start:s.End]) != s.Key || s.Key == "" {
				t.Fatalf("%q: %+v", src, s)
			}
		}
		for _, line := range bytes.FieldsFunc(src, func(r rune) bool { return r == '\n' || r == '\r' }) {
			if timestampKey().Match(line) && len(Timestamps(line)) == 0 {
				t.Fatalf("%q is missed", line)
			}
		}
	})
}

// FuzzCompaction holds that a compaction line is read as what it was made of, and that no other line reads like it.
func FuzzCompaction(f *testing.F) {
	f.Add([]byte("x"), "(compacted: 1 bytes, sha256 2d711642b726b044)")
	f.Add([]byte(""), "(compacted: 01 bytes, sha256 2d711642b726b044)")
	f.Add([]byte("a\nb"), "(Compacted: 1 bytes, sha256 2d711642b726b04g)")
	f.Fuzz(func(t *testing.T, content []byte, line string) {
		made := CompactionLine(content)
		c := readCompaction([]byte(made), 0, len(made))
		if c == nil || !c.Exact || !c.Of(content) || c.Of(append(bytes.Clone(content), 'x')) {
			t.Fatalf("%q is read as %+v", made, c)
		}
		if c := readCompaction([]byte(line), 0, len(line)); c != nil && c.Exact {
			if again := fmt.Sprintf("(compacted: %d bytes, sha256 %s)", c.Bytes, c.Digest); again != line {
				t.Fatalf("%q is read as %q", line, again)
			}
		}
	})
}
