// Package finding holds what a check says: findings with their place, and verdicts. The fields are the contract of
// chapter 2.7 of the specification.
package finding

import (
	"crypto/sha256"
	"encoding/hex"
	"sort"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/text"
)

// A Level says what a finding does to the verdict.
type Level string

// The levels of findings and checks. Off is a level of checks only.
const (
	Fail Level = "fail"
	Flag Level = "flag"
	Off  Level = "off"
)

// A Verdict is the answer of one check, or of a whole run.
type Verdict string

// The verdicts (chapter 2.4).
const (
	Pass    Verdict = "pass"
	Failed  Verdict = "fail"
	Flagged Verdict = "flag"
	Skipped Verdict = "skip"
)

// A Side names the version of a file in which a place lies.
type Side string

// The sides of a change.
const (
	After  Side = "after"
	Before Side = "before"
)

// A Finding is one located statement of a check.
type Finding struct {
	Code    string    // check id, slash, slug: "guard-header/missing"
	Level   Level     // Fail or Flag
	Path    string    // bytes of the path, relative to the root
	Span    text.Span // zero for a finding about the whole file
	Side    Side      // After unless the place exists in the before version only
	Message string    // one sentence in the present tense; names the thing in quotes
	Help    string    // what to do, with the exact command where there is one
	Related []Related // other places that explain it
	Fix     *Fix      // nil when no machine can put it right
	Anchor  string    // normalised text of the thing found; with Code and Path it identifies the finding when lines move
	Commit  string    // object id of the commit in a range that made it, when the range as a whole no longer shows it
}

// A Related place explains a finding.
type Related struct {
	Path    string
	Span    text.Span
	Side    Side
	Message string
}

// A Fix puts a finding right by edits of the file it stands in, in its after version.
type Fix struct {
	Safe    bool // a safe fix changes no meaning and `fix` applies it
	Message string
	Edits   []text.Edit
}

// Fingerprint identifies f over commits: it is made of code, path and anchor and never of a line number. The result is
// 32 hex digits.
func (f *Finding) Fingerprint() string {
	h := sha256.New()
	for _, s := range []string{f.Code, f.Path, strings.Join(strings.Fields(f.Anchor), " ")} {
		h.Write([]byte(s))
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Check returns the part of f's code before the slash.
func (f *Finding) Check() string {
	id, _, _ := strings.Cut(f.Code, "/")
	return id
}

// Sort orders findings by path bytes, line, column, code and message, and removes those that say the same at the same
// place (chapter 2.7: no finding twice).
func Sort(list []Finding) []Finding {
	sort.SliceStable(list, func(i, j int) bool { return less(&list[i], &list[j]) })
	out := list[:0]
	for i := range list {
		if n := len(out); n > 0 && same(&out[n-1], &list[i]) {
			continue
		}
		out = append(out, list[i])
	}
	return out
}

func less(a, b *Finding) bool {
	switch {
	case a.Path != b.Path:
		return a.Path < b.Path
	case a.Span.Start != b.Span.Start:
		if a.Span.Start.Line != b.Span.Start.Line {
			return a.Span.Start.Line < b.Span.Start.Line
		}
		return a.Span.Start.Column < b.Span.Start.Column
	case a.Code != b.Code:
		return a.Code < b.Code
	case a.Message != b.Message:
		return a.Message < b.Message
	}
	return a.Commit < b.Commit
}

func same(a, b *Finding) bool {
	return a.Path == b.Path && a.Span == b.Span && a.Code == b.Code && a.Message == b.Message && a.Commit == b.Commit
}
