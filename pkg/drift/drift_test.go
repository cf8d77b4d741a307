package drift_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-4419f9ca/forge/pkg/claim"
	"github.com/seed-4419f9ca/forge/pkg/drift"
	"github.com/seed-4419f9ca/forge/pkg/fingerprint"
	"github.com/seed-4419f9ca/forge/pkg/memory"
	"github.com/seed-4419f9ca/forge/pkg/parsertest"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

const (
	kiln = `LIMIT = 30


class Kiln:
    """Fires clay."""

    def fire(self, load, hours):
        if load.mass > 400:
            raise Overload(load)
        return self.heat(hours * 60)

    def open(self):
        self.door = "open"


def vent(kiln):
    kiln.flap = 1
`
	walk = `package walk

import "time"

type Dog struct{ Tired bool }

// Walk walks the dog.
func (d *Dog) Walk(minutes int) bool { return minutes > 10 && !d.Tired }

func (c *Cat) Walk() {}

func Rest() time.Duration { return 5 * time.Minute }
`
)

// edit replaces in a text what must stand in it.
func edit(t testing.TB, text string, pairs ...string) string {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			t.Fatalf("%q is not in the text", pairs[i])
		}
		text = strings.ReplaceAll(text, pairs[i], pairs[i+1])
	}
	return text
}

