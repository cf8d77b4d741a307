package mindblock

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/seed-4419f9ca/forge/pkg/markdown"
)

func pausesOf(t *testing.T, src string) []Pause {
	list, err := Pauses([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func quotesOf(t *testing.T, src string) []Quote {
	list, err := Quotes([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestPauses(t *testing.T) {
	for src, want := range map[string]string{
		"# PAUSE-1\n\n## PAUSE-02 — later\n###### PAUSE-3 #\n":                 "1 02 3",
		"PAUSE-1\n=====\n\nPAUSE-2\n---\n\ntext PAUSE-3\n":                     "1 2",
		"```\n# PAUSE-1\n```\n# PAUSE-2\n~~~~\n# PAUSE-3\n~~~\n":               "2",
		"> # PAUSE-1\n\n- # PAUSE-2\n\ntext\n\n    # PAUSE-3\n\n  # PAUSE-4\n": "4",
		"<!--\n# PAUSE-1\n-->\n# PAUSE-2\n<h2>PAUSE-3</h2>\n":                  "2 3",
		"# **PAUSE-1**\n# ⏸ PAUSE-2\n# [PAUSE-3]: x\n# After PAUSE-4\n":        "1 2 3",
		"# pause-1\n# PAUSE 2\n# PAUSE-3a\n# PAUSE-\n#PAUSE-4\n":               "",
		"---\na: 1\n# PAUSE-1\n---\n# PAUSE-2\n":                               "2",
		"\ufeff# PAUSE-1\r\n\r\n# PAUSE-2\r\n":                                 "1 2",
		"- a\n\n  ```\n# PAUSE-1\n":                                            "1",
		"# PAUSE-1\n# PAUSE-1\n":                                               "1 1",
		"":                                                                     "",
	} {
		var got []string
		for _, p := range pausesOf(t, src) {
			got = append(got, string(p.Number))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: got %q, want %q", src, got, want)
		}
	}
}

// pausesAgree holds the scanner of lines against the parser, wherever it dares to answer.
func pausesAgree(t interface{ Fatalf(string, ...any) }, src string) {
	got, ok := scanPauses([]byte(src))
	if !ok {
		return
	}
	var want []Pause
	if withinLimits(func() { want = parsedPauses(markdown.Parse([]byte(src))) }) != nil {
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("%q (-parser +scanner):\n%s", src, diff)
	}
}

func TestScanningAgreesWithParsing(t *testing.T) {
	line := rapid.SampledFrom([]string{
		"", "# PAUSE-1", "## PAUSE-2 x", "# PAUSE-3#", "### PAUSE-4 ###", "  # PAUSE-5", "    # PAUSE-6", "\t# PAUSE-7", "> # PAUSE-8", "- # PAUSE-9", "PAUSE-10", "PAUSE-11 x", "===", "---", "- - -",
		"text", "- item", "  more", "1. one", "> quote", "```", "```go", "~~~", "~~~~", "  ```", "    ```", "- ```", "> ```", "``` a`b", "[a]: /b", "[a]:", "'title", "title'", "| a | b |", "|---|---|", "<div>", "</div>", "<!--", "-->",
		"# x PAUSE-12", "#PAUSE-13", "####### PAUSE-14", "# \\PAUSE-15", "* PAUSE-16", "# PAUSE-17 `x`", "#\tPAUSE-18\t", "# PAUSE-19x", "+++", " ", "\t",
	})
	rapid.Check(t, func(t *rapid.T) {
		src := strings.Join(rapid.SliceOfN(line, 0, 14).Draw(t, "lines"), "\n")
		if rapid.Bool().Draw(t, "end") {
			src += "\n"
		}
		if rapid.IntRange(0, 9).Draw(t, "bom") == 0 {
			src = "\ufeff" + src
		}
		pausesAgree(t, src)
	})
}

func FuzzPauses(f *testing.F) {
	for _, s := range []string{"# PAUSE-1\n", "```\n# PAUSE-1\n```\n## PAUSE-2 x", "- a\n  # PAUSE-1", "PAUSE-1\n---"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { pausesAgree(t, s) })
}

func TestQuotes(t *testing.T) {
	src := `# Session

> not in a pause

## PAUSE-1

> in a quote
lazily

She said "straight marks" and “curly ones”, «guillemets», 'single ones', „low ones” and 「corners」. It's the dogs' 5" pipe.

- an item with "a list"
  > and a quote

| a | "cell" |
|---|--------|
| "row" | b |

` + "```\n\"in a fence\"\n```" + `

### Sub "heading"

"an open one

## Other

"not any more"

## PAUSE-2

'don't stop'
`
	var got []string
	for _, q := range quotesOf(t, src) {
		got = append(got, fmt.Sprintf("%s %q", q.Pause, src[q.Start:q.End]))
	}
	want := []string{
		`1 "> in a quote\nlazily"`, `1 "straight marks"`, `1 "curly ones"`, `1 "guillemets"`, `1 "single ones"`, `1 "low ones"`, `1 "corners"`,
		`1 "a list"`, `1 "> and a quote"`, `1 "cell"`, `1 "row"`, `1 "heading"`, `1 "an open one"`, `2 "don't stop"`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
