// Package record is the engine behind every file that promises never to lose what was published (chapter 5.1 of the
// specification): given the versions of one file before a change and the version after it, it says what was lost,
// rewritten or put in the wrong place. It opens nothing itself; contents come in as a Version, problems go out as values.
//
// What "stays" means depends on the shape. Lines (shapes bytes and jsonl) are compared as streams in bounded memory;
// lists are compared entry by entry on parsed Markdown, see Entries and CompareLists.
package record

import (
	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/text"
)

// A Shape names the unit in which a record is published.
type Shape string

// The shapes of chapter 5.1.
const (
	Bytes   Shape = "bytes"   // the whole content, compared line by line
	JSONL   Shape = "jsonl"   // as Bytes, and each new line is one JSON object
	Entries Shape = "entries" // objects of a JSON document, by id
	List    Shape = "list"    // entries of a Markdown document under their headings
	Blocks  Shape = "blocks"  // numbered blocks of a Markdown document
)

// A Direction says where a record may grow.
type Direction string

// The directions of growth.
const (
	End Direction = "end"
	Top Direction = "top"
	Any Direction = "any"
	// Ends is the default of numbered blocks: on top or at the end, and not in between.
	Ends Direction = "ends"
)

// The slugs of problems. Checks put their own id before the slash.
const (
	Rewritten    = "rewritten"
	Truncated    = "truncated"
	Inserted     = "inserted"
	WrongEnd     = "direction"
	EOLChanged   = "eol-changed"
	TornTail     = "torn-tail"
	BadLine      = "bad-line"
	Sequence     = "sequence"
	BrokenChain  = "chain"
	TimeReversed = "time-reversed"
	EntryEdited  = "entry-edited"
	EntryRemoved = "entry-removed"
	EntryMoved   = "entry-moved"
	EntryHidden  = "entry-hidden"
)

// A Problem is one way in which a new version breaks the promise of a record.
type Problem struct {
	Slug    string
	Level   finding.Level // "" for the default level of the slug
	Span    text.Span     // zero for the whole file
	Side    finding.Side  // the version in which Span lies
	Message string        // one sentence in the present tense
	Anchor  string        // the published text that is concerned; it holds no line number
	Parent  int           // index of the version before that is broken
	Old     int           // index of the entry before that is concerned, -1 when it is none
}

// A Spec says what kind of record a file is.
type Spec struct {
	Shape     Shape
	Direction Direction // "" stands for End, for Any with shape List, and for Ends with shape Blocks
	Chain     bool      // each JSON line carries the digest of the line before it
	Time      string    // name of the time field of JSON lines, "" for none
}

// Grows returns the direction of growth with its default filled in.
func (s Spec) Grows() Direction {
	switch {
	case s.Direction != "":
		return s.Direction
	case s.Shape == List:
		return Any
	case s.Shape == Blocks:
		return Ends
	}
	return End
}

// A Parent is one version before a change.
type Parent struct {
	Version Version
	// Bases are the versions of the file in the merge bases of the first parent and this one; none for the first parent
	// and for unrelated histories. A merge base that lacks the file is left out.
	Bases []Version
}

// A Rotation is the archive into which old content of a record may move in the same change. A version that is not there
// is the zero Version.
type Rotation struct {
	Path   string
	Before []Version   // one for each parent
	Bases  [][]Version // one for each of the bases of each parent
	After  Version
	// Several says that the change is made of several commits, each of which is judged alone as well.
	Several bool
	// Sharing returns the versions, in a parent, of all records that move into the same archive and are part of the
	// change, and which of them is this one. Nil when there is only this one.
	Sharing func(parent int) (all []Version, own int, err error)
}

// A Comparison is everything that is needed to judge one record of shape Bytes or JSONL.
type Comparison struct {
	Spec
	After   Version
	Parents []Parent // versions that do not exist in a parent are zero; none at all stands for a new record
	// Alternatives may be extended instead of the first parent (criss-cross histories, chapter 3.2).
	Alternatives []Version
	Archive      *Rotation // nil without rotation
	// Unknown says that nobody knows what came before: only a chain can be proved.
	Unknown bool
	// Whole judges every line and not only the new ones.
	Whole bool
	// Tail judges the end of the file: false for a version that equals one of its parents.
	Tail bool
}

// A growth says which lines of a new version are new when it keeps an old one.
type growth struct {
	fresh func(number int) bool // nil when none is
	// Reading may start at byte offset, where the line with this number begins; last is the line before it. Without
	// knowing better that is the beginning of the file.
	offset int64
	number int
	last   []byte
	news   Version // the bytes from offset on, zero when they have to be read again
	end    []byte  // the last bytes of the new version, nil when it has not been read to its end
}

// freshFrom returns the growth whose new lines are those from line first on.
func freshFrom(first int) growth {
	return growth{number: 1, fresh: func(n int) bool { return n >= first }}
}