// TestStatus goes from one commit with code and claim to an index whose claim is the same.
func TestStatus(t *testing.T) {
	base := files{"pot/kiln.py": kiln, "pets/walk.go": walk, "README.md": "# Pots\n\nText.\n", "notes.txt": "one\ntwo\n", "pot/glaze.c": "int g(void) { return 1; } /* x */\n", "pot/README": "red\n"}
	k := func(pairs ...string) files { return files{"pot/kiln.py": edit(t, kiln, pairs...)} }
	cases := []struct {
		name, anchor string
		now          files
		want         string
	}{
		{"nothing changes", "pot/kiln.py#Kiln.fire", nil, "fresh"},
		{"a file that is the same", "pot/kiln.py", nil, "fresh"},
		{"an operator", "pot/kiln.py#Kiln.fire", k("> 400", ">= 400"), "stale body: > became >="},
		{"the neighbour", "pot/kiln.py#Kiln.open", k("> 400", ">= 400"), "fresh"},
		{"the type around it", "pot/kiln.py#Kiln", k("> 400", ">= 400"), "stale body: > became >="},
		{"a parameter", "pot/kiln.py#Kiln.fire", k("hours)", "hours=1)"), "stale signature: = 1 is new"},
		{"both", "pot/kiln.py#Kiln.fire", k("hours)", "days)", "hours * 60", "days * 60"), "stale signature: hours became days, hours became days"},
		{"a decorator", "pot/kiln.py#Kiln.fire", k("    def fire", "    @log\n    def fire"), "stale signature: @ log is new"},
		{"a statement goes", "pot/kiln.py#Kiln.fire", k("            raise Overload(load)\n", "            pass\n"), "stale body: raise Overload(load) became pass"},
		{"a constant", "pot/kiln.py#LIMIT", k("LIMIT = 30", "LIMIT = 31"), "stale body: 30 became 31"},
		{"a comment", "pot/kiln.py#Kiln.fire", k("> 400:", "> 400:  # kilograms"), "fresh"},
		{"the documentation", "pot/kiln.py#Kiln", k("Fires clay.", "Burns clay."), "fresh, doc changed"},
		{"documentation of a file", "pot/kiln.py", k("Fires clay.", "Burns clay."), "fresh, doc changed"},
		{"line ends", "pot/kiln.py#Kiln.fire", k("\n", "\r\n"), "fresh"},
		{"a whole file", "pot/kiln.py", k("flap = 1", "flap = 2"), "stale file: 1 became 2"},
		{"a whole file, layout only", "pot/kiln.py", k("LIMIT = 30", "LIMIT  =  30  # degrees"), "fresh"},
		{"a doc comment of Go", "pets/walk.go#Dog.Walk", files{"pets/walk.go": edit(t, walk, "walks the dog", "goes out")}, "fresh"},
		{"a method of Go by its short name", "pets/walk.go#Walk", nil, "unverifiable ambiguous in Dog.Walk or Cat.Walk"},
		{"the joint ::", "pot/kiln.py#Kiln::fire", k("> 400", "> 40"), "stale body: 400 became 40"},
		{"a short name", "pot/kiln.py#fire", k("> 400", "> 40"), "stale body: 400 became 40"},
		{"a symbol goes", "pot/kiln.py#vent", k("\n\ndef vent(kiln):\n    kiln.flap = 1\n", "\n"), "missing symbol"},
		{"a symbol that never was", "pot/kiln.py#nope", nil, "missing symbol"},
		{"a file goes", "pot/kiln.py#vent", files{"pot/kiln.py": ""}, "missing path"},
		{"a path that never was", "pot/nope.py", nil, "missing path"},
		{"a file is emptied", "pot/kiln.py#vent", files{"pot/kiln.py": "\n"}, "missing symbol"},
		{"a syntax error in it", "pot/kiln.py#Kiln.open", k(`= "open"`, `= ("open"`), "stale body, coarse"},
		{"a syntax error beside it", "pot/kiln.py#vent", k(`= "open"`, `= "open`), "fresh"},
		{"a syntax error that swallows it", "pot/kiln.py#vent", k(`= "open"`, `= ("open"`), "stale file, coarse"},
		{"a syntax error and a name of two", "pets/walk.go#Walk", files{"pets/walk.go": walk + "\nfunc broken( {\n"}, "unverifiable ambiguous in Dog.Walk or Cat.Walk"},
		{"the documentation and the code", "pot/kiln.py#Kiln", k("Fires clay.", "Burns clay.", "> 400", ">= 400"), "stale body: > became >="},
		{"no grammar", "notes.txt", files{"notes.txt": "one\n\ntwo \n"}, "fresh"},
		{"no grammar, a word", "notes.txt", files{"notes.txt": "one\nthree\n"}, "stale file"},
		{"no grammar and a symbol", "notes.txt#two", files{"notes.txt": "one\n\ntwo \n"}, "fresh, coarse"},
		{"no grammar and a symbol, a word", "notes.txt#two", files{"notes.txt": "one\nthree\n"}, "stale file, coarse"},
		{"a heading as symbol", "README.md#Pots", files{"README.md": "# Pots\n\nOther text.\n"}, "stale body: Text. became Other text."},
		{"a file over the limit", "notes.txt", files{"notes.txt": strings.Repeat("x\n", limit)}, "stale file, coarse"},
		{"code over the limit", "pot/kiln.py#vent", files{"pot/kiln.py": kiln + strings.Repeat("x = 1\n", limit/6)}, "stale file, coarse"},
		{"a binary file", "notes.txt", files{"notes.txt": "one\x00two\n"}, "stale file"},
		{"code becomes binary", "pot/kiln.py#vent", files{"pot/kiln.py": kiln + "\x00"}, "stale file, coarse"},
		{"a folder", "pot/", nil, "fresh"},
		{"a comment in a folder", "pot/", files{"pot/glaze.c": "int g(void) { return 1; } /* y */\n"}, "fresh"},
		{"a comment in a folder with files of lines", "pot/", files{"pot/glaze.c": "int g(void) { return 1; } /* y */\n", "pot/README": "blue\n"}, "stale directory: README changed"},
		{"a new file in a folder", "pot/", files{"pot/new/a.py": "A = 1\n"}, "stale directory: new/a.py is new"},
		{"a file less in a folder", "pot/", files{"pot/README": ""}, "stale directory: README is gone"},
		{"many files in a folder", "pot/", files{"pot/README": "", "pot/kiln.py": "", "pot/a": "a", "pot/b": "b"}, "stale directory: README is gone, a is new, b is new, and 1 more changes"},
		{"beside a folder", "pot/", files{"pots/a.py": "A = 1\n", "pot.py": "B = 2\n"}, "fresh"},
		{"a folder that goes", "pot/", files{"pot/kiln.py": "", "pot/README": "", "pot/glaze.c": ""}, "missing path"},
		{"a pattern", "p*/*.{py,go}", nil, "fresh"},
		{"a pattern and a comment", "p*/*.{py,go}", k("> 400:", "> 400:  # kilograms"), "fresh"},
		{"a pattern and a value", "p*/*.{py,go}", k("> 400", "> 40"), "stale directory: pot/kiln.py changed"},
		{"a pattern and a file that it misses", "p*/*.{py,go}", files{"pot/README": "blue\n", "pot/x/a.py": "A = 1\n"}, "fresh"},
		{"a pattern and a new file", "p*/*.{py,go}", files{"pier/a.py": "A = 1\n"}, "stale directory: pier/a.py is new"},
		{"a pattern that matches nothing", "q*/*.py", nil, "missing path"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			before := base.with(files{store: claims([]string{c.anchor})})
			p := history(plain(before)...)
			_, results := judge(t, parsertest.Engine(), p.staged(plain(before.with(c.now))[0]))
			if got := lines(results); got != c.want {
				t.Errorf("got %s\nwant %s", got, c.want)
			}
			for _, r := range results {
				if r.Baseline != p.id(0) {
					t.Errorf("the baseline is %q, and the claim came with %q", r.Baseline, p.id(0))
				}
				if r.Status == "stale" && (r.Before == "" || r.Before == r.After) {
					t.Errorf("a stale anchor has the fingerprints %q and %q", r.Before, r.After)
				}
				if r.Status == "unverifiable" && r.Reason == "" {
					t.Error("nobody says why")
				}
			}
		})
	}
}

