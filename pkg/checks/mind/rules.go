package mind

// A scope says what a rule looks at.
type scope int

const (
	onStray   scope = 1 << iota // a file that begins like notes, in a folder that only looks like a session's
	onSession                   // the folder of a session, with or without notes
	onNotes                     // notes that can be read
	onHistory                   // notes and what they come from
	onDraft                     // a block that is not inserted yet, as a file
	onBlock                     // a block that is not inserted yet, as a block
	onReload                    // a report on the newest block
)

// A rule demands one thing. The codes it reports stand on the card; several rules can share one.
type rule struct {
	name  string
	scope scope
	run   func(*session) error
}

// allRules lists everything that this check demands. The order is that of the specification; it does not matter.
func allRules() []rule {
	return []rule{
		{"names-of-notes", onSession, (*session).namesOfNotes},
		{"folders-of-notes", onStray, (*session).foldersOfNotes},
		{"notes-are-a-file", onSession, (*session).notesAreAFile},
		{"notes-are-text", onSession | onDraft, (*session).notesAreText},
		{"owner-words", onNotes | onBlock, (*session).ownersWords},
		{"pauses-exist", onNotes | onBlock, (*session).pausesExist},
		{"no-timestamp-key", onNotes | onBlock, (*session).noTimestampKey},
		{"no-secret", onNotes | onBlock, (*session).noSecret},
		{"pointer-inside", onNotes | onBlock, (*session).pointersInside},
		{"pointer-folder", onNotes | onBlock, (*session).pointerFolders},
		{"pointer-heading", onNotes | onBlock, (*session).pointerHeadings},
		{"pointer-pending", onNotes | onBlock, (*session).pointersPending},
		{"number-unique", onNotes, (*session).numbersUnique},
		{"number-descends", onNotes, (*session).numbersDescend},
		{"number-plain", onNotes | onBlock, (*session).numbersPlain},
		{"number-newest", onHistory, (*session).newestOnTop},
		{"number-heading", onNotes | onBlock, (*session).headingsSpelled},
		{"count-of-blocks", onNotes, (*session).countOfBlocks},
		{"count-declared", onSession, (*session).countDeclared},
		{"budget-is-readable", onSession, (*session).budgetReadable},
		{"budget-is-kept", onSession, (*session).budgetKept},
		{"blocks-unedited", onHistory, (*session).blocksUnedited},
		{"blocks-kept", onHistory, (*session).blocksKept},
		{"notes-kept", onHistory, (*session).notesKept},
		{"line-ends-kept", onHistory, (*session).lineEndsKept},
		{"block-0", onSession, (*session).block0},
		{"folded-truly", onHistory, (*session).foldedTruly},
		{"folded-once-whole", onHistory, (*session).foldedOnceWhole},
		{"folded-as-written", onNotes, (*session).foldedAsWritten},
		{"folded-oldest-first", onNotes, (*session).foldedOldestFirst},
		{"folded-not-the-ends", onNotes, (*session).foldedNotTheEnds},
		{"sections-there", onNotes | onBlock, (*session).sectionsThere},
		{"sections-in-order", onNotes | onBlock, (*session).sectionsInOrder},
		{"sections-once", onNotes | onBlock, (*session).sectionsOnce},
		{"sections-say-something", onNotes | onBlock, (*session).sectionsSaySomething},
		{"discussion-labelled", onNotes | onBlock, (*session).discussionLabelled},
		{"discussion-in-items", onNotes | onBlock, (*session).discussionInItems},
		{"helpers-complete", onNotes | onBlock, (*session).helpersComplete},
		{"helpers-in-items", onNotes | onBlock, (*session).helpersInItems},
		{"settled-not-copied", onNotes | onBlock, (*session).settledNotCopied},
		{"review-of-first", onNotes, (*session).reviewOfFirst},
		{"review-of-newest", onNotes, (*session).reviewOfNewest},
		{"draft-is-one-block", onBlock, (*session).draftIsOneBlock},
		{"draft-number", onBlock, (*session).draftNumber},
		{"lead-repeated", onReload, (*session).leadRepeated},
	}
}
