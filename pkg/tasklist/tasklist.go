// Package tasklist reads the three task files of a project: the backlog with its tables, the hot lane with its items, and
// the list of done tasks (chapter 4.4 of the specification). It works on listings of package record and opens nothing.
package tasklist

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-4419f9ca/forge/pkg/record"
)

// A Task is an id in a table of a backlog.
type Task struct {
	ID       string
	Archived bool // in a section of completed tasks, or in a table that lists many ids in a cell
	Entry    int  // index of its row in the listing
}

// Tasks returns the ids of the tables of a backlog, in the order of the document. Columns are found by the names of their
// headers: ID holds one, IDs holds many; in them any word with a digit is an id ("T1", "#12"), whatever its form. In a table
// without such a column the first cell counts when it begins with an id.
func Tasks(l *record.Listing) []Task {
	var out []Task
	for i := range l.Entries {
		e := &l.Entries[i]
		if e.Kind != record.RowEntry {
			continue
		}
		archived := isArchive(e.Path)
		ids, many := rowIDs(e)
		for _, id := range ids {
			out = append(out, Task{ID: id, Archived: archived || many, Entry: i})
		}
	}
	return out
}

// rowIDs returns the ids of a row, and whether its table lists many in a cell.
func rowIDs(e *record.Entry) (ids []string, many bool) {
	named := false
	for i, name := range e.Columns {
		one, list := isIDColumn(name)
		if !one && !list || i >= len(e.Cells) {
			continue
		}
		named = true
		if list {
			many = true
			words := orWords(expand(e.Cells[i]), e.Cells[i])
			ids = append(ids, slices.DeleteFunc(words, isNumber)...) // a number there is a count
			continue
		}
		ids = append(ids, orWords(record.LeadingIDs(e.Cells[i]), firstWord(e.Cells[i]))...)
	}
	if !named && len(e.Cells) > 0 {
		ids = record.LeadingIDs(e.Cells[0])
	}
	return ids, many
}

// orWords returns ids, or, when there are none, the words of cell that hold a digit.
func orWords(ids []string, cell string) []string {
	if len(ids) > 0 {
		return ids
	}
	for _, w := range strings.FieldsFunc(cell, func(r rune) bool { return unicode.IsSpace(r) || r == ',' || r == ';' }) {
		if w = trimMarks(w); strings.ContainsFunc(w, unicode.IsDigit) {
			ids = append(ids, w)
		}
	}
	return ids
}

func isNumber(s string) bool { return strings.Trim(s, "0123456789") == "" }

// firstWord returns the first word of s.
func firstWord(s string) string {
	word, _, _ := strings.Cut(strings.TrimSpace(s), " ")
	return word
}

// trimMarks takes emphasis, brackets, punctuation and a link's target off a word.
func trimMarks(w string) string {
	if at := strings.Index(w, "]("); at >= 0 {
		w = w[:at]
	}
	return strings.Trim(w, "*_`~[]()<>:.")
}

// isIDColumn says whether a column of this name holds one id, or a list of them.
func isIDColumn(name string) (one, many bool) {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return strings.ContainsRune(" /*_`()", r) })
	for _, w := range words {
		one = one || w == "id" || w == "mã"
		many = many || w == "ids"
	}
	return one && !many, many
}

// isArchive reports whether one of these headings names a section of completed tasks.
func isArchive(path []string) bool {
	for _, h := range path {
		h = strings.ToLower(h)
		for _, word := range []string{"archive", "completed", "✅", "lưu trữ", "hoàn thành", "đã xong"} {
			if strings.Contains(h, word) {
				return true
			}
		}
	}
	return false
}

// IsNotes reports whether an entry stands in the free section of a hot lane.
func IsNotes(e *record.Entry) bool {
	for i, h := range e.Path {
		name := strings.Trim(strings.ToLower(h), " :*_#📝🗒️")
		if (name == "notes" || name == "note" || name == "ghi chú") && (i > 0 || len(e.Path) == 1) {
			return true
		}
	}
	return false
}

// IsItem reports whether e is an item of a hot lane: a task, or what else stands at the top of a list, without the notes.
func IsItem(e *record.Entry) bool {
	return e.Kind == record.ItemEntry && (e.Task != 0 || e.Nested == 0) && !IsNotes(e)
}

// Items returns the indexes of the items of a hot lane.
func Items(l *record.Listing) []int {
	var out []int
	for i := range l.Entries {
		if IsItem(&l.Entries[i]) {
			out = append(out, i)
		}
	}
	return out
}

// Holds reports whether any entry of l mentions the id, or begins with it where it has a form of its own.
func Holds(l *record.Listing, id string) bool {
	for i := range l.Entries {
		if slices.Contains(Named(&l.Entries[i]), id) {
			return true
		}
	}
	return false
}

// Named returns what e may name as ids: those in its text, with those that a range leaves out, and its first word, because
// an id of another form could not be told from other words elsewhere.
func Named(e *record.Entry) []string {
	return append(expand(e.Text), trimMarks(firstWord(e.Text)))
}

// Arrived reports whether a done list holds the item: an entry that begins with the same id, or whose text is that of the
// item, ids and tags left aside, with a remark behind it or at most as much again added to it.
func Arrived(done *record.Listing, item *record.Entry) bool {
	want, ids := bare(item.Text), item.IDs()
	for i := range done.Entries {
		e := &done.Entries[i]
		if e.Kind == record.HeaderEntry || e.Task == ' ' {
			continue
		}
		if len(ids) > 0 {
			if have := e.IDs(); len(have) > 0 && have[0] == ids[0] {
				return true
			}
		}
		if have := bare(e.Text); want != "" && (strings.Contains(have, want) && len(have) <= 2*len(want) || remarked(have, want)) {
			return true
		}
	}
	return false
}

// remarked reports whether text is want and a remark, set off by a sign, behind it.
func remarked(text, want string) bool {
	rest, ok := strings.CutPrefix(text, want)
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(rest, " "))
	return ok && strings.HasPrefix(rest, " ") && !unicode.IsLetter(r) && !unicode.IsDigit(r)
}
