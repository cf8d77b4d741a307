package syntax

import (
	"fmt"
	"os"
	"testing"
)

func TestTry(t *testing.T) {
	file := os.Getenv("TRY")
	if file == "" {
		t.Skip()
	}
	src, _ := os.ReadFile(file)
	a := newAnalyzer()
	lang := os.Getenv("TRYLANG")
	f, err := a.File(lang, src)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println(f.Language, f.Note, f.Digest)
	for _, d := range f.Definitions {
		fmt.Printf("%-40s %v %s %s %s %s %s %s\n", d.Name, d.Spans, d.Digest.Kind, d.Digest.Whole, d.Digest.Signature, d.Digest.Body, d.Digest.Doc, d.Note)
	}
}
