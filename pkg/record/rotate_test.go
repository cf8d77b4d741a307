package record

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// there makes a version, the zero one of "-".
func there(s string) Version {
	if s == "-" {
		return Version{}
	}
	return Content([]byte(s))
}

func TestRotation(t *testing.T) {
	cases := []struct {
		title         string
		direction     Direction
		before, after string
		archived, now string // the archive, "-" when it is not there
		want          string
	}{
		{"all into a new archive", End, "a\nb\n", "", "-", "a\nb\n", ""},
		{"all, and new lines", End, "a\nb\n", "c\nd\n", "-", "a\nb\n", ""},
		{"the oldest", End, "a\nb\nc\n", "b\nc\nd\n", "-", "a\n", ""},
		{"behind what is there", End, "a\nb\n", "b\n", "z\n", "z\na\n", ""},
		{"behind a line without its end", End, "a\nb\n", "b\n", "z", "z\na\n", ""},
		{"behind a line without its end, CRLF", End, "a\r\nb\r\n", "b\r\n", "z", "z\r\na\r\n", ""},
		{"glued to a line without its end", End, "a\nb\n", "b\n", "z", "za\n", ""},
		{"a last line without its end", End, "a\nb", "", "-", "a\nb", ""},
		{"a last line that gets its end", End, "a\nb", "c\n", "-", "a\nb\n", ""},
		{"a last line that gets its end as CRLF", End, "a\r\nb", "c\r\n", "-", "a\r\nb\r\n", ""},
		{"an empty archive", End, "a\nb\n", "b\n", "", "a\n", ""},
		{"a line is missing", End, "a\nb\nc\n", "c\n", "-", "a\n", "rewritten 1:1"},
		{"a line too many", End, "a\nb\nc\n", "c\n", "-", "a\nb\nx\n", "rewritten 1:1"},
		{"a line altered on the way", End, "a\nb\nc\n", "c\n", "-", "a\nB\n", "rewritten 1:1"},
		{"from the middle", End, "a\nb\nc\n", "a\nc\n", "-", "b\n", "rewritten 2:1"},
		{"the newest", End, "a\nb\nc\n", "a\n", "-", "b\nc\n", "truncated 2:1 before"},
		{"half a line", End, "ab\nc\n", "b\nc\n", "-", "a", "rewritten 1:1"},
		{"half a line end", End, "a\r\nb\r\n", "\nb\r\n", "-", "a\r", "rewritten 1:1"},
		{"the archive was rewritten", End, "a\nb\n", "b\n", "z\n", "Z\na\n", "rewritten 1:1"},
		{"the archive was emptied", End, "a\nb\n", "b\n", "z\n", "a\n", "rewritten 1:1"},
		{"the archive did not grow", End, "a\nb\n", "b\n", "z\n", "z\n", "rewritten 1:1"},
		{"no archive", End, "a\nb\n", "b\n", "-", "-", "rewritten 1:1"},
		{"rotated and rewritten", End, "a\nb\nc\n", "B\nc\n", "-", "a\n", "rewritten 1:1"},
		{"other line ends in the archive", End, "a\r\nb\r\n", "b\r\n", "-", "a\n", "rewritten 1:1"},
		{"top: the oldest", Top, "c\nb\na\n", "d\nc\nb\n", "-", "a\n", ""},
		{"top: on top of the archive", Top, "c\nb\na\n", "c\n", "z\n", "b\na\nz\n", ""},
		{"top: behind the archive", Top, "c\nb\na\n", "c\n", "z\n", "z\nb\na\n", ""},
		{"top: the newest", Top, "c\nb\na\n", "b\na\n", "-", "c\n", "rewritten 1:1"},
		{"top: a last line that gets its end", Top, "c\nb\na", "c\n", "-", "b\na\n", ""},
		{"any: the oldest", Any, "a\nb\nc\n", "x\nb\ny\nc\n", "-", "a\n", ""},
	}
	for _, c := range cases {
		t.Run(c.title, func(t *testing.T) {
			problems, err := Compare(Comparison{
				Spec: Spec{Shape: Bytes, Direction: c.direction}, Parents: versions(c.before), After: Content([]byte(c.after)),
				Archive: &Rotation{Path: "old", Before: []Version{there(c.archived)}, After: there(c.now)},
			})
			if err != nil {
				t.Fatal(err)
			}
			got := say(problems)
			if c.want != "" && strings.HasPrefix(got, strings.Fields(c.want)[0]) {
				return // which line departs first is told elsewhere
			}
			if got != c.want {
				t.Errorf("got %q, want %q: %+v", got, c.want, problems)
			}
		})
	}
}

