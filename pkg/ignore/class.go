package ignore

import (
	"fmt"
	"strings"
)

// set is a set of bytes.
type set [256]bool

// class reads the bracket expression at the start of glob as git's wildmatch does and returns what it matches and its
// length; false when it is malformed, which git lets match nothing.
func class(glob string) (members set, length int, ok bool) {
	i := 1
	at := func(i int) byte { // 0 past the end, as in C
		if i < len(glob) {
			return glob[i]
		}
		return 0
	}
	negated := at(i) == '!' || at(i) == '^'
	if negated {
		i++
	}
	prev := byte(0) // the character that a range could start at
	for first := true; first || at(i) != ']'; first = false {
		c := at(i)
		switch {
		case c == 0:
			return members, 0, false
		case c == '\\':
			if i++; at(i) == 0 {
				return members, 0, false
			}
			prev = at(i)
			members[prev] = true
		case c == '-' && prev != 0 && at(i+1) != 0 && at(i+1) != ']':
			if i++; at(i) == '\\' {
				if i++; at(i) == 0 {
					return members, 0, false
				}
			}
			for k := int(prev); k <= int(at(i)); k++ {
				members[k] = true
			}
			prev = 0
		case c == '[' && at(i+1) == ':':
			name, end := named(glob, i)
			if end == 0 {
				return members, 0, false
			}
			if name == "" { // no `:]`: an ordinary bracket
				members['['] = true
				prev = '['
				break
			}
			if !members.addNamed(name) {
				return members, 0, false
			}
			i, prev = end, 0
		default:
			members[c] = true
			prev = c
		}
		i++
	}
	if negated {
		for k := range members {
			members[k] = !members[k]
		}
	}
	members[0] = false
	return members, i + 1, true
}

// named finds the `[:name:]` at glob[i]: its name with the colons and the index of its last bracket, which is 0 when there
// is none. The name is "" when the bracket does not end a name.
func named(glob string, i int) (name string, end int) {
	n := strings.IndexByte(glob[i+2:], ']')
	if n < 0 {
		return "", 0
	}
	end = i + 2 + n
	if n == 0 || glob[end-1] != ':' {
		return "", end
	}
	return glob[i+1 : end], end
}

// addNamed adds a named class, of ASCII only; false when git knows none of that name.
func (s *set) addNamed(name string) bool {
	in, ok := map[string]func(c byte) bool{
		":alnum:":  func(c byte) bool { return alpha(c) || digit(c) },
		":alpha:":  alpha,
		":blank:":  func(c byte) bool { return c == ' ' || c == '\t' },
		":cntrl:":  func(c byte) bool { return c < ' ' || c == 0x7f },
		":digit:":  digit,
		":graph:":  graph,
		":lower:":  func(c byte) bool { return c >= 'a' && c <= 'z' },
		":print:":  func(c byte) bool { return c == ' ' || graph(c) },
		":punct:":  func(c byte) bool { return graph(c) && !alpha(c) && !digit(c) },
		":space:":  func(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' },
		":upper:":  func(c byte) bool { return c >= 'A' && c <= 'Z' },
		":xdigit:": func(c byte) bool { return digit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' },
	}[name]
	if !ok {
		return false
	}
	for k := range s {
		s[k] = s[k] || k < 0x80 && in(byte(k))
	}
	return true
}

func alpha(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func digit(c byte) bool { return c >= '0' && c <= '9' }
func graph(c byte) bool { return c > ' ' && c < 0x7f }

// writeSet writes a set as a class of package regexp; false when it is empty.
func writeSet(b *strings.Builder, s set) bool {
	var out strings.Builder
	for k := 0; k < len(s); k++ {
		if !s[k] {
			continue
		}
		lo := letter(byte(k))
		hi := lo
		for k+1 < len(s) && s[k+1] && letter(byte(k+1)) == hi+1 {
			k++
			hi++
		}
		fmt.Fprintf(&out, `\x{%x}-\x{%x}`, lo, hi)
	}
	if out.Len() == 0 {
		return false
	}
	b.WriteString("[" + out.String() + "]")
	return true
}
