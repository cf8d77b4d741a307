package drift_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/seed-4419f9ca/forge/pkg/memory"
	"github.com/seed-4419f9ca/forge/pkg/parsertest"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// TestStamp works out what an anchor is to be replaced by.
func TestStamp(t *testing.T) {
	lost := "@" + strings.Repeat("ab", 20)
	commented := edit(t, kiln, "flap = 1", "flap = 1  # open")
	f, err := parsertest.Engine().File(t.Context(), "a.py", []byte(kiln))
	if err != nil {
		t.Fatal(err)
	}
	vent, err := f.Resolve("vent")
	if err != nil {
		t.Fatal(err)
	}
	digest := vent.Digest.Whole
	cases := []struct {
		name, anchor string // HEAD~ and HEAD stand for commits
		old, head    files
		now          files
		want, reason string
	}{
		{"none yet", "a.py#vent", nil, nil, nil, "a.py#vent@HEAD:" + digest, ""},
		{"a file", "a.py", nil, nil, nil, "a.py@HEAD:" + f.Digest.Whole, ""},
		{"a folder", "d/", nil, nil, nil, "d/@HEAD:*", ""},
		{"a pattern", "**/*.txt", nil, nil, nil, "**/*.txt@HEAD:*", ""},
		{"without a digest", "a.py#vent@HEAD~", nil, nil, nil, "a.py#vent@HEAD:" + digest, ""},
		{"good as it is", "a.py#vent@HEAD~:" + digest, nil, nil, nil, "", ""},
		{"of a version that is not the present one", "a.py#vent@HEAD~:" + digest, nil, files{"a.py": commented}, files{"a.py": commented}, "a.py#vent@HEAD:" + digest, ""},
		{"of a version that is not the staged one", "a.py#vent@HEAD:" + digest, nil, nil, files{"a.py": commented}, "", ""},
		{"of a lost commit", "a.py#vent" + lost + ":" + digest, nil, nil, nil, "a.py#vent@HEAD:" + digest, ""},
		{"of another scheme", "a.py#vent@HEAD~:b" + digest[1:], nil, nil, nil, "a.py#vent@HEAD:" + digest, ""},
		{"of a lost commit without a digest", "a.py#vent" + lost, nil, nil, nil, "", "unverifiable"},
		{"stale", "a.py#vent@HEAD~", nil, files{"a.py": edit(t, kiln, "flap = 1", "flap = 2")}, nil, "", "stale"},
		{"missing", "a.py#gone", nil, nil, nil, "", "missing"},
		{"ambiguous", "b.py#f", files{"b.py": "class A:\n  def f(self): pass\nclass B:\n  def f(self): pass\n"}, nil, nil, "", "unverifiable"},
		{"moved", "a.py#vent", nil, files{"a.py": "", "c.py": kiln}, nil, "c.py#vent@HEAD:" + digest, ""},
		{"moved, stamped before", "a.py#vent@HEAD~:" + digest, nil, files{"a.py": "", "c.py": kiln}, nil, "c.py#vent@HEAD:" + digest, ""},
		{"moved, and only staged", "a.py#vent", nil, nil, files{"a.py": "", "c.py": kiln}, "", `"c.py#vent" is not committed yet`},
		{"a folder that moved", "d/", nil, files{"d/n.txt": "", "e/n.txt": "n\n"}, nil, "e/@HEAD:*", ""},
		{"a claim of staged code", "new.py", nil, nil, files{"new.py": "N = 1\n", store: "changed"}, "", `"new.py" is not committed yet`},
		{"staged code of a staged claim", "a.py#vent", nil, nil, files{"a.py": edit(t, kiln, "flap = 1", "flap = 2"), store: "changed"}, "", "what is staged of"},
		{"a name to be encoded", "a%23b@x.py#X", files{"a#b@x.py": "X = 1\n"}, nil, nil, "a#b@x.py#X@HEAD:*", ""},
		{"a path that ends like a baseline", "x%40beef", files{"x@beef": "X\n"}, nil, nil, "x@beef@HEAD:*", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			old := files{"a.py": kiln, "d/n.txt": "n\n"}.with(c.old).with(files{store: "# None\n"})
			head := old.with(c.head).with(files{"later.log": "1\n"})
			p := history(plain(old, head)...)
			anchor := strings.NewReplacer("HEAD~", p.id(0), "HEAD", p.id(1)[:12]).Replace(c.anchor)
			text := claims([]string{anchor})
			now := head.with(c.now).with(files{store: text})
			if c.now[store] == "" && !strings.Contains(c.anchor, "HEAD") { // the claim is as old as the code
				p = history(plain(old.with(files{store: text}), head.with(files{store: text}))...)
			}
			j, results := judge(t, parsertest.Engine(), p.staged(plain(now)[0]))
			to, reason, err := j.Stamp(t.Context(), results[0])
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if to != nil {
				got = to.String()
			}
			want := regexp.QuoteMeta(strings.ReplaceAll(c.want, "HEAD", p.id(1)[:12]))
			want = "^" + strings.ReplaceAll(want, `:\*`, ":a[0-9a-f]{12}") + "$"
			if !regexp.MustCompile(want).MatchString(got) || !strings.Contains(reason, c.reason) || (c.reason == "") != (reason == "") {
				t.Errorf("got %q and %q, want %q and %q; %s", got, reason, c.want, c.reason, line(results[0]))
			}
		})
	}
	t.Run("unborn", func(t *testing.T) {
		const empty = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
		now := plain(files{"a.py": kiln, store: claims([]string{"a.py#vent"})})[0]
		change := memory.Change(snapshot.Staged, []snapshot.Tree{memory.Named(memory.Tree(nil), empty)}, memory.Named(memory.TreeOf(now), "index"))
		j, results := judge(t, parsertest.Engine(), change)
		if to, reason, err := j.Stamp(t.Context(), results[0]); to != nil || reason != "nothing is committed yet" || err != nil {
			t.Errorf("%v, %q, %v", to, reason, err)
		}
	})
}
