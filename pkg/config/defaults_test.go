package config_test

import (
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/seed-4419f9ca/forge/pkg/config"
	"github.com/seed-4419f9ca/forge/pkg/guardtable"
	"github.com/seed-4419f9ca/forge/pkg/workflow"
)

// TestDocumentedDefaults holds the defaults that the effective configuration tells in comments against the packages that
// use them.
func TestDocumentedDefaults(t *testing.T) {
	c := config.Default()
	c.Guards = &config.Guards{}
	told := map[string]string{}
	for line := range strings.Lines(string(config.Effective(c))) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), ": "); ok && strings.HasPrefix(name, "# ") {
			told[name[2:]] = value
		}
	}
	lists := map[string][]string{"tables": guardtable.DefaultGlobs(), "preflight": workflow.DefaultPreflight(), "open-workflow": {workflow.DefaultOpen}}
	for name, want := range lists {
		text := told[name]
		if !strings.HasPrefix(text, "[") {
			text = "[" + text + "]"
		}
		var got []string
		if err := yaml.Unmarshal([]byte(text), &got); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: the table says %q, used is %q (%v)", name, told[name], want, err)
		}
	}
}
