package config

import (
	"maps"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"
)

// Claims configures chapter 7.
type Claims struct {
	Store        string            // folder of the store, without a slash at its end; "" for the default
	Kinds        map[string]string // further prefixes of ids, each with its kind
	AlwaysLoaded []string          // globs of files that are loaded with the overview
	BudgetLines  int64             // greatest number of lines of all that is always loaded; 0 for the default
}

const (
	defaultClaimStore = "docs/system"
	maxBudgetLines    = 400 // default and ceiling (chapter 7.11)
)

// ClaimStore returns the folder of the claim store, without a slash at its end.
func (c *Config) ClaimStore() string {
	if c.Claims == nil || c.Claims.Store == "" {
		return defaultClaimStore
	}
	return c.Claims.Store
}

// FormerClaimStores returns the folders in which the store may have been before: the default, where the store is elsewhere.
func (c *Config) FormerClaimStores() []string {
	if c.ClaimStore() == defaultClaimStore {
		return nil
	}
	return []string{defaultClaimStore}
}

// ClaimKinds returns the prefixes that the configuration adds, each with its kind.
func (c *Config) ClaimKinds() map[string]string {
	if c.Claims == nil {
		return nil
	}
	return c.Claims.Kinds
}

// AlwaysLoaded returns the globs of files that are loaded into every session beside the overview.
func (c *Config) AlwaysLoaded() []string {
	if c.Claims == nil {
		return nil
	}
	return c.Claims.AlwaysLoaded
}

// BudgetLines returns how many lines may be loaded into every session.
func (c *Config) BudgetLines() int64 {
	if c.Claims == nil || c.Claims.BudgetLines == 0 {
		return maxBudgetLines
	}
	return c.Claims.BudgetLines
}

func claims() object[Claims] {
	return object[Claims]{keys: []key[Claims]{
		{name: "store", doc: "Folder of the claim store.", def: defaultClaimStore,
			value: in[Claims, string](path("a folder", true), func(c *Claims) *string { return &c.Store })},
		{name: "kinds", doc: "Prefixes of ids beside those that Forge knows, each with the word that `kind` then has.", def: "none",
			value: in[Claims, map[string]string](kinds{}, func(c *Claims) *map[string]string { return &c.Kinds })},
		{name: "always-loaded", doc: "Files that are loaded into every session, beside `OVERVIEW.md` of the store.", def: "none",
			value: in[Claims, []string](globs(0), func(c *Claims) *[]string { return &c.AlwaysLoaded })},
		{name: "budget-lines", doc: "Greatest number of lines of all that is loaded into every session. It can be lowered and not raised.", def: strconv.Itoa(maxBudgetLines),
			value: in[Claims, int64](count{least: 1, most: maxBudgetLines}, func(c *Claims) *int64 { return &c.BudgetLines })},
	}}
}

// kinds is the mapping of prefixes to kinds.
type kinds struct{}

const (
	prefixPattern = `^[A-Z][A-Z0-9]{0,15}$`
	kindPattern   = `^[a-z][a-z0-9]*(-[a-z0-9]+)*$`
)

func (kinds) decode(d *decoder, n *yaml.Node, key string, v *map[string]string) {
	*v = map[string]string{}
	d.mapping(n, key, func(prefix string, k, value *yaml.Node) {
		if !isPrefix(prefix) {
			d.fail(k, join(key, prefix), "", "%s is no prefix: a capital letter and up to 15 more capital letters or digits", quote(prefix))
			return
		}
		var kind string
		kindName().decode(d, value, join(key, prefix), &kind)
		(*v)[prefix] = kind
	})
}

func (kinds) encode(v *map[string]string) *tree {
	if len(*v) == 0 {
		return nil
	}
	t := &tree{kind: mapping}
	for _, prefix := range slices.Sorted(maps.Keys(*v)) {
		t.entries = append(t.entries, entry{name: prefix, value: quoted((*v)[prefix])})
	}
	return t
}

func (kinds) describe() shape {
	return shape{words: "a mapping of prefixes to kinds", schema: map[string]any{
		"type": []string{"object", "null"}, "propertyNames": map[string]any{"pattern": prefixPattern},
		"additionalProperties": kindName().describe().schema,
	}}
}

func kindName() str {
	return str{words: "a kind", schema: map[string]any{"pattern": kindPattern}, check: func(s string) (problem, meant string) {
		if !isKind(s) {
			return quote(s) + " is no kind: small letters and digits, in words joined by hyphens", ""
		}
		return "", ""
	}}
}

func isPrefix(s string) bool {
	for i := range len(s) {
		if (s[i] < 'A' || s[i] > 'Z') && (i == 0 || s[i] < '0' || s[i] > '9') {
			return false
		}
	}
	return s != "" && len(s) <= 16
}

func isKind(s string) bool {
	after := byte('-')
	for i := range len(s) {
		small, digit := s[i] >= 'a' && s[i] <= 'z', s[i] >= '0' && s[i] <= '9'
		if !small && (i == 0 || !digit && (s[i] != '-' || after == '-')) {
			return false
		}
		after = s[i]
	}
	return after != '-'
}
