package mutate

import (
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/check"
)

const (
	walLog  = "logs/lock.wal"
	walJSON = "logs/lock.wal.jsonl"
)

// Wal is the suite of the check wal: two logs that grow at their ends.
func Wal() *Suite {
	log := "08:00 lock filled\n08:20 barge in\n08:40 lock drained\n"
	json := "{\"seq\": 1, \"event\": \"filled\"}\n{\"seq\": 2, \"event\": \"drained\"}\n"
	good := &Sample{
		Before: Files(map[string]string{walLog: log, walJSON: json}),
		After:  Files(map[string]string{walLog: log + "09:00 gates closed\n", walJSON: json + "{\"seq\": 3, \"event\": \"closed\"}\n"}),
		Stage:  check.PreCommit,
	}
	return &Suite{Good: good, Faults: []Fault{
		fault("a published line reworded", "wal/rewritten", Replace(After, walLog, "barge in", "barge out")),
		fault("the last published lines cut off", "wal/truncated", Change(After, walLog, func(s string) string { return s[:strings.Index(s, "08:40")] })),
		fault("a line slipped in", "wal/inserted", Replace(After, walLog, "08:40", "08:30 pump on\n08:40")),
		fault("the new line at the wrong end", "wal/direction", Change(After, walLog, func(string) string { return "09:00 gates closed\n" + log })),
		fault("no line end at the end", "wal/torn-tail", Change(After, walLog, func(s string) string { return strings.TrimSuffix(s, "\n") })),
		fault("other line ends", "wal/eol-changed", ReplaceAll(After, walLog, "\n", "\r\n")),
		fault("a log deleted", "wal/deleted", Remove(After, walLog)),
		fault("a log renamed", "wal/renamed-away", Write(After, walLog, log), Move(After, walLog, "logs/lock.txt")),
		fault("a link in the place of a log", "wal/not-regular", Link(After, walLog, "elsewhere.wal")),
		fault("a key twice in a line", "wal/bad-line", Replace(After, walJSON, "\"event\": \"closed\"", "\"event\": \"closed\", \"event\": \"open\"")),
		fault("a number left out", "wal/sequence", Replace(After, walJSON, "\"seq\": 3", "\"seq\": 4")),
	}}
}
