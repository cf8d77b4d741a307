package git

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/seed-4419f9ca/forge/pkg/gitobject"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

const (
	idA   = "ce013625030ba8dba906f756967f9e9ca394464a"
	idB   = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
	zeros = "0000000000000000000000000000000000000000"
)

func TestParseRaw(t *testing.T) {
	rec := func(modes, a, b, status, path string) string {
		return ":" + modes + " " + a + " " + b + " " + status + "\x00" + path + "\x00"
	}
	data := rec("100644 100755", idA, idB, "M", "a\nb") + rec("000000 120000", zeros, idA, "A", "new") + rec("160000 000000", idA, zeros, "D", "old") +
		rec("100644 000000", idA, zeros, "U", "conflict") + rec("100644 100644", idA, zeros, "M", "disk") + idA + " rest"
	list, rest, err := parseRaw([]byte(data), gitobject.SHA1)
	if err != nil || string(rest) != idA+" rest" || fmt.Sprint(list.unmerged) != "[conflict]" || len(list.deltas) != 4 {
		t.Fatalf("%+v, %q, %v", list, rest, err)
	}
	want := []snapshot.Delta{
		{Path: "a\nb", Before: snapshot.Entry{Path: "a\nb", Mode: snapshot.Regular, OID: idA}, After: snapshot.Entry{Path: "a\nb", Mode: snapshot.Executable, OID: idB}},
		{Path: "new", After: snapshot.Entry{Path: "new", Mode: snapshot.Symlink, OID: idA}},
		{Path: "old", Before: snapshot.Entry{Path: "old", Mode: snapshot.Gitlink, OID: idA}},
		{Path: "disk", Before: snapshot.Entry{Path: "disk", Mode: snapshot.Regular, OID: idA}, After: snapshot.Entry{Path: "disk", Mode: snapshot.Regular}},
	}
	for i, d := range list.deltas {
		if d != want[i] {
			t.Errorf("%+v, want %+v", d, want[i])
		}
	}
	for _, s := range []string{
		":", ":x", ":100644 100644 " + idA + " " + idB + " M", ":100644 100644 " + idA + " " + idB + " M\x00", ":100644 100644 " + idA + " " + idB + " M\x00\x00",
		rec("100644 100644", idA[:39], idB, "M", "a"), rec("100644 100644", idA[:7], idB[:7], "M", "a"), rec("100644 100644", idA, idB, "R100", "a"),
		rec("100644 100644", idA, idB, "X", "a"), rec("40000 100644", idA, idB, "M", "a"), rec("100644 100644", idA, idB, "M", "../a"),
		rec("100644 100644", idA, idB, "M", "/a"), rec("000000 100644", idA, idB, "A", "a"), rec("100644 000000", idA, idB, "D", "a"),
		rec("100644 100644", idA+strings.Repeat("0", 24), idB+strings.Repeat("0", 24), "M", "a"), rec("100644 100644", strings.ToUpper(idA), idB, "M", "a"),
	} {
		if list, _, err := parseRaw([]byte(s), gitobject.SHA1); err == nil {
			t.Errorf("%q is %+v", s, list)
		}
	}
	if _, err := wholeRaw([]byte(data), gitobject.SHA1); err == nil {
		t.Error("what follows the records is ignored")
	}
}

func TestParseList(t *testing.T) {
	list, err := parseList([]byte("100644 blob "+idA+"\ta b\n\t\x00160000 commit "+idB+"\tm\x00"), gitobject.SHA1, "d/")
	want := []snapshot.Entry{{Path: "d/a b\n\t", Mode: snapshot.Regular, OID: idA}, {Path: "d/m", Mode: snapshot.Gitlink, OID: idB}}
	if err != nil || fmt.Sprint(list) != fmt.Sprint(want) {
		t.Errorf("%v, %v", list, err)
	}
	for _, s := range []string{
		"x", "100644 blob " + idA + "\ta", "100644 blob " + idA + " a\x00", "100644 blob " + idA[1:] + "\ta\x00", "040000 tree " + idA + "\ta\x00",
		"100644 blob " + idA + "\t../a\x00", "100644 blob " + idA + "\t\x00", "100644 blob " + zeros + "\ta\x00", "\x00\t",
	} {
		if list, err := parseList([]byte(s), gitobject.SHA1, ""); err == nil {
			t.Errorf("%q is %v", s, list)
		}
	}
}

