package changelog

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/seed-4419f9ca/forge/pkg/jsondoc"
)

// counted is a number with its noun.
func counted(n int, one, many string) string {
	if n == 1 {
		return "one " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// names is entries as the subject of a sentence, with its verb.
func names(ids []string) string {
	switch n := len(ids); n {
	case 1:
		return fmt.Sprintf("the entry %q is", ids[0])
	case 2:
		return fmt.Sprintf("the entries %q and %q are", ids[0], ids[1])
	default:
		return fmt.Sprintf("%d entries, from %q to %q, are", n, ids[0], ids[n-1])
	}
}

func quote(s string) string { return `"` + s + `"` }

// shown is the values of one field on one line.
func shown(members []jsondoc.Member) string {
	var parts []string
	for i := range members {
		parts = append(parts, compact(&members[i].Value))
	}
	return strings.Join(parts, " and ")
}

// compact writes a value for people: strings as what they mean, no white space that says nothing.
func compact(v *jsondoc.Value) string {
	switch v.Kind {
	case jsondoc.String:
		return quote(v.Text)
	case jsondoc.Number:
		return v.Text
	case jsondoc.True:
		return "true"
	case jsondoc.False:
		return "false"
	case jsondoc.Object:
		parts := make([]string, len(v.Members))
		for i := range v.Members {
			parts[i] = quote(v.Members[i].Name) + ": " + compact(&v.Members[i].Value)
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case jsondoc.Array:
		parts := make([]string, len(v.Items))
		for i := range v.Items {
			parts[i] = compact(&v.Items[i])
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return "null"
}

func raw(v *jsondoc.Value, name string) string {
	if m := v.Get(name); m != nil {
		return compact(&m.Value)
	}
	return ""
}

// longest is how many bytes of a value a message shows.
const longest = 160

// clip shortens two texts to what lies around their first difference.
func clip(a, b string) (string, string) {
	if len(a) <= longest && len(b) <= longest {
		return a, b
	}
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return window(a, n), window(b, n)
}

// window is the part of s around a place, cut between characters.
func window(s string, at int) string {
	from, to := max(0, at-longest/4), min(len(s), at+longest*3/4)
	if from < 8 {
		from = 0
	}
	for from > 0 && from < len(s) && !utf8.RuneStart(s[from]) {
		from--
	}
	for to < len(s) && !utf8.RuneStart(s[to]) {
		to--
	}
	out := s[from:to]
	if from > 0 {
		out = "…" + out
	}
	if to < len(s) {
		out += "…"
	}
	return out
}
