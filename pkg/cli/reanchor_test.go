package cli

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/seed-4419f9ca/forge/pkg/anchor"
	"github.com/seed-4419f9ca/forge/pkg/claim"
)

// storeOf writes a file of the store with one claim whose block has the lines.
func storeOf(lines string) string {
	return "# Head\r\n\r\n### INV-1 — A  title\n\n```claim\nkind: invariant\nstatus: asserted\ntruth-source: code\n" + lines + "reviewed: 2026-01-02\n```\n\nIt  is so. \n\n### INV-2 — Other\n\n```claim\nkind: invariant\nstatus: asserted\ntruth-source: code\nanchors: [other.py]\nreviewed: 2026-01-02\n```\n\nYes.\n"
}

// parsed reads an anchor.
func parsed(t testing.TB, text string) anchor.Anchor {
	a, err := anchor.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

const stampText = "@0123456789ab:a0123456789ab"

// TestReplaceAnchors stamps anchors in every form of YAML and compares the whole file.
func TestReplaceAnchors(t *testing.T) {
	cases := []struct {
		name, lines string
		from        []string // what is stamped
		to          []string // "" for from and the stamp
		want        string   // lines
	}{
		{"a flow list", "anchors: [a.py#f, b.py]\n", []string{"a.py#f"}, nil, "anchors: [a.py#f@S, b.py]\n"},
		{"both of them", "anchors: [ a.py#f , b.py ]  # two\n", []string{"a.py#f", "b.py"}, nil, "anchors: [ a.py#f@S , b.py@S ]  # two\n"},
		{"lines", "anchors:\n  - a.py#f   # the first\n  -   b.py\n", []string{"b.py", "a.py#f"}, nil, "anchors:\n  - a.py#f@S   # the first\n  -   b.py@S\n"},
		{"one text", "anchors: a.py#f\n", []string{"a.py#f"}, nil, "anchors: a.py#f@S\n"},
		{"double quotes", "anchors: [\"a.py#f\",\"b.py\"]\n", []string{"a.py#f"}, nil, "anchors: [\"a.py#f@S\",\"b.py\"]\n"},
		{"single quotes", "anchors:\n- 'it''s.py'\n", []string{"it's.py"}, nil, "anchors:\n- 'it''s.py@S'\n"},
		{"an escape", "anchors: [\"a\\u00e9.py\"]\n", []string{"aé.py"}, nil, "anchors: [\"aé.py@S\"]\n"},
		{"a stamp before", "anchors: [a.py@beef]\n", []string{"a.py@beef"}, []string{"a.py" + stampText}, "anchors: [a.py@S]\n"},
		{"a folded text", "anchors:\n  - >-\n    a.py#f\n  - b.py\n", []string{"a.py#f"}, nil, "anchors:\n  - a.py#f@S\n  - b.py\n"},
		{"a pattern", "anchors: ['src/**/*.{a,b}']\n", []string{"src/**/*.{a,b}"}, nil, "anchors: ['src/**/*.{a,b}@S']\n"},
		{"a move to a name that needs quotes", "anchors: [a.py, b.py]\n", []string{"a.py"}, []string{"a, [b].py" + stampText}, "anchors: ['a, [b].py@S', b.py]\n"},
		{"a move to a name with a quote", "anchors: [a.py]\n", []string{"a.py"}, []string{"it's, so" + stampText}, "anchors: ['it''s, so@S']\n"},
		{"a move to a name that starts like YAML", "anchors:\n  - a.py\n", []string{"a.py"}, []string{"- x" + stampText}, "anchors:\n  - '- x@S'\n"},
		{"a move to a line end of another kind", "anchors:\n  - a.py\n", []string{"a.py"}, []string{"a\u2028b\u0085c" + stampText}, "anchors:\n  - \"a\\U00002028b\\U00000085c@S\"\n"},
		{"a folded text at the margin", "anchors:\n- >-\n  a.py\n- b.py\n", []string{"a.py", "b.py"}, nil, "anchors:\n- a.py@S\n- b.py@S\n"},
		{"a name of YAML", "anchors: [&x a.py, *x]\n", []string{"a.py"}, nil, "anchors: [a.py@S, a.py@S]\n"},
		{"over lines", "anchors: [\n  a.py,   # one\n\n  b.py\n]\n", []string{"a.py", "b.py"}, nil, "anchors: [\n  a.py@S,   # one\n\n  b.py@S\n]\n"},
		{"twice", "anchors: [a.py, a.py]\n", []string{"a.py"}, nil, "anchors: [a.py@S, a.py@S]\n"},
		{"a neighbour that begins alike", "anchors: [a.py#f, a.py#ff, a.py]\n", []string{"a.py#f"}, nil, "anchors: [a.py#f@S, a.py#ff, a.py]\n"},
		{"other letters before it", "anchors: [é漢.py, a.py]\n", []string{"a.py"}, nil, "anchors: [é漢.py, a.py@S]\n"},
		{"line ends of Windows", "anchors:\r\n  - a.py\r\n  - b.py\r\n", []string{"a.py"}, nil, "anchors:\r\n  - a.py@S\r\n  - b.py\r\n"},
		{"a fence that is moved in", "   anchors:\n     - a.py\n", []string{"a.py"}, nil, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			src, want := storeOf(c.lines), storeOf(strings.ReplaceAll(c.want, "@S", stampText))
			if c.want == "" { // an indented fence
				in := func(s string) string {
					head, rest, _ := strings.Cut(s, "```claim")
					block, tail, _ := strings.Cut(rest, "```\n")
					return head + "   ```claim" + strings.ReplaceAll(strings.ReplaceAll(block, "\n", "\n   "), "\n      ", "\n   ") + "```\n" + tail
				}
				src = in(src)
				want = strings.Replace(src, "- a.py\n", "- a.py"+stampText+"\n", 1)
			}
			var edits []stamp
			for i, from := range c.from {
				to := from + stampText
				if c.to != nil {
					to = c.to[i]
				}
				edits = append(edits, stamp{"INV-1", from, parsed(t, to)})
			}
			got, n, err := replaceAnchors("docs/system/domain.md", []byte(src), claim.Layout{Root: "docs/system"}, edits)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != want || n == 0 {
				t.Errorf("got\n%q\nwant\n%q", got, want)
			}
			again, n, err := replaceAnchors("docs/system/domain.md", got, claim.Layout{Root: "docs/system"}, edits)
			if err != nil || n != 0 || !bytes.Equal(again, got) {
				t.Errorf("a second time: %d edits, %v\n%q", n, err, again)
			}
		})
	}
}

