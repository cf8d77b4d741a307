package record

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
)

func TestCompareJSONL(t *testing.T) {
	deep := strings.Repeat(`{"a":`, 200) + "1" + strings.Repeat("}", 200)
	long := `{"seq":2,"text":"` + strings.Repeat("y", 3*bufferSize) + `"}`
	cases := []struct {
		title, before, after string
		whole                bool
		want                 string
	}{
		{"good", "{\"seq\":1}\n", "{\"seq\":1}\n{\"seq\":2}\n", false, ""},
		{"new file", "", "{\"seq\":7}\n{\"seq\":8}\n", false, ""},
		{"gap", "{\"seq\":1}\n", "{\"seq\":1}\n{\"seq\":3}\n", false, "sequence 2:8"},
		{"gap behind spaces and other keys", "{\"seq\":1}\n", "{\"seq\":1}\n{\"a\": {\"seq\": 9}, \"seq\" :  3}\n", false, "sequence 2:28"},
		{"repeated", "{\"seq\":1}\n", "{\"seq\":1}\n{\"seq\":1}\n", false, "sequence 2:8"},
		{"seq lost", "{\"seq\":1}\n", "{\"seq\":1}\n{\"a\":1}\n", false, "sequence 2:1"},
		{"seq begun", "{\"a\":1}\n", "{\"a\":1}\n{\"seq\":5}\n{\"seq\":6}\n", false, ""},
		{"seq of another type", "{\"seq\":1}\n", "{\"seq\":1}\n{\"seq\":\"2\"}\n", false, "sequence 2:8"},
		{"seq a fraction", "{\"seq\":1}\n", "{\"seq\":1}\n{\"seq\":2.0}\n", false, "sequence 2:8"},
		{"seq an object", "", "{\"seq\":{\"seq\":1}}\n", false, "sequence 1:7"},
		{"seq beyond 64 bits", "{\"seq\":18446744073709551616}\n", "{\"seq\":18446744073709551616}\n{\"seq\":18446744073709551617}\n", false, ""},
		{"array", "", "[1]\n{\"a\":1}\n", false, "bad-line 1:1"},
		{"number", "", "1\n", false, "bad-line 1:1"},
		{"two objects on a line", "", "{\"a\":1} {\"b\":2}\n", false, "bad-line 1:9"},
		{"trailing comma", "", "{\"a\":1,}\n", false, "bad-line 1:7"},
		{"blank line", "", "{\"a\":1}\n\n{\"a\":2}\n", false, "bad-line 2:1"},
		{"duplicate key", "", "{\"a\":1, \"a\":2}\n", false, "bad-line 1:9"},
		{"duplicate key inside", "", "{\"a\":{\"b\":1,\"c\":0,\"b\":2}}\n", false, "bad-line 1:19"},
		{"BOM", "", "\ufeff{\"a\":1}\n", false, "bad-line 1:1"},
		{"bad UTF-8", "", "{\"a\":\"\xff\"}\n", false, "bad-line 1:7"},
		{"lone surrogate", "", `{"a":"\ud800"}` + "\n", false, "bad-line 1:7"},
		{"NaN", "", "{\"a\":NaN}\n", false, "bad-line 1:6"},
		{"too deep", "", deep + "\n", false, "bad-line 1:502"},
		{"CRLF", "", "{\"seq\":1}\r\n{\"seq\":2}\r\n", false, ""},
		{"torn", "{\"seq\":1}\n", "{\"seq\":1}\n{\"se", false, "torn-tail 2:5"},
		{"whole but without line end", "{\"seq\":1}\n", "{\"seq\":1}\n{\"seq\":2}", false, "torn-tail 2:10"},
		{"torn and closed off", "{\"seq\":1}\n{\"se", "{\"seq\":1}\n{\"se\n{\"seq\":2,\"torn\":true}\n", false, "torn-tail 2:5 flag"},
		{"torn, closed off, number used up", "{\"seq\":1}\n{\"se", "{\"seq\":1}\n{\"se\n{\"seq\":3,\"torn\":true}\n", false, "torn-tail 2:5 flag"},
		{"closed off in silence", "{\"seq\":1}\n{\"se", "{\"seq\":1}\n{\"se\n{\"seq\":2}\n", false, "bad-line 2:5"},
		{"torn is false", "{\"seq\":1}\n{\"se", "{\"seq\":1}\n{\"se\n{\"seq\":2,\"torn\":false}\n", false, "bad-line 2:5"},
		{"cut, and a line end behind it", "{\"seq\":1}\n", "{\"seq\":1}\n{\"se\n", false, "bad-line 2:5"},
		{"cut in the middle of a character", "{\"seq\":1}\n", "{\"seq\":1}\n{\"a\":\"ch\xe1\xbb\n", false, "bad-line 2:9"},
		{"torn twice", "{\"seq\":1}\n{\"se", "{\"seq\":1}\n{\"se\n{\"torn\": tr\n{\"seq\":2,\"torn\":true}\n", false, "torn-tail 2:5 flag, torn-tail 3:12 flag"},
		{"rubbish above a torn line", "", "[1]\n{\"se\n{\"seq\":2,\"torn\":true}\n", false, "bad-line 1:1, torn-tail 2:5 flag"},
		{"blocks of a disk that were never written", "{\"seq\":1}\n", "{\"seq\":1}\n\x00\x00\n{\"seq\":2,\"torn\":true}\n", false, "torn-tail 2:1 flag"},
		{"a whole array is not torn", "", "[1]\n{\"torn\":true}\n", false, "bad-line 1:1"},
		{"a repeated key is not torn", "", "{\"a\":1,\"a\":1}\n{\"torn\":true}\n", false, "bad-line 1:8"},
		{"the number of a bad line", "{\"seq\":1}\n", "{\"seq\":1}\n[]\n{\"seq\":3}\n{\"seq\":5}\n", false, "bad-line 2:1, sequence 4:8"},
		{"comment", "", "// one\n{\"a\":1} # two\n", false, "bad-line 1:1, bad-line 2:9"},
		{"finished later", "{\"seq\":1}\n{\"seq\":2}", "{\"seq\":1}\n{\"seq\":2}\n{\"seq\":3}\n", false, ""},
		{"old faults are not new", "nonsense\n{\"seq\":4}\n", "nonsense\n{\"seq\":4}\n{\"seq\":5}\n", false, ""},
		{"old faults under all", "nonsense\n{\"seq\":4}\n", "nonsense\n{\"seq\":4}\n", true, "bad-line 1:2"},
		{"a seam under all", "{\"seq\":1}\n{\"seq\":2}\n{\"seq\":2}\n", "{\"seq\":1}\n{\"seq\":2}\n{\"seq\":2}\n", true, ""},
		{"a gap under all", "{\"seq\":1}\n{\"seq\":3}\n", "{\"seq\":1}\n{\"seq\":3}\n", true, "sequence 2:8"},
		{"after a rewritten line", "{\"a\":1}\n", "{\"a\":2}\nnonsense\n", false, "rewritten 1:6"},
		{"long lines", "{\"seq\":1}\n", "{\"seq\":1}\n" + long + "\n{\"seq\":3}\n", false, ""},
		{"behind a long line", long + "\n", long + "\n{\"seq\":4}\n", false, "sequence 2:8"},
		{"behind a very long line", strings.Replace(long, "y", strings.Repeat("y", 3*chunkSize), 1) + "\n", strings.Replace(long, "y", strings.Repeat("y", 3*chunkSize), 1) + "\n{\"seq\":4}\n", false, "sequence 2:8"},
		{"line ends flipped", "{\"seq\":1}\n", "{\"seq\":1}\r\n{\"seq\":3}\r\n", false, "eol-changed 1:1, sequence 2:8"},
	}
	for _, c := range cases {
		t.Run(c.title, func(t *testing.T) {
			problems, err := Compare(Comparison{
				Spec: Spec{Shape: JSONL}, Parents: versions(c.before), After: Content([]byte(c.after)), Whole: c.whole,
			})
			if err != nil {
				t.Fatal(err)
			}
			if got := say(problems); got != c.want {
				t.Errorf("got %q, want %q: %+v", got, c.want, problems)
			}
		})
	}
}