// TestKinds changes what a path is and not what it holds.
func TestKinds(t *testing.T) {
	one, two := strings.Repeat("1", 40), strings.Repeat("2", 40)
	text := func(data string) memory.File { return memory.File{Mode: snapshot.Regular, Data: data} }
	script := func(data string) memory.File { return memory.File{Mode: snapshot.Executable, Data: data} }
	link := func(target string) memory.File { return memory.File{Mode: snapshot.Symlink, Data: target} }
	module := func(oid string) memory.File { return memory.File{Mode: snapshot.Gitlink, Data: oid} }
	long := strings.Repeat("# long\n", limit/4)
	cases := []struct {
		name, anchor string
		path         string
		before, now  memory.File
		want         string
	}{
		{"a script", "sh/a.sh#f", "sh/a.sh", text("f() { :; }\n"), script("f() { :; }\n"), "fresh"},
		{"a long script", "sh/a.sh#f", "sh/a.sh", text(long), script(long), "fresh, coarse"},
		{"a long script in a folder", "sh/", "sh/a.sh", text(long), script(long), "fresh"},
		{"a link", "x", "x", link("a"), link("a"), "fresh"},
		{"a link that turns", "x", "x", link("a"), link("b"), "stale file"},
		{"a link of a folder that turns", "d/", "d/x", link("a"), link("b"), "stale directory: x changed"},
		{"a file becomes a link to its text", "x", "x", text("a"), link("a"), "stale file"},
		{"a link becomes a file of its target", "x.py", "x.py", link("a"), text("a"), "stale file"},
		{"the same in a folder", "d/", "d/x.py", link("a"), text("a"), "stale directory: x.py changed"},
		{"the same under a symbol", "x.py#a", "x.py", text("a = 1"), link("a = 1"), "stale file, coarse"},
		{"a submodule", "m", "m", module(one), module(one), "fresh"},
		{"a submodule goes on", "m", "m", module(one), module(two), "stale file"},
		{"a submodule in a folder", "d/", "d/m", module(one), module(two), "stale directory: m changed"},
		{"a submodule becomes a file", "m", "m", module(one), text("one\n"), "stale file"},
		{"into a submodule", "m/a.py#f", "m", module(one), module(two), "missing path"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			tree := func(f memory.File) map[string]memory.File {
				return map[string]memory.File{c.path: f, store: text(claims([]string{c.anchor})), "other.py": text("O = 1\n")}
			}
			cached := parsertest.New(&shelf{})
			defer func() {
				if err := cached.Close(); err != nil {
					t.Error(err)
				}
			}()
			p := history(tree(c.before))
			for range 2 {
				_, results := judge(t, cached, p.staged(tree(c.now)))
				if got := lines(results); got != c.want {
					t.Errorf("got %s\nwant %s", got, c.want)
				}
			}
		})
	}
}

