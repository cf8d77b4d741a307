package changelog_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/seed-4419f9ca/forge/pkg/changelog"
)

// long is a changelog of n entries, about as large as those of teams are.
func long(n int) []byte {
	var b strings.Builder
	b.WriteString("{\n  \"schemaVersion\": \"1.0\",\n  \"entries\": [\n")
	for i := range n {
		if i > 0 {
			b.WriteString(",\n")
		}
		fmt.Fprintf(&b, "    {\n      \"id\": \"entry-%05d\",\n      \"date\": \"%04d-%02d-%02d\",\n      \"type\": \"changed\",\n      \"summary\": \"Thay đổi số %d of the canteen's rules\",\n      \"paths\": [\n        \"docs/domain/%d.md\",\n        \"docs/system\"\n      ]\n    }", i, 2000+i/336, i/28%12+1, i%28+1, i, i)
	}
	b.WriteString("\n  ]\n}\n")
	return []byte(b.String())
}

func BenchmarkDecodeBothOnce(b *testing.B) {
	src := long(5000)
	for b.Loop() {
		for range 2 {
			dec := jsontext.NewDecoder(bytes.NewBuffer(src))
			if _, err := dec.ReadValue(); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkUnmarshalBothOnce(b *testing.B) {
	src := long(5000)
	for b.Loop() {
		for range 2 {
			var v any
			if err := json.Unmarshal(src, &v); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkAgainstParent(b *testing.B) {
	before, after := long(5000), long(5001)
	b.SetBytes(int64(len(before) + len(after)))
	for b.Loop() {
		old, now := changelog.Parse(before), changelog.Parse(after)
		if n := len(now.Faults()) + len(changelog.Compare(changelog.Join([]changelog.Parent{{Doc: old}}), now)); n > 0 {
			b.Fatalf("%d problems", n)
		}
	}
}
