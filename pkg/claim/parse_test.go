package claim_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/seed-4419f9ca/forge/pkg/claim"
)

// good is a block without faults, of a claim of the kind invariant.
const good = "```claim\nkind: invariant\nstatus: asserted\ntruth-source: code\nanchors: [a.go]\nreviewed: 2025-03-04\n```\n"

func TestStructure(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"nothing", "", ""},
		{"prose only", "# Domain\n\nWhat we sell.\n", ""},
		{"many blank lines", "### INV-1 — T\n\n\n\n" + good + "It holds.\n", ""},
		{"no blank line", "### INV-1 — T\n" + good + "It holds.\n", ""},
		{"frontmatter", "---\ntitle: x\n---\n### INV-1 — T\n" + good + "It holds.\n", ""},
		{"byte-order mark", "\ufeff### INV-1 — T\n" + good + "It holds.\n", ""},
		{"tilde fence", "### INV-1 — T\n" + strings.ReplaceAll(good, "```", "~~~") + "It holds.\n", ""},
		{"long fence", "### INV-1 — T\n" + strings.ReplaceAll(good, "```", "`````") + "It holds.\n", ""},
		{"no block", "### INV-1 — T\n\nIt holds.\n", "no-block"},
		{"no block at the end", "### INV-1 — T", "no-block no-prose"},
		{"text between", "### INV-1 — T\n\nFirst.\n\n" + good + "It holds.\n", "no-block"},
		{"comment between", "### INV-1 — T\n<!-- x -->\n\n" + good + "It holds.\n", "no-block"},
		{"definition between", "### INV-1 — T\n[a]: b\n\n" + good + "It holds.\n", "no-block"},
		{"another info string", "### INV-1 — T\n" + strings.Replace(good, "claim", "yaml", 1) + "It holds.\n", "no-block"},
		{"more in the info string", "### INV-1 — T\n" + strings.Replace(good, "claim", "claim yaml", 1) + "It holds.\n", "no-block"},
		{"capital info string", "### INV-1 — T\n" + strings.Replace(good, "claim", "Claim", 1) + "It holds.\n", "no-block"},
		{"open fence", "### INV-1 — T\n```claim\nkind: invariant\n\nIt holds.\n", "bad-yaml"},
		{"two blocks", "### INV-1 — T\n" + good + "It holds.\n\n" + good, "look-alike"},
		{"block under a deeper heading", "### INV-1 — T\n" + good + "It holds.\n\n#### More\n\n" + good, "look-alike"},
		{"block before any heading", good + "\n# Domain\n", "look-alike"},
		{"quoted claims", "> ### INV-1 — T\n>\n> ```claim\n> kind: x\n> ```\n", ""},
		{"claim in a fence", "````\n### INV-1 — T\n```claim\nkind: x\n```\n````\n", ""},
		{"claim in a comment", "<!--\n### INV-1 — T\n\n```claim\nkind: x\n```\n-->\n", ""},
		{"claim in an element", "<details>\n### INV-1 — T\n</details>\n", ""},
		{"two claims", "### INV-1 — T\n" + good + "A.\n\n### INV-2 — T\n" + good + "B.\n", ""},
		{"higher heading ends the prose", "### INV-1 — T\n" + good + "\n## Next\n\nText.\n", "no-prose"},
		{"setext heading ends the prose", "### INV-1 — T\n" + good + "It holds.\n---\n", "no-prose"},
		{"lower heading does not", "### INV-1 — T\n" + good + "\n#### Why\n\nIt holds.\n", ""},
		{"heading inside a quote does not", "### INV-1 — T\n" + good + "\n> ## Why\n>\n> It holds.\n", ""},
		{"CR line ends", strings.ReplaceAll("### INV-1 — T\n\n"+good+"\nIt holds.\n", "\n", "\r"), ""},
		{"bytes that are no UTF-8", "### INV-1 — T\n" + good + "It h\xe9lds.\n", "bad-value"},
		{"UTF-16", "\xff\xfe#\x00 \x00A\x00", "bad-value"},
		{"Latin-1 in the block", "### INV-1 — T\n" + strings.Replace(good, "a.go", "\xe9.go", 1) + "It holds.\n", "bad-yaml"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := parse(tt.src)
			if got := slugs(f); got != tt.want {
				t.Errorf("faults %q, want %q: %q", got, tt.want, lines(f))
			}
		})
	}
}

