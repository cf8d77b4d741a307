package suppress

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestParse(t *testing.T) {
	for _, test := range []struct {
		comment string
		ok      bool
		want    allowance
	}{
		{"forge:allow a/b", true, allowance{code: "a/b"}},
		{" forge:allow  a/b  reason=\"x y\"  until=2026-12-31 ", true, allowance{code: "a/b", reason: "x y", until: "2026-12-31"}},
		{"forge:allow a/b until=2026-12-31 reason='it''", true, allowance{code: "a/b", reason: "it", until: "2026-12-31",
			fault: `has "'" where reason="…" or until=YYYY-MM-DD is expected`}},
		{`forge:allow a/b reason="says \"no\" and \\ and \n"`, true, allowance{code: "a/b", reason: `says "no" and \ and \n`}},
		{`forge:allow a/b reason='it is "his"'`, true, allowance{code: "a/b", reason: `it is "his"`}},
		{"forge:allow a/b reason=audit until=\"2026-12-31\"", true, allowance{code: "a/b", reason: "audit", until: "2026-12-31"}},
		{"forge:allow\n  a/b\n  reason=\"over\n lines\"", true, allowance{code: "a/b", reason: "over\n lines"}},
		{"forge:allow", true, allowance{}},
		{"forge:allow reason=\"x\"", true, allowance{reason: "x"}},
		{"forge:allow a/b reason=\"open", true, allowance{code: "a/b", reason: "open", fault: `has no closing quote after "reason="`}},
		{"forge:allow a/b untill=2026-12-31 reason=\"x\"", true, allowance{code: "a/b", reason: "x", fault: `has the unknown key "untill"`}},
		{"forge:allow a/b until= reason=\"x\"", true, allowance{code: "a/b", reason: "x", fault: `gives "until" without a day`}},
		{"forge:allow a/b reason=\"\" reason=\"x\"", true, allowance{code: "a/b", reason: "x", fault: `gives "reason" twice`}},
		{"forge:allow a/b c/d reason=\"x\"", true, allowance{code: "a/b", reason: "x",
			fault: `has "c/d" where reason="…" or until=YYYY-MM-DD is expected`}},
		{"forge:allow a/b reason=“because”", true, allowance{code: "a/b", reason: "“because”"}},
		{"forge:allowed a/b", false, allowance{}},
		{"forge:allow: a/b", false, allowance{}},
		{"please forge:allow a/b", false, allowance{}},
		{"", false, allowance{}},
	} {
		got, ok := parse(test.comment)
		if ok != test.ok || got != test.want {
			t.Errorf("parse(%q) = %+v, %t\nwant %+v, %t", test.comment, got, ok, test.want, test.ok)
		}
	}
}

func TestHasReason(t *testing.T) {
	for reason, want := range map[string]bool{
		"": false, " ": false, "-": false, "...": false, "\u200b": false, "\u00a0": false,
		"x": true, "42": true, "kiểm toán": true, "监管要求": true,
	} {
		if got := (&allowance{reason: reason}).hasReason(); got != want {
			t.Errorf("%q: got %t, want %t", reason, got, want)
		}
	}
}

func TestEnded(t *testing.T) {
	hanoi := time.FixedZone("ICT", 7*3600)
	for _, test := range []struct {
		until        string
		today        time.Time
		ended, valid bool
	}{
		{"", time.Date(2026, 9, 30, 0, 0, 0, 0, time.UTC), false, true},
		{"2026-09-30", time.Date(2026, 9, 30, 23, 59, 59, 0, time.UTC), false, true},
		{"2026-09-30", time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC), true, true},
		{"2026-09-30", time.Date(2026, 10, 1, 6, 59, 0, 0, hanoi), false, true},
		{"2026-10-01", time.Date(2026, 9, 30, 0, 0, 0, 0, time.UTC), false, true},
		{"9999-12-31", time.Date(2026, 9, 30, 0, 0, 0, 0, time.UTC), false, true},
		{"2024-02-29", time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC), false, true},
		{"2026-02-29", time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC), true, false},
		{"2026-13-01", time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC), true, false},
		{"2099-1-1", time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC), true, false},
		{"31/12/2099", time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC), true, false},
		{"never", time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC), true, false},
		{"2099-12-31T00:00:00Z", time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC), true, false},
	} {
		ended, valid := (&allowance{until: test.until}).ended(test.today)
		if ended != test.ended || valid != test.valid {
			t.Errorf("until %q on %s: ended %t, valid %t; want %t, %t", test.until, test.today, ended, valid, test.ended, test.valid)
		}
	}
}

// A reason survives being quoted, whatever stands in it.
func TestParseGivesTheReasonBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		reason := rapid.String().Draw(t, "reason")
		quoted := []byte{'"'}
		for i := 0; i < len(reason); i++ {
			if reason[i] == '"' || reason[i] == '\\' {
				quoted = append(quoted, '\\')
			}
			quoted = append(quoted, reason[i])
		}
		got, ok := parse("forge:allow a/b reason=" + string(quoted) + "\" until=2026-12-31")
		if want := (allowance{code: "a/b", reason: reason, until: "2026-12-31"}); !ok || got != want {
			t.Fatalf("got %+v, want %+v", got, want)
		}
	})
}
