package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/seed-4419f9ca/forge/pkg/drift"
	"github.com/seed-4419f9ca/forge/pkg/report"
)

// driftSchema is the value of the member "schema" of what drift --json prints.
const driftSchema = "forge.drift/1"

func (p *Program) driftCommand() *cli.Command {
	return &cli.Command{
		Name: "drift", Usage: "say which anchors are fresh, stale, missing or unverifiable", ArgsUsage: "[CLAIM | ANCHOR]...",
		Description: "Looks at all anchors of the store, or at those of the claims and anchors that are named.",
		Flags: append([]cli.Flag{
			&cli.BoolFlag{Name: "json", Usage: "print every anchor with its status and both fingerprints"},
			&cli.BoolFlag{Name: "changed", Usage: "look only at what the change touches"},
		}, p.judgeFlags()...),
		Action: p.drift,
	}
}

func (p *Program) drift(c *cli.Context) error {
	j, err := p.newJudgement(c, p.chooseSnapshot)
	if err != nil {
		return err
	}
	if boolFlag(c, "json") && stringFlag(c, "write-baseline") != "" {
		return usagef("--json prints anchors, and --write-baseline writes findings; use one of them")
	}
	j.input.Targets, j.input.Changed = c.Args().Slice(), boolFlag(c, "changed")
	var results []*drift.Result
	j.input.Collect = func(v any) {
		if list, ok := v.([]*drift.Result); ok {
			results = append(results, list...)
		}
	}
	return j.only([]string{"drift"}, func(ctx context.Context, rep *report.Report) error {
		if !boolFlag(c, "json") {
			told := j.tell(ctx, rep)
			if j.format == report.FormatText && !j.opts.Quiet && len(results) > 0 {
				if err := writeOnce(p.Stdout, []byte(driftSummary(results))); err != nil {
					return err
				}
			}
			return told
		}
		if err := drift.Complete(ctx, results); err != nil {
			return err
		}
		data, err := driftJSON(results)
		if err != nil {
			return err
		}
		if err := writeOnce(p.Stdout, data); err != nil {
			return err
		}
		if err := j.writeReports(ctx, rep); err != nil {
			return err
		}
		return ended(rep)
	})
}

// driftSummary counts the anchors by status.
func driftSummary(results []*drift.Result) string {
	counts := map[drift.Status]int{}
	for _, r := range results {
		counts[r.Status]++
	}
	var b bytes.Buffer
	noun := "anchors"
	if len(results) == 1 {
		noun = "anchor"
	}
	fmt.Fprintf(&b, "%d %s:", len(results), noun)
	for i, s := range []drift.Status{drift.Fresh, drift.Stale, drift.Missing, drift.Unverifiable} {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, " %d %s", counts[s], s)
	}
	b.WriteByte('\n')
	return b.String()
}

// A driftAnchor is one anchor in the JSON of chapter 7.6.
type driftAnchor struct {
	Claim    string   `json:"claim"`
	Anchor   string   `json:"anchor"`
	Status   string   `json:"status"`
	Detail   string   `json:"detail"`
	Baseline string   `json:"baseline"`
	Before   string   `json:"before"`
	After    string   `json:"after"`
	MovedTo  string   `json:"moved_to"`
	Homes    []string `json:"candidates,omitempty"`
	Path     string   `json:"path"`
	Line     int      `json:"line"`
}

func driftJSON(results []*drift.Result) ([]byte, error) {
	out := struct {
		Schema  string         `json:"schema"`
		Anchors []driftAnchor  `json:"anchors"`
		Summary map[string]int `json:"summary"`
	}{Schema: driftSchema, Anchors: []driftAnchor{}, Summary: map[string]int{}}
	for _, s := range []drift.Status{drift.Fresh, drift.Stale, drift.Missing, drift.Unverifiable} {
		out.Summary[string(s)] = 0
	}
	for _, r := range results {
		a := driftAnchor{
			Claim: r.Claim.ID, Anchor: r.Anchor.Text, Status: string(r.Status), Detail: r.Detail, Baseline: r.Baseline,
			Before: r.Before, After: r.After, Homes: slices.Clone(r.Homes), Path: r.Path, Line: r.Lines.First,
		}
		switch {
		case r.Words != "":
			a.Detail += ": " + r.Words
		case r.Detail == "":
			a.Detail = r.Reason
		}
		if r.Moved != nil {
			a.MovedTo = r.Moved.Base().String()
		}
		out.Anchors = append(out.Anchors, a)
		out.Summary[a.Status]++
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(out); err != nil {
		return nil, fmt.Errorf("could not write the anchors as JSON: %w", err)
	}
	return b.Bytes(), nil
}
