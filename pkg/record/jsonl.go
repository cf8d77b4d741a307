package record

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/big"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

// checkLines judges the new lines of a JSON log, or all of them with Whole, and the whole chain where there is one.
func (c *Comparison) checkLines(g growth) ([]Problem, error) {
	k := &lineChecker{Comparison: c, growth: g}
	from, last := g.offset, g.last
	if c.Chain || c.Whole {
		k.number, from, last = 1, 0, nil
	}
	source := g.news
	if from != g.offset || !source.Exists() {
		source = c.After.section(from, c.After.size)
	}
	r, err := source.open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if last != nil {
		k.before(last)
	}
	k.r = bufio.NewReaderSize(r, bufferSize)
	for {
		more, err := k.next()
		if err != nil {
			return nil, err
		}
		if !more {
			break
		}
	}
	k.settle(nil)
	return k.problems, nil
}

// A lineChecker walks over the lines of a JSON log.
type lineChecker struct {
	*Comparison
	growth
	r        *bufio.Reader
	dec      jsontext.Decoder
	last     state // the last line that could be read
	digest   [sha256.Size]byte
	started  bool     // there is a line before
	bad      *Problem // a bad line that the next one may declare torn
	problems []Problem
}

// state is what the next line is compared with.
type state struct {
	object
	fresh bool
}

// before takes in the line before the first that is read.
func (k *lineChecker) before(t []byte) {
	k.started = true
	k.digest = sha256.Sum256(t)
	if o, err := k.read(bytes.NewReader(t)); err == nil {
		k.last = state{object: o}
	}
}

// next judges one line and reports whether there was one.
func (k *lineChecker) next() (bool, error) {
	if _, err := k.r.Peek(1); err == io.EOF {
		return false, nil
	} else if err != nil {
		return false, err
	}
	src := &lineSource{r: k.r, hash: sha256.New(), hashing: k.Chain}
	o, broken := k.read(src)
	if err := src.drain(); err != nil {
		return false, err
	}
	fresh := k.Whole || k.fresh != nil && k.fresh(k.number)
	at := place{number: k.number, size: src.size, text: src.head, fresh: fresh}
	k.judge(at, o, broken, src.finished)
	if k.Chain {
		src.hash.Sum(k.digest[:0])
	}
	k.started = true
	k.number++
	return true, nil
}

// A place is a line as problems show it.
type place struct {
	number int
	size   int
	text   []byte
	fresh  bool
}

func (p *place) problem(slug string, column int, message string) Problem {
	column = min(max(column, 0), p.size)
	return Problem{
		Slug: slug, Side: finding.After, Old: -1, Message: message, Anchor: shorten(string(p.text)),
		Span: text.Span{Start: text.Pos{Line: p.number, Column: column + 1}, End: text.Pos{Line: p.number, Column: p.size + 1}},
	}
}

func (k *lineChecker) judge(at place, o object, broken error, finished bool) {
	if broken == nil {
		k.settle(&o)
	} else {
		k.settle(nil)
	}
	switch {
	case broken == nil && (finished || !at.fresh):
		k.judgeObject(at, o)
		return
	case !at.fresh:
	case !finished:
		k.problems = append(k.problems, at.problem(TornTail, at.size, fmt.Sprintf("line %d is cut: the file ends without a line end after it", at.number)))
	default:
		column, why := faultOf(broken)
		p := at.problem(BadLine, column, fmt.Sprintf("line %d is not one JSON object: %s", at.number, why))
		k.bad = &p
	}
}

// settle decides about the bad line before: the record after a tail that a crash has torn says so, and then it is known.
func (k *lineChecker) settle(next *object) {
	if k.bad == nil {
		return
	}
	p := *k.bad
	k.bad = nil
	if next != nil && next.torn {
		p.Slug, p.Level = TornTail, finding.Flag
		p.Message = fmt.Sprintf("line %d is a record that a crash has cut; the line after it says so", p.Span.Start.Line)
		k.last.torn = true
	}
	k.problems = append(k.problems, p)
}

// judgeObject compares a line with the one before it.
func (k *lineChecker) judgeObject(at place, o object) {
	k.judgeChain(at, o)
	if at.fresh && k.Grows() == End {
		k.judgeSequence(at, o)
		k.judgeTime(at, o)
	}
	k.last = state{object: o, fresh: at.fresh}
}

