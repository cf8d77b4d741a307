package mindblock

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// parsed is Parse for texts within its limits.
func parsed(t interface{ Fatalf(string, ...any) }, src []byte) *Notes {
	n, err := Parse(src)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return n
}

// outline writes a parsed file in a few words: blocks with their sections, each with its items or with what it lacks.
func outline(n *Notes) string {
	var b strings.Builder
	for _, s := range n.Strays {
		fmt.Fprintf(&b, "stray %s\n", s.Text)
	}
	for i := range n.Blocks {
		bl := &n.Blocks[i]
		fmt.Fprintf(&b, "%s", bl.Number)
		switch {
		case bl.Compaction != nil && bl.Compaction.Exact:
			fmt.Fprintf(&b, " folded %d", bl.Compaction.Bytes)
		case bl.Compaction != nil:
			fmt.Fprint(&b, " folded badly")
		}
		for _, s := range bl.Sections {
			fmt.Fprintf(&b, " %c", s.Letter)
			switch {
			case s.Declared:
				b.WriteString("=")
			case s.Empty:
				b.WriteString("!")
			}
			if len(s.Items) > 0 {
				fmt.Fprintf(&b, "%d", len(s.Items))
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestParse(t *testing.T) {
	hash := "#### A — a\nx\n#### B — b\ny\n#### C\nz\n#### D\n- [raised] d\n#### E: e\n- r: pass → p\n"
	tests := []struct{ name, src, want string }{
		{"hashes", "### MIND-0\n\n" + hash, "0 A B C D1 E1\n"},
		{"bold, also without blank lines", "### MIND-0\n**A** a\nx\n**B — b**\ny\n__C__ c\nz\n**D:** d\n- [raised] d\n  more\n**E**\n\n(trống — khai)\n", "0 A B C D1 E=\n"},
		{"bold right below a list and a quote", "### MIND-0\n**C** c\n> q\n**D** d\n- [raised] one\n  more\n- [raised] two\n**E** e\n- r: pass → p\n", "0 C D2 E1\n"},
		{"a list", "### MIND-0\n- A a\n  x\n- B b\n  y\n* C c\n  z\n", "0 A B C\n"},
		{"a list with nested and with flat items", "### MIND-0\n- A a\n  x\n- D d\n  - [raised] one\n    - detail\n  - [raised] two\n- [raised] three\n- E e\n  - r: pass → p\n", "0 A D3 E1\n"},
		{"the first heading sets the style", "### MIND-0\n#### A\nx\n**B** y\n- C z\n#### D\n- A d\n", "0 A1 D1\n"},
		{"indented headings", "   ### MIND-0\n   #### A\nx\n    #### B\n\n    ### MIND-1\n", "0 A\n"},
		{"fence, quote, comment, list and code hold no heading", "### MIND-1\n#### A\n```\n### MIND-9\n#### B\n```\n> ### MIND-8\n> #### C\n\n<!--\n### MIND-7\n-->\n- ### MIND-6\n\n      ### MIND-5\n\n### MIND-0\n", "1 A1\n0\n"},
		{"another level is a stray", "## MIND-1\n#### MIND-2\n### MIND-0\n", "stray MIND-1\nstray MIND-2\n0\n"},
		{"so are case, sign and width", "### Mind-3\n### MIND 2\n### ＭＩＮＤ-１\n###MIND-4\n### MIND-0\n", "stray Mind-3\nstray MIND 2\nstray ＭＩＮＤ-１\nstray ###MIND-4\n0\n"},
		{"words behind the number", "### MIND-2 — after the pause\n### MIND-1x\n### MIND-0 #\n#### MIND-0 as it was\n", "2\n0\n"},
		{"a letter is a word of its own", "### MIND-0\n#### A-frame\n#### A/B test\n#### About\n#### AB\n#### A. one\nx\n#### B) two\n#### C—three\n#### F\n#### a\n", "0 A B! C\n"},
		{"another level is no section", "### MIND-0\n#### A\nx\n##### B\n### C\n# D\n", "0 A\n"},
		{"declared in any form", "### MIND-0\n#### A\n(TRỐNG  —  KHAI)\n#### B\n- (empty — declared)\n#### C (trống — khai)\n#### D\n(tro\u0302\u0301ng — khai)\n#### E\n(empty - declared)\n", "0 A= B= C= D= E=\n"},
		{"what says nothing", "### MIND-0\n#### A\n\n#### B\n<!-- a\nb -->\n---\n#### C\n- \n- …\n#### D\n`<!--` is code\n#### E\n", "0 A! B! C!2 D E!\n"},
		{"byte-order mark, frontmatter, CRLF", "\ufeff---\r\nmarkers: 2\r\n---\r\n\r\n# Notes\r\n\r\n### MIND-1\r\n\r\n#### A\r\nx\r\n### MIND-0\r\n", "1 A\n0\n"},
		{"lone CR", "### MIND-1\r#### A\rx\r### MIND-0\r", "1 A\n0\n"},
		{"folded", "### MIND-2\n\n(compacted: 12 bytes, sha256 0123456789abcdef)\n\n### MIND-1\n(compacted: 012 bytes, sha256 0123456789abcdef)\n### MIND-0\n(COMPACTED)\n", "2 folded 12\n1 folded badly\n0 folded badly\n"},
		{"a folded line among others is text", "### MIND-0\n(compacted: 12 bytes, sha256 0123456789abcdef)\nmore\n", "0\n"},
		{"nothing", "", ""},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, outline(parsed(t, []byte(tt.src)))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestContentIsWithoutItsEdges(t *testing.T) {
	for _, src := range []string{
		"### MIND-1\n\n \t\n  a \n\nb\n\n\n### MIND-0\n\nc",
		"\ufeff### MIND-1\r\n\r\n  a \n\nb\r\n \r\n### MIND-0\r\nc\r\n\r\n",
		"### MIND-1\n  a \n\nb\n### MIND-0\nc\n",
	} {
		n := parsed(t, []byte(src))
		if got := string(n.Blocks[0].Content()); got != "  a \n\nb" {
			t.Errorf("%q: got %q", src, got)
		}
		if got := string(n.Blocks[1].Content()); got != "c" {
			t.Errorf("%q: got %q", src, got)
		}
	}
	if n := parsed(t, []byte("### MIND-1\n\n### MIND-0")); len(n.Blocks[0].Content())+len(n.Blocks[1].Content()) != 0 {
		t.Error("an empty block has a content")
	}
}

func TestNumbers(t *testing.T) {
	huge := Number(strings.Repeat("9", 400))
	for _, tt := range []struct {
		a, b Number
		want int
	}{{"0", "00", 0}, {"2", "10", -1}, {"010", "9", 1}, {huge, huge + "0", -1}, {huge, "0" + huge, 0}, {"18446744073709551617", "1", 1}} {
		if got := tt.a.Compare(tt.b); got != tt.want {
			t.Errorf("%s and %s: got %d", tt.a, tt.b, got)
		}
		if got := tt.b.Compare(tt.a); got != -tt.want {
			t.Errorf("%s and %s: got %d", tt.b, tt.a, got)
		}
	}
	if Number("07").Plain() || !Number("0").Plain() || !Number("70").Plain() {
		t.Error("what is written plainly is not what is")
	}
}

func TestLabel(t *testing.T) {
	for item, want := range map[string]string{
		"[raised] x": "raised", "{contested} x": "contested", "**near-settled** x": "near-settled", "__raised__": "raised", "**[RAISED]** x": "raised",
		"[ waiting-for-owner ] x": "waiting-for-owner", "[ga\u0302\u0300n-cho\u0302\u0301t] x": "gần-chốt", "{MỚI-NÊU}": "mới-nêu", "[**đang-cãi**] x": "đang-cãi",
		"**treo-chờ-anh:** x": "treo-chờ-anh", "[raised] see [contested] there": "raised", "[raised](x.md) y": "raised",
	} {
		if got, ok := Label(item); !ok || got != want {
			t.Errorf("%q: got %q, %v", item, got, ok)
		}
	}
	for _, item := range []string{"", "x", "raised x", "(raised) x", "x [raised]", "[ ] [raised] x", "[raised", "[raised/contested] x", "[raised] [contested] x", "[raised], {raised} x", "**raised** **contested**", "[sắp-xong] x", "[]"} {
		if got, ok := Label(item); ok {
			t.Errorf("%q: got %q", item, got)
		}
	}
	for _, list := range [][]string{Labels(), Verdicts()} {
		for _, w := range list {
			if foldLabel(w) != w {
				t.Errorf("%q is not in the form in which it is compared", w)
			}
		}
	}
}

func TestReadRun(t *testing.T) {
	tests := []struct{ item, role, verdict, path, anchor string }{
		{"ctx-verifier: pass → reports/verify-2.md#summary", "ctx-verifier", "pass", "reports/verify-2.md", "summary"},
		{"**soi-anh**: BỎ-QUA -> `báo cáo/a b.md`.", "soi-anh", "bỏ-qua", "báo cáo/a b.md", ""},
		{"soi: co\u031b\u0300 => x.md", "soi", "cờ", "x.md", ""},
		{"soi: cơ\u0300 => x.md", "soi", "cờ", "x.md", ""},
		{"soi: cò => x.md", "soi", "", "", ""},
		{"soi：đạt → [báo cáo](../x.md#a), phần 2", "soi", "đạt", "../x.md", "a"},
		{"a: b: fail, ./x.md", "a: b", "fail", "./x.md", ""},
		{"a: **flag** — x.md (three words)", "a", "flag", "x.md", ""},
		{"a: skip <x y.md>", "a", "skip", "x y.md", ""},
		{"a: pass →", "a", "pass", "", ""},
		{": pass → x.md", "", "pass", "x.md", ""},
		{"a: fine → x.md", "a", "", "", ""},
		{"a pass → x.md", "", "", "", ""},
		{"a: passed → x.md", "a", "", "", ""},
		{"a: pass →\nreports/x.md", "a", "pass", "reports/x.md", ""},
		{"a: pass → #summary", "a", "pass", "", "summary"},
	}
	for _, tt := range tests {
		r := ReadRun(tt.item)
		if r.Role != tt.role || r.Verdict != tt.verdict || r.Path != tt.path || r.Anchor != tt.anchor {
			t.Errorf("%q: got %+v", tt.item, r)
		}
		if r.Path != "" && tt.item[r.Start:r.End] != strings.TrimSuffix(r.Path+"#"+r.Anchor, "#") {
			t.Errorf("%q: the pointer stands at %q", tt.item, tt.item[r.Start:r.End])
		}
	}
}

func TestFiles(t *testing.T) {
	std, err := ParseFiles(DefaultFiles)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		".claude/sessions/session-7/_mind-s-7.md": "session-7 7", ".claude/sessions/session-007/a/b/c.md": "session-007 007", ".claude/sessions/session-7": "session-7 7",
		".claude/sessions/session-99999999999999999999/x": "session-99999999999999999999 99999999999999999999",
		".claude/sessions/session-/x":                     "", ".claude/sessions/session-7a/x": "", ".claude/sessions/session-7x": "", ".claude/sessions/x": "", "a/.claude/sessions/session-7/x": "", ".Claude/sessions/session-7/x": "",
	} {
		dir, n, ok := std.Session(path)
		got := ""
		if ok {
			got = strings.TrimPrefix(dir, ".claude/sessions/") + " " + string(n)
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", path, got, want)
		}
	}
	for path, want := range map[string]bool{
		".claude/sessions/Session-7/x": true, ".claude/sessions/session-7a/x": true, ".CLAUDE/sessions/session-7/x": true, ".claude/sessions/session-７/x": true,
		".claude/sessions/session-7/x": false, ".claude/sessions/session-template/x": false, ".claude/x": false, "": false, "src/main.go": false,
	} {
		if _, got := std.NearSession(path); got != want {
			t.Errorf("%q looks like a session: %v", path, got)
		}
	}
	for base, want := range map[string]bool{"_mind-s-7.md": true, "_MIND.txt": true, "_ｍind": true, "_mi\u200bnd": true, "mind.md": false, "_min.md": false, "x_mind.md": false} {
		if got := std.Claims(base); got != want {
			t.Errorf("%q claims to be notes: %v", base, got)
		}
	}
	wide, err := ParseFiles("**/work/*/s<N>/é-<N>.md")
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{"work/a/s1/x": true, "x/y/work/a/s1/x": true, "work/s1/x": false, "work/a/b/s1/x": false} {
		if _, _, got := wide.Session(path); got != want {
			t.Errorf("%q is a session: %v", path, got)
		}
	}
	if !wide.Claims("E\u0301-9.txt") || wide.Name("3") != "é-3.md" {
		t.Error("a configured name is not recognised")
	}
	for _, bad := range []string{"", "a/b.md", "<N>.md", "s-<N>/mind.md", "/s-<N>/<N>.md", "../s-<N>/<N>.md", "s-<N>//<N>.md", "s-<N>/*<N>.md", "s*-<N>/<N>.md", "**/a/**/<N>/<N>.md", "<N><N>/<N>.md"} {
		if _, err := ParseFiles(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

func TestDeclaredCount(t *testing.T) {
	for body, want := range map[string]string{
		"markers: 7\n": "7", "a: 1\nmarkers: \"7\" # seven\n": "7", "markers = 3\n": "3", "'markers': x\n": "x", "markers:\n": "",
	} {
		if d, ok := DeclaredCount([]byte(body)); !ok || d.Text != want {
			t.Errorf("%q: got %+v, %v", body, d, ok)
		}
	}
	for _, body := range []string{"", "a: 1\n", " markers: 7\n", "xmarkers: 7\n", "# markers: 7\n"} {
		if d, ok := DeclaredCount([]byte(body)); ok {
			t.Errorf("%q: got %+v", body, d)
		}
	}
}

func TestTimestamps(t *testing.T) {
	yes := []string{
		"ts: 1", "TS=1", "  timestamp : 1", "\ttime-stamp: 1", "time_stamp:1", "- date: x", "* **Created**: x", "**updated:** x", "1. time: x", "2) ts: 1", "> ts: 1", "> - [ ] \"ts\": 1",
		"`ts`: 1", "'date' = 1", "\u00a0ts: 1", "\u3000ts：1", "\ufeffts: 1", "thời-gian: x", "THỜI-GIAN = x", "tho\u031b\u0300i-gian: x", "thơ\u0300i-gian: x", "_ts_: 1", "• ts: 1", "\u200bts: 1", "date:",
	}
	no := []string{
		"", "the ts: 1", "ts", "ts 1", "tsx: 1", "updated-at: 1", "my-date: 1", "#### date: 1", "Rewriting ts: in", "timestamps: 1", "| date: 1", "thời gian: x", "thoi-gian: x", "ts.a: 1", "a: ts: 1",
	}
	for _, line := range yes {
		if list := Timestamps([]byte("x\n" + line + "\r\nx\r" + line)); len(list) != 2 {
			t.Errorf("%q: got %v", line, list)
		}
	}
	for _, line := range no {
		if list := Timestamps([]byte(line + "\n")); len(list) != 0 {
			t.Errorf("%q: got %v", line, list)
		}
	}
	if s := Timestamps([]byte("- **Ts** = 5 \n"))[0]; s.Key != "Ts" || s.Value != "5" || s.Start != 4 || s.End != 6 {
		t.Errorf("got %+v", s)
	}
}

func TestPausePointers(t *testing.T) {
	var got []string
	for _, p := range PausePointers([]byte("PAUSE-1, (PAUSE-02) XPAUSE-3 PAUSE-<k> PAUSE-4a `PAUSE-5`. a-PAUSE-6 PAUSE-7.1 PAUSE-8-x →PAUSE-9")) {
		got = append(got, string(p.Number))
	}
	if diff := cmp.Diff([]string{"1", "02", "5", "7", "8", "9"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestAfterLine(t *testing.T) {
	for src, want := range map[string]int{"": 0, "a": 1, "a\n": 2, "a\nb": 2, "a\r\nb": 3, "a\rb": 2, "a\r": 2, "a\rb\n": 2, "\r\r\n": 1, "\n": 1, "ab\rc\r\n": 3} {
		if got := afterLine([]byte(src), 0); got != want {
			t.Errorf("%q: got %d, want %d", src, got, want)
		}
	}
}
