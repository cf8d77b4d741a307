package main

import (
	"bytes"
	"go/format"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/fingerprint"
)

// neutral returns edits that mean nothing, by name. tokens are those of the whole file.
func neutral(path, language, src string, tokens []fingerprint.Token) map[string]string {
	src = strings.ReplaceAll(src, "\r\n", "\n")
	out := map[string]string{"line ends": strings.ReplaceAll(src, "\n", "\r\n")}
	inside := map[int]bool{} // lines that a token goes on from or to: their layout is content
	for _, t := range tokens {
		for n := range strings.Count(t.Text, "\n") {
			inside[t.Line+n], inside[t.Line+n+1] = true, true
		}
	}
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
			if !inside[n] && !continued(line) {
				b.WriteString("  ")
			}
			b.WriteString("\n")
		})
		out["blank lines"] = edit(func(b *strings.Builder, n int, line string) {
			b.WriteString(line + "\n")
			if !(inside[n] && inside[n+1]) && !continued(line) {
				b.WriteString("\n")
			}
		})
	}
	if sign := lineComment(language); sign != "" {
		previous := ""
		out["comments"] = edit(func(b *strings.Builder, n int, line string) {
			if n > 1 && line != "" && !(inside[n-1] && inside[n]) && !continued(previous) {
				b.WriteString(line[:len(line)-len(strings.TrimLeft(line, " \t"))] + sign + " a note\n")
			}
			b.WriteString(line + "\n")
			previous = line
		})
	}
	if name, formatted, ok := formatter(path, language, src); ok {
		out[name] = formatted
	}
	return out
}

// lineComment returns the sign of a comment in languages where one may stand before every line.
func lineComment(language string) string {
	switch language {
	case "go", "c", "cpp", "java", "csharp", "rust", "kotlin", "swift", "scala", "protobuf", "typescript":
		return "//"
	case "python", "ruby", "yaml", "toml", "hcl", "elixir":
		return "#"
	case "lua", "sql":
		return "--"
	}
	return ""
}

// formatter runs the formatter of a language where it is at hand.
func formatter(path, language, src string) (name, formatted string, ok bool) {
	switch language {
	case "go":
		out, err := format.Source([]byte(src))
		return "gofmt", string(out), err == nil
	case "python":
		return pipe("black", src, "black", "-q", "-")
	case "javascript", "typescript", "tsx", "css", "yaml", "markdown":
		return pipe("prettier", src, "prettier", "--no-config", "--embedded-language-formatting=off", "--stdin-filepath", "/"+filepath.Base(path))
	case "c", "cpp", "java":
		return pipe("clang-format", src, "clang-format", "--style=LLVM", "--sort-includes=0", "--assume-filename="+filepath.Base(path))
	case "rust":
		return pipe("rustfmt", src, "rustfmt", "--edition", "2021")
	case "bash":
		return pipe("shfmt", src, "shfmt", "-i", "3")
	}
	return "", "", false
}

// pipe sends text through a program. A program that is not there or refuses the text gives nothing.
func pipe(name, src, program string, args ...string) (string, string, bool) {
	cmd := exec.Command(program, args...)
	cmd.Stdin = strings.NewReader(src)
	var out bytes.Buffer
	cmd.Stdout = &out
	err := cmd.Run()
	return name, out.String(), err == nil && out.Len() > 0
}

// substantive returns edits of one definition that mean something, by name: each changes one token of it that stands alone
// on its line. seed spreads the choice.
func substantive(src string, tokens []fingerprint.Token, seed int) map[string]string {
	lines := strings.SplitAfter(src, "\n")
	edits := map[string]string{}
	for n := range tokens {
		t := tokens[(n+seed)%len(tokens)]
		if t.Part == "doc" || !t.Leaf || t.Line < 1 || t.Line > len(lines) || strings.Contains(t.Text, "\n") {
			continue
		}
		name, with := change(t)
		if name == "" || edits[name] != "" {
			continue
		}
		line := lines[t.Line-1]
		if strings.Count(line, t.Text) != 1 {
			continue
		}
		changed := strings.Replace(line, t.Text, with, 1)
		edits[name] = strings.Join(lines[:t.Line-1], "") + changed + strings.Join(lines[t.Line:], "")
	}
	return edits
}

// change says what becomes of a token.
func change(t fingerprint.Token) (name, with string) {
	operators := map[string]string{
		"<": "<=", ">": ">=", "<=": "<", ">=": ">", "==": "!=", "!=": "==", "===": "!==", "&&": "||", "||": "&&", "+": "-", "-": "+", "and": "or", "or": "and",
		"true": "false", "false": "true", "True": "False", "False": "True",
	}
	if with, ok := operators[t.Text]; ok {
		return "operator", with
	}
	if t.Text == "" {
		return "", ""
	}
	switch c := t.Text[0]; {
	case c >= '0' && c <= '8':
		return "number", string(c+1) + t.Text[1:]
	case strings.HasSuffix(t.Kind, "identifier") && c != '"' && t.Field != "name":
		return "name", t.Text + "q"
	}
	return "", ""
}
