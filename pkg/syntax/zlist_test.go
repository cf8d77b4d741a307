package syntax

import (
	"fmt"
	"os"
	"testing"
)

func TestZList(t *testing.T) {
	path := os.Getenv("DUMP")
	if path == "" {
		t.Skip()
	}
	src, _ := os.ReadFile(path)
	a := analyzerFor(t)
	f := see(t, a, os.Getenv("LANGUAGE_"), string(src))
	fmt.Println(f.Note, f.Digest)
	for _, d := range f.Definitions {
		fmt.Println(d.Spans, d.Name, d.Note)
	}
}