func TestProse(t *testing.T) {
	for prose, want := range map[string]string{
		"":                                     "no-prose",
		"It holds.":                            "",
		"退款不超过金额。":                             "",
		"- It holds.":                          "",
		"> It holds.":                          "",
		"| a | b |\n|---|---|\n| c | d |":      "",
		"**It holds.**":                        "",
		"<p>It holds.</p>":                     "",
		"<details>\n\nIt holds.\n\n</details>": "",
		"<!-- It holds. -->":                   "no-prose",
		"<br/>":                                "no-prose",
		"```\nIt holds.\n```":                  "no-prose",
		"    It holds.":                        "no-prose",
		"#### It holds":                        "no-prose",
		"***":                                  "no-prose",
		"`it_holds()`":                         "no-prose",
		"1234 …":                               "no-prose",
		"[a]: http://b":                        "no-prose",

		"TBD":                                   "placeholder",
		"It holds. TODO: ask.":                  "placeholder",
		"It holds (FIXME) and XXX":              "placeholder placeholder",
		"It holds [NEEDS CLARIFICATION: when?]": "placeholder",
		"It holds [Needs\nclarification]":       "placeholder",
		"It holds. <!-- TODO -->":               "placeholder",
		"It holds.\n\n<!-- TODO -->":            "placeholder",
		"It holds.\n\n#### TODO":                "placeholder",
		"- one\n  - TODO two":                   "placeholder",
		"> TODO":                                "placeholder",
		"| a |\n|---|\n| TODO |":                "placeholder",
		"It holds for `TODO` and ``TBD ` ``.":   "",
		"It holds for `TODO\nTBD` lines.":       "",
		"It holds for `a `` TODO` only.":        "",
		"It holds for \\`TODO\\` though.":       "placeholder",
		"It holds for `TODO only.":              "placeholder",
		"It holds.\n\n```\nTODO\n```":           "",
		"It holds.\n\n    TODO":                 "",
		"TODOS and XXXL and Todo and _TODO_X":   "",
		"Todo es verdad, tbd.":                  "",
		"needs clarification, [needs more]":     "",
	} {
		src := "### INV-1 — T\n" + good + "\n" + prose + "\n"
		if got := slugs(parse(src)); got != want {
			t.Errorf("%q: %q, want %q", prose, got, want)
		}
	}
	if got := lines(parse("### INV-1 — The TODO `TODO`\n" + good + "\nIt holds\nTBD.\n")); !cmp.Equal(got, []string{"1:19 placeholder [TODO]", "11:1 placeholder [TBD]"}) {
		t.Errorf("places of placeholders: %q", got)
	}
	if f := parse("### INV-1 — T\n" + good + "It holds.\n---\n"); !strings.Contains(f.Faults[0].Message, "underlined") {
		t.Errorf("the message does not tell of the underline: %q", f.Faults[0].Message)
	}
}

func TestBlocks(t *testing.T) {
	src := "# Domain\n\n### INV-1 — T\n" + good + "A.\n\n#### More\n\nB.\n\n### INV-2 — T\n" + good + "C.\n\n## End\n\nText.\n"
	f := parse(src)
	one, two := f.Claims[0].Source(), f.Claims[1].Source()
	if !strings.HasPrefix(one, "### INV-1") || !strings.HasSuffix(one, "\nB.") || !strings.HasPrefix(two, "### INV-2") || !strings.HasSuffix(two, "\nC.") {
		t.Errorf("blocks %q and %q", one, two)
	}
	if at, ok := f.Claims[0].Field("status"); !ok || src[at.Start:at.End] != "asserted" {
		t.Errorf("the status stands at %v, %v", at, ok)
	}
	if _, ok := f.Claims[0].Field("since"); ok {
		t.Error("a field that is not there is given")
	}
}

func TestOverview(t *testing.T) {
	f := claim.Parse("docs/system/OVERVIEW.md", []byte("### INV-1 — T\n"+good+"It holds.\n"), layout)
	if got := slugs(f); got != "claim-in-overview" {
		t.Errorf("in the overview: %q", got)
	}
	f = claim.Parse("docs/system/billing/OVERVIEW.md", []byte("### INV-1 — T\n"+good+"It holds.\n"), layout)
	if got := slugs(f); got != "claim-in-unusual-file" {
		t.Errorf("in a file that only has its name: %q", got)
	}
}

// piece draws a piece of a file of claims: good claims, slips, prose and what may confuse a reader.
func piece() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{
		"### INV-1 — T\n\n" + good + "\nIt holds.\n", "### INV-2: U\n" + good, "## INV-3 — V\n\n" + good, "### INV_4 — W\n", "# Part\n", "#### Deep\n",
		"Text.\n", "\n", "- a\n- b\n", "> ### INV-9 — Q\n", "```claim\nkind: x\n```\n", "````\n### INV-5 — X\n````\n", "<!-- x -->\n", "Text\n---\n",
		"### INV-6 — Y\n\n~~~claim\nkind: [\n~~~\n\nTBD\n", "```\n", "    code\n", "### CON-x — Z\n\n" + withFields("CON-x", "anchors: [\"ô.go\"]"), "---\n", "| a |\n|---|\n| b |\n",
	})
}

