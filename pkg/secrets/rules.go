package secrets

import (
	"bytes"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// A rule is one rule of gitleaks: a secret is what group (or the first group that matched, or the whole) of pattern holds,
// when its entropy is above the bound and nothing allows it.
type rule struct {
	id       string
	pattern  string
	keywords []string // one of them stands in the text, in lower case
	group    int
	entropy  float64 // bits a byte
	assigned bool    // the secret is assigned to a name by an operator
	allowed  []allowance
}

// An allowance lets through what one of its patterns or words is in: in the secret, in the match or in the line.
type allowance struct {
	target   string // "", "match" or "line"
	patterns []string
	words    string // separated by spaces
}

// A ruleTable holds what is worked out from the rules when the first text is scanned.
type ruleTable struct {
	words   *keywords
	ofWord  [][]int // rules by keyword
	regexps []func() *regexp.Regexp
	global  []func() *allow
	allowed [][]func() *allow // by rule
}

type allow struct {
	*allowance
	patterns []*regexp.Regexp
	words    []string
}

var rulesOnce = sync.OnceValue(func() *ruleTable {
	t := &ruleTable{regexps: make([]func() *regexp.Regexp, len(rules)), allowed: make([][]func() *allow, len(rules))}
	place := map[string]int{}
	var words []string
	for i := range rules {
		r := &rules[i]
		t.regexps[i] = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(r.pattern) })
		t.allowed[i] = compileLater(r.allowed)
		for _, w := range r.keywords {
			k, ok := place[w]
			if !ok {
				k = len(words)
				place[w] = k
				words = append(words, w)
				t.ofWord = append(t.ofWord, nil)
			}
			t.ofWord[k] = append(t.ofWord[k], i)
		}
	}
	t.words = newKeywords(words)
	t.global = compileLater(everywhere)
	return t
})

func compileLater(list []allowance) []func() *allow {
	out := make([]func() *allow, len(list))
	for i := range list {
		out[i] = sync.OnceValue(func() *allow {
			a := &allow{allowance: &list[i], words: strings.Fields(list[i].words)}
			for _, p := range list[i].patterns {
				a.patterns = append(a.patterns, regexp.MustCompile(p))
			}
			return a
		})
	}
	return out
}

const (
	longLine = 4096 // a longer line is looked at around the keyword only
	around   = 1024
)

// mostScanned bounds how many bytes the expressions of all rules look at together. Ordinary notes stay far below it; a
// text that is made to hold every keyword everywhere would otherwise take minutes.
const mostScanned = 8 << 20

// scanRules applies the rules of gitleaks to the surroundings of their keywords: the line and the next one. A keyword
// without anything near it that could be a secret costs nothing more.
func (f *finder) scanRules() {
	t := rulesOnce()
	runs, assigned := f.longRuns()
	if len(runs) == 0 {
		return
	}
	parts := make([][]stretch, len(rules)) // by rule: what it looks at, in order and without overlaps
	t.words.scan(f.low, func(word, at int) {
		from, to := f.window(at)
		if !near(runs, from, to) {
			return
		}
		named := near(assigned, from, to)
		for _, i := range t.ofWord[word] {
			if rules[i].assigned && !named {
				continue
			}
			if n := len(parts[i]); n > 0 && from <= parts[i][n-1].end {
				parts[i][n-1].end = max(parts[i][n-1].end, to)
			} else {
				parts[i] = append(parts[i], stretch{from, to})
			}
		}
	})
	scanned := 0
	for i, list := range parts {
		for _, p := range list {
			if scanned += p.end - p.start; scanned > mostScanned {
				f.partial = true
				return
			}
			f.apply(t, i, p.start, p.end)
		}
	}
}

// window returns what a rule looks at for a keyword at offset at.
func (f *finder) window(at int) (int, int) {
	from, end := f.line(at)
	to := end
	if end < len(f.s) {
		_, to = f.line(end + 1)
	}
	if to-from > longLine {
		from, to = max(from, at-around), min(to, at+around)
	}
	return from, to
}

