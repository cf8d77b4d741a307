package main

import (
	"fmt"
	"strings"
)

// recordBenches measure append-only records that are large (chapter 5.4).
func recordBenches() []bench {
	const reference = "`git cat-file blob` of both versions"
	return []bench{
		{
			name: "wal-100mb", work: "`forge-guard wal check`, a text log of 100 MB that grows by ten lines", reference: reference,
			goal: 1.3, memory: 64, prepare: largeLog("logs/day.wal", textLine, ""),
		},
		{
			name: "wal-100mb-jsonl", work: "the same, a JSON log", reference: reference,
			goal: 1.3, memory: 64, prepare: largeLog("logs/day.wal.jsonl", jsonLine, ""),
		},
		{
			name: "wal-100mb-loose", work: "the same, a text log of which git has packed neither version", reference: reference,
			goal: 1.3, memory: 64, prepare: largeLog("logs/day.wal", textLine, "loose"),
		},
	}
}

// largeLog prepares a log of 100 MB at path, of which HEAD has all lines but the last ten. Its lines are about as long, and
// as like each other, as those of a machine.
func largeLog(path string, line func(int) string, storage string) func(*lab) (*match, error) {
	return func(l *lab) (*match, error) {
		const size = 100_000_000
		var b strings.Builder
		n := 0
		for ; b.Len() < size; n++ {
			b.WriteString(line(n))
		}
		before := doc{path, b.String()}
		for range 10 {
			b.WriteString(line(n))
			n++
		}
		r, err := l.repo()
		if err != nil {
			return nil, err
		}
		if storage == "loose" {
			err = r.stage([]doc{before})
			if err == nil {
				_, err = r.git(nil, "-c", "user.name=Bench", "-c", "user.email=bench@example.com", "commit", "-q", "-m", "bench")
			}
		} else if err = r.commit([]doc{before}); err == nil {
			err = r.load(true)
		}
		if err != nil {
			return nil, err
		}
		if err := r.stage([]doc{{path, b.String()}}); err != nil {
			return nil, err
		}
		return &match{
			work: []command{{args: []string{l.program("forge-guard"), "wal", "check"}, dir: r.dir}},
			reference: []command{
				{args: []string{"git", "cat-file", "blob", "HEAD:" + path}, dir: r.dir},
				{args: []string{"git", "cat-file", "blob", ":" + path}, dir: r.dir},
			},
			files: 1,
		}, nil
	}
}

func textLine(i int) string {
	return fmt.Sprintf("2026-03-%02dT%02d:%02d:%02dZ worker-%d wrote block %08x of segment %d\n", i/86400%28+1, i/3600%24, i/60%60, i%60, i*7%13, uint32(i)*2654435761, i/1000)
}

func jsonLine(i int) string {
	return fmt.Sprintf("{\"seq\": %d, \"worker\": %d, \"event\": \"written\", \"block\": \"%08x\", \"segment\": %d}\n", i+1, i*7%13, uint32(i)*2654435761, i/1000)
}
