package record

import (
	"encoding/hex"
	"fmt"
	"math/big"
	"time"
)

// judgeObject compares a line with the one before it.
func (k *lineChecker) judgeObject(at place, o object) {
	k.judgeChain(at, o)
	now := state{object: o, place: at}
	if now.time == "" {
		now.time = k.last.time
	}
	switch k.Grows() {
	case End:
		if at.fresh {
			k.judgeSequence(now, k.last)
			k.judgeTime(now, o)
		}
	case Top:
		// The newest line is the first: the line above follows this one.
		if k.last.fresh {
			k.judgeSequence(k.last, now)
		}
	}
	k.last = now
}

func (k *lineChecker) judgeChain(at place, o object) {
	if !k.Chain {
		return
	}
	want := hex.EncodeToString(k.digest[:])
	say := func(column int, format string, args ...any) {
		k.problems = append(k.problems, at.problem(BrokenChain, column, fmt.Sprintf(format, args...)))
	}
	switch {
	case !k.started && !o.hasPrev || k.started && o.hasPrev && o.prev == want:
	case !k.started && k.archived:
		// The line before the first one moved into the archive, which others may share.
		k.claim = &claim{at.problem(BrokenChain, o.prevAt, fmt.Sprintf(`"prev" of the first line is %q, which is the digest of no line of the archive %q`, o.prev, k.Archive.Path)), o.prev}
	case !k.started:
		say(o.prevAt, `the first line of a chain has no line before it, but carries "prev" %q`, o.prev)
	case !o.hasPrev:
		say(0, `line %d carries no "prev"; the digest of the line before it is %q`, at.number, want)
	default:
		say(o.prevAt, `"prev" of line %d is %q, but the digest of the line before it is %q`, at.number, o.prev, want)
	}
}

// judgeSequence asks that seq rises by one from one record to the next; across the seam of a merge nothing is asked. A line
// between them that could not be read may have had a number of its own.
func (k *lineChecker) judgeSequence(now, last state) {
	say := func(column int, format string, args ...any) {
		k.problems = append(k.problems, now.problem(Sequence, column, fmt.Sprintf(format, args...)))
	}
	switch {
	case now.seqBad:
		say(now.seqAt, `"seq" of line %d is not a whole number`, now.number)
	case last.seq == nil && !last.seqBad || k.seam(last):
	case now.seq == nil:
		say(0, `line %d has no "seq", though the record before it has one`, now.number)
	case last.seq == nil:
	default:
		step := new(big.Int).Sub(now.seq, last.seq)
		most := big.NewInt(1 + int64(last.bad+now.bad))
		if step.Sign() > 0 && step.Cmp(most) <= 0 || k.oldSeam(now, step) {
			return
		}
		say(now.seqAt, `"seq" of line %d is %s, but the record before it has %s`, now.number, now.seq, last.seq)
	}
}

// oldSeam reports whether a line may be where a merge once joined two runs of records. When all lines are judged, nobody
// knows where those are, but a run begins with no greater number than the one before it ends with.
func (k *lineChecker) oldSeam(now state, step *big.Int) bool {
	return k.Whole && step.Sign() <= 0 && !(k.fresh != nil && k.fresh(now.number))
}

// seam reports whether the line after last and last itself may come from different parents of a merge.
func (k *lineChecker) seam(last state) bool {
	n := 0
	for i := range k.Parents {
		if k.Parents[i].Version.Exists() {
			n++
		}
	}
	return n > 1 && !last.fresh
}

func (k *lineChecker) judgeTime(now state, o object) {
	last := k.last
	if k.Time == "" || o.time == "" || last.time == "" || k.seam(last) {
		return
	}
	if now.seq != nil && last.seq != nil && k.oldSeam(now, new(big.Int).Sub(now.seq, last.seq)) {
		return
	}
	before, ok := moment(last.time)
	at, valid := moment(o.time)
	if ok && valid && at.Before(before) {
		k.problems = append(k.problems, now.problem(TimeReversed, o.timeAt, fmt.Sprintf("%q of line %d is %s, earlier than %s of the line before it", k.Time, now.number, o.time, last.time)))
	}
}

// moment reads a time stamp: RFC 3339, with a space for the T as well, or seconds since 1970.
func moment(s string) (time.Time, bool) {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999", "2006-01-02T15:04Z07:00", "2006-01-02"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, true
		}
	}
	f, _, err := big.ParseFloat(s, 10, 128, big.ToNearestEven)
	if err != nil || f.IsInf() {
		return time.Time{}, false
	}
	ns, _ := f.Mul(f, big.NewFloat(1e9)).Int(nil)
	if !ns.IsInt64() {
		return time.Time{}, false
	}
	return time.Unix(0, ns.Int64()), true
}

// A claim is what a first line says about the line before it, which has moved away.
type claim struct {
	problem Problem
	prev    string
}

// proveClaim reports the claim unless the archive has a line with the digest.
func (k *lineChecker) proveClaim() error {
	if k.claim == nil {
		return nil
	}
	found := false
	err := eachLine(all(k.Archive.After), func(l *line) bool {
		sum := l.key()
		found = hex.EncodeToString(sum[:]) == k.claim.prev
		return !found
	})
	if err == nil && !found {
		k.problems = append([]Problem{k.claim.problem}, k.problems...)
	}
	return err
}
