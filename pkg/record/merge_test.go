package record

import "testing"

func TestCompareMerges(t *testing.T) {
	cases := []struct {
		title     string
		base      string // "-" for no file in the merge base
		a, b      string // "-" for no file in that parent
		after     string
		direction Direction
		want      string
	}{
		{"union", "L\n", "L\nM\n", "L\nS\n", "L\nM\nS\n", "", ""},
		{"union, theirs first", "L\n", "L\nM\n", "L\nS\n", "L\nS\nM\n", "", ""},
		{"union, interleaved", "L\n", "L\nM\nN\n", "L\nS\n", "L\nM\nS\nN\n", "", ""},
		{"union and more", "L\n", "L\nM\n", "L\nS\n", "L\nS\nM\nnew\n", "", ""},
		{"the same line on both sides", "L\n", "L\nx\nM\n", "L\nx\nS\n", "L\nx\nM\nS\n", "", ""},
		{"ours only", "L\n", "L\nM\n", "L\nS\n", "L\nM\n", "", "truncated"},
		{"theirs only", "L\n", "L\nM\n", "L\nS\n", "L\nS\n", "", "truncated 2:1 before"},
		{"half of theirs", "L\n", "L\nM\n", "L\nS\nT\n", "L\nM\nS\n", "", "truncated"},
		{"theirs out of order", "L\n", "L\nM\n", "L\nS\nT\n", "L\nM\nT\nS\n", "", "truncated"},
		{"old line changed by the merge", "K\nL\n", "K\nL\nM\n", "K\nL\nS\n", "K\nX\nM\nS\n", "", "rewritten 2:1"},
		{"old line changed by them", "K\nL\n", "K\nL\nM\n", "K\nX\n", "K\nX\nM\n", "", "rewritten 2:1"},
		{"their change refused", "K\nL\n", "K\nL\nM\n", "K\nX\n", "K\nL\nM\n", "", ""},
		{"their change refused, their line kept", "K\nL\n", "K\nL\nM\n", "K\nX\nS\n", "K\nL\nM\nS\n", "", ""},
		{"their change refused, their line lost", "K\nL\n", "K\nL\nM\n", "K\nX\nS\n", "K\nL\nM\n", "", "truncated"},
		{"our old change kept", "K\nL\n", "K\nX\n", "K\nL\nS\n", "K\nX\nS\n", "", ""},
		{"a line of nobody between the sides", "L\n", "L\nM\n", "L\nS\n", "L\nM\nevil\nS\n", "", "inserted 3:1"},
		{"a line of nobody among the old ones", "K\nL\n", "K\nL\nM\n", "K\nL\nS\n", "K\nevil\nL\nM\nS\n", "", "inserted 2:1"},
		{"their line among the old ones", "K\nL\n", "K\nL\n", "K\nevil\nL\n", "K\nevil\nL\n", "", "inserted 2:1"},
		{"both begin the file", "-", "M\n", "S\n", "S\nM\n", "", ""},
		{"both begin the file, one lost", "-", "M\n", "S\n", "M\n", "", "truncated"},
		{"only they have the file", "-", "-", "S\n", "S\n", "", ""},
		{"unfinished base", "L", "L\nM\n", "L\nS\n", "L\nS\nM\n", "", ""},
		{"unfinished sides", "L\n", "L\nM", "L\nS", "L\nM\nS\n", "", ""},
		{"top", "L\n", "M\nL\n", "S\nL\n", "M\nS\nL\n", Top, ""},
		{"top, ours only", "L\n", "M\nL\n", "S\nL\n", "M\nL\n", Top, "truncated"},
		{"any", "L\n", "M\nL\n", "L\nS\n", "M\nL\nS\n", Any, ""},
	}
	for _, c := range cases {
		t.Run(c.title, func(t *testing.T) {
			version := func(s string) Version {
				if s == "-" {
					return Version{}
				}
				return Content([]byte(s))
			}
			second := Parent{Version: version(c.b)}
			if c.base != "-" {
				second.Bases = []Version{version(c.base)}
			}
			problems, err := Compare(Comparison{
				Spec:  Spec{Shape: Bytes, Direction: c.direction},
				After: version(c.after), Parents: []Parent{{Version: version(c.a)}, second},
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

func TestCompareCrissCross(t *testing.T) {
	v := func(s string) Version { return Content([]byte(s)) }
	c := Comparison{
		Spec: Spec{Shape: Bytes}, After: v("L\nM\nS\nT\n"),
		Parents: []Parent{{Version: v("L\nM\nS\n")}, {Version: v("L\nS\nM\nT\n"), Bases: []Version{v("L\nM\n"), v("L\nS\n")}}},
	}
	problems, err := Compare(c)
	if err != nil {
		t.Fatal(err)
	}
	if got := say(problems); got != "" {
		t.Errorf("a merge that extends one of two merge bases: got %q", got)
	}
	c = Comparison{Spec: Spec{Shape: Bytes}, After: v("L\nS\nT\n"), Parents: []Parent{{Version: v("L\nM\n")}}, Alternatives: []Version{v("L\nS\n")}}
	if problems, err = Compare(c); err != nil || say(problems) != "" {
		t.Errorf("a range that extends the other merge base: got %q, %v", say(problems), err)
	}
}

func TestCompareRotation(t *testing.T) {
	v := func(s string) Version { return Content([]byte(s)) }
	cases := []struct {
		title, before, after, archived, archive string
		direction                               Direction
		want                                    string
	}{
		{"everything moves", "a\nb\n", "c\n", "", "a\nb\n", "", ""},
		{"part moves", "a\nb\n", "b\nc\n", "z\n", "z\na\n", "", ""},
		{"one line did not arrive", "a\nb\nc\n", "d\n", "", "a\nc\n", "", "rewritten 1:1"},
		{"the archive stays", "a\nb\n", "c\n", "z\n", "z\n", "", "rewritten 1:1"},
		{"the archive loses its own", "a\nb\n", "c\n", "z\n", "a\nb\n", "", "rewritten 1:1"},
		{"moved and cut", "a\nb\nc\n", "d\n", "", "a\nb\n", "", "rewritten 1:1"},
		{"half a line moves", "ab\nc\n", "b\nc\n", "", "a", "", "rewritten 1:1"},
		{"top", "c\nb\na\n", "d\nc\n", "", "b\na\n", Top, ""},
		{"top, archive at its top", "c\nb\na\n", "d\nc\n", "z\n", "b\na\nz\n", Top, ""},
	}
	for _, c := range cases {
		t.Run(c.title, func(t *testing.T) {
			problems, err := Compare(Comparison{
				Spec: Spec{Shape: Bytes, Direction: c.direction}, After: v(c.after), Parents: versions(c.before),
				Archive: &Rotation{Path: "old.log", Before: []Version{v(c.archived)}, After: v(c.archive)},
			})
			if err != nil {
				t.Fatal(err)
			}
			if got := say(problems); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
