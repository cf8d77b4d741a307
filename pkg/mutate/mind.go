package mutate

import (
	"strings"

	"github.com/seed-4419f9ca/forge/pkg/finding"
	"github.com/seed-4419f9ca/forge/pkg/memory"
	"github.com/seed-4419f9ca/forge/pkg/mindblock"
	"github.com/seed-4419f9ca/forge/pkg/snapshot"
)

// mindFaults are the ways in which notes are known to go wrong.
func mindFaults() []Fault {
	return append(append(append(mindTextFaults(), mindFormFaults()...), mindHistoryFaults()...), mindCommandFaults()...)
}

func fault(name, code string, edits ...Edit) Fault {
	return Fault{Name: name, Code: code, Break: All(edits...)}
}

// as says that a fault fires with another level than its code usually has.
func (f Fault) as(level finding.Level) Fault {
	f.Level = level
	return f
}

// notes is an edit of the notes in the after tree.
func notes(old, text string) Edit { return Replace(After, mindNotes, old, text) }

func mindTextFaults() []Fault {
	return []Fault{
		fault("another case in the name", "mind/bad-name", Write(After, mindFolder+"/_MIND-s-4.md", mindBlock0)),
		fault("the number of another session in the name", "mind/bad-name", Write(After, mindFolder+"/_mind-s-40.md", mindBlock0)),
		fault("full width in the name", "mind/bad-name", Write(After, mindFolder+"/_ｍｉｎｄ-s-4.md", mindBlock0)),
		fault("a folder that only looks like a session's", "mind/bad-name", Write(After, ".claude/sessions/Session-5/_mind-s-5.md", mindBlock0)),
		fault("a link in the place of new notes", "mind/bad-name", Link(After, ".claude/sessions/session-6/_mind-s-6.md", "../session-4/_mind-s-4.md")),
		fault("notes in UTF-16", "mind/unreadable", Write(After, ".claude/sessions/session-6/_mind-s-6.md", "\xff\xfe#\x00#\x00#\x00 \x00M\x00")),
		fault("eight words of the owner, over a line's end", "mind/owner-words", notes("Weighed the last", "We do NOT open the hives\nby the pond, not yet. Weighed the last")),
		fault("words between the owner's quotation marks", "mind/owner-words", notes("Weighed the last", "Old labels until every row has been counted. Weighed the last")),
		fault("a pause that never was", "mind/pause-unknown", notes("See PAUSE-2.", "See PAUSE-3.")),
		fault("a line that begins with a key", "mind/timestamp-key", notes("Weighed the last", "- **Updated**: 2026-09-10\nWeighed the last")),
		fault("a key in decomposed letters", "mind/timestamp-key", notes("Weighed the last", "tho\u031b\u0300i-gian = chiều\nWeighed the last")),
		fault("a password", "mind/secret", notes("Weighed the last", "The shed opens with mật khẩu: ong-mat-7. Weighed the last")),
		fault("a key of a cloud", "mind/secret", notes("Weighed the last", "AKIA3FAKE7NOTREALKEY is the key of the scale. Weighed the last")),
		fault("a connection string", "mind/secret", notes("Weighed the last", "See mysql://bee:Zoom4Pollen@shed.example/hives. Weighed the last")),
		fault("a private key", "mind/secret", notes("Weighed the last", "-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIFakeFakeFakeFakeFakeFake\nWeighed the last")),
		fault("a token as gitleaks knows it", "mind/secret", notes("Weighed the last", "Grafana has glsa_"+strings.Repeat("aB3dE5gH", 4)+"_1a2b3c4d. Weighed the last")),
		fault("twelve words of the log", "mind/settled-copied", notes("Weighed the last", "Every hive is weighed on the first and the third Sunday of September. Weighed the last")),
	}
}

