package mind

import (
	"errors"
	"fmt"
	"path"
	"strconv"

	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/jsondoc"
	"github.com/seed-4419f9ca/forge/pkg/mindblock"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

// namesOfNotes: a file in the folder of a session that begins like notes is named as notes are.
func (s *session) namesOfNotes() error {
	right := s.set.files.Name(s.n)
	for _, e := range s.children() {
		base := path.Base(e.Path)
		if base == right || !s.set.files.Claims(base) {
			continue
		}
		s.sayAt(e.Path, badName, base, "%q begins like the notes of session %s, which are named %q, so nothing checks it", base, s.n, right)
	}
	return nil
}

// foldersOfNotes: notes stand in the folder of a session, not in one that only looks like it.
func (s *session) foldersOfNotes() error {
	s.sayAt(s.path, badName, s.path, "%q begins like the notes of a session, and %q is not named like the folder of one, so nothing checks it",
		path.Base(s.path), path.Dir(s.path))
	return nil
}

// notesAreAFile: the notes, and the folder they stand in, are what they are named for, not links to somewhere else.
func (s *session) notesAreAFile() error {
	if s.entry.Exists() && !s.entry.Mode.IsFile() {
		s.say(badName, "mode", "the notes %q are %s, so nothing checks what stands there", s.path, what(s.entry.Mode))
	}
	for _, f := range s.files {
		if f.Path == s.dir && f.After.Exists() && !f.After.Mode.IsFile() {
			s.sayAt(s.dir, badName, "mode", "the session folder %q is %s, so nothing checks what stands there", s.dir, what(f.After.Mode))
		}
	}
	return nil
}

func what(m snapshot.Mode) string {
	if m == snapshot.Symlink {
		return "a symlink"
	}
	return "a submodule"
}

// notesAreText: notes can be read.
func (s *session) notesAreText() error {
	if s.problem != "" && (s.entry.Mode.IsFile() || s.opt.Draft != nil) {
		s.say(unreadable, "text", "%q %s, so that nobody can read it as notes", s.path, s.problem)
	}
	return nil
}

// countOfBlocks: there are as many blocks as pauses, or one more. Pauses are counted in the context file.
func (s *session) countOfBlocks() error {
	blocks, pauses := len(s.notes.Blocks), len(s.context.pauses)
	if blocks == pauses || blocks == pauses+1 || s.context.large {
		return nil
	}
	where := fmt.Sprintf("%q has %s", path.Base(s.context.path), plural(pauses, "pause"))
	if s.context.src == nil {
		where = fmt.Sprintf("there is no %q, and so no pause", path.Base(s.context.path))
	}
	s.say(count, "count", "the notes have %s while %s: %d or %d are right", plural(blocks, "block"), where, pauses, pauses+1)
	return nil
}

func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}

// countDeclared: a count that a file declares of itself is right.
func (s *session) countDeclared() error {
	if s.context.large {
		return nil
	}
	if s.notes != nil {
		s.declared(s.path, s.notes.Front, s.notes.FrontLine)
	}
	if body, line := mindblock.Frontmatter(s.context.src); body != nil {
		s.declared(s.context.path, body, line)
	}
	return nil
}

func (s *session) declared(file string, body []byte, line int) {
	d, ok := mindblock.DeclaredCount(body)
	pauses := len(s.context.pauses)
	if !ok || d.Text == strconv.Itoa(pauses) {
		return
	}
	n := "something that is no number"
	if _, err := strconv.ParseUint(d.Text, 10, 64); err == nil {
		n = d.Text
	}
	f := s.sayAt(file, declaredCount, "markers", "%q declares %s as its count of markers, and %q has %s",
		path.Base(file), n, path.Base(s.context.path), plural(pauses, "pause"))
	at := line + d.Line - 1
	f.Span = text.Span{Start: text.Pos{Line: at, Column: 1}, End: text.Pos{Line: at, Column: d.End - d.Start + 1}}
}

// A limit is the budget of notes, with its fault when it cannot be read.
type limit struct {
	kib   float64
	from  string // where it comes from
	fault string
	span  text.Span
}

// limit reads the budget, once.
func (j *judge) limit() (limit, error) {
	if j.budget == nil {
		l, err := j.readBudget()
		if err != nil {
			return limit{}, err
		}
		j.budget = &l
	}
	return *j.budget, nil
}

