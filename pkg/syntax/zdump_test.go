package syntax

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestZDump(t *testing.T) {
	path := os.Getenv("DUMP")
	if path == "" {
		t.Skip()
	}
	src, _ := os.ReadFile(path)
	a := analyzerFor(t)
	lang := os.Getenv("LANGUAGE_")
	g, err := a.grammar(lang)
	if err != nil {
		t.Fatal(err)
	}
	nodes, _, err := g.parse(src)
	if err != nil {
		t.Fatal(err)
	}
	depth := make([]int, len(nodes))
	for i := range nodes {
		n := &nodes[i]
		if n.parent >= 0 {
			depth[i] = depth[n.parent] + 1
		}
		txt := ""
		if n.next == int32(i)+1 {
			txt = string(src[n.start:n.end])
		}
		k := g.kind(n)
		if n.flags&isNamed == 0 {
			k = "'" + k + "'"
		}
		f := ""
		if n.field != 0 {
			f = g.fields[n.field] + ": "
		}
		e := ""
		if n.flags&(isError|isMissing) != 0 {
			e = " !!!"
		}
		fmt.Printf("%s%s%s %q%s\n", strings.Repeat("  ", depth[i]), f, k, txt, e)
	}
}
