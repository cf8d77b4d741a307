package workflow

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-4419f9ca/forge/pkg/pathref"
)

// shield is the sign that heads a safety block; a variation selector may follow it.
const shield = '\U0001F6E1'

// A Safety is the block of a report that keeps the rules in mind when the rest is cut off.
type Safety struct {
	Heading                   Line
	Lines                     []Line // with the heading
	Git, Governance, Recovery bool   // its points
	AfterBacklog              bool   // no backlog summary begins below it
	InLastThird               bool   // it begins in the last third of the lines, or ends there with the report
}

// Missing names the points that the block lacks.
func (s *Safety) Missing() []string {
	var out []string
	for _, p := range []struct {
		name string
		has  bool
	}{{"Git", s.Git}, {"Governance", s.Governance}, {"Recovery", s.Recovery}} {
		if !p.has {
			out = append(out, p.name)
		}
	}
	return out
}

// Safety returns the safety block of the report, nil without one: a line that begins with the shield sign and says
// SAFETY (or AN TOÀN), or is followed by at least one of the points. Of several blocks the best one counts.
func (r *Report) Safety() *Safety {
	var best *Safety
	top := 0
	for i, l := range r.Lines {
		text := trimFrame(strings.TrimLeft(trimFrame(l.Text), "-•"))
		if sign, _ := utf8.DecodeRuneInString(text); sign != shield {
			continue
		}
		s := r.block(i)
		score := 4 * (3 - len(s.Missing()))
		if title := fold(text); strings.Contains(title, "safety") || strings.Contains(title, "an toàn") {
			score += 2
		}
		if score > 0 && s.AfterBacklog && s.InLastThird {
			score++
		}
		if score > top {
			best, top = s, score
		}
	}
	return best
}

// block reads the safety block whose heading is line i: the lines up to a drawn rule, the next heading with a sign of its
// own, or a blank line that neither follows the heading nor leads to another point.
func (r *Report) block(i int) *Safety {
	s := &Safety{Heading: r.Lines[i], Lines: []Line{r.Lines[i]}}
	end, last := i+1, i
	for ; end < len(r.Lines); end++ {
		l := r.Lines[end]
		if blank(l) {
			next := r.after(end)
			if next >= 0 && (pointsOf(r.Lines[next].Text).any() || end == i+1 && listItem(r.Lines[next].Text)) {
				continue
			}
			break
		}
		made := pointsOf(l.Text)
		if !made.any() && (drawnRule(l.Text) || headed(l.Text)) {
			break
		}
		s.Lines = append(s.Lines, l)
		if made.any() {
			last = end
		}
		if r.says(end) {
			s.Git, s.Governance, s.Recovery = s.Git || made.git, s.Governance || made.governance, s.Recovery || made.recovery
		}
	}
	s.AfterBacklog = r.Backlog < i
	s.InLastThird = r.inLastThird(i) || r.nothingFrom(end) && r.inLastThird(last)
	return s
}

func (r *Report) inLastThird(i int) bool { return 3*i >= 2*len(r.Lines) }

// says reports whether the point at line i has a text: behind its label, or on the next line.
func (r *Report) says(i int) bool {
	_, text, ok := strings.Cut(r.Lines[i].Text, ":")
	if !ok || strings.Trim(text, " \t*_") != "" {
		return true
	}
	if i+1 == len(r.Lines) || blank(r.Lines[i+1]) {
		return false
	}
	next := r.Lines[i+1].Text
	return !listItem(next) && !headed(next) && !drawnRule(next) && !pointsOf(next).any()
}

// after returns the index of the first line past i that is not blank, -1 without one.
func (r *Report) after(i int) int {
	for i++; i < len(r.Lines); i++ {
		if !blank(r.Lines[i]) {
			return i
		}
	}
	return -1
}

// nothingFrom reports whether only blank lines and drawn rules stand at i and below.
func (r *Report) nothingFrom(i int) bool {
	for ; i < len(r.Lines); i++ {
		if !blank(r.Lines[i]) && !drawnRule(r.Lines[i].Text) {
			return false
		}
	}
	return true
}

// points are the three things that a safety block has to speak of.
type points struct{ git, governance, recovery bool }

func (p points) any() bool { return p != points{} }

// pointsOf tells by its label, in English or Vietnamese, which points a line makes.
func pointsOf(line string) points {
	text := strings.TrimLeftFunc(fold(line), func(c rune) bool { return !unicode.IsLetter(c) })
	label, ok := labelOf(text)
	if !ok && (headed(line) || !listItem(line)) {
		return points{}
	}
	var p points
	for _, w := range words(label) {
		switch w {
		case "git", "vcs":
			p.git = true
		case "governance", "govern":
			p.governance = true
		case "recovery", "recover":
			p.recovery = true
		}
	}
	p.governance = p.governance || strings.Contains(label, "quản trị") || strings.Contains(label, "quản lý")
	p.recovery = p.recovery || strings.Contains(label, "phục hồi") || strings.Contains(label, "khôi phục")
	return p
}

// labelOf returns what stands before the first colon or dash of a line, or, and false, its first word.
func labelOf(text string) (string, bool) {
	end := -1
	for _, sign := range []string{":", " — ", " – ", " - "} {
		if i := strings.Index(text, sign); i >= 0 && i <= 60 && (end < 0 || i < end) {
			end = i
		}
	}
	if end >= 0 {
		return text[:end], true
	}
	word, _, _ := strings.Cut(text, " ")
	return word, false
}

func listItem(line string) bool {
	line = strings.TrimLeft(line, " \t>|│")
	for _, sign := range []string{"- ", "* ", "+ ", "• "} {
		if strings.HasPrefix(line, sign) {
			return true
		}
	}
	return digits(line) != ""
}

// headed reports whether a line begins something new: a heading, or a line with a sign in front.
func headed(line string) bool {
	if strings.HasPrefix(strings.TrimSpace(line), "#") {
		return true
	}
	sign, _ := utf8.DecodeRuneInString(trimFrame(line))
	return sign >= 0x2600 && unicode.Is(unicode.So, sign)
}

func drawnRule(line string) bool {
	line = strings.TrimSpace(line)
	first, size := utf8.DecodeRuneInString(line)
	return size > 0 && !unicode.IsLetter(first) && !unicode.IsDigit(first) && utf8.RuneCountInString(line) >= 3 && strings.Trim(line, string(first)) == ""
}

// Paths returns the paths that the block names, without those that it says may be missing.
func (s *Safety) Paths() []Named {
	var out []Named
	for _, l := range s.Lines {
		for _, r := range pathref.Find(l.Text) {
			if !optional(fold(l.Text)) {
				out = append(out, Named{Path: r.Path, Start: l.Start + r.Start, End: l.Start + r.End})
			}
		}
	}
	return out
}
