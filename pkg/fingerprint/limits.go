package fingerprint

// Limits of what is handed to a parser. Beyond them a file is coarse.
const (
	MaxSize    = 1 << 20 // bytes of a file
	maxNesting = 500     // brackets that are open at one time
)

// tooNested reports whether src has more brackets open at one time than a parser is given. It knows no strings or comments:
// a parser that reads hostile text may not know them either.
func tooNested(src []byte) bool {
	depth := 0
	for _, c := range src {
		switch c {
		case '(', '[', '{':
			if depth++; depth > maxNesting {
				return true
			}
		case ')', ']', '}':
			depth = max(depth-1, 0)
		}
	}
	return false
}
