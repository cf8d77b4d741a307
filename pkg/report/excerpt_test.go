package report

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestExcerpt(t *testing.T) {
	long := strings.Repeat("x", 200) + "FAULT" + strings.Repeat("y", 200)
	for _, test := range []struct {
		name        string
		line        string
		start, end  int
		shown       string
		pad, carets int
	}{
		{"a word", "open valve 3", 6, 11, "open valve 3", 5, 5},
		{"a point", "open valve 3", 6, 6, "open valve 3", 5, 1},
		{"past the end", "open", 9, 12, "open", 4, 1},
		{"end before start", "open valve", 6, 2, "open valve", 5, 1},
		{"an empty line", "", 1, 1, "", 0, 1},
		{"no column", "open", 0, 0, "open", 0, 1},
		{"tabs", "\ta\tbc", 4, 6, "    a   bc", 8, 2},
		{"a tab in the range", "a\tb", 2, 4, "a   b", 1, 4},
		{"wide characters", "数据 x", 4, 7, "数据 x", 2, 2},
		{"combining marks", "e\u0301e\u0301 x", 8, 9, "e\u0301e\u0301 x", 3, 1},
		{"control characters", "a\x1b[31mb", 2, 3, `a\x1b[31mb`, 1, 4},
		{"no UTF-8", "a\xe9b", 3, 4, `a\xe9b`, 5, 1},
		{"in the middle of a character", "áb", 2, 3, "áb", 0, 1},
		{"a right-to-left override", "a\u202eb", 2, 5, `a\u202eb`, 1, 6},
		{"a long line", long, 201, 206, "…" + strings.Repeat("x", 30) + "FAULT" + strings.Repeat("y", 65) + "…", 31, 5},
		{"the end of a long line", long, 405, 406, "…" + strings.Repeat("y", 30) + "y", 31, 1},
		{"after a long line", long, 406, 406, "…" + strings.Repeat("y", 30), 31, 1},
		{"the beginning of a long line", long, 1, 3, strings.Repeat("x", 100) + "…", 0, 2},
		{"a long range", long, 1, 400, strings.Repeat("x", 100) + "…", 0, 100},
	} {
		t.Run(test.name, func(t *testing.T) {
			shown, pad, carets := excerpt([]byte(test.line), test.start, test.end)
			if shown != test.shown || pad != test.pad || carets != test.carets {
				t.Errorf("got  %q, %d, %d\nwant %q, %d, %d", shown, pad, carets, test.shown, test.pad, test.carets)
			}
		})
	}
}

// Whatever stands in the line, an excerpt is one short line of harmless text, and the carets lie below it or at its end.
func TestExcerptLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		unit := rapid.OneOf(
			rapid.SampledFrom([]string{"a", "\t", "é", "e\u0301", "数", "\xff", "\x1b", "\u202e", "\u200d", "👩‍🚀", "\u0085", "\r"}),
			rapid.String(),
		)
		line := strings.Join(rapid.SliceOf(unit).Draw(t, "line"), "")
		line = strings.ReplaceAll(strings.Repeat(line, rapid.IntRange(1, 2000).Draw(t, "times")), "\n", "")
		start := rapid.IntRange(-1, len(line)+3).Draw(t, "start")
		end := rapid.IntRange(-1, len(line)+3).Draw(t, "end")
		shown, pad, carets := excerpt([]byte(line), start, end)
		width := 0
		for _, r := range shown {
			if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r == utf8.RuneError && !strings.ContainsRune(line, r) {
				t.Fatalf("%U is shown", r)
			}
			width += columns(r)
		}
		if width > excerptColumns+excerptLead+2 {
			t.Fatalf("%d columns are shown", width)
		}
		if carets < 1 || pad < 0 || pad+carets > width+1 {
			t.Fatalf("%d carets at column %d below %d columns", carets, pad, width)
		}
	})
}

func TestExcerptOfAHugeLine(t *testing.T) {
	line := []byte(strings.Repeat("é\u0301", 3<<20))
	shown, pad, carets := excerpt(line, len(line)/2, len(line)/2+1)
	if !utf8.ValidString(shown) || len(shown) > 8<<10 || carets < 1 || pad < 1 {
		t.Errorf("%d bytes are shown, carets %d at %d", len(shown), carets, pad)
	}
}
