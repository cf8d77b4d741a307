package hooks

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	scripts "github.com/seed-4419f9ca/forge/hooks"
)

// The parts of a script that installing fills in. The marker is its second line.
const (
	marker    = "# forge-hook: "
	noProgram = "\nprogram=''\n"
	program   = "\nprogram="
	noKept    = "\nkept() { :; }\n"
)

// A written script is what could be read from a file that carries our marker.
type written struct {
	name    string
	intact  bool   // the file is as it was written
	program string // absolute path of the program it starts first; "" without one
	chained bool   // it runs a kept hook first
}

// render returns the script of the hook called name. It starts the program at the absolute path prog before it looks in
// PATH; chain is the command that runs the older hook, "" without one.
func render(name, prog, chain string) ([]byte, error) {
	data, ok := scripts.Script(name)
	if !ok {
		return nil, known(name)
	}
	s := string(data)
	s = strings.Replace(s, noProgram, program+quote(prog)+"\n", 1)
	if chain != "" {
		s = strings.Replace(s, noKept, "\nkept() { "+chain+"; }\n", 1)
	}
	return []byte(strings.Replace(s, markerOf(name), markerOf(name)+" "+sum(s), 1)), nil
}

func markerOf(name string) string { return marker + name }

// sum returns the mark of a script without a mark.
func sum(script string) string {
	h := sha256.Sum256([]byte(script))
	return "sha256:" + hex.EncodeToString(h[:16])
}

// parse reads a script that render wrote, in this or another version; false when data has no marker. Only a script whose
// mark fits every other byte of it counts as intact.
func parse(data []byte) (written, bool) {
	first, rest, _ := strings.Cut(string(data), "\n")
	second, rest, _ := strings.Cut(rest, "\n")
	label, ok := strings.CutPrefix(second, marker)
	if !ok {
		return written{}, false
	}
	name, mark, _ := strings.Cut(label, " ")
	bare := first + "\n" + markerOf(name) + "\n" + rest
	w := written{name: name, intact: mark != "" && mark == sum(bare)}
	body := "\n" + rest
	if _, after, ok := strings.Cut(body, program); ok {
		if value, end, ok := unquote(after); ok {
			w.program, body = value, end
		}
	}
	w.chained = strings.Contains(body, "\nkept() ") && !strings.Contains(body, noKept)
	return w, true
}

// quote makes s one word of a POSIX shell.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// unquote reads the word that quote made at the start of s and returns what follows it.
func unquote(s string) (word, rest string, ok bool) {
	for {
		var part string
		if s, ok = strings.CutPrefix(s, "'"); !ok {
			return "", "", false
		}
		if part, s, ok = strings.Cut(s, "'"); !ok {
			return "", "", false
		}
		word += part
		if s, ok = strings.CutPrefix(s, `\'`); !ok {
			return word, s, true
		}
		word += "'"
	}
}

// chain returns the command that runs the older hook kept for name, whose content is old. It is started by its path,
// except for a shell script that asks for its own name, as those of dispatchers do: under the name it is kept by it would
// find nothing to do and succeed. Such a script is read by its own shell, and its $0 stays what it was.
func chain(name string, old []byte) string {
	kept := `"${0%/*}/` + name + keptSuffix + `"`
	if shell := shellOf(old); shell != "" && asksOwnName(string(old)) {
		return fmt.Sprintf(`%s -c '. %s' "$0" "$@"`, shell, kept)
	}
	return kept + ` "$@"`
}

// shellOf returns the command of a script's first line when that is a shell which keeps $0 while it reads another file,
// else "".
func shellOf(script []byte) string {
	line, _, _ := bytes.Cut(script, []byte("\n"))
	command, ok := strings.CutPrefix(string(line), "#!")
	if !ok || strings.IndexFunc(command, unsafeInCommand) >= 0 {
		return ""
	}
	words := strings.Fields(command)
	shell := 0
	if len(words) > 1 && base(words[0]) == "env" {
		shell = 1
	}
	if len(words) <= shell {
		return ""
	}
	switch base(words[shell]) {
	case "sh", "bash", "dash":
	default:
		return ""
	}
	for _, option := range words[shell+1:] {
		if len(option) < 2 || option[0] != '-' || strings.Trim(option[1:], "eux") != "" {
			return ""
		}
	}
	return strings.Join(words, " ")
}

func base(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// unsafeInCommand reports whether a shell would read more into r than a letter of a path or a blank between words.
func unsafeInCommand(r rune) bool {
	return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._- \t", r)
}

// asksOwnName reports whether a shell script does something with the last part of its own path.
func asksOwnName(script string) bool {
	if strings.Contains(script, "$0.") || strings.Contains(script, "${0##") || strings.Contains(script, "${0}.") {
		return true
	}
	if !strings.Contains(script, "$0") && !strings.Contains(script, "${0}") {
		return false
	}
	// husky 9 writes hooks of one line, which read the dispatcher "h" in their folder.
	return strings.Contains(script, "basename") || strings.Contains(script, "dirname") && strings.Contains(script, `/h"`)
}