func mindFormFaults() []Fault {
	return []Fault{
		fault("a pointer without a folder", "mind/pointer", notes("reports/read-2.md#result", "audits/read-2.md#result")),
		fault("a pointer to a heading that is not there", "mind/pointer", notes("#result", "#verdict")),
		fault("a pointer to a report that is not there yet", "mind/pointer", notes("reports/read-2.md#result", "reports/read-3.md#result")).as(finding.Flag),
		fault("a pointer out of the repository", "mind/pointer", notes("reports/read-2.md#result", "../../../../read-2.md")),
		fault("a number that is taken", "mind/number", notes("MIND-2", "MIND-1")),
		fault("the newest block at the bottom", "mind/number", Write(After, mindNotes, mindBlock1+"\n"+mindBlock0+"\n"+mindBlock2)),
		fault("a number with zeros before it", "mind/number", notes("MIND-2", "MIND-02")),
		fault("a heading in another case", "mind/number", notes("### MIND-2", "### Mind-9\n\n### MIND-2")),
		fault("a new block among the old ones", "mind/number",
			ReplaceAll(Before, mindNotes, "MIND-1", "MIND-5"), ReplaceAll(After, mindNotes, "MIND-1", "MIND-5"),
			Write(After, mindNotes, strings.ReplaceAll(mindBlock1, "MIND-1", "MIND-5")+"\n"+mindBlock2+"\n"+mindBlock0)),
		fault("a pause without its block, and one before", "mind/count", Append(After, mindContext, "\n## PAUSE-3\n\n## PAUSE-4\n")),
		fault("a block too many", "mind/count", Replace(After, mindContext, "## PAUSE-1", "## Pause"), Replace(After, mindContext, "## PAUSE-2", "## Pause"), notes(" See PAUSE-2.", "")),
		fault("a count in the frontmatter", "mind/declared-count", Prepend(After, mindContext, "---\nmarkers: 5\n---\n\n")),
		fault("a count in the frontmatter of the notes", "mind/declared-count", Prepend(After, mindNotes, "---\nmarkers: three\n---\n\n")),
		fault("notes over the budget", "mind/budget", Replace(After, mindBudget, "\"mind_ctx_kb\": 3", "\"mind_ctx_kb\": 1")),
		fault("a budget that stands twice", "mind/budget", Replace(After, mindBudget, "\"mind_ctx_kb\": 3", "\"mind_ctx_kb\": 3,\n  \"mind_ctx_kb\": 300")),
		fault("a budget that is no number", "mind/budget", Replace(After, mindBudget, "\"mind_ctx_kb\": 3", "\"mind_ctx_kb\": \"much\"")),
		fault("a section left out", "mind/section-missing", Cut(After, mindNotes, "#### C", "#### D")),
		fault("a heading in another style", "mind/section-missing", notes("#### C — the plan, as", "**C** the plan, as")),
		fault("two sections that changed places", "mind/section-order", Change(After, mindNotes, func(s string) string {
			return strings.Replace(strings.Replace(strings.Replace(s, "#### B", "#### X", 1), "#### C", "#### B", 1), "#### X", "#### C", 1)
		})),
		fault("a section twice", "mind/section-duplicate", notes("#### D — under", "#### C — more plan\nSugar last.\n#### D — under")),
		fault("a section without a word", "mind/section-empty", Cut(After, mindNotes, "Weighed", "#### B"), notes("what this turn did\n", "what this turn did\n<!-- later -->\n\n")),
		fault("a label that nobody agreed on", "mind/label", notes("[contested]", "[almost-done]")),
		fault("two labels", "mind/label", notes("[contested]", "[contested] [raised]")),
		fault("talk without items", "mind/label", notes("- [contested] whether", "Whether"), notes("- {treo-chờ-anh} giá", "Giá")),
		fault("a helper without a pointer", "mind/e-line", notes("pass → reports/read-2.md#result", "pass")),
		fault("a home-made verdict", "mind/e-line", notes("pass →", "fine →")),
		fault("a helper without a role", "mind/e-line", notes("- scale-reader: pass", "- : pass")),
		fault("helpers without items", "mind/e-line", notes("- scale-reader: pass", "scale-reader: pass"), notes("- ctx-curator: flag", "ctx-curator: flag")),
		fault("the newest block without a reviewer", "mind/no-review", Write(After, mindClosed, "Over.\n"), notes("ctx-curator", "lead")),
		fault("block 0 without a reviewer", "mind/no-review",
			Write(After, mindClosed, "Over.\n"), notes("ctx-audit", "queen-finder"), Replace(Before, mindNotes, "ctx-audit", "queen-finder")),
		fault("closed by the command line, and a report that never came", "mind/pointer", Give("closed", "yes"), notes("reports/read-2.md#result", "reports/read-3.md")),
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
		fault("a published block reworded", "mind/block-edited", notes("Ghép đàn yếu", "Ghép đàn khoẻ")),
		fault("a published block with a space more", "mind/block-edited", notes("Ghép đàn yếu", "Ghép  đàn yếu")),
		fault("a merge that takes a block of the other side and rewords it", "mind/block-edited",
			MergeOf(func(t map[string]memory.File) {
				t[mindNotes] = memory.File{Mode: snapshot.Regular, Data: mindBlock2 + "\n" + mindBlock1 + "\n" + mindBlock0}
			}),
			notes("Weighed the last nine", "Weighed the last ten")),
		fault("a published block left out", "mind/block-removed", Cut(After, mindNotes, "### MIND-1", "### MIND-0")),
		fault("the notes deleted", "mind/block-removed", gone(After), Replace(After, mindContext, "## PAUSE-1", "## Pause"), Replace(After, mindContext, "## PAUSE-2", "## Pause")),
		fault("the notes moved out of their folder", "mind/block-removed",
			Write(After, mindNotes, mindBlock1+"\n"+mindBlock0), Move(After, mindNotes, "docs/thoughts.md"),
			Replace(After, mindContext, "## PAUSE-1", "## Pause"), Replace(After, mindContext, "## PAUSE-2", "## Pause")),
		fault("other line ends", "mind/eol-changed", ReplaceAll(After, mindNotes, "\n", "\r\n")),
		fault("no block 0, and never one", "mind/block-0-missing", Cut(Before, mindNotes, "### MIND-0", "→ reports/read-2.md\n"), Cut(After, mindNotes, "### MIND-0", "→ reports/read-2.md\n"),
			Change(Before, mindNotes, func(s string) string { return strings.Replace(s, "→ reports/read-2.md\n", "", 1) }),
			Change(After, mindNotes, func(s string) string { return strings.TrimSuffix(s, "→ reports/read-2.md\n") })).as(finding.Flag),
		fault("pauses and no notes at all", "mind/block-0-missing", gone(Before), gone(After)).as(finding.Flag),
		fault("a block folded into a line that is not its own", "mind/compaction", notes(body, folded)),
		fault("a line of another form", "mind/compaction", notes(body, strings.ToUpper(truly)), Replace(Before, mindNotes, body, strings.ToUpper(truly))),
		fault("a newer block folded before an older one", "mind/compaction", three, notes(strings.TrimSpace(strings.TrimPrefix(mindBlock2, "### MIND-2\n")), ""),
			Change(After, mindNotes, func(s string) string {
				// The first body that went was that of the top block; it comes back, and the one below it goes.
				body2 := strings.TrimSpace(strings.TrimPrefix(mindBlock2, "### MIND-2\n"))
				s = strings.Replace(s, "### MIND-3\n\n", "### MIND-3\n\n"+body2, 1)
				at := strings.Index(s, "### MIND-2\n\n")
				return s[:at] + strings.Replace(s[at:], body2, mindblock.CompactionLine([]byte(body2)), 1)
			})),
		fault("block 0 folded", "mind/compaction", Change(After, mindNotes, func(s string) string {
			s = strings.Replace(s, body, truly, 1)
			body0 := strings.TrimSpace(strings.TrimPrefix(mindBlock0, "### MIND-0\n"))
			return strings.Replace(s, body0, mindblock.CompactionLine([]byte(body0)), 1)
		})),
		fault("a block that arrives folded", "mind/compaction", Replace(Before, mindNotes, mindBlock1+"\n", ""), notes(body, truly),
			Replace(After, mindContext, "## PAUSE-2", "## PAUSE-2"+"\n\n## PAUSE-3"), notes("MIND-2", "MIND-3"), notes("### MIND-1\n", "### MIND-2\n")),
	}
}

func mindCommandFaults() []Fault {
	draft := func(text string) Edit { return All(Give("session", "4"), Give("draft", text)) }
	next := "### MIND-3" + strings.TrimPrefix(mindBlock2, "### MIND-2")
	return []Fault{
		fault("a draft with a number that is taken", "mind/number", draft(mindBlock2)),
		fault("two drafts in one file", "mind/number", draft(next+"\n"+strings.Replace(next, "MIND-3", "MIND-4", 1))),
		fault("a draft without its heading", "mind/number", draft(strings.TrimPrefix(next, "### MIND-3\n"))),
		fault("a draft with words above its heading", "mind/number", draft("Here it comes.\n\n"+next)),
		fault("a draft with an unlabelled item", "mind/label", draft(strings.Replace(next, "[contested] ", "", 1))),
		fault("a draft in another encoding", "mind/unreadable", draft("\xff\xfe"+next)),
		fault("a report that only says it has read", "mind/reload", Give("session", "4"), Give("report", "# Resumed\n\nThe notes were read in full.\n")),
	}
}
