package syntax

import "bytes"

// rewritten returns what is parsed for src where the grammar of a language would misread it. It is as long as src, so that
// places are the same in both, and the text of what is found in it is that of src.
func rewritten(language string, src []byte) []byte {
	switch language {
	case "kotlin":
		return annotated(funInterfaces(src))
	case "lua":
		return luaStatements(src)
	case "css":
		return attributeQuotes(keyframeLists(src))
	case "bash":
		return bareCommands(src)
	}
	return src
}

// bareCommands writes a command that begins a line with a backslash, which keeps aliases away from it, with another sign: the
// grammar of Bash takes it for an argument of the command before.
func bareCommands(src []byte) []byte {
	if !bytes.Contains(src, []byte("\n\\")) && !bytes.Contains(src, []byte(" \\")) && !bytes.Contains(src, []byte("\t\\")) {
		return src
	}
	out := bytes.Clone(src)
	continued := false
	for start := 0; start < len(src); {
		line, _, _ := bytes.Cut(src[start:], []byte("\n"))
		content := bytes.TrimLeft(line, " \t")
		if !continued && len(content) > 1 && content[0] == '\\' && (content[1] == '.' || wordByte(content[1])) {
			out[start+len(line)-len(content)] = '%'
		}
		continued = bytes.HasSuffix(line, []byte("\\"))
		start += len(line) + 1
	}
	return out
}

// withoutCommentLines blanks comments that have their lines for themselves: after an annotation the grammar of Kotlin takes
// one for the end of a statement.
func withoutCommentLines(src []byte) []byte {
	if !bytes.Contains(src, []byte("//")) && !bytes.Contains(src, []byte("/*")) {
		return src
	}
	out := bytes.Clone(src)
	raw := false // within a raw string
	for start := 0; start < len(src); {
		end := start + len(src[start:])
		if at := bytes.IndexByte(src[start:], '\n'); at >= 0 {
			end = start + at
		}
		line := src[start:end]
		content := bytes.TrimLeft(line, " \t")
		switch {
		case raw:
		case bytes.HasPrefix(content, []byte("//")) && !bytes.Contains(content, []byte("*/")):
			blank(out[start:end])
			start = end + 1
			continue
		case bytes.HasPrefix(content, []byte("/*")):
			begin := end - len(content)
			length := blockComment(src[begin:])
			if length == 0 {
				return out // the rest is one comment
			}
			rest, _, _ := bytes.Cut(src[begin+length:], []byte("\n"))
			if len(bytes.TrimSpace(rest)) == 0 {
				blank(out[begin : begin+length])
				start = begin + length
				continue
			}
		}
		if bytes.Count(line, []byte(`"""`))%2 == 1 {
			raw = !raw
		}
		start = end + 1
	}
	return out
}

// blockComment returns how long the comment at the start of s is, which may hold others; 0 when it has no end.
func blockComment(s []byte) int {
	depth := 0
	for i := 0; i+1 < len(s); i++ {
		switch {
		case s[i] == '/' && s[i+1] == '*':
			depth++
			i++
		case s[i] == '*' && s[i+1] == '/':
			if depth--; depth == 0 {
				return i + 2
			}
			i++
		}
	}
	return 0
}

// blank writes spaces over everything but line ends.
func blank(s []byte) {
	for i := range s {
		if s[i] != '\n' {
			s[i] = ' '
		}
	}
}

// funInterfaces writes "fun interface" as an interface with an annotation, in as many bytes: the grammar of Kotlin does not
// know it.
func funInterfaces(src []byte) []byte {
	word := []byte("fun interface ")
	at := bytes.Index(src, word)
	if at < 0 {
		return src
	}
	src = bytes.Clone(src)
	for ; at >= 0 && at < len(src); at++ {
		next := bytes.Index(src[at:], word)
		if next < 0 {
			break
		}
		if at += next; at == 0 || !wordByte(src[at-1]) && src[at-1] != '_' {
			copy(src[at:], "@fn")
		}
	}
	return src
}

// luaStatements writes what came into Lua after version 5.1 as assignments, in as many bytes: "goto name" as "goto=name", the
// label "::name::" as "_=name", the attribute of "x <const>" as one more variable.
func luaStatements(src []byte) []byte {
	if !bytes.Contains(src, []byte("goto ")) && !bytes.Contains(src, []byte("::")) && !bytes.Contains(src, []byte("<const>")) && !bytes.Contains(src, []byte("<close>")) {
		return src
	}
	src = bytes.Clone(src)
	for start := 0; start < len(src); {
		end := bytes.IndexByte(src[start:], '\n')
		if end < 0 {
			end = len(src) - start
		}
		luaLine(src[start : start+end])
		start += end + 1
	}
	return src
}

// withoutLuaComments blanks comments that have their lines for themselves: the grammar of Lua ends statements at some of them.
// Comments in long brackets stay.
func withoutLuaComments(src []byte) []byte {
	if !bytes.Contains(src, []byte("--")) {
		return src
	}
	out := bytes.Clone(src)
	bare := true // nothing but blanks stands before on the line
	for i := 0; i < len(src); {
		n := 1
		switch c := src[i]; {
		case c == '\n':
			bare = true
			i++
			continue
		case c == ' ' || c == '\t':
			i++
			continue
		case bytes.HasPrefix(src[i:], []byte("--")):
			if n = 2 + longBracket(src[i+2:]); n == 2 {
				line, _, _ := bytes.Cut(src[i:], []byte("\n"))
				if n = len(line); bare {
					blank(out[i : i+n])
				}
			}
		case c == '"' || c == '\'':
			line, _, _ := bytes.Cut(src[i:], []byte("\n"))
			n = literal(view(line))
		case c == '[':
			n = max(longBracket(src[i:]), 1)
		}
		bare = false
		i += n
	}
	return out
}

