package jsondoc_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-4419f9ca/forge/pkg/jsondoc"
)

// faults writes the faults of a document as "line:column kind reason".
func faults(d *jsondoc.Document) []string {
	var out []string
	names := map[jsondoc.FaultKind]string{jsondoc.Syntax: "syntax", jsondoc.ByteOrderMark: "bom", jsondoc.DuplicateKey: "duplicate", jsondoc.NotScalar: "scalar"}
	for _, f := range d.Faults {
		pos := d.Lines().Pos(f.Start)
		out = append(out, fmt.Sprintf("%d:%d %s: %s", pos.Line, pos.Column, names[f.Kind], f.Reason))
	}
	return out
}

func TestFaultsStandInTheirPlaces(t *testing.T) {
	deep := strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000)
	for _, tt := range []struct {
		name, src string
		want      []string
		readable  bool
	}{
		{name: "good", src: `{"a": [1, true, false, null, "x", -0.5e+10, {}]}`, readable: true},
		{name: "empty", src: "", want: []string{"1:1 syntax: the file holds no JSON value"}},
		{name: "blank", src: " \n\n", want: []string{"2:2 syntax: the file holds no JSON value"}},
		{name: "byte order mark", src: "\ufeff{}", want: []string{"1:1 bom: a byte order mark stands before the JSON text"}, readable: true},
		{name: "byte order mark twice", src: "\ufeff\ufeff{}", want: []string{"1:1 bom: a byte order mark stands before the JSON text", `1:4 syntax: invalid character '\ufeff' at start of value`}},
		{name: "duplicate", src: "{\n \"a\": 1,\n \"b\": {\"c\": 1, \"\\u0063\": 2},\n \"a\": 3}",
			want: []string{`3:16 duplicate: the key "c" stands twice in one object`, `4:2 duplicate: the key "a" stands twice in one object`}, readable: true},
		{name: "three times", src: `{"a":1,"a":1,"a":1}`, want: []string{`1:8 duplicate: the key "a" stands twice in one object`, `1:14 duplicate: the key "a" stands twice in one object`}, readable: true},
		{name: "lone surrogate", src: `["\ud83d\ude00", "x\ud800y", "\udc00", "\ud800\u0041"]`,
			want: []string{`1:20 scalar: \ud800 is half of a character`, `1:31 scalar: \udc00 is half of a character`, `1:41 scalar: \ud800 is half of a character`}, readable: true},
		{name: "no UTF-8", src: "[\"ok\", \"a\xffb\"]", want: []string{"1:10 scalar: the byte 0xff is no UTF-8"}, readable: true},
		{name: "encoded surrogate", src: "[\"\xed\xa0\x80\"]", want: []string{"1:3 scalar: the byte 0xed is no UTF-8"}, readable: true},
		{name: "trailing comma in an array", src: "[\n1,\n2,\n]", want: []string{"3:2 syntax: a comma stands before the closing bracket"}},
		{name: "trailing comma in an object", src: "{\"a\": 1, }", want: []string{"1:8 syntax: a comma stands before the closing bracket"}},
		{name: "NaN", src: "[1,\n NaN]", want: []string{"2:2 syntax: NaN is no JSON value"}},
		{name: "minus infinity", src: "[-Infinity]", want: []string{"1:2 syntax: -Infinity is no JSON value"}},
		{name: "line comment", src: "{ // why\n}", want: []string{"1:3 syntax: JSON has no comments"}},
		{name: "block comment", src: "[1, /* two */ 2]", want: []string{"1:5 syntax: JSON has no comments"}},
		{name: "single quotes", src: "{'a': 1}", want: []string{"1:2 syntax: strings and names stand in double quotes"}},
		{name: "missing comma", src: "[1\n 2]", want: []string{"2:2 syntax: invalid character '2' after array element (expecting ',' or ']')"}},
		{name: "cut off", src: `{"a": [1, 2`, want: []string{"1:12 syntax: the text ends before the JSON value does"}},
		{name: "cut off in a string", src: `{"a": "x`, want: []string{"1:9 syntax: the text ends before the JSON value does"}},
		{name: "line end in a string", src: "[\"a\nb\"]", want: []string{`1:4 syntax: invalid character '\n' in string (expecting non-control character)`}},
		{name: "two values", src: "{}\n{}", want: []string{"2:1 syntax: something follows the end of the JSON text"}},
		{name: "leading zero", src: "[01]", want: []string{"1:3 syntax: invalid character '1' after array element (expecting ',' or ']')"}},
		{name: "too deep", src: deep, want: []string{"1:101 syntax: values are nested more than 100 deep"}},
		{name: "deep in keys", src: strings.Repeat(`{"a":`, 10_000), want: []string{"1:501 syntax: values are nested more than 100 deep"}},
		{name: "as deep as may be", src: strings.Repeat("[", 100) + strings.Repeat("]", 100), readable: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := jsondoc.Parse([]byte(tt.src))
			if diff := cmp.Diff(tt.want, faults(d)); diff != "" {
				t.Errorf("faults (-want +got):\n%s", diff)
			}
			if (d.Root != nil) != tt.readable {
				t.Errorf("readable is %v, want %v", d.Root != nil, tt.readable)
			}
		})
	}
}