func TestCompareJSONLMerge(t *testing.T) {
	line := func(n int, side string) string { return fmt.Sprintf("{\"seq\":%d,\"by\":%q}\n", n, side) }
	base := line(1, "")
	a, b := base+line(2, "a")+line(3, "a"), base+line(2, "b")
	for _, c := range []struct{ title, after, want string }{
		{"union", base + line(2, "a") + line(3, "a") + line(2, "b"), ""},
		{"union and a new line", base + line(2, "a") + line(3, "a") + line(2, "b") + line(4, ""), ""},
		{"union and two new lines with a gap", base + line(2, "a") + line(3, "a") + line(2, "b") + line(4, "") + line(6, ""), "sequence 6:8"},
		{"a bad line of its own", base + line(2, "a") + line(3, "a") + line(2, "b") + "[]\n", "bad-line 5:1"},
	} {
		t.Run(c.title, func(t *testing.T) {
			problems, err := Compare(Comparison{
				Spec: Spec{Shape: JSONL}, After: Content([]byte(c.after)),
				Parents: []Parent{{Version: Content([]byte(a))}, {Version: Content([]byte(b)), Bases: []Version{Content([]byte(base))}}},
			})
			if err != nil {
				t.Fatal(err)
			}
			if got := say(problems); got != c.want {
				t.Errorf("got %q, want %q: %+v", got, c.want, problems)
			}
		})
	}
}

