package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// A bench is one line of chapter 9.1. Adding one takes a value in a list and, where its repository is new, a function that
// sets it up.
type bench struct {
	name      string
	work      string  // what is measured, in a few words
	reference string  // what it is measured against
	goal      float64 // greatest ratio that is good; with sizes, megabytes; 0 when it only tells how low a ratio can be
	memory    int64   // greatest memory that is good, in megabytes; 0 when there is no goal
	large     bool    // needs minutes or gigabytes to set up
	prepare   func(*lab) (*match, error)
	size      string // program whose size is the measure; prepare is nil then
}

// A match is what a bench sets up: the commands of both sides, and what the report of the work must say to count.
type match struct {
	work, reference []command
	files           int  // files that the work has to have looked at; 0 when it writes no report
	idle            bool // whether it is right when no check has anything to judge
}

// benches lists all benches, in the order of chapter 9.1.
func benches(l *lab) []bench {
	list := slices.Concat(hookBenches(), rangeBenches(), recordBenches(), changelogBenches(), mindBenches(), claimBenches(), floorBenches())
	names, err := filepath.Glob(filepath.Join(l.root, "cmd", "*"))
	if err != nil {
		panic(err) // the pattern is constant
	}
	for _, dir := range names {
		list = append(list, startUp(filepath.Base(dir)))
	}
	for _, dir := range names {
		list = append(list, size(filepath.Base(dir)))
	}
	return list
}

func startUp(program string) bench {
	return bench{
		name: "startup-" + program, work: "`" + program + " version`", reference: "an empty Go program", goal: 2,
		prepare: func(l *lab) (*match, error) {
			return &match{
				work:      []command{{args: []string{l.program(program), "version"}, dir: l.dir}},
				reference: []command{{args: []string{l.program("empty")}, dir: l.dir}},
			}, nil
		},
	}
}

func size(program string) bench {
	goal := 12.0
	if program == "forge-gate" {
		goal = 50
	}
	return bench{name: "size-" + program, work: "size of `" + program + "`, stripped", goal: goal, size: program}
}

// header goes above the rows.
const header = `| bench | work | reference | goal | ratio (least–greatest) | goal is | work, ms CPU | reference, ms CPU | memory, MB |
|---|---|---|---|---|---|---|---|---|`

// row measures b and returns its line of the table.
func (b *bench) row(l *lab, runs int) (string, error) {
	if b.prepare == nil {
		return b.sizeRow(l)
	}
	l.say("%s: setting up", b.name)
	var err error
	if l.scratch, err = os.MkdirTemp(l.dir, b.name); err != nil {
		return "", err
	}
	defer os.RemoveAll(l.scratch) //nolint:errcheck // close removes what is left, and says so when it cannot
	m, err := b.prepare(l)
	if err != nil {
		return "", err
	}
	if err := l.honest(m); err != nil {
		return "", err
	}
	l.say("%s: %d runs", b.name, runs)
	c, err := l.compare(m.work, m.reference, runs)
	if err != nil {
		return "", err
	}
	ratio, least, greatest := c.ratio()
	goal, met, peak := "", "", ""
	if b.goal > 0 {
		goal, met = fmt.Sprintf("≤ %g", b.goal), verdict(ratio <= b.goal)
		if peak, err = b.peakCell(l, m); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %.2f (%.2f–%.2f) | %s | %s | %s | %s |", b.name, b.work, b.reference, goal,
		ratio, least, greatest, met, spread(c.work), spread(c.reference), peak), nil
}

// peakCell measures the memory of the work and says how it compares with the goal, if there is one.
func (b *bench) peakCell(l *lab, m *match) (string, error) {
	peak, err := l.peak(m.work)
	if err != nil || peak == 0 {
		return "", err
	}
	cell := fmt.Sprintf("%.0f", megabytes(peak))
	if b.memory > 0 {
		cell += fmt.Sprintf(" of %d, %s", b.memory, verdict(megabytes(peak) <= float64(b.memory)))
	}
	return cell, nil
}

func (b *bench) sizeRow(l *lab) (string, error) {
	info, err := os.Stat(l.program(b.size))
	if err != nil {
		return "", err
	}
	mb := megabytes(info.Size())
	return fmt.Sprintf("| %s | %s | | ≤ %g MB | %.1f MB | %s | | | |", b.name, b.work, b.goal, mb, verdict(mb <= b.goal)), nil
}

// honest runs the work once with a JSON report and makes sure that it looked at what it was given and found nothing: a
// program that does nothing is fast.
func (l *lab) honest(m *match) error {
	if m.files == 0 {
		return nil
	}
	for _, c := range m.work {
		cmd := exec.Command(c.args[0], append(c.args[1:len(c.args):len(c.args)], "--format", "json")...)
		cmd.Dir, cmd.Env = c.dir, l.env
		var complaint bytes.Buffer
		cmd.Stderr = &complaint
		out, err := cmd.Output()
		if err != nil {
			return fmt.Errorf("could not run %q: %w\n%s%s", cmd.Args, err, out, complaint.Bytes())
		}
		var report struct {
			Verdict string
			Change  struct{ Files int }
		}
		if err := json.Unmarshal(out, &report); err != nil {
			return fmt.Errorf("could not read the report of %q: %w", cmd.Args, err)
		}
		right := report.Verdict == "pass" || report.Verdict == "skip" && m.idle
		if !right || report.Change.Files != m.files {
			return fmt.Errorf("%q gave %d files the verdict %q, it should pass %d\n%s",
				cmd.Args, report.Change.Files, report.Verdict, m.files, out)
		}
	}
	return nil
}

func verdict(met bool) string {
	if met {
		return "met"
	}
	return "**missed**"
}

func megabytes(n int64) float64 { return float64(n) / 1e6 }

// spread prints the median of the CPU times, and the least and the greatest in parentheses.
func spread(times []time.Duration) string {
	ms := func(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
	return fmt.Sprintf("%.1f (%.1f–%.1f)", ms(median(times)), ms(slices.Min(times)), ms(slices.Max(times)))
}