// TestBaselines has commits of which the second changes the code under a claim of the first.
func TestBaselines(t *testing.T) {
	old, changed := kiln, edit(t, kiln, "> 400", "> 500")
	first := plain(files{"a.py": old, store: "# Nothing\n"})[0]
	second := plain(files{"a.py": changed, store: "# Nothing\n"})[0]
	p := history(first, second)
	c0, c1 := p.id(0), p.id(1)
	// The digest as reanchor would have written it.
	digest := func(src, symbol string) string {
		f, err := parsertest.Engine().File(t.Context(), "a.py", []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		if symbol == "" {
			return f.Digest.Whole
		}
		d, err := f.Resolve(symbol)
		if err != nil {
			t.Fatal(err)
		}
		return d.Digest.Whole
	}
	def, err := parsertest.Engine().File(t.Context(), "a.py", []byte(changed))
	if err != nil {
		t.Fatal(err)
	}
	fire, err := def.Resolve("Kiln.fire")
	if err != nil {
		t.Fatal(err)
	}
	was, is := digest(old, "Kiln.fire"), digest(changed, "Kiln.fire")
	gone := strings.Repeat("ab", 20)
	cases := []struct{ name, anchor, want, reason string }{
		{"by commit", "a.py#Kiln.fire@" + c0, "stale body: 400 became 500", ""},
		{"by a short id", "a.py#Kiln.fire@" + c0[:7], "stale body: 400 became 500", ""},
		{"in capitals", "a.py#Kiln.fire@" + strings.ToUpper(c0[:12]), "stale body: 400 became 500", ""},
		{"by the present commit", "a.py#Kiln.fire@" + c1, "fresh", ""},
		{"by both", "a.py#Kiln.fire@" + c0 + ":" + was, "stale body: 400 became 500", ""},
		{"by both, present", "a.py#Kiln.fire@" + c1[:9] + ":" + is, "fresh", ""},
		{"by digest only", "a.py#Kiln.fire@" + gone + ":" + is, "fresh", ""},
		{"by digest only, changed", "a.py#Kiln.fire@" + gone + ":" + was, "stale body", ""},
		{"by the lines of a definition only", "a.py#Kiln.fire@" + gone + ":" + fire.Digest.Lines, "fresh", ""},
		{"by the lines of its file only", "a.py#Kiln.fire@" + gone + ":" + def.Digest.Lines, "fresh", ""},
		{"by digest only, in a file that does not parse", "broken.py#f@" + gone + ":" + is, "unverifiable, coarse", "cannot be looked into"},
		{"by digest only, a file", "a.py@" + gone + ":" + digest(changed, ""), "fresh", ""},
		{"by digest only, a file that changed", "a.py@" + gone + ":" + digest(old, ""), "stale file", ""},
		{"by digest only, a folder that changed", "docs/@" + gone + ":" + is, "stale directory", ""},
		{"a commit that does not have the digest", "a.py#Kiln.fire@" + c0 + ":" + is, "fresh", ""},
		{"a commit that does not have the digest, and nobody has", "a.py#Kiln.fire@" + c0 + ":a000000000000", "stale body", ""},
		{"neither", "a.py#Kiln.fire@" + gone, "unverifiable", "no digest"},
		{"neither, of a file", "a.py@" + gone, "unverifiable", "no digest"},
		{"another scheme", "a.py#Kiln.fire@" + gone + ":z" + is[1:], "unverifiable", "of another scheme"},
		{"another scheme and a commit", "a.py#Kiln.fire@" + c0 + ":z" + is[1:], "stale body: 400 became 500", ""},
		{"another scheme and the present commit", "a.py#Kiln.fire@" + c1 + ":z" + is[1:], "fresh", ""},
		{"gone, and missing all the same", "a.py#nope@" + gone, "missing symbol", ""},
		{"not in its commit", "new.py#f@" + c0, "unverifiable", "is not in its baseline"},
		{"not in its commit, a file", "new.py@" + c0, "unverifiable", "is not in its baseline"},
		{"of a commit, not committed", "new.py#f", "fresh", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			now := plain(files{"a.py": changed, "new.py": "def f(): pass\n", "broken.py": "(\ndef f(): pass\n", store: claims([]string{c.anchor})})[0]
			_, results := judge(t, parsertest.Engine(), p.staged(now))
			if got := lines(results); got != c.want {
				t.Errorf("got %s\nwant %s", got, c.want)
			}
			if got := results[0].Reason; !strings.Contains(got, c.reason) || c.reason == "" && got != "" {
				t.Errorf("the reason is %q", got)
			}
		})
	}
}