// longBracket returns how long the long bracket of Lua at the start of s is with what it holds; 0 when there is none, and all
// of s when it has no end.
func longBracket(s []byte) int {
	level := 1
	for level < len(s) && s[level] == '=' {
		level++
	}
	if len(s) == 0 || s[0] != '[' || level == len(s) || s[level] != '[' {
		return 0
	}
	closing := append(append([]byte("]"), s[1:level]...), ']')
	if end := bytes.Index(s, closing); end >= 0 {
		return end + len(closing)
	}
	return len(s)
}

// attributeQuotes writes double quotes for single ones in selectors by attribute: after a comma the grammar of CSS knows no
// other.
func attributeQuotes(src []byte) []byte {
	if !bytes.Contains(src, []byte("='")) {
		return src
	}
	out := bytes.Clone(src)
	for i := 0; i < len(src); i++ {
		if src[i] != '[' {
			continue
		}
		const longest = 200
		selector, _, ok := bytes.Cut(src[i:min(i+longest, len(src))], []byte("]"))
		if !ok || bytes.Count(selector, []byte("'")) != 2 || bytes.IndexByte(selector, '"') >= 0 || bytes.IndexByte(selector, '\n') >= 0 {
			continue
		}
		for n := range selector {
			if selector[n] == '\'' {
				out[i+n] = '"'
			}
		}
	}
	return out
}

// luaLine rewrites one line in place.
func luaLine(line []byte) {
	content := bytes.TrimSpace(line)
	if name, ok := bytes.CutPrefix(content, []byte("::")); ok && bytes.HasSuffix(name, []byte("::")) && luaName(name[:len(name)-2]) {
		content[0], content[1], content[len(content)-2], content[len(content)-1] = '_', '=', ' ', ' '
		return
	}
	for _, attribute := range []string{"<const>", "<close>"} {
		if at := bytes.Index(line, []byte(attribute)); at >= 0 && bytes.HasPrefix(content, []byte("local ")) {
			line[at], line[at+1], line[at+len(attribute)-1] = ',', '_', ' '
		}
	}
	for at := 0; ; at++ {
		next := bytes.Index(line[at:], []byte("goto "))
		if next < 0 {
			return
		}
		at += next
		before := bytes.TrimSpace(line[:at])
		if len(before) == 0 || bytes.HasSuffix(before, []byte("then")) || bytes.HasSuffix(before, []byte("do")) || bytes.HasSuffix(before, []byte("else")) || bytes.HasSuffix(before, []byte(";")) {
			line[at+4] = '='
		}
	}
}

func luaName(s []byte) bool {
	s = bytes.TrimSpace(s)
	return len(s) > 0 && !bytes.ContainsFunc(s, func(r rune) bool { return r != '_' && !wordByte(byte(r)) })
}

// keyframeLists writes the lists that select several keyframes, "0%, 50% {", as keyframes that are empty but for the last,
// "0%{}50% {", in as many bytes: the grammar of CSS does not know them. A list without white space stays as it is.
func keyframeLists(src []byte) []byte {
	if !bytes.Contains(src, []byte("keyframes")) {
		return src
	}
	var commas []int // each with the place of a blank after it
	rewritten := false
	for i := 0; i < len(src); i++ {
		switch c := src[i]; c {
		case '(', '[':
			i += enclosed(src[i:]) - 1
			commas = commas[:0]
		case '"', '\'':
			i += max(bytes.IndexByte(src[i+1:], c)+1, 0)
		case '/':
			if bytes.HasPrefix(src[i:], []byte("/*")) {
				length := bytes.Index(src[i+2:], []byte("*/"))
				if length < 0 {
					return src // the rest is one comment
				}
				i += length + 3
			}
		case ',':
			if end, room := gap(src, i+1); room > 0 && keyframe(src, i, end) {
				commas = append(commas, i, room)
			}
		case '{':
			for n := 0; n < len(commas); n += 2 {
				if !rewritten {
					src, rewritten = bytes.Clone(src), true
				}
				src[commas[n]], src[commas[n+1]] = '{', '}'
			}
			commas = commas[:0]
		case ';', '}':
			commas = commas[:0]
		}
	}
	return src
}

// keyframe reports whether the comma at a position stands between two places of an animation, of which the second begins at
// next.
func keyframe(src []byte, comma, next int) bool {
	before := bytes.TrimRight(src[:comma], " \t\n")
	if !bytes.HasSuffix(before, []byte("%")) && !bytes.HasSuffix(before, []byte("from")) && !bytes.HasSuffix(before, []byte("to")) {
		return false
	}
	rest := src[next:]
	return len(rest) > 0 && (rest[0] >= '0' && rest[0] <= '9' || rest[0] == '.' || bytes.HasPrefix(rest, []byte("from")) || bytes.HasPrefix(rest, []byte("to")))
}

// gap returns where white space and comments from a place on end, and the place of the last blank among them, 0 without one.
func gap(src []byte, from int) (end, blank int) {
	for end = from; end < len(src); end++ {
		switch {
		case src[end] == ' ' || src[end] == '\t':
			blank = end
		case src[end] == '\n' || src[end] == '\r':
		case bytes.HasPrefix(src[end:], []byte("/*")):
			length := bytes.Index(src[end+2:], []byte("*/"))
			if length < 0 {
				return end, blank
			}
			end += length + 3
		default:
			return end, blank
		}
	}
	return end, blank
}