func TestPlacesOfValues(t *testing.T) {
	src := "\ufeff{\"a\" :\t\"\\u00e9\", \"b\": [ 10 , {\"c\":null} ] }"
	d := jsondoc.Parse([]byte(src))
	b := d.Root.Get("b")
	for _, tt := range []struct {
		got  string
		want string
	}{
		{string(d.Raw(d.Root)), src[3:]},
		{src[d.Root.Get("a").Start:d.Root.Get("a").End], `"a"`},
		{string(d.Raw(&d.Root.Get("a").Value)), `"\u00e9"`},
		{d.Root.Get("a").Value.Text, "é"},
		{src[b.Start:b.End], `"b"`},
		{string(d.Raw(&b.Value)), `[ 10 , {"c":null} ]`},
		{string(d.Raw(&b.Value.Items[0])), "10"},
		{string(d.Raw(&b.Value.Items[1])), `{"c":null}`},
		{string(d.Raw(&b.Value.Items[1].Get("c").Value)), "null"},
	} {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
	if d.Root.Get("c") != nil || b.Value.Get("c") != nil {
		t.Error("Get finds what is not there")
	}
}

func TestEqual(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{`1`, `1.0`, true},
		{`1`, `10e-1`, true},
		{`100`, `1E+2`, true},
		{`0`, `-0.000e5`, true},
		{`1`, `-1`, false},
		{`1`, `1.00000000000000000000000000001`, false},
		{`12345678901234567890`, `12345678901234567891`, false},
		{`1e999999999999999999999`, `10e999999999999999999998`, true},
		{`1e999999999999999999999`, `1e999999999999999999998`, false},
		{`1e` + strings.Repeat("9", 2000), `1e` + strings.Repeat("9", 2001), false},
		{`1e` + strings.Repeat("9", 2000), `1e` + strings.Repeat("9", 2000), true},
		{`"a"`, `"\u0061"`, true},
		{`"é"`, `"e\u0301"`, false},
		{`{"a":1,"b":[2]}`, `{ "b" : [2.0], "\u0061" : 1 }`, true},
		{`{"a":1}`, `{"a":1,"b":null}`, false},
		{`[1,2]`, `[2,1]`, false},
		{`[1,2]`, `[1,2,3]`, false},
		{`true`, `false`, false},
		{`null`, `false`, false},
		{`1`, `"1"`, false},
		{`{"a":1,"a":2}`, `{"a":2}`, false},
		{`{"a":1,"a":2}`, `{"a":2,"a":1}`, false},
		{`{"a":1,"a":2,"b":3}`, `{"b":3,"a":1,"a":2}`, true},
		{`"\ud800"`, `"\ud801"`, false},
	} {
		a, b := jsondoc.Parse([]byte(tt.a)).Root, jsondoc.Parse([]byte(tt.b)).Root
		if got := jsondoc.Equal(a, b); got != tt.want || jsondoc.Equal(b, a) != tt.want {
			t.Errorf("Equal(%.40s, %.40s) = %v, want %v", tt.a, tt.b, got, tt.want)
		}
		if !jsondoc.Equal(a, a) || !jsondoc.Equal(b, b) {
			t.Errorf("%.40s does not equal itself", tt.a)
		}
	}
}

