package mind

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/seed-4419f9ca/forge/pkg/facts"
	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/mindblock"
	"github.com/seed-4419f9ca/forge/pkg/secrets"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

// A session is one session folder in the after tree, with what its rules look at.
type session struct {
	*judge
	dir   string
	n     mindblock.Number
	path  string // of the notes, or of what stands in their place
	files []*snapshot.File
	// content says that the content is judged, not only the history.
	content bool
	entries []snapshot.Entry // of the folder, at any depth
	closed  bool

	entry   snapshot.Entry // of the notes
	size    int64          // of the notes in bytes
	notes   *mindblock.Notes
	secrets []secrets.Match
	problem string // why notes is nil although the file is there

	context *contextFile
	past    *lineage

	existing *mindblock.Notes // of a draft: the notes that it goes into
	report   *Report

	pointers map[string]state
	runs     map[int]mindblock.Run // by where the item begins
	words    [][]mindblock.Word
	differs  []*difference
}

// A contextFile is the context file of a session; nothing of it is there when the file is not.
type contextFile struct {
	path   string
	large  bool // over limits.file, so that nobody knows what it holds
	src    []byte
	lines  *text.Lines
	pauses []mindblock.Pause
}

// load reads what most rules need.
func (s *session) load() error {
	var err error
	tree := s.pass.Change.After
	if s.entries, err = tree.Under(s.ctx, s.dir); err != nil {
		return fmt.Errorf("could not list %q: %w", s.dir, err)
	}
	s.closed = s.opt.Closed
	marker := s.dir + "/" + s.set.closedMarker
	contextPath := s.dir + "/" + mindblock.Context(s.n)
	var wanted []snapshot.Entry
	var notes, context snapshot.Entry
	for _, e := range s.entries {
		switch e.Path {
		case marker:
			s.closed = true
		case s.path:
			notes = e
		case contextPath:
			context = e
		}
		if (e.Path == s.path || e.Path == contextPath || isLog(path.Base(e.Path))) && path.Dir(e.Path) == s.dir && e.Mode.IsFile() {
			wanted = append(wanted, e)
		}
	}
	tree.Prefetch(s.ctx, wanted, s.pass.Config.Limits.File)
	if err := s.loadNotes(notes); err != nil {
		return err
	}
	return s.loadContext(contextPath, context)
}

// loadNotes reads the notes.
func (s *session) loadNotes(e snapshot.Entry) error {
	s.entry = e
	if !e.Exists() {
		return nil
	}
	if !e.Mode.IsFile() {
		s.problem = "is no regular file"
		return nil
	}
	data, err := s.pass.Change.After.Read(s.ctx, e, s.pass.Config.Limits.File)
	var large *snapshot.TooLarge
	if errors.As(err, &large) {
		s.size = large.Size
		return s.pass.SkipTooLarge(err)
	}
	if err != nil {
		return err
	}
	s.readAs(data, e.OID)
	return nil
}

type notesKey struct{ oid snapshot.OID }

type readNotes struct {
	notes   *mindblock.Notes
	secrets []secrets.Match
	partial bool // not everything was scanned for secrets
	problem string
}

func (s *session) read(data []byte) { s.readAs(data, "") }

// readAs parses notes; those with an object id are parsed once.
func (s *session) readAs(data []byte, oid snapshot.OID) {
	s.size = int64(len(data))
	var r readNotes
	if oid == "" {
		r = readText(data)
	} else {
		r, _ = facts.Memo(s.pass.Facts, notesKey{oid}, func() (readNotes, error) { return readText(data), nil })
	}
	s.notes, s.secrets, s.problem = r.notes, r.secrets, r.problem
	if r.partial {
		s.pass.Skip(fmt.Sprintf("%q holds too much that looks like a secret to be scanned to its end", s.path))
	}
}

