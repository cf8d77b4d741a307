package syntax

import (
	"slices"
	"strings"
)

// rules say what the formatters of a language add, drop or respell without changing what a program means (chapter 7.5).
// Whatever no rule names counts. Names are kinds of nodes; those in quotes of the grammar are written bare.
type rules struct {
	comments []string // left out, with everything below
	tokens   []string // anonymous nodes that mean nothing wherever they stand
	gaps     []string // text that no node covers and that means nothing
	parens   []string // parentheses that say nothing beyond the shape of the tree: their one child stands for them
	verbatim []string // taken as one piece of text, whatever the grammar sees in them
	exact    []string // white space between their children is content
	numbers  []string // number literals, which number respells
	number   func(raw string) string
	strings  map[string]func(raw string) (string, bool)
	renamed  map[string]string   // kinds that are two spellings of one
	commas   []string            // kinds in which a trailing comma has a meaning
	flat     []string            // kinds that only hold other nodes together: these stand for them
	bare     []string            // kinds whose round brackets may be left out where they hold something
	lone     []string            // kinds in which a trailing comma has a meaning when it is the only one
	dropped  map[string][]string // children that mean nothing, by parent
	trailing []string            // kinds that a property holds or that follow it, depending on line ends
	// keep reports parentheses that say something after all; i is the node of the parentheses, child what they hold.
	keep func(z *normalizer, i, child int32) bool
	// comma reports a trailing comma in the node i that has a meaning after all; may be nil.
	comma func(z *normalizer, i int32) bool
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
	case "rust":
		return rustRules()
	case "ruby":
		return rubyRules()
	case "php":
		return phpRules()
	case "c", "cpp":
		return cRules()
	case "elixir":
		return elixirRules()
	case "ocaml":
		return ocamlRules()
	case "css":
		return cssRules()
	case "html":
		return htmlRules()
	}
	return plainRules(language)
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
	isBare
	isTrailing
	isFlat
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
	set(r.bare, isBare)
	set(r.flat, isFlat)
	set(r.trailing, isTrailing)
	set(r.lone, keepsLoneComma)
	for i, kind := range g.kinds {
		if holdsText(kind) {
			classes[i] |= isExact
		}
		if r.strings[kind] != nil {
			classes[i] |= isString
		}
		if r.dropped[kind] != nil {
			classes[i] |= hasDropped
		}
	}
	return classes
}

// holdsText reports kinds of nodes in which white space is content, in all grammars.
func holdsText(kind string) bool {
	switch kind {
	case "concatenated_string", "string_array", "symbol_array", "chained_string", "text_interpolation":
		return false
	case "text", "quoted_template", "template_literal", "char_literal", "character_literal":
		return true
	}
	for _, part := range []string{"string", "heredoc", "regex", "quoted", "_text", "content", "fragment"} {
		if strings.Contains(kind, part) {
			return true
		}
	}
	return false
}