// A stretch of signs that tokens are made of, long enough for one.
type stretch struct{ start, end int }

// longRuns lists the stretches that can be a secret: eight signs with a digit among them, or sixteen. Those that can be
// assigned to a name, because an operator stands before them or within them, are listed a second time.
func (f *finder) longRuns() (all, assigned []stretch) {
	for at := 0; at < len(f.s); at++ {
		start, digits := at, false
		for at < len(f.s) && tokenByte(f.s[at]) {
			digits = digits || digit(f.s[at])
			at++
		}
		if n := at - start; n >= 16 || n >= 8 && digits {
			all = append(all, stretch{start, at})
			if f.assigns(start, at) {
				assigned = append(assigned, stretch{start, at})
			}
		}
	}
	return all, assigned
}

// assigns reports whether an operator stands in the stretch or right before it.
func (f *finder) assigns(start, end int) bool {
	if bytes.ContainsAny(f.s[start:end-1], ":=") {
		return true
	}
	at := start
	for at > 0 && start-at < 6 && bytes.IndexByte([]byte("`'\" \t\r\n="), f.s[at-1]) >= 0 {
		at--
	}
	return at > 0 && bytes.IndexByte([]byte("=>:|,"), f.s[at-1]) >= 0 || bytes.IndexByte(f.s[at:start], '=') >= 0
}

func tokenByte(c byte) bool {
	return alnum(c) || c == '_' || c == '-' || c == '.' || c == '=' || c == '+' || c == '/' || c == '~' || c == '%' || c == ':'
}

// near reports whether one of the stretches, which are in order, lies in the range.
func near(runs []stretch, from, to int) bool {
	i, _ := slices.BinarySearchFunc(runs, from, func(s stretch, at int) int { return s.end - at })
	return i < len(runs) && runs[i].start < to
}

// apply looks for secrets of rule i in the text from start to end.
func (f *finder) apply(t *ruleTable, i, start, end int) {
	r := &rules[i]
	window := f.s[start:end]
	re := t.regexps[i]()
	for _, m := range re.FindAllSubmatchIndex(window, -1) {
		from, to := m[0], m[1]
		if r.group > 0 {
			from, to = m[2*r.group], m[2*r.group+1]
		} else {
			for g := 1; 2*g < len(m); g++ {
				if m[2*g] >= 0 && m[2*g] < m[2*g+1] {
					from, to = m[2*g], m[2*g+1]
					break
				}
			}
		}
		if from < 0 {
			continue
		}
		secret := string(window[from:to])
		if r.entropy > 0 && entropy(secret) <= r.entropy {
			continue
		}
		line, lineEnd := f.line(start + from)
		line, lineEnd = max(line, start+from-longLine), min(lineEnd, start+from+longLine)
		whole, lineText := string(window[m[0]:m[1]]), string(f.s[line:lineEnd])
		if lets(t.global, secret, whole, lineText) || lets(t.allowed[i], secret, whole, lineText) {
			continue
		}
		f.add(start+from, start+to, r.id)
	}
}

func lets(list []func() *allow, secret, match, line string) bool {
	for _, later := range list {
		a := later()
		target := secret
		switch a.target {
		case "match":
			target = match
		case "line":
			target = line
		}
		if slices.ContainsFunc(a.patterns, func(re *regexp.Regexp) bool { return re.MatchString(target) }) {
			return true
		}
		low := strings.ToLower(secret)
		if slices.ContainsFunc(a.words, func(w string) bool { return strings.Contains(low, w) }) {
			return true
		}
	}
	return false
}

// entropy returns the Shannon entropy of s in bits a character.
func entropy(s string) float64 {
	counts := map[rune]int{}
	for _, r := range s {
		counts[r]++
	}
	var sum float64
	for _, n := range counts {
		p := float64(n) / float64(len(s))
		sum -= p * math.Log2(p)
	}
	return sum
}
