package report

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/finding"
)

func findingsOf(levels ...finding.Level) []finding.Finding {
	var list []finding.Finding
	for _, l := range levels {
		list = append(list, finding.Finding{Code: "wal/rewritten", Level: l, Path: "a.wal"})
	}
	return list
}

func TestOf(t *testing.T) {
	for _, test := range []struct {
		name     string
		level    finding.Level
		skip     string
		findings []finding.Finding
		want     finding.Verdict
	}{
		{"nothing found", finding.Fail, "", nil, finding.Pass},
		{"nothing found by a check that flags", finding.Flag, "", nil, finding.Pass},
		{"a fault", finding.Fail, "", findingsOf(finding.Fail), finding.Failed},
		{"a flag", finding.Fail, "", findingsOf(finding.Flag), finding.Flagged},
		{"a fault among flags", finding.Fail, "", findingsOf(finding.Flag, finding.Fail, finding.Flag), finding.Failed},
		{"a finding without a level", finding.Fail, "", findingsOf(""), finding.Failed},
		{"nothing of its kind", finding.Fail, check.NotUsed, nil, finding.Skipped},
		{"gave up", finding.Fail, "no baseline", nil, finding.Skipped},
		{"gave up after a flag", finding.Fail, "no baseline", findingsOf(finding.Flag), finding.Skipped},
		{"gave up after a fault", finding.Fail, "no baseline", findingsOf(finding.Fail), finding.Failed},
		{"a flag though nothing of its kind", finding.Fail, check.NotUsed, findingsOf(finding.Flag), finding.Flagged},
		{"off without a reason", finding.Off, "", nil, finding.Skipped},
		{"off", finding.Off, ReasonOff, nil, finding.Skipped},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := Of(test.level, test.skip, test.findings); got != test.want {
				t.Errorf("Of(%q, %q, %d findings) = %q, want %q", test.level, test.skip, len(test.findings), got, test.want)
			}
		})
	}
}

func TestDecide(t *testing.T) {
	var (
		pass    = CheckResult{ID: "a", Verdict: finding.Pass, Level: finding.Fail}
		fail    = CheckResult{ID: "b", Verdict: finding.Failed, Level: finding.Fail}
		flag    = CheckResult{ID: "c", Verdict: finding.Flagged, Level: finding.Fail}
		notUsed = CheckResult{ID: "d", Verdict: finding.Skipped, Level: finding.Fail, Reason: check.NotUsed}
		off     = CheckResult{ID: "e", Verdict: finding.Skipped, Level: finding.Off, Reason: ReasonOff}
		only    = CheckResult{ID: "f", Verdict: finding.Skipped, Level: finding.Fail, Reason: ReasonOnly}
		skipped = CheckResult{ID: "g", Verdict: finding.Skipped, Level: finding.Fail, Reason: ReasonSkip}
		env     = CheckResult{ID: "h", Verdict: finding.Skipped, Level: finding.Fail, Reason: ReasonEnv}
		shallow = CheckResult{ID: "i", Verdict: finding.Skipped, Level: finding.Fail, Reason: "the clone is shallow"}
		silent  = CheckResult{ID: "j", Verdict: finding.Skipped, Level: finding.Fail}
		broken  = CheckResult{ID: "k", Level: finding.Fail}
	)
	type list = []CheckResult
	for _, test := range []struct {
		name          string
		checks        list
		plain, strict finding.Verdict
	}{
		{"no checks", nil, finding.Skipped, finding.Skipped},
		{"pass", list{pass, pass}, finding.Pass, finding.Pass},
		{"fail", list{pass, fail, flag}, finding.Failed, finding.Failed},
		{"flag", list{flag, pass}, finding.Flagged, finding.Failed},
		{"not used alone", list{notUsed, notUsed}, finding.Skipped, finding.Skipped},
		{"not used, off and left out beside a pass", list{notUsed, off, only, pass}, finding.Pass, finding.Pass},
		{"off and left out alone", list{off, only}, finding.Skipped, finding.Skipped},
		{"left out by --skip", list{pass, skipped}, finding.Pass, finding.Failed},
		{"left out by the environment", list{env, pass}, finding.Pass, finding.Failed},
		{"gave up", list{pass, shallow}, finding.Pass, finding.Failed},
		{"gave up alone", list{shallow}, finding.Skipped, finding.Failed},
		{"skipped without a reason", list{pass, silent}, finding.Pass, finding.Failed},
		{"no verdict", list{pass, broken}, finding.Failed, finding.Failed},
		{"flag beside skips", list{notUsed, flag, shallow}, finding.Flagged, finding.Failed},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := Decide(test.checks, false); got != test.plain {
				t.Errorf("Decide = %q, want %q", got, test.plain)
			}
			if got := Decide(test.checks, true); got != test.strict {
				t.Errorf("Decide with strict = %q, want %q", got, test.strict)
			}
		})
	}
}

// The order of checks never changes a verdict, strict never makes one milder, and a pass needs a check that passed.
func TestDecideLaws(t *testing.T) {
	one := rapid.Custom(func(t *rapid.T) CheckResult {
		return CheckResult{
			Verdict: rapid.SampledFrom([]finding.Verdict{finding.Pass, finding.Failed, finding.Flagged, finding.Skipped}).Draw(t, "verdict"),
			Level:   rapid.SampledFrom([]finding.Level{finding.Fail, finding.Flag, finding.Off}).Draw(t, "level"),
			Reason:  rapid.SampledFrom([]string{"", check.NotUsed, ReasonOnly, ReasonSkip, ReasonEnv}).Draw(t, "reason"),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		checks := rapid.SliceOf(one).Draw(t, "checks")
		strict := rapid.Bool().Draw(t, "strict")
		verdict := Decide(checks, strict)
		if other := Decide(rapid.Permutation(checks).Draw(t, "other order"), strict); other != verdict {
			t.Fatalf("%q in one order, %q in another", verdict, other)
		}
		if ExitCode(Decide(checks, false)) > ExitCode(Decide(checks, true)) {
			t.Fatal("strict is milder")
		}
		ran := false
		for i := range checks {
			ran = ran || checks[i].Verdict != finding.Skipped
		}
		if verdict == finding.Pass && !ran {
			t.Fatal("a pass without a check that ran")
		}
		if (verdict == finding.Failed) != (ExitCode(verdict) == 1) {
			t.Fatalf("verdict %q has exit code %d", verdict, ExitCode(verdict))
		}
	})
}

func TestExitCode(t *testing.T) {
	for verdict, want := range map[finding.Verdict]int{
		finding.Pass: 0, finding.Flagged: 0, finding.Skipped: 0, finding.Failed: 1, "": 1, "fine": 1,
	} {
		if got := ExitCode(verdict); got != want {
			t.Errorf("ExitCode(%q) = %d, want %d", verdict, got, want)
		}
	}
}

func TestCap(t *testing.T) {
	for _, test := range []struct {
		level       finding.Level
		firm        bool
		first, next finding.Level
	}{
		{finding.Fail, false, finding.Fail, finding.Flag},
		{finding.Flag, false, finding.Flag, finding.Flag},
		{finding.Flag, true, finding.Fail, finding.Flag},
	} {
		list := findingsOf(finding.Fail, finding.Flag)
		Cap(test.level, list, func(*finding.Finding) bool { return test.firm })
		if list[0].Level != test.first || list[1].Level != test.next {
			t.Errorf("Cap(%q), firm %v, gives %q and %q, want %q and %q", test.level, test.firm, list[0].Level, list[1].Level, test.first, test.next)
		}
	}
}
