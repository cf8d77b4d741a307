package git

import (
	"errors"
	"io"
	"slices"
	"strings"
)

// A wave is the objects of one call that asks for many ahead. A git of its own reads them, which is told all at once and
// gathers its answers before it writes them: several times as fast as one that answers each by itself. Whatever is odd
// about an answer ends the wave; its objects are then asked for one by one, and there the error shows that belongs to them.
type wave struct {
	queue []request // not asked yet
	proc  *process
	sent  []request      // asked and not answered, in the order of the answers
	place map[string]int // of each name among all that were asked of proc
}

const (
	many      = 500  // objects from which a process of their own is cheaper
	waveSize  = 2000 // objects that one process is asked for: reading them in another order than asked costs as many
	waveCount = 4    // waves at a time
)

// begin starts a wave for list, whose names nobody has asked for.
func (b *batch) begin(list []request) {
	w := &wave{}
	for _, q := range list {
		if b.ahead[q.name] != w {
			b.ahead[q.name] = w
			w.queue = append(w.queue, q)
		}
	}
	if len(b.waves) == waveCount {
		b.drop(b.waves[0])
	}
	b.waves = append(b.waves, w)
	if err := b.send(w); err != nil {
		b.drop(w) // who waits for an object meets the error again
	}
}

// send starts a process for the next objects of w.
func (b *batch) send(w *wave) error {
	var lines strings.Builder
	w.sent, w.place = nil, map[string]int{}
	for len(w.queue) > 0 && len(w.sent) < waveSize {
		q := w.queue[0]
		w.queue = w.queue[1:]
		if b.ahead[q.name] == w {
			w.place[q.name] = len(w.sent)
			w.sent = append(w.sent, q)
			lines.WriteString(q.name + "\n")
		}
	}
	if len(w.sent) == 0 {
		return nil
	}
	p, err := b.repo.start("read objects", "cat-file", "--batch", "--buffer")
	if err != nil {
		return err
	}
	p.feed([]byte(lines.String()))
	w.proc = p
	return nil
}

// drop ends w. Its objects are as if they had not been asked for.
func (b *batch) drop(w *wave) {
	if w.proc != nil {
		w.proc.stop()
	}
	for _, list := range [][]request{w.sent, w.queue} {
		for _, q := range list {
			if b.ahead[q.name] == w {
				delete(b.ahead, q.name)
			}
		}
	}
	w.sent, w.queue = nil, nil
	b.waves = slices.DeleteFunc(b.waves, func(o *wave) bool { return o == w })
}

// advance takes one more answer of the wave that want is in. It returns false when want is not to come from there.
func (b *batch) advance(w *wave, want request) bool {
	if len(w.sent) == 0 {
		if err := b.send(w); err != nil {
			b.drop(w)
			return false
		}
	}
	at, asked := w.place[want.name]
	at -= len(w.place) - len(w.sent)
	if !asked || at < 0 { // it is for a later process
		delete(b.ahead, want.name)
		return false
	}
	if want.limit <= 0 || (w.sent[at].limit > 0 && w.sent[at].limit < want.limit) {
		w.sent[at].limit = want.limit
	}
	q := w.sent[0]
	o, whole, err := w.receive()
	if err != nil {
		b.drop(w)
		return false
	}
	w.sent = w.sent[1:]
	delete(b.ahead, q.name)
	b.keep(q, o, nil)
	switch {
	case !whole: // the rest is cheaper to ask for again
		w.queue = append(w.sent, w.queue...)
		w.sent = nil
		fallthrough
	case len(w.sent) == 0:
		w.proc.stop()
		w.proc = nil
	}
	if len(w.sent)+len(w.queue) == 0 {
		b.drop(w)
	}
	return true
}

// receive takes the next answer. whole is false when its content is too long to be read away.
func (w *wave) receive() (o object, whole bool, err error) {
	q := w.sent[0]
	line, err := w.proc.answers.ReadString('\n')
	if err != nil {
		return object{}, false, err
	}
	if o, err = parseHeader(strings.TrimSuffix(line, "\n"), q.name); err != nil {
		return object{}, false, err
	}
	if over(o.size, q.limit) {
		if o.size > drainable {
			return o, false, nil
		}
		_, err = io.CopyN(io.Discard, w.proc.answers, o.size+1)
		return o, true, err
	}
	data := make([]byte, o.size+1)
	if _, err := io.ReadFull(w.proc.answers, data); err != nil {
		return object{}, false, err
	}
	if data[o.size] != '\n' {
		return object{}, false, errors.New("git's answer has no end")
	}
	o.data = data[:o.size:o.size]
	return o, true, nil
}