// TestReplaceAnchorsRefuses leaves a file alone in which the edits cannot be made.
func TestReplaceAnchorsRefuses(t *testing.T) {
	for _, c := range []struct{ name, lines, id, from, to, says string }{
		{"another text", "anchors: [b.py]\n", "INV-1", "a.py", "a.py@beef", "does not have the anchor"},
		{"another claim", "anchors: [b.py]\n", "INV-1", "other.py", "other.py@beef", "does not have the anchor"},
		{"no claim", "anchors: [a.py]\n", "INV-3", "a.py", "a.py@beef", "does not have the anchor"},
		{"an alias", "anchors: [&x a.py]\ngoverns: [*x]\n", "INV-1", "a.py", "a.py@beef", "as they are meant"},
		{"another digest", "anchors: [a.py@beef:a000000000000]\n", "INV-1", "a.py", "a.py@beef:a0123456789ab", "does not have the anchor"},
		{"no YAML", "anchors: [a.py\n", "INV-1", "a.py", "a.py@beef", "does not have the anchor"},
	} {
		got, _, err := replaceAnchors("docs/system/domain.md", []byte(storeOf(c.lines)), claim.Layout{Root: "docs/system"}, []stamp{{c.id, c.from, parsed(t, c.to)}})
		if err == nil || got != nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %q, %v", c.name, got, err)
		}
	}
}