// TestRotationOfChain: the line before the first one stands in the archive, among those of other logs perhaps.
func TestRotationOfChain(t *testing.T) {
	lines := strings.SplitAfter(chained("\n", `"a":1`, `"b":2`, `"c":3`, `"d":4`), "\n")
	before, after := strings.Join(lines[:3], ""), strings.Join(lines[2:], "")
	for _, c := range []struct{ title, after, archive, want string }{
		{"the line before is the last", after, lines[0] + lines[1], ""},
		{"another log has moved behind it", after, lines[0] + lines[1] + "{}\n", "rewritten"},
		{"it is not there", after, lines[0], "rewritten"},
		{"all moved and a new chain begins", "{\"e\":5}\n", before, ""},
	} {
		t.Run(c.title, func(t *testing.T) {
			spec := Spec{Shape: JSONL, Chain: true}
			archive := &Rotation{Path: "old", Before: []Version{{}}, After: Content([]byte(c.archive))}
			problems, err := Compare(Comparison{Spec: spec, Parents: versions(before), After: Content([]byte(c.after)), Archive: archive})
			if err != nil {
				t.Fatal(err)
			}
			if got := say(problems); c.want == "" && got != "" || !strings.HasPrefix(got, c.want) {
				t.Errorf("got %q, want %q: %+v", got, c.want, problems)
			}
			problems, err = Compare(Comparison{Spec: spec, Unknown: true, After: Content([]byte(c.after)), Archive: archive})
			if err != nil {
				t.Fatal(err)
			}
			if got := say(problems); (got != "") != (c.archive == lines[0]) {
				t.Errorf("the chain alone: got %q: %+v", got, problems)
			}
		})
	}
}

