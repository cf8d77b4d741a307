package walfile

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/record"
	"pgregory.net/rapid"
)

func content(s string) Content { return Content{strings.NewReader(s), int64(len(s))} }

func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// add returns what the log becomes, and what is said about its last line.
func add(l *Log, old, rec string) (string, string, error) {
	read := Text
	if l.JSON {
		read = JSON
	}
	r, err := read([]byte(rec))
	if err != nil {
		return old, "", err
	}
	a, err := l.Next(content(old), r)
	if err != nil {
		return old, "", err
	}
	said := ""
	if a.Torn != nil {
		said = fmt.Sprintf("%d %s", a.Torn.Line, a.Torn.Text)
	}
	return old + string(a.Bytes), said, nil
}

func TestNext(t *testing.T) {
	text, plain, chain, mixed := &Log{}, &Log{JSON: true}, &Log{JSON: true, Chain: true}, &Log{JSON: true, Mixed: true}
	archive := func(s string) func() (*Content, error) {
		return func() (*Content, error) { c := content(s); return &c, nil }
	}
	long := `{"seq": 1, "text": "` + strings.Repeat("x", 3*blockSize) + `"}`
	for _, c := range []struct {
		title    string
		log      *Log
		old, rec string
		want     string // what comes behind old
		torn     string
	}{
		{"text", text, "a\n", "b\n", "b\n", ""},
		{"the first", text, "", "b", "b\n", ""},
		{"spaces stay", text, "a\n", "  b  \r\n", "  b  \n", ""},
		{"CRLF", text, "a\r\n", "b\n", "b\r\n", ""},
		{"torn", text, "a\nxe ch", "b\n", "\nb\n", "2 xe ch"},
		{"torn on the first line", text, "xe", "b\n", "\nb\n", "1 xe"},
		{"torn, CRLF", text, "a\r\nxe", "b\n", "\r\nb\r\n", "2 xe"},
		{"torn within a line end", text, "a\r\nxe\r", "b\n", "\nb\r\n", "2 xe"},
		{"torn within a character", text, "a\nch\xe1\xbb", "b\n", "\nb\n", "2 ch\ufffd"},
		{"JSON in plain text", text, "a\n", `{"a":1,"a":2}`, "{\"a\":1,\"a\":2}\n", ""},

		{"object", plain, "{\"a\": 1}\n", "{\"b\": 2}\n", "{\"b\": 2}\n", ""},
		{"as it is written", plain, "", " {\"b\" : 1e3 , \"a\":\"\\u00e9\" }\r\n", "{\"b\" : 1e3 , \"a\":\"\\u00e9\" }\n", ""},
		{"over several lines", plain, "", "{\n  \"a\": 1,\n  \"b\": \"x\"\n}\n", "{\"a\":1,\"b\":\"x\"}\n", ""},
		{"next number", plain, "{\"seq\": 4}\n", "{\"b\": 2}", "{\"b\": 2, \"seq\": 5}\n", ""},
		{"next number, written tightly", plain, "{\"seq\":4}\n", "{\"b\":2}", "{\"b\":2,\"seq\":5}\n", ""},
		{"next number of an empty object", plain, "{\"seq\":9}\n", "{ }", "{\"seq\": 10 }\n", ""},
		{"a number beyond 64 bits", plain, "{\"seq\":18446744073709551615}\n", "{}", "{\"seq\": 18446744073709551616}\n", ""},
		{"the right number", plain, "{\"seq\": 4}\n", "{\"seq\": 5}", "{\"seq\": 5}\n", ""},
		{"numbers begin", plain, "{\"a\": 4}\n", "{\"seq\": 1}", "{\"seq\": 1}\n", ""},
		{"behind a long line", plain, long + "\n", "{}", "{\"seq\": 2}\n", ""},
		{"torn object", plain, "{\"seq\": 4}\n{\"se", "{\"b\": 2}", "\n{\"b\": 2, \"seq\": 5, \"torn\": true}\n", "2 {\"se"},
		{"whole object, torn line end", plain, "{\"seq\": 4}", "{\"b\": 2}", "\n{\"b\": 2, \"seq\": 5, \"torn\": true}\n", "1 {\"seq\": 4}"},
		{"torn and closed off in silence", plain, "{\"seq\": 4}\n{\"se\n", "{\"b\": 2}", "{\"b\": 2, \"seq\": 5, \"torn\": true}\n", "2 {\"se"},
		{"torn, and the record knows", plain, "{\"se", "{\"torn\": true}", "\n{\"torn\": true}\n", "1 {\"se"},
		{"torn twice", plain, "{\"seq\": 1}\n{\"se\n{\"torn\": tr", "{}", "\n{\"seq\": 2, \"torn\": true}\n", "3 {\"torn\": tr"},
		{"an array is not torn", plain, "[1]\n", "{}", "{}\n", ""},

		{"an object in a text", mixed, "a\n", "{\"b\": 2}", "{\"b\": 2}\n", ""},
		{"an object in a torn text", mixed, "{\"seq\": 3}\na", "{\"b\": 2}", "\n{\"b\": 2, \"torn\": true}\n", "2 a"},
		{"objects in a text keep their numbers", mixed, "a\n{\"seq\": 3}\n", "{}", "{\"seq\": 4}\n", ""},
		{"chain, the first", chain, "", "{\"a\": 1}", "{\"a\": 1}\n", ""},
		{"chain", chain, "{\"a\": 1}\n", "{\"b\": 2}", "{\"b\": 2, \"prev\": \"" + digest(`{"a": 1}`) + "\"}\n", ""},
		{"chain, CRLF", chain, "{\"a\": 1}\r\n", "{}", "{\"prev\": \"" + digest(`{"a": 1}`) + "\"}\r\n", ""},
		{"chain, torn", chain, "{\"a\": 1}\n{\"b", "{}", "\n{\"prev\": \"" + digest(`{"b`) + "\", \"torn\": true}\n", "2 {\"b"},
		{"chain, torn within a line end", chain, "{\"a\": 1}\r\n{\"b\r", "{}", "\n{\"prev\": \"" + digest(`{"b`) + "\", \"torn\": true}\r\n", "2 {\"b"},
		{"chain, the right digest", chain, "{}\n", `{"prev":"` + digest("{}") + `"}`, `{"prev":"` + digest("{}") + "\"}\n", ""},
		{"goes on where the archive ends", &Log{JSON: true, Chain: true, Archive: archive("{\"seq\": 7}\n")}, "", "{}", "{\"seq\": 8, \"prev\": \"" + digest(`{"seq": 7}`) + "\"}\n", ""},
		{"an archive beside a log that is not empty", &Log{JSON: true, Archive: archive("{\"seq\": 7}\n")}, "{\"seq\": 9}\n", "{}", "{\"seq\": 10}\n", ""},
		{"an empty archive", &Log{JSON: true, Chain: true, Archive: archive("")}, "", "{}", "{}\n", ""},
		{"no archive yet", &Log{JSON: true, Chain: true, Archive: func() (*Content, error) { return nil, nil }}, "", "{}", "{}\n", ""},
	} {
		t.Run(c.title, func(t *testing.T) {
			got, torn, err := add(c.log, c.old, c.rec)
			if err != nil || got != c.old+c.want || torn != c.torn {
				t.Errorf("got %q, torn %q, %v; want %q, torn %q", strings.TrimPrefix(got, c.old), torn, err, c.want, c.torn)
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	text, plain, chain := &Log{}, &Log{JSON: true}, &Log{JSON: true, Chain: true}
	for _, c := range []struct {
		log            *Log
		old, rec, part string
	}{
		{text, "", "", "empty"},
		{text, "", " \n", "empty"},
		{text, "", "a\nb\n", "more than one line"},
		{text, "", "a\n\n", "more than one line"},
		{text, "", "a\rb", "more than one line"},
		{text, "", "a\x00", "NUL"},
		{text, "\xff\xfea\x00\n\x00", "b", "UTF-16"},
		{text, "\xfe\xff\x00a", "b", "UTF-16"},
		{plain, "", "\n", "empty"},
		{plain, "", "text", "not one JSON object"},
		{plain, "", "[1]", "an array"},
		{plain, "", "{}{}", "another value"},
		{plain, "", `{"a":1,"b":{"c":1,"c":2}}`, `"c" stands twice (column 19)`},
		{plain, "", `{"a":NaN}`, "column 6"},
		{plain, "", `{"a":"\ud800"}`, "surrogate"},
		{plain, "", "{\"a\":\"\xff\"}", "UTF-8"},
		{plain, "", "\ufeff{}", "column 1"},
		{plain, "", strings.Repeat(`{"a":`, 200) + "1" + strings.Repeat("}", 200), "nested"},
		{plain, "", `{"seq": 1.5}`, "whole number"},
		{plain, "{\"seq\": 4}\n", `{"seq": 6}`, "the next number is 5"},
		{plain, "{\"se", `{"torn": false}`, `"torn"`},
		{plain, strings.Repeat("text\n", maxUnreadable+1), "{}", "is it a JSON log"},
		{chain, "", `{"prev": "x"}`, "the first"},
		{chain, "{}\n", `{"prev": "x"}`, digest("{}")},
		{chain, "{}\n", `{"prev": null}`, digest("{}")},
	} {
		got, _, err := add(c.log, c.old, c.rec)
		var r *Refusal
		if !errors.As(err, &r) || !strings.Contains(r.Reason, c.part) || got != c.old {
			t.Errorf("%q into %q: got %v, want %q", c.rec, c.old, err, c.part)
		}
	}
}

// failing cannot be read from offset at on.
type failing struct {
	io.ReaderAt
	at int64
}

func (f failing) ReadAt(p []byte, at int64) (int, error) {
	if at+int64(len(p)) > f.at {
		return 0, io.ErrUnexpectedEOF
	}
	return f.ReaderAt.ReadAt(p, at)
}

func TestUnreadable(t *testing.T) {
	const old = "{\"seq\": 1}\n{\"se"
	r, err := JSON([]byte("{}"))
	if err != nil {
		t.Fatal(err)
	}
	for at := range int64(len(old)) {
		if _, err := (&Log{JSON: true}).Next(Content{failing{strings.NewReader(old), at}, int64(len(old))}, r); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("unreadable from byte %d: %v", at, err)
		}
	}
	broken := &Log{JSON: true, Archive: func() (*Content, error) { return nil, io.ErrUnexpectedEOF }}
	if _, err := broken.Next(content(""), r); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("an unreadable archive: %v", err)
	}
}

// TestLawCrashes appends with a crash after any byte, any number of times: what the check of logs says is never more than
// that lines are torn, each torn line is told when the next record is written, and no byte is lost.
func TestLawCrashes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := &Log{JSON: rapid.Bool().Draw(t, "JSON")}
		l.Chain = l.JSON && rapid.Bool().Draw(t, "chain")
		spec := record.Spec{Shape: record.Bytes}
		log, published := "", ""
		if l.JSON {
			spec = record.Spec{Shape: record.JSONL, Chain: l.Chain}
		}
		for i := range rapid.IntRange(1, 8).Draw(t, "records") {
			rec := fmt.Sprintf("record %d của đội", i)
			if l.JSON {
				rec = fmt.Sprintf(`{"n": %d, "text": "của"}`, i)
				if i == 0 {
					rec = `{"seq": 1}`
				}
			}
			now, torn, err := add(l, log, rec)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(now, log) {
				t.Fatalf("%q became %q", log, now)
			}
			if cut := log != "" && !strings.HasSuffix(log, "\n"); cut && torn == "" {
				t.Fatalf("%q: nothing is said of the torn line", log)
			}
			if rapid.Bool().Draw(t, "crash") {
				now = now[:rapid.IntRange(len(log), len(now)).Draw(t, "at")]
			}
			log = now
			if rapid.Bool().Draw(t, "commit") {
				published = log
			}
		}
		now, _, err := add(l, log, map[bool]string{true: "{}", false: "end"}[l.JSON])
		if err != nil {
			t.Fatal(err)
		}
		problems, err := record.Compare(record.Comparison{
			Spec: spec, Parents: []record.Parent{{Version: record.Content([]byte(published))}}, After: record.Content([]byte(now)), Whole: true, Tail: true,
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range problems {
			if p.Slug != record.TornTail || p.Level != finding.Flag {
				t.Fatalf("%q, of which %q was published: %+v", now, published, p)
			}
		}
	})
}

// FuzzNext: whatever is in the log and in the record, nothing old changes, and what comes in is one line.
func FuzzNext(f *testing.F) {
	for _, s := range []string{"", "a\n", "a\r\nb", "{\"seq\":1}\n{\"se", "\xff\xfe", "{\"a\":1}\r"} {
		f.Add([]byte(s), []byte("{\"a\": 1}"), true, true)
		f.Add([]byte(s), []byte("text\n"), false, false)
	}
	f.Fuzz(func(t *testing.T, old, rec []byte, asJSON, chain bool) {
		l := &Log{JSON: asJSON, Chain: chain && asJSON}
		now, _, err := add(l, string(old), string(rec))
		if err != nil {
			var r *Refusal
			if !errors.As(err, &r) {
				t.Fatal(err)
			}
			return
		}
		if !strings.HasPrefix(now, string(old)) || !strings.HasSuffix(now, "\n") {
			t.Fatalf("%q became %q", old, now)
		}
		added := now[len(old):]
		if n := strings.Count(added, "\n"); n > 2 || n == 2 && (len(old) == 0 || bytes.HasSuffix(old, []byte("\n"))) {
			t.Fatalf("%q got %q", old, added)
		}
		if !asJSON {
			return
		}
		body := strings.TrimSuffix(strings.TrimSuffix(added, "\n"), "\r")
		if i := strings.LastIndexByte(body, '\n'); i >= 0 {
			body = body[i+1:]
		}
		if _, err := record.ParseJSONLine([]byte(body)); err != nil {
			t.Fatalf("%q: %v", body, err)
		}
	})
}

// TestLongLog finds the last line of a log of many blocks, wherever their borders fall.
func TestLongLog(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		var b strings.Builder
		n := 0
		for b.Len() < 2*blockSize+rnd.IntN(100) {
			n++
			fmt.Fprintf(&b, "{\"seq\": %d, \"x\": %q}\n", n, strings.Repeat("x", rnd.IntN(200)))
		}
		got, _, err := add(&Log{JSON: true}, b.String(), "{}")
		if want := fmt.Sprintf("{\"seq\": %d}\n", n+1); err != nil || got != b.String()+want {
			t.Errorf("got %q, %v; want %q", strings.TrimPrefix(got, b.String()), err, want)
		}
	}
}