// readText parses notes and looks for secrets in them. What cannot be read is a problem, which a rule reports.
func readText(data []byte) readNotes {
	if problem := unreadableBecause(data); problem != "" {
		return readNotes{problem: problem}
	}
	n, err := mindblock.Parse(data)
	if err == nil {
		found, whole := secrets.Scan(data)
		return readNotes{notes: n, secrets: found, partial: !whole}
	}
	return readNotes{problem: "cannot be followed (" + err.Error() + ")"}
}

// unreadableBecause says why notes cannot be read as text, or "".
func unreadableBecause(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}) || bytes.HasPrefix(data, []byte{0xfe, 0xff}):
		return "is in UTF-16"
	case bytes.IndexByte(data, 0) >= 0:
		return "holds a NUL byte"
	case !utf8.Valid(data):
		return "is not in UTF-8"
	}
	return ""
}

func (s *session) loadContext(p string, e snapshot.Entry) error {
	s.context = &contextFile{path: p}
	if !e.Mode.IsFile() {
		return nil
	}
	data, err := s.pass.Change.After.Read(s.ctx, e, s.pass.Config.Limits.File)
	if err != nil {
		s.context.large = true
		return s.pass.SkipTooLarge(err)
	}
	s.context.src = data
	if s.context.pauses, err = mindblock.Pauses(data); err != nil {
		return fmt.Errorf("could not read %q: %w", p, err)
	}
	return nil
}

// place returns the span of bytes of the context file.
func (c *contextFile) place(start, end int) text.Span {
	if c.lines == nil {
		c.lines = text.NewLines(c.src)
	}
	return c.lines.Span(start, end)
}

// children returns the files directly in the folder of the session.
func (s *session) children() []snapshot.Entry {
	return slices.DeleteFunc(slices.Clone(s.entries), func(e snapshot.Entry) bool { return path.Dir(e.Path) != s.dir })
}

// isLog reports whether a file in a session folder is a write-ahead log.
func isLog(base string) bool {
	return base == "WAL.md" || strings.HasPrefix(base, "_wal-") && strings.HasSuffix(base, ".md")
}

// say reports a finding about the notes as a whole. Like every finding of this check it goes out with secrets masked.
func (s *session) say(slug, anchor, format string, args ...any) *finding.Finding {
	return s.sayAt(s.path, slug, anchor, format, args...)
}

func (s *session) sayAt(path, slug, anchor, format string, args ...any) *finding.Finding {
	f := s.pass.Reportf(slug, path, "%s", s.masked(fmt.Sprintf(format, args...)))
	f.Anchor = s.masked(anchor)
	return f
}

// sayHere reports a finding about bytes of the notes.
func (s *session) sayHere(slug string, start, end int, anchor, format string, args ...any) *finding.Finding {
	f := s.say(slug, anchor, format, args...)
	f.Span = s.notes.Lines.Span(start, end)
	return f
}

// masked returns a message without the secrets of the notes.
func (s *session) masked(message string) string {
	for _, m := range s.secrets {
		literal := string(s.notes.Src[m.Start:m.End])
		message = strings.ReplaceAll(message, literal, secrets.Mask(literal))
	}
	return message
}

// clip shortens a text of the notes for a message, after secrets have been masked in it.
func (s *session) clip(t string) string {
	const longest = 60
	t = strings.Join(strings.Fields(s.masked(t)), " ")
	if utf8.RuneCountInString(t) <= longest {
		return t
	}
	return string([]rune(t)[:longest-1]) + "…"
}

// blocks are the blocks of the notes whose content stands there, with their names.
func (s *session) blocks(each func(b *mindblock.Block, name string)) {
	for i := range s.notes.Blocks {
		if b := &s.notes.Blocks[i]; b.Compaction == nil {
			each(b, nameOf(b))
		}
	}
}

func nameOf(b *mindblock.Block) string { return "MIND-" + string(b.Number) }

// run reads an item of section E, once.
func (s *session) run(it mindblock.Item) mindblock.Run {
	if r, ok := s.runs[it.Start]; ok {
		return r
	}
	if s.runs == nil {
		s.runs = map[int]mindblock.Run{}
	}
	r := mindblock.ReadRun(it.Text)
	s.runs[it.Start] = r
	return r
}
