package hooks

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
)

// A manager is another program that writes hooks.
type manager struct {
	name    string
	traces  []string // texts that only its hooks hold
	files   []string // what stands at the top of a work tree that uses it
	rewrite string   // the command with which it writes its hooks anew
}

// managers returns the programs that are known to write hooks.
func managers() []manager {
	return []manager{
		{
			name: "lefthook", traces: []string{"lefthook"}, rewrite: "lefthook install",
			files: []string{"lefthook.yml", ".lefthook.yml", "lefthook.yaml", ".lefthook.yaml", "lefthook.toml", ".lefthook.toml", "lefthook.json", ".lefthook.json"},
		},
		{name: "husky", traces: []string{"husky", `. "$(dirname "$0")/h"`}, files: []string{".husky"}, rewrite: "husky"},
		{
			name: "pre-commit", traces: []string{"pre-commit.com", "pre_commit", "hook-impl"}, rewrite: "pre-commit install",
			files: []string{".pre-commit-config.yaml", ".pre-commit-config.yml"},
		},
		{name: "git-lfs", traces: []string{"git lfs ", "git-lfs"}, rewrite: "git lfs install --force"},
		{name: "overcommit", traces: []string{"overcommit"}, files: []string{".overcommit.yml"}, rewrite: "overcommit --install"},
	}
}

// managerOf returns the name of the program that wrote the hook with this content, "" when it is not known.
func managerOf(content []byte) string {
	text := string(content)
	for _, m := range managers() {
		for _, trace := range m.traces {
			if strings.Contains(text, trace) {
				return m.name
			}
		}
	}
	return ""
}

// used returns the managers whose configuration stands at the top of the work tree.
func (k *Keeper) used(root string) ([]manager, error) {
	if root == "" {
		return nil, nil
	}
	var found []manager
	for _, m := range managers() {
		for _, name := range m.files {
			path := filepath.Join(root, name)
			_, err := k.Files.Lstat(path)
			if err == nil {
				found = append(found, m)
				break
			}
			if !errors.Is(err, fs.ErrNotExist) {
				return nil, fmt.Errorf("could not look for %q: %w", path, err)
			}
		}
	}
	return found, nil
}
