package workflow

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-4419f9ca/forge/pkg/markdown"
	"github.com/seed-4419f9ca/forge/pkg/pathref"
)

// A Named is a path that a step or a safety block names.
type Named struct {
	Path        string
	Start, End  int  // in the source
	Rules       bool // the path is that of a rules index
	Read        bool // the sentence or the command reads the file
	Optional    bool // the text says that the file may be missing
	Conditional bool // the sentence holds under a condition
}

// Inspect reads the body of step s: whether it re-reads the rules, and the paths that it names. isRules says which paths are those of a rules index. The step re-reads the rules when
// one sentence, or one command of a code block, reads such a path or "the rules index"; a sentence that ends in a colon,
// and the title, speak for the lists, tables and code blocks below them. A sentence that says not to read does not count.
func (s *Step) Inspect(doc *markdown.Doc, isRules func(string) bool) (rereads bool, paths []Named) {
	title := reads(fold(s.Title))
	intro := title
	for _, u := range units(doc.Src, s.body) {
		from := u.start
		for _, sentence := range sentences(u) {
			folded := fold(sentence)
			reading := readsHere(u, folded, intro, title)
			rules := namesIndex(folded)
			for _, r := range pathref.Find(sentence) {
				n := Named{Path: r.Path, Rules: isRules(r.Path), Read: reading, Optional: optional(folded), Conditional: conditional(folded)}
				n.Start, n.End = locate(doc.Src, from, u.end, sentence[r.Start:r.End])
				from = n.End
				paths = append(paths, n)
				rules = rules || n.Rules
			}
			rereads = rereads || rules && reading
			switch colon := strings.HasSuffix(strings.TrimRight(folded, " *_"), ":"); {
			case colon:
				intro = title || reads(folded)
			case !u.listed:
				intro = title
			}
		}
	}
	return rereads, paths
}

// readsHere reports whether a sentence reads what it names: by its own words, by the command it runs, or, in a list, table
// or code block, by the words above. The title speaks for running text only where that is little more than a path.
func readsHere(u unit, folded string, intro, title bool) bool {
	switch {
	case u.code && silent(folded):
		return false
	case u.code && runsReader(folded), !u.code && runsInline(folded), reads(folded):
		return true
	case refusesReading(folded):
		return false
	}
	return intro && u.listed || title && len(words(withoutPaths(folded))) <= 3
}

// locate finds the written form of a path in a part of the source. Paths are asked for in their order, each from the end
// of the one before, so that all of them together cost one pass.
func locate(src []byte, start, end int, written string) (int, int) {
	if i := bytes.Index(src[start:end], []byte(written)); i >= 0 {
		return start + i, start + i + len(written)
	}
	return start, end
}

// sentences splits a unit at semicolons, and where a full stop, an exclamation or a question mark is followed by a space
// and a capital letter or a code span. Lines of code are whole.
func sentences(u unit) []string {
	if u.code {
		return []string{u.text}
	}
	text := strings.ReplaceAll(u.text, "\n", " ")
	var out []string
	from := 0
	for i := 1; i+2 < len(text); i++ {
		if text[i+1] != ' ' || text[i-1] == ' ' {
			continue
		}
		if text[i] == ';' || strings.IndexByte(".!?", text[i]) >= 0 && beginsSentence(text[i+1:]) && !abbreviated(text[:i]) {
			out = append(out, text[from:i+1])
			from = i + 1
		}
	}
	return append(out, text[from:])
}

func beginsSentence(text string) bool {
	text = strings.TrimLeft(text, " *_\"'(")
	r, _ := utf8.DecodeRuneInString(text)
	return r == '`' || unicode.IsUpper(r)
}

func abbreviated(before string) bool {
	return strings.HasSuffix(before, "e.g") || strings.HasSuffix(before, "i.e") || strings.HasSuffix(before, "cf")
}

// maxWords bounds how much of one sentence is read.
const maxWords = 1000

// words splits folded text into words of letters, digits, hyphens and apostrophes, at most maxWords of them.
func words(folded string) []string {
	list := strings.FieldsFunc(folded, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '\''
	})
	return list[:min(len(list), maxWords)]
}