// summary is what line ends do not change.
func summary(f *claim.File) []string {
	var out []string
	for _, c := range f.Claims {
		out = append(out, c.ID+"|"+c.Title+"|"+c.Source())
	}
	for _, x := range f.Faults {
		out = append(out, x.Slug+" "+x.Message)
	}
	return out
}

// A flip of line ends changes no claim and no fault.
func TestLineEndsDoNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := strings.Join(rapid.SliceOfN(piece(), 0, 8).Draw(t, "pieces"), "")
		if diff := cmp.Diff(summary(parse(src)), summary(parse(strings.ReplaceAll(src, "\n", "\r\n")))); diff != "" {
			t.Fatalf("%q (-LF +CRLF):\n%s", src, diff)
		}
	})
}

// A file before which a heading of level 1 and another file are put has the claims of both.
func TestFilesAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := strings.Join(rapid.SliceOfN(piece(), 0, 5).Draw(t, "a"), "")
		b := strings.Join(rapid.SliceOfN(piece(), 0, 5).Draw(t, "b"), "")
		if strings.HasPrefix(a, "---") || strings.Contains(a, "\n```\n\n```\n") || open(a) {
			t.Skip("what is open swallows what follows")
		}
		got := sources(parse(a + "\n# Next\n\n" + b))
		if diff := cmp.Diff(append(sources(parse(a)), sources(parse("# Next\n\n"+b))...), got); diff != "" {
			t.Fatalf("%q and %q (-apart +together):\n%s", a, b, diff)
		}
	})
}

// open reports whether a heading behind src is none.
func open(src string) bool {
	f := parse(src + "\n# Next\n\n### INV-99 — Last\n")
	return len(f.Claims) == 0 || f.Claims[len(f.Claims)-1].ID != "INV-99"
}

func sources(f *claim.File) []string {
	out := []string{}
	for _, c := range f.Claims {
		out = append(out, c.Source())
	}
	return out
}

// laws are what holds for the reading of any file.
func laws(t interface{ Fatalf(string, ...any) }, f *claim.File) {
	inside := func(p claim.Place, outer claim.Place) bool {
		return outer.Start <= p.Start && p.Start <= p.End && p.End <= outer.End
	}
	whole := claim.Place{End: len(f.Src)}
	end := 0
	for _, c := range f.Claims {
		if c.Block.Start < end || !inside(c.Block, whole) || !inside(c.Heading, c.Block) || c.Fence != (claim.Place{}) && !inside(c.Fence, c.Block) {
			t.Fatalf("claim %s stands at %+v, %+v, %+v after %d", c.ID, c.Block, c.Heading, c.Fence, end)
		}
		end = c.Block.End
		for _, a := range c.Anchors {
			if !inside(a.Place, c.Fence) {
				t.Fatalf("anchor %q of %s stands at %+v, outside of its fence", a.Text, c.ID, a.Place)
			}
			if written := string(f.Src[a.Start:a.End]); !strings.ContainsAny(written, "\r\n&!*") && utf8.ValidString(written) {
				var text string
				if err := yaml.Unmarshal([]byte(written), &text); err != nil || strings.TrimSpace(text) != a.Text {
					t.Fatalf("anchor %q of %s is %q where it stands", a.Text, c.ID, written)
				}
			}
		}
		for _, e := range c.Evidence {
			if !inside(e.Place, c.Fence) {
				t.Fatalf("evidence %q of %s stands at %+v, outside of its fence", e.Text, c.ID, e.Place)
			}
		}
	}
	for _, x := range f.Faults {
		if !inside(x.Place, whole) || x.Message == "" || x.Anchor == "" || x.Path != f.Path {
			t.Fatalf("fault %+v", x)
		}
	}
}

func TestLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		laws(t, parse(strings.Join(rapid.SliceOfN(piece(), 0, 12).Draw(t, "pieces"), "")))
	})
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"", "### INV-1 — T\n\n" + good + "\nIt holds.\n", withFields("INV-1", "anchors: [\"ô/â.go#F\", 'b''c.go', &x d.go, *x]", "governs: |\n  INV-2\n  INV-3"),
		withFields("ARC-1", "evidence:\n- test: a::b\n- {rule: c#d}", "since: >-\n  ADR-0001"), "### INV_1 — T\n```claim\n\tkind: x\n", "<h3>INV-1</h3>\n\n" + good,
		"### INV-1 — T\r\n~~~claim\r\nkind: \"a\\\r\n  b\"\r\n~~~\r\n", "- > ### INV-1 — `T\n", "### INV-1 —\xff T\n" + good,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) { laws(t, parse(string(src))) })
}
