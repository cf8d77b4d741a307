package floors

import (
	"fmt"
	"path"
	"strings"
)

// table lists every package under pkg/ by its floor, lowest first. "checks/*" stands for each folder below checks.
func table() [][]string {
	return [][]string{
		{"text", "glob", "nearest", "slug", "atomicfile"},
		{"finding", "snapshot", "markdown", "ignore", "anchor", "fingerprint", "gitobject", "jsondoc", "secrets"},
		{"config", "pathref", "git", "gogit", "memory", "guardheader", "record", "changelog", "manifest", "mindblock", "syntax"},
		{"facts", "tasklist", "published", "guardrules", "guardtable", "workflow", "layer", "union", "walfile", "claim"},
		{"check", "drift"},
		{"checks/*"},
		{"report", "mutate", "suppress", "baseline", "fix", "hooks", "coverage", "demo"},
		{"suite"},
		{"reference", "registry", "checktest", "parsertest"},
		{"cli"},
	}
}

// Packages that no other package may import stand outside the table.
const (
	outside = -1 // ci/ and this test: they drive the programs from outside
	unknown = -2
)

// floorOf returns the floor of the package in folder dir, which is relative to the module's root.
func floorOf(dir string) int {
	rows := table()
	switch top, rest, _ := strings.Cut(dir, "/"); top {
	case "cmd":
		return len(rows)
	case "ci":
		return outside
	case "hooks", "testdata": // embedded files
		return 0
	case "pkg":
		if rest == "floors" {
			return outside
		}
		for floor, names := range rows {
			for _, name := range names {
				if ok, err := path.Match(name, rest); ok && err == nil {
					return floor
				}
			}
		}
	}
	return unknown
}

// unlisted returns the names of the table that have no package in tree.
func unlisted(tree []*pkg) []string {
	var missing []string
	for floor, names := range table() {
		for _, name := range names {
			found := false
			for _, p := range tree {
				if ok, err := path.Match("pkg/"+name, p.dir); ok && err == nil {
					found = true
				}
			}
			if !found {
				missing = append(missing, fmt.Sprintf("%s (floor %d)", name, floor))
			}
		}
	}
	return missing
}
