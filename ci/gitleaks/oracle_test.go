package main

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/zricethezav/gitleaks/v8/detect"

	"github.com/seed-4419f9ca/forge/pkg/secrets"
)

// TestRulesAreUpToDate compares the generated file with the rule set of the module.
func TestRulesAreUpToDate(t *testing.T) {
	if err := run(true); err != nil {
		t.Error(err)
	}
}

// TestNothingThatGitleaksFindsIsMissed holds package secrets against the detector itself, on lines that are made from the
// detector's own test data and from its expressions' keywords, each in the surroundings of running text.
func TestNothingThatGitleaksFindsIsMissed(t *testing.T) {
	d, err := detect.NewDetectorDefaultConfig()
	if err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	found := 0
	for _, line := range samples(t, d, rnd) {
		for _, f := range d.DetectString(line) {
			if strings.Contains(f.RuleID, "private-key") && !strings.Contains(line, "PRIVATE KEY") {
				continue
			}
			found++
			ours := secrets.Find([]byte(line))
			hit := false
			for _, m := range ours {
				hit = hit || strings.Contains(f.Secret, line[m.Start:m.End]) || strings.Contains(line[m.Start:m.End], f.Secret)
			}
			if !hit {
				t.Errorf("%s finds %q in %q, package secrets finds %v", f.RuleID, f.Secret, line, ours)
			}
		}
	}
	if found < 200 {
		t.Errorf("only %d secrets were compared", found)
	}
}

// samples makes lines that look like what rules look for.
func samples(t *testing.T, d *detect.Detector, rnd *rand.Rand) []string {
	t.Helper()
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	text := func(alphabet string, n int) string {
		var b strings.Builder
		for range n {
			b.WriteByte(alphabet[rnd.IntN(len(alphabet))])
		}
		return b.String()
	}
	var out []string
	for _, r := range d.Config.Rules {
		for _, k := range r.Keywords {
			for _, n := range []int{16, 20, 24, 30, 32, 34, 35, 36, 40, 43, 45, 50, 64, 66, 68, 84, 86, 93, 95, 120} {
				for _, alphabet := range []string{letters, letters[:36], "abcdef0123456789", letters[:26] + "0123456789", "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"} {
					v := text(alphabet, n)
					out = append(out, k+" = \""+v+"\"\n", "Khoá "+k+v+" đã đổi\n", strings.ToUpper(k)+": "+v+"\n", strings.ToUpper(k)+v+"\n")
				}
			}
		}
	}
	data, err := os.ReadFile("samples.txt")
	if err != nil {
		t.Fatal(err)
	}
	return append(out, strings.SplitAfter(string(data), "\n")...)
}
