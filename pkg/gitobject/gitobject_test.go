package gitobject

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestIDs(t *testing.T) {
	for _, c := range []struct {
		format      Format
		kind, data  string
		want, empty string
	}{
		{SHA1, "blob", "hello\n", "ce013625030ba8dba906f756967f9e9ca394464a", "4b825dc642cb6eb9a060e54bf8d69288fbee4904"},
		{SHA256, "blob", "hello\n", "2cf8d83d9ee29543b34a87727421fdecb7e3f3a183d337639025de576db9ebb4",
			"6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321"},
	} {
		if got := c.format.ID(c.kind, []byte(c.data)); got != c.want {
			t.Errorf("the id of %q is %s", c.data, got)
		}
		if got := c.format.EmptyTree(); got != c.empty || FormatOf(got) != c.format {
			t.Errorf("the empty tree is %s", got)
		}
		if !IsID(c.want) || IsID(c.want[1:]) || IsID(strings.ToUpper(c.want)) || IsZero(c.want) || !IsZero(strings.Repeat("0", len(c.want))) {
			t.Errorf("%s is not recognised", c.want)
		}
	}
	if IsZero("") || IsZero("000") || IsID("") {
		t.Error("what is too short is an id")
	}
}

const id1, id2 = "ce013625030ba8dba906f756967f9e9ca394464a", "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

func TestParseCommit(t *testing.T) {
	c, err := ParseCommit(id1, []byte("tree "+id2+"\nparent "+id1+"\nparent "+id2+"\nauthor A <a@b> 1 +0000\ngpgsig x\n parent "+id1+"\n\nsubject\n\nparent "+id1+"\n"))
	if err != nil || c.Tree != id2 || fmt.Sprint(c.Parents) != fmt.Sprint([]string{id1, id2}) || string(c.Message) != "subject\n\nparent "+id1+"\n" {
		t.Errorf("%+v, %v", c, err)
	}
	c, err = ParseCommit(id1, []byte("tree "+id2+"\nauthor A\nparent "+id1))
	if err != nil || len(c.Parents) != 0 || c.Message != nil {
		t.Errorf("a parent that stands too late: %+v, %v", c, err)
	}
	for _, s := range []string{"", "parent " + id1, "tree x", "tree " + id2 + "\nparent x", "tree " + id2 + strings.Repeat("0", 24), "\n\ntree " + id2} {
		if c, err := ParseCommit(id1, []byte(s)); !errors.Is(err, ErrMalformed) {
			t.Errorf("%q is %+v, %v", s, c, err)
		}
	}
}

func raw(id string) string {
	b, err := hex.DecodeString(id)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func TestParseTree(t *testing.T) {
	entries, err := ParseTree(id1, []byte("100664 a\x00"+raw(id1)+"40000 d \n\x00"+raw(id2)+"100777 x\x00"+raw(id1)+"160000 m\x00"+raw(id1)+"120000 l\x00"+raw(id1)))
	want := []Entry{{"a", Regular, id1}, {"d \n", Folder, id2}, {"x", Executable, id1}, {"m", Gitlink, id1}, {"l", Symlink, id1}}
	if err != nil || fmt.Sprint(entries) != fmt.Sprint(want) {
		t.Errorf("%v, %v", entries, err)
	}
	for _, s := range []string{
		"x", "100644 a", "100644 a\x00", "100644 a\x00" + raw(id1)[1:], "100644 \x00" + raw(id1), "100644 ..\x00" + raw(id1), "100644 .\x00" + raw(id1),
		"100644 a/b\x00" + raw(id1), "0 a\x00" + raw(id1), "100844 a\x00" + raw(id1), "110000 a\x00" + raw(id1), " a\x00" + raw(id1), "000000100644 a\x00" + raw(id1),
	} {
		if entries, err := ParseTree(id1, []byte(s)); !errors.Is(err, ErrMalformed) {
			t.Errorf("%q is %v, %v", s, entries, err)
		}
	}
}

func TestParseTag(t *testing.T) {
	if id, err := ParseTag(id1, []byte("object "+id2+"\ntype commit\n")); err != nil || id != id2 {
		t.Errorf("%s, %v", id, err)
	}
	for _, s := range []string{"", "object x\n", "type commit\nobject " + id2} {
		if id, err := ParseTag(id1, []byte(s)); !errors.Is(err, ErrMalformed) {
			t.Errorf("%q is %s, %v", s, id, err)
		}
	}
}

func TestValidPath(t *testing.T) {
	for path, want := range map[string]bool{
		"a": true, "a/b": true, "...": true, "a b/ ": true, "": false, "/a": false, "a/": false, "a//b": false, "..": false, "a/../b": false, "./a": false,
	} {
		if ValidPath(path) != want {
			t.Errorf("%q: %v", path, !want)
		}
	}
}

// FuzzParseTree makes sure that what is read holds together: a tree that parses can be written back to the same bytes, but
// for the modes that git itself makes alike.
func FuzzParseTree(f *testing.F) {
	f.Add([]byte("100644 a\x00" + raw(id1)))
	f.Add([]byte("40000 d\x00" + raw(id2) + "120000 l\x00" + raw(id1)))
	f.Add([]byte("100644 a\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, id := range []string{id1, strings.Repeat("a", 64)} {
			entries, err := ParseTree(id, data)
			if err != nil {
				continue
			}
			n := 0
			for _, e := range entries {
				if !IsID(e.ID) || FormatOf(e.ID) != FormatOf(id) || !ValidPath(e.Name) || strings.Contains(e.Name, "/") || e.Mode == 0 {
					t.Errorf("%+v", e)
				}
				n += len(e.Name) + 2 + int(FormatOf(id)) + 1
			}
			if n > len(data) {
				t.Errorf("%d bytes became entries of at least %d", len(data), n)
			}
		}
	})
}

func FuzzParseCommit(f *testing.F) {
	f.Add([]byte("tree " + id2 + "\nparent " + id1 + "\n\nmessage"))
	f.Add([]byte("tree " + id2))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := ParseCommit(id1, data)
		if err != nil {
			return
		}
		if !IsID(c.Tree) || !strings.HasSuffix(string(data), string(c.Message)) {
			t.Errorf("%+v", c)
		}
		for _, p := range c.Parents {
			if !strings.Contains(string(data), "\nparent "+p) {
				t.Errorf("parent %q is made up", p)
			}
		}
	})
}