func TestIsWhole(t *testing.T) {
	for _, tt := range []struct {
		src  string
		want int64
		ok   bool
	}{
		{`3`, 3, true}, {`3.0`, 3, true}, {`0.3e1`, 3, true}, {`30e-1`, 3, true}, {`-7`, -7, true}, {`0`, 0, true}, {`1e3`, 1000, true},
		{`3.5`, 0, false}, {`1e400`, 0, false}, {`99999999999999999999`, 0, false}, {`"3"`, 0, false}, {`null`, 0, false},
		{`1e` + strings.Repeat("9", 2000), 0, false},
	} {
		if n, ok := jsondoc.Parse([]byte(tt.src)).Root.IsWhole(); n != tt.want || ok != tt.ok {
			t.Errorf("IsWhole(%.40s) = %d, %v", tt.src, n, ok)
		}
	}
}

func TestManyKeys(t *testing.T) {
	var b strings.Builder
	for i := range 100 {
		fmt.Fprintf(&b, `"k%d":%d,`, i, i)
	}
	d := jsondoc.Parse([]byte("{" + b.String() + `"k42":0}`))
	if len(d.Faults) != 1 || d.Faults[0].Name != "k42" || d.Faults[0].First != strings.Index(b.String(), `"k42"`)+1 {
		t.Errorf("faults: %+v", d.Faults)
	}
}

// What jsondoc takes without a fault is JSON to encoding/json too, and means the same when it is laid out in another way.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		`{}`, `[1,{"a":"b"}]`, "\ufeff[]", `{"a":1,"a":2}`, `["\ud800"]`, "[\"\xff\"]", `[1,]`, `[NaN]`, `// x`, `[[[[`, `"`, `-`, `1e`, "[\"\\u00", `{"":{"":{"":0}}}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		kept := bytes.Clone(src)
		d := jsondoc.Parse(src)
		if !bytes.Equal(kept, src) {
			t.Fatal("the source was changed")
		}
		for _, fault := range d.Faults {
			if fault.Start < 0 || fault.End < fault.Start || fault.End > len(src) || fault.Reason == "" {
				t.Fatalf("a fault has no place or no reason: %+v", fault)
			}
		}
		if d.Root == nil {
			if len(d.Faults) == 0 {
				t.Fatal("no document and no fault")
			}
			return
		}
		within(t, d, d.Root, 0, len(src))
		if !jsondoc.Equal(d.Root, jsondoc.Parse(src).Root) {
			t.Fatal("a document does not equal itself")
		}
		if len(d.Faults) > 0 {
			return
		}
		if !json.Valid(src) {
			t.Fatalf("encoding/json refuses %q", src)
		}
		var again bytes.Buffer
		if err := json.Indent(&again, src, "", "\t"); err != nil {
			t.Fatal(err)
		}
		if other := jsondoc.Parse(again.Bytes()); other.Root == nil || !jsondoc.Equal(d.Root, other.Root) {
			t.Fatalf("%q means something else when it is indented", src)
		}
	})
}

// within checks that a value and all below it lie inside of what holds them.
func within(t *testing.T, d *jsondoc.Document, v *jsondoc.Value, from, to int) {
	t.Helper()
	if v.Start < from || v.End > to || v.End <= v.Start {
		t.Fatalf("a value stands from %d to %d, outside of %d to %d", v.Start, v.End, from, to)
	}
	at := v.Start + 1
	for i := range v.Members {
		m := &v.Members[i]
		if m.Start < at || m.End <= m.Start || d.Source[m.Start] != '"' || d.Source[m.End-1] != '"' {
			t.Fatalf("a name stands from %d to %d", m.Start, m.End)
		}
		within(t, d, &m.Value, m.End+1, v.End-1)
		at = m.Value.End
	}
	for i := range v.Items {
		within(t, d, &v.Items[i], at, v.End-1)
		at = v.Items[i].End
	}
}
