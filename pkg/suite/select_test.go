package suite

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/seed-4419f9ca/forge/pkg/check"
	"github.com/seed-4419f9ca/forge/pkg/config"
	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/report"
)

func fake(id string, levels check.Levels) *check.Check {
	return &check.Check{ID: id, Levels: levels, Run: func(context.Context, *check.Pass) error { return nil }}
}

var stages = check.Levels{PreCommit: finding.Flag, PrePush: finding.Fail, CI: finding.Fail}

func TestLevelOf(t *testing.T) {
	c := fake("a", stages)
	for _, tt := range []struct {
		levels config.Levels
		stage  check.Stage
		want   finding.Level
	}{
		{config.Levels{}, check.PreCommit, finding.Flag},
		{config.Levels{}, check.CommitMsg, finding.Flag},
		{config.Levels{}, check.PrePush, finding.Fail},
		{config.Levels{}, check.Manual, finding.Fail},
		{config.Levels{PreCommit: finding.Off}, check.CommitMsg, finding.Off},
		{config.Levels{PreCommit: finding.Off, CommitMsg: finding.Fail}, check.CommitMsg, finding.Fail},
		{config.Levels{CI: finding.Off}, check.Manual, finding.Off},
		{config.Levels{CI: finding.Off}, check.PreReceive, finding.Off},
		{config.Levels{CI: finding.Off}, check.PrePush, finding.Fail},
		{config.Levels{CI: finding.Off, PreReceive: finding.Flag}, check.PreReceive, finding.Flag},
	} {
		cfg := config.Default()
		cfg.Checks["a"] = tt.levels
		if got, _ := levelOf(c, cfg, tt.stage); got != tt.want {
			t.Errorf("%+v at %s: %s, want %s", tt.levels, tt.stage, got, tt.want)
		}
	}
}

func TestChoose(t *testing.T) {
	checks := []*check.Check{fake("a", stages), fake("b", stages), {ID: "suppress"}}
	off := config.Default()
	off.Checks["b"] = config.Levels{PreCommit: finding.Off}
	for _, tt := range []struct {
		name string
		sel  Selection
		cfg  *config.Config
		want string
	}{
		{"all", Selection{}, config.Default(), "a b"},
		{"only", Selection{Only: []string{"b"}}, config.Default(), "b"},
		{"skip", Selection{Skip: []string{"a"}}, config.Default(), "a(" + report.ReasonSkip + ") b"},
		{"env", Selection{Env: []string{"b"}}, config.Default(), "a b(FORGE_SKIP)"},
		{"off", Selection{}, off, "a b(" + report.ReasonOff + ")"},
		{"reserved", Selection{Only: []string{"derived", "a"}}, config.Default(), "a derived(" + NotBuilt + ")"},
	} {
		var got []string
		for _, ch := range tt.sel.choose(checks, tt.cfg, check.PreCommit) {
			s := ch.id
			if ch.reason != "" {
				s += "(" + ch.reason + ")"
			}
			got = append(got, s)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestUnknownNamesAreUsageErrors(t *testing.T) {
	known := []*check.Check{fake("wal", stages)}
	for _, sel := range []Selection{{Only: []string{"wall"}}, {Skip: []string{"wall"}}, {Env: []string{"wall"}}} {
		err := sel.Validate(known)
		var u *UsageError
		if !errors.As(err, &u) || !strings.Contains(err.Error(), `did you mean "wal"`) {
			t.Errorf("%+v: %v", sel, err)
		}
	}
}