// TestOrigin looks for the commit whose code is the baseline of anchors without one.
func TestOrigin(t *testing.T) {
	text := claims([]string{"a.py#f"}, []string{"a.py#g", "b.py"})
	code := func(n string) files {
		return files{"a.py": "def f(): return " + n + "\n\n\ndef g(): return 0\n", "b.py": "B = 1\n"}
	}
	at := func(n, text string) files { return code(n).with(files{store: text}) }
	stamped := edit(t, text, "'a.py#f'", "a.py#f@abcd:a0123456789ab")
	cases := []struct {
		name    string
		commits []files
		now     files
		want    string // of the first anchor
		from    int    // index of its baseline, -1 for the index
	}{
		{"the first commit", []files{at("1", text), at("2", text)}, at("2", text), "stale body: 1 became 2", 0},
		{"its prose", []files{at("1", text), at("2", edit(t, text, "It is so.\n\n### INV-2", "So it is.\n\n### INV-2"))}, at("2", edit(t, text, "It is so.\n\n### INV-2", "So it is.\n\n### INV-2")), "fresh", 1},
		{"its title", []files{at("1", text), at("2", edit(t, text, "INV-1 — A title", "INV-1 — Titled"))}, at("2", edit(t, text, "INV-1 — A title", "INV-1 — Titled")), "fresh", 1},
		{"the neighbour", []files{at("1", text), at("2", edit(t, text, "INV-2 — A title", "INV-2 — Titled"))}, at("2", edit(t, text, "INV-2 — A title", "INV-2 — Titled")), "stale body: 1 became 2", 0},
		{"line ends", []files{at("1", text), at("2", edit(t, text, "\n", "\r\n"))}, at("2", edit(t, text, "\n", "\r\n")), "stale body: 1 became 2", 0},
		{"blank lines behind it", []files{at("1", text), at("2", edit(t, text, "### INV-2", "\n\n### INV-2"))}, at("2", edit(t, text, "### INV-2", "\n\n### INV-2")), "stale body: 1 became 2", 0},
		{"another file", []files{at("1", text), code("2").with(files{root + "/security.md": text})}, code("2").with(files{root + "/security.md": text}), "stale body: 1 became 2", 0},
		{"there and back", []files{at("1", text), at("2", edit(t, text, "INV-1 — A title", "INV-1 — Titled")), at("3", text)}, at("4", text), "stale body: 3 became 4", 2},
		{"deleted and brought back", []files{at("1", text), at("2", "# None\n"), at("3", text)}, at("3", text), "fresh", 2},
		{"staged", []files{at("1", text), at("2", text)}, at("3", edit(t, text, "INV-1 — A title", "INV-1 — Titled")), "fresh", -1},
		{"new and staged", []files{at("1", "# None\n")}, at("2", text), "fresh", -1},
		{"the neighbour is staged", []files{at("1", text)}, at("2", edit(t, text, "INV-2 — A title", "INV-2 — Titled")), "stale body: 1 became 2", 0},
		{"the stamp of the neighbour's anchor", []files{at("1", text), at("2", edit(t, text, "'b.py'", "'b.py@abcd:a0123456789ab'"))}, at("2", edit(t, text, "'b.py'", "'b.py@abcd:a0123456789ab'")), "stale body: 1 became 2", 0},
		{"a stamp taken off", []files{at("1", stamped), at("2", text)}, at("2", text), "stale body: 1 became 2", 0},
		{"a stamp taken off, staged", []files{at("1", stamped)}, at("2", text), "stale body: 1 became 2", 0},
		{"the folder of decisions is no store", []files{at("1", text), at("2", text).with(files{root + "/decisions/ADR-0001-x.md": text})}, at("2", text).with(files{root + "/decisions/ADR-0001-x.md": text}), "stale body: 1 became 2", 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := history(plain(c.commits...)...)
			change := p.staged(plain(c.now)[0])
			_, results := judge(t, parsertest.Engine(), change)
			want := "index"
			if c.from >= 0 {
				want = p.id(c.from)
			}
			if got := line(results[0]); got != c.want || results[0].Baseline != want {
				t.Errorf("got %s since %s\nwant %s since %s", got, results[0].Baseline, c.want, want)
			}
		})
	}
	t.Run("siblings", func(t *testing.T) {
		// One anchor of the claim is stamped, and the other, which is stale, keeps its baseline.
		two := claims([]string{"a.py#f", "a.py#g"})
		pinned := edit(t, two, "'a.py#g'", `"a.py#g@abcd"`)
		p := history(plain(at("1", two), at("2", two), at("2", pinned))...)
		_, results := judge(t, parsertest.Engine(), p.staged(plain(at("2", pinned))[0]))
		if got := line(results[0]); got != "stale body: 1 became 2" {
			t.Errorf("got %s", got)
		}
	})
	t.Run("cut", func(t *testing.T) {
		p := history(plain(at("1", text), at("1", text).with(files{"c.py": "C = 1\n"}))...)
		p.cut = true
		_, results := judge(t, parsertest.Engine(), p.staged(plain(at("1", text))[0]))
		for _, r := range results {
			if line(r) != "unverifiable" || !strings.Contains(r.Reason, "git fetch --unshallow") {
				t.Errorf("%s is %s: %q", r.Anchor.Text, line(r), r.Reason)
			}
		}
	})
	t.Run("twice", func(t *testing.T) {
		// The same id stands twice, which is for another check to say: each block has its own baseline.
		one, other := claims([]string{"a.py#f"}), edit(t, claims([]string{"a.py#f"}), "A title", "Another title")
		for _, texts := range [][2]string{{one, other}, {other, one}} {
			p := history(plain(at("1", texts[0]), at("2", texts[0]+texts[1]))...)
			_, results := judge(t, parsertest.Engine(), p.staged(plain(at("2", texts[0]+texts[1]))[0]))
			if got, want := lines(results), "stale body: 1 became 2\nfresh"; got != want {
				t.Errorf("got %s\nwant %s", got, want)
			}
		}
	})
}

