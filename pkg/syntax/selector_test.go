package syntax

import (
	"strings"
	"testing"
)

func TestSelectedNames(t *testing.T) {
	for selector, want := range map[string]string{
		".a": "a", "a": "a", "#x": "x", ".a.b": "a b", "a.b#c": "b c", ".a .b": "b", ".a > b": "b", ".a+.b~c:hover": "c", ".a::before": "a", ":root": "root", "*": "",
		"a[href^=\"x y\"]": "a", ".a:not(.b .c):nth-child(2n + 1)": "a", "[data-x]": "", ".md\\:flex": "md:flex", "& .x": "x", ".a /* .z */": "a", ".a/* z */.b": "a b",
		"": "", ".": "", "a[": "a", "a(b": "a", "a >": "",
	} {
		if got := strings.Join(selectedNames(selector), " "); got != want {
			t.Errorf("%q selects %q, want %q", selector, got, want)
		}
	}
}
