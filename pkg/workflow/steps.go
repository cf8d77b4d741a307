// Package workflow reads the workflows that agents follow: their steps, whether a step re-reads the rules, and the safety
// block of a report template (layers 2 and 3 of chapter 4, section 4.7 of the specification).
package workflow

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/seed-4419f9ca/forge/pkg/markdown"
)

// A Step is one step of a workflow: a heading with a number or a known word, and what stands below it.
type Step struct {
	Title      string // as written, without the marks of the heading
	Number     string // "0", "2.5"; "" where the heading has only a word
	Start, End int    // of the heading
	Line       int
	body       []*markdown.Block // up to the next step, or heading of its level or above
}

// Preflight reports whether the step is a step 0 or is called pre-flight.
func (s *Step) Preflight() bool { return s.Number == "0" || namesPreflight(s.Title) }

// Steps returns the steps of a workflow in order. Headings that are numbered ("### 0. Pre-flight", "Step 1: ...",
// "Bước 2", keycap signs) or called pre-flight are steps; the title of the document is none, nor is a section such as
// "Usage". A workflow without such headings has for steps the items of its ordered lists and its bold lines "**Step 0**".
func Steps(doc *markdown.Doc) []Step {
	if steps := headingSteps(doc); len(steps) > 0 {
		return steps
	}
	return listedSteps(doc)
}

func headingSteps(doc *markdown.Doc) []Step {
	var steps []Step
	title := titleOf(doc)
	level := 0 // of the step that is open; 0 when none is
	for _, b := range doc.Blocks {
		if b.Kind != markdown.Heading {
			if level > 0 {
				s := &steps[len(steps)-1]
				s.body = append(s.body, b)
			}
			continue
		}
		number, ok := stepNumber(b.Text)
		if b == title {
			ok = number == "0"
		} else {
			ok = ok || namesPreflight(b.Text)
		}
		switch {
		case ok:
			steps = append(steps, Step{Title: strings.TrimSpace(b.Text), Number: number, Start: b.Start, End: b.End, Line: b.Line})
			level = b.Level
		case b.Level <= level:
			level = 0
		}
	}
	return steps
}

// titleOf returns the heading that names the document: its first heading, when that is the only one of level 1.
func titleOf(doc *markdown.Doc) *markdown.Block {
	var first *markdown.Block
	ones := 0
	for _, b := range doc.Blocks {
		if b.Kind != markdown.Heading {
			continue
		}
		if first == nil {
			first = b
		}
		if b.Level == 1 {
			ones++
		}
	}
	if first == nil || first.Level != 1 || ones != 1 {
		return nil
	}
	return first
}

func listedSteps(doc *markdown.Doc) []Step {
	var steps []Step
	for _, b := range doc.Blocks {
		switch b.Kind {
		case markdown.List:
			if !b.Ordered {
				break
			}
			for _, item := range b.Children {
				number := digits(string(doc.Src[item.Start:min(item.Start+12, item.End)]))
				steps = append(steps, Step{
					Title: firstLine(item.Text), Number: trimZeros(number), Start: item.Start, End: endOfLine(doc.Src, item), Line: item.Line,
					body: item.Children,
				})
			}
			continue
		case markdown.Paragraph:
			text := strings.TrimSpace(b.Text)
			number, ok := stepNumber(strings.Trim(firstLine(text), "*_ "))
			if strings.HasPrefix(text, "**") && (ok || namesPreflight(firstLine(text))) {
				steps = append(steps, Step{Title: firstLine(text), Number: number, Start: b.Start, End: endOfLine(doc.Src, b), Line: b.Line,
					body: []*markdown.Block{b}})
				continue
			}
		case markdown.Heading:
			continue
		}
		if len(steps) > 0 {
			s := &steps[len(steps)-1]
			s.body = append(s.body, b)
		}
	}
	return steps
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return strings.TrimSpace(line)
}

func endOfLine(src []byte, b *markdown.Block) int {
	line := src[b.Start:b.End]
	if i := strings.IndexAny(string(line), "\r\n"); i >= 0 {
		return b.Start + i
	}
	return b.End
}

// stepNumber reads the number of a step from its heading: "0." "0)" "0:" "0 -" "2.5 —", after decoration and after a word
// such as "Step" or "Bước". A bare number counts after such a word, and a bare 0 always.
func stepNumber(text string) (string, bool) {
	text = fold(text)
	text = strings.TrimLeftFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	word := false
	for _, w := range []string{"step", "bước", "phase", "giai đoạn"} {
		if rest, ok := strings.CutPrefix(text, w); ok && rest != "" && !unicode.IsLetter([]rune(rest)[0]) {
			text, word = strings.TrimLeft(rest, " #.:-–—"), true
			break
		}
	}
	if word && (text == "zero" || strings.HasPrefix(text, "zero ") || strings.HasPrefix(text, "zero:")) {
		return "0", true
	}
	number := digits(text)
	if number == "" {
		return "", false
	}
	rest := strings.TrimSpace(text[len(number):])
	bounded := strings.HasSuffix(number, ".") || rest == "" || strings.ContainsRune("):-–—|", []rune(rest)[0])
	number = trimZeros(number)
	return number, bounded || word || number == "0"
}

// digits returns the number with dots that s begins with, a letter after it ("7b") left out.
func digits(s string) string {
	end := 0
	for end < len(s) && (s[end] >= '0' && s[end] <= '9' || s[end] == '.' && end > 0) {
		end++
	}
	return s[:end]
}

// trimZeros makes "00" and "0.0" of a step number "0".
func trimZeros(number string) string {
	number = strings.TrimRight(number, ".")
	if number != "" && strings.Trim(number, "0.") == "" {
		return "0"
	}
	return number
}

func namesPreflight(text string) bool {
	words := strings.Join(strings.FieldsFunc(fold(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), " ")
	for _, name := range []string{"pre flight", "preflight", "tiền kiểm", "kiểm tra trước"} {
		if strings.Contains(words, name) {
			return true
		}
	}
	return false
}

// fold brings text into one form for comparing words: composed, lower case, plain hyphens and spaces, and without the
// variation selectors and keycap signs that decorate numbers.
func fold(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\u2010' || r == '\u2011':
			return '-'
		case r == '\u20e3' || unicode.Is(unicode.Cf, r) || r == '\ufe0e' || r == '\ufe0f':
			return -1
		case r == '’':
			return '\''
		case unicode.IsSpace(r):
			return ' '
		}
		return unicode.ToLower(r)
	}, norm.NFC.String(text))
}
