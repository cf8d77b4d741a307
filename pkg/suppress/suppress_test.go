package suppress

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

// cards are the codes that the tests know.
func cards(code string) (*check.Code, bool) {
	for _, known := range []struct {
		code string
		card *check.Code
	}{
		{"policy/open", &check.Code{Slug: "open"}},
		{"policy/edited", &check.Code{Slug: "edited"}},
		{"header/removed", &check.Code{Slug: "removed", Hard: true}},
		{"header/missing", &check.Code{Slug: "missing"}},
		{"later/thing", nil},
		{"left/out", &check.Code{Slug: "out"}},
	} {
		if known.code == code {
			return known.card, true
		}
	}
	return nil, false
}

// input builds an Input over files; findings are written as "path:line code", line 0 for a whole file.
func input(files map[string]string, findings ...string) Input {
	in := Input{
		Read: func(_ context.Context, path string) ([]byte, error) {
			if src, ok := files[path]; ok {
				return []byte(src), nil
			}
			return nil, nil
		},
		Known: cards,
		Ran:   func(id string) bool { return id == "policy" || id == "header" },
		Today: time.Date(2026, 9, 30, 12, 0, 0, 0, time.UTC),
	}
	for path := range files {
		in.Files = append(in.Files, path)
	}
	for _, s := range findings {
		place, code, _ := strings.Cut(s, " ")
		path, number, _ := strings.Cut(place, ":")
		f := finding.Finding{Code: code, Path: path, Level: finding.Fail, Side: finding.After}
		if _, err := fmt.Sscan(number, &f.Span.Start.Line); err != nil {
			panic(err)
		}
		if f.Span.Start.Line > 0 {
			f.Span = text.Span{Start: text.Pos{Line: f.Span.Start.Line, Column: 1}, End: text.Pos{Line: f.Span.Start.Line, Column: 2}}
		}
		in.Findings = append(in.Findings, f)
	}
	return in
}

// said writes findings the way input reads them.
func said(list []finding.Finding) []string {
	var out []string
	for _, f := range list {
		out = append(out, fmt.Sprintf("%s:%d %s", f.Path, f.Span.Start.Line, f.Code))
	}
	return out
}