// chained returns a chained log with these bodies, in which eol ends the lines.
func chained(eol string, bodies ...string) string {
	var b strings.Builder
	last := ""
	for i, body := range bodies {
		line := "{" + body + "}"
		if i > 0 {
			sum := sha256.Sum256([]byte(last))
			line = fmt.Sprintf("{%s,\"prev\":%q}", body, hex.EncodeToString(sum[:]))
		}
		b.WriteString(line + eol)
		last = line
	}
	return b.String()
}

func TestCompareChain(t *testing.T) {
	good := chained("\n", `"a":1`, `"b":2`, `"c":3`)
	cases := []struct{ title, before, after, want string }{
		{"good", good, good, ""},
		{"CRLF", "", chained("\r\n", `"a":1`, `"b":2`, `"c":3`), ""},
		{"altered line", "", strings.Replace(good, `"b":2`, `"b":9`, 1), "chain 3:15"},
		{"altered and committed", strings.Replace(good, `"b":2`, `"b":9`, 1), strings.Replace(good, `"b":2`, `"b":9`, 1), "chain 3:15"},
		{"line taken out", "", strings.SplitAfter(good, "\n")[0] + strings.SplitAfter(good, "\n")[2], "chain 2:15"},
		{"no prev", good, good + "{\"d\":4}\n", "chain 4:1"},
		{"a prev that is null on the first line", "", "{\"prev\":null}\n", "chain 1:9"},
		{"a prev that is a list", good, good + "{\"prev\":[1]}\n", "chain 4:8"},
		{"a published line made rubbish", strings.Replace(good, `{"b":2`, `{"b":`, 1), strings.Replace(good, `{"b":2`, `{"b":`, 1), "chain 2:6, chain 3:15"},
		{"first line taken out", "", strings.Join(strings.SplitAfter(good, "\n")[1:], ""), "chain 1:15"},
	}
	for _, c := range cases {
		t.Run(c.title, func(t *testing.T) {
			problems, err := Compare(Comparison{
				Spec: Spec{Shape: JSONL, Chain: true}, Parents: versions(c.before), After: Content([]byte(c.after)),
			})
			if err != nil {
				t.Fatal(err)
			}
			if got := say(problems); got != c.want {
				t.Errorf("got %q, want %q: %+v", got, c.want, problems)
			}
		})
	}
}