func TestRotationShared(t *testing.T) {
	a, b := "a1\na2\na3\n", "b1\nb2\n"
	for _, c := range []struct{ title, archive, after, want string }{
		{"ours first", "z\na1\na2\nb1\nb2\n", "a3\na4\n", ""},
		{"ours last", "z\nb1\na1\na2\n", "a3\n", ""},
		{"something else among them", "z\na1\na2\nx\nb1\n", "a3\n", "rewritten"},
		{"a line of ours is missing", "z\na1\nb1\n", "a3\n", "rewritten"},
		{"nothing of ours", "z\nb1\n", "a2\na3\n", "rewritten"},
		{"ours twice", "z\na1\na2\nb1\na1\na2\n", "a3\n", "rewritten"},
	} {
		t.Run(c.title, func(t *testing.T) {
			problems, err := Compare(Comparison{
				Spec: Spec{Shape: Bytes}, Parents: versions(a), After: Content([]byte(c.after)),
				Archive: &Rotation{
					Path: "old", Before: []Version{Content([]byte("z\n"))}, After: Content([]byte(c.archive)),
					Sharing: func(int) ([]Version, int, error) {
						return []Version{Content([]byte(b)), {}, Content([]byte(a))}, 2, nil
					},
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			if got := say(problems); c.want == "" && got != "" || !strings.HasPrefix(got, c.want) {
				t.Errorf("got %q, want %q: %+v", got, c.want, problems)
			}
		})
	}
}

// TestRotationOfSeveral: two moves with new lines between them, seen as one change.
func TestRotationOfSeveral(t *testing.T) {
	for _, c := range []struct{ title, after, archive, want string }{
		{"new lines moved as well", "e\n", "a\nb\nc\nd\n", ""},
		{"another log moved in between", "c\nd\n", "a\nx\nb\n", ""},
		{"a line is lost", "e\n", "a\nc\nd\n", "rewritten 1:1"},
		{"a line is lost from what stayed", "d\n", "a\nb\n", "rewritten 1:1"},
		{"the rest is cut", "c", "a\nx\nb\n", "truncated 1:1"},
		{"the rest is gone", "", "a\nx\nb\n", "truncated 3:1 before"},
		{"their order is another", "e\n", "b\na\nc\n", "rewritten 1:1"},
	} {
		t.Run(c.title, func(t *testing.T) {
			compare := func(several bool) string {
				problems, err := Compare(Comparison{
					Spec: Spec{Shape: Bytes}, Parents: versions("a\nb\nc\n"), After: Content([]byte(c.after)),
					Archive: &Rotation{Path: "old", Before: []Version{{}}, After: Content([]byte(c.archive)), Several: several},
				})
				if err != nil {
					t.Fatal(err)
				}
				return say(problems)
			}
			if got := compare(true); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if got := compare(false); got == "" {
				t.Error("in one commit it is good")
			}
		})
	}
}

// TestRotationInMerge: one side has moved old lines into the archive, the other has only added some.
func TestRotationInMerge(t *testing.T) {
	for _, c := range []struct{ title, after, archive, want string }{
		{"ours first", "c\nM\n", "a\nb\n", ""},
		{"theirs first", "M\nc\n", "a\nb\n", ""},
		{"and a new line", "c\nM\nd\n", "a\nb\n", ""},
		{"their line is lost", "c\n", "a\nb\n", "truncated"},
		{"our line is lost", "M\n", "a\nb\n", "truncated"},
		{"the archive is lost, which is judged as a record of its own", "c\nM\n", "", ""},
		{"the old lines are there twice", "a\nb\nc\nM\n", "a\nb\n", "inserted"},
	} {
		t.Run(c.title, func(t *testing.T) {
			problems, err := Compare(Comparison{
				Spec: Spec{Shape: Bytes}, After: Content([]byte(c.after)),
				Parents: []Parent{{Version: Content([]byte("c\n"))}, {Version: Content([]byte("a\nb\nM\n")), Bases: []Version{Content([]byte("a\nb\n"))}}},
				Archive: &Rotation{
					Path: "old", Before: []Version{Content([]byte("a\nb\n")), {}}, Bases: [][]Version{nil, {{}}}, After: Content([]byte(c.archive)),
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			if got := say(problems); c.want == "" && got != "" || c.want != "" && got == "" {
				t.Errorf("got %q, want %q: %+v", got, c.want, problems)
			}
		})
	}
}

// TestLawRotation: whatever number of the oldest lines moves is good, and nothing else is: the log and its archive together
// always tell the whole story.
func TestLawRotation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(words(), 0, 6).Draw(t, "lines")
		more := rapid.SliceOfN(words(), 0, 3).Draw(t, "more lines")
		old := rapid.SliceOfN(words(), 0, 3).Draw(t, "archive")
		n := rapid.IntRange(0, len(lines)).Draw(t, "moved")
		join := func(parts ...[]string) string {
			s := ""
			for _, p := range parts {
				for _, l := range p {
					s += l + "\n"
				}
			}
			return s
		}
		before, archived := join(lines), join(old)
		after, now := join(lines[n:], more), join(old, lines[:n])
		if rapid.Bool().Draw(t, "spoilt") && len(after) > 0 {
			at := rapid.IntRange(0, len(after)-1).Draw(t, "at")
			after = after[:at] + "\x00" + after[at+1:]
		}
		problems, err := Compare(Comparison{
			Spec: Spec{Shape: Bytes}, Parents: versions(before), After: Content([]byte(after)),
			Archive: &Rotation{Path: "old", Before: []Version{Content([]byte(archived))}, After: Content([]byte(now))},
		})
		if err != nil {
			t.Fatal(err)
		}
		kept := strings.HasPrefix(now+after, archived+before) || strings.HasPrefix(after, before)
		if good := len(problems) == 0; good != kept {
			t.Fatalf("%q with the archive %q became %q with %q: %+v", before, archived, after, now, problems)
		}
	})
}
