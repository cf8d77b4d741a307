package claim

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// where holds a claim against the file that it stands in (chapter 7.1).
func (p *parser) where(c *Claim) {
	kind := p.prefixes[c.Prefix]
	home := homes(kind)
	switch {
	case p.home == Overview:
		p.fault("claim-in-overview", c, c.Heading, c.ID, "claim %q stands in the overview, which is always loaded and holds prose only", c.ID)
	case !c.File.Candidate && len(home) > 0 && !slices.Contains(home, p.home):
		p.fault("claim-in-unusual-file", c, c.Heading, c.ID, "claim %q of the kind %q stands in %q, and people look for it in %q", c.ID, kind, p.home, strings.Join(home, `" or "`))
	}
	p.ratified(c)
}

// ratified holds the status of a claim against the folder of candidates.
func (p *parser) ratified(c *Claim) {
	status, confidence := c.fields[fieldStatus], c.fields[fieldConfidence]
	if c.fields == nil {
		return // its block is not read
	}
	report := func(at Place, key, format string, args ...any) {
		if at == (Place{}) {
			at = c.Heading
		}
		p.fault("not-ratified", c, at, c.ID+" "+key, format, args...)
	}
	_, doubtful := c.fields[fieldConfidence]
	switch {
	case c.File.Candidate && c.Status != Proposed && c.Status != "":
		report(status, fieldStatus, "claim %q stands among the candidates and is %s", c.ID, c.Status)
	case !c.File.Candidate && c.Status == Proposed:
		report(status, fieldStatus, "claim %q is only proposed and stands outside of %s/", c.ID, candidates)
	}
	switch {
	case c.File.Candidate && !doubtful && c.Status != Retired:
		report(Place{}, fieldConfidence, "claim %q stands among the candidates and has no %q", c.ID, fieldConfidence)
	case !c.File.Candidate && doubtful && c.Status != Proposed:
		report(confidence, fieldConfidence, "claim %q stands outside of %s/ and has a %q", c.ID, candidates, fieldConfidence)
	}
}

// sortFaults puts faults into the order of the text.
func sortFaults(list []Fault) {
	sort.SliceStable(list, func(i, j int) bool {
		a, b := &list[i], &list[j]
		if a.Path != b.Path {
			return a.Path < b.Path
		}
		if a.Place != b.Place {
			return a.Place.Start < b.Place.Start || a.Place.Start == b.Place.Start && a.Place.End < b.Place.End
		}
		return fmt.Sprint(a.Slug, a.Message) < fmt.Sprint(b.Slug, b.Message)
	})
}
