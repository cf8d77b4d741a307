package main

import (
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/fingerprint"
)

// neutral returns edits of the layout that mean nothing, by name, and what the formatter of the language makes of the source.
// tokens are those of the whole file.
func neutral(path, language, src string, tokens []fingerprint.Token) map[string]string {
	src = strings.ReplaceAll(src, "\r\n", "\n")
	out := map[string]string{"line ends": strings.ReplaceAll(src, "\n", "\r\n")}
	starts, ends := content(language, src, tokens)
	edit := func(f func(b *strings.Builder, n int, line string)) string {
		var b strings.Builder
		n := 0
		for line := range strings.Lines(src) {
			n++
			f(&b, n, strings.TrimSuffix(line, "\n"))
		}
		return b.String()
	}
	continued := func(line string) bool { return strings.HasSuffix(strings.TrimSpace(line), `\`) }
	if language != "markdown" {
		out["blanks"] = edit(func(b *strings.Builder, n int, line string) {
			b.WriteString(line)
			if !ends[n] && !continued(line) {
				b.WriteString("  ")
			}
			b.WriteString("\n")
		})
		out["blank lines"] = edit(func(b *strings.Builder, n int, line string) {
			b.WriteString(line + "\n")
			if !ends[n] && !continued(line) {
				b.WriteString("\n")
			}
		})
	}
	// The grammar of Scala measures the layout after a string of several lines by those lines.
	if language != "markdown" && language != "yaml" && !(language == "scala" && strings.Contains(src, `"""`)) {
		out["indentation"] = edit(func(b *strings.Builder, n int, line string) {
			if indent := len(line) - len(strings.TrimLeft(line, " \t")); !starts[n] {
				b.WriteString(line[:indent])
			}
			b.WriteString(line + "\n")
		})
	}
	if sign := lineComment(language); sign != "" {
		previous := ""
		out["comments"] = edit(func(b *strings.Builder, n int, line string) {
			if n > 1 && line != "" && !starts[n] && !continued(previous) {
				b.WriteString(line[:len(line)-len(strings.TrimLeft(line, " \t"))] + sign + " a note\n")
			}
			b.WriteString(line + "\n")
			previous = line
		})
	}
	for name, text := range formatted(path, language, src) {
		out[name] = text
	}
	return out
}

// content returns the lines, 1-based, whose beginnings and whose ends lie within one token: their layout is content.
func content(language, src string, tokens []fingerprint.Token) (starts, ends map[int]bool) {
	starts, ends = map[int]bool{}, map[int]bool{}
	mark := func(first, last int) {
		for n := first; n < last; n++ {
			ends[n], starts[n+1] = true, true
		}
	}
	written := strings.Split(src, "\n")
	for i, t := range tokens {
		last := t.Line + strings.Count(t.Text, "\n")
		if i+1 < len(tokens) {
			last = min(last, max(t.Line, tokens[i+1].Line)) // a line end in the value may be an escape
		}
		if line := written[t.Line-1]; language == "python" && !strings.Contains(line, `"""`) && !strings.Contains(line, "'''") {
			last = t.Line
		}
		for n := t.Line; n <= last && n <= len(written) && strings.Contains(t.Kind, "string"); n++ {
			if strings.HasSuffix(written[n-1], `\`) {
				last++ // a line end that the value of a string does not have
			}
		}
		mark(t.Line, last)
		switch t.Kind {
		case "string_array", "symbol_array": // words in them look like anything
			end := i + 1
			for end < len(tokens) && tokens[end].Depth > t.Depth {
				end++
			}
			mark(t.Line, tokens[end-1].Line+1)
		case "uninterpreted":
			first := t.Line
			for first > 1 && !strings.HasPrefix(written[first-1], "__END__") {
				first--
			}
			mark(first, last)
		}
	}
	if language != "yaml" && language != "toml" {
		return starts, ends
	}
	for i, t := range tokens { // their texts are values, which have fewer lines than what spells them
		next := len(written)
		if i+1 < len(tokens) {
			next = tokens[i+1].Line
		}
		for n := t.Line + 1; n < next && t.Kind != "key"; n++ {
			line := strings.TrimSpace(written[n-1])
			if line != "" && line != "---" && !(language == "toml" && strings.HasPrefix(line, "[")) {
				mark(t.Line, n)
				ends[n] = true
			}
		}
	}
	return starts, ends
}

// lineComment returns the sign of a comment in languages where one may stand before every line.
func lineComment(language string) string {
	switch language {
	case "go", "c", "cpp", "java", "csharp", "rust", "kotlin", "swift", "scala", "protobuf", "typescript", "php":
		return "//"
	case "python", "ruby", "yaml", "toml", "hcl", "elixir":
		return "#"
	case "lua", "sql":
		return "--"
	}
	return ""
}
