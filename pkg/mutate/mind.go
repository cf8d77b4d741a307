package mutate

import (
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/memory"
	"github.com/seed-4419f9ca/forge/pkg/mindblock"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// mindFaults are the ways in which notes are known to go wrong.
func mindFaults() []Fault {
	return append(append(append(mindTextFaults(), mindFormFaults()...), mindHistoryFaults()...), mindCommandFaults()...)
}

// notes is an edit of the notes in the after tree.
func notes(old, text string) Edit { return Replace(After, mindNotes, old, text) }

func mindTextFaults() []Fault {
	return []Fault{
		{"another case in the name", "mind/bad-name", All(Write(After, mindFolder+"/_MIND-s-4.md", mindBlock0))},
		{"the number of another session in the name", "mind/bad-name", All(Write(After, mindFolder+"/_mind-s-40.md", mindBlock0))},
		{"full width in the name", "mind/bad-name", All(Write(After, mindFolder+"/_ｍｉｎｄ-s-4.md", mindBlock0))},
		{"a folder that only looks like a session's", "mind/bad-name", All(Write(After, ".claude/sessions/Session-5/_mind-s-5.md", mindBlock0))},
		{"a link in the place of new notes", "mind/bad-name", All(Link(After, ".claude/sessions/session-6/_mind-s-6.md", "../session-4/_mind-s-4.md"))},
		{"notes in UTF-16", "mind/unreadable", All(Write(After, ".claude/sessions/session-6/_mind-s-6.md", "\xff\xfe#\x00#\x00#\x00 \x00M\x00"))},
		{"eight words of the owner, over a line's end", "mind/owner-words", All(notes("Weighed the last", "We do NOT open the hives\nby the pond, before Sunday. Weighed the last"))},
		{"words between the owner's quotation marks", "mind/owner-words", All(notes("Weighed the last", "Old labels until every row has been counted. Weighed the last"))},
		{"a pause that never was", "mind/pause-unknown", All(notes("See PAUSE-2.", "See PAUSE-3."))},
		{"a line that begins with a key", "mind/timestamp-key", All(notes("Weighed the last", "- **Updated**: 2026-09-10\nWeighed the last"))},
		{"a key in decomposed letters", "mind/timestamp-key", All(notes("Weighed the last", "tho\u031b\u0300i-gian = chiều\nWeighed the last"))},
		{"a password", "mind/secret", All(notes("Weighed the last", "The shed opens with mật khẩu: ong-mat-7. Weighed the last"))},
		{"a key of a cloud", "mind/secret", All(notes("Weighed the last", "AKIA3FAKE7NOTREALKEY is the key of the scale. Weighed the last"))},
		{"a connection string", "mind/secret", All(notes("Weighed the last", "See mysql://bee:Zoom4Pollen@shed.example/hives. Weighed the last"))},
		{"a private key", "mind/secret", All(notes("Weighed the last", "-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIFakeFakeFakeFakeFakeFake\nWeighed the last"))},
		{"a token as gitleaks knows it", "mind/secret", All(notes("Weighed the last", "Grafana has glsa_"+strings.Repeat("aB3dE5gH", 4)+"_1a2b3c4d. Weighed the last"))},
		{"twelve words of the log", "mind/settled-copied", All(notes("Weighed the last", "Every hive is weighed on the first and the third Sunday of September. Weighed the last"))},
	}
}

func mindFormFaults() []Fault {
	return []Fault{
		{"a pointer without a folder", "mind/pointer", All(notes("reports/read-2.md#result", "audits/read-2.md#result"))},
		{"a pointer to a heading that is not there", "mind/pointer", All(notes("#result", "#verdict"))},
		{"a pointer to a report that is not there yet", "mind/pointer", All(notes("reports/read-2.md#result", "reports/read-3.md#result"))},
		{"a pointer out of the repository", "mind/pointer", All(notes("reports/read-2.md#result", "../../../../read-2.md"))},
		{"a number that is taken", "mind/number", All(notes("MIND-2", "MIND-1"))},
		{"the newest block at the bottom", "mind/number", All(Write(After, mindNotes, mindBlock1+"\n"+mindBlock0+"\n"+mindBlock2))},
		{"a number with zeros before it", "mind/number", All(notes("MIND-2", "MIND-02"))},
		{"a heading in another case", "mind/number", All(notes("### MIND-2", "### Mind-9\n\n### MIND-2"))},
		{"a new block among the old ones", "mind/number", All(
			ReplaceAll(Before, mindNotes, "MIND-1", "MIND-5"), ReplaceAll(After, mindNotes, "MIND-1", "MIND-5"),
			Write(After, mindNotes, strings.ReplaceAll(mindBlock1, "MIND-1", "MIND-5")+"\n"+mindBlock2+"\n"+mindBlock0))},
		{"a pause without its block, and one before", "mind/count", All(Append(After, mindContext, "\n## PAUSE-3\n\n## PAUSE-4\n"))},
		{"a block too many", "mind/count", All(Replace(After, mindContext, "## PAUSE-1", "## Pause"), Replace(After, mindContext, "## PAUSE-2", "## Pause"), notes(" See PAUSE-2.", ""))},
		{"a count in the frontmatter", "mind/declared-count", All(Prepend(After, mindContext, "---\nmarkers: 5\n---\n\n"))},
		{"a count in the frontmatter of the notes", "mind/declared-count", All(Prepend(After, mindNotes, "---\nmarkers: three\n---\n\n"))},
		{"notes over the budget", "mind/budget", All(Replace(After, mindBudget, "\"mind_ctx_kb\": 3", "\"mind_ctx_kb\": 1"))},
		{"a budget that stands twice", "mind/budget", All(Replace(After, mindBudget, "\"mind_ctx_kb\": 3", "\"mind_ctx_kb\": 3,\n  \"mind_ctx_kb\": 300"))},
		{"a budget that is no number", "mind/budget", All(Replace(After, mindBudget, "\"mind_ctx_kb\": 3", "\"mind_ctx_kb\": \"much\""))},
		{"a section left out", "mind/section-missing", All(Cut(After, mindNotes, "#### C", "#### D"))},
		{"a heading in another style", "mind/section-missing", All(notes("#### C — the plan, as", "**C** the plan, as"))},
		{"two sections that changed places", "mind/section-order", All(Change(After, mindNotes, func(s string) string {
			return strings.Replace(strings.Replace(strings.Replace(s, "#### B", "#### X", 1), "#### C", "#### B", 1), "#### X", "#### C", 1)
		}))},
		{"a section twice", "mind/section-duplicate", All(notes("#### D — under", "#### C — more plan\nSugar last.\n#### D — under"))},
		{"a section without a word", "mind/section-empty", All(notes("Weighed the last nine hives and put the figures beside those of spring.\n", "<!-- later -->\n\n"))},
		{"a label that nobody agreed on", "mind/label", All(notes("[contested]", "[almost-done]"))},
		{"two labels", "mind/label", All(notes("[contested]", "[contested] [raised]"))},
		{"talk without items", "mind/label", All(notes("- [contested] whether", "Whether"), notes("- {treo-chờ-anh} giá", "Giá"))},
		{"a helper without a pointer", "mind/e-line", All(notes("pass → reports/read-2.md#result", "pass"))},
		{"a home-made verdict", "mind/e-line", All(notes("pass →", "fine →"))},
		{"a helper without a role", "mind/e-line", All(notes("- scale-reader: pass", "- : pass"))},
		{"helpers without items", "mind/e-line", All(notes("- scale-reader: pass", "scale-reader: pass"), notes("- ctx-curator: flag", "ctx-curator: flag"))},
		{"the newest block without a reviewer", "mind/no-review", All(Write(After, mindClosed, "Over.\n"), notes("ctx-curator", "lead"))},
		{"block 0 without a reviewer", "mind/no-review", All(
			Write(After, mindClosed, "Over.\n"), notes("ctx-audit", "queen-finder"), Replace(Before, mindNotes, "ctx-audit", "queen-finder"))},
		{"closed by the command line, and a report that never came", "mind/pointer", All(Give("closed", "yes"), notes("reports/read-2.md#result", "reports/read-3.md"))},
	}
}

func mindHistoryFaults() []Fault {
	folded := mindblock.CompactionLine([]byte("something else"))
	body := strings.TrimSpace(strings.TrimPrefix(mindBlock1, "### MIND-1\n"))
	truly := mindblock.CompactionLine([]byte(body))
	three := func(s *Sample) error { // two blocks between block 0 and the top, both published
		four := "### MIND-3" + strings.TrimPrefix(mindBlock2, "### MIND-2")
		all := mindBlock2 + "\n" + mindBlock1 + "\n" + mindBlock0
		return All(Write(Before, mindNotes, all), Write(After, mindNotes, four+"\n"+all), Append(After, mindContext, "\n## PAUSE-3\n"),
			Change(After, mindBudget, func(string) string { return "{}\n" }))(s)
	}
	gone := func(side Side) Edit { return Remove(side, mindNotes) }
	return []Fault{
		{"a published block reworded", "mind/block-edited", All(notes("Ghép đàn yếu", "Ghép đàn khoẻ"))},
		{"a published block with a space more", "mind/block-edited", All(notes("Ghép đàn yếu", "Ghép  đàn yếu"))},
		{"a merge that takes a block of the other side and rewords it", "mind/block-edited", All(
			MergeOf(func(t map[string]memory.File) {
				t[mindNotes] = memory.File{Mode: snapshot.Regular, Data: mindBlock2 + "\n" + mindBlock1 + "\n" + mindBlock0}
			}),
			notes("Weighed the last nine", "Weighed the last ten"))},
		{"a published block left out", "mind/block-removed", All(Cut(After, mindNotes, "### MIND-1", "### MIND-0"))},
		{"the notes deleted", "mind/block-removed", All(gone(After), Replace(After, mindContext, "## PAUSE-1", "## Pause"), Replace(After, mindContext, "## PAUSE-2", "## Pause"))},
		{"the notes moved out of their folder", "mind/block-removed", All(
			Write(After, mindNotes, mindBlock1+"\n"+mindBlock0), Move(After, mindNotes, "docs/thoughts.md"),
			Replace(After, mindContext, "## PAUSE-1", "## Pause"), Replace(After, mindContext, "## PAUSE-2", "## Pause"))},
		{"other line ends", "mind/eol-changed", All(ReplaceAll(After, mindNotes, "\n", "\r\n"))},
		{"no block 0, and never one", "mind/block-0-missing", All(Cut(Before, mindNotes, "### MIND-0", "→ reports/read-2.md\n"), Cut(After, mindNotes, "### MIND-0", "→ reports/read-2.md\n"),
			Change(Before, mindNotes, func(s string) string { return strings.Replace(s, "→ reports/read-2.md\n", "", 1) }),
			Change(After, mindNotes, func(s string) string { return strings.TrimSuffix(s, "→ reports/read-2.md\n") }))},
		{"pauses and no notes at all", "mind/block-0-missing", All(gone(Before), gone(After))},
		{"a block folded into a line that is not its own", "mind/compaction", All(notes(body, folded))},
		{"a line of another form", "mind/compaction", All(notes(body, strings.ToUpper(truly)), Replace(Before, mindNotes, body, strings.ToUpper(truly)))},
		{"a newer block folded before an older one", "mind/compaction", All(three, notes(strings.TrimSpace(strings.TrimPrefix(mindBlock2, "### MIND-2\n")), ""),
			Change(After, mindNotes, func(s string) string {
				// The first body that went was that of the top block; it comes back, and the one below it goes.
				body2 := strings.TrimSpace(strings.TrimPrefix(mindBlock2, "### MIND-2\n"))
				s = strings.Replace(s, "### MIND-3\n\n", "### MIND-3\n\n"+body2, 1)
				at := strings.Index(s, "### MIND-2\n\n")
				return s[:at] + strings.Replace(s[at:], body2, mindblock.CompactionLine([]byte(body2)), 1)
			}))},
		{"block 0 folded", "mind/compaction", All(Change(After, mindNotes, func(s string) string {
			s = strings.Replace(s, body, truly, 1)
			body0 := strings.TrimSpace(strings.TrimPrefix(mindBlock0, "### MIND-0\n"))
			return strings.Replace(s, body0, mindblock.CompactionLine([]byte(body0)), 1)
		}))},
		{"a block that arrives folded", "mind/compaction", All(Replace(Before, mindNotes, mindBlock1+"\n", ""), notes(body, truly),
			Replace(After, mindContext, "## PAUSE-2", "## PAUSE-2"+"\n\n## PAUSE-3"), notes("MIND-2", "MIND-3"), notes("### MIND-1\n", "### MIND-2\n"))},
	}
}

func mindCommandFaults() []Fault {
	draft := func(text string) Edit { return All(Give("session", "4"), Give("draft", text)) }
	next := "### MIND-3" + strings.TrimPrefix(mindBlock2, "### MIND-2")
	return []Fault{
		{"a draft with a number that is taken", "mind/number", All(draft(mindBlock2))},
		{"two drafts in one file", "mind/number", All(draft(next + "\n" + strings.Replace(next, "MIND-3", "MIND-4", 1)))},
		{"a draft without its heading", "mind/number", All(draft(strings.TrimPrefix(next, "### MIND-3\n")))},
		{"a draft with words above its heading", "mind/number", All(draft("Here it comes.\n\n" + next))},
		{"a draft with an unlabelled item", "mind/label", All(draft(strings.Replace(next, "[contested] ", "", 1)))},
		{"a draft in another encoding", "mind/unreadable", All(draft("\xff\xfe" + next))},
		{"a report that only says it has read", "mind/reload", All(Give("session", "4"), Give("report", "# Resumed\n\nThe notes were read in full.\n"))},
	}
}
