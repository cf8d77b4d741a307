package record

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// FuzzCompare holds the engine to the law of the shape on arbitrary bytes: without a problem the old version is a prefix
// of the new one at a line end.
func FuzzCompare(f *testing.F) {
	for _, s := range []string{"", "a\n", "a\nb\n", "a\r\nb", "\xff\xfea\x00\n\x00", "\xfe\xff\x00a\x00\n", "a\rb"} {
		f.Add([]byte(s), []byte(s+"c\n"))
		f.Add([]byte(s), []byte("c\n"+s))
	}
	f.Fuzz(func(t *testing.T, before, after []byte) {
		for _, direction := range []Direction{End, Top, Any} {
			problems, err := Compare(Comparison{Spec: Spec{Shape: Bytes, Direction: direction}, Parents: versions(string(before)), After: Content(after)})
			if err != nil {
				t.Fatal(err)
			}
			if direction == End && len(problems) == 0 && !bytes.HasPrefix(after, before) {
				t.Fatalf("%q became %q, and nothing is said", before, after)
			}
			for _, p := range problems {
				if p.Span.Start.Line < 0 || p.Message == "" || p.Anchor == "" && p.Slug != Rewritten && p.Slug != Inserted && p.Slug != Truncated && p.Slug != WrongEnd {
					t.Fatalf("%q became %q: %+v", before, after, p)
				}
			}
		}
	})
}

// FuzzJSONL compares the reader of JSON lines with encoding/json, which accepts more: repeated keys, bad UTF-8, depth.
func FuzzJSONL(f *testing.F) {
	for _, s := range []string{`{"seq":1}`, `{"a":{"b":[1,2,{"c":null}]}}`, `[1]`, `{"a":1,"a":2}`, ``, `{`, `{"seq":1e3}`, "{\"a\":\"\xff\"}", `{"prev":"x","torn":true}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		if bytes.IndexByte(line, '\n') >= 0 {
			return
		}
		problems, err := Compare(Comparison{Spec: Spec{Shape: JSONL, Chain: true, Time: "at"}, After: Content(append(bytes.Clone(line), '\n'))})
		if err != nil {
			t.Fatal(err)
		}
		bad := strings.Contains(say(problems), BadLine) || strings.Contains(say(problems), TornTail)
		var o map[string]json.RawMessage
		if good := json.Unmarshal(bytes.TrimSuffix(line, []byte("\r")), &o) == nil && o != nil; !bad && !good {
			t.Fatalf("%q passes for an object", line)
		}
		for _, p := range problems {
			if p.Span.Start.Line != 1 || p.Span.Start.Column < 1 || p.Span.End.Column < p.Span.Start.Column {
				t.Fatalf("%q: %+v", line, p)
			}
		}
	})
}

// FuzzLists holds the reader of lists to its promises on arbitrary documents: a document equals itself, grows by a new
// heading behind it, and every entry has a place.
func FuzzLists(f *testing.F) {
	f.Add([]byte(doneList), []byte("- x\n"))
	f.Add([]byte("- a\n  - b\n\n    c\n> - d\n"), []byte("| a |\n|---|\n"))
	f.Add([]byte("---\na: b\n---\n<!-- x -->\n# T\n"), []byte("<!-- open"))
	f.Add([]byte("\xff\xfe#\x00\n\x00"), []byte("\x00\r\n\r"))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		x, y := ParseList(a, nil), ParseList(b, nil)
		for _, l := range []*Listing{x, y} {
			for i := range l.Entries {
				e := &l.Entries[i]
				if e.Line < 1 || e.Span.Start.Line != e.Line || e.Parent >= i || e.Span.End.Column < e.Span.Start.Column {
					t.Fatalf("entry %d: %+v", i, e)
				}
			}
		}
		if ch := CompareLists(x, ParseList(a, nil)); len(ch.Problems) > 0 {
			t.Fatalf("%q differs from itself: %+v", a, ch.Problems)
		}
		ch := CompareLists(x, y)
		if len(ch.Problems) == 0 && len(x.Entries) > len(y.Entries) {
			t.Fatalf("%d entries became %d, and nothing is said", len(x.Entries), len(y.Entries))
		}
		for _, p := range ch.Problems {
			if p.Old >= len(x.Entries) || p.Message == "" {
				t.Fatalf("%+v", p)
			}
		}
	})
}
