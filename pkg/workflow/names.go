package workflow

import (
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/config"
)

// DefaultOpen is the glob of the workflow that opens a session when guards.open-workflow says nothing.
const DefaultOpen = "**/workflows/open.md"

// DefaultPreflight returns the names of the workflows that begin with a step 0 when guards.preflight says nothing.
func DefaultPreflight() []string {
	return []string{"push", "release", "end", "plan", "docs", "backlog", "retro"}
}

// OpenGlob returns the glob of the workflow that opens a session.
func OpenGlob(cfg *config.Config) string {
	if cfg.Guards != nil && cfg.Guards.OpenWorkflow != "" {
		return cfg.Guards.OpenWorkflow
	}
	return DefaultOpen
}

// PreflightNames returns the names of the workflows that begin with a step 0.
func PreflightNames(cfg *config.Config) []string {
	if cfg.Guards != nil && cfg.Guards.Preflight != nil {
		return cfg.Guards.Preflight
	}
	return DefaultPreflight()
}

// NamedAs reports whether path is that of a workflow with one of names: workflows/<name>.md in any folder.
func NamedAs(path string, names []string) bool {
	folder, file := "", path
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		folder, file = path[:i], path[i+1:]
	}
	if folder != "workflows" && !strings.HasSuffix(folder, "/workflows") {
		return false
	}
	for _, n := range names {
		if file == FileName(n) {
			return true
		}
	}
	return false
}

// FileName returns the file name of a workflow, whose name may be given as "push", "/push" or "push.md".
func FileName(name string) string {
	return strings.TrimSuffix(strings.TrimPrefix(name, "/"), ".md") + ".md"
}

// AgentFolder returns the folder of the agent (.agent, .agents) in which path lies, "" when there is none. Of several the
// innermost counts.
func AgentFolder(path string) string {
	segments := strings.Split(path, "/")
	for i := len(segments) - 2; i >= 0; i-- {
		if segments[i] == ".agent" || segments[i] == ".agents" {
			return strings.Join(segments[:i+1], "/")
		}
	}
	return ""
}
