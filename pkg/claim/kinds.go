package claim

import (
	"maps"
	"slices"
	"strings"
)

// Folders and files of a store with a meaning of their own, relative to its root (chapter 7.1).
const (
	Overview   = "OVERVIEW.md" // always loaded, without claims
	ledger     = "DRIFT.md"
	decisions  = "decisions"
	candidates = "candidates"
	derived    = "derived"
)

// The kinds with rules of their own.
const (
	concept      = "concept"
	constraint   = "constraint"
	architecture = "architecture"
)

// prefixes returns the kind of claims by prefix: the known ones and those that the configuration declares.
func (l Layout) prefixes() map[string]string {
	kinds := map[string]string{
		"INV": "invariant", "CON": concept, "ARC": architecture, "CMP": "component", "PIT": "pitfall", "SEC": "security",
		"DAT": "data", "API": "api", "CST": constraint, "FLW": "workflow", "STR": "strategy",
	}
	for prefix, kind := range l.Kinds {
		kinds[prefix] = canonical(kind)
	}
	return kinds
}

// canonical returns the kind that an alias stands for, and any other kind as it is.
func canonical(kind string) string {
	switch kind {
	case "datum":
		return "data"
	case "interface":
		return "api"
	}
	return kind
}

// homes returns the files of the store in which people look for claims of a kind; nil when that may be any.
func homes(kind string) []string {
	switch kind {
	case "invariant", concept:
		return []string{"domain.md"}
	case architecture, "component":
		return []string{"architecture.md", "components.md"}
	case "pitfall":
		return []string{"pitfalls.md"}
	case "security":
		return []string{"security.md"}
	case "data":
		return []string{"data.md"}
	case "api":
		return []string{"interfaces.md"}
	case constraint:
		return []string{"constraints.md"}
	}
	return nil
}

// names returns the distinct kinds of a map of prefixes, sorted, with their aliases.
func names(prefixes map[string]string) []string {
	set := map[string]bool{"datum": true, "interface": true}
	for _, kind := range prefixes {
		set[kind] = true
	}
	return slices.Sorted(maps.Keys(set))
}

// isSlug reports whether s can follow the prefix and hyphen of an id: digits, or words in lower case joined by hyphens.
func isSlug(s string) bool {
	for word := range strings.SplitSeq(s, "-") {
		if word == "" || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz0123456789") != "" {
			return false
		}
	}
	return true
}

// splitID takes an id apart; ok reports whether it has the form of one with a known prefix.
func splitID(id string, prefixes map[string]string) (prefix string, ok bool) {
	prefix, slug, _ := strings.Cut(id, "-")
	_, known := prefixes[prefix]
	return prefix, known && isSlug(slug)
}

// IsADR reports whether s has the form of the id of a decision, such as ADR-0004.
func IsADR(s string) bool {
	digits, ok := strings.CutPrefix(s, "ADR-")
	return ok && len(digits) >= 4 && strings.Trim(digits, "0123456789") == ""
}
