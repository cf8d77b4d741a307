package suppress

import (
	"fmt"
	"strings"
	"time"
	"unicode"
)

// keyword begins every suppression; files without it are not looked at any further.
const keyword = "forge:allow"

// An allowance is what one suppression says.
type allowance struct {
	code   string // "" when it names none
	reason string // without the quotes
	until  string // "" without a last day
	fault  string // what cannot be understood; "" otherwise
}

// parse reads the text of a comment without its signs. It reports false when the comment is no suppression. What it does
// not understand becomes a fault and never an allowance that is wider than meant.
func parse(comment string) (allowance, bool) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(comment), keyword)
	if !ok || rest != "" && !unicode.IsSpace(firstRune(rest)) {
		return allowance{}, false
	}
	var a allowance
	seen := map[string]bool{}
	for rest = strings.TrimSpace(rest); rest != ""; rest = strings.TrimSpace(rest) {
		end := strings.IndexFunc(rest, func(r rune) bool { return r == '=' || unicode.IsSpace(r) })
		if end < 0 || rest[end] != '=' {
			var word string
			if word, rest = rest, ""; end >= 0 {
				word, rest = word[:end], word[end:]
			}
			if a.code == "" && len(seen) == 0 {
				a.code = word
			} else {
				a.blame("has %q where reason=\"…\" or until=YYYY-MM-DD is expected", word)
			}
			continue
		}
		name := rest[:end]
		var value string
		var closed bool
		value, rest, closed = readValue(rest[end+1:])
		if !closed {
			a.blame("has no closing quote after %q", name+"=")
		}
		if seen[name] {
			a.blame("gives %q twice", name)
		}
		seen[name] = true
		switch name {
		case "reason":
			a.reason = value
		case "until":
			a.until = value
			if value == "" {
				a.blame("gives %q without a day", name)
			}
		default:
			a.blame("has the unknown key %q", name)
		}
	}
	return a, true
}

// blame keeps the first fault.
func (a *allowance) blame(format string, args ...any) {
	if a.fault == "" {
		a.fault = fmt.Sprintf(format, args...)
	}
}

// readValue reads what follows the equals sign: a text in double or single quotes, in which a backslash protects the
// quote and itself, or everything up to the next space.
func readValue(s string) (value, rest string, closed bool) {
	if s == "" || s[0] != '"' && s[0] != '\'' {
		if end := strings.IndexFunc(s, unicode.IsSpace); end >= 0 {
			return s[:end], s[end:], true
		}
		return s, "", true
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == s[0]:
			return b.String(), s[i+1:], true
		case c == '\\' && i+1 < len(s) && (s[i+1] == s[0] || s[i+1] == '\\'):
			i++
			b.WriteByte(s[i])
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), "", false
}

// hasReason reports whether the reason says anything: a letter or a digit at least.
func (a *allowance) hasReason() bool {
	return strings.ContainsFunc(a.reason, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
}

// ended reports whether the last day lies before today, and whether it is a day of the calendar at all. The last day
// itself still counts.
func (a *allowance) ended(today time.Time) (ended, valid bool) {
	if a.until == "" {
		return false, true
	}
	last, err := time.Parse(time.DateOnly, a.until)
	if err != nil {
		return true, false
	}
	return today.UTC().Format(time.DateOnly) > last.Format(time.DateOnly), true
}

func firstRune(s string) rune {
	for _, r := range s {
		return r
	}
	return 0
}
