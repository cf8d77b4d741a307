package layer_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-4419f9ca/forge/pkg/layer"
)

func told(faults []layer.Fault) []string {
	var out []string
	for _, f := range faults {
		at := ""
		if !f.Span.IsZero() {
			at = fmt.Sprintf(":%d:%d-%d", f.Span.Start.Line, f.Span.Start.Column, f.Span.End.Column)
		}
		out = append(out, f.Path+at+" "+f.Slug+": "+f.Message)
	}
	return out
}

func TestParseIndex(t *testing.T) {
	for _, tt := range []struct {
		name, src     string
		entries, want []string
	}{
		{"plain", "# Domain\n```leji-index\n- path: docs/a.md\n- path: docs/b/\n```\n", []string{"docs/a.md intent 3:9", "docs/b intent 4:9"}, nil},
		{"padded", "\t```` leji-index\t record \n  -  path:\tdocs/a.md \t# why\t \n\n # note\n#note\n   `````` \n- path: outside.md\n", []string{"docs/a.md record 2:12"}, nil},
		{"byte order mark and CRLF", "\ufeff```leji-index\r\n- path: a.md\r\n```\r\n", []string{"a.md intent 2:9"}, nil},
		{"several blocks", "```leji-index\n- path: a\n```\n~~~\n```leji-index record\n- path: b\n```\n", []string{"a intent 2:9", "b record 6:9"}, nil},
		{"inside of other Markdown", "> ```text\n> x\n````markdown\n```leji-index\n- path: a\n```\n````\n", []string{"a intent 5:9"}, nil},
		{"a number sign in a name", "```leji-index\n- path: c#.md\n- path: #x.md\n- path: a b.md #c\n- path: \u00a0#d\n```\n", []string{"c#.md intent 2:9", "#x.md intent 3:9", "a b.md intent 4:9", "\u00a0#d intent 5:9"}, nil},
		{"not normal", "```leji-index\n- path: ./a.md\n- path: b//c/\n- path: d/./e\n- path: .\n```\n", []string{"a.md intent 2:9", "b/c intent 3:9", "d/e intent 4:9", " intent 5:9"}, []string{
			`i.md:2:9-15 path-not-normal: the path "./a.md" has a segment that says nothing; its normal form is "a.md"`,
			`i.md:3:9-14 path-not-normal: the path "b//c/" has a segment that says nothing; its normal form is "b/c"`,
			`i.md:4:9-14 path-not-normal: the path "d/./e" has a segment that says nothing; its normal form is "d/e"`}},
		{"bad lines", "```leji-index\n* path: a\n-path: a\n- path:a\n- path:\n- path: # x\n- file: a\n- path: /a\n- path: a/../b\n- path: a\\b\n- path: a\rb\n\u00a0- path: a\n- path: ok\n- path: ok/\n- path: ./ok\nprose\n```leji-index\n```\n",
			[]string{"# x intent 6:9", "ok intent 13:9"}, []string{
				`i.md:2:1-10 index-file-parse: the line "* path: a" is no entry of the form "- path: <path>"`,
				`i.md:3:1-9 index-file-parse: the line "-path: a" is no entry of the form "- path: <path>"`,
				`i.md:4:1-9 index-file-parse: the line "- path:a" is no entry of the form "- path: <path>"`,
				`i.md:5:1-8 index-file-parse: the entry "- path:" has no path`,
				`i.md:7:1-10 index-file-parse: the line "- file: a" is no entry of the form "- path: <path>"`,
				`i.md:8:9-11 index-file-parse: the path "/a" is absolute; paths begin at the root of the repository`,
				`i.md:9:9-15 index-file-parse: the path "a/../b" has the segment "..", which may leave the repository`,
				`i.md:10:9-12 index-file-parse: the path "a\\b" has a backslash; folders are separated by a slash`,
				`i.md:11:9-12 index-file-parse: the path "a\rb" has a line end or a NUL byte`,
				"i.md:12:1-12 index-file-parse: the line \"\\u00a0- path: a\" is no entry of the form \"- path: <path>\"",
				`i.md:14:9-12 index-file-parse: the path "ok/" stands on line 13 already`,
				`i.md:15:9-13 index-file-parse: the path "./ok" stands on line 13 already`,
				`i.md:16:1-6 index-file-parse: the line "prose" is no entry of the form "- path: <path>"`,
				"i.md:17:1-14 index-file-parse: the line \"```leji-index\" is no entry of the form \"- path: <path>\""}},
		{"twice over two blocks", "```leji-index\n- path: a\n```\n```leji-index record\n- path: a\n```\n", []string{"a intent 2:9"}, []string{`i.md:5:9-10 index-file-parse: the path "a" stands on line 2 already`}},
		{"unknown kind", "```leji-index records\n- path: a\n```\n", []string{"a intent 2:9"}, []string{`i.md:1:1-2 index-file-parse: the block has the kind "records", which is neither "intent" nor "record"`}},
		{"two words of kind", "```leji-index record extra\n- path: a\n```\n", []string{"a intent 2:9"}, []string{`i.md:1:1-2 index-file-parse: the block has the kind "record extra", which is neither "intent" nor "record"`}},
		{"not closed", "```leji-index\n- path: a\n", []string{"a intent 2:9"}, []string{`i.md:1:1-2 index-file-parse: the block with the tag "leji-index" is not closed`}},
		{"no block", "``leji-index\n``\n```leji-indexes\n```\n\u00a0```leji-index\n```\n~~~leji-index\n~~~\n", nil, []string{`i.md index-file-parse: the index file "i.md" has no block with the tag "leji-index"`}},
		{"empty file", "", nil, []string{`i.md index-file-parse: the index file "i.md" has no block with the tag "leji-index"`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			entries, faults := layer.ParseIndex("i.md", []byte(tt.src))
			var got []string
			for _, e := range entries {
				got = append(got, fmt.Sprintf("%s %s %d:%d", e.Path, e.Kind, e.Span.Start.Line, e.Span.Start.Column))
			}
			if diff := cmp.Diff(tt.entries, got); diff != "" {
				t.Errorf("entries (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.want, told(faults)); diff != "" {
				t.Errorf("faults (-want +got):\n%s", diff)
			}
		})
	}
}

func TestBlocksWithAnotherTag(t *testing.T) {
	got := layer.Blocks([]byte("```leji-index\n```\n```leji-mounts \n- mount: a\n  owner: b\n```\n"), "leji-mounts")
	want := []layer.Block{{Line: 3, Lines: []layer.Line{{Number: 4, Text: "- mount: a"}, {Number: 5, Text: "  owner: b"}}, Closed: true}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("blocks (-want +got):\n%s", diff)
	}
}

// Every line of a block gives at most one entry or one failure, in place; nothing outside of blocks gives any.
func FuzzParseIndex(f *testing.F) {
	for _, s := range []string{"```leji-index\n- path: a\n```\n", "\ufeff```leji-index record\r\n- path: ./a//b # c\r\n", "``````leji-index x\n#\n- path: a\n- path: a/\n```", "```leji-index\n-\tpath:\t\xff\n```"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		entries, faults := layer.ParseIndex("i.md", src)
		lines := strings.Split(string(src), "\n")
		within := func(line, from, to int) string {
			if line < 1 || line > len(lines) || from < 1 || to <= from {
				t.Fatalf("a place %d:%d-%d does not exist", line, from, to)
			}
			text := lines[line-1]
			if line == 1 {
				text = strings.TrimPrefix(text, "\ufeff")
			}
			if to-1 > len(text) {
				t.Fatalf("a place %d:%d-%d does not exist", line, from, to)
			}
			return text[from-1 : to-1]
		}
		seen := map[string]bool{}
		for _, e := range entries {
			text := within(e.Span.Start.Line, e.Span.Start.Column, e.Span.End.Column)
			if !strings.Contains(text, e.Path[strings.LastIndexByte(e.Path, '/')+1:]) || seen[e.Path] {
				t.Fatalf("%q is not %q, or stands twice", e.Path, text)
			}
			seen[e.Path] = true
		}
		for _, fault := range faults {
			if fault.Message == "" || fault.Anchor == "" {
				t.Fatalf("%+v", fault)
			}
			if !fault.Span.IsZero() {
				within(fault.Span.Start.Line, fault.Span.Start.Column, fault.Span.End.Column)
			}
		}
		if len(layer.Blocks(src, "leji-index")) == 0 && (len(entries) > 0 || len(faults) != 1) {
			t.Fatal("no block, but something was read")
		}
	})
}