func TestApply(t *testing.T) {
	const reason = ` reason="agreed with the auditors"`
	allow := func(rest string) string { return "<!-- forge:allow " + rest + " -->\n" }
	doc := func(comments ...string) map[string]string {
		return map[string]string{"a.md": "# T\n\n" + strings.Join(comments, "") + "- [ ] x\n"}
	}
	for _, test := range []struct {
		name       string
		files      map[string]string
		findings   []string
		kept, meta []string
	}{
		{"lets the finding through", doc(allow("policy/open" + reason)), []string{"a.md:4 policy/open"}, nil, nil},
		{"every finding of the code on that line", doc(allow("policy/open" + reason)), []string{"a.md:4 policy/open", "a.md:4 policy/open"}, nil, nil},
		{"its last day counts", doc(allow("policy/open" + reason + " until=2026-09-30")), []string{"a.md:4 policy/open"}, nil, nil},
		{"another line", doc(allow("policy/open" + reason)), []string{"a.md:5 policy/open"}, []string{"a.md:5 policy/open"}, []string{"a.md:3 suppress/unused"}},
		{"its own line", doc(allow("policy/open" + reason)), []string{"a.md:3 policy/open"}, []string{"a.md:3 policy/open"}, []string{"a.md:3 suppress/unused"}},
		{"another code", doc(allow("policy/edited" + reason)), []string{"a.md:4 policy/open"}, []string{"a.md:4 policy/open"}, []string{"a.md:3 suppress/unused"}},
		{"another file", doc(allow("policy/open" + reason)), []string{"b.md:4 policy/open"}, []string{"b.md:4 policy/open"}, []string{"a.md:3 suppress/unused"}},
		{"the whole file from a lower line", doc(allow("header/missing" + reason)), []string{"a.md:0 header/missing"}, []string{"a.md:0 header/missing"}, []string{"a.md:3 suppress/unused"}},
		{"nothing to let through", doc(allow("policy/open" + reason)), nil, nil, []string{"a.md:3 suppress/unused"}},
		{"no reason", doc(allow("policy/open")), []string{"a.md:4 policy/open"}, []string{"a.md:4 policy/open"}, []string{"a.md:3 suppress/no-reason"}},
		{"an empty reason", doc(allow(`policy/open reason="  "`)), []string{"a.md:4 policy/open"}, []string{"a.md:4 policy/open"}, []string{"a.md:3 suppress/no-reason"}},
		{"over", doc(allow("policy/open" + reason + " until=2026-09-29")), []string{"a.md:4 policy/open"}, []string{"a.md:4 policy/open"}, []string{"a.md:3 suppress/expired"}},
		{"no day of the calendar", doc(allow("policy/open" + reason + " until=2026-02-30")), []string{"a.md:4 policy/open"}, []string{"a.md:4 policy/open"}, []string{"a.md:3 suppress/expired"}},
		{"a slip in a key", doc(allow("policy/open" + reason + " untill=2027-01-01")), []string{"a.md:4 policy/open"}, []string{"a.md:4 policy/open"}, []string{"a.md:3 suppress/unused"}},
		{"an unknown code", doc(allow("policy/opened" + reason)), []string{"a.md:4 policy/open"}, []string{"a.md:4 policy/open"}, []string{"a.md:3 suppress/unknown-code"}},
		{"a pattern", doc(allow("policy/*" + reason)), []string{"a.md:4 policy/open"}, []string{"a.md:4 policy/open"}, []string{"a.md:3 suppress/unknown-code"}},
		{"a check", doc(allow("policy" + reason)), []string{"a.md:4 policy/open"}, []string{"a.md:4 policy/open"}, []string{"a.md:3 suppress/unknown-code"}},
		{"no code", doc(allow(reason)), []string{"a.md:4 policy/open"}, []string{"a.md:4 policy/open"}, []string{"a.md:3 suppress/unknown-code"}},
		{"a hard code", doc(allow("header/removed" + reason)), []string{"a.md:4 header/removed"}, []string{"a.md:4 header/removed"}, []string{"a.md:3 suppress/not-allowed"}},
		{"a hard code without a reason", doc(allow("header/removed")), nil, nil, []string{"a.md:3 suppress/not-allowed"}},
		{"the meta check", doc(allow("suppress/unused"+reason), allow("policy/open"+reason)), nil, nil, []string{"a.md:3 suppress/unknown-code", "a.md:4 suppress/unused"}},
		{"a check that was left out", doc(allow("left/out" + reason)), nil, nil, nil},
		{"a check that was left out, without a reason", doc(allow("left/out")), nil, nil, nil},
		{"a check of a later version", doc(allow("later/thing" + reason)), nil, nil, nil},
		{"stacked", doc(allow("policy/open"+reason), allow("policy/edited"+reason), allow("header/missing"+reason)),
			[]string{"a.md:6 policy/open", "a.md:6 policy/edited"}, nil, []string{"a.md:5 suppress/unused"}},
		{"on another suppression", doc(allow("policy/open"+reason), allow("policy/edited")), []string{"a.md:4 policy/open"}, nil, []string{"a.md:4 suppress/no-reason"}},
		{"two for one finding: the closer one is needed", doc(allow("policy/open"+reason), allow("policy/open"+reason)),
			[]string{"a.md:5 policy/open"}, nil, []string{"a.md:3 suppress/unused"}},
		{"two for one finding: the closer one is over", doc(allow("policy/open"+reason), allow("policy/open"+reason+" until=2020-01-01")),
			[]string{"a.md:5 policy/open"}, nil, []string{"a.md:4 suppress/expired"}},
		{"the whole file", map[string]string{"a.md": allow("header/missing"+reason) + "# T\n"}, []string{"a.md:0 header/missing"}, nil, nil},
		{"the whole file, stacked", map[string]string{"a.md": allow("policy/open") + allow("header/missing"+reason) + "# T\n"},
			[]string{"a.md:0 header/missing"}, nil, []string{"a.md:1 suppress/no-reason"}},
		{"a script", map[string]string{"a.sh": "#!/bin/sh\n# forge:allow header/missing" + reason + "\nx\n# forge:allow policy/open" + reason + "\ny\n"},
			[]string{"a.sh:0 header/missing", "a.sh:5 policy/open"}, nil, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			in := input(test.files, test.findings...)
			kept, meta, err := Apply(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.kept, said(kept)); diff != "" {
				t.Errorf("kept (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.meta, said(meta)); diff != "" {
				t.Errorf("meta (-want +got):\n%s", diff)
			}
			for _, f := range meta {
				if f.Level != finding.Flag || f.Message == "" || f.Help == "" || f.Anchor == "" || f.Span.End.Line == 0 {
					t.Errorf("not a whole flag: %+v", f)
				}
			}
		})
	}
}

