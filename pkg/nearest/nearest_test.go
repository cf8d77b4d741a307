package nearest

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestName(t *testing.T) {
	keys := []string{"paths", "shape", "direction", "archive", "chain", "time"}
	tests := []struct {
		name, want string
		candidates []string
	}{
		{"shap", "shape", keys},
		{"Shape", "shape", keys},
		{"sahpe", "shape", keys},
		{"path", "paths", keys},
		{"directoin", "direction", keys},
		{"recrods", "records", []string{"version", "checks", "guards", "records"}},
		{"open_workflow", "open-workflow", []string{"open-workflow"}},
		{"prefligth", "preflight", []string{"provenance", "preflight"}},
		{"x", "", keys},
		{"zebra", "", keys},
		{"", "", keys},
		{"ci", "ci", []string{"ci"}},
		{"vi", "via", []string{"key", "via"}},
		{"ớ", "", []string{"a"}},
		{"sớ", "só", []string{"só"}},
		{strings.Repeat("a", 1<<20), "", keys},
		{"fial", "fail", []string{"off", "flag", "fail"}},
		{"of", "off", []string{"off", "flag", "fail"}},
	}
	for _, tt := range tests {
		if got := Name(tt.name, tt.candidates); got != tt.want {
			t.Errorf("Name(%.20q, %q) = %q, want %q", tt.name, tt.candidates, got, tt.want)
		}
	}
}

func TestDistanceLaws(t *testing.T) {
	word := rapid.StringMatching(`[abc]{0,6}`)
	rapid.Check(t, func(t *rapid.T) {
		a, b := []rune(word.Draw(t, "a")), []rune(word.Draw(t, "b"))
		d := distance(a, b)
		if d != distance(b, a) {
			t.Fatalf("distance is not symmetric")
		}
		if (d == 0) != (string(a) == string(b)) {
			t.Fatalf("distance %d of %q and %q", d, string(a), string(b))
		}
		if longer := max(len(a), len(b)); d > longer || d < longer-min(len(a), len(b)) {
			t.Fatalf("distance %d of %q and %q is out of bounds", d, string(a), string(b))
		}
	})
}
