package syntax

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestDump(t *testing.T) {
	file := os.Getenv("DUMP")
	if file == "" {
		t.Skip()
	}
	lang := os.Getenv("DUMPLANG")
	g, err := newGrammar(lang, "")
	if err != nil {
		t.Fatal(err)
	}
	src, _ := os.ReadFile(file)
	nodes, _, err := g.parse(src)
	if err != nil {
		t.Fatal(err)
	}
	depth := make([]int, len(nodes))
	for i, n := range nodes {
		if n.parent >= 0 {
			depth[i] = depth[n.parent] + 1
		}
		f := g.fields[n.field]
		if f != "" {
			f += ": "
		}
		text := ""
		if int(n.next) == i+1 {
			text = fmt.Sprintf(" %q", src[n.start:n.end])
		}
		k := "ERROR"
		if int(n.kind) < len(g.kinds) {
			k = g.kinds[n.kind]
		}
		if n.flags&isNamed == 0 {
			k = "'" + k + "'"
		}
		e := ""
		if n.flags&(isError|isMissing) != 0 {
			e = " !!!"
		}
		if n.flags&isExtra != 0 {
			e += " extra"
		}
		fmt.Printf("%s%s%s%s%s\n", strings.Repeat("  ", depth[i]), f, k, text, e)
	}
}
