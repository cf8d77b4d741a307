package anchor

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParse(t *testing.T) {
	sha256 := strings.Repeat("ab", 32)
	cases := []struct {
		in   string
		want Anchor
	}{
		{"a.go", Anchor{Path: "a.go"}},
		{"internal/berth/berth.go#Berth.Assign", Anchor{Path: "internal/berth/berth.go", Symbol: "Berth.Assign"}},
		{"a.cpp#ns::A::f", Anchor{Path: "a.cpp", Symbol: "ns::A::f"}},
		{"a.go#F@a1b2c3d", Anchor{Path: "a.go", Symbol: "F", Baseline: "a1b2c3d"}},
		{"a.go#F@a1b2c3d:a9f8e7d6c5b4a", Anchor{Path: "a.go", Symbol: "F", Baseline: "a1b2c3d", Digest: "a9f8e7d6c5b4a"}},
		{"a.go@A1B2:B9F8E7D6C5B4A", Anchor{Path: "a.go", Baseline: "a1b2", Digest: "b9f8e7d6c5b4a"}},
		{"a.go@" + sha256, Anchor{Path: "a.go", Baseline: sha256}},
		{"a.go@" + sha256[:41], Anchor{Path: "a.go@" + sha256[:41]}},
		{"a.go@abc", Anchor{Path: "a.go@abc"}},
		{"node_modules/@types/node/a.d.ts", Anchor{Path: "node_modules/@types/node/a.d.ts"}},
		{"@scope/beef/x.ts#A@beef", Anchor{Path: "@scope/beef/x.ts", Symbol: "A", Baseline: "beef"}},
		{"a@beef%", Anchor{Path: "a@beef%"}},
		{"a%40beef", Anchor{Path: "a@beef"}},
		{"C#/x.cs#Foo.Bar", Anchor{Path: "C#/x.cs", Symbol: "Foo.Bar"}},
		{"C%23/x.cs", Anchor{Path: "C#/x.cs"}},
		{"web/x.ts#Gate.%23open", Anchor{Path: "web/x.ts", Symbol: "Gate.#open"}},
		{"lib/x.ex#Mod.@limit", Anchor{Path: "lib/x.ex", Symbol: "Mod.@limit"}},
		{"100%.md", Anchor{Path: "100%.md"}},
		{"100%2541.md", Anchor{Path: "100%41.md"}},
		{"src/", Anchor{Kind: Directory, Path: "src"}},
		{"src/a b/@cafe", Anchor{Kind: Directory, Path: "src/a b", Baseline: "cafe"}},
		{"src/**/*.go", Anchor{Kind: Glob, Path: "src/**/*.go"}},
		{"src/*/", Anchor{Kind: Glob, Path: "src/*/**"}},
		{"app/[id]/page.tsx", Anchor{Kind: Glob, Path: "app/[id]/page.tsx"}},
		{"app/%5Bid]/page.tsx#Page", Anchor{Path: "app/[id]/page.tsx", Symbol: "Page"}},
		{"app/%5Bid%5D/*.tsx", Anchor{Kind: Glob, Path: `app/\[id\]/*.tsx`}},
		{"{a,b}.go@dead", Anchor{Kind: Glob, Path: "{a,b}.go", Baseline: "dead"}},
		{"phố/giá.py#tính", Anchor{Path: "phố/giá.py", Symbol: "tính"}},
	}
	for _, c := range cases {
		got, err := Parse(c.in)
		if err != nil || got != c.want {
			t.Errorf("Parse(%q) = %+v, %v; want %+v", c.in, got, err, c.want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for in, reason := range map[string]string{
		"":                     "empty",
		"#A":                   "empty",
		"@abcd":                "empty",
		"a.go#":                "symbol after # is empty",
		"a.go#@abcd":           "symbol after # is empty",
		"/etc/passwd":          "absolute",
		"%2Fetc/passwd":        "absolute",
		"/":                    "absolute",
		"./a.go":               `"."`,
		"../a.go":              `".."`,
		"a/../b.go":            `".."`,
		"a/%2e%2e/b.go":        `".."`,
		"a//b.go":              "empty segment",
		"src//":                "empty segment",
		`a\b.go`:               "backslash",
		" a.go":                "white space",
		"a.go @abcd":           "white space",
		"a%00.go":              "control character",
		"a.go#x%0Ay":           "control character",
		"src/#A":               "directory",
		"src/*.go#A":           "glob",
		"src/[.go":             "glob",
		"src/{a.go":            "glob",
		"a.go#F@a1b2c3d:a9f8":  "no digest",
		"a.go@a1b2:":           "no digest",
		"a.go@a1b2:Z9f8e7d6cz": "no digest",
	} {
		_, err := Parse(in)
		var bad *Error
		if !errors.As(err, &bad) || !strings.Contains(bad.Reason, reason) {
			t.Errorf("Parse(%q) = %v; want a reason with %q", in, err, reason)
		}
	}
}

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		anchor, path string
		want         bool
	}{
		{"a.go#F", "a.go", true},
		{"a.go", "b/a.go", false},
		{"src/", "src/a/b.go", true},
		{"src/", "src", false},
		{"src/", "srcs/a.go", false},
		{"src/*.go", "src/a.go", true},
		{"src/*.go", "src/a/b.go", false},
		{"app/%5Bid%5D/*.tsx", "app/[id]/p.tsx", true},
		{"app/%5Bid%5D/*.tsx", "app/i/p.tsx", false},
		{"src/*/", "src/a/b/c.go", true},
	} {
		a, err := Parse(c.anchor)
		if err != nil {
			t.Fatal(err)
		}
		if got := a.Match(c.path); got != c.want {
			t.Errorf("%q matches %q: %v, want %v", c.anchor, c.path, got, c.want)
		}
	}
}

func TestName(t *testing.T) {
	a, err := Parse("a.cpp#ns::A.f")
	if err != nil || a.Name() != "ns.A.f" {
		t.Errorf("got %q, %v", a.Name(), err)
	}
}

// TestRoundTrip prints anchors made of any legal parts and reads them back.
func TestRoundTrip(t *testing.T) {
	part := rapid.StringMatching(`[a-f0-9@#%:*?\[\]{},\\ .é-]{1,12}`).Filter(func(s string) bool { return s != "." && s != ".." })
	hex := rapid.StringMatching(`[0-9a-f]{4,40}`)
	digest := rapid.StringMatching(`[a-z][0-9a-f]{12}`)
	rapid.Check(t, func(t *rapid.T) {
		a := Anchor{Path: strings.Join(rapid.SliceOfN(part, 1, 3).Draw(t, "path"), "/")}
		switch {
		case rapid.Bool().Draw(t, "directory"):
			a.Kind = Directory
		case rapid.Bool().Draw(t, "symbol"):
			a.Symbol = part.Draw(t, "name")
		}
		if rapid.Bool().Draw(t, "baseline") {
			a.Baseline = hex.Draw(t, "commit")
			if rapid.Bool().Draw(t, "digest") {
				a.Digest = digest.Draw(t, "fingerprint")
			}
		}
		got, err := Parse(a.String())
		if err != nil || got != a {
			t.Fatalf("%+v prints as %q, which reads as %+v, %v", a, a.String(), got, err)
		}
	})
}

// FuzzParse holds that what Parse accepts prints as something that means the same, and that printing settles at once.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"a.go", "a.go#F@a1b2c3d:a9f8e7d6c5b4a", "src/", "src/**/*.{go,ts}@beef", "a%40beef", "C#/x#y#z", "%", "%25%32", `a%5Cb`, "a[!-%5D]*",
		"x/%2A/*.go", "a%20", "%20@abcd", "a.go#%40abcd", "a@abcd:x/y",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a, err := Parse(s)
		if err != nil {
			return
		}
		printed := a.String()
		again, err := Parse(printed)
		if err != nil {
			t.Fatalf("%q prints as %q, which is refused: %v", s, printed, err)
		}
		if again != a {
			t.Fatalf("%q is %+v and prints as %q, which is %+v", s, a, printed, again)
		}
	})
}
