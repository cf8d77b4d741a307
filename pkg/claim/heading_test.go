package claim_test

import (
	"strings"
	"testing"

	"github.com/seed-4419f9ca/forge/pkg/claim"
)

var layout = claim.Layout{Root: "docs/system", Kinds: map[string]string{"BUG": "pitfall", "A11Y": "accessibility"}}

const block = "\n```claim\nkind: invariant\nstatus: asserted\ntruth-source: code\nanchors: [a.go]\nreviewed: 2025-03-04\n```\n\nIt holds.\n"

// parse reads a file of the store in which claims of the kind invariant are at home.
func parse(src string) *claim.File {
	return claim.Parse("docs/system/domain.md", []byte(src), layout)
}

// slugs returns the codes of the faults of f, in their order.
func slugs(f *claim.File) string {
	var out []string
	for _, x := range f.Faults {
		out = append(out, x.Slug)
	}
	return strings.Join(out, " ")
}

// Headings that are those of a claim, with what is read of them.
func TestHeadingsOfClaims(t *testing.T) {
	for heading, want := range map[string]string{
		"### INV-7 — A title":                       "INV-7|A title",
		"### INV-7 – A title":                       "INV-7|A title",
		"### INV-7 - A title":                       "INV-7|A title",
		"### INV-7 -- A title":                      "INV-7|A title",
		"### INV-7: A title":                        "INV-7|A title",
		"### INV-7 : A title":                       "INV-7|A title",
		"### INV-7—A title":                         "INV-7|A title",
		"### INV-7:A title":                         "INV-7|A title",
		"### INV-foo-bar — A - title: more":         "INV-foo-bar|A - title: more",
		"### INV-7 - INV-8 again":                   "INV-7|INV-8 again",
		"   ###   INV-7   —   A title   ###":        "INV-7|A title",
		"###\tINV-7\t—\tA title":                    "INV-7|A title",
		"### INV-7\u00a0— A title":                  "INV-7|A title",
		"### INV-7 &mdash; A title":                 "INV-7|A title",
		"### INV-7 — The `limit` of **all** [x](y)": "INV-7|The limit of all x",
		"### INV-007 — A title":                     "INV-007|A title",
		"### INV-2fa — A title":                     "INV-2fa|A title",
		"### INV-muc-nuoc — Mực nước":               "INV-muc-nuoc|Mực nước",
	} {
		f := parse(heading + "\n" + block)
		if len(f.Claims) != 1 || f.Claims[0].ID+"|"+f.Claims[0].Title != want || len(f.Faults) > 0 {
			t.Errorf("%q: %d claims, faults %q, want %q", heading, len(f.Claims), slugs(f), want)
		}
	}
}

