package git

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-4419f9ca/forge/pkg/gitobject"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// pairedSamples are outputs with renames: whole ones first, then broken ones.
func pairedSamples() (whole, broken []string) {
	a, b, none := strings.Repeat("a", 40), strings.Repeat("b", 40), strings.Repeat("0", 40)
	rename := ":100644 100755 " + a + " " + b + " R086\x00old\x00new\n\xff\x00"
	twin := ":100644 100644 " + a + " " + a + " C100\x00old\x00twin\x00"
	edit := ":100644 100644 " + a + " " + b + " M\x00edit\x00"
	return []string{"", rename, twin + rename, rename + edit + ":000000 100644 " + none + " " + b + " A\x00R100 x\x00"}, []string{
		rename + rename, rename[:len(rename)-1], rename[1:], "x" + rename[1:], edit + "\x00", "\x00\x00\x00", ": R\x00a\x00b\x00", ":\x00\x00",
		strings.Replace(rename, "old", "../old", 1), strings.Replace(rename, "new\n\xff", "", 1), strings.Replace(rename, a, none, 1),
		strings.Replace(rename, "100644 ", "000000 ", 1), strings.Replace(rename, "R086", "X086", 1), strings.Replace(rename, a, a[1:], 1),
		strings.Replace(edit, " M", " ", 1), edit + "commit",
	}
}

func TestParsePaired(t *testing.T) {
	whole, broken := pairedSamples()
	var lists []rawList
	var maps []map[string]string
	for _, s := range whole {
		list, pairs, err := parsePaired([]byte(s), gitobject.SHA1)
		if err != nil {
			t.Fatalf("%q: %v", s, err)
		}
		lists, maps = append(lists, list), append(maps, pairs)
	}
	one := map[string]string{"old": "new\n\xff"}
	if diff := cmp.Diff([]map[string]string{{}, one, one, one}, maps); diff != "" {
		t.Error(diff)
	}
	a, b := snapshot.OID(strings.Repeat("a", 40)), snapshot.OID(strings.Repeat("b", 40))
	want := []snapshot.Delta{
		{Path: "twin", After: snapshot.Entry{Path: "twin", Mode: snapshot.Regular, OID: a}},
		{Path: "old", Before: snapshot.Entry{Path: "old", Mode: snapshot.Regular, OID: a}},
		{Path: "new\n\xff", After: snapshot.Entry{Path: "new\n\xff", Mode: snapshot.Executable, OID: b}},
	}
	if diff := cmp.Diff(want, lists[2].deltas); diff != "" {
		t.Error(diff)
	}
	if n := len(lists[3].deltas); n != 4 {
		t.Errorf("%d differences, not 4", n)
	}
	for _, s := range broken {
		if list, pairs, err := parsePaired([]byte(s), gitobject.SHA1); err == nil {
			t.Errorf("%q is read as %v, %v", s, list, pairs)
		}
	}
}

// FuzzParsePaired makes sure that what is read holds together: pairs lead from a path that left to one that came, each once.
func FuzzParsePaired(f *testing.F) {
	whole, broken := pairedSamples()
	for _, s := range append(whole, broken...) {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		list, pairs, err := parsePaired(data, gitobject.SHA1)
		if err != nil {
			return
		}
		came, left := map[string]bool{}, map[string]bool{}
		for _, d := range list.deltas {
			if !gitobject.ValidPath(d.Path) {
				t.Errorf("%q is a path", d.Path)
			}
			came[d.Path] = came[d.Path] || d.After.Exists()
			left[d.Path] = left[d.Path] || d.Before.Exists()
		}
		for from, to := range pairs {
			if !left[from] || !came[to] {
				t.Errorf("%q went to %q in %v", from, to, list.deltas)
			}
		}
	})
}
