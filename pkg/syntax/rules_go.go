package syntax

import "strings"

// goRules follow gofmt: it drops parentheses around conditions and around the type of a single result, writes prefixes and
// exponents of numbers small, and puts line ends for semicolons.
func goRules() *rules {
	return &rules{
		comments: []string{"comment"},
		tokens:   []string{";", "\n"},
		parens:   []string{"parenthesized_expression", "parenthesized_type"},
		verbatim: []string{"interpreted_string_literal", "raw_string_literal", "rune_literal"},
		numbers:  []string{"int_literal", "float_literal", "imaginary_literal"},
		number:   strings.ToLower,
		keep: func(z *normalizer, i, child int32) bool { // (<-chan int)(a) is not <-chan int(a)
			return z.kind(i) == "parenthesized_type" && (z.kind(child) == "channel_type" || z.kind(child) == "function_type")
		},
		special: func(z *normalizer, i int32, depth int, field string) bool {
			switch z.kind(i) {
			case "empty_statement":
				return z.kind(z.nodes[i].parent) != "labeled_statement"
			case "parameter_list":
				if result, ok := z.bareResult(i, field); ok {
					z.visit(result, depth, field)
					return true
				}
			}
			return false
		},
	}
}

// bareResult returns the type in a list of results that holds nothing else.
func (z *normalizer) bareResult(list int32, field string) (int32, bool) {
	if field != "result" {
		return 0, false
	}
	results := z.namedChildren(list)
	if len(results) != 1 || z.kind(results[0]) != "parameter_declaration" {
		return 0, false
	}
	parts := z.children(results[0])
	return parts[0], len(parts) == 1
}