// Headings and lines that are not those of a claim, with and without a block right after them.
func TestHeadingsOfNoClaim(t *testing.T) {
	for _, tt := range []struct{ heading, alone, withBlock string }{
		{"### INV_7 — A title", "look-alike", "look-alike"},
		{"### inv-7 — A title", "look-alike", "look-alike"},
		{"### Inv-7: A title", "look-alike", "look-alike"},
		{"### CON_KiemKe — A title", "look-alike", "look-alike"},
		{"### INV‑7 — A title", "look-alike", "look-alike"}, // U+2011
		{"### INV−7 — A title", "", "look-alike"},           // U+2212
		{"### ＩＮＶ-7 — A title", "look-alike", "look-alike"},
		{"### IN\u200bV-7 — A title", "look-alike", "look-alike"},
		{"### **INV-7** — A title", "look-alike", "look-alike"},
		{"### `INV-7` — A title", "look-alike", "look-alike"},
		{"### [INV-7](x.md) — A title", "look-alike", "look-alike"},
		{"### [INV-7] — A title", "look-alike", "look-alike"},
		{"### INV\\-7 — A title", "look-alike", "look-alike"},
		{"### <b>INV-7</b> — A title", "look-alike", "look-alike"},
		{"### INV-7", "look-alike", "look-alike"},
		{"### INV-7 —", "look-alike", "look-alike"},
		{"### INV-7 ― A title", "look-alike", "look-alike"}, // U+2015
		{"### INV-7：A title", "look-alike", "bad-id"},
		{"# INV-7 — A title", "look-alike", "look-alike"},
		{"## INV-7", "look-alike", "look-alike"},
		{"## INV-7 — A title", "look-alike", "look-alike"},
		{"#### INV-7 — A title", "look-alike", "look-alike"},
		{"###### INV-7 — A title", "look-alike", "look-alike"},
		{"####### INV-7 — A title", "look-alike", "look-alike"},
		{"###INV-7 — A title", "look-alike", "look-alike"},
		{"Some text\n###INV-7 — A title", "look-alike", "look-alike"},
		{"INV-7 — A title\n===", "look-alike", "look-alike"},
		{"INV-7 — A title\n---", "look-alike", "look-alike"},
		{"<h3>INV-7 — A title</h3>\n", "look-alike", "look-alike"},
		{"- ### INV-7 — A title", "look-alike", "look-alike"},
		{"- a list\n\n  ### INV-7 — A title", "look-alike", "look-alike"},
		{"### INV-7 A title", "", "look-alike"},
		{"### INV 7 — A title", "", "look-alike"},
		{"### INV7 — A title", "", "look-alike"},
		{"**INV-7** — A title", "", "look-alike"},
		{"INV-7 — A title", "", "look-alike"},
		{"### ABC-7 — A title", "", "look-alike"},
		{"## API-first — How we work", "look-alike", "look-alike"},
		{"### Introduction", "", "look-alike"}, // the block is astray
		{"Some text.", "", "look-alike"},
		{"", "", "look-alike"},
		{"***", "", "look-alike"},

		{"### INV-Foo — A title", "bad-id", "bad-id"},
		{"### INV-foo_bar — A title", "bad-id", "bad-id"},
		{"### INV- — A title", "bad-id", "bad-id"},
		{"### INV-7- — A title", "bad-id", "bad-id"},
		{"### INV--7 — A title", "bad-id", "bad-id"},
		{"### INV-7.1 — A title", "bad-id", "bad-id"},
		{"### INV-hồ — A title", "bad-id", "bad-id"},
		{"### INV-7a-B: A title", "bad-id", "bad-id"},
		{"### INV-7, INV-8 and others", "", "bad-id"},

		{"## INV-7 and INV-8 compared", "", "look-alike"},
		{"### INV-7 and INV-8 compared", "", "look-alike"},
		{"## API reference", "", "look-alike"},
		{"## API-first", "", "look-alike"},
		{"## API_KEY: how to rotate it", "", "look-alike"},
		{"## Con-artists: a warning", "", "look-alike"},
		{"## Sec 7: Overview", "", "look-alike"},
		{"## Data — what we keep", "", "look-alike"},
		{"## Why INV-7 — a talk", "", "look-alike"},
		{"## ADR-0004: One way", "", "look-alike"},
		{"## REQ-7 — A title", "", "look-alike"},
		{"**INV-7** is older than **INV-8**", "", "look-alike"},
		{"> ### INV-7 — A title", "", "look-alike"},
		{"> ## INV_7 — A title", "", "look-alike"},
		{"<!-- ### INV-7 — A title -->", "", "look-alike"},
		{"    ### INV-7 — A title", "", "look-alike"},
		{"~~~\n### INV-7 — A title\n~~~", "", "look-alike"},
	} {
		f := parse(tt.heading + "\n\nIt holds.\n")
		if got := slugs(f); got != tt.alone || len(f.Claims) > 0 {
			t.Errorf("%q alone: %q, %d claims, want %q", tt.heading, got, len(f.Claims), tt.alone)
		}
		f = parse(tt.heading + "\n" + block)
		if got := slugs(f); got != tt.withBlock || len(f.Claims) > 0 {
			t.Errorf("%q with a block: %q, %d claims, want %q", tt.heading, got, len(f.Claims), tt.withBlock)
		}
	}
}

// The heading that was meant is known, so that its claim is not called deleted as well.
func TestSlips(t *testing.T) {
	for heading, want := range map[string]string{
		"### INV_7 — A title":      "INV-7",
		"## CON-gio — A title":     "CON-gio",
		"### INV-Foo-Bar: A title": "INV-foo-bar",
		"### INV7 — A title":       "INV-7",
		"**inv 7**: A title":       "INV-7",
		"### A11Y_3 — A title":     "A11Y-3",
	} {
		f := parse(heading + "\n" + block)
		if len(f.Slips) != 1 || f.Slips[0] != want {
			t.Errorf("%q was meant as %q, want %q", heading, f.Slips, want)
		}
	}
}
