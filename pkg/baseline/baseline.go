// Package baseline lets a repository adopt Forge without repairing its history: a file holds the findings of one day, and
// later runs leave those out (chapter 2.6). Findings are matched by fingerprints, which hold no line numbers.
package baseline

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sort"

	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

// SchemaName is the value of the member "schema" of a baseline file.
const SchemaName = "forge.baseline/1"

// A Baseline says how many findings of each fingerprint rest. The zero Baseline, and nil, hold none.
type Baseline struct {
	entries []entry // sorted by path, code and fingerprint, without doubles
}

// An entry is one line of the file. Code and Path are there for people; Path is escaped like in a text report.
type entry struct {
	Fingerprint string `json:"fingerprint"`
	Count       int    `json:"count"`
	Code        string `json:"code"`
	Path        string `json:"path"`
}

// Of returns the baseline that lets exactly these findings rest.
func Of(findings []finding.Finding) *Baseline {
	at := map[string]int{}
	b := &Baseline{}
	for i := range findings {
		f := &findings[i]
		print := f.Fingerprint()
		if n, ok := at[print]; ok {
			b.entries[n].Count++
			continue
		}
		at[print] = len(b.entries)
		b.entries = append(b.entries, entry{Fingerprint: print, Count: 1, Code: text.Escape(f.Code), Path: text.Escape(f.Path)})
	}
	b.sort()
	return b
}

func (b *Baseline) sort() {
	sort.Slice(b.entries, func(i, j int) bool {
		x, y := &b.entries[i], &b.entries[j]
		switch {
		case x.Path != y.Path:
			return x.Path < y.Path
		case x.Code != y.Code:
			return x.Code < y.Code
		}
		return x.Fingerprint < y.Fingerprint
	})
}

// Count returns how many findings rest at most.
func (b *Baseline) Count() int {
	n := 0
	if b != nil {
		for i := range b.entries {
			n += b.entries[i].Count
		}
	}
	return n
}

// Marshal returns the bytes of the baseline file: one entry a line, so that a change of it reads well in a diff.
func (b *Baseline) Marshal() []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "{\n  \"schema\": %q,\n  \"findings\": [", SchemaName)
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if b != nil {
		for i := range b.entries {
			if i > 0 {
				out.WriteByte(',')
			}
			out.WriteString("\n    ")
			if err := enc.Encode(&b.entries[i]); err != nil {
				panic(fmt.Sprintf("could not encode strings and a number: %v", err))
			}
			out.Truncate(out.Len() - 1) // the line end that the encoder adds
		}
		if len(b.entries) > 0 {
			out.WriteString("\n  ")
		}
	}
	out.WriteString("]\n}\n")
	return out.Bytes()
}

// Apply leaves out the findings that rest and returns the others in their order, with the number of those left out. An
// entry excuses as many equal findings as its count says; one that matches nothing is no fault. Each call counts anew.
func (b *Baseline) Apply(findings []finding.Finding) (fresh []finding.Finding, rested int) {
	if b == nil || len(b.entries) == 0 {
		return findings, 0
	}
	left := make(map[string]int, len(b.entries))
	for i := range b.entries {
		left[b.entries[i].Fingerprint] = b.entries[i].Count
	}
	for i := range findings {
		print := findings[i].Fingerprint()
		if left[print] > 0 {
			left[print]--
			rested++
			continue
		}
		fresh = append(fresh, findings[i])
	}
	return fresh, rested
}