func TestApplyNotAllowed(t *testing.T) {
	files := map[string]string{"a.md": "# T\n\n<!-- forge:allow policy/open reason=\"x\" -->\n- [ ] x\n"}
	for pattern, want := range map[string]bool{"policy/open": true, "policy/*": true, "policy/o*": true, "policy/e*": false, "policy": false, "*": true} {
		in := input(files, "a.md:4 policy/open")
		in.NotAllowed = []string{"wal/*", pattern}
		kept, meta, err := Apply(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		if refused := len(kept) == 1 && len(meta) == 1 && meta[0].Code == "suppress/not-allowed"; refused != want {
			t.Errorf("%q: kept %q, meta %q", pattern, said(kept), said(meta))
		}
	}
}

// Only what lies in the version of the file that was read can be let through.
func TestApplySidesAndCommits(t *testing.T) {
	files := map[string]string{"a.md": "# T\n\n<!-- forge:allow policy/open reason=\"x\" -->\n- [ ] x\n"}
	for _, test := range []struct {
		name                string
		side                finding.Side
		findingOf, inputFor string
		kept                int
	}{
		{"after", finding.After, "", "", 0},
		{"no side", "", "", "", 0},
		{"before", finding.Before, "", "", 1},
		{"of a commit", finding.After, "c1", "", 1},
		{"of that commit", finding.After, "c1", "c1", 0},
		{"of another commit", finding.After, "c2", "c1", 1},
		{"of the change, while a commit is judged", finding.After, "", "c1", 1},
	} {
		in := input(files, "a.md:4 policy/open")
		in.Findings[0].Side, in.Findings[0].Commit, in.Commit = test.side, test.findingOf, test.inputFor
		kept, _, err := Apply(t.Context(), in)
		if err != nil || len(kept) != test.kept {
			t.Errorf("%s: %d kept, want %d (error %v)", test.name, len(kept), test.kept, err)
		}
	}
}

// A finding in a file that was not judged, such as one that a changed file refers to, is let through by its own file,
// whose suppressions are not judged.
func TestApplyToFilesThatWereNotJudged(t *testing.T) {
	in := input(map[string]string{
		"a.md": "# T\n\n<!-- forge:allow policy/open reason=\"x\" -->\n- [ ] x\n\n<!-- forge:allow policy/open -->\n",
	}, "a.md:4 policy/open", "gone.md:4 policy/open")
	in.Files = nil
	kept, meta, err := Apply(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"gone.md:4 policy/open"}, said(kept)); diff != "" || len(meta) != 0 {
		t.Errorf("meta %q, kept (-want +got):\n%s", said(meta), diff)
	}
}

func TestApplyReadErrors(t *testing.T) {
	broken := errors.New("object is not in this repository")
	in := input(map[string]string{"a.md": ""}, "b.md:1 policy/open")
	for _, path := range []string{"a.md", "b.md"} {
		in.Read = func(_ context.Context, p string) ([]byte, error) {
			if p == path {
				return nil, broken
			}
			return nil, nil
		}
		if _, _, err := Apply(t.Context(), in); !errors.Is(err, broken) || !strings.Contains(err.Error(), `"`+path+`"`) {
			t.Errorf("%s: got the error %v", path, err)
		}
	}
	in.Read = func(_ context.Context, p string) ([]byte, error) {
		return nil, fmt.Errorf("wrapped: %w", &snapshot.TooLarge{Path: p, Size: 2, Limit: 1})
	}
	kept, meta, err := Apply(t.Context(), in)
	if err != nil || len(kept) != 1 || len(meta) != 0 {
		t.Errorf("too large: kept %q, meta %q, error %v", said(kept), said(meta), err)
	}
}

// Two suppressions that say the same are two findings of one fingerprint, which a baseline counts; where they stand does
// not matter.
func TestMetaFingerprints(t *testing.T) {
	print := func(src string) []string {
		_, meta, err := Apply(t.Context(), input(map[string]string{"a.md": src}))
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for i := range meta {
			out = append(out, meta[i].Fingerprint())
		}
		return out
	}
	const c = "<!-- forge:allow policy/open reason=\"x\" -->\n"
	one, moved, two := print(c+"x\n"), print("# T\n\n\n"+c+"x\n"), print(c+"x\n\n"+c+"x\n")
	if len(one) != 1 || len(two) != 2 || one[0] != moved[0] || one[0] != two[0] || one[0] != two[1] {
		t.Errorf("one %q, moved %q, two %q", one, moved, two)
	}
}

func TestFilesAreToldAhead(t *testing.T) {
	in := input(map[string]string{"a.md": "", "b.go": "", "c.json": ""})
	read := map[string]bool{}
	inner := in.Read
	in.Read = func(ctx context.Context, path string) ([]byte, error) {
		read[path] = true
		return inner(ctx, path)
	}
	told := map[string]bool{}
	in.Ahead = func(_ context.Context, paths []string) {
		if len(read) > 0 {
			t.Error("told after the first was read")
		}
		for _, path := range paths {
			told[path] = true
		}
	}
	if _, _, err := Apply(context.Background(), in); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(read, told); diff != "" || !told["a.md"] {
		t.Errorf("told (-read +told):\n%s", diff)
	}
}