// TestRetired leaves claims alone that are history, and what is no anchor.
func TestRetired(t *testing.T) {
	text := claims([]string{"gone.py"}, []string{"a.py#f", "../bad.py"})
	text = strings.Replace(text, "status: asserted", "status: retired\nretired-ground: 1\nretired-evidence: it is gone", 1)
	now := plain(files{"a.py": "def f(): pass\n", store: text})[0]
	c := history(now).staged(now)
	s, err := claim.Load(t.Context(), c.After, claim.Layout{Root: root})
	if err != nil {
		t.Fatal(err)
	}
	j := &drift.Judge{Change: c, Store: s, Layout: claim.Layout{Root: root}, Engine: parsertest.Engine()}
	results, err := j.Run(t.Context(), func(*claim.Claim, *claim.Anchor) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("fresh", lines(results)); diff != "" {
		t.Error(diff)
	}
}

// TestPadding blows a file up with blank lines until nobody parses it: its lines are what they were.
func TestPadding(t *testing.T) {
	base := files{"d/kiln.py": kiln, store: claims([]string{"d/", "d/kiln.py", "d/kiln.py#vent"})}
	now := base.with(files{"d/kiln.py": kiln + strings.Repeat("\n", fingerprint.MaxSize)})
	for _, c := range []*snapshot.Change{history(plain(base)...).staged(plain(now)[0]), history(plain(now)...).staged(plain(base)[0])} {
		s, err := claim.Load(t.Context(), c.After, claim.Layout{Root: root})
		if err != nil {
			t.Fatal(err)
		}
		j := &drift.Judge{Change: c, Store: s, Layout: claim.Layout{Root: root}, Engine: parsertest.Engine()}
		results, err := j.Run(t.Context(), func(*claim.Claim, *claim.Anchor) bool { return true })
		if err != nil {
			t.Fatal(err)
		}
		if got, want := lines(results), "fresh, coarse\nfresh, coarse\nfresh, coarse"; got != want {
			t.Errorf("got %s\nwant %s", got, want)
		}
	}
}