func (j *judge) readBudget() (limit, error) {
	name := j.set.budgetFile
	standard := limit{kib: defaultBudget, from: "without a budget file"}
	e, err := j.pass.Change.After.Lookup(j.ctx, name)
	switch {
	case err != nil:
		return limit{}, fmt.Errorf("could not look up %q: %w", name, err)
	case !e.Exists():
		return standard, nil
	case !e.Mode.IsFile():
		return limit{fault: "it is no regular file"}, nil
	}
	data, err := j.pass.Change.After.Read(j.ctx, e, maxBudgetFile)
	if large := (*snapshot.TooLarge)(nil); errors.As(err, &large) {
		return limit{fault: fmt.Sprintf("it has more than %d bytes", maxBudgetFile)}, nil
	}
	if err != nil {
		return limit{}, err
	}
	return readLimit(data, name, j.set.budgetKey, standard), nil
}

// maxBudgetFile is how large the budget file may be, in bytes.
const maxBudgetFile = 1 << 20

// readLimit reads the budget file.
func readLimit(data []byte, name, key string, standard limit) limit {
	doc := jsondoc.Parse(data)
	if len(doc.Faults) > 0 {
		f := doc.Faults[0]
		return limit{fault: f.Reason, span: doc.Lines().Span(f.Start, f.End)}
	}
	if doc.Root == nil || doc.Root.Kind != jsondoc.Object {
		return limit{fault: "it holds no object"}
	}
	m := doc.Root.Get(key)
	if m == nil {
		standard.from = fmt.Sprintf("which holds without %q in %q", key, name)
		return standard
	}
	v := &m.Value
	l := limit{from: fmt.Sprintf("%q in %q", key, name), span: doc.Lines().Span(v.Start, v.End)}
	if v.Kind != jsondoc.Number {
		l.fault = fmt.Sprintf("%q is %s and no number of KiB", key, v.Kind)
		return l
	}
	n, err := strconv.ParseFloat(v.Text, 64)
	if err != nil || n <= 0 || n > 1<<40 {
		l.fault = fmt.Sprintf("%q is not a number of KiB that a file can have", key)
		return l
	}
	l.kib = n
	return l
}

// budgetReadable: a budget file that is there can be read; a fault in it is never taken for the standard budget.
func (s *session) budgetReadable() error {
	l, err := s.limit()
	if err != nil || l.fault == "" {
		return err
	}
	f := s.sayAt(s.set.budgetFile, budget, "budget file", "the budget of the notes cannot be read from %q: %s", s.set.budgetFile, l.fault)
	f.Span = l.span
	f.Help = fmt.Sprintf("Write %q as a number of KiB, once, in a JSON object.", s.set.budgetKey)
	return nil
}

// budgetKept: the notes are no larger than the budget.
func (s *session) budgetKept() error {
	if !s.entry.Mode.IsFile() {
		return nil
	}
	l, err := s.limit()
	if err != nil || l.fault != "" || float64(s.size) <= l.kib*1024 {
		return err
	}
	f := s.say(budget, "size", "the notes have %d bytes, over the budget of %s KiB, %s", s.size, strconv.FormatFloat(l.kib, 'f', -1, 64), l.from)
	f.Help = fmt.Sprintf("Fold the oldest blocks with `forge-guard mind compact --session %s`.", s.n)
	return nil
}

// block0: a session that has paused has the block of its opening.
func (s *session) block0() error {
	if len(s.context.pauses) == 0 || s.notes == nil && s.entry.Exists() || s.notes != nil && len(withNumber(s.notes, "0")) > 0 {
		return nil
	}
	had, err := s.hadBlock0()
	if err != nil {
		return err
	}
	var f *finding.Finding
	if s.notes != nil {
		f = s.say(block0Missing, "block 0", "session %s has paused and its notes have no block 0", s.n)
	} else {
		p := s.context.pauses[0]
		f = s.sayAt(s.context.path, block0Missing, "block 0", "session %s has paused and there are no notes %q with a block 0", s.n, path.Base(s.path))
		f.Span = s.context.place(p.Start, p.End)
	}
	if !had {
		f.Level = finding.Flag
	}
	return nil
}
