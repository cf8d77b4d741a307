// Package hooks holds the scripts that git starts (chapter 3.4 of the specification): five for the repositories in which
// people work and two samples for servers. As they stand they look for forge-pre-commit in PATH and can be copied into a
// hooks folder by hand; pkg/hooks fills in the path of the program and the older hook that runs first.
package hooks

import "embed"

//go:embed *.sh *.sample
var scripts embed.FS

// ClientNames returns the hooks that git runs where commits are made, sorted.
func ClientNames() []string {
	return []string{"commit-msg", "pre-commit", "pre-merge-commit", "pre-push", "prepare-commit-msg"}
}

// ServerNames returns the hooks that git runs in a repository that is pushed to, sorted.
func ServerNames() []string { return []string{"pre-receive", "update"} }

// Script returns the script of the hook called name, or false when there is none.
func Script(name string) ([]byte, bool) {
	for _, file := range []string{name + ".sh", name + ".sample"} {
		if data, err := scripts.ReadFile(file); err == nil {
			return data, true
		}
	}
	return nil, false
}
