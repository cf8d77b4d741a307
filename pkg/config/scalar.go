package config

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/seed-4419f9ca/forge/pkg/nearest"
)

// str is text of a kind.
type str struct {
	words string
	// check says what is wrong with a text ("" for nothing) and, where it can, what was meant.
	check func(s string) (problem, meant string)
	// clean, when there is one, puts a good text into the form in which it is kept.
	clean  func(string) string
	schema map[string]any // beside the type and that it is not empty
}

func (t str) decode(d *decoder, n *yaml.Node, key string, v *string) {
	if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!str" {
		d.wrong(n, key, t.words)
		return
	}
	problem, meant := line(n.Value)
	if problem == "" {
		problem, meant = t.check(n.Value)
	}
	if problem != "" {
		d.fail(n, key, meant, "%s", problem)
		return
	}
	*v = n.Value
	if t.clean != nil {
		*v = t.clean(n.Value)
	}
}

func (t str) encode(v *string) *tree {
	if *v == "" {
		return nil
	}
	return quoted(*v)
}

func (t str) describe() shape {
	s := map[string]any{"type": "string", "minLength": 1}
	for k, v := range t.schema {
		s[k] = v
	}
	return shape{words: t.words, schema: s}
}

// enum is one of some words. They are taken as they are written: YAML 1.1 reads `off` as false, this does not.
type enum[T ~string] struct{ values []T }

func (t enum[T]) names() []string {
	names := make([]string, len(t.values))
	for i, v := range t.values {
		names[i] = string(v)
	}
	return names
}

func (t enum[T]) decode(d *decoder, n *yaml.Node, key string, v *T) {
	names := t.names()
	switch {
	case n.Kind != yaml.ScalarNode || null(n):
		d.wrong(n, key, t.describe().words)
	case slices.Contains(names, n.Value):
		*v = T(n.Value)
	case n.ShortTag() == "!!bool" && n.Value == "false" && slices.Contains(names, "off"):
		d.fail(n, key, "off", "unknown value %s", quote(n.Value))
	default:
		if near := nearest.Name(n.Value, names); near != "" {
			d.fail(n, key, near, "unknown value %s", quote(n.Value))
			return
		}
		d.fail(n, key, "", "unknown value %s; known here: %s", quote(n.Value), strings.Join(names, ", "))
	}
}

func (t enum[T]) encode(v *T) *tree {
	if *v == "" {
		return nil
	}
	return plain(string(*v))
}

func (t enum[T]) describe() shape {
	names := t.names()
	words := "`" + names[0] + "`"
	for i, n := range names[1:] {
		sep := ", "
		if i == len(names)-2 {
			sep = " or "
		}
		words += sep + "`" + n + "`"
	}
	return shape{words: words, schema: map[string]any{"enum": names}}
}

// boolean is true or false.
type boolean struct{}

func (boolean) decode(d *decoder, n *yaml.Node, key string, v *bool) {
	if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!bool" {
		d.wrong(n, key, "true or false")
		return
	}
	*v = strings.EqualFold(n.Value, "true")
}

func (boolean) encode(v *bool) *tree {
	if !*v {
		return nil
	}
	return plain("true")
}

func (boolean) describe() shape {
	return shape{words: "`true` or `false`", schema: map[string]any{"type": "boolean"}}
}

// count is a whole number between two bounds.
type count struct{ least, most int64 }

func (t count) decode(d *decoder, n *yaml.Node, key string, v *int64) {
	var number int64
	if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!int" {
		d.wrong(n, key, t.describe().words)
		return
	}
	if err := n.Decode(&number); err != nil || number < t.least || number > t.most {
		d.fail(n, key, "", "%s is not from %d to %d", clip(n.Value), t.least, t.most)
		return
	}
	*v = number
}

func (count) encode(v *int64) *tree {
	if *v == 0 {
		return nil
	}
	return plain(strconv.FormatInt(*v, 10))
}

func (t count) describe() shape {
	return shape{
		words:  fmt.Sprintf("a number from %d to %d", t.least, t.most),
		schema: map[string]any{"type": "integer", "minimum": t.least, "maximum": t.most},
	}
}

// size is a number of bytes, also written with a unit: 512KiB, 10MiB, 2GiB.
type size struct{}

const sizeWords = "a number of bytes, or a text such as `10MiB`"

const sizePattern = `^[1-9][0-9]{0,8}(KiB|MiB|GiB)$`

func (size) decode(d *decoder, n *yaml.Node, key string, v *int64) {
	if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!int" && n.ShortTag() != "!!str" {
		d.wrong(n, key, sizeWords)
		return
	}
	if n.ShortTag() == "!!int" {
		var bytes int64
		if err := n.Decode(&bytes); err != nil || bytes < 1 {
			d.fail(n, key, "", "%s is no size; it is at least 1 byte and at most %d", clip(n.Value), int64(math.MaxInt64))
			return
		}
		*v = bytes
		return
	}
	meant := meantSize(n.Value)
	if meant == "" || meant != n.Value {
		d.fail(n, key, meant, "%s is no size; write bytes, or a number with KiB, MiB or GiB", quote(n.Value))
		return
	}
	unit := n.Value[len(n.Value)-3:]
	number, err := strconv.ParseInt(strings.TrimSuffix(n.Value, unit), 10, 64)
	if err != nil {
		d.fail(n, key, "", "%s is no size: %v", quote(n.Value), err)
		return
	}
	*v = number << map[string]int{"KiB": 10, "MiB": 20, "GiB": 30}[unit]
}

// meantSize returns the proper form of a size, also of "10 mb" and the like; "" when s is nothing of the kind.
func meantSize(s string) string {
	digits := strings.TrimLeft(s, "0")
	end := 0
	for end < len(digits) && digits[end] >= '0' && digits[end] <= '9' {
		end++
	}
	unit := strings.ToLower(strings.TrimSpace(digits[end:]))
	full := map[string]string{"k": "KiB", "kb": "KiB", "kib": "KiB", "m": "MiB", "mb": "MiB", "mib": "MiB", "g": "GiB", "gb": "GiB", "gib": "GiB"}[unit]
	if end == 0 || end > 9 || full == "" {
		return ""
	}
	return digits[:end] + full
}

func (size) encode(v *int64) *tree { return plain(strconv.FormatInt(*v, 10)) }

func (size) describe() shape {
	return shape{words: sizeWords, schema: map[string]any{"anyOf": []any{
		map[string]any{"type": "integer", "minimum": 1},
		map[string]any{"type": "string", "pattern": sizePattern},
	}}}
}

// only is the one number that a key may have; nothing is kept of it.
type only[S any] struct{ number int }

func (t only[S]) decode(d *decoder, n *yaml.Node, key string, _ *S) {
	want := strconv.Itoa(t.number)
	switch {
	case n.Kind != yaml.ScalarNode || n.ShortTag() != "!!int":
		d.wrong(n, key, "the number "+want)
	case n.Value != want:
		d.fail(n, key, want, "unknown version %s; this program knows version %s", clip(n.Value), want)
	}
}

func (t only[S]) encode(*S) *tree { return plain(strconv.Itoa(t.number)) }

func (t only[S]) describe() shape {
	return shape{words: fmt.Sprintf("`%d`", t.number), schema: map[string]any{"type": "integer", "const": t.number}}
}