func TestParseHeader(t *testing.T) {
	for _, c := range []struct {
		line, name string
		want       object
	}{
		{idA + " blob 12", idA, object{oid: idA, kind: "blob", size: 12}},
		{idA + " commit 0", "HEAD", object{oid: idA, kind: "commit"}},
		{idA + " commit 5", idA + " ", object{oid: idA, kind: "commit", size: 5}},
	} {
		if o, err := parseHeader(c.line, c.name); err != nil || fmt.Sprint(o) != fmt.Sprint(c.want) {
			t.Errorf("%q is %+v, %v", c.line, o, err)
		}
	}
	for _, c := range [][2]string{{"HEAD missing", "HEAD"}, {idA + " missing", idA}, {"a b missing", "a b"}, {" missing", ""}} {
		if o, err := parseHeader(c[0], c[1]); !errors.Is(err, snapshot.ErrNoObject) {
			t.Errorf("%q is %+v, %v", c[0], o, err)
		}
	}
	for _, c := range [][2]string{
		{"ab ambiguous", "ab"}, {"", idA}, {idA, idA}, {idA + " blob", idA}, {idA + " blob -1", idA}, {idA + " blob x", idA}, {idA + " thing 1", idA},
		{idB + " blob 1", idA}, {"ce01 blob 1", "HEAD"}, {idA + " blob 1 2", idA}, {idB + " missing", idA}, {idA + " blob 99999999999999999999", idA},
	} {
		if o, err := parseHeader(c[0], c[1]); err == nil || errors.Is(err, snapshot.ErrNoObject) {
			t.Errorf("%q is %+v, %v", c[0], o, err)
		}
	}
}

func FuzzParseRaw(f *testing.F) {
	f.Add([]byte(":100644 100644 " + idA + " " + idB + " M\x00path\x00"))
	f.Add([]byte(":000000 160000 " + zeros + " " + idB + " A\x00a/b\x00" + idA + " " + idB + "\n"))
	f.Add([]byte(":100644 000000 " + idA + " " + zeros + " U\x00c\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		list, rest, err := parseRaw(data, gitobject.SHA1)
		if err != nil {
			return
		}
		n := 0
		for _, d := range list.deltas {
			n += len(d.Path)
			if !gitobject.ValidPath(d.Path) || (!d.Before.Exists() && d.Before != snapshot.Entry{}) || (!d.After.Exists() && d.After != snapshot.Entry{}) {
				t.Errorf("%+v", d)
			}
		}
		records := len(list.deltas) + len(list.unmerged)
		if used := len(data) - len(rest); used < n+records*len(":100644 100644 "+idA+" "+idB+" M\x00\x00") {
			t.Errorf("%d records out of %d bytes", records, used)
		}
		if len(rest) > 0 && rest[0] == ':' {
			t.Errorf("a record is left over: %q", rest)
		}
	})
}

func FuzzParseList(f *testing.F) {
	f.Add([]byte("100644 blob " + idA + "\ta\x00160000 commit " + idB + "\tb/c\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := parseList(data, gitobject.SHA1, "p/")
		if err != nil {
			return
		}
		for _, e := range list {
			if !e.Exists() || !gitobject.IsID(string(e.OID)) || !gitobject.ValidPath(e.Path) || !strings.HasPrefix(e.Path, "p/") {
				t.Errorf("%+v", e)
			}
		}
	})
}

func FuzzParseHeader(f *testing.F) {
	f.Add(idA+" blob 12", idA)
	f.Add("HEAD missing", "HEAD")
	f.Add(idA+" ambiguous", idA)
	f.Fuzz(func(t *testing.T, line, name string) {
		o, err := parseHeader(line, name)
		if err == nil && (!gitobject.IsID(o.oid) || o.size < 0 || (gitobject.IsID(name) && o.oid != name)) {
			t.Errorf("%q for %q is %+v", line, name, o)
		}
	})
}

func FuzzParsePush(f *testing.F) {
	f.Add([]byte("refs/heads/a " + idA + " refs/heads/a " + idB + "\n"))
	f.Add([]byte("(delete) " + zeros + " refs/heads/a " + idB + "\r\n\n"))
	f.Add([]byte("HEAD^{/a b} " + idA + " refs/heads/a " + zeros))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, parse := range []func([]byte) ([]refUpdate, error){parsePush, parseReceive} {
			updates, err := parse(data)
			if err != nil {
				continue
			}
			for _, u := range updates {
				if !gitobject.IsID(u.old) || !gitobject.IsID(u.new) || u.ref == "" || !strings.Contains(string(data), u.ref) {
					t.Errorf("%+v", u)
				}
			}
			lines := 0
			for line := range strings.Lines(string(data)) {
				if strings.TrimRight(line, "\r\n") != "" {
					lines++
				}
			}
			if lines != len(updates) {
				t.Errorf("%d lines gave %d updates", lines, len(updates))
			}
		}
	})
}

func FuzzParseRange(f *testing.F) {
	for _, s := range []string{"a..b", "a...b", "..", "...", "a", "a..b..c", "a....b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, spec string) {
		from, to, symmetric, err := parseRange(spec)
		if err != nil {
			return
		}
		dots := ".."
		if symmetric {
			dots = "..."
		}
		for _, s := range []string{from + dots + to, dots + to, from + dots, dots} {
			if s == spec {
				return
			}
		}
		t.Errorf("%q is %q%s%q", spec, from, dots, to)
	})
}
