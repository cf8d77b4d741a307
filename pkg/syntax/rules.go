package syntax

import "slices"

// rules say what the formatters of a language add, drop or respell without changing what a program means (chapter 7.5).
// Whatever no rule names counts. Names are kinds of nodes; those in quotes of the grammar are written bare.
type rules struct {
	comments []string // left out, with everything below
	tokens   []string // anonymous nodes that mean nothing wherever they stand
	parens   []string // parentheses that say nothing beyond the shape of the tree: their one child stands for them
	verbatim []string // taken as one piece of text, whatever the grammar sees in them
	exact    []string // white space between their children is content
	numbers  []string // number literals, which number respells
	number   func(raw string) string
	strings  map[string]func(raw string) (string, bool)
	renamed  map[string]string   // kinds that are two spellings of one
	commas   []string            // kinds in which a trailing comma has a meaning
	lone     []string            // kinds in which a trailing comma has a meaning when it is the only one
	dropped  map[string][]string // children that mean nothing, by parent
	// keep reports parentheses that say something after all; i is the node of the parentheses, child what they hold.
	keep func(z *normalizer, i, child int32) bool
	// special emits a node its own way and reports whether it did.
	special func(z *normalizer, i int32, depth int, field string) bool
}

// rulesFor returns the rules of a language.
func rulesFor(language string) *rules {
	switch language {
	case "go":
		return goRules()
	case "python":
		return pythonRules()
	case "javascript", "typescript", "tsx":
		return scriptRules()
	}
	return &rules{comments: []string{"comment", "line_comment", "block_comment"}}
}

// A class is what the rules say about one kind of node, as bits.
type class uint16

const (
	isComment class = 1 << iota
	isNothing
	isParens
	isVerbatim
	isExact
	isNumber
	isString
	keepsComma
	keepsLoneComma
	hasDropped
)

// classify looks every kind of the grammar up once.
func (r *rules) classify(g *grammar) []class {
	classes := make([]class, len(g.kinds))
	set := func(names []string, bit class) {
		for i, kind := range g.kinds {
			if slices.Contains(names, kind) {
				classes[i] |= bit
			}
		}
	}
	set(r.comments, isComment)
	set(r.tokens, isNothing)
	set(r.parens, isParens)
	set(r.verbatim, isVerbatim)
	set(r.exact, isExact)
	set(r.numbers, isNumber)
	set(r.commas, keepsComma)
	set(r.lone, keepsLoneComma)
	for i, kind := range g.kinds {
		if r.strings[kind] != nil {
			classes[i] |= isString
		}
		if r.dropped[kind] != nil {
			classes[i] |= hasDropped
		}
	}
	return classes
}
