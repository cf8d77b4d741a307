package config

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/seed-4419f9ca/forge/pkg/finding"
)

func (checks) decode(d *decoder, n *yaml.Node, key string, v *map[string]Levels) {
	d.mapping(n, key, func(id string, k, value *yaml.Node) {
		if d.ids != nil && !slices.Contains(d.ids, id) {
			d.unknown(k, join(key, id), "check", id, d.ids)
			return
		}
		var l Levels
		levels{}.decode(d, value, join(key, id), &l)
		(*v)[id] = l
	})
}

func (checks) encode(v *map[string]Levels) *tree {
	if len(*v) == 0 {
		return nil
	}
	t := &tree{kind: mapping}
	ids := make([]string, 0, len(*v))
	for id := range *v {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		l := (*v)[id]
		t.entries = append(t.entries, entry{name: word(id), value: levels{}.encode(&l)})
	}
	return t
}

// word is a key in YAML, in quotes unless it is a plain name.
func word(s string) string {
	if s != "" && s[0] >= 'a' && s[0] <= 'z' && join("", s) == s && !slices.Contains([]string{"null", "true", "false"}, s) {
		return s
	}
	return quoted(s).text
}

func (checks) describe() shape {
	return shape{words: "a mapping of checks to levels", suffix: ".<check>.", keys: stages().describe().keys, schema: map[string]any{
		"type": []string{"object", "null"}, "additionalProperties": levels{}.describe().schema,
	}}
}

func (levels) decode(d *decoder, n *yaml.Node, key string, l *Levels) {
	switch {
	case n.Kind == yaml.MappingNode:
		stages().decode(d, n, key, l)
	case n.Kind == yaml.ScalarNode && !null(n):
		var one finding.Level
		level().decode(d, n, key, &one)
		*l = Levels{one, one, one, one, one, one}
	default:
		d.wrong(n, key, levels{}.describe().words)
	}
}

func (levels) encode(l *Levels) *tree {
	if *l == (Levels{l.CI, l.CI, l.CI, l.CI, l.CI, l.CI}) && l.CI != "" {
		return level().encode(&l.CI)
	}
	var pairs []string
	for _, e := range stages().encode(l).entries {
		if e.value != nil {
			pairs = append(pairs, e.name+": "+e.value.text)
		}
	}
	return plain("{" + strings.Join(pairs, ", ") + "}")
}

func (levels) describe() shape {
	of := stages().describe()
	return shape{words: "a level (" + level().describe().words + ") or a mapping of stages to levels", schema: map[string]any{
		"anyOf": []any{level().describe().schema, without(of.schema, "object")},
	}}
}
