package record

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"

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
	k.archived = c.Archive != nil && c.Archive.After.Exists()
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
	if k.unsaid > 0 {
		last := &k.problems[k.lastBad]
		last.Message += fmt.Sprintf("; %d further lines are none either", k.unsaid)
	}
	return k.problems, k.proveClaim()
}

// A lineChecker walks over the lines of a JSON log.
type lineChecker struct {
	*Comparison
	growth
	r        *bufio.Reader
	dec      jsontext.Decoder
	last     state // the last line that could be read
	digest   [sha256.Size]byte
	started  bool      // there is a line before
	archived bool      // there is an archive, and the line before the first one may be in it
	claim    *claim    // what the first line then says
	bad      []badLine // the lines since the last that could be read
	badCount int       // bad lines so far
	unsaid   int       // bad lines beyond maxBadLines
	lastBad  int       // index of the problem about the last bad line that is told
	problems []Problem
}

// maxBadLines bounds the bad lines of one file that are told one by one: a file of another kind that gets the name of a JSON
// log has as many as it has lines.
const maxBadLines = 200

// state is what the next line is compared with.
type state struct {
	object
	place
	bad int // lines after it that could not be read
}

// A badLine is a line that could not be read, until the next one that can says whether a crash has torn it.
type badLine struct {
	place
	column int
	why    *fault
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
	}
	switch {
	case broken == nil && (finished || !at.fresh):
		k.judgeObject(at, o)
	case finished:
		why := faultOf(broken)
		k.bad = append(k.bad, badLine{at, why.offset, why})
		k.trim()
	case at.fresh:
		k.settle(nil)
		k.problems = append(k.problems, at.problem(TornTail, at.size, fmt.Sprintf("line %d is cut: the file ends without a line end after it", at.number)))
	}
}

// trim keeps the number of lines that wait for a decision small. What is said of the first ones then stays.
func (k *lineChecker) trim() {
	if len(k.bad) > maxBadLines {
		k.tell(k.bad[0], false)
		k.bad = k.bad[1:]
		k.last.bad++
	}
}

// settle decides about the bad lines before next, which is nil at the end of the file. A record that follows a line that a
// crash has torn says so, and then it is known. A crash that came again while that line was being closed off has left more
// than one.
func (k *lineChecker) settle(next *object) {
	known := next != nil && next.torn
	excused := len(k.bad)
	for i := len(k.bad) - 1; known && i >= 0; i-- {
		if why := k.bad[i].why; !why.cut && (i < len(k.bad)-1 || !why.garbled) {
			break
		}
		excused = i
	}
	for i, b := range k.bad {
		k.tell(b, known && i >= excused)
	}
	k.last.bad += len(k.bad)
	k.bad = k.bad[:0]
}

// tell reports a bad line; with known as one that a crash has torn.
func (k *lineChecker) tell(b badLine, known bool) {
	p := b.problem(BadLine, b.column, fmt.Sprintf("line %d is not one JSON object: %s", b.number, b.why.reason))
	switch {
	case !b.fresh && (known || !k.Chain):
		return
	case !b.fresh:
		p.Slug, p.Message = BrokenChain, fmt.Sprintf(`line %d is not one JSON object and carries no "prev": %s`, b.number, b.why.reason)
	case known:
		p.Slug, p.Level = TornTail, finding.Flag
		p.Message = fmt.Sprintf("line %d is a record that a crash has cut; the line after it says so", b.number)
	}
	if k.badCount++; k.badCount > maxBadLines {
		k.unsaid++
		return
	}
	k.lastBad = len(k.problems)
	k.problems = append(k.problems, p)
}

// faultOf returns why a line is not one JSON object.
func faultOf(err error) *fault {
	var f *fault
	if errors.As(err, &f) {
		return f
	}
	return &fault{reason: err.Error()}
}
