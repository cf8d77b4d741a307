package record

import (
	"testing"

	"github.com/seed-4419f9ca/forge/pkg/config"
	"github.com/seed-4419f9ca/forge/pkg/record"
)

func TestKindOf(t *testing.T) {
	c, err := config.Parse(config.Path, []byte(`version: 1
records:
  - {paths: [one.log], shape: bytes, archive: old/one}
  - {paths: ["many*.log"], shape: jsonl, chain: true, archive: old/many}
  - {paths: [a.log], shape: bytes, archive: old/ab}
  - {paths: [b.log], shape: bytes, direction: top, archive: old/ab}
  - {paths: [log.json], shape: entries}
`), nil)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]struct {
		spec    record.Spec
		archive string
		ok      bool
	}{
		"one.log":     {record.Spec{Shape: record.Bytes}, "old/one", true},
		"many1.log":   {record.Spec{Shape: record.JSONL, Chain: true}, "", true},
		"a.log":       {record.Spec{Shape: record.Bytes}, "", true},
		"b.log":       {record.Spec{Shape: record.Bytes, Direction: record.Top}, "", true},
		"old/ab":      {record.Spec{Shape: record.Bytes}, "", true},
		"log.json":    {record.Spec{Shape: record.Entries}, "", true},
		"x.wal":       {record.Spec{Shape: record.Bytes}, "", true},
		"x.wal.jsonl": {record.Spec{Shape: record.JSONL}, "", true},
		"x.log":       {},
	} {
		spec, archive, ok, err := KindOf(c, path)
		if err != nil || spec != want.spec || archive != want.archive || ok != want.ok {
			t.Errorf("%s: got %+v, %q, %v, %v", path, spec, archive, ok, err)
		}
	}
}