func TestCompareTime(t *testing.T) {
	cases := []struct{ title, before, after, want string }{
		{"forward", `{"at":"2026-01-01T10:00:00Z"}`, `{"at":"2026-01-01T10:00:00+01:00"}`, "time-reversed 2:7"},
		{"forward over zones", `{"at":"2026-01-01T10:00:00+01:00"}`, `{"at":"2026-01-01T10:00:00Z"}`, ""},
		{"back in seconds", `{"at":1767261600.5}`, `{"at":1767261600}`, "time-reversed 2:7"},
		{"equal", `{"at":1767261600}`, `{"at":1767261600}`, ""},
		{"no time", `{"at":1767261600}`, `{"b":1}`, ""},
		{"not a time", `{"at":"noon"}`, `{"at":"2026-01-01"}`, ""},
	}
	for _, c := range cases {
		t.Run(c.title, func(t *testing.T) {
			problems, err := Compare(Comparison{
				Spec: Spec{Shape: JSONL, Time: "at"}, Parents: versions(c.before + "\n"), After: Content([]byte(c.before + "\n" + c.after + "\n")),
			})
			if err != nil {
				t.Fatal(err)
			}
			if got := say(problems); got != c.want {
				t.Errorf("got %q, want %q: %+v", got, c.want, problems)
			}
		})
	}
}

func TestCompareJSONLRules(t *testing.T) {
	lines := func(bodies ...string) string {
		var b strings.Builder
		for _, body := range bodies {
			b.WriteString("{" + body + "}\n")
		}
		return b.String()
	}
	cases := []struct {
		title         string
		spec          Spec
		before, after string
		want          string
	}{
		{"newest on top", Spec{Direction: Top}, lines(`"seq":1`), lines(`"seq":3`, `"seq":2`, `"seq":1`), ""},
		{"newest on top with a gap", Spec{Direction: Top}, lines(`"seq":1`), lines(`"seq":3`, `"seq":1`), "sequence 1:8"},
		{"newest on top, first one", Spec{Direction: Top}, "", lines(`"seq":3`), ""},
		{"newest on top without a number", Spec{Direction: Top}, lines(`"seq":1`), lines(`"a":3`, `"seq":1`), "sequence 1:1"},
		{"time", Spec{Time: "at"}, lines(`"at":"2026-01-01T10:00:00Z"`), lines(`"at":"2026-01-01T10:00:00Z"`, `"at":"2026-01-01T09:00:00Z"`), "time-reversed 2:7"},
		{"the same time in another zone", Spec{Time: "at"}, lines(`"at":"2026-01-01T10:00:00Z"`), lines(`"at":"2026-01-01T10:00:00Z"`, `"at":"2026-01-01T17:00:00+07:00"`), ""},
		{"time behind a line without one", Spec{Time: "at"}, lines(`"at":"2026-01-01T10:00:00Z"`), lines(`"at":"2026-01-01T10:00:00Z"`, `"a":1`, `"at":"2026-01-01T09:00:00Z"`), "time-reversed 3:7"},
		{"seconds", Spec{Time: "at"}, "", lines(`"at":1700000000.5`, `"at":1700000000`), "time-reversed 2:7"},
		{"no field is configured", Spec{}, "", lines(`"at":"2026-01-02"`, `"at":"2026-01-01"`), ""},
		{"what is no time", Spec{Time: "at"}, "", lines(`"at":"noon"`, `"at":"2026-01-01"`, `"at":{"at":1}`), ""},
	}
	for _, c := range cases {
		t.Run(c.title, func(t *testing.T) {
			c.spec.Shape = JSONL
			problems, err := Compare(Comparison{Spec: c.spec, Parents: versions(c.before), After: Content([]byte(c.after))})
			if err != nil {
				t.Fatal(err)
			}
			if got := say(problems); got != c.want {
				t.Errorf("got %q, want %q: %+v", got, c.want, problems)
			}
		})
	}
}

// TestManyBadLines: a file of another kind does not flood the report.
func TestManyBadLines(t *testing.T) {
	const lines = 10 * maxBadLines
	problems, err := Compare(Comparison{Spec: Spec{Shape: JSONL}, After: Content([]byte(strings.Repeat("text\n", lines)))})
	if err != nil {
		t.Fatal(err)
	}
	if len(problems) != maxBadLines || !strings.Contains(problems[len(problems)-1].Message, fmt.Sprintf("%d further", lines-maxBadLines)) {
		t.Errorf("%d problems, the last is %+v", len(problems), problems[len(problems)-1])
	}
}