func isReadWord(w string) bool {
	switch w {
	case "re-read", "reread", "re-reads", "rereads", "re-reading", "rereading", "read", "reads", "reading",
		"reload", "reloads", "re-load", "reloading", "load", "loads", "force-load", "đọc", "nạp":
		return true
	}
	return false
}

// reads reports whether folded text says to read something. A negation right before the word turns it round ("do not
// re-read"), and one before that turns it back ("never go on without re-reading").
func reads(folded string) bool {
	list := words(withoutPaths(folded))
	for i, w := range list {
		if isReadWord(w) && !refused(list[:i]) {
			return true
		}
	}
	return false
}

// refusesReading reports whether folded text says not to read, or begins with a refusal ("not the rules").
func refusesReading(folded string) bool {
	list := words(withoutPaths(folded))
	if len(list) > 0 && isNo(list[0]) {
		return true
	}
	for _, w := range list {
		if isReadWord(w) {
			return !reads(folded)
		}
	}
	return false
}

// withoutPaths blanks out paths, whose parts ("read-me.md") are no words of the sentence.
func withoutPaths(folded string) string {
	b := []byte(folded)
	for _, r := range pathref.Find(folded) {
		for i := r.Start; i < r.End; i++ {
			b[i] = ' '
		}
	}
	return string(b)
}

func refused(before []string) bool {
	for i := len(before) - 1; i >= 0; i-- {
		switch before[i] {
		case "to", "be", "need", "needs", "have", "has", "bother", "ever", "again", "even", "cần", "phải", "bao", "giờ":
			continue
		case "already", "đã":
			return true
		case "skip", "skipping", "without", "avoid", "khỏi", "bỏ", "qua":
			return !refuses(before[:i])
		}
		return isNo(before[i]) || before[i] == "of" && i > 0 && before[i-1] == "instead"
	}
	return false
}

func refuses(list []string) bool {
	for _, w := range list {
		if isNo(w) {
			return true
		}
	}
	return false
}

func isNo(w string) bool {
	switch w {
	case "not", "don't", "dont", "never", "needn't", "won't", "shouldn't", "mustn't", "cannot", "can't", "no", "không", "đừng", "chớ", "chẳng":
		return true
	}
	return false
}

// runsReader reports whether a line of shell runs a command that prints a file.
func runsReader(line string) bool {
	for _, part := range strings.FieldsFunc(line, func(r rune) bool { return r == '|' || r == '&' || r == ';' || r == '(' || r == ')' || r == '`' }) {
		fields := strings.Fields(strings.TrimLeft(part, " $>"))
		if len(fields) < 2 {
			continue
		}
		switch fields[0] {
		case "cat", "head", "tail", "less", "more", "bat", "sed", "nl", "type", "view", "get-content":
			return true
		}
	}
	return false
}

// runsInline reports whether running text names, in a code span, a command that prints a file, and does not refuse it.
func runsInline(folded string) bool {
	parts := strings.Split(folded, "`")
	for i := 1; i+1 < len(parts); i += 2 {
		if runsReader(parts[i]) && !refuses(words(strings.Join(parts[:i], " "))) {
			return true
		}
	}
	return false
}

// silent reports whether a line of code is a comment, or prints words instead of a file.
func silent(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, "#") || strings.HasPrefix(line, "//") || strings.HasPrefix(line, "echo ") || strings.HasPrefix(line, "printf ")
}

func namesIndex(folded string) bool {
	for _, name := range []string{"rules index", "rule index", "index of rules", "index of the rules", "rules table", "chỉ mục quy tắc", "bảng quy tắc"} {
		if strings.Contains(folded, name) {
			return true
		}
	}
	return false
}

// optional reports whether folded text says that a file may be missing.
func optional(folded string) bool {
	for _, sign := range []string{"if exist", "if it exist", "if they exist", "if present", "if there", "if any", "when it exists", "may be missing",
		"nếu có", "nếu tồn tại", "2>/dev/null", "|| true", "|| echo", "test -f", "[ -f"} {
		if strings.Contains(folded, sign) {
			return true
		}
	}
	return false
}

func conditional(folded string) bool {
	for _, w := range words(folded) {
		switch w {
		case "if", "when", "unless", "nếu", "khi":
			return true
		}
	}
	return false
}
