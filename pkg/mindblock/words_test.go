package mindblock

import (
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

// plainWords is what ScanWords means, written for readers: fields, without what nobody sees, without punctuation at the
// edges, in NFC, folded.
func plainWords(s string) []string {
	var out []string
	for _, f := range strings.FieldsFunc(string([]rune(s)), unicode.IsSpace) {
		f = strings.Map(func(r rune) rune {
			if hidden(r) {
				return -1
			}
			return r
		}, f)
		f = strings.TrimFunc(f, func(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) || unicode.IsControl(r) })
		if f != "" {
			out = append(out, strings.Map(foldRune, norm.NFC.String(f)))
		}
	}
	return out
}

func sumOf(word string) uint64 {
	sum := uint64(seed)
	for _, r := range word {
		sum = mix(sum, r)
	}
	return sum
}

func sameWords(t interface{ Fatalf(string, ...any) }, s string) {
	got, want := WordsOf([]byte(s), 0, len(s)), plainWords(s)
	if len(got) != len(want) {
		t.Fatalf("%q: got %d words, want %q", s, len(got), want)
	}
	for i, w := range got {
		if w.Sum != sumOf(want[i]) {
			t.Fatalf("%q: word %q is not summed as %q", s, s[w.Start:w.End], want[i])
		}
	}
}

func TestWords(t *testing.T) {
	for _, s := range []string{
		"", " ", "Một, hai — (ba)!", "don't stop-it a.b", "x\u00a0y\u3000z\u2003w\u0085v", "a\u200bb c\u00add", "ＡＢ Ａ", "ÀÁ a\u0300a\u0301 A\u0300", "ĐỪNG đừng \u0110u\u031b\u0300ng", "→ > - # **x**",
		"ß ẞ ſ ς Σ K \u212a", "日本 語", "한국 \u1112\u1161\u11ab", "\xff\xfea \xe1\xba", "e\u0301\u200d\u0323x", "🙂 a🙂b", "\u0301a", "a\ufe0f b",
	} {
		sameWords(t, s)
	}
	w := WordsOf([]byte("  «Một», hai"), 0, 14)
	if len(w) != 2 || w[0].Start != 4 || w[0].End != 9 {
		t.Errorf("got %+v", w)
	}
}

func TestWordsHaveOneSumInEachForm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOfN(rapid.SampledFrom([]rune("aăâbcdđeêioôơuưyàáảãạằắẳẵặầấẩẫậèéẻẽẹềếểễệìíỉĩịòóỏõọồốổỗộờớởỡợùúủũụừứửữựỳýỷỹỵ ,.—\n\"'()")), 0, 40, -1).Draw(t, "s")
		sums := func(s string) []uint64 {
			var out []uint64
			ScanWords([]byte(s), 0, len(s), func(w Word) bool { out = append(out, w.Sum); return true })
			return out
		}
		want := sums(s)
		for name, form := range map[string]string{"decomposed": norm.NFD.String(s), "upper": strings.ToUpper(s), "spaces": strings.ReplaceAll(s, " ", "\r\n\u00a0> ")} {
			got := sums(form)
			if len(got) != len(want) {
				t.Fatalf("%s: %q has %d words, %q has %d", name, s, len(want), form, len(got))
			}
			for i := range got {
				if got[i] != want[i] {
					t.Fatalf("%s: word %d of %q and %q differ", name, i, s, form)
				}
			}
		}
	})
}

// covered marks, for each word of a, whether a run of n words that holds it also stands in one of others: the slow way.
func covered(a []string, others [][]string, n int) []bool {
	out := make([]bool, len(a))
	for i := 0; i+n <= len(a); i++ {
		for _, b := range others {
			for j := 0; j+n <= len(b); j++ {
				same := true
				for k := range n {
					same = same && a[i+k] == b[j+k]
				}
				if same {
					for k := range n {
						out[i+k] = true
					}
				}
			}
		}
	}
	return out
}

func TestRunsAgreeWithTheSlowWay(t *testing.T) {
	word := rapid.SampledFrom([]string{"một", "hai", "Hai,", "ba", "x", "mo\u0323\u0302t", "\n>", "BA!"})
	rapid.Check(t, func(t *rapid.T) {
		text := func(label string, most int) string {
			return strings.Join(rapid.SliceOfN(word, 0, most).Draw(t, label), " ")
		}
		n := rapid.IntRange(1, 6).Draw(t, "n")
		groups := []string{text("a", 25), text("b", 25)}
		others := []string{text("c", 25), text("d", 25)}
		var words [][]Word
		for _, g := range groups {
			words = append(words, WordsOf([]byte(g), 0, len(g)))
		}
		index := NewIndex(n, words...)
		var plain [][]string
		any := false
		for i, o := range others {
			plain = append(plain, plainWords(o))
			any = index.Match([]byte(o), 0, len(o), i, true) || any
		}
		if len(index.Stretches()) > 0 {
			t.Fatal("a probe keeps what it finds")
		}
		for i, o := range others {
			index.Match([]byte(o), 0, len(o), i, false)
		}
		total, want := 0, 0
		for _, s := range index.Stretches() {
			total += s.Words
			if s.Words < n || s.Start >= s.End {
				t.Fatalf("a stretch of %d words: %+v", s.Words, s)
			}
			hit := plainWords(others[s.Hit.Source][s.Hit.Start:s.Hit.End])
			if len(hit) != n {
				t.Fatalf("the place of a hit has the words %q", hit)
			}
		}
		for _, g := range groups {
			for _, c := range covered(plainWords(g), plain, n) {
				if c {
					want++
				}
			}
		}
		if total != want || any != (want > 0) {
			t.Fatalf("runs of %d words of %q in %q: %d words, want %d (probe %v)", n, groups, others, total, want, any)
		}
	})
}

// A text that repeats itself must not make the search slow: each run is kept once.
func TestRepetitionIsCheap(t *testing.T) {
	s := []byte(strings.Repeat("tuổi nhỏ giọt ", 60_000))
	index := NewIndex(8, WordsOf(s, 0, len(s)))
	index.Match(s, 0, len(s), 0, false)
	if got := index.Stretches(); len(got) != 1 || got[0].Words != 180_000 {
		t.Errorf("got %d stretches", len(got))
	}
}

func FuzzWords(f *testing.F) {
	for _, s := range []string{"Một, hai", "a\u200bb", "\xff x", "o\u031b\u0300", "한국"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { sameWords(t, s) })
}