// FuzzReplaceAnchors stamps every anchor of whatever reads as a claim: either nothing is done, or the anchors read as they are
// meant and every byte beside them is kept.
func FuzzReplaceAnchors(f *testing.F) {
	for _, s := range []string{
		"anchors: [a.py#f, 'b.py']\n", "anchors:\n  - \"a.py\" # x\n  - >-\n    b.py\n", "anchors: a.py\n", "anchors: [&x a.py, *x, !!str c]\n",
		"anchors: [\n a.py ,\n 'it''s' ]\n", "anchors:\n- |-\n  a.py\n- b.py@beef:a0123456789ab\n", "{anchors: [a]}\n", "? anchors\n: [é, '漢/**']\n",
		"anchors: [a\n  b, c]\n", "anchors: ['a\n\n  b']\n", "anchors: [\"a\\\n  b\"]\n",
	} {
		f.Add(s)
		f.Add(strings.ReplaceAll(s, "\n", "\r\n"))
	}
	layout := claim.Layout{Root: "docs/system"}
	f.Fuzz(func(t *testing.T, lines string) {
		if len(lines) > 4000 {
			return
		}
		src := []byte(storeOf(lines))
		before := claim.Parse("docs/system/domain.md", src, layout)
		var edits []stamp
		for _, c := range before.Claims {
			for _, a := range c.Anchors {
				if a.Err == nil && !slices.ContainsFunc(edits, func(s stamp) bool { return s.id == c.ID && s.from == a.Text }) {
					to := a.Anchor
					to.Baseline, to.Digest = "0123456789ab", "a0123456789ab"
					edits = append(edits, stamp{c.ID, a.Text, to})
				}
			}
		}
		got, _, err := replaceAnchors("docs/system/domain.md", src, layout, edits)
		if err != nil {
			return
		}
		after := claim.Parse("docs/system/domain.md", got, layout)
		if len(after.Claims) != len(before.Claims) {
			t.Fatalf("%d claims became %d", len(before.Claims), len(after.Claims))
		}
		// What stands beside the anchors, in order.
		beside := func(f *claim.File, stamped bool) []byte {
			var out []byte
			at := 0
			for _, c := range f.Claims {
				anchors := slices.Clone(c.Anchors)
				slices.SortFunc(anchors, func(a, b claim.Anchor) int { return a.Start - b.Start })
				for _, a := range anchors {
					if a.Err != nil {
						continue
					}
					if stamped && (a.Baseline != "0123456789ab" || a.Digest != "a0123456789ab") {
						t.Fatalf("%q is not stamped in\n%s", a.Text, f.Src)
					}
					out = append(append(out, f.Src[at:a.Start]...), 0)
					at = a.End
				}
			}
			return append(out, f.Src[at:]...)
		}
		if a, b := beside(before, false), beside(after, true); !bytes.Equal(a, b) {
			t.Fatalf("what stands beside the anchors changes:\n%q\n%q", a, b)
		}
		again, _, err := replaceAnchors("docs/system/domain.md", got, layout, edits)
		if err != nil || !bytes.Equal(again, got) {
			t.Fatalf("a second time the file changes: %v", err)
		}
	})
}

// FuzzScalar holds that a scalar reads as the text, alone, in a list of lines and in a flow list.
func FuzzScalar(f *testing.F) {
	for _, s := range []string{"a.py@beef:a0123456789ab", "- x", "it's, [so]", "a: b", "a #b", "#a", "é\u2028", `a"\b`, "~", "null", "a:", "=", "x\u00a0y", "0?"} {
		f.Add(s, "'")
		f.Add(s, `"`)
		f.Add(s, "a")
	}
	f.Fuzz(func(t *testing.T, text, old string) {
		text = strings.Trim(strings.ToValidUTF8(text, "?"), " ")
		if text == "" || strings.ContainsFunc(text, func(r rune) bool {
			return r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 && r != 0x85 || r == '\ufeff' || r == '\ufffe' || r == '\uffff'
		}) {
			return // no anchor has it
		}
		text += stampText
		for _, format := range []string{"- x\n- S\n", "[x, S, y]\n", "- S # c\n", "[S]\n"} {
			src := strings.Replace(format, "S", scalar(old, text), 1)
			var got []string
			if err := yaml.Unmarshal([]byte(src), &got); err != nil || !slices.Contains(got, text) {
				t.Fatalf("%q in\n%s\nreads as %q, %v", text, src, got, err)
			}
		}
	})
}
