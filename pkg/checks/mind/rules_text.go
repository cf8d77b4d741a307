package mind

import (
	"bytes"
	"fmt"
	"path"
	"unicode"
	"unicode/utf8"

	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/mindblock"
	"github.com/seed-4419f9ca/forge/pkg/secrets"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

// wordGroups lists the words of the notes, once: what stands above the blocks, and each block.
func (s *session) wordGroups() [][]mindblock.Word {
	if s.words != nil {
		return s.words
	}
	src, at := s.notes.Src, 0
	s.words = [][]mindblock.Word{}
	for i := range s.notes.Blocks {
		b := &s.notes.Blocks[i]
		s.words = append(s.words, mindblock.WordsOf(src, at, b.Start))
		at = b.Start
	}
	s.words = append(s.words, mindblock.WordsOf(src, at, len(src)))
	return s.words
}

// ownersWords: no run of the owner's words, as the context file quotes them, stands in the notes.
func (s *session) ownersWords() error {
	if len(s.context.pauses) == 0 {
		return nil
	}
	index := mindblock.NewIndex(s.set.copyWords, s.wordGroups()...)
	if !mayQuote(index, s.context.src) {
		return nil
	}
	quotes, err := mindblock.Quotes(s.context.src)
	if err != nil {
		return fmt.Errorf("could not read %q: %w", s.context.path, err)
	}
	for i, q := range quotes {
		index.Match(s.context.src, q.Start, q.End, i, false)
	}
	for _, st := range index.Stretches() {
		q := quotes[st.Hit.Source]
		f := s.sayHere(ownerWords, st.Start, st.End, string(s.notes.Src[st.Start:st.End]),
			"the %d words %q also stand in a quotation of PAUSE-%s in %q", st.Words, s.clip(string(s.notes.Src[st.Start:st.End])), q.Pause, path.Base(s.context.path))
		f.Help = fmt.Sprintf("Point at PAUSE-%s instead, and say in your own words what follows from it.", q.Pause)
		f.Related = append(f.Related, finding.Related{Path: s.context.path, Span: s.context.place(st.Hit.Start, st.Hit.End), Side: finding.After,
			Message: "the owner's words stand here"})
	}
	return nil
}

// mayQuote reports whether one of the indexed runs stands anywhere in src where quoted text could be. It looks at the parts
// between blank lines, each from its first sign of quotation on, and saves parsing where there is nothing.
func mayQuote(index *mindblock.Index, src []byte) bool {
	for at := 0; at < len(src); {
		end := at
		for end < len(src) {
			n := bytes.IndexByte(src[end:], '\n')
			if n < 0 {
				end = len(src)
				break
			}
			end += n + 1
			if end < len(src) && (src[end] == '\n' || src[end] == '\r') {
				break
			}
		}
		if from := firstQuotation(src[at:end]); from >= 0 && index.Match(src, at+from, end, 0, true) {
			return true
		}
		for end < len(src) && (src[end] == '\n' || src[end] == '\r') {
			end++
		}
		at = end
	}
	return false
}

// firstQuotation returns where quoted text can begin first in a part of a text without blank lines, or -1.
func firstQuotation(part []byte) int {
	first := len(part)
	for at := 0; at < first; {
		n := bytes.IndexByte(part[at:first], '>')
		if n < 0 {
			break
		}
		at += n
		if beginsLine(part[:at]) {
			first = at
		}
		at++
	}
	for _, mark := range []string{"\"", "\u00ab", "\u00bb", "\u201c", "\u201d", "\u201e", "\u201f", "\u2018", "\u201a", "\u2039", "\u300c", "\u300e", "\uff02"} {
		if n := bytes.Index(part[:first], []byte(mark)); n >= 0 {
			first = n
		}
	}
	for at := 0; at < first; {
		n := bytes.IndexByte(part[at:first], '\'')
		if n < 0 {
			break
		}
		at += n
		if before, _ := utf8.DecodeLastRune(part[:at]); at == 0 || !unicode.IsLetter(before) && !unicode.IsDigit(before) {
			first = at
		}
		at++
	}
	if first == len(part) {
		return -1
	}
	return first
}

// beginsLine reports whether s ends in a line of which only what stands before a quote is there: white space, quotes and
// the marks of lists.
func beginsLine(s []byte) bool {
	rest := bytes.TrimRight(s, " \t>-*+0123456789.)")
	return len(rest) == 0 || rest[len(rest)-1] == '\n' || rest[len(rest)-1] == '\r'
}

// pausesExist: a pointer to a pause points at one that the context file has.
func (s *session) pausesExist() error {
	if s.context.large {
		return nil
	}
	have := map[string]bool{}
	for _, p := range s.context.pauses {
		have[p.Number.Value()] = true
	}
	for _, p := range mindblock.PausePointers(s.notes.Src) {
		if !have[p.Number.Value()] {
			s.sayHere(pauseUnknown, p.Start, p.End, "PAUSE-"+p.Number.Value(), "%q has no heading \"PAUSE-%s\"", path.Base(s.context.path), p.Number)
		}
	}
	return nil
}

// noTimestampKey: no line begins with a key that the reader of time stamps takes for one.
func (s *session) noTimestampKey() error {
	for _, t := range mindblock.Timestamps(s.notes.Src) {
		s.sayHere(timestampKey, t.Start, t.End, t.Key+t.Value, "the line begins with %q, so that the reader of time stamps takes it for one", t.Key)
	}
	return nil
}

// noSecret: no secret stands in the notes. Neither message nor anchor holds it.
func (s *session) noSecret() error {
	for _, m := range s.secrets {
		mask := secrets.Mask(string(s.notes.Src[m.Start:m.End]))
		f := s.sayHere(secret, m.Start, m.End, mask, "a literal secret stands in the notes (%s)", m.Kind)
		f.Help = fmt.Sprintf("Write %s in its place and change the secret: it has left its vault.", mask)
	}
	return nil
}

// A source is a file that holds what is settled.
type source struct {
	path string
	data []byte
}

// settled reads the files that hold what is settled: the logs of the session and what mind.settled names.
func (s *session) settled() ([]source, error) {
	var entries []snapshot.Entry
	for _, e := range s.children() {
		if isLog(path.Base(e.Path)) {
			entries = append(entries, e)
		}
	}
	globs, err := s.set.settledGlobs(s.n)
	if err != nil {
		return nil, err
	}
	tree := s.pass.Change.After
	for _, g := range globs {
		if p, ok := g.Literal(); ok {
			e, err := tree.Lookup(s.ctx, p)
			if err != nil {
				return nil, fmt.Errorf("could not look up %q: %w", p, err)
			}
			entries = append(entries, e)
			continue
		}
		under, err := tree.Under(s.ctx, g.Folder())
		if err != nil {
			return nil, fmt.Errorf("could not list %q: %w", g.Folder(), err)
		}
		for _, e := range under {
			if g.Match(e.Path) {
				entries = append(entries, e)
			}
		}
	}
	var out []source
	for _, e := range entries {
		if !e.Mode.IsFile() || e.Path == s.path || e.Path == s.context.path {
			continue
		}
		data, err := tree.Read(s.ctx, e, s.pass.Config.Limits.File)
		if err != nil {
			if err := s.pass.SkipTooLarge(err); err != nil {
				return nil, err
			}
			continue
		}
		out = append(out, source{e.Path, data})
	}
	return out, nil
}

// mayCopy answers whether the notes hold any run of the logs at all, for logs that are smaller than the notes: then
// indexing the logs costs less. For larger ones it does not know, and says yes.
func (s *session) mayCopy(files []source) bool {
	size := 0
	for _, f := range files {
		size += len(f.data)
	}
	if size >= len(s.notes.Src) {
		return true
	}
	groups := make([][]mindblock.Word, len(files))
	for i, f := range files {
		groups[i] = mindblock.WordsOf(f.data, 0, len(f.data))
	}
	return mindblock.NewIndex(settledWords, groups...).Match(s.notes.Src, 0, len(s.notes.Src), 0, true)
}

// settledNotCopied: no run of words of the logs stands in the notes.
func (s *session) settledNotCopied() error {
	files, err := s.settled()
	if err != nil || len(files) == 0 {
		return err
	}
	if !s.mayCopy(files) {
		return nil
	}
	index := mindblock.NewIndex(settledWords, s.wordGroups()...)
	for i, f := range files {
		index.Match(f.data, 0, len(f.data), i, false)
	}
	for _, st := range index.Stretches() {
		from := files[st.Hit.Source]
		f := s.sayHere(settledCopied, st.Start, st.End, string(s.notes.Src[st.Start:st.End]),
			"the %d words %q also stand in %q", st.Words, s.clip(string(s.notes.Src[st.Start:st.End])), from.path)
		f.Help = fmt.Sprintf("Point at %q instead: what is settled is kept in one place.", from.path)
		f.Related = append(f.Related, finding.Related{Path: from.path, Span: text.NewLines(from.data).Span(st.Hit.Start, st.Hit.End), Side: finding.After,
			Message: "what is settled stands here"})
	}
	return nil
}