func (k *lineChecker) judgeChain(at place, o object) {
	if !k.Chain {
		return
	}
	want := hex.EncodeToString(k.digest[:])
	switch {
	case !k.started && o.prev == "" || k.started && o.prev == want:
	case !k.started && k.Archive != nil && k.Archive.After.Exists():
		// The line before the first one moved into the archive.
		if d, err := lastDigest(k.Archive.After); err != nil || d != o.prev {
			k.problems = append(k.problems, at.problem(BrokenChain, o.prevAt, fmt.Sprintf(`"prev" of the first line is %q, which is not the digest of the last line of the archive %q`, o.prev, k.Archive.Path)))
		}
	case !k.started:
		k.problems = append(k.problems, at.problem(BrokenChain, o.prevAt, fmt.Sprintf(`the first line of a chain has no line before it, but carries "prev" %q`, o.prev)))
	case o.prev == "":
		k.problems = append(k.problems, at.problem(BrokenChain, 0, fmt.Sprintf(`line %d carries no "prev"; the digest of the line before it is %q`, at.number, want)))
	default:
		k.problems = append(k.problems, at.problem(BrokenChain, o.prevAt, fmt.Sprintf(`"prev" of line %d is %q, but the digest of the line before it is %q`, at.number, o.prev, want)))
	}
}

// judgeSequence asks that seq rises by one within a run of lines; across the seam of a merge nothing is asked.
func (k *lineChecker) judgeSequence(at place, o object) {
	last := k.last
	if k.seam(at) || last.seq == nil && !last.seqBad {
		if o.seqBad {
			k.problems = append(k.problems, at.problem(Sequence, o.seqAt, fmt.Sprintf(`"seq" of line %d is not a whole number`, at.number)))
		}
		return
	}
	switch {
	case o.seqBad:
		k.problems = append(k.problems, at.problem(Sequence, o.seqAt, fmt.Sprintf(`"seq" of line %d is not a whole number`, at.number)))
	case o.seq == nil:
		k.problems = append(k.problems, at.problem(Sequence, 0, fmt.Sprintf(`line %d has no "seq", though the line before it has %s`, at.number, last.seq)))
	case last.seq == nil:
	default:
		want := new(big.Int).Add(last.seq, big.NewInt(1))
		if o.seq.Cmp(want) == 0 || last.torn && o.seq.Cmp(want.Add(want, big.NewInt(1))) == 0 {
			return
		}
		if k.Whole && !k.isNew(at.number) && o.seq.Cmp(want) < 0 {
			return
		}
		k.problems = append(k.problems, at.problem(Sequence, o.seqAt, fmt.Sprintf(`"seq" of line %d is %s, but the line before it has %s`, at.number, o.seq, last.seq)))
	}
}

// isNew reports whether the change itself added the line.
func (k *lineChecker) isNew(number int) bool { return k.fresh != nil && k.fresh(number) }

// seam reports whether the line and the one before it may come from different parents of a merge.
func (k *lineChecker) seam(at place) bool {
	n := 0
	for i := range k.Parents {
		if k.Parents[i].Version.Exists() {
			n++
		}
	}
	return n > 1 && !k.last.fresh
}

func (k *lineChecker) judgeTime(at place, o object) {
	if k.Time == "" || o.time == "" || k.last.time == "" || k.seam(at) {
		return
	}
	before, ok := moment(k.last.time)
	now, valid := moment(o.time)
	if ok && valid && now.Before(before) {
		k.problems = append(k.problems, at.problem(TimeReversed, o.timeAt, fmt.Sprintf("%q of line %d is %s, earlier than %s of the line before it", k.Time, at.number, o.time, k.last.time)))
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

// lastDigest returns the digest of the last line of v in hex.
func lastDigest(v Version) (string, error) {
	var d [sha256.Size]byte
	err := eachLine(all(v), func(l *line) bool { d = l.key(); return true })
	return hex.EncodeToString(d[:]), err
}

// faultOf returns the column, from 0, and the reason of a line that is not one JSON object.
func faultOf(err error) (int, string) {
	var f *fault
	if errors.As(err, &f) {
		return f.offset, f.reason
	}
	return 0, err.Error()
}
