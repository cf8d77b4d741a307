package record

import (
	"fmt"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/config"
	"github.com/seed-4419f9ca/forge/pkg/glob"
	"github.com/seed-4419f9ca/forge/pkg/record"
)

// A kind says how a record is judged.
type kind struct {
	record.Spec
	archive string // path, "" without rotation
	sole    bool   // no other record moves into the archive
}

// records knows which paths are records. Rows of the configuration come before the defaults, so that they can say more
// about a log that is one by its name.
type records struct {
	set   *glob.Set
	kinds []kind // by pattern
	owned []bool // by pattern: another check judges it
	named int    // the first of the default patterns, which judge whatever a guard says
}

// newRecords reads the rows of the configuration and adds the defaults of chapter 5.2.
func newRecords(c *config.Config) (*records, error) {
	r := &records{}
	var patterns []string
	add := func(k kind, owned bool, paths ...string) {
		for _, p := range paths {
			patterns = append(patterns, p)
			r.kinds = append(r.kinds, k)
			r.owned = append(r.owned, owned)
		}
	}
	for i := range c.Records {
		row := &c.Records[i]
		k := kind{record.Spec{Shape: record.Shape(row.Shape), Direction: record.Direction(row.Direction), Chain: row.Chain, Time: row.Time}, row.Archive, isSole(c, i)}
		add(k, k.Shape == record.Entries, row.Paths...)
	}
	r.named = len(patterns)
	add(kind{Spec: record.Spec{Shape: record.JSONL}}, false, "**/*.wal.jsonl")
	add(kind{Spec: record.Spec{Shape: record.Bytes}}, false, "**/*.wal", "**/WAL.md", "**/_wal-*.md")
	for i := range c.Records {
		// An archive keeps what its record gave away. Paths are no patterns.
		if row := &c.Records[i]; row.Archive != "" {
			add(archiveKind(row), false, literal(row.Archive))
		}
	}
	var err error
	if r.set, err = glob.CompileSet(patterns); err != nil {
		return nil, fmt.Errorf("could not read the paths of records: %w", err)
	}
	return r, nil
}

// isSole reports whether row i of the configuration names one file, and no other row its archive.
func isSole(c *config.Config, i int) bool {
	row := &c.Records[i]
	for k := range c.Records {
		if k != i && c.Records[k].Archive == row.Archive {
			return false
		}
	}
	if len(row.Paths) != 1 {
		return false
	}
	g, err := glob.Compile(row.Paths[0])
	if err != nil {
		return false
	}
	_, literal := g.Literal()
	return literal
}

// archiveKind is the kind of the archive of a row: it grows anywhere for a record whose newest line is the first.
func archiveKind(row *config.Record) kind {
	k := kind{Spec: record.Spec{Shape: record.Shape(row.Shape)}}
	if row.Direction == string(record.Top) || row.Direction == string(record.Any) {
		k.Direction = record.Any
	}
	return k
}

// literal returns the pattern that matches only path.
func literal(path string) string {
	var b strings.Builder
	for i := 0; i < len(path); i++ {
		if strings.IndexByte(`\*?[]{}!`, path[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(path[i])
	}
	return b.String()
}

// KindOf says what kind of record c and the defaults make of the file at path, and the path of the archive that takes the
// old content of this record alone, "" without one. It is not ok when path is no record by its name.
func KindOf(c *config.Config, path string) (spec record.Spec, archive string, ok bool, err error) {
	r, err := newRecords(c)
	if err != nil {
		return record.Spec{}, "", false, err
	}
	k, ok, _, _ := r.kindOf(path)
	if k.sole {
		archive = k.archive
	}
	return k.Spec, archive, ok, nil
}

// kindOf returns the kind of the record at path. It is not ok when path is no record by its name. Owned says that another
// check judges it, named that its name alone makes it a log.
func (r *records) kindOf(path string) (k kind, ok, owned, named bool) {
	found := r.set.Find(path)
	if len(found) == 0 {
		return kind{}, false, false, false
	}
	first := found[0]
	for _, i := range found {
		named = named || i >= r.named
	}
	return r.kinds[first], true, r.owned[first], named
}
